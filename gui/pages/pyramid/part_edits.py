"""Changes of part spans on the Pyramid page: by handles, by keys, or by the selection."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.domain import pyramid
from core.domain.pyramid import Contributor, Part
from core.domain.study import Span
from gui.annotation.text.word_caret import AT_EDGE, ENDS, with_end_moved
from gui.pages.pyramid.editor import Editor
from gui.pages.pyramid.remove import PLACE_CURSOR
from gui.session.context import Context
from gui.style.language import tr

if TYPE_CHECKING:
    from gui.pages.pyramid.view import PyramidView

MOVE, REPLACE = "change span", "replace span"
ONE_WORD = tr("A part needs at least one word. {pyramid.remove_part} removes the part.")
NOT_HERE = tr(
    "This SCU has no contributor in that reference. {pyramid.add_contributor} adds the selection as one."
)
WHICH_PART = tr("The contributor has several parts. Select one on its card, then select the text again.")


class PartEdits(QObject):
    """Changes part spans of the selected SCU; each change is one edit."""

    def __init__(self, page: Editor, view: PyramidView, context: Context) -> None:
        super().__init__(view)
        self._page, self._view, self._context = page, view, context
        view.references.part_resized.connect(self._resize)
        for command, end, by in ENDS:
            context.commands.bind(command, partial(self._move_end, end > 0, by), page.key)
        context.commands.bind("part.replace", self.replace, page.key)

    @Slot()
    def replace(self) -> None:
        """Replace a part of the selected SCU with the selection."""
        scu_id = self._page.selected_scu()
        selection = self._page.selected_words() if scu_id else None
        if selection is None:
            return
        parts = [part for c, part in self._parts(scu_id) if c.reference_id == selection.text_id]
        part = self._part_to_replace(parts, selection.spans)
        if part is None:
            self._page.refuse(WHICH_PART if parts else NOT_HERE)
            return
        if self._change(scu_id, part.id, selection.text_id, selection.spans, REPLACE):
            self._view.references.drop_selection()

    def _part_to_replace(self, parts: Sequence[Part], spans: Sequence[Span]) -> Part | None:
        """Return the part that a selection replaces: one it overlaps, the only one, or the current one."""
        for part in parts:
            if any(start < part.end and part.start < end for start, end in spans):
                return part
        current = self._view.details.cards.last[1]
        on_card = next((part for part in parts if part.id == current), None)
        return parts[0] if len(parts) == 1 else on_card

    @Slot(str, str, object, object)
    def _resize(self, text_id: str, scu_id: str, before: Span, after: Span) -> None:
        """Change the span of a part whose handle was dragged."""
        for contributor, part in self._parts(scu_id):
            if contributor.reference_id == text_id and part.span == before:
                self._change(scu_id, part.id, text_id, [after], MOVE)
                return

    def _move_end(self, at_end: bool, by: int) -> None:
        scu_id = self._page.selected_scu()
        if not scu_id:
            return
        current = self._current_part(scu_id)
        if current is None:
            self._page.refuse(PLACE_CURSOR)
            return
        contributor, part = current
        section = self._view.references.section(contributor.reference_id)
        if section is None:
            return
        after = with_end_moved(section.text.word_spans, part.span, by, at_end=at_end)
        if after == part.span:
            self._page.refuse(AT_EDGE if by > 0 else ONE_WORD)
        elif self._change(scu_id, part.id, contributor.reference_id, [after], MOVE):
            section.text.keep_caret_within(after)

    def _current_part(self, scu_id: str) -> tuple[Contributor, Part] | None:
        """Return the part of the focused card, the part at the text cursor, or the only part."""
        parts = self._parts(scu_id)
        card = self._view.details.cards.current[1]
        reference_id, caret = self._view.references.caret()
        here = [(c, part) for c, part in parts if c.reference_id == reference_id]
        for candidates in (
            [(c, part) for c, part in parts if part.id == card],
            [(c, part) for c, part in here if part.start <= caret <= part.end],
        ):
            if candidates:
                return candidates[0]
        return next((only[0] for only in (here, parts) if len(only) == 1), None)

    def _parts(self, scu_id: str) -> list[tuple[Contributor, Part]]:
        scus = self._page.annotation.pyramid.scus
        scu = next((scu for scu in scus if scu.id == scu_id), None)
        return [(c, part) for c in (scu.contributors if scu else ()) for part in c.parts]

    def _change(self, scu_id: str, part_id: str, text_id: str, spans: Sequence[Span], verb: str) -> bool:
        content = self._page.content_of(text_id)
        return self._page.edit(lambda a: pyramid.replace_part(a, scu_id, part_id, spans, content), verb)
