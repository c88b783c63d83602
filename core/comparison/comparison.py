"""Correlation of a study's measures with its judgements."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from core.comparison.eligibility import Eligibility, Status, common_part, eligibilities
from core.comparison.families import family_of
from core.comparison.judgements import judgement_matrices
from core.comparison.measures import MeasureRef, find_measure, matrices, measures_for
from core.comparison.measures import measures as stored_measures
from core.comparison.options import SystemSelection, Variants
from core.comparison.pyramid_judgements import with_humans
from core.comparison.stand_ins import stand_in_of
from core.comparison.text_differences import (
    SystemTexts,
    comparison_cautions,
    reference_caution,
    texts_of_systems,
)
from core.domain.reference_authors import reference_system_name
from core.domain.study import SystemKind
from core.errors import InputError
from core.matrix import Array, ScoreMatrix, align_matrices
from core.names import resolve_name
from core.ports import Study
from core.stats.correlation import Coefficient, Correlation, Level, UndefinedPolicy, correlate
from core.stats.measure_stack import MeasureStack


@dataclass(frozen=True, slots=True)
class CorrelationRow:
    """Correlation of a measure with a judgement. See `Correlation` for value, n, dropped, tie_threshold.

    It has no p: that depends on the method of inference, see `core.comparison.inference.p_method`.
    stand_in: as returned by `stand_in_of`.
    """

    measure: str
    signature: str
    family: str
    human: str
    level: Level
    coefficient: Coefficient
    value: float
    n: int
    dropped: int
    stand_in: str = ""
    tie_threshold: float = math.nan
    higher_is_better: bool = True

    @property
    def ranked_by(self) -> float:
        """The value by which measures are ranked, the largest first: negated where lower is better."""
        return self.sign * self.value

    @property
    def sign(self) -> float:
        """-1 where lower is better, else 1. Accuracies are in [0, 1] and have no sign."""
        return 1.0 if self.higher_is_better or self.coefficient.is_accuracy else -1.0


@dataclass(frozen=True, slots=True, eq=False)
class ScatterPoints:
    """Points of a measure (x) and a judgement (y), one for each item that the level correlates.

    system: system means. global: summaries. topic: summaries minus their topic's mean on both sides, since
    that level only concerns differences within a topic.

    names: labels of the points.
    systems, topics: of each point; topic is empty for means.
    x, y: shape (points,).
    stand_in: as returned by `stand_in_of`.
    """

    measure: str
    human: str
    level: Level
    coefficient: Coefficient
    names: tuple[str, ...]
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    x: Array
    y: Array
    correlation: Correlation
    stand_in: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Scores and judgements of a study, loaded once for any level and coefficient.

    scores: one matrix per measure.
    judgements: matrices by name.
    texts: what each system's texts are like.
    Both kinds of matrices hold only the included systems. Judgements are in order of names, since resamples
    draw by place.
    """

    refs: tuple[MeasureRef, ...]
    scores: tuple[ScoreMatrix, ...]
    judgements: Mapping[str, ScoreMatrix]
    texts: tuple[SystemTexts, ...] = ()
    _stacks: dict[tuple[tuple[str, ...], tuple[str, ...]], MeasureStack] = field(
        default_factory=dict, init=False, repr=False
    )
    _eligible: dict[str, tuple[Eligibility, ...]] = field(default_factory=dict, init=False, repr=False)
    _moved: dict[str, list[str]] = field(default_factory=dict, init=False, repr=False)
    _families: dict[tuple[str, Variants], tuple[int, ...]] = field(
        default_factory=dict, init=False, repr=False
    )

    def rows(
        self, level: Level, coefficient: Coefficient, undefined: UndefinedPolicy = UndefinedPolicy.SKIP
    ) -> list[CorrelationRow]:
        """Return every measure against every judgement, by judgement, measures in order.

        Raises InputError for an undefined correlation if `undefined` is ERROR.
        """
        settings = (level, coefficient, undefined)
        return [row for human in self.judgements for row in self.rows_against(human, *settings)]

    def rows_against(
        self,
        human: str,
        level: Level,
        coefficient: Coefficient,
        undefined: UndefinedPolicy = UndefinedPolicy.SKIP,
    ) -> list[CorrelationRow]:
        """Return every measure against one judgement, measures in order. Raises InputError like `rows`."""
        judgement = self.judgements[human]
        refuses = undefined is UndefinedPolicy.ERROR
        settings = (level, coefficient, UndefinedPolicy.SKIP if refuses else undefined)
        stack = self.stack(judgement)
        if coefficient is Coefficient.SOFT_ACCURACY:  # of one-sided tests, so it needs the direction
            stack = MeasureStack(stack.x * self.directions()[:, None, None])
        correlations = stack.correlate(judgement.values, *settings)
        if refuses:
            self._check_defined(correlations, human, level, coefficient)
        pairs = zip(self.refs, correlations, strict=True)
        return [_row(ref, human, level, coefficient, correlation) for ref, correlation in pairs]

    def directions(self) -> Array:
        """Return -1 for lower-is-better measures, else 1, shape (measures,)."""
        return np.array([ref.sign for ref in self.refs])

    def eligibility(self, human: str) -> tuple[Eligibility, ...]:
        """Return the eligibility of each measure for the ranking against a judgement, measures in order."""
        if human not in self._eligible:
            judgement = self.judgements[human]
            self._eligible[human] = eligibilities(self.refs, self.stacked(judgement), judgement, human)
        return self._eligible[human]

    def text_cautions(self, humans: Iterable[str]) -> list[str]:
        """Return what differs between systems' texts or references and moves correlations, as sentences."""
        found = [sentence for sentence in (reference_caution(self.refs),) if sentence]
        for human in humans:
            if human not in self._moved:
                values = self.judgements[human]
                self._moved[human] = list(comparison_cautions(self.refs, self.scores, values, self.texts))
            found += self._moved[human]
        return found

    def ranked(self, human: str) -> tuple[int, ...]:
        """Return the indices of the measures that are ranked against a judgement."""
        return tuple(i for i, one in enumerate(self.eligibility(human)) if one.is_ranked)

    def family(self, human: str, variants: Variants) -> tuple[int, ...]:
        """Return the indices of the measures that are tested together for a judgement, see `family_of`."""
        key = human, variants
        if key not in self._families:
            self._families[key] = family_of(self.refs, variants, self.ranked(human))
        return self._families[key]

    def common(self) -> Comparison:
        """Return the comparison restricted to systems and topics for which every measure is complete.

        Measures of the judgements' own families do not count. Raises InputError if too little is left.
        """
        eligibility = {human: self.eligibility(human) for human in self.judgements}
        rivals = [
            scores
            for i, scores in enumerate(self.scores)
            if any(each[i].status is not Status.SAME_FAMILY for each in eligibility.values())
        ]
        if not rivals:
            return self
        systems, topics = common_part(rivals, self.judgements.values())
        return self.select(systems, topics)

    def size(self) -> tuple[int, int]:
        """Return the number of systems and of topics with both a judgement and a score."""
        systems: set[str] = set()
        topics: set[str] = set()
        for judgement in self.judgements.values():
            both = np.isfinite(judgement.values) & np.isfinite(self.stacked(judgement)).any(axis=0)
            rows, columns = np.nonzero(both)
            systems |= {judgement.systems[i] for i in rows}
            topics |= {judgement.topics[i] for i in columns}
        return len(systems), len(topics)

    def select(self, systems: Collection[str], topics: Collection[str]) -> Comparison:
        """Return the comparison restricted to these systems and topics, in the order of each matrix."""

        def cut(side: ScoreMatrix) -> ScoreMatrix:
            topics_left = [name for name in side.topics if name in topics]
            return side.select([name for name in side.systems if name in systems], topics_left)

        judgements = {name: cut(side) for name, side in self.judgements.items()}
        return replace(self, scores=tuple(cut(side) for side in self.scores), judgements=judgements)

    def part(self, places: Sequence[int]) -> Comparison:
        """Return the comparison restricted to measures by index."""
        refs = tuple(self.refs[i] for i in places)
        return replace(self, refs=refs, scores=tuple(self.scores[i] for i in places))

    def _check_defined(
        self, correlations: Sequence[Correlation], human: str, level: Level, coefficient: Coefficient
    ) -> None:
        """Raise InputError for the first measure with something undefined."""
        judgement = self.judgements[human]
        for ref, scores, one in zip(self.refs, self.scores, correlations, strict=True):
            if math.isfinite(one.value) and not (level is Level.TOPIC and one.dropped):
                continue
            try:
                x = scores.select(judgement.systems, judgement.topics).values
                correlate(x, judgement.values, level, coefficient, UndefinedPolicy.ERROR)
            except InputError as error:
                raise InputError(f"{ref.label} against {human}: {error}") from None

    def points(
        self, measure: str, human: str, level: Level, coefficient: Coefficient = Coefficient.PEARSON
    ) -> ScatterPoints:
        """Return the points behind a row. Raises InputError for an unknown measure or judgement."""
        ref = find_measure(self.refs, measure)
        judged = self.judgements[resolve_name("compared judgement", human, self.judgements)]
        scores, judgement = align_matrices(self.scores[self.refs.index(ref)], judged)
        is_turned = coefficient is Coefficient.SOFT_ACCURACY
        turned = scores.values * ref.sign if is_turned else scores.values
        correlation = correlate(turned, judgement.values, level, coefficient)
        both = np.isfinite(scores.values) & np.isfinite(judgement.values)
        spread = _means if level is Level.SYSTEM else _summaries
        names, systems, topics, x, y = spread(scores, judgement, both, level)
        return ScatterPoints(
            measure,
            human,
            level,
            coefficient,
            names,
            systems,
            topics,
            x,
            y,
            correlation,
            stand_in_of(ref.config),
        )

    def stacked(self, judgement: ScoreMatrix) -> Array:
        """Return all measures on the judgement's systems and topics, shape (measures, systems, topics)."""
        return self.stack(judgement).x

    def stack(self, judgement: ScoreMatrix) -> MeasureStack:
        """Return all measures on the systems and topics of a judgement, built once."""
        names = (judgement.systems, judgement.topics)
        if names not in self._stacks:
            fitted = [score.select(*names).values for score in self.scores]
            shape = (len(fitted), *judgement.values.shape)
            self._stacks[names] = MeasureStack(np.array(fitted).reshape(shape))
        return self._stacks[names]


