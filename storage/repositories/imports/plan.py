"""Import plan: the changes of an import, written in one transaction."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection, insert, update

from core.domain.import_batch import ImportCounts
from core.domain.pyramid import new_id
from core.errors import Problem
from core.ports import ChangeKind, ChangeSet, MetricConfig, ScoreBlock
from storage.database.schema import (
    AnnotatorRow,
    Base,
    CitanceAnnotationRow,
    CitanceRow,
    CitingPaperRow,
    ComparisonItemRow,
    ComparisonPlanRow,
    ContributorPartRow,
    ContributorRow,
    DimensionRow,
    DocumentRow,
    MatchPartRow,
    MatchRow,
    PreferenceRow,
    PyramidRow,
    RatingRow,
    ReferenceRow,
    ScuRow,
    SettingRow,
    SummaryRow,
    SummaryStateRow,
    SystemRow,
    TopicRow,
    table_of,
)
from storage.database.writer import WriteResult
from storage.repositories import scores
from storage.repositories.edits import edit_log
from storage.repositories.edits.edit_log import EditHeader, RowEdit
from storage.repositories.edits.row_deltas import Row
from storage.repositories.imports.notices import empty_notices, empty_text

REPLACED = "replaced ratings"
"""What ratings are counted as that get other values."""

KINDS: Mapping[str, ChangeKind] = {
    "topics": ChangeKind.TEXTS,
    "documents": ChangeKind.TEXTS,
    "references": ChangeKind.TEXTS,
    "summaries": ChangeKind.TEXTS,
    "systems": ChangeKind.TEXTS,
    "citing papers": ChangeKind.TEXTS,
    "citing_papers": ChangeKind.TEXTS,
    "citances": ChangeKind.TEXTS,
    "annotated citances": ChangeKind.TEXTS,
    "annotators": ChangeKind.PEOPLE,
    "dimensions": ChangeKind.RATINGS,
    "ratings": ChangeKind.RATINGS,
    REPLACED: ChangeKind.RATINGS,
    "scores": ChangeKind.SCORES,
    "pyramids": ChangeKind.PYRAMIDS,
    "SCUs": ChangeKind.PYRAMIDS,
    "topics with nuggets": ChangeKind.PYRAMIDS,
    "nuggets": ChangeKind.PYRAMIDS,
    "nugget hits": ChangeKind.MATCHES,
    "annotated summaries": ChangeKind.MATCHES,
    "matches": ChangeKind.MATCHES,
    "settings": ChangeKind.TEXTS,
    "summary_states": ChangeKind.MATCHES,
    "plans of comparisons": ChangeKind.COMPARISONS,
    "comparisons": ChangeKind.COMPARISONS,
    "answers": ChangeKind.COMPARISONS,
    "preferences": ChangeKind.COMPARISONS,
}
_PLURALS = {"title": "titles", "query": "queries", "set": "sets", "group": "groups"}
_ORDER: Sequence[type[Base]] = (  # parents before children
    SystemRow,
    AnnotatorRow,
    DimensionRow,
    TopicRow,
    DocumentRow,
    ReferenceRow,
    SummaryRow,
    CitingPaperRow,
    CitanceRow,
    CitanceAnnotationRow,
    RatingRow,
    SettingRow,
    PyramidRow,
    ScuRow,
    ContributorRow,
    ContributorPartRow,
    MatchRow,
    MatchPartRow,
    SummaryStateRow,
    ComparisonPlanRow,
    ComparisonItemRow,
    PreferenceRow,
)


@dataclass(slots=True)
class Plan:
    """The changes that an import will make.

    new: rows to add. filled: by row class and id, columns that were empty. blocks: scores.
    replaced: ratings that get other values, as one edit with history and undo.
    edit_id: of the edit that represents the import.
    """

    source: str
    edit_id: str = field(default_factory=new_id)
    new: dict[type[Base], list[Row]] = field(default_factory=lambda: defaultdict(list))
    filled: list[tuple[type[Base], str, Row]] = field(default_factory=list)
    replaced: list[RowEdit] = field(default_factory=list)
    blocks: list[tuple[MetricConfig, ScoreBlock]] = field(default_factory=list)
    added: Counter[str] = field(default_factory=Counter)
    equal: Counter[str] = field(default_factory=Counter)
    different: list[str] = field(default_factory=list)
    notices: list[Problem] = field(default_factory=list)
    empty: list[Problem] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    skipped: list[Problem] = field(default_factory=list)
    skips_bad_rows: bool = False

    def add(self, row: type[Base], columns: Row, thing: str = "") -> str:
        """Plan a new row and return its id. thing: what it is counted as; empty = its table."""
        row_id = new_id()
        self.new[row].append({"id": row_id, **columns})
        self.added[thing or row.__tablename__] += 1
        return row_id

    def fill(self, row: type[Base], row_id: str, columns: Row) -> None:
        """Plan values for columns that are empty in the study; counted as ``topic sets``, for example."""
        self.filled.append((row, row_id, columns))
        for column in columns:
            self.added[f"{row.__tablename__.removesuffix('s')} {_PLURALS.get(column, column)}"] += 1

    def keep(self, thing: str, what: str, is_equal: bool, remedy: str = "") -> None:
        """Count an existing item, and report it if the import differs. remedy: what replaces it."""
        if is_equal:
            self.equal[thing] += 1
        else:
            self.different.append(f"{what} differs from the study's, which stays as it is. {remedy}".rstrip())

    def refuse(self, place: str, name: str, what: str, remedy: str) -> None:
        """Add a problem, which prevents the whole import."""
        self.problems.append(Problem(self.source, place, name, what, remedy))

    def refuse_row(self, place: str, name: str, what: str, remedy: str) -> None:
        """Add a problem of one rating or score, which is skipped if bad rows are skipped."""
        noted = self.skipped if self.skips_bad_rows else self.problems
        noted.append(Problem(self.source, place, name, what, remedy))

    def note_empty(self, topic: str, text: str) -> None:
        """Add a notice on an empty text, which is imported unchanged."""
        self.empty.append(empty_text(self.source, topic, text))

    def counts(self) -> ImportCounts:
        notices = [*self.notices, *empty_notices(self.source, self.empty)]
        about = tuple(self.different), tuple(notices), tuple(self.skipped)
        return ImportCounts(dict(self.added), dict(self.equal), *about)


def write(connection: Connection, plan: Plan, annotator_id: str | None = None) -> WriteResult[ImportCounts]:
    """Write a plan, in the transaction in which it was made. annotator_id: who can undo what is replaced."""
    if not plan.added and not plan.filled:
        return WriteResult(plan.counts(), ChangeSet(frozenset()))
    if plan.filled or plan.added.keys() != {REPLACED}:
        edit_log.write_header(connection, EditHeader("import"), plan.edit_id, None)
    for row in _ORDER:
        if plan.new[row]:
            connection.execute(insert(row), plan.new[row])
    for row, row_id, columns in plan.filled:
        table = table_of(row)
        if row is TopicRow:
            columns = {**columns, "version": table.c.version + 1, "edit_id": plan.edit_id}
        connection.execute(update(table).where(table.c.id == row_id).values(columns))
    for config, block in plan.blocks:
        scores.save(connection, config, block)
    changed = {thing for thing in plan.added if thing in KINDS}
    kinds = {KINDS[thing] for thing in changed | {row.__tablename__ for row, *_ in plan.filled}}
    if not plan.replaced:
        return WriteResult(plan.counts(), ChangeSet(frozenset(kinds)))
    many = f"{len(plan.replaced):,} {'rating' if len(plan.replaced) == 1 else 'ratings'}"
    header = EditHeader(f"replace {many} by an import", annotator_id)
    changes = edit_log.record(connection, header, plan.replaced).changes
    return WriteResult(plan.counts(), replace(changes, kinds=changes.kinds | kinds))
