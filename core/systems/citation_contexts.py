"""Sentences of an article that its citances reflect, for each discourse facet in turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import sparse

from core.domain.citations import facet_order
from core.settings import setting
from core.systems.base import TermSummarizer
from core.systems.c_lexrank import clusters
from core.systems.registry import register
from core.systems.source import Array, Source, cosines, term_counts


@register
@dataclass(frozen=True)
class CitationContexts(TermSummarizer):
    """Sentences of the article that its citances reflect: the best of each discourse facet in turn.

    The contexts of a citance are the sentences with the highest cosine of tf-idf to it, or those that
    annotators marked. They are grouped by the facets of their citances, or as clusters of similar
    sentences. Each group in turn gives its sentence with the highest λ · relevance to the group -
    (1 - λ) · (highest similarity to a chosen one). The paper's queries are reformulated and its facets
    predicted by a trained classifier; here the whole citance is the query, and the facets are those of
    annotators. Where no citance of a topic has a facet, its groups are clusters. Not in the paper: the
    number of contexts. λ is that of the authors' code.

    Formula:
        next = largest relevance · cosine(u, group) − (1 − relevance) · max over chosen v of cosine(u, v)

    Limits:
        Needs citances. The facets are annotators', and so are the contexts with `contexts=annotated`, so that
        the summaries are an upper bound; `contexts=retrieved,groups=clusters` reads no annotations.
    """

    name: ClassVar[str] = "citation-contexts"
    about: ClassVar[str] = "Sentences that citances reflect, for each discourse facet in turn."
    paper: ClassVar[str] = "Cohan & Goharian 2015"
    bibliography: ClassVar[tuple[str, ...]] = ("cohan-goharian-2015-citation",)

    contexts: str = setting(
        "retrieved",
        "Contexts of a citance: the most similar sentences, or those that annotators marked: an upper bound.",
        choices=("retrieved", "annotated"),
        title="Contexts",
    )
    count: int = setting(
        3, "Number of sentences retrieved for a citance.", low=1, title="Sentences per citance"
    )
    groups: str = setting(
        "facets",
        "Groups of contexts: by annotators' discourse facets, or clusters of similar sentences.",
        choices=("facets", "clusters"),
        title="Groups",
    )
    relevance: float = setting(0.3, "λ, the weight of relevance.", low=0.0, high=1.0, title="λ")
    idf: str = setting(
        "sentences",
        "Inverse document frequency over the study's documents, the topic's sentences, or none.",
        choices=("collection", "sentences", "none"),
        title="idf",
    )

    def unused(self) -> dict[str, str]:
        return {} if self.contexts == "retrieved" else {"count": f"contexts={self.contexts}"}

    @property
    def upper_bound_by(self) -> str:
        reads = self.contexts == "annotated" or self.groups == "facets"
        return "annotations of citances" if reads else ""

    @property
    def reads_citances(self) -> bool:
        return True

    def rank(self, source: Source) -> Iterator[int]:
        """Yield the contexts in the order of choice, then no more."""
        weights = sparse.diags(source.idf(self.idf))
        rows = source.counts @ weights
        similarity = cosines(rows)
        groups = self._groups(source, self._contexts(source, rows, weights), similarity)
        relevance = [
            cosines(rows[group], sparse.csr_matrix(rows[group].sum(axis=0)))[:, 0] for group in groups
        ]
        likeness = np.zeros(len(source.sentences))
        chosen: set[int] = set()
        while len(chosen) < len(set().union(*groups)):
            for group, relevant in zip(groups, relevance, strict=True):
                value = np.round(self.relevance * relevant - (1 - self.relevance) * likeness[group], 12)
                value[[index in chosen for index in group]] = -np.inf
                if np.isinf(value).all():
                    continue
                best = group[int(value.argmax())]
                yield best
                chosen.add(best)
                likeness = np.maximum(likeness, similarity[:, best])

    def _contexts(
        self, source: Source, rows: sparse.csr_matrix, weights: sparse.dia_matrix
    ) -> list[list[int]]:
        """Return the indices of the sentences that each citance reflects."""
        if self.contexts == "annotated":
            return [list(citance.cited) for citance in source.citances]
        queries = term_counts([citance.terms for citance in source.citances], source.vocabulary) @ weights
        found = np.round(cosines(queries, rows), 12)
        order = np.argsort(-found, axis=1, kind="stable")[:, : self.count]
        return [[int(index) for index in row if found[place, index] > 0] for place, row in enumerate(order)]

    def _groups(
        self, source: Source, contexts: Sequence[Sequence[int]], similarity: Array
    ) -> list[list[int]]:
        """Return groups of sentences, each sorted: facets in the order of a paper, or clusters by size."""
        every = sorted({index for context in contexts for index in context})
        if self.groups == "clusters" or not any(citance.facets for citance in source.citances):
            found = clusters(similarity[np.ix_(every, every)])
            parts = sorted(found, key=lambda members: (-len(members), members[0]))
            return [[every[member] for member in members] for members in parts]
        by_facet: dict[str, set[int]] = {}
        for citance, context in zip(source.citances, contexts, strict=True):
            for facet in citance.facets or ("",):
                by_facet.setdefault(facet, set()).update(context)
        return [sorted(by_facet[facet]) for facet in sorted(by_facet, key=facet_order) if by_facet[facet]]
