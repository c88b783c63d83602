"""CIDEr-D (Vedantam, Zitnick & Parikh 2015): cosine of tf-idf weighted n-grams."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Span, TopicTexts
from core.jit import Kernel
from core.metrics.base import (
    Array,
    Evidence,
    Explanation,
    Metric,
    Need,
    Pool,
    Prepared,
    Resources,
    Script,
    TopicScores,
    noted,
    setting,
    undefined,
)
from core.metrics.base.word_setting import icu_signature, script_of, word_tokenization
from core.metrics.registry import register
from core.text.tokenization import TokenizedText, TokenizerSettings

Floats = NDArray[np.float64]
Units = NDArray[np.int64]


def clipped_cosines(
    units: Units, weights: Floats, ends: Units, norms: Floats, texts: int, summaries: int
) -> Floats:
    """Return Σ min(summary, reference) · reference / norms by summary, reference and kind of unit.

    units, weights: of all vectors after one another. ends: where each vector begins, by text and kind.
    norms: by text and kind. The summaries are the first texts. A norm of 0 divides by 1.
    Sums have twice the digits of a number, so that the order of units changes none.
    """
    kinds = (len(ends) - 1) // texts
    references = texts - summaries
    out = np.zeros(summaries * references * kinds)
    total = int(units.max(initial=-1)) + 1
    sizes = np.array([summaries, references, kinds], dtype=np.int64)
    steps = 8 * references * int(ends[summaries * kinds])
    _FILL(sizes, units, weights, ends, norms, np.zeros(total), out, steps=steps)
    return out.reshape(summaries, references, kinds)


def _fill(sizes: Any, units: Any, weights: Any, ends: Any, norms: Any, table: Any, out: Any) -> None:
    """Fill the cosines. table: zeros, the weight of each unit in a reference."""
    summaries, references, kinds = sizes[0], sizes[1], sizes[2]
    for r in range(references):
        for kind in range(kinds):
            theirs = (summaries + r) * kinds + kind
            for at in range(ends[theirs], ends[theirs + 1]):
                table[units[at]] = weights[at]
            for s in range(summaries):
                mine = s * kinds + kind
                product = norms[mine] * norms[theirs]
                if product == 0:
                    product = 1.0
                high = low = 0.0
                for at in range(ends[mine], ends[mine + 1]):
                    weight = table[units[at]]
                    if weight > 0:
                        term = min(weights[at], weight) * weight / product
                        total = high + term
                        part = total - high
                        low += (high - (total - part)) + (term - part)
                        high = total
                out[(s * references + r) * kinds + kind] = high + low
            for at in range(ends[theirs], ends[theirs + 1]):
                table[units[at]] = 0.0


_FILL = Kernel(_fill)


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
    """A text's n-grams of one length: sorted hashes, tf × idf weights, and their Euclidean norm.

    Hashes depend on what was tokenized before, so the order of a sum must change no digit.
    """

    hashes: Hashes
    weights: Array
    norm: float


@dataclass(frozen=True, slots=True)
class PreparedVectors(Prepared):
    """Vectors of every text for n = 1 … 4, after one another, and the words of each text.

    hashes: of the topic's n-grams. grams, weights: their places there and tf × idf weights by vector.
    ends: where each vector begins. norms: of the vectors.
    """

    hashes: Hashes
    grams: NDArray[np.int64]
    weights: Array
    ends: NDArray[np.int64]
    norms: Array
    words: tuple[TokenizedText, ...]

    def vector(self, text: int, n: int) -> Vector:
        """Return the vector of a text."""
        at = text * LONGEST + n - 1
        part = slice(self.ends[at], self.ends[at + 1])
        return Vector(self.hashes[self.grams[part]], self.weights[part], float(self.norms[at]))

    @property
    def lengths(self) -> list[int]:
        """Return the number of bigrams of each text."""
        return [max(0, len(each.ids) - 1) for each in self.words]


@register
@dataclass(frozen=True)
class Cider(Metric[PreparedVectors]):
    """Clipped cosine of tf-idf vectors with a length penalty, times 10, mean over n = 1 to 4.

    Document frequencies come from all included references of the study, so scores change with the study;
    with one topic all weights are 0 and there is no score. With several references, the mean is used. Joint,
    because the included references also determine the frequencies.

    Formula:
        weight(g) = count of the n-gram g in the text · ln(topics / max(1, topics whose references have g))
        sim(n)    = Σ min(summary(g), reference(g)) · reference(g) / (|summary| · |reference|)
                    · exp(−(difference of lengths)² / (2 · sigma²))
        d         = 10 · mean over references and n = 1 … 4 of sim(n)

    Limits:
        Needs many topics: with one topic all weights are 0 and there is no score (the published program
        prints 0), and adding a topic changes all scores. Lengths are counted in bigrams, as in that program.
    """

    name: ClassVar[str] = "cider"
    family: ClassVar[str] = "Translation"
    version: ClassVar[int] = 2
    about: ClassVar[str] = "Overlap of n-grams with tf-idf weights, where rare n-grams count more (CIDEr-D)."
    paper: ClassVar[str] = "Vedantam, Zitnick & Parikh 2015"
    bibliography: ClassVar[tuple[str, ...]] = ("vedantam-2015-cider",)
    is_in_summeval: ClassVar[bool] = True
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCES, Need.CORPUS})
    default_pool: ClassVar[Pool] = Pool.JOINT
    parts: ClassVar[tuple[str, ...]] = ("d",)
    default_seconds: ClassVar[float] = 2e-4

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

    @classmethod
    def language_settings(cls, language: str) -> Mapping[str, str]:
        return {"text": word_tokenization(language), "stem": "no"}

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        sets = resources.reference_sets()
        content = "\n".join("".join(sorted(text.digest for text in texts)) for texts in sets)
        digest = hashlib.sha256(content.encode()).hexdigest()[:12]
        return {"df": f"{len(sets)}-topics-{digest}", **icu_signature(self.text)}

    @property
    def reads(self) -> Script:
        return script_of(self.text)

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedVectors:
        frequencies = resources.once((self.name, self._cut), lambda: self._frequencies(resources))
        texts = (*topic.summaries, *topic.references)
        words = tuple(resources.words(text, self._cut) for text in texts)
        return PreparedVectors(topic, *_vectors(words, frequencies), words)

    def score(self, prepared: PreparedVectors) -> TopicScores:
        texts, systems = len(prepared.words), len(prepared.topic.summaries)
        if _lacks_weights(prepared):
            notes = noted(zero_weights=len(prepared.topic.references))
            return TopicScores(np.full((systems, 1), np.nan), notes=notes)
        vectors = prepared.grams, prepared.weights, prepared.ends, prepared.norms
        cosines = clipped_cosines(*vectors, texts, systems).tolist()
        lengths, values = prepared.lengths, []
        for mine, rows in zip(lengths[:systems], cosines, strict=True):
            penalties = [self._penalty(mine, theirs) for theirs in lengths[systems:]]
            each = [one * by for row, by in zip(rows, penalties, strict=True) for one in row]
            values.append(math.fsum(each) / len(each) if each else math.nan)
        notes = noted(counted_as_zero=sum(len(words.ids) < LONGEST for words in prepared.words))
        return TopicScores(10.0 * np.array(values, dtype=np.float64)[:, None], notes=notes)

    def explain(self, prepared: PreparedVectors, system: int) -> dict[str, Explanation]:
        if _lacks_weights(prepared):
            return {self.measures()[0]: undefined("CIDEr", "zero_weights")}
        children = []
        for reference, place in zip(prepared.topic.references, _places(prepared), strict=True):
            penalty = self._penalty(prepared.lengths[system], prepared.lengths[place])
            lengths = tuple(_tree(prepared, system, place, n, penalty) for n in range(1, LONGEST + 1))
            children.append(Explanation(f"against {reference.name}", "mean", children=lengths))
        mean = Explanation("mean of the references", "mean", children=tuple(children))
        return {
            self.measures()[0]: Explanation("×10", "product", children=(Explanation("ten", value=10.0), mean))
        }

    @property
    def _cut(self) -> TokenizerSettings:
        return TokenizerSettings(self.text, self.stem)

    def _penalty(self, mine: int, theirs: int) -> float:
        return math.exp(-((mine - theirs) ** 2) / (2 * self.sigma**2))

    def _frequencies(self, resources: Resources) -> Frequencies:
        sets = resources.reference_sets()
        by_topic = [
            np.unique(
                np.concatenate(
                    [hashes for text in texts for hashes in _grams(resources.words(text, self._cut))]
                )
            )
            for texts in sets
        ]
        every = np.concatenate(by_topic) if by_topic else np.empty(0, np.uint64)
        return Frequencies(*np.unique(every, return_counts=True), len(sets))


def _places(prepared: PreparedVectors) -> range:
    """Return the indices of the references' vectors."""
    return range(len(prepared.topic.summaries), len(prepared.words))


