"""Tokenization of texts into numbered words with their spans.

Equal words of one vocabulary share a number. Tokenizers: ``1.5.5``, byte-identical to ROUGE-1.5.5;
``unicode``, for every script; ``icu``, the same with word segmentation for scripts without spaces, where
``unicode`` takes each character for a word; ``rouge-score``, as the package of that name; ``widar``, the same
with Snowball's stems; ``simetrix``, runs of ASCII letters and digits with Porter's stems;
``word``, runs of letters, digits and underscores; ``spaces``, what stands between blanks.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, groupby

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Span
from core.text import stemming
from core.text.segmentation import word_spans
from core.text.word_lists import load_word_list

Ids = NDArray[np.int32]

STOP_WORD_ID = -1
"""Number of every stop word."""

UNSEGMENTED_SCRIPTS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9d"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
"""Scripts written without spaces: each character, with the marks on it, counts as a word."""

_ASCII_WORD = re.compile(r"[A-Za-z0-9]+")
_ROUGE_SCORE_WORD = re.compile("[A-Za-z0-9\u212a]*\u0130|[A-Za-z0-9\u212a]+")
"""rouge-score lower-cases first: the Kelvin sign becomes a k, a dotted capital I an i and a mark."""

_PLAIN_WORD = re.compile(r"\w+")
_BETWEEN_BLANKS = re.compile(r"\S+")
_FOREIGN_LETTER = re.compile(r"[^\W\x00-\x7f_]")


@dataclass(frozen=True, slots=True)
class TokenizerSettings:
    """Settings of a tokenizer; stems are English.

    text: 1.5.5, unicode, icu, rouge-score, widar, simetrix, word or spaces.
    """

    text: str = "1.5.5"
    stem: bool = False
    drop_stop_words: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class TokenizedText:
    """Words of a text.

    ids: shape (words,), equal for equal words of one vocabulary.
    spans: shape (words, 2), in the text.
    sentences: shape (sentences + 1,), index of each sentence's first word, then the number of words.
    lost_letters: the text has letters that the tokenizer ignores.
    """

    ids: Ids
    spans: NDArray[np.int32]
    sentences: NDArray[np.int64]
    lost_letters: bool = False

    def in_one(self) -> TokenizedText:
        """Return the same words as one sentence."""
        return replace(self, sentences=np.array([0, len(self.ids)], dtype=np.int64))

    def divided(self, sentences: Sequence[Span]) -> TokenizedText | None:
        """Return the same words in other sentences, None if a word is in none or crosses a boundary."""
        first, last = self.spans.T.tolist()
        starts = [bisect_left(first, start) for start, _ in sentences] + [len(first)]
        if starts[0] != 0 or starts[1:] != [bisect_right(last, end) for _, end in sentences]:
            return None
        return replace(self, sentences=np.array(starts, dtype=np.int64))


class Tokenizer(dict[str, int]):
    """Numbers of words by surface form.

    Case and endings are removed as the settings say; stop words are STOP_WORD_ID.
    """

    def __init__(self, cut: TokenizerSettings) -> None:
        super().__init__()
        self.cut = cut
        self._ids: dict[str, int] = {}
        self._stem = _stemmer(cut)
        self._stop_words = stop_words() if cut.drop_stop_words else frozenset[str]()

    def __missing__(self, surface: str) -> int:
        word = _WORD_OF[self.cut.text](surface)
        stem = self._stem(word)
        number = STOP_WORD_ID if word in self._stop_words else self._ids.setdefault(stem, len(self._ids))
        self[surface] = number
        return number

    def words(self, content: str, sentences: Sequence[Span] | None = None) -> TokenizedText:
        """Tokenize a text. Words never cross the sentences given; text outside them is left out."""
        ids: list[int] = []
        spans: list[Span] = []
        starts = [0]
        for start, end in sentences if sentences is not None else ((0, len(content)),):
            here = _word_spans(self.cut.text, content, start, end)
            numbers = [self[content[first:last]] for first, last in here]
            if STOP_WORD_ID in numbers:
                here = [span for span, number in zip(here, numbers, strict=True) if number != STOP_WORD_ID]
                numbers = [number for number in numbers if number != STOP_WORD_ID]
            ids += numbers
            spans += here
            starts.append(len(ids))
        return TokenizedText(
            np.array(ids, dtype=np.int32),
            np.fromiter(chain.from_iterable(spans), np.int32, 2 * len(spans)).reshape(-1, 2),
            np.array(starts, dtype=np.int64),
            self.cut.text in _ASCII and has_unsupported_letters(content),
        )


def _word_spans(text: str, content: str, start: int, end: int) -> list[Span]:
    """Return the span of every word in a range of a text."""
    if text == "icu":
        return [(start + first, start + last) for first, last in word_spans(content[start:end])]
    return [word.span() for word in word_pattern(text).finditer(content, start, end)]


def normalize_word(cut: TokenizerSettings) -> Callable[[str], str]:
    """Return the function that maps a surface form to its word: lower case and, if requested, stemmed."""
    word_of, stem = _WORD_OF[cut.text], _stemmer(cut)
    return lambda surface: stem(word_of(surface))


def word_pattern(text: str) -> re.Pattern[str]:
    """Return the pattern of a word for any tokenizer but icu, which has none."""
    if text == "unicode":
        return _unicode_word()
    named = {"1.5.5": _ASCII_WORD, "simetrix": _ASCII_WORD, "word": _PLAIN_WORD, "spaces": _BETWEEN_BLANKS}
    return named.get(text, _ROUGE_SCORE_WORD)


def has_unsupported_letters(content: str) -> bool:
    """Return whether a text has letters or digits outside ASCII, which ROUGE-1.5.5 treats as spaces."""
    return not content.isascii() and _FOREIGN_LETTER.search(content) is not None


@cache
def stop_words() -> frozenset[str]:
    """Return the English words that ROUGE-1.5.5 removes with -s."""
    return frozenset(load_word_list("stop_words.txt"))


@cache
def _unicode_word() -> re.Pattern[str]:
    marks = _character_class(lambda c: unicodedata.category(c).startswith("M"))
    letter = rf"[^\W_{UNSEGMENTED_SCRIPTS}]"
    return re.compile(rf"[{UNSEGMENTED_SCRIPTS}](?<=\w)[{marks}]*|{letter}(?:{letter}|[{marks}])*")


def _character_class(is_member: Callable[[str], bool]) -> str:
    """Return the inside of a bracket expression for all characters that satisfy a predicate."""
    codes = (code for code in range(sys.maxunicode + 1) if is_member(chr(code)))
    runs = (list(run) for _, run in groupby(enumerate(codes), lambda pair: pair[1] - pair[0]))
    return "".join(f"{re.escape(chr(run[0][1]))}-{re.escape(chr(run[-1][1]))}" for run in runs)


def _folded(surface: str) -> str:
    decomposed = unicodedata.normalize("NFD", surface)
    return unicodedata.normalize("NFC", decomposed.casefold())


def _stemmer(cut: TokenizerSettings) -> Callable[[str], str]:
    if not cut.stem:
        return str
    match cut.text:
        case "word":
            return stemming.snowball_stem
        case "widar":
            return stemming.widar_stem
        case "simetrix":
            return stemming.martin_stem
        case "rouge-score":
            return stemming.rouge_score_stem
        case _:
            return stemming.morph_stem


_WORD_OF: dict[str, Callable[[str], str]] = {
    "1.5.5": str.lower,
    "unicode": _folded,
    "icu": _folded,
    "rouge-score": lambda surface: surface.lower().rstrip("\u0307"),
    "widar": lambda surface: surface.lower().rstrip("\u0307"),
    "simetrix": str.lower,
    "word": str.lower,
    "spaces": str.lower,
}
"""Case folding of each tokenizer."""

_ASCII = ("1.5.5", "rouge-score", "widar", "simetrix")
"""Tokenizers that treat letters outside ASCII as spaces."""
