"""Initial against update topics of Owczarzak & Dang 2009: the tests of Tables 1 and 2, 3 and 4, 7 to 10."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

import numpy as np

from core.domain.topic_sets import INITIAL, UPDATE
from core.errors import InputError
from core.experiments.common_settings import (
    coefficient_setting,
    own_judgements_setting,
    own_measures_setting,
    seed_setting,
)
from core.experiments.experiment import Checkpoint, Experiment
from core.experiments.inputs.subset_correlations import SubsetExperiment
from core.experiments.inputs.tac_names import RESPONSIVENESS, resolve_topic_set
from core.experiments.inputs.topic_filters import judged_on, topics_of_set, whole_numbers
from core.experiments.papers.owczarzak2009 import (
    ConditionsReferences,
    ConditionsTopics,
    against_setting,
    pyramid_setting,
)
from core.experiments.tables.conditions import DRAWS_TESTED, Condition
from core.formatting.coefficients import coefficient_title
from core.formatting.tables import Cell, CellKind, Column, Table
from core.matrix import Array
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Chart, ChartKind, Result, Series
from core.stats.correlation import Coefficient
from core.stats.estimators.anova import anova

REFERENCES: Final = "references"
TOPICS: Final = "topics"


class _PartsOfSet(Checkpoint):
    """Finished parts of one set of topics."""

    def __init__(self, study: Study, experiment: Experiment, set_name: str) -> None:
        super().__init__(study, experiment)
        self._prefix = set_name[:8]

    def get(self, key: str) -> Array | None:
        return super().get(f"{self._prefix}: {key}")

    def keep(self, key: str, values: Array) -> Array:
        return super().keep(f"{self._prefix}: {key}", values)


@dataclass(frozen=True, slots=True, eq=False)
class _Correlated:
    """The conditions of one set, by judgement. labels: of the measures."""

    labels: dict[str, list[str]]
    conditions: dict[str, list[Condition]]
    notes: tuple[str, ...]
    stand_ins: tuple[str, ...]


@dataclass(frozen=True)
class ConditionsSets(Experiment):
    """Initial against update topics: the draws of both, with the paper's analysis of variance."""

    name: ClassVar[str] = "conditions-sets"
    title: ClassVar[str] = "Initial against update topics"
    about: ClassVar[str] = (
        "Correlations on initial and on update topics with fewer references or topics, and the paper's test "
        "of each difference."
    )
    scores_texts: ClassVar[bool] = True

    judgements: str = own_judgements_setting()
    measures: str = own_measures_setting()
    against: str = against_setting()
    vary: str = setting(
        REFERENCES,
        "What is drawn: references of each topic, or topics.",
        choices=(REFERENCES, TOPICS),
        title="Vary",
    )
    sizes: str = setting("", "Numbers of references or topics, separated by commas.", title="Sizes")
    draws: int = setting(1000, "Number of draws per size.", low=2, high=100_000, title="Draws")
    pyramid: bool = pyramid_setting()
    coefficient: str = coefficient_setting(Coefficient.PEARSON)
    seed: int = seed_setting()

    def missing_requirements(self, study: Study) -> str:
        return next(
            filter(None, (self._of(name).missing_requirements(study) for name in (INITIAL, UPDATE))), ""
        )

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        sides = []
        for name in (INITIAL, UPDATE):
            sides.append((yield from self._correlated(study, resources, name)))
        initial, update = sides
        tables, charts = [], []
        for human, labels in initial.labels.items():
            if human not in update.labels:
                continue
            both = [side.conditions[human] for side in sides]
            tables.append(_table(human, self.vary, labels, update.labels[human], *both))
            charts.append(_chart(human, self.vary, labels, both, Coefficient(self.coefficient)))
        if not tables:
            raise InputError("No judgement has values on both initial and update topics.")
        policy = (
            f"{coefficient_title(Coefficient(self.coefficient))} of system means over topics, "
            f"{self.draws:,} draws of {self.vary} in each set (seed {self.seed}); with all of them, as many "
            f"resamples of the systems.",
            "F and p: analysis of variance of the draws of both sets, as in the paper.",
            DRAWS_TESTED,
        )
        stand_ins = tuple(dict.fromkeys((*initial.stand_ins, *update.stand_ins)))
        warnings = tuple(dict.fromkeys((DRAWS_TESTED, *initial.notes, *update.notes)))
        return Result(self.title, tuple(tables), tuple(charts), policy, stand_ins, warnings)

    def _of(self, set_name: str) -> ConditionsReferences | ConditionsTopics:
        """Return the paper's experiment on one set."""
        shared: dict[str, Any] = {
            "judgements": self.judgements,
            "measures": self.measures,
            "against": self.against,
            "set": set_name,
            "sizes": self.sizes,
            "draws": self.draws,
            "pyramid": self.pyramid,
            "coefficient": self.coefficient,
            "seed": self.seed,
        }
        return ConditionsReferences(**shared) if self.vary == REFERENCES else ConditionsTopics(**shared)

    def _correlated(self, study: Study, resources: Resources, set_name: str) -> JobSteps[_Correlated]:
        yield Progress(0, 0, f"{set_name} topics")
        experiment = self._of(set_name)
        place = resolve_topic_set(study, set_name).name
        topics = topics_of_set(study, place)
        found = _Correlated({}, {}, (), ())
        if isinstance(experiment, ConditionsReferences):
            sources = yield from experiment.load_inputs(study, resources)
            for name, judgement in experiment.people(study).items():
                here, compared = judged_on(judgement, topics), sources.without(judgement.label)
                varied = SubsetExperiment.of(here, compared, max(whole_numbers(self.sizes), default=0))
                parts = _PartsOfSet(study, self, set_name)
                found.labels[name] = list(varied.labels)
                found.conditions[name] = yield from experiment.conditions(varied, parts)
            return replace(found, notes=(*sources.left_out, *sources.warnings), stand_ins=sources.stand_ins)
        matrices = yield from experiment.load_inputs(study, resources)
        for name, judgement in experiment.people(study).items():
            here, measures = judged_on(judgement, topics), matrices.without(judgement.label)
            found.labels[name] = [one.label for one in measures]
            found.conditions[name] = yield from experiment.conditions(here, measures)
        return replace(found, notes=(*matrices.left_out, *matrices.warnings), stand_ins=matrices.stand_ins)


