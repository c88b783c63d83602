"""Requests for encodings in advance, and results of text encoders: rows combined into the text's vector."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Span, Text


@dataclass(frozen=True, slots=True)
class EncodeRequest:
    """Texts that a metric will encode.

    model, dtype: of the encoder. layers: requested blocks, 1 = the first.
    limit: maximum word pieces of a text, 0 = the model's maximum.
    """

    model: str
    dtype: str
    texts: tuple[str, ...]
    layers: tuple[int, ...]
    limit: int = 0


Rows = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class EncodedText:
    """An encoded text.

    names, spans: each word as read, with its span; markers added by the encoder have an empty span.
    rows: shape (words, dimension).
    unknown_share: of words left out because they have no vector, in [0, 1].
    """

    names: tuple[str, ...]
    spans: tuple[Span, ...]
    rows: Rows
    unknown_share: float = 0.0

    @property
    def has_unknown(self) -> bool:
        """Whether words without a vector were left out."""
        return self.unknown_share > 0

    @property
    def nbytes(self) -> int:
        return self.rows.nbytes


class TextEncoder(Protocol):
    """Encodes whole texts."""

    def read(self, texts: Sequence[Text]) -> list[EncodedText]:
        """Encode texts in order; a blank text has no rows."""
        ...


def whole_text(text: Text, vector: Rows) -> EncodedText:
    """Return an encoding with one row for the whole text."""
    return EncodedText((text.name,), ((0, len(text.content)),), vector[None])


def empty_text(dimension: int) -> EncodedText:
    """Return the encoding of a blank text."""
    return EncodedText((), (), np.zeros((0, dimension), dtype=np.float32))
