"""Correlations with fewer references, computed from stored statistics without scoring again.

Owczarzak & Dang 2009 draw a number of references per topic and average a thousand correlations; Wang et al.
2020 average over every subset.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb
from typing import Any, ClassVar

import numpy as np

from core.errors import InputError
from core.experiments.common_settings import coefficient_setting, level_setting, policy, seed_setting
from core.experiments.experiment import Checkpoint
from core.experiments.inputs.draws import Numbers
from core.experiments.inputs.measure_inputs import load_judgements, names_in, no_judgements, with_others
from core.experiments.inputs.subset_correlations import SubsetExperiment
from core.experiments.inputs.subset_inputs import SubsetSources, load_sources, missing_subset_data
from core.experiments.inputs.topic_filters import judged_on, possible, topics_of_set, whole_numbers
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
from core.formatting.tables import Column
from core.matrix import ScoreMatrix
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Result
from core.stats.correlation import Coefficient, Level

ALL, RANDOM = "all", "random"


def subsets_setting(default: str) -> Any:
    explained = (
        "random = a random subset per topic; all = every subset, with the same positions in all topics."
    )
    return setting(default, explained, choices=(RANDOM, ALL), title="Subsets")


@register
@dataclass(frozen=True)
class VaryReferences(JudgedExperiment):
    """Vary the number of references per topic, with the same draws for all measures.

    Formula:
        r(k) = mean, over draws, of the correlation of the judgement with the measure on k references

    Limits:
        Draws share references, so their spread is smaller than that between independent sets of references,
        and it is 0 for all references; the bootstrapped row shows the uncertainty due to systems. Metrics
        that use all references together (BLEU, CIDEr) are scored again for each subset.
    """

    name: ClassVar[str] = "references"
    title: ClassVar[str] = "Fewer references"
    about: ClassVar[str] = "Correlation of measures and pyramid scores with 1, 2, … references per topic."

    sizes: str = setting(
        "", "Numbers of references, separated by commas. Empty = 1, 2, … all.", title="References"
    )
    subsets: str = subsets_setting(RANDOM)
    draws: int = setting(
        1000, "Number of draws per number of references.", low=1, high=100_000, title="Draws"
    )
    bootstrap: str = bootstrap_setting()
    level: str = level_setting(Level.SYSTEM)
    coefficient: str = coefficient_setting(Coefficient.PEARSON)
    seed: int = seed_setting()

    def missing_requirements(self, study: Study) -> str:
        return no_judgements(study) or missing_subset_data(study)

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        sources = yield from self.load_inputs(study, resources)
        topics, parts = topics_of_set(study, self.set), Checkpoint(study, self)
        results, most = [], max(whole_numbers(self.sizes), default=0)
        experiments, refused = possible(
            with_others(self.people(study), sources.labels),
            lambda z: SubsetExperiment.of(judged_on(z, topics), sources.without(z.label), most),
        )
        for varied in experiments.values():
            conditions = yield from self.conditions(varied, parts)
            results.append(self._tables(varied, conditions))
        return Result(
            self.title,
            tuple(table for one in results for table in one.tables),
            tuple(one.chart for one in results),
            (policy(Level(self.level), Coefficient(self.coefficient)), *self._policy()),
            sources.stand_ins,
            (
                *refused,
                *sources.left_out,
                *sources.warnings,
                *dict.fromkeys(text for one in results for text in one.notices),
            ),
        )

    def people(self, study: Study) -> Mapping[str, ScoreMatrix]:
        """Return the judgements, restricted to automatic systems."""
        return load_judgements(study, self.judgements)

    def load_inputs(self, study: Study, resources: Resources) -> JobSteps[SubsetSources]:
        """Return the measures."""
        yield Progress(0, 0, "reading scores")
        return load_sources(study, names_in(self.measures))

    def conditions(self, varied: SubsetExperiment, parts: Checkpoint) -> JobSteps[list[Condition]]:
        """Return a condition for each number of references, and the bootstrap of the full sample."""
        level, coefficient = Level(self.level), Coefficient(self.coefficient)
        per_size: list[Condition] = []
        chosen_sizes = whole_numbers(self.sizes) or list(range(1, varied.fewest + 1))
        for at, size in enumerate(chosen_sizes):
            yield Progress(at, len(chosen_sizes), f"{size} of the references of each topic")
            draws, key = self._draws(varied, size), f"{varied.judgement.label[:48]} {size}"
            samples = parts.get(key)
            if samples is None:
                samples = yield from varied.correlations(size, draws, level, coefficient)
                parts.keep(key, samples)
            if len(draws) == 1 and self.bootstrap != NONE:
                full = bootstrapped(
                    varied.full(),
                    varied.judgement.values,
                    level,
                    coefficient,
                    self.bootstrap,
                    self.draws,
                    self.seed,
                )
                per_size.append(Condition(f"{size} (bootstrapped)", np.nan, (yield from full)))
            is_all = len(draws) == 1
            per_size.append(
                Condition(f"{size} (actual)" if is_all else str(size), size, samples, is_single=is_all)
            )
        return per_size

    def _draws(self, varied: SubsetExperiment, size: int) -> Numbers:
        """Return the index of the subset that each draw takes for each topic, shape (draws, topics)."""
        counts = np.array([comb(int(n), size) for n in varied.references])
        if counts.max() == 1:
            return np.zeros((1, len(counts)), dtype=np.int64)
        if self.subsets == RANDOM:
            return np.random.default_rng([self.seed, size]).integers(0, counts, (self.draws, len(counts)))
        if not varied.is_even:
            raise InputError(
                "Topics have different numbers of references, so no subset fits all of them. "
                "Draw random subsets instead (setting Subsets: random)."
            )
        return np.repeat(np.arange(counts[0])[:, None], len(counts), axis=1)

    def _tables(self, varied: SubsetExperiment, conditions: list[Condition]) -> ConditionTables:
        judgement, coefficient = varied.judgement, Coefficient(self.coefficient)
        people = {judgement.label: judgement}
        cautions = cautions_about(varied.matrices(), people, Level(self.level), coefficient)
        title = f"Correlation with {judgement.label} by number of references"
        head = Column("References", "references")
        return condition_tables(
            title,
            head,
            "references per topic",
            coefficient,
            varied.labels,
            conditions,
            (*varied.left_out, *cautions),
        )

    def _policy(self) -> list[str]:
        drawn = (
            f"Each of {self.draws:,} draws takes the given number of references per topic at random, the "
            f"same for all measures (seed {self.seed})"
            if self.subsets == RANDOM
            else "Every subset of the given size is used, with the same author positions in all topics"
        )
        policy_texts = [f"{drawn}; the table gives the mean of the correlations."]
        if self.bootstrap != NONE:
            policy_texts.append(
                f"Bootstrapped: {self.draws:,} resamples of the full sample over {WORDS[self.bootstrap]}."
            )
        return policy_texts
