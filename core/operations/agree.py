"""Agreement of a study's annotators.

Agreement of each pair of annotators, and annotators who differ from all others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.adjudication.topics import AdjudicationSelection, survey
from core.agreement.analysis import RANKING_COEFFICIENTS, AgreementOptions, known_coefficients
from core.agreement.estimates import BootstrapOptions
from core.agreement.items import AnnotatedItems, rated_items
from core.agreement.result import agreement_result
from core.agreement.table import AgreementRow, AgreementTable, Grouping
from core.agreement.titles import annotations_name, annotations_work
from core.agreement.verdicts import Verdict, VerdictLine, main_rows, ranking_effect, verdict_lines
from core.comparison.annotator_agreement import AgreementSelection, study_agreement, uncompared_rows
from core.domain.assignment import Work
from core.domain.ratings import ScaleKind
from core.errors import InputError
from core.formatting.numbers import format_correlation
from core.names import resolve_name
from core.operations.options import AgreeRequest
from core.ports import Study
from core.progress import JobSteps
from core.results.result import Result

LEAST_GAIN = 0.1
"""Rise of α without an annotator from which on the annotator is named."""


@dataclass(frozen=True, slots=True)
class DifferingAnnotator:
    """An annotator whose every pair agrees less than every pair of the others.

    points: mean difference from the mean of the others on the same items, NaN = the values have no order.
    alpha: of the others.
    """

    name: str
    points: float
    alpha: float

    @property
    def sentence(self) -> str:
        """Return who differs, how, and what agreement is without them."""
        size = f"{abs(self.points):.1f}"
        how = ""
        if math.isfinite(self.points) and float(size):
            how = f": {size} points {'lower' if self.points < 0 else 'higher'} on average"
        without = format_correlation(self.alpha)
        return f"{self.name} differs from all others{how}. Without {self.name}, α is {without}."


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Main coefficient of each pair of three or more annotators, by the id of their annotations.

    differing: the annotator who differs from all others, where there is one.
    """

    pairs: Mapping[str, tuple[AgreementRow, ...]] = field(default_factory=dict)
    differing: Mapping[str, DifferingAnnotator] = field(default_factory=dict)


def pair_agreement(
    study: Study, selection: AgreementSelection, table: AgreementTable
) -> JobSteps[PairAgreement]:
    """Return the agreement of each pair of annotators. table: the agreement of all, for this selection."""
    pairs: dict[str, tuple[AgreementRow, ...]] = {}
    differing: dict[str, DifferingAnnotator] = {}
    for row in main_rows(table):
        if len(row.annotators) < 3 or row.reason:
            continue
        of_pairs = yield from _main_coefficient(study, selection, row, row.annotators, (Grouping.PAIR,))
        pairs[row.what] = of_pairs.select(row.what, Grouping.PAIR)
        if not (name := least_agreeing(pairs[row.what])):
            continue
        others = tuple(who for who in row.annotators if who != name)
        (without,) = (yield from _main_coefficient(study, selection, row, others)).select(
            row.what, Grouping.ALL, row.coefficient
        )
        if without.value - row.value >= LEAST_GAIN:
            points = _points(study, row, name)
            differing[row.what] = DifferingAnnotator(name, points, without.value)
    return PairAgreement(pairs, differing)


def least_agreeing(pairs: Sequence[AgreementRow]) -> str:
    """Return the annotator whose every pair agrees less than every pair of the others; empty = nobody.

    pairs: rows of one coefficient, of three or more annotators. Undefined pairs are left out.
    """
    defined = [row for row in pairs if math.isfinite(row.value)]
    for name in dict.fromkeys(who for row in defined for who in row.annotators):
        mine = [row.value for row in defined if name in row.annotators]
        others = [row.value for row in defined if name not in row.annotators]
        if len(mine) > 1 and others and max(mine) < min(others):
            return name
    return ""


def mean_difference(items: AnnotatedItems, name: str) -> float:
    """Return the mean of an annotator's values minus the mean of the others' on the same items.

    NaN = no item has values of both.
    """
    place = items.annotators.index(name)
    others = np.delete(items.values, place, axis=1)
    mine = items.values[:, place]
    shared = np.isfinite(mine) & np.isfinite(others).any(axis=1)
    if not shared.any():
        return math.nan
    return float((mine[shared] - np.nanmean(others[shared], axis=1)).mean())


