"""CIDEr-D (Vedantam, Zitnick & Parikh 2015): cosine of tf-idf weighted n-grams."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Text, TopicTexts
from core.metrics.base import (
    Array,
    Explanation,
    Metric,
    Need,
    Pool,
    Prepared,
    Resources,
    Script,
    TopicScores,
    setting,
)
from core.metrics.base.word_setting import icu_signature, script_of
from core.metrics.registry import register
from core.text.tokenization import TokenizerSettings

LONGEST = 4

Hashes = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Frequencies:
    """Number of topics whose references contain each n-gram, by n-gram hash.

    hashes: sorted. counts: same shape. topics: total number of topics.
    """

    hashes: Hashes
    counts: NDArray[np.int64]
    topics: int

    def of(self, hashes: Hashes) -> NDArray[np.int64]:
        """Return the number of topics with each n-gram."""
        if not len(self.hashes):
            return np.zeros(len(hashes), dtype=np.int64)
        at = np.minimum(np.searchsorted(self.hashes, hashes), len(self.hashes) - 1)
        return np.where(self.hashes[at] == hashes, self.counts[at], 0)


@dataclass(frozen=True, slots=True)
class Vector:
    """A text's n-grams of one length: sorted hashes, tf × idf weights, and their Euclidean norm."""

    hashes: Hashes
    weights: Array
    norm: float


@dataclass(frozen=True, slots=True)
class PreparedVectors(Prepared):
    """Vectors of every text for n = 1 … 4, and the number of bigrams of each."""

    vectors: tuple[tuple[Vector, ...], ...]
    lengths: tuple[int, ...]


