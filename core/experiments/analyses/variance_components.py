"""Variance of ratings by system, topic and annotator: a linear mixed model of single ratings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.comparison.judgements import included_ratings, rated_judgements
from core.errors import InputError
from core.experiments.common_settings import judgements_setting
from core.experiments.experiment import Experiment
from core.experiments.inputs.measure_inputs import automatic, names_in
from core.experiments.inputs.topic_filters import set_setting, topics_of_set
from core.experiments.registry import register
from core.formatting.numbers import pluralize
from core.formatting.tables import Cell, CellKind, Column, Table, interval_ends
from core.matrix import Array
from core.metrics.base import Resources
from core.names import resolve_name
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Chart, ChartKind, Result, Series
from core.stats.estimators.mixed_model import MixedModel, RandomEffect, fit_mixed_model, variance_intervals
from core.stats.resampling.significance import holm

Codes = NDArray[np.int64]

SYSTEM, TOPIC, ANNOTATOR, RESIDUAL = "system", "topic", "annotator", "residual"
_CROSS = " × "

FEWEST_LEVELS = 5
"""The variance of fewer levels is poorly estimated."""

FEWEST_REPLICATES = 10
"""An interaction needs as many ratings beyond one per level, or it is part of the residual."""

MOST_LEVELS = 1000
"""Levels of an interaction that is not within topics; more would need too much memory."""

MOST_ANNOTATORS = 3000
"""More would need too much memory and time: their effects form a dense matrix with those of systems."""

_CURVES = (1, 2, 3, 5)


@dataclass(frozen=True, slots=True, eq=False)
class SingleRatings:
    """Ratings of one scale, one per element; codes from 0 for each of the three factors, shape (n,)."""

    label: str
    values: Array
    codes: Mapping[str, Codes]
    systems: tuple[str, ...]

    def levels(self, factor: str) -> int:
        return int(self.codes[factor].max()) + 1

    @property
    def per_summary(self) -> float:
        """The mean number of ratings of a rated summary."""
        pairs = self.codes[SYSTEM] * self.levels(TOPIC) + self.codes[TOPIC]
        return len(self.values) / len(np.unique(pairs))


@register
@dataclass(frozen=True)
class VarianceComponents(Experiment):
    """Fit a mixed model to ratings, and estimate variances and the means of systems.

    Formula:
        rating(s, t, a)  = μ + S_s + T_t + A_a + ST_st + SA_sa + TA_ta + residual, effects normal with mean 0
        ICC              = (σ²_S + σ²_T + σ²_ST) / (sum of all variances)
        generalizability = σ²_S / (σ²_S + σ²_ST / t + σ²_SA / a + σ²_residual / (t · a))

    Limits:
        Treats ratings as interval-scaled and effects as normal. The variance of fewer than five annotators,
        topics or systems is poorly estimated. Intervals of variances are by the profile likelihood and can be
        too low with few levels. An interaction of systems and annotators with more than 1,000 levels is
        left out.
    """

    name: ClassVar[str] = "mixed-model"
    title: ClassVar[str] = "Mixed model of ratings"
    about: ClassVar[str] = (
        "Variance of ratings by system, topic, annotator and their interactions; the reliability of means; "
        "means of systems with intervals that hold for other topics and annotators."
    )

    judgements: str = judgements_setting()
    set: str = set_setting()

    def missing_requirements(self, study: Study) -> str:
        return (
            ""
            if rated_judgements(study)
            else "This study has no ratings yet. Import ratings, or rate summaries."
        )

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        topics = set(topics_of_set(study, self.set))
        names = _ratings_among(study, self.judgements)
        tables, charts, warnings, doubts = [], [], [], []
        shares: dict[str, dict[str, float]] = {}
        for at, name in enumerate(names):
            yield Progress(at, len(names), name)
            try:
                ratings = single_ratings(study, name, topics)
                random, fixed, ends, notes = yield from fitted(ratings)
            except InputError as error:
                warnings.append(f"{name} is left out: {error}")
                continue
            warnings += [f"{name}: {note}" for note in notes]
            if marks := _in_one_line(_marks(ratings, random)):
                doubts.append(f"{name}: {marks}.")
            parts = components(random)
            total = sum(parts.values())
            shares[name] = {source: value / total for source, value in parts.items()}
            tables += [
                _variances(ratings, random, ends),
                _reliabilities(ratings, parts, _marks(ratings, random)),
                _means(ratings, fixed),
            ]
            charts += [_curves(ratings, parts), _mean_bars(ratings, fixed)]
        if not shares:
            raise InputError(" ".join(warnings))
        charts.insert(0, replace(_share_bars(shares), note=" ".join(doubts)))
        return Result(self.title, tuple(tables), tuple(charts), _POLICY, (), tuple(warnings))


_POLICY = (
    "Each rating is the sum of effects of its system, topic and annotator, their interactions of two, and a "
    "residual; restricted maximum likelihood (Bates et al. 2015). An interaction that cannot be separated "
    "from the residual or from another effect is left out.",
    "Variance components: all effects are random. Share = part of the sum of all variances. 95 % intervals "
    "by the profile likelihood, as lme4's confint (Bates et al. 2015, section 5.1). It is not the restricted "
    "likelihood, so with few levels an interval can be too low. A low end of 0 means that the data are also "
    "compatible with no variance.",
    "Reliability: ICC = share of the variance between summaries in the variance of ratings. Generalizability "
    "coefficient of system means = system / (system + system × topic / topics + system × annotator / "
    "annotators + residual / (topics × annotators)); dependability also counts the effects of topics and "
    "annotators and their interaction as errors (Brennan 2001). Both assume that each annotator rates every "
    "summary.",
    "Means of systems: systems are fixed, the other effects random. 95 % t intervals, degrees of freedom by "
    "Satterthwaite's method; p of the difference from the highest mean, Holm's adjustment. They hold for "
    "other topics and annotators.",
)


def _ratings_among(study: Study, listed: str) -> list[str]:
    """Return the names of ratings, all by default. Raises InputError for other judgements."""
    known = rated_judgements(study)
    names = names_in(listed)
    return [resolve_name("rating", name, known) for name in names] or known


def single_ratings(study: Study, name: str, topics: set[str]) -> SingleRatings:
    """Return the included ratings of automatic systems. Raises InputError if there are too few."""
    cube = included_ratings(study, name)
    rows = automatic(study)
    if cube is None:
        raise InputError("it is not a rating.")
    is_chosen = np.ix_(
        np.ones(len(cube.annotators), dtype=np.bool_),
        np.array([one in rows for one in cube.systems], dtype=np.bool_),
        np.array([one in topics for one in cube.topics], dtype=np.bool_),
    )
    values = np.full(cube.values.shape, np.nan)
    values[is_chosen] = cube.values[is_chosen]
    annotator, system, topic = np.nonzero(np.isfinite(values))
    codes, systems = {}, ()
    for factor, places in ((SYSTEM, system), (TOPIC, topic), (ANNOTATOR, annotator)):
        levels, codes[factor] = np.unique(places, return_inverse=True)
        if factor == SYSTEM:
            systems = tuple(cube.systems[level] for level in levels)
    if len(systems) < 2 or len(np.unique(topic)) < 2:
        raise InputError("at least two systems and two topics must be rated.")
    if len(np.unique(annotator)) > MOST_ANNOTATORS:
        raise InputError(
            f"{len(np.unique(annotator)):,} annotators are too many for this model; at most "
            f"{MOST_ANNOTATORS:,}. Leave some out, or divide the study."
        )
    return SingleRatings(name, values[annotator, system, topic], codes, systems)


def fitted(ratings: SingleRatings) -> JobSteps[tuple[MixedModel, MixedModel, Array, list[str]]]:
    """Return the model with random systems, that with fixed systems, intervals of variances, and notes.

    The intervals are of the model with random systems, shape (effects + 1, 2). Raises InputError.
    """
    effects, notes = random_effects(ratings)
    blocks, n = ratings.codes[TOPIC], len(ratings.values)
    if n <= len(ratings.systems) + len(effects):
        raise InputError("there are too few ratings.")
    system = RandomEffect(SYSTEM, ratings.codes[SYSTEM])
    try:
        design = (ratings.values, np.ones((n, 1)), [system, *effects], blocks)
        random = yield from fit_mixed_model(*design, f"{ratings.label}: variances")
        by_system = np.eye(len(ratings.systems))[ratings.codes[SYSTEM]]
        fixed = yield from fit_mixed_model(
            ratings.values, by_system, effects, blocks, f"{ratings.label}: means"
        )
        ends = yield from variance_intervals(*design, note=f"{ratings.label}: intervals")
    except np.linalg.LinAlgError as error:
        raise InputError(f"the model has no solution ({error}).") from error
    for what, model in (("variances", random), ("means of systems", fixed)):
        if not model.has_converged:
            notes.append(f"the model of the {what} did not converge, so its numbers may be wrong.")
    if random.singular:
        notes.append(f"the variance of {', '.join(random.singular)} is estimated as 0 (singular fit).")
    if not np.isfinite(ends).all():
        notes.append(
            "intervals of variances are missing: the likelihood hardly depends on them, or the effects "
            "explain the ratings perfectly."
        )
    for factor in (SYSTEM, TOPIC, ANNOTATOR):
        if 1 < ratings.levels(factor) < FEWEST_LEVELS:
            count = pluralize(ratings.levels(factor), factor)
            notes.append(f"only {count}, so the variance of {factor}s is poorly estimated.")
    return random, fixed, ends, notes


def random_effects(ratings: SingleRatings) -> tuple[list[RandomEffect], list[str]]:
    """Return the effects other than systems that the design can separate, with notes on those left out."""
    effects = [RandomEffect(TOPIC, ratings.codes[TOPIC])]
    notes = []
    if ratings.levels(ANNOTATOR) > 1:
        effects.append(RandomEffect(ANNOTATOR, ratings.codes[ANNOTATOR]))
    else:
        notes.append("one annotator only, whose effect is part of the mean.")
    if any(_is_same(effects[0].codes, one.codes) for one in effects[1:]):
        effects.pop()
        notes.append(
            "each topic has its own annotator, so the effects of topics include those of annotators."
        )
    present = [SYSTEM, *(one.name for one in effects)]
    for at, one in enumerate(present):
        for other in present[at + 1 :]:
            name = one + _CROSS + other
            codes = _crossed(ratings.codes[one], ratings.codes[other])
            levels = int(codes.max()) + 1
            if len(codes) - levels < FEWEST_REPLICATES:
                notes.append(f"{name} is part of the residual: hardly any combination was rated twice.")
            elif levels in (ratings.levels(one), ratings.levels(other)):
                notes.append(f"{name} cannot be separated from the effects of {one}s and {other}s.")
            elif TOPIC not in (one, other) and levels > MOST_LEVELS:
                notes.append(f"{name} is left out: {levels:,} levels are too many.")
            else:
                effects.append(RandomEffect(name, codes))
    return effects, notes


def components(model: MixedModel) -> dict[str, float]:
    """Return the variance of each effect and of the residual."""
    return dict(zip(model.names, model.variances, strict=True)) | {RESIDUAL: model.residual}


def generalizability(parts: Mapping[str, float], topics: float, annotators: float) -> tuple[float, float]:
    """Return the generalizability coefficient and the dependability of system means.

    parts: variances by source. topics, annotators: over which a mean is taken. NaN if systems do not vary.
    Source: Brennan 2001, section 4.
    """
    own = parts[SYSTEM]

    def over(source: str, count: float) -> float:
        return parts.get(source, 0.0) / count

    relative = (
        over(SYSTEM + _CROSS + TOPIC, topics)
        + over(SYSTEM + _CROSS + ANNOTATOR, annotators)
        + over(RESIDUAL, topics * annotators)
    )
    absolute = (
        relative
        + over(TOPIC, topics)
        + over(ANNOTATOR, annotators)
        + over(TOPIC + _CROSS + ANNOTATOR, topics * annotators)
    )
    return (own / (own + relative), own / (own + absolute)) if own + relative > 0 else (np.nan, np.nan)


def summary_reliability(parts: Mapping[str, float], annotators: float) -> float:
    """Return the ICC of the mean of several annotators' ratings of one summary, absolute agreement.

    It is a lower bound where system × topic is part of the residual.
    """
    true = parts[SYSTEM] + parts.get(TOPIC, 0.0) + parts.get(SYSTEM + _CROSS + TOPIC, 0.0)
    return true / (true + (sum(parts.values()) - true) / annotators)


def _crossed(one: Codes, other: Codes) -> Codes:
    codes: Codes = np.unique(one * (int(other.max()) + 1) + other, return_inverse=True)[1]
    return codes


def _is_same(one: Codes, other: Codes) -> bool:
    """Return whether two factors divide the ratings in the same way."""
    levels = int(_crossed(one, other).max())
    return levels == int(one.max()) == int(other.max())


def _variances(ratings: SingleRatings, model: MixedModel, ends: Array) -> Table:
    columns = (
        Column("Source", "source"),
        Column("Levels", "levels", CellKind.COUNT),
        Column("Variance", "variance", CellKind.SCORE),
        *interval_ends(CellKind.SCORE, "variance_"),
        Column("Standard deviation", "sd", CellKind.SCORE),
        Column("Share", "share", CellKind.FINE_CORRELATION),
        Column("Note", "note"),
    )
    parts, marks = components(model), _marks(ratings, model)
    total = sum(parts.values())
    rows: list[tuple[Cell, ...]] = []
    for (source, value), (low, high) in zip(parts.items(), ends.tolist(), strict=True):
        factors = source.split(_CROSS)
        codes = ratings.codes.get(factors[0])
        if codes is not None and len(factors) > 1:
            codes = _crossed(codes, ratings.codes[factors[1]])
        levels = None if codes is None else int(codes.max()) + 1
        rows.append(
            (source, levels, value, low, high, float(np.sqrt(value)), value / total, marks.get(source, ""))
        )
    note = f"{len(ratings.values):,} ratings."
    return Table(f"{ratings.label}: variance components", columns, tuple(rows), note)


def _marks(ratings: SingleRatings, model: MixedModel) -> dict[str, str]:
    """Return the effects whose variance may mislead, with the reason."""
    few = [name for name in ratings.codes if 1 < ratings.levels(name) < FEWEST_LEVELS and name in model.names]
    marks = {name: f"only {pluralize(ratings.levels(name), 'level')}: poorly estimated" for name in few}
    return marks | _fit_marks(model)


def _fit_marks(model: MixedModel) -> dict[str, str]:
    """Return the effects whose variance is at the boundary or did not converge."""
    marks = dict.fromkeys(model.singular, "estimated as 0 (singular fit)")
    if not model.has_converged:
        marks = {name: f"{marks.get(name, '')}; did not converge".lstrip("; ") for name in model.names}
    return marks


def _in_one_line(marks: Mapping[str, str]) -> str:
    return "; ".join(f"{name}: {mark}" for name, mark in marks.items())


def _plural(count: float, thing: str) -> str:
    return thing if count == 1 else f"{thing}s"


def _reliabilities(ratings: SingleRatings, parts: Mapping[str, float], marks: Mapping[str, str]) -> Table:
    topics, each = ratings.levels(TOPIC), ratings.per_summary
    relative, absolute = generalizability(parts, topics, each)
    means = f"System means over {pluralize(topics, 'topic')}, {each:.3g} {_plural(each, 'annotator')} each"
    rows: list[tuple[Cell, ...]] = [
        ("One rating of a summary (ICC)", summary_reliability(parts, 1)),
        (
            f"Mean of {each:.3g} {_plural(each, 'rating')} of a summary (ICC)",
            summary_reliability(parts, each),
        ),
        (f"{means}: ranking (generalizability coefficient)", float(relative)),
        (f"{means}: values (dependability)", float(absolute)),
    ]
    columns = (
        Column("Of", "of"),
        Column("Reliability", "reliability", CellKind.FINE_CORRELATION),
        Column("Note", "note"),
    )
    note = _in_one_line(marks)
    return Table(f"{ratings.label}: reliability", columns, tuple((*row, note) for row in rows))


def _means(ratings: SingleRatings, model: MixedModel) -> Table:
    columns = (
        Column("System", "system"),
        Column("Mean", "mean", CellKind.SCORE),
        *interval_ends(CellKind.SCORE),
        Column("Degrees of freedom", "df", CellKind.SCORE),
        Column("Below the first", "difference", CellKind.SCORE),
        *interval_ends(CellKind.SCORE, "difference_"),
        Column("p, Holm", "p_holm", CellKind.P),
        Column("Note", "note"),
    )
    note = _in_one_line(_fit_marks(model))  # the degrees of freedom account for few levels
    order = np.argsort(-model.fixed, kind="stable")
    unit = np.eye(len(model.fixed))
    apart = [model.contrast(unit[order[0]] - unit[at]) for at in order]
    p = holm(np.array([one.p for one in apart[1:]])) if len(apart) > 1 else np.zeros(0)
    rows: list[tuple[Cell, ...]] = []
    for place, (at, difference) in enumerate(zip(order, apart, strict=True)):
        own = model.contrast(unit[at])
        cells: tuple[Cell, ...] = (ratings.systems[at], own.value, *own.interval(), own.freedom)
        more = (difference.value, *difference.interval(), float(p[place - 1])) if place else (None,) * 4
        rows.append((*cells, *more, note))
    return Table(f"{ratings.label}: means of systems", columns, tuple(rows))


def _share_bars(shares: Mapping[str, Mapping[str, float]]) -> Chart:
    sources = [
        source for source in dict.fromkeys(s for one in shares.values() for s in one) if source != RESIDUAL
    ]
    sources.append(RESIDUAL)
    series = tuple(
        Series(name, tuple(one.get(source, np.nan) for source in sources)) for name, one in shares.items()
    )
    return Chart(
        "Sources of the variance of ratings", ChartKind.BARS, "source", "share", series, tuple(sources)
    )


def _curves(ratings: SingleRatings, parts: Mapping[str, float]) -> Chart:
    own = ratings.levels(TOPIC)
    counts = sorted({1, 2, 5, own, *(round(own * share) for share in (0.1, 0.25, 0.5, 0.75, 1.5, 2))} - {0})
    series = tuple(
        Series(
            pluralize(annotators, "annotator"),
            tuple(float(generalizability(parts, topics, annotators)[0]) for topics in counts),
            tuple(map(float, counts)),
        )
        for annotators in (_CURVES if ANNOTATOR in parts else _CURVES[:1])
    )
    note = f"This study: {pluralize(own, 'topic')}, {ratings.per_summary:.3g} annotators per summary."
    return Chart(
        f"{ratings.label}: reliability of the ranking of systems", ChartKind.CURVES, "topics",
        "generalizability coefficient", series, note=note,
    )  # fmt: skip


def _mean_bars(ratings: SingleRatings, model: MixedModel) -> Chart:
    order = np.argsort(-model.fixed, kind="stable")
    unit = np.eye(len(model.fixed))
    found = [model.contrast(unit[at]) for at in order]
    intervals = [one.interval() for one in found]
    bars = Series(
        ratings.label,
        tuple(one.value for one in found),
        low=tuple(low for low, _ in intervals),
        high=tuple(high for _, high in intervals),
    )
    names = tuple(ratings.systems[at] for at in order)
    return Chart(
        f"{ratings.label}: means of systems", ChartKind.BARS, "system", ratings.label, (bars,), names
    )
