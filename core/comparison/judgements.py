"""Human judgements of summaries (pyramid scores, ratings, preferences) as matrices."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.comparison.preferences import (
    PreferenceScore,
    answered_plan,
    preference_judgements,
    split_name,
    summary_scores,
)
from core.comparison.pyramid_judgements import (
    PyramidJudgement,
    PyramidScoreCells,
    PyramidScoreScope,
    all_pyramid_judgements,
    read_cells,
)
from core.domain.annotator_filter import resolve_annotators
from core.domain.decisions import MACHINE_GROUP
from core.domain.preferences import ComparisonKind, ComparisonPlan
from core.domain.pyramid import UnitKind
from core.domain.ratings import RatingCube
from core.errors import InputError
from core.formatting.numbers import pluralize
from core.matrix import ScoreMatrix, nanmean_first_axis
from core.names import in_sentence, resolve_name
from core.ports import Study, annotations_of

EXPERTS = "expert"
"""Group of annotators whose ratings count exclusively if there are any."""

MAIN_SCORES = {UnitKind.SCU: "pyramid.modified", UnitKind.NUGGET: "nugget.units"}
"""The score that papers report, of each kind of content unit."""

_RATING = "rating."


@dataclass(frozen=True, slots=True)
class JudgementRef:
    """Judgement of a study.

    name: such as ``rating.coherence``.
    cells: number of judged summaries.
    annotators: names of the included annotators.
    policy: a sentence on what is included and how it is averaged.
    """

    name: str
    title: str
    cells: int
    annotators: tuple[str, ...]
    policy: str


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """Judgement with its values. matrix: of all systems and topics, NaN = not judged."""

    ref: JudgementRef
    matrix: ScoreMatrix


def judgements(
    study: Study, annotators: Sequence[str] = (), names: Sequence[str] | None = None
) -> list[JudgementRef]:
    """Return every judgement with at least one value: pyramid scores, ratings by dimension, preferences.

    annotators: names or groups to include, empty = according to the policies.
    names: only these, in this order, with or without values.
    Raises InputError for unknown names.
    """
    return [judgement.ref for judgement in read_judgements(study, annotators, names).values()]


def read_judgements(
    study: Study, annotators: Sequence[str] = (), names: Sequence[str] | None = None
) -> dict[str, Judgement]:
    """Return judgements by their full names, as `judgements` does, with their values."""
    requested = _every_name(study) if names is None else names
    found = _judgements(study, requested, tuple(annotators))
    return {name: one for name, one in found.items() if names is not None or one.ref.cells}


def judgement_matrix(study: Study, name: str, annotators: Sequence[str] = ()) -> ScoreMatrix:
    """Return one judgement of all systems on all topics, NaN = not judged.

    name: a pyramid score can name its references, such as ``pyramid.modified[references:A+B]``; with
    ``humans:jackknife`` references are rows too.
    annotators: names or groups to include, empty = according to the judgement's policy.
    Raises InputError for unknown names.
    """
    (matrix,) = judgement_matrices(study, [name], annotators).values()
    return matrix


def judgement_matrices(
    study: Study, names: Sequence[str], annotators: Sequence[str] = ()
) -> dict[str, ScoreMatrix]:
    """Return several judgements by their full names, in this order, reading each match and rating once."""
    found = read_judgements(study, annotators, names)
    return {name: judgement.matrix for name, judgement in found.items()}


def included_ratings(study: Study, name: str, annotators: Sequence[str] = ()) -> RatingCube | None:
    """Return the included ratings behind a judgement, also on a scale of categories; None if it has none."""
    if name not in rated_scales(study):
        return None
    cube = study.ratings.cube(name.removeprefix(_RATING))
    counting = _raters(study, cube, tuple(annotators))
    named = sorted(zip(cube.annotators, range(len(cube.annotators)), strict=True))  # resamples draw by place
    mine = [place for who, place in named if who in counting]
    return replace(
        cube,
        annotators=tuple(cube.annotators[i] for i in mine),
        groups=tuple(cube.groups[i] for i in mine),
        values=cube.values[mine],
    )


def _every_name(study: Study) -> list[str]:
    pyramids = (str(judgement) for judgement in all_pyramid_judgements())
    return [*pyramids, *rating_judgements(study), *preference_judgements(study)]


def resolve_judgements(study: Study, names: Sequence[str]) -> list[str]:
    """Return the full names of judgements, each once. Raises InputError for an unknown name."""
    every = [*_every_name(study), *(_RATING + one.name for one in study.ratings.dimensions())]
    known = list(dict.fromkeys(every))
    found = (
        name if PyramidJudgement.read(name) else resolve_name("judgement", name, known) for name in names
    )
    return list(dict.fromkeys(found))


def rating_judgements(study: Study) -> list[str]:
    """Return the judgements by ratings: one per scale of numbers, such as ``rating.coherence``."""
    return [_RATING + dimension.name for dimension in study.ratings.dimensions() if dimension.is_numeric]


def rated_scales(study: Study) -> list[str]:
    """Return the names of ratings that are numbers or categories, with or without ratings."""
    scales = study.ratings.dimensions()
    return [_RATING + scale.name for scale in scales if scale.is_numeric or scale.has_categories]


def rated_judgements(study: Study) -> list[str]:
    """Return the judgements by ratings with at least one rating; those of machines alone do not count."""
    counts = study.ratings.counts()
    rated = [
        _RATING + one.name for one in study.ratings.dimensions() if one.is_numeric and counts.get(one.id)
    ]
    if all(person.group != MACHINE_GROUP for person in study.annotators.all()):
        return rated
    cubes = ((name, included_ratings(study, name)) for name in rated)
    return [name for name, cube in cubes if cube is not None and np.isfinite(cube.values).any()]


def is_judgement(study: Study, name: str) -> bool:
    """Return whether a name is a judgement's, with or without values."""
    is_score = PyramidJudgement.read(name) is not None
    return is_score or name in rating_judgements(study) or split_name(study, name) is not None


