"""The tokenizer of NIST's mteval-v13a, as in sacrebleu (Post 2018), and words as numbers."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.jit import Kernel

Words = NDArray[np.int32]
Whole = NDArray[np.int64]
Codes = NDArray[np.int32]
Kinds = NDArray[np.uint8]

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_LETTER, _SPACE, _APART, _STOP, _DIGIT, _DASH = range(6)
"""Kinds of characters: part of a word, white space, always a word of its own; others by what is around."""

_PRIME = 2**31 - 1
_MULTIPLIER = 2**16 + secrets.randbelow(_PRIME - 2**16)
"""Of the hash of words: random, so that no text is written of words that have one place in the table."""

_LAST_SPACE = 0x3000
"""The last code point of white space."""


def tokenize_13a(text: str) -> list[str]:
    """Return the words of a text of a western European language.

    Punctuation is split off, but for apostrophes, dashes that do not follow a digit, and full stops and
    commas between digits. The values of BLEU are published with these words.
    """
    words = _cut([_plain(text)], _kinds_13a())
    return [words.text[at:end] for at, end in zip(words.begins.tolist(), words.ends.tolist(), strict=True)]


def number_words(texts: Sequence[str], is_13a: bool) -> list[Words]:
    """Return the words of each text as numbers from 0; equal words of all texts have equal numbers.

    is_13a: words are those of `tokenize_13a`, else what stands between white space.
    """
    cut, kinds = ([*map(_plain, texts)], _kinds_13a()) if is_13a else (texts, _kinds_of_space())
    words = _cut(cut, kinds)
    bounds = np.searchsorted(words.begins, [*words.starts, len(words.text)]).tolist()
    return [words.numbers[first:last] for first, last in pairwise(bounds)]


def _plain(text: str) -> str:
    text = text.replace("<skipped>", "").replace("-\n", "")
    if "&" in text:
        for entity, character in _ENTITIES:
            text = text.replace(entity, character)
    return text


class _Words(NamedTuple):
    """Words of several texts: these joined, where each text and each word begins, words' ends and numbers."""

    text: str
    starts: Whole
    begins: Whole
    ends: Whole
    numbers: Words


def _cut(texts: Sequence[str], kinds: Kinds) -> _Words:
    """Return the words of texts. kinds: kind of each character up to the last white space."""
    text = "\n" + "".join(f"{one}\n" for one in texts)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.int32)
    table = np.zeros((1 << len(codes).bit_length()) + 2, dtype=np.int64)
    table[-1] = _MULTIPLIER
    found = np.zeros((2, len(codes)), dtype=np.int64)
    _find_words(codes, kinds[np.minimum(codes, _LAST_SPACE + 1)], table, found.ravel(), steps=len(codes))
    begins = np.flatnonzero(found[0])
    starts = np.cumsum([0, *(len(one) + 1 for one in texts)])[:-1]
    return _Words(text, starts, begins, found[1][begins], (found[0][begins] - 1).astype(np.int32))


@cache
def _kinds_of_space() -> Kinds:
    return np.array([_SPACE if chr(code).isspace() else _LETTER for code in range(_LAST_SPACE + 2)], np.uint8)


@cache
def _kinds_13a() -> Kinds:
    kinds = _kinds_of_space().copy()
    kinds[np.arange(ord("!"), 127)] = _APART
    for characters, kind in (("'", _LETTER), (".,", _STOP), ("0123456789", _DIGIT), ("-", _DASH)):
        kinds[[*map(ord, characters)]] = kind
    kinds[[code for code in range(127) if chr(code).isalpha()]] = _LETTER
    return kinds


def _fill_words(codes: Codes, kinds: Kinds, table: Whole, found: Whole) -> None:
    """Fill `found`: at the place of each word's first character its number from 1, then, for each, its end.

    codes: begin and end with white space. table: zeros, as many as a power of 2, and two cells of `_number`.

    The rules of mteval follow one another; what they do together: a full stop or comma stands apart unless a
    digit follows, and a digit or such a stop that another rule has cut from the text before it precedes.
    """
    begin, is_cut = 0, False
    for at in range(1, len(codes)):
        kind = kinds[at]
        is_after_digit = kinds[at - 1] == _DIGIT
        is_cut = kind == _STOP and not is_after_digit and not is_cut
        is_apart = kind == _APART or is_cut or (kind == _DASH and is_after_digit)
        if kind == _STOP and kinds[at + 1] != _DIGIT:
            is_apart = True
        if begin and (is_apart or kind == _SPACE):
            _number(codes, begin, at, table, found)
            begin = 0
        if is_apart:
            _number(codes, at, at + 1, table, found)
        elif kind != _SPACE and not begin:
            begin = at


def _number(codes: Codes, begin: int, end: int, table: Whole, found: Whole) -> None:
    """Note a word. table: of hashed words, their beginnings; the number of distinct ones; the multiplier."""
    last = len(table) - 2
    place = 0
    for at in range(begin, end):
        place = (place * table[last + 1] + codes[at]) % _PRIME
    place &= last - 1
    while table[place] and not _is_same(codes, table[place], begin, end, found):
        place = (place + 1) & (last - 1)
    if not table[place]:
        table[place] = begin
        table[last] += 1
        found[begin] = table[last]
    found[begin] = found[table[place]]
    found[len(codes) + begin] = end


def _is_same(codes: Codes, other: int, begin: int, end: int, found: Whole) -> bool:
    """Return whether the word that begins at `other` is the one from `begin` to `end`."""
    size = found[len(codes) + other] - other
    if size != end - begin:
        return False
    while size and codes[other + size - 1] == codes[begin + size - 1]:
        size -= 1
    return bool(size == 0)


_find_words = Kernel(_fill_words, _is_same, _number)
