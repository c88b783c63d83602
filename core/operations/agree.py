"""Agreement of a study's annotators."""

from __future__ import annotations

from dataclasses import dataclass

from core.adjudication.topics import AdjudicationSelection, survey
from core.agreement.analysis import RANKING_COEFFICIENTS, AgreementOptions, known_coefficients
from core.agreement.estimates import BootstrapOptions
from core.agreement.result import agreement_result
from core.agreement.table import AgreementRow, AgreementTable, Grouping
from core.agreement.verdicts import Verdict, VerdictLine, ranking_effect, verdict_lines
from core.comparison.annotator_agreement import AgreementSelection, study_agreement, uncompared_rows
from core.comparison.differing_annotators import PairAgreement, pair_agreement
from core.domain.assignment import Work
from core.errors import InputError
from core.names import resolve_name
from core.operations.options import AgreeRequest
from core.ports import Study
from core.progress import JobSteps
from core.results.result import Result


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