def _lacks_weights(prepared: PreparedVectors) -> bool:
    """Return whether the references have n-grams, all with weight 0, as if there is one topic."""
    first = len(prepared.topic.summaries) * LONGEST
    return bool(prepared.ends[-1] > prepared.ends[first] and not prepared.norms[first:].any())


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


def _vectors(
    words: Sequence[TokenizedText], frequencies: Frequencies
) -> tuple[Hashes, NDArray[np.int64], Array, NDArray[np.int64], Array]:
    """Return the arrays of `PreparedVectors`."""
    grams = [hashes for text in words for hashes in _grams(text)]
    vector = np.repeat(np.arange(len(grams)), [len(hashes) for hashes in grams])
    hashes, place = np.unique(np.concatenate([np.empty(0, np.uint64), *grams]), return_inverse=True)
    rarity = math.log(max(frequencies.topics, 1)) - np.log(np.maximum(1, frequencies.of(hashes)))
    keys, counts = np.unique(vector * max(len(hashes), 1) + place, return_counts=True)
    found, place = np.divmod(keys, max(len(hashes), 1))
    weights = counts * rarity[place]
    ends = np.searchsorted(found, np.arange(len(grams) + 1))
    squares = (weights**2).tolist()
    norms = [math.sqrt(math.fsum(squares[first:last])) for first, last in pairwise(ends.tolist())]
    return hashes, place, weights, ends, np.array(norms)


