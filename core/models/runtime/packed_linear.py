"""Linear layers for a CPU: weights packed for oneDNN in float32, or quantized to int8.

A packed layer gives the same result up to the last bits. It is twice as fast on AMD processors, where the
default library does not use all instructions. A quantized one is faster again where the processor multiplies
bytes (AVX-512 VNNI), and less exact.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

import torch

from core.models.runtime.bert import LoadedLinear
from core.progress import raise_if_cancelled

log = logging.getLogger(__name__)

_NEAR = 1e-4
"""Largest allowed change of a network's output when its layers are packed; usually it is 1e-6."""


class OneDnnLinear(torch.nn.Module):
    """A packed linear layer. Its own weight is empty and only provides the data type."""

    def __init__(self, plain: torch.nn.Linear) -> None:
        super().__init__()
        self.in_features, self.out_features = plain.in_features, plain.out_features
        self.bias = plain.bias
        self.weight = plain.weight.new_empty(0)
        self._packed = torch.ops.mkldnn._reorder_linear_weight(plain.weight.detach(), None)

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        product: torch.Tensor = torch.ops.mkldnn._linear_pointwise(
            vectors, self._packed, self.bias, "none", [], ""
        )
        return product


class Int8Linear(torch.nn.Module):
    """A linear layer over int8: symmetric, weights scaled by output, vectors by row when they come.

    Sums are integers, so a vector's result does not depend on others in its batch.
    """

    def __init__(self, plain: torch.nn.Linear) -> None:
        super().__init__()
        self.in_features, self.out_features = plain.in_features, plain.out_features
        self.bias = plain.bias
        self.weight = plain.weight.new_empty(0)
        weight, self._scales = _as_int8(plain.weight.detach())
        self._weight = weight.t().contiguous()

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        rows, scales = _as_int8(vectors.reshape(-1, self.in_features))
        sums = torch._int_mm(rows, self._weight).float().mul_(self._scales.t()).mul_(scales)
        product = sums if self.bias is None else sums.add_(self.bias)
        return product.view(*vectors.shape[:-1], self.out_features)


def _as_int8(rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return rows as int8, and the factor of each, shape (rows, 1)."""
    scales = rows.abs().amax(dim=1, keepdim=True).clamp_min_(torch.finfo(torch.float32).tiny) / 127
    return (rows / scales).round_().to(torch.int8), scales


def quantize_linear(module: torch.nn.Module) -> None:
    """Quantize a network's linear layers to int8 in place; its other weights stay float32."""
    for parent, name, layer in list(_linear_layers(module)):
        raise_if_cancelled()
        setattr(parent, name, Int8Linear(layer))


def pack_linear(module: torch.nn.Module, probe: Callable[[], torch.Tensor]) -> None:
    """Pack a network's linear layers in place, or leave them unchanged if that does not work.

    probe: runs the network on a short input; its results before and after packing are compared.
    """
    if not _can_pack():
        return
    expected = probe()
    plain = list(_linear_layers(module))
    try:
        for parent, name, layer in plain:
            raise_if_cancelled()
            setattr(parent, name, OneDnnLinear(layer))
        if torch.allclose(probe(), expected, atol=_NEAR, rtol=0.0):
            return
        log.warning("packed layers change the results on this machine; using plain layers")
    except (RuntimeError, AttributeError, TypeError, IndexError) as error:
        log.warning("layers cannot be packed (%s); using plain layers", error)
    for parent, name, layer in plain:
        setattr(parent, name, layer)


def _can_pack() -> bool:
    # torch's own compiler packs with these operations; a build without them is only slower
    has_operations = hasattr(torch.ops.mkldnn, "_linear_pointwise") and hasattr(
        torch.ops.mkldnn, "_reorder_linear_weight"
    )
    return has_operations and bool(torch.backends.mkldnn.is_available())  # type: ignore[no-untyped-call]


def _linear_layers(module: torch.nn.Module) -> Iterator[tuple[torch.nn.Module, str, torch.nn.Linear]]:
    """Yield every plain linear layer with its parent and name."""
    for parent in module.modules():
        for name, child in parent.named_children():
            if not isinstance(child, torch.nn.Linear) or child.weight.dtype != torch.float32:
                continue
            if type(child) in (torch.nn.Linear, LoadedLinear):
                yield parent, name, child
