"""Conversion of old files of models, such as PyTorch's weights, without running code from them.

Tokenizers of ALBERT and BLEURT are read from SentencePiece's file where a model comes without tokenizer.json:
a Protocol Buffers message, of which pieces, scores and the table of characters are read.
"""

from __future__ import annotations

import json
import pickle
import shutil
import struct
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeGuard

from core.errors import InputError
from core.json_text import parse_json
from core.models.catalogue.bleurt import BLEURT, bleurt_in_transformers
from core.models.catalogue.model_folder import TOKENIZER, read_json

ALBERT = "albert"
PIECES_FILES = {ALBERT: "spiece.model", BLEURT: "spm.model"}
"""Name of SentencePiece's file, by type of model."""
SETTINGS = "tokenizer_config.json"
_FORMER = ("special_tokens_map.json", "added_tokens.json")
"""Files that name special pieces otherwise than the new tokenizer."""
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_PIECE, _TRAINER, _NORMALIZER = 1, 2, 3
"""Fields of a model: a piece, how it was trained, and the rules by which texts are normalized."""
_CONTENT, _SCORE, _KIND, _CHARACTERS = 1, 2, 3, 2
"""Fields of a piece (text, score, kind), and of the rules (table of characters)."""
_UNKNOWN, _CONTROL = 2, 3
_MODEL, _UNIGRAM = 3, 1
"""Field of the training that names the kind of model, and the kind that is read here."""
_BEFORE_COMMA = 100.0
"""What ALBERT takes off the score of a piece that ends in a digit and a comma, so that it is not used."""


def needs_tokenizer(folder: Path) -> bool:
    """Return whether a folder has its tokenizer as SentencePiece's file only, of a known kind."""
    return not (folder / TOKENIZER).is_file() and _pieces_file(folder).is_file()


def _pieces_file(folder: Path) -> Path:
    config = read_json(folder / "config.json") if (folder / "config.json").is_file() else {}
    return folder / PIECES_FILES.get(config.get("model_type", ""), "none")


