"""Vectors, signature and run time of text encoders other than transformers."""

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
    """Truncate a text to its first words, with its sentence boundaries."""
    spans = tuple(TextLimit(words=words).limit(text.content, sentence_spans_of(text)))
    end = spans[-1][1] if spans else 0
    return text if end == len(text.content) else Text(text.id, text.name, text.content[:end], spans)


def encode_texts(
    source: EncoderSource, encoder: TextEncoder, texts: Sequence[Text]
) -> tuple[Array, list[EncodedText], Mapping[str, int]]:
    """Return unit vectors, shape (texts, dimension), zeros for empty texts; encoded texts; and notes."""
    encodings = encoder.read(texts)
    vectors = np.stack([pool_words(_rows(source, encoded), source.kind.joining) for encoded in encodings])
    unknown = sum(encoded.has_unknown for encoded in encodings)
    return unit_rows(vectors), encodings, {"unknown_words": unknown} if unknown else {}


def placed_words(source: EncoderSource, encoded: EncodedText) -> WordVectorsWithSpans:
    """Return a text's words for explanations; padding and markers have empty spans."""
    rows, names, spans = _rows(source, encoded), encoded.names, encoded.spans
    if len(rows) > len(names):
        names, spans = (*names, _PADDING), (*spans, (0, 0))
    return WordVectorsWithSpans(spans, rows, names)


def source_signature(source: EncoderSource, resources: Resources) -> dict[str, str]:
    """Return the parts of a signature that identify an encoder: name, file hash, tokenization."""
    extras = {"model": source.name, "hash": resources.files_hash(source.files)[:12]}
    if source.kind.family in (EncoderFamily.ELMO, EncoderFamily.INFERSENT):
        extras["joined"] = source.kind.joining
    if source.words is not None:
        extras |= {"word-vectors": source.words.name, "word-hash": resources.files_hash([source.words])[:12]}
    if source.kind.family is EncoderFamily.ELMO:
        extras |= {"tokenizer": "treebank", "context": "sentence", "layers": "all"}
    elif source.kind.family is EncoderFamily.INFERSENT:
        extras |= {"tokenizer": "moses" if source.kind.version == 2 else "treebank", "context": "text"}
        extras["padding"] = "zeros" if source.kind.has_padding else "masked"
    return extras


def source_seconds(source: EncoderSource, device: str) -> float:
    """Estimate the seconds for a text of 100 words: each word passes once through every weight."""
    match source.kind.family:
        case EncoderFamily.ELMO | EncoderFamily.INFERSENT:
            operations = 2 * source.files[-1].stat().st_size / 4 * 100
            return operations / RATES.get(device.partition(":")[0], RATES["cpu"])
        case EncoderFamily.USE:
            return 0.01
        case EncoderFamily.VECTORS:
            return 1e-5


def _rows(source: EncoderSource, encoded: EncodedText) -> Array:
    rows = encoded.rows.astype(np.float64)
    if source.kind.has_padding and len(rows):
        return np.concatenate([rows, np.zeros((1, rows.shape[1]))])
    return rows
