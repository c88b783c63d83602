"""Nuggets as the reader of nuggets reads them: JSONL with a line per topic and annotator, or CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from core.domain.pyramid import Match, Part, TopicAnnotation
from core.domain.study import TopicTexts
from core.ports import Study
from storage.formats.format_types import Export
from storage.formats.readers.nuggets import HIT, NUGGET, NUGGETS, OCCURRENCE, SUMMARY

TABLE_COLUMNS = (
    "kind",
    "topic",
    "annotator",
    "nugget",
    "text",
    "by",
    "label",
    "importance",
    "spans",
    "words",
    "support",
    "confirmed",
    "done",
    "comment",
)
"""Columns of the table; ``kind`` is one of ROW_KINDS."""


def table_rows(study: Study) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table; spans are written as ``start-end;start-end``."""
    for topic, record in _topic_records(study):
        references = {text.name: text.content for text in topic.references}
        summaries = {text.name: text.content for text in topic.summaries}
        where = {"topic": record["topic"], "annotator": record["annotator"]}
        yield {"kind": NUGGETS, **where, "done": _yes_or_no(record["done"])}
        for nugget in record["nuggets"]:
            own = {**where, "nugget": nugget["id"]}
            facts = {"importance": nugget["importance"], "comment": nugget["comment"]}
            yield {"kind": NUGGET, **own, "label": nugget["text"], **facts}
            for one in nugget["occurrences"]:
                words = _words(references[one["reference"]], one["spans"])
                place = {"text": one["reference"], **words}
                facts = {"confirmed": _yes_or_no(one["confirmed"]), "comment": one["comment"]}
                yield {"kind": OCCURRENCE, **own, **place, **facts}
        for summary in record["summaries"]:
            whose = {**where, "text": summary["system"], "by": summary["annotator"]}
            yield {"kind": SUMMARY, **whose, "done": _yes_or_no(summary["done"])}
            for hit in summary["hits"]:
                facts = {"support": hit["support"], "confirmed": _yes_or_no(hit["confirmed"])}
                words = _words(summaries[summary["system"]], hit["spans"])
                nugget_id = hit["nugget"] or ""
                yield {"kind": HIT, **whose, "nugget": nugget_id, **words, **facts, "comment": hit["comment"]}


def _words(content: str, spans: Sequence[Sequence[int]]) -> dict[str, str]:
    return {
        "spans": ";".join(f"{start}-{end}" for start, end in spans),
        "words": " … ".join(content[start:end] for start, end in spans),
    }


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"


def records(study: Study) -> Iterator[dict[str, Any]]:
    """Yield every annotator's nuggets of each topic."""
    return (record for _, record in _topic_records(study))


def _topic_records(study: Study) -> Iterator[tuple[TopicTexts, dict[str, Any]]]:
    people = {person.id: person.name for person in study.annotators.all()}
    for annotation in study.nuggets.annotations():
        topic = study.texts.topic(annotation.pyramid.topic_id)
        yield topic, _record(topic, annotation, people)


def _record(topic: TopicTexts, annotation: TopicAnnotation, people: dict[str, str]) -> dict[str, Any]:
    authors = {text.id: text.name for text in topic.references}
    owner = people[annotation.pyramid.annotator_id]
    keys = {scu.id: f"n{number}" for number, scu in enumerate(annotation.pyramid.scus, 1)}
    return {
        "topic": topic.name,
        "annotator": owner,
        "done": annotation.pyramid.is_done,
        "nuggets": [
            {
                "id": keys[scu.id],
                "text": scu.label,
                "importance": scu.importance,
                "comment": scu.comment,
                "occurrences": [
                    {
                        "reference": authors[one.reference_id],
                        "spans": _spans(one.parts),
                        "confirmed": one.is_confirmed,
                        "comment": one.comment,
                    }
                    for one in scu.contributors
                ],
            }
            for scu in annotation.pyramid.scus
        ],
        "summaries": list(_summaries(topic, annotation, people, keys)),
    }


def _summaries(
    topic: TopicTexts, annotation: TopicAnnotation, people: dict[str, str], keys: dict[str, str]
) -> Iterator[dict[str, Any]]:
    for text in topic.summaries:
        states = {state.annotator_id: state for state in annotation.states if state.summary_id == text.id}
        who = dict.fromkeys(
            (*states, *(match.annotator_id for match in annotation.matches if match.summary_id == text.id))
        )
        for annotator_id in who:
            hits = annotation.matches_of(text.id, annotator_id)
            state = states.get(annotator_id)
            yield {
                "system": text.name,
                "annotator": people[annotator_id],
                "done": state is not None and state.is_done,
                "hits": [_hit(hit, keys) for hit in hits],
            }


def _hit(hit: Match, keys: dict[str, str]) -> dict[str, Any]:
    return {
        "nugget": keys[hit.scu_id] if hit.scu_id else None,
        "spans": _spans(hit.parts),
        "support": "partial_support" if hit.is_partial else "support",
        "confirmed": hit.is_confirmed,
        "comment": hit.comment,
    }


def _spans(parts: Sequence[Part]) -> list[list[int]]:
    return [[part.start, part.end] for part in parts]


EXPORTS = (
    Export(
        "nuggets", "jsonl", ".jsonl", "One line per topic and annotator, with occurrences and hits.", records
    ),
    Export(
        "nuggets",
        "csv",
        ".csv",
        "One row per nugget, occurrence, summary and hit.",
        table_rows,
        TABLE_COLUMNS,
    ),
)
