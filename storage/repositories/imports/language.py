"""Detect the languages of a study's topics from the texts of an import."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, exists, select

from core.domain.import_batch import ImportContent
from core.text.languages import (
    LANGUAGE_SETTING,
    TOPIC_LANGUAGE,
    DetectedLanguage,
    detect_language,
    languages_by_topic,
)
from storage.database.schema import Base, DocumentRow, ReferenceRow, SettingRow, SummaryRow, TopicRow
from storage.repositories.imports.notices import contents, contents_of, language_notices
from storage.repositories.imports.plan import Plan

_TEXTS: Sequence[type[Base]] = (DocumentRow, ReferenceRow, SummaryRow)


def plan(connection: Connection, incoming: ImportContent, planned: Plan) -> None:
    """Plan to store the language of the first texts of a study, and those of topics in other languages.

    A study that already has texts keeps its language or none, so that its scores stay comparable.
    """
    if not any(planned.new[row] for row in _TEXTS):
        return
    ids = {row["name"]: row["id"] for row in planned.new[TopicRow]}
    usual = connection.scalar(select(SettingRow.value).where(SettingRow.id == LANGUAGE_SETTING))
    is_first = usual is None and not _has_texts(connection)
    if is_first:
        ids |= {row.name: row.id for row in connection.execute(select(TopicRow.name, TopicRow.id))}
    if not ids:
        return
    detected = detect_language(contents(incoming))
    if is_first and detected.code:
        usual = detected.code
        _store(planned, LANGUAGE_SETTING, usual)
    texts = {topic.name: contents_of(topic) for topic in incoming.topics if topic.name in ids}
    own = languages_by_topic(texts, detected, usual or "")
    for topic, code in own.items():
        _store(planned, f"{TOPIC_LANGUAGE}{ids[topic]}", code)
    planned.notices += language_notices(incoming.source, detected if is_first else DetectedLanguage(), own)


def _store(planned: Plan, key: str, code: str) -> None:
    row = {"id": key, "value": code, "version": 1, "is_deleted": False, "edit_id": planned.edit_id}
    planned.new[SettingRow].append(row)


def _has_texts(connection: Connection) -> bool:
    return any(connection.scalar(select(exists().select_from(row))) for row in _TEXTS)
