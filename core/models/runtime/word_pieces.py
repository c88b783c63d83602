"""Texts split into a model's word pieces, with the span of each piece in the stored text."""

from __future__ import annotations

import hashlib
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Span
from core.errors import InputError
from core.models.catalogue.model_folder import TOKENIZER, Model
from core.progress import raise_if_cancelled
from core.text.scripts import has_word

_REMEMBERED = 20_000
_CHUNK = 1000


def read_tokenizer(model: Model, *, is_prefixed: bool = False) -> Any:
    """Return the tokenizer of a model's tokenizer.json without truncation. Raises InputError if damaged.

    is_prefixed: let ByteLevel read the first word of a text as if a space preceded it.
    """
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(model.folder / TOKENIZER))
    except Exception as error:  # tokenizers raises nothing more specific
        raise InputError(
            f"The tokenizer of {model.name} in {model.folder} cannot be read ({error}). "
            "Copy the model's folder again."
        ) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    for step in (tokenizer.pre_tokenizer, tokenizer.post_processor) if is_prefixed else ():
        for part in step if hasattr(step, "__getitem__") else (step,):
            if hasattr(part, "add_prefix_space"):
                part.add_prefix_space = True
    return tokenizer


@dataclass(frozen=True, slots=True, eq=False)
class WordPieces:
    """A text split into word pieces, special ones included.

    ids: shape (pieces,). strings: as in the vocabulary. spans: in the text, (0, 0) for special pieces.
    is_special: shape (pieces,). is_truncated: whether the text was longer.
    """

    ids: NDArray[np.int64]
    strings: tuple[str, ...]
    spans: tuple[Span, ...]
    is_special: NDArray[np.bool_]
    is_truncated: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether the text has no piece besides special ones."""
        return bool(self.is_special.all())

    def without_special(self) -> WordPieces:
        """Return the pieces without special ones."""
        selected = np.flatnonzero(~self.is_special).tolist()
        return replace(
            self,
            ids=self.ids[selected],
            strings=tuple(self.strings[i] for i in selected),
            spans=tuple(self.spans[i] for i in selected),
            is_special=self.is_special[selected],
        )


@dataclass(frozen=True, slots=True, eq=False)
class DocumentFrequencies:
    """Number of texts, out of `texts`, in which each piece occurs, by piece id."""

    texts: int
    of: Mapping[int, int]


class WordPieceTokenizer:
    """Tokenizes texts with one model's tokenizer, each text once."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._whole: OrderedDict[str, WordPieces] = OrderedDict()
        self._unknown: dict[bytes, float] = {}
        self._counted: tuple[tuple[tuple[str, ...], int], DocumentFrequencies] | None = None
        self._marks = [mark for mark in (tokenizer.cls_token_id, tokenizer.sep_token_id) if mark is not None]

    def cut(self, texts: Sequence[str], limit: int = 0) -> list[WordPieces]:
        """Tokenize texts and truncate each to `limit` pieces, special ones included (0 = no limit)."""
        self._cut_whole([text for text in dict.fromkeys(texts) if text not in self._whole])
        cut = [truncate_pieces(self._whole[text], limit) for text in texts]
        while len(self._whole) > _REMEMBERED:
            self._whole.popitem(last=False)
        return cut

    def unknown_shares(self, texts: Sequence[str]) -> list[float]:
        """Return the share of each text that the vocabulary does not know, in [0, 1]; 0 for an empty text.

        This is the share of tokens without punctuation, or of characters if that is larger: WordPiece makes a
        long run in a script without spaces a single unknown token.
        """
        if self._tokenizer.unk_token_id is None:
            return [0.0] * len(texts)
        if len(self._unknown) > _REMEMBERED:
            self._unknown.clear()
        keys = [
            hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest() for text in texts
        ]
        for key, text in zip(keys, texts, strict=True):
            if key not in self._unknown:
                self._unknown[key] = self._unknown_share(text)
        return [self._unknown[key] for key in keys]

    def _unknown_share(self, text: str) -> float:
        # documents are not cached: metrics encode them by sentence, so they would be stored twice
        pieces = self._whole[text] if text in self._whole else next(self._made([text]))
        return _unknown_share(text, pieces.without_special(), self._tokenizer.unk_token_id)

    def document_frequencies(self, texts: Sequence[str], limit: int = 0) -> DocumentFrequencies:
        """Count in how many texts each piece occurs; the last result is cached."""
        request = (tuple(texts), limit)
        if self._counted is None or self._counted[0] != request:
            chunks = (texts[i : i + _CHUNK] for i in range(0, len(texts), _CHUNK))
            cut = chain.from_iterable(self.cut(chunk, limit) for chunk in chunks)
            counts = Counter(chain.from_iterable(set(pieces.ids.tolist()) for pieces in cut))
            self._counted = request, DocumentFrequencies(len(texts), counts)
        return self._counted[1]

    def _cut_whole(self, texts: list[str]) -> None:
        if texts:
            self._whole.update(zip(texts, self._made(texts), strict=True))

    def _made(self, texts: Sequence[str]) -> Iterator[WordPieces]:
        raise_if_cancelled()
        cut = self._tokenizer(
            [text.strip() for text in texts],  # RoBERTa's pieces differ after a leading space
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
            return_token_type_ids=False,
            verbose=False,
        )
        for i, text in enumerate(texts):
            ids = np.array(cut["input_ids"][i], dtype=np.int64)
            mask = np.array(cut["special_tokens_mask"][i], dtype=bool)
            offset = len(text) - len(text.lstrip())
            spans = tuple(
                (0, 0) if special else (start + offset, end + offset)
                for (start, end), special in zip(cut["offset_mapping"][i], mask, strict=True)
            )
            strings = tuple(self._tokenizer.convert_ids_to_tokens(cut["input_ids"][i]))
            yield WordPieces(ids, strings, spans, mask | np.isin(ids, self._marks))


def _unknown_share(text: str, pieces: WordPieces, unknown: int) -> float:
    is_unknown = pieces.ids == unknown
    if not is_unknown.any():
        return 0.0
    surfaces = [text[start:end] for start, end in pieces.spans]
    is_word = np.array([has_word(surface) for surface in surfaces]) | is_unknown
    sizes = np.array([len(surface) for surface in surfaces])
    by_tokens = is_unknown.sum() / is_word.sum()
    by_characters = sizes[is_unknown].sum() / max(1, sizes[is_word].sum())
    return float(max(by_tokens, by_characters))


def truncate_pieces(pieces: WordPieces, limit: int) -> WordPieces:
    """Return the first pieces and the special ones around them, `limit` in all (0 = no limit)."""
    if limit <= 0 or len(pieces.ids) <= limit:
        return pieces
    closing = sum(1 for _ in takewhile(bool, reversed(pieces.is_special)))
    end = len(pieces.ids)
    selected = list(chain(range(limit - closing), range(end - closing, end)))
    return replace(
        pieces,
        ids=pieces.ids[selected],
        strings=tuple(pieces.strings[i] for i in selected),
        spans=tuple(pieces.spans[i] for i in selected),
        is_special=pieces.is_special[selected],
        is_truncated=True,
    )
