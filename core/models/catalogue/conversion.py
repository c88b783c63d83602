"""PyTorch's older files of weights, read as numbers alone and written as safetensors."""

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
"""Bytes from which on a file beside the weights is no part of what is copied."""


def read_numbers(file: Path) -> Mapping[str, Any]:
    """The tensors of a file of PyTorch by their names. Raises InputError where it holds anything else.

    Whatever else stands in such a file could run code when it is opened; it is not.
    """
    import torch

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of pickles by other programs, which are refused or read anyhow
            state = torch.load(file, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, EOFError, ValueError, pickle.UnpicklingError) as error:
        raise InputError(
            f"{file} is damaged, or holds more than numbers, so that opening it could run code; it was not "
            "opened. Get it again from its authors."
        ) from error
    if not isinstance(state, Mapping) or not all(isinstance(value, torch.Tensor) for value in state.values()):
        raise InputError(f"{file} holds no weights by name; get the file of the model's state.")
    return state


def convert(folder: Path) -> None:
    """Write the weights of a model's folder as safetensors, beside those of PyTorch."""
    from safetensors.torch import save_file

    state = read_numbers(folder / OLD_WEIGHTS)
    # clones, since safetensors refuses tensors that share their memory, as tied ones do
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
    """Whether a folder has its weights in PyTorch's older file alone."""
    return (folder / OLD_WEIGHTS).is_file() and not any(folder.glob("*.safetensors*"))


def converted_copy(folder: Path, place: Path) -> Path:
    """A copy of a model's folder, in `place`, whose weights are safetensors; the folder stays as it is."""
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
