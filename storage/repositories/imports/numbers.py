"""Compare imported ratings and scores with the study."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np
from sqlalchemy import Connection, select

from core.domain.import_batch import ImportContent, NewRating, NewScore
from core.domain.ratings import Dimension, ScaleKind
from core.errors import InputError
from core.ports import MetricConfig, ScoreBlock
from storage.database.schema import RatingRow
from storage.repositories import ratings, scores, texts
from storage.repositories.edits.edit_log import RowEdit
from storage.repositories.edits.row_deltas import Row
from storage.repositories.imports.plan import REPLACED, Plan

Scales = dict[str, Dimension]
"""Scale by name."""

Summaries = Mapping[tuple[str, str], str]
"""A summary's id by its topic's and its system's name."""

_NO_SUMMARY = "The study has no summary of this system for this topic."


@dataclass(slots=True)
class _StoredRating:
    id: str
    content: Row | None
    is_deleted: bool
    version: int
    is_new: bool = False


def plan_ratings(
    connection: Connection,
    incoming: ImportContent,
    planned: Plan,
    summaries: Summaries,
    annotators: Mapping[str, str],
    scales: Scales,
) -> None:
    """Plan every rating; one that was removed in the study is added again."""
    known = _stored_ratings(connection) if incoming.ratings else {}
    new_texts = {(t.name, system): text for t in incoming.topics for system, text in t.summaries.items()}
    for rating in incoming.ratings:
        place, name = f"topic {rating.topic}, system {rating.system}", f"rating of {rating.dimension}"
        summary_id, scale = summaries.get((rating.topic, rating.system)), scales.get(rating.dimension)
        if summary_id is None:
            planned.refuse_row(place, name, _NO_SUMMARY, "Import the summaries first.")
        elif scale is None:
            planned.refuse_row(place, name, "The study has no such scale.", "Add the scale first.")
        elif rating.value is not None and (problem := scale.value_problem(rating.value)):
            planned.refuse_row(place, name, problem, "Correct the value or the scale.")
        elif scale.kind is ScaleKind.TEXT and (rating.value is None) != (not rating.note):
            what = f"{scale.name} asks for free text, which is the note of a rating with the value 1."
            planned.refuse_row(place, name, what, "Fill both the note and the value, or none of them.")
        elif problem := _other_kind(scale, rating):
            planned.refuse_row(place, name, problem, "Import the scales that the ratings were made on first.")
        else:
            if scale.kind is ScaleKind.SPANS and rating.value is not None:
                new = new_texts.get((rating.topic, rating.system))
                try:
                    text = texts.stored_or_new_summary(connection, summary_id, rating.system, new)
                    value, spans = ratings.spans_in(text, scale, rating.spans)
                except InputError as error:
                    planned.refuse_row(place, name, str(error), "Correct the spans.")
                    continue
                rating = replace(rating, value=value, spans=spans)
            key = summary_id, scale.id, annotators[rating.annotator]
            _plan_rating(planned, known, key, rating, place, is_update=incoming.is_update)


def _other_kind(scale: Dimension, rating: NewRating) -> str:
    """Return why a rating was made on another scale than this one of the same name, empty = it was not."""
    if rating.kind and rating.kind != scale.kind:
        return f"{scale.name} is a scale of {rating.kind} in this file, but of {scale.kind} here."
    if rating.spans and scale.kind is not ScaleKind.SPANS:
        return f"The row has marked spans, but {scale.name} is a scale of {scale.kind}."
    if rating.category and (rating.value is None or scale.meaning(rating.value) != rating.category):
        return (
            f"The row's category is {rating.category!r}, which has another number on {scale.name}, or none."
        )
    return ""


def _plan_rating(
    planned: Plan,
    known: dict[tuple[str, str, str], _StoredRating],
    key: tuple[str, str, str],
    rating: NewRating,
    place: str,
    *,
    is_update: bool,
) -> None:
    stored = known.get(key)
    content = ratings.rating_row(rating.value, rating.note, rating.spans, is_flagged=rating.is_flagged)
    if content is None:
        return
    marks = {**content, "is_deleted": False, "edit_id": planned.edit_id}
    if stored is None:
        summary, dimension, annotator = key
        names = {"summary_id": summary, "dimension_id": dimension, "annotator_id": annotator}
        row_id = planned.add(RatingRow, {**names, **marks, "version": 1})
        known[key] = _StoredRating(row_id, content, False, 1, is_new=True)
    elif stored.is_deleted:
        planned.filled.append((RatingRow, stored.id, {**marks, "version": stored.version + 1}))
        planned.added["ratings"] += 1
        known[key] = _StoredRating(stored.id, content, False, stored.version + 1, is_new=True)
    elif stored.is_new and stored.content != content:
        both = (stored.content or {}).get("value"), rating.value
        values = " and ".join("none" if v is None else f"{v:g}" for v in both)
        what = f"{rating.annotator} rates {rating.dimension} twice, {values}."
        planned.refuse_row(place, "rating", what, "Keep one of them.")
    elif is_update and stored.content is not None and (new := _replacing(stored.content, content)):
        planned.replaced.append(RowEdit("ratings", stored.id, stored.content, new))
        planned.added[REPLACED] += 1
        known[key] = _StoredRating(stored.id, content, False, stored.version, is_new=True)
    else:
        what = f"The rating of {rating.dimension} by {rating.annotator} ({place})"
        is_equal = is_update or stored.content == content
        planned.keep("ratings", what, is_equal, "“Update” (--update) replaces it.")