def _clipped_terms(mine: Vector, theirs: Vector) -> tuple[Hashes, Array]:
    """Return the common n-grams and what each adds: min(mine, theirs) × theirs, by the norms unless 0."""
    common, here, there = np.intersect1d(mine.hashes, theirs.hashes, assume_unique=True, return_indices=True)
    weights = theirs.weights[there]
    norms = mine.norm * theirs.norm
    terms: Array = np.minimum(mine.weights[here], weights) * weights / (norms or 1.0)
    return common, terms


def _grams(words: TokenizedText) -> list[Hashes]:
    """Return the hashes of a text's n-grams for each n."""
    ids = words.ids.astype(np.uint64) + np.uint64(1)
    return [_hash_ngrams(ids, n) for n in range(1, LONGEST + 1)]


def _tree(prepared: PreparedVectors, system: int, place: int, n: int, penalty: float) -> Explanation:
    """Explain the similarity of a summary and a reference for one n by the n-grams they share."""
    topic = prepared.topic
    summary, reference = topic.summaries[system], topic.references[place - len(topic.summaries)]
    common, terms = _clipped_terms(prepared.vector(system, n), prepared.vector(place, n))
    here = _spans_by_hash(prepared.words[system], n)
    there = _spans_by_hash(prepared.words[place], n)
    leaves = tuple(
        Explanation(
            " ".join(summary.content[slice(*here[gram][0])].split()),
            value=value,
            evidence=(
                *(Evidence("summary", summary.name, span, value) for span in here[gram]),
                *(Evidence("reference", reference.name, span, value) for span in there[gram]),
            ),
        )
        for gram, value in zip(common.tolist(), (terms * penalty).tolist(), strict=True)
    )
    return Explanation(f"{n}-grams of {reference.name}", "sum", children=leaves)


def _spans_by_hash(words: TokenizedText, n: int) -> dict[int, list[Span]]:
    """Return the spans of each n-gram of a text."""
    found: dict[int, list[Span]] = {}
    spans = words.spans.tolist()
    for at, gram in enumerate(_grams(words)[n - 1].tolist()):
        found.setdefault(gram, []).append((spans[at][0], spans[at + n - 1][1]))
    return found
