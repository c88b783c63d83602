"""Folders in sentence-transformers format: location of the transformer, layers after the pooling.

``modules.json`` lists the modules in order: Transformer, Pooling, any number of Dense, optionally Normalize.
Older folders have the transformer in a subfolder.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import InputError
from core.json_text import parse_json
from core.models.catalogue.conversion import check_numbers
from core.models.catalogue.model_folder import read_json

if TYPE_CHECKING:
    import torch

Module = tuple[str, str]
"""A module's class name and its folder."""

_ACTIVATIONS = ("Identity", "Tanh", "ReLU", "GELU", "Sigmoid")


def root_of(folder: Path) -> Path | None:
    """Return the folder with modules.json for a transformer's folder, or None."""
    above = folder.parent
    if (folder / "modules.json").is_file():
        return folder
    if (above / "modules.json").is_file() and ("Transformer", folder.name) in modules_of(above):
        return above
    return None


def transformer_folder(folder: Path) -> Path:
    """Return the folder of the transformer: the given one, or the one that modules.json names."""
    if (folder / "config.json").is_file() or not (folder / "modules.json").is_file():
        return folder
    return folder / dict(modules_of(folder)).get("Transformer", "")


def modules_of(root: Path) -> list[Module]:
    """Return the modules in order. Raises InputError if the file is damaged."""
    file = root / "modules.json"
    try:
        listed = parse_json(file.read_text(encoding="utf-8"))
        return [(str(m["type"]).rpartition(".")[2], str(m["path"])) for m in listed]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{file} cannot be read ({error}). Copy the model's folder again.") from error


@dataclass(frozen=True, slots=True)
class DenseFolder:
    """A dense layer after the pooling, not loaded. width: size of its output."""

    folder: Path
    width: int
    activation: str

    @property
    def weights(self) -> Path:
        """The weight file."""
        safe = self.folder / "model.safetensors"
        return safe if safe.is_file() else self.folder / "pytorch_model.bin"


def read_dense(folder: Path) -> DenseFolder:
    """Read the settings of a dense layer. Raises InputError if they are not supported."""
    config = read_json(folder / "config.json")
    activation = str(config.get("activation_function") or "Identity").rpartition(".")[2]
    names = {config.get("module_input_name"), config.get("module_output_name")} - {None, "sentence_embedding"}
    if activation not in _ACTIVATIONS or config.get("use_residual") or names:
        raise InputError(
            f"The dense layer in {folder} is not supported (activation {activation}). Choose another model."
        )
    if not isinstance(config.get("out_features"), int):
        raise InputError(f"{folder / 'config.json'} has no out_features. Copy the model's folder again.")
    return DenseFolder(folder, config["out_features"], activation)


@lru_cache(maxsize=8)
def load_dense(dense: DenseFolder, device: str) -> torch.nn.Sequential:
    """Load a dense layer onto a device. Raises InputError if its file is damaged; runs no code from it."""
    import torch

    numbers = _numbers(dense)
    check_numbers(numbers, dense.weights)
    weight, bias = numbers.get("linear.weight"), numbers.get("linear.bias")
    is_biased = read_json(dense.folder / "config.json").get("bias", True)
    if weight is None or len(weight) != dense.width or (bias is None and is_biased):
        raise InputError(
            f"{dense.weights} has no whole layer with {dense.width} outputs. Copy the model's folder again."
        )
    linear = torch.nn.Linear(weight.shape[1], dense.width, bias=bias is not None)
    linear.load_state_dict({"weight": weight, **({} if bias is None else {"bias": bias})})
    return torch.nn.Sequential(linear, getattr(torch.nn, dense.activation)()).eval().to(device)


def _numbers(dense: DenseFolder) -> dict[str, torch.Tensor]:
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        if dense.weights.suffix == ".safetensors":
            tensors = load_file(dense.weights)
        else:
            tensors = torch.load(dense.weights, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, EOFError, SafetensorError, pickle.UnpicklingError) as error:
        message = str(error).partition("\n")[0]
        raise InputError(
            f"{dense.weights} cannot be read ({message}). Copy the model's folder again."
        ) from error
    return {key: value.float() for key, value in tensors.items()}
