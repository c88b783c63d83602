"""Splitting, moving and merging on the page of pyramids: by key, by menu, by dragging."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.domain import pyramid
from core.domain.pyramid import Contributor, Part, Scu, new_id
from core.domain.pyramid.split_and_move import move, split
from gui.annotation.drag_and_drop import Dragged, DragKind
from gui.pages.pyramid.editor import Editor
from gui.session.context import Context

if TYPE_CHECKING:
    from gui.pages.pyramid.view import PyramidView

CHOOSE_CONTRIBUTORS = "Choose what is to leave the SCU: Space on its contributors, then the same key again."
NO_CONTRIBUTORS = (
    "This SCU has no contributors yet. Select words that express it, then press {pyramid.add_contributor}."
)
LONGEST_NAMED = 36
"""Characters of a label in a question."""
CHOOSE_OTHER = "choose the other SCU, then press Enter. Esc cancels."


class RegroupController(QObject):
    """Takes expressions from one SCU to another, and says what happened beside a way to undo it."""

    def __init__(self, page: Editor, view: PyramidView, context: Context) -> None:
        super().__init__(view)
        self._page, self._view, self._context = page, view, context
        self._answer: Callable[[str], object] | None = None
        self._connect()
        self._offer_commands()

    @property
    def is_asking(self) -> bool:
        """Whether another SCU is to be chosen; choosing one does not select it meanwhile."""
        return self._answer is not None

    @Slot()
    def split(self) -> None:
        """Split the chosen contributors off, and open the label of their new SCU for editing."""
        if parts := self._taken():
            self._split(self._page.selected_scu(), parts)

    @Slot()
    def begin_move(self) -> None:
        """Ask which SCU the chosen contributors are to move to."""
        if parts := self._taken():
            scu_id = self._page.selected_scu()
            self._ask(f"Move to another SCU: {CHOOSE_OTHER}", lambda to: self._move(scu_id, parts, to))

    @Slot()
    def begin_merge(self) -> None:
        """Ask which SCU is to join the selected one."""
        if keep := self._page.selected_scu():
            label = self._page.annotation.scu(keep).label
            label = label if len(label) <= LONGEST_NAMED else f"{label[: LONGEST_NAMED - 1].rstrip()}…"
            self._ask(f"Merge into “{label}”: {CHOOSE_OTHER}", lambda gone: self._merge(keep, gone))

    @Slot()
    def cancel(self) -> None:
        """Ask no longer."""
        if self._answer is not None:
            self._answer = None
            self._view.show_asking("")
            self._view.show_hovered("")
            self._page.show_details()

    def step_contributor(self, by: int) -> None:
        """Put the keyboard on the contributor before (-1) or after (+1), and show its words."""
        if self._page.selected_scu() and not self._view.step_card(by):
            self._context.show_message(NO_CONTRIBUTORS)

    @Slot()
    def comment_contributor(self) -> None:
        """Comment on the contributor that has the keyboard, or had it last."""
        if self._page.selected_scu() and not self._view.edit_card_comment():
            self._context.show_message(NO_CONTRIBUTORS)

    @Slot(str)
    def _take_answer(self, scu_id: str) -> None:
        if (answer := self._answer) is not None and scu_id:
            self.cancel()
            answer(scu_id)

    @Slot(object, str)
    def _drop(self, what: Dragged, target: str) -> None:
        """Do what was asked for by dragging; without a target it becomes a new SCU."""
        self.cancel()
        if what.kind is DragKind.WORDS:
            self._drop_words(target)
        elif what.kind is DragKind.SCU:
            self._merge(target, what.scu_id)
        elif target:
            self._move(what.scu_id, what.part_ids, target)
        else:
            self._split(what.scu_id, what.part_ids)

    def _drop_words(self, target: str) -> None:
        if not target:
            self._page.new_scu()
            return
        self._context.selection.select(scu_id=target)
        self._page.add_contributor()

    def _split(self, scu_id: str, parts: Collection[str]) -> None:
        made = new_id()
        label = self._label_of(parts)
        if not self._page.edit(lambda a: split(a, scu_id, parts, label, made), "split SCU"):
            return
        self._context.selection.select(scu_id=made)
        stay = " Its matches stay with it." if self._is_matched(scu_id) else ""
        self._view.show_edit_notice(f"Split off from “{self._label(scu_id)}”.{stay}")
        self._view.edit_label(made)

    def _move(self, scu_id: str, parts: Collection[str], to: str) -> None:
        label = self._label(scu_id)
        if self._page.edit(lambda a: move(a, scu_id, parts, to), "move contributor"):
            self._context.selection.select(scu_id=to)
            is_left = any(scu.id == scu_id for scu in self._page.annotation.pyramid.scus)
            gone = "" if is_left else f" “{label}” had nothing left and is gone."
            self._view.show_edit_notice(f"Moved to “{self._label(to)}”.{gone}")

    def _merge(self, keep: str, gone: str) -> None:
        if self._page.edit(lambda a: pyramid.merge_scus(a, keep, gone), "merge SCUs"):
            self._context.selection.select(scu_id=keep)
            self._view.show_edit_notice(f"Merged into “{self._label(keep)}”.")

    @Slot(str, str)
    def _reveal(self, contributor_id: str, part_id: str) -> None:
        found = self._part(contributor_id, part_id)
        if found is not None:
            contributor, part = found
            self._view.references.reveal_place(contributor.reference_id, part.start)

    @Slot(str, str)
    def _comment(self, contributor_id: str, comment: str) -> None:
        scu = self._holder(contributor_id)
        if scu is not None:
            self._page.edit(
                lambda a: pyramid.set_contributor_comment(a, scu.id, contributor_id, comment),
                "comment on contributor",
            )

    def _ask(self, question: str, answer: Callable[[str], object]) -> None:
        self._answer = answer
        self._view.show_asking(question)

    def _taken(self) -> tuple[str, ...]:
        """The parts that are to leave the selected SCU; none says what to do."""
        if not self._page.selected_scu():
            return ()
        parts = self._view.details.cards.taken
        if not parts:
            has_cards = self._view.step_card(+1)
            self._context.show_message(CHOOSE_CONTRIBUTORS if has_cards else NO_CONTRIBUTORS)
        return parts

    def _label_of(self, parts: Collection[str]) -> str:
        """The words of these parts in the first reference that they stand in."""
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

    def _holder(self, contributor_id: str) -> Scu | None:
        scus = self._page.annotation.pyramid.scus
        return next((scu for scu in scus if any(c.id == contributor_id for c in scu.contributors)), None)

    def _part(self, contributor_id: str, part_id: str) -> tuple[Contributor, Part] | None:
        scu = self._holder(contributor_id)
        found = ((c, part) for c in (scu.contributors if scu else ()) for part in c.parts)
        return next((pair for pair in found if pair[1].id == part_id), None)

    def _connect(self) -> None:
        view = self._view
        view.scu_confirmed.connect(self._take_answer)
        view.cancelled.connect(self.cancel)
        view.dropped.connect(self._drop)
        view.part_chosen.connect(self._reveal)
        view.contributor_commented.connect(self._comment)
        view.undo_requested.connect(self._context.commands.action("edit.undo").trigger)

    def _offer_commands(self) -> None:
        commands = self._context.commands
        for command, do in (
            ("pyramid.split", self.split),
            ("pyramid.move", self.begin_move),
            ("pyramid.merge", self.begin_merge),
            ("pyramid.next_contributor", lambda: self.step_contributor(+1)),
            ("pyramid.previous_contributor", lambda: self.step_contributor(-1)),
            ("pyramid.comment_contributor", self.comment_contributor),
        ):
            commands.bind(command, do, self._page.key)
