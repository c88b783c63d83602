"""An index on an Elasticsearch server, which ranks as the same index on this computer does.

Documents were sent as the words that our own analysis made, so that both see the same terms; the server ranks
by Lucene's LMDirichlet over one shard, equal scores by the documents' order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from core.errors import InputError
from core.progress import raise_if_cancelled
from core.retrieval.analysis import Analysis
from core.retrieval.protocols import Counts, Hit, Smoothing
from storage.indexes.elastic_connection import Address, connect, map_errors
from storage.indexes.elastic_format import ID, PLACE, TITLE, WORDS, IndexMetadata, read_metadata, term_of

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

T = TypeVar("T")
Query = dict[str, Any]

MOST_CLAUSES = 1000
"""Words asked for at once; the least that a server may be set to allow is 1,024."""

_SEARCHES = 64
_COUNTS = 500
_TITLES = 1000
_PLACES = 50_000
_GROWTH = 4


@dataclass(frozen=True, slots=True)
class _Found:
    """A document that the server found: its place in the index, its id, and its score."""

    place: int
    id: str
    score: float


@dataclass(eq=False)
class ElasticIndex:
    """Fills `core.retrieval.protocols.SearchIndex`. Its methods raise InputError where the server fails."""

    address: Address
    label: IndexMetadata
    client: Elasticsearch
    _titles: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its address."""
        return str(self.address)

    @property
    def fingerprint(self) -> str:
        """As it was when it was sent; nobody can write to it since."""
        return self.label.fingerprint

    @property
    def analysis(self) -> Analysis:
        """How its words were made."""
        return self.label.analysis

    @property
    def documents(self) -> int:
        """How many documents it holds."""
        return self.label.documents

    @property
    def tokens(self) -> int:
        """How many words its documents have together."""
        return self.label.tokens

    def lacking(self, smoothing: Smoothing) -> str:
        """Why it cannot rank with a smoothing: the server's mu and its way with lengths are fixed."""
        if smoothing.norms != "lucene7":
            return (
                "Elasticsearch keeps the lengths of documents as Lucene 7 and later do. Choose "
                "norms=lucene7, or an index on this computer."
            )
        if smoothing.mu != self.label.mu:
            where = f"{self.address.name} on {self.address.server}"
            return (
                f"The index {where} ranks with mu={self.label.mu:g}. Choose that, or send the index "
                f"again under another name with pyramidion index upload --mu {smoothing.mu:g}."
            )
        return ""

    def rank(
        self, queries: Sequence[Sequence[str]], limit: int, smoothing: Smoothing
    ) -> list[tuple[Hit, ...]]:
        """The best documents for each query, at most `limit`, best first."""
        if why := self.lacking(smoothing):
            raise InputError(why)
        counted = [Counter(map(term_of, query)) for query in queries]
        short = [at for at, words in enumerate(counted) if 0 < len(words) <= MOST_CLAUSES and limit]
        ranked: dict[int, Sequence[_Found]] = dict(
            zip(short, self._best([_any_of(counted[at]) for at in short], limit), strict=True)
        )
        for at, words in enumerate(counted):
            if len(words) > MOST_CLAUSES and limit:
                ranked[at] = self._best_in_parts(words, limit)
        return [tuple(Hit(one.id, one.score) for one in ranked.get(at, ())) for at in range(len(counted))]

    def document_frequencies(self, words: Sequence[str]) -> Counts:
        """In how many documents each word stands; 0 = in none."""
        return self._counted([_one(term_of(word)) for word in words])

    def phrase_frequencies(self, phrases: Sequence[tuple[str, ...]]) -> Counts:
        """In how many documents each phrase stands, its words in order with nothing between."""
        return self._counted([_phrase(tuple(map(term_of, phrase))) for phrase in phrases])

    def mean_idf(self) -> float:
        """The mean of `idf` over its distinct words, counted when it was sent; NaN where there are none."""
        return float("nan") if self.label.mean_idf is None else self.label.mean_idf

    def titles(self, ids: Sequence[str]) -> Sequence[str]:
        """What people call documents; the id of one without a title."""
        unknown = [each for each in dict.fromkeys(ids) if each not in self._titles]
        for some in _in_parts(unknown, _TITLES):
            search = {"query": {"terms": {ID: some}}, "size": len(some), "_source": [ID, TITLE]}
            for hit in self._asked([search])[0]["hits"]["hits"]:
                self._titles[hit["_source"][ID]] = hit["_source"][TITLE]
        return [self._titles.get(each) or each for each in ids]

    def close(self) -> None:
        """Let go of the connection."""
        self.client.close()

    def _best(self, queries: Sequence[Query], limit: int) -> Iterator[list[_Found]]:
        """The best documents for each of several queries."""
        for some in _in_parts(queries, _SEARCHES):
            for answer in self._asked([_search(query, limit) for query in some]):
                yield [_found(hit) for hit in answer["hits"]["hits"]]

    def _best_in_parts(self, words: Mapping[str, int], limit: int) -> list[_Found]:
        """The best documents for more words than a server takes at once: partial scores are summed.

        Each part gives its best documents, whose scores are then asked of all parts. What no part gave cannot
        score higher than what the parts gave last do together; until that is too little, more are asked for
        (the threshold algorithm, Fagin et al. 2003).
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

    def _summed(self, parts: Sequence[Query], places: Sequence[int]) -> list[_Found]:
        """Documents by their places with their scores by all parts together, best first."""
        totals, ids = dict.fromkeys(places, 0.0), {}
        for some in _in_parts(places, _PLACES):
            for hits in self._best([_among(some, part) for part in parts], len(some)):
                for one in hits:
                    totals[one.place] += one.score
                    ids[one.place] = one.id
        found = [_Found(place, ids[place], float(np.float32(total))) for place, total in totals.items()]
        return sorted(found, key=lambda one: (-one.score, one.place))

    def _counted(self, queries: Sequence[Query | None]) -> Counts:
        """How many documents each query matches; 0 for None."""
        counts = np.zeros(len(queries), dtype=np.int64)
        asked = [(at, query) for at, query in enumerate(queries) if query is not None]
        for some in _in_parts(asked, _COUNTS):
            searches = [{"query": query, "size": 0, "track_total_hits": True} for _, query in some]
            for (at, _), answer in zip(some, self._asked(searches), strict=True):
                counts[at] = answer["hits"]["total"]["value"]
        return counts

    def _asked(self, searches: Sequence[Query]) -> list[Mapping[str, Any]]:
        """The answers to several searches in one request."""
        raise_if_cancelled()
        lines = [line for search in searches for line in ({}, search)]
        with map_errors(self.address.server, self.address.name):
            said = self.client.msearch(index=self.address.name, searches=lines)
        answers: list[Mapping[str, Any]] = said["responses"]
        for answer in answers:
            if "error" in answer:
                reason = answer["error"].get("reason") or answer["error"].get("type")
                raise InputError(f"{self.address.server} refuses a search ({reason}).")
        return answers


def open_index(address: Address) -> ElasticIndex:
    """The index at an address. Raises MissingResource where there is none, InputError where it is unfit."""
    client = connect(address.server)
    try:
        index = ElasticIndex(address, read_label(client, address), client)
        _check_whole(index)
    except BaseException:
        client.close()
        raise
    return index


def read_label(client: Elasticsearch, address: Address) -> IndexMetadata:
    """What an index says of itself. Raises MissingResource, InputError."""
    with map_errors(address.server, address.name):
        said = client.indices.get_mapping(index=address.name)
    (one,) = said.values()
    return read_metadata(one["mappings"], address)


def _check_whole(index: ElasticIndex) -> None:
    address, label = index.address, index.label
    with map_errors(address.server, address.name):
        there = int(index.client.count(index=address.name)["count"])
    if not label.is_complete or there != label.documents:
        raise InputError(
            f"{there:,} of the {label.documents:,} documents of {address.name} are on {address.server}. Go "
            f"on sending them: pyramidion index upload INDEX {address.server}/{address.name}"
        )


def _search(query: Query, limit: int) -> Query:
    order = [{"_score": "desc"}, {PLACE: "asc"}]
    return {"query": query, "size": limit, "sort": order, "_source": [ID], "track_total_hits": False}


def _found(hit: Mapping[str, Any]) -> _Found:
    """A hit; scores travel as the decimals of single precision."""
    return _Found(int(hit["sort"][-1]), hit["_source"][ID], float(np.float32(hit["_score"])))


def _any_of(words: Mapping[str, int]) -> Query:
    """Documents with any of the words; one that stands twice counts twice."""
    return {"bool": {"should": [_one(word, count) for word, count in words.items()]}}


def _among(places: Sequence[int], part: Query) -> Query:
    """The same over some documents alone, whether they match or not."""
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
