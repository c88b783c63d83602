"""Judges of a study: measures that rate summaries on a scale that people have rated on too.

A judge is any measure, computed here or imported. The ratings that it is compared with are those that count
in the judgement, see `core.comparison.judgements`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.agreement.analysis import COEFFICIENTS
from core.agreement.coefficients import CodedItems, KappaWeights, cohen_kappa
from core.agreement.estimates import BootstrapOptions, Estimator, estimate, mean_of_pairs, ratio, undefined
from core.agreement.items import AnnotatedItems
from core.agreement.table import AgreementRow
from core.comparison.inference import CorrelationInputs, intervals
from core.comparison.judgements import included_ratings, rated_scales, resolve_judgements
from core.comparison.measures import MeasureRef, checked, find_measure, matrices, measures_for
from core.comparison.options import InferenceOptions, IntervalMethod
from core.comparison.staleness_text import stale_notes, stale_texts
from core.domain.ratings import Dimension, ScaleKind
from core.domain.study import SystemKind
from core.errors import InputError, PyramidionError
from core.matrix import Array, ScoreMatrix, nanmean_first_axis
from core.metrics.judge.answers import answers_key, from_text
from core.metrics.judge.judge import LABEL, Judge
from core.metrics.judge.rubric import find_rubric
from core.metrics.registry import parse, split_label
from core.ports import Study
from core.progress import JobSteps, Progress
from core.stats.alternative_annotator import (
    MIN_ITEMS,
    AlternativeAnnotatorTest,
    Closeness,
    alternative_annotator_test,
)
from core.stats.correlation import Coefficient, Level, correlate, partial_correlation
from core.stats.reliability import leave_one_out_agreement

EVERY_SCALE = "all scales"
"""Name of the ratings on all scales together."""

MOST_BINS = 10
"""Bins of a calibration curve; a judge with fewer different values has one for each."""

_RUN = re.compile(r"^(?P<judge>.+)#(?P<run>\d+)$")
"""Judge and number of one of several runs, such as ``gpt-4o#2``."""


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """How judges are compared with people.

    epsilon, closeness, least_items: of the alternative annotator test; closeness None = by the scale.
    draws, seed: of intervals over topics (of correlations over systems and topics); draws 0 = none.
    """

    epsilon: float = 0.2
    closeness: Closeness | None = None
    least_items: int = MIN_ITEMS
    coefficient: Coefficient = Coefficient.PEARSON
    draws: int = 1000
    seed: int = 0

    @property
    def bootstrap(self) -> BootstrapOptions:
        return BootstrapOptions(self.draws, self.seed)


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRatings:
    """A judge's values and the ratings of people, of the same summaries.

    judge: its name, the measure's without the scale. scale: None = ratings on several scales.
    values: of the judge, shape (systems, topics); people: shape (annotators, systems, topics); NaN = none.
    On several scales each system has a row for each. signature: of the measure, empty = of several scales.
    changed: what has changed since the measure was scored, a sentence; empty = nothing.
    """

    judge: str
    measure: str
    signature: str
    human: str
    scale: Dimension | None
    annotators: tuple[str, ...]
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    values: Array
    people: Array
    changed: str = ""

    @property
    def mean(self) -> Array:
        """Return the mean rating of people, shape (systems, topics)."""
        return nanmean_first_axis(self.people)

    @property
    def outside(self) -> int:
        """How many values of the judge lie outside the scale."""
        if self.scale is None:
            return 0
        return int(((self.values < self.scale.low) | (self.values > self.scale.high)).sum())

    @property
    def missing(self) -> int:
        """How many rated summaries have no value of the judge."""
        return int((np.isfinite(self.people).any(axis=0) & ~np.isfinite(self.values)).sum())

    def items(self) -> AnnotatedItems:
        """Return all values by items; the judge comes first."""
        every = np.concatenate([self.values[None], self.people])
        values = every.reshape(len(every), -1).T
        there = np.isfinite(values).any(axis=1)
        topic_of = np.tile(np.arange(len(self.topics), dtype=np.int64), len(self.systems))
        return AnnotatedItems(values[there], topic_of[there], self.topics, (self.judge, *self.annotators))


