"""What is to be encoded, said before it is needed, so that topics and metrics share an encoder's passes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EncodeRequest:
    """Texts that a metric will have encoded.

    model, dtype: of the encoder. layers: the blocks that are wanted, 1 = the first. limit: most pieces of a
    text, 0 = as many as the model takes.
    """

    model: str
    dtype: str
    texts: tuple[str, ...]
    layers: tuple[int, ...]
    limit: int = 0
