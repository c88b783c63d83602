"""Citing papers and citances of topics."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, func, select

from core.domain.citations import Citance, CitanceAnnotation, CitedSpan, TopicCitations
from core.domain.study import Span, Text
from core.json_text import parse_json
from storage.database.schema import CitanceAnnotationRow, CitanceRow, CitingPaperRow
from storage.repositories import texts
from storage.repositories.repository import Repository, read


def counts(connection: Connection) -> dict[str, int]:
    """Return the number of citances by id of topic; topics without any are left out."""
    rows = connection.execute(select(CitanceRow.topic_id, func.count()).group_by(CitanceRow.topic_id))
    return dict(rows.all())


def of_topic(connection: Connection, topic_id: str) -> TopicCitations:
    """Return the citing papers and citances of a topic, in the order of import."""
    row = CitingPaperRow
    columns = row.id, row.name, row.content, row.sentence_spans, row.digest, row.external_id
    language = texts.topic_languages(connection)[topic_id]
    papers = tuple(
        Text(paper_id, name, content, texts.spans_from_stored(spans), digest, external_id, language)
        for paper_id, name, content, spans, digest, external_id in connection.execute(
            select(*columns).where(row.topic_id == topic_id).order_by(row.position)
        )
    )
    found = connection.execute(
        select(CitanceRow.__table__).where(CitanceRow.topic_id == topic_id).order_by(CitanceRow.position)
    )
    annotations = _annotations(connection, topic_id)
    citances = tuple(
        Citance(
            one.id,
            one.number,
            one.citing_paper_id,
            one.document_id or "",
            one.marker,
            span_from_stored(one.marker_span),
            tuple(annotations[one.id]),
        )
        for one in found
    )
    return TopicCitations(topic_id, papers, citances)


def _annotations(connection: Connection, topic_id: str) -> Mapping[str, list[CitanceAnnotation]]:
    """Return the annotations by citance, in the order of the annotators' names."""
    order = {person.id: place for place, person in enumerate(texts.annotators(connection))}
    row = CitanceAnnotationRow
    rows = connection.execute(
        select(row.__table__)
        .join(CitanceRow, CitanceRow.id == row.citance_id)
        .where(CitanceRow.topic_id == topic_id)
    )
    found: defaultdict[str, list[CitanceAnnotation]] = defaultdict(list)
    for one in sorted(rows, key=lambda one: order.get(one.annotator_id, -1)):
        cited, facets = cited_from_stored(one.cited), tuple(parse_json(one.facets))
        annotation = CitanceAnnotation(
            one.annotator_id, one.text, texts.spans_from_stored(one.spans) or (), cited, facets
        )
        found[one.citance_id].append(annotation)
    return found


def span_as_stored(span: Span | None) -> str | None:
    """Encode the place of a text, None = unknown."""
    return None if span is None else json.dumps(list(span), separators=(",", ":"))


def span_from_stored(stored: str | None) -> Span | None:
    """Decode the place of a text, None = unknown."""
    if stored is None:
        return None
    start, end = parse_json(stored)
    return start, end


def cited_as_stored(cited: Sequence[CitedSpan]) -> str:
    """Encode the cited parts of a document."""
    rows = [[*(part.span or (None, None)), part.text] for part in cited]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def cited_from_stored(stored: str) -> tuple[CitedSpan, ...]:
    """Decode the cited parts of a document."""
    return tuple(
        CitedSpan(None if start is None else (start, end), text) for start, end, text in parse_json(stored)
    )


class Citations(Repository):
    """Citing papers and citances of topics; implements `CitationStore`."""

    counts = read(counts)
    of_topic = read(of_topic)
