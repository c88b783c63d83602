"""Right side of the Compare page: the figure and the details of the selection."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from core.comparison.comparison import ScatterPoints
from core.comparison.disagreement import Disagreement, all_disagreements, disagreements
from core.comparison.eligibility import ranking_notes
from core.comparison.inference import correlation_inputs, nothing_can_differ, oriented, pairwise_differences
from core.comparison.intercorrelation import cluster_measures, intercorrelations
from core.comparison.options import Variants
from core.comparison.staleness_text import stale_notes
from core.comparison.stand_ins import footnote_of
from core.comparison.topic_correlations import topic_correlations, topic_table
from core.figures.row_figures import rows_that_fit
from core.formatting.coefficients import SYMBOLS, coefficient_title
from core.formatting.numbers import format_correlation
from core.formatting.tables import CellKind, Column, Table
from core.matrix import Array
from core.operations.columns import tests_query
from core.operations.correlate import CorrelationData, tested_family
from core.operations.method_text import RULES, interval_text, test_text
from core.progress import JobSteps
from core.stats.correlation import Coefficient, Level
from core.stats.row_coefficients import descending_ranks
from gui.background.jobs import JobCache, JobQueue
from gui.pages.compare.figure import (
    FigureContent,
    bars_figure,
    distribution_figure,
    intercorrelation_figure,
    ranks_figure,
    scatter_figure,
    significance_figure,
    with_note,
)
from gui.pages.compare.table.table_content import CurrentCell, Mark
from gui.pages.compare.values import FigureHeader, RankedTopic, SelectionDetails, View
from gui.pages.compare.view import CompareView
from gui.session.context import Context
from gui.style.language import tr
from gui.widgets.controls import Choice

_OF_ONE = frozenset({View.SCATTER, View.RANKS, View.DISTRIBUTION, View.TOPICS, View.DISAGREEMENT})
"""Views of the current measure; that of ranks can compare it with another one."""


@dataclass(frozen=True, slots=True, eq=False)
class FigureRequest:
    """Inputs of a figure.

    points: the current measure against the current judgement; dot: index of the selected point.
    other: the other side of a rank comparison; empty = the judgement.
    height: available height in inches.
    """

    cell: CurrentCell
    points: ScatterPoints
    dot: int | None
    other: str
    height: float

    @property
    def other_title(self) -> str:
        """Return the title of the other side of a rank comparison."""
        other = self.other or self.cell.human
        ref = self.cell.data.judgements.get(other)
        return ref.title if ref is not None else other

    def measures(self) -> list[str]:
        """Return the labels of the measures that pass the filter and are in the table."""
        known = {row.label for row in self.cell.table.rows}
        return [label for label in self.cell.visible if label in known]


class FigureController(QObject):
    """Prepares figures; pairwise figures are computed by a job first.

    Signals:
        computed: a pending figure can be drawn.
        waiting: a sentence on the computation under way.
    """

    computed = Signal()
    waiting = Signal(str)

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._pairwise: JobCache[Hashable, Array] = JobCache(
            context.jobs, lambda _: tr("Comparing measures"), JobQueue.COMPARING, self
        )
        self._pairwise.computed.connect(self.computed)

    def forget(self) -> None:
        """Drop what was computed from numbers that have changed."""
        self._pairwise.clear()

    def content(self, kind: View, request: FigureRequest) -> FigureContent | None:
        """Return the figure; None = not computed yet, or nothing to draw.

        Its notes list unranked measures and measures that ran on stand-ins.
        """
        found = self._drawn(kind, request)
        if found is None:
            return None
        measures = {request.cell.measure, *found.measures}
        if kind is View.RANKS:
            measures.add(request.other)
        refs = request.cell.data.comparison.refs
        footnote = footnote_of(ref for ref in refs if ref.label in measures)
        stale = stale_notes(request.cell.content.stale, measures)
        notes = (*found.head.notes, *stale, *_unranked(request, kind, measures), footnote)
        return with_note(found, [note for note in notes if note])

    def _drawn(self, kind: View, request: FigureRequest) -> FigureContent | None:
        cell = request.cell
        match kind:
            case View.SCATTER:
                return scatter_figure(cell, request.points, request.dot)
            case View.BARS:
                return self._bars(request)
            case View.INTERCORRELATION:
                return self._intercorrelation(cell, request.measures())
            case View.SIGNIFICANCE:
                return self._significance(cell, request.measures())
            case View.RANKS:
                return ranks_figure(cell, request.other or cell.human, request.other_title)
            case View.DISTRIBUTION:
                return distribution_figure(cell)
        return None

    def _bars(self, request: FigureRequest) -> FigureContent:
        cell = request.cell
        cells = {row.label: row.cells[cell.column] for row in cell.table.rows}
        best_first = cell.by_strength(request.measures())
        most = rows_that_fit(request.height)
        found = [cells[label] for label in best_first]
        bound = cell.content.agreement(cell.column)
        method = interval_text(cell.request.inference(), cell.request.level)
        return bars_figure(cell, best_first, found, most, method, bound)

    def _intercorrelation(self, cell: CurrentCell, labels: Sequence[str]) -> FigureContent | None:
        query = replace(cell.content.columns[cell.column].query, judgements=())  # of measures alone
        requested = (query, tuple(labels))
        found = self._pairwise.get(requested)
        if found is not None:
            return intercorrelation_figure(cell, labels, found, cluster_measures(found))
        matrices = [cell.data.scores(label) for label in labels]
        work = intercorrelations(matrices, *query.method)
        self._compute(requested, work, tr("Correlating measures with each other …"))
        return None

    def _significance(self, cell: CurrentCell, labels: Sequence[str]) -> FigureContent | None:
        comparison, human, request = cell.data.comparison, cell.human, cell.request
        places = {ref.label: place for place, ref in enumerate(comparison.refs)}
        family = tested_family(comparison, human, request)
        labels = [label for label in cell.by_strength(labels) if places[label] in family]
        members = [places[label] for label in labels if cell.is_defined(label)]
        requested = (tests_query(cell.data, request, human), request.adjust, tuple(labels))
        options = request.inference()
        p = self._pairwise.get(requested)
        if p is None:
            turned = oriented(correlation_inputs(comparison, human, *request.method), comparison.refs)
            self._compute(
                requested, pairwise_differences(turned, sorted(members), options), tr("Testing every pair …")
            )
            return None
        which, pairs = [places[label] for label in labels], int(np.isfinite(p).sum()) // 2
        signs = np.sign(np.arange(len(which)) - np.arange(len(which))[:, None])  # the best measure is first
        content = significance_figure(
            cell, labels, p[np.ix_(which, which)] * signs, test_text(options, pairs)
        )
        main = tr("main measures") if request.variants is Variants.MAIN else tr("measures")
        how = RULES[request.adjust]
        notes = [
            tr(
                "Family: {pairs} of {labels} {main} shown and ranked; p-values: {how}.",
                pairs=tr("%n pairs", "", pairs),
                labels=len(labels),
                main=main,
                how=how,
            )
        ]
        if why := nothing_can_differ(comparison.judgements[human].values, pairs, options):
            notes.append(f"{why[0].upper()}{why[1:]}.")
        return replace(content, head=replace(content.head, notes=tuple(notes)))

    def _compute(self, requested: Hashable, work: JobSteps[Array], sentence: str) -> None:
        self.waiting.emit(sentence)
        self._pairwise.ask({requested: work})


def _unranked(request: FigureRequest, kind: View, measures: Collection[str]) -> list[str]:
    """Return notes on unranked measures of a figure; of a figure of tests, on omitted measures."""
    cell = request.cell
    labels = (
        request.measures() if kind is View.SIGNIFICANCE else [n for n in request.measures() if n in measures]
    )
    rows = {row.label: row.cells[cell.column] for row in cell.table.rows}
    named = [label for label in labels if label in rows and not rows[label].eligible.is_ranked]
    return ranking_notes(named, {cell.human: [rows[label].eligible for label in named]})


OpenSummary = Callable[[CorrelationData, str, str, str], None]


class SidePanelController(QObject):
    """Displays the chosen figure and synchronizes selection and marks with the window.

    Signals:
        measure_chosen: a measure's label, chosen in a figure.
        summary_near: a summary that can be opened by the next click: data, topic id, system, measure, and
            whether the user has chosen a dot.
    """

    measure_chosen = Signal(str)
    summary_near = Signal(object, str, str, str, bool)

    def __init__(self, view: CompareView, context: Context, open_summary: OpenSummary) -> None:
        super().__init__(view)
        self._view, self._context, self._open_summary = view, context, open_summary
        self.kind = View.SCATTER  # kind of figure
        self._cell: CurrentCell | None = None
        self.points: ScatterPoints | None = None  # current measure against the current judgement
        self.dot: int | None = None  # Index of the selected point in `points`; None = none
        self._has_chosen = False  # whether the user has chosen a dot
        self._other = ""
        self.content: FigureContent | None = None  # displayed figure; None = none
        self._drawing = FigureController(context, self)
        selection = context.selection
        view.figure_panel.view_box.chosen.connect(lambda key: self.choose_view(View(key)))
        view.figure_panel.other_box.chosen.connect(self._choose_other)
        view.figure.dot_chosen.connect(self._choose_spot)
        view.figure.dot_opened.connect(self._open_spot)
        view.figure.dot_toggled.connect(self._toggle)
        view.figure.dots_swept.connect(self._sweep)
        view.figure.resized.connect(self.draw)
        view.ranks.topic_opened.connect(self._open_topic)
        view.ranks.topic_pointed.connect(self._announce)
        view.figure_panel.topics.topic_opened.connect(self._open_worst_of)
        for ranks in (view.ranks, view.figure_panel.summaries):
            ranks.summary_opened.connect(self._open_of)
        view.texts_button.clicked.connect(self._open_texts)
        selection.system_changed.connect(self._follow_system)
        selection.marked.connect(self._on_marked)
        self._drawing.computed.connect(self.draw)
        self._drawing.waiting.connect(view.figure_panel.show_nothing)

    @property
    def measures(self) -> list[str]:
        """The measures of a view of one or two; empty = of all."""
        if self._cell is None or self.kind not in _OF_ONE:
            return []
        is_measure = self.kind is View.RANKS and self._cell.data.ref(self._other) is not None
        return list(dict.fromkeys((self._cell.measure, *((self._other,) if is_measure else ()))))

    @property
    def human(self) -> str:
        """The judgement shown: the current one, unless ranks are compared with another; empty = none."""
        if self._cell is None:
            return ""
        is_other = self.kind is View.RANKS and self._other in self._cell.data.comparison.judgements
        return self._other if is_other else self._cell.human

    def numbers_behind(self) -> Table | None:
        """Return the numbers behind the figure; None = none."""
        if self.content is not None:
            return self.content.table()
        cell, table = self._cell, None
        if cell is None:
            return None
        if self.kind is View.TOPICS and cell.request.coefficient is not Coefficient.SOFT_ACCURACY:
            table = topic_table(cell.data.comparison, cell.human, cell.request.coefficient, [cell.measure])
        elif self.kind is View.DISAGREEMENT:
            table = disagreement_table(cell, self._view.figure_panel.summaries.topics())
        notes = stale_notes(cell.content.stale, {cell.measure})
        return table and replace(table, note=" ".join(filter(None, (*notes, table.note))))

    def show(self, cell: CurrentCell | None) -> None:
        """Show the figure and details of a cell; None = no cell is current."""
        cell = self._cell = self._with_marks(cell) if cell is not None else None
        if cell is None:
            self.points, self.content = None, None
            self._view.figure_panel.show_nothing(tr("Choose a cell of the table."))
            return
        points = cell.points()
        if self.points is None or points.names != self.points.names:
            self.dot = self._dot_of(points, self._context.selection.system)
            if self.dot is None and cell.request.level is Level.SYSTEM and points.names:
                self.dot = int(points.y.argmax())
        self.points = points
        humans = [Choice(name, ref.title) for name, ref in cell.data.judgements.items()]
        measures = [Choice(ref.label, ref.label) for ref in cell.data.comparison.refs]
        if self._other not in {choice.key for choice in (*humans, *measures)}:
            self._other = ""
        first = Choice("", tr("{title} (selected)", title=cell.title))
        self._view.figure_panel.show_others([first, *humans, *measures], self._other)
        self._show()

    def refresh(self, cell: CurrentCell) -> None:
        """Show new results of the same cell, as intervals follow the values."""
        cell = self._cell = self._with_marks(cell)
        if self.kind is View.BARS:
            self.draw()
        elif self.kind is View.SCATTER and self.points is not None:
            before = self.content
            self.content = self._drawing.content(self.kind, self._request(cell, self.points))
            if self.content is not None:
                if before is not None and before.head.notes != self.content.head.notes:
                    self.draw()  # notes are in the figure too
                self._view.figure_panel.show_header(self.content.head)

    def forget(self) -> None:
        """Drop what was computed from numbers that have changed."""
        self._drawing.forget()
        self.points = None

    def choose_view(self, kind: View) -> None:
        self.kind = kind
        self._view.figure_panel.show_view(kind)
        self._show()

    # Drawing

    @Slot(object)
    def _on_marked(self, _marks: object) -> None:
        if self._cell is not None:
            self._cell = self._with_marks(self._cell)
            self._show()

    def _with_marks(self, cell: CurrentCell) -> CurrentCell:
        names = cell.data.system_names()
        return replace(cell, marked=frozenset(m for m in self._context.selection.marks if m[0] in names))

    def _show(self) -> None:
        self.draw()
        self._show_selection()

    @Slot()
    def draw(self) -> None:
        """Draw the figure for the available size."""
        cell = self._cell
        if cell is None or self.points is None:
            return
        if self.kind is View.DISAGREEMENT:
            self._show_disagreement(cell)
            return
        if self.kind is View.TOPICS:
            self._show_topics(cell)
            return
        content = self._drawing.content(self.kind, self._request(cell, self.points))
        self.content = content
        if content is not None:
            self._view.figure_panel.show_figure(
                content.head, content.dots, content.chosen, content.draw, content.least
            )

    def _request(self, cell: CurrentCell, points: ScatterPoints) -> FigureRequest:
        return FigureRequest(cell, points, self.dot, self._other, self._view.figure.inches()[1])

    def _show_disagreement(self, cell: CurrentCell) -> None:
        rows = disagreement_list(cell)
        among = tr("among all summaries") if cell.request.level is Level.GLOBAL else tr("within topics")
        count = tr("%n marked summaries", "", len(rows)) if cell.marked else tr("%n summaries", "", len(rows))
        head = FigureHeader(
            cell.measure,
            tr("against {title}", title=cell.title),
            count,
            tr("sorted by rank difference {among}", among=among),
        )
        self.content = None
        panel = self._view.figure_panel
        panel.show_list(panel.summaries, head, rows)

    def _show_topics(self, cell: CurrentCell) -> None:
        if cell.request.coefficient is Coefficient.SOFT_ACCURACY:
            self.content = None
            self._view.figure_panel.show_nothing(
                tr(
                    "{coefficient_title} exists at system level only.",
                    coefficient_title=coefficient_title(cell.request.coefficient),
                )
            )
            return
        rows = topic_list(cell)
        defined = sum("undefined" not in row.fact for row in rows)
        head = FigureHeader(
            cell.measure,
            tr("with {title}, among the systems of each topic", title=cell.title),
            tr("{defined} of {rows} topics", defined=defined, rows=len(rows)),
            tr("worst first; a row opens the summary with the largest disagreement"),
        )
        self.content = None
        panel = self._view.figure_panel
        panel.show_list(panel.topics, head, rows)

    @Slot(str)
    def _open_worst_of(self, topic_id: str) -> None:
        """Open the summary of a topic on which the measure and people disagree most."""
        if self._cell is None:
            return
        cell = self._cell
        system = worst_system(cell, topic_id)
        self._context.selection.select(topic_id=topic_id)
        if system:
            self._open_of(system, topic_id)

    # The other side of ranks

    @Slot(object)
    def _choose_other(self, other: str) -> None:
        self._other = other
        self.draw()

    # Spots

    @Slot(int)
    def _choose_spot(self, spot: int) -> None:
        content = self.content
        if content is None:
            return
        if content.measures:
            self.measure_chosen.emit(content.measures[spot])
        elif self.kind is View.SCATTER:
            self._choose_dot(spot)
        else:
            self._context.selection.select(system=content.marks[spot][0])
            self._context.selection.mark({content.marks[spot]})

    def _choose_dot(self, dot: int) -> None:
        if self.points is None or self.content is None or dot == self.dot:
            return
        self.dot, self._has_chosen = dot, True
        system, topic = self.content.marks[dot]
        self._context.selection.select(system=system, topic_id=topic or None)
        self._show()

    @Slot(int)
    def _toggle(self, spot: int) -> None:
        if self.content is not None and self.content.marks:
            self._context.selection.mark(self._context.selection.marks ^ {self.content.marks[spot]})

    @Slot(object)
    def _sweep(self, spots: Sequence[int]) -> None:
        if self.content is not None and (self.content.marks or not spots):
            self._context.selection.mark(self.content.marks[spot] for spot in spots)

    @Slot(str)
    def _follow_system(self, system: str) -> None:
        """Select the dot of a system that was selected elsewhere."""
        points = self.points
        if points is None or self._cell is None or self._cell.request.level is not Level.SYSTEM:
            return
        dot = self._dot_of(points, system)
        if dot is not None and dot != self.dot:
            self.dot = dot
            self._show()

    @staticmethod
    def _dot_of(points: ScatterPoints, system: str) -> int | None:
        return points.systems.index(system) if system in points.systems else None

    # What is selected

    def _show_selection(self) -> None:
        cell, points = self._cell, self.points
        if cell is None or points is None:
            return
        if cell.marked:
            self._view.show_selection(marked_details(cell))
            return
        system = points.systems[self.dot] if self.dot is not None else ""
        topic = cell.data.topics.get(points.topics[self.dot]) if self.dot is not None else None
        details = system_details(cell, points, system) if system else None
        self._view.show_selection(details, topic.id if topic is not None else "")
        if topic is not None:
            self._announce(topic.id)
        elif details is not None and details.topics:
            self._announce(details.topics[0].topic_id)

    @Slot(str)
    def _announce(self, topic_id: str) -> None:
        """Announce that the system's summary of a topic may be opened next."""
        if self._cell is not None and self.points is not None and self.dot is not None:
            system = self.points.systems[self.dot]
            self.summary_near.emit(self._cell.data, topic_id, system, self._cell.measure, self._has_chosen)

    @Slot(int)
    def _open_spot(self, spot: int) -> None:
        if self.kind is View.SCATTER:
            self._choose_dot(spot)
            self._open_texts()
        elif self.content is not None and self.content.measures:
            self.measure_chosen.emit(self.content.measures[spot])
            self.choose_view(View.SCATTER)
        elif self.content is not None:
            self._open_worst(self.content.marks[spot])

    @Slot()
    def _open_texts(self) -> None:
        """Open the summary of the dot; for a system, the one with the largest disagreement."""
        if self.points is None or self.dot is None or self._cell is None:
            return
        topic = self._cell.data.topics.get(self.points.topics[self.dot])
        system = self.points.systems[self.dot]
        self._open_worst((system, topic.id if topic is not None else ""))

    def _open_worst(self, mark: Mark) -> None:
        system, topic_id = mark
        if self._cell is None or self.points is None:
            return
        if not topic_id:
            details = system_details(self._cell, self.points, system)
            topic_id = details.topics[0].topic_id if details is not None and details.topics else ""
        if topic_id:
            self._open_of(system, topic_id)

    @Slot(str)
    def _open_topic(self, topic_id: str) -> None:
        if self.points is not None and self.dot is not None:
            self._open_of(self.points.systems[self.dot], topic_id)

    @Slot(str, str)
    def _open_of(self, system: str, topic_id: str) -> None:
        if self._cell is not None:
            self._open_summary(self._cell.data, topic_id, system, self._cell.measure)


