"""Conversion of PyTorch weight files to safetensors, without running code from them."""

from __future__ import annotations

import pickle
import shutil
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import InputError

OLD_WEIGHTS = "pytorch_model.bin"
WEIGHTS = "model.safetensors"
_LARGE = 50_000_000
"""Files of at least this size (bytes), other than the weights, are not copied."""


def read_numbers(file: Path) -> Mapping[str, Any]:
    """Return the tensors of a PyTorch file by name. Raises InputError if it contains anything else.

    Other objects in such a file could run code when loaded; they are never loaded.
    """
    import torch

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about pickles of other programs
            state = torch.load(file, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, EOFError, ValueError, pickle.UnpicklingError) as error:
        raise InputError(
            f"{file} is damaged, or contains objects other than tensors, which could run code when loaded. "
            "It was not loaded. Get it again from its authors."
        ) from error
    if not isinstance(state, Mapping) or not all(isinstance(value, torch.Tensor) for value in state.values()):
        raise InputError(f"{file} contains no named weights. Get the file with the model's state dict.")
    return state


def convert(folder: Path) -> None:
    """Write the weights of a model's folder as safetensors, next to the PyTorch file."""
    from safetensors.torch import save_file

    state = read_numbers(folder / OLD_WEIGHTS)
    # clones, because safetensors rejects tensors that share memory, such as tied weights
    apart = {name: tensor.clone().contiguous() for name, tensor in state.items()}
    part = folder / f"{WEIGHTS}.part"
    try:
        save_file(apart, part, metadata={"format": "pt"})
        part.replace(folder / WEIGHTS)
    except OSError as error:
        raise InputError(f"{folder} cannot be written ({error.strerror}).") from error
    finally:
        part.unlink(missing_ok=True)


def needs_conversion(folder: Path) -> bool:
    """Return whether a folder has its weights only as a PyTorch file."""
    return (folder / OLD_WEIGHTS).is_file() and not any(folder.glob("*.safetensors*"))


def converted_copy(folder: Path, place: Path) -> Path:
    """Copy a model's folder into `place` with weights as safetensors; the original stays unchanged."""
    copy = place / folder.name
    copy.mkdir(parents=True, exist_ok=True)
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.name != OLD_WEIGHTS and file.stat().st_size < _LARGE:
            there = copy / file.relative_to(folder)
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, there)
    shutil.copyfile(folder / OLD_WEIGHTS, copy / OLD_WEIGHTS)
    try:
        convert(copy)
    finally:
        (copy / OLD_WEIGHTS).unlink(missing_ok=True)
    return copy
