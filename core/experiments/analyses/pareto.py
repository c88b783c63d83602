"""Measures that no other measure surpasses on all judgements at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.comparison.cautions import SMALL_SAMPLE
from core.comparison.eligibility import Status, eligible_rows
from core.errors import InputError
from core.experiments.common_settings import policy, seed_setting
from core.experiments.inputs.measure_inputs import load_judgements, names_in
from core.experiments.inputs.named_matrices import ComparisonSet, load_matrices
from core.experiments.inputs.topic_filters import judged_on_any, topics_of_set
from core.experiments.measure_experiment import MeasureExperiment
from core.experiments.registry import register
from core.experiments.tables.cautions import cautions_of
from core.formatting.coefficients import coefficient_title
from core.formatting.numbers import pluralize
from core.formatting.tables import Cell, CellKind, Column, Table
from core.matrix import Array, ScoreMatrix
from core.metrics.base import Resources, setting
from core.names import first_names
from core.ports import Study
from core.progress import JobSteps, Progress, raise_if_cancelled
from core.results.result import Chart, ChartKind, Result, Series
from core.stats.correlation import Coefficient, Level
from core.stats.precision import round_to_grain
from core.stats.resample_counts import ResampleUnit
from core.stats.resampling.bootstrap import bootstrap

Where = NDArray[np.bool_]

_AT_ONCE = 200
_MOST_PAIRS = 6
"""Figures of pairs of judgements; more are left to the table."""


@register
@dataclass(frozen=True)
class ParetoFront(MeasureExperiment):
    """Find the measures that are not dominated on two or more judgements.

    Formula:
        m dominates m′ if r_j(m) ≥ r_j(m′) for all judgements j, and r_j(m) > r_j(m′) for one
        share          = bootstrap resamples in which no measure dominates m / all resamples

    Limits:
        Differences of any size count, also those due to chance: read the share of resamples too. With many
        judgements most measures are on the front. Incomplete measures, and those from a judgement's own
        annotations, are left out.
    """

    name: ClassVar[str] = "pareto"
    title: ClassVar[str] = "Pareto front of measures"
    about: ClassVar[str] = (
        "Measures for which no other one correlates better with one judgement and no worse with the others."
    )

    draws: int = setting(
        1000, "Number of resamples of systems and topics.", low=10, high=100_000, title="Draws"
    )
    seed: int = seed_setting()

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        yield Progress(0, 0, "reading scores")
        compared = load_matrices(study, names_in(self.measures))
        topics = topics_of_set(study, self.set)
        judged, refused = judged_on_any(load_judgements(study, self.judgements), topics)
        people = list(judged.values())
        if len(people) < 2:
            raise InputError(
                f"A Pareto front needs at least two judgements; there is only {people[0].label}. Rate the "
                f"summaries on another scale, or select two judgements. {' '.join(refused)}".rstrip()
            )
        ranked, notes = _ranked(compared.matrices, people)
        level, coefficient = Level(self.level), Coefficient(self.coefficient)
        shared = _shared(people)
        several = [ComparisonSet(one, ranked) for one in shared]
        values = np.array([one.correlations(level, coefficient) for one in several]).T
        draws = []
        for at, one in enumerate(several):
            yield Progress(at, len(several), one.judgement.label)
            draws.append(
                (
                    yield from bootstrap(
                        one.x,
                        one.judgement.values,
                        level,
                        coefficient,
                        ResampleUnit.BOTH,
                        self.draws,
                        self.seed,
                    )
                )
            )
        efficient = is_efficient(values)
        share = _share(draws)
        table = _table([one.label for one in ranked], shared, values, efficient, share)
        charts = _charts([one.label for one in ranked], shared, values, efficient, coefficient)
        policy_texts = (
            policy(level, coefficient),
            "A measure is on the Pareto front if no other measure correlates better with one judgement and "
            "at least as well with all others. A measure without a correlation is on no front.",
            f"Share of resamples: of {self.draws:,} bootstrap resamples of systems and topics, the same for "
            f"all judgements (seed {self.seed}), those in which the measure is on the front. A front of few "
            f"systems depends much on chance.",
            "Only systems and topics with a value of every judgement are used. Measures from a judgement's "
            "own annotations and incomplete measures are left out.",
        )
        warnings = (*cautions_of(several, level, coefficient), *compared.warnings, *refused, *notes)
        return Result(self.title, (table,), charts, policy_texts, compared.stand_ins, warnings)


def is_efficient(values: Array) -> Where:
    """Return which alternatives no other one dominates; one with a missing value is not efficient.

    values: shape (…, alternatives, criteria), larger is better, NaN = missing.
    Returns shape (…, alternatives).
    """
    return np.asarray(np.isfinite(values).all(axis=-1) & ~dominating(values).any(axis=-1), dtype=np.bool_)


def dominating(values: Array) -> Where:
    """Return by which others each alternative is dominated, shape (…, alternatives, alternatives).

    One dominates another if it is better on a criterion and no worse on any. Missing values compare with
    nothing.
    """
    values = round_to_grain(values)
    found = np.zeros((*values.shape[:-1], values.shape[-2]), dtype=np.bool_)
    for at in range(values.shape[-2]):
        others = values - values[..., at : at + 1, :]
        found[..., at, :] = (others >= 0).all(axis=-1) & (others > 0).any(axis=-1)
    return found


def _share(draws: Sequence[Array]) -> Array:
    """Return the share of resamples in which each measure is on the front, shape (measures,).

    draws: correlations with each judgement, shape (draws, measures).
    """
    total = np.zeros(draws[0].shape[1])
    for first in range(0, len(draws[0]), _AT_ONCE):
        raise_if_cancelled()
        part = np.stack([values[first : first + _AT_ONCE] for values in draws], axis=-1)
        total += is_efficient(part).sum(axis=0)
    return total / len(draws[0])


def _ranked(
    matrices: Sequence[ScoreMatrix], people: Sequence[ScoreMatrix]
) -> tuple[tuple[ScoreMatrix, ...], list[str]]:
    """Return the measures that are ranked against every judgement, and a sentence on each other one."""
    reasons: dict[int, str] = {}
    for judgement in people:
        for at, one in enumerate(eligible_rows(matrices, judgement)):
            if not one.is_ranked:
                what = (
                    one.coverage
                    if one.status is Status.INCOMPLETE
                    else f"same annotations as {judgement.label}"
                )
                reasons.setdefault(at, f"{matrices[at].label} is left out: {what}.")
    ranked = tuple(one for at, one in enumerate(matrices) if at not in reasons)
    if len(ranked) < 2:
        raise InputError(
            "A Pareto front needs at least two measures that can be ranked against every judgement. "
            + " ".join(reasons.values())
        )
    return ranked, list(reasons.values())


def _shared(people: Sequence[ScoreMatrix]) -> list[ScoreMatrix]:
    """Return the judgements on the cells that all of them have. Raises InputError if there is none."""
    first = people[0]
    fitted = [one.select(first.systems, first.topics) for one in people]
    both = np.all([np.isfinite(one.values) for one in fitted], axis=0)
    if not both.any():
        raise InputError("No summary has a value of every selected judgement. Select other judgements.")
    systems = [name for name, is_there in zip(first.systems, both.any(axis=1), strict=True) if is_there]
    topics = [name for name, is_there in zip(first.topics, both.any(axis=0), strict=True) if is_there]
    return [replace(one, values=np.where(both, one.values, np.nan)).select(systems, topics) for one in fitted]


def _table(
    labels: Sequence[str], people: Sequence[ScoreMatrix], values: Array, efficient: Where, share: Array
) -> Table:
    columns = (
        Column("Measure", "measure"),
        *(Column(one.label, one.label, CellKind.FINE_CORRELATION) for one in people),
        Column("On the front", "front"),
        Column("Share of resamples", "share", CellKind.FINE_CORRELATION),
        Column("Dominated by", "dominated_by"),
        Column("Note", "note"),
    )
    systems, topics = len(people[0].systems), len(people[0].topics)
    few = _few_systems(people)
    better = dominating(values)
    order = sorted(
        range(len(labels)),
        key=lambda at: (not efficient[at], -float(share[at]), -float(np.nansum(values[at]))),
    )
    rows: list[tuple[Cell, ...]] = []
    for at in order:
        names = [labels[other] for other in np.flatnonzero(better[at]).tolist()]
        front = "yes" if efficient[at] else "no"
        missing = "" if np.isfinite(values[at]).all() else "without a correlation, so on no front"
        marks = "; ".join(filter(None, (few, missing)))
        rows.append((labels[at], *map(float, values[at]), front, float(share[at]), first_names(names), marks))
    note = (
        f"{pluralize(int(efficient.sum()), 'measure')} of {len(labels)} on the front; "
        f"{pluralize(systems, 'system')}, {pluralize(topics, 'topic')}."
    )
    return Table("Measures on several judgements", columns, tuple(rows), note)


def _few_systems(people: Sequence[ScoreMatrix]) -> str:
    """Return why the front may mislead, empty = there are enough systems."""
    systems = len(people[0].systems)
    if systems >= SMALL_SAMPLE:
        return ""
    return f"only {pluralize(systems, 'system')}: the front depends on chance"


def _charts(
    labels: Sequence[str],
    people: Sequence[ScoreMatrix],
    values: Array,
    efficient: Where,
    coefficient: Coefficient,
) -> tuple[Chart, ...]:
    """Return a scatter plot for each pair of judgements; the front is that over all judgements."""
    charts = []
    for one, other in list(combinations(range(len(people)), 2))[:_MOST_PAIRS]:
        series = tuple(
            Series(
                name,
                tuple(map(float, values[places, other])),
                tuple(map(float, values[places, one])),
                names=tuple(labels[at] for at in places.tolist()),
            )
            for name, places in (
                ("on the front", np.flatnonzero(efficient)),
                ("dominated", np.flatnonzero(~efficient)),
            )
            if len(places)
        )
        title = f"Pareto front: {people[one].label} and {people[other].label}"
        axes = [f"{coefficient_title(coefficient)} with {people[at].label}" for at in (one, other)]
        front = f"Front over {pluralize(len(people), 'judgement')}." if len(people) > 2 else ""
        note = f"{front} {_few_systems(people).capitalize()}".strip()
        charts.append(Chart(title, ChartKind.SCATTER, axes[0], axes[1], series, note=note))
    return tuple(charts)
