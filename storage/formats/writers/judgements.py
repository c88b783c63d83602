"""Export of ratings with their scales and marked spans, of answers to comparisons, comments and edits."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from core.domain.ratings import Dimension, RatingNote, ScaleKind
from core.metrics.judge.answers import stored_answers
from core.ports import EditRecord, Study
from storage.formats.annotation_tools.study_marks import compared_summaries
from storage.formats.format_types import Export, Record


def _ratings(study: Study) -> Iterator[Record]:
    notes = {(n.topic, n.system, n.dimension, n.annotator): n for n in study.ratings.notes()}
    for dimension in study.ratings.dimensions():
        cube = study.ratings.cube(dimension.name)
        for a, s, t in np.argwhere(np.isfinite(cube.values)).tolist():
            names = cube.topics[t], cube.systems[s], cube.dimension, cube.annotators[a]
            note = notes.pop(names, None)
            yield _rating_record(dimension, names, cube.groups[a], float(cube.values[a, s, t]), note)
    groups = {person.name: person.group for person in study.annotators.all()}
    scales = {dimension.name: dimension for dimension in study.ratings.dimensions()}
    for names, note in notes.items():  # without a value
        yield _rating_record(scales[note.dimension], names, groups[note.annotator], None, note)


def _rating_record(
    dimension: Dimension,
    names: tuple[str, str, str, str],
    group: str,
    value: float | None,
    note: RatingNote | None,
) -> Record:
    record: dict[str, Any] = dict(zip(("topic", "system", "dimension", "annotator"), names, strict=True))
    record |= {"group": group, "value": "" if value is None else value}
    record |= {"low": dimension.low, "high": dimension.high}
    record["kind"] = "" if dimension.kind is ScaleKind.NUMBER else dimension.kind.value
    if dimension.kind is ScaleKind.CATEGORIES and value is not None:
        record["category"] = dimension.meaning(value)
    if note is not None:
        spans = " ".join(f"{start}-{end}:{category}" for start, end, category in note.spans)
        record |= {"note": note.note, "flagged": "yes" if note.is_flagged else "", "spans": spans}
    return record


def _answers(study: Study) -> Iterator[Record]:
    names = {head.id: head.name for head in study.texts.topics()}
    for topic_id, signature, answers in stored_answers(study.settings):
        for one in answers:
            for text in one.texts or ("",):
                yield {
                    "topic": names.get(topic_id, topic_id),
                    "system": one.system,
                    "other": one.other,
                    "criterion": one.criterion,
                    "answer": text,
                    "value": None if math.isnan(one.value) else one.value,
                    "probabilities": " ".join(f"{p:.6g}" for p in one.probabilities),
                    "failures": one.failures,
                    "prompt": one.prompt,
                    "truncated": "yes" if one.is_cut else "no",
                    "signature": signature,
                }


def _marked_spans(study: Study) -> Iterator[Record]:
    """Yield each marked span with its text."""
    contents = {
        (topic.name, text.name): text.content for topic in study.texts.load() for text in topic.summaries
    }
    scales = {dimension.name: dimension for dimension in study.ratings.dimensions()}
    for note in study.ratings.notes():
        categories = dict(scales[note.dimension].anchors)
        for start, end, category in note.spans:
            yield {
                "topic": note.topic,
                "system": note.system,
                "dimension": note.dimension,
                "annotator": note.annotator,
                "start": start,
                "end": end,
                "text": contents[note.topic, note.system][start:end],
                "category": categories[category],
            }


def _preferences(study: Study) -> Iterator[Record]:
    """Yield each answer to a comparison, by names."""
    groups = {person.name: person.group for person in study.annotators.all()}
    for one in compared_summaries(study):
        for annotator, best, worst in one.answers:
            yield {
                "plan": one.plan,
                "kind": one.kind.value,
                "topic": one.topic,
                "annotator": annotator,
                "group": groups[annotator],
                "systems": json.dumps(one.systems, ensure_ascii=False),
                "best": best,
                "worst": worst,
            }


def _comments(study: Study) -> Iterator[Record]:
    """Yield each comment, by names."""
    topics = {topic.id: topic.name for topic in study.texts.topics()}
    systems = {text.id: text.name for topic in study.texts.load() for text in topic.summaries}
    people = {person.id: person.name for person in study.annotators.all()}
    scales = {scale.id: scale.name for scale in study.ratings.dimensions()}
    labels = {
        scu.id: scu.label
        for store in (study.pyramids, study.nuggets)
        for annotation in store.annotations()
        for scu in annotation.pyramid.scus
    }
    for comment in study.comments.all():
        about = comment.subject
        yield {
            "topic": topics[about.topic_id],
            "system": systems.get(about.summary_id, ""),
            "unit": labels.get(about.unit_id, ""),
            "dimension": scales.get(about.scale_id, ""),
            "annotator": people[comment.annotator_id],
            "at": comment.written_at,
            "text": comment.text,
            "resolves": "yes" if comment.resolves else "",
        }


def _scales(study: Study) -> Iterator[Record]:
    for scale in study.ratings.dimensions():
        anchors = {f"{value:g}": text for value, text in scale.anchors}
        yield {
            "dimension": scale.name,
            "low": scale.low,
            "high": scale.high,
            "question": scale.question,
            "description": scale.description,
            "anchors": json.dumps(anchors, ensure_ascii=False) if anchors else "",
            "kind": scale.kind.value,
            "required": "yes" if scale.is_required else "no",
        }


RATINGS = Export(
    "ratings",
    "csv",
    ".csv",
    "One row per rating, with its note.",
    _ratings,
    (
        "topic",
        "system",
        "dimension",
        "annotator",
        "group",
        "value",
        "low",
        "high",
        "kind",
        "category",
        "note",
        "flagged",
        "spans",
    ),
)
COMMENTS = Export(
    "comments",
    "csv",
    ".csv",
    "One row per comment, oldest first.",
    _comments,
    ("topic", "system", "unit", "dimension", "annotator", "at", "text", "resolves"),
)
PREFERENCES = Export(
    "preferences",
    "csv",
    ".csv",
    "One row per answer to a comparison: the systems as displayed, the best and the worst; none = a tie.",
    _preferences,
    ("plan", "kind", "topic", "annotator", "group", "systems", "best", "worst"),
)
ANSWERS = Export(
    "answers",
    "csv",
    ".csv",
    "One row per answer of a language model that judges, as it was written, with its value.",
    _answers,
    (
        *("topic", "system", "other", "criterion", "answer", "value", "probabilities", "failures", "prompt"),
        *("truncated", "signature"),
    ),
)
SPANS = Export(
    "spans",
    "csv",
    ".csv",
    "One row per span marked in a summary, such as an error, with its text and category.",
    _marked_spans,
    ("topic", "system", "dimension", "annotator", "start", "end", "text", "category"),
)
SCALES = Export(
    "scales",
    "csv",
    ".csv",
    "One row per rating scale: its limits, question, description, anchors and kind.",
    _scales,
    ("dimension", "low", "high", "question", "description", "anchors", "kind", "required"),
)


_AT_ONCE = 500


def _history(study: Study) -> Iterator[Record]:
    """Yield one record per edit, oldest first, including undo and redo."""
    topics = {head.id: head.name for head in study.texts.topics()}
    for edit in reversed(_every_edit(study)):
        yield {
            "at": edit.at.isoformat(),
            "annotator": edit.annotator,
            "topic": topics.get(edit.topic_id or "", ""),
            "verb": edit.verb,
            "what": edit.what,
            "active_seconds": round(edit.active_seconds, 3),
            "undone": "yes" if edit.is_undone else "no",
            "edit": edit.edit_id,
        }


def _every_edit(study: Study) -> list[EditRecord]:
    """Yield all edits, newest first, in small batches because the changes of an edit can be large."""
    records: list[EditRecord] = []
    while page := study.edits.history(
        limit=_AT_ONCE, before=records[-1].edit_id if records else "", moves=True
    ):
        records += page
    return records


HISTORY = Export(
    "history",
    "csv",
    ".csv",
    "Edit history: one row per edit, oldest first.",
    _history,
    ("at", "annotator", "topic", "verb", "what", "active_seconds", "undone", "edit"),
)