def write_tokenizer(folder: Path) -> None:
    """Write tokenizer.json next to SentencePiece's file. Raises InputError if that is damaged."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    file = _pieces_file(folder)
    is_albert = file.name == PIECES_FILES[ALBERT]
    try:
        pieces, characters = _read(file.read_bytes())
        unknown = next(place for place, (_, _, kind) in enumerate(pieces) if kind == _UNKNOWN)
        places = {text: place for place, (text, _, _) in enumerate(pieces)}
        marks = [(mark, places[mark]) for mark in ("[CLS]", "[SEP]")]
        scored = [
            (text, score - (_BEFORE_COMMA if is_albert and _ends_in_comma(text) else 0))
            for text, score, _ in pieces
        ]
        made = Tokenizer(models.Unigram(scored, unk_id=unknown))
        table = [normalizers.Precompiled(characters)] if characters else []
    except (OSError, ValueError, KeyError, IndexError, StopIteration, struct.error) as error:
        raise InputError(
            f"{file} is damaged or of a tokenizer of another kind. Copy the model's folder again."
        ) from error
    options = read_json(folder / SETTINGS) if (folder / SETTINGS).is_file() else {}
    blanks = normalizers.Replace(Regex(" {2,}"), " ")
    case = [normalizers.Lowercase()] if options.get("do_lower_case", is_albert) else []
    if is_albert:
        accents = [] if options.get("keep_accents") else [normalizers.NFKD(), normalizers.StripAccents()]
        quotes = [normalizers.Replace(two, '"') for two in ("``", "''")]
        made.normalizer = normalizers.Sequence([*quotes, *accents, *case, *table, blanks])
    else:
        made.normalizer = normalizers.Sequence([*case, *table, blanks, normalizers.Strip()])
        _write_settings(folder, pieces[0][0], pieces[unknown][0])
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=marks
    )
    made.add_special_tokens([text for text, _, kind in pieces if kind in (_UNKNOWN, _CONTROL)])
    (folder / TOKENIZER).write_text(made.to_str(), encoding="utf-8")


def _write_settings(folder: Path, padding: str, unknown: str) -> None:
    """Name the special pieces that the tokenizer has: those in files of bleurt-pytorch are not in it."""
    for name in _FORMER:
        (folder / name).unlink(missing_ok=True)
    named = {"pad_token": padding, "unk_token": unknown, "cls_token": "[CLS]", "sep_token": "[SEP]"}
    content = {"tokenizer_class": "PreTrainedTokenizerFast", **named}
    (folder / SETTINGS).write_text(json.dumps(content, indent=1), encoding="utf-8")


def _ends_in_comma(piece: str) -> bool:
    return len(piece) > 1 and piece[-1] == "," and piece[-2].isdigit()


def _read(content: bytes) -> tuple[list[tuple[str, float, int]], bytes]:
    """Return the text, score and kind of each piece, and the table of characters."""
    pieces: list[tuple[str, float, int]] = []
    characters = b""
    for field, value in _fields(content):
        if field == _PIECE and isinstance(value, bytes):
            parts = dict(_fields(value))
            text, score = parts[_CONTENT], parts.get(_SCORE, bytes(4))
            if not isinstance(text, bytes) or not isinstance(score, bytes):
                raise ValueError("a piece has no text or score")
            kind = parts.get(_KIND, 1)
            pieces.append(
                (text.decode(), struct.unpack("<f", score)[0], kind if isinstance(kind, int) else 1)
            )
        elif field == _TRAINER and isinstance(value, bytes):
            if dict(_fields(value)).get(_MODEL, _UNIGRAM) != _UNIGRAM:
                raise ValueError("the pieces are no unigram model")
        elif field == _NORMALIZER and isinstance(value, bytes):
            table = dict(_fields(value)).get(_CHARACTERS, b"")
            characters = table if isinstance(table, bytes) else b""
    return pieces, characters


def _fields(content: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the number and value of each field of a message: a whole number, or bytes."""
    at = 0
    while at < len(content):
        key, at = _whole(content, at)
        kind = key & 7
        if kind == _VARINT:
            value, at = _whole(content, at)
            yield key >> 3, value
            continue
        size = {_FIXED64: 8, _FIXED32: 4}.get(kind)
        if kind == _BYTES:
            size, at = _whole(content, at)
        if size is None or at + size > len(content):
            raise ValueError("a field is cut off or of an unknown kind")
        yield key >> 3, content[at : at + size]
        at += size