MAX_TOPICS = 50
"""Topics listed for a system, those with the largest disagreement."""

MAX_SUMMARIES = 500


def system_details(cell: CurrentCell, points: ScatterPoints, system: str) -> SelectionDetails | None:
    """Return a system's ranks over all topics and within them; None = not scored."""
    comparison, better = cell.data.comparison, _is_better_high(cell)
    scores, judgement = cell.data.scores(points.measure), comparison.judgements[points.human]
    topics = disagreements(scores, judgement, system, higher_is_better=better)
    means = comparison.points(points.measure, points.human, Level.SYSTEM)
    if system not in means.systems:
        return None
    at = means.systems.index(system)
    by_measure = descending_ranks(means.x if better else -means.x)[at]
    by_people = descending_ranks(means.y)[at]
    return SelectionDetails(
        key=system,
        fact=tr(
            "rank {metric} by metric, {people} by people, of {systems}",
            metric=f"{by_measure:g}",
            people=f"{by_people:g}",
            systems=len(means.systems),
        ),
        caption=_caption(topics),
        topics=tuple(_ranked(cell.data, one) for one in topics[:MAX_TOPICS]),
    )


def marked_details(cell: CurrentCell) -> SelectionDetails:
    """Return the marked summaries, largest disagreement first."""
    requested, found = cell.marked, _of_marks(cell, _all(cell, Level.SYSTEM))
    systems = {system for system, _ in requested}
    is_whole = all(not topic for _, topic in requested)
    return SelectionDetails(
        key=tr("%n systems", "", len(systems)) if is_whole else tr("%n summaries", "", len(requested)),
        fact=tr("marked"),
        caption=tr("Their summaries where metric and people disagree most"),
        topics=tuple(_ranked(cell.data, one, names_system=True) for one in found[:MAX_TOPICS]),
        are_marked=True,
    )