@dataclass(frozen=True, slots=True)
class LevelCorrelation:
    """Correlation of a judge with people at one level; NaN = undefined, or no interval.

    value, low, high: with the mean of all annotators.
    left_out: with the mean of all but one, averaged over annotators.
    one_annotator: of that annotator with the same mean, averaged: what the judge is to be compared with.
    """

    level: Level
    value: float
    low: float
    high: float
    left_out: float
    one_annotator: float


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Summaries with similar values of the judge: how many, its mean, and the mean rating of people."""

    items: int
    judge: float
    people: float


@dataclass(frozen=True, slots=True)
class LengthBias:
    """Pearson's r over all summaries; NaN = undefined.

    judge, people: with the number of words. given_people: the judge with the number of words, given the mean
    rating of people: what length adds to the judge's value of equally rated summaries.
    """

    judge: float
    people: float
    given_people: float


@dataclass(frozen=True, slots=True, eq=False)
class JudgeAlignment:
    """What a judge has in common with people, on one scale or on all.

    test: the alternative annotator test. advantage: its ρ with an interval.
    alpha_people, alpha_with_judge: Krippendorff's α of the annotators, and with the judge as one more.
    kappa_people, kappa_judge: Cohen's weighted κ, averaged over pairs of annotators, and over the judge's
        pairs with them.
    difference, absolute: mean difference from the mean rating, and mean absolute one; NaN = other units.
    runs: agreement of several runs of the judge, None = there is one.
    notes: what may mislead, a sentence each.
    """

    data: JudgedRatings
    closeness: Closeness
    test: AlternativeAnnotatorTest
    advantage: AgreementRow
    alpha_people: AgreementRow
    alpha_with_judge: AgreementRow
    kappa_people: AgreementRow
    kappa_judge: AgreementRow
    correlations: tuple[LevelCorrelation, ...]
    difference: float
    absolute: float
    calibration: tuple[CalibrationBin, ...]
    length: LengthBias | None
    runs: AgreementRow | None
    notes: tuple[str, ...]

    @property
    def passes(self) -> bool | None:
        """Whether the judge passes the test; None = no annotator could be compared."""
        return self.test.passes if self.test.tests else None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A summary of which the judge and people think differently.

    ratings: by annotator, of those who rated it.
    difference: the judge's value minus the mean rating; where the units differ, the same of mid-ranks among
        all summaries as shares of 1.
    """

    topic: str
    system: str
    judge: float
    ratings: tuple[tuple[str, float], ...]
    mean: float
    difference: float


def judged_ratings(
    study: Study,
    judges: Sequence[str] = (),
    humans: Sequence[str] = (),
    annotators: Sequence[str] = (),
    topics: Sequence[str] = (),
) -> list[JudgedRatings]:
    """Return each judge with the ratings that it is compared with, judge by judge, all scales first.

    judges: measures, or the parts of their names before the scale; empty = every measure that is named for a
        scale, as ``gpt-4o.coherence`` or ``coherence``. A measure that is not is compared with each chosen
        rating. humans: ratings, empty = all that have one. topics: empty = all.
    Several scales of a judge by the same annotators are pooled in one more entry.
    Raises InputError for unknown names, and where nothing can be compared.
    """
    scales = {f"rating.{one.name}": one for one in study.ratings.dimensions()}
    names = _ratings_named(study, humans, scales)
    refs = measures_for(study, (), check_stale=False)
    pairs = list(_pairs(refs, judges, {name: scales[name] for name in names}, is_chosen=bool(humans)))
    if not pairs:
        raise InputError(
            "No measure is named for a scale that people have rated on. Import a judge's scores, score with "
            "the metric judge, or name a measure and a rating."
        )
    included = {system.name for system in study.texts.systems() if system.kind is not SystemKind.HUMAN}
    cubes = {name: included_ratings(study, name, annotators) for name in dict.fromkeys(p[2] for p in pairs)}
    found: dict[str, list[JudgedRatings]] = {}
    used = list(dict.fromkeys(ref for _, ref, _ in pairs))
    scores = {m.label: m for m in matrices(study, used)}
    changed = stale_texts(study, checked(study, used))
    for judge, ref, human in pairs:
        cube = cubes[human]
        if cube is None or not np.isfinite(cube.values).any():
            continue
        systems = tuple(sorted(set(cube.systems) & included))
        chosen = tuple(name for name in sorted(cube.topics) if not topics or name in topics)
        people = [
            ScoreMatrix(who, cube.systems, cube.topics, values).select(systems, chosen).values
            for who, values in zip(cube.annotators, cube.values, strict=True)
        ]
        values = scores[ref.label].select(systems, chosen).values
        data = JudgedRatings(
            judge,
            ref.label,
            ref.signature,
            human,
            scales[human],
            cube.annotators,
            systems,
            chosen,
            values,
            np.array(people).reshape(-1, *values.shape),
            changed.get(ref.label, ""),
        )
        found.setdefault(judge, []).append(data)
    every = [one for alike in found.values() for one in (*_pooled(alike), *alike)]
    if not every:
        raise InputError("Nobody has rated summaries on these scales yet. Import ratings, or rate summaries.")
    return every


