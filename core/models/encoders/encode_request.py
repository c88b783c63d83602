"""Advance requests for encodings, so that topics and metrics share an encoder's passes."""

from __future__ import annotations

from dataclasses import dataclass


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
