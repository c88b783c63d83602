"""Which device computes, and what it says when its memory is full. Imports torch when asked, not before."""

from __future__ import annotations

import gc
import platform
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError

_BATCH_TOKENS = {"cpu": 512, "mps": 16384, "cuda": 65536}
"""On a CPU padding costs as much as text, and a few texts at a time keep it busy."""


@dataclass(frozen=True, slots=True)
class Device:
    """Something to compute on. name: what ``--device`` takes; title: what people call it."""

    name: str
    title: str


def devices() -> tuple[Device, ...]:
    """Every device of this machine, the one that ``auto`` takes first."""
    import torch

    found = [
        Device(f"cuda:{i}" if i else "cuda", torch.cuda.get_device_name(i))
        for i in range(torch.cuda.device_count())
    ]
    if torch.backends.mps.is_available():
        found.append(Device("mps", "Apple GPU"))
    return (*found, Device("cpu", "CPU"))


def likely_devices() -> tuple[Device, ...]:
    """Devices that this machine seems to have, by its drivers' traces alone: quick, and without torch.

    `choose_device` has the last word when one is used.
    """
    found = []
    if any(trace.exists() for trace in _NVIDIA_TRACES):
        found.append(Device("cuda", "GPU"))
    if sys.platform == "darwin" and platform.machine() == "arm64":
        found.append(Device("mps", "GPU"))
    return (*found, Device("cpu", "CPU"))


_NVIDIA_TRACES = (
    Path("/dev/nvidia0"),
    Path("/usr/lib/wsl/lib/libcuda.so.1"),  # Linux within Windows
    Path("C:/Windows/System32/nvcuda.dll"),
)


def choose_device(wanted: str) -> str:
    """The device to use; ``auto`` takes a GPU if there is one. Raises InputError where it is absent."""
    if wanted == "cpu":
        return wanted
    names = [device.name for device in devices()]
    name = "cuda" if wanted == "cuda:0" else wanted
    if name == "auto":
        name = names[0]
    elif name not in names:
        raise InputError(f"This machine has no device {wanted!r}; choose one of: auto, {', '.join(names)}.")
    if name.startswith("cuda"):
        _keep_every_digit()
    return name


def _keep_every_digit() -> None:
    """Let float32 be float32: a GPU rounds convolutions and recurrent layers to TF32 if it may."""
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False


def check_name(wanted: str) -> None:
    """Raise InputError where a text names no device that there could be, here or elsewhere. Quick."""
    if not _NAME.fullmatch(wanted):
        raise InputError(f"No device is called {wanted!r}; choose one of: auto, cpu, cuda, cuda:1, mps.")


_NAME = re.compile(r"auto|cpu|mps|cuda(:\d+)?")


def default_batch_tokens(device: str) -> int:
    """How many word pieces, padding included, one batch holds on a device."""
    return _BATCH_TOKENS[device.partition(":")[0]]


def is_out_of_memory(error: RuntimeError) -> bool:
    """Whether a device failed for lack of memory: each kind has its own way to say so."""
    import torch

    if isinstance(error, torch.OutOfMemoryError):
        return True
    said = str(error).lower()
    return any(words in said for words in _FULL)


_FULL = ("out of memory", "can't allocate memory", "not enough memory", "status_alloc_failed")
"""What torch, its allocators and NVIDIA's libraries say where memory is short."""


def synchronize(device: str) -> None:
    """Wait until a device has done what it was told: a GPU works through it behind the program's back."""
    import torch

    if device.startswith("cuda"):
        torch.cuda.synchronize(device)
    elif device == "mps":
        torch.mps.synchronize()


def free_memory(device: str) -> None:
    """Give a device's unused memory back."""
    import torch

    gc.collect()
    if device.startswith("cuda"):
        torch.cuda.empty_cache()
    elif device == "mps":
        torch.mps.empty_cache()
