"""Topics with their texts, systems, annotators and settings."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    BindParameter,
    CompoundSelect,
    Connection,
    Select,
    bindparam,
    func,
    insert,
    or_,
    select,
    union,
)
from sqlalchemy.orm import InstrumentedAttribute

from core.domain.annotator_filter import name_refusal
from core.domain.decisions import RESULT_GROUP
from core.domain.import_batch import NewText
from core.domain.name_checks import name_problem
from core.domain.pyramid import new_id
from core.domain.study import Annotator, Span, System, SystemKind, Text, TopicHeader, TopicTexts, natural_key
from core.errors import InputError
from core.experiments.inputs.development_topics import SETTING as DEVELOPMENT_TOPICS
from core.json_text import parse_json
from core.metrics.judge.answers import ANSWERS
from core.ports import ChangeKind, ChangeSet, EditReceipt
from core.text.languages import LANGUAGE_SETTING as LANGUAGE
from core.text.languages import TOPIC_LANGUAGE
from storage.database import read_only
from storage.database.schema import (
    AnnotatorRow,
    CitanceAnnotationRow,
    CommentRow,
    ComparisonItemRow,
    DecisionRow,
    DocumentRow,
    MatchRow,
    PreferenceRow,
    PyramidRow,
    RatingRow,
    ReferenceRow,
    ScuRow,
    SettingRow,
    StoredText,
    SummaryRow,
    SummaryStateRow,
    SystemRow,
    TopicRow,
)
from storage.database.writer import WriteResult
from storage.repositories.edits import edit_log
from storage.repositories.edits.edit_log import EditHeader, RowEdit
from storage.repositories.repository import Repository, read, write


def _select(row: type[StoredText], name: InstrumentedAttribute[str]) -> Select[*tuple[Any, ...]]:
    return select(row.topic_id, row.id, name, row.content, row.sentence_spans, row.digest, row.external_id)


_DOCUMENTS = _select(DocumentRow, DocumentRow.name).order_by(DocumentRow.position)
_REFERENCES = _select(ReferenceRow, ReferenceRow.author)
_SUMMARIES = _select(SummaryRow, SystemRow.name).join(SystemRow, SystemRow.id == SummaryRow.system_id)
_TOPICS_AT_ONCE = 50
_TOPICS = select(TopicRow.id, TopicRow.name, TopicRow.title, TopicRow.query, TopicRow.set)
_IDS: BindParameter[Sequence[str]] = bindparam("ids", expanding=True)
_TEXTS_OF_TOPICS = (
    _DOCUMENTS.where(DocumentRow.topic_id.in_(_IDS)),
    _REFERENCES.where(ReferenceRow.topic_id.in_(_IDS)),
    _SUMMARIES.where(SummaryRow.topic_id.in_(_IDS)),
)
_SETTING = select(SettingRow.value).where(SettingRow.id == bindparam("key"), ~SettingRow.is_deleted)
_LANGUAGES = select(SettingRow.id, SettingRow.value).where(
    (SettingRow.id == LANGUAGE) | SettingRow.id.startswith(TOPIC_LANGUAGE, autoescape=True),
    ~SettingRow.is_deleted,
)
_COUNTS = tuple(
    select(row.topic_id, func.count()).group_by(row.topic_id)
    for row in (DocumentRow, ReferenceRow, SummaryRow)
)
_HEADS = select(TopicRow.id, TopicRow.name, TopicRow.title, TopicRow.set)
_NAMES = select(TopicRow.id, TopicRow.name)
_SYSTEMS = select(SystemRow.id, SystemRow.name, SystemRow.kind)
_ANNOTATORS = select(AnnotatorRow.id, AnnotatorRow.name, AnnotatorRow.group)
_HAS_SCUS = select(ScuRow.id).where(ScuRow.pyramid_id == PyramidRow.id, ~ScuRow.is_deleted).exists()
_LIVE = (MatchRow, SummaryStateRow, RatingRow, PreferenceRow, CommentRow, ComparisonItemRow, DecisionRow)
_WORK_OF: CompoundSelect[Any] = union(
    select(PyramidRow.annotator_id).where(~PyramidRow.is_deleted, or_(PyramidRow.is_done, _HAS_SCUS)),
    select(CitanceAnnotationRow.annotator_id),
    *(select(row.annotator_id).where(~row.is_deleted) for row in _LIVE),
)


def heads(connection: Connection) -> list[TopicHeader]:
    """Return every topic without its texts, by name in natural order."""
    documents, references, summaries = (dict(connection.execute(query).all()) for query in _COUNTS)
    _, own = _languages(connection)
    headers = [
        TopicHeader(
            row.id,
            row.name,
            row.title,
            row.set,
            documents.get(row.id, 0),
            references.get(row.id, 0),
            summaries.get(row.id, 0),
            own.get(row.id, ""),
        )
        for row in connection.execute(_HEADS)
    ]
    return sorted(headers, key=lambda header: natural_key(header.name))


def ordered_ids(connection: Connection, ids: Sequence[str] | None = None) -> list[str]:
    """Return ids of topics, all or those given, by name in natural order."""
    query = _NAMES if ids is None else _NAMES.where(TopicRow.id.in_(ids))
    return [row.id for row in sorted(connection.execute(query), key=lambda row: natural_key(row.name))]


def topics(connection: Connection, ids: Sequence[str]) -> list[TopicTexts]:
    """Return topics with their texts, in the order of the ids; missing ones are omitted."""
    languages = topic_languages(connection)
    found = [_by_topic(connection, query, languages, {"ids": ids}) for query in _TEXTS_OF_TOPICS]
    kinds = (found[0], *map(_named, found[1:]))
    rows = {row.id: row for row in connection.execute(_TOPICS.where(TopicRow.id.in_(ids)))}
    return [
        TopicTexts(*rows[topic_id], *(tuple(kind.get(topic_id, ())) for kind in kinds))
        for topic_id in ids
        if topic_id in rows
    ]


def topic(connection: Connection, topic_id: str) -> TopicTexts:
    """Return one topic with its texts. Raises InputError where it does not exist."""
    for loaded in topics(connection, (topic_id,)):
        return loaded
    raise InputError("This topic is no longer in the study. Select another one.")


def summary(connection: Connection, summary_id: str) -> Text:
    """Return one summary. Raises InputError where it does not exist."""
    query = _SUMMARIES.where(SummaryRow.id == summary_id)
    for found in _by_topic(connection, query, topic_languages(connection)).values():
        return found[0]
    raise InputError("This summary is no longer in the study. Select another one.")


def stored_or_new_summary(connection: Connection, summary_id: str, system: str, new: NewText | None) -> Text:
    """Return a stored summary, else the one that is being imported. Raises InputError if there is neither."""
    stored = connection.scalar(select(SummaryRow.id).where(SummaryRow.id == summary_id))
    if stored is not None or new is None:
        return summary(connection, summary_id)
    language = setting(connection, LANGUAGE, "")
    return Text(summary_id, system, new.content, new.sentence_spans, "", new.external_id, language)


def move_to_set(
    connection: Connection, topic_ids: Sequence[str], name: str, annotator_id: str | None = None
) -> WriteResult[EditReceipt]:
    """Move topics to a set, empty = to none, as one edit.

    Raises InputError for an invalid name, or where a topic does not exist.
    """
    name = name.strip()
    if name and (problem := name_problem(name)):
        raise InputError(f"This is not a valid name of a set. {problem} Choose another name.")
    sets = {
        row.id: row.set
        for row in connection.execute(select(TopicRow.id, TopicRow.set).where(TopicRow.id.in_(topic_ids)))
    }
    if set(topic_ids) - set(sets):
        raise InputError("A topic is no longer in the study. Reload the list and repeat your edit.")
    edits = [
        RowEdit("topics", topic_id, {"set": old}, {"set": name})
        for topic_id, old in sets.items()
        if old != name
    ]
    topic_id = edits[0].id if len(edits) == 1 else None
    return edit_log.record(connection, EditHeader("change set", annotator_id, topic_id), edits)


def reference_sets(connection: Connection) -> list[tuple[Text, ...]]:
    """Return the references of each topic in order; topics without references are omitted."""
    found = _named(_by_topic(connection, _REFERENCES, topic_languages(connection)))
    return [tuple(found[topic_id]) for topic_id in ordered_ids(connection) if found.get(topic_id)]


def systems(connection: Connection) -> list[System]:
    """Return every system, by name."""
    found = [System(row.id, row.name, SystemKind(row.kind)) for row in connection.execute(_SYSTEMS)]
    return sorted(found, key=lambda system: natural_key(system.name))


def reference_authors(connection: Connection) -> list[str]:
    """Return every author of a reference, by name."""
    return sorted(connection.scalars(select(ReferenceRow.author).distinct()), key=natural_key)


def annotators(connection: Connection) -> list[Annotator]:
    """Return every annotator, by name."""
    rows = connection.execute(_ANNOTATORS).all()
    return sorted((Annotator(*row) for row in rows), key=lambda annotator: natural_key(annotator.name))


def annotators_with_work(connection: Connection) -> frozenset[str]:
    """Return the ids of annotators to whom annotations, ratings, answers, comments or comparisons belong."""
    return frozenset(found for found in connection.scalars(_WORK_OF) if found)


def annotator(connection: Connection, name: str, group: str = "") -> WriteResult[Annotator]:
    """Return the annotator of a name; create one if new."""
    name = name.strip()
    if not name:
        raise InputError("An annotator needs a name. Enter one.")
    known = next((each for each in annotators(connection) if each.name == name), None)
    if known is not None:
        return WriteResult(known, ChangeSet(frozenset()))
    for entered in (name, group.strip()):
        if entered and (fault := name_problem(entered)):
            raise InputError(
                f"This is not a valid name of an annotator or group. {fault} Choose another name."
            )
    made = Annotator(new_id(), name, group.strip())
    row = {"id": made.id, "name": made.name, "group": made.group}
    connection.execute(insert(AnnotatorRow), row)
    return WriteResult(made, ChangeSet(frozenset({ChangeKind.PEOPLE})))


def setting(connection: Connection, key: str, default: str = "") -> str:
    """Return a setting of the study."""
    found = connection.scalar(_SETTING, {"key": key})
    return default if found is None else found


def setting_keys(connection: Connection, prefix: str) -> list[str]:
    """Return the keys of all settings with a prefix, sorted."""
    begins = SettingRow.id.startswith(prefix, autoescape=True)
    query = select(SettingRow.id).where(begins, ~SettingRow.is_deleted).order_by(SettingRow.id)
    return list(connection.scalars(query))


def topic_languages(connection: Connection) -> Mapping[str, str]:
    """Return the language of every topic, its own or the study's, by id; empty = none is stored."""
    usual, own = _languages(connection)
    return defaultdict(lambda: usual, own)


