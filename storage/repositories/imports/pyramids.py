"""Compare imported pyramids and matches with the study; existing annotations are kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from core.domain.import_batch import (
    FormatExtras,
    ImportContent,
    NewContributor,
    NewMatch,
    NewMatches,
    NewPart,
    NewPyramid,
    NewScu,
    NewText,
)
from core.domain.pyramid import (
    Contributor,
    Match,
    Part,
    Pyramid,
    Scu,
    SummaryState,
    TopicAnnotation,
    UnitKind,
    new_id,
)
from core.domain.study import Span, text_digest
from core.errors import Problem
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
from storage.repositories import format_extras, pyramids
from storage.repositories.edits.row_deltas import Row
from storage.repositories.imports.plan import Plan
from storage.repositories.texts import setting, spans_from_stored

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


Owner = tuple[str, str, UnitKind]
"""Names of a topic and of the pyramid's annotator, and the kind of its units."""


@dataclass(frozen=True, slots=True)
class TextRow:
    """An existing or imported text: SHA-256 over content and boundaries, and the boundaries as stored."""

    id: str
    digest: str
    sentence_spans: str | None


TextRows = Mapping[tuple[str, str], TextRow]
"""Texts by name of topic and of author or system."""


@dataclass(frozen=True, slots=True)
class ImportedNames:
    """Ids and texts by the names used in an import."""

    topics: Ids
    annotators: Ids
    references: TextRows
    summaries: TextRows
    documents: TextRows
    citing_papers: TextRows


@dataclass(frozen=True, slots=True)
class _Placed:
    """A pyramid that matches may refer to: the stored one, and ids of SCUs by key."""

    stored: TopicAnnotation
    scus: Ids


def plan(connection: Connection, incoming: ImportContent, planned: Plan, names: ImportedNames) -> None:
    """Plan all pyramids and matches; those that differ from the study's are reported and not changed."""
    importer = _AnnotationImport(connection, incoming, planned, names)
    for pyramid in incoming.pyramids:
        importer.pyramid(pyramid)
    for matches in incoming.matches:
        importer.matches(matches)


