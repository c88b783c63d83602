"""Which figure stands beside the Compare page's table, made for what is in hand."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QObject, Signal

from core.comparison.comparison import ScatterPoints
from core.comparison.eligibility import ranking_notes
from core.comparison.families import Variants, family_of
from core.comparison.inference import Adjustment, DifferenceTest
from core.comparison.intercorrelation import cluster_measures, intercorrelations
from core.comparison.stand_ins import footnote_of
from core.figures.row_figures import rows_that_fit
from core.formatting.numbers import pluralize
from core.matrix import Array
from core.progress import JobSteps
from gui.pages.compare.current_cell import CurrentCell
from gui.pages.compare.figures import (
    FigureContent,
    FigureInputs,
    bars_sheet,
    distribution_sheet,
    likeness_sheet,
    ranks_sheet,
    scatter_sheet,
    significance_sheet,
    with_note,
)
from gui.pages.compare.inference import ADJUSTED, significance_text, testing_pairs
from gui.pages.compare.pairwise_matrices import PairwiseCache
from gui.pages.compare.values import View
from gui.session.context import Context


@dataclass(frozen=True, slots=True, eq=False)
class FigureRequest:
    """What a figure is drawn for.

    points: the measure in hand against the judgement in hand; dot: the selected one. other: what ranks are
    put beside, empty = the judgement. height: inches that there are.
    """

    in_hand: CurrentCell
    points: ScatterPoints
    dot: int | None
    other: str
    height: float

    @property
    def other_title(self) -> str:
        """What ranks are put beside, in words."""
        other = self.other or self.in_hand.human
        ref = self.in_hand.numbers.judgements.get(other)
        return ref.title if ref is not None else other

    def shown(self) -> list[str]:
        """Labels of the measures that the filter leaves and the table has."""
        known = {row.label for row in self.in_hand.table.rows}
        return [label for label in self.in_hand.shown if label in known]


class FigureController(QObject):
    """Makes figures; those between any two measures need a job first.

    Signals:
        found: a figure that was waited for can be drawn.
        awaited: what is waited for, in words.
    """

    found = Signal()
    awaited = Signal(str)

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._squares = PairwiseCache(context.jobs, self)
        self._squares.found.connect(self.found)

    def forget(self) -> None:
        """Drop what was computed from numbers that have changed."""
        self._squares.start_over()

    def sheet(self, kind: View, scene: FigureRequest) -> FigureContent | None:
        """The figure, None = it is waited for, or there is nothing to draw.

        Its notes are why measures are not ranked, and which ran on stand-ins.
        """
        found = self._drawn(kind, scene)
        if found is None:
            return None
        shown = {scene.in_hand.measure}
        if kind is not View.SCATTER:
            shown |= {scene.other, *found.measures}
        refs = scene.in_hand.numbers.comparison.refs
        footnote = footnote_of(ref for ref in refs if ref.label in shown)
        notes = (*found.head.notes, *_unranked(scene, kind, shown), footnote)
        return with_note(found, [note for note in notes if note])

    def _drawn(self, kind: View, scene: FigureRequest) -> FigureContent | None:
        in_hand, ground = scene.in_hand, self._ground(scene.in_hand)
        match kind:
            case View.SCATTER:
                return scatter_sheet(ground, scene.points, scene.dot, in_hand.inference_words())
            case View.BARS:
                return self._bars(scene, ground)
            case View.LIKENESS:
                return self._likeness(in_hand, ground, scene.shown())
            case View.SIGNIFICANCE:
                return self._significance(in_hand, ground, scene.shown())
            case View.RANKS:
                return ranks_sheet(ground, scene.other or in_hand.human, scene.other_title)
            case View.DISTRIBUTION:
                return distribution_sheet(ground)
        return None

    def _ground(self, in_hand: CurrentCell) -> FigureInputs:
        asked, marks = in_hand.question, self._context.selection.marks
        return FigureInputs(
            in_hand.numbers, in_hand.measure, in_hand.human, asked.level, asked.coefficient, marks
        )  # fmt: skip

    def _bars(self, scene: FigureRequest, ground: FigureInputs) -> FigureContent:
        in_hand = scene.in_hand
        cells = {row.label: row.cells[in_hand.column] for row in in_hand.table.rows}
        best_first = in_hand.by_strength(scene.shown())
        most = rows_that_fit(scene.height)
        found = [cells[label] for label in best_first]
        return bars_sheet(ground, best_first, found, most, in_hand.method.interval_words)

    def _likeness(
        self, in_hand: CurrentCell, ground: FigureInputs, labels: Sequence[str]
    ) -> FigureContent | None:
        asked = in_hand.question
        wanted = (asked.scope, asked.level, asked.coefficient, asked.undefined, tuple(labels))
        found = self._squares.find(wanted)
        if found is not None:
            return likeness_sheet(ground, labels, found, cluster_measures(found))
        matrices = [in_hand.numbers.scores(label) for label in labels]
        work = intercorrelations(matrices, asked.level, asked.coefficient, asked.undefined)
        self._wait(wanted, work, "Correlating measures with each other …")
        return None

    def _significance(
        self, in_hand: CurrentCell, ground: FigureInputs, labels: Sequence[str]
    ) -> FigureContent | None:
        answer = in_hand.sheet.answers[in_hand.column]
        test = in_hand.method.test_for(ground.level, ground.coefficient) or DifferenceTest.PERMUTATION_BOTH
        method, comparison = in_hand.method, in_hand.numbers.comparison
        places = family_of(comparison.refs, method.variants, comparison.ranked(in_hand.human))
        family = {comparison.refs[place].label for place in places}
        labels = [label for label in in_hand.by_strength(labels) if label in family]
        wanted = (answer.question, test, method.adjustment, tuple(labels))
        found = self._squares.find(wanted)
        if found is not None:
            sheet = significance_sheet(ground, labels, found, significance_text(test))
            pairs = pluralize(int(np.isfinite(found).sum()) // 2, "pair")
            which = "main measures" if method.variants is Variants.MAIN else "measures"
            how = "not adjusted" if method.adjustment is Adjustment.NONE else ADJUSTED[method.adjustment]
            note = f"Family: {pairs} of {len(labels)} {which} shown and ranked; p-values: {how}."
            return replace(sheet, head=replace(sheet.head, notes=(note,)))
        work = testing_pairs(in_hand.numbers, answer, labels, test, method.adjustment)
        self._wait(wanted, work, "Testing every pair …")
        return None

    def _wait(self, wanted: Hashable, work: JobSteps[Array], sentence: str) -> None:
        self.awaited.emit(sentence)
        self._squares.ask(wanted, work)


def _unranked(scene: FigureRequest, kind: View, shown: Collection[str]) -> list[str]:
    """Sentences on the measures of a figure that are not ranked; of a figure of tests, on those left out."""
    in_hand = scene.in_hand
    labels = scene.shown() if kind is View.SIGNIFICANCE else [n for n in scene.shown() if n in shown]
    rows = {row.label: row.cells[in_hand.column] for row in in_hand.table.rows}
    refs = [ref.label for ref in in_hand.numbers.comparison.refs]
    eligible = dict(zip(refs, in_hand.numbers.comparison.eligibility(in_hand.human), strict=True))
    named = [label for label in labels if label in rows and not rows[label].is_ranked]
    return ranking_notes(named, {in_hand.human: [eligible[label] for label in named]})
