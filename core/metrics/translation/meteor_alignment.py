"""Tokenized texts and word alignments for METEOR."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Span, Text
from core.metrics.base import Evidence
from core.metrics.kernels.alignment import Matches, chunks_of
from core.metrics.translation.matched_grams import find_words
from core.text.segmentation import segment_spans
from core.text.stemming import snowball_stem
from core.text.word_lists import load_word_list

_LETTER = "\u02b9"
"""Replacement for an apostrophe that the stemmer treats as a letter."""

Ints = NDArray[np.int64]

EXACT, STEM, SYNONYM, PARAPHRASE = range(4)
WEIGHTS = np.array([1.0, 0.6, 0.8, 0.6])
"""Weight of a match by module, tuned for English on rankings of translations (task ``rank``)."""


@dataclass(frozen=True, slots=True)
class MeteorText:
    """The words of a text in lower case and their stems. is_function: shape (words,)."""

    text: Text
    words: tuple[str, ...]
    stems: tuple[str, ...]
    is_function: NDArray[np.bool_]

    def places(self) -> list[Span | None]:
        """Return the span of each word in the text; None if the tokenizer changed its spelling."""
        return find_words(self.text.content.lower(), self.words, len(self.text.content))

    def weight(self, delta: float) -> float:
        """Return the weight of all words."""
        return float(np.where(self.is_function, 1 - delta, delta).sum())


@dataclass(frozen=True, slots=True)
class WordAlignment:
    """The alignment of a summary and a reference. selected: indices of the selected matches."""

    matches: Matches
    selected: Ints
    summary: MeteorText
    reference: MeteorText

    def matched(self, delta: float) -> tuple[float, float]:
        """Return the weighted matches of the summary and of the reference, including module weights."""
        m = self.matches
        return (
            self._weight(self.summary, m.here[self.selected], m.long_here[self.selected], delta),
            self._weight(self.reference, m.there[self.selected], m.long_there[self.selected], delta),
        )

    @property
    def words(self) -> tuple[int, int]:
        """Return the number of matched words of the summary and of the reference."""
        return int(self.matches.long_here[self.selected].sum()), int(
            self.matches.long_there[self.selected].sum()
        )

    @property
    def chunks(self) -> int:
        """Return the number of runs of matches; 0 if one run covers both texts completely."""
        chunks = chunks_of(self.matches, self.selected)
        is_whole = self.words == (len(self.summary.words), len(self.reference.words))
        return 0 if chunks == 1 and is_whole else chunks

    def evidence(self, role: Literal["summary", "reference"]) -> tuple[Evidence, ...]:
        """Return the spans of the matched words of a side, without words that the tokenizer changed."""
        m = self.matches
        if role == "summary":
            side, first, long = self.summary, m.here[self.selected], m.long_here[self.selected]
        else:
            side, first, long = self.reference, m.there[self.selected], m.long_there[self.selected]
        places = side.places()
        spans = (span for at, n in zip(first, long, strict=True) for span in places[at : at + n])
        return tuple(Evidence(role, side.text.name, span) for span in spans if span is not None)

    def _weight(self, side: MeteorText, at: Ints, long: Ints, delta: float) -> float:
        each = WEIGHTS[self.matches.module[self.selected]]
        of_word = np.where(side.is_function, 1 - delta, delta)
        return float(sum(w * of_word[a : a + n].sum() for w, a, n in zip(each, at, long, strict=True)))


def prepare_text(text: Text, tok: str) -> MeteorText:
    """Tokenize a text. tok: 13a, intl, icu or none."""
    cut = _tokenizer(tok)
    words = tuple(cut(text.content).lower().split())
    is_function = np.array([word in _function_words() for word in words], dtype=np.bool_)
    return MeteorText(text, words, tuple(map(_stem, words)), is_function)


@cache
def _function_words() -> frozenset[str]:
    return frozenset(load_word_list("meteor_function_words.txt"))


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
    if name == "icu":
        return lambda content: " ".join(content[start:end] for start, end in segment_spans(content))
    if name == "intl":
        from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International

        international: Callable[[str], str] = TokenizerV14International()  # type: ignore[no-untyped-call]  # sacrebleu's has no types
        return international
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    usual: Callable[[str], str] = Tokenizer13a()  # type: ignore[no-untyped-call]  # sacrebleu's has no types
    return usual
