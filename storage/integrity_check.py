"""Integrity check of a study file: database, rows, texts and scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Select, func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import aliased

from core.domain.preferences import check_preference
from core.domain.study import text_digest
from core.errors import InputError, StudyDamaged, UnsafeStudy
from core.files.study_address import ServerAddress, StudyAddress
from storage.database import read_only, study_database
from storage.database.engine import reading_engine
from storage.database.schema import (
    VERSIONED_TABLES,
    CitanceRow,
    CitingPaperRow,
    ContributorPartRow,
    ContributorRow,
    DocumentRow,
    MatchPartRow,
    MatchRow,
    MetricConfigRow,
    PyramidRow,
    RatingRow,
    ReferenceRow,
    ScuRow,
    SummaryRow,
    TopicRow,
)
from storage.database.value_checks import MOST, json_faults, value_faults
from storage.repositories import (
    citations,
    comments,
    comparisons,
    experiments,
    pyramids,
    ratings,
    scores,
    texts,
)
from storage.repositories.edits import history
from storage.repositories.edits.row_deltas import children_of


def check(path: StudyAddress) -> list[str]:
    """Return every fault of a study as a sentence; empty = no faults. Does not change the study.

    A read-only file is checked on a private copy, with its log. Of a study on a server the contents are
    checked, as the server checks types and keys itself.
    Raises InputError where the file or database is missing or not a study.
    """
    if isinstance(path, ServerAddress):
        return _server_faults(path)
    if read_only.reason_of(path):
        with read_only.private_copy(path) as copy:
            return [fault.replace(str(copy), str(path)) for fault in _faults(copy)]
    return _faults(path)


def damage_of(path: StudyAddress) -> str:
    """Describe the damage of a study and the remedy in one message; empty = undamaged, or not a study.

    A damaged study can make any part of the program fail: check this before reporting a failure as a bug.
    """
    try:
        faults = check(path)
    except Exception:  # noqa: BLE001 - the failure that led here is reported instead
        return ""
    if not faults:
        return ""
    more = f" (and {len(faults) - 1} more: see `pyramidion validate`)" if len(faults) > 1 else ""
    return f"{path.name} is damaged: {faults[0].rstrip('.')}{more}. {study_database.recovery_hint(path)}"


def _faults(path: Path) -> list[str]:
    try:
        version = study_database.version_of(path)
        damages = _damages(path)
    except (StudyDamaged, UnsafeStudy) as error:
        return [str(error)]
    known = study_database.versions()
    if damages:
        return [*damages, study_database.recovery_hint(path)]
    if version != known[-1]:
        return [_other_version(version, known)]
    with study_database.map_errors(path), closing(study_database.connect(path)) as driver:
        if wrong := value_faults(driver):
            return [*wrong, study_database.recovery_hint(path)]
    engine = reading_engine(path)
    try:
        with study_database.reading_errors(path), engine.connect() as connection:
            faults = [fault for inspect in _INSPECTIONS for fault in inspect(connection)]
            return faults or [*_unreadable(connection)]
    except StudyDamaged as error:
        return [str(error)]
    finally:
        engine.dispose()


def _server_faults(address: ServerAddress) -> list[str]:
    from storage.database.server import server_database
    from storage.database.server.server_engine import reading_engine, server_errors

    engine = reading_engine(address)
    try:
        with server_errors(address), engine.connect() as connection:
            version, known = server_database.version_of(connection, address), study_database.versions()
            if version != known[-1]:
                return [_other_version(version, known)]
            if wrong := [*islice(json_faults(connection), MOST)]:
                return [*wrong, study_database.recovery_hint(address)]
            faults = [fault for inspect in _INSPECTIONS for fault in inspect(connection)]
            return faults or [*_unreadable(connection)]
    except StudyDamaged as error:
        return [str(error)]
    finally:
        engine.dispose()


def _other_version(version: str, known: Sequence[str]) -> str:
    if version not in known:
        return (
            f"A newer version of Pyramidion wrote this study (tables {version}); use that version to check "
            "it."
        )
    return f"The study has tables of version {version}; open it once to upgrade them to {known[-1]}."


def _damages(path: Path) -> list[str]:
    with study_database.map_errors(path), closing(study_database.connect(path)) as connection:
        damages = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
        broken = connection.execute("PRAGMA foreign_key_check").fetchall()
    return [
        *(f"The database is damaged: {what}." for what in damages),
        *(f"Row {row} of {table} has lost its row of {parent}." for table, row, parent, _ in broken),
    ]


def changed_texts(connection: Connection) -> Iterator[str]:
    """Report texts that have changed since their import."""
    for row, name in (
        (DocumentRow, "Document"),
        (ReferenceRow, "Reference"),
        (SummaryRow, "Summary"),
        (CitingPaperRow, "Citing paper"),
    ):
        query = select(row.id, row.content, row.sentence_spans, row.digest, TopicRow.name)
        for text_id, content, stored, digest, topic in connection.execute(
            query.join(TopicRow, TopicRow.id == row.topic_id)
        ):
            if text_digest(content, texts.spans_from_stored(stored)) != digest:
                yield f"{name} {text_id} of topic {topic} does not match its SHA-256 digest; it was changed."


def parts_outside(connection: Connection) -> Iterator[str]:
    """Report parts outside their texts, except deleted ones."""
    contributor = (
        select(ContributorPartRow.id, ContributorPartRow.end, ReferenceRow.content)
        .join(ContributorRow, ContributorRow.id == ContributorPartRow.contributor_id)
        .join(ReferenceRow, ReferenceRow.id == ContributorRow.reference_id)
        .where(~ContributorPartRow.is_deleted)
    )
    match = (
        select(MatchPartRow.id, MatchPartRow.end, SummaryRow.content)
        .join(MatchRow, MatchRow.id == MatchPartRow.match_id)
        .join(SummaryRow, SummaryRow.id == MatchRow.summary_id)
        .where(~MatchPartRow.is_deleted)
    )
    queries: tuple[tuple[str, type[Any], type[Any], Select[*tuple[Any, ...]]], ...] = (
        ("contributor", ReferenceRow, ContributorPartRow, contributor),
        ("match", SummaryRow, MatchPartRow, match),
    )
    for name, row, part, query in queries:
        # SQLite counts only the characters before a NUL, so the query may select too many rows.
        for part_id, end, content in connection.execute(query.where(part.end > func.length(row.content))):
            if end > len(content):
                yield f"Part {part_id} of a {name} ends at {end}, but its text has {len(content)} characters."


def _orphans(connection: Connection) -> Iterator[str]:
    """Report rows whose parent row is marked as deleted."""
    for name, table in VERSIONED_TABLES.items():
        for column in children_of(name):
            child = column.table
            query = select(func.count()).select_from(child).join(table, table.c.id == column)
            count = connection.scalar(query.where(table.c.is_deleted, ~child.c.is_deleted))
            if count:
                yield f"{count} rows of {child.name} belong to removed rows of {name}."


def _scores(connection: Connection) -> Iterator[str]:
    """Report score blocks whose size does not match their systems, references and measures."""
    for signature in connection.scalars(select(MetricConfigRow.signature)).all():
        try:
            scores.blocks(connection, signature)
        except StudyDamaged as error:
            yield str(error)


def misplaced(connection: Connection) -> Iterator[str]:
    """Report rows that refer to a row of another topic or pyramid."""
    matched_scu = aliased(ScuRow)
    queries = {
        "contributors refer to a reference of another topic": (
            select(ContributorRow.id)
            .join(ScuRow, ScuRow.id == ContributorRow.scu_id)
            .join(PyramidRow, PyramidRow.id == ScuRow.pyramid_id)
            .join(ReferenceRow, ReferenceRow.id == ContributorRow.reference_id)
            .where(ReferenceRow.topic_id != PyramidRow.topic_id, ~ContributorRow.is_deleted)
        ),
        "matches refer to a summary of another topic": (
            select(MatchRow.id)
            .join(PyramidRow, PyramidRow.id == MatchRow.pyramid_id)
            .join(SummaryRow, SummaryRow.id == MatchRow.summary_id)
            .where(SummaryRow.topic_id != PyramidRow.topic_id, ~MatchRow.is_deleted)
        ),
        "matches refer to an SCU of another pyramid": (
            select(MatchRow.id)
            .join(matched_scu, matched_scu.id == MatchRow.scu_id)
            .where(matched_scu.pyramid_id != MatchRow.pyramid_id, ~MatchRow.is_deleted)
        ),
    }
    queries |= {
        f"citances refer to a {what} of another topic": select(CitanceRow.id)
        .join(row, row.id == column)
        .where(row.topic_id != CitanceRow.topic_id)
        for what, row, column in (
            ("citing paper", CitingPaperRow, CitanceRow.citing_paper_id),
            ("document", DocumentRow, CitanceRow.document_id),
        )
    }
    for what, query in queries.items():
        count = connection.scalar(select(func.count()).select_from(query.subquery()))
        if count:
            yield f"{count} {what}."


def _citances_outside(connection: Connection) -> Iterator[str]:
    """Report citances whose places are outside their texts."""
    try:
        for topic_id in citations.counts(connection):
            found = citations.of_topic(connection, topic_id)
            documents = select(DocumentRow.id, DocumentRow.content).where(DocumentRow.topic_id == topic_id)
            lengths = {text_id: len(content) for text_id, content in connection.execute(documents)}
            lengths |= {paper.id: len(paper.content) for paper in found.papers}
            for citance in found.citances:
                if any(
                    not 0 <= start < end <= lengths.get(text_id, 0)
                    for text_id, (start, end) in citance.places()
                ):
                    yield f"Citance {citance.id} has a place outside its text."
    except (LookupError, TypeError, ValueError):
        return  # reported as unreadable


def _unreadable(connection: Connection) -> Iterator[str]:
    """Report content that passes all other checks but cannot be read."""
    for what, read in _READINGS.items():
        try:
            read(connection)
        except StudyDamaged as error:
            yield str(error)
        except (DBAPIError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            yield f"The {what} cannot be read ({type(error).__name__}: {error})."
        except RecursionError:
            yield f"The {what} cannot be read: their JSON is nested too deeply."


def _judged(connection: Connection) -> Iterator[str]:
    """Report ratings that are not on their scale, and comparisons of summaries of other topics."""
    try:
        scales = ratings.dimensions(connection)
        for scale in scales:
            categories = {int(number) for number, _ in scale.anchors if scale.has_categories}
            found = select(RatingRow.value, RatingRow.spans, func.length(SummaryRow.content))
            its = found.join(SummaryRow, SummaryRow.id == RatingRow.summary_id)
            rows = connection.execute(its.where(RatingRow.dimension_id == scale.id, ~RatingRow.is_deleted))
            wrong = 0
            for value, stored, length in rows:
                spans = ratings.spans_from_stored(stored)
                is_off = value is not None and bool(scale.value_problem(value))
                is_off |= any(
                    not 0 <= start < end <= length or category not in categories
                    for start, end, category in spans
                )
                wrong += is_off
            if wrong:
                yield f"{wrong} ratings of {scale.name} are not on this scale."
        topic_of = dict(connection.execute(select(SummaryRow.id, SummaryRow.topic_id)).all())
        for plan in comparisons.plans(connection):
            items = {item.id: item for item in comparisons.items(connection, plan.id)}
            if any(topic_of.get(one) != item.topic_id for item in items.values() for one in item.summary_ids):
                yield f"The comparisons {plan.name} have summaries of another topic, or none."
            for answer in comparisons.preferences(connection, plan.id):
                try:
                    check_preference(plan, items[answer.item_id], answer.best, answer.worst)
                except InputError:
                    yield f"An answer to the comparisons {plan.name} is not one of its summaries."
    except StudyDamaged:
        return  # reported as unreadable


_READINGS: Mapping[str, Callable[[Connection], object]] = {
    "texts": lambda c: texts.topics(c, texts.ordered_ids(c)),
    "annotators": texts.annotators,
    "pyramids": pyramids.load,
    "scales": ratings.dimensions,
    "ratings": lambda c: [ratings.notes(c), *(ratings.cube(c, one.name) for one in ratings.dimensions(c))],
    "comments": comments.all_comments,
    "citances": lambda c: [citations.of_topic(c, topic_id) for topic_id in citations.counts(c)],
    "comparisons": lambda c: [comparisons.items(c, plan.id) for plan in comparisons.plans(c)],
    "metrics": scores.configs,
    "edits": lambda c: history.history(c, None, 10_000_000),
    "experiments": lambda c: [experiments.parts(c, each.id) for each in experiments.records(c)],
}

_INSPECTIONS: tuple[Callable[[Connection], Iterator[str]], ...] = (
    changed_texts,
    parts_outside,
    _orphans,
    misplaced,
    _citances_outside,
    _scores,
    _judged,
)
