"""English stemmers: ROUGE-1.5.5's (-m), Porter's, Snowball's and rouge-score's.

ROUGE-1.5.5 looks up irregular forms first, then applies a variant of Porter 1980 with the two departures of
his own later releases (bli, logi) and the change that Lin made to step 4 in 2004. Irregular forms become
their lemma, unstemmed, so that *mice* and *mouse* do not match. Published scores depend on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from core.text.nltk_parts import nltk_parts
from core.text.word_lists import load_word_list

_CONSONANTS = "[^aeiou][^aeiouy]*"
_VOWELS = "[aeiouy][aeiou]*"
_MEASURE_ABOVE_0 = re.compile(f"({_CONSONANTS})?{_VOWELS}{_CONSONANTS}")
_MEASURE_ABOVE_1 = re.compile(f"({_CONSONANTS})?({_VOWELS}{_CONSONANTS}){{2}}")
_MEASURE_1 = re.compile(f"({_CONSONANTS})?{_VOWELS}{_CONSONANTS}({_VOWELS})?$")
_HAS_VOWEL = re.compile(f"({_CONSONANTS})?[aeiouy]")
_SHORT = re.compile(f"{_CONSONANTS}[aeiouy][^aeiouwxy]$")  # consonant, vowel, consonant: as in hop
_DOUBLED = re.compile(r"([^aeiouylsz])\1$")

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble",
    "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate",
    "alism": "al", "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive",
    "biliti": "ble", "logi": "log",
}  # fmt: skip
_STEP_3 = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
_STEP_4 = re.compile("(al|ance|ence|er|ic|able|ible|ant|ement|ou|ism|ate|iti|ous|ive|ize)$")


@cache
def irregular_forms() -> dict[str, str]:
    """Return WordNet's lemmas by irregular form."""
    return dict(line.split("\t") for line in load_word_list("wordnet_exceptions.tsv"))


def morph_stem(word: str) -> str:
    """Return ROUGE's stem of a lower-case word: a short word itself, a lemma, or Porter's stem.

    Words of up to three letters are not changed.
    """
    if len(word) <= 3:
        return word
    return irregular_forms().get(word) or porter_stem(word)


def widar_stem(word: str) -> str:
    """Return the stem that WIDAR's program compares: up to three letters unchanged, else Snowball's."""
    return word if len(word) <= 3 else snowball_stem(word)


@cache
def snowball_stem(word: str) -> str:
    """Return Porter's English stem in the Snowball version; stop words are stemmed too."""
    stem: str = _snowball()(word)
    return stem


@cache
def _snowball() -> Callable[[str], str]:
    stem: Callable[[str], str] = nltk_parts().english_stemmer().stem
    return stem


def rouge_score_stem(word: str) -> str:
    """Return the stem that the package rouge-score compares: up to three letters unchanged, else NLTK's."""
    return word if len(word) <= 3 else _nltk_stemmer().stem(word)


@cache
def _nltk_stemmer() -> Any:
    return nltk_parts().porter_stemmer()


def martin_stem(word: str) -> str:
    """Return the stem by Porter's own later programs (bli, logi), as SIMetrix compares."""
    stem: str = _martin_stemmer().stem(word)
    return stem


@cache
def _martin_stemmer() -> Any:
    stemmer = nltk_parts().porter_stemmer
    return stemmer(stemmer.MARTIN_EXTENSIONS)


def porter_stem(word: str) -> str:
    """Return Porter's stem of a lower-case word of three letters or more."""
    # An initial y is a consonant; in upper case it does not match the vowels below.
    stem = "Y" + word[1:] if word.startswith("y") else word
    for step in (_plurals, _past_and_gerund, _final_y, _step_2, _step_3, _step_4, _final_e):
        stem = step(stem)
    return stem.lower()


def _plurals(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past_and_gerund(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _MEASURE_ABOVE_0.match(word[:-3]) else word
    suffix = "ed" if word.endswith("ed") else "ing" if word.endswith("ing") else ""
    stem = word.removesuffix(suffix)
    if not suffix or not _HAS_VOWEL.match(stem):
        return word
    if stem.endswith(("at", "bl", "iz")) or _SHORT.fullmatch(stem):
        return stem + "e"
    return stem[:-1] if _DOUBLED.search(stem) else stem


def _final_y(word: str) -> str:
    return word[:-1] + "i" if word.endswith("y") and _HAS_VOWEL.match(word[:-1]) else word


def _step_2(word: str) -> str:
    return _replaced(word, _STEP_2)


def _step_3(word: str) -> str:
    return _replaced(word, _STEP_3)


def _replaced(word: str, endings: dict[str, str]) -> str:
    suffix = max(filter(word.endswith, endings), key=len, default="")
    if suffix and _MEASURE_ABOVE_0.match(word.removesuffix(suffix)):
        return word.removesuffix(suffix) + endings[suffix]
    return word


def _step_4(word: str) -> str:
    """Remove suffixes in Lin's order: -ment and -ent are tried after the others, on the result."""
    if match := _STEP_4.search(word):
        word = _without(word, match.group())
    word = _without(word, "ment")
    if word.endswith("ent"):
        return _without(word, "ent")
    return _without(word, "ion") if word.endswith(("sion", "tion")) else word


def _without(word: str, suffix: str) -> str:
    stem = word.removesuffix(suffix)
    return stem if _MEASURE_ABOVE_1.match(stem) else word


def _final_e(word: str) -> str:
    stem = word.removesuffix("e")
    if stem != word and (
        _MEASURE_ABOVE_1.match(stem) or (_MEASURE_1.match(stem) and not _SHORT.fullmatch(stem))
    ):
        word = stem
    return word[:-1] if word.endswith("ll") and _MEASURE_ABOVE_1.match(word) else word
