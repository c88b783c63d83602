"""Import plan: the changes of an import, written in one transaction."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

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
from storage.repositories.edits import edit_log, import_edits
from storage.repositories.edits.edit_log import EditHeader, RowEdit
from storage.repositories.edits.import_edits import ImportRecord
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
    differing: Counter[str] = field(default_factory=Counter)
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
            self.differing[thing] += 1
            self.different.append(f"{what} differs from the study's, which stays as it is. {remedy}".rstrip())

    def description(self) -> str:
        """Return what the import adds, as the history shows it."""
        many = ", ".join(_counted(count, thing.replace("_", " ")) for thing, count in self.added.items())
        return f"Imported {self.source}: {many or 'settings'}"

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
        return ImportCounts(dict(self.added), dict(self.equal), *about, dict(self.differing))


def _counted(count: int, things: str) -> str:
    if count == 1:
        things = f"{things[:-3]}y" if things.endswith("ies") else things.removesuffix("s")
    return f"{count:,} {things}"


def write(connection: Connection, plan: Plan, annotator_id: str | None = None) -> WriteResult[ImportCounts]:
    """Write a plan, in the transaction in which it was made. annotator_id: who can undo what is replaced."""
    has_rows = any(plan.new.values()) or bool(plan.filled)
    if not plan.added and not has_rows:
        return WriteResult(plan.counts(), ChangeSet(frozenset()))
    if not has_rows and plan.added.keys() == {REPLACED}:
        return _replace_ratings(connection, plan, annotator_id)
    for edit in plan.replaced:
        columns = {"version": RatingRow.version + 1, "edit_id": plan.edit_id}
        plan.filled.append((RatingRow, edit.id, {**(edit.after or {}), **columns}))
    about = json.dumps({"import": plan.description()}, ensure_ascii=False)
    header = EditHeader(edit_log.IMPORT, annotator_id, details=about)
    edit_log.write_header(connection, header, plan.edit_id, None)
    import_edits.store(connection, plan.edit_id, _record(connection, plan))
    for row in _ORDER:
        if plan.new[row]:
            connection.execute(insert(row), plan.new[row])
    for row, row_id, columns in plan.filled:
        table = table_of(row)
        if row is TopicRow:
            columns = {**columns, "version": table.c.version + 1, "edit_id": plan.edit_id}
        connection.execute(update(table).where(table.c.id == row_id).values(columns))
    if plan.blocks:
        scores.SavedBlocks(plan.blocks)(connection)
    changed = {thing for thing in plan.added if thing in KINDS}
    kinds = {KINDS[thing] for thing in changed | {row.__tablename__ for row, *_ in plan.filled}}
    if plan.new[SettingRow]:
        kinds.add(ChangeKind.SETTINGS)
    labels = {} if annotator_id is None else {annotator_id: (edit_log.IMPORT, "")}
    return WriteResult(plan.counts(), ChangeSet(frozenset(kinds), undo_labels=labels))


def _record(connection: Connection, plan: Plan) -> ImportRecord:
    """Return what a plan adds and changes, before it is written."""
    record = ImportRecord()
    for row, rows in plan.new.items():
        if rows and "edit_id" in table_of(row).c:
            record.counts[row.__tablename__] = len(rows)
        elif rows:
            record.ids[row.__tablename__] = [new["id"] for new in rows]
    changed: dict[str, dict[str, None]] = defaultdict(dict)
    for row, row_id, _ in plan.filled:
        changed[row.__tablename__][row_id] = None
    record.before = {name: import_edits.rows_by_id(connection, name, ids) for name, ids in changed.items()}
    record.scores = [[config.signature, block.topic_id] for config, block in plan.blocks]
    known = {config.signature for config in scores.configs(connection)} if plan.blocks else set()
    record.configs = sorted({config.signature for config, _ in plan.blocks} - known)
    return record


def _replace_ratings(
    connection: Connection, plan: Plan, annotator_id: str | None
) -> WriteResult[ImportCounts]:
    """Write an import that replaces ratings only, which the history shows one by one."""
    many = f"{len(plan.replaced):,} {'rating' if len(plan.replaced) == 1 else 'ratings'}"
    header = EditHeader(f"replace {many} by an import", annotator_id)
    return WriteResult(plan.counts(), edit_log.record(connection, header, plan.replaced).changes)
