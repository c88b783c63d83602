"""Agreement of a study's annotators: which annotations, which pairs, which scores."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from core.agreement.analysis import (
    CATEGORY_COEFFICIENTS,
    MATCH_COEFFICIENTS,
    RATING_COEFFICIENTS,
    AgreementOptions,
    pyramid_agreement,
    ranking_pairs,
    ranking_rows,
    span_agreement,
    value_agreement,
)
from core.agreement.items import AnnotatedItems, match_items, rated_items
from core.agreement.pyramid_pairs import PyramidPair, WordsOfReference, pair_pyramids
from core.agreement.spans import SpanPair
from core.agreement.table import AgreementRow, AgreementTable, Grouping
from core.agreement.titles import annotations_name
from core.annotation.marked_spans import sentence_labels
from core.annotation.team_progress import work_progress
from core.annotation.word_coverage import words
from core.comparison.preferences import preference_items
from core.comparison.pyramid_judgements import PyramidScoreScope, scores_of
from core.domain.annotator_filter import resolve_annotators
from core.domain.assignment import Work
from core.domain.pyramid import TopicAnnotation, UnitKind
from core.domain.pyramid.nugget_edits import only_confirmed
from core.domain.pyramid.nugget_scores import NUGGET_KINDS
from core.domain.pyramid.subset_scores import KINDS
from core.domain.ratings import Dimension, RatingCube, ScaleKind
from core.domain.study import TopicTexts
from core.errors import InputError
from core.matrix import Array
from core.names import resolve_name
from core.ports import Study, annotations_of
from core.progress import JobSteps


@dataclass(frozen=True, slots=True)
class _Unit:
    """The work on one kind of content unit, and the score whose ranking annotators are compared by."""

    unit: UnitKind
    pyramids: Work
    matches: Work
    score: int


_SCUS = _Unit(UnitKind.SCU, Work.PYRAMIDS, Work.MATCHES, KINDS.index("modified"))
_NUGGETS = _Unit(UnitKind.NUGGET, Work.NUGGETS, Work.HITS, NUGGET_KINDS.index("units"))


@dataclass(frozen=True, slots=True)
class AgreementSelection:
    """Annotations to compare.

    kinds: empty = all that two annotators made.
    scales: names of rating scales, empty = all.
    annotators: names or groups, empty = all.
    """

    kinds: tuple[Work, ...] = ()
    scales: tuple[str, ...] = ()
    annotators: tuple[str, ...] = ()


_Cells = dict[tuple[str, str], float]
"""Scores by system and topic."""


def study_agreement(
    study: Study, selection: AgreementSelection, options: AgreementOptions
) -> JobSteps[AgreementTable]:
    """Return the agreement of a study's annotators.

    Raises InputError for unknown names, and if no requested annotation was made by two annotators.
    """
    counting = resolve_annotators(selection.annotators, study.annotators.all())
    kinds = selection.kinds or tuple(Work)
    boot = options.bootstrap
    table = AgreementTable((), boot.draws, boot.seed, boot.confidence)
    if Work.RATINGS in kinds:
        for scale, cube in _cubes(study, selection.scales, counting):
            rows = yield from _rating_rows(scale, cube, options)
            if scale.kind is ScaleKind.SPANS:
                rows += yield from _span_rows(study, cube, options)
            table = table.extended(rows, _group_notes(cube, table))
    people = {
        person.id: person.name
        for person in study.annotators.all()
        if counting is None or person.name in counting
    }
    for unit, works in ((_SCUS, (Work.MATCHES, Work.PYRAMIDS)), (_NUGGETS, (Work.NUGGETS, Work.HITS))):
        annotated = list(_annotations(study, unit)) if set(works).intersection(kinds) else []
        for work in works:
            rows_of = _match_rows if work is unit.matches else _pyramid_rows
            if work in kinds:
                table = table.extended((yield from rows_of(annotated, people, options, unit)))
    if Work.COMPARISONS in kinds:
        table = table.extended((yield from _preference_rows(study, counting, options)))
    if not table.rows:
        listed = ", ".join(kinds)
        if options.coefficients:
            raise InputError(
                f"There is no result: no two annotators have made the same annotations ({listed}), or "
                f"{', '.join(options.coefficients)} does not apply to them. Omit the coefficients to see "
                "those that apply."
            )
        raise InputError(
            f"No two annotators have made the same annotations ({listed}), so there is no agreement to "
            "measure. Let a second annotator work on some topics, or import another annotator's work."
        )
    return table


def uncompared_rows(
    study: Study, selection: AgreementSelection, table: AgreementTable
) -> JobSteps[list[AgreementRow]]:
    """Return a row without a value for each kind of annotation that was made but could not be compared.

    table: the agreement of this selection.
    """
    people = {person.id: person.name for person in study.annotators.all()}
    counting = resolve_annotators(selection.annotators, study.annotators.all())
    kinds = selection.kinds or tuple(Work)
    made: dict[str, set[str]] = {}
    for scale in study.ratings.dimensions() if Work.RATINGS in kinds else ():
        if scale.kind is not ScaleKind.TEXT and (not selection.scales or scale.name in selection.scales):
            cube = study.ratings.cube(scale.name)
            rated = zip(cube.annotators, np.isfinite(cube.values), strict=True)
            made[annotations_name(Work.RATINGS, scale.name)] = {who for who, given in rated if given.any()}
    for plan in study.comparisons.plans() if Work.COMPARISONS in kinds else ():
        answers = study.comparisons.preferences(plan.id)
        made[annotations_name(Work.COMPARISONS, plan.name)] = {people[one.annotator_id] for one in answers}
    measured = {row.what for row in table.rows}
    named = {annotations_name(work): work for work in kinds if work not in (Work.RATINGS, Work.COMPARISONS)}
    progress = yield from work_progress(study, [work for what, work in named.items() if what not in measured])
    made |= {annotations_name(work): one.names for work, one in progress.items()}
    rows = []
    for what, names in made.items():
        who = sorted(names if counting is None else names & counting)
        if who and not any(one == what or one.startswith(f"{what} ") for one in measured):
            is_one = len(who) == 1
            made_by = f"Only {who[0]} has made" if is_one else "No two annotators have made the same of"
            reason = f"{made_by} these annotations, so there is nothing to compare."
            cells = "", "", math.nan, math.nan, math.nan, 0, tuple(who), reason
            rows.append(AgreementRow(what, Grouping.ALL, *cells))
    return rows


def _cubes(
    study: Study, scales: Sequence[str], counting: Collection[str] | None
) -> Iterator[tuple[Dimension, RatingCube]]:
    """Yield the included ratings of each scale that two annotators used; free text is left out."""
    known = {dimension.name: dimension for dimension in study.ratings.dimensions()}
    scales = [resolve_name("scale", scale, known) for scale in scales]
    for scale in scales:
        if known[scale].kind is ScaleKind.TEXT:
            raise InputError(
                f"{scale} asks for free text, whose agreement cannot be computed. Choose another scale."
            )
    for scale in scales or known:
        if known[scale].kind is ScaleKind.TEXT:
            continue
        cube = study.ratings.cube(scale)
        mine = [
            place
            for place, who in enumerate(cube.annotators)
            if (counting is None or who in counting) and np.isfinite(cube.values[place]).any()
        ]
        if len(mine) > 1:
            included = replace(
                cube,
                annotators=tuple(cube.annotators[i] for i in mine),
                groups=tuple(cube.groups[i] for i in mine),
                values=cube.values[mine],
            )
            yield known[scale], included


def _group_notes(cube: RatingCube, table: AgreementTable) -> list[str]:
    """Return a remark where annotators of several groups, such as experts and crowd, are compared."""
    groups = sorted({group for group in cube.groups if group})
    if len(groups) < 2:
        return []
    note = (
        f"Annotators of {len(groups)} groups ({', '.join(groups)}) are compared with each other. "
        "Select one group to measure the agreement within it."
    )
    return [] if note in table.notes else [note]


def _rating_rows(
    scale: Dimension, cube: RatingCube, options: AgreementOptions
) -> JobSteps[list[AgreementRow]]:
    what = annotations_name(Work.RATINGS, cube.dimension)
    if not scale.is_numeric:
        nominal = tuple(name for name in options.coefficients if name in CATEGORY_COEFFICIENTS)
        if options.coefficients and not nominal:
            return []
        chosen = replace(options, coefficients=nominal)
        return (yield from value_agreement(rated_items(cube), what, CATEGORY_COEFFICIENTS, chosen))
    rows = yield from value_agreement(rated_items(cube), what, RATING_COEFFICIENTS, options)
    scores = ranking_pairs(cube.values, cube.annotators)
    return [*rows, *ranking_rows(scores, cube.annotators, what, options)]


def _span_rows(study: Study, cube: RatingCube, options: AgreementOptions) -> JobSteps[list[AgreementRow]]:
    """Return the agreement on marked spans, and on the category of each sentence.

    A sentence has the category of the first span in it, or none.
    """
    marked = {
        (note.annotator, note.system, note.topic): note.spans
        for note in study.ratings.notes()
        if note.dimension == cube.dimension
    }
    system_of = {name: place for place, name in enumerate(cube.systems)}
    topic_of = {name: place for place, name in enumerate(cube.topics)}
    labels: list[list[float]] = []
    places: list[int] = []
    pairs: dict[tuple[str, str], list[SpanPair]] = defaultdict(list)
    for topic in study.texts.load():
        for text in topic.summaries:
            place = topic_of[topic.name]
            is_rated = np.isfinite(cube.values[:, system_of[text.name], place])
            if is_rated.sum() < 2:
                continue
            spans = {who: marked.get((who, text.name, topic.name), ()) for who in cube.annotators}
            columns = [
                sentence_labels(text, spans[who]) if there else None
                for who, there in zip(cube.annotators, is_rated, strict=True)
            ]
            for sentence in range(max(len(column) for column in columns if column is not None)):
                labels.append([np.nan if column is None else column[sentence] for column in columns])
                places.append(place)
            units = {who: tuple(((start, end),) for start, end, _ in spans[who]) for who in cube.annotators}
            known = words(text.content)
            there = [who for who, is_there in zip(cube.annotators, is_rated, strict=True) if is_there]
            for first, second in combinations(there, 2):
                pairs[first, second].append(SpanPair(place, units[first], units[second], known))
    if not pairs:
        return []
    what = annotations_name(Work.RATINGS, cube.dimension)
    rows = span_agreement(pairs, len(cube.topics), f"{what} spans", options)
    if not labels:
        return rows
    items = AnnotatedItems(np.array(labels), np.array(places, dtype=np.int64), cube.topics, cube.annotators)
    nominal = tuple(name for name in options.coefficients if name in CATEGORY_COEFFICIENTS)
    if options.coefficients and not nominal:
        return rows
    chosen = replace(options, coefficients=nominal)
    return [*rows, *(yield from value_agreement(items, f"{what} sentences", CATEGORY_COEFFICIENTS, chosen))]


def _preference_rows(
    study: Study, counting: Collection[str] | None, options: AgreementOptions
) -> JobSteps[list[AgreementRow]]:
    """Return the agreement on the comparisons that several annotators judged."""
    nominal = tuple(name for name in options.coefficients if name in CATEGORY_COEFFICIENTS)
    if options.coefficients and not nominal:
        return []
    chosen = replace(options, coefficients=nominal)
    rows: list[AgreementRow] = []
    for plan in study.comparisons.plans():
        for part, items in preference_items(study, plan, counting).items():
            if len(items.annotators) > 1:
                name = f"{plan.name} {part}" if part else plan.name
                what = annotations_name(Work.COMPARISONS, name)
                rows += yield from value_agreement(items, what, CATEGORY_COEFFICIENTS, chosen)
    return rows


def _annotations(study: Study, unit: _Unit) -> Iterator[tuple[TopicTexts, TopicAnnotation]]:
    """Yield every annotation with a content unit and its topic's texts; only confirmed nuggets count."""
    by_topic: dict[str, list[TopicAnnotation]] = defaultdict(list)
    is_nugget = unit.unit is UnitKind.NUGGET
    for stored in annotations_of(study, unit.unit).annotations():
        annotation = only_confirmed(stored) if is_nugget else stored
        if annotation.pyramid.scus:
            by_topic[annotation.pyramid.topic_id].append(annotation)
    for topic in study.texts.load(tuple(by_topic)) if by_topic else ():
        yield from ((topic, annotation) for annotation in by_topic[topic.id])


