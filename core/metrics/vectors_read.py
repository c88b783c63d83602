"""What repeats a run with word vectors."""

from __future__ import annotations

from core.metrics.base import Tools
from core.models.word_vectors import find_vectors


def vectors_read(name: str, tools: Tools) -> dict[str, str]:
    """Where the vectors of words come from, and their hash. Raises MissingResource."""
    source = find_vectors(name)
    kind = "file" if source.model is None else "input-embeddings"
    return {"source": kind, "model": source.name, "hash": tools.files_hash(source.files)[:12]}
