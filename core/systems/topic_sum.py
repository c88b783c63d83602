"""TopicSum: KLSum with a content distribution that is freed from general and document-specific words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel
from core.progress import raise_if_cancelled
from core.settings import setting
from core.systems.base import Summary, TermSummarizer
from core.systems.kl_sum import choose_by_divergence
from core.systems.registry import register
from core.systems.source import Array, Source

Numbers = NDArray[np.int64]

_STEPS = 20
"""Statements that a pass runs for a word."""


@register
@dataclass(frozen=True)
class TopicSum(TermSummarizer):
    """KLSum against the content distribution of the topic's documents.

    Each word of a sentence comes from the background of the study, the content of its topic or its document;
    the sentence's mix of the three and all distributions over words have Dirichlet priors. All topics of the
    study are learnt together by collapsed Gibbs sampling; the content distribution is the mean of the samples
    after the burn-in. The priors are those of R. Mason's published implementation.

    Formula:
        as kl-sum, with the content distribution instead of that of all words

    Limits:
        Sampling: seeds give different summaries. Slow on many documents.
    """

    name: ClassVar[str] = "topic-sum"
    about: ClassVar[str] = "KLSum without the general words and those of single documents."
    paper: ClassVar[str] = "Haghighi & Vanderwende 2009"
    bibliography: ClassVar[tuple[str, ...]] = ("haghighi-vanderwende-2009-content",)

    stop_words: bool = setting(
        False, "Ignore English stop words, which the background learns otherwise.", title="Drop stop words"
    )
    background: float = setting(10.0, "Prior of words from the background.", low=1e-9, title="Background")
    content: float = setting(1.0, "Prior of words from the topic's content.", low=1e-9, title="Content")
    document: float = setting(5.0, "Prior of words from the document.", low=1e-9, title="Document")
    background_words: float = setting(
        1.0, "Prior of each word in the background.", low=1e-9, title="Background words"
    )
    content_words: float = setting(
        0.1, "Prior of each word in a topic's content.", low=1e-9, title="Content words"
    )
    document_words: float = setting(
        1.0, "Prior of each word in a document.", low=1e-9, title="Document words"
    )
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
    seed: int = setting(0, "Seed of the sampler.", low=0, high=2**32 - 1, title="Seed")

    def rank(self, source: Source) -> Iterator[int]:
        """Yield the sentences in the order of choice; equal ones by position."""
        return self._rank(source, self.content_frequencies(source.study()))

    def summarize_all(self, sources: Iterable[Source], device: str = "auto") -> Iterator[Summary]:
        """Yield a summary for each source; the distributions are learnt once."""
        learnt: Mapping[str, Mapping[str, float]] | None = None
        for source in sources:
            if learnt is None:
                learnt = self.content_frequencies(source.study())
            yield Summary(self.chosen(source, self._rank(source, learnt)))

    def _rank(self, source: Source, learnt: Mapping[str, Mapping[str, float]]) -> Iterator[int]:
        found = learnt.get(source.name, {})
        counts = np.array([found.get(term, 0.0) for term in source.vocabulary]) + self.content_words
        return choose_by_divergence(source.counts, counts / max(counts.sum(), 1e-9), self.smoothing)

    def content_frequencies(self, sources: Iterable[Source]) -> dict[str, dict[str, float]]:
        """Return how often each word came from the content, on average, by topic."""
        words, names = _Words(), []
        for source in sources:
            words.add(source)
            names.append(source.name)
        if not words.terms:
            return {}
        topics, documents = words.pairs(words.topics), words.pairs(words.documents)
        means = self._sample(words, topics[1], documents[1])
        found: dict[str, dict[str, float]] = {name: {} for name in names}
        listed = list(words.vocabulary)
        for (topic, term), mean in zip(topics[0].tolist(), means.tolist(), strict=True):
            found[names[topic]][listed[term]] = mean
        return found

    def _sample(self, words: _Words, topic_pairs: Numbers, document_pairs: Numbers) -> Array:
        """Return the mean number of words from the content, by pair of a topic and a term."""
        random = np.random.RandomState(self.seed)
        count, pairs = len(words.terms), int(topic_pairs.max()) + 1
        origins = np.arange(count) % 3
        sums = np.zeros(pairs)
        burn_in = self.samples // 2
        lists = (words.terms, topic_pairs, document_pairs, words.sentences, words.topics, words.documents)
        columns = [np.asarray(one, dtype=np.int64) for one in lists]
        sizes = np.array([int(column.max()) + 1 for column in columns])
        mix = np.array([self.background, self.content, self.document])
        each = np.array([self.background_words, self.content_words, self.document_words])
        for sample in range(self.samples):
            raise_if_cancelled()
            _PASS(*columns, sizes, mix, each, random.random_sample(count), origins, steps=_STEPS * count)
            if sample >= burn_in:
                sums += np.bincount(topic_pairs[origins == 1], minlength=pairs)
        return sums / (self.samples - burn_in)


class _Words:
    """All words of the study, one after the other, with the numbers of what they belong to."""

    def __init__(self) -> None:
        self.vocabulary: dict[str, int] = {}
        self.terms: list[int] = []
        self.sentences: list[int] = []
        self.documents: list[int] = []
        self.topics: list[int] = []
        self._counts = [0, 0, 0]  # of sentences, documents and topics

    def add(self, source: Source) -> None:
        """Add the words of a topic."""
        sentences, documents, topics = self._counts
        for place, sentence in enumerate(source.sentences):
            for term in sentence.terms:
                self.terms.append(self.vocabulary.setdefault(term, len(self.vocabulary)))
                self.sentences.append(sentences + place)
                self.documents.append(documents + sentence.document)
                self.topics.append(topics)
        last = max((sentence.document for sentence in source.sentences), default=-1)
        self._counts = [sentences + len(source.sentences), documents + last + 1, topics + 1]

    def pairs(self, owners: Sequence[int]) -> tuple[Numbers, Numbers]:
        """Return the distinct pairs of an owner and a term, and for each word the number of its pair."""
        size = len(self.vocabulary)
        keys = np.asarray(owners, dtype=np.int64) * size + np.asarray(self.terms, dtype=np.int64)
        distinct, numbers = np.unique(keys, return_inverse=True)
        return np.stack([distinct // size, distinct % size], axis=1), numbers.reshape(-1).astype(np.int64)


def _pass(
    terms: Any, topic_pairs: Any, document_pairs: Any, sentences: Any, topics: Any, documents: Any,
    sizes: Any, mix: Any, each: Any, drawn: Any, origins: Any,
) -> None:  # fmt: skip
    """Draw the origin of each word once: 0 background, 1 content of its topic, 2 its document.

    terms to documents: number of what each word belongs to; sizes: how many of these there are.
    mix: prior of each origin in a sentence. each: prior of a word in a distribution, by origin.
    drawn: uniform numbers from 0 to below 1, by word.
    """
    in_background = [0.0] * sizes[0]
    in_topic, in_document = [0.0] * sizes[1], [0.0] * sizes[2]
    in_sentence = [0.0] * (3 * sizes[3])
    background, of_topic, of_document = 0.0, [0.0] * sizes[4], [0.0] * sizes[5]
    for word in range(len(origins)):
        origin = origins[word]
        in_sentence[3 * sentences[word] + origin] += 1.0
        if origin == 0:
            in_background[terms[word]] += 1.0
            background += 1.0
        elif origin == 1:
            in_topic[topic_pairs[word]] += 1.0
            of_topic[topics[word]] += 1.0
        else:
            in_document[document_pairs[word]] += 1.0
            of_document[documents[word]] += 1.0
    smooth0, smooth1, smooth2 = each[0] * sizes[0], each[1] * sizes[0], each[2] * sizes[0]
    for word in range(len(origins)):
        term, place = terms[word], 3 * sentences[word]
        topic, document = topics[word], documents[word]
        topic_pair, document_pair = topic_pairs[word], document_pairs[word]
        origin = origins[word]
        in_sentence[place + origin] -= 1.0
        if origin == 0:
            in_background[term] -= 1.0
            background -= 1.0
        elif origin == 1:
            in_topic[topic_pair] -= 1.0
            of_topic[topic] -= 1.0
        else:
            in_document[document_pair] -= 1.0
            of_document[document] -= 1.0
        first = (in_sentence[place] + mix[0]) * (in_background[term] + each[0]) / (background + smooth0)
        second = (in_sentence[place + 1] + mix[1]) * (in_topic[topic_pair] + each[1])
        second /= of_topic[topic] + smooth1
        third = (in_sentence[place + 2] + mix[2]) * (in_document[document_pair] + each[2])
        third /= of_document[document] + smooth2
        point = drawn[word] * (first + second + third)
        origin = 0
        if point >= first:
            origin = 1
            if point >= first + second:
                origin = 2
        origins[word] = origin
        in_sentence[place + origin] += 1.0
        if origin == 0:
            in_background[term] += 1.0
            background += 1.0
        elif origin == 1:
            in_topic[topic_pair] += 1.0
            of_topic[topic] += 1.0
        else:
            in_document[document_pair] += 1.0
            of_document[document] += 1.0


_PASS = Kernel(_pass)
