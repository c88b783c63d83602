"""Spans that do not hold the words that they are said to hold, and what to make of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from unicodedata import normalize

from core.domain.study import Span
from storage.formats.ducview.model import FilePart, FileScu, shown
from storage.formats.ducview.text_alignment import StrippedText, strip_whitespace
from storage.formats.readers.fields import Problems

_ASTRAL = 0xFFFF
SpanRepair = Callable[[FilePart, str], FilePart]


def fits(text: str, part: FilePart) -> bool:
    """Whether a span holds its words, white space and the way that accents are written aside."""
    return part.end <= len(text) and _plain(shown(text, part.span)) == _plain(part.label)


def _plain(words: str) -> str:
    return normalize("NFC", strip_whitespace(words))


def in_code_points(text: str, scus: Sequence[FileScu]) -> tuple[FileScu, ...] | None:
    """SCUs counted in UTF-16, as Java counts, brought to code points; None = they are in code points.

    They differ behind signs outside the basic plane. The words of the parts tell which way a file counts.
    """
    if not any(ord(sign) > _ASTRAL for sign in text):
        return None
    ends = [0, *accumulate(1 + (ord(sign) > _ASTRAL) for sign in text)]

    def moved(part: FilePart) -> FilePart:
        start, end = (bisect_left(ends, at) if at <= ends[-1] else at for at in part.span)
        return replace(part, start=start, end=end)

    parts = [part for scu in scus for c in scu.contributors for part in c.parts if part.label]
    if sum(fits(text, moved(part)) for part in parts) <= sum(fits(text, part) for part in parts):
        return None
    return tuple(_each(scus, lambda part, _: moved(part)))


def in_utf16(text: str, span: Span) -> Span:
    """A span in code points as Java counts it."""
    start, end = (at + sum(ord(sign) > _ASTRAL for sign in text[:at]) for at in span)
    return start, end


def repair_spans(
    text: str, scus: Sequence[FileScu], problems: Problems, notices: Problems, *, repairs: bool
) -> tuple[FileScu, ...]:
    """SCUs with spans that can be kept.

    One that does not hold its words is told with the place where they are: it stays as it is unless the user
    `repairs`, or unless it lies outside the text. Where the words are nowhere then, that is a problem.
    """
    whole = StrippedText(text)

    def mend(part: FilePart, place: str) -> FilePart:
        if not part.label and part.start == part.end:
            return part  # how a unit without a span is written
        lies_within = part.start < part.end <= len(text)
        if lies_within and (not part.label or fits(text, part)):
            return part
        proposal = whole.nearest(part.label, part.start) if part.label else None
        problems.place = notices.place = f"line {part.line}, {place}"
        if not lies_within and proposal is None:
            what = f"The span {part.start} to {part.end} holds nothing of a text of {len(text)} signs."
            problems.add("start", what, "Give the offsets of the part's words.")
            return part
        is_moved = proposal is not None and (repairs or not lies_within)
        notices.add("start", *_told(text, part, proposal, is_moved))
        return replace(part, start=proposal[0], end=proposal[1]) if is_moved and proposal else part

    return tuple(_each(scus, mend))


def _each(scus: Sequence[FileScu], mend: SpanRepair) -> Iterator[FileScu]:
    """SCUs with every part changed, each told its place."""
    for scu in scus:
        contributors = [
            replace(
                c,
                parts=tuple(
                    mend(part, f"SCU {scu.uid}, contributor[{at}], part[{number}]")
                    for number, part in enumerate(c.parts, 1)
                ),
            )
            for at, c in enumerate(scu.contributors, 1)
        ]
        yield replace(scu, contributors=tuple(contributors))


def _told(text: str, part: FilePart, proposal: Span | None, is_moved: bool) -> tuple[str, str]:
    """What is wrong with a span and what became of it."""
    span = f"{part.start} to {part.end}"
    held = f" holds “{_short(shown(text, part.span))}”" if part.end <= len(text) else " lies outside the text"
    what = f"The span {span}{held}, not “{_short(part.label)}”."
    if proposal is None:
        return what, "Its words stand nowhere in the text; look at it in the window. It is imported as it is."
    place = f"{proposal[0]} to {proposal[1]}"
    if is_moved:
        return what, f"It is imported as {place}, where its words stand."
    return what, f"It is imported as it is; its words stand at {place}, which a repair would take."


def _short(words: str) -> str:
    return words if len(words) <= 40 else f"{words[:19]}…{words[-19:]}"
