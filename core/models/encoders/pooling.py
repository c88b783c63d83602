"""Pooling of a model's token vectors into a text vector, as its folder specifies. Imports torch lazily."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import InputError
from core.models.catalogue.model_folder import Model, read_json
from core.models.catalogue.sentence_folder import DenseFolder, load_dense, modules_of, read_dense, root_of

if TYPE_CHECKING:
    import torch

_FLAGS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
"""sentence-transformers before version 6 wrote one flag per mode; vectors are concatenated in this order."""


@dataclass(frozen=True, slots=True)
class Pooling:
    """Method to combine token vectors into one vector.

    modes: their vectors are concatenated. has_special: whether special pieces count.
    limit: maximum word pieces of a text, 0 = the model's. is_lower: whether texts are lowercased first.
    layers: dense layers applied before normalization.
    """

    modes: tuple[str, ...] = ("mean",)
    has_special: bool = False
    is_normalized: bool = True
    limit: int = 0
    is_lower: bool = False
    layers: tuple[DenseFolder, ...] = ()

    def __str__(self) -> str:
        """Return the text for signatures: ``mean`` as in the folder, ``content-mean`` without one."""
        layers = (f"dense{layer.width}-{layer.activation.lower()}" for layer in self.layers)
        modes = ">".join(("+".join(self.modes), *layers))
        return modes if self.has_special else f"content-{modes}"


def read_pooling(model: Model) -> Pooling:
    """Return the pooling of a model's folder; without one, the mean of all but special pieces.

    Raises InputError if it is not supported.
    """
    folder = root_of(model.folder)
    if folder is None:
        return Pooling(limit=model.limit)
    modules = modules_of(folder)
    kinds = [kind for kind, _ in modules]
    is_normalized = kinds[-1:] == ["Normalize"]
    if kinds[:2] != ["Transformer", "Pooling"] or not set(kinds[2 : len(kinds) - is_normalized]) <= {"Dense"}:
        raise _unusable(model, f"its modules are {', '.join(kinds)}")
    transformer = folder / modules[0][1] / "sentence_bert_config.json"
    setup = read_json(transformer) if transformer.is_file() else {}
    if _has_prompt(folder):
        raise _unusable(model, "it adds a prompt to every text")
    limits = [n for n in (setup.get("max_seq_length"), model.limit) if isinstance(n, int) and n > 0]
    return Pooling(
        modes=_modes(model, read_json(folder / modules[1][1] / "config.json")),
        has_special=True,
        is_normalized=is_normalized,
        limit=min(limits, default=0),
        is_lower=bool(setup.get("do_lower_case", False)),
        layers=tuple(read_dense(folder / path) for kind, path in modules if kind == "Dense"),
    )


def pool(pooling: Pooling, vectors: torch.Tensor, is_special: torch.Tensor) -> torch.Tensor:
    """Return one text's vector, float32, from token vectors (pieces, dimension); zeros if no piece counts."""
    import torch

    counted = vectors.float() if pooling.has_special else vectors.float()[~is_special]
    if not len(counted):
        width = pooling.layers[-1].width if pooling.layers else len(pooling.modes) * vectors.shape[1]
        return vectors.new_zeros(width, dtype=torch.float32)
    joined = torch.cat([_pooled(mode, counted) for mode in pooling.modes])
    for layer in pooling.layers:
        dense = load_dense(layer, str(joined.device))
        if (reads := dense[0].in_features) != len(joined):
            raise InputError(
                f"The dense layer in {layer.folder} reads {reads} numbers, but gets {len(joined)}. Copy the "
                "model's folder again."
            )
        joined = dense(joined)
    return torch.nn.functional.normalize(joined, dim=0) if pooling.is_normalized else joined


def _pooled(mode: str, vectors: torch.Tensor) -> torch.Tensor:
    import torch

    count = len(vectors)
    match mode:
        case "cls":
            return vectors[0]
        case "lasttoken":
            return vectors[-1]
        case "max":
            return vectors.amax(dim=0)
        case "mean_sqrt_len_tokens":
            return vectors.sum(dim=0) / math.sqrt(count)
        case "weightedmean":
            weights = torch.arange(1.0, count + 1.0, device=vectors.device)
            return weights @ vectors / weights.sum()
        case _:
            return vectors.mean(dim=0)


def _modes(model: Model, setup: dict[str, Any]) -> tuple[str, ...]:
    mode = setup.get("pooling_mode")
    if mode is None:
        modes = tuple(named for flag, named in _FLAGS.items() if setup.get(flag)) or ("mean",)
    else:
        modes = (mode,) if isinstance(mode, str) else tuple(mode)
    if not set(modes) <= set(_FLAGS.values()):
        raise _unusable(model, f"its pooling is {', '.join(map(str, modes))}")
    return modes


def _has_prompt(folder: Path) -> bool:
    file = folder / "config_sentence_transformers.json"
    return file.is_file() and bool(read_json(file).get("default_prompt_name"))


def _unusable(model: Model, why: str) -> InputError:
    return InputError(
        f"The model {model.name} cannot be used for vectors of whole texts: {why}. Choose another model."
    )
