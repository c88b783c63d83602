"""Split-half stability of judgements: two disjoint samples of the same systems.

Voorhees & Buckley 2002 for topics; Owczarzak & Dang 2009 for topics and for the references of a pyramid.
Larger halves come closer to the stability of the full judgement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from core.comparison.judgements import unit_judgement
from core.comparison.pyramid_judgements import PyramidJudgement
from core.errors import InputError
from core.experiments.analyses.topics.vary_topics import means_over, shuffled
from core.experiments.common_settings import (
    coefficient_setting,
    judgements_setting,
    level_setting,
    policy,
    seed_setting,
)
from core.experiments.experiment import Experiment
from core.experiments.inputs.draws import Numbers, correlations_of_draws
from core.experiments.inputs.measure_inputs import NO_PYRAMIDS, load_judgements, names_in, no_judgements
from core.experiments.inputs.subset_correlations import SubsetExperiment
from core.experiments.inputs.subset_scores import pyramid_scores
from core.experiments.inputs.topic_filters import (
    doubling,
    judged_on,
    possible,
    set_setting,
    topics_of_set,
    whole_numbers,
)
from core.experiments.registry import register
from core.experiments.tables.conditions import Condition, condition_tables, histogram
from core.formatting.tables import Column
from core.matrix import Array, ScoreMatrix
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Result
from core.stats.correlation import Coefficient, Level, row_coefficients

TOPICS, REFERENCES = "topics", "references"


@dataclass(frozen=True, slots=True, eq=False)
class SplitJudgement:
    """Judgement to be split. label: shown in tables. name: of the judgement. topics: names of those split."""

    label: str
    name: str
    judgement: ScoreMatrix
    topics: Sequence[str]


@dataclass(frozen=True, slots=True, eq=False)
class _Divided:
    """Judgement on its topics. most: of the largest sample. varied: by references, None = by topics."""

    label: str
    judgement: ScoreMatrix
    most: int
    varied: SubsetExperiment | None


@register
@dataclass(frozen=True)
class SplitHalf(Experiment):
    """Correlate pairs of samples of equal size that share no topic, or no reference.

    Formula:
        r(k) = mean, over draws, of the correlation of the judgement on k topics (or references) with the
               judgement on k others

    Limits:
        The largest sample is half of the topics, so the reliability of all of them is higher;
        Spearman–Brown: 2r / (1 + r). Draws share topics, so their spread is not a standard error.
    """

    name: ClassVar[str] = "halves"
    title: ClassVar[str] = "Stability of judgements"
    about: ClassVar[str] = (
        "Correlation of a judgement with itself on two disjoint samples of topics, or of a pyramid's "
        "references."
    )

    judgements: str = judgements_setting()
    of: str = setting(
        TOPICS,
        "What is split: topics, or the references of each topic (pyramid scores only).",
        choices=(TOPICS, REFERENCES),
        title="Divided",
    )
    set: str = set_setting()
    sizes: str = setting(
        "", "Sizes of the samples, separated by commas. Empty = 1, 2, 4, … half.", title="Sizes"
    )
    draws: int = setting(1000, "Number of sample pairs per size.", low=1, high=100_000, title="Draws")
    level: str = level_setting(Level.SYSTEM)
    coefficient: str = coefficient_setting(Coefficient.PEARSON)
    seed: int = seed_setting()

    def unused(self) -> dict[str, str]:
        return {"level": f"of={TOPICS}, which compares system means"} if self.of == TOPICS else {}

    def missing_requirements(self, study: Study) -> str:
        if self.of == REFERENCES:
            return "" if unit_judgement(study) else NO_PYRAMIDS
        return no_judgements(study)

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        yield Progress(0, 0, "reading judgements")
        coefficient = Coefficient(self.coefficient)
        samples_by_label: dict[str, Mapping[int, Array]] = {}
        chosen = {one.label: one for one in self.chosen(study)}
        possible_ones, refused = possible(chosen, lambda one: self._divided(study, one))
        for divided in possible_ones.values():
            samples_by_label[divided.label] = yield from self._samples(divided)
        conditions, labels = together(samples_by_label), list(samples_by_label)
        unit = "topics" if self.of == TOPICS else "references of each topic"
        title = f"Correlation of two disjoint samples of {unit}"
        table = condition_tables(
            title, Column(unit.capitalize(), "size"), unit, coefficient, labels, conditions
        )
        level = Level(self.level)
        spread = histogram(f"{title}: draws", coefficient, conditions, labels, unit.capitalize())
        return Result(
            self.title,
            table.tables,
            (*spread, table.chart),
            (policy(level, coefficient), self._policy(unit)),
            self.stand_ins(study),
            (*refused, *table.notices),
        )

    def chosen(self, study: Study) -> list[SplitJudgement]:
        """Return the judgements to split.

        The chosen ones, or all (pyramid scores only if references are split).
        """
        topics = topics_of_set(study, self.set)
        judgements = load_judgements(study, self.judgements)
        if self.of == REFERENCES and not names_in(self.judgements):
            judgements = {name: one for name, one in judgements.items() if PyramidJudgement.read(name)}
        return [SplitJudgement(name, name, one, topics) for name, one in judgements.items()]

    def stand_ins(self, study: Study) -> tuple[str, ...]:
        """Return a sentence for each substitute of a paper's judgement or topics."""
        return ()

    def _divided(self, study: Study, one: SplitJudgement) -> _Divided:
        """Return a judgement on its topics. Raises InputError if there are too few to split."""
        judgement = judged_on(one.judgement, one.topics)
        varied = None
        if self.of == REFERENCES:
            varied = SubsetExperiment.of(judgement, [pyramid_scores(study, one.name)])
        most = (varied.fewest if varied else len(judgement.topics)) // 2
        if not most:
            raise InputError(f"{one.name} cannot be split: it has only one of the {self.of}.")
        return _Divided(one.label, judgement, most, varied)

    def _samples(self, divided: _Divided) -> JobSteps[dict[int, Array]]:
        """Compute the correlations of the draws by size, shape (draws,) each."""
        most, varied = divided.most, divided.varied
        sizes = [size for size in whole_numbers(self.sizes) if size <= most] or doubling(most)
        samples = {}
        for at, size in enumerate(sizes):
            yield Progress(at, len(sizes), f"{divided.label} · {size} of {2 * most} {self.of}")
            if varied:
                samples[size] = yield from self._by_references(varied, size)
            else:
                samples[size] = self._by_topics(divided.judgement, size)
        return samples

    def _by_topics(self, judgement: ScoreMatrix, size: int) -> Array:
        """Correlate system means over two disjoint sets of topics."""
        topics = judgement.values.shape[1]
        order = shuffled(topics, self.draws, [self.seed, size])
        sides = []
        for places in (order[:, :size], order[:, size : 2 * size]):
            chosen = np.zeros((self.draws, topics))
            np.put_along_axis(chosen, places, 1.0, axis=1)
            sides.append(means_over(judgement.values, chosen))
        both = np.isfinite(sides[0]) & np.isfinite(sides[1])
        left, right = (np.where(both, side, np.nan) for side in sides)
        return row_coefficients(left, right, Coefficient(self.coefficient))

    def _by_references(self, varied: SubsetExperiment, size: int) -> JobSteps[Array]:
        alternatives = yield from varied.alternatives(varied.sources[0], size)
        pairs = [
            disjoint_subsets(int(count), size, self.draws, [self.seed, size, at])
            for at, count in enumerate(varied.references)
        ]
        left, right = (np.column_stack([pair[side] for pair in pairs]) for side in (0, 1))
        level, coefficient = Level(self.level), Coefficient(self.coefficient)
        return correlations_of_draws(alternatives, alternatives, left, right, level, coefficient)

    def _policy(self, unit: str) -> str:
        return (
            f"Each of {self.draws:,} draws takes two disjoint samples of {unit} (seed {self.seed}); the "
            "judgement on one is correlated with the judgement on the other."
        )


def disjoint_subsets(things: int, size: int, draws: int, seed: Sequence[int]) -> tuple[Numbers, Numbers]:
    """Return the lexical numbers of pairs of disjoint subsets, shape (draws,) each."""
    number = {chosen: at for at, chosen in enumerate(combinations(range(things), size))}
    order = shuffled(things, draws, seed)
    left, right = (
        np.array([number[tuple(row)] for row in np.sort(side, axis=1).tolist()], dtype=np.int64)
        for side in (order[:, :size], order[:, size : 2 * size])
    )
    return left, right


def together(samples_by_label: Mapping[str, Mapping[int, Array]]) -> list[Condition]:
    """Return conditions by size with judgements as columns; NaN if a judgement has no sample of a size."""
    sizes = sorted({size for samples in samples_by_label.values() for size in samples})
    draws = max(row.size for samples in samples_by_label.values() for row in samples.values())
    nothing = np.full(draws, np.nan)
    return [
        Condition(
            str(size), size, np.array([samples.get(size, nothing) for samples in samples_by_label.values()])
        )
        for size in sizes
    ]
