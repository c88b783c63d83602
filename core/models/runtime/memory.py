"""Free memory of a device, and budgets derived from it. Imports torch only for a GPU."""

from __future__ import annotations

import re
import sys
from pathlib import Path

_SHARE = 4
"""One purpose may use the free memory divided by this."""

_FEWEST_TOKENS = 64
_INNER_VECTORS = 40
"""Vectors of the model's dimension that a block holds per word piece, four-fold ones included."""

_CACHE_BYTES = 512 << 20
_MOST_CACHE_BYTES = 8 << 30

_MEMORY = Path("/proc/meminfo")
_AVAILABLE = re.compile(r"^MemAvailable: +(\d+) kB$", re.MULTILINE)
_GROUP = Path("/sys/fs/cgroup")


def fitting_tokens(device: str, dimension: int, layers: int, number_bytes: int) -> int:
    """Return how many word pieces, padding included, one batch can hold in the free memory.

    dimension: of the model. layers: number of layers requested at once. number_bytes: bytes per number.
    """
    free = free_bytes(device)
    if free is None:
        return sys.maxsize
    return max(_FEWEST_TOKENS, free // _SHARE // ((_INNER_VECTORS + layers) * dimension * number_bytes))


def default_cache_bytes(device: str) -> int:
    """Return the size of the in-memory cache; larger on a GPU, where batches are larger."""
    free = free_bytes(device) if device.startswith("cuda") else None
    return _CACHE_BYTES if free is None else max(_CACHE_BYTES, min(_MOST_CACHE_BYTES, free // _SHARE))


def free_bytes(device: str) -> int | None:
    """Return the free memory of a device in bytes, or None if unknown."""
    if device.startswith("cuda"):
        import torch

        unused = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
        return int(torch.cuda.mem_get_info(device)[0]) + unused
    known = (_available(), _left_to_group()) if device == "cpu" else ()
    return min((one for one in known if one is not None), default=None)


def _available() -> int | None:
    """Return the memory that Linux can provide without swapping."""
    try:
        match = _AVAILABLE.search(_MEMORY.read_text(encoding="ascii"))
    except OSError:
        return None
    return None if match is None else int(match[1]) << 10


def _left_to_group() -> int | None:
    """Return the memory that is left within a container's limit."""
    try:
        most = int((_GROUP / "memory.max").read_text(encoding="ascii"))
        used = int((_GROUP / "memory.current").read_text(encoding="ascii"))
    except (OSError, ValueError):  # "max" where there is no limit
        return None
    return max(0, most - used)
