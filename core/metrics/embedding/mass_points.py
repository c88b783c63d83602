"""Points for optimal transport: vectors of words or of whole sentences."""

from __future__ import annotations

import textwrap
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Span, Text
from core.metrics.base import Array, Resources
from core.metrics.embedding.optimal_transport import WeightedPoints, weighted_points
from core.models.encoders.encode_request import EncodeRequest
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
