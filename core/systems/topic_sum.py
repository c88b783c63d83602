"""TopicSum: KLSum with a content distribution that is freed from general and document-specific words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from core.jit import Kernel
from core.settings import setting
from core.systems.base import TermSummarizer
from core.systems.kl_sum import choose_by_divergence
from core.systems.registry import register
from core.systems.source import Array, Source


@register
@dataclass(frozen=True)
class TopicSum(TermSummarizer):
    """KLSum against the content distribution of the topic's documents.

    Each word of a sentence comes from the background, the topic's content or its document; the sentence's mix
    of the three has a Dirichlet prior. Collapsed Gibbs sampling; the content distribution is the mean of the
    samples after the burn-in. Unlike the paper, which learns it with the topics, the background is the
    smoothed distribution of the words in all documents of the study.
    """

    name: ClassVar[str] = "topic-sum"
    about: ClassVar[str] = "KLSum without the general words and those of single documents."
    paper: ClassVar[str] = "Haghighi & Vanderwende 2009"

    background: float = setting(1.0, "Prior of words from the background.", low=1e-9, title="Background")
    content: float = setting(5.0, "Prior of words from the topic's content.", low=1e-9, title="Content")
    document: float = setting(10.0, "Prior of words from the document.", low=1e-9, title="Document")
    prior: float = setting(0.1, "Prior of each word in a distribution.", low=1e-9, title="Word prior")
    samples: int = setting(
        200, "Passes of the sampler, the first half is the burn-in.", low=2, title="Samples"
    )
    smoothing: float = setting(
        0.1,
        "Share of the content distribution in the summary's one.",
        low=1e-9,
        high=0.999,
        title="Smoothing",
    )
    seed: int = setting(0, "Seed of the sampler.", low=0, title="Seed")

    def rank(self, source: Source) -> Iterator[int]:
        """Yield the sentences in the order of choice; equal ones by position."""
        return choose_by_divergence(source.counts, self.content_distribution(source), self.smoothing)

    def content_distribution(self, source: Source) -> Array:
        """Return the share of each term in the topic's content, shape (terms,)."""
        terms, sentences, documents = [], [], []
        for place, sentence in enumerate(source.sentences):
            for term in sentence.terms:
                terms.append(source.vocabulary[term])
                sentences.append(place)
                documents.append(sentence.document)
        count = len(source.vocabulary)
        if not terms:
            return np.zeros(count)
        general = source.collection.frequency
        known = np.array([general.get(term, 0) for term in source.vocabulary], dtype=float) + self.prior
        chance = random.Random(f"{self.seed} {source.name}")
        drawn = np.array([chance.random() for _ in range(self.samples * len(terms))])
        priors = np.array([self.background, self.content, self.document, self.prior])
        sizes = np.array([len(terms), count, len(source.sentences), max(documents) + 1, self.samples])
        result = np.zeros(count)
        _SAMPLER(
            sizes,
            np.array(terms),
            np.array(sentences),
            np.array(documents),
            known / (sum(general.values()) + self.prior * max(len(general), count)),
            priors,
            drawn,
            np.zeros(len(terms), dtype=np.int64),
            np.zeros(len(source.sentences) * 3),
            np.zeros((max(documents) + 2) * count),
            np.zeros(max(documents) + 2),
            result,
            steps=self.samples * len(terms),
        )
        shares: Array = (result + self.prior) / (result.sum() + self.prior * count)
        return shares


def _sample(
    sizes: Any,
    terms: Any,
    sentences: Any,
    documents: Any,
    general: Any,
    priors: Any,
    drawn: Any,
    origin: Any,
    of_sentence: Any,
    of_term: Any,
    totals: Any,
    result: Any,
) -> None:
    """Draw the origin of each word many times; add up how often each term came from the content.

    origin: 0 background, 1 content, 2 document, by word. of_sentence: words of each origin, by sentence.
    of_term: frequency of each term in the content (first) and in each document; totals: their sums.
    result: mean frequency of each term in the content over the second half of the passes.
    """
    words, count, samples = sizes[0], sizes[1], sizes[4]
    for word in range(words):
        kind = word % 3
        origin[word] = kind
        of_sentence[sentences[word] * 3 + kind] += 1.0
        if kind > 0:
            row = 0 if kind == 1 else documents[word] + 1
            of_term[row * count + terms[word]] += 1.0
            totals[row] += 1.0
    kept = samples - samples // 2
    for sample in range(samples):
        for word in range(words):
            term, place, kind = terms[word], sentences[word] * 3, origin[word]
            own = documents[word] + 1
            of_sentence[place + kind] -= 1.0
            if kind > 0:
                row = 0 if kind == 1 else own
                of_term[row * count + term] -= 1.0
                totals[row] -= 1.0
            smooth = priors[3] * count
            first = (of_sentence[place] + priors[0]) * general[term]
            second = (of_sentence[place + 1] + priors[1]) * (of_term[term] + priors[3]) / (totals[0] + smooth)
            third = (
                (of_sentence[place + 2] + priors[2])
                * (of_term[own * count + term] + priors[3])
                / (totals[own] + smooth)
            )
            point = drawn[sample * words + word] * (first + second + third)
            kind = 0
            if point >= first:
                kind = 1
                if point >= first + second:
                    kind = 2
            origin[word] = kind
            of_sentence[place + kind] += 1.0
            if kind > 0:
                row = 0 if kind == 1 else own
                of_term[row * count + term] += 1.0
                totals[row] += 1.0
        if sample >= samples - kept:
            for term in range(count):
                result[term] += of_term[term] / kept


_SAMPLER = Kernel(_sample)