def has_judgements(study: Study) -> bool:
    """Return whether any judgement may have a value: a rating, an answer, or a summary marked done.

    Reads no text, and much less than `judgements`.
    """
    return (
        bool(rated_judgements(study))
        or any(study.comparisons.preferences(plan.id) for plan in study.comparisons.plans())
        or any(annotations_of(study, unit).is_any_summary_done() for unit in UnitKind)
    )


def unit_judgement(study: Study) -> str:
    """Return the score of content units that a study has: of SCUs, else of nuggets; empty if neither."""
    scores = MAIN_SCORES.items()
    return next((name for unit, name in scores if annotations_of(study, unit).is_any_summary_done()), "")


def _judgements(study: Study, names: Sequence[str], annotators: tuple[str, ...]) -> dict[str, Judgement]:
    """Return judgements by the full names of the requested ones, in that order."""
    names = resolve_judgements(study, names)
    scales = {_RATING + dimension.name: dimension for dimension in study.ratings.dimensions()}
    pyramids: dict[str, PyramidJudgement] = {}
    preferences: dict[str, tuple[ComparisonPlan, PreferenceScore]] = {}
    for name in names:
        if (judgement := PyramidJudgement.read(name)) is not None:
            pyramids[name] = judgement
        elif (found := split_name(study, name)) is not None:
            preferences[name] = found
        elif not scales[name].is_numeric:
            raise InputError(
                f"{name} has {scales[name].range_text} without an order, so that nothing can be correlated "
                "with it. Choose a scale of numbers; the agreement of annotators on categories is measured "
                "by pyramidion agree."
            )
    cells = _pyramid_cells(study, pyramids.values(), annotators)
    systems = tuple(system.name for system in study.texts.systems())
    topics = tuple(topic.name for topic in study.texts.topics())
    places = _places_of_summaries(study, systems) if preferences else {}

    def read(name: str) -> Judgement:
        if name in pyramids:
            return _pyramid_judgement(name, pyramids[name], cells[pyramids[name].scope], systems, topics)
        if name in preferences:
            blank = _empty(name, systems, topics)
            return _preference_judgement(study, blank, places, *preferences[name], annotators)
        return _rating_judgement(study, scales[name].name, annotators, systems, topics)

    return {name: read(name) for name in names}