def alignment(
    data: JudgedRatings,
    options: JudgeOptions,
    words: ScoreMatrix | None = None,
    runs: Sequence[JudgedRatings] = (),
) -> JobSteps[JudgeAlignment]:
    """Compare a judge with people.

    words: number of words of each summary, None = length is not looked at.
    runs: of the same judge with other seeds, the same scale; empty = there is one run.
    """
    yield Progress(0, 0, f"{data.judge}, {data.human}")
    closeness = options.closeness or _closeness_of(data.scale)
    items = data.items()
    test = alternative_annotator_test(
        items.values[:, 0], items.values[:, 1:], options.epsilon, closeness, options.least_items
    )
    level = "alpha-nominal" if closeness is Closeness.ACCURACY else "alpha-interval"
    weights = KappaWeights.NONE if closeness is Closeness.ACCURACY else KappaWeights.QUADRATIC
    kappa = "kappa" if closeness is Closeness.ACCURACY else "kappa-quadratic"
    people = items.of_annotators(range(1, len(items.annotators)))
    judged = items.only(np.isfinite(items.values[:, 0]))
    coded_people, coded = CodedItems.of(people), CodedItems.of(judged)
    with_judge = [coded.pair(*pair) for pair in coded.items.pairs() if 0 in pair]
    pairs = [cohen_kappa(coded, pair, weights) for pair in with_judge]
    none = "the judge has no value of a rated summary"
    estimators = {
        "advantage": _advantage(test, items),
        "alpha_people": (level, COEFFICIENTS[level](coded_people)),
        "alpha_with_judge": (level, COEFFICIENTS[level](coded)),
        "kappa_people": (kappa, COEFFICIENTS[kappa](coded_people)),
        "kappa_judge": (kappa, mean_of_pairs(pairs, len(coded.codes), none, coded.topics)),
    }
    rows: dict[str, AgreementRow] = {}
    for key, (name, estimator) in estimators.items():
        if data.scale is None and key != "advantage":  # scales differ in level, which is no agreement
            estimator = undefined(len(data.topics), "several scales")
        yield Progress(0, 0, f"{data.judge}, {data.human}")
        rows[key] = estimate(estimator, data.human, name, items.annotators, options.bootstrap)
    mean, is_ordered = data.mean, closeness is Closeness.RMSE and data.scale is not None
    correlations = (yield from _correlations(data, options)) if is_ordered else ()
    apart = data.values - mean
    is_comparable = is_ordered and not data.outside and bool(np.isfinite(apart).any())
    return JudgeAlignment(
        data,
        closeness,
        test,
        **rows,
        correlations=correlations,
        difference=float(np.nanmean(apart)) if is_comparable else math.nan,
        absolute=float(np.nanmean(np.abs(apart))) if is_comparable else math.nan,
        calibration=tuple(calibration_curve(data.values, mean)) if is_ordered else (),
        length=_length_bias(data, mean, words) if words is not None and is_ordered else None,
        runs=_agreement_of_runs((data, *runs), level, options) if runs else None,
        notes=tuple(_notes(data, test, options)),
    )


