"""How an index makes words of a text: words of every script, without case, stemmed, stop words dropped."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from core.domain.study import Span
from core.text.tokenization import TokenizerSettings, normalize_word, stop_words, word_pattern

Stemmer = Literal["none", "porter", "english"]

STEMMERS: tuple[Stemmer, ...] = ("none", "porter", "english")

_CUT = TokenizerSettings("unicode")
_REMEMBERED = 100_000


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a text. place: its number among all words, stop words too; span: where it stands."""

    word: str
    place: int
    span: Span


@dataclass(frozen=True, slots=True)
class Analysis:
    """How words are made.

    stemmer: ``porter`` = Porter's algorithm as Lucene has it, ``english`` = its successor, as NLTK has
    it.
    drop_stop_words: leave out the English words that ROUGE leaves out; they keep their places.
    """

    stemmer: Stemmer = "porter"
    drop_stop_words: bool = True

    def terms(self, content: str) -> list[Term]:
        """A text's words in order."""
        found = enumerate(surface_pattern().finditer(content))
        made = ((self.form(match.group()), place, match.span()) for place, match in found)
        return [Term(word, place, span) for word, place, span in made if word]

    def words(self, content: str) -> list[str]:
        """The same without places."""
        return [term.word for term in self.terms(content)]

    def form(self, surface: str) -> str:
        """What becomes of a word as it stands in a text, empty = dropped."""
        word = _fold(surface)
        if self.drop_stop_words and word in stop_words():
            return ""
        return _stem(self.stemmer)(word)

    def __str__(self) -> str:
        """As signatures show it."""
        return f"{self.stemmer}-{'without' if self.drop_stop_words else 'with'}-stop-words"


@cache
def stop_forms(analysis: Analysis) -> frozenset[str]:
    """What an analysis that keeps stop words makes of them."""
    stem = _stem(analysis.stemmer)
    return frozenset(stem(word) for word in stop_words())


def surface_pattern() -> re.Pattern[str]:
    """What a word is, as it stands in a text."""
    return word_pattern(_CUT.text)


_fold = normalize_word(_CUT)


@cache
def _stem(stemmer: Stemmer) -> Callable[[str], str]:
    match stemmer:
        case "none":
            return str
        case "porter":
            return _porter()
        case "english":
            from core.text.stemming import snowball_stem

            return snowball_stem


def _porter() -> Callable[[str], str]:
    from nltk.stem.porter import PorterStemmer  # a second that unstemmed words need not pay

    stem: Callable[[str], str] = PorterStemmer(PorterStemmer.MARTIN_EXTENSIONS).stem
    return lru_cache(_REMEMBERED)(stem)
