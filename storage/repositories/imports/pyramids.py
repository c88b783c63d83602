"""Pyramids and matches of an import, compared with the study: what somebody annotated there stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from core.domain.import_batch import NewContributor, NewMatches, NewPart, NewPyramid
from core.domain.pyramid import Pyramid, TopicAnnotation
from core.domain.study import text_digest
from core.errors import Problem
from core.ports import ImportContent, NewText
from storage.database.schema import PyramidRow, table_of
from storage.repositories import format_extras, pyramids
from storage.repositories.imports import annotation_content as contents
from storage.repositories.imports.annotation_rows import AnnotationRows, Ids
from storage.repositories.imports.plan import Plan
from storage.repositories.texts import setting

Owner = tuple[str, str]
"""Names of a topic and of the annotator whose pyramid it is."""


@dataclass(frozen=True, slots=True)
class TextRow:
    """A text of the study, or one on its way in, with its SHA-256."""

    id: str
    digest: str


TextRows = Mapping[tuple[str, str], TextRow]
"""Texts by the names of their topic and of their author or system."""


@dataclass(frozen=True, slots=True)
class ImportedNames:
    """What the names in an import stand for."""

    topics: Ids
    annotators: Ids
    references: TextRows
    summaries: TextRows


@dataclass(frozen=True, slots=True)
class _Placed:
    """A pyramid that matches may refer to: as it stands in the study, and its SCUs' ids by key."""

    stored: TopicAnnotation
    scus: Ids


def plan(connection: Connection, incoming: ImportContent, planned: Plan, names: ImportedNames) -> None:
    """Plan every pyramid and all matches; one that the study has otherwise is reported and left alone."""
    bring = _Bringing(connection, incoming, planned, names)
    for pyramid in incoming.pyramids:
        bring.pyramid(pyramid)
    for matches in incoming.matches:
        bring.matches(matches)


