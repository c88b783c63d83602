"""Splitting, moving and merging of SCUs: by key, context menu or drag and drop."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.domain import pyramid
from core.domain.pyramid import Contributor, Part, Scu, new_id
from core.domain.pyramid.split_and_move import move, split
from gui.annotation.drag_and_drop import DraggedItem, DragKind
from gui.pages.pyramid.editor import Editor
from gui.session.context import Context
from gui.style.language import in_terms_of, tr

if TYPE_CHECKING:
    from gui.pages.pyramid.view import PyramidView

SELECT_CONTRIBUTORS = tr("Select contributors with Space, then press the same key again.")
NO_CONTRIBUTORS = tr(
    "This SCU has no contributors yet. Select text that expresses it, then press {pyramid.add_contributor}."
)
MAX_LABEL_CHARS = 36
"""Characters of a label in a prompt."""
SELECT_OTHER = tr("click the other SCU, or press Enter on it.")


class RegroupController(QObject):
    """Splits, moves and merges, and shows a notice with an Undo link."""

    def __init__(self, page: Editor, view: PyramidView, context: Context) -> None:
        super().__init__(view)
        self._page, self._view, self._context = page, view, context
        self._on_answer: Callable[[str], object] | None = None
        self._connect()
        self._bind_commands()

    @property
    def is_prompt_open(self) -> bool:
        """Return whether a prompt for another SCU is open; clicks then answer it instead of selecting."""
        return self._on_answer is not None

    @Slot()
    def split(self) -> None:
        """Split the selected contributors into a new SCU, and open its label for editing."""
        if parts := self._parts_to_move():
            self._split(self._page.selected_scu(), parts)

    @Slot()
    def begin_move(self) -> None:
        """Prompt for the SCU to move the selected contributors to."""
        if parts := self._parts_to_move():
            scu_id = self._page.selected_scu()
            self._open_prompt(
                in_terms_of(
                    self._page.kind, tr("Move to another SCU: {select_other}", select_other=SELECT_OTHER)
                ),
                lambda to: self._move(scu_id, parts, to),
            )

    @Slot()
    def begin_merge(self) -> None:
        """Prompt for the SCU to merge into the selected one."""
        if keep := self._page.selected_scu():
            label = self._page.annotation.scu(keep).label
            label = label if len(label) <= MAX_LABEL_CHARS else f"{label[: MAX_LABEL_CHARS - 1].rstrip()}…"
            which = in_terms_of(
                self._page.kind,
                tr("{select_other} The label of the heavier SCU stays.", select_other=SELECT_OTHER),
            )
            prompt = tr("Merge with “{label}”: {which}", label=label, which=which)
            self._open_prompt(prompt, lambda other: self._merge(keep, other))

    @Slot()
    def cancel(self) -> None:
        """Close the prompt."""
        if self._on_answer is not None:
            self._on_answer = None
            self._view.show_prompt("")
            self._view.show_hovered("")
            self._page.show_details()

    def step_contributor(self, by: int) -> None:
        """Focus the previous (-1) or next (+1) contributor, and scroll to its text."""
        if self._page.selected_scu() and not self._view.step_card(by):
            self._page.refuse(NO_CONTRIBUTORS)

    @Slot()
    def comment_contributor(self) -> None:
        """Edit the comment of the contributor that was focused last."""
        if self._page.selected_scu() and not self._view.edit_card_comment():
            self._page.refuse(NO_CONTRIBUTORS)

    @Slot(str)
    def _answer_prompt(self, scu_id: str) -> None:
        if (on_answer := self._on_answer) is not None and scu_id:
            self.cancel()
            on_answer(scu_id)

    @Slot(object, str)
    def _drop(self, item: DraggedItem, target: str) -> None:
        """Handle a drop on an SCU; an empty target creates a new SCU."""
        self.cancel()
        if item.kind is DragKind.WORDS:
            self._drop_words(target)
        elif item.kind is DragKind.SCU:
            self._merge(target, item.scu_id)
        elif target:
            self._move(item.scu_id, item.part_ids, target)
        else:
            self._split(item.scu_id, item.part_ids)

    def _drop_words(self, target: str) -> None:
        if not target:
            self._page.new_scu()
            return
        self._context.selection.select(scu_id=target)
        self._page.add_contributor()

    def _split(self, scu_id: str, parts: Collection[str]) -> None:
        new_scu_id = new_id()
        label = self._label_of(parts)
        if not self._page.edit(lambda a: split(a, scu_id, parts, label, new_scu_id), "split SCU"):
            return
        self._context.selection.select(scu_id=new_scu_id)
        kept = in_terms_of(self._page.kind, tr(", which keeps its matches"))
        matches = kept if self._is_matched(scu_id) else ""
        self._view.show_edit_notice(
            tr("Split from “{label}”{matches}.", label=self._label(scu_id), matches=matches)
        )
        self._view.edit_label(new_scu_id)

    def _move(self, scu_id: str, parts: Collection[str], to: str) -> None:
        label = self._label(scu_id)
        if self._page.edit(lambda a: move(a, scu_id, parts, to), "move contributor"):
            self._context.selection.select(scu_id=to)
            exists = any(scu.id == scu_id for scu in self._page.annotation.pyramid.scus)
            removed = "" if exists else tr(" “{label}” was left empty and removed.", label=label)
            self._view.show_edit_notice(
                tr("Moved to “{label}”.{removed}", label=self._label(to), removed=removed)
            )

    def _merge(self, keep: str, other: str) -> None:
        if self._page.edit(lambda a: pyramid.merge_scus(a, keep, other), "merge SCUs"):
            self._context.selection.select(scu_id=keep)
            self._view.show_edit_notice(tr("Merged into “{label}”.", label=self._label(keep)))

    @Slot(str, str)
    def _reveal(self, contributor_id: str, part_id: str) -> None:
        pair = self._part(contributor_id, part_id)
        if pair is not None:
            contributor, part = pair
            self._view.references.reveal_offset(contributor.reference_id, part.start)

    @Slot(str, str)
    def _comment(self, contributor_id: str, comment: str) -> None:
        scu = self._scu_of(contributor_id)
        if scu is not None:
            self._page.edit(
                lambda a: pyramid.set_contributor_comment(a, scu.id, contributor_id, comment),
                "comment on contributor",
            )

    def _open_prompt(self, prompt: str, on_answer: Callable[[str], object]) -> None:
        self._on_answer = on_answer
        self._view.show_prompt(prompt)

    def _parts_to_move(self) -> tuple[str, ...]:
        """Return the parts to take out of the selected SCU; without any, show a message."""
        if not self._page.selected_scu():
            return ()
        parts = self._view.details.cards.parts_to_move
        if not parts:
            has_cards = self._view.step_card(+1)
            self._page.refuse(SELECT_CONTRIBUTORS if has_cards else NO_CONTRIBUTORS)
        return parts

    def _label_of(self, parts: Collection[str]) -> str:
        """Return the label proposed for these parts: their text in the first reference."""
        for scu in self._page.annotation.pyramid.scus:
            for contributor in scu.contributors:
                spans = [part.span for part in contributor.parts if part.id in parts]
                if spans:
                    return self._page.label_of(contributor.reference_id, spans)
        return ""

    def _label(self, scu_id: str) -> str:
        scus = self._page.annotation.pyramid.scus
        return next((scu.label for scu in scus if scu.id == scu_id), "")

    def _is_matched(self, scu_id: str) -> bool:
        return any(match.scu_id == scu_id for match in self._page.annotation.matches)

    def _scu_of(self, contributor_id: str) -> Scu | None:
        scus = self._page.annotation.pyramid.scus
        return next((scu for scu in scus if any(c.id == contributor_id for c in scu.contributors)), None)

    def _part(self, contributor_id: str, part_id: str) -> tuple[Contributor, Part] | None:
        scu = self._scu_of(contributor_id)
        pairs = ((c, part) for c in (scu.contributors if scu else ()) for part in c.parts)
        return next((pair for pair in pairs if pair[1].id == part_id), None)

    def _connect(self) -> None:
        view = self._view
        view.scu_confirmed.connect(self._answer_prompt)
        view.cancelled.connect(self.cancel)
        view.scus.tree.dropped.connect(self._drop)
        view.details.cards.part_chosen.connect(self._reveal)
        view.details.card_comment.committed.connect(self._comment)
        view.undo_link.clicked.connect(self._context.commands.action("edit.undo").trigger)

    def _bind_commands(self) -> None:
        commands = self._context.commands
        for command, handler in (
            ("pyramid.split", self.split),
            ("pyramid.move", self.begin_move),
            ("pyramid.merge", self.begin_merge),
            ("pyramid.next_contributor", lambda: self.step_contributor(+1)),
            ("pyramid.previous_contributor", lambda: self.step_contributor(-1)),
            ("pyramid.comment_contributor", self.comment_contributor),
        ):
            commands.bind(command, handler, self._page.key)
