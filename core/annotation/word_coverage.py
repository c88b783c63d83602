"""Words of a text as annotators see them, and the share of them that spans cover.

These words are used for selection and counts on screen; metrics use ``core.text.tokenization``. Scripts
without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese) are segmented by ICU's dictionaries, chosen by
script:
the language of a study has no effect.
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
_KEPT = frozenset("%‰&@#")  # punctuation in Unicode, part of the word for readers


@lru_cache(maxsize=64)
def words(text: str) -> tuple[Span, ...]:
    """Return the span of every word, without the punctuation around it.

    A word ends at spaces and dashes; in scripts without spaces, at ICU's word boundary.
    """
    pieces = (run.span() for run in _RUN.finditer(text))
    if has_unsegmented(text):
        pieces = (piece for run in pieces for piece in _segmented(text, run))
    return tuple(_bare(text, piece) for piece in pieces if _has_sign(text[slice(*piece)]))


def merge_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return spans in text order; spans that overlap or touch are merged."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return tuple(joined)


def snap_to_words(known: Sequence[Span], span: Span) -> Span:
    """Return a selection extended to whole words, and shortened to them at ends between words.

    known: `words` of the text. A selection that touches no word is not changed.
    """
    start, end = span
    first = bisect_right(known, start, key=lambda word: word[1])
    last = bisect_left(known, end, key=lambda word: word[0]) - 1
    if first > last:
        return span
    return known[first][0], known[last][1]


def words_within(known: Sequence[Span], spans: Iterable[Span]) -> int:
    """Return the number of words that the spans touch; each is counted once."""
    counted, upto = 0, 0
    for start, end in merge_spans(spans):
        first = max(upto, bisect_right(known, start, key=lambda word: word[1]))
        last = bisect_left(known, end, key=lambda word: word[0])
        counted += max(0, last - first)
        upto = max(upto, last)
    return counted


def coverage(known: Sequence[Span], spans: Iterable[Span]) -> float:
    """Return the share of a text's words that the spans touch, in [0, 1]; 0 without words."""
    return words_within(known, spans) / len(known) if known else 0.0


def uncovered_spans(known: Sequence[Span], spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return runs of words that no span touches, each from its first to its last word."""
    return tuple(_runs(known, merge_spans(spans), is_covered=False))


def covered_spans(known: Sequence[Span], spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return runs of words that spans touch, each from its first to its last word."""
    return tuple(_runs(known, merge_spans(spans), is_covered=True))


def subtract_spans(span: Span, gone: Sequence[Span]) -> tuple[Span, ...]:
    """Return what is left of a span without these sorted, disjoint ones."""
    start, end = span
    left = []
    for first, last in gone:
        if first < end and start < last:
            if start < first:
                left.append((start, first))
            start = last
    return (*left, (start, end)) if start < end else tuple(left)


def joined_text(text: str, spans: Iterable[Span], gap: str = " … ") -> str:
    """Return the text of several spans in text order, joined by `gap`, with white space normalized."""
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
    """Yield the words of a run of characters without spaces, and what is between them."""
    start, end = run
    if not has_unsegmented(content := text[start:end]):
        yield run
        return
    word: Span | None = None
    for first, last in segment_spans(content):
        place = start + first, start + last
        if word is not None and all(sign in _KEPT for sign in content[first:last]):
            word = word[0], place[1]  # e.g. 5%
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
