"""METEOR 1.5 paraphrase tables (Denkowski & Lavie 2010)."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError, MissingResource
from core.files.atomic_write import write_cached
from core.jit import Kernel
from core.models.catalogue.digests import digest_cache

Ints = NDArray[np.int64]

Pairs = tuple[Ints, Ints, Ints, Ints, Ints, Ints]
"""Phrases of texts and their paraphrases, as `AlignedTexts` has them, from `first_phrase` on."""

MODULI = (2147483647, 2147483629)
BASES = (1000003, 998244)
"""Two remainders of the polynomial of a phrase's bytes are its key, which no two share by chance."""

_BASE, _MODULUS = np.array(BASES)[:, None], np.array(MODULI)[:, None]
_ENDS: tuple[Literal["left"], Literal["right"]] = ("left", "right")


class PhraseTable:
    """Pairs of phrases, stored as numbers: five million need 85 MB.

    path: three lines per entry, likelihood, phrase and paraphrase; gzip or plain text.
    stored: keeps the numbers between runs, for a table of this content; None = in memory only.
    Raises MissingResource, InputError.
    """

    def __init__(self, path: Path, stored: Path | None = None) -> None:
        numbers = _restored(stored) if stored is not None else None
        if numbers is None:
            pairs, longest = _read(path)
            pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
            numbers = np.concatenate([[longest], pairs[:, 0], pairs[:, 1]])
            if stored is not None:
                _store(numbers, stored)
        self._longest = int(numbers[0])
        self._phrases, self._paraphrases = numbers[1:].reshape(2, -1)

    def pairs(self, texts: Sequence[Sequence[str]]) -> Pairs:
        """Return the phrases of texts that are paraphrases of each other."""
        text, at, long, key = _phrases(texts, self._longest)
        if not len(key):
            return no_pairs(texts)
        keys, number = np.unique(key, return_inverse=True)
        begin, end = (np.searchsorted(self._phrases, keys, side=side) for side in _ENDS)
        count = end - begin
        rows = np.repeat(end - np.cumsum(count), count) + np.arange(count.sum())
        found = self._paraphrases[rows]
        other = np.minimum(np.searchsorted(keys, found), len(keys) - 1)
        is_there = keys[other] == found
        phrase, other = np.repeat(np.arange(len(keys)), count)[is_there], other[is_there]
        is_used = np.zeros(len(keys), dtype=np.bool_)
        is_used[phrase] = is_used[other] = True
        renumbered = np.cumsum(is_used) - 1
        kept = is_used[number]
        first = np.searchsorted(renumbered[phrase], np.arange(is_used.sum() + 1))
        begins = np.searchsorted(text[kept], np.arange(len(texts) + 1))
        return begins, at[kept], long[kept], renumbered[number[kept]], first, renumbered[other]


def no_pairs(texts: Sequence[Sequence[str]]) -> Pairs:
    """Return that no phrases are paraphrases of each other."""
    none = np.zeros(0, dtype=np.int64)
    return np.zeros(len(texts) + 1, dtype=np.int64), none, none, none, np.zeros(1, dtype=np.int64), none


def phrase_table(path: Path, digest: str) -> PhraseTable:
    """Return the table of a file with this SHA-256, read once; later runs read it from the cache folder."""
    return _phrase_table(path, digest)


@cache
def _phrase_table(path: Path, digest: str) -> PhraseTable:
    folder = digest_cache().folder
    return PhraseTable(path, folder and folder / f"paraphrases-1-{digest}.npy")


def _restored(stored: Path) -> Ints | None:
    """Return the numbers of a stored table: their CRC-32 stands before them."""
    try:
        found: Ints = np.load(stored, mmap_mode="r")
    except (OSError, ValueError, EOFError):
        return None
    is_whole = found.ndim == 1 and found.dtype == np.int64 and len(found) % 2 == 0 and len(found) > 1
    return found[1:] if is_whole and zlib.crc32(found[1:].data) == found[0] else None


