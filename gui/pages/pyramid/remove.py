"""Removal of SCUs, contributors and parts on the Pyramid page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.domain import pyramid
from gui.pages.pyramid.editor import Editor
from gui.session.context import Context
from gui.style.language import in_terms_of, tr

if TYPE_CHECKING:
    from gui.pages.pyramid.view import PyramidView

PLACE_CURSOR = tr(
    "Place the text cursor in a part of the selected SCU, or press "
    "{pyramid.next_contributor} to go to its contributors."
)


class RemoveController(QObject):
    """Removes items and shows a notice with an Undo link."""

    def __init__(self, page: Editor, view: PyramidView, context: Context) -> None:
        super().__init__(view)
        self._page, self._view, self._context = page, view, context
        context.commands.bind("pyramid.remove", self.remove, page.key)
        context.commands.bind("pyramid.remove_part", self.remove_part, page.key)

    @Slot()
    def remove(self) -> None:
        """Remove the focused contributor, else the selected SCU."""
        scu_id = self._page.selected_scu()
        contributor_id, _ = self._view.details.cards.current
        if scu_id and contributor_id:
            self._remove_contributor(scu_id, contributor_id)
        elif scu_id:
            self._remove_scu(scu_id)

    @Slot()
    def remove_part(self) -> None:
        """Remove the focused part of the selected SCU, else the one at the text cursor."""
        scu_id = self._page.selected_scu()
        if not scu_id:
            return
        part_id = self._view.details.cards.current[1] or self._part_at_caret(scu_id)
        if not part_id:
            self._page.refuse(PLACE_CURSOR)
        elif self._page.edit(lambda a: pyramid.remove_part(a, scu_id, part_id), "remove part"):
            self._view.show_edit_notice(tr("Removed a part."))

    def _remove_contributor(self, scu_id: str, contributor_id: str) -> None:
        row = self._view.details.cards.last_row
        removed = self._page.edit(
            lambda a: pyramid.remove_contributor(a, scu_id, contributor_id), "remove contributor"
        )
        if removed and row is not None:
            self._view.show_edit_notice(
                in_terms_of(self._page.kind, tr("Removed contributor {letter}.", letter=row.letter))
            )

    def _remove_scu(self, scu_id: str) -> None:
        next_scu_id, notice = self._neighbour(scu_id), self._notice(scu_id)
        if self._page.edit(lambda a: pyramid.remove_scu(a, scu_id), "remove SCU"):
            self._context.selection.select(scu_id=next_scu_id)
            self._view.show_edit_notice(notice)

    def _notice(self, scu_id: str) -> str:
        """Return the notice for removing an SCU; the matches of all annotators are removed with it."""
        matches = sum(match.scu_id == scu_id for match in self._page.annotation.matches)
        with_matches = tr(" with {matches}", matches=tr("%n matches", "", matches)) if matches else ""
        with_matches = in_terms_of(self._page.kind, with_matches)
        return tr(
            "Removed “{label}”{with_matches}.",
            label=self._page.annotation.scu(scu_id).label,
            with_matches=with_matches,
        )

    def _neighbour(self, scu_id: str) -> str:
        """Return the SCU to select after removing this one: the next in the list, else the previous."""
        visible = self._view.scus.tree.scus.visible()
        if scu_id not in visible:
            return ""
        at = visible.index(scu_id)
        return next(iter((*visible[at + 1 : at + 2], *visible[max(0, at - 1) : at])), "")

    def _part_at_caret(self, scu_id: str) -> str:
        reference_id, caret = self._view.references.caret()
        contributors = self._page.annotation.scu(scu_id).contributors
        parts = (part for c in contributors if c.reference_id == reference_id for part in c.parts)
        return next((part.id for part in parts if part.start <= caret <= part.end), "")
