"""Tables of a study, for SQLite and PostgreSQL.

Ids are UUIDs of 32 hexadecimal digits, times are ISO 8601 in UTC, lists and maps are JSON text, arrays are
little-endian float64 in C order. Every change here requires a migration.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from sqlalchemy import (
    CheckConstraint,
    Double,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, declared_attr, mapped_column

Id = Annotated[str, mapped_column(String(32))]
Key = Annotated[str, mapped_column(String(32), primary_key=True, sort_order=-2)]
LongText = Annotated[str, mapped_column(Text)]
Number = Annotated[float, mapped_column(Double)]
Block = Annotated[bytes, mapped_column(LargeBinary)]


class Base(DeclarativeBase):
    """Base of all tables; constraints are named, so that migrations can find them on every database."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


def _refers(column: str, *, index: bool = False) -> Mapped[str]:
    return mapped_column(String(32), ForeignKey(column), index=index)


def _may_refer(column: str, *, index: bool = False) -> Mapped[str | None]:
    return mapped_column(String(32), ForeignKey(column), index=index)


class TopicRow(Base):
    """A topic. Its set is changed by edits, so it has the columns of a `VersionedRow`.

    edit_id: no foreign key, because edits refer to topics.
    """

    __tablename__ = "topics"
    id: Mapped[Key]
    name: Mapped[LongText] = mapped_column(unique=True)
    title: Mapped[LongText]
    query: Mapped[LongText]
    set: Mapped[LongText]
    version: Mapped[int]
    is_deleted: Mapped[bool]
    edit_id: Mapped[str | None] = mapped_column(String(32))


class SystemRow(Base):
    __tablename__ = "systems"
    id: Mapped[Key]
    name: Mapped[LongText] = mapped_column(unique=True)
    kind: Mapped[str] = mapped_column(String(16))


class AnnotatorRow(Base):
    __tablename__ = "annotators"
    id: Mapped[Key]
    name: Mapped[LongText] = mapped_column(unique=True)
    group: Mapped[LongText]


class StoredText:
    """Common columns of documents, references and summaries.

    digest: SHA-256 over content and boundaries. sentence_spans: JSON [[start, end], …], NULL = not segmented.
    """

    id: Mapped[Key]
    content: Mapped[LongText]
    digest: Mapped[str] = mapped_column(String(64))
    sentence_spans: Mapped[LongText | None]
    external_id: Mapped[LongText]

    @declared_attr
    def topic_id(cls) -> Mapped[str]:  # noqa: N805 - SQLAlchemy calls it on the class
        return mapped_column(String(32), ForeignKey("topics.id"), sort_order=-1)


class DocumentRow(StoredText, Base):
    __tablename__ = "documents"
    __table_args__ = (UniqueConstraint("topic_id", "name"),)
    name: Mapped[LongText]
    position: Mapped[int]


class ReferenceRow(StoredText, Base):
    __tablename__ = "references"
    __table_args__ = (UniqueConstraint("topic_id", "author"),)
    author: Mapped[LongText]


class SummaryRow(StoredText, Base):
    __tablename__ = "summaries"
    __table_args__ = (UniqueConstraint("topic_id", "system_id"),)
    system_id: Mapped[Id] = _refers("systems.id", index=True)


class CitingPaperRow(StoredText, Base):
    """A paper that cites a document of the topic; its content may be empty."""

    __tablename__ = "citing_papers"
    __table_args__ = (UniqueConstraint("topic_id", "name"),)
    name: Mapped[LongText]
    position: Mapped[int]


class CitanceRow(Base):
    """A citance; see `core.domain.citations.Citance`. marker_span: JSON [start, end], NULL = unknown."""

    __tablename__ = "citances"
    __table_args__ = (UniqueConstraint("citing_paper_id", "number"),)
    id: Mapped[Key]
    topic_id: Mapped[Id] = _refers("topics.id", index=True)
    citing_paper_id: Mapped[Id] = _refers("citing_papers.id")
    document_id: Mapped[str | None] = _may_refer("documents.id")
    position: Mapped[int]
    number: Mapped[LongText]
    marker: Mapped[LongText]
    marker_span: Mapped[LongText | None]


