"""Compare imported pyramids and matches with the study; existing annotations are kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from core.domain.import_batch import (
    ImportContent,
    NewContributor,
    NewMatch,
    NewMatches,
    NewPart,
    NewPyramid,
    NewScu,
    NewText,
)
from core.domain.pyramid import Contributor, Match, Part, Pyramid, Scu, TopicAnnotation, UnitKind
from core.domain.study import Span, text_digest
from core.errors import Problem
from storage.database.schema import PyramidRow, table_of
from storage.repositories import format_extras, pyramids
from storage.repositories.imports.annotation_rows import AnnotationRows, Ids
from storage.repositories.imports.plan import Plan
from storage.repositories.texts import setting, spans_from_stored

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
