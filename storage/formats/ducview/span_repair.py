"""Detection and repair of spans that do not contain their stated words."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from unicodedata import normalize

from core.domain.study import Span
from storage.formats.ducview.model import FilePart, FileScu, span_text
from storage.formats.ducview.text_alignment import StrippedText, strip_whitespace
from storage.formats.readers.fields import Problems

_ASTRAL = 0xFFFF
SpanRepair = Callable[[FilePart, str], FilePart]


def fits(text: str, part: FilePart) -> bool:
    """Return whether a span contains its words, ignoring white space and Unicode normalization."""
    return part.end <= len(text) and _plain(span_text(text, part.span)) == _plain(part.label)


def _plain(words: str) -> str:
    return normalize("NFC", strip_whitespace(words))


def in_code_points(text: str, scus: Sequence[FileScu]) -> tuple[FileScu, ...] | None:
    """Convert SCUs with offsets in UTF-16 units, as in Java, to code points; None = no conversion needed.

    They differ after characters outside the basic plane. The words of the parts show which unit a file uses.
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
    """Convert a span in code points to UTF-16 units, as in Java."""
    start, end = (at + sum(ord(sign) > _ASTRAL for sign in text[:at]) for at in span)
    return start, end


def repair_spans(
    text: str, scus: Sequence[FileScu], problems: Problems, notices: Problems, *, repairs: bool
) -> tuple[FileScu, ...]:
    """Return SCUs with usable spans.

    A span that does not contain its words is reported with a proposed location; it is changed only if the
    user sets `repairs` or it is outside the text. If its words cannot be found then, that is a problem.
    """
    whole = StrippedText(text)

    def repair(part: FilePart, place: str) -> FilePart:
        if not part.label and part.start == part.end:
            return part  # notation of a unit without a span
        is_inside = part.start < part.end <= len(text)
        if is_inside and (not part.label or fits(text, part)):
            return part
        proposal = whole.nearest(part.label, part.start) if part.label else None
        problems.place = notices.place = f"line {part.line}, {place}"
        if not is_inside and proposal is None:
            what = f"The span {part.start} to {part.end} is outside the text of {len(text)} characters."
            problems.add("start", what, "Correct the offsets of the part.")
            return part
        is_moved = proposal is not None and (repairs or not is_inside)
        notices.add("start", *_problem_and_remedy(text, part, proposal, is_moved))
        return replace(part, start=proposal[0], end=proposal[1]) if is_moved and proposal else part

    return tuple(_each(scus, repair))


def _each(scus: Sequence[FileScu], repair: SpanRepair) -> Iterator[FileScu]:
    """Yield SCUs with every part changed; the function gets each part's location."""
    for scu in scus:
        contributors = [
            replace(
                c,
                parts=tuple(
                    repair(part, f"SCU {scu.uid}, contributor[{at}], part[{number}]")
                    for number, part in enumerate(c.parts, 1)
                ),
            )
            for at, c in enumerate(scu.contributors, 1)
        ]
        yield replace(scu, contributors=tuple(contributors))


def _problem_and_remedy(text: str, part: FilePart, proposal: Span | None, is_moved: bool) -> tuple[str, str]:
    """Return the problem of a span, and what was done about it."""
    span = f"{part.start} to {part.end}"
    contained = (
        f" contains “{_short(span_text(text, part.span))}”"
        if part.end <= len(text)
        else " is outside the text"
    )
    what = f"The span {span}{contained}, not “{_short(part.label)}”."
    if proposal is None:
        return what, "Its words do not occur in the text. It is imported unchanged; check it in the window."
    place = f"{proposal[0]} to {proposal[1]}"
    if is_moved:
        return what, f"It is imported as {place}, where its words are."
    return what, f"It is imported unchanged; its words are at {place}, which a repair would use."


def _short(words: str) -> str:
    return words if len(words) <= 40 else f"{words[:19]}…{words[-19:]}"
