"""The base class of loaded models with a task head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.models.catalogue.model_folder import Model
from core.models.runtime.batches import Batcher
from core.models.runtime.word_pieces import WordPieceTokenizer


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