def disagreement_list(cell: CurrentCell) -> tuple[RankedTopic, ...]:
    """Return summaries by rank difference within topics, or at global level among all; only marked ones."""
    found = _of_marks(cell, _all(cell, cell.request.level))
    return tuple(_ranked(cell.data, one, names_system=True) for one in found[:MAX_SUMMARIES])


def topic_list(cell: CurrentCell) -> tuple[RankedTopic, ...]:
    """Return the judged topics by correlation, the worst first, with the reason where it is undefined."""
    coefficient, rows = cell.request.coefficient, []
    for one in topic_correlations(cell.data.comparison, cell.human, coefficient, [cell.measure]):
        head = cell.data.topics[one.topic]
        value = f"{SYMBOLS[coefficient]} {format_correlation(one.value)}"
        fact = f"{f'undefined: {one.reason}' if one.reason else value} · n {one.n}"
        rows.append(RankedTopic(head.id, head.name, head.title, "", "", fact=fact))
    return tuple(rows)


def worst_system(cell: CurrentCell, topic_id: str) -> str:
    """Return the system of a topic on which the measure and people disagree most; empty = none has both."""
    found = _all(cell, Level.TOPIC)
    return next((one.system for one in found if cell.data.topics[one.topic].id == topic_id), "")


def disagreement_table(cell: CurrentCell, topics: Sequence[RankedTopic]) -> Table:
    columns = (
        Column("Topic", "topic"),
        Column("System", "system"),
        Column(f"rank by {cell.measure_label}", "measure_rank", CellKind.TEXT),
        Column("rank by people", "human_rank", CellKind.TEXT),
    )
    rows = tuple((one.name, one.system, one.measure, one.people) for one in topics)
    refs = [ref for ref in cell.data.comparison.refs if ref.label == cell.measure]
    return Table("Summaries by disagreement", columns, rows, footnote_of(refs))


