"""Search index on an Elasticsearch server, with the same ranking as the local index.

Documents are uploaded as analysed words, so both indexes have the same terms; the server ranks with Lucene's
LMDirichlet over one shard, ties by document order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from core.errors import InputError, PyramidionError
from core.progress import raise_if_cancelled
from core.retrieval.analysis import Analysis
from core.retrieval.protocols import Counts, Hit, Smoothing
from storage.indexes.elastic_connection import (
    Address,
    answers_to,
    connect,
    patiently,
    reading,
    reason_of,
    refusal,
)
from storage.indexes.elastic_format import ID, PLACE, TITLE, WORDS, IndexMetadata, term_of
from storage.indexes.elastic_versions import current_version

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

T = TypeVar("T")
Query = dict[str, Any]

MOST_CLAUSES = 1000
"""Maximum words per query; servers may limit it to 1,024 at the least."""

_SEARCHES = 64
_COUNTS = 500
_TITLES = 1000
_PLACES = 50_000
_GROWTH = 4


@dataclass(frozen=True, slots=True)
class _Hit:
    """A hit: its place in the index, its id and its score."""

    place: int
    id: str
    score: float


@dataclass(eq=False)
class ElasticIndex:
    """Implements `core.retrieval.protocols.SearchIndex`. Methods raise InputError if the server fails.

    index: its own name on the server, so that its documents stay the same while it is open.
    """

    address: Address
    index: str
    label: IndexMetadata
    client: Elasticsearch
    _titles: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its address."""
        return str(self.address)

    @property
    def fingerprint(self) -> str:
        """Its fingerprint at upload; it is read-only since then."""
        return self.label.fingerprint

    @property
    def analysis(self) -> Analysis:
        """The analysis of its words."""
        return self.label.analysis

    @property
    def documents(self) -> int:
        """The number of documents."""
        return self.label.documents

    @property
    def tokens(self) -> int:
        """The number of words in all documents."""
        return self.label.tokens

    def missing_requirements(self, smoothing: Smoothing) -> str:
        """Return why it cannot rank with a smoothing, because the server's mu and length norms are fixed."""
        if smoothing.norms != "lucene7":
            return (
                "Elasticsearch stores document lengths as Lucene 7 and later do. Choose "
                "norms=lucene7, or an index on this computer."
            )
        if smoothing.mu != self.label.mu:
            where = f"{self.address.name} on {self.address.server}"
            return (
                f"The index {where} ranks with mu={self.label.mu:g}. Choose this value, or upload the index "
                f"under another name with pyramidion index upload --mu {smoothing.mu:g}."
            )
        return ""

    def rank(
        self, queries: Sequence[Sequence[str]], limit: int, smoothing: Smoothing
    ) -> list[tuple[Hit, ...]]:
        """Return the best documents for each query, at most `limit`, best first."""
        if why := self.missing_requirements(smoothing):
            raise InputError(why)
        counted = [Counter(map(term_of, query)) for query in queries]
        short = [at for at, words in enumerate(counted) if 0 < len(words) <= MOST_CLAUSES and limit]
        ranked: dict[int, Sequence[_Hit]] = dict(
            zip(short, self._best([_any_of(counted[at]) for at in short], limit), strict=True)
        )
        for at, words in enumerate(counted):
            if len(words) > MOST_CLAUSES and limit:
                ranked[at] = self._best_in_parts(words, limit)
        return [tuple(Hit(one.id, one.score) for one in ranked.get(at, ())) for at in range(len(counted))]

    def document_frequencies(self, words: Sequence[str]) -> Counts:
        """Return in how many documents each word occurs."""
        return self._counted([_one(term_of(word)) for word in words])

    def phrase_frequencies(self, phrases: Sequence[tuple[str, ...]]) -> Counts:
        """Return in how many documents each phrase occurs, as adjacent words in order."""
        return self._counted([_phrase(tuple(map(term_of, phrase))) for phrase in phrases])

    def mean_idf(self) -> float:
        """Return the mean of `idf` over its distinct words, computed at upload; NaN without words."""
        return float("nan") if self.label.mean_idf is None else self.label.mean_idf

    def titles(self, ids: Sequence[str]) -> Sequence[str]:
        """Return the titles of documents; the id if there is none."""
        unknown = [each for each in dict.fromkeys(ids) if each not in self._titles]
        for some in _in_parts(unknown, _TITLES):
            search = {"query": {"terms": {ID: some}}, "size": len(some), "_source": [ID, TITLE]}
            with reading(self.address.server):
                for hit in self._search_all([search])[0]["hits"]["hits"]:
                    self._titles[hit["_source"][ID]] = hit["_source"][TITLE]
        return [self._titles.get(each) or each for each in ids]

    def close(self) -> None:
        """Close the connection."""
        self.client.close()

    def _best(self, queries: Sequence[Query], limit: int) -> Iterator[list[_Hit]]:
        """Yield the best documents for each of several queries."""
        for some in _in_parts(queries, _SEARCHES):
            for answer in self._search_all([_search(query, limit) for query in some]):
                with reading(self.address.server):
                    hits = [_hit_of(hit) for hit in answer["hits"]["hits"]]
                yield hits

    def _best_in_parts(self, words: Mapping[str, int], limit: int) -> list[_Hit]:
        """Return the best documents for more words than one query may have, by summing partial scores.

        Each part returns its best documents, whose scores are then requested from all parts. Other documents
        cannot score higher than the sum of the parts' last scores; until that is low enough, more documents
        are requested (threshold algorithm, Fagin et al. 2003).
        """
        parts = [_any_of(dict(some)) for some in _in_parts(list(words.items()), MOST_CLAUSES)]
        size = limit
        while True:
            size = min(size, self.documents)
            lists = list(self._best(parts, size))
            ranked = self._summed(parts, sorted({one.place for each in lists for one in each}))
            open_lists = [each for each in lists if len(each) == size < self.documents]
            bound = sum(each[-1].score for each in open_lists)
            if not open_lists or (len(ranked) >= limit and ranked[limit - 1].score > bound):
                return ranked[:limit]
            size *= _GROWTH

    def _summed(self, parts: Sequence[Query], places: Sequence[int]) -> list[_Hit]:
        """Return documents by place with their total scores, best first."""
        totals, ids = dict.fromkeys(places, 0.0), {}
        for some in _in_parts(places, _PLACES):
            for hits in self._best([_among(some, part) for part in parts], len(some)):
                for one in hits:
                    totals[one.place] += one.score
                    ids[one.place] = one.id
        ranked = [_Hit(place, ids[place], float(np.float32(total))) for place, total in totals.items()]
        return sorted(ranked, key=lambda one: (-one.score, one.place))

    def _counted(self, queries: Sequence[Query | None]) -> Counts:
        """Count the documents that match each query; 0 for None."""
        counts = np.zeros(len(queries), dtype=np.int64)
        numbered = [(at, query) for at, query in enumerate(queries) if query is not None]
        for some in _in_parts(numbered, _COUNTS):
            searches = [{"query": query, "size": 0, "track_total_hits": True} for _, query in some]
            for (at, _), answer in zip(some, self._search_all(searches), strict=True):
                with reading(self.address.server):
                    counts[at] = answer["hits"]["total"]["value"]
        return counts

    def _search_all(self, searches: Sequence[Query]) -> list[Mapping[str, Any]]:
        """Return the answers to several searches in one request."""
        raise_if_cancelled()
        answers = answers_to(self.address.server, self.address.name, searches, self._search_some)
        with reading(self.address.server):
            for answer in answers:
                if "error" in answer:
                    raise self._error(answer)
        return answers

    def _error(self, answer: Mapping[str, Any]) -> PyramidionError:
        if answer["error"].get("type") == "index_not_found_exception":
            return InputError(
                f"The index {self.address.name} on {self.address.server} was replaced or removed while it "
                "was in use. Run the same command again."
            )
        reason = reason_of(answer, self.address.server)
        return refusal(self.address.server, self.address.name, int(answer.get("status", 400)), reason)

    def _search_some(self, searches: Sequence[Query]) -> list[Mapping[str, Any]]:
        lines = [line for search in searches for line in ({}, search)]
        with reading(self.address.server):
            found = self.client.msearch(index=self.index, searches=lines)["responses"]
            return [{**answer} for answer in found]


