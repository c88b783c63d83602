"""A model's folder: layers, limits and weight files. Does not import torch or transformers."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.errors import BadSetting, InputError, MissingResource
from core.json_text import parse_json

_OFFSET_POSITIONS = frozenset(
    {"roberta", "xlm-roberta", "camembert", "longformer", "mpnet", "xlm-roberta-xl"}
)
"""Model types whose first position comes after the padding position."""

_RELATIVE_POSITIONS = frozenset({"t5", "mt5", "longt5", "umt5"})
"""Model types that know distances only, so that their configuration sets no limit."""

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
"""Layers tuned on WMT16 for bert-score 0.3.13. MiniLM is not in that table and uses the layer of other
six-layer BERT models.
"""


TOKENIZER = "tokenizer.json"
_BY_FILE = ("PreTrainedTokenizerFast", "TokenizersBackend")
"""Classes of transformers that split texts as tokenizer.json says."""
_BERT_RULES = (
    ("lowercase", "do_lower_case", True),
    ("strip_accents", "strip_accents", None),
    ("handle_chinese_chars", "tokenize_chinese_chars", True),
)
"""Rules of BERT's normalizer, their settings in tokenizer_config.json, and what they are without one."""

_TYPES: Mapping[str, type] = {
    "architectures": list,
    "id2label": dict,
    "model_type": str,
    "pad_token_id": int,
    "vocab_size": int,
}
"""Types of the values of a config.json that are read here and by those who choose a network."""

_DEPTHS = ("num_hidden_layers", "encoder_layers", "num_layers", "n_layers", "n_layer")
"""Names of the number of an encoder's layers."""

_COUNTS = (*_DEPTHS, "decoder_layers", "num_decoder_layers", "num_hidden_groups", "inner_group_num")
_MOST_LAYERS = 1_000
"""Layers of a network at most: building it takes their number of steps, before weights are looked at."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model on this machine, not loaded.

    name: display name. weights: safetensors files in order.
    layers: number of transformer blocks. dimension: of its vectors.
    matching_layer: default layer of BERTScore.
    limit: maximum number of word pieces of a text, special ones included; 0 = unknown.
    sha256: expected digest of its weights; empty = unknown.
    """

    name: str
    folder: Path
    weights: tuple[Path, ...]
    layers: int
    dimension: int
    matching_layer: int
    limit: int
    sha256: str = ""

    def layer(self, requested: int) -> int:
        """Return the layer of a setting; 0 = the matching layer. Raises BadSetting beyond the last layer."""
        if requested > self.layers:
            raise BadSetting(
                f"layer={requested}: the model {self.name} has {self.layers} layers; choose a value "
                f"from 0 to {self.layers}."
            )
        return requested or self.matching_layer


def read_model(name: str, folder: Path, sha256: str = "") -> Model:
    config = read_json(folder / "config.json")
    layers = _first(config, folder, *_DEPTHS)
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
    """Read a JSON object. Raises InputError if there is none, or one with a value of another type."""
    try:
        content = parse_json(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read ({error}). Copy the model's folder again.") from error
    if not isinstance(content, dict):
        raise InputError(f"{file} contains no JSON object. Copy the model's folder again.")
    for key, type_ in _TYPES.items():
        if (value := content.get(key)) is not None and not isinstance(value, type_):
            raise InputError(f"{file}: {key} is {reprlib.repr(value)}. Copy the model's folder again.")
    for key in _COUNTS:
        least = int(key in _DEPTHS)
        if isinstance(value := content.get(key), int) and not least <= value <= _MOST_LAYERS:
            raise InputError(
                f"{file}: {key} is {value}; a network has {least} to {_MOST_LAYERS:,} layers. Copy the "
                "model's folder again."
            )
    if not all(str(place).isdecimal() for place in content.get("id2label") or ()):
        raise InputError(f"{file}: the keys of id2label are no numbers. Copy the model's folder again.")
    return content


def has_own_rules(model: Model) -> bool:
    """Return whether tokenizer.json normalizes texts as transformers' class of the tokenizer would not.

    Scores from before texts were split by that file then differ. Byte pairs are not looked at.
    """
    files = [model.folder / TOKENIZER, model.folder / "tokenizer_config.json"]
    changed = tuple(file.stat().st_mtime_ns if file.is_file() else 0 for file in files)
    return changed[0] > 0 and _has_own_rules(*files, changed)


@lru_cache(maxsize=32)
def _has_own_rules(file: Path, nearby: Path, changed: tuple[int, int]) -> bool:
    content, settings = read_json(file), read_json(nearby) if changed[1] else {}
    rules, pieces = content.get("normalizer") or {}, content.get("model") or {}
    try:
        if "merges" in pieces or settings.get("tokenizer_class") in _BY_FILE:
            return False
        if rules.get("type") == "BertNormalizer":
            return any(rules.get(rule) != settings.get(name, usual) for rule, name, usual in _BERT_RULES)
        kinds = {one.get("type") for one in rules.get("normalizers", [rules])}
    except (AttributeError, TypeError):  # loading it reports what is wrong
        return False
    return bool(rules) and "Precompiled" not in kinds


def _first(config: Mapping[str, Any], folder: Path, *names: str) -> int:
    for name in names:
        if isinstance(config.get(name), int):
            return int(config[name])
    raise InputError(f"{folder / 'config.json'} has none of {', '.join(names)}; this is not a text encoder.")


def _limit(config: Mapping[str, Any], folder: Path) -> int:
    """Return the smaller of the limits of the network's positions and of its tokenizer."""
    limits = [position_limit(config)]
    tokenizer = folder / "tokenizer_config.json"
    if tokenizer.is_file():
        longest = read_json(tokenizer).get("model_max_length")
        if isinstance(longest, int) and 0 < longest < 1_000_000:  # transformers writes 10^30 for "none"
            limits.append(longest)
    return min(filter(None, limits), default=0)


def position_limit(config: Mapping[str, Any]) -> int:
    """Return the word pieces for which a network has positions, special ones included; 0 = any number."""
    positions = config.get("max_position_embeddings", config.get("n_positions"))
    is_relative = (
        config.get("model_type") in _RELATIVE_POSITIONS or config.get("position_biased_input") is False
    )
    if not isinstance(positions, int) or positions <= 0 or is_relative:
        return 0
    padding = config.get("pad_token_id") or 0
    return positions - padding - 1 if config.get("model_type") in _OFFSET_POSITIONS else positions


def _weights(name: str, folder: Path) -> tuple[Path, ...]:
    single, index = folder / "model.safetensors", folder / "model.safetensors.index.json"
    if single.is_file():
        return (single,)
    if index.is_file():
        named = read_json(index).get("weight_map")
        names = {str(file) for file in named.values()} if isinstance(named, dict) else set[str]()
        if other := next((file for file in sorted(names) if Path(file).name != file), ""):
            raise InputError(f"{index} names {other!r}, which is outside the folder. Copy its folder again.")
        files = tuple(folder / file for file in sorted(names))
        if files and all(file.is_file() for file in files):
            return files
        raise InputError(
            f"Some weight files of the model {name} are missing in {folder}. Copy its folder again."
        )
    if any(folder.glob("*.bin")) or any(folder.glob("*.pt")):
        raise InputError(
            f"The model {name} in {folder} has its weights only as a pickle, which can run code when loaded. "
            "Get a version with model.safetensors."
        )
    raise MissingResource(f"The model {name} in {folder} has no model.safetensors. Copy its folder again.")
