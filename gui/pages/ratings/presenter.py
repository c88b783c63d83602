"""Presenter of the Ratings page."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from core.annotation.blind_mode import blind_order
from core.annotation.marked_spans import share_of_unmarked_sentences, with_span
from core.annotation.team_progress import rated_scales
from core.annotation.training_feedback import rating_feedback, trainer_of
from core.domain.assignment import Work
from core.domain.name_checks import name_problem
from core.domain.ratings import (
    Dimension,
    MarkedSpan,
    Rating,
    ScaleKind,
    check_dimensions,
    edit_conflict,
    is_rated,
    required_scales,
)
from core.domain.scale_templates import ScaleTemplate, add_template
from core.domain.study import Annotator, Text, TopicTexts
from core.errors import InputError, PyramidionError
from core.ports import ChangeKind, ChangeSet, EditReceipt, Study
from core.progress import JobSteps, Progress
from gui.annotation.match_values import SummaryText
from gui.annotation.progress.progress_grid import count_done, next_cell
from gui.annotation.study_modes import blind_mode_of
from gui.annotation.text.summary_columns import SummaryRow
from gui.pages.ratings.values import NO_RATING, ScaleRow
from gui.pages.ratings.view import RatingsView
from gui.session.context import Context, PageParts
from gui.session.edits import ActiveTime
from gui.session.topic_navigation import Cell, GridRow, TopicNavigator, assigned_topics_of, topic_states
from gui.style.language import tr
from gui.widgets.typed_text import typed_texts

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from gui.pages.ratings.rating_scale import RatingScale
    from gui.pages.ratings.scales_dialog import ScalesDialog

KEY = "ratings"
_RELEVANT_CHANGES = frozenset({ChangeKind.TEXTS, ChangeKind.RATINGS, ChangeKind.SETTINGS})
ONE, ALL = "one", "all"  # values of the preference
NO_RATINGS = tr("no ratings")
CHOOSE_SCALE = tr("Select a scale first (Tab).")


def rating_progress(study: Study, annotator: Annotator) -> JobSteps[tuple[GridRow, ...]]:
    """Return by topic which summaries an annotator has rated on all required scales, begun and flagged.

    Reads all texts, so it runs on a worker thread.
    """
    yield Progress(0, 0, "ratings")
    scales, given = study.ratings.dimensions(), rated_scales(study)
    flagged = {
        (note.system, note.topic)
        for note in study.ratings.notes()
        if note.is_flagged and note.annotator == annotator.name
    }
    rows = []
    for done, topic_texts in enumerate(study.texts.load()):
        yield Progress(done, 0, topic_texts.name)
        systems = {text.id: text.name for text in topic_texts.summaries}
        order = blind_order(systems, annotator.id, topic_texts.id)
        cells = (
            _cell(
                s,
                scales,
                given.get((topic_texts.name, annotator.name, systems[s]), ()),
                is_flagged=(systems[s], topic_texts.name) in flagged,
            )
            for s in order
        )
        rows.append(GridRow(topic_texts.id, topic_texts.name, tuple(cells)))
    return tuple(rows)


def _cell(summary_id: str, scales: Sequence[Dimension], rated: Collection[str], *, is_flagged: bool) -> Cell:
    """Return the progress of a summary. rated: ids of the scales with a value."""
    is_done = is_rated(scales, rated)
    return Cell(summary_id, is_done, is_flagged, is_begun=bool(rated) and not is_done)


class RatingsPresenter(QObject):
    """Show one summary or all of a topic with its documents, and store each rating at once."""

    def __init__(self, view: RatingsView, context: Context) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self._topics = TopicNavigator(
            context, KEY, view.place, self, lambda: topic_states(self._rows), Work.RATINGS
        )
        self._time = ActiveTime()
        self.scale_editing = ScaleEditing(view, context)
        self._topic: TopicTexts | None = None
        self._dimensions: Sequence[Dimension] = ()
        self._ratings: dict[tuple[str, str], Rating] = {}  # by summary and scale
        self._known: dict[tuple[str, str], Rating] = {}  # of the trainer, on a training topic
        self._all_rows: tuple[GridRow, ...] = ()
        self._newer_cells: dict[str, tuple[Cell, ...]] = {}  # by topic, set after the counting began
        self._summary_id = ""
        self._pending_writes = 0
        self._is_outdated = False
        self._is_counted = False
        self._shows_names = False
        self._is_all = context.settings.now.rating_layout == ALL
        self._has_source = {True: False, False: True}  # by whether all summaries are shown
        view.show_layout(is_all=self._is_all, has_source=self._has_source[self._is_all])
        self._connect()
        for command, action in (
            ("rating.next_undone", self.go_to_next_unrated),
            ("rating.previous_summary", lambda: self.step_summary(-1)),
            ("rating.next_summary", lambda: self.step_summary(+1)),
            ("rating.clear", self.clear_rating),
            ("rating.flag", self.flag_rating),
            ("rating.note", self.edit_note),
            ("rating.next_flagged", self.go_to_next_flagged),
            ("rating.scales", self.scale_editing.open),
            ("rating.all", lambda: self._show_layout(not self._is_all)),
            ("rating.source", lambda: self._show_or_hide_source(not self._has_source[self._is_all])),
        ):
            self._context.commands.bind(command, action, KEY)
        blind_mode_of(context).guard_names(view.summary_panel)
        view.later.append(self._build_scales)

    @Slot(str, object)
    def rate(self, dimension_id: str, value: float | None) -> None:
        """Set or clear (None) a rating of the current summary. It is shown at once and stored soon after."""
        before = self._rating(self._summary_id, dimension_id)
        if self._kind(dimension_id) is ScaleKind.SPANS and value is not None and before.spans:
            self._context.commands.refuse(tr("Remove the marks first."))
            return
        self._change(self._summary_id, dimension_id, replace(before, value=value, spans=()))

    @Slot(str, int)
    def mark(self, dimension_id: str, category: int) -> None:
        """Mark the selected words of the current summary with a category."""
        chosen = self._view.summary_text.selected_spans()
        if not chosen:
            self._context.commands.refuse(tr("Select words of the summary first."))
            return
        spans = self._rating(self._summary_id, dimension_id).spans
        for span in chosen:
            spans = with_span(spans, span, category)
        self._set_spans(dimension_id, spans)
        self._view.summary_text.drop_selection()

    @Slot(str, object)
    def remove_mark(self, dimension_id: str, span: MarkedSpan) -> None:
        """Remove a marked span; without any, the summary has nothing to mark."""
        spans = self._rating(self._summary_id, dimension_id).spans
        self._set_spans(dimension_id, tuple(one for one in spans if one != span))

    def _set_spans(self, dimension_id: str, spans: tuple[MarkedSpan, ...]) -> None:
        text = self._summaries().get(self._summary_id)
        if text is not None:
            before = self._rating(text.id, dimension_id)
            value = share_of_unmarked_sentences(text, spans)
            self._change(text.id, dimension_id, replace(before, value=value, spans=spans))

    def _kind(self, dimension_id: str) -> ScaleKind | None:
        return next((d.kind for d in self._dimensions if d.id == dimension_id), None)

    @Slot(str, str, str)
    def write_note(self, summary_id: str, dimension_id: str, note: str) -> None:
        """Set the note on a rating; on a scale of free text it is the answer."""
        before = self._rating(summary_id, dimension_id)
        is_text = self._kind(dimension_id) is ScaleKind.TEXT
        value = (1.0 if note else None) if is_text else before.value
        self._change(summary_id, dimension_id, replace(before, value=value, note=note))

    @Slot(str)
    def toggle_flag(self, dimension_id: str) -> None:
        """Flag the current summary's rating on a scale, or remove the flag."""
        before = self._rating(self._summary_id, dimension_id)
        self._change(self._summary_id, dimension_id, replace(before, is_flagged=not before.is_flagged))

    def _rating(self, summary_id: str, dimension_id: str) -> Rating:
        return self._ratings.get((summary_id, dimension_id), NO_RATING)

    def _change(self, summary_id: str, dimension_id: str, after: Rating) -> None:
        key = summary_id, dimension_id
        if not summary_id or self._rating(*key) == after:
            self._show_ratings()
            return
        if not self._context.may_edit(partial(self._repeat_rating, summary_id, dimension_id, after)):
            self._show_ratings()
            return
        self._ratings[key] = after
        self._pending_writes += 1
        write = self._store(self._context, summary_id, dimension_id, after)
        self._context.writes.track(write, self._write_succeeded, self._write_failed)
        self._view.notice.show_message("")
        self._show_ratings()

    def _store(
        self, context: Context, summary_id: str, dimension_id: str, rating: Rating
    ) -> Future[EditReceipt]:
        names = summary_id, dimension_id, context.annotator.id
        marks = rating.note, rating.is_flagged, rating.spans
        return context.study.ratings.rate(
            *names, rating.value, self._time.take(), *marks, typed_texts().details
        )

    def _repeat_rating(self, summary_id: str, dimension_id: str, rating: Rating, context: Context) -> str:
        """Repeat a rating as the annotator of another context; return a message, empty if it was stored."""
        context.selection.select(summary_id=summary_id)
        if rating.is_empty:
            return tr("This rating belongs to another annotator and was not cleared.")
        context.writes.track(self._store(context, summary_id, dimension_id, rating))
        return ""

    def clear_rating(self) -> None:
        """Remove the mark at the caret of the summary, else clear the rating on the focused scale."""
        if self._view.summary_text.hasFocus() and self._remove_mark_at_caret():
            return
        if (scale := self._focused()) is not None:
            if self._view.next_button.hasFocus():
                scale.setFocus(Qt.FocusReason.OtherFocusReason)
            if scale.row.kind is ScaleKind.TEXT:
                self.write_note(self._summary_id, scale.row.id, "")
            else:
                self.rate(scale.row.id, None)

    def _remove_mark_at_caret(self) -> bool:
        caret = self._view.summary_text.caret
        for dimension in self._dimensions:
            for span in self._rating(self._summary_id, dimension.id).spans:
                if span[0] <= caret <= span[1]:
                    self.remove_mark(dimension.id, span)
                    return True
        return False

    def flag_rating(self) -> None:
        """Flag the rating on the focused scale, or remove the flag."""
        if (scale := self._focused()) is not None:
            self.toggle_flag(scale.row.id)

    @Slot()
    def edit_note(self) -> None:
        """Write a note on the rating on the focused scale."""
        if (scale := self._focused()) is not None:
            scale.edit_note()

    def _focused(self) -> RatingScale | None:
        scale = self._view.focused_scale()
        if scale is None:
            self._context.commands.refuse(CHOOSE_SCALE)
        return scale

    @property
    def _rows(self) -> tuple[GridRow, ...]:
        """The progress in the topics that are shown."""
        return assigned_topics_of(self._context).rows(Work.RATINGS, self._all_rows)

    def go_to_next_flagged(self) -> None:
        """Select the next summary with a flagged rating, on any topic."""
        flagged = next_cell(self._rows, self._summary_id, lambda cell: cell.is_flagged)
        if flagged is None:
            self._context.show_message(tr("No rating is flagged."))
        else:
            self._go_to(*flagged)

    @Slot()
    def go_to_next_unrated(self) -> None:
        """Select the next summary without a rating, on any topic."""
        unrated = next_cell(self._rows, self._summary_id, lambda cell: not cell.is_done)
        if unrated is None:
            self._context.show_message(tr("All summaries are rated."))
            return
        left = self._cells_by_id().get(self._summary_id)
        if left is not None and left.is_begun and unrated[1] != left.summary_id:
            number, share = self._order().index(left.summary_id) + 1, self._share(left.summary_id)
            self._context.show_message(
                tr("Summary {number} is unfinished: {share}.", number=number, share=share)
            )
        self._go_to(*unrated)
        self._view.focus_first_unrated()

    def step_summary(self, by: int) -> None:
        """Select the previous (-1) or next (+1) summary of the topic."""
        order = self._order()
        if self._topic is not None and self._summary_id in order:
            index = order.index(self._summary_id) + by
            if 0 <= index < len(order):
                self._go_to(self._topic.id, order[index])

    def _connect(self) -> None:
        view, selection = self._view, self._context.selection
        view.shown.connect(self._refresh)
        view.scale_added.connect(self._connect_scale)
        view.progress.grid.cell_chosen.connect(self._go_to)
        view.scale_named.connect(self._add_scale)
        view.edit_button.clicked.connect(lambda: self.scale_editing.open())
        view.published.chosen.connect(self.scale_editing.add_template)
        self.scale_editing.failed.connect(view.notice.show_message)
        view.summary_panel.names_button.toggled.connect(self._show_names)
        view.layout_button.clicked.connect(self._show_layout)
        view.source_button.clicked.connect(self._show_or_hide_source)
        view.columns.entered.connect(self._choose_summary)
        for text in (view.summary_panel.text, view.columns, view.source_panel.text):
            text.words_selected.connect(self._time.touch)
        view.next_button.clicked.connect(self.go_to_next_unrated)
        view.empty.primary.clicked.connect(self._context.commands.action("study.import").trigger)
        view.summary_panel.place.stepped.connect(self.step_summary)
        self._topics.listed.connect(self._refresh)
        selection.topic_changed.connect(self._refresh)
        selection.summary_changed.connect(self._refresh)
        self._context.history.moved.connect(self._return_to_scale)
        self._context.changes.changed.connect(self._study_changed)

    @Slot(object)
    def _connect_scale(self, scale: RatingScale) -> None:
        scale.rated.connect(self.rate)
        scale.marked.connect(self.mark)
        scale.mark_removed.connect(self.remove_mark)
        scale.noted.connect(self.write_note)
        scale.flag_requested.connect(self.toggle_flag)

    @Slot(object)
    def _return_to_scale(self, receipt: EditReceipt) -> None:
        """Focus the scale whose rating was undone or redone."""
        place = receipt.place
        if receipt.topic_id and place.dimension_id and self._view.isVisible():
            self._go_to(receipt.topic_id, place.summary_id)
            self._view.focus_scale(place.dimension_id)

    @Slot()
    def _refresh(self) -> None:
        """Show the selected topic and summary if the page is visible."""
        if not self._view.isVisible():
            return
        self._start_counting()
        self._topics.show_place()
        head = self._topics.current()
        if head is None:
            self._topic = None
            self._view.show_summary(None)
            return
        self._context.selection.select(topic_id=head.id)
        if self._topic is None or self._topic.id != head.id:
            self._open(head.id)
        self._show_summary()

    def _build_scales(self) -> None:
        self._dimensions = self._context.study.ratings.dimensions()
        self._view.show_scales("", "", self._scale_rows(""))

    def _open(self, topic_id: str) -> None:
        self._topic = self._context.study.texts.topic(topic_id)
        self._summary_id = ""
        self._load_ratings()
        self._view.source_panel.show_sources(self._topic)

    def _load_ratings(self) -> None:
        if self._topic is None:
            return
        self._dimensions = self._context.study.ratings.dimensions()
        stored = self._context.study.ratings.of_topic(self._topic.id)
        trainer = trainer_of(self._context.study, self._topic.name, self._context.annotator.id)
        self._known = {
            (one.summary_id, one.dimension_id): one for one in stored if one.annotator_id == trainer
        }
        self._ratings = {
            (rating.summary_id, rating.dimension_id): rating
            for rating in stored
            if rating.annotator_id == self._context.annotator.id
        }

    def _show_summary(self) -> None:
        order = self._order()
        selected = self._context.selection.summary_id
        if selected not in order:
            cells = self._cells_by_id().values()
            selected = next((c.summary_id for c in cells if not c.is_done), next(iter(order), ""))
        text = self._summaries().get(selected)
        if text is None:
            self._summary_id = ""
            self._view.show_summary(None)
            return
        if selected != self._context.selection.summary_id:  # which shows it
            self._context.selection.select(summary_id=selected, system=text.name)
            return
        if selected != self._summary_id:
            self._summary_id = selected
            self._context.selection.select(system=text.name)
            name = text.name if self._shows_names else ""
            number = order.index(selected) + 1
            self._view.show_summary(SummaryText(text, number, len(order), name))
        self._show_ratings()

    @Slot(bool)
    def _show_layout(self, is_all: bool) -> None:
        """Show all summaries of the topic side by side, or one at a time."""
        self._is_all = is_all
        self._context.settings.change(rating_layout=ALL if is_all else ONE)
        self._view.show_layout(is_all=is_all, has_source=self._has_source[is_all])
        self._summary_id = ""  # shown again, with the panel's title
        self._refresh()

    @Slot(bool)
    def _show_or_hide_source(self, is_shown: bool) -> None:
        self._has_source[self._is_all] = is_shown
        self._view.show_layout(is_all=self._is_all, has_source=is_shown)

    @Slot(str)
    def _choose_summary(self, summary_id: str) -> None:
        if self._topic is not None and summary_id != self._summary_id:
            self._go_to(self._topic.id, summary_id)

    def _scale_rows(self, summary_id: str) -> list[ScaleRow]:
        return [
            ScaleRow(
                **asdict(d), rating=self._rating(summary_id, d.id), feedback=self._feedback(summary_id, d)
            )
            for d in self._dimensions
        ]

    def _feedback(self, summary_id: str, scale: Dimension) -> str:
        """Return the known rating on a training topic, empty before there is an own one."""
        text = self._summaries().get(summary_id)
        known = self._known.get((summary_id, scale.id))
        if text is None or known is None:
            return ""
        return rating_feedback(scale, self._rating(summary_id, scale.id).value, known, text.content)

    def _all_summaries(self) -> list[SummaryRow]:
        texts, order, cells = self._summaries(), self._order(), self._cells_by_id()
        return [
            SummaryRow(
                SummaryText(texts[s], place, len(order), texts[s].name if self._shows_names else ""),
                self._ratings_text(cells[s]),
                cells[s].is_done,
                cells[s].is_flagged,
                tuple(mark for row in self._scale_rows(s) for mark in row.marks),
            )
            for place, s in enumerate(order, 1)
        ]

    def _ratings_text(self, cell: Cell) -> str:
        """Return the ratings of a summary in a line; of one left unfinished with how many it has."""
        is_left = cell.is_begun and cell.summary_id != self._summary_id
        share = tr("unfinished, {share}", share=self._share(cell.summary_id)) if is_left else ""
        texts = (row.rating_text for row in self._scale_rows(cell.summary_id))
        return " · ".join(filter(None, (share, *texts))) or NO_RATINGS

    def _share(self, summary_id: str) -> str:
        """Return how many required scales of a summary have a value."""
        due = required_scales(self._dimensions)
        rated = sum(self._rating(summary_id, scale.id).value is not None for scale in due)
        return tr("{rated} of {due} rated", rated=rated, due=len(due))

    def _show_ratings(self) -> None:
        if self._topic is None or not self._summary_id:
            return
        content = self._summaries()[self._summary_id].content
        self._view.show_scales(self._summary_id, content, self._scale_rows(self._summary_id))
        if self._is_all:
            self._view.show_summaries(self._all_summaries(), self._summary_id)
        self._newer_cells[self._topic.id] = tuple(self._cells_by_id().values())
        self._all_rows = tuple(
            row
            if (cells := self._newer_cells.get(row.topic_id, row.cells)) == row.cells
            else replace(row, cells=cells)
            for row in self._all_rows
        )
        rows = self._rows
        done, total = count_done(rows)
        of_begun = [cell for row in rows if row.is_begun for cell in row.cells if cell is not None]
        begun = sum(cell.is_begun and cell.summary_id != self._summary_id for cell in of_begun)
        unfinished = tr(" · {begun:,} unfinished", begun=begun) if begun else ""
        fact = (
            tr("{done:,} of {total:,} rated{unfinished}", done=done, total=total, unfinished=unfinished)
            if total
            else ""
        )
        self._view.show_progress(rows, self._summary_id, fact)

    @Slot(str)
    def _add_scale(self, name: str) -> None:
        if not self._context.may_edit(partial(_add_scale, name)):
            return
        if problem := _add_scale(name, self._context):
            self._context.show_message(problem)
            return
        self._is_counted = False
        self._load_ratings()
        self._show_ratings()
        self._start_counting()

    @Slot(bool)
    def _show_names(self, is_on: bool) -> None:
        self._shows_names = is_on
        text = self._summaries().get(self._summary_id)
        if text is not None:
            self._view.summary_panel.show_system(text.name if is_on else "")
        self._show_ratings()

    @Slot(str, str)
    def _go_to(self, topic_id: str, summary_id: str) -> None:
        self._context.selection.select(topic_id=topic_id, summary_id=summary_id)

    def _write_succeeded(self, receipt: EditReceipt) -> None:
        self._pending_writes -= 1
        if self._is_outdated and not self._pending_writes:
            self._reload()
            if self._view.isVisible():
                self._refresh()

    def _write_failed(self, error: PyramidionError) -> None:
        self._pending_writes -= 1
        self._load_ratings()
        self._show_ratings()
        self._view.notice.show_message(str(error))

    @Slot(object)
    def _study_changed(self, changes: ChangeSet) -> None:
        """Follow changes of ratings by undo, imports and other processes."""
        if not changes.kinds & _RELEVANT_CHANGES:
            return
        if changes.is_external or ChangeKind.TEXTS in changes.kinds:
            self._is_counted = False
            self._topic = None
        elif self._pending_writes:
            self._is_outdated = True  # reload after the pending writes, which are newer than the stored data
        else:
            self._reload()
        if self._view.isVisible():
            self._refresh()

    def _reload(self) -> None:
        """Load the stored ratings and scales."""
        self._is_outdated = False
        before = self._dimensions
        self._load_ratings()
        if self._dimensions != before:
            self._is_counted = False  # a summary is done when it is rated on all scales

    def _start_counting(self) -> None:
        if not self._is_counted:
            self._is_counted = True
            self._newer_cells.clear()
            work = rating_progress(self._context.study, self._context.annotator)
            self._context.jobs.start(tr("Counting ratings"), work).finished.connect(self._show_counts)

    @Slot(object)
    def _show_counts(self, rows: tuple[GridRow, ...]) -> None:
        self._all_rows = rows
        self._topics.refresh_list()
        if self._view.isVisible():
            self._show_ratings()

    def _order(self) -> tuple[str, ...]:
        if self._topic is None:
            return ()
        return blind_order(self._summaries(), self._context.annotator.id, self._topic.id)

    def _summaries(self) -> Mapping[str, Text]:
        return {text.id: text for text in self._topic.summaries} if self._topic is not None else {}

    def _cells_by_id(self) -> dict[str, Cell]:
        """Return the progress of the topic's summaries, in the annotator's order."""
        cells = {}
        for s in self._order():
            own = {d.id: self._rating(s, d.id) for d in self._dimensions}
            rated = [scale for scale, rating in own.items() if rating.value is not None]
            is_flagged = any(rating.is_flagged for rating in own.values())
            cells[s] = _cell(s, self._dimensions, rated, is_flagged=is_flagged)
        return cells