def _whole(content: bytes, at: int) -> tuple[int, int]:
    """Return the number that begins at a place, in groups of seven bits, and the place after it."""
    value = shift = 0
    while True:
        byte = content[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


OLD_WEIGHTS = "pytorch_model.bin"
_LAYER = {"mlp.weight": (1, 23), "mlp.bias": (1,), "layer_final.weight": (2, 3), "layer_final.bias": (2,)}
"""Shapes of SummaC-Conv's tensors as released: a weight for each bin, and the odds from three means."""
_ZIP = b"PK\x03\x04"
WEIGHTS = "model.safetensors"
_LONGEST_HEADER = 100 << 20
_LARGE = 50_000_000
"""Files of at least this size (bytes), other than the weights, are not copied."""


def read_numbers(file: Path) -> Mapping[str, Any]:
    """Return the tensors of a PyTorch file by name. Raises InputError if it contains anything else.

    Other objects in such a file could run code when loaded; they are never loaded.
    """
    state = _loaded(file)
    if not _are_weights(state):
        raise InputError(f"{file} contains no named weights. Get the file with the model's state dict.")
    return state


def read_checkpoint(file: Path) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return the tensors of a checkpoint of PyTorch Lightning by name, and its hyperparameters.

    Other objects in it, such as the trainer's, are passed over: nothing of theirs is called. Raises as
    `read_numbers`.
    """
    content = _loaded(file, passed_over=_unknown_names(file))
    content = content if isinstance(content, Mapping) else {}
    state, parameters = content.get("state_dict"), content.get("hyper_parameters") or {}
    if _are_weights(state) and isinstance(parameters, Mapping):
        return state, parameters
    what = "hyper_parameters" if _are_weights(state) else "state_dict"
    raise InputError(f"{file} is no checkpoint of PyTorch Lightning: it has no {what}. Get it again.")


def _are_weights(state: object) -> TypeGuard[Mapping[str, Any]]:
    """Return whether an object is tensors by name."""
    import torch

    return isinstance(state, Mapping) and all(
        isinstance(name, str)
        and isinstance(one, torch.Tensor)
        and one.layout == torch.strided
        and not one.is_meta
        and one.nbytes <= one.untyped_storage().nbytes()  # else a few numbers stand for any size
        for name, one in state.items()
    )


def format_shape(shape: Iterable[int]) -> str:
    return "×".join(map(str, shape)) or "one number"


def check_numbers(tensors: Mapping[str, Any], place: Path) -> None:
    """Raise InputError if a tensor has a value that is no number, or infinite. place: of the tensors."""
    for name, tensor in tensors.items():
        # a sum is infinite or none where a value is, and otherwise only if the values are very large
        if not bool(tensor.sum().isfinite()) and not bool(tensor.isfinite().all()):
            raise InputError(
                f"{place}: {name} has values that are infinite or no numbers. Get the model again, or choose "
                "another one."
            )


class _PassedOver:
    """Takes the place of an object of another program, and keeps nothing of it."""

    def __init__(self, *_: object) -> None:
        pass

    def __setstate__(self, state: object) -> None:
        pass


def _unknown_names(file: Path) -> list[str]:
    """Return the classes and functions in a PyTorch file that are none of PyTorch's; nothing is loaded."""
    from torch.serialization import get_unsafe_globals_in_checkpoint

    try:
        return get_unsafe_globals_in_checkpoint(file)
    except (OSError, RuntimeError, EOFError, ValueError, LookupError, pickle.UnpicklingError):
        return []  # not a file of PyTorch


def _loaded(file: Path, passed_over: Sequence[str] = ()) -> Any:
    """Return the content of a PyTorch file that consists of numbers and plain containers.

    passed_over: names of other classes and functions, in whose place is a `_PassedOver`.
    """
    import torch

    stand_ins: list[Any] = [(type("PassedOver", (_PassedOver,), {}), name) for name in passed_over]
    try:
        with warnings.catch_warnings(), torch.serialization.safe_globals(stand_ins):
            warnings.simplefilter("ignore")  # about pickles of other programs
            return torch.load(file, map_location="cpu", weights_only=True)
    except Exception as error:  # of another kind of file, anything is raised
        raise InputError(
            f"{file} is damaged, or contains objects other than tensors, which could run code when loaded. "
            "It was not loaded. Get it again from its authors."
        ) from error


def is_layer_file(file: Path) -> bool:
    """Return whether a file is a layer of SummaC-Conv: as released, or as safetensors. Raises InputError."""
    if file.suffix == ".safetensors":
        return True
    with file.open("rb") as stream:
        return stream.read(len(_ZIP)) == _ZIP  # word vectors, which end in .bin too, are no archives


def read_layer_file(file: Path) -> Mapping[str, Any]:
    """Return the tensors of SummaC-Conv by name. Raises InputError if the file contains anything else."""
    state = _read_safetensors(file) if file.suffix == ".safetensors" else read_numbers(file)
    if state.keys() != _LAYER.keys():
        listed = ", ".join(sorted(state)[:4]) or "nothing"
        raise InputError(f"{file} is not the layer of SummaC-Conv: it contains {listed}. Get the file again.")
    for name, shape in _LAYER.items():
        if state[name].shape != shape:
            raise InputError(
                f"{file} has {name} as {format_shape(state[name].shape)}, but SummaC-Conv as released has it "
                f"as {format_shape(shape)}. Get the released file."
            )
    check_numbers(state, file)
    return state


def converted_layer(file: Path, folder: Path) -> Path:
    """Write a layer of SummaC-Conv as safetensors to a folder; the original stays unchanged."""
    return save_weights(read_layer_file(file), folder)


def convert(folder: Path) -> None:
    """Write the weights of a model's folder as safetensors, by the names of transformers."""
    if not _is_bleurt(folder):
        save_weights(read_numbers(folder / OLD_WEIGHTS), folder)
        return
    is_old = needs_weights(folder)
    state = read_numbers(folder / OLD_WEIGHTS) if is_old else _read_safetensors(folder / WEIGHTS)
    weights, config = bleurt_in_transformers(state, read_json(folder / "config.json"), folder)
    save_weights(weights, folder)
    (folder / "config.json").write_text(json.dumps(config, indent=1), encoding="utf-8")


def _is_bleurt(folder: Path) -> bool:
    file = folder / "config.json"
    return file.is_file() and read_json(file).get("model_type") == BLEURT


def _read_safetensors(file: Path) -> Mapping[str, Any]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, "pt") as weights:
            return {name: weights.get_tensor(name) for name in weights.keys()}  # noqa: SIM118
    except (OSError, ValueError, SafetensorError) as error:
        raise InputError(f"{file} is damaged or not a safetensors file. Add the model again.") from error