class _AnnotationImport:
    """Plans the annotations of one import."""

    def __init__(
        self, connection: Connection, incoming: ImportContent, planned: Plan, names: ImportedNames
    ) -> None:
        self._connection, self._planned, self._names = connection, planned, names
        self._placed: dict[Owner, _Placed] = {}
        self._matched: set[tuple[str, ...]] = set()
        self._rows = AnnotationRows(connection, planned)
        topics = incoming.topics
        self._references = {(t.name, name): text for t in topics for name, text in t.references.items()}
        self._summaries = {(t.name, name): text for t in topics for name, text in t.summaries.items()}

    def pyramid(self, new: NewPyramid) -> None:
        """Plan a pyramid if the study has none of its annotator yet."""
        if (new.topic, new.annotator, new.kind) in self._placed:
            what = f"{new.annotator} has this topic twice in the import."
            self._planned.refuse(f"topic {new.topic}", "pyramid", what, "Remove one of them.")
            return
        references = {c.author: self._reference(new, c) for scu in new.scus for c in scu.contributors}
        if None in references.values():
            return
        ids = {author: row_id for author, row_id in references.items() if row_id is not None}
        stored = self._stored(new.topic, new.annotator, new.kind)
        is_pyramid = new.kind is UnitKind.SCU
        subject = "The pyramid" if is_pyramid else "The list of nuggets"
        what = f"{subject} of topic {new.topic} by {new.annotator}"
        if not stored.pyramid.scus and (new.scus or not self._rows.is_begun(stored.pyramid)):
            self._report_equal(new, stored.pyramid, ids)
            scus = self._rows.add_pyramid(new, stored.pyramid, ids)
        elif of_scus(stored.pyramid.scus) == of_new_scus(new.scus, ids):
            self._planned.keep("pyramids" if is_pyramid else "topics with nuggets", what, True)
            self._planned.equal["SCUs" if is_pyramid else "nuggets"] += len(new.scus)
            scus = {one.key: other.id for one, other in zip(new.scus, stored.pyramid.scus, strict=True)}
        else:
            difference = content_difference(stored.pyramid.scus, new, ids)
            self._planned.differing["pyramids" if is_pyramid else "topics with nuggets"] += 1
            self._planned.different.append(f"{what} {difference}")
            scus = self._by_key(new, stored.pyramid)
        self._placed[new.topic, new.annotator, new.kind] = _Placed(stored, scus)

    def matches(self, new: NewMatches) -> None:
        """Plan an annotator's matches in a summary if the study has none yet."""
        placed = self._placed.get((new.topic, new.owner, new.kind))
        place, name = f"topic {new.topic}, system {new.system}", "matches"
        row = self._names.summaries.get((new.topic, new.system))
        if placed is None or row is None:
            return  # a problem of the pyramid or summary was already reported
        key = (new.topic, new.system, new.owner, new.annotator, new.kind.value)
        if key in self._matched:
            what = f"{new.annotator} has two sets of matches in this summary."
            self._planned.refuse(place, name, what, "Remove one of them.")
            return
        self._matched.add(key)
        if self._is_fit(new, row, placed):
            self._compare_matches(new, placed, row.id)

    def _is_fit(self, new: NewMatches, row: TextRow, placed: _Placed) -> bool:
        """Return whether matches fit the study's summary and pyramid; otherwise, add a problem."""
        place, name = f"topic {new.topic}, system {new.system}", "matches"
        parts = [part for match in new.matches for part in match.parts]
        if not _fits(row, self._summaries.get((new.topic, new.system)), parts):
            what = "The summary differs from the study's, so the spans of the matches do not fit."
            self._planned.refuse(
                place, name, what, "Fix the text in the file, or import it as another system."
            )
            return False
        missing = [m.scu for m in new.matches if m.scu is not None and m.scu not in placed.scus]
        if missing:
            listed = ", ".join(dict.fromkeys(missing))
            what = f"The study's pyramid of this topic by {new.owner} has no SCU {listed}."
            self._planned.refuse(place, name, what, "Import it under another annotator's name.")
        return not missing

    def _compare_matches(self, new: NewMatches, placed: _Placed, summary_id: str) -> None:
        annotator_id = self._names.annotators[new.annotator]
        there = placed.stored.matches_of(summary_id, annotator_id)
        state = placed.stored.state_of(summary_id, annotator_id)
        if not there and not (state and state.is_done):
            pyramid_id = placed.stored.pyramid.id
            names = {"pyramid_id": pyramid_id, "summary_id": summary_id, "annotator_id": annotator_id}
            self._rows.add_matches(new, names, placed.scus, state)
        elif of_matches(there) == of_new_matches(new.matches, placed.scus):
            self._planned.keep("annotated summaries", "", True)
            self._planned.equal["matches" if new.kind is UnitKind.SCU else "nugget hits"] += len(there)
        else:
            what = f"What {new.annotator} matched in the summary of {new.system} of topic {new.topic}"
            self._planned.keep("annotated summaries", what, False)

    def _reference(self, new: NewPyramid, contributor: NewContributor) -> str | None:
        """Return the id of a contributor's reference, None (and add a problem) if its text differs."""
        key = new.topic, contributor.author
        row = self._names.references.get(key)
        if row is not None and _fits(row, self._references.get(key), contributor.parts):
            return row.id
        place, name = f"topic {new.topic}", f"reference {contributor.author}"
        what = "The reference differs from the study's, so the spans of the pyramid do not fit."
        if not any((p.place, p.field) == (place, name) for p in self._planned.problems):
            self._planned.refuse(
                place, name, what, "Fix the text in the file, or import it as another topic."
            )
        return None

    def _report_equal(self, new: NewPyramid, pyramid: Pyramid, references: Ids) -> None:
        """Report an identical pyramid of another annotator, as whose it may have been imported."""
        names = {row_id: name for name, row_id in self._names.annotators.items()}
        columns = table_of(PyramidRow).c
        its = (columns.topic_id == pyramid.topic_id) & (columns.kind == pyramid.kind.value)
        imported = of_new_scus(new.scus, references)
        for known in pyramids.load(self._connection, its) if imported else ():
            if of_scus(known.pyramid.scus) == imported:
                who = names.get(known.pyramid.annotator_id, "somebody")
                what = (
                    f"{who} has an identical pyramid in the study; it is imported again by {new.annotator}."
                )
                remedy = f"Give {who} as the annotator if it is the same."
                place = f"topic {new.topic}"
                self._planned.notices.append(Problem(self._planned.source, place, "", what, remedy))

    def _stored(self, topic: str, annotator: str, kind: UnitKind) -> TopicAnnotation:
        topic_id, annotator_id = self._names.topics[topic], self._names.annotators[annotator]
        return pyramids.annotation(self._connection, topic_id, annotator_id, kind)

    def _by_key(self, new: NewPyramid, stored: Pyramid) -> Ids:
        """Return ids of stored SCUs by the keys of an imported pyramid: by stored keys, else by labels."""
        record = format_extras.unpack(setting(self._connection, format_extras.pyramid_key(stored.id), ""))
        living = {scu.id for scu in stored.scus}
        by_uid = {
            str(extras["uid"]): scu_id
            for scu_id, extras in record.get("scus", {}).items()
            if scu_id in living and "uid" in extras
        }
        labels = [scu.label for scu in stored.scus]
        alike = {scu.label: scu.id for scu in stored.scus if labels.count(scu.label) == 1}
        return {**{scu.key: alike[scu.label] for scu in new.scus if scu.label in alike}, **by_uid}