build = PageParts(RatingsView, RatingsPresenter)


def _add_scale(name: str, context: Context) -> str:
    """Add a scale; return why that is not possible, empty if it was added."""
    try:
        context.study.ratings.add_dimension(name, annotator_id=context.annotator.id)
    except PyramidionError as error:
        return str(error)
    return ""


class ScaleEditing(QObject):
    """Open the dialog over a page and save its changes.

    Signals:
        failed: the message of an error; the scales were not saved.
    """

    failed = Signal(str)

    def __init__(self, page: QWidget, context: Context) -> None:
        super().__init__(page)
        self._page, self._context = page, context
        self._before: Sequence[Dimension] = ()
        self._counts: Mapping[str, Mapping[float, int]] = {}
        self.dialog: ScalesDialog | None = None

    @Slot()
    def open(self, selected: str = "") -> None:
        """Open the dialog. selected: id of the scale to show first."""
        from gui.pages.ratings.scales_dialog import ScalesDialog

        if not self._context.may_manage("rating.scales"):
            return
        study = self._context.study
        self._before, self._counts = study.ratings.dimensions(), study.ratings.counts()
        totals = {scale_id: sum(values.values()) for scale_id, values in self._counts.items()}
        self.dialog = ScalesDialog(self._before, totals, selected, self._page)
        self.dialog.changed.connect(self._check)
        self.dialog.accepted.connect(self._save)
        self._check()
        self.dialog.open()

    @Slot(object)
    def add_template(self, template: ScaleTemplate) -> None:
        """Add the scales of a published evaluation, without a dialog."""
        if self._context.may_manage("rating.scales"):
            self._before = self._context.study.ratings.dimensions()
            self._store(add_template(self._before, template))

    @Slot()
    def _check(self) -> None:
        if self.dialog is not None:
            self.dialog.show_problem(find_problem(self.dialog.scales, self._counts, self._before))

    @Slot()
    def _save(self) -> None:
        if self.dialog is not None:
            self._store(self.dialog.scales)

    def _store(self, scales: Sequence[Dimension]) -> None:
        me = self._context.annotator.id
        write = self._context.study.ratings.edit_dimensions(self._before, scales, me)
        self._context.writes.track(write, on_error=lambda error: self.failed.emit(str(error)))


def find_problem(
    scales: Sequence[Dimension], counts: Mapping[str, Mapping[float, int]], before: Sequence[Dimension] = ()
) -> str:
    """Return why scales cannot be saved, empty if they can.

    counts: by scale id, the number of ratings per value.
    before: the scales of the study; their names are allowed in any case.
    """
    try:
        check_dimensions(scales)
    except InputError as error:
        return str(error)
    known = {scale.name for scale in before}
    was = {scale.id: scale for scale in before}
    for scale in scales:
        if scale.name not in known and (problem := name_problem(scale.name)):
            return tr("A scale cannot have this name. {problem}", problem=problem)
    conflicts = (edit_conflict(was.get(scale.id), scale, counts.get(scale.id, {})) for scale in scales)
    return next(filter(None, conflicts), "")
