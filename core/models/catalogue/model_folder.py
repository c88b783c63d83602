"""A model's folder: its layers, its limits, its weight files. Imports neither torch nor transformers."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import BadSetting, InputError, MissingResource

_OFFSET_POSITIONS = frozenset(
    {"roberta", "xlm-roberta", "camembert", "longformer", "mpnet", "xlm-roberta-xl"}
)
"""Model types whose first position comes after the padding's."""

_LAYERS = {
    "all-MiniLM-L6-v2": 5,
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "bert-base-multilingual-cased": 9,
    "bert-base-chinese": 8,
    "scibert_scivocab_uncased": 8,
    "scibert_scivocab_cased": 9,
    "distilbert-base-uncased": 5,
    "distilroberta-base": 5,
    "roberta-base": 10,
    "roberta-large": 17,
    "roberta-large-mnli": 19,
    "xlm-roberta-base": 9,
    "xlm-roberta-large": 17,
    "albert-base-v2": 9,
    "mpnet-base": 8,
    "deberta-base": 9,
    "deberta-large": 16,
    "deberta-large-mnli": 18,
    "deberta-xlarge-mnli": 40,
    "longformer-base-4096": 7,
    "bart-base": 6,
    "bart-large": 10,
}
"""Layer that matches words best, as tuned on WMT16 for bert-score 0.3.13. MiniLM is not in that table: it
takes the layer of all its six-layer BERTs."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model found on this machine, not loaded.

    name: what people call it. weights: safetensors files in order. layers: transformer blocks. dimension: of
    its vectors. matching_layer: the layer that BERTScore takes unless told. limit: most pieces of one text,
    special ones included, 0 = none known. sha256: what its weights must have, empty = unknown.
    """

    name: str
    folder: Path
    weights: tuple[Path, ...]
    layers: int
    dimension: int
    matching_layer: int
    limit: int
    sha256: str = ""

    def layer(self, wanted: int) -> int:
        """The layer that a setting means, 0 being the matching layer. Raises BadSetting beyond the last."""
        if wanted > self.layers:
            raise BadSetting(
                f"layer={wanted}: the model {self.name} has {self.layers} layers; choose one of them."
            )
        return wanted or self.matching_layer


def read_model(name: str, folder: Path, sha256: str = "") -> Model:
    config = read_json(folder / "config.json")
    layers = _first(
        config, folder, "num_hidden_layers", "encoder_layers", "num_layers", "n_layers", "n_layer"
    )
    return Model(
        name=name,
        folder=folder,
        weights=_weights(name, folder),
        layers=layers,
        dimension=_first(config, folder, "hidden_size", "d_model", "dim", "n_embd"),
        matching_layer=min(_LAYERS.get(name.rpartition("/")[2], math.ceil(0.75 * layers)), layers),
        limit=_limit(config, folder),
        sha256=sha256,
    )


def read_json(file: Path) -> dict[str, Any]:
    """An object of a JSON file. Raises InputError where it is none."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read ({error}); copy the model's folder again.") from error
    if not isinstance(content, dict):
        raise InputError(f"{file} holds no settings; copy the model's folder again.")
    return content


def _first(config: Mapping[str, Any], folder: Path, *names: str) -> int:
    for name in names:
        if isinstance(config.get(name), int):
            return int(config[name])
    raise InputError(f"{folder / 'config.json'} names none of {', '.join(names)}; this is no text encoder.")


def _limit(config: Mapping[str, Any], folder: Path) -> int:
    """The smaller of what the network's positions and its tokenizer allow."""
    limits = []
    positions = config.get("max_position_embeddings", config.get("n_positions"))
    if isinstance(positions, int) and positions > 0:
        padding = config.get("pad_token_id") or 0
        limits.append(positions - padding - 1 if config.get("model_type") in _OFFSET_POSITIONS else positions)
    tokenizer = folder / "tokenizer_config.json"
    if tokenizer.is_file():
        longest = read_json(tokenizer).get("model_max_length")
        if isinstance(longest, int) and 0 < longest < 1_000_000:  # transformers writes 10^30 for "none"
            limits.append(longest)
    return min(limits, default=0)


def _weights(name: str, folder: Path) -> tuple[Path, ...]:
    single, index = folder / "model.safetensors", folder / "model.safetensors.index.json"
    if single.is_file():
        return (single,)
    if index.is_file():
        files = tuple(folder / file for file in sorted(set(read_json(index).get("weight_map", {}).values())))
        if files and all(file.is_file() for file in files):
            return files
        raise InputError(
            f"The model {name} in {folder} lacks some of its weight files; copy its folder again."
        )
    if any(folder.glob("*.bin")) or any(folder.glob("*.pt")):
        raise InputError(
            f"The model {name} in {folder} has its weights as a pickle only, which can run code when opened; "
            "get a version with model.safetensors."
        )
    raise MissingResource(f"The model {name} in {folder} has no model.safetensors; copy its folder again.")
