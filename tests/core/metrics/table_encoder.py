"""An encoder with given vectors, so that scores can be computed by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch

from core.models.encoders.encoder import Encoder, load_encoder

VECTORS = {"cat": (1.0, 0.0, 0.0), "dog": (0.8, 0.6, 0.0), "mat": (0.0, 1.0, 0.0)}


class TableNetwork:
    """Gives each piece the vector that a table has for it; special pieces lie across all of them."""

    def __init__(self, vectors: dict[int, Sequence[float]]) -> None:
        self._vectors = vectors

    def hidden(self, ids: Sequence[Sequence[int]], layers: Sequence[int]) -> list[torch.Tensor]:
        return [
            torch.tensor([[self._vectors.get(i, (0.0, 0.0, 1.0)) for i in text] for _ in layers])
            for text in ids
        ]


def table_encoder(folder: Path) -> Encoder:
    """A model folder's tokenizer before a table: cat and dog lie 0.8 apart, dog and mat 0.6."""
    encoder = load_encoder(str(folder), device="cpu")
    pieces = {encoder.cut([word])[0].ids[1]: vector for word, vector in VECTORS.items()}
    encoder._network = TableNetwork(pieces)
    return encoder