def _main_coefficient(
    study: Study,
    selection: AgreementSelection,
    row: AgreementRow,
    annotators: tuple[str, ...],
    groupings: tuple[Grouping, ...] = (),
) -> JobSteps[AgreementTable]:
    """Return the coefficient of a row among some annotators, without intervals."""
    chosen = replace(selection, kinds=(annotations_work(row.what),), annotators=annotators)
    options = AgreementOptions(BootstrapOptions(draws=0), groupings, (row.coefficient,))
    return (yield from study_agreement(study, chosen, options))


def _points(study: Study, row: AgreementRow, name: str) -> float:
    """Return how far an annotator's ratings are from those of the others; NaN = they are no numbers."""
    for scale in study.ratings.dimensions():
        if row.what == annotations_name(Work.RATINGS, scale.name) and scale.kind is ScaleKind.NUMBER:
            items = rated_items(study.ratings.cube(scale.name))
            places = [place for place, who in enumerate(items.annotators) if who in row.annotators]
            return mean_difference(items.of_annotators(places), name)
    return math.nan


def agree(study: Study, request: AgreeRequest) -> JobSteps[AgreementTable]:
    """Return the agreement of a study's annotators; scales without kinds are those of ratings.

    Raises InputError for unknown names and where no requested annotation was made by two annotators.
    """
    known = known_coefficients()
    coefficients = tuple(resolve_name("coefficient", name, known) for name in request.coefficients)
    options = AgreementOptions(
        BootstrapOptions(request.bootstrap, request.seed),
        tuple(Grouping(name) for name in dict.fromkeys(request.groupings)),
        coefficients,
    )
    return (yield from study_agreement(study, agreement_selection(request), options))


@dataclass(frozen=True, slots=True)
class MeasuredAgreement:
    """The agreement with the verdicts and what is behind them.

    alone: lines of annotations that no two annotators have made. differences: number to decide in all.
    """

    table: AgreementTable
    lines: tuple[VerdictLine, ...]
    alone: tuple[VerdictLine, ...]
    pairs: PairAgreement
    differences: int

    @property
    def result(self) -> Result:
        """Return the tables and charts."""
        return agreement_result(self.table, self.lines)

    def coefficients_of(self, line: VerdictLine) -> list[AgreementRow]:
        """Return all coefficients of the annotations of a line, without those of the ranking."""
        whats = line.what, f"{line.what} spans"
        rows = self.table.select(grouping=Grouping.ALL)
        return [row for row in rows if row.what in whats and row.coefficient not in RANKING_COEFFICIENTS]

    def effect_of(self, line: VerdictLine) -> str:
        """Return what the differences of a line do to the ranking, empty = it was not measured."""
        rows = self.table.select(line.what, Grouping.ALL, "ranking-kendall")
        return "".join(ranking_effect(row) for row in rows)


def measure_agreement(study: Study, request: AgreeRequest) -> JobSteps[MeasuredAgreement]:
    """Return the agreement of a study's annotators with the number of differences; raises as `agree`."""
    table = yield from agree(study, request)
    selection = agreement_selection(request)
    pairs = yield from pair_agreement(study, selection, table)
    rows = yield from uncompared_rows(study, selection, table)
    alone = tuple(VerdictLine(row, Verdict.NONE, row.what) for row in rows)
    try:
        counts = (yield from survey(study, AdjudicationSelection(annotators=request.annotators))).to_decide()
    except InputError:  # the chosen annotators are fewer than two
        counts = {}
    lines = tuple(verdict_lines(table, counts))
    return MeasuredAgreement(table, lines, alone, pairs, sum(counts.values()))


def agreement_selection(request: AgreeRequest) -> AgreementSelection:
    """Return the annotations that are compared; nuggets include their hits."""
    kinds = request.kinds or (("ratings",) if request.scales else ())
    works = (*map(Work, kinds), *((Work.HITS,) if "nuggets" in kinds else ()))
    return AgreementSelection(works, request.scales, request.annotators)
