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
from core.text.tokenization import TokenizerSettings
from core.text.truncation import TextLimit
from core.text.word_lists import load_word_list

CUT = TokenizerSettings("unicode")
IN_SENTENCES = TextLimit(split="sentences")
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True, eq=False)
class ContentWords:
    """The words of a text that count: letters alone and, unless wanted, no stop words.

    words: in lower case. sentences: which one each stands in. vectors: shape (words, dimension), zeros for
    one that is not known.
    """

    text: Text
    words: tuple[str, ...]
    spans: tuple[Span, ...]
    sentences: tuple[int, ...]
    vectors: Array
    is_known: NDArray[np.bool_]


def content_words(
    texts: Sequence[Text], tools: Resources, vectors: str, *, context: bool, stop_words: bool
) -> list[ContentWords]:
    """Every text's words that count. context: read in their sentences by the encoder `vectors`, length 1."""
    dropped = _stop_words() if stop_words else frozenset[str]()
    cut = [_cut(text, tools, dropped) for text in texts]
    spans = [tuple(span for _, span, _ in words) for words in cut]
    found = _in_context(texts, spans, tools, vectors) if context else _looked_up(cut, tools, vectors)
    return [
        ContentWords(
            text,
            tuple(word for word, _, _ in words),
            places,
            tuple(sentence for _, _, sentence in words),
            *of_words,
        )
        for text, words, places, of_words in zip(texts, cut, spans, found, strict=True)
    ]


def contextual_requests(texts: Sequence[Text], tools: Resources, encoder: str) -> tuple[EncodeRequest, ...]:
    """What `content_words` has encoded to read words in context."""
    from core.models.encoders.contextual_spans import encoding_windows  # imports torch

    lent = tools.encoder(encoder)
    return (EncodeRequest(encoder, "float32", tuple(encoding_windows(lent, texts)), (lent.model.layers,)),)


def by_words(words: ContentWords, *, join_equal: bool) -> list[tuple[int, ...]]:
    """The words that make one point each: every word, or all occurrences of it together."""
    if not join_equal:
        return [(i,) for i in range(len(words.words))]
    return _grouped(words.words)


def by_sentences(words: ContentWords) -> list[tuple[int, ...]]:
    """The words of each sentence that has any."""
    return _grouped(words.sentences)


def points_of(
    role: Literal["summary", "reference"], words: ContentWords, groups: Sequence[tuple[int, ...]]
) -> WeightedPoints:
    """A text as masses: each group of words at the mean of their vectors, weighing as many as they are."""
    sums = [words.vectors[list(group)].mean(axis=0) for group in groups]
    points = np.stack(sums) if sums else np.zeros((0, words.vectors.shape[1]))
    weights = np.array([len(group) for group in groups], dtype=np.float64)
    names = [_name(words, group) for group in groups]
    return weighted_points(
        role, words.text, points, weights, names, [_places(words, group) for group in groups]
    )


_Word = tuple[str, Span, int]
"""A word, its place, the number of its sentence."""


def _cut(text: Text, tools: Resources, dropped: frozenset[str]) -> list[_Word]:
    cut = tools.words(text, CUT, IN_SENTENCES)
    sentences = np.repeat(np.arange(len(cut.sentences) - 1), np.diff(cut.sentences)).tolist()
    listed = zip(cut.spans.tolist(), sentences, strict=True)
    words = ((text.content[a:b].lower(), (a, b), sentence) for (a, b), sentence in listed)
    return [one for one in words if one[0].isalpha() and one[0] not in dropped]


def _looked_up(
    cut: Sequence[Sequence[_Word]], tools: Resources, name: str
) -> list[tuple[Array, NDArray[np.bool_]]]:
    """Each word's vector whatever it stands beside."""
    rows = {word: row for row, word in enumerate(sorted({word for words in cut for word, _, _ in words}))}
    found = tools.word_vectors(name).of(list(rows))
    places = [[rows[word] for word, _, _ in words] for words in cut]
    return [(found.vectors[at], found.is_known[at]) for at in (np.array(p, dtype=np.int64) for p in places)]


def _in_context(
    texts: Sequence[Text], spans: Sequence[Sequence[Span]], tools: Resources, encoder: str
) -> list[tuple[Array, NDArray[np.bool_]]]:
    """Each word's unit vector as its sentence makes it."""
    from core.models.encoders.contextual_spans import encode_in_context  # imports torch

    read = encode_in_context(tools.encoder(encoder), texts)
    found = [one.means(own).astype(np.float64) for one, own in zip(read, spans, strict=True)]
    return [(vectors, np.asarray(vectors.any(axis=1), dtype=np.bool_)) for vectors in found]


def _grouped(keys: Sequence[Hashable]) -> list[tuple[int, ...]]:
    """Indices of equal keys, in the order in which these come first."""
    groups: dict[Hashable, list[int]] = {}
    for i, key in enumerate(keys):
        groups.setdefault(key, []).append(i)
    return [tuple(group) for group in groups.values()]


def _name(words: ContentWords, group: Sequence[int]) -> str:
    """A word as it stands first, or a sentence from its first kept word to its last."""
    start, end = words.spans[group[0]][0], words.spans[group[-1]][1]
    if len({words.words[i] for i in group}) == 1:
        end = words.spans[group[0]][1]
    return textwrap.shorten(words.text.content[start:end], LONGEST_NAME, placeholder=" …")


def _places(words: ContentWords, group: Sequence[int]) -> tuple[Span, ...]:
    return tuple(words.spans[i] for i in group)


@cache
def _stop_words() -> frozenset[str]:
    return frozenset(load_word_list("stop_words_153.txt"))