def _languages(connection: Connection) -> tuple[str, dict[str, str]]:
    """Return the language of the study, empty = none is stored, and those of topics in others, by id."""
    stored = {row.id: row.value for row in connection.execute(_LANGUAGES)}
    usual = stored.pop(LANGUAGE, "")
    return usual, {key.removeprefix(TOPIC_LANGUAGE): code for key, code in stored.items() if code}


_NAMED = {
    TOPIC_LANGUAGE: "language of topics",
    ANSWERS: "answers of a judge",
    DEVELOPMENT_TOPICS: "topics for development",
}
"""What edits of settings are called, by the beginning of the key."""


def save_setting(
    connection: Connection, key: str, value: str, annotator_id: str | None = None, details: str = ""
) -> WriteResult[EditReceipt]:
    """Set a setting of the study as one edit; with an annotator, it can be undone."""
    return save_settings(connection, {key: value}, annotator_id, details)


def save_settings(
    connection: Connection, values: Mapping[str, str], annotator_id: str | None = None, details: str = ""
) -> WriteResult[EditReceipt]:
    """Set several settings of the study as one edit, named after the first one that changes."""
    query = select(SettingRow.id, SettingRow.value).where(SettingRow.id.in_(values), ~SettingRow.is_deleted)
    known = {row.id: row.value for row in connection.execute(query)}
    changes = [
        RowEdit("settings", key, {"value": known[key]} if key in known else None, {"value": value})
        for key, value in values.items()
        if known.get(key) != value
    ]
    named = changes[0].id if changes else ", ".join(values)
    named = next((words for beginning, words in _NAMED.items() if named.startswith(beginning)), named)
    return edit_log.record(connection, EditHeader(f"set {named}", annotator_id, details=details), changes)


