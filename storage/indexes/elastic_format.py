"""Representation of an index on an Elasticsearch server: fields, settings and metadata."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from core.errors import InputError
from core.retrieval.analysis import STEMMERS, Analysis
from core.retrieval.array_index import ArrayIndex
from storage.indexes.elastic_connection import Address

FORMAT = 1
KEY = "pyramidion"
"""Key of Pyramidion's metadata in the mapping of an index."""

WORDS, PLACE, ID, TITLE = "words", "place", "id", "title"
ANALYZER, SIMILARITY = "words", "dirichlet"
GAP = "-"
"""Placeholder of a removed stop word. No word is a hyphen, and the server stores only its position."""

_LONGEST_TERM = 8000
"""Maximum code points of a term; Lucene accepts 32,766 bytes."""

_WINDOW = 10_000


@dataclass(frozen=True, slots=True)
class IndexMetadata:
    """Metadata of an index on a server. is_complete: all of its documents are uploaded."""

    stemmer: str
    drop_stop_words: bool
    fingerprint: str
    documents: int
    tokens: int
    mean_idf: float | None
    mu: float
    is_complete: bool = False
    format: int = FORMAT

    @classmethod
    def of(cls, index: ArrayIndex, mu: float) -> IndexMetadata:
        """Return the metadata of an index to be uploaded and ranked with this mu."""
        mean = index.mean_idf()
        return cls(
            index.analysis.stemmer,
            index.analysis.drop_stop_words,
            index.fingerprint,
            index.documents,
            index.tokens,
            mean if mean == mean else None,
            float(mu),
        )

    @property
    def analysis(self) -> Analysis:
        """Analysis of its words. Raises ValueError if it is unknown."""
        for stemmer in STEMMERS:
            if stemmer == self.stemmer:
                return Analysis(stemmer, self.drop_stop_words)
        raise ValueError(f"unknown stemmer {self.stemmer!r}")

    def as_meta(self) -> dict[str, Any]:
        """Return the metadata as stored in the mapping."""
        return {KEY: asdict(self)}


def read_metadata(mapping: Mapping[str, Any], address: Address) -> IndexMetadata:
    """Read the metadata in a mapping. Raises InputError if it is missing or of another version."""
    meta, where = mapping.get("_meta"), f"{address.name} on {address.server}"
    header = meta.get(KEY) if isinstance(meta, Mapping) else None
    if not isinstance(header, Mapping):
        raise InputError(
            f"The index {where} was not uploaded by Pyramidion, so the processing of its words is "
            "unknown. Upload one under another name: pyramidion index upload"
        )
    if header.get("format") != FORMAT or set(header) != {f.name for f in fields(IndexMetadata)}:
        raise InputError(
            f"The index {where} was uploaded by another version of Pyramidion. Upload "
            "it again under another name: pyramidion index upload"
        )
    label = IndexMetadata(**header)
    _ = label.analysis
    return label


def term_of(word: str) -> str:
    """Return a word as stored on the server: unchanged, or a digest if it is too long."""
    if len(word) <= _LONGEST_TERM:
        return word
    return hashlib.sha256(word.encode("utf-8", "surrogatepass")).hexdigest()


def settings(label: IndexMetadata) -> dict[str, Any]:
    """Return the settings: one shard, Lucene's LMDirichlet, and no further analysis of words."""
    tokenizer = {"type": "whitespace", "max_token_length": _LONGEST_TERM}
    analyzer = {"type": "custom", "tokenizer": "spaces", "filter": ["gaps"]}
    return {
        "index": {
            "number_of_shards": 1,
            "number_of_replicas": 0,
            "refresh_interval": "-1",  # not searched before the upload is complete
            "max_result_window": max(_WINDOW, label.documents),
        },
        "similarity": {SIMILARITY: {"type": "LMDirichlet", "mu": label.mu}},
        "analysis": {
            "tokenizer": {"spaces": tokenizer},
            "filter": {"gaps": {"type": "stop", "stopwords": [GAP]}},
            "analyzer": {ANALYZER: analyzer},
        },
    }


def mappings(label: IndexMetadata) -> dict[str, Any]:
    """Return the fields of a document. Words are not stored as text; their positions are enough."""
    return {
        "dynamic": "strict",
        "_source": {"excludes": [WORDS]},
        "_meta": label.as_meta(),
        "properties": {
            WORDS: {"type": "text", "analyzer": ANALYZER, "similarity": SIMILARITY},
            PLACE: {"type": "long"},
            ID: {"type": "keyword"},
            TITLE: {"type": "keyword", "index": False, "doc_values": False},
        },
    }
