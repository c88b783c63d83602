"""Count the passes of an encoder's network."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch

from core.models.encoders.encoder import Encoder


def counted_passes(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Sizes of the batches that go through the network from now on."""
    sizes: list[int] = []
    hidden = encoder._network.hidden

    def counting(ids: Sequence[Sequence[int]], layers: Sequence[int]) -> list[torch.Tensor]:
        sizes.append(len(ids))
        return hidden(ids, layers)

    monkeypatch.setattr(encoder._network, "hidden", counting)
    return sizes