def name_new_study(connection: Connection, name: str) -> WriteResult[None]:
    """Store the name of a study that is being created; nobody made it by an edit that could be undone."""
    row = {"id": "name", "value": name, "version": 1, "is_deleted": False}
    connection.execute(insert(SettingRow), row)
    return WriteResult(None, ChangeSet(frozenset({ChangeKind.SETTINGS})))


def spans_as_stored(spans: Sequence[Span] | None) -> str | None:
    """Encode sentence boundaries for the database."""
    return None if spans is None else json.dumps([list(span) for span in spans], separators=(",", ":"))


def spans_from_stored(stored: str | None) -> tuple[Span, ...] | None:
    """Decode sentence boundaries from the database."""
    return None if stored is None else tuple((start, end) for start, end in parse_json(stored))


def _by_topic(
    connection: Connection,
    query: Select[*tuple[Any, ...]],
    languages: Mapping[str, str],
    parameters: Mapping[str, object] | None = None,
) -> dict[str, list[Text]]:
    found = defaultdict(list)
    rows = connection.execute(query, parameters)
    for topic_id, text_id, name, content, spans, digest, external_id in rows:
        given = spans_from_stored(spans)
        found[topic_id].append(Text(text_id, name, content, given, digest, external_id, languages[topic_id]))
    return found


