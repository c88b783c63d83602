"""Presenter of the Hits page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QObject, Slot

from core.annotation.match_order import repeats_of
from core.annotation.occurrences import FoundOccurrences, add_found, find_occurrences
from core.annotation.shared_pyramid import pyramids_to_match, shared_owner
from core.domain import pyramid
from core.domain.assignment import Work
from core.domain.pyramid import Edit, Match, Scu, TopicAnnotation, UnitKind, replace_match_part
from core.domain.pyramid.nugget_edits import automatic_hits, confirm_hits, only_confirmed, set_partial
from core.domain.pyramid.nugget_scores import NUGGET_KINDS, count_nuggets
from core.domain.study import Span, Text, TopicHeader, TopicTexts
from gui.annotation.match_values import SummaryText
from gui.annotation.progress.progress_grid import summary_order
from gui.annotation.scus.scu_values import named_weight
from gui.annotation.study_modes import TrainingFeedback, blind_mode_of
from gui.annotation.suggestions.suggestion_controller import NO_METHOD, bind_methods, chosen_methods
from gui.annotation.text.marks import OUTSIDE, Mark
from gui.background.jobs import Job, JobQueue
from gui.pages.hits.view import (
    NO_NUGGETS,
    NO_SUMMARIES,
    HitCell,
    HitCounts,
    HitState,
    HitsView,
    NuggetRow,
    SummaryHead,
)
from gui.session.annotation_session import annotation_session
from gui.session.context import Context, PageParts
from gui.session.topic_navigation import TopicNavigator
from gui.style.language import in_terms_of, tr
from gui.style.theme import weight_step

KEY = "hits"
SELECT_TEXT = tr("Select text in the summary first, with the mouse or with Shift and the arrow keys.")
SELECT_CELL = tr("Select a cell first: click it, or move to it with the arrow keys.")
NO_HIT = tr("The summary has no hit of this nugget. {hit.toggle} adds one.")
NOTHING_TO_CONFIRM = tr("Every hit in this topic is confirmed.")
NOTHING_FOUND = tr("No further hits were found.")
ALL_DONE = tr("Every summary is done.")
DONE_UNCONFIRMED = tr("Marked done; {count} to confirm and not counted. {{hit.confirm}} confirms them.")


class HitsPresenter(QObject):
    """Displays and edits which summaries contain the nuggets of the selected topic."""

    def __init__(self, view: HitsView, context: Context) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self._me = context.annotator.id
        self._session = annotation_session(context, UnitKind.NUGGET)
        self._store = context.study.nuggets
        self._rows: HitRows | None = None
        self._owners: dict[str, str] = {}  # chosen owner of the nuggets by topic
        self._summary_id = ""
        self._shows_names = False
        self._searches: dict[Job, tuple[str, str]] = {}
        self._topics = TopicNavigator(context, KEY, view.place, self, work=Work.HITS)
        self._feedback = TrainingFeedback(view.feedback, context, self)
        session, selection = self._session, context.selection
        view.shown.connect(self._refresh)
        view.worked.connect(session.time.touch)
        view.matrix.cell_chosen.connect(self._select)
        view.matrix.toggled.connect(self.toggle)
        view.panel.text.unit_clicked.connect(self._select_unit)
        view.panel.text.part_resized.connect(self._resize)
        view.owner_box.chosen.connect(self._choose_owner)
        view.confirm_button.clicked.connect(self.confirm)
        view.find_button.clicked.connect(self.find)
        view.done_requested.connect(self.mark_done)
        view.next_requested.connect(self.go_to_next_undone)
        view.empty.primary.clicked.connect(lambda: self._context.show_page("nuggets"))
        view.panel.names_button.toggled.connect(self._show_names)
        view.panel.place.stepped.connect(self.step_summary)
        session.opened.connect(self._show_topic)
        session.changed.connect(self._show)
        session.refused.connect(self._show_refusal)
        session.save_failed.connect(self._show_conflict)
        self._topics.listed.connect(self._refresh)
        selection.topic_changed.connect(self._refresh)
        selection.summary_changed.connect(self._show)
        selection.scu_changed.connect(self._show)
        selection.pointed.connect(self._point_at)
        self._bind_commands()
        blind_mode_of(context).guard_names(view.panel)

    @Slot()
    def toggle(self) -> None:
        """Match the text selected in the summary, else set, confirm or remove the current hit."""
        nugget_id = self._nugget()
        spans = self._view.panel.text.selected_spans()
        if not nugget_id:
            return
        if self._view.panel.text.hasFocus():
            if spans:
                self._match(nugget_id, spans)
            else:
                self._context.commands.refuse(SELECT_TEXT)
            return
        hits = self._hits_of(nugget_id)
        if not hits:
            self._match(nugget_id, ())
        elif any(hit.is_confirmed for hit in hits):
            self._remove_all(nugget_id)
        else:
            ids = [hit.id for hit in hits]
            self._edit(lambda a: confirm_hits(a, ids), "confirm hit")

    @Slot()
    def repeat(self) -> None:
        """Record that the summary repeats the current nugget."""
        if nugget_id := self._nugget():
            spans = self._view.panel.text.selected_spans()
            summary_id, me, content = self._summary_id, self._me, self._content()
            if self._edit(
                lambda a: pyramid.add_match(a, summary_id, me, nugget_id, spans, True, content), "repeat hit"
            ):
                self._view.panel.text.drop_selection()

    @Slot()
    def remove(self) -> None:
        """Remove the selected unit outside the nuggets, else the hits of the current nugget."""
        unit = self._view.panel.text.selected_unit
        outside = next((hit for hit in self._hits() if hit.id == unit and hit.scu_id is None), None)
        if outside is not None and self._view.panel.text.hasFocus():
            self._edit(lambda a: pyramid.remove_match(a, outside.id), "remove unit")
        elif nugget_id := self._nugget():
            if self._hits_of(nugget_id):
                self._remove_all(nugget_id)
            else:
                self._context.commands.refuse(NO_HIT)

    def set_partial(self) -> None:
        """Set or remove that the summary supports the nugget only in part."""
        nugget_id = self._nugget()
        hits = self._hits_of(nugget_id) if nugget_id else ()
        if hits:
            ids = [hit.id for hit in hits]
            is_partial = not all(hit.is_partial for hit in hits)
            verb = "mark hit as partial" if is_partial else "mark hit as full"
            self._edit(lambda a: set_partial(a, ids, is_partial), verb)
        elif nugget_id:
            self._context.commands.refuse(NO_HIT)

    @Slot()
    def mark_outside(self) -> None:
        """Record the selected words as a unit outside the nuggets."""
        spans = self._view.panel.text.selected_spans()
        if not spans:
            self._context.commands.refuse(SELECT_TEXT)
            return
        summary_id, me, content = self._summary_id, self._me, self._content()
        if self._edit(
            lambda a: pyramid.add_match(a, summary_id, me, None, spans, False, content), "add unit"
        ):
            self._view.panel.text.drop_selection()

    @Slot()
    def confirm(self) -> None:
        summary_id, me = self._summary_id, self._me
        if not self._edit(
            lambda a: confirm_hits(a, automatic_hits(a, summary_id, me)), "confirm hits of a summary"
        ):
            self.next_to_confirm()

    def next_to_confirm(self) -> None:
        """Go to the next hit to confirm in this topic."""
        target = self._view.matrix.next_to_confirm()
        if target is None:
            self._context.commands.refuse(NOTHING_TO_CONFIRM)
        else:
            self._go_to(*target)

    @Slot()
    def find(self) -> None:
        """Find hits of all nuggets in all summaries of the topic."""
        if not self._is_active():
            return
        methods = chosen_methods(self._context)
        if not methods:
            self._context.commands.refuse(NO_METHOD)
            return
        annotation = self._session.annotation
        ids = [nugget.id for nugget in annotation.pyramid.scus]
        steps = find_occurrences(self._session.topic, annotation, ids, methods)
        job = self._context.jobs.start(tr("Searching for hits"), steps, JobQueue.CHECKING)
        self._searches[job] = self._session.topic_id, self._session.owner_id
        job.finished.connect(self._add_found)
        job.ended.connect(lambda ended: self._searches.pop(ended, None))

    @Slot()
    def mark_done(self) -> None:
        """Mark the current summary as done, or reopen it."""
        summary_id, me = self._summary_id, self._me
        is_done = not self._is_done()
        verb = "mark summary done" if is_done else "reopen summary"
        if not self._edit(lambda a: pyramid.set_summary_state(a, summary_id, me, is_done=is_done), verb):
            return
        waiting = len(automatic_hits(self._session.annotation, summary_id, me))
        if is_done and waiting:
            self._context.show_message(DONE_UNCONFIRMED.format(count=tr("%n hits", "", waiting)))

    @Slot()
    def flag(self) -> None:
        """Flag the current summary, or remove the flag."""
        state = self._session.annotation.state_of(self._summary_id, self._me) if self._is_active() else None
        is_flagged = state is None or not state.is_flagged
        summary_id, me = self._summary_id, self._me
        self._edit(
            lambda a: pyramid.set_summary_state(a, summary_id, me, is_flagged=is_flagged),
            "flag summary" if is_flagged else "take flag off",
        )

    def mark_done_and_next(self) -> None:
        """Mark the current summary as done and go to the next one."""
        if not self._is_done():
            self.mark_done()
            if self._feedback.is_on:
                return  # it is read first; the key again goes on
        self.go_to_next_undone()

    @Slot()
    def go_to_next_undone(self) -> None:
        """Go to the next summary that is not done, in this topic or a following one."""
        if self._rows is None or not self._is_active():
            return
        order = self._rows.order
        at = order.index(self._summary_id) + 1 if self._summary_id in order else 0
        for summary_id in (*order[at:], *order[:at]):
            if not self._is_done(summary_id):
                self._context.selection.select(summary_id=summary_id)
                return
        self._topics.go_to_next(self._session.topic_id, self._has_undone, ALL_DONE)

    def _has_undone(self, topic: TopicHeader) -> bool:
        """Return whether a topic has nuggets and a summary that is not done."""
        for annotation in self._store.annotations([topic.id]):
            done = sum(s.is_done and s.annotator_id == self._me for s in annotation.states)
            if annotation.pyramid.scus and done < topic.summaries:
                return True
        return False

    def step_summary(self, by: int) -> None:
        """Go to the previous (-1) or next (+1) summary."""
        self._view.matrix.step(0, by)

    def _bind_commands(self) -> None:
        commands, view = self._context.commands, self._view
        for command, handler in (
            ("hit.toggle", self.toggle),
            ("hit.repeat", self.repeat),
            ("hit.remove", self.remove),
            ("hit.partial", self.set_partial),
            ("hit.outside", self.mark_outside),
            ("hit.confirm", self.confirm),
            ("hit.next_to_confirm", self.next_to_confirm),
            ("hit.find", self.find),
            ("hit.flag", self.flag),
            ("hit.done", self.mark_done),
            ("hit.done_next", self.mark_done_and_next),
            ("hit.next_undone", self.go_to_next_undone),
            ("hit.previous_summary", lambda: self.step_summary(-1)),
            ("hit.next_summary", lambda: self.step_summary(+1)),
            ("list.next", lambda: view.matrix.step(+1, 0)),
            ("list.previous", lambda: view.matrix.step(-1, 0)),
        ):
            commands.bind(command, handler, KEY)
        bind_methods(self._context, KEY)
        for widget in (view.matrix, view.panel.text):
            for command in ("hit.toggle", "hit.repeat"):
                commands.add_to_widget(command, widget)

    @Slot()
    def _refresh(self) -> None:
        """Open the selected topic, if the page is visible."""
        if not self._view.isVisible():
            return
        self._topics.show_place()
        head = self._topics.current()
        if head is None:
            self._rows = None
            self._view.show_empty(tr("This study has no topics yet. Import texts first."), has_button=False)
            return
        self._context.selection.select(topic_id=head.id)
        self._open(head.id)
        if self._rows is None or self._rows.topic is not self._session.topic:
            self._show_topic()
        else:
            self._show()

    def _open(self, topic_id: str) -> None:
        """Open the chosen owner's nuggets, else the annotator's own, else the first that exist."""
        owners = self._owners_of(topic_id)
        chosen = self._owners.get(topic_id, "")
        known = [annotator_id for annotator_id, _ in owners]
        own_or_first = self._me if self._me in known or not known else known[0]
        self._session.open(topic_id, chosen if chosen in known else own_or_first)
        self._view.show_owners(owners, self._session.owner_id)
        is_own = self._session.owner_id == self._me
        self._view.show_owner("" if is_own else dict(owners).get(self._session.owner_id, ""))

    def _owners_of(self, topic_id: str) -> list[tuple[str, str]]:
        """Return who has nuggets for a topic that the annotator may see, as (id, name), own ones first."""
        stored = list(self._store.annotations([topic_id]))
        visible = pyramids_to_match(self._context.study, UnitKind.NUGGET, stored, self._me)
        names = {person.id: person.name for person in self._context.study.annotators.all()}
        ids = [a.pyramid.annotator_id for a in visible if a.pyramid.scus]
        is_mine = self._session.topic_id == topic_id and self._session.owner_id == self._me
        if is_mine and not shared_owner(self._context.study, UnitKind.NUGGET):
            has_unsaved = bool(self._session.annotation.pyramid.scus) and self._me not in ids
            ids = [self._me, *ids] if has_unsaved else ids
        ids.sort(key=lambda annotator_id: (annotator_id != self._me, names[annotator_id]))
        return [(annotator_id, names[annotator_id]) for annotator_id in ids]

    @Slot()
    def _show_topic(self) -> None:
        if not self._is_active():
            return
        topic = self._session.topic
        self._rows = HitRows(topic, self._me, summary_order(topic, self._me))
        self._summary_id = ""
        self._view.notice.show_message("")
        self._show()

    @Slot()
    def _show(self) -> None:
        rows = self._rows
        if rows is None or not self._is_active() or rows.topic is not self._session.topic:
            return
        annotation = self._session.annotation
        if not annotation.pyramid.scus or not rows.order:
            has_summaries = bool(rows.order)
            self._view.show_empty(NO_NUGGETS if has_summaries else NO_SUMMARIES, has_button=has_summaries)
            return
        self._view.show_empty("", has_button=False)
        self._view.show_matrix(rows.rows(annotation), rows.heads(annotation, shows_names=self._shows_names))
        self._choose_summary(rows)
        self._view.matrix.choose(self._context.selection.scu_id, self._summary_id)
        self._show_summary(rows, annotation)

    def _choose_summary(self, rows: HitRows) -> None:
        """Take over the selected summary; without one, the first that is not done."""
        before, chosen = self._summary_id, self._context.selection.summary_id
        if chosen not in rows.order:
            undone = (summary for summary in rows.order if not self._is_done(summary))
            chosen = before if before in rows.order else next(undone, rows.order[0])
        if chosen != before:
            self._summary_id = chosen
            self._view.panel.text.drop_selection()
            self._context.selection.select(summary_id=chosen)

    def _show_summary(self, rows: HitRows, annotation: TopicAnnotation) -> None:
        text = self._text()
        if text is None:
            return
        place = rows.order.index(text.id) + 1
        name = text.name if self._shows_names else ""
        summary = SummaryText(text, place, len(rows.order), name)
        self._view.show_summary(summary, rows.marks(annotation, text.id))
        self._view.show_counts(rows.counts(annotation, text.id))
        state = annotation.state_of(text.id, self._me)
        is_done, is_flagged = (state.is_done, state.is_flagged) if state is not None else (False, False)
        self._view.show_state(is_done=is_done, is_flagged=is_flagged)
        self._feedback.show(annotation, self._session.topic, text.id)
        nugget_id, _ = self._view.matrix.current
        unit = self._view.panel.text.selected_unit
        is_outside = any(hit.id == unit and hit.scu_id is None for hit in self._hits())
        if not (is_outside and self._view.panel.text.hasFocus()):
            self._view.panel.text.show_selected(nugget_id)

    @Slot(str, str)
    def _select(self, nugget_id: str, summary_id: str) -> None:
        self._view.panel.text.show_selected(nugget_id)
        self._go_to(nugget_id, summary_id)

    def _go_to(self, nugget_id: str, summary_id: str) -> None:
        self._context.selection.select(scu_id=nugget_id, summary_id=summary_id)
        self._view.panel.text.reveal(nugget_id)

    @Slot(str)
    def _select_unit(self, unit_id: str) -> None:
        """Select the nugget of a clicked unit, or the unit itself if it is outside the nuggets."""
        if any(nugget.id == unit_id for nugget in self._session.annotation.pyramid.scus):
            self._context.selection.select(scu_id=unit_id)
        self._view.panel.text.show_selected(unit_id)

    @Slot(str, object, object)
    def _resize(self, hit_id: str, before: Span, after: Span) -> None:
        """Change the span of a part whose handle was dragged."""
        content = self._content()
        parts = (
            (hit.id, part) for hit in self._hits() if hit_id in (hit.id, hit.scu_id) for part in hit.parts
        )
        changed = next(((match_id, part.id) for match_id, part in parts if part.span == before), None)
        if changed is not None:
            self._edit(lambda a: replace_match_part(a, *changed, [after], content), "change span of a hit")

    @Slot(object)
    def _choose_owner(self, owner_id: str) -> None:
        self._owners[self._session.topic_id] = owner_id
        self._refresh()

    @Slot(bool)
    def _show_names(self, are_shown: bool) -> None:
        self._shows_names = are_shown
        self._show()

    @Slot(object)
    def _add_found(self, found: dict[str, FoundOccurrences]) -> None:
        """Add the hits that a search found; occurrences in references are added on the Nuggets page."""
        job = self.sender()
        key = self._searches.get(job) if isinstance(job, Job) else None
        if key != (self._session.topic_id, self._session.owner_id):
            return
        only_hits = {nugget_id: FoundOccurrences((), each.summaries) for nugget_id, each in found.items()}
        before = len(self._session.annotation.matches)
        if not self._edit(lambda a: add_found(a, only_hits, self._me), "find hits"):
            self._context.show_message(NOTHING_FOUND)
            return
        added = len(self._session.annotation.matches) - before
        self._context.show_message(tr("Found {added} to confirm.", added=tr("%n hits", "", added)))

    @Slot(str, int, int)
    def _point_at(self, text_id: str, start: int, end: int) -> None:
        """Show words of a summary that another page points at."""
        if self._view.isVisible() and text_id == self._summary_id:
            self._view.panel.text.point_at((start, end))

    def _match(self, nugget_id: str, spans: Sequence[Span]) -> None:
        """Add a confirmed hit, or extend it; an automatic one is replaced."""
        summary_id, me, content = self._summary_id, self._me, self._content()
        is_automatic = all(not hit.is_confirmed for hit in self._hits_of(nugget_id))

        def change(annotation: TopicAnnotation) -> TopicAnnotation:
            if is_automatic:
                annotation = pyramid.unmatch(annotation, summary_id, me, nugget_id)
            return pyramid.add_match(annotation, summary_id, me, nugget_id, spans, False, content)

        if self._edit(change, "add hit"):
            self._view.panel.text.drop_selection()

    def _remove_all(self, nugget_id: str) -> None:
        summary_id, me = self._summary_id, self._me
        self._edit(lambda a: pyramid.unmatch(a, summary_id, me, nugget_id), "remove hit")

    def _edit(self, change: Edit, verb: str) -> bool:
        self._view.notice.show_message("")
        return self._is_active() and bool(self._summary_id) and self._session.edit(change, verb)

    def _nugget(self) -> str:
        """Return the current nugget; without one, show a message and return an empty string."""
        nugget_id, _ = self._view.matrix.current
        if nugget_id and self._is_active():
            return nugget_id
        self._context.commands.refuse(SELECT_CELL)
        return ""

    def _hits(self) -> tuple[Match, ...]:
        rows = self._rows
        return rows.hits(self._session.annotation, self._summary_id) if rows is not None else ()

    def _hits_of(self, nugget_id: str) -> tuple[Match, ...]:
        return tuple(hit for hit in self._hits() if hit.scu_id == nugget_id)

    def _is_done(self, summary_id: str = "") -> bool:
        state = self._session.annotation.state_of(summary_id or self._summary_id, self._me)
        return state is not None and state.is_done

    def _text(self) -> Text | None:
        summaries = self._session.topic.summaries
        return next((text for text in summaries if text.id == self._summary_id), None)

    def _content(self) -> str:
        text = self._text()
        return text.content if text is not None else ""

    @Slot(str)
    def _show_refusal(self, text: str) -> None:
        if self._view.isVisible():
            self._context.commands.refuse(in_terms_of(UnitKind.NUGGET, text))

    @Slot(str)
    def _show_conflict(self, text: str) -> None:
        if self._is_active():
            self._view.notice.show_message(text)

    def _is_active(self) -> bool:
        return self._view.isVisible() and bool(self._session.topic_id)


build = PageParts(HitsView, HitsPresenter)


_UNITS, _FOUND = NUGGET_KINDS.index("units"), NUGGET_KINDS.index("found")


class HitRows:
    """The matrix of one topic for one annotator.

    order: ids of the summaries, as columns.
    """

    def __init__(self, topic: TopicTexts, annotator_id: str, order: Sequence[str]) -> None:
        self.topic, self.order = topic, tuple(order)
        self._annotator_id = annotator_id
        self._references = [reference.id for reference in topic.references]
        self._texts = {text.id: text for text in topic.summaries}

    def hits(self, annotation: TopicAnnotation, summary_id: str) -> tuple[Match, ...]:
        """Return the annotator's units of a summary."""
        return annotation.matches_of(summary_id, self._annotator_id)

    def rows(self, annotation: TopicAnnotation) -> list[NuggetRow]:
        """Return the nuggets, the highest tier first, then in their order."""
        cells = [self._cells(self.hits(annotation, summary_id)) for summary_id in self.order]
        nuggets = sorted(annotation.pyramid.scus, key=lambda nugget: -nugget.weight)
        return [
            NuggetRow(
                nugget.id,
                nugget.label,
                nugget.weight,
                self._step(nugget),
                nugget.importance,
                tuple(column.get(nugget.id, HitCell()) for column in cells),
            )
            for nugget in nuggets
        ]

    def heads(self, annotation: TopicAnnotation, *, shows_names: bool) -> list[SummaryHead]:
        """Return the columns with their scores."""
        scores = self._scores(annotation)
        heads = []
        for place, summary_id in enumerate(self.order):
            state = annotation.state_of(summary_id, self._annotator_id)
            heads.append(
                SummaryHead(
                    summary_id,
                    place + 1,
                    scores[place][0],
                    state is not None and state.is_done,
                    state is not None and state.is_flagged,
                    self._texts[summary_id].name if shows_names else "",
                )
            )
        return heads

    def counts(self, annotation: TopicAnnotation, summary_id: str) -> HitCounts:
        """Return the numbers of a summary's units and its two scores; only confirmed hits count."""
        hits = self.hits(annotation, summary_id)
        confirmed = [hit for hit in hits if hit.is_confirmed]
        found = {hit.scu_id for hit in confirmed if hit.scu_id is not None}
        outside = sum(hit.scu_id is None for hit in confirmed)
        tiers = sum(nugget.weight for nugget in annotation.pyramid.scus if nugget.id in found)
        units, found_score = self._scores(annotation)[self.order.index(summary_id)]
        repeated = len(confirmed) - outside - len(found)
        waiting = len(hits) - len(confirmed)
        return HitCounts(len(found), waiting, repeated, outside, tiers, units, found_score)

    def marks(self, annotation: TopicAnnotation, summary_id: str) -> tuple[Mark, ...]:
        """Return the marks of a summary; hits to confirm are only outlined."""
        nuggets = {nugget.id: nugget for nugget in annotation.pyramid.scus}
        hits = self.hits(annotation, summary_id)
        repeats = repeats_of(hits)
        marks = []
        for hit in hits:
            spans = tuple(part.span for part in hit.parts)
            if not spans:
                continue
            if hit.scu_id is None:
                marks.append(Mark(hit.id, OUTSIDE, spans, name=tr("Outside the nuggets")))
            else:
                nugget = nuggets[hit.scu_id]
                is_repeat, is_automatic = hit.id in repeats, not hit.is_confirmed
                step, name = self._step(nugget), named_weight(nugget)
                marks.append(Mark(hit.scu_id, step, spans, hit.id, is_repeat, is_automatic, name))
        return tuple(marks)

    def _cells(self, hits: Sequence[Match]) -> dict[str, HitCell]:
        by_nugget: dict[str, list[Match]] = {}
        for hit in hits:
            if hit.scu_id is not None:
                by_nugget.setdefault(hit.scu_id, []).append(hit)
        return {nugget_id: HitCell(_state(own), len(own) - 1) for nugget_id, own in by_nugget.items()}

    def _scores(self, annotation: TopicAnnotation) -> list[tuple[float, float]]:
        counted = only_confirmed(annotation)
        summaries = [self.hits(counted, summary_id) for summary_id in self.order]
        counts = count_nuggets(counted.pyramid, self._references, summaries)
        (scores,) = counts.scores(np.ones((1, len(self._references)), dtype=np.bool_))
        return [(float(row[_UNITS]), float(row[_FOUND])) for row in scores]

    def _step(self, nugget: Scu) -> int:
        return weight_step(nugget.weight, len(self._references))


def _state(hits: Sequence[Match]) -> HitState:
    confirmed = [hit for hit in hits if hit.is_confirmed]
    if not confirmed:
        return HitState.AUTOMATIC
    return HitState.PARTIAL if all(hit.is_partial for hit in confirmed) else HitState.CONFIRMED