class CitanceAnnotationRow(Base):
    """An annotator's reading of a citance; see `core.domain.citations.CitanceAnnotation`.

    spans: JSON [[start, end], …]. cited: JSON [[start, end, text], …], start and end null = unknown.
    facets: JSON [name, …].
    """

    __tablename__ = "citance_annotations"
    __table_args__ = (UniqueConstraint("citance_id", "annotator_id"),)
    id: Mapped[Key]
    citance_id: Mapped[Id] = _refers("citances.id")
    annotator_id: Mapped[Id] = _refers("annotators.id")
    text: Mapped[LongText]
    spans: Mapped[LongText]
    cited: Mapped[LongText]
    facets: Mapped[LongText]


class EditRow(Base):
    """One edit.

    number: the order of all edits. follows: the number of the annotator's edit in force that it was made on,
    0 = none. undone_at: NULL = in force. delta: JSON rows before and after, NULL for imports and for what
    changed no row. details: JSON, what it was made on, as a suggestion; of an undo or redo the edit; of an
    import what it added, whose rows `edits/import_edits.py` finds.
    """

    __tablename__ = "edits"
    __table_args__ = (Index(None, "annotator_id", "number"),)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    id: Mapped[Id] = mapped_column(unique=True)
    annotator_id: Mapped[str | None] = _may_refer("annotators.id")
    topic_id: Mapped[str | None] = _may_refer("topics.id", index=True)
    verb: Mapped[LongText]
    at: Mapped[str] = mapped_column(String(32))
    active_seconds: Mapped[Number]
    follows: Mapped[int]
    undone_at: Mapped[str | None] = mapped_column(String(32))
    delta: Mapped[LongText | None]
    details: Mapped[LongText | None]


class VersionedRow:
    """A row changed by edits; undo restores the row, its version and the deletion mark.

    version: the number of edits in force on it. is_deleted: a tombstone. edit_id: whose content this is.
    """

    id: Mapped[Key]
    version: Mapped[int] = mapped_column(sort_order=2)
    is_deleted: Mapped[bool] = mapped_column(sort_order=3)

    @declared_attr
    def edit_id(cls) -> Mapped[str | None]:  # noqa: N805 - SQLAlchemy calls it on the class
        return mapped_column(String(32), ForeignKey("edits.id"), sort_order=4)


class SettingRow(Base):
    """A setting of the study, such as the guidelines; each change is an edit."""

    __tablename__ = "settings"
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    version: Mapped[int]
    is_deleted: Mapped[bool]
    edit_id: Mapped[str | None] = _may_refer("edits.id")
    value: Mapped[LongText]


class PyramidRow(VersionedRow, Base):
    """One annotator's pyramid of a topic; created by its first edit and never deleted.

    kind: "scu" or "nugget", what its content units are.
    """

    __tablename__ = "pyramids"
    __table_args__ = (UniqueConstraint("topic_id", "annotator_id", "kind"),)
    topic_id: Mapped[Id] = _refers("topics.id")
    annotator_id: Mapped[Id] = _refers("annotators.id")
    kind: Mapped[str] = mapped_column(String(16))
    is_done: Mapped[bool]


class OrderedRow(VersionedRow):
    """A versioned row with a position among its siblings; gaps are normal."""

    position: Mapped[Number] = mapped_column(sort_order=1)


class ScuRow(OrderedRow, Base):
    """A content unit. importance: of a nugget, "vital", "okay" or empty."""

    __tablename__ = "scus"
    pyramid_id: Mapped[Id] = _refers("pyramids.id", index=True)
    label: Mapped[LongText]
    comment: Mapped[LongText]
    importance: Mapped[str] = mapped_column(String(16))


class ContributorRow(OrderedRow, Base):
    """An expression of a content unit in a reference. is_confirmed: False = found automatically."""

    __tablename__ = "contributors"
    scu_id: Mapped[Id] = _refers("scus.id", index=True)
    reference_id: Mapped[Id] = _refers("references.id")
    comment: Mapped[LongText]
    is_confirmed: Mapped[bool]


class ContributorPartRow(OrderedRow, Base):
    __tablename__ = "contributor_parts"
    __table_args__ = (CheckConstraint('start >= 0 AND "end" > start', "span"),)
    contributor_id: Mapped[Id] = _refers("contributors.id", index=True)
    start: Mapped[int]
    end: Mapped[int]