def _named(texts_by_topic: dict[str, list[Text]]) -> dict[str, list[Text]]:
    return {
        topic_id: sorted(texts, key=lambda text: natural_key(text.name))
        for topic_id, texts in texts_by_topic.items()
    }


class Texts(Repository):
    """Topics with their texts, and systems; implements `TextStore`."""

    topics = read(heads)
    topic = read(topic)
    move_to_set = write(move_to_set)
    systems = read(systems)
    reference_authors = read(reference_authors)
    reference_sets = read(reference_sets)

    def load(self, topic_ids: Sequence[str] | None = None) -> Iterator[TopicTexts]:
        with self._transactions.reading() as connection:
            ids = ordered_ids(connection, topic_ids)
        for at in range(0, len(ids), _TOPICS_AT_ONCE):
            with (
                self._transactions.reading() as connection
            ):  # an open snapshot between batches would keep the log from being checkpointed
                batch = topics(connection, ids[at : at + _TOPICS_AT_ONCE])
            yield from batch


class Annotators(Repository):
    """People who annotate or rate; implements `AnnotatorStore`."""

    all = read(annotators)
    with_work = read(annotators_with_work)

    def get_or_create(self, name: str, group: str = "") -> Annotator:
        known = next((person for person in self.all() if person.name == name.strip()), None)
        if self._transactions.reading_only is not None:
            return read_only.transient_annotator(known, name, group)
        if known is None and group != RESULT_GROUP and (refusal := name_refusal(name)):
            raise InputError(refusal)
        return self._transactions.write(lambda connection: annotator(connection, name, group))


class Settings(Repository):
    """Texts stored by key; implements `SettingStore`."""

    get = read(setting)
    keys = read(setting_keys)
    save = write(save_setting)
    save_all = write(save_settings)
    name_new_study = write(name_new_study)
