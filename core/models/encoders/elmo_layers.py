"""Layers of the ELMo network, built from its published weights (Peters et al. 2018)."""

from __future__ import annotations

from collections.abc import Callable

import torch

from core.progress import raise_if_cancelled

Numbers = Callable[[str], torch.Tensor]
"""Returns the array stored under a path."""


class Highway(torch.nn.Module):
    """Highway layer: mixes its input with a transformation of it."""

    def __init__(self, numbers: Numbers, place: str) -> None:
        super().__init__()
        self.fresh = linear(numbers(f"{place}/W_transform"), numbers(f"{place}/b_transform"))
        self.share = linear(numbers(f"{place}/W_carry"), numbers(f"{place}/b_carry"))

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        share = torch.sigmoid(self.share(vectors))
        return share * torch.relu(self.fresh(vectors)) + (1 - share) * vectors


class Recurrent(torch.nn.Module):
    """One LSTM layer of one direction, with clipped cell state and projection (0 = no clipping).

    The weights have the gates in the order input, new memory, forget, output; they do not include the bias of
    1 that TensorFlow adds to the forget gate.
    """

    def __init__(
        self, numbers: Numbers, place: str, width: int, cell_clip: float, projection_clip: float
    ) -> None:
        super().__init__()
        weights = numbers(f"{place}/W_0")
        self.fed = linear(weights[:width], numbers(f"{place}/B"))
        self.recurrent = linear(weights[width:])
        self.projection = linear(numbers(f"{place}/W_P_0"))
        self.cell_clip, self.projection_clip = cell_clip, projection_clip

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        """Run texts word by word from the initial state.

        Input and output have shape (texts, words, width).
        """
        fed = self.fed(words)
        state = words.new_zeros(len(words), self.projection.out_features)
        memory = words.new_zeros(len(words), self.projection.in_features)
        states = []
        for step in range(words.shape[1]):
            raise_if_cancelled()
            enter, new, keep, out = (fed[:, step] + self.recurrent(state)).chunk(4, dim=1)
            memory = torch.sigmoid(keep + 1) * memory + torch.sigmoid(enter) * torch.tanh(new)
            memory = _clipped(memory, self.cell_clip)
            state = _clipped(self.projection(torch.sigmoid(out) * torch.tanh(memory)), self.projection_clip)
            states.append(state)
        return torch.stack(states, dim=1)


def linear(weights: torch.Tensor, bias: torch.Tensor | None = None) -> torch.nn.Linear:
    """Return a layer with weights in TensorFlow's layout, shape (inputs, outputs)."""
    read, features_out = weights.shape
    layer = torch.nn.Linear(read, features_out, bias=bias is not None, device="meta")
    layer.weight = torch.nn.Parameter(weights.T.contiguous(), requires_grad=False)
    if bias is not None:
        layer.bias = torch.nn.Parameter(bias, requires_grad=False)
    return layer


def _clipped(numbers: torch.Tensor, limit: float) -> torch.Tensor:
    return numbers.clamp(-limit, limit) if limit else numbers
