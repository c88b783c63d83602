"""An encoder's input embeddings as static word vectors.

Read from the weight file through a memory map, without torch or transformers. A word of several pieces has
the mean of their vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.json_text import parse_json
from core.models.catalogue.model_folder import Model, read_json
from core.models.encoders.vector_lookup import VectorLookup
from core.models.runtime.word_pieces import read_tokenizer

_TABLES = (
    "word_embeddings.weight",
    "embed_tokens.weight",
    "wte.weight",
    "shared.weight",
    "word_embedding.weight",
)
"""Name of the embedding table in common encoders, after a prefix."""

_DTYPES = {"F32": np.float32, "F16": np.float16}
_LONGEST_HEADER = 100 << 20


class InputEmbeddings:
    """Word vectors of an encoder. Raises InputError if its files are damaged or have no embedding table."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._table = _find_table(model)
        self._tokenizer = read_tokenizer(model)
        self._unknown = self._tokenizer.token_to_id(_unknown_piece(model))

    @property
    def dimension(self) -> int:
        return int(self._table.shape[1])

    def of(self, words: Sequence[str]) -> VectorLookup:
        """Return the mean vectors of the words' pieces; a word with an unknown piece is unknown."""
        vectors = np.zeros((len(words), self.dimension))
        is_known = np.zeros(len(words), dtype=np.bool_)
        # with a leading space, as inside a text: some tokenizers split the first word of a text differently
        for row, cut in enumerate(
            self._tokenizer.encode_batch([f" {w}" for w in words], add_special_tokens=False)
        ):
            if cut.ids and self._unknown not in cut.ids:
                if (last := max(cut.ids)) >= len(self._table):
                    raise _damaged(self.model, f"they have no vector for piece {last} of its tokenizer")
                vectors[row] = self._table[cut.ids].astype(np.float64).mean(axis=0)
                is_known[row] = True
        if not np.isfinite(vectors).all():
            raise _damaged(self.model, "vectors of words are infinite or no numbers")
        return VectorLookup(vectors, is_known)


def _find_table(model: Model) -> NDArray[Any]:
    for file in model.weights:
        header, start = _header(model, file)
        for name in sorted(header):
            if name.endswith(_TABLES) and len(header[name]["shape"]) == 2:
                return _mapped(model, file, header[name], start)
    raise InputError(
        f"The weights of {model.name} in {model.folder} have no word embeddings. Choose another model."
    )


def _header(model: Model, file: Path) -> tuple[dict[str, Any], int]:
    """Return the contents of a safetensors file by name, and the offset of its data."""
    try:
        with file.open("rb") as stream:
            size = int.from_bytes(stream.read(8), "little")
            if not 0 < size <= _LONGEST_HEADER:
                raise ValueError("invalid header size")
            header = parse_json(stream.read(size))
        header.pop("__metadata__", "")
        if not all({"dtype", "shape", "data_offsets"} <= entry.keys() for entry in header.values()):
            raise ValueError("incomplete header")
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise _damaged(model, error) from error
    return header, 8 + size


def _mapped(model: Model, file: Path, entry: dict[str, Any], start: int) -> NDArray[Any]:
    if entry["dtype"] not in _DTYPES:
        raise InputError(
            f"The weights of {model.name} are stored as {entry['dtype']}, which cannot be used as word "
            "vectors. Get a version in float32."
        )
    rows, columns = entry["shape"]
    try:
        offset = start + entry["data_offsets"][0]
        return np.memmap(file, _DTYPES[entry["dtype"]], "r", offset=offset, shape=(rows, columns))
    except (OSError, ValueError) as error:
        raise _damaged(model, error) from error


def _unknown_piece(model: Model) -> str:
    tokenizer = read_json(model.folder / "tokenizer.json").get("model")
    return str((tokenizer if isinstance(tokenizer, dict) else {}).get("unk_token") or "[UNK]")


def _damaged(model: Model, error: Exception | str) -> InputError:
    return InputError(
        f"The weights of {model.name} in {model.folder} are damaged ({error}). Copy the model's folder again."
    )
