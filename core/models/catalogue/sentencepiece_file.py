"""Tokenizers of ALBERT and BLEURT from SentencePiece's file, where a model comes without tokenizer.json.

The file is a Protocol Buffers message, of which pieces, scores and the table of characters are read.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from pathlib import Path

from core.errors import InputError
from core.models.catalogue.bleurt import BLEURT
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
