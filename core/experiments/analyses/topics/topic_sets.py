"""Comparison of correlations between sets of topics.

Both sets contain the same systems, so systems are resampled jointly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from core.errors import InputError
from core.experiments.common_settings import (
    coefficient_setting,
    judgements_setting,
    level_setting,
    measures_setting,
    policy,
    seed_setting,
)
from core.experiments.experiment import Checkpoint, Experiment
from core.experiments.inputs.measure_inputs import names_in, nothing_to_compare
from core.experiments.inputs.named_matrices import ComparisonSet, compare_with_judgements, load_matrices
from core.experiments.inputs.topic_filters import judged_on, possible
from core.experiments.registry import register
from core.experiments.tables.conditions import Condition, bootstrapped, significance_letters
from core.formatting.coefficients import coefficient_title
from core.formatting.numbers import pluralize
from core.formatting.tables import Cell, CellKind, Column, Table
from core.matrix import Array, ScoreMatrix
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Chart, ChartKind, Result, Series
from core.stats.correlation import Coefficient, Level
from core.stats.estimators.anova import anova
from core.stats.resample_counts import ResampleUnit
from core.stats.resampling.bootstrap import interval
from core.stats.resampling.significance import holm


@dataclass(frozen=True, slots=True, eq=False)
class TopicSetCorrelations:
    """Correlations on one set of topics.

    values: shape (measures,). samples: of resamples, shape (measures, draws).
    """

    name: str
    topics: int
    values: Array
    samples: Array


@register
@dataclass(frozen=True)
class CompareTopicSets(Experiment):
    """Compare correlations on initial and update topics, or on any other sets of topics.

    Formula:
        d = r on one set − r on the other
        p = 2 · min(share of resampled d ≤ 0, share of resampled d ≥ 0), over resamples of the systems

    Limits:
        Only systems are resampled, so p and the intervals do not hold for other topics. F and Tukey's
        letters count each resample as an observation, as in Owczarzak & Dang 2009: with many draws nearly
        any difference is significant there.
    """

    name: ClassVar[str] = "sets"
    title: ClassVar[str] = "Initial vs update topics"
    about: ClassVar[str] = "Correlation of each measure on each set of topics, and tests of the differences."

    judgements: str = judgements_setting()
    measures: str = measures_setting()
    sets: str = setting(
        "", "Sets of topics, separated by commas. Empty = all sets of the study.", title="Sets"
    )
    draws: int = setting(1000, "Number of resamples of the systems.", low=10, high=100_000, title="Draws")
    level: str = level_setting(Level.SYSTEM)
    coefficient: str = coefficient_setting(Coefficient.PEARSON)
    seed: int = seed_setting()

    def missing_requirements(self, study: Study) -> str:
        if problem := nothing_to_compare(study, self.measures):
            return problem
        if len(_sets(study)) < 2:
            return (
                "The topics of this study are not divided into at least two sets, such as initial and update."
            )
        return ""

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        yield Progress(0, 0, "reading scores")
        compared = load_matrices(study, names_in(self.measures))
        level, coefficient = Level(self.level), Coefficient(self.coefficient)
        parts = Checkpoint(study, self)
        tables, charts = [], []
        sets = self._chosen(study)
        several, compared = compare_with_judgements(study, compared, self.judgements)
        pairs, refused = possible(
            {one.judgement.label: one for one in several}, lambda one: (one, _paired(one.judgement, sets))
        )
        for one, on_sets in pairs.values():
            correlations = yield from self._correlations(one, on_sets, parts)
            human, labels = one.judgement.label, one.labels
            tables += [
                _values_table(human, labels, correlations),
                _tests_table(human, labels, correlations),
                variance_over_sets(human, labels, correlations),
            ]
            charts.append(_bars(human, labels, correlations, coefficient))
        policy_texts = (policy(level, coefficient), *self._test_policies())
        warnings = (*compared.warnings, *refused)
        return Result(self.title, tuple(tables), tuple(charts), policy_texts, compared.stand_ins, warnings)

    def _test_policies(self) -> tuple[str, str]:
        """Return the observations that each of the two tests uses."""
        return (
            f"Intervals and p of differences: {self.draws:,} resamples of the systems, the same for all sets "
            f"(seed {self.seed}); p is two-sided: twice the smaller share of resamples on one side of zero "
            "difference.",
            "F and letters: analysis of variance of resampled correlations, then Tukey's test at 95 %, as "
            "in Owczarzak & Dang 2009. Each resample counts as an observation, so with many draws nearly any "
            "difference is significant; p (difference) does not depend on their number.",
        )

    def _chosen(self, study: Study) -> dict[str, tuple[str, ...]]:
        """Return the topics of each chosen set. Raises InputError for an unknown one."""
        known, requested = _sets(study), names_in(self.sets)
        if unknown := [name for name in requested if name not in known]:
            raise InputError(f"The study has no set of topics {unknown[0]!r}. Sets: {', '.join(known)}.")
        return {name: known[name] for name in requested or known}

    def _correlations(
        self, one: ComparisonSet, on_sets: Mapping[str, ScoreMatrix], parts: Checkpoint
    ) -> JobSteps[list[TopicSetCorrelations]]:
        level, coefficient = Level(self.level), Coefficient(self.coefficient)
        correlations = []
        for name, here in on_sets.items():
            on_set = one.on(here)
            key = f"{here.label[:40]} {name[:20]}"
            samples = parts.get(key)
            if samples is None:
                samples = yield from bootstrapped(
                    on_set.x, here.values, level, coefficient, ResampleUnit.SYSTEMS, self.draws, self.seed
                )
                parts.keep(key, samples)
            correlations.append(
                TopicSetCorrelations(name, len(here.topics), on_set.correlations(level, coefficient), samples)
            )
        return correlations


def _paired(judgement: ScoreMatrix, sets: Mapping[str, Sequence[str]]) -> dict[str, ScoreMatrix]:
    """Return the judgement on each set, restricted to systems that are judged in all sets.

    These systems are resampled jointly.
    """
    on_sets = {name: judged_on(judgement, topics) for name, topics in sets.items()}
    is_judged = np.all([np.isfinite(one.values).any(axis=1) for one in on_sets.values()], axis=0)
    judged = {name for name, is_there in zip(judgement.systems, is_judged, strict=True) if is_there}
    return {name: one.only(judged) for name, one in on_sets.items()}


def _sets(study: Study) -> dict[str, tuple[str, ...]]:
    """Return the topics of each set, in the order of the sets."""
    topics_by_set: dict[str, list[str]] = {}
    for head in study.texts.topics():
        if head.set:
            topics_by_set.setdefault(head.set, []).append(head.name)
    return {name: tuple(topics) for name, topics in topics_by_set.items()}


def p_of_difference(one: Array, other: Array) -> Array:
    """Return two-sided p-values of equal correlations from paired resamples, shape (measures, draws).

    The sample itself counts as one resample, so p is never 0. NaN = undefined.
    """
    difference = one - other
    defined = np.isfinite(difference)
    counts = defined.sum(axis=1)
    below = (np.where(defined, difference, 1.0) <= 0).sum(axis=1)
    above = (np.where(defined, difference, -1.0) >= 0).sum(axis=1)
    p = np.minimum(1.0, 2 * (np.minimum(below, above) + 1) / (counts + 1))
    return np.where(counts > 0, p, np.nan)


def _values_table(human: str, labels: Sequence[str], correlations: Sequence[TopicSetCorrelations]) -> Table:
    columns = [Column("Measure", "measure")]
    bounds = [interval(one.samples.T) for one in correlations]
    for one in correlations:
        columns += [
            Column(f"{one.name} ({pluralize(one.topics, 'topic')})", one.name, CellKind.FINE_CORRELATION),
            Column("2.5 %", f"{one.name} low", CellKind.CORRELATION),
            Column("97.5 %", f"{one.name} high", CellKind.CORRELATION),
        ]
    rows: list[tuple[Cell, ...]] = []
    for at, label in enumerate(labels):
        sides = [
            (float(one.values[at]), float(low[at]), float(high[at]))
            for one, (low, high) in zip(correlations, bounds, strict=True)
        ]
        rows.append((label, *(number for side in sides for number in side)))
    return Table(f"{human} by set of topics", tuple(columns), tuple(rows))


def _tests_table(human: str, labels: Sequence[str], correlations: Sequence[TopicSetCorrelations]) -> Table:
    pairs = list(combinations(correlations, 2))
    p = np.array([p_of_difference(one.samples, other.samples) for one, other in pairs])
    raised = holm(p.ravel()).reshape(p.shape)
    rows: list[tuple[Cell, ...]] = []
    for place, (one, other) in enumerate(pairs):
        for at, label in enumerate(labels):
            difference = float(one.values[at] - other.values[at])
            tested = float(p[place, at]), float(raised[place, at])
            rows.append((label, one.name, other.name, difference, *tested))
    columns = (
        Column("Measure", "measure"),
        Column("Set", "set"),
        Column("beside", "other"),
        Column("Difference", "difference", CellKind.FINE_CORRELATION),
        Column("p", "p", CellKind.P),
        Column("p, Holm", "p_holm", CellKind.P),
    )
    return Table(f"{human}: differences between sets", columns, tuple(rows))


def variance_over_sets(
    human: str, labels: Sequence[str], correlations: Sequence[TopicSetCorrelations]
) -> Table:
    """Return each measure's F over the sets, and its mean on each set with Tukey's letters."""
    sets = [Condition(one.name, np.nan, one.samples) for one in correlations]
    columns = [Column("Measure", "measure"), Column("F", "f", CellKind.SCORE), Column("p", "p", CellKind.P)]
    for one in correlations:
        columns += [
            Column(f"{one.name}: mean", f"{one.name} mean", CellKind.FINE_CORRELATION),
            Column("group", f"{one.name} alike"),
        ]
    rows: list[tuple[Cell, ...]] = []
    for at, label in enumerate(labels):
        tested, marks = anova([one.samples[at] for one in correlations]), significance_letters(sets, at)
        means = ((float(one.means()[at]), marks.get(one.label, "")) for one in sets)
        rows.append((label, tested.f, tested.p, *(cell for pair in means for cell in pair)))
    note = "For one measure, sets that share a letter do not differ significantly (ANOVA, then Tukey, 95 %)."
    return Table(f"{human}: analysis of variance over sets", tuple(columns), tuple(rows), note)


def _bars(
    human: str, labels: Sequence[str], correlations: Sequence[TopicSetCorrelations], coefficient: Coefficient
) -> Chart:
    series = []
    for one in correlations:
        low, high = interval(one.samples.T)
        y, below, above = (tuple(map(float, side)) for side in (one.values, low, high))
        series.append(Series(one.name, y, low=below, high=above))
    name = coefficient_title(coefficient)
    return Chart(f"{human} by set of topics", ChartKind.BARS, "", name, tuple(series), tuple(labels))
