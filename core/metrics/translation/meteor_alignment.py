"""Tokenized texts and word alignments for METEOR."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Span, Text
from core.metrics.base import Evidence
from core.metrics.kernels.alignment import AlignedTexts, Floats, Ints
from core.metrics.translation.matched_grams import find_words
from core.metrics.translation.paraphrases import PhraseTable, no_pairs
from core.metrics.translation.wordnet import Synonyms
from core.text.mteval import tokenize_13a
from core.text.segmentation import segment_spans
from core.text.stemming import snowball_stem
from core.text.word_lists import load_word_list

_LETTERS = (
    "A-Za-z\u0160\u017d\u0161\u017e\u0178\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e"
    "\u0400-\u0527\ua640-\ua66e\ua67e-\ua697\u1d00-\u1d7f"
)
"""Letters of western European languages and Cyrillic ones."""

_SPACE = r" \t\n\x0b\f\r"
_NUMERIC_ONLY = " #NUMERIC_ONLY#"

_BEFORE_DOTS = (
    ("", rf"([^0-9{_LETTERS}{_SPACE}.'`,\-‘’])", r" \1 "),
    ("..", r"\.{2,}", r" \g<0> "),
    (",", r"([^0-9]),([^0-9])", r"\1 , \2"),
    (",", r"([0-9]),([^0-9])", r"\1 , \2"),
    (",", r"([^0-9]),([0-9])", r"\1 , \2"),
    ("`", "`", "'"),
    ("‘", "‘", "'"),
    ("’", "’", "'"),
    ("“", "“", ' " '),
    ("”", "”", ' " '),
    ("''", "''", ' " '),
    ("–", "–", "-"),
    ("--", "--", "-"),
    ("-", rf"([0-9{_LETTERS}.])-([0-9{_LETTERS}])", r"\1 \2"),
    ("'", rf"([^{_LETTERS}])'([^{_LETTERS}])", r"\1 ' \2"),
    ("'", rf"([^{_LETTERS}0-9])'([{_LETTERS}])", r"\1 ' \2"),
    ("'", rf"([{_LETTERS}])'([^{_LETTERS}])", r"\1 ' \2"),
    ("'", rf"([{_LETTERS}])'([{_LETTERS}])", r"\1 '\2"),
    ("'", r"([0-9])'(s)", r"\1 '\2"),
)
"""What is replaced one after another before full stops are split off, where a text has the first string."""

_ANY_LETTER = re.compile(f"[{_LETTERS}]")
_SPACES = re.compile("[ \u2000-\u200a\u202f\u205f\u3000\u00a0]+")


def normalize(text: str) -> str:
    """Return the words of an English text, with spaces between them.

    Quotation marks and dashes are written alike, words are split at hyphens, and dots within a word, as in
    U.S., are removed. A full stop stays with an abbreviation and with a word before lower case.
    Source: Denkowski & Lavie 2014, after the tokenizer of Moses.
    """
    text = f" {text} "
    for needed, pattern, replacement in _BEFORE_DOTS:
        if needed in text:
            text = re.sub(pattern, replacement, text)
    words = re.split(f"[{_SPACE}]+", text.strip(" \t\n\x0b\f\r"))
    found = (_undotted(word, after) for word, after in zip(words, [*words[1:], ""], strict=True))
    return _SPACES.sub(" ", " ".join(found)).strip()


def _undotted(word: str, after: str) -> str:
    """Return a word with its full stop split off, unless it belongs to it. after: the next word."""
    stem = word[:-1]
    if not word.endswith(".") or not stem.strip("."):
        return word
    if "." in stem and _ANY_LETTER.search(stem):
        return word.replace(".", "")
    kind = _prefixes().get(stem)
    if kind == "" or "a" <= after[:1] <= "z" or (kind == _NUMERIC_ONLY and "0" <= after[:1] <= "9"):
        return word
    return f"{stem} ."


@cache
def _prefixes() -> dict[str, str]:
    """Return abbreviations, and the mark of those that are some before numbers only."""
    lines = load_word_list("meteor_nonbreaking_prefixes.txt")
    return {
        line.removesuffix(_NUMERIC_ONLY): _NUMERIC_ONLY if line.endswith(_NUMERIC_ONLY) else ""
        for line in lines
    }


_LETTER = "\u02b9"
"""Replacement for an apostrophe that the stemmer treats as a letter."""

WEIGHTS = np.array([1.0, 0.6, 0.8, 0.6])
"""Weight of a match by module, tuned for English on rankings of translations (task ``rank``)."""


@dataclass(frozen=True, slots=True)
class MeteorText:
    """The words of a text in lower case. is_function: shape (words,)."""

    text: Text
    words: tuple[str, ...]
    is_function: NDArray[np.bool_]

    def places(self) -> list[Span | None]:
        """Return the span of each word in the text; None if the tokenizer changed its spelling."""
        return find_words(self.text.content.lower(), self.words, len(self.text.content))

    def weights(self, delta: float) -> Floats:
        """Return the weight of each word. delta: of content words."""
        return np.where(self.is_function, 1 - delta, delta)


@dataclass(frozen=True, slots=True)
class WordAlignment:
    """The alignment of a summary and a reference.

    weight_here, weight_there: of all words of the summary and of the reference.
    here, there: weighted matches. words_here, words_there: matched words. runs: of adjacent matches.
    """

    summary: MeteorText
    reference: MeteorText
    weight_here: float
    weight_there: float
    here: float
    there: float
    words_here: float
    words_there: float
    runs: float

    @property
    def words(self) -> float:
        """Return the mean number of matched words of both texts."""
        return (self.words_here + self.words_there) / 2

    @property
    def chunks(self) -> int:
        """Return the number of runs of matches; 0 if one run covers both texts completely."""
        is_whole = self.words_here == len(self.summary.words) and self.words_there == len(
            self.reference.words
        )
        return 0 if self.runs == 1 and is_whole else int(self.runs)


def matched_words(
    role: Literal["summary", "reference"], side: MeteorText, at: Ints, long: Ints
) -> tuple[Evidence, ...]:
    """Return the spans of the matched words of a text, without words that the tokenizer changed.

    at, long: first word and number of words of each match.
    """
    places = side.places()
    spans = (span for first, words in zip(at, long, strict=True) for span in places[first : first + words])
    return tuple(Evidence(role, side.text.name, span) for span in spans if span is not None)


def number_texts(
    texts: Sequence[MeteorText], *, stems: bool, synonyms: Synonyms | None, phrases: PhraseTable | None
) -> AlignedTexts:
    """Return texts as numbers, with what can match by form and by the modules that are given."""
    numbers: dict[str, int] = {}
    words = np.array(
        [numbers.setdefault(word, len(numbers)) for text in texts for word in text.words], dtype=np.int64
    )
    first = np.cumsum([0, *(len(text.words) for text in texts)], dtype=np.int64)
    of_stem: dict[str, int] = {}
    alike = (
        [of_stem.setdefault(_stem(word), len(of_stem)) for word in numbers] if stems else range(len(numbers))
    )
    first_synonym, of_word = _flat(_synonyms(list(numbers), synonyms) if synonyms else [()] * len(numbers))
    found = (phrases.pairs if phrases else no_pairs)([text.words for text in texts])
    return AlignedTexts(
        first, words, np.array(alike, dtype=np.int64)[words], first_synonym, of_word, *found, factors=WEIGHTS
    )


def _synonyms(words: Sequence[str], synonyms: Synonyms) -> list[list[int]]:
    """Return, by word, the numbers of the other words with a common set of synonyms."""
    sets = [synonyms.synsets(word) for word in words]
    members: dict[str, list[int]] = {}
    for number, own in enumerate(sets):
        for one in own:
            members.setdefault(one, []).append(number)
    return [sorted({*(m for one in own for m in members[one])} - {at}) for at, own in enumerate(sets)]


def _flat(rows: Sequence[Sequence[int]]) -> tuple[Ints, Ints]:
    """Return where each row begins, and the end, and all rows after one another."""
    first = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return first, np.array([number for row in rows for number in row], dtype=np.int64)


def prepare_text(text: Text, tok: str) -> MeteorText:
    """Tokenize a text. tok: 13a, intl, icu, norm or none."""
    cut = _tokenizer(tok)
    words = tuple(cut(text.content).lower().split())
    is_function = np.array([word in _function_words() for word in words], dtype=np.bool_)
    return MeteorText(text, words, is_function)


@cache
def _function_words() -> frozenset[str]:
    return frozenset(load_word_list("meteor_function_words.txt"))


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    """Return the Snowball stem as in METEOR's version, which treats a curly apostrophe as a letter."""
    return (
        snowball_stem(word.replace("’", _LETTER)).replace(_LETTER, "’")
        if "’" in word
        else snowball_stem(word)
    )


@cache
def _tokenizer(name: str) -> Callable[[str], str]:
    if name == "none":
        return str
    if name == "norm":
        return normalize
    if name == "icu":
        return lambda content: " ".join(content[start:end] for start, end in segment_spans(content))
    if name == "intl":
        from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International

        international: Callable[[str], str] = TokenizerV14International()  # type: ignore[no-untyped-call]  # sacrebleu's has no types
        return international
    return lambda content: " ".join(tokenize_13a(content))
