"""Read the topics of an adjudication."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.adjudication.matches import HitAdjudication, MatchAdjudication
from core.adjudication.model import Item, ItemState, Sides, TopicAdjudication, TopicData, TopicPlan
from core.adjudication.pyramids import NuggetAdjudication, PyramidAdjudication
from core.adjudication.ratings import ComparisonAdjudication, RatingAdjudication
from core.agreement.titles import annotations_name, annotations_title, annotations_work
from core.annotation.assignment import assigned_topics
from core.annotation.blind_mode import blind_order, is_blind
from core.domain.annotator_filter import is_own_work, resolve_annotators
from core.domain.assignment import Work
from core.domain.decisions import DEFAULT_RESULT, RESULT_GROUP
from core.domain.pyramid import TopicAnnotation
from core.domain.ratings import is_rated
from core.domain.study import Annotator
from core.errors import InputError
from core.ports import Study
from core.progress import JobSteps, Progress

KINDS: Mapping[Work, type[TopicAdjudication]] = {
    kind.work: kind
    for kind in (
        RatingAdjudication,
        MatchAdjudication,
        PyramidAdjudication,
        NuggetAdjudication,
        HitAdjudication,
        ComparisonAdjudication,
    )
}
"""How each kind of annotation whose agreement is measured is decided on."""


@dataclass(frozen=True, slots=True)
class AdjudicationSelection:
    """What is adjudicated.

    annotators: names or groups, empty = all except results and versions of merge conflicts.
    result: name of the annotator whose annotation the result is.
    part: name of the only scale or plan, empty = all of the kind.
    """

    annotation: Work = Work.RATINGS
    annotators: tuple[str, ...] = ()
    result: str = DEFAULT_RESULT
    part: str = ""

    @property
    def what(self) -> str:
        """Return the id of the annotations, as agreement names them: ``rating.coherence``."""
        return annotations_name(self.annotation, self.part)

    @property
    def is_whole(self) -> bool:
        """Return whether everybody is compared for the default result, as the tab counts it."""
        return not self.annotators and self.result == DEFAULT_RESULT

    def includes(self, what: str) -> bool:
        """Return whether annotations with this id are decided on."""
        return what == self.what or (not self.part and annotations_work(what) is self.annotation)


@dataclass(frozen=True, slots=True)
class TopicProgress:
    """Number of items of a topic by state."""

    topic_id: str
    topic: str
    items: int
    open: int
    later: int
    agreed: int

    @property
    def to_decide(self) -> int:
        """Return the number of items that are left to decide, also those that were deferred."""
        return self.open + self.later

    def __add__(self, other: TopicProgress) -> TopicProgress:
        counts = (getattr(self, name) + getattr(other, name) for name in ("items", "open", "later", "agreed"))
        return TopicProgress(self.topic_id, self.topic, *counts)


@dataclass(frozen=True, slots=True)
class Survey:
    """Number of items of each topic, by the id of their annotations; topics without items are left out."""

    topics: Mapping[str, tuple[TopicProgress, ...]] = field(default_factory=dict)

    def of(self, selection: AdjudicationSelection) -> list[TopicProgress]:
        """Return the topics of what is adjudicated, in the order of the study."""
        found: dict[str, TopicProgress] = {}
        for what, topics in self.topics.items():
            for one in topics if selection.includes(what) else ():
                known = found.get(one.topic_id)
                found[one.topic_id] = one if known is None else known + one
        return list(found.values())

    def to_decide(self) -> dict[str, int]:
        """Return how many items are left to decide, by the id of their annotations."""
        return {what: sum(one.to_decide for one in topics) for what, topics in self.topics.items()}

    def offers(self, chosen: str = "") -> list[tuple[str, str, int]]:
        """Return all kinds of annotation, and each scale or plan of several: id, title, number to decide.

        chosen: id that is offered in any case.
        """
        found = []
        for work in KINDS:
            whole = AdjudicationSelection(work)
            parts = [what for what in self.topics if whole.includes(what) and what != whole.what]
            parts = parts if len(parts) > 1 else [what for what in parts if what == chosen]
            for what in (whole.what, *parts):
                selected = replace(whole, part=what.removeprefix(whole.what))
                title = annotations_title(what) if selected.part else work.heading
                found.append((what, title, sum(one.to_decide for one in self.of(selected))))
        return found

    def updated(self, topic: TopicAdjudication) -> Survey:
        """Return the numbers with those of a topic as they are now."""
        now, row_id = _by_annotations(topic), topic.data.topic.id
        changed = {
            what: tuple(now.get(what, one) if one.topic_id == row_id else one for one in topics)
            for what, topics in self.topics.items()
        }
        return Survey(changed)


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
        chosen = {one.name for one in people if is_own_work(one)}
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
    annotations: list[TopicAnnotation] = []
    for store in (study.pyramids, study.nuggets):
        made = list(store.annotations([topic_id]))
        if result_id and all(one.pyramid.annotator_id != result_id for one in made):
            made.append(store.annotation(topic_id, result_id))
        annotations += made
    plans = [
        TopicPlan(
            plan,
            tuple(study.comparisons.items(plan.id, topic_id)),
            tuple(study.comparisons.preferences(plan.id, topic_id)),
        )
        for plan in study.comparisons.plans()
    ]
    return TopicData(
        topic,
        tuple(study.annotators.all()),
        tuple(study.ratings.dimensions()),
        tuple(study.ratings.of_topic(topic_id)),
        tuple(annotations),
        tuple(plans),
        tuple(study.adjudication.decisions(topic_id)),
    )


def adjudication_of(data: TopicData, selection: AdjudicationSelection, sides: Sides) -> TopicAdjudication:
    """Return the items of a topic."""
    return KINDS[selection.annotation](data, sides, selection.part)


def is_withheld(study: Study, adjudication: TopicAdjudication, annotator: Annotator) -> bool:
    """Return whether a blind study hides a topic from an annotator with unfinished work on it.

    Unfinished is also what is assigned to the annotator and not begun.
    """
    if not is_blind(study):
        return False
    data, me = adjudication.data, annotator.id
    is_due = data.topic.name in assigned_topics(study, adjudication.work, annotator.name)
    match adjudication:
        case RatingAdjudication():
            mine: dict[str, set[str]] = defaultdict(set)
            for one in data.ratings:
                if one.annotator_id == me:
                    mine[one.summary_id].update([one.dimension_id] if one.value is not None else [])
            rated = {summary for summary, scales in mine.items() if is_rated(data.dimensions, scales)}
            is_begun = is_due or bool(mine)
            return is_begun and not rated.issuperset(item.summary_id for item in adjudication.items)
        case MatchAdjudication():
            matched = [one for one in data.annotations if one.pyramid.kind is adjudication.kind]
            states = [one for a in matched for one in a.states if one.annotator_id == me]
            done = {one.summary_id for one in states if one.is_done}
            is_begun = is_due or bool(states) or any(m.annotator_id == me for a in matched for m in a.matches)
            return is_begun and not done.issuperset(item.summary_id for item in adjudication.items)
        case PyramidAdjudication():
            own = [one.pyramid for one in data.annotations if one.pyramid.annotator_id == me]
            made = [one for one in own if one.kind is adjudication.kind]
            is_begun = is_due or any(one.scus for one in made)
            return is_begun and not any(one.is_done for one in made)
        case _:
            answered = {one.item_id for plan in data.plans for one in plan.answers if one.annotator_id == me}
            asked = {one.id for plan in data.plans for one in plan.items if one.is_for(me)}
            return bool(answered) and not answered.issuperset(asked)


def survey(
    study: Study, selection: AdjudicationSelection, works: Collection[Work] = tuple(KINDS)
) -> JobSteps[Survey]:
    """Return the number of items of all topics, of some kinds of annotation.

    selection: whose annotations are compared. Raises InputError if these are fewer than two annotators.
    """
    sides = sides_of(study.annotators.all(), selection, "")
    found: dict[str, list[TopicProgress]] = defaultdict(list)
    heads = study.texts.topics()
    for done, head in enumerate(heads):
        yield Progress(done, len(heads), f"differences in {head.name}")
        data = read_topic(study, head.id, sides.result.id)
        for work in works:
            for what, progress in _by_annotations(KINDS[work](data, sides)).items():
                found[what].append(progress)
    return Survey({what: tuple(topics) for what, topics in found.items()})


def _by_annotations(topic: TopicAdjudication) -> dict[str, TopicProgress]:
    """Return the number of items of a topic, by the id of their annotations."""
    items: dict[str, list[Item]] = defaultdict(list)
    for item in topic.items:
        items[item.what].append(item)
    return {what: _progress(topic, its) for what, its in items.items()}


def _progress(topic: TopicAdjudication, items: Sequence[Item]) -> TopicProgress:
    states = Counter(item.state for item in items)
    counts = (states[state] for state in (ItemState.OPEN, ItemState.LATER, ItemState.AGREED))
    return TopicProgress(topic.data.topic.id, topic.data.topic.name, len(items), *counts)


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
