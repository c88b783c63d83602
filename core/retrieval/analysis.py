"""Text analysis of indexes: words of every script, case-folded, stemmed, without stop words."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from core.domain.study import Span
from core.text.stemming import martin_stem, snowball_stem
from core.text.tokenization import TokenizerSettings, normalize_word, stop_words, word_pattern

Stemmer = Literal["none", "porter", "english"]

STEMMERS: tuple[Stemmer, ...] = ("none", "porter", "english")

_CUT = TokenizerSettings("unicode")
_CACHE_SIZE = 100_000


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a text.

    place: its position among all words, including stop words.
    span: in the text.
    """

    word: str
    place: int
    span: Span


@dataclass(frozen=True, slots=True)
class Analysis:
    """Settings of the text analysis.

    stemmer: ``porter`` = Porter's algorithm as in Lucene, ``english`` = its successor, as in NLTK.
    drop_stop_words: leave out the English words that ROUGE leaves out; they keep their positions.
    """

    stemmer: Stemmer = "porter"
    drop_stop_words: bool = True

    def terms(self, content: str) -> list[Term]:
        """Return a text's words in order, with positions."""
        matches = enumerate(surface_pattern().finditer(content))
        forms = ((self.form(match.group()), place, match.span()) for place, match in matches)
        return [Term(word, place, span) for word, place, span in forms if word]

    def words(self, content: str) -> list[str]:
        """Return a text's words in order."""
        return [term.word for term in self.terms(content)]

    def form(self, surface: str) -> str:
        """Return the indexed form of a surface form, empty = dropped."""
        word = _fold(surface)
        if self.drop_stop_words and word in stop_words():
            return ""
        return _stem(self.stemmer)(word)

    def __str__(self) -> str:
        """Return the analysis as written in signatures."""
        return f"{self.stemmer}-{'without' if self.drop_stop_words else 'with'}-stop-words"


@cache
def stop_forms(analysis: Analysis) -> frozenset[str]:
    """Return the forms of stop words under an analysis that keeps them."""
    stem = _stem(analysis.stemmer)
    return frozenset(stem(word) for word in stop_words())


def surface_pattern() -> re.Pattern[str]:
    """Return the pattern of a surface form."""
    return word_pattern(_CUT.text)


_fold = normalize_word(_CUT)


@cache
def _stem(stemmer: Stemmer) -> Callable[[str], str]:
    match stemmer:
        case "none":
            return str
        case "porter":
            return lru_cache(_CACHE_SIZE)(martin_stem)
        case "english":
            return snowball_stem