def _match_rows(
    annotated: Sequence[tuple[TopicTexts, TopicAnnotation]],
    people: Mapping[str, str],
    options: AgreementOptions,
    unit: _Unit,
) -> JobSteps[list[AgreementRow]]:
    """Return the agreement of annotators who matched against the same pyramids."""
    matched = [
        (topic, annotation)
        for topic, annotation in annotated
        if len({state.annotator_id for state in annotation.states if state.is_done} & set(people)) > 1
    ]
    if not matched:
        return []
    who_matched = {
        state.annotator_id for _, annotation in matched for state in annotation.states if state.is_done
    }
    names = {who: name for who, name in people.items() if who in who_matched}
    items = match_items([(topic.name, annotation) for topic, annotation in matched], names)
    what = annotations_name(unit.matches)
    rows = yield from value_agreement(items, what, MATCH_COEFFICIENTS, options)
    by_person: dict[str, dict[tuple[str, str], list[float]]] = {}
    for who, name in names.items():
        cells: dict[tuple[str, str], list[float]] = defaultdict(list)
        for topic, annotation in matched:
            for key, score in _scores(annotation, topic, who, unit).items():
                cells[key].append(score)
        by_person[name] = cells
    values = _matrices(
        [{key: math.fsum(s) / len(s) for key, s in cells.items()} for cells in by_person.values()]
    )
    scores = ranking_pairs(values, list(by_person))
    return [*rows, *ranking_rows(scores, list(by_person), what, options)]