def advantage_difference(
    first: JudgeAlignment, second: JudgeAlignment, options: JudgeOptions
) -> AgreementRow:
    """Return ρ of a judge minus that of another one on the same rating, with its interval over topics."""
    sides = [_advantage(one.test, one.data.items())[1] for one in (first, second)]
    topics = len(first.data.topics)
    if reason := next((side.reason for side in sides if side.reason), ""):
        found = undefined(topics, reason)
    else:
        found = Estimator(
            lambda counts: sides[0].of(counts) - sides[1].of(counts),
            np.asarray(sides[0].has_items | sides[1].has_items),
            min(side.items for side in sides),
        )
    names = (first.data.judge, second.data.judge)
    return estimate(found, first.data.human, "advantage-difference", names, options.bootstrap)


@dataclass(frozen=True, slots=True)
class PositionBias:
    """How a judge of pairs depends on their order; rows with intervals over topics.

    first: mean probability that the summary that comes first is chosen, 0.5 = no bias.
    consistent: share of pairs of which both orders choose the same summary.
    """

    judge: str
    first: AgreementRow
    consistent: AgreementRow


def position_biases(study: Study, topics: Sequence[str], options: JudgeOptions) -> list[PositionBias]:
    """Return the position bias of each judge that compared pairs in both orders."""
    refs = [ref for ref in measures_for(study, (), check_stale=False) if ref.config.metric == LABEL]
    pairs = [ref for ref in refs if f"{LABEL}.first" in ref.config.measures]
    found: dict[str, dict[str, AgreementRow]] = {}
    for ref, scores in zip(pairs, matrices(study, pairs), strict=True):
        judge, measure = split_label(ref.label)
        values = scores.select(scores.systems, [name for name in scores.topics if name in topics]).values
        there = np.isfinite(values)
        above, below = np.where(there, values, 0.0).sum(axis=0), there.sum(axis=0).astype(np.float64)
        share = ratio(above, below, int(there.sum()), "no pair has a value")
        row = estimate(share, judge, measure, (judge,), options.bootstrap)
        found.setdefault(judge, {})[measure] = row
    return [PositionBias(judge, rows["first"], rows["consistent"]) for judge, rows in found.items()]


def calibration_curve(values: Array, people: Array) -> list[CalibrationBin]:
    """Return bins of equal numbers of items in the order of a judge's values, with the means of both.

    values, people: of any shape, NaN = none. Equal values are in one bin.
    """
    both = np.isfinite(values) & np.isfinite(people)
    x, y = values[both], people[both]
    different, place = np.unique(x, return_inverse=True)
    if different.size > MOST_BINS:
        ends = np.quantile(x, np.arange(1, MOST_BINS) / MOST_BINS)
        place = np.searchsorted(np.unique(ends), x)
    bins = []
    for one in np.unique(place):
        mine = place == one
        bins.append(CalibrationBin(int(mine.sum()), float(x[mine].mean()), float(y[mine].mean())))
    return bins


def disagreements(data: JudgedRatings) -> list[Disagreement]:
    """Return every summary with values of both, the largest disagreement first; ties by topic and system."""
    from core.stats.row_coefficients import average_ranks

    mean = data.mean
    both = np.isfinite(data.values) & np.isfinite(mean)
    if data.outside or data.scale is None:
        ranks = [average_ranks(np.where(both, side, np.nan).reshape(1, -1)) for side in (data.values, mean)]
        apart = ((ranks[0] - ranks[1]) / max(int(both.sum()), 1)).reshape(both.shape)
    else:
        apart = data.values - mean
    found = [
        Disagreement(
            data.topics[column],
            data.systems[row],
            float(data.values[row, column]),
            tuple(
                (who, float(of[row, column]))
                for who, of in zip(data.annotators, data.people, strict=True)
                if np.isfinite(of[row, column])
            ),
            float(mean[row, column]),
            float(apart[row, column]),
        )
        for column, row in np.argwhere(both.T).tolist()
    ]
    return sorted(found, key=lambda one: -abs(one.difference))


@dataclass(frozen=True, slots=True)
class JudgeReason:
    """Why a judge gave a value: what it was asked, and what it answered; empty = not stored."""

    question: str = ""
    answer: str = ""


