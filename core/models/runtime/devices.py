"""Selection of a compute device, and detection of out-of-memory errors. Imports torch only when needed."""

from __future__ import annotations

import gc
import platform
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from core.errors import InputError
from core.extras import is_installed

_BATCH_TOKENS = {"cpu": 512, "mps": 16384, "cuda": 65536}
"""On a CPU, padding costs as much as text, and a few texts at a time keep it busy."""


@dataclass(frozen=True, slots=True)
class Device:
    """A compute device. name: value of ``--device``; title: display name."""

    name: str
    title: str


def devices() -> tuple[Device, ...]:
    """Return every device of this machine; ``auto`` selects the first one."""
    if not is_installed("neural"):
        return likely_devices()
    import torch

    available = [
        Device(f"cuda:{i}" if i else "cuda", torch.cuda.get_device_name(i))
        for i in range(torch.cuda.device_count())
    ]
    if torch.backends.mps.is_available():
        available.append(Device("mps", "Apple GPU"))
    return (*available, Device("cpu", "CPU"))


def likely_devices() -> tuple[Device, ...]:
    """Return the devices that seem usable, judging by files of drivers and of torch, without importing torch.

    `choose_device` makes the final check when a device is used.
    """
    devices = []
    if _has_nvidia_driver() and _has_cuda_build():
        devices.append(Device("cuda", "GPU"))
    if sys.platform == "darwin" and platform.machine() == "arm64":
        devices.append(Device("mps", "GPU"))
    return (*devices, Device("cpu", "CPU"))


def available_device(requested: str) -> str:
    """Return the requested device if it seems to be available, else the fastest one."""
    names = [device.name for device in likely_devices()]
    return requested if requested in names else names[0]


def _has_nvidia_driver() -> bool:
    return any(trace.exists() for trace in _NVIDIA_TRACES)


def _has_cuda_build() -> bool:
    """Return whether the installed torch contains CUDA, without importing it."""
    spec = find_spec("torch")
    folders = (spec.submodule_search_locations or ()) if spec else ()
    return any(True for folder in folders for _ in Path(folder, "lib").glob("*torch_cuda*"))


_NVIDIA_TRACES = (
    Path("/dev/nvidia0"),
    Path("/usr/lib/wsl/lib/libcuda.so.1"),  # Windows Subsystem for Linux
    Path("C:/Windows/System32/nvcuda.dll"),
)


def choose_device(requested: str) -> str:
    """Return the device to use; ``auto`` selects a GPU if there is one. Raises InputError if unavailable."""
    if requested == "cpu":
        return requested
    names = [device.name for device in devices()]
    name = "cuda" if requested == "cuda:0" else requested
    if name == "auto":
        name = names[0]
    elif name not in names:
        raise InputError(_unavailable(name, names))
    if name.startswith("cuda"):
        _disable_tf32()
    return name


def _unavailable(name: str, names: Sequence[str]) -> str:
    """Return why a device cannot be used here, and the remedy."""
    others = f"Choose one of: auto, {', '.join(names)}."
    if not name.startswith("cuda") or not _has_nvidia_driver() or "cuda" in names:
        return f"This machine has no device {name!r}. {others}"
    import torch

    if torch.version.cuda is None:
        return (
            f"This machine has an NVIDIA GPU, but the installed torch {torch.__version__} was built for CPUs "
            "only. Install a build for CUDA (https://pytorch.org/get-started/locally), or use the device cpu."
        )
    return (
        f"This machine has an NVIDIA GPU, but torch cannot use it: its driver does not work with CUDA "
        f"{torch.version.cuda}. Update the driver (nvidia-smi shows its version), or use the device cpu."
    )


def _disable_tf32() -> None:
    """Turn TF32 off: a GPU may otherwise round convolutions and recurrent layers to it."""
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False


def check_name(requested: str) -> None:
    """Raise InputError unless the text can name a device, on this machine or another.

    Does not import torch.
    """
    if not _NAME.fullmatch(requested):
        raise InputError(f"Unknown device {requested!r}. Choose one of: auto, cpu, cuda, cuda:1, mps.")


_NAME = re.compile(r"auto|cpu|mps|cuda(:\d+)?")


def default_batch_tokens(device: str) -> int:
    """Return how many word pieces, padding included, one batch holds on a device."""
    return _BATCH_TOKENS[device.partition(":")[0]]


def is_out_of_memory(error: RuntimeError) -> bool:
    """Return whether a device ran out of memory; each kind of device reports this differently."""
    import torch

    if isinstance(error, torch.OutOfMemoryError):
        return True
    message = str(error).lower()
    return any(part in message for part in _FULL)


_FULL = ("out of memory", "can't allocate memory", "not enough memory", "status_alloc_failed")
"""Messages of torch, its allocators and NVIDIA's libraries when memory runs out."""


def synchronize(device: str) -> None:
    """Wait until a device has finished its queued work; a GPU runs asynchronously."""
    import torch

    if device.startswith("cuda"):
        torch.cuda.synchronize(device)
    elif device == "mps":
        torch.mps.synchronize()


def free_memory(device: str) -> None:
    """Release a device's unused memory."""
    import torch

    gc.collect()
    if device.startswith("cuda"):
        torch.cuda.empty_cache()
    elif device == "mps":
        torch.mps.empty_cache()
