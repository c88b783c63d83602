"""Words of a text as annotators see them, and how much of a text is covered.

These words guide selecting and counting on screen; metrics cut texts by ``core.text.tokenization``. Scripts
without blanks (Chinese, Japanese, Thai, Lao, Khmer, Burmese) are segmented by ICU's dictionaries, which it
chooses by
the script: for them the language of a study changes nothing.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from core.domain.study import Span
from core.text.scripts import has_unsegmented
from core.text.segmentation import segment_spans

_RUN = re.compile(r"[^\s—–…]+")
_KEPT = frozenset("%‰&@#")  # punctuation to Unicode, part of the word to a reader


@lru_cache(maxsize=64)
def words(text: str) -> tuple[Span, ...]:
    """Return the span of every word, without the punctuation around it.

    A word ends at blanks and dashes; in scripts without blanks, where ICU finds its end.
    """
    pieces = (run.span() for run in _RUN.finditer(text))
    if has_unsegmented(text):
        pieces = (piece for run in pieces for piece in _segmented(text, run))
    return tuple(_bare(text, piece) for piece in pieces if _has_sign(text[slice(*piece)]))


def merge_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The same places as few spans in the text's order; spans that overlap or touch become one."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return tuple(joined)


def snap_to_words(known: Sequence[Span], span: Span) -> Span:
    """A selection grown to whole words, and cut back to them where it ends between words.

    known: `words` of the text. A selection that touches no word stays as it is.
    """
    start, end = span
    first = bisect_right(known, start, key=lambda word: word[1])
    last = bisect_left(known, end, key=lambda word: word[0]) - 1
    if first > last:
        return span
    return known[first][0], known[last][1]


def words_within(known: Sequence[Span], spans: Iterable[Span]) -> int:
    """How many words the spans hold or touch; none is counted twice."""
    counted, upto = 0, 0
    for start, end in merge_spans(spans):
        first = max(upto, bisect_right(known, start, key=lambda word: word[1]))
        last = bisect_left(known, end, key=lambda word: word[0])
        counted += max(0, last - first)
        upto = max(upto, last)
    return counted


def coverage(known: Sequence[Span], spans: Iterable[Span]) -> float:
    """The share of a text's words that the spans hold or touch, in [0, 1]; 0 without words."""
    return words_within(known, spans) / len(known) if known else 0.0


def uncovered_spans(known: Sequence[Span], spans: Iterable[Span]) -> tuple[Span, ...]:
    """The stretches of words that no span holds or touches, each from its first word to its last."""
    return tuple(_runs(known, merge_spans(spans), is_covered=False))


def covered_spans(known: Sequence[Span], spans: Iterable[Span]) -> tuple[Span, ...]:
    """The stretches of words that spans hold or touch, each from its first word to its last."""
    return tuple(_runs(known, merge_spans(spans), is_covered=True))


def subtract_spans(span: Span, gone: Sequence[Span]) -> tuple[Span, ...]:
    """What is left of a span when these disjoint ones, in order, are taken out."""
    start, end = span
    left = []
    for first, last in gone:
        if first < end and start < last:
            if start < first:
                left.append((start, first))
            start = last
    return (*left, (start, end)) if start < end else tuple(left)


def joined_text(text: str, spans: Iterable[Span], gap: str = " … ") -> str:
    """The words of several spans in the text's order, a sign for each gap, blanks evened out."""
    return gap.join(" ".join(text[start:end].split()) for start, end in sorted(spans))


def _runs(known: Sequence[Span], joined: Sequence[Span], *, is_covered: bool) -> Iterator[Span]:
    ends = [end for _, end in joined]
    first: int | None = None
    last = 0
    for start, end in known:
        at = bisect_right(ends, start)
        if (at < len(joined) and joined[at][0] < end) is is_covered:
            first, last = start if first is None else first, end
        elif first is not None:
            yield first, last
            first = None
    if first is not None:
        yield first, last


def _segmented(text: str, run: Span) -> Iterator[Span]:
    """The words of a run of characters without blanks, and what lies between them."""
    start, end = run
    if not has_unsegmented(content := text[start:end]):
        yield run
        return
    word: Span | None = None
    for first, last in segment_spans(content):
        place = start + first, start + last
        if word is not None and all(sign in _KEPT for sign in content[first:last]):
            word = word[0], place[1]  # as in 5%
            continue
        if word is not None:
            yield word
        word = place
    if word is not None:
        yield word


def _has_sign(run: str) -> bool:
    return run[0].isalnum() or any(not _is_edge(sign) for sign in run)


def _bare(text: str, span: Span) -> Span:
    start, end = span
    if text[start].isalnum() and text[end - 1].isalnum():
        return span
    while _is_edge(text[start]):
        start += 1
    while _is_edge(text[end - 1]):
        end -= 1
    return start, end


def _is_edge(sign: str) -> bool:
    return unicodedata.category(sign).startswith("P") and sign not in _KEPT
