"""What people say of each summary: pyramid scores and ratings, as matrices beside the measures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np

from core.domain.pyramid import TopicAnnotation
from core.domain.pyramid_scores import PyramidScore, score_summary
from core.domain.ratings import RatingCube
from core.domain.study import Annotator, TopicTexts
from core.errors import InputError
from core.matrix import Array, Matrix
from core.ports import Study

EXPERTS = "expert"
"""The group of annotators that alone counts where it rated."""

_PYRAMID_TITLES = {
    "pyramid.modified": "Pyramid (modified)",
    "pyramid.original": "Pyramid (original)",
    "pyramid.comprehensive": "Pyramid (comprehensive)",
    "pyramid.presence": "SCU presence",
}
_RATING = "rating."


@dataclass(frozen=True, slots=True)
class JudgementRef:
    """A judgement that a study has.

    name: as ``rating.coherence``. cells: how many summaries have it. annotators: whose opinion it is.
    policy: a sentence that says what counts and how it is averaged.
    """

    name: str
    title: str
    cells: int
    annotators: tuple[str, ...]
    policy: str


@dataclass(frozen=True, slots=True, eq=False)
class _Judgement:
    ref: JudgementRef
    matrix: Matrix


def judgements(study: Study, annotators: Sequence[str] = ()) -> list[JudgementRef]:
    """Every judgement with at least one cell: pyramid scores, then ratings by dimension.

    annotators: names or groups that count, empty = as the policies say.
    """
    return [judgement.ref for judgement in _every(study, tuple(annotators)) if judgement.ref.cells]


def judgement_matrix(study: Study, name: str, annotators: Sequence[str] = ()) -> Matrix:
    """One judgement of all systems on all topics, NaN = not judged.

    annotators: names or groups that count, empty = as the judgement's policy says. Raises InputError on a
    name that the study does not have.
    """
    return judgement_matrices(study, [name], annotators)[name]


def judgement_matrices(
    study: Study, names: Sequence[str], annotators: Sequence[str] = ()
) -> dict[str, Matrix]:
    """The same for several judgements, in this order, each match and rating read once."""
    chosen = tuple(annotators)
    dimensions = {_RATING + dimension.name: dimension.name for dimension in study.dimensions()}
    for name in names:
        if name not in _PYRAMID_TITLES and name not in dimensions:
            raise InputError(_unknown("judgement", name, [*_PYRAMID_TITLES, *dimensions]))
    found: dict[str, Matrix] = {}
    if any(name in _PYRAMID_TITLES for name in names):
        found = {judgement.ref.name: judgement.matrix for judgement in _pyramid_judgements(study, chosen)}
    for name in names:
        if name in dimensions:
            found[name] = _rating_judgement(study, dimensions[name], chosen).matrix
    return {name: found[name] for name in names}


def pyramid_scores(annotation: TopicAnnotation, topic: TopicTexts) -> Iterator[tuple[str, str, PyramidScore]]:
    """(summary's system, annotator's id, score) of every summary of a topic that an annotator marked done."""
    references = {reference.id for reference in topic.references}
    systems = {summary.id: summary.name for summary in topic.summaries}
    for state in annotation.states:
        if state.is_done and state.summary_id in systems:
            mine = annotation.matches_of(state.summary_id, state.annotator_id)
            score = score_summary(annotation.pyramid, mine, references)
            yield systems[state.summary_id], state.annotator_id, score


def _every(study: Study, annotators: tuple[str, ...]) -> Iterator[_Judgement]:
    yield from _pyramid_judgements(study, annotators)
    for dimension in study.dimensions():
        yield _rating_judgement(study, dimension.name, annotators)


def _pyramid_judgements(study: Study, annotators: tuple[str, ...]) -> list[_Judgement]:
    """All kinds of pyramid score at once: they share the matches."""
    people = {person.id: person for person in study.annotators()}
    counting = _chosen(annotators, people.values())
    cells: dict[tuple[str, str], list[PyramidScore]] = defaultdict(list)
    seen: set[str] = set()
    by_topic = _annotations_by_topic(study)
    for topic in study.texts(tuple(by_topic)) if by_topic else ():
        for annotation in by_topic[topic.id]:
            for system, annotator_id, score in pyramid_scores(annotation, topic):
                person = people[annotator_id].name
                if counting is None or person in counting:
                    cells[system, topic.name].append(score)
                    seen.add(person)
    return [_pyramid_judgement(study, name, cells, tuple(sorted(seen))) for name in _PYRAMID_TITLES]


def _annotations_by_topic(study: Study) -> Mapping[str, list[TopicAnnotation]]:
    found: dict[str, list[TopicAnnotation]] = defaultdict(list)
    for annotation in study.annotations():
        if annotation.states:
            found[annotation.pyramid.topic_id].append(annotation)
    return found


def _pyramid_judgement(
    study: Study,
    name: str,
    cells: Mapping[tuple[str, str], Sequence[PyramidScore]],
    annotators: tuple[str, ...],
) -> _Judgement:
    kind = name.partition(".")[2]
    empty = _empty(study, name)
    row = {system: i for i, system in enumerate(empty.systems)}
    column = {topic: i for i, topic in enumerate(empty.topics)}
    for (system, topic), scores in cells.items():
        values = np.array([getattr(score, kind) for score in scores], dtype=np.float64)
        defined = values[np.isfinite(values)]
        if defined.size:
            empty.values[row[system], column[topic]] = defined.mean()
    policy = (
        f"{_PYRAMID_TITLES[name]}: summaries whose matching is marked done, matched by {_listed(annotators)}"
        f"{', averaged over them' if len(annotators) > 1 else ''}; "
        "an SCU weighs as many references as express it."
    )
    return _judgement(name, _PYRAMID_TITLES[name], annotators, policy, empty)


def _rating_judgement(study: Study, dimension: str, annotators: tuple[str, ...]) -> _Judgement:
    cube = study.rating_cube(dimension)
    counting = _raters(study, cube, annotators)
    mine = np.array([name in counting for name in cube.annotators], dtype=bool)
    means = _mean_over_annotators(cube.values[mine]) if mine.any() else np.full(cube.values.shape[1:], np.nan)
    name = _RATING + dimension
    empty = _empty(study, name)
    matrix = Matrix(name, cube.systems, cube.topics, means).select(empty.systems, empty.topics)
    rated = tuple(who for who, is_in in zip(cube.annotators, mine, strict=True) if is_in)
    left_out = len(cube.annotators) - len(rated)
    others = "1 further annotator is" if left_out == 1 else f"{left_out} further annotators are"
    policy = (
        f"{dimension.capitalize()}: mean of the ratings by {_listed(rated)}"
        f"{f'; {others} left out' if left_out else ''}."
    )
    return _judgement(name, dimension.capitalize(), rated, policy, matrix)


def _raters(study: Study, cube: RatingCube, annotators: tuple[str, ...]) -> Collection[str]:
    """Those chosen, else the experts where there are any, else everybody."""
    counting = _chosen(annotators, study.annotators())
    if counting is not None:
        return counting
    experts = {who for who, group in zip(cube.annotators, cube.groups, strict=True) if group == EXPERTS}
    return experts or set(cube.annotators)


def _chosen(annotators: tuple[str, ...], people: Collection[Annotator]) -> Collection[str] | None:
    """Names of the annotators meant by names and groups, None = no choice was made."""
    if not annotators:
        return None
    chosen: set[str] = set()
    for wanted in annotators:
        found = {p.name for p in people if p.name == wanted} or {p.name for p in people if p.group == wanted}
        if not found:
            known = sorted({p.name for p in people} | {p.group for p in people if p.group})
            raise InputError(_unknown("annotator or group", wanted, known))
        chosen |= found
    return chosen


def _mean_over_annotators(values: Array) -> Array:
    there = np.isfinite(values)
    counts = there.sum(axis=0)
    totals = np.where(there, values, 0.0).sum(axis=0)
    return np.where(counts > 0, totals / np.maximum(counts, 1), np.nan)


def _empty(study: Study, label: str) -> Matrix:
    systems = tuple(system.name for system in study.systems())
    topics = tuple(topic.name for topic in study.topics())
    return Matrix(label, systems, topics, np.full((len(systems), len(topics)), np.nan))


def _judgement(name: str, title: str, annotators: tuple[str, ...], policy: str, matrix: Matrix) -> _Judgement:
    cells = int(np.isfinite(matrix.values).sum())
    return _Judgement(JudgementRef(name, title, cells, annotators, policy), matrix)


def _listed(names: Sequence[str]) -> str:
    if not names:
        return "nobody yet"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _unknown(what: str, name: str, known: Sequence[str]) -> str:
    near = get_close_matches(name, known, n=1)
    meant = f" Did you mean {near[0]!r}?" if near else ""
    return f"The study has no {what} named {name!r}.{meant} It has: {', '.join(known) or 'none'}."