class MatchRow(OrderedRow, Base):
    """A match: a content unit of a summary.

    scu_id: NULL = outside the pyramid. is_confirmed: False = found automatically.
    """

    __tablename__ = "matches"
    pyramid_id: Mapped[Id] = _refers("pyramids.id", index=True)
    summary_id: Mapped[Id] = _refers("summaries.id")
    annotator_id: Mapped[Id] = _refers("annotators.id")
    scu_id: Mapped[str | None] = _may_refer("scus.id", index=True)
    comment: Mapped[LongText]
    is_confirmed: Mapped[bool]
    is_partial: Mapped[bool]


class MatchPartRow(OrderedRow, Base):
    __tablename__ = "match_parts"
    __table_args__ = (CheckConstraint('start >= 0 AND "end" > start', "span"),)
    match_id: Mapped[Id] = _refers("matches.id", index=True)
    start: Mapped[int]
    end: Mapped[int]


_LIVE = text("NOT is_deleted")


class SummaryStateRow(OrderedRow, Base):
    """An annotator's progress on a summary: done, flag and note."""

    __tablename__ = "summary_states"
    __table_args__ = (
        Index(
            "uq_summary_states_live",
            "pyramid_id",
            "summary_id",
            "annotator_id",
            unique=True,
            sqlite_where=_LIVE,
            postgresql_where=_LIVE,
        ),
    )
    pyramid_id: Mapped[Id] = _refers("pyramids.id")
    summary_id: Mapped[Id] = _refers("summaries.id")
    annotator_id: Mapped[Id] = _refers("annotators.id")
    is_done: Mapped[bool]
    is_flagged: Mapped[bool]
    note: Mapped[LongText]


class DimensionRow(OrderedRow, Base):
    """A rating scale. kind: number, categories or text. anchors: JSON [[value, text], …], sorted by value."""

    __tablename__ = "dimensions"
    __table_args__ = (
        Index("uq_dimensions_live", "name", unique=True, sqlite_where=_LIVE, postgresql_where=_LIVE),
    )
    name: Mapped[LongText]
    low: Mapped[Number]
    high: Mapped[Number]
    description: Mapped[LongText]
    question: Mapped[LongText]
    anchors: Mapped[LongText]
    kind: Mapped[str] = mapped_column(String(16))
    is_required: Mapped[bool]


class RatingRow(VersionedRow, Base):
    """A rating. value: NULL = only a note or a flag. spans: JSON [[start, end, category], …], sorted."""

    __tablename__ = "ratings"
    __table_args__ = (UniqueConstraint("summary_id", "dimension_id", "annotator_id"),)
    summary_id: Mapped[Id] = _refers("summaries.id")
    dimension_id: Mapped[Id] = _refers("dimensions.id", index=True)
    annotator_id: Mapped[Id] = _refers("annotators.id")
    value: Mapped[Number | None]
    note: Mapped[LongText]
    is_flagged: Mapped[bool]
    spans: Mapped[LongText]


class DecisionRow(VersionedRow, Base):
    """An adjudicator's decision on one item; see `core.domain.decisions.Decision`.

    annotator_id: whose annotation the result is. subject, summary_id: no foreign keys, so that a decision on
    something that was removed since does not prevent that.
    """

    __tablename__ = "decisions"
    topic_id: Mapped[Id] = _refers("topics.id", index=True)
    annotator_id: Mapped[Id] = _refers("annotators.id")
    kind: Mapped[str] = mapped_column(String(16))
    subject: Mapped[LongText]
    summary_id: Mapped[LongText]
    choice: Mapped[str] = mapped_column(String(16))
    source: Mapped[LongText]
    basis: Mapped[LongText]
    decided_by: Mapped[LongText]
    decided_at: Mapped[str] = mapped_column(String(32))


class ComparisonPlanRow(OrderedRow, Base):
    """A plan of comparisons; see `core.domain.preferences.ComparisonPlan`."""

    __tablename__ = "comparison_plans"
    name: Mapped[LongText]
    kind: Mapped[LongText]
    question: Mapped[LongText]
    size: Mapped[int]
    per_summary: Mapped[int]
    overlap: Mapped[Number]
    seed: Mapped[int]


class ComparisonItemRow(OrderedRow, Base):
    """A comparison of a plan. annotator_id: who judges it, NULL = everybody. summary_ids: JSON list."""

    __tablename__ = "comparison_items"
    plan_id: Mapped[Id] = _refers("comparison_plans.id", index=True)
    topic_id: Mapped[Id] = _refers("topics.id")
    annotator_id: Mapped[str | None] = _may_refer("annotators.id")
    summary_ids: Mapped[LongText]


