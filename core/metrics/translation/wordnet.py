"""Synonyms of WordNet (Miller 1995), looked up as in METEOR 1.5, and those that its program contains."""

from __future__ import annotations

import os
import zlib
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from zipfile import BadZipFile, ZipFile, is_zipfile

from core.errors import MissingResource
from core.files.allowed_names import allowed_names

PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")

_IN_JAR = "synonym/english."
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


class Synonyms:
    """Synonym sets of words.

    synsets: by word. bases: base forms of irregular words.
    """

    def __init__(self, synsets: Mapping[str, Collection[Synset]], bases: Mapping[str, Sequence[str]]) -> None:
        self._synsets, self._bases = synsets, bases

    @classmethod
    def of(cls, place: Path) -> Synonyms:
        """Read the database of a folder, or that of METEOR's jar. Raises MissingResource."""
        return cls(*(_read_jar(place) if place.is_file() else _read_database(place)))

    @cache  # noqa: B019 - lives as long as the database is in use
    def synsets(self, word: str) -> frozenset[Synset]:
        """Return the synonym sets of a word and of its base form."""
        bases = self._bases.get(word) or (self._base(word),)
        return frozenset[Synset]().union(*(self._synsets.get(form, ()) for form in (word, *bases)))

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


def _read_database(folder: Path) -> tuple[dict[str, set[Synset]], dict[str, list[str]]]:
    """Return the sets of words and the base forms of index.noun … index.adv and noun.exc … adv.exc."""
    synsets: dict[str, set[Synset]] = {}
    bases: dict[str, list[str]] = {}
    for part in PARTS_OF_SPEECH:
        for line in _lines(folder / f"index.{part}"):
            if not line.startswith(" "):  # licence header
                lemma, _, count, *rest = line.split()
                synsets.setdefault(lemma, set()).update(rest[-int(count) :])
        for line in _lines(folder / f"{part}.exc"):
            word, *own = line.split()
            bases.setdefault(word, []).extend(own)
    return synsets, bases


def _read_jar(jar: Path) -> tuple[dict[str, list[Synset]], dict[str, list[str]]]:
    """Return the sets of words and the base forms of METEOR's jar: two lines for each word or base form."""
    try:
        with ZipFile(jar) as archive:
            of_words, of_bases = (
                archive.read(f"{_IN_JAR}{name}").decode("utf-8").splitlines()
                for name in ("synsets", "exceptions")
            )
    except (OSError, KeyError, BadZipFile, zlib.error, UnicodeDecodeError) as error:
        raise MissingResource(f"{jar} cannot be read ({error}). Get meteor-1.5.jar again.") from error
    bases: dict[str, list[str]] = {}
    for base, forms in zip(of_bases[::2], of_bases[1::2], strict=False):
        for form in forms.split():
            bases.setdefault(form, []).append(base)
    return {word: own.split() for word, own in zip(of_words[::2], of_words[1::2], strict=False)}, bases


@cache
def wordnet(place: Path) -> Synonyms:
    """Return the database of a folder or of METEOR's jar, read once."""
    return Synonyms.of(place)


def find_wordnet(setting: str) -> Path | None:
    """Return the place of a WordNet: the named one, or for ``auto`` the first installed one, None = none.

    It is a folder, or METEOR's jar. Raises MissingResource if the named one contains no WordNet.
    """
    if setting != "auto":
        place = allowed_names().place(setting)
        if not _is_wordnet(place) and not _is_jar(place):
            raise MissingResource(
                f"synonyms={setting}: there is no WordNet (index.noun) in such a folder. Write auto, none, "
                "the folder of its database, or the path of meteor-1.5.jar."
            )
        return place
    return next(filter(_is_wordnet, _usual_places()), None)


def _usual_places() -> list[Path]:
    """Return the folders where NLTK and Debian install WordNet."""
    roots = [Path(place) for place in os.environ.get("NLTK_DATA", "").split(os.pathsep) if place]
    roots += [Path.home() / "nltk_data", Path("/usr/share/nltk_data"), Path("/usr/local/share/nltk_data")]
    folders = [root / place for root in roots for place in _PLACES]
    return [*folders, Path("/usr/share/wordnet")]


def _is_wordnet(folder: Path) -> bool:
    return (folder / "index.noun").is_file()


def _is_jar(path: Path) -> bool:
    if not path.is_file() or not is_zipfile(path):
        return False
    with ZipFile(path) as archive:
        return f"{_IN_JAR}synsets" in archive.namelist()


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise MissingResource(
            f"{path} cannot be read ({error}). WordNet is incomplete; install it again."
        ) from error
