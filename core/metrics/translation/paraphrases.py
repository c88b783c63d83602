"""METEOR 1.5 paraphrase tables (Denkowski & Lavie 2010)."""

from __future__ import annotations

import gzip
import zlib
from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError, MissingResource

Place = tuple[int, int]
"""First word and number of words."""


class PhraseTable:
    """Pairs of phrases, stored as numbers: five million need 85 MB.

    path: three lines per entry, likelihood, phrase and paraphrase; gzip or plain text.
    Raises MissingResource, InputError.
    """

    def __init__(self, path: Path) -> None:
        pairs, self._longest = _read(path)
        pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
        self._phrases, self._paraphrases = np.ascontiguousarray(pairs.T)

    def matches(self, here: Sequence[str], there: Sequence[str]) -> Iterator[tuple[Place, Place]]:
        """Yield the places of phrases in one text that have a paraphrase in the other."""
        places: dict[int, list[Place]] = {}
        for phrase, place in self._grams(there):
            places.setdefault(phrase, []).append(place)
        candidates = np.array(list(places), dtype=np.int64)
        for phrase, mine in self._grams(here):
            first, last = np.searchsorted(self._phrases, [phrase, phrase + 1])
            paraphrases = self._paraphrases[first:last]
            for paraphrase in paraphrases[np.isin(paraphrases, candidates)].tolist():
                yield from ((mine, theirs) for theirs in places[paraphrase])

    def _grams(self, words: Sequence[str]) -> Iterator[tuple[int, Place]]:
        for at in range(len(words)):
            for long in range(1, min(self._longest, len(words) - at) + 1):
                yield hash(tuple(words[at : at + long])), (at, long)


@cache
def phrase_table(path: Path) -> PhraseTable:
    """Return the table of a file, read once."""
    return PhraseTable(path)


def _read(path: Path) -> tuple[NDArray[np.int64], int]:
    """Return all pairs as hashes of their words, shape (pairs, 2), and the length of the longest phrase."""
    hashes = array("q")
    longest = 0
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open() as lines:
            while entry := tuple(islice(lines, 3)):
                phrases = [tuple(line.split()) for line in entry[1:]]
                if len(phrases) < 2:
                    raise InputError(
                        f"{path} is incomplete: it ends within an entry of three lines. Get it again."
                    )
                longest = max(longest, *map(len, phrases))
                hashes.extend(map(hash, phrases))
    except (OSError, UnicodeDecodeError, EOFError, zlib.error) as error:
        raise MissingResource(
            f"{path} cannot be read ({error}). Set a METEOR 1.5 paraphrase table, such as paraphrase-en.gz."
        ) from error
    return np.frombuffer(hashes, dtype=np.int64).reshape(-1, 2), longest