class PreferenceRow(VersionedRow, Base):
    """An answer to a comparison. best, worst: ids of summaries, NULL = a tie."""

    __tablename__ = "preferences"
    __table_args__ = (UniqueConstraint("item_id", "annotator_id"),)
    item_id: Mapped[Id] = _refers("comparison_items.id")
    annotator_id: Mapped[Id] = _refers("annotators.id")
    best: Mapped[str | None] = mapped_column(String(32))
    worst: Mapped[str | None] = mapped_column(String(32))


class CommentRow(VersionedRow, Base):
    """A comment; see `core.domain.comments.Comment`.

    summary_id, unit_id, scale_id: no foreign keys, so that a comment on something that was removed since does
    not prevent that.
    """

    __tablename__ = "comments"
    topic_id: Mapped[Id] = _refers("topics.id", index=True)
    summary_id: Mapped[LongText]
    unit_id: Mapped[LongText]
    scale_id: Mapped[LongText]
    annotator_id: Mapped[Id] = _refers("annotators.id")
    text: Mapped[LongText]
    resolves: Mapped[bool]
    written_at: Mapped[str] = mapped_column(String(32))


class MetricConfigRow(Base):
    """A metric with settings. number: order of the first run."""

    __tablename__ = "metric_configs"
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    signature: Mapped[LongText] = mapped_column(unique=True)
    metric: Mapped[LongText]
    family: Mapped[LongText]
    spec: Mapped[LongText]
    measures: Mapped[LongText]
    references: Mapped[LongText]
    higher_is_better: Mapped[bool]


class ScoreRow(Base):
    """Scores of one topic for one configuration.

    block: shape (systems, measures). stats: shape (systems, references, statistics) or NULL.
    systems, references, notes: JSON. parts: JSON of `core.ports.InputParts`, NULL = not recorded.
    """

    __tablename__ = "scores"
    config: Mapped[int] = mapped_column(ForeignKey("metric_configs.number"), primary_key=True)
    topic_id: Mapped[str] = mapped_column(String(32), ForeignKey("topics.id"), primary_key=True)
    systems: Mapped[LongText]
    references: Mapped[LongText]
    block: Mapped[Block]
    stats: Mapped[Block | None]
    statistics: Mapped[int]
    inputs_hash: Mapped[LongText]
    seconds: Mapped[Number]
    notes: Mapped[LongText]
    parts: Mapped[LongText | None]


class ExperimentRow(Base):
    """An experiment, finished or not.

    settings: JSON. result: JSON, empty = not done yet. inputs_hash: over everything that it read.
    parts: JSON, digests of it by name, NULL = not recorded.
    """

    __tablename__ = "experiments"
    id: Mapped[Key]
    experiment: Mapped[LongText]
    recipe: Mapped[LongText]
    title: Mapped[LongText]
    settings: Mapped[LongText]
    seed: Mapped[int]
    inputs_hash: Mapped[LongText]
    at: Mapped[str] = mapped_column(String(32))
    seconds: Mapped[Number]
    result: Mapped[LongText]
    parts: Mapped[LongText | None]


class ExperimentPartRow(Base):
    """A computed part of an unfinished experiment. shape: JSON."""

    __tablename__ = "experiment_parts"
    experiment_id: Mapped[str] = mapped_column(String(32), ForeignKey("experiments.id"), primary_key=True)
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    shape: Mapped[LongText]
    block: Mapped[Block]


def table_of(row: type[Base]) -> Table:
    """Return the table of a row class."""
    table = row.__table__
    if not isinstance(table, Table):
        raise TypeError(f"{row.__name__} is not mapped to a table")
    return table


VERSIONED_TABLES: Mapping[str, Table] = {
    row.__tablename__: table_of(row)
    for row in (  # parents before children
        SettingRow,
        TopicRow,
        PyramidRow,
        ScuRow,
        ContributorRow,
        ContributorPartRow,
        MatchRow,
        MatchPartRow,
        SummaryStateRow,
        DimensionRow,
        RatingRow,
        DecisionRow,
        ComparisonPlanRow,
        ComparisonItemRow,
        PreferenceRow,
        CommentRow,
    )
}
"""Tables whose rows are changed by edits; their rows are only marked as deleted, so that undo works."""
