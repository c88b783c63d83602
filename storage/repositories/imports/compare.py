"""Compare an import with the study: add new items, count equal ones, report others; detect languages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, exists, func, select

from core.domain.import_batch import ImportContent, NewText, ScaleTexts
from core.domain.ratings import Dimension
from core.domain.study import SystemKind, text_digest
from core.errors import BadImport
from core.text.languages import (
    LANGUAGE_SETTING,
    TOPIC_LANGUAGE,
    DetectedLanguage,
    detect_language,
    languages_by_topic,
)
from storage.database.schema import (
    AnnotatorRow,
    Base,
    CitingPaperRow,
    DimensionRow,
    DocumentRow,
    ReferenceRow,
    SettingRow,
    SummaryRow,
    SystemRow,
    TopicRow,
    table_of,
)
from storage.repositories import ratings, scale_rows
from storage.repositories.edits.row_deltas import Row
from storage.repositories.imports import citations, numbers, preferences
from storage.repositories.imports import pyramids as imported_pyramids
from storage.repositories.imports.notices import contents, contents_of, difference_notices, language_notices
from storage.repositories.imports.plan import Plan
from storage.repositories.imports.pyramids import ImportedNames, TextRow, TextRows
from storage.repositories.texts import spans_as_stored

Ids = dict[str, str]
"""Id by name."""

_AnyText = DocumentRow | CitingPaperRow | ReferenceRow | SummaryRow


def plan(connection: Connection, incoming: ImportContent) -> Plan:
    """Compare an import with the study, without writing. Raises BadImport with every problem."""
    planned = Plan(
        incoming.source,
        notices=list(incoming.notices),
        skipped=list(incoming.skipped),
        skips_bad_rows=incoming.skips_bad_rows,
    )
    systems = _plan_systems(connection, incoming, planned)
    annotators = _plan_annotators(connection, incoming, planned)
    scales = _plan_dimensions(connection, incoming, planned)
    topics = _plan_topics(connection, incoming, planned)
    texts = _plan_texts(connection, incoming, planned, topics, systems)
    names = ImportedNames(topics, annotators, *texts)
    summaries = {key: row.id for key, row in names.summaries.items()}
    numbers.plan_ratings(connection, incoming, planned, summaries, annotators, scales)
    numbers.plan_scores(connection, incoming, planned, topics, summaries)
    citations.plan(connection, incoming, planned, names)
    imported_pyramids.plan(connection, incoming, planned, names)
    preferences.plan(connection, incoming, planned, topics, summaries, annotators)
    plan_languages(connection, incoming, planned)
    _plan_settings(connection, incoming, planned)
    planned.notices += difference_notices(incoming)
    if planned.problems:
        raise BadImport(planned.problems)
    return planned


def _plan_settings(connection: Connection, incoming: ImportContent, planned: Plan) -> None:
    columns = SettingRow.id, SettingRow.value, SettingRow.version, SettingRow.is_deleted
    stored = {
        row.id: row
        for row in connection.execute(select(*columns).where(SettingRow.id.in_(incoming.settings)))
    }
    for key, value in incoming.settings.items():
        row, marks = stored.get(key), {"value": value, "is_deleted": False, "edit_id": planned.edit_id}
        if row is None:
            planned.new[SettingRow].append({"id": key, "version": 1, **marks})
        elif row.is_deleted or row.value != value:
            planned.filled.append((SettingRow, key, {**marks, "version": row.version + 1}))


def _plan_systems(connection: Connection, incoming: ImportContent, planned: Plan) -> Ids:
    rows = connection.execute(select(SystemRow.name, SystemRow.id, SystemRow.kind)).all()
    known, kinds = {row.name: row.id for row in rows}, {row.name: row.kind for row in rows}
    requested = dict.fromkeys(
        (name for topic in incoming.topics for name in topic.summaries), SystemKind.AUTOMATIC
    )
    for name, kind in (requested | dict(incoming.systems)).items():
        if name in known:  # formats without kinds give automatic
            planned.keep("systems", f"The kind of system {name}", kind in (kinds[name], SystemKind.AUTOMATIC))
        else:
            known[name] = planned.add(SystemRow, {"name": name, "kind": kind.value})
    return known


def _plan_annotators(connection: Connection, incoming: ImportContent, planned: Plan) -> Ids:
    rows = connection.execute(select(AnnotatorRow.name, AnnotatorRow.id, AnnotatorRow.group)).all()
    known, groups = {row.name: row.id for row in rows}, {row.name: row.group for row in rows}
    requested = dict.fromkeys((rating.annotator for rating in incoming.ratings), "")
    requested |= dict.fromkeys((pyramid.annotator for pyramid in incoming.pyramids), "")
    requested |= dict.fromkeys((matches.annotator for matches in incoming.matches), "")
    requested |= dict.fromkeys((answer.annotator for answer in incoming.preferences), "")
    annotated = (one for citance in incoming.citances for one in citance.annotations)
    requested |= dict.fromkeys((one.annotator for one in annotated), "")
    for name, group in (requested | dict(incoming.annotators)).items():
        if name not in known:
            known[name] = planned.add(AnnotatorRow, {"name": name, "group": group})
        else:
            stored = {"group": groups[name]}
            _compare(planned, AnnotatorRow, known[name], f"annotator {name}", stored, {"group": group})
    return known


def _plan_dimensions(connection: Connection, incoming: ImportContent, planned: Plan) -> numbers.Scales:
    living = select(DimensionRow.__table__).where(~DimensionRow.is_deleted)
    stored = {str(row["name"]): dict(row) for row in connection.execute(living).mappings()}
    known = {scale.name: scale for scale in ratings.dimensions(connection)}
    last = connection.scalar(select(func.max(DimensionRow.position))) or 0.0
    for name, (low, high) in incoming.dimensions.items():
        about = incoming.scale_texts.get(name, ScaleTexts())
        texts = {
            "question": about.question,
            "description": about.description,
            "anchors": scale_rows.anchors_as_stored(about.anchors),
        }
        if name in stored:
            scale = known[name]
            planned.keep("dimensions", f"The range of scale {name}", (low, high) == (scale.low, scale.high))
            if name in incoming.scale_texts:
                planned.keep("dimensions", f"The kind of scale {name}", about.kind is scale.kind)
                if about.kind is not scale.kind:
                    continue
            _plan_scale_texts(planned, stored[name], texts)
        else:
            last += 1.0
            marks = {"position": last, "version": 1, "is_deleted": False, "edit_id": planned.edit_id}
            kind = {"kind": about.kind.value, "is_required": about.is_required}
            row = {"name": name, "low": low, "high": high, **texts, **kind, **marks}
            scale_id = planned.add(DimensionRow, row)
            texts_of = about.question, about.description, about.anchors, about.kind, about.is_required
            known[name] = Dimension(scale_id, name, low, high, *texts_of)
    return known


def _plan_scale_texts(planned: Plan, stored: Row, texts: Row) -> None:
    """Fill empty texts of a scale; report differing ones."""
    blank = {"", scale_rows.anchors_as_stored(())}
    new = {column: text for column, text in texts.items() if text not in blank}
    filled = {column: text for column, text in new.items() if stored[column] in blank}
    anchors = scale_rows.anchors_from_stored(texts["anchors"])
    if any(not stored["low"] <= value <= stored["high"] for value, _ in anchors):
        filled.pop("anchors", None)
    if filled:
        marks = {"version": stored["version"] + 1, "edit_id": planned.edit_id}
        planned.filled.append((DimensionRow, stored["id"], filled | marks))
    for column, text in new.items():
        if column not in filled and stored[column] != text:
            planned.keep("dimensions", f"The {column} of scale {stored['name']}", False)


def _plan_topics(connection: Connection, incoming: ImportContent, planned: Plan) -> Ids:
    rows = connection.execute(
        select(TopicRow.name, TopicRow.id, TopicRow.title, TopicRow.query, TopicRow.set)
    ).mappings()
    stored = {str(row["name"]): dict(row) for row in rows}
    known = {name: str(row["id"]) for name, row in stored.items()}
    for topic in incoming.topics:
        about = {"title": topic.title, "query": topic.query, "set": topic.set}
        if topic.name in stored:
            what = f"topic {topic.name}"
            row = known[topic.name], what, stored[topic.name], about
            _compare(planned, TopicRow, *row, updates=incoming.is_update)
        elif topic.name not in known:
            marks = {"version": 1, "is_deleted": False, "edit_id": planned.edit_id}
            known[topic.name] = planned.add(TopicRow, {"name": topic.name, **about, **marks})
    return known


def _compare(
    planned: Plan,
    row: type[Base],
    row_id: str,
    what: str,
    stored: Mapping[str, Any],
    new: Row,
    *,
    updates: bool = False,
) -> None:
    """Fill empty columns; report differing ones, or replace them (updates)."""
    other = [column for column, value in new.items() if value and stored[column] and value != stored[column]]
    blank = {column: value for column, value in new.items() if value and not stored[column]}
    if updates:
        blank |= {column: new[column] for column in other}
        other = []
    if blank:
        planned.fill(row, row_id, blank)
    for column in other:
        remedy = "“Update” (--update) replaces it." if row is TopicRow else ""
        planned.keep(row.__tablename__, f"The {column} of {what}", False, remedy)
    if not other and not blank:
        planned.keep(row.__tablename__, what, True)


def _plan_texts(
    connection: Connection, incoming: ImportContent, planned: Plan, topics: Ids, systems: Ids
) -> tuple[TextRows, TextRows, TextRows, TextRows]:
    """Plan every text.

    Returns all references, summaries, documents and citing papers, by name of topic and by author, system or
    name.
    """
    documents = _Texts(connection, planned, DocumentRow, "name", "document")
    papers = _Texts(connection, planned, CitingPaperRow, "name", "citing paper")
    references = _Texts(connection, planned, ReferenceRow, "author", "reference")
    summaries = _Texts(connection, planned, SummaryRow, "system_id", "summary of")
    for topic in incoming.topics:
        place = topic.name, topics[topic.name]
        for position, (name, text) in enumerate(topic.documents.items(), documents.counts[place[1]]):
            documents.add(place, name, name, text, {"position": position})
        for position, (name, text) in enumerate(topic.citing_papers.items(), papers.counts[place[1]]):
            papers.add(place, name, name, text, {"position": position})
        for author, text in topic.references.items():
            references.add(place, author, author, text)
        for system, text in topic.summaries.items():
            summaries.add(place, systems[system], system, text)
    topic_of, system_of = ({row_id: name for name, row_id in ids.items()} for ids in (topics, systems))

    def by_names(texts: _Texts) -> TextRows:
        return {(topic_of[topic], name): text for (topic, name), text in texts.known.items()}

    of_systems = {(topic, system_of[key]): text for (topic, key), text in by_names(summaries).items()}
    return by_names(references), of_systems, by_names(documents), by_names(papers)


class _Texts:
    """The texts of one kind, existing and imported.

    column: identifies a text within a topic. called: name of the kind in messages.
    """

    def __init__(
        self, connection: Connection, planned: Plan, row: type[_AnyText], column: str, called: str
    ) -> None:
        self.row, self._planned, self._column, self._called = row, planned, column, called
        self._thing = row.__tablename__.replace("_", " ")
        key = table_of(row).c[column]
        rows = connection.execute(select(row.topic_id, key, row.id, row.digest, row.sentence_spans))
        self.known = {(topic_id, name): TextRow(*stored) for topic_id, name, *stored in rows}
        self.counts = Counter(topic_id for topic_id, _ in self.known)

    def add(
        self, topic: tuple[str, str], key: str, name: str, text: NewText, more: Row | None = None
    ) -> None:
        topic_name, topic_id = topic
        if problem := _unfit(text):
            self._planned.refuse(f"topic {topic_name}", f"{self._called} {name}", *problem)
            return
        digest = text_digest(text.content, text.sentence_spans)
        spans = spans_as_stored(text.sentence_spans)
        known = self.known.get((topic_id, key))
        if known is not None:
            what = f"The text of {self._called} {name} of topic {topic_name}"
            if self.row is CitingPaperRow and text.content and known.digest == _NO_TEXT:
                filled: Row = {"content": text.content, "digest": digest, "sentence_spans": spans}
                self._planned.filled.append((self.row, known.id, filled))
                self._planned.added[f"texts of {self._thing}"] += 1
                self.known[topic_id, key] = TextRow(known.id, digest, spans)
            elif text.content or self.row is not CitingPaperRow:
                self._planned.keep(self._thing, what, known.digest == digest)
            return
        if not text.content.strip() and self.row is not CitingPaperRow:
            self._planned.note_empty(topic_name, f"{self._called} {name}")
        columns: Row = {"topic_id": topic_id, self._column: key, "content": text.content, "digest": digest}
        columns |= {"sentence_spans": spans, "external_id": text.external_id}
        row_id = self._planned.add(self.row, columns | (more or {}), self._thing)
        self.known[topic_id, key] = TextRow(row_id, digest, spans)


_NO_TEXT = text_digest("", None)


def _unfit(text: NewText) -> tuple[str, str] | None:
    """Return the problem of a text and its remedy, None = valid."""
    try:
        text.content.encode()
    except UnicodeEncodeError as error:
        return f"Character {error.start} is half of a surrogate pair.", "Fix the file's encoding."
    if "\0" in text.content:
        return f"Character {text.content.index(chr(0))} is a null.", "Remove it from the file."
    at = 0
    for start, end in text.sentence_spans or ():
        if not at <= start <= end <= len(text.content):
            return (
                f"The sentence from {start} to {end} lies outside the text or its order.",
                "Fix the sentence boundaries.",
            )
        at = end
    return None


_TEXTS: Sequence[type[Base]] = (DocumentRow, ReferenceRow, SummaryRow)


def plan_languages(connection: Connection, incoming: ImportContent, planned: Plan) -> None:
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