def _fits(row: TextRow, text: NewText | None, parts: Sequence[NewPart]) -> bool:
    """Return whether the study's text has the same characters as the imported one and contains all parts."""
    if text is None:
        return False
    if row.digest != text_digest(text.content, spans_from_stored(row.sentence_spans)):
        return False
    return all(0 <= part.start < part.end <= len(text.content) for part in parts)


Spans = tuple[Span, ...]
ScuContent = tuple[str, str, str, tuple[tuple[str, str, bool, Spans], ...]]
"""Label, comment, importance and contributors.

Each contributor has the reference's id, a comment, whether it is confirmed, and spans. They are in order of
the references: files by reference do not keep another one.
"""

Unit = tuple[str, Spans, str, bool, bool]
"""A match: the SCU's id (empty = outside the pyramid), spans, comment, whether confirmed and partial."""


def spans_of(parts: Iterable[Part | NewPart]) -> Spans:
    """Return the spans of parts in order."""
    return tuple(part.span for part in parts)


def of_scus(scus: Sequence[Scu]) -> list[ScuContent]:
    """Return the content of the study's SCUs in order."""
    return [_content(scu, (c.reference_id for c in scu.contributors)) for scu in scus]


def of_new_scus(scus: Sequence[NewScu], references: Mapping[str, str]) -> list[ScuContent]:
    """Return the content of an import's SCUs in order. references: ids by author."""
    return [_content(scu, (references[c.author] for c in scu.contributors)) for scu in scus]


def _content(scu: Scu | NewScu, references: Iterable[str]) -> ScuContent:
    there: tuple[Contributor | NewContributor, ...] = scu.contributors
    contributors = [
        (reference, c.comment, c.is_confirmed, spans_of(c.parts))
        for reference, c in zip(references, there, strict=True)
    ]
    contributors.sort(key=lambda one: one[0])  # stable: the order within a reference counts
    return scu.label, scu.comment, scu.importance, tuple(contributors)


def of_matches(matches: Sequence[Match]) -> list[Unit]:
    """Return the study's matches in a summary, sorted."""
    return sorted(
        (m.scu_id or "", spans_of(m.parts), m.comment, m.is_confirmed, m.is_partial) for m in matches
    )


def of_new_matches(matches: Sequence[NewMatch], scus: Mapping[str, str]) -> list[Unit]:
    """Return an import's matches in a summary, sorted. scus: ids by key."""
    return sorted(
        (scus[m.scu] if m.scu else "", spans_of(m.parts), m.comment, m.is_confirmed, m.is_partial)
        for m in matches
    )


def content_difference(stored: Sequence[Scu], new: NewPyramid, references: Mapping[str, str]) -> str:
    """Describe how an import's pyramid differs from the study's, as the end of a sentence."""
    ours, theirs = of_scus(stored), of_new_scus(new.scus, references)
    pairs = zip(ours, theirs, strict=False)
    first = next((there[0] for here, there in pairs if here != there), "") or "the last ones"
    units = "SCUs" if new.kind is UnitKind.SCU else "nuggets"
    counts = f"{len(ours)} {units} there, {len(theirs)} in the file"
    return f"differs from the study's, which stays as it is ({counts}; first at “{first[:60]}”)."
