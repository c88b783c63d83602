"""Sentence mover's similarity (Clark, Celikyilmaz & Smith 2019) between words and sentences.

The similarity is exp(-distance), with the earth mover's distance over Euclidean distances between vectors
and exact transport.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Span, Text, TopicTexts
from core.metrics.base import Array, Explanation, Need, Prepared, Resources, noted, setting, undefined
from core.metrics.base.pooling import PooledMetric
from core.metrics.base.word_vectors import unknown_word_shares, word_vector_signature
from core.metrics.embedding.optimal_transport import (
    WeightedPoints,
    mass_notes,
    step_evidence,
    transport_costs,
    transport_plan,
    weighted_points,
)
from core.metrics.registry import register
from core.models.catalogue.lookup import find_model, seconds_per_text
from core.models.encoders.text_encoding import EncodeRequest
from core.models.encoders.word_vectors import find_vectors
from core.text.scripts import is_alphabetic
from core.text.tokenization import TokenizerSettings
from core.text.truncation import TextLimit
from core.text.word_lists import load_word_list

CUT = TokenizerSettings("unicode")
IN_SENTENCES = TextLimit(split="sentences")
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True, eq=False)
class ContentWords:
    """The content words of a text: those with letters and no digits, optionally no stop words.

    words: in lower case. sentences: index of each word's sentence.
    vectors: shape (words, dimension), zeros for unknown words.
    """

    text: Text
    words: tuple[str, ...]
    spans: tuple[Span, ...]
    sentences: tuple[int, ...]
    vectors: Array
    is_known: NDArray[np.bool_]


def content_words(
    texts: Sequence[Text], resources: Resources, vectors: str, *, context: bool, stop_words: bool
) -> list[ContentWords]:
    """Return the content words of each text.

    context: use unit vectors of words encoded in their sentences by the encoder `vectors`.
    """
    dropped = _stop_words() if stop_words else frozenset[str]()
    cut = [_cut(text, resources, dropped) for text in texts]
    spans = [tuple(span for _, span, _ in words) for words in cut]
    looked_up = (
        _in_context(texts, spans, resources, vectors) if context else _looked_up(cut, resources, vectors)
    )
    return [
        ContentWords(
            text,
            tuple(word for word, _, _ in words),
            places,
            tuple(sentence for _, _, sentence in words),
            *of_words,
        )
        for text, words, places, of_words in zip(texts, cut, spans, looked_up, strict=True)
    ]


def contextual_requests(
    texts: Sequence[Text], resources: Resources, encoder: str
) -> tuple[EncodeRequest, ...]:
    """Return the encode requests of `content_words` with context."""
    from core.models.encoders.contextual_spans import encoding_windows  # imports torch

    loaded = resources.encoder(encoder)
    return (
        EncodeRequest(encoder, "float32", tuple(encoding_windows(loaded, texts)), (loaded.model.layers,)),
    )


def by_words(words: ContentWords, *, join_equal: bool) -> list[tuple[int, ...]]:
    """Return groups of word indices, one per point: every word, or all occurrences of a word together."""
    if not join_equal:
        return [(i,) for i in range(len(words.words))]
    return _grouped(words.words)


def by_sentences(words: ContentWords) -> list[tuple[int, ...]]:
    """Return the word indices of each sentence that has words."""
    return _grouped(words.sentences)


def points_of(
    role: Literal["summary", "reference"], words: ContentWords, groups: Sequence[tuple[int, ...]]
) -> WeightedPoints:
    """Return a text as weighted points: the mean vector of each group, weighted by its number of words."""
    means = [words.vectors[list(group)].mean(axis=0) for group in groups]
    points = np.stack(means) if means else np.zeros((0, words.vectors.shape[1]))
    weights = np.array([len(group) for group in groups], dtype=np.float64)
    names = [_name(words, group) for group in groups]
    return weighted_points(
        role, words.text, points, weights, names, [_places(words, group) for group in groups]
    )


_Word = tuple[str, Span, int]
"""A word, its span, and the index of its sentence."""


def _cut(text: Text, resources: Resources, dropped: frozenset[str]) -> list[_Word]:
    cut = resources.words(text, CUT, IN_SENTENCES)
    sentences = np.repeat(np.arange(len(cut.sentences) - 1), np.diff(cut.sentences)).tolist()
    listed = zip(cut.spans.tolist(), sentences, strict=True)
    words = ((text.content[a:b].lower(), (a, b), sentence) for (a, b), sentence in listed)
    return [one for one in words if is_alphabetic(one[0]) and one[0] not in dropped]


def _looked_up(
    cut: Sequence[Sequence[_Word]], resources: Resources, name: str
) -> list[tuple[Array, NDArray[np.bool_]]]:
    """Return the static vector of each word."""
    rows = {word: row for row, word in enumerate(sorted({word for words in cut for word, _, _ in words}))}
    looked_up = resources.word_vectors(name).of(list(rows))
    places = [[rows[word] for word, _, _ in words] for words in cut]
    return [
        (looked_up.vectors[at], looked_up.is_known[at])
        for at in (np.array(p, dtype=np.int64) for p in places)
    ]


def _in_context(
    texts: Sequence[Text], spans: Sequence[Sequence[Span]], resources: Resources, encoder: str
) -> list[tuple[Array, NDArray[np.bool_]]]:
    """Return the contextual unit vector of each word."""
    from core.models.encoders.contextual_spans import encode_in_context  # imports torch

    read = encode_in_context(resources.encoder(encoder), texts)
    looked_up = [one.means(own).astype(np.float64) for one, own in zip(read, spans, strict=True)]
    return [(vectors, np.asarray(vectors.any(axis=1), dtype=np.bool_)) for vectors in looked_up]


def _grouped(keys: Sequence[Hashable]) -> list[tuple[int, ...]]:
    """Return the indices of equal keys, in order of first occurrence."""
    groups: dict[Hashable, list[int]] = {}
    for i, key in enumerate(keys):
        groups.setdefault(key, []).append(i)
    return [tuple(group) for group in groups.values()]


def _name(words: ContentWords, group: Sequence[int]) -> str:
    """Return a word as first written, or a sentence from its first to its last content word."""
    start, end = words.spans[group[0]][0], words.spans[group[-1]][1]
    if len({words.words[i] for i in group}) == 1:
        end = words.spans[group[0]][1]
    return textwrap.shorten(words.text.content[start:end], LONGEST_NAME, placeholder=" …")


def _places(words: ContentWords, group: Sequence[int]) -> tuple[Span, ...]:
    return tuple(words.spans[i] for i in group)


@cache
def _stop_words() -> frozenset[str]:
    return frozenset(load_word_list("stop_words_153.txt"))


@dataclass(frozen=True, slots=True)
class PreparedMasses(Prepared):
    """Texts of a topic as weighted points of words and sentences.

    unknown: number of texts with words without a vector.
    """

    summaries: tuple[WeightedPoints, ...]
    references: tuple[WeightedPoints, ...]
    unknown: int


@register
@dataclass(frozen=True)
class SentenceMover(PooledMetric[PreparedMasses]):
    """Similarity derived from the earth mover's distance, in [0, 1]; NaN if a text has no words that count.

    Statistics per reference: the similarity.

    Formula:
        score = exp(−EMD), by Euclidean distance between words (wms), sentences (sms) or both (s+wms)
        mass  = count of a word, number of words of a sentence, each divided by the sum

    Limits:
        Distances depend on the vectors: values near 0 are common with some, values near 1 with others.
        Words without a vector are at the origin. English stop words and sentence rules by default.
    """

    name: ClassVar[str] = "sms"
    family: ClassVar[str] = "Embeddings"
    about: ClassVar[str] = (
        "Earth mover's distance between the words and sentences of a summary and a reference."
    )
    version: ClassVar[int] = 2
    paper: ClassVar[str] = "Clark, Celikyilmaz & Smith 2019, Sentence Mover's Similarity, ACL"
    bibliography: ClassVar[tuple[str, ...]] = ("clark-2019-sms",)
    is_in_summeval: ClassVar[bool] = True
    default_configs: ClassVar[tuple[str, ...]] = ("mode=wms", "mode=sms", "mode=s+wms")

    mode: str = setting(
        "sms",
        "Transported units: wms = words; sms = sentences, each the mean of its words; s+wms = "
        "both, each with half of the mass.",
        choices=("wms", "sms", "s+wms"),
        title="Mode",
    )
    vectors: str = setting(
        "minilm",
        "Word vectors: a file in word2vec, GloVe or fastText format, or an encoder, whose "
        "input embeddings are used; minilm is installed with the program and replaces the "
        "vectors used in the paper.",
        title="Word vectors",
    )
    context: bool = setting(
        False,
        "Use contextual vectors: each word is encoded in its sentence by the encoder set as vectors.",
        title="In context",
    )
    stop_words: bool = setting(True, "Remove English stop words.", title="Drop stop words")

    def __post_init__(self) -> None:
        super().__post_init__()
        needed = Need.ENCODER if self.context else Need.WORD_VECTORS
        object.__setattr__(self, "needs", frozenset({Need.REFERENCES, needed}))

    @classmethod
    def language_settings(cls, language: str) -> Mapping[str, str]:
        return {"stop_words": "no"}

    def paper_models(self) -> dict[str, tuple[str, ...]]:
        return {"vectors": ("elmo" if self.context else "glove-840b",)}

    def measures(self) -> tuple[str, ...]:
        return (f"{self.mode}.score",)

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        if self.context:
            model, digest = find_model(self.vectors), resources.model_hash(self.vectors)[:12]
            return {"model": model.name, "hash": digest, "tokenizer": "fast", "dtype": "float32"}
        return word_vector_signature(self.vectors, resources)

    def check(self, resources: Resources) -> None:
        (find_model if self.context else find_vectors)(self.vectors)

    def seconds_per_text(self, resources: Resources) -> float:
        if not self.context:
            return 2e-3
        model = find_model(self.vectors)
        return seconds_per_text(model, model.layers, resources.device)

    def unknown_shares(self, texts: Sequence[Text], resources: Resources) -> Sequence[float]:
        if self.context:
            return resources.encoder(self.vectors).unknown_shares([text.content for text in texts])
        return unknown_word_shares(texts, self.vectors, resources, lower=True)

    def to_encode(self, topic: TopicTexts, resources: Resources) -> Sequence[EncodeRequest]:
        if not self.context:
            return ()
        return contextual_requests((*topic.summaries, *topic.references), resources, self.vectors)

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedMasses:
        texts = (*topic.summaries, *topic.references)
        content = content_words(
            texts, resources, self.vectors, context=self.context, stop_words=self.stop_words
        )
        count = len(topic.summaries)
        sides = [
            points_of("summary" if i < count else "reference", words, self._groups(words))
            for i, words in enumerate(content)
        ]
        unknown = sum(not words.is_known.all() for words in content)
        return PreparedMasses(topic, tuple(sides[:count]), tuple(sides[count:]), unknown)

    def per_reference(self, prepared: PreparedMasses) -> Array:
        costs = transport_costs(prepared.summaries, prepared.references, squared=False)
        similarity: Array = np.exp(-costs)[:, :, None]
        return similarity

    def notes(self, prepared: PreparedMasses) -> dict[str, int]:
        lacks = mass_notes((*prepared.summaries, *prepared.references))
        return noted(unknown_words=prepared.unknown, **lacks)

    def trees(self, prepared: PreparedMasses, system: int) -> Iterator[Sequence[Explanation]]:
        for reference in prepared.references:
            yield (_explain_pair(prepared.summaries[system], reference),)

    def _groups(self, words: ContentWords) -> list[tuple[int, ...]]:
        of_words = by_words(words, join_equal=not self.context) if self.mode != "sms" else []
        of_sentences = by_sentences(words) if self.mode != "wms" else []
        return [*of_words, *of_sentences]


def _explain_pair(summary: WeightedPoints, reference: WeightedPoints) -> Explanation:
    """Explain the similarity as a product with one factor per move, exp(-share × distance)."""
    label = f"similarity to {reference.text.name}"
    if lack := summary.lack or reference.lack:
        return undefined(label, lack)
    leaves = tuple(
        Explanation(
            f"{summary.names[move.mine]} → {reference.names[move.theirs]}: "
            f"{move.share:.1%} of the mass, distance {move.cost:.3f}",
            value=math.exp(-move.share * move.cost),
            evidence=step_evidence(summary, reference, move),
        )
        for move in transport_plan(summary, reference, squared=False)
    )
    return Explanation(label, "product", children=leaves)