def reason_of(study: Study, data: JudgedRatings, topic_id: str, system: str) -> JudgeReason:
    """Return what the metric ``judge`` was asked about a summary, and what it answered."""
    if not data.signature.startswith(f"{LABEL}|"):
        return JudgeReason()
    criterion = split_label(data.measure)[1]
    stored = from_text(study.settings.get(answers_key(data.signature, topic_id)))[1]
    mine = [one for one in stored if one.system == system and one.criterion in (criterion, "")]
    try:
        metric = parse(data.signature)
        rubric = find_rubric(metric.rubric) if isinstance(metric, Judge) else None
    except PyramidionError:  # the rubric is a file that is gone, or that only the study names
        rubric = None
    asked = [one for one in rubric.criteria if one.name == criterion] if rubric else []
    question = "\n".join(f"{rubric.title}\n{one.name}: {one.question}" for one in asked) if rubric else ""
    lines = []
    for one in mine:
        lines += [f"“{text}”" for text in one.texts]
        if rubric and asked and one.probabilities:
            labels = rubric.values(asked[0])
            shares = zip(labels, one.probabilities, strict=False)
            lines.append(", ".join(f"{label}: {p:.3f}" for label, p in shares))
    return JudgeReason(question, "\n".join(lines))


def runs_of(every: Sequence[JudgedRatings]) -> dict[tuple[str, str], list[JudgedRatings]]:
    """Return the further runs of each judge and rating, by the first run's judge and rating.

    Runs are named ``gpt-4o#1``, ``gpt-4o#2``, or differ by the setting ``seed`` alone.
    """
    groups: dict[tuple[str, str], list[JudgedRatings]] = {}
    for one in every:
        groups.setdefault((_without_run(one.judge), one.human), []).append(one)
    return {(alike[0].judge, alike[0].human): alike[1:] for alike in groups.values() if len(alike) > 1}


def _without_run(judge: str) -> str:
    if found := _RUN.match(judge):
        return found["judge"]
    return re.sub(r"\[\]$", "", re.sub(r"seed:\d+,?|,seed:\d+", "", judge)).replace(",]", "]")


def _ratings_named(study: Study, humans: Sequence[str], scales: Mapping[str, Dimension]) -> list[str]:
    names = resolve_judgements(study, humans) if humans else rated_scales(study)
    if other := [name for name in names if name not in scales]:
        raise InputError(
            f"{other[0]} is not a rating. Judges are compared with ratings of several annotators, such as "
            f"{next(iter(scales), 'rating.coherence')}."
        )
    return names


def _pairs(
    refs: Sequence[MeasureRef], judges: Sequence[str], scales: Mapping[str, Dimension], *, is_chosen: bool
) -> Iterator[tuple[str, MeasureRef, str]]:
    """Yield the name of a judge, its measure, and the rating that it is compared with.

    is_chosen: whether the ratings were chosen, so that measures with any name may be compared with them.
    """
    by_scale = {_plain(scale.name): human for human, scale in scales.items()}
    families = {split_label(ref.label)[0] for ref in refs} - {""}
    chosen: list[MeasureRef] = []
    for name in judges:
        alike = [ref for ref in refs if split_label(ref.label)[0] == name] if name in families else []
        chosen += alike or [find_measure(refs, name)]
    for ref in dict.fromkeys(chosen or refs):
        family, last = split_label(ref.label)
        if human := by_scale.get(_plain(re.sub(r"\[.*\]", "", last))):
            yield family or ref.label, ref, human
        elif is_chosen and judges:
            yield from ((ref.label, ref, human) for human in scales)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", " ", name.casefold()).strip()


def _pooled(alike: Sequence[JudgedRatings]) -> list[JudgedRatings]:
    """Return the ratings of a judge on all scales together, if there are several by the same annotators."""
    first = alike[0]
    same = (first.annotators, first.systems, first.topics)
    if len(alike) < 2 or any((one.annotators, one.systems, one.topics) != same for one in alike):
        return []
    if len({_closeness_of(one.scale) for one in alike}) > 1:
        return []
    systems = tuple(f"{system}, {one.human}" for one in alike for system in one.systems)
    values = np.concatenate([one.values for one in alike])
    people = np.concatenate([one.people for one in alike], axis=1)
    return [
        replace(
            first,
            measure="",
            signature="",
            human=EVERY_SCALE,
            scale=None,
            systems=systems,
            values=values,
            people=people,
            changed="",
        )
    ]


def _closeness_of(scale: Dimension | None) -> Closeness:
    is_category = scale is not None and scale.kind is ScaleKind.CATEGORIES
    return Closeness.ACCURACY if is_category else Closeness.RMSE


