"""Loaded models with a task head, and whether rounding could change what they choose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from core.models.catalogue.model_folder import Model
from core.models.runtime.batches import Batcher
from core.models.runtime.word_pieces import WordPieceTokenizer

TIE_TOLERANCE = 1e-5
"""Difference in float32 that another batch or device may make."""


def is_near_tie(scores: torch.Tensor) -> torch.Tensor:
    """Return whether rounding could swap the best two choices of each row. scores: shape (..., choices).

    Each score may change by `TIE_TOLERANCE`, or by one unit in the last place if that is larger.
    """
    if scores.shape[-1] < 2:
        return torch.zeros(scores.shape[:-1], dtype=torch.bool, device=scores.device)
    best = scores.topk(2, dim=-1).values
    last_digit = torch.finfo(scores.dtype).eps * best[..., 0].abs()
    undecided: torch.Tensor = best[..., 0] - best[..., 1] <= 2 * last_digit.clamp(min=TIE_TOLERANCE)
    return undecided


class HeadModel:
    """A loaded network with its tokenizer on a device. Not thread-safe."""

    def __init__(self, model: Model, module: Any, tokenizer: Any, device: str, batch_tokens: int) -> None:
        self.model, self.module, self.device = model, module, device
        self._tokenizer = tokenizer
        self._cutter = WordPieceTokenizer(tokenizer)
        self._batches = Batcher(model.name, device, batch_tokens)

    def unknown_shares(self, texts: Sequence[str]) -> list[float]:
        """Return the share of each text that the vocabulary does not know, in [0, 1]."""
        return self._cutter.unknown_shares(texts)
