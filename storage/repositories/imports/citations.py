"""Compare imported citances with the study."""

from __future__ import annotations

import json
from collections.abc import Mapping

from sqlalchemy import Connection, func, select

from core.domain.citations import Citance, CitanceAnnotation
from core.domain.import_batch import ImportContent, NewCitance, NewCitanceAnnotation
from core.domain.study import Span
from storage.database.schema import CitanceAnnotationRow, CitanceRow, CitingPaperRow, DocumentRow
from storage.repositories import citations
from storage.repositories.imports.plan import Plan
from storage.repositories.imports.pyramids import ImportedNames
from storage.repositories.texts import spans_as_stored

_ANNOTATED = "annotated citances"


def plan(connection: Connection, incoming: ImportContent, planned: Plan, names: ImportedNames) -> None:
    """Plan every citance and annotation; those that differ from the study's are reported and not changed."""
    if incoming.citances:
        importer = _Importer(connection, planned, names)
        for citance in incoming.citances:
            importer.add(citance)


class _Importer:
    def __init__(self, connection: Connection, planned: Plan, names: ImportedNames) -> None:
        self._planned, self._names = planned, names
        self._known: dict[tuple[str, str], Citance] = {}
        self._position = connection.scalar(select(func.max(CitanceRow.position))) or 0
        for topic_id in citations.counts(connection):
            for citance in citations.of_topic(connection, topic_id).citances:
                self._known[citance.citing_paper_id, citance.number] = citance
        self._lengths: dict[str, int] = {}
        for text in (CitingPaperRow, DocumentRow):
            stored = connection.execute(select(text.id, func.length(text.content)))
            self._lengths |= dict(stored.all())
            self._lengths |= {str(new["id"]): len(new["content"]) for new in planned.new[text]}
        self._lengths |= {
            row_id: len(columns["content"])
            for row, row_id, columns in planned.filled
            if row is CitingPaperRow
        }

    def add(self, new: NewCitance) -> None:
        """Plan a citance and its annotations if every place is within its text."""
        place, name = f"topic {new.topic}", f"citance {new.number} of {new.paper}"
        paper = self._names.citing_papers.get((new.topic, new.paper))
        if paper is None:
            what, remedy = "The study has no such citing paper.", "Import its text or its name first."
            self._planned.refuse_row(place, name, what, remedy)
            return
        document = self._names.documents.get((new.topic, new.document))
        if new.document and document is None:
            what = f"The study has no document {new.document} of this topic."
            self._planned.refuse_row(place, name, what, "Import the document first.")
            return
        document_id = document.id if document is not None else ""
        if problem := self._misplaced(new, paper.id, document_id):
            self._planned.refuse_row(place, name, problem, "Correct the place, or import that text again.")
            return
        known = self._known.get((paper.id, new.number))
        if known is None:
            self._known[paper.id, new.number] = self._add_new(new, paper.id, document_id)
            return
        same = (known.document_id, known.marker, known.marker_span) == (
            document_id,
            new.marker,
            new.marker_span,
        )
        self._planned.keep("citances", f"The {name} of topic {new.topic}", same)
        stored = {one.annotator_id: one for one in known.annotations}
        for annotation in new.annotations:
            self._compare(known.id, annotation, stored, f"The annotation of {name} of topic {new.topic}")

    def _add_new(self, new: NewCitance, paper_id: str, document_id: str) -> Citance:
        self._position += 1
        row = {
            "topic_id": self._names.topics[new.topic],
            "citing_paper_id": paper_id,
            "document_id": document_id or None,
            "position": self._position,
            "number": new.number,
            "marker": new.marker,
            "marker_span": citations.span_as_stored(new.marker_span),
        }
        citance_id = self._planned.add(CitanceRow, row)
        for annotation in new.annotations:
            self._compare(citance_id, annotation, {}, "")
        about = new.number, paper_id, document_id, new.marker, new.marker_span
        return Citance(citance_id, *about, tuple(map(self._with_id, new.annotations)))

    def _compare(
        self, citance_id: str, new: NewCitanceAnnotation, stored: Mapping[str, CitanceAnnotation], what: str
    ) -> None:
        annotation = self._with_id(new)
        if annotation.annotator_id in stored:
            same = stored[annotation.annotator_id] == annotation
            self._planned.keep(_ANNOTATED, f"{what} by {new.annotator}", same)
            return
        row = {
            "citance_id": citance_id,
            "annotator_id": annotation.annotator_id,
            "text": new.text,
            "spans": spans_as_stored(new.spans),
            "cited": citations.cited_as_stored(new.cited),
            "facets": json.dumps(list(new.facets), ensure_ascii=False),
        }
        self._planned.add(CitanceAnnotationRow, row, _ANNOTATED)

    def _with_id(self, new: NewCitanceAnnotation) -> CitanceAnnotation:
        annotator_id = self._names.annotators[new.annotator]
        return CitanceAnnotation(annotator_id, new.text, new.spans, new.cited, new.facets)

    def _misplaced(self, new: NewCitance, paper_id: str, document_id: str) -> str:
        """Return which place is outside its text, empty = none."""
        in_paper = [new.marker_span, *(span for one in new.annotations for span in one.spans)]
        in_document = [part.span for one in new.annotations for part in one.cited]
        for called, text_id, spans in (
            (f"the citing paper {new.paper}", paper_id, in_paper),
            (f"the document {new.document}", document_id, in_document),
        ):
            known = [span for span in spans if span is not None]
            if known and not text_id:
                return "It has places in a cited document that it does not name."
            wrong = next((span for span in known if not _is_inside(span, self._lengths[text_id])), None)
            if wrong is not None:
                length = f"{self._lengths[text_id]:,} characters"
                return f"The place {wrong[0]} to {wrong[1]} is outside {called}, which has {length}."
        return ""


def _is_inside(span: Span, length: int) -> bool:
    start, end = span
    return 0 <= start < end <= length