def load_comparison(
    study: Study,
    humans: Sequence[str] | Mapping[str, ScoreMatrix],
    *,
    measures: Sequence[str] | None = None,
    systems: SystemSelection = SystemSelection.AUTOMATIC,
    annotators: Sequence[str] = (),
    with_made: bool = False,
) -> Comparison:
    """Load the scores and judgements to compare.

    humans: names of judgements, or those that were read for this selection of systems.
    measures: labels, None = all that scored the included systems.
    annotators: whose judgements to include, empty = according to each judgement's policy.
    with_made: include measures that only experiments have scored.
    Raises InputError for unknown names.
    """
    refs = _measures(study, measures, systems, with_made=with_made)
    taking_part = _taking_part(study, systems)
    by_name = (
        humans
        if isinstance(humans, Mapping)
        else judgement_matrices(study, judgements_for(systems, humans), annotators)
    )
    return Comparison(
        refs=tuple(refs),
        scores=tuple(score.only(taking_part) for score in matrices(study, refs)),
        judgements={name: judgement.only(taking_part).in_order() for name, judgement in by_name.items()},
        texts=texts_of_systems(study),
    )


def judgements_for(systems: SystemSelection, humans: Sequence[str]) -> list[str]:
    """Return the judgements for a selection of systems.

    With references as systems, pyramid scores of references too.
    """
    return with_humans(humans) if systems is SystemSelection.WITH_HUMANS else list(humans)


