"""What the page of matches does."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.domain import pyramid
from core.domain.pyramid import Edit, Match, SummaryState, TopicAnnotation
from core.domain.study import Text
from core.ports import Changes
from gui.context import Context
from gui.presenters.annotating import annotating
from gui.presenters.match_lines import MatchLines
from gui.presenters.match_progress import MatchProgress
from gui.presenters.match_survey import order_of
from gui.presenters.topics import TopicSteps
from gui.values.match import SummaryText

if TYPE_CHECKING:
    from gui.views.match import MatchView

KEY = "matches"
SELECT_WORDS = "Select some words in the summary first, with the mouse or with Shift and the arrows."
CHOOSE_SCU = "Choose an SCU first: click it in the list, or press J."


def build(context: Context) -> tuple[MatchView, MatchPresenter]:
    """The page of matches."""
    from gui.views.match import MatchView

    view = MatchView()
    return view, MatchPresenter(view, context)


class MatchPresenter(QObject):
    """Shows one summary of the selected topic beside a pyramid, and records what it expresses."""

    def __init__(self, view: MatchView, context: Context) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self._front = annotating(context)
        self._topics = TopicSteps(context, KEY, view.place, self)
        self._lines: MatchLines | None = None
        self._progress = MatchProgress(context, self)
        self._summary_id = self._hovered = self._unit_id = ""
        self._shows_names = False
        self._connect()
        self._offer_commands()

    @Slot()
    def match_words(self) -> None:
        """Match the selected words with the selected SCU."""
        scu_id, spans = self._selected_scu(), self._view.selected_spans()
        if not scu_id:
            return
        if not spans:
            self._context.tell(SELECT_WORDS)
            return
        self._match(scu_id, spans, "match")

    @Slot()
    def match_without_span(self) -> None:
        """Match the selected SCU, wherever the summary expresses it."""
        scu_id = self._selected_scu()
        if scu_id and not self._match(scu_id, (), "match without a span"):
            self._context.tell("This SCU is matched already. X takes the match back.")

    @Slot()
    def unmatch(self) -> None:
        """Take the selected SCU's matches in this summary back, or the selected unit outside the pyramid."""
        if self._is_outside(self._unit_id):
            self._remove_outside(self._unit_id)
        elif scu_id := self._selected_scu():
            self._edit(lambda a: pyramid.unmatch(a, self._summary_id, self._me, scu_id), "unmatch")

    @Slot()
    def mark_outside(self) -> None:
        """Record the selected words as a unit that the pyramid does not have."""
        spans = self._view.selected_spans()
        if not spans:
            self._context.tell(SELECT_WORDS)
        elif self._edit(lambda a: pyramid.add_match(a, self._summary_id, self._me, None, spans), "add unit"):
            self._view.text.drop_selection()

    @Slot()
    def keep_part(self) -> None:
        """Keep the selected words, so that the next match takes them with others."""
        if not self._view.text.keep_part():
            self._context.tell(SELECT_WORDS)

    @Slot()
    def remove_part(self) -> None:
        """Take the part under the caret out of its match, the selected unit's before others'."""
        caret = self._view.text.caret
        held = [
            (match, part)
            for match in self._matches()
            for part in match.parts
            if part.start <= caret <= part.end
        ]
        held.sort(key=lambda pair: self._unit_id not in (pair[0].scu_id, pair[0].id))
        if not held or not self._view.text.hasFocus():
            self._context.tell("Put the caret into a marked part of the summary first.")
            return
        match, part = held[0]
        self._edit(lambda a: pyramid.remove_match_part(a, match.id, part.id), "remove part of a match")

    @Slot()
    def flag(self) -> None:
        """Flag the summary, or take the flag off."""
        is_flagged = not self._state().is_flagged
        verb = "flag summary" if is_flagged else "take flag off"
        self._edit(partial(self._marked, self._summary_id, is_flagged=is_flagged), verb)

    @Slot()
    def mark_done(self) -> None:
        """Mark the summary as done, or open it again."""
        is_done = not self._state().is_done
        verb = "mark summary done" if is_done else "reopen summary"
        self._edit(partial(self._marked, self._summary_id, is_done=is_done), verb)

    @Slot()
    def go_to_next_undone(self) -> None:
        """Select the next summary that is not done, on whatever topic."""
        found = self._progress.next_undone(self._summary_id)
        if found is None:
            self._context.tell("Every summary is done.")
        else:
            self._go_to(*found)

    def step_summary(self, by: int) -> None:
        """Select the summary before (-1) or after (+1)."""
        order = self._order()
        if self._summary_id in order:
            place = order.index(self._summary_id) + by
            if 0 <= place < len(order):
                self._go_to(self._front.topic_id, order[place])

    @property
    def _me(self) -> str:
        return self._context.annotator.id

    def _connect(self) -> None:
        view, front, selection = self._view, self._front, self._context.selection
        view.shown.connect(self._refresh)
        self._progress.surveyed.connect(self._surveyed)
        view.worked.connect(front.time.touch)
        view.unit_chosen.connect(self._choose)
        view.unit_hovered.connect(self._hover)
        view.scu_checked.connect(self._check)
        view.outside_removed.connect(self._remove_outside)
        view.cell_chosen.connect(self._go_to)
        view.owner_chosen.connect(self._choose_owner)
        view.note_changed.connect(self._note)
        view.names_requested.connect(self._show_names)
        view.flag_requested.connect(self.flag)
        view.outside_requested.connect(self.mark_outside)
        view.next_requested.connect(self.go_to_next_undone)
        view.done_requested.connect(self.mark_done)
        view.pyramids_requested.connect(lambda: self._context.show_page("pyramids"))
        view.import_requested.connect(self._context.commands.action("study.import").trigger)
        view.summary_place.previous_requested.connect(lambda: self.step_summary(-1))
        view.summary_place.next_requested.connect(lambda: self.step_summary(+1))
        front.opened.connect(self._show_topic)
        front.changed.connect(self._show)
        front.refused.connect(self._context.tell)
        front.lost.connect(self._lost)
        self._topics.listed.connect(self._refresh)
        selection.topic_changed.connect(self._refresh)
        selection.summary_changed.connect(self._refresh)
        selection.scu_changed.connect(self._select_scu)
        self._context.changes.changed.connect(self._look)

    def _offer_commands(self) -> None:
        view, commands = self._view, self._context.commands
        for command, do in (
            ("match.match", self.match_words),
            ("match.match_without", self.match_without_span),
            ("match.add_part", self.keep_part),
            ("match.unmatch", self.unmatch),
            ("match.outside", self.mark_outside),
            ("match.remove_part", self.remove_part),
            ("match.flag", self.flag),
            ("match.note", view.edit_note),
            ("match.next_undone", self.go_to_next_undone),
            ("match.previous_summary", lambda: self.step_summary(-1)),
            ("match.next_summary", lambda: self.step_summary(+1)),
            ("match.done", self.mark_done),
            ("list.next", lambda: view.scus.tree.step(+1)),
            ("list.previous", lambda: view.scus.tree.step(-1)),
            ("edit.find", view.scus.start_finding),
        ):
            commands.on(command, do, KEY)
        for local in ("match.match", "match.match_without"):
            commands.attach(local, view.text)
            commands.attach(local, view.scus.tree)

    @Slot()
    def _refresh(self) -> None:
        """Bring the selected topic and summary to the front, if the page is."""
        if not self._view.isVisible():
            return
        self._progress.begin()
        self._topics.show_place()
        head = self._topics.current()
        if head is None:
            self._lines = None
            self._view.show_summary(None)
            return
        self._context.selection.select(topic_id=head.id)
        before = self._lines
        self._front.open(head.id, self._progress.owner_of(head.id))
        if self._lines is None or self._lines.topic is not self._front.topic:
            self._show_topic()
        elif self._lines is before:  # else the opened topic has been shown
            self._show_summary()

    @Slot()
    def _show_topic(self) -> None:
        if not self._is_in_front():
            return
        self._lines = MatchLines(self._front.topic, self._me)
        self._view.notice.say("")
        self._view.show_owners(self._progress.owners(self._front.topic_id), self._front.owner_id)
        self._summary_id = ""
        self._show_summary()

    def _show_summary(self) -> None:
        """Show the selected summary, the first one to do where none is selected."""
        order = self._order()
        wanted = self._context.selection.summary_id
        if wanted not in order:
            wanted = next((s for s in order if not self._state(s).is_done), next(iter(order), ""))
        if wanted == self._summary_id and wanted:
            self._show()
            return
        self._summary_id, self._unit_id = wanted, self._context.selection.scu_id
        text = self._summary()
        self._view.text.drop_selection()
        if text is None:
            self._view.show_summary(None)
            return
        name = text.name if self._shows_names else ""
        place = order.index(text.id) + 1
        self._view.show_summary(SummaryText(text.id, place, len(order), text.content, name))
        self._show()
        # last, for it comes back here by the selection's signal
        self._context.selection.select(summary_id=text.id, system=text.name)

    @Slot()
    def _show(self) -> None:
        text = self._summary()
        if text is None or self._lines is None or not self._is_in_front():
            return
        annotation = self._front.annotation
        lines = self._lines.lines(annotation, text.id)
        self._view.show_matches(self._lines.marks(annotation, text.id), lines)
        self._view.show_outside(self._lines.outside(annotation, text))
        self._view.show_score(self._lines.score(annotation, text.id))
        state = self._state()
        self._view.show_state(text.id, is_done=state.is_done, is_flagged=state.is_flagged, note=state.note)
        self._view.show_selected(self._unit_id)
        self._show_progress()

    def _show_progress(self) -> None:
        topic, progress = self._front.topic, self._progress
        progress.note_topic(topic, self._front.annotation)
        self._view.show_progress(progress.columns, topic.id, self._summary_id, progress.fact)

    @Slot()
    def _surveyed(self) -> None:
        topic_id = self._front.topic_id
        if not self._view.isVisible() or not topic_id:
            return
        if self._front.owner_id != self._progress.owner_of(topic_id):
            self._refresh()
        else:
            self._view.show_owners(self._progress.owners(topic_id), self._front.owner_id)
            self._show()

    @Slot(object)
    def _look(self, changes: Changes) -> None:
        if self._progress.note_change(changes) and self._view.isVisible():
            self._progress.begin()

    @Slot(str)
    def _choose(self, unit_id: str) -> None:
        self._unit_id = unit_id
        if self._is_outside(unit_id) or unit_id == self._context.selection.scu_id:
            self._view.show_selected(unit_id, reveal=True)
        else:
            self._context.selection.select(scu_id=unit_id)

    @Slot(str)
    def _select_scu(self, scu_id: str) -> None:
        self._unit_id = scu_id
        if self._is_in_front():
            self._view.show_selected(scu_id, reveal=True)

    @Slot(str)
    def _hover(self, unit_id: str) -> None:
        if unit_id != self._hovered:
            self._hovered = unit_id
            self._view.show_hovered(unit_id)

    @Slot(str)
    def _check(self, scu_id: str) -> None:
        """The check box matches with the selected words, if there are some, and unmatches."""
        self._choose(scu_id)
        if any(match.scu_id == scu_id for match in self._matches()):
            self.unmatch()
        else:
            self._match(scu_id, self._view.selected_spans(), "match")

    @Slot(str)
    def _remove_outside(self, match_id: str) -> None:
        self._edit(lambda a: pyramid.remove_match(a, match_id), "remove unit")

    @Slot(str, str)
    def _go_to(self, topic_id: str, summary_id: str) -> None:
        self._context.selection.select(topic_id=topic_id, summary_id=summary_id)

    @Slot(str)
    def _choose_owner(self, owner_id: str) -> None:
        self._progress.choose_owner(self._front.topic_id, owner_id)
        self._refresh()

    @Slot(bool)
    def _show_names(self, are_shown: bool) -> None:
        self._shows_names = are_shown
        text = self._summary()
        if text is not None:
            self._view.show_system(text.name if are_shown else "")

    @Slot(str)
    def _lost(self, sentence: str) -> None:
        if self._is_in_front():
            self._view.notice.say(sentence)

    def _match(self, scu_id: str, spans: tuple[tuple[int, int], ...], verb: str) -> bool:
        matched = self._edit(lambda a: pyramid.add_match(a, self._summary_id, self._me, scu_id, spans), verb)
        if matched:
            self._view.text.drop_selection()
        return matched

    @Slot(str, str)
    def _note(self, summary_id: str, note: str) -> None:
        self._edit(partial(self._marked, summary_id, note=note), "note on a summary")

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

    def _edit(self, change: Edit, verb: str) -> bool:
        self._view.notice.say("")
        return bool(self._summary_id) and self._is_in_front() and self._front.edit(change, verb)

    def _is_in_front(self) -> bool:
        """Whether the page is shown, with the pyramid that it matches against."""
        topic_id = self._front.topic_id
        is_owner = self._front.owner_id == self._progress.owner_of(topic_id)
        return self._view.isVisible() and bool(topic_id) and is_owner

    def _order(self) -> tuple[str, ...]:
        return order_of(self._front.topic, self._me)

    def _summary(self) -> Text | None:
        return self._lines.summary(self._summary_id) if self._lines is not None else None

    def _matches(self) -> tuple[Match, ...]:
        return self._front.annotation.matches_of(self._summary_id, self._me)

    def _is_outside(self, unit_id: str) -> bool:
        return any(match.id == unit_id and match.scu_id is None for match in self._matches())

    def _state(self, summary_id: str = "") -> SummaryState:
        """Where the annotator stands with a summary, the one in front if none is named."""
        summary_id = summary_id or self._summary_id
        known = self._front.annotation.state_of(summary_id, self._me)
        return known or SummaryState("", summary_id, self._me)

    def _selected_scu(self) -> str:
        if self._is_in_front() and any(s.id == self._unit_id for s in self._front.annotation.pyramid.scus):
            return self._unit_id
        self._context.tell(CHOOSE_SCU)
        return ""