def check_safetensors(file: Path) -> Mapping[str, str]:
    """Return the type of each tensor, such as F32; reads only the header.

    Raises InputError if the file is truncated or has another format.
    """
    try:
        with file.open("rb") as stream:
            (length,) = struct.unpack("<Q", stream.read(8))
            if length > _LONGEST_HEADER:
                raise ValueError("invalid header")
            head = parse_json(stream.read(length))
        tensors = {name: tensor for name, tensor in head.items() if name != "__metadata__"}
        end = max((int(tensor["data_offsets"][1]) for tensor in tensors.values()), default=0)
        types = {name: str(tensor["dtype"]) for name, tensor in tensors.items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, struct.error) as error:
        raise InputError(f"{file} is damaged or not a safetensors file. Copy the model again.") from error
    missing = 8 + length + end - file.stat().st_size
    if missing > 0:
        raise InputError(f"{file} is truncated: {missing:,} bytes are missing. Copy the model again.")
    return types


def save_weights(state: Mapping[str, Any], folder: Path) -> Path:
    """Write tensors as the weights of a model's folder, and return their file."""
    from safetensors.torch import save_file

    # clones, because safetensors rejects tensors that share memory, such as tied weights
    apart = {name: tensor.clone().contiguous() for name, tensor in state.items()}
    part = folder / f"{WEIGHTS}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        save_file(apart, part, metadata={"format": "pt"})
        part.replace(folder / WEIGHTS)
    except OSError as error:
        raise InputError(f"{folder} cannot be written ({error.strerror}).") from error
    finally:
        part.unlink(missing_ok=True)
    return folder / WEIGHTS


def needs_conversion(folder: Path) -> bool:
    """Return whether a folder has its weights or its tokenizer in an old format only, or is BLEURT's."""
    return needs_weights(folder) or needs_tokenizer(folder) or _is_bleurt(folder)


def has_weights(folder: Path) -> bool:
    """Return whether a folder has weights of transformers, of whatever format."""
    return (folder / OLD_WEIGHTS).is_file() or any(folder.glob("*.safetensors*"))


def needs_weights(folder: Path) -> bool:
    """Return whether a folder has its weights only as a PyTorch file."""
    return (folder / OLD_WEIGHTS).is_file() and not any(folder.glob("*.safetensors*"))


def converted_copy(folder: Path, copy: Path) -> Path:
    """Copy a model's folder and convert the copy; the original stays unchanged."""
    copy.mkdir()
    for file in sorted(folder.rglob("*")):
        if not file.is_file() or file.name == OLD_WEIGHTS:
            continue
        if file.suffix == ".safetensors" or file.stat().st_size < _LARGE:
            there = copy / file.relative_to(folder)
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, there)
    if needs_weights(folder):
        shutil.copyfile(folder / OLD_WEIGHTS, copy / OLD_WEIGHTS)
    convert_files(copy)
    return copy


def convert_files(folder: Path) -> None:
    """Convert what a folder has in an old format only; the PyTorch file is deleted, also if refused."""
    try:
        if needs_tokenizer(folder):
            write_tokenizer(folder)
        if needs_weights(folder) or _is_bleurt(folder):
            convert(folder)
    finally:
        (folder / OLD_WEIGHTS).unlink(missing_ok=True)
