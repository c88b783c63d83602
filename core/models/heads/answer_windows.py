"""Answers of an extractive model to a text that it reads in windows, or that there is none.

As in the programs for SQuAD 2.0 (Devlin et al. 2019): the best pairs of a start and an end in all windows,
against the mark before the question, which stands for no answer.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from core.domain.study import Span
from core.models.heads.head_model import TIE_TOLERANCE
from core.models.runtime.word_pieces import WordPieces

READ, STRIDE, QUESTION = 384, 128, 64
"""Word pieces of an input, between the starts of windows, and of a question at most."""

_BEST, _LONGEST = 20, 30
"""Starts and ends that are tried, and answers that share the probability; word pieces of an answer."""

_WORD = re.compile(r"[^ \t\r\n\u202f]+")
_NORMALIZER, _SPLITTER = BertNormalizer(strip_accents=True, lowercase=True), BertPreTokenizer()


@dataclass(frozen=True, slots=True)
class Reply:
    """The best answer in a text.

    text: as it is written there. span: of its words in the text, None if there is none at all.
    probability, none: of this answer, and of no answer, among the best ones.
    is_undecided: rounding could prefer another answer, or none.
    """

    text: str
    span: Span | None
    probability: float
    none: float
    is_undecided: bool

    @property
    def is_answered(self) -> bool:
        """Whether an answer is more likely than none."""
        return self.probability > self.none


class Window(NamedTuple):
    """Scores of starts and ends in an input, shape (2, pieces). start, length: of its part of the text."""

    start: int
    length: int
    first: int
    scores: NDArray[np.float32]


class _Candidate(NamedTuple):
    total: float
    start: int
    end: int


def window_starts(pieces: int, room: int) -> list[int]:
    """Return where the windows of a text begin. room: pieces of the text in a window."""
    starts, step = ([0] if pieces else []), min(STRIDE, max(room, 1))
    while starts and pieces - starts[-1] > room:
        starts.append(starts[-1] + step)
    return starts


def best_reply(content: str, text: WordPieces, windows: Sequence[Window]) -> Reply:
    """Return the best answer. windows: of the text's pieces, in order."""
    none = min((_score(one, 0, 0) for one in windows), default=0.0)
    starts, longest = [one.start for one in windows], max((one.length for one in windows), default=0)
    found = []
    for window in windows:
        first, last = (bisect_left(starts, window.start + shift) for shift in (1 - longest, longest))
        found += _candidates(window, windows[first:last])
    found.append(_Candidate(none, -1, -1))
    best: dict[str, _Candidate] = {}
    for one in sorted(found, key=lambda each: each.total, reverse=True):
        if len(best) == _BEST:
            break
        best.setdefault("" if one.start < 0 else _written(content, text, one), one)
    best.setdefault("", found[-1])
    if len(best) == 1:
        return Reply("empty", None, *_shares([0.0, none]), abs(none) <= 2 * TIE_TOLERANCE)
    answer, chosen = next((key, one) for key, one in best.items() if key)
    probability, without = _shares([chosen.total, none], [one.total for one in best.values()])
    gap = min(abs(chosen.total - one.total) for key, one in best.items() if key != answer)
    span = text.spans[chosen.start][0], text.spans[chosen.end][1]
    return Reply(answer, span, probability, without, gap <= 2 * TIE_TOLERANCE)


def _shares(chosen: Sequence[float], totals: Sequence[float] = ()) -> tuple[float, float]:
    every = np.array(totals or chosen)
    powers = np.exp(np.array(chosen) - every.max())
    first, second = (powers / np.exp(every - every.max()).sum()).tolist()
    return first, second


def _score(window: Window, start: int, end: int) -> float:
    return float(window.scores[0, start]) + float(window.scores[1, end])


def _candidates(window: Window, windows: Sequence[Window]) -> list[_Candidate]:
    """Return the possible answers in a window: a good start and a good end, both in its part of the text.

    windows: the window itself, and those that overlap it.
    """
    starts, ends = ((-one).argsort(kind="stable")[:_BEST].tolist() for one in window.scores)
    inside = range(window.first, window.first + window.length)
    return [
        _Candidate(_score(window, a, b), *(one - window.first + window.start for one in (a, b)))
        for a, b in product(starts, ends)
        if a in inside and b in inside and a <= b < a + _LONGEST
        if _has_most_context(a - window.first + window.start, window, windows)
    ]


def _has_most_context(piece: int, window: Window, windows: Sequence[Window]) -> bool:
    """Return whether a window has the most pieces around a piece; of several such windows, the first."""
    around = {
        one.start: min(piece - one.start, one.start + one.length - 1 - piece) + 0.01 * one.length
        for one in windows
        if one.start <= piece < one.start + one.length
    }
    return window.start == max(around, key=lambda start: around[start])


def _written(content: str, text: WordPieces, found: _Candidate) -> str:
    """Return an answer as it is written: the words of its pieces, without what the pieces leave out."""
    (begin, _), (_, end) = text.spans[found.start], text.spans[found.end]
    words = " ".join(
        match.group() for match in _WORD.finditer(content) if match.end() > begin and match.start() < end
    )
    pieces = " ".join(text.strings[found.start : found.end + 1]).replace(" ##", "")
    split = " ".join(word for word, _ in _SPLITTER.pre_tokenize_str(_NORMALIZER.normalize_str(words)))
    at = split.find(pieces)
    letters, own = ([place for place, sign in enumerate(one) if sign != " "] for one in (split, words))
    if at < 0 or len(letters) != len(own):
        return words
    return words[own[letters.index(at)] : own[letters.index(at + len(pieces) - 1)] + 1]
