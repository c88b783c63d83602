"""Linear layers with weights packed for oneDNN, for float32 on a CPU.

A packed layer gives the same result up to the last bits. It is twice as fast on AMD processors, where the
default library does not use all instructions.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

import torch

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
            if type(child) is torch.nn.Linear and child.weight.dtype == torch.float32:
                yield parent, name, child