def _places_of_summaries(study: Study, systems: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Return the row and column of each summary by its id."""
    row = {system: place for place, system in enumerate(systems)}
    return {
        text.id: (row[text.name], column)
        for column, topic in enumerate(study.texts.load())
        for text in topic.summaries
    }


def _pyramid_cells(
    study: Study, requested: Collection[PyramidJudgement], annotators: tuple[str, ...]
) -> dict[PyramidScoreScope, PyramidScoreCells]:
    """Read all kinds of pyramid scores at once, since they share the matches."""
    if not requested:
        return {}
    counting = resolve_annotators(annotators, study.annotators.all())
    return read_cells(study, dict.fromkeys(judgement.scope for judgement in requested), counting)


def _pyramid_judgement(
    name: str,
    judgement: PyramidJudgement,
    cells: PyramidScoreCells,
    systems: tuple[str, ...],
    topics: tuple[str, ...],
) -> Judgement:
    rows = (*systems, *sorted({row for row, _ in cells.scores}.difference(systems)))
    matrix = _empty(name, rows, topics)
    row = {system: i for i, system in enumerate(matrix.systems)}
    column = {topic: i for i, topic in enumerate(matrix.topics)}
    for (system, topic), scores in cells.scores.items():
        matrix.values[row[system], column[topic]] = nanmean_first_axis(np.array(scores)[:, judgement.index])
    annotators = tuple(sorted(cells.annotators))
    averaged = f"{_listed(annotators)}{', averaged over them' if len(annotators) > 1 else ''}"
    return _judgement(name, judgement.title, annotators, judgement.policy(averaged), matrix)


def _rating_judgement(
    study: Study,
    dimension: str,
    annotators: tuple[str, ...],
    systems: tuple[str, ...],
    topics: tuple[str, ...],
) -> Judgement:
    cube = study.ratings.cube(dimension)
    counting = _raters(study, cube, annotators)
    mine = np.array([name in counting for name in cube.annotators], dtype=bool)
    means = nanmean_first_axis(cube.values[mine])
    name = _RATING + dimension
    matrix = ScoreMatrix(name, cube.systems, cube.topics, means).select(systems, topics)
    rated = tuple(who for who, is_in in zip(cube.annotators, mine, strict=True) if is_in)
    left_out = len(cube.annotators) - len(rated)
    others = "1 further annotator is" if left_out == 1 else f"{left_out} further annotators are"
    policy = (
        f"{dimension.capitalize()}: mean of the ratings by {_listed(rated)}"
        f"{f'; {others} left out' if left_out else ''}."
    )
    return _judgement(name, dimension.capitalize(), rated, policy, matrix)


def _preference_judgement(
    study: Study,
    matrix: ScoreMatrix,
    places: Mapping[str, tuple[int, int]],
    plan: ComparisonPlan,
    score: PreferenceScore,
    annotators: tuple[str, ...],
) -> Judgement:
    """Fill an empty matrix. places: row and column of each summary."""
    answered = answered_plan(study, plan, annotators)
    scores, reasons = summary_scores(answered, score)
    for summary, place in places.items():
        matrix.values[place] = scores.get(summary, np.nan)
    what = {
        PreferenceScore.BRADLEY_TERRY: "Bradley–Terry strength within each topic",
        PreferenceScore.COUNT: "share of comparisons won, ties half"
        if plan.kind is ComparisonKind.PAIRWISE
        else "share of comparisons as the best minus share as the worst",
    }[score]
    missing = "; ".join(f"{pluralize(count, 'topic')}: {reason}" for reason, count in reasons.items())
    policy = (
        f"{plan.name.capitalize()}: {what}, from {pluralize(len(answered.answers), 'answer')} by "
        f"{_listed(answered.annotators)}{f'; no strengths in {missing}' if missing else ''}."
    )
    title = f"{plan.name.capitalize()} ({score})"
    return _judgement(matrix.label, title, answered.annotators, policy, matrix)


def _raters(study: Study, cube: RatingCube, annotators: tuple[str, ...]) -> Collection[str]:
    """Return the selected annotators, else the experts if there are any, else all but machines."""
    counting = resolve_annotators(annotators, study.annotators.all())
    if annotators and counting is not None:
        return counting
    experts = {who for who, group in zip(cube.annotators, cube.groups, strict=True) if group == EXPERTS}
    own = {who for who in cube.annotators if counting is None or who in counting}
    who_groups = zip(cube.annotators, cube.groups, strict=True)
    return experts or own or {who for who, group in who_groups if group != MACHINE_GROUP}


def _empty(label: str, systems: tuple[str, ...], topics: tuple[str, ...]) -> ScoreMatrix:
    return ScoreMatrix(label, systems, topics, np.full((len(systems), len(topics)), np.nan))


def _judgement(
    name: str, title: str, annotators: tuple[str, ...], policy: str, matrix: ScoreMatrix
) -> Judgement:
    cells = int(np.isfinite(matrix.values).sum())
    return Judgement(JudgementRef(name, title, cells, annotators, policy), matrix)


def _listed(names: Sequence[str]) -> str:
    return in_sentence(names) or "nobody yet"
