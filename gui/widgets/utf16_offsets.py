"""Places in a stored text and in its document: the one conversion between code points and UTF-16.

A QTextDocument counts UTF-16 units, takes ``\\r\\n`` as one end of a block, and is handed its text by a
conversion that swallows a byte order mark at the start. The stored text stays as it is; only what is shown
differs, and only where it must.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.domain.study import Span

_BYTE_ORDER_MARKS = ("\ufeff", "\ufffe")
_UNSEEN = "\u2060"  # word joiner: as wide as a byte order mark, which is not at all
FOLD_SIGN = "…"
"""What stands for a stretch that is folded away."""


@dataclass(frozen=True, slots=True)
class TextOffsets:
    """The places of one stored text.

    shown: what the document is to hold. positions: of each code point in the document, then its end; those
    of a folded stretch are all the place of its sign.
    """

    shown: str
    positions: Sequence[int]

    def to_document(self, offset: int) -> int:
        """The document's position of a code point of the text."""
        return self.positions[offset]

    def to_text(self, position: int) -> int:
        """The code point at a position of the document; between surrogates, the one that they stand for."""
        offset = bisect_left(self.positions, position)
        if offset == len(self.positions):
            return offset - 1
        return offset if self.positions[offset] == position else offset - 1

    def span_to_document(self, span: Span) -> Span:
        """A half-open span of the text as one of the document."""
        return self.positions[span[0]], self.positions[span[1]]


def offsets_of(text: str, folds: Sequence[Span] = ()) -> TextOffsets:
    """The places of a stored text; of each of `folds`, disjoint and in order, a sign alone is shown."""
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