def _pyramid_rows(
    annotated: Sequence[tuple[TopicTexts, TopicAnnotation]],
    people: Mapping[str, str],
    options: AgreementOptions,
    unit: _Unit,
) -> JobSteps[list[AgreementRow]]:
    """Return the agreement of annotators who built pyramids of the same topics."""
    by_topic: dict[str, list[TopicAnnotation]] = defaultdict(list)
    texts: dict[str, TopicTexts] = {}
    for topic, annotation in annotated:
        if annotation.pyramid.annotator_id in people:
            by_topic[topic.id].append(annotation)
            texts[topic.id] = topic
    shared = [topic for topic, made in by_topic.items() if len(made) > 1]
    pairs: dict[tuple[str, str], list[PyramidPair]] = defaultdict(list)
    cells: dict[str, _Cells] = defaultdict(dict)
    for place, topic_id in enumerate(shared):
        topic = texts[topic_id]
        known: WordsOfReference = {text.id: words(text.content) for text in topic.references}
        made = sorted(by_topic[topic_id], key=lambda one: people[one.pyramid.annotator_id])
        for first, second in combinations(made, 2):
            pair = people[first.pyramid.annotator_id], people[second.pyramid.annotator_id]
            pairs[pair].append(pair_pyramids(first.pyramid, second.pyramid, known, place))
        for annotation in made:
            cells[people[annotation.pyramid.annotator_id]].update(_pyramid_scores(annotation, topic, unit))
    if not pairs:
        return []
    names = [texts[topic_id].name for topic_id in shared]
    what = annotations_name(unit.pyramids)
    rows = yield from pyramid_agreement(pairs, names, options, what)
    everyone = sorted(cells)
    scores = ranking_pairs(_matrices([cells[name] for name in everyone]), everyone)
    return [*rows, *ranking_rows(scores, everyone, what, options)]


