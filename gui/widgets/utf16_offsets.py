"""Conversion between code points of a stored text and UTF-16 positions of its document.

A QTextDocument counts UTF-16 units, takes ``\\r\\n`` as one end of a block, and receives its text by a
conversion that drops a byte order mark at the start. The stored text is unchanged; only the displayed text
differs, and only where necessary.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.domain.study import Span

_BYTE_ORDER_MARKS = ("\ufeff", "\ufffe")
_UNSEEN = "\u2060"  # word joiner: as wide as a byte order mark, which is not at all
FOLD_SIGN = "…"
"""Placeholder of a folded span."""


@dataclass(frozen=True, slots=True)
class TextOffsets:
    """Offsets of one stored text.

    shown: text of the document. positions: of each code point in the document, then of its end; those
    of a folded span are all the position of its placeholder.
    """

    shown: str
    positions: Sequence[int]

    def to_document(self, offset: int) -> int:
        """Return the document's position of a code point."""
        return self.positions[offset]

    def to_text(self, position: int) -> int:
        """Return the code point at a position of the document, also between two surrogates."""
        offset = bisect_left(self.positions, position)
        if offset == len(self.positions):
            return offset - 1
        return offset if self.positions[offset] == position else offset - 1

    def span_to_document(self, span: Span) -> Span:
        """Return a half-open span of the text as one of the document."""
        return self.positions[span[0]], self.positions[span[1]]


def offsets_of(text: str, folds: Sequence[Span] = ()) -> TextOffsets:
    """Return the offsets of a text; each of `folds`, disjoint and in order, is replaced by a placeholder."""
    shown = _UNSEEN + text[1:] if text.startswith(_BYTE_ORDER_MARKS) else text
    if "\r\n" not in text and (text.isascii() or max(text, default="") <= "\uffff"):
        whole = TextOffsets(shown, range(len(text) + 1))
    else:
        whole = TextOffsets(shown, tuple(_positions(text)))
    return _folded(whole, folds) if folds else whole


def _folded(whole: TextOffsets, folds: Sequence[Span]) -> TextOffsets:
    shown: list[str] = []
    positions: list[int] = []
    at = gone = 0
    for start, end in folds:
        shown += whole.shown[at:start], FOLD_SIGN
        positions += (position - gone for position in whole.positions[at:start])
        first, last = whole.span_to_document((start, end))
        positions += [first - gone] * (end - start)
        gone += last - first - len(FOLD_SIGN)
        at = end
    positions += (position - gone for position in whole.positions[at:])
    return TextOffsets("".join((*shown, whole.shown[at:])), tuple(positions))


def _positions(text: str) -> Iterator[int]:
    position = 0
    for offset, sign in enumerate(text):
        yield position
        if sign > "\uffff":
            position += 2
        elif not (sign == "\r" and text[offset + 1 : offset + 2] == "\n"):
            position += 1
    yield position
