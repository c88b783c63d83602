"""Conversion of AllenNLP's archive of the question generator of QAEval (Deutsch et al. 2021); no code runs.

It is a BART with two marks around the answer, released without its configuration and its tokenizer.
"""

from __future__ import annotations

import json
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.json_text import parse_json
from core.models.catalogue.conversion import read_numbers, save_weights
from core.models.catalogue.lightning import tokenizer_folder
from core.models.catalogue.model_folder import TOKENIZER

SUFFIX = ".tar.gz"
MARKS = ("<m>", "</m>")
"""What is written before and after an answer."""

_WITH_ITS_TOKENIZER = ("bart-large-cnn", "roberta-large", "facebook/bart-large")
_KIND = "question_generation"

_MOST = {"config.json": 2**20, "weights.th": 2**33}
"""Bytes of what is read from an archive, which may unpack to any size: five times those of BART large."""


def is_archive(place: Path) -> bool:
    """Return whether a file may be an archive of AllenNLP."""
    return place.is_file() and place.name.endswith(SUFFIX)


def converted_archive(file: Path, folder: Path) -> Path:
    """Convert an archive to a new folder, where it is unpacked; the original stays unchanged.

    Raises InputError if it is damaged, contains more than numbers or another model, MissingResource if there
    is no tokenizer next to it or among the installed models.
    """
    try:
        folder.mkdir()
        with tarfile.open(file, "r:gz") as archive, tempfile.TemporaryDirectory(dir=folder) as name:
            about = parse_json(_member(archive, "config.json").read().decode())
            kind = about["model"]["type"]
            if kind != _KIND:
                raise InputError(
                    f"{file} is an archive of a model for {kind!r:.60}, not one that writes questions."
                )
            weights = Path(name) / "weights.th"
            with weights.open("wb") as target:
                shutil.copyfileobj(_member(archive, "weights.th"), target)
            state, config = _in_transformers(read_numbers(weights))
    except (OSError, EOFError, zlib.error, tarfile.TarError, LookupError, TypeError, ValueError) as error:
        why = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise InputError(f"{file} is no archive of a question generator ({why}). Get it again.") from error
    words = tokenizer_folder(file, config["vocab_size"] - len(MARKS), _WITH_ITS_TOKENIZER)
    tokenizer = _with_marks(words / TOKENIZER)
    save_weights(state, folder)
    (folder / "config.json").write_text(json.dumps(config, indent=1), encoding="utf-8")
    _write_tokenizer(tokenizer, folder)
    return folder


def _member(archive: tarfile.TarFile, name: str) -> Any:
    found = next((one for one in archive if one.isfile() and one.name.removeprefix("./") == name), None)
    if found is None:
        raise KeyError(name)
    if found.size > _MOST[name]:
        raise ValueError(f"its {name} has {found.size:,} bytes")
    return archive.extractfile(found)


def _in_transformers(state: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the weights by their names in BartForConditionalGeneration, and the configuration."""
    import torch

    weights = {
        name.removeprefix("bart."): tensor
        for name, tensor in state.items()
        if name.startswith("bart.") and not name.endswith(("embed_tokens.weight", "lm_head.weight"))
    }
    # the authors' program gives the second token of a question the third position, and so on
    places = "model.decoder.embed_positions.weight"
    rows = weights[places]
    weights[places] = torch.cat([rows[:3], rows[4:], rows[-1:]])
    words, width = weights["model.shared.weight"].shape
    sizes: dict[str, Any] = {}
    for part in ("encoder", "decoder"):
        begin = f"model.{part}.layers."
        layers = {name.removeprefix(begin).partition(".")[0] for name in weights if name.startswith(begin)}
        sizes |= {
            f"{part}_layers": len(layers),
            f"{part}_ffn_dim": len(weights[f"{begin}0.fc1.bias"]),
            f"{part}_attention_heads": max(width // 64, 1),  # as in every released BART
        }
    config = {
        "architectures": ["BartForConditionalGeneration"],
        "model_type": "bart",
        "vocab_size": words,
        "d_model": width,
        "max_position_embeddings": len(rows) - 2,
        "decoder_start_token_id": 0,
        "bos_token_id": 0,
        "pad_token_id": 1,
        "eos_token_id": 2,
        "tie_word_embeddings": True,
        **sizes,
    }
    return weights, config


def _with_marks(file: Path) -> Any:
    """Return a tokenizer that knows the marks. Raises InputError."""
    from tokenizers import AddedToken, Tokenizer

    try:
        made = Tokenizer.from_file(str(file))
    except Exception as error:  # tokenizers raises no other class
        raise InputError(
            f"{file} is no tokenizer ({error}). Get that of {_WITH_ITS_TOKENIZER[0]}."
        ) from error
    # as the tokenizer of the authors' program, which takes blanks around a mark as a part of it
    made.add_tokens([AddedToken(mark, lstrip=True, rstrip=True, normalized=False) for mark in MARKS])
    return made


def _write_tokenizer(made: Any, folder: Path) -> None:
    made.save(str(folder / TOKENIZER))
    settings = {"tokenizer_class": "PreTrainedTokenizerFast"}
    names = ("bos", "pad", "eos", "unk", "mask", "cls", "sep")
    pieces = ("<s>", "<pad>", "</s>", "<unk>", "<mask>", "<s>", "</s>")
    settings |= {f"{name}_token": piece for name, piece in zip(names, pieces, strict=True)}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings, indent=1), encoding="utf-8")
