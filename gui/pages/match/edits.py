"""Edits on the Match page: units of a summary, and its flag, note and done mark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Slot

from core.domain import pyramid
from core.domain.pyramid import Edit, Match, Part, SummaryState, TopicAnnotation, match_edits
from core.domain.study import Span
from gui.annotation.drag_and_drop import DraggedItem, DragKind
from gui.annotation.text.word_selection_text import AT_EDGE, ENDS, with_end_moved
from gui.pages.match.rows import EditName, MatchLocation
from gui.pages.match.view import MatchView
from gui.session.annotation_session import annotation_session
from gui.session.context import Context
from gui.style.language import tr

SELECT_TEXT = tr("Select text in the summary first, with the mouse or with Shift and the arrow keys.")
DONE_WITHOUT_MATCH = tr("Marked done without a match, so its score is 0. {edit.undo} undoes it.")
SELECT_SCU = tr("Select an SCU first: click it in the list, or press {list.next}.")
PLACE_CURSOR = tr("Place the text cursor in a marked part of the summary first.")
ONE_WORD = tr("A part needs at least one word. {match.remove_part} removes the part.")
WHICH_PART = tr("The unit has several parts. Select text that overlaps the part to replace.")
SELECT_UNIT = tr("Select a unit first: click its text, or select it in the list of units.")


class MatchEdits(QObject):
    """Edits the units and the state of the displayed summary.

    is_active: returns whether the page is visible and displays the pyramid to match against.
    """

    def __init__(
        self, view: MatchView, context: Context, location: MatchLocation, is_active: Callable[[], bool]
    ) -> None:
        super().__init__(view)
        self._view, self._context, self._location = view, context, location
        self._annotator_id = context.annotator.id
        self._session = annotation_session(context)
        self._is_active = is_active
        self._unit_to_reassign = ""  # while the prompt for its SCU is open
        view.scu_search_confirmed.connect(self.match_searched)
        for units in (view.left.units.list, view.scus.tree):
            units.unit_removed.connect(self.remove_unit)
            units.delegate.comment_typed.connect(self.comment)
        view.scus.tree.dropped.connect(self.drop)
        view.part_resized.connect(self.resize_part)
        view.note.committed.connect(self.note)
        view.prompt_cancelled.connect(self.cancel_reassign)
        view.left.flag_button.clicked.connect(self.flag)
        view.left.units.outside_button.clicked.connect(self.mark_outside)
        view.done_requested.connect(self.mark_done)

    def commands(self) -> dict[str, Callable[[], None]]:
        return {
            "match.match": self.match_selection,
            "match.match_without": self.match_without_span,
            "match.again": self.add_repetition,
            "match.add_part": self.add_part,
            "match.unmatch": self.unmatch,
            "match.outside": self.mark_outside,
            "match.reassign": self.begin_reassign,
            "match.remove_part": self.remove_part,
            "part.replace": self.replace_part,
            **{command: partial(self._move_end, end > 0, by) for command, end, by in ENDS},
            "match.comment": self.edit_comment,
            "match.flag": self.flag,
            "match.done": self.mark_done,
        }

    def match_selection(self) -> None:
        """Match the selected text with the selected SCU."""
        scu_id, spans = self._selected_scu(), self._view.left.text.selected_spans()
        if self._unit_to_reassign:
            self._reassign(self._unit_to_reassign, scu_id)
        elif scu_id and not spans:
            self._context.commands.refuse(SELECT_TEXT)
        elif scu_id:
            self._match(scu_id, spans, EditName.MATCH)

    def match_without_span(self) -> None:
        """Match the selected SCU without a span."""
        scu_id = self._selected_scu()
        if self._unit_to_reassign:
            self._reassign(self._unit_to_reassign, scu_id)
        elif scu_id and not self._match(scu_id, (), EditName.MATCH_WITHOUT):
            self._context.commands.refuse(
                tr("This SCU is already matched. {match.unmatch} removes the match.")
            )

    def add_repetition(self) -> None:
        if scu_id := self._selected_scu():
            is_matched = any(match.scu_id == scu_id for match in self.matches())
            verb = EditName.MATCH_AGAIN if is_matched else EditName.MATCH
            self._match(scu_id, self._view.left.text.selected_spans(), verb, repeats=True)

    @Slot(str)
    def match_searched(self, scu_id: str) -> None:
        """Match an SCU found with the search field, with the selected text if there is any."""
        spans = self._view.left.text.selected_spans()
        if self._unit_to_reassign:
            self._reassign(self._unit_to_reassign, scu_id)
        elif not self._match(scu_id, spans, EditName.MATCH if spans else EditName.MATCH_WITHOUT):
            self._context.commands.refuse(tr("This SCU is already matched. {match.again} adds a repetition."))

    @Slot(str)
    def toggle_match(self, scu_id: str) -> None:
        """Match an SCU, with the selected text if there is any, or remove its matches."""
        if any(match.scu_id == scu_id for match in self.matches()):
            self._unmatch(scu_id)
        else:
            self._match(scu_id, self._view.left.text.selected_spans(), EditName.MATCH)

    def unmatch(self) -> None:
        """Remove the selected unit, else all matches of the selected SCU in this summary."""
        if self._match_of(self._location.match_id) is not None:
            self.remove_unit(self._location.match_id)
        elif scu_id := self._selected_scu():
            self._unmatch(scu_id)

    @Slot(str)
    def remove_unit(self, match_id: str) -> None:
        self._edit(lambda a: pyramid.remove_match(a, match_id), EditName.REMOVE_UNIT)

    @Slot()
    def mark_outside(self) -> None:
        """Mark the selected text, else the selected unit, as not in the pyramid."""
        summary_id, annotator_id = self._location.summary_id, self._annotator_id
        spans, text = self._view.left.text.selected_spans(), self._content()
        if spans:
            if self._edit(
                lambda a: pyramid.add_match(a, summary_id, annotator_id, None, spans, text=text),
                EditName.ADD_UNIT,
            ):
                self._view.left.text.drop_selection()
        elif (unit := self._match_of(self._location.match_id)) is not None and unit.scu_id is not None:
            self._reassign(unit.id, None)
        else:
            self._context.commands.refuse(SELECT_TEXT)

    def begin_reassign(self) -> None:
        """Prompt for another SCU for the selected unit."""
        unit = self._current_unit()
        if unit is None:
            self._context.commands.refuse(SELECT_UNIT)
            return
        self._unit_to_reassign = unit.id
        self._view.show_prompt(is_open=True)

    @Slot()
    def cancel_reassign(self) -> None:
        """Close the prompt without a change."""
        if self._unit_to_reassign:
            self._unit_to_reassign = ""
            self._view.show_prompt(is_open=False)

    @Slot(object, str)
    def drop(self, item: DraggedItem, scu_id: str) -> None:
        """Match the dragged text, or reassign the dragged unit. scu_id: empty for “not in the pyramid”."""
        if item.kind is DragKind.UNIT:
            self._reassign(item.match_id, scu_id or None)
        elif scu_id:
            self._match(scu_id, self._view.left.text.selected_spans(), EditName.MATCH)
        else:
            self.mark_outside()

    def edit_comment(self) -> None:
        """Focus the comment of the selected unit."""
        unit = self._current_unit()
        if unit is None:
            self._context.commands.refuse(SELECT_UNIT)
            return
        self._view.unit_chosen.emit(unit.id)
        self._view.edit_comment(unit.scu_id or "", unit.id)

    @Slot(str, str)
    def comment(self, match_id: str, comment: str) -> None:
        self._edit(lambda a: match_edits.comment_on_match(a, match_id, comment), EditName.COMMENT)

    def add_part(self) -> None:
        """Store the selected text as a part for the next match."""
        if not self._view.left.text.add_pending_span():
            self._context.commands.refuse(SELECT_TEXT)

    def remove_part(self) -> None:
        """Remove the part at the text cursor, preferring the selected unit."""
        if self._view.is_in_units:
            self.unmatch()
            return
        current = self._part_at_caret()
        if current is None:
            self._context.commands.refuse(PLACE_CURSOR)
            return
        match, part = current
        self._edit(lambda a: pyramid.remove_match_part(a, match.id, part.id), EditName.REMOVE_PART)

    def replace_part(self) -> None:
        """Replace a part of the selected unit with the selection."""
        spans = self._view.left.text.selected_spans()
        unit = self._match_of(self._location.match_id) or self._only_match()
        if not spans or unit is None:
            self._context.commands.refuse(SELECT_UNIT if spans else SELECT_TEXT)
            return
        overlapping = (p for p in unit.parts if any(start < p.end and p.start < end for start, end in spans))
        part = next(overlapping, unit.parts[0] if len(unit.parts) == 1 else None)
        if part is None:
            self._context.commands.refuse(WHICH_PART)
        elif self._replace(unit, part, spans, EditName.REPLACE_SPAN):
            self._view.left.text.drop_selection()

    @Slot(str, object, object)
    def resize_part(self, match_id: str, before: Span, after: Span) -> None:
        """Change the span of a part whose handle was dragged."""
        unit = self._match_of(match_id)
        part = next((part for part in unit.parts if part.span == before), None) if unit is not None else None
        if unit is not None and part is not None:
            self._replace(unit, part, [after], EditName.CHANGE_SPAN)

    def _move_end(self, at_end: bool, by: int) -> None:
        """Move an end of the part at the text cursor by a word, outwards (+1) or inwards (-1)."""
        current = self._part_at_caret() or self._only_part()
        if current is None:
            self._context.commands.refuse(PLACE_CURSOR)
            return
        match, part = current
        after = with_end_moved(self._view.left.text.word_spans, part.span, by, at_end=at_end)
        if after == part.span:
            self._context.commands.refuse(AT_EDGE if by > 0 else ONE_WORD)
        elif self._replace(match, part, [after], EditName.CHANGE_SPAN):
            self._view.left.text.keep_caret_within(after)

    def _part_at_caret(self) -> tuple[Match, Part] | None:
        """Return the part at the text cursor, preferring the selected unit; None if there is none."""
        if not self._view.left.text.hasFocus():
            return None
        caret = self._view.left.text.caret
        pairs = [(m, p) for m in self.matches() for p in m.parts if p.start <= caret <= p.end]
        pairs.sort(key=lambda pair: pair[0].id != self._location.match_id)
        return pairs[0] if pairs else None

    def _only_match(self) -> Match | None:
        """Return the match of the selected SCU, if there is exactly one."""
        of_scu = [match for match in self.matches() if match.scu_id == self._location.scu_id]
        return of_scu[0] if self._location.scu_id and len(of_scu) == 1 else None

    def _only_part(self) -> tuple[Match, Part] | None:
        """Return the part of the selected unit, if there is exactly one."""
        unit = self._match_of(self._location.match_id) or self._only_match()
        return (unit, unit.parts[0]) if unit is not None and len(unit.parts) == 1 else None

    def _replace(self, match: Match, part: Part, spans: Sequence[Span], verb: EditName) -> bool:
        content = self._content()
        return self._edit(lambda a: pyramid.replace_match_part(a, match.id, part.id, spans, content), verb)

    def _content(self) -> str:
        """Return the text of the displayed summary."""
        summaries = self._session.topic.summaries
        return next((text.content for text in summaries if text.id == self._location.summary_id), "")

    @Slot()
    def flag(self) -> None:
        """Flag the summary, or remove the flag."""
        is_flagged = not self.state().is_flagged
        verb = EditName.FLAG if is_flagged else EditName.UNFLAG
        self._edit(partial(self._set_state, self._location.summary_id, is_flagged=is_flagged), verb)

    @Slot()
    def mark_done(self) -> None:
        """Mark the summary as done, or reopen it."""
        is_done = not self.state().is_done
        verb = EditName.DONE if is_done else EditName.REOPEN
        summary_id = self._location.summary_id
        changed = self._edit(partial(self._set_state, summary_id, is_done=is_done), verb)
        if changed and is_done and not self._session.annotation.matches_of(summary_id, self._annotator_id):
            self._context.show_message(DONE_WITHOUT_MATCH)

    @Slot(str, str)
    def note(self, summary_id: str, note: str) -> None:
        self._edit(partial(self._set_state, summary_id, note=note), EditName.NOTE)

    def matches(self) -> tuple[Match, ...]:
        """Return the annotator's units of the displayed summary."""
        return self._session.annotation.matches_of(self._location.summary_id, self._annotator_id)

    def state(self, summary_id: str = "") -> SummaryState:
        """Return the annotator's state of a summary; by default of the displayed one."""
        summary_id = summary_id or self._location.summary_id
        state = self._session.annotation.state_of(summary_id, self._annotator_id)
        return state or SummaryState("", summary_id, self._annotator_id)

    def unit_at(self, offset: int, scu_id: str = "") -> Match | None:
        """Return a unit of the displayed summary with a part at an offset, optionally of one SCU only."""
        for match in self.matches():
            is_candidate = not scu_id or match.scu_id == scu_id
            if is_candidate and any(part.start <= offset <= part.end for part in match.parts):
                return match
        return None

    def _match(self, scu_id: str, spans: tuple[Span, ...], verb: EditName, *, repeats: bool = False) -> bool:
        summary_id, annotator_id, text = self._location.summary_id, self._annotator_id, self._content()
        is_changed = self._edit(
            lambda a: pyramid.add_match(
                a, summary_id, annotator_id, scu_id, spans, repeats=repeats, text=text
            ),
            verb,
        )
        if is_changed:
            self._view.left.text.drop_selection()
        return is_changed

    def _unmatch(self, scu_id: str) -> None:
        summary_id, annotator_id = self._location.summary_id, self._annotator_id
        self._edit(lambda a: pyramid.unmatch(a, summary_id, annotator_id, scu_id), EditName.UNMATCH)

    def _reassign(self, match_id: str, scu_id: str | None) -> None:
        if scu_id == "":
            return
        self._edit(lambda a: match_edits.reassign(a, match_id, scu_id), EditName.REASSIGN)
        self.cancel_reassign()

    def _set_state(
        self,
        summary_id: str,
        annotation: TopicAnnotation,
        *,
        is_done: bool | None = None,
        is_flagged: bool | None = None,
        note: str | None = None,
    ) -> TopicAnnotation:
        return pyramid.set_summary_state(
            annotation, summary_id, self._annotator_id, is_done=is_done, is_flagged=is_flagged, note=note
        )

    def _edit(self, change: Edit, verb: EditName) -> bool:
        self._view.notice.show_message("")
        return bool(self._location.summary_id) and self._is_active() and self._session.edit(change, verb)

    def _match_of(self, match_id: str) -> Match | None:
        return next((match for match in self.matches() if match.id == match_id), None)

    def _current_unit(self) -> Match | None:
        """Return the selected unit, else that at the text cursor, else the only one of the selected SCU."""
        if not self._is_active():
            return None
        if (selected := self._match_of(self._location.match_id)) is not None:
            return selected
        if self._view.left.text.hasFocus() and (unit := self.unit_at(self._view.left.text.caret)) is not None:
            return unit
        return self._only_match()

    def _selected_scu(self) -> str:
        scu_id = self._location.scu_id
        if self._is_active() and any(scu.id == scu_id for scu in self._session.annotation.pyramid.scus):
            return scu_id
        self._context.commands.refuse(SELECT_SCU)
        return ""