def _advantage(test: AlternativeAnnotatorTest, items: AnnotatedItems) -> tuple[str, Estimator]:
    """Return ρ as a function of resampled topics."""
    topics, name = len(items.topics), "advantage"
    reason = "no annotator has enough items"
    estimators = []
    for one in test.tests:
        mine = test.closer[:, one.annotator]
        there = np.isfinite(mine)
        above, below = np.zeros(topics), np.zeros(topics)
        np.add.at(above, items.topic_of[there], mine[there])
        np.add.at(below, items.topic_of[there], 1.0)
        estimators.append(ratio(above, below, int(there.sum()), reason))
    found = mean_of_pairs(estimators, test.items, reason, topics) if estimators else undefined(topics, reason)
    return name, replace(found, note="")


def _correlations(data: JudgedRatings, options: JudgeOptions) -> JobSteps[tuple[LevelCorrelation, ...]]:
    method = InferenceOptions(
        interval=IntervalMethod.BOOTSTRAP_BOTH if options.draws else IntervalMethod.NONE,
        draws=max(options.draws, 1),
        seed=options.seed,
    )
    found = []
    cube = data.people[np.isfinite(data.people).any(axis=(1, 2))]
    for level in Level:
        yield Progress(0, 0, f"{data.judge}, {data.human}, {level} level")
        coefficient = options.coefficient
        inputs = CorrelationInputs(data.values[None], data.mean, level, coefficient)
        value = float(inputs.values()[0])
        ends = yield from intervals(inputs, method)
        mine = [
            correlate(data.values, nanmean_first_axis(np.delete(cube, who, axis=0)), level, coefficient).value
            for who in range(len(cube))
            if len(cube) > 1
        ]
        theirs = leave_one_out_agreement(cube, level, coefficient) if len(cube) > 1 else []
        low, high = float(ends.low[0]), float(ends.high[0])
        of_people = _mean([one.value for one in theirs])
        found.append(LevelCorrelation(level, value, low, high, _mean(mine), of_people))
    return tuple(found)


def _mean(values: Collection[float]) -> float:
    defined = [value for value in values if math.isfinite(value)]
    return float(np.mean(defined)) if defined else math.nan


def _length_bias(data: JudgedRatings, mean: Array, words: ScoreMatrix) -> LengthBias:
    n = words.select(data.systems, data.topics).values.ravel()
    x, y = data.values.ravel(), mean.ravel()
    none = np.zeros((0, n.size))
    return LengthBias(
        partial_correlation(x, n, none), partial_correlation(y, n, none), partial_correlation(x, n, y[None])
    )


def _agreement_of_runs(runs: Sequence[JudgedRatings], level: str, options: JudgeOptions) -> AgreementRow:
    """Return Krippendorff's α of several runs of one judge on the same summaries."""
    first = runs[0]
    values = np.array(
        [
            ScoreMatrix(one.judge, one.systems, one.topics, one.values)
            .select(first.systems, first.topics)
            .values
            for one in runs
        ]
    )
    names = tuple(one.judge for one in runs)
    topic_of = np.tile(np.arange(len(first.topics), dtype=np.int64), len(first.systems))
    items = AnnotatedItems(values.reshape(len(runs), -1).T, topic_of, first.topics, names)
    return estimate(COEFFICIENTS[level](CodedItems.of(items)), first.human, level, names, options.bootstrap)


def _notes(data: JudgedRatings, test: AlternativeAnnotatorTest, options: JudgeOptions) -> Iterator[str]:
    """Yield what may mislead."""
    who = f"{data.judge}, {data.human}"
    yield from stale_notes({data.measure: data.changed} if data.changed else {})
    if data.outside:
        yield (
            f"{who}: {data.outside:,} values lie outside the scale, so that differences and the test mean "
            "little. Choose a judge with the units of the scale."
        )
    if data.missing:
        yield f"{who}: {data.missing:,} rated summaries have no value of the judge and are left out."
    if test.left_out:
        names = ", ".join(data.annotators[place] for place in test.left_out)
        yield f"{who}: {names} left out of the test, with fewer than {options.least_items} items."
    if len(data.annotators) == 2:
        yield f"{who}: of two annotators, the test asks only to whom the judge is closer; three are better."