def _replacing(stored: Row, given: Row) -> Row | None:
    """Return a stored rating with what an import gives, None = it has that already.

    A value, note, flag or spans that the import does not give stay.
    """
    is_given = {
        column: value is not None and value is not False and value != "" for column, value in given.items()
    }
    new = {column: given[column] if is_given[column] else value for column, value in stored.items()}
    if given["value"] is None:
        new["spans"] = stored["spans"]
    return None if new == stored else new


def _stored_ratings(connection: Connection) -> dict[tuple[str, str, str], _StoredRating]:
    r = RatingRow
    keys = r.summary_id, r.dimension_id, r.annotator_id
    columns = r.id, r.value, r.note, r.is_flagged, r.spans, r.is_deleted, r.version
    return {
        (row[0], row[1], row[2]): _StoredRating(
            row.id,
            {"value": row.value, "note": row.note, "is_flagged": row.is_flagged, "spans": row.spans},
            row.is_deleted,
            row.version,
        )
        for row in connection.execute(select(*keys, *columns))
    }


def plan_scores(
    connection: Connection,
    incoming: ImportContent,
    planned: Plan,
    topics: Mapping[str, str],
    summaries: Summaries,
) -> None:
    """Plan one configuration per measure, with one block per topic."""
    by_measure: dict[str, dict[str, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    for score in incoming.scores:
        if _is_fit(planned, score, summaries):
            _add_score(planned, by_measure[score.measure][score.topic], score)
    for measure, by_topic in by_measure.items():
        config = imported_config(measure, incoming.source)
        stored = {block.topic_id: block for block in scores.blocks(connection, config.signature)}
        for topic, values in by_topic.items():
            block = _block(topics[topic], values)
            known = stored.get(block.topic_id)
            if known is None:
                planned.blocks.append((config, block))
                planned.added["scores"] += len(values)
            elif known.inputs_hash == block.inputs_hash:
                planned.equal["scores"] += len(values)
            else:
                planned.keep("scores", f"The {measure} of topic {topic} from {incoming.source}", False)


def imported_config(measure: str, source: str) -> MetricConfig:
    """Return the configuration of scores computed by other programs."""
    named = (("measure", measure), ("source", source))
    parts = (f"{key}:{value.replace('%', '%25').replace('|', '%7C')}" for key, value in named)
    return MetricConfig("|".join(("imported", *parts)), "imported", "Imported", "", (measure,))


def _is_fit(planned: Plan, score: NewScore, summaries: Summaries) -> bool:
    place = f"topic {score.topic}, system {score.system}"
    if (score.topic, score.system) not in summaries:
        planned.refuse_row(place, score.measure, _NO_SUMMARY, "Import the summaries first.")
        return False
    if math.isinf(score.value):
        planned.refuse_row(place, score.measure, "The score is infinite.", "Remove it or mark it as missing.")
        return False
    return True


def _add_score(planned: Plan, values: dict[str, float], score: NewScore) -> None:
    known = values.setdefault(score.system, score.value)
    if known != score.value and not (math.isnan(known) and math.isnan(score.value)):
        what = f"Two different scores: {known:g} and {score.value:g}."
        planned.refuse_row(
            f"topic {score.topic}, system {score.system}", score.measure, what, "Keep one of them."
        )


def _block(topic_id: str, values: Mapping[str, float]) -> ScoreBlock:
    """Return scores as a block; the hash of its inputs covers only the scores themselves."""
    systems = tuple(sorted(values))
    column = np.array([[values[system]] for system in systems])
    digest = sha256("\n".join(systems).encode() + b"\0" + scores.packed(column)).hexdigest()
    return ScoreBlock(topic_id, systems, (), column, None, digest, 0.0)
