"""Contextual vectors of text spans: means of word pieces encoded within their sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Span, Text
from core.text.sentences import sentence_spans_of

if TYPE_CHECKING:
    from core.models.encoders.encoder import Encoded, Encoder

Vectors = NDArray[np.float32]
Window = Literal["sentence", "longest"]
"""Context encoded at a time: a sentence, or as many sentences as the model accepts."""


@dataclass(frozen=True, slots=True, eq=False)
class ContextualText:
    """A text's word pieces in order, without special ones.

    starts, ends: shape (pieces,), in code points. sums: shape (pieces + 1, dimension), cumulative vector
    sums.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    sums: NDArray[np.float64]

    @property
    def nbytes(self) -> int:
        return self.sums.nbytes

    def means(self, spans: Sequence[Span]) -> Vectors:
        """Return unit vectors of spans, shape (spans, dimension); zeros if a span contains no piece."""
        return l2_normalize(self._sums_of(spans))

    def mean(self, parts: Sequence[Span]) -> Vectors:
        """Return the unit vector of several spans together, shape (dimension,)."""
        return l2_normalize(self._sums_of(parts).sum(axis=0))

    def averages(self, spans: NDArray[np.int32]) -> Vectors:
        """Return unnormalized mean vectors of spans, in rows; zeros for a span without pieces."""
        first, last = self._pieces_of(spans)
        pieces = np.maximum(last - first, 1)
        means: Vectors = ((self.sums[last] - self.sums[first]) / pieces[:, None]).astype(np.float32)
        return means

    def _sums_of(self, spans: Sequence[Span]) -> NDArray[np.float64]:
        first, last = self._pieces_of(spans)
        total: NDArray[np.float64] = self.sums[last] - self.sums[first]
        return total

    def _pieces_of(
        self, spans: Sequence[Span] | NDArray[np.int32]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return for each span its first piece and the one after its last."""
        places = np.array(spans, dtype=np.int64).reshape(-1, 2)
        first = np.searchsorted(self.ends, places[:, 0], side="right")
        last = np.searchsorted(self.starts, places[:, 1], side="left")
        return first, np.maximum(first, last)


def encode_in_context(
    encoder: Encoder, texts: Sequence[Text], layers: Sequence[int] = (), window: Window = "sentence"
) -> list[ContextualText]:
    """Encode texts window by window; a sentence longer than the model's maximum is split.

    layers: the blocks whose vectors are summed, empty = the last.
    """
    windows = [list(_windows_of(encoder, text, window)) for text in texts]
    encoded = iter(encoder.encode(_contents(texts, windows), layers or (encoder.model.layers,)))
    return [_joined(own, [next(encoded) for _ in own], encoder.model.dimension) for own in windows]


def encoding_windows(encoder: Encoder, texts: Sequence[Text], window: Window = "sentence") -> list[str]:
    """Return the windows that `encode_in_context` encodes."""
    return _contents(texts, [list(_windows_of(encoder, text, window)) for text in texts])


def _contents(texts: Sequence[Text], windows: Sequence[Sequence[Span]]) -> list[str]:
    return [text.content[a:b] for text, own in zip(texts, windows, strict=True) for a, b in own]


def l2_normalize(vectors: NDArray[np.float64]) -> Vectors:
    """Return vectors scaled to length 1, shape unchanged; zeros stay zeros."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    units = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    rows: Vectors = units.astype(np.float32)
    return rows


def _windows_of(encoder: Encoder, text: Text, window: Window) -> Iterator[Span]:
    sentences: Sequence[Span] = sentence_spans_of(text)
    for span in packed_sentences(encoder, text, sentences) if window == "longest" else sentences:
        yield from _windows(encoder, text, span)


def packed_sentences(encoder: Encoder, text: Text, sentences: Sequence[Span]) -> list[Span]:
    """Join consecutive sentences as long as the model accepts them together."""
    packed: list[Span] = []
    for start, end in sentences:
        if packed and not encoder.cut([text.content[packed[-1][0] : end]])[0].is_truncated:
            packed[-1] = packed[-1][0], end
        else:
            packed.append((start, end))
    return packed


def _windows(encoder: Encoder, text: Text, sentence: Span) -> Iterator[Span]:
    start, end = sentence
    while start < end:
        pieces = encoder.cut([text.content[start:end]])[0]
        reached = max((b for _, b in pieces.spans), default=0)
        if not pieces.is_truncated or not reached:
            yield start, end
            return
        yield start, start + reached
        start += reached


def _joined(windows: Sequence[Span], encoded: Sequence[Encoded], dimension: int) -> ContextualText:
    """Join the windows of one text."""
    spans, vectors = [], [np.zeros((1, dimension))]
    for (start, _), one in zip(windows, encoded, strict=True):
        spans += [(start + a, start + b) for a, b in _own(one)]
        vectors.append(_own_vectors(one))
    places = np.array(spans, dtype=np.int64).reshape(-1, 2)
    return ContextualText(places[:, 0], places[:, 1], np.cumsum(np.concatenate(vectors), axis=0))


def _own(one: Encoded) -> list[Span]:
    pairs = zip(one.pieces.spans, one.pieces.is_special, strict=True)
    return [span for span, is_special in pairs if not is_special]


def _own_vectors(one: Encoded) -> NDArray[np.float64]:
    vectors: NDArray[np.float64] = one.vectors.float().cpu().double().sum(dim=0).numpy()
    return vectors[~one.pieces.is_special]
