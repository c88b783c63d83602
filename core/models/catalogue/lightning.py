"""Conversion of checkpoints of PyTorch Lightning to folders that transformers reads; no code of them runs.

AlignScore and COMET are released so, both with a RoBERTa and without its tokenizer.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.errors import InputError, MissingResource
from core.models.catalogue import alignscore, comet
from core.models.catalogue.conversion import has_weights, read_checkpoint, save_weights
from core.models.catalogue.lookup import find_model
from core.models.catalogue.model_folder import read_json

SUFFIX = ".ckpt"
RELEASED = "checkpoints/model.ckpt"
"""Where COMET's folders have their checkpoint."""
HYPERPARAMETERS = "hparams.yaml"

_TOKENIZER = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "vocab.json",
    "merges.txt",
)


def checkpoint_of(place: Path) -> Path | None:
    """Return the checkpoint that a file or folder is or has, or None.

    A folder that also has a model of transformers is that model.
    """
    if place.is_dir():
        is_model = (place / "config.json").is_file() and has_weights(place)
        return None if is_model or not (place / RELEASED).is_file() else place / RELEASED
    return place if place.is_file() and place.suffix == SUFFIX else None


def name_of(file: Path) -> str:
    """Return the name of a checkpoint: its own, or that of its folder if it has that of every COMET."""
    return file.parent.parent.name if file.parts[-2:] == tuple(RELEASED.split("/")) else file.stem


def converted_checkpoint(file: Path, folder: Path) -> Path:
    """Convert a checkpoint to a new folder and return that; the original stays unchanged.

    The tokenizer is taken from next to the checkpoint, else from an installed model that has it.
    Raises InputError if the file is damaged, contains more than numbers or another model, MissingResource if
    there is no tokenizer.
    """
    state, parameters = read_checkpoint(file)
    kind = comet if any(name.startswith(comet.ENCODER) for name in state) else alignscore
    try:
        sizes = _sizes(state, kind.ENCODER)
        if kind is comet:
            weights, config = comet.comet_in_transformers(state, parameters, _written(file), sizes)
        else:
            weights, config = alignscore.alignscore_in_transformers(state, sizes)
    except (LookupError, RuntimeError, TypeError, ValueError) as error:
        why = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise InputError(f"{file} is no checkpoint of {kind.TITLE}: {why}. Get it again.") from error
    tokenizer = tokenizer_folder(file, config["vocab_size"], kind.WITH_ITS_TOKENIZER)
    save_weights(weights, folder)
    for name in _TOKENIZER:
        if (tokenizer / name).is_file() and tokenizer != folder:
            shutil.copyfile(tokenizer / name, folder / name)
    if kind is comet:
        settings = json.dumps(comet.TOKENIZER_SETTINGS, indent=1)
        (folder / "tokenizer_config.json").write_text(settings, encoding="utf-8")
        (folder / "special_tokens_map.json").unlink(missing_ok=True)
    # last, so that what a killed run leaves is no model
    (folder / "config.json").write_text(json.dumps(config, indent=1), encoding="utf-8")
    return folder


def _written(file: Path) -> Mapping[str, Any]:
    """Return the hyperparameters that are written next to a checkpoint, or one folder above it."""
    import yaml

    found = next(
        (one for one in (file.parent, file.parent.parent) if (one / HYPERPARAMETERS).is_file()), None
    )
    if found is None:
        raise MissingResource(f"{file} comes without {HYPERPARAMETERS}. Get the whole folder of the model.")
    try:
        content = yaml.safe_load((found / HYPERPARAMETERS).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise InputError(f"{found / HYPERPARAMETERS} is damaged. Get it again.") from error
    return content if isinstance(content, Mapping) else {}


def _sizes(state: Mapping[str, Any], encoder: str) -> dict[str, Any]:
    """Return the configuration that the sizes of a RoBERTa's weights imply. encoder: beginning of names."""
    words, width = state[f"{encoder}embeddings.word_embeddings.weight"].shape
    layers = {
        name.removeprefix(f"{encoder}encoder.layer.").partition(".")[0]
        for name in state
        if name.startswith(f"{encoder}encoder.layer.")
    }
    return {
        "vocab_size": words,
        "hidden_size": width,
        "num_hidden_layers": len(layers),
        "num_attention_heads": max(width // 64, 1),  # as in every released RoBERTa
        "intermediate_size": state[f"{encoder}encoder.layer.0.intermediate.dense.weight"].shape[0],
        "max_position_embeddings": state[f"{encoder}embeddings.position_embeddings.weight"].shape[0],
        "type_vocab_size": state[f"{encoder}embeddings.token_type_embeddings.weight"].shape[0],
        "layer_norm_eps": 1e-5,
        "pad_token_id": 1,
        "bos_token_id": 0,
        "eos_token_id": 2,
    }


def tokenizer_folder(file: Path, words: int, installed: Sequence[str]) -> Path:
    """Return a folder with a tokenizer of as many words as the checkpoint has vectors.

    file: the checkpoint, next to which it may be. installed: models that have it.
    """
    folders = [file.parent, file.parent.parent]
    for name in installed:
        try:
            folders.append(find_model(name).folder)
        except (InputError, MissingResource):
            continue
    for folder in folders:
        if _vocabulary_size(folder) == words:
            return folder
    raise MissingResource(
        f"{file.name} comes without its tokenizer. Put tokenizer.json of {' or '.join(installed[:2])} next "
        f"to it, in {file.parent}, or add {installed[0]} first."
    )


def _vocabulary_size(folder: Path) -> int:
    if (folder / "tokenizer.json").is_file():
        content = read_json(folder / "tokenizer.json")
        try:
            own = content["model"]["vocab"]
            names = (
                own if isinstance(own, dict) else [str(piece) for piece, *_ in own]
            )  # with scores in XLM-R's
            added = {str(one["content"]) for one in content.get("added_tokens") or ()}
        except (KeyError, TypeError, ValueError):  # of no tokenizer
            return 0
        return len(added.union(names))
    return len(read_json(folder / "vocab.json")) if (folder / "merges.txt").is_file() else 0
