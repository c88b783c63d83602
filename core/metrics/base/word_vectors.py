"""Signature of word vectors, and the share of words without a vector."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.domain.study import Text
from core.metrics.base import Resources
from core.models.encoders.word_vectors import find_vectors
from core.text.tokenization import TokenizerSettings

_CUT = TokenizerSettings("unicode")


def word_vector_signature(name: str, resources: Resources) -> dict[str, str]:
    """Return the source of word vectors and their hash, for signatures. Raises MissingResource."""
    source = find_vectors(name)
    kind = "file" if source.model is None else "input-embeddings"
    return {"source": kind, "model": source.name, "hash": resources.files_hash(source.files)[:12]}


def unknown_word_shares(
    texts: Sequence[Text], vectors: str, resources: Resources, *, lower: bool
) -> list[float]:
    """Return the share of each text's words that have no vector, in [0, 1]; 0 without words.

    lower: words are looked up in lower case.
    """
    placed = [resources.words(text, _CUT).spans.tolist() for text in texts]
    written = [[text.content[a:b] for a, b in spans] for text, spans in zip(texts, placed, strict=True)]
    if lower:
        written = [[word.lower() for word in words] for words in written]
    listed = sorted({word for words in written for word in words})
    is_known = dict(zip(listed, resources.word_vectors(vectors).of(listed).is_known.tolist(), strict=True))
    return [1 - float(np.mean([is_known[word] for word in words])) if words else 0.0 for words in written]