def _store(numbers: Ints, stored: Path) -> None:
    content = io.BytesIO()
    np.save(content, np.concatenate([[zlib.crc32(numbers.data)], numbers]))
    write_cached(stored, content.getvalue())


def _phrases(texts: Sequence[Sequence[str]], longest: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Return text, first word, number of words and key of each phrase, in the order of their places."""
    lengths = np.array([len(words) for words in texts], dtype=np.int64)
    longest = min(longest, int(lengths.max(initial=0)))
    words = np.array([_key(word) for each in texts for word in each], dtype=np.int64).reshape(-1, 2, 2)
    places = np.concatenate([np.arange(0), *map(np.arange, lengths)])
    left = np.repeat(lengths, lengths) - places
    keys = np.zeros((longest, len(words)), dtype=np.int64)
    remainders = words[:, 0].T
    for long in range(longest):
        if long:
            count = max(len(words) - long, 0)
            key, power = words[long:].transpose(1, 2, 0)
            before = (remainders[:, :count] * _BASE + ord(" ")) % _MODULUS
            remainders = (before * power + key) % _MODULUS
        keys[long, : remainders.shape[1]] = remainders[0] << 31 | remainders[1]
    word, more = np.nonzero(np.arange(longest) < left[:, None])
    text = np.repeat(np.arange(len(texts)), lengths)[word]
    return text, places[word], more + 1, keys[more, word]


@lru_cache(maxsize=100_000)
def _key(word: str) -> tuple[list[int], list[int]]:
    """Return the remainders of a word's polynomial, and those of the bases to the power of its length."""
    content, key, power = word.encode(), [], []
    for base, modulus in zip(BASES, MODULI, strict=True):
        value = 0
        for byte in content:
            value = (value * base + byte) % modulus
        key.append(value)
        power.append(pow(base, len(content), modulus))
    return key, power


def _read(path: Path) -> tuple[Ints, int]:
    """Return all pairs as keys of their phrases, shape (pairs, 2), and the length of the longest phrase."""
    try:
        content = path.read_bytes()
        content = gzip.decompress(content) if path.suffix == ".gz" else content
        content.decode("utf-8")
    except (OSError, UnicodeDecodeError, EOFError, zlib.error) as error:
        raise MissingResource(
            f"{path} cannot be read ({error}). Set a METEOR 1.5 paraphrase table, such as paraphrase-en.gz."
        ) from error
    text = np.frombuffer(
        content if content.endswith(b"\n") or not content else content + b"\n", dtype=np.uint8
    )
    lines = int((text == ord("\n")).sum())
    if lines % 3:
        raise InputError(f"{path} is incomplete: it ends within an entry of three lines. Get it again.")
    found = np.zeros(lines + 1, dtype=np.int64)
    _PHRASES(text, found, steps=len(text))
    keys = found[1:].reshape(-1, 3)[:, 1:]
    return keys, int(found[0])


def _fill_phrases(text: Any, out: Any) -> None:
    """Fill the key of each line from index 1 on, 0 for likelihoods, and at 0 the most words of a line.

    text: bytes of lines, each with its line feed, three for an entry: its likelihood, a phrase and a
    paraphrase. Words are separated by one space in the key.
    """
    line, words = 1, 0
    first = second = 0
    is_inside = False
    for at in range(len(text)):
        byte = text[at]
        if byte == 10:
            out[line] = first << 31 | second
            out[0] = max(out[0], words)
            line += 1
            words = first = second = 0
            is_inside = False
        elif line % 3 == 1:  # the likelihood of an entry
            continue
        elif byte == 32 or (9 <= byte <= 13):
            is_inside = False
        else:
            if not is_inside:
                if words:
                    first = (first * BASES[0] + 32) % MODULI[0]
                    second = (second * BASES[1] + 32) % MODULI[1]
                words += 1
                is_inside = True
            first = (first * BASES[0] + byte) % MODULI[0]
            second = (second * BASES[1] + byte) % MODULI[1]


_PHRASES = Kernel(_fill_phrases)
