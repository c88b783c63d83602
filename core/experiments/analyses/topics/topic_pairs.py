"""Pairs of topics on the same subject, such as an initial and an update topic, compared as pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.domain.topic_sets import SET_LETTERS, subject_of
from core.errors import InputError
from core.experiments.common_settings import (
    coefficient_setting,
    judgements_setting,
    measures_setting,
    policy,
    seed_setting,
)
from core.experiments.experiment import Experiment
from core.experiments.inputs.measure_inputs import names_in, nothing_to_compare
from core.experiments.inputs.named_matrices import ComparisonSet, compare_with_judgements, load_matrices
from core.experiments.inputs.tac_names import resolve_topic_set
from core.experiments.inputs.topic_filters import topics_of_set
from core.experiments.registry import register
from core.experiments.tables.cautions import cautions_of
from core.formatting.coefficients import coefficient_title
from core.formatting.numbers import pluralize
from core.formatting.tables import Cell, CellKind, Column, Table, interval_ends
from core.matrix import Array, ScoreMatrix
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Chart, ChartKind, Result, Series
from core.stats.correlation import Coefficient, Level, row_coefficients
from core.stats.measure_stack import MeasureStack
from core.stats.paired_differences import PairedDifference, paired_differences
from core.stats.precision import normalize
from core.stats.resampling.significance import holm

FEWEST_PAIRS = 5
_MOST_SCATTERS = 6


@register
@dataclass(frozen=True)
class TopicPairs(Experiment):
    """Compare initial and update topics of the same subjects, pair by pair.

    Formula:
        d = mean, over pairs, of the value on the second topic − the value on the first
        p = (1 + #{|d*| ≥ |d|}) / (1 + B), where d* has the two topics of each pair exchanged at random

    Limits:
        Correlations within one topic rest on few systems and vary much. Intervals and p hold for other
        subjects, not for other systems. Needs at least five pairs for an interval.
    """

    name: ClassVar[str] = "topic-pairs"
    title: ClassVar[str] = "Pairs of initial and update topics"
    about: ClassVar[str] = (
        "Differences between the two topics of one subject: of each measure's correlation, and of each "
        "system's judgement."
    )

    judgements: str = judgements_setting()
    measures: str = measures_setting()
    sets: str = setting(
        "initial, update",
        "The two sets of topics, separated by a comma. Topics whose names differ only in the set are a pair, "
        "such as D0801-A and D0801-B.",
        title="Sets",
    )
    draws: int = setting(
        10_000, "Number of permutations and resamples of pairs.", low=100, high=100_000, title="Draws"
    )
    coefficient: str = coefficient_setting(Coefficient.PEARSON)
    seed: int = seed_setting()

    def missing_requirements(self, study: Study) -> str:
        if problem := nothing_to_compare(study, self.measures):
            return problem
        try:
            self._pairs(study)
        except InputError as error:
            return str(error)
        return ""

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        yield Progress(0, 0, "reading scores")
        names, pairs = self._pairs(study)
        compared = load_matrices(study, names_in(self.measures))
        coefficient = Coefficient(self.coefficient)
        several, compared = compare_with_judgements(study, compared, self.judgements)
        tables: list[Table] = []
        charts: list[Chart] = []
        warnings: list[str] = []
        for at, one in enumerate(several):
            yield Progress(at, len(several), one.judgement.label)
            label = one.judgement.label
            judged = {
                subject: pair
                for subject, pair in pairs.items()
                if all(name in one.judgement.topics for name in pair)
            }
            if len(judged) < FEWEST_PAIRS:
                warnings.append(
                    f"{label} is left out: {pluralize(len(judged), 'judged pair')}; at least {FEWEST_PAIRS} "
                    f"are needed."
                )
                continue
            sides = [one.on(_part(one, [pair[side] for pair in judged.values()])) for side in (0, 1)]
            values = np.stack(
                [MeasureStack(side.x).topic_values(side.judgement.values, coefficient) for side in sides],
                axis=-1,
            )  # measures, pairs, sides
            found = paired_differences(values, self.draws, self.seed)
            tables.append(_correlations(label, names, one.labels, values, found))
            systems = np.stack([side.judgement.values for side in sides], axis=-1)
            tables.append(_systems(label, names, one, systems, self.draws, self.seed))
            tables.append(_pairs_table(label, names, one.labels, judged, values))
            charts += _charts(label, names, one.labels, list(judged), values, found, coefficient)
        if not tables:
            raise InputError(" ".join(warnings))
        policy_texts = (
            policy(Level.TOPIC, coefficient),
            f"Difference = {names[1]} minus {names[0]}, pair by pair; a pair counts if both topics have a "
            f"value.",
            f"95 % BCa bootstrap interval over pairs, {self.draws:,} resamples; p by permutation of the two "
            f"topics of each pair, two-sided, {self.draws:,} permutations, seed {self.seed}; Holm's "
            f"adjustment over the rows.",
            "Agreement = Pearson's r, over pairs, of the values of both topics: whether the same subjects "
            "are difficult in both sets.",
        )
        warnings += cautions_of(several, Level.TOPIC, coefficient)
        return Result(
            self.title, tuple(tables), tuple(charts), policy_texts, compared.stand_ins,
            (*warnings, *compared.warnings),
        )  # fmt: skip

    def _pairs(self, study: Study) -> tuple[tuple[str, str], dict[str, tuple[str, str]]]:
        """Return the names of both sets, and the topics of each subject. Raises InputError."""
        asked = names_in(self.sets)
        if len(asked) != 2:
            raise InputError("Name two sets of topics, such as `sets=initial,update`.")
        names = [resolve_topic_set(study, name).name for name in asked]
        if not all(names) or names[0] == names[1]:
            raise InputError(
                "The topics of this study are not divided into two sets, such as initial and update. Move "
                "topics to sets first (Texts, or `pyramidion topics`)."
            )
        sides = [topics_of_set(study, name) for name in names]
        letters = [SET_LETTERS.get(query, "") for query in asked]
        pairs = pair_topics(sides[0], sides[1], names, letters)
        if not pairs:
            raise InputError(
                f"No topic of {names[0]} has a counterpart in {names[1]}: names of a pair differ only in "
                f"the set, such as D0801-A and D0801-B. Topics: {sides[0][0]}, {sides[1][0]} …"
            )
        return (names[0], names[1]), pairs


def pair_topics(
    first: Sequence[str], second: Sequence[str], sets: Sequence[str], letters: Sequence[str]
) -> dict[str, tuple[str, str]]:
    """Return the topics of each subject that has exactly one in either set, by subject.

    first, second: names of topics. sets: names of the sets. letters: TAC's letters for them, empty = none.
    """
    subjects: list[dict[str, list[str]]] = []
    for names, set_name, letter in zip((first, second), sets, letters, strict=True):
        found: dict[str, list[str]] = {}
        for name in names:
            found.setdefault(subject_of(name, set_name, letter), []).append(name)
        subjects.append(found)
    one, other = subjects
    return {
        subject: (names[0], other[subject][0])
        for subject, names in one.items()
        if subject and len(names) == 1 and len(other.get(subject, ())) == 1
    }


def _part(one: ComparisonSet, topics: Sequence[str]) -> ScoreMatrix:
    return one.judgement.select(one.judgement.systems, topics)


def _difference_columns(names: Sequence[str], kind: CellKind) -> tuple[Column, ...]:
    return (
        Column("Pairs", "pairs", CellKind.COUNT),
        Column(names[0], names[0], kind),
        Column(names[1], names[1], kind),
        Column("Difference", "difference", kind),
        *interval_ends(kind),
        Column("p", "p", CellKind.P),
        Column("p, Holm", "p_holm", CellKind.P),
    )


def _difference_cells(found: Sequence[PairedDifference]) -> list[tuple[Cell, ...]]:
    raised = holm(np.array([one.p for one in found]))
    return [
        (one.pairs, one.first, one.second, one.difference, one.low, one.high, one.p, float(p))
        for one, p in zip(found, raised, strict=True)
    ]


def _correlations(
    label: str, names: Sequence[str], labels: Sequence[str], values: Array, found: Sequence[PairedDifference]
) -> Table:
    kind = CellKind.FINE_CORRELATION
    columns = (
        Column("Measure", "measure"),
        *_difference_columns(names, kind),
        Column("Agreement", "agreement", kind),
    )
    rows = tuple(
        (name, *cells, _agreement(value))
        for name, cells, value in zip(labels, _difference_cells(found), values, strict=True)
    )
    return Table(f"{label}: correlation within topics, {names[0]} and {names[1]}", columns, rows)


def _agreement(pairs: Array) -> float:
    """Return Pearson's r of both sides over pairs, NaN = undefined. pairs: shape (pairs, 2)."""
    there = pairs[np.isfinite(pairs).all(axis=1)]
    x, z = (normalize(side)[None] for side in there.T)
    return float(row_coefficients(x, z, Coefficient.PEARSON)[0])


def _systems(
    label: str, names: Sequence[str], one: ComparisonSet, values: Array, draws: int, seed: int
) -> Table:
    columns = (Column("System", "system"), *_difference_columns(names, CellKind.SCORE))
    found = paired_differences(values, draws, seed)
    cells = _difference_cells(found)
    order = sorted(range(len(found)), key=lambda at: -np.nan_to_num(found[at].first, nan=-np.inf))
    rows = tuple((one.judgement.systems[at], *cells[at]) for at in order if found[at].pairs)
    return Table(f"{label}: systems on {names[0]} and {names[1]} topics", columns, rows)


def _pairs_table(
    label: str,
    names: Sequence[str],
    labels: Sequence[str],
    pairs: Mapping[str, tuple[str, str]],
    values: Array,
) -> Table:
    kind = CellKind.FINE_CORRELATION
    columns = (
        Column("Measure", "measure"),
        Column("Subject", "subject"),
        Column(f"{names[0]} topic", "first_topic"),
        Column(f"{names[1]} topic", "second_topic"),
        Column(names[0], "first", kind),
        Column(names[1], "second", kind),
        Column("Difference", "difference", kind),
    )
    rows = tuple(
        (name, subject, *pair, float(both[0]), float(both[1]), float(both[1] - both[0]))
        for name, mine in zip(labels, values, strict=True)
        for (subject, pair), both in zip(pairs.items(), mine, strict=True)
    )
    return Table(f"{label}: pairs of topics", columns, rows)


def _charts(
    label: str,
    names: Sequence[str],
    labels: Sequence[str],
    subjects: Sequence[str],
    values: Array,
    found: Sequence[PairedDifference],
    coefficient: Coefficient,
) -> list[Chart]:
    symbol = coefficient_title(coefficient)
    bars = Series(
        label,
        tuple(one.difference for one in found),
        low=tuple(one.low for one in found),
        high=tuple(one.high for one in found),
    )
    title = f"{label}: {names[1]} minus {names[0]}"
    charts = [Chart(title, ChartKind.BARS, "", f"difference of {symbol}", (bars,), tuple(labels))]
    for name, both in list(zip(labels, values, strict=True))[:_MOST_SCATTERS]:
        there = np.isfinite(both).all(axis=1)
        dots = Series(
            name,
            tuple(map(float, both[there, 1])),
            tuple(map(float, both[there, 0])),
            names=tuple(subject for subject, is_there in zip(subjects, there, strict=True) if is_there),
        )
        first, second = (f"{symbol}, {side} topic" for side in names)
        title = f"{name} with {label}, by subject"
        charts.append(Chart(title, ChartKind.SCATTER, first, second, (dots,)))
    return charts