def _table(
    human: str,
    vary: str,
    labels: Sequence[str],
    others: Sequence[str],
    initial: Sequence[Condition],
    update: Sequence[Condition],
) -> Table:
    """Return a row for each size and measure that both sets have.

    The row with all references or topics has one value; its bootstrapped row is tested.
    """
    columns = (
        Column(vary.capitalize(), "size"),
        Column("Measure", "measure"),
        Column("Initial", "initial", CellKind.FINE_CORRELATION),
        Column("Update", "update", CellKind.FINE_CORRELATION),
        Column("Difference", "difference", CellKind.FINE_CORRELATION),
        Column("F", "f", CellKind.SCORE),
        Column("p", "p", CellKind.P),
    )
    by_label = {condition.label: condition for condition in update}
    rows: list[tuple[Cell, ...]] = []
    for condition in initial:
        other = by_label.get(condition.label)
        for at, measure in enumerate(labels):
            if other is None or measure not in others:
                continue
            place = others.index(measure)
            first, second = float(condition.means()[at]), float(other.means()[place])
            test = anova([condition.samples[at], other.samples[place]])
            cells = (None, None) if condition.is_single else (test.f, test.p)
            rows.append((condition.label, measure, first, second, second - first, *cells))
    return Table(
        f"{human}: initial and update topics by number of {vary}", columns, tuple(rows), DRAWS_TESTED
    )


def _chart(
    human: str,
    vary: str,
    labels: Sequence[str],
    both: Sequence[Sequence[Condition]],
    coefficient: Coefficient,
) -> Chart:
    series = []
    for name, conditions in zip((INITIAL, UPDATE), both, strict=True):
        drawn = [condition for condition in conditions if np.isfinite(condition.x)]
        means = [condition.means() for condition in drawn]
        series += [
            Series(
                f"{label}, {name}",
                tuple(float(mean[at]) for mean in means),
                tuple(condition.x for condition in drawn),
            )
            for at, label in enumerate(labels)
            if all(at < len(mean) for mean in means)
        ]
    title = f"{human}: initial and update topics by number of {vary}"
    return Chart(title, ChartKind.CURVES, vary, coefficient_title(coefficient), tuple(series))


def initial_against_update(against: str, vary: str, sizes: str = "") -> Experiment:
    """Return the paper's comparison of both sets."""
    return ConditionsSets(against=against or RESPONSIVENESS, vary=vary, sizes=sizes)
