"""Export of texts: nested by topic, one row per text, or each different text with its hash."""

from __future__ import annotations

from collections.abc import Iterator

from core.domain.study import Text, TopicTexts
from core.models.encoders.precomputed_vectors import text_hash
from core.ports import Study
from storage.formats.format_types import Export, Record
from storage.formats.readers.tables.study_tables import NO_SENTENCES
from storage.formats.writers.score_records import key_of, kinds_of


def _texts_nested(study: Study) -> Iterator[Record]:
    kinds = kinds_of(study)
    for topic in study.texts.load():
        shared = {
            "documents": [{"filename": d.name, "text": _content(d)} for d in topic.documents],
            "references": [{"summarizer_id": r.name, "text": _content(r)} for r in topic.references],
        }
        for summary in topic.summaries:
            key = key_of(topic.name, summary.name, kinds)
            yield {**key, "summary": {"text": _content(summary)}, **shared}


def _content(text: Text) -> str | list[str]:
    """Return a list of sentences if joining them restores the text, else a string."""
    sentences = text.stored_sentences()
    if sentences is not None and "\n".join(sentences) == text.content:
        return list(sentences)
    return text.content


def _texts_flat(study: Study) -> Iterator[Record]:
    kinds = {system.name: system.kind.value for system in study.texts.systems()}
    for topic in study.texts.load():
        if topic.title or topic.query or topic.set:
            yield {"topic": topic.name, "title": topic.title, "query": topic.query, "set": topic.set}
        for column, texts in _owned(topic).items():
            for text in texts:
                row = {
                    "topic": topic.name,
                    column: text.name,
                    "text": text.content,
                    "sentences": _spans(text),
                }
                yield row if column != "system" else {**row, "kind": kinds[text.name]}


def _spans(text: Text) -> str:
    if text.sentence_spans is None:
        return ""
    return " ".join(f"{start}-{end}" for start, end in text.sentence_spans) or NO_SENTENCES


def _owned(topic: TopicTexts) -> dict[str, tuple[Text, ...]]:
    return {"document": topic.documents, "author": topic.references, "system": topic.summaries}


def _texts_hashed(study: Study) -> Iterator[Record]:
    """Yield each distinct text once; blank texts need no vector."""
    seen: set[str] = set()
    for topic in study.texts.load():
        for text in (*topic.documents, *topic.references, *topic.summaries):
            key = text_hash(text)
            if text.content.strip() and key not in seen:
                seen.add(key)
                yield {"sha256": key, "text": text.content}


EXPORTS = (
    Export("texts", "sacrerouge", ".jsonl", "One line per summary with its topic's texts.", _texts_nested),
    Export(
        "texts",
        "csv",
        ".csv",
        "One row per text.",
        _texts_flat,
        ("topic", "title", "query", "set", "document", "author", "system", "kind", "text", "sentences"),
    ),
    Export(
        "texts",
        "hashes",
        ".jsonl",
        "One line per different text with its SHA-256, to compute vectors with other software.",
        _texts_hashed,
    ),
)