class _Bringing:
    """One import's annotations on their way into a plan."""

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
        """Plan a pyramid where the study has none of its annotator yet."""
        if (new.topic, new.annotator) in self._placed:
            what = f"{new.annotator} has two pyramids of this topic in the import."
            self._planned.refuse(f"topic {new.topic}", "pyramid", what, "Leave one of them out.")
            return
        references = {c.author: self._reference(new, c) for scu in new.scus for c in scu.contributors}
        if None in references.values():
            return
        ids = {author: row_id for author, row_id in references.items() if row_id is not None}
        stored = self._stored(new.topic, new.annotator)
        what = f"The pyramid of topic {new.topic} by {new.annotator}"
        if not stored.pyramid.scus and (new.scus or not self._rows.is_begun(stored.pyramid)):
            self._tell_of_equal(new, stored.pyramid, ids)
            scus = self._rows.add_pyramid(new, stored.pyramid, ids)
        elif contents.of_scus(stored.pyramid.scus) == contents.of_new_scus(new.scus, ids):
            self._planned.keep("pyramids", what, True)
            self._planned.equal["SCUs"] += len(new.scus)
            scus = {one.key: other.id for one, other in zip(new.scus, stored.pyramid.scus, strict=True)}
        else:
            told = contents.content_difference(stored.pyramid.scus, new, ids)
            self._planned.different.append(f"{what} {told}")
            scus = self._by_key(new, stored.pyramid)
        self._placed[new.topic, new.annotator] = _Placed(stored, scus)

    def matches(self, new: NewMatches) -> None:
        """Plan an annotator's matches in a summary where the study has none of them yet."""
        placed = self._placed.get((new.topic, new.owner))
        place, name = f"topic {new.topic}, system {new.system}", "matches"
        row = self._names.summaries.get((new.topic, new.system))
        if placed is None or row is None:
            return  # the pyramid or the summary was refused already
        key = (new.topic, new.system, new.owner, new.annotator)
        if key in self._matched:
            what = f"{new.annotator} has two sets of matches in this summary."
            self._planned.refuse(place, name, what, "Leave one of them out.")
            return
        self._matched.add(key)
        if self._is_fit(new, row, placed):
            self._compare_matches(new, placed, row.id)

    def _is_fit(self, new: NewMatches, row: TextRow, placed: _Placed) -> bool:
        """Whether matches fit the study's summary and pyramid; a problem where they do not."""
        place, name = f"topic {new.topic}, system {new.system}", "matches"
        parts = [part for match in new.matches for part in match.parts]
        if not _fits(row, self._summaries.get((new.topic, new.system)), parts):
            what = "The summary differs from the study's, whose places the matches would not fit."
            self._planned.refuse(place, name, what, "Mend the file's text, or import it as another system's.")
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
        elif contents.of_matches(there) == contents.of_new_matches(new.matches, placed.scus):
            self._planned.keep("annotated summaries", "", True)
            self._planned.equal["matches"] += len(there)
        else:
            what = f"What {new.annotator} matched in the summary of {new.system} of topic {new.topic}"
            self._planned.keep("annotated summaries", what, False)

    def _reference(self, new: NewPyramid, contributor: NewContributor) -> str | None:
        """The id of a contributor's reference, None (and a problem) where its text is not the one meant."""
        key = new.topic, contributor.author
        row = self._names.references.get(key)
        if row is not None and _fits(row, self._references.get(key), contributor.parts):
            return row.id
        place, name = f"topic {new.topic}", f"reference {contributor.author}"
        what = "The reference differs from the study's, whose places the pyramid would not fit."
        if not any((p.place, p.field) == (place, name) for p in self._planned.problems):
            self._planned.refuse(place, name, what, "Mend the file's text, or import it as another topic.")
        return None

    def _tell_of_equal(self, new: NewPyramid, pyramid: Pyramid, references: Ids) -> None:
        """Say where somebody else has this very pyramid already: it may have come in under their name."""
        names = {row_id: name for name, row_id in self._names.annotators.items()}
        its = table_of(PyramidRow).c.topic_id == pyramid.topic_id
        wanted = contents.of_new_scus(new.scus, references)
        for known in pyramids.load(self._connection, its) if wanted else ():
            if contents.of_scus(known.pyramid.scus) == wanted:
                who = names.get(known.pyramid.annotator_id, "somebody")
                what = f"{who} has this very pyramid in the study; another one comes in by {new.annotator}."
                remedy = f"Name {who} as the annotator to take it as theirs."
                place = f"topic {new.topic}"
                self._planned.notices.append(Problem(self._planned.source, place, "", what, remedy))

    def _stored(self, topic: str, annotator: str) -> TopicAnnotation:
        topic_id, annotator_id = self._names.topics[topic], self._names.annotators[annotator]
        return pyramids.annotation(self._connection, topic_id, annotator_id)

    def _by_key(self, new: NewPyramid, stored: Pyramid) -> Ids:
        """SCUs of the study's pyramid by the keys of another one: those that it had, else by equal labels."""
        record = format_extras.unpack(setting(self._connection, format_extras.pyramid_key(stored.id), ""))
        living = {scu.id for scu in stored.scus}
        found = {
            str(said["uid"]): scu_id
            for scu_id, said in record.get("scus", {}).items()
            if scu_id in living and "uid" in said
        }
        labels = [scu.label for scu in stored.scus]
        alike = {scu.label: scu.id for scu in stored.scus if labels.count(scu.label) == 1}
        return {**{scu.key: alike[scu.label] for scu in new.scus if scu.label in alike}, **found}


def _fits(row: TextRow, text: NewText | None, parts: Sequence[NewPart]) -> bool:
    """Whether the study's text is the one that parts are of, and holds them all."""
    if text is None or row.digest != text_digest(text.content, text.sentence_spans):
        return False
    return all(0 <= part.start < part.end <= len(text.content) for part in parts)
