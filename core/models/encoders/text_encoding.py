"""What encoders of whole texts beside transformers give: a text as rows that are joined into its vector."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Span, Text

Rows = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A text as an encoder reads it.

    names, spans: of each word as it was read, with its place; what an encoder puts beside the text's own
    words has an empty span. rows: shape (words, dimension). unknown_share: of the words that were left out
    because they have no vector, in [0, 1].
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
    """Whatever reads whole texts."""

    def read(self, texts: Sequence[Text]) -> list[Reading]:
        """Texts as they are read, in their order; a blank text has no rows."""
        ...


def whole_text(text: Text, vector: Rows) -> Reading:
    """A text that is read as one."""
    return Reading((text.name,), ((0, len(text.content)),), vector[None])


def unencoded(dimension: int) -> Reading:
    """A text with nothing to read."""
    return Reading((), (), np.zeros((0, dimension), dtype=np.float32))
