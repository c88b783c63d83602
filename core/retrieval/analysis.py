"""How an index makes words of a text: words of every script, without case, stemmed, stop words dropped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from core.domain.study import Span
from core.tokens import Cut, stop_words, word_form, word_pattern

Stemmer = Literal["none", "porter", "english"]

STEMMERS: tuple[Stemmer, ...] = ("none", "porter", "english")

_CUT = Cut("unicode")


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a text. place: its number among all words, stop words too; span: where it stands."""

    word: str
    place: int
    span: Span


@dataclass(frozen=True, slots=True)
class Analysis:
    """How words are made.

    stemmer: ``porter`` = Porter's algorithm as Lucene has it, ``english`` = its successor in Snowball.
    drop_stop_words: leave out the English words that ROUGE leaves out; they keep their places.
    """

    stemmer: Stemmer = "porter"
    drop_stop_words: bool = True

    def terms(self, content: str) -> list[Term]:
        """A text's words in order."""
        form = _form(self)
        found = enumerate(word_pattern(_CUT.text).finditer(content))
        made = ((form(match.group()), place, match.span()) for place, match in found)
        return [Term(word, place, span) for word, place, span in made if word]

    def words(self, content: str) -> list[str]:
        """The same without places."""
        return [term.word for term in self.terms(content)]

    def __str__(self) -> str:
        """As signatures have it."""
        return f"{self.stemmer}-{'without' if self.drop_stop_words else 'with'}-stop-words"


@cache
def stop_forms(analysis: Analysis) -> frozenset[str]:
    """What an analysis that keeps stop words makes of them."""
    stem = _stem(analysis.stemmer)
    return frozenset(stem(word) for word in stop_words())


@cache
def _form(analysis: Analysis) -> Callable[[str], str]:
    """From a word as it stands to its form, empty = dropped; remembers, for words come back."""
    fold, stem = word_form(_CUT), _stem(analysis.stemmer)
    dropped = stop_words() if analysis.drop_stop_words else frozenset[str]()
    made: dict[str, str] = {}

    def form(surface: str) -> str:
        known = made.get(surface)
        if known is None:
            word = fold(surface)
            known = made[surface] = "" if word in dropped else stem(word)
        return known

    return form


def _stem(stemmer: Stemmer) -> Callable[[str], str]:
    match stemmer:
        case "none":
            return str
        case "porter":
            return _porter().stem  # type: ignore[no-any-return]
        case "english":
            from core.metrics.stemming import snowball_stem

            return snowball_stem


@cache
def _porter() -> Any:
    from nltk.stem.porter import PorterStemmer  # a second that unstemmed words need not pay

    return PorterStemmer(PorterStemmer.MARTIN_EXTENSIONS)