def _all(cell: CurrentCell, level: Level) -> list[Disagreement]:
    return all_disagreements(
        cell.data.scores(cell.measure),
        cell.data.comparison.judgements[cell.human],
        higher_is_better=_is_better_high(cell),
        within_topics=level is not Level.GLOBAL,
    )


def _of_marks(cell: CurrentCell, found: Sequence[Disagreement]) -> list[Disagreement]:
    """Return those of marked systems and summaries; all if none is marked."""
    marks, topics = cell.marked, cell.data.topics
    return [
        one
        for one in found
        if not marks or (one.system, "") in marks or (one.system, topics[one.topic].id) in marks
    ]


def _is_better_high(cell: CurrentCell) -> bool:
    ref = cell.data.ref(cell.measure)
    return ref is None or ref.higher_is_better


def _caption(found: Sequence[Disagreement]) -> str:
    if not found:
        return tr("No topic has both numbers for more than one system")
    return tr("Topics where metric and people disagree most")


def _ranked(data: CorrelationData, one: Disagreement, *, names_system: bool = False) -> RankedTopic:
    head = data.topics[one.topic]
    ranks = f"{one.measure_rank:g}", f"{one.human_rank:g}"
    return RankedTopic(head.id, head.name, head.title, *ranks, system=one.system if names_system else "")
