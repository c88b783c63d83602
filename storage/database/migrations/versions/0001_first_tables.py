"""The first tables: texts, people, edits, pyramids and matches, nuggets, ratings, scores."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Boolean, CheckConstraint, Column, Double, Integer, LargeBinary, String, Text

revision = "0001"
down_revision = None

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
SPAN = 'start >= 0 AND "end" > start'


def upgrade() -> None:
    tables = sa.MetaData(naming_convention=NAMES)
    for add in (_texts, _edits, _pyramids, _matches, _nuggets, _ratings, _scores):
        add(tables)
    tables.create_all(op.get_bind(), checkfirst=False)


def _texts(tables: sa.MetaData) -> None:
    about = (_text("title"), _text("query"), _text("set"))
    sa.Table("topics", tables, _key(), _text("name", unique=True), *about)
    sa.Table(
        "systems", tables, _key(), _text("name", unique=True), Column("kind", String(16), nullable=False)
    )
    sa.Table("annotators", tables, _key(), _text("name", unique=True), _text("group"))
    place = Column("position", Integer, nullable=False)
    _stored("documents", tables, "name", _text("name"), place)
    _stored("references", tables, "author", _text("author"))
    _stored("summaries", tables, "system_id", _refers("system_id", "systems.id", index=True))


def _stored(name: str, tables: sa.MetaData, told_apart_by: str, *columns: Column[Any]) -> None:
    content = (
        _text("content"),
        Column("digest", String(64), nullable=False),
        Column("sentence_spans", Text),
        _text("external_id"),
    )
    unique = sa.UniqueConstraint("topic_id", told_apart_by)
    sa.Table(name, tables, _key(), _refers("topic_id", "topics.id"), *columns, *content, unique)


def _edits(tables: sa.MetaData) -> None:
    sa.Table(
        "edits",
        tables,
        Column("number", Integer, primary_key=True, autoincrement=True),
        Column("id", String(32), nullable=False, unique=True),
        _refers("annotator_id", "annotators.id", nullable=True),
        _refers("topic_id", "topics.id", nullable=True, index=True),
        _text("verb"),
        Column("at", String(32), nullable=False),
        _number("active_seconds"),
        Column("follows", Integer, nullable=False),
        Column("undone_at", String(32)),
        Column("delta", Text),
        sa.Index(None, "annotator_id", "number"),
    )
    sa.Table("settings", tables, Column("id", String(64), primary_key=True), *_marks(), _text("value"))


def _pyramids(tables: sa.MetaData) -> None:
    owner = (_refers("topic_id", "topics.id"), _refers("annotator_id", "annotators.id"))
    unique = sa.UniqueConstraint("topic_id", "annotator_id")
    sa.Table("pyramids", tables, _key(), *owner, _flag("is_done"), *_marks(), unique)
    pyramid = _refers("pyramid_id", "pyramids.id", index=True)
    sa.Table("scus", tables, _key(), pyramid, _text("label"), _text("comment"), _place(), *_marks())
    scu, reference = _refers("scu_id", "scus.id", index=True), _refers("reference_id", "references.id")
    sa.Table("contributors", tables, _key(), scu, reference, _text("comment"), _place(), *_marks())
    contributor = _refers("contributor_id", "contributors.id", index=True)
    span = CheckConstraint(SPAN, "span")
    sa.Table("contributor_parts", tables, _key(), contributor, *_span(), _place(), *_marks(), span)


def _matches(tables: sa.MetaData) -> None:
    pyramid = _refers("pyramid_id", "pyramids.id", index=True)
    scu = _refers("scu_id", "scus.id", nullable=True, index=True)
    content = (*_whose_summary(), scu, _text("comment"))
    sa.Table("matches", tables, _key(), pyramid, *content, _place(), *_marks())
    match, span = _refers("match_id", "matches.id", index=True), CheckConstraint(SPAN, "span")
    sa.Table("match_parts", tables, _key(), match, *_span(), _place(), *_marks(), span)
    state = (_flag("is_done"), _flag("is_flagged"), _text("note"))
    live = sa.text("NOT is_deleted")
    sa.Table(
        "summary_states",
        tables,
        _key(),
        _refers("pyramid_id", "pyramids.id"),
        *_whose_summary(),
        *state,
        _place(),
        *_marks(),
        sa.Index(
            "uq_summary_states_live",
            "pyramid_id",
            "summary_id",
            "annotator_id",
            unique=True,
            sqlite_where=live,
            postgresql_where=live,
        ),
    )


def _nuggets(tables: sa.MetaData) -> None:
    owner = (_refers("topic_id", "topics.id", index=True), _refers("annotator_id", "annotators.id"))
    sa.Table("nuggets", tables, _key(), *owner, _text("content"), _text("comment"), _place(), *_marks())
    sa.Table(
        "nugget_hits",
        tables,
        _key(),
        _refers("nugget_id", "nuggets.id", index=True),
        _refers("annotator_id", "annotators.id"),
        _refers("reference_id", "references.id", nullable=True, index=True),
        _refers("summary_id", "summaries.id", nullable=True, index=True),
        Column("start", Integer),
        Column("end", Integer),
        *_marks(),
        CheckConstraint("(reference_id IS NULL) <> (summary_id IS NULL)", "one_text"),
        CheckConstraint(f'(start IS NULL AND "end" IS NULL) OR ({SPAN})', "span"),
    )


def _ratings(tables: sa.MetaData) -> None:
    scale = (_number("low"), _number("high"))
    sa.Table("dimensions", tables, _key(), _text("name", unique=True), *scale, _text("guideline"))
    sa.Table(
        "ratings",
        tables,
        _key(),
        _refers("summary_id", "summaries.id"),
        _refers("dimension_id", "dimensions.id", index=True),
        _refers("annotator_id", "annotators.id"),
        _number("value"),
        *_marks(),
        sa.UniqueConstraint("summary_id", "dimension_id", "annotator_id"),
    )


def _scores(tables: sa.MetaData) -> None:
    sa.Table(
        "metric_configs",
        tables,
        Column("number", Integer, primary_key=True, autoincrement=True),
        _text("signature", unique=True),
        *(_text(name) for name in ("metric", "family", "spec", "measures", "references")),
        _flag("higher_is_better"),
    )
    sa.Table(
        "scores",
        tables,
        Column("config", Integer, sa.ForeignKey("metric_configs.number"), primary_key=True),
        Column("topic_id", String(32), sa.ForeignKey("topics.id"), primary_key=True),
        _text("systems"),
        _text("references"),
        Column("block", LargeBinary, nullable=False),
        Column("stats", LargeBinary),
        Column("statistics", Integer, nullable=False),
        _text("inputs_hash"),
        _number("seconds"),
        _text("notes"),
    )


def _key() -> Column[Any]:
    return Column("id", String(32), primary_key=True)


def _refers(name: str, to: str, *, nullable: bool = False, index: bool = False) -> Column[Any]:
    return Column(name, String(32), sa.ForeignKey(to), nullable=nullable, index=index)


def _text(name: str, *, unique: bool = False) -> Column[Any]:
    return Column(name, Text, nullable=False, unique=unique)


def _number(name: str) -> Column[Any]:
    return Column(name, Double, nullable=False)


def _flag(name: str) -> Column[Any]:
    return Column(name, Boolean, nullable=False)


def _place() -> Column[Any]:
    return _number("position")


def _span() -> tuple[Column[Any], ...]:
    return Column("start", Integer, nullable=False), Column("end", Integer, nullable=False)


def _whose_summary() -> tuple[Column[Any], ...]:
    return _refers("summary_id", "summaries.id"), _refers("annotator_id", "annotators.id")


def _marks() -> tuple[Column[Any], ...]:
    """Return the columns of a tracked row's version."""
    edit = _refers("edit_id", "edits.id", nullable=True)
    return Column("version", Integer, nullable=False), _flag("is_deleted"), edit
