"""Thresholds of measures: chosen on some topics by balanced accuracy, reported on others."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.comparison.eligibility import is_own_name
from core.errors import InputError
from core.experiments.common_settings import seed_setting
from core.experiments.inputs.development_topics import development_topics
from core.experiments.inputs.measure_inputs import (
    OrientedMeasure,
    load_judgements,
    load_measures,
    stand_ins_of,
    warnings_of,
    with_others,
)
from core.experiments.inputs.topic_filters import judged_on, possible, topics_of_set
from core.experiments.measure_experiment import JudgedExperiment
from core.experiments.registry import register
from core.formatting.numbers import format_score, pluralize
from core.formatting.tables import PLAIN_ENDS, Cell, CellKind, Column, Table, interval_ends
from core.matrix import ScoreMatrix
from core.metrics.base import Resources, setting
from core.numerals import parse_number
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Chart, ChartKind, Result, Series
from core.stats.precision import round_values
from core.stats.resampling.bootstrap import interval

Array = NDArray[np.float64]
Labels = NDArray[np.bool_]


def best_threshold(scores: Array, labels: Labels) -> float:
    """Return the threshold of the highest balanced accuracy; scores of at least the threshold are positive.

    Candidates are halfway between neighbouring scores; the lowest of equal ones counts. NaN unless both
    labels occur. scores: rounded (`round_values`), so that a number is between unequal ones. scores, labels:
    shape (texts,).
    """
    if not labels.any() or labels.all():
        return float("nan")
    values = np.unique(scores)
    candidates = np.concatenate([values[:1], values[:-1] / 2 + values[1:] / 2])
    positive, negative = np.sort(scores[labels]), np.sort(scores[~labels])
    sensitivity = 1 - np.searchsorted(positive, candidates) / positive.size
    specificity = np.searchsorted(negative, candidates) / negative.size
    return float(candidates[np.argmax(np.round((sensitivity + specificity) / 2, 12))])


@dataclass(frozen=True, slots=True, eq=False)
class TopicDecisions:
    """Decisions of a measure, counted by topic.

    hits, misses: positive texts at or above the threshold, and below, shape (topics,).
    rejections, alarms: negative texts below the threshold, and at or above, shape (topics,).
    wins: for each pair of topics, how many pairs of a positive text of the first and a negative one of the
    second have the higher score for the positive one, ties as one half; shape (topics, topics).
    """

    hits: Array
    misses: Array
    rejections: Array
    alarms: Array
    wins: Array

    def sensitivity(self, counts: Array) -> Array:
        """Return the share of positive texts at or above the threshold, NaN = none is positive.

        counts: how often each topic is drawn, shape (draws, topics). Returns shape (draws,).
        """
        return _share(counts @ self.hits, counts @ self.misses)

    def specificity(self, counts: Array) -> Array:
        """Return the share of negative texts below the threshold, as `sensitivity` does."""
        return _share(counts @ self.rejections, counts @ self.alarms)

    def balanced_accuracy(self, counts: Array) -> Array:
        """Return the mean of sensitivity and specificity, as `sensitivity` does."""
        mean: Array = (self.sensitivity(counts) + self.specificity(counts)) / 2
        return mean

    def area(self, counts: Array) -> Array:
        """Return the area under the ROC curve, which needs no threshold, as `sensitivity` does."""
        pairs = (counts @ (self.hits + self.misses)) * (counts @ (self.rejections + self.alarms))
        won = np.einsum("dt,tu,du->d", counts, self.wins, counts, optimize=True)
        area: Array = np.divide(won, pairs, out=np.full(len(counts), np.nan), where=pairs > 0)
        return area


def count_decisions(scores: Array, labels: Labels, threshold: float) -> TopicDecisions:
    """Count the decisions on texts by topic. scores, labels: shape (texts, topics), NaN scores = left out."""
    there = np.isfinite(scores)
    positive, negative = labels & there, ~labels & there
    above = scores >= threshold
    topics = scores.shape[1]
    wins = np.zeros((topics, topics))
    below = [np.sort(scores[negative[:, topic], topic]) for topic in range(topics)]
    for topic in range(topics):
        own = scores[positive[:, topic], topic]
        for other, values in enumerate(below):
            lower, upper = (np.searchsorted(values, own, side).sum() for side in ("left", "right"))
            wins[topic, other] = (lower + upper) / 2
    return TopicDecisions(
        hits=(positive & above).sum(axis=0).astype(np.float64),
        misses=(positive & ~above).sum(axis=0).astype(np.float64),
        rejections=(negative & ~above).sum(axis=0).astype(np.float64),
        alarms=(negative & above).sum(axis=0).astype(np.float64),
        wins=wins,
    )


def drawn_topics(topics: int, draws: int, seed: int) -> Array:
    """Draw topics with replacement; how often each is drawn, shape (draws, topics)."""
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
    return random.multinomial(topics, np.full(topics, 1 / topics), size=draws).astype(np.float64)


def _share(part: Array, rest: Array) -> Array:
    total = part + rest
    share: Array = np.divide(part, total, out=np.full(total.shape, np.nan), where=total > 0)
    return share


@dataclass(frozen=True, slots=True)
class Decisions:
    """How well a measure decides at its threshold. low, high: of the balanced accuracy, and of the area.

    threshold: in the measure's own direction. development, accuracy: balanced accuracy on the topics for
    development, where the threshold was chosen, and on those for tests. NaN = undefined.
    """

    measure: str
    threshold: float
    development: float
    accuracy: float
    accuracy_ends: tuple[float, float]
    sensitivity: float
    specificity: float
    area: float
    area_ends: tuple[float, float]


@register
@dataclass(frozen=True)
class Thresholds(JudgedExperiment):
    """Decide by a threshold of each measure which summaries are good, such as factually consistent.

    The threshold is the one with the highest balanced accuracy on the topics for development, and is used
    unchanged on all other topics, whose numbers are reported, as studies of factual consistency do.

    Formula:
        balanced accuracy = (share of good summaries at or above the threshold
                             + share of others below it) / 2
        area              = probability that a good summary scores higher than another, ties as one half

    Limits:
        Intervals are over topics for tests, with the threshold as it is: how it would vary with other topics
        for development is not in them. A threshold does not carry over to other data. With the largest value
        as the bound, a judgement of many values has few good summaries.
    """

    name: ClassVar[str] = "thresholds"
    title: ClassVar[str] = "Thresholds by balanced accuracy"
    about: ClassVar[str] = (
        "How well each measure tells good summaries, such as consistent ones, from others by a threshold "
        "that was chosen on other topics."
    )

    least: str = setting(
        "", "Judgement from which a summary is good. Empty = the largest value given.", title="Good from"
    )
    split: str = setting(
        "automatic",
        "Topics for development: study = those that the study keeps; random = drawn; automatic = the "
        "study's, or drawn where it keeps none.",
        choices=("automatic", "study", "random"),
        title="Development",
    )
    share: float = setting(
        0.5, "Share of the topics that is drawn for development.", low=0.0, high=1.0, title="Share drawn"
    )
    draws: int = setting(1000, "Resamples of topics for intervals.", low=1, high=100_000, title="Draws")
    seed: int = seed_setting()

    def unused(self) -> dict[str, str]:
        return {"share": "split=study"} if self.split == "study" else {}

    def corpus_hash(self, study: Study) -> str:
        """Return a hash of the topics for development, which are no part of the texts."""
        return hashlib.sha256("\n".join(development_topics(study)).encode()).hexdigest()

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        yield Progress(0, 0, "reading scores")
        measures = load_measures(study, self.measures)
        people = with_others(load_judgements(study, self.judgements), [one.label for one in measures])
        topics = topics_of_set(study, self.set)
        tables, charts, gaps, warnings = [], [], list[str](), warnings_of(study, measures)
        policy = [
            "A summary is predicted to be good if its score is at least the threshold (at most, where lower "
            "is better). Candidates are halfway between neighbouring scores; of equal ones the lowest.",
            f"Intervals (95 %): {self.draws:,} resamples of topics for tests, seed {self.seed}.",
        ]

        def parted(judgement: ScoreMatrix) -> tuple[ScoreMatrix, tuple[list[int], list[int], str]]:
            judged = judged_on(judgement, topics)
            return judged, self._parts(study, judged)

        divided, refused = possible(people, parted)
        for place, (judged, (development, tests, how)) in enumerate(divided.values()):
            yield Progress(place, len(divided), judged.label)
            bound = self._bound(judged)
            good = round_values(judged.values) >= round_values(np.array(bound), judged.values)
            if gap := _gap(judged, good, development, tests):
                gaps.append(gap)
                continue
            found = [
                self._decide(one, judged, good, development, tests)
                for one in measures
                if not is_own_name(one.name, judged.label)
            ]
            if not found:
                raise InputError(f"No measures left to compare with {judged.label}.")
            policy.append(_described(judged, good, bound, how))
            tables.append(_table(judged.label, found))
            charts.append(_bars(judged.label, found))
        if not tables:
            raise InputError(
                " ".join((*refused, *gaps, "Set least, or choose other topics for development."))
            )
        stand_ins, warnings = stand_ins_of(measures), list(dict.fromkeys((*refused, *gaps, *warnings)))
        return Result(self.title, tuple(tables), tuple(charts), tuple(policy), stand_ins, tuple(warnings))

    def _bound(self, judged: ScoreMatrix) -> float:
        if not self.least.strip():
            return float(np.nanmax(judged.values))
        bound = parse_number(self.least)
        if bound is None:
            raise InputError(f"least={self.least} is not a number. Write a judgement, such as 4.5.")
        return bound

    def _parts(self, study: Study, judged: ScoreMatrix) -> tuple[list[int], list[int], str]:
        """Return the places of topics for development and for tests, and a phrase on how they were chosen.

        Raises InputError where a part is empty.
        """
        kept = set(development_topics(study)) if self.split != "random" else set[str]()
        count = len(judged.topics)
        if kept or self.split == "study":
            places = [place for place, name in enumerate(judged.topics) if name in kept]
            how = "those that the study keeps for development"
        else:
            random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(self.seed)))
            places = sorted(random.permutation(count)[: round(self.share * count)].tolist())
            how = f"{len(places)} topics drawn (seed {self.seed})"
        others = [place for place in range(count) if place not in set(places)]
        if not places or not others:
            missing = "for tests" if places else "for development"
            remedy = (
                "Choose topics for development with `pyramidion topics STUDY TOPIC… --development`, or set "
                "split=random."
                if kept or self.split == "study"
                else f"share={self.share:g} draws {len(places)} of them: choose another share, or judge more."
            )
            raise InputError(
                f"Of {pluralize(count, 'topic')} that {judged.label} judges, none is left {missing}. {remedy}"
            )
        return places, others, how

    def _decide(
        self,
        measure: OrientedMeasure,
        judged: ScoreMatrix,
        good: Labels,
        development: Sequence[int],
        tests: Sequence[int],
    ) -> Decisions:
        scores = measure.scores.select(judged.systems, judged.topics).values
        scores = round_values(np.where(np.isfinite(judged.values), scores, np.nan))
        known = np.isfinite(scores[:, development])
        threshold = best_threshold(scores[:, development][known], good[:, development][known])
        once = np.ones((1, len(development)))
        tuned = count_decisions(scores[:, development], good[:, development], threshold)
        tested = count_decisions(scores[:, tests], good[:, tests], threshold)
        plain, drawn = np.ones((1, len(tests))), drawn_topics(len(tests), self.draws, self.seed)
        is_known = not math.isnan(threshold)
        samples = np.stack([tested.balanced_accuracy(drawn), tested.area(drawn)], axis=1)
        low, high = interval(samples)
        accuracy = float(tested.balanced_accuracy(plain)[0]) if is_known else math.nan
        nothing = (math.nan, math.nan)
        return Decisions(
            measure.label,
            measure.ref.sign * threshold,
            float(tuned.balanced_accuracy(once)[0]) if is_known else math.nan,
            accuracy,
            (float(low[0]), float(high[0])) if math.isfinite(accuracy) else nothing,
            float(tested.sensitivity(plain)[0]) if is_known else math.nan,
            float(tested.specificity(plain)[0]) if is_known else math.nan,
            float(tested.area(plain)[0]),
            (float(low[1]), float(high[1])),
        )


def _described(judged: ScoreMatrix, good: Labels, bound: float, how: str) -> str:
    count = int(np.isfinite(judged.values).sum())
    return (
        f"{judged.label}: good from {format_score(bound)}, which are {int(good.sum()):,} of {count:,} "
        f"summaries; topics for development: {how}, of {len(judged.topics)}."
    )


def _gap(judged: ScoreMatrix, good: Labels, development: Sequence[int], tests: Sequence[int]) -> str:
    """Return a sentence on a part of the topics that lacks good summaries, or others; empty = none does."""
    there = np.isfinite(judged.values)
    for part, places in (("development", development), ("tests", tests)):
        labels = good[:, places][there[:, places]]
        if labels.all() or not labels.any():
            which = "only good summaries" if labels.any() else "no good summary"
            return f"{judged.label} is left out: its topics for {part} have {which}."
    return ""


def _table(judgement: str, found: Sequence[Decisions]) -> Table:
    fine = CellKind.FINE_CORRELATION
    columns = (
        Column("Measure", "measure"),
        Column("Threshold", "threshold", CellKind.SCORE),
        Column("Development (tuned on)", "development", fine),
        Column("Balanced accuracy", "balanced_accuracy", fine, "Tests"),
        *interval_ends(fine, "", PLAIN_ENDS, "Tests"),
        Column("Sensitivity", "sensitivity", fine, "Tests"),
        Column("Specificity", "specificity", fine, "Tests"),
        Column("Area", "area", fine, "Tests"),
        *interval_ends(fine, "area_", PLAIN_ENDS, "Tests"),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            one.measure,
            *map(_cell, (one.threshold, one.development, one.accuracy, *one.accuracy_ends)),
            *map(_cell, (one.sensitivity, one.specificity, one.area, *one.area_ends)),
        )
        for one in found
    ]
    return Table(f"Decisions on {judgement}", columns, tuple(rows))


def _cell(value: float) -> Cell:
    return value if math.isfinite(value) else None


def _bars(judgement: str, found: Sequence[Decisions]) -> Chart:
    low, high = zip(*(one.accuracy_ends for one in found), strict=True)
    series = Series("Tests", tuple(one.accuracy for one in found), low=low, high=high)
    ticks = tuple(one.measure for one in found)
    return Chart(f"Decisions on {judgement}", ChartKind.BARS, "", "balanced accuracy", (series,), ticks)