def _pyramid_scores(annotation: TopicAnnotation, topic: TopicTexts, unit: _Unit) -> _Cells:
    """Return the scores under a pyramid by its own annotator's matches, else the mean of all who matched."""
    own = _scores(annotation, topic, annotation.pyramid.annotator_id, unit)
    if own:
        return own
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for who in dict.fromkeys(state.annotator_id for state in annotation.states if state.is_done):
        for key, score in _scores(annotation, topic, who, unit).items():
            found[key].append(score)
    return _means(found)


def _means(cells: Mapping[tuple[str, str], Sequence[float]]) -> _Cells:
    """Return the mean of each cell, the same in any order."""
    return {key: math.fsum(scores) / len(scores) for key, scores in cells.items()}


def _scores(annotation: TopicAnnotation, topic: TopicTexts, annotator_id: str, unit: _Unit) -> _Cells:
    """Return the scores of the summaries that an annotator finished: modified pyramid score, or nugget P."""
    return {
        (system, topic.name): float(scores[unit.score])
        for system, scores in scores_of(annotation, topic, annotator_id, PyramidScoreScope(unit=unit.unit))
        if np.isfinite(scores[unit.score])
    }


def _matrices(people: Sequence[Mapping[tuple[str, str], float]]) -> Array:
    """Return scores of shape (annotators, systems, topics), NaN = none."""
    systems = {name: i for i, name in enumerate(sorted({key[0] for cells in people for key in cells}))}
    topics = {name: i for i, name in enumerate(sorted({key[1] for cells in people for key in cells}))}
    values = np.full((len(people), len(systems), len(topics)), np.nan)
    for place, cells in enumerate(people):
        for (system, topic), score in cells.items():
            values[place, systems[system], topics[topic]] = score
    return values
