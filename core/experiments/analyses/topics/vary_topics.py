"""Correlations of measures on fewer topics with the judgement on all topics.

Owczarzak & Dang 2009: draw a number of topics a thousand times, average systems over them, and correlate
these means with the judgement's means over all topics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.errors import InputError
from core.experiments.common_settings import coefficient_setting, policy, seed_setting
from core.experiments.inputs.draws import Numbers
from core.experiments.inputs.measure_inputs import load_judgements, names_in, with_others
from core.experiments.inputs.named_matrices import MatrixSet, load_matrices
from core.experiments.inputs.topic_filters import doubling, judged_on_any, topics_of_set, whole_numbers
from core.experiments.measure_experiment import JudgedExperiment
from core.experiments.registry import register
from core.experiments.tables.cautions import cautions_about
from core.experiments.tables.conditions import (
    NONE,
    WORDS,
    Condition,
    ConditionTables,
    bootstrap_setting,
    bootstrapped,
    condition_tables,
)
from core.formatting.numbers import pluralize
from core.formatting.tables import Column
from core.matrix import Array, ScoreMatrix
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Result
from core.stats.correlation import Coefficient, Level, row_coefficients
from core.stats.precision import normalize, weighted_sums

_ITSELF = " (itself)"
"""Ends the label of a judgement that is compared with its own value over all topics."""


@register
@dataclass(frozen=True)
class VaryTopics(JudgedExperiment):
    """Vary the number of topics, with the same draws for all measures.

    Formula:
        r(k) = mean, over draws of k topics, of the correlation of the measure's means over these topics with
               the judgement's means over all topics

    Limits:
        Draws share topics, so their spread is too small as k approaches the number of all topics. Says
        nothing about topics of another kind. A judgement correlated with its own value over all topics
        shares data with it; use `halves` for disjoint samples.
    """

    name: ClassVar[str] = "topics"
    title: ClassVar[str] = "Fewer topics"
    about: ClassVar[str] = "Correlation of system means over fewer topics with the judgement over all topics."

    sizes: str = setting(
        "", "Numbers of topics, separated by commas. Empty = 1, 2, 4, … all.", title="Topics"
    )
    draws: int = setting(1000, "Number of draws per number of topics.", low=1, high=100_000, title="Draws")
    bootstrap: str = bootstrap_setting()
    itself: bool = setting(
        False,
        "Also correlate the judgement on fewer topics with its own value over all topics. They share data, "
        "so the correlation is higher than that with another sample of topics.",
        title="Judgement itself",
    )
    coefficient: str = coefficient_setting(Coefficient.PEARSON)
    seed: int = seed_setting()

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        matrices = yield from self.load_inputs(study, resources)
        topics = topics_of_set(study, self.set)
        results, alone = [], []
        every = self.people(study)
        judged_by = every if self._names_one(every) else with_others(every, matrices.labels)
        people, refused = judged_on_any(judged_by, topics)
        for here in people.values():
            compared = matrices.without(here.label)
            if self._has_itself(here):
                compared = (*compared, replace(here, label=here.label + _ITSELF))
                alone.append(here.label)
            conditions = yield from self.conditions(here, compared)
            results.append(self._tables(here, compared, conditions))
        return Result(
            self.title,
            tuple(table for one in results for table in one.tables),
            tuple(one.chart for one in results),
            (policy(Level.SYSTEM, Coefficient(self.coefficient)), *self._policy()),
            matrices.stand_ins,
            (
                *refused,
                *matrices.left_out,
                *cautions_about(matrices.matrices, people, Level.SYSTEM, Coefficient(self.coefficient)),
                *matrices.warnings,
                *(_shares_data(label) for label in alone),
                *dict.fromkeys(text for one in results for text in one.notices),
            ),
        )

    def _has_itself(self, judgement: ScoreMatrix) -> bool:
        """Return whether the judgement is compared with its own value over all topics.

        So it is if it is named as a judgement and as a measure.
        """
        named = set(names_in(self.measures)) & set(names_in(self.judgements))
        return self.itself or judgement.label in named

    def _names_one(self, people: Mapping[str, ScoreMatrix]) -> bool:
        return any(self._has_itself(one) for one in people.values())

    def people(self, study: Study) -> Mapping[str, ScoreMatrix]:
        """Return the judgements, restricted to automatic systems."""
        return load_judgements(study, self.judgements)

    def load_inputs(self, study: Study, resources: Resources) -> JobSteps[MatrixSet]:
        """Return the measures."""
        yield Progress(0, 0, "reading scores")
        return load_matrices(study, names_in(self.measures))

    def conditions(
        self, judgement: ScoreMatrix, compared: Sequence[ScoreMatrix]
    ) -> JobSteps[list[Condition]]:
        """Return a condition for each number of topics, and the bootstrap of the full sample."""
        if not compared:
            raise InputError(f"No measures left to compare with {judgement.label}.")
        x = np.array([one.select(judgement.systems, judgement.topics).values for one in compared])
        most, coefficient = len(judgement.topics), Coefficient(self.coefficient)
        requested = whole_numbers(self.sizes) or doubling(most)
        sizes = [size for size in requested if size < most] + [most] * (requested[-1] >= most)
        conditions: list[Condition] = []
        for at, size in enumerate(sizes):
            yield Progress(at, len(sizes), f"{size} of {most} topics")
            is_all = size == most
            if is_all and self.bootstrap != NONE:
                resamples = yield from bootstrapped(
                    x, judgement.values, Level.SYSTEM, coefficient, self.bootstrap, self.draws, self.seed
                )
                for place, one in enumerate(compared):
                    if one.label.endswith(_ITSELF):
                        resamples[place] = np.nan  # 1 in every resample
                conditions.append(Condition(f"{size} (bootstrapped)", np.nan, resamples))
            chosen = np.ones((1, most)) if is_all else some_topics(most, size, self.draws, self.seed)
            samples = np.array([of_means(one, judgement.values, chosen, coefficient) for one in x])
            conditions.append(Condition(f"{size} (actual)" if is_all else str(size), size, samples, is_all))
        return conditions

    def _tables(
        self, judgement: ScoreMatrix, compared: Sequence[ScoreMatrix], conditions: Sequence[Condition]
    ) -> ConditionTables:
        most = len(judgement.topics)
        too_large = [size for size in whole_numbers(self.sizes) if size > most]
        notices = [f"{judgement.label} covers only {pluralize(most, 'topic')}, which limits the draws."]
        found = condition_tables(
            f"{judgement.label} on {pluralize(most, 'topic')}, measures on fewer",
            Column("Topics", "topics"),
            "topics",
            Coefficient(self.coefficient),
            [one.label for one in compared],
            conditions,
            notices if too_large else (),
        )
        if not self._has_itself(judgement):
            return found
        note = _shares_data(judgement.label)
        return replace(
            found,
            tables=tuple(replace(one, note=f"{one.note} {note}".strip()) for one in found.tables),
            chart=replace(found.chart, note=f"{found.chart.note} {note}".strip()),
        )

    def _policy(self) -> list[str]:
        policy_texts = [
            f"Each of {self.draws:,} draws takes the given number of topics at random, the same for all "
            f"measures (seed {self.seed}). Measures are averaged over these topics, the judgement over all "
            "topics; the table gives the mean of the correlations."
        ]
        if self.bootstrap != NONE:
            policy_texts.append(
                f"Bootstrapped: {self.draws:,} resamples of the full sample over {WORDS[self.bootstrap]}."
            )
        return policy_texts


def _shares_data(label: str) -> str:
    return (
        f"{label}{_ITSELF}: the judgement on fewer topics and on all topics share the data of the fewer "
        f"ones, so this correlation is too high to compare with a measure's, and 1 on all topics."
    )


def some_topics(topics: int, size: int, draws: int, seed: int) -> Array:
    """Return 1 for each topic in a draw, else 0, drawn without replacement; shape (draws, topics)."""
    order = shuffled(topics, draws, [seed, size])
    chosen = np.zeros((draws, topics))
    np.put_along_axis(chosen, order[:, :size], 1.0, axis=1)
    return chosen


def shuffled(things: int, draws: int, seed: Sequence[int]) -> Numbers:
    """Return a random permutation for each draw, shape (draws, count)."""
    each = np.tile(np.arange(things, dtype=np.int64), (draws, 1))
    return np.random.default_rng(list(seed)).permuted(each, axis=1)


def of_means(x: Array, z: Array, chosen: Array, coefficient: Coefficient) -> Array:
    """Return the correlation of x's means over each draw's topics with z's means over all, shape (draws,).

    x, z: shape (systems, topics), NaN = missing; a cell counts if both have a value.
    chosen: shape (draws, topics).
    """
    both = np.isfinite(x) & np.isfinite(z)
    left = means_over(np.where(both, x, np.nan), chosen)
    right = means_over(np.where(both, z, np.nan), np.ones((1, z.shape[1])))
    right = np.where(np.isfinite(left), right, np.nan)
    return row_coefficients(np.where(np.isfinite(right), left, np.nan), right, coefficient)


def means_over(x: Array, chosen: Array) -> Array:
    """Return normalized system means over each draw's topics, shape (draws, systems), NaN = none.

    For `row_coefficients`, which rounds them.
    """
    there = np.isfinite(x)
    counts = chosen @ there.T.astype(np.float64)
    sums = weighted_sums(chosen, np.where(there, normalize(x), 0.0))
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
