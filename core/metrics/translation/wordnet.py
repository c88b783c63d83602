"""WordNet synonyms (Miller 1995), looked up as in METEOR 1.5."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from core.errors import MissingResource
from core.files.allowed_names import allowed_names

PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")

_PLACES = ("corpora/wordnet", "corpora/wordnet31", "corpora/wordnet2021")
_ENDINGS = (
    *(("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man")),
    *(("ies", "y"), ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e")),
    *(("ing", ""), ("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
)
"""Endings of inflected words and their replacements in the base form, in WordNet's order."""

Synset = str
"""Byte offset in a WordNet file. As in METEOR 1.5, the four files are not distinguished, so a noun and a verb
with the same offset occasionally count as one."""


class WordNet:
    """The synonym sets of a WordNet database.

    folder: with index.noun … index.adv and noun.exc … adv.exc. Raises MissingResource without them.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._synsets: dict[str, frozenset[Synset]] = {}
        self._bases: dict[str, tuple[str, ...]] = {}
        synsets_by_word: dict[str, set[Synset]] = {}
        for part in PARTS_OF_SPEECH:
            self._read_index(part, synsets_by_word)
            self._read_exceptions(part)
        self._synsets = {word: frozenset(sets) for word, sets in synsets_by_word.items()}

    @cache  # noqa: B019 - lives as long as the database is in use
    def synsets(self, word: str) -> frozenset[Synset]:
        """Return the synonym sets of a word and of its base form."""
        direct = self._synsets.get(word, frozenset[Synset]())
        bases = self._bases.get(word) or (self._base(word),)
        return direct.union(*(self._synsets.get(base, frozenset[Synset]()) for base in bases))

    def _base(self, word: str) -> str:
        """Return the first base form that WordNet contains; empty = none."""
        stem, rest = (word[: word.rindex("ful")], "ful") if word.endswith("ful") else (word, "")
        if word.endswith("ss") or len(word) <= 2:
            return ""
        for ending, replacement in _ENDINGS:
            if stem.endswith(ending):
                base = stem[: len(stem) - len(ending)] + replacement
                if base in self._synsets:
                    return base + rest
        return ""

    def _read_index(self, part: str, synsets_by_word: dict[str, set[Synset]]) -> None:
        for line in _lines(self.folder / f"index.{part}"):
            if not line.startswith(" "):  # licence header
                lemma, _, count, *rest = line.split()
                synsets_by_word.setdefault(lemma, set()).update(rest[-int(count) :])

    def _read_exceptions(self, part: str) -> None:
        for line in _lines(self.folder / f"{part}.exc"):
            word, *bases = line.split()
            self._bases[word] = (*self._bases.get(word, ()), *bases)


@cache
def wordnet(folder: Path) -> WordNet:
    """Return the database of a folder, read once."""
    return WordNet(folder)


def find_wordnet(setting: str) -> Path | None:
    """Return the folder of a WordNet: the named one, or for ``auto`` the first installed one, None = none.

    Raises MissingResource if the named folder contains no WordNet.
    """
    if setting != "auto":
        folder = allowed_names().place(setting)
        if not _is_wordnet(folder):
            raise MissingResource(
                f"synonyms={setting}: there is no WordNet (index.noun) in such a folder. Write auto, none, "
                "or the folder of its database."
            )
        return folder
    return next(filter(_is_wordnet, _usual_places()), None)


def _usual_places() -> list[Path]:
    """Return the folders where NLTK and Debian install WordNet."""
    roots = [Path(place) for place in os.environ.get("NLTK_DATA", "").split(os.pathsep) if place]
    roots += [Path.home() / "nltk_data", Path("/usr/share/nltk_data"), Path("/usr/local/share/nltk_data")]
    folders = [root / place for root in roots for place in _PLACES]
    return [*folders, Path("/usr/share/wordnet")]


def _is_wordnet(folder: Path) -> bool:
    return (folder / "index.noun").is_file()


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise MissingResource(
            f"{path} cannot be read ({error}). WordNet is incomplete; install it again."
        ) from error
