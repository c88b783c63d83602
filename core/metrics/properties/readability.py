"""Readability formulas: how long the words and sentences of a summary are."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from core.domain.study import Text
from core.metrics.base import Array, Evidence, Explanation, Script, setting
from core.metrics.properties.length import sentences_with_words
from core.metrics.properties.text_property import PreparedProperty, TextProperty
from core.metrics.registry import register

_VOWELS = re.compile(r"(?:[aeiou]|y(?![aeiou])|(?<![aeiou])y)+")
_SILENT = re.compile(
    r"(?:(?<=[^aeiouy])(?:(?<![^aeiouy]l)e|(?<![cgsxz])(?<![cs]h)(?<![^aeiouy]l)es"
    r"|e(?:ful|less|ly|ments?|ness|ty))|(?<=[^aeioudt])ed)$"
)
"""An e that is not spoken: at the end, in -es and -ed, and before a suffix; not in -ble, -ches, -ted."""
_APART = re.compile(
    r"(?<![cglst])i(?:a(?!ge)|[ou])|(?:[aeiou]|(?<![aeiou])y)(?=ing)|[^aeiouygq]u(?=a)|eo(?![pu])|sm$|ie(?=t|nc)"
)
"""Neighbouring vowels of two syllables (*serious*, *being*, *actual*), and the syllable in *-ism*."""
_LETTERS = re.compile(r"[a-z]+")


@lru_cache(2**16)
def syllables(word: str) -> int:
    """Return the number of syllables of a word, at least 1; parts between hyphens or digits count apart.

    98 % of the words of SummEval's summaries that are in the CMU Pronouncing Dictionary have its number, and
    the sum over all of them differs by 0.6 %.
    """
    spoken = unicodedata.normalize("NFKC", word.casefold()).replace("é", "i")  # never silent
    plain = unicodedata.normalize("NFKD", spoken)
    parts = _LETTERS.findall("".join(c for c in plain if c not in "'’" and not unicodedata.combining(c)))
    return max(1, sum(map(_of_letters, parts)))


def _of_letters(part: str) -> int:
    silent = 1 if _SILENT.search(part) else 0
    return max(1, len(_VOWELS.findall(part)) - silent + len(_APART.findall(part)))


_TOKEN = re.compile(r"\S+")
_LONG = 7
"""Letters of a long word in LIX."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A word between blanks, with its number of letters and digits."""

    start: int
    end: int
    text: str
    letters: int


_Count = Callable[[_Word], float]
_COUNTS: Mapping[str, _Count] = {
    "syllables": lambda word: float(syllables(word.text)),
    "letters": lambda word: float(word.letters),
    "long words": lambda word: float(word.letters >= _LONG),
}
"""What is counted of each word."""

_FORMULAS: Mapping[str, tuple[float, float, str, float]] = {
    "flesch": (206.835, -1.015, "syllables", -84.6),
    "flesch-kincaid": (-15.59, 0.39, "syllables", 11.8),
    "ari": (-21.43, 0.5, "letters", 4.71),
    "lix": (0.0, 1.0, "long words", 100.0),
}
"""The constant, the weight of words per sentence, and what is counted per word, with its weight."""


@register
@dataclass(frozen=True)
class Readability(TextProperty):
    """A linear formula of the mean length of sentences and of words. NaN for a text without words.

    Words stand between blanks and have a letter or digit, so that *don't* and *well-known* are one word each.
    Sentences are those that the text came with, else a splitter's.

    Formula:
        flesch          206.835 − 1.015 · words / sentences − 84.6 · syllables / words; 0 (hard) to 100 (easy)
        flesch-kincaid  0.39 · words / sentences + 11.8 · syllables / words − 15.59; a school grade of the USA
        ari             0.5 · words / sentences + 4.71 · letters and digits / words − 21.43; a school grade
        lix             words / sentences + 100 · words of more than six letters / words

    Limits:
        Made for long texts of native language: one summary of two sentences varies widely. Neither easy nor
        hard is better, and none measures whether a text is well written. Syllables are counted by rules for
        English: 98 % of the words of SummEval's summaries have the number of the CMU Pronouncing Dictionary.
        In other languages use `lix`, the default there; no formula knows scripts without spaces.
    """

    name: ClassVar[str] = "readability"
    about: ClassVar[str] = "Readability by length of words and sentences: Flesch, Flesch-Kincaid, ARI or LIX."
    paper: ClassVar[str] = (
        "Flesch 1948; Kincaid, Fishburne, Rogers & Chissom 1975; Smith & Senter 1967; Björnsson 1968"
    )
    bibliography: ClassVar[tuple[str, ...]] = (
        "flesch-1948-yardstick",
        "kincaid-1975-readability",
        "smith-senter-1967-ari",
        "bjornsson-1968-lasbarhet",
    )

    formula: str = setting("flesch", "The formula.", choices=tuple(_FORMULAS), title="Formula")

    @classmethod
    def language_settings(cls, language: str) -> Mapping[str, str]:
        return {"formula": "lix"}

    @property
    def reads(self) -> Script:
        return Script.SPACED

    def measures(self) -> tuple[str, ...]:
        return (f"{self.name}.{self.formula}",)

    def values(self, prepared: PreparedProperty) -> Array:
        return np.array(
            [self._value(prepared, at) for at in range(len(prepared.summaries))], dtype=np.float64
        )

    def _value(self, prepared: PreparedProperty, system: int) -> float:
        words, sentences = self._counted(prepared, system)
        if not words:
            return float("nan")
        constant, per_sentence, counted, per_word = _FORMULAS[self.formula]
        total = sum(map(_COUNTS[counted], words))
        return constant + per_sentence * len(words) / sentences + per_word * total / len(words)

    def _counted(self, prepared: PreparedProperty, system: int) -> tuple[list[_Word], int]:
        """Return the words of a summary, and the number of its sentences, at least 1."""
        text = prepared.topic.summaries[system]
        return _words(text), max(1, len(sentences_with_words(text, prepared.summaries[system])))

    def tree(self, prepared: PreparedProperty, system: int) -> Explanation:
        words, sentences = self._counted(prepared, system)
        text = prepared.topic.summaries[system]
        constant, per_sentence, counted, per_word = _FORMULAS[self.formula]
        count = Explanation("words", value=float(len(words)))
        leaves = tuple(
            Explanation(
                word.text, value=value, evidence=(Evidence("summary", text.name, (word.start, word.end)),)
            )
            for word in words
            if (value := _COUNTS[counted](word))
        )
        long = _times(
            "length of sentences", per_sentence, count, Explanation("sentences", value=float(sentences))
        )
        hard = _times("length of words", per_word, Explanation(counted, "sum", children=leaves), count)
        children = (Explanation("constant", value=constant), long, hard)
        return Explanation(self.measures()[0], "sum", children=children if constant else children[1:])


def _times(label: str, weight: float, above: Explanation, below: Explanation) -> Explanation:
    ratio = Explanation(f"{above.label} per {below.label.rstrip('s')}", "ratio", children=(above, below))
    return Explanation(label, "product", children=(Explanation("weight", value=weight), ratio))


def _words(text: Text) -> list[_Word]:
    """Return the words of a text, without the signs around them."""
    found = []
    for token in _TOKEN.finditer(text.content):
        letters = sum(map(str.isalnum, token[0]))
        if letters:
            found.append(_Word(token.start(), token.end(), token[0], letters))
    return found