def open_index(address: Address) -> ElasticIndex:
    """Open the index at an address. Raises MissingResource if there is none, InputError if it is unusable."""
    client = connect(address.server)
    try:
        version = current_version(client, address)
        index = ElasticIndex(address, version.index, version.metadata, client)
        _check_whole(index)
    except BaseException:
        client.close()
        raise
    return index


def _check_whole(index: ElasticIndex) -> None:
    """Raise InputError unless all documents are there; an index without versions may be incomplete."""
    address, label = index.address, index.label
    count = patiently(address.server, address.name, lambda: index.client.count(index=index.index))
    with reading(address.server):
        there = int(count["count"])
    if not label.is_complete or there != label.documents:
        raise InputError(
            f"Only {there:,} of the {label.documents:,} documents of {address.name} are on {address.server}. "
            f"Upload it again: pyramidion index upload INDEX {address.server}/{address.name}"
        )


def _search(query: Query, limit: int) -> Query:
    order = [{"_score": "desc"}, {PLACE: "asc"}]
    return {"query": query, "size": limit, "sort": order, "_source": [ID], "track_total_hits": False}


def _hit_of(hit: Mapping[str, Any]) -> _Hit:
    """Convert a hit; scores are transmitted as single-precision decimals."""
    return _Hit(int(hit["sort"][-1]), hit["_source"][ID], float(np.float32(hit["_score"])))


def _any_of(words: Mapping[str, int]) -> Query:
    """Match documents with any of the words; a repeated word counts repeatedly."""
    return {"bool": {"should": [_one(word, count) for word, count in words.items()]}}


def _among(places: Sequence[int], part: Query) -> Query:
    """Score only the given documents, whether they match or not."""
    filtered = {"filter": [{"terms": {PLACE: list(places)}}], "minimum_should_match": 0}
    return {"bool": {**part["bool"], **filtered}}


def _one(word: str, boost: float = 1.0) -> Query:
    return {"term": {WORDS: {"value": word, "boost": boost}}}


def _phrase(words: tuple[str, ...]) -> Query | None:
    if len(words) == 1:
        return _one(words[0])
    return {"match_phrase": {WORDS: " ".join(words)}} if words else None


def _in_parts(items: Sequence[T], size: int) -> Iterator[list[T]]:
    for start in range(0, len(items), size):
        yield list(items[start : start + size])
