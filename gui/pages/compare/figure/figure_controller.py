"""Choice and preparation of the figure next to the Compare page's table."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QObject, Signal

from core.comparison.comparison import ScatterPoints
from core.comparison.eligibility import ranking_notes
from core.comparison.inference import correlation_inputs, nothing_can_differ, oriented, pairwise_differences
from core.comparison.intercorrelation import cluster_measures, intercorrelations
from core.comparison.options import Variants
from core.comparison.stand_ins import footnote_of
from core.figures.row_figures import rows_that_fit
from core.matrix import Array
from core.operations.columns import tests_query
from core.operations.correlate import tested_family
from core.operations.method_text import RULES, interval_text, test_text
from core.progress import JobSteps
from gui.background.job_cache import JobCache
from gui.background.jobs import JobQueue
from gui.pages.compare.figure.figures import (
    FigureContent,
    bars_figure,
    distribution_figure,
    intercorrelation_figure,
    ranks_figure,
    scatter_figure,
    significance_figure,
    with_note,
)
from gui.pages.compare.table.current_cell import CurrentCell
from gui.pages.compare.values import View
from gui.session.context import Context
from gui.style.language import tr


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
        measures = {request.cell.measure}
        if kind is not View.SCATTER:
            measures |= {request.other, *found.measures}
        refs = request.cell.data.comparison.refs
        footnote = footnote_of(ref for ref in refs if ref.label in measures)
        notes = (*found.head.notes, *_unranked(request, kind, measures), footnote)
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
    refs = [ref.label for ref in cell.data.comparison.refs]
    eligible = dict(zip(refs, cell.data.comparison.eligibility(cell.human), strict=True))
    named = [label for label in labels if label in rows and not rows[label].is_ranked]
    return ranking_notes(named, {cell.human: [eligible[label] for label in named]})
