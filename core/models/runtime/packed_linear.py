"""Linear layers with their weights in the order that oneDNN multiplies quickest, for float32 on a CPU.

A packed layer gives what the plain one gives but for the last bits. It is twice as fast on AMD's processors,
of which the plain one's library does not use all.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

import torch

from core.progress import raise_if_cancelled

log = logging.getLogger(__name__)

_NEAR = 1e-4
"""How far a network's numbers may move when its layers are packed; they move by 1e-6 as a rule."""


class OneDnnLinear(torch.nn.Module):
    """A linear layer, packed. Its own weight holds no number, but says its type to whoever asks."""

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
    """Pack a network's linear layers in place, or leave all as they are where that does not serve.

    probe: what the network makes of something short, held against what it makes packed.
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
        log.warning("packed layers give other numbers here; plain ones are used")
    except (RuntimeError, AttributeError, TypeError, IndexError) as error:
        log.warning("layers cannot be packed (%s); plain ones are used", error)
    for parent, name, layer in plain:
        setattr(parent, name, layer)


def _can_pack() -> bool:
    # torch's own compiler packs by these operations; where a build lacks them, nothing is lost but time
    has_operations = hasattr(torch.ops.mkldnn, "_linear_pointwise") and hasattr(
        torch.ops.mkldnn, "_reorder_linear_weight"
    )
    return has_operations and bool(torch.backends.mkldnn.is_available())  # type: ignore[no-untyped-call]


def _linear_layers(module: torch.nn.Module) -> Iterator[tuple[torch.nn.Module, str, torch.nn.Linear]]:
    """Every plain linear layer with where it hangs."""
    for parent in module.modules():
        for name, child in parent.named_children():
            if type(child) is torch.nn.Linear and child.weight.dtype == torch.float32:
                yield parent, name, child