PointSet = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], Array, Array]


def _means(scores: ScoreMatrix, judgement: ScoreMatrix, both: NDArray[np.bool_], _level: Level) -> PointSet:
    shared = [np.where(both, side.values, np.nan) for side in (scores, judgement)]
    x, y = (ScoreMatrix(scores.label, scores.systems, scores.topics, side).system_means() for side in shared)
    there = np.asarray(both.any(axis=1))
    names = tuple(name for name, is_there in zip(scores.systems, there, strict=True) if is_there)
    return names, names, ("",) * len(names), x[there], y[there]


def _summaries(
    scores: ScoreMatrix, judgement: ScoreMatrix, both: NDArray[np.bool_], level: Level
) -> PointSet:
    x, y = scores.values, judgement.values
    if level is Level.TOPIC:
        x, y = _within_topics(x, both), _within_topics(y, both)
    rows, columns = np.nonzero(both)
    systems = tuple(scores.systems[i] for i in rows)
    topics = tuple(scores.topics[i] for i in columns)
    names = tuple(f"{system} · {topic}" for system, topic in zip(systems, topics, strict=True))
    return names, systems, topics, x[both], y[both]


def _within_topics(values: Array, both: NDArray[np.bool_]) -> Array:
    """Return each value minus its topic's mean over the cells that both sides have."""
    counts = np.maximum(both.sum(axis=0), 1)
    means = np.where(both, values, 0.0).sum(axis=0) / counts
    centred: Array = values - means
    return centred


def _measures(
    study: Study, labels: Sequence[str] | None, systems: SystemSelection, *, with_made: bool
) -> list[MeasureRef]:
    refs = measures_for(study, labels or (), check_stale=False)
    if with_made:
        refs = stored_measures(study, check_stale=False, with_made=True)
    if systems is SystemSelection.WITH_HUMANS:
        refs = [ref for ref in refs if ref.config.scores_humans]
    return refs if labels is None else list(dict.fromkeys(find_measure(refs, label) for label in labels))


def _taking_part(study: Study, systems: SystemSelection) -> set[str]:
    rows = {
        s.name
        for s in study.texts.systems()
        if systems is SystemSelection.ALL or s.kind is not SystemKind.HUMAN
    }
    if systems is SystemSelection.WITH_HUMANS:
        rows |= {reference_system_name(author) for author in study.texts.reference_authors()}
    return rows


def _row(
    ref: MeasureRef, human: str, level: Level, coefficient: Coefficient, correlation: Correlation
) -> CorrelationRow:
    return CorrelationRow(
        measure=ref.label,
        signature=ref.signature,
        family=ref.family,
        human=human,
        level=level,
        coefficient=coefficient,
        value=correlation.value,
        n=correlation.n,
        dropped=correlation.dropped,
        stand_in=stand_in_of(ref.config),
        tie_threshold=correlation.tie_threshold,
        higher_is_better=ref.higher_is_better,
    )
