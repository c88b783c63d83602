"""Indexes made of a few texts."""

from __future__ import annotations

from collections.abc import Sequence

from core.progress import run_to_completion
from core.retrieval.analysis import Analysis
from core.retrieval.array_index import ArrayIndex
from core.retrieval.builder import build_index
from core.retrieval.protocols import SourceDocument

AS_THEY_ARE = Analysis("none", drop_stop_words=False)


def index_of(texts: Sequence[str], analysis: Analysis = AS_THEY_ARE) -> ArrayIndex:
    """Return an index of texts with the ids 0, 1, …"""
    documents = [SourceDocument(str(at), f"Title {at}", text) for at, text in enumerate(texts)]
    built = run_to_completion(build_index(documents, analysis))
    return ArrayIndex("made", analysis, built.fingerprint, built.arrays)
