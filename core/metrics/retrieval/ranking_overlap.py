"""Comparison of two rankings of retrieved documents: shared documents and rank differences."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from core.domain.study import Text
from core.metrics.base import Evidence, Explanation
from core.metrics.rouge.overlap_explanation import leaf
from core.retrieval.protocols import Hit
from core.retrieval.queries import Query

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
