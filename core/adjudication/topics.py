"""Read the topics of an adjudication."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.adjudication.matches import MatchAdjudication
from core.adjudication.model import ItemState, Sides, TopicAdjudication, TopicData
from core.adjudication.pyramids import PyramidAdjudication
from core.adjudication.ratings import RatingAdjudication
from core.annotation.blind_mode import is_blind
from core.annotation.blind_order import blind_order
from core.domain.annotation_merge import conflict_owner
from core.domain.annotator_filter import resolve_annotators
from core.domain.decisions import DEFAULT_RESULT, RESULT_GROUP, Annotation
from core.domain.ratings import is_rated
from core.domain.study import Annotator
from core.errors import InputError
from core.ports import Study
from core.progress import JobSteps, Progress

KINDS: Mapping[Annotation, type[TopicAdjudication]] = {
    Annotation.RATINGS: RatingAdjudication,
    Annotation.MATCHES: MatchAdjudication,
    Annotation.PYRAMIDS: PyramidAdjudication,
}


@dataclass(frozen=True, slots=True)
class AdjudicationSelection:
    """What is adjudicated.

    annotators: names or groups, empty = all except results and versions of merge conflicts.
    result: name of the annotator whose annotation the result is.
    """

    annotation: Annotation = Annotation.RATINGS
    annotators: tuple[str, ...] = ()
    result: str = DEFAULT_RESULT


@dataclass(frozen=True, slots=True)
class TopicProgress:
    """Number of items of a topic by state."""

    topic_id: str
    topic: str
    items: int
    open: int
    later: int
    agreed: int


def sides_of(people: Sequence[Annotator], selection: AdjudicationSelection, adjudicator: str) -> Sides:
    """Return who is compared; the result has an empty id if the study does not have it yet.

    Raises InputError for an unknown name, for fewer than two annotators, and if the result is an annotator.
    """
    name = selection.result.strip()
    if not name:
        raise InputError("The result needs a name, such as “adjudicated”. Type one.")
    result = next((one for one in people if one.name == name), Annotator("", name, RESULT_GROUP))
    if result.group != RESULT_GROUP:
        raise InputError(
            f"{name} is an annotator. Choose another name for the result, so that nobody's own work changes."
        )
    chosen = resolve_annotators(selection.annotators, people)
    if not selection.annotators or chosen is None:
        chosen = {one.name for one in people if one.group != RESULT_GROUP and not conflict_owner(one.name)}
    if name in chosen:
        raise InputError(f"{name} is compared and the result at once. Remove it from the annotators.")
    compared = tuple(one for one in people if one.name in chosen)
    if len(compared) < 2 <= len(people):
        raise InputError("Adjudication compares two or more annotators. Select another one.")
    if len(compared) < 2:
        raise InputError(
            "Adjudication compares two or more annotators. Let a second person annotate some topics under "
            "their own name, or merge their copy of the study."
        )
    return Sides(compared, result, adjudicator)


def read_topic(study: Study, topic_id: str, result_id: str, adjudicator_id: str = "") -> TopicData:
    """Return what an adjudication of a topic reads.

    result_id: empty = the result has nothing yet.
    adjudicator_id: whose order of summaries, which does not reveal their systems; empty = by system.
    """
    topic = study.texts.topic(topic_id)
    if adjudicator_id:
        by_id = {text.id: text for text in topic.summaries}
        order = blind_order(by_id, adjudicator_id, topic_id)
        topic = replace(topic, summaries=tuple(by_id[row_id] for row_id in order))
    annotations = list(study.pyramids.annotations([topic_id]))
    if result_id and all(one.pyramid.annotator_id != result_id for one in annotations):
        annotations.append(study.pyramids.annotation(topic_id, result_id))
    return TopicData(
        topic,
        tuple(study.annotators.all()),
        tuple(study.ratings.dimensions()),
        tuple(study.ratings.of_topic(topic_id)),
        tuple(annotations),
        tuple(study.adjudication.decisions(topic_id)),
    )


def adjudication_of(data: TopicData, selection: AdjudicationSelection, sides: Sides) -> TopicAdjudication:
    """Return the items of a topic."""
    return KINDS[selection.annotation](data, sides)


def is_withheld(study: Study, adjudication: TopicAdjudication, annotator: Annotator) -> bool:
    """Return whether a blind study hides a topic from an annotator with unfinished work on it."""
    if not is_blind(study):
        return False
    data, me = adjudication.data, annotator.id
    match adjudication:
        case RatingAdjudication():
            mine: dict[str, set[str]] = defaultdict(set)
            for one in data.ratings:
                if one.annotator_id == me:
                    mine[one.summary_id].update([one.dimension_id] if one.value is not None else [])
            rated = {summary for summary, scales in mine.items() if is_rated(data.dimensions, scales)}
            return bool(mine) and not rated.issuperset(item.summary_id for item in adjudication.items)
        case MatchAdjudication():
            states = [one for a in data.annotations for one in a.states if one.annotator_id == me]
            done = {one.summary_id for one in states if one.is_done}
            begun = bool(states) or any(m.annotator_id == me for a in data.annotations for m in a.matches)
            return begun and not done.issuperset(item.summary_id for item in adjudication.items)
        case _:
            own = [one for one in data.annotations if one.pyramid.annotator_id == me and one.pyramid.scus]
            return any(not one.pyramid.is_done for one in own)


def survey(study: Study, selection: AdjudicationSelection) -> JobSteps[list[TopicProgress]]:
    """Return the number of items of each topic that has any."""
    people = study.annotators.all()
    sides = sides_of(people, selection, "")
    found = []
    heads = study.texts.topics()
    for done, head in enumerate(heads):
        yield Progress(done, len(heads), head.name)
        topic = adjudication_of(read_topic(study, head.id, sides.result.id), selection, sides)
        if topic.items:
            found.append(progress_of(topic))
    return found


def count_differences(study: Study, annotators: tuple[str, ...] = ()) -> JobSteps[dict[str, int]]:
    """Return how many items are to decide by kind of annotation, as agreement names it: ``rating.coherence``.

    annotators: names or groups, empty = all. Empty if these are fewer than two annotators.
    """
    try:
        sides = sides_of(
            study.annotators.all(), selection := AdjudicationSelection(annotators=annotators), ""
        )
    except InputError:
        return {}
    counts: Counter[str] = Counter()
    heads = study.texts.topics()
    for done, head in enumerate(heads):
        yield Progress(done, len(heads), f"differences in {head.name}")
        data = read_topic(study, head.id, sides.result.id)
        for kind in Annotation:
            for item in adjudication_of(data, replace(selection, annotation=kind), sides).items:
                what = f"rating.{item.title}" if kind is Annotation.RATINGS else str(kind)
                counts[what] += item.state in (ItemState.OPEN, ItemState.LATER)
    return dict(counts)


def progress_of(topic: TopicAdjudication) -> TopicProgress:
    """Return the number of items of a topic by state."""
    counts = (topic.count(state) for state in (ItemState.OPEN, ItemState.LATER, ItemState.AGREED))
    return TopicProgress(topic.data.topic.id, topic.data.topic.name, len(topic.items), *counts)


def merge_all_agreements(
    study: Study, selection: AdjudicationSelection, annotator: Annotator
) -> JobSteps[int]:
    """Copy what the annotators agree on in all topics, one edit per topic; return the number of items."""
    sides = sides_of(study.annotators.all(), selection, annotator.name)
    heads = study.texts.topics()
    merged = 0
    for done, head in enumerate(heads):
        yield Progress(done, len(heads), head.name)
        topic = adjudication_of(read_topic(study, head.id, sides.result.id), selection, sides)
        if is_withheld(study, topic, annotator) or topic.merge_agreements().is_empty:
            continue
        if not sides.result.id:
            result = study.annotators.get_or_create(sides.result.name, RESULT_GROUP)
            sides = Sides(sides.annotators, result, sides.adjudicator)
            topic = adjudication_of(read_topic(study, head.id, result.id), selection, sides)
        merged += topic.count(ItemState.AGREED)
        study.adjudication.commit(topic.merge_agreements(), annotator.id).result()
    return merged
