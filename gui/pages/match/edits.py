"""The edits of the page of matches: what a summary expresses, and where the annotator stands with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.domain import pyramid
from core.domain.pyramid import Edit, Match, Part, SummaryState, TopicAnnotation, match_edits
from core.domain.study import Span
from gui.annotation.drag_and_drop import DraggedItem, DragKind
from gui.annotation.word_caret import AT_EDGE, ENDS, with_end_moved
from gui.pages.match.location import EditName, MatchLocation
from gui.session.annotation_session import annotation_session
from gui.session.context import Context

if TYPE_CHECKING:
    from gui.pages.match.view import MatchView

SELECT_WORDS = "Select some words in the summary first, with the mouse or with Shift and the arrows."
CHOOSE_SCU = "Choose an SCU first: click it in the list, or press {list.next}."
PUT_CARET = "Put the caret into a marked part of the summary first."
ONE_WORD = "A part keeps at least one word. {match.remove_part} removes it."
WHICH_PART = "The unit has several parts. Select words that share some with the part to replace."
CHOOSE_UNIT = "Choose a unit first: click its words, or choose it in the list of units."


class MatchEdits(QObject):
    """Records what the summary in front expresses.

    is_in_front: whether the page is shown with the pyramid that it matches against.
    """

    def __init__(
        self, view: MatchView, context: Context, place: MatchLocation, is_in_front: Callable[[], bool]
    ) -> None:
        super().__init__(view)
        self._view, self._context, self._place = view, context, place
        self._front = annotation_session(context)
        self._is_in_front = is_in_front
        self._moving = ""  # the unit that waits for its SCU
        self._connect()

    def commands(self) -> dict[str, Callable[[], None]]:
        """What the commands do that edit."""
        return {
            "match.match": self.match_words,
            "match.match_without": self.match_without_span,
            "match.again": self.match_again,
            "match.add_part": self.keep_part,
            "match.unmatch": self.unmatch,
            "match.outside": self.mark_outside,
            "match.reassign": self.ask_for_scu,
            "match.remove_part": self.remove_part,
            "part.replace": self.replace_part,
            **{command: partial(self._move_end, end > 0, by) for command, end, by in ENDS},
            "match.comment": self.edit_comment,
            "match.flag": self.flag,
            "match.done": self.mark_done,
        }

    @Slot()
    def match_words(self) -> None:
        """Match the selected words with the selected SCU."""
        scu_id, spans = self._selected_scu(), self._view.selected_spans()
        if self._moving:
            self._reassign(self._moving, scu_id)
        elif scu_id and not spans:
            self._context.show_message(SELECT_WORDS)
        elif scu_id:
            self._match(scu_id, spans, EditName.MATCH)

    @Slot()
    def match_without_span(self) -> None:
        """Match the selected SCU, wherever the summary expresses it."""
        scu_id = self._selected_scu()
        if self._moving:
            self._reassign(self._moving, scu_id)
        elif scu_id and not self._match(scu_id, (), EditName.MATCH_WITHOUT):
            self._context.show_message("This SCU is matched already. {match.unmatch} takes the match back.")

    @Slot()
    def match_again(self) -> None:
        """Record that the summary expresses the selected SCU once more."""
        if scu_id := self._selected_scu():
            is_matched = any(match.scu_id == scu_id for match in self.matches())
            verb = EditName.MATCH_AGAIN if is_matched else EditName.MATCH
            self._match(scu_id, self._view.selected_spans(), verb, repeats=True)

    @Slot(str)
    def match_found(self, scu_id: str) -> None:
        """Match the SCU that was looked for: with the selected words if there are some."""
        spans = self._view.selected_spans()
        if self._moving:
            self._reassign(self._moving, scu_id)
        elif not self._match(scu_id, spans, EditName.MATCH if spans else EditName.MATCH_WITHOUT):
            self._context.show_message("This SCU is matched already. Shift+Space matches it again.")

    @Slot(str)
    def check(self, scu_id: str) -> None:
        """What the check box does: match, with the selected words if there are some, or unmatch."""
        if any(match.scu_id == scu_id for match in self.matches()):
            self._unmatch(scu_id)
        else:
            self._match(scu_id, self._view.selected_spans(), EditName.MATCH)

    @Slot()
    def unmatch(self) -> None:
        """Take the selected unit away, else every match of the selected SCU in this summary."""
        if self._match_of(self._place.match_id) is not None:
            self.remove_unit(self._place.match_id)
        elif scu_id := self._selected_scu():
            self._unmatch(scu_id)

    @Slot(str)
    def remove_unit(self, match_id: str) -> None:
        """Take one unit of the summary away."""
        self._edit(lambda a: pyramid.remove_match(a, match_id), EditName.REMOVE_UNIT)

    @Slot()
    def mark_outside(self) -> None:
        """Record the selected words, or else the selected unit, as nothing that the pyramid has."""
        summary_id, me, spans = self._place.summary_id, self._me, self._view.selected_spans()
        text = self._content()
        if spans:
            if self._edit(
                lambda a: pyramid.add_match(a, summary_id, me, None, spans, text=text), EditName.ADD_UNIT
            ):
                self._view.text.drop_selection()
        elif (unit := self._match_of(self._place.match_id)) is not None and unit.scu_id is not None:
            self._reassign(unit.id, None)
        else:
            self._context.show_message(SELECT_WORDS)

    @Slot()
    def ask_for_scu(self) -> None:
        """Ask for the SCU that the selected unit expresses instead."""
        unit = self._unit_here()
        if unit is None:
            self._context.show_message(CHOOSE_UNIT)
            return
        self._moving = unit.id
        self._view.show_asking(is_asking=True)

    @Slot()
    def stop_asking(self) -> None:
        """Leave the unit where it is."""
        if self._moving:
            self._moving = ""
            self._view.show_asking(is_asking=False)

    @Slot(object, str)
    def drop(self, what: DraggedItem, scu_id: str) -> None:
        """Match the words, or move the unit, that was dragged onto an SCU; empty = none of the pyramid."""
        if what.kind is DragKind.UNIT:
            self._reassign(what.match_id, scu_id or None)
        elif scu_id:
            self._match(scu_id, self._view.selected_spans(), EditName.MATCH)
        else:
            self.mark_outside()

    @Slot()
    def edit_comment(self) -> None:
        """Put the keyboard into the comment on the selected unit."""
        unit = self._unit_here()
        if unit is None:
            self._context.show_message(CHOOSE_UNIT)
            return
        self._view.unit_chosen.emit(unit.id)
        self._view.edit_comment()

    @Slot(str, str)
    def comment(self, match_id: str, comment: str) -> None:
        """Keep what was said of a unit."""
        self._edit(lambda a: match_edits.comment_on_match(a, match_id, comment), EditName.COMMENT)

    @Slot()
    def keep_part(self) -> None:
        """Keep the selected words, so that the next match takes them with others."""
        if not self._view.text.keep_part():
            self._context.show_message(SELECT_WORDS)

    @Slot()
    def remove_part(self) -> None:
        """Take the part under the caret out of its match, the selected unit's before others'."""
        if self._view.left.units.list.hasFocus():
            self.unmatch()
            return
        held = self._part_at_caret()
        if held is None:
            self._context.show_message(PUT_CARET)
            return
        match, part = held
        self._edit(lambda a: pyramid.remove_match_part(a, match.id, part.id), EditName.REMOVE_PART)

    @Slot()
    def replace_part(self) -> None:
        """Put the selected words in the place of a part of the selected unit."""
        spans = self._view.selected_spans()
        unit = self._match_of(self._place.match_id) or self._only_match()
        if not spans or unit is None:
            self._context.show_message(CHOOSE_UNIT if spans else SELECT_WORDS)
            return
        met = (p for p in unit.parts if any(start < p.end and p.start < end for start, end in spans))
        part = next(met, unit.parts[0] if len(unit.parts) == 1 else None)
        if part is None:
            self._context.show_message(WHICH_PART)
        elif self._replace(unit, part, spans, EditName.REPLACE_SPAN):
            self._view.text.drop_selection()

    @Slot(str, object, object)
    def resize_part(self, match_id: str, before: Span, after: Span) -> None:
        """Take over what was dragged by a handle."""
        unit = self._match_of(match_id)
        part = next((part for part in unit.parts if part.span == before), None) if unit is not None else None
        if unit is not None and part is not None:
            self._replace(unit, part, [after], EditName.CHANGE_SPAN)

    def _move_end(self, at_end: bool, by: int) -> None:
        """Move an end of the part with the caret by a word, outwards (+1) or inwards (-1)."""
        held = self._part_at_caret() or self._only_part()
        if held is None:
            self._context.show_message(PUT_CARET)
            return
        match, part = held
        after = with_end_moved(self._view.text.word_spans, part.span, by, at_end=at_end)
        if after == part.span:
            self._context.show_message(AT_EDGE if by > 0 else ONE_WORD)
        elif self._replace(match, part, [after], EditName.CHANGE_SPAN):
            self._view.text.keep_caret_within(after)

    def _part_at_caret(self) -> tuple[Match, Part] | None:
        """The part under the caret, the selected unit's before others'; None without caret or part."""
        if not self._view.text.hasFocus():
            return None
        caret = self._view.text.caret
        held = [(m, p) for m in self.matches() for p in m.parts if p.start <= caret <= p.end]
        held.sort(key=lambda pair: pair[0].id != self._place.match_id)
        return held[0] if held else None

    def _only_match(self) -> Match | None:
        """The match of the selected SCU, if there is one alone."""
        of_scu = [match for match in self.matches() if match.scu_id == self._place.scu_id]
        return of_scu[0] if self._place.scu_id and len(of_scu) == 1 else None

    def _only_part(self) -> tuple[Match, Part] | None:
        """The part of the selected unit, if it has one alone."""
        unit = self._match_of(self._place.match_id) or self._only_match()
        return (unit, unit.parts[0]) if unit is not None and len(unit.parts) == 1 else None

    def _replace(self, match: Match, part: Part, spans: Sequence[Span], verb: EditName) -> bool:
        content = self._content()
        return self._edit(lambda a: pyramid.replace_match_part(a, match.id, part.id, spans, content), verb)

    def _content(self) -> str:
        """The whole text of the summary in front."""
        summaries = self._front.topic.summaries
        return next((text.content for text in summaries if text.id == self._place.summary_id), "")

    @Slot()
    def flag(self) -> None:
        """Flag the summary, or take the flag off."""
        is_flagged = not self.state().is_flagged
        verb = EditName.FLAG if is_flagged else EditName.TAKE_FLAG_OFF
        self._edit(partial(self._marked, self._place.summary_id, is_flagged=is_flagged), verb)

    @Slot()
    def mark_done(self) -> None:
        """Mark the summary as done, or open it again."""
        is_done = not self.state().is_done
        verb = EditName.DONE if is_done else EditName.REOPEN
        self._edit(partial(self._marked, self._place.summary_id, is_done=is_done), verb)

    @Slot(str, str)
    def note(self, summary_id: str, note: str) -> None:
        """Keep a note on a summary."""
        self._edit(partial(self._marked, summary_id, note=note), EditName.NOTE)

    def matches(self) -> tuple[Match, ...]:
        """The annotator's units of the summary in front."""
        return self._front.annotation.matches_of(self._place.summary_id, self._me)

    def state(self, summary_id: str = "") -> SummaryState:
        """Where the annotator stands with a summary, the one in front if none is named."""
        summary_id = summary_id or self._place.summary_id
        known = self._front.annotation.state_of(summary_id, self._me)
        return known or SummaryState("", summary_id, self._me)

    def unit_at(self, caret: int, scu_id: str = "") -> Match | None:
        """The unit of the summary with a part at a place, one of an SCU if it is named."""
        for match in self.matches():
            is_meant = not scu_id or match.scu_id == scu_id
            if is_meant and any(part.start <= caret <= part.end for part in match.parts):
                return match
        return None

    @property
    def _me(self) -> str:
        return self._context.annotator.id

    def _connect(self) -> None:
        view = self._view
        view.scu_found.connect(self.match_found)
        view.unit_removed.connect(self.remove_unit)
        view.dropped.connect(self.drop)
        view.part_resized.connect(self.resize_part)
        view.comment_changed.connect(self.comment)
        view.note_changed.connect(self.note)
        view.asking_cancelled.connect(self.stop_asking)
        view.flag_requested.connect(self.flag)
        view.outside_requested.connect(self.mark_outside)
        view.done_requested.connect(self.mark_done)

    def _match(self, scu_id: str, spans: tuple[Span, ...], verb: EditName, *, repeats: bool = False) -> bool:
        summary_id, me, text = self._place.summary_id, self._me, self._content()
        matched = self._edit(
            lambda a: pyramid.add_match(a, summary_id, me, scu_id, spans, repeats=repeats, text=text), verb
        )
        if matched:
            self._view.text.drop_selection()
        return matched

    def _unmatch(self, scu_id: str) -> None:
        summary_id, me = self._place.summary_id, self._me
        self._edit(lambda a: pyramid.unmatch(a, summary_id, me, scu_id), EditName.UNMATCH)

    def _reassign(self, match_id: str, scu_id: str | None) -> None:
        if scu_id == "":
            return
        self._edit(lambda a: match_edits.reassign(a, match_id, scu_id), EditName.REASSIGN)
        self.stop_asking()

    def _marked(
        self,
        summary_id: str,
        annotation: TopicAnnotation,
        *,
        is_done: bool | None = None,
        is_flagged: bool | None = None,
        note: str | None = None,
    ) -> TopicAnnotation:
        return pyramid.set_summary_state(
            annotation, summary_id, self._me, is_done=is_done, is_flagged=is_flagged, note=note
        )

    def _edit(self, change: Edit, verb: EditName) -> bool:
        self._view.notice.say("")
        return bool(self._place.summary_id) and self._is_in_front() and self._front.edit(change, verb)

    def _match_of(self, match_id: str) -> Match | None:
        return next((match for match in self.matches() if match.id == match_id), None)

    def _unit_here(self) -> Match | None:
        """The selected unit, else the one under the caret, else the only one of the selected SCU."""
        if not self._is_in_front():
            return None
        if (chosen := self._match_of(self._place.match_id)) is not None:
            return chosen
        if self._view.text.hasFocus() and (under := self.unit_at(self._view.text.caret)) is not None:
            return under
        return self._only_match()

    def _selected_scu(self) -> str:
        scu_id = self._place.scu_id
        if self._is_in_front() and any(scu.id == scu_id for scu in self._front.annotation.pyramid.scus):
            return scu_id
        self._context.show_message(CHOOSE_SCU)
        return ""
