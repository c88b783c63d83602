"""A device that torch treats as another one while it computes on the CPU.

It refuses what a GPU refuses: tensors of two devices in one operation, numbers read without being fetched
first, and, as Apple's GPUs do, double precision. Only for a process of its own: torch keeps it until its end.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.utils import _pytree as pytree
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

from core.models.runtime import devices

NAME = "elsewhere"
_MOVING = {torch.ops.aten.copy_, torch.ops.aten._to_copy}


class Far(torch.Tensor):
    """A tensor on that device. near: its numbers."""

    near: torch.Tensor

    @staticmethod
    def __new__(cls, near: torch.Tensor) -> Far:
        made: Far = torch.Tensor._make_wrapper_subclass(
            cls,
            near.size(),
            strides=near.stride(),
            storage_offset=near.storage_offset(),
            dtype=near.dtype,
            device=torch.device(NAME, 0),
        )
        made.near = near
        return made

    @classmethod
    def __torch_dispatch__(cls, operation: Any, _types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return _run(operation, args, kwargs or {})


def set_up() -> torch.library.Library:
    """Make the device known to torch, for as long as what is returned is kept."""
    _setup_privateuseone_for_python_backend(NAME)
    chosen = devices.devices
    devices.devices = lambda: (devices.Device(NAME, "far away"), *chosen())
    # its tensors may be sliced nowhere but where gradients could be asked for
    torch.inference_mode = torch.no_grad  # type: ignore[misc,assignment]
    torch.nn.functional.conv1d = _convolved  # of which every backend must bring its own
    library = torch.library.Library("_", "IMPL")
    library.fallback(lambda operation, *args, **kwargs: _run(operation, args, kwargs), "PrivateUse1")
    return library


def _convolved(signal: torch.Tensor, kernel: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    windows = signal.unfold(2, kernel.shape[2], 1)
    return torch.einsum("bclk,ock->bol", windows, kernel) + bias[:, None]


def _run(operation: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    tensors = [leaf for leaf in pytree.tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)]
    far = [one for one in tensors if isinstance(one, Far)]
    here = [one for one in tensors if not isinstance(one, Far) and one.dim()]
    if far and here and operation.overloadpacket not in _MOVING:
        raise RuntimeError(f"{operation} has tensors on two devices")
    device = kwargs.get("device")
    is_away = bool(far) if device is None else torch.device(device).type == NAME
    near_args, near_kwargs = pytree.tree_map_only(Far, lambda one: one.near, (args, kwargs))
    if device is not None:
        near_kwargs["device"] = "cpu"
    made = operation(*near_args, **near_kwargs)
    known = {id(one.near): one for one in far}
    return pytree.tree_map_only(torch.Tensor, lambda one: _moved(one, known), made) if is_away else made


def _moved(made: torch.Tensor, known: dict[int, Far]) -> torch.Tensor:
    if made.dtype is torch.float64:
        raise TypeError("this device knows no double precision")
    return known[id(made)] if id(made) in known else Far(made)
