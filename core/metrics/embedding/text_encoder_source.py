"""Vectors, signature and run time of text encoders that are not transformers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.domain.study import Text
from core.metrics.base import Array, Resources
from core.metrics.embedding.text_vectors import WordVectorsWithSpans, pool_words, unit_rows
from core.models.catalogue.lookup import RATES
from core.models.encoders.text_encoders import EncoderFamily, EncoderSource
from core.models.encoders.text_encoding import EncodedText, TextEncoder
from core.text.sentences import sentence_spans_of
from core.text.truncation import TextLimit

_PADDING = "padding"


def cut_text(text: Text, words: int) -> Text:
    """A text up to its first words, with the sentences that it then has."""
    spans = tuple(TextLimit(words=words).limit(text.content, sentence_spans_of(text)))
    end = spans[-1][1] if spans else 0
    return text if end == len(text.content) else Text(text.id, text.name, text.content[:end], spans)


def read_texts(
    source: EncoderSource, encoder: TextEncoder, texts: Sequence[Text]
) -> tuple[Array, list[EncodedText], Mapping[str, int]]:
    """Texts' vectors of length 1, shape (texts, dimension), zeros where nothing is read; of what each is
    joined; and the notes.
    """
    readings = encoder.read(texts)
    vectors = np.stack([pool_words(_rows(source, reading), source.kind.joining) for reading in readings])
    unknown = sum(reading.has_unknown for reading in readings)
    return unit_rows(vectors), readings, {"unknown_words": unknown} if unknown else {}


def placed_words(source: EncoderSource, reading: EncodedText) -> WordVectorsWithSpans:
    """A text's words as explanations show them; padding and marks have no place."""
    rows, names, spans = _rows(source, reading), reading.names, reading.spans
    if len(rows) > len(names):
        names, spans = (*names, _PADDING), (*spans, (0, 0))
    return WordVectorsWithSpans(spans, rows, names)


def source_signature(source: EncoderSource, tools: Resources) -> dict[str, str]:
    """What repeats an encoder's vectors: its name, the hash of its files, how it reads."""
    found = {"model": source.name, "hash": tools.files_hash(source.files)[:12]}
    if source.kind.family in (EncoderFamily.ELMO, EncoderFamily.INFERSENT):
        found["joined"] = source.kind.joining
    if source.words is not None:
        found |= {"word-vectors": source.words.name, "word-hash": tools.files_hash([source.words])[:12]}
    if source.kind.family is EncoderFamily.ELMO:
        found |= {"tokenizer": "treebank", "context": "sentence", "layers": "all"}
    elif source.kind.family is EncoderFamily.INFERSENT:
        found |= {"tokenizer": "moses" if source.kind.version == 2 else "treebank", "context": "text"}
        found["padding"] = "zeros" if source.kind.has_padding else "masked"
    return found


def source_seconds(source: EncoderSource, device: str) -> float:
    """A rough time for a text of 100 words: each word goes once through every weight."""
    match source.kind.family:
        case EncoderFamily.ELMO | EncoderFamily.INFERSENT:
            operations = 2 * source.files[-1].stat().st_size / 4 * 100
            return operations / RATES.get(device.partition(":")[0], RATES["cpu"])
        case EncoderFamily.USE:
            return 0.01
        case EncoderFamily.VECTORS:
            return 1e-5


def _rows(source: EncoderSource, reading: EncodedText) -> Array:
    rows = reading.rows.astype(np.float64)
    if source.kind.has_padding and len(rows):
        return np.concatenate([rows, np.zeros((1, rows.shape[1]))])
    return rows
