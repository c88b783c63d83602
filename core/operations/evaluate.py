"""Evaluation of systems in one step: score them, compare them, and correlate the metrics with judgements."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np

from core.comparison.cautions import metric_notes
from core.comparison.inference import nothing_can_differ
from core.comparison.judgements import has_judgements, judgements
from core.comparison.measures import MeasureRef, lower_is_better, matrices, measures
from core.comparison.options import DifferenceTest, InferenceOptions
from core.comparison.stand_ins import footnote_of, marked_labels
from core.errors import InputError
from core.formatting.coefficients import coefficient_title
from core.formatting.numbers import pluralize
from core.formatting.tables import PLAIN_ENDS, Cell, CellKind, Column, Table, interval_ends
from core.matrix import ScoreMatrix
from core.metrics.names import main_measure, resolve_metric
from core.names import resolve_name
from core.operations.correlate import Correlations, correlate
from core.operations.options import LEXICAL, EvaluateRequest
from core.operations.score import requested_configs, run_document, run_sentences
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Result
from core.scoring import engine
from core.scoring.experiment_scores import score_and_promote
from core.scoring.process_pool import cores, local_workers
from core.scoring.study_resources import StudyResources
from core.stats.paired_differences import FEWEST, mean_intervals, paired_differences
from core.stats.precision import round_values
from core.stats.resampling.significance import holm
from core.stats.types import Level

FEWEST_SYSTEMS = 3
"""Fewer systems have no correlation of means."""


@dataclass(frozen=True, slots=True)
class SystemScore:
    """The mean of a system by a measure, and its difference from the baseline; NaN = undefined.

    low, high: 95 % interval over topics. topics: those with a score.
    is_best: whether no system has a better mean.
    compared_with: the baseline, empty = this is it, or there is none.
    difference: mean of this system minus that of the baseline over the topics that both have, with the ends
    of its interval. p: of a paired permutation of topics, two-sided; p_adjusted: by Holm over the systems.
    reason: why there is no interval or test, empty = there is one.
    """

    measure: str
    system: str
    mean: float
    low: float
    high: float
    topics: int
    is_best: bool
    compared_with: str = ""
    difference: float = math.nan
    difference_low: float = math.nan
    difference_high: float = math.nan
    p: float = math.nan
    p_adjusted: float = math.nan
    reason: str = ""
    signature: str = ""
    higher_is_better: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """Outcome of `evaluate`.

    scores: by measure, the best system on top. correlations: None = nothing is judged.
    problems: what could not be computed. notes: on data and methods.
    """

    refs: tuple[MeasureRef, ...]
    scores: tuple[SystemScore, ...]
    correlations: Correlations | None
    problems: tuple[str, ...]
    notes: tuple[str, ...]

    def records(self) -> list[dict[str, Any]]:
        """Return the scores of systems, by column."""
        return [asdict(score) for score in self.scores]

    def blocks(self) -> list[tuple[Sequence[str], Sequence[Mapping[str, Any]]]]:
        """Return the columns and records of the scores, and of the correlations if there are any."""
        judged = self.correlations
        scores = tuple(each.name for each in fields(SystemScore)), self.records()
        return [scores] if judged is None else [scores, (judged.columns, judged.records())]

    def result(self) -> Result:
        """Return the tables, for display and files."""
        tables = [self._score_table()]
        if self.correlations is not None:
            tables.append(_correlation_table(self.correlations))
        return Result("Evaluation", tuple(tables), policy=self.notes, warnings=self.problems)

    def _score_table(self) -> Table:
        labels = marked_labels(self.refs)
        has_tests = any(score.compared_with for score in self.scores)
        columns = [
            Column("Measure", "measure"),
            Column("System", "system"),
            Column("Mean", "mean", CellKind.SCORE),
            *interval_ends(CellKind.SCORE),
            Column("Topics", "topics", CellKind.COUNT),
        ]
        tests = [
            Column("Difference", "difference", CellKind.SCORE),
            *interval_ends(CellKind.SCORE, "difference_", PLAIN_ENDS),
            Column("p (adjusted)", "p_adjusted", CellKind.P),
        ]
        columns += tests if has_tests else []
        columns += [Column("Note", "reason")] if any(score.reason for score in self.scores) else []
        keys = [column.key for column in columns]
        rows = tuple(
            tuple({**record, "measure": labels[record["measure"]]}[key] for key in keys)
            for record in self.records()
        )
        best = frozenset((at, 2) for at, score in enumerate(self.scores) if score.is_best)
        return Table("Scores of systems", tuple(columns), rows, bold=best)


def evaluate(study: Study, request: EvaluateRequest) -> JobSteps[Evaluation]:
    """Score the study with the requested metrics, compare its systems and correlate with its judgements.

    Raises InputError for unknown names, and where there is no summary or no metric can be computed.
    """
    yield Progress(0, 0, "preparing")
    if not study.texts.systems():
        raise InputError(
            "There are no summaries. Name the column of the summaries, such as --map summary=output."
        )
    refs, problems = yield from _scored(study, request.metrics or LEXICAL)
    yield Progress(0, 0, "comparing systems")
    listed = matrices(study, refs)
    scores = [
        score
        for ref, matrix in zip(refs, listed, strict=True)
        for score in _system_scores(ref, matrix, _baseline(matrix, request.baseline), request)
    ]
    if request.judgements:
        known = [ref.name for ref in judgements(study)]
        named = (resolve_name("judgement", name, known) for name in request.judgements)
        request = replace(request, judgements=tuple(dict.fromkeys(named)))
    correlations = None
    if request.judgements or has_judgements(study):
        systems = {name for matrix in listed for name in matrix.systems}
        level = request.level or (Level.SYSTEM if len(systems) >= FEWEST_SYSTEMS else Level.GLOBAL)
        labels = tuple(ref.label for ref in refs)
        correlations = yield from correlate(study, request.correlate(level, labels))
    notes = [*_test_notes(scores, listed, request), *_data_notes(study, refs, correlations, request)]
    return Evaluation(tuple(refs), tuple(scores), correlations, problems, tuple(dict.fromkeys(notes)))


def _scored(study: Study, names: Sequence[str]) -> JobSteps[tuple[list[MeasureRef], tuple[str, ...]]]:
    """Score by named metrics; return the measure of each, and what could not be computed."""
    resources = StudyResources(study)
    resolved = [resolve_metric(name) for name in names]
    configs = requested_configs([spec for spec, _ in resolved], resources)
    plan = engine.plan(study, configs, resources)
    report = yield from score_and_promote(study, plan, resources, local_workers(study, plan, cores()))
    problems = list(run_sentences({**run_document(plan, report), "left_out": {}, "notes": {}}))
    runs = {run.config: run.stored for run in plan.runs}
    problems += [
        f"{run.stored.spec}: {pluralize(count, 'topic')} skipped, {reason}."
        for run in plan.runs
        for reason, count in run.left_out.items()
    ]
    chosen = [
        (stored.signature, measure or main_measure(stored.measures))
        for config, (_, measure) in zip(configs, resolved, strict=True)
        if (stored := runs.get(config)) is not None
    ]
    known = {(ref.signature, ref.measure): ref for ref in measures(study, check_stale=False)}
    refs = [known[key] for key in dict.fromkeys(chosen) if key in known and known[key].topics_scored]
    if not refs:
        raise InputError(" ".join(problems) or "No metric could be computed.")
    return refs, tuple(problems)


def _baseline(matrix: ScoreMatrix, name: str) -> int | None:
    """Return the row of the baseline; None = there is no other system. Raises InputError if unknown."""
    place = matrix.systems.index(resolve_name("system", name, matrix.systems)) if name else 0
    return None if len(matrix.systems) < 2 else place


def _system_scores(
    ref: MeasureRef, matrix: ScoreMatrix, baseline: int | None, request: EvaluateRequest
) -> list[SystemScore]:
    """Return the scores of a measure, best on top."""
    values, means = matrix.values, matrix.system_means()
    low, high, reasons = mean_intervals(values, request.draws, request.seed)
    ordered = ref.sign * round_values(means, values)
    best = np.nanmax(ordered, initial=-np.inf)
    others = [] if baseline is None else [at for at in range(len(means)) if at != baseline]
    pairs = np.array([np.stack((values[baseline], values[at]), axis=1) for at in others])
    tested = dict(zip(others, paired_differences(pairs, request.draws, request.seed), strict=True))
    adjusted = dict(zip(others, holm([one.p for one in tested.values()]).tolist(), strict=True))
    scores = []
    for at in np.argsort(-ordered, kind="stable").tolist():
        score = SystemScore(
            ref.label,
            matrix.systems[at],
            float(means[at]),
            float(low[at]),
            float(high[at]),
            int(np.isfinite(values[at]).sum()),
            bool(len(means) > 1 and ordered[at] == best),
            reason=reasons[at],
            signature=ref.signature,
            higher_is_better=ref.higher_is_better,
        )
        if (one := tested.get(at)) is not None and baseline is not None:
            few = f"no test: only {pluralize(one.pairs, 'common topic')}" if one.pairs < FEWEST else ""
            score = replace(
                score,
                compared_with=matrix.systems[baseline],
                difference=one.difference,
                difference_low=one.low,
                difference_high=one.high,
                p=one.p,
                p_adjusted=adjusted[at],
                reason=score.reason or few,
            )
        scores.append(score)
    return scores


def _test_notes(
    scores: Sequence[SystemScore], listed: Sequence[ScoreMatrix], request: EvaluateRequest
) -> Iterator[str]:
    """Yield how intervals and tests were computed."""
    yield (
        "Mean: over the topics with a score, with its 95% BCa bootstrap interval over topics, "
        f"{request.draws:,} resamples, seed {request.seed}."
    )
    if baseline := next((score.compared_with for score in scores if score.compared_with), ""):
        yield (
            f"Difference: from {baseline}, over common topics, with its interval. p: paired permutation of "
            f"topics, two-sided, {request.draws:,} permutations, seed {request.seed}; Holm over the systems "
            "of each measure."
        )
        options = InferenceOptions(test=DifferenceTest.PERMUTATION_TOPICS, draws=request.draws)
        refusals = (nothing_can_differ(one.values, len(one.systems) - 1, options) for one in listed)
        if refusal := next(filter(None, refusals), ""):
            yield f"{refusal[0].upper()}{refusal[1:]}."


def _data_notes(
    study: Study, refs: Sequence[MeasureRef], correlations: Correlations | None, request: EvaluateRequest
) -> Iterator[str]:
    """Yield what metrics report and how correlations were computed."""
    if correlations is None:
        yield from filter(None, (lower_is_better(refs), footnote_of(refs), *metric_notes(study, refs)))
        return
    if request.level is None and correlations.rows[0].level is Level.GLOBAL:
        yield (
            f"With fewer than {FEWEST_SYSTEMS} systems there is no correlation of means: correlations are "
            "over all summaries (--level global)."
        )
    yield from correlations.notes


def _correlation_table(found: Correlations) -> Table:
    """Return the correlations, best on top."""
    labels, records = marked_labels(found.comparison.refs), found.records()
    first = found.rows[0]
    title = coefficient_title(first.coefficient)
    has_p = bool(records[0]["p_method"])
    columns = (
        Column("Judgement", "human"),
        Column("Measure", "measure"),
        Column(title, "value", CellKind.FINE_CORRELATION),
        *interval_ends(CellKind.FINE_CORRELATION),
        *([Column("p", "p", CellKind.P)] if has_p else ()),
        Column("n", "n", CellKind.COUNT),
        Column("Note", "note"),
    )
    rows: list[tuple[Cell, ...]] = []
    for place in found.in_order():
        note = found.eligible[place].note or records[place]["no_interval"]
        cells = {**records[place], "measure": labels[found.rows[place].measure], "note": note}
        rows.append(tuple(cells[column.key] for column in columns))
    if not any(row[-1] for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    return Table(f"{title} at {first.level} level", columns, tuple(rows))
