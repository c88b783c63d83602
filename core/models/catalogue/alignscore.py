"""Conversion of AlignScore's checkpoints to a folder that transformers reads; no code of them runs.

AlignScore (Zha et al. 2023) is a RoBERTa with a pooler and three linear heads upon it. That is a sequence
classifier with as many labels as the heads have outputs, whose hidden layer is the pooler.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.errors import InputError, MissingResource
from core.models.catalogue.conversion import read_checkpoint, save_weights
from core.models.catalogue.lookup import find_model
from core.models.catalogue.model_folder import read_json

SUFFIX = ".ckpt"
LABELS = (
    "not aligned (bin)",
    "aligned (bin)",
    "aligned (nli)",
    "neutral (nli)",
    "contradiction (nli)",
    "alignment (reg)",
)
"""Outputs of the heads: binary, three-way, and of the regression."""

_HEADS = ("bin_layer", "tri_layer", "reg_layer")
_ENCODER = "base_model."
_HEAD_WIDTH = 64
"""Size of an attention head in every released RoBERTa."""

_TOKENIZER = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "vocab.json",
    "merges.txt",
)
_WITH_ITS_TOKENIZER = ("roberta-large", "roberta-large-mnli", "roberta-large-nli", "roberta-large-tac08")
"""Models of the catalogue that have RoBERTa's tokenizer."""


def is_alignment(config: Mapping[str, Any]) -> bool:
    """Return whether a config.json is that of a converted checkpoint."""
    return tuple((config.get("id2label") or {}).values()) == LABELS


def converted_checkpoint(file: Path, place: Path) -> Path:
    """Convert a checkpoint to a new folder below `place` and return it; the original stays unchanged.

    The tokenizer is taken from next to the checkpoint, else from an installed RoBERTa.
    Raises InputError if the file is damaged, contains more than numbers or another model, MissingResource if
    there is no tokenizer.
    """
    state = read_checkpoint(file)
    try:
        weights = dict(_renamed(state))
        config = _configuration(state)
    except (KeyError, IndexError, RuntimeError) as error:
        raise InputError(
            f"{file} is no checkpoint of AlignScore with RoBERTa: it has no {error}. Get the file again."
        ) from error
    tokenizer = _tokenizer_folder(file, config["vocab_size"])
    folder = place / file.stem
    save_weights(weights, folder)
    (folder / "config.json").write_text(json.dumps(config, indent=1), encoding="utf-8")
    for name in _TOKENIZER:
        if (tokenizer / name).is_file():
            shutil.copyfile(tokenizer / name, folder / name)
    return folder


def _renamed(state: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the weights by their names in RobertaForSequenceClassification."""
    import torch

    for kind in ("weight", "bias"):
        yield f"classifier.dense.{kind}", state[f"{_ENCODER}pooler.dense.{kind}"]
        yield f"classifier.out_proj.{kind}", torch.cat([state[f"{head}.{kind}"] for head in _HEADS])
    for name, tensor in state.items():
        part = name.removeprefix(_ENCODER)
        if part != name and not part.startswith("pooler.") and not part.endswith("position_ids"):
            yield f"roberta.{part}", tensor


def _configuration(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the configuration that the sizes of the weights imply."""
    words, width = state[f"{_ENCODER}embeddings.word_embeddings.weight"].shape
    layers = {name.split(".")[3] for name in state if name.startswith(f"{_ENCODER}encoder.layer.")}
    return {
        "architectures": ["RobertaForSequenceClassification"],
        "model_type": "roberta",
        "vocab_size": words,
        "hidden_size": width,
        "num_hidden_layers": len(layers),
        "num_attention_heads": max(width // _HEAD_WIDTH, 1),
        "intermediate_size": state[f"{_ENCODER}encoder.layer.0.intermediate.dense.weight"].shape[0],
        "max_position_embeddings": state[f"{_ENCODER}embeddings.position_embeddings.weight"].shape[0],
        "type_vocab_size": state[f"{_ENCODER}embeddings.token_type_embeddings.weight"].shape[0],
        "layer_norm_eps": 1e-5,
        "pad_token_id": 1,
        "bos_token_id": 0,
        "eos_token_id": 2,
        "id2label": {str(place): label for place, label in enumerate(LABELS)},
        "label2id": {label: place for place, label in enumerate(LABELS)},
    }


def _tokenizer_folder(file: Path, words: int) -> Path:
    """Return a folder with a tokenizer of as many words as the checkpoint has vectors."""
    folders = [file.parent]
    for name in _WITH_ITS_TOKENIZER:
        try:
            folders.append(find_model(name).folder)
        except (InputError, MissingResource):
            continue
    for folder in folders:
        if _vocabulary_size(folder) == words:
            return folder
    raise MissingResource(
        f"{file.name} comes without RoBERTa's tokenizer. Put tokenizer.json of roberta-base or roberta-large "
        f"next to it, in {file.parent}, or add roberta-large first."
    )


def _vocabulary_size(folder: Path) -> int:
    if (folder / "tokenizer.json").is_file():
        content = read_json(folder / "tokenizer.json")
        own = (content.get("model") or {}).get("vocab") or ()
        added = {str(one.get("content")) for one in content.get("added_tokens") or ()}
        return len(added.union(own))
    return len(read_json(folder / "vocab.json")) if (folder / "merges.txt").is_file() else 0
