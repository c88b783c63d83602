"""Everything that annotators flagged, noted or commented on, in one list for the manager."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.domain.comments import CommentSubject, Thread, threads
from core.domain.pyramid import UnitKind
from core.ports import Study, annotations_of
from core.progress import JobSteps, Progress


class FlagKind(StrEnum):
    """Why an item is listed."""

    COMMENT = "comment"
    FLAG = "flag"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class FlaggedItem:
    """An item with an open comment, a flag or a note.

    subject: ids of what it is on. topic, system, about: names; about = the scale, or the label of a content
    unit. page: key of the page where it was made: matches, hits, ratings, or empty.
    text: the last comment or the note. comments: their number. at: ISO time of the last one, may be empty.
    """

    kind: FlagKind
    subject: CommentSubject
    topic: str
    annotator: str
    text: str
    page: str = ""
    system: str = ""
    about: str = ""
    comments: int = 0
    is_open: bool = True
    at: str = ""


def flag_list(study: Study) -> JobSteps[list[FlaggedItem]]:
    """Return all comments, flags and notes of a study: comments first, latest first, then by topic."""
    topics = {topic.id: topic.name for topic in study.texts.topics()}
    people = {person.id: person.name for person in study.annotators.all()}
    systems: dict[str, str] = {}
    for topic in study.texts.load():
        yield Progress(len(systems), 0, topic.name)
        systems.update({text.id: text.name for text in topic.summaries})
    labels: dict[str, str] = {}
    marks: list[FlaggedItem] = []
    for kind, page in ((UnitKind.SCU, "matches"), (UnitKind.NUGGET, "hits")):
        yield Progress(0, 0, page)
        for annotation in annotations_of(study, kind).annotations():
            labels.update({scu.id: scu.label for scu in annotation.pyramid.scus})
            topic_id = annotation.pyramid.topic_id
            for state in annotation.states:
                if state.is_flagged or state.note:
                    subject = CommentSubject(topic_id, state.summary_id)
                    kind_of = FlagKind.FLAG if state.is_flagged else FlagKind.NOTE
                    who, system = people[state.annotator_id], systems.get(state.summary_id, "")
                    marks.append(
                        FlaggedItem(kind_of, subject, topics[topic_id], who, state.note, page, system)
                    )
    marks += _ratings(study, topics, systems)
    scales = {scale.id: scale.name for scale in study.ratings.dimensions()}
    found = [
        _comments(thread, topics, people, systems, {**labels, **scales})
        for thread in threads(study.comments.all())
    ]
    return [*found, *sorted(marks, key=lambda one: (one.topic, one.page, one.system, one.annotator))]


def _ratings(study: Study, topics: dict[str, str], systems: dict[str, str]) -> Iterator[FlaggedItem]:
    topic_ids = {name: topic_id for topic_id, name in topics.items()}
    of_topic = {(topic.name, text.name): text.id for topic in study.texts.load() for text in topic.summaries}
    scales = {scale.name: scale.id for scale in study.ratings.dimensions()}
    for note in study.ratings.notes():
        if note.is_flagged or (note.note and note.value is None):
            summary_id = of_topic[note.topic, note.system]
            subject = CommentSubject(topic_ids[note.topic], summary_id, "", scales[note.dimension])
            kind = FlagKind.FLAG if note.is_flagged else FlagKind.NOTE
            names = note.topic, note.annotator, note.note, "ratings", note.system, note.dimension
            yield FlaggedItem(kind, subject, *names)


def _comments(
    thread: Thread,
    topics: dict[str, str],
    people: dict[str, str],
    systems: dict[str, str],
    names: dict[str, str],
) -> FlaggedItem:
    subject, last = thread.subject, thread.comments[-1]
    page = "ratings" if subject.scale_id else "matches" if subject.summary_id else ""
    return FlaggedItem(
        FlagKind.COMMENT,
        subject,
        topics[subject.topic_id],
        people[last.annotator_id],
        last.text or "resolved",
        page,
        systems.get(subject.summary_id, ""),
        names.get(subject.scale_id or subject.unit_id, ""),
        len(thread.comments),
        thread.is_open,
        last.written_at,
    )
