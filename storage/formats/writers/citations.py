"""Export of citing papers and citances, one per line of JSONL."""

from __future__ import annotations

from collections.abc import Iterator

from core.domain.citations import Citance, TopicCitations
from core.ports import Study
from storage.formats.format_types import Export, Record


def records(study: Study) -> Iterator[Record]:
    """Yield each citing paper with its text, then each citance with its annotations."""
    people = {person.id: person.name for person in study.annotators.all()}
    cited_topics = study.citations.counts()
    for topic in study.texts.load(list(cited_topics)):
        found = study.citations.of_topic(topic.id)
        documents = {text.id: text.name for text in topic.documents}
        papers = {paper.id: paper.name for paper in found.papers}
        yield from _paper_records(topic.name, found)
        for citance in found.citances:
            yield {
                "topic": topic.name,
                "citing_paper": papers[citance.citing_paper_id],
                "number": citance.number,
                "document": documents.get(citance.document_id, ""),
                "marker": citance.marker,
                "marker_span": list(citance.marker_span) if citance.marker_span else None,
                "annotations": list(_annotations(citance, people)),
            }


def _paper_records(topic: str, found: TopicCitations) -> Iterator[Record]:
    for paper in found.papers:
        spans = paper.sentence_spans
        sentences = None if spans is None else [list(span) for span in spans]
        yield {"topic": topic, "citing_paper": paper.name, "text": paper.content, "sentences": sentences}


def _annotations(citance: Citance, people: dict[str, str]) -> Iterator[Record]:
    for one in citance.annotations:
        cited = [{"span": list(part.span) if part.span else None, "text": part.text} for part in one.cited]
        yield {
            "annotator": people[one.annotator_id],
            "text": one.text,
            "spans": [list(span) for span in one.spans],
            "cited": cited,
            "facets": list(one.facets),
        }


EXPORT = Export(
    "citations",
    "jsonl",
    ".jsonl",
    "One line per citing paper and citance, with the cited parts and facets.",
    records,
)
