"""KLSum against the content model of latent Dirichlet allocation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.settings import setting
from core.systems.base import TermSummarizer
from core.systems.kl_sum import choose_by_divergence
from core.systems.registry import register
from core.systems.source import Array, Source


@register
@dataclass(frozen=True)
class LdaSummarizer(TermSummarizer):
    """KLSum against the word distribution of the documents' latent topics.

    LDA (variational Bayes, scikit-learn) is fitted to the topic's sentences. The content model of the
    documents is the word distribution of their topics, each sentence weighted by its length. The number of
    topics and the priors (0 = 1 / topics) are stated nowhere.

    Formula:
        as kl-sum, with p(w) = Σ over topics of p(topic) · p(w | topic)

    Limits:
        A topic of a few documents is little data for a topic model; seeds give different summaries.
    """

    name: ClassVar[str] = "lda"
    about: ClassVar[str] = "Sentences whose latent topics have the words of the documents."
    paper: ClassVar[str] = "Blei, Ng & Jordan 2003; Haghighi & Vanderwende 2009"
    bibliography: ClassVar[tuple[str, ...]] = ("blei-2003-lda", "haghighi-vanderwende-2009-content")

    topics: int = setting(5, "Number of latent topics.", low=1, high=1000, title="Topics")
    alpha: float = setting(0.0, "Prior of topics in a sentence, 0 = 1 / topics.", low=0.0, title="α")
    eta: float = setting(0.0, "Prior of words in a topic, 0 = 1 / topics.", low=0.0, title="η")
    iterations: int = setting(20, "Passes over the sentences.", low=1, high=10_000, title="Iterations")
    smoothing: float = setting(
        0.1,
        "Share of the content model in the summary's word distribution.",
        low=1e-9,
        high=0.999,
        title="Smoothing",
    )
    seed: int = setting(0, "Seed of the start.", low=0, title="Seed")

    def rank(self, source: Source) -> Iterator[int]:
        """Yield the sentences in the order of choice; equal ones by position."""
        return choose_by_divergence(source.counts, self.content_model(source), self.smoothing)

    def content_model(self, source: Source) -> Array:
        """Return the share of each term in the documents' latent topics, shape (terms,)."""
        lengths = np.asarray(source.counts.sum(axis=1)).ravel()
        if not lengths.any():
            return np.zeros(len(source.vocabulary))
        from sklearn.decomposition import LatentDirichletAllocation

        model = LatentDirichletAllocation(
            self.topics,
            doc_topic_prior=self.alpha or None,
            topic_word_prior=self.eta or None,
            max_iter=self.iterations,
            random_state=self.seed,
        )
        shares = model.fit_transform(source.counts)
        words = model.components_ / model.components_.sum(axis=1, keepdims=True)
        content: Array = (lengths @ shares) @ words / lengths.sum()
        return content
