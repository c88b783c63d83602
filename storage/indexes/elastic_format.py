"""How an index stands on an Elasticsearch server: its fields, its settings, and what it says of itself."""

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
"""Under which an index's mapping says of itself what the server could not tell."""

WORDS, PLACE, ID, TITLE = "words", "place", "id", "title"
ANALYZER, SIMILARITY = "words", "dirichlet"
GAP = "-"
"""Stands where a stop word was dropped. No word of ours is a hyphen, and the server keeps only its place."""

_LONGEST_TERM = 8000
"""Code points; Lucene takes 32,766 bytes."""

_WINDOW = 10_000


@dataclass(frozen=True, slots=True)
class IndexMetadata:
    """What an index on a server says of itself. is_complete: all of its documents are there."""

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
        """The label of an index that is sent to be ranked with this mu."""
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
        """How its words were made. Raises ValueError where this program knows no such way."""
        for stemmer in STEMMERS:
            if stemmer == self.stemmer:
                return Analysis(stemmer, self.drop_stop_words)
        raise ValueError(f"no stemmer is called {self.stemmer!r}")

    def as_meta(self) -> dict[str, Any]:
        """As it stands in the mapping."""
        return {KEY: asdict(self)}


def read_metadata(mapping: Mapping[str, Any], address: Address) -> IndexMetadata:
    """The label in a mapping. Raises InputError where the index is none of ours or of a newer program."""
    said, where = (mapping.get("_meta") or {}).get(KEY), f"{address.name} on {address.server}"
    if not isinstance(said, Mapping):
        raise InputError(
            f"The index {where} was not sent there by Pyramidion, so that its "
            "words are not known. Send one under another name: pyramidion index upload."
        )
    if said.get("format") != FORMAT or set(said) != {f.name for f in fields(IndexMetadata)}:
        raise InputError(
            f"The index {where} was sent by another version of Pyramidion. Send "
            "it again under another name: pyramidion index upload."
        )
    label = IndexMetadata(**said)
    _ = label.analysis
    return label


def term_of(word: str) -> str:
    """A word as the server has it: as it is, or a digest of one that is longer than a server takes."""
    if len(word) <= _LONGEST_TERM:
        return word
    return hashlib.sha256(word.encode("utf-8", "surrogatepass")).hexdigest()


def settings(label: IndexMetadata) -> dict[str, Any]:
    """One shard, Lucene's LMDirichlet, and words that are taken as they come."""
    tokenizer = {"type": "whitespace", "max_token_length": _LONGEST_TERM}
    analyzer = {"type": "custom", "tokenizer": "spaces", "filter": ["gaps"]}
    return {
        "index": {
            "number_of_shards": 1,
            "number_of_replicas": 0,
            "refresh_interval": "-1",  # nobody asks before all is there
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
    """The fields of a document. Its words are not kept as they were sent: their places are enough."""
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
