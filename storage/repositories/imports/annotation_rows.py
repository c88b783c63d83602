"""Rows of imported pyramids and matches, and format-specific extras of their files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from core.domain.import_batch import FormatExtras, NewContributor, NewMatches, NewPart, NewPyramid
from core.domain.pyramid import Pyramid, SummaryState, UnitKind, new_id
from storage.database.schema import (
    Base,
    ContributorPartRow,
    ContributorRow,
    MatchPartRow,
    MatchRow,
    PyramidRow,
    ScuRow,
    SettingRow,
    SummaryStateRow,
    table_of,
)
from storage.repositories import format_extras
from storage.repositories.edits.row_deltas import Row
from storage.repositories.imports.plan import Plan

Ids = Mapping[str, str]
"""Id by name."""


class AnnotationRows:
    """Adds rows of annotations to an import plan."""

    def __init__(self, connection: Connection, planned: Plan) -> None:
        self._connection, self._planned = connection, planned
        self._tops: dict[tuple[type[Base], str], int] = {}

    def is_begun(self, pyramid: Pyramid) -> bool:
        """Return whether the study has a row for a pyramid, even an empty one."""
        known = select(PyramidRow.id).where(PyramidRow.id == pyramid.id)
        return self._connection.scalar(known) is not None

    def add_pyramid(self, new: NewPyramid, pyramid: Pyramid, references: Ids) -> Ids:
        """Plan a pyramid and return its SCUs' ids by key. references: ids by author."""
        if not self.is_begun(pyramid):
            owner = {"topic_id": pyramid.topic_id, "annotator_id": pyramid.annotator_id}
            self._put(PyramidRow, {**owner, "kind": pyramid.kind.value, "is_done": new.is_done}, pyramid.id)
        self._planned.added["pyramids" if new.kind is UnitKind.SCU else "topics with nuggets"] += 1
        self._planned.added["SCUs" if new.kind is UnitKind.SCU else "nuggets"] += len(new.scus)
        extras = _ExtrasByRow()
        ids = {}
        for place, scu in enumerate(new.scus, self._reserve_positions(ScuRow, pyramid.id, len(new.scus))):
            row = {
                "pyramid_id": pyramid.id,
                "label": scu.label,
                "comment": scu.comment,
                "importance": scu.importance,
                "position": place,
            }
            ids[scu.key] = extras.note("scus", self._put(ScuRow, row), scu.extras)
            for at, contributor in enumerate(scu.contributors, 1):
                self._add_contributor(contributor, ids[scu.key], references[contributor.author], at, extras)
        self._save_extras(format_extras.pyramid_key(pyramid.id), {"pyramid": new.extras, **extras.record})
        return ids

    def _add_contributor(
        self, new: NewContributor, scu_id: str, reference_id: str, place: int, extras: _ExtrasByRow
    ) -> None:
        row = {
            "scu_id": scu_id,
            "reference_id": reference_id,
            "comment": new.comment,
            "is_confirmed": new.is_confirmed,
            "position": place,
        }
        contributor_id = extras.note("contributors", self._put(ContributorRow, row), new.extras)
        self._add_parts(ContributorPartRow, "contributor_id", contributor_id, new.parts, extras)

    def add_matches(self, new: NewMatches, names: Row, scus: Ids, state: SummaryState | None) -> None:
        """Plan matches, and mark the summary as done if it is.

        names: ids of the pyramid, summary and annotator by their columns. scus: ids by key.
        """
        pyramid_id = names["pyramid_id"]
        self._planned.added["annotated summaries"] += 1
        self._planned.added["matches" if new.kind is UnitKind.SCU else "nugget hits"] += len(new.matches)
        extras = _ExtrasByRow()
        for place, match in enumerate(
            new.matches, self._reserve_positions(MatchRow, pyramid_id, len(new.matches))
        ):
            scu_id = None if match.scu is None else scus[match.scu]
            row = {
                **names,
                "scu_id": scu_id,
                "comment": match.comment,
                "is_confirmed": match.is_confirmed,
                "is_partial": match.is_partial,
                "position": place,
            }
            match_id = extras.note("contributors", self._put(MatchRow, row), match.extras)
            self._add_parts(MatchPartRow, "match_id", match_id, match.parts, extras)
        if new.is_done:
            self._mark_done(names, state)
        key = format_extras.matches_key(pyramid_id, names["summary_id"], names["annotator_id"])
        self._save_extras(key, {"annotation": new.extras, **extras.record})

    def _mark_done(self, names: Row, state: SummaryState | None) -> None:
        """Plan to mark a summary as done; an existing flag and note are kept."""
        if state is None:
            marks = {"is_done": True, "is_flagged": False, "note": ""}
            place = self._reserve_positions(SummaryStateRow, names["pyramid_id"], 1)
            self._put(SummaryStateRow, {**names, **marks, "position": place})
            return
        version = self._connection.scalar(
            select(SummaryStateRow.version).where(SummaryStateRow.id == state.id)
        )
        marks = {"is_done": True, "edit_id": self._planned.edit_id, "version": (version or 0) + 1}
        self._planned.filled.append((SummaryStateRow, state.id, marks))

    def _add_parts(
        self, table: type[Base], column: str, owner: str, parts: Sequence[NewPart], extras: _ExtrasByRow
    ) -> None:
        for place, part in enumerate(parts, 1):
            row = {column: owner, "start": part.start, "end": part.end, "position": place}
            extras.note("parts", self._put(table, row), part.extras)

    def _put(self, table: type[Base], columns: Row, row_id: str = "") -> str:
        """Plan a versioned row and return its id."""
        marks = {"version": 1, "is_deleted": False, "edit_id": self._planned.edit_id}
        row = {"id": row_id or new_id(), **columns, **marks}
        self._planned.new[table].append(row)
        return str(row["id"])

    def _reserve_positions(self, table: type[Base], pyramid_id: str, count: int) -> int:
        """Reserve positions after all existing and planned ones of the pyramid; return the first."""
        if (table, pyramid_id) not in self._tops:
            columns = table_of(table).c
            top = select(func.max(columns.position)).where(columns.pyramid_id == pyramid_id)
            self._tops[table, pyramid_id] = int(self._connection.scalar(top) or 0) + 1
        first = self._tops[table, pyramid_id]
        self._tops[table, pyramid_id] += count
        return first

    def _save_extras(self, key: str, record: Mapping[str, Any]) -> None:
        """Plan the setting with the extras of a file, replacing an older one."""
        columns = SettingRow.version, SettingRow.value
        old = self._connection.execute(select(*columns).where(SettingRow.id == key)).first()
        marks = {"value": format_extras.pack(record), "is_deleted": False, "edit_id": self._planned.edit_id}
        if old is None:
            self._planned.new[SettingRow].append({"id": key, "version": 1, **marks})
        else:
            self._planned.filled.append((SettingRow, key, {**marks, "version": old.version + 1}))


class _ExtrasByRow:
    """Extras of a file by kind and row id."""

    def __init__(self) -> None:
        self.record: dict[str, dict[str, FormatExtras]] = {}

    def note(self, kind: str, row_id: str, extras: FormatExtras) -> str:
        if extras:
            self.record.setdefault(kind, {})[row_id] = extras
        return row_id