@register
@dataclass(frozen=True)
class Cider(Metric):
    """Clipped cosine of tf-idf vectors with a length penalty, times 10, mean over n = 1 to 4.

    Document frequencies come from all included references of the study, so scores change with the study;
    with one topic they are 0. With several references, the mean is used. Joint, because the included
    references also determine the frequencies.

    Formula:
        weight(g) = count of the n-gram g in the text · ln(topics / max(1, topics whose references have g))
        sim(n)    = Σ min(summary(g), reference(g)) · reference(g) / (|summary| · |reference|)
                    · exp(−(difference of lengths)² / (2 · sigma²))
        d         = 10 · mean over references and n = 1 … 4 of sim(n)

    Limits:
        Needs many topics: with one topic all weights are 0, and adding a topic changes all scores. Lengths
        are counted in bigrams, as in the published program.
    """

    name: ClassVar[str] = "cider"
    family: ClassVar[str] = "Translation"
    about: ClassVar[str] = "Overlap of n-grams with tf-idf weights, where rare n-grams count more (CIDEr-D)."
    paper: ClassVar[str] = "Vedantam, Zitnick & Parikh 2015"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCES, Need.CORPUS})

    text: str = setting(
        "word",
        "Tokenization: word = runs of letters, digits and underscores; unicode = words of "
        "every script; icu = unicode with word segmentation for scripts without spaces.",
        choices=("word", "unicode", "icu"),
        title="Words",
    )
    stem: bool = setting(
        True, "Compare English stems instead of words (Snowball stems with text=word).", title="Stem"
    )
    sigma: float = setting(
        6.0,
        "Standard deviation of the length penalty, in bigrams; higher values penalize differences less.",
        low=0.1,
        title="Sigma",
    )

    @property
    def pool(self) -> Pool:
        return Pool.JOINT

    def measures(self) -> tuple[str, ...]:
        return (f"{self.name}.d",)

    def signature_extras(self, tools: Resources) -> dict[str, str]:
        sets = tools.reference_sets()
        content = "\n".join("".join(sorted(text.digest for text in texts)) for texts in sets)
        digest = hashlib.sha256(content.encode()).hexdigest()[:12]
        return {"df": f"{len(sets)}-topics-{digest}", **icu_signature(self.text)}

    @property
    def reads(self) -> Script:
        return script_of(self.text)

    def seconds_per_text(self, tools: Resources) -> float:
        return 5e-4

    def prepare(self, topic: TopicTexts, tools: Resources) -> PreparedVectors:
        frequencies = tools.once((self.name, self._cut), lambda: self._frequencies(tools))
        texts = (*topic.summaries, *topic.references)
        vectors = tuple(
            tuple(_vector(grams, frequencies) for grams in self._grams(text, tools)) for text in texts
        )
        lengths = tuple(max(0, len(tools.words(text, self._cut).ids) - 1) for text in texts)
        return PreparedVectors(topic, vectors, lengths)

    def score(self, prepared: Prepared) -> TopicScores:
        assert isinstance(prepared, PreparedVectors)
        systems = range(len(prepared.topic.summaries))
        values = [np.mean([self._similarities(prepared, s, r) for r in _places(prepared)]) for s in systems]
        return TopicScores(10.0 * np.array(values, dtype=np.float64)[:, None])

    def explain(self, prepared: Prepared, system: int) -> dict[str, Explanation]:
        assert isinstance(prepared, PreparedVectors)
        children = []
        for reference, place in zip(prepared.topic.references, _places(prepared), strict=True):
            values = self._similarities(prepared, system, place)
            leaves = tuple(Explanation(f"{n}-grams", value=value) for n, value in enumerate(values, start=1))
            children.append(Explanation(f"against {reference.name}", "mean", children=leaves))
        mean = Explanation("mean of the references", "mean", children=tuple(children))
        return {
            self.measures()[0]: Explanation("×10", "product", children=(Explanation("ten", value=10.0), mean))
        }

    @property
    def _cut(self) -> TokenizerSettings:
        return TokenizerSettings(self.text, self.stem)

    def _similarities(self, prepared: PreparedVectors, system: int, reference: int) -> list[float]:
        """Return the clipped cosine of a summary and a reference for each n, times the length penalty."""
        difference = prepared.lengths[system] - prepared.lengths[reference]
        penalty = math.exp(-(difference**2) / (2 * self.sigma**2))
        pairs = zip(prepared.vectors[system], prepared.vectors[reference], strict=True)
        return [_clipped_cosine(mine, theirs) * penalty for mine, theirs in pairs]

    def _grams(self, text: Text, tools: Resources) -> list[Hashes]:
        """Return the hashes of a text's n-grams for each n."""
        words = tools.words(text, self._cut).ids.astype(np.uint64) + np.uint64(1)
        return [_hash_ngrams(words, n) for n in range(1, LONGEST + 1)]

    def _frequencies(self, tools: Resources) -> Frequencies:
        sets = tools.reference_sets()
        by_topic = [
            np.unique(np.concatenate([hashes for text in texts for hashes in self._grams(text, tools)]))
            for texts in sets
        ]
        every = np.concatenate(by_topic) if by_topic else np.empty(0, np.uint64)
        return Frequencies(*np.unique(every, return_counts=True), len(sets))


def _places(prepared: PreparedVectors) -> range:
    """Return the indices of the references' vectors."""
    return range(len(prepared.topic.summaries), len(prepared.vectors))


_ODD = np.uint64(0x9E3779B97F4A7C15)


def _hash_ngrams(words: Hashes, n: int) -> Hashes:
    """Return 64-bit hashes of the n-grams of word ids; n is part of the hash."""
    count = max(0, len(words) - n + 1)
    hashes = np.full(count, n, dtype=np.uint64)
    for k in range(n):
        hashes = (hashes * _ODD) ^ (
            (hashes >> np.uint64(29)) + words[k : k + count] * np.uint64(0xBF58476D1CE4E5B9)
        )
    return hashes


def _vector(grams: Hashes, frequencies: Frequencies) -> Vector:
    hashes, counts = np.unique(grams, return_counts=True)
    rarity = math.log(max(frequencies.topics, 1)) - np.log(np.maximum(1, frequencies.of(hashes)))
    weights = counts * rarity
    return Vector(hashes, weights, float(np.sqrt((weights**2).sum())))


def _clipped_cosine(mine: Vector, theirs: Vector) -> float:
    """Return the sum of min(mine, theirs) × theirs over common n-grams, divided by the norms unless 0."""
    _, here, there = np.intersect1d(mine.hashes, theirs.hashes, assume_unique=True, return_indices=True)
    weights = theirs.weights[there]
    total = float((np.minimum(mine.weights[here], weights) * weights).sum())
    norms = mine.norm * theirs.norm
    return total / norms if norms else total
