"""SERA (Cohan & Goharian 2016): overlap of the documents retrieved by a summary and a reference."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Literal, cast

from core.domain.study import Text, TopicTexts
from core.errors import MissingResource
from core.metrics.base import Array, Evidence, Explanation, Need, Prepared, Resources, noted, setting
from core.metrics.base.pooling import PooledMetric, compare_pairs
from core.metrics.registry import register
from core.metrics.rouge.overlap import leaf
from core.models.nlp.entities import RULES, resolve_finder
from core.models.nlp.parser import find_pipeline, spacy_version
from core.retrieval.analysis import STEMMERS, Analysis, Stemmer
from core.retrieval.protocols import DEFAULT_MU, STUDY_INDEX, Hit, Norms, SearchIndex, Smoothing
from core.retrieval.queries import Query, keyword_query, noun_phrase_query, text_query

Titles = Callable[[Sequence[str]], Sequence[str]]
"""Returns the titles of documents by their ids."""


@dataclass(frozen=True, slots=True)
class RetrievedDocuments:
    """A text, its query, and the retrieved documents, best first."""

    text: Text
    query: Query
    hits: tuple[Hit, ...]

    def ranks(self) -> dict[str, int]:
        """Return the rank of each document, starting at 1."""
        return {hit.document: rank for rank, hit in enumerate(self.hits, start=1)}


def compare_rankings(mine: RetrievedDocuments, theirs: RetrievedDocuments) -> tuple[float, float]:
    """Return the share of common documents, plain and discounted by rank; 0 if neither ranking has any."""
    here, there = mine.ranks(), theirs.ranks()
    longer = max(len(here), len(there))
    if not longer:
        return 0.0, 0.0
    shared = here.keys() & there.keys()
    reward = math.fsum(discount(here[each], there[each]) for each in shared)
    return len(shared) / longer, reward / longer


def discount(rank: int, other: int) -> float:
    """Return the weight of a document at these ranks: ln 2 / ln(2 + rank difference); 1 if they are equal."""
    return math.log(2) / math.log(abs(rank - other) + 2)


def comparison_tree(
    mine: RetrievedDocuments, theirs: RetrievedDocuments, titles: Titles, *, discounted: bool
) -> Explanation:
    """Explain the overlap of the documents retrieved by a summary and a reference, with both queries."""
    here, there = mine.ranks(), theirs.ranks()
    documents = list(dict.fromkeys((*here, *there)))
    name = theirs.text.name
    leaves = tuple(
        _document_tree(title, here.get(each), there.get(each), name, discounted=discounted)
        for each, title in zip(documents, titles(documents), strict=True)
    )
    children = (
        Explanation("documents retrieved by both", "sum", children=leaves),
        leaf("documents in the longer list", max(len(here), len(there))),
    )
    evidence = (*_query_evidence("summary", mine), *_query_evidence("reference", theirs))
    return Explanation(f"against {name}", "ratio", children=children, evidence=evidence)


def _document_tree(
    title: str, here: int | None, there: int | None, name: str, *, discounted: bool
) -> Explanation:
    """Return the contribution of a document; 0 if only one side retrieved it, which the label names."""
    if here is None:
        return leaf(f"retrieved only by {name}, rank {there}: {title}", 0.0)
    if there is None:
        return leaf(f"retrieved only by the summary, rank {here}: {title}", 0.0)
    return leaf(f"ranks {here} and {there}: {title}", discount(here, there) if discounted else 1.0)


def _query_evidence(
    role: Literal["summary", "reference"], retrieved: RetrievedDocuments
) -> Iterator[Evidence]:
    return (Evidence(role, retrieved.text.name, term.span) for term in retrieved.query)


CHANCE_OVERLAP = 0.05
"""Expected share of common documents of two random lists above which an index is too small to rank."""


@dataclass(frozen=True, slots=True)
class PreparedHits(Prepared):
    """The query and the retrieved documents of each text.

    tied: number of texts for which the order of the index decided between documents.
    """

    index: SearchIndex
    summaries: tuple[RetrievedDocuments, ...]
    references: tuple[RetrievedDocuments, ...]
    tied: int = 0


@register
@dataclass(frozen=True)
class Sera(PooledMetric[PreparedHits]):
    """Share of documents retrieved by both a summary and a reference, plain and discounted by rank.

    With the discount, a shared document counts ln 2 / ln(2 + rank difference). If fewer documents than the
    cut-off are retrieved, the denominator is the length of the longer list; without documents the score is 0.
    Several references: the mean.

    Statistics per reference: both scores.

    Formula:
        score     = shared documents / length of the longer of both lists
        dis score = Σ over shared documents: ln 2 / ln(2 + |difference of their ranks|) / the same length
        both averaged over references

    Limits:
        Depends on the index: with few documents every query finds the same ones. The paper does not state
        its stop words, stemmer and smoothing, so its numbers cannot be reproduced to the digit.
    """

    name: ClassVar[str] = "sera"
    family: ClassVar[str] = "Retrieval"
    about: ClassVar[str] = (
        "Overlap of the documents that a summary and a reference retrieve when used as queries."
    )
    paper: ClassVar[str] = "Cohan & Goharian 2016"
    bibliography: ClassVar[tuple[str, ...]] = ("cohan-goharian-2016-sera",)
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCES, Need.INDEX})
    default_configs: ClassVar[tuple[str, ...]] = ("", "query=np", "query=kw")
    corpus_input: ClassVar[str] = "search index"

    query: str = setting(
        "plain",
        "Query: plain = all words except numbers; np = words of noun phrases; kw = words of "
        "keywords, which are rare expressions of up to three words.",
        choices=("plain", "np", "kw"),
        title="Query",
    )
    cutoff: int = setting(5, "Number of top documents that are compared.", low=1, high=1000, title="Cut-off")
    index: str = setting(
        STUDY_INDEX,
        "Index that is searched: documents = the documents of the study; or the name of an "
        "index, or the address of one on a server.",
        title="Index",
    )
    stemmer: str = setting(
        "porter",
        "Stemmer for the study's documents: Porter's, the newer english, or none; other "
        "indexes define their own.",
        choices=STEMMERS,
        title="Stemmer",
    )
    stop_words: bool = setting(
        True,
        "Remove English stop words from the study's documents; other indexes define their own.",
        title="Remove stop words",
    )
    mu: float = setting(
        DEFAULT_MU, "Smoothing of the ranking (Dirichlet mu), in words.", low=0.001, title="Mu"
    )
    norms: str = setting(
        "lucene7",
        "Document length: lucene7 = as in Lucene 7 and Elasticsearch 6 and later; lucene4 = "
        "as in earlier versions; exact = unrounded.",
        choices=("lucene7", "lucene4", "exact"),
        title="Lengths",
    )
    phrases: str = setting(
        "auto",
        "Noun phrase finder: folder or installed package of a spaCy pipeline; rules = "
        "approximate English rules; auto = en_core_web_sm if installed, otherwise rules.",
        title="Noun phrases",
    )
    rarity: float = setting(
        1.0,
        "Minimum idf of a keyword, relative to the mean over the words of the index.",
        low=0.0,
        title="Rarity of keywords",
    )

    def __post_init__(self) -> None:
        if self.query == "np":  # the signature names the finder
            object.__setattr__(self, "phrases", resolve_finder(self.phrases))
        elif self.phrases != "auto" and self.phrases == resolve_finder("auto"):  # of a copy
            object.__setattr__(self, "phrases", "auto")
        super().__post_init__()

    def substitutes(self) -> tuple[tuple[str, str], ...]:
        is_rough = self.query == "np" and self.phrases == RULES
        return (("approximate English rules", "a noun phrase parser"),) if is_rough else ()

    def unused(self) -> dict[str, str]:
        by_query = {"np": {"rarity"}, "kw": {"phrases"}}.get(self.query, {"rarity", "phrases"})
        by_index = {"stemmer", "stop_words"} if self.index != STUDY_INDEX else set()
        return dict.fromkeys(by_query, f"query={self.query}") | dict.fromkeys(by_index, f"index={self.index}")

    def measures(self) -> tuple[str, ...]:
        kind = "" if self.query == "plain" else f"-{self.query}"
        return f"sera{kind}-{self.cutoff}.score", f"sera-dis{kind}-{self.cutoff}.score"

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        index = self._index(resources)
        extras = {
            "analysis": str(index.analysis),
            "corpus": f"{index.documents}-documents-{index.fingerprint[:12]}",
        }
        if self._parses:
            pipeline = find_pipeline(self.phrases)
            label = "-".join(part for part in (pipeline.name, pipeline.version) if part)
            extras |= {
                "pipeline": label,
                "hash": resources.files_hash(pipeline.files)[:12],
                "spacy": spacy_version(),
            }
        return extras

    def corpus_hash(self, resources: Resources) -> str:
        return self._index(resources).fingerprint

    def check(self, resources: Resources) -> None:
        if self._parses:
            find_pipeline(self.phrases)
        if why := self._index(resources).missing_requirements(self._smoothing):
            raise MissingResource(why)

    def missing_requirements(self, topic: TopicTexts, resources: Resources) -> str:
        return "" if self._index(resources).documents else "no documents to search in"

    def seconds_per_text(self, resources: Resources) -> float:
        return 2e-2 if self._parses else 2e-3

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedHits:
        index = self._index(resources)
        texts = (*topic.summaries, *topic.references)
        queries = self._queries(texts, index, resources)
        words = [[term.word for term in query] for query in queries]
        hits = index.rank(words, self.cutoff + 1, self._smoothing)  # one more shows a tie at the cut-off
        retrieved = tuple(
            RetrievedDocuments(text, query, each[: self.cutoff])
            for text, query, each in zip(texts, queries, hits, strict=True)
        )
        count = len(topic.summaries)
        tied = 0 if self.norms == "exact" else sum(map(_has_tie, hits))
        return PreparedHits(topic, index, retrieved[:count], retrieved[count:], tied)

    def per_reference(self, prepared: PreparedHits) -> Array:
        return compare_pairs(prepared.summaries, prepared.references, compare_rankings, width=2)

    def notes(self, prepared: PreparedHits) -> dict[str, int]:
        documents = prepared.index.documents
        return noted(
            found_nothing=sum(not one.hits for one in (*prepared.summaries, *prepared.references)),
            cutoff_exceeds_index=documents <= self.cutoff,
            small_index=self.cutoff < documents < self.cutoff / CHANCE_OVERLAP,
            tied_documents=prepared.tied,
        )

    def trees(self, prepared: PreparedHits, system: int) -> Iterator[Sequence[Explanation]]:
        mine, titles = prepared.summaries[system], prepared.index.titles
        for theirs in prepared.references:
            yield [comparison_tree(mine, theirs, titles, discounted=each) for each in (False, True)]

    @property
    def _smoothing(self) -> Smoothing:
        return Smoothing(self.mu, cast(Norms, self.norms))

    @property
    def _parses(self) -> bool:
        return self.query == "np" and self.phrases != RULES

    def _index(self, resources: Resources) -> SearchIndex:
        return resources.index(self.index, Analysis(cast(Stemmer, self.stemmer), self.stop_words))

    def _queries(self, texts: Sequence[Text], index: SearchIndex, resources: Resources) -> list[Query]:
        """Return the query of each text."""
        whole = [text_query(text.content, index) for text in texts]
        match self.query:
            case "np":
                phrases = resources.phrase_finder(self.phrases).phrases(texts)
                return [
                    noun_phrase_query(query, [phrase.span for phrase in own])
                    for query, own in zip(whole, phrases, strict=True)
                ]
            case "kw":
                return keyword_query(whole, index, self.rarity)
            case _:
                return whole


def _has_tie(hits: Sequence[Hit]) -> bool:
    """Return whether neighbours have the same score; at score 0 no length matters."""
    return any(a.score == b.score > 0 for a, b in pairwise(hits))
