"""Edits of the boundaries of parts. Spans that overlap or touch become one part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.domain.pyramid.model import Part, TopicAnnotation, parts_of, replace_scu
from core.domain.study import Span
from core.errors import InputError

GONE = "This part is no longer there; somebody removed it."


def extend_part(parts: Sequence[Part], spans: Sequence[Span], text: str = "") -> tuple[Part, ...]:
    """Return the parts extended by spans; a span that touches parts is merged with them.

    text: the text of the parts; spans with only white space between them touch.
    The merged part keeps the id and the position of the first part in it.
    Raises InputError on an empty span.
    """
    own = tuple(parts)
    for new in parts_of(spans):
        own = _with(own, new, text, keeps_id=False)
    return own


def replaced(parts: Sequence[Part], part_id: str, spans: Sequence[Span], text: str = "") -> tuple[Part, ...]:
    """Return the parts, one of them with other spans; parts that it then touches are merged into it.

    The first span keeps the part's id. Raises InputError without spans, or if the part is gone.
    """
    made = parts_of(spans)
    if not made:
        raise InputError("A part must contain at least one character; select some text first.")
    if all(part.id != part_id for part in parts):
        raise InputError(GONE)
    new = replace(made[0], id=part_id)
    own = tuple(new if part.id == part_id else part for part in parts)
    return extend_part(_with(own, new, text, keeps_id=True), spans[1:], text)


def replace_part(
    annotation: TopicAnnotation, scu_id: str, part_id: str, spans: Sequence[Span], text: str = ""
) -> TopicAnnotation:
    """Replace the spans of a part of an SCU in its reference, whose content is `text`."""
    scu = annotation.scu(scu_id)
    own = next((c for c in scu.contributors if any(part.id == part_id for part in c.parts)), None)
    if own is None:
        raise InputError(GONE)
    changed = replace(own, parts=replaced(own.parts, part_id, spans, text))
    new = replace(scu, contributors=replace_scu(scu.contributors, own, changed))
    return replace(
        annotation, pyramid=replace(annotation.pyramid, scus=replace_scu(annotation.pyramid.scus, scu, new))
    )


def replace_match_part(
    annotation: TopicAnnotation, match_id: str, part_id: str, spans: Sequence[Span], text: str = ""
) -> TopicAnnotation:
    """Replace the spans of a part of a content unit in its summary, whose content is `text`."""
    match = next((m for m in annotation.matches if m.id == match_id), None)
    if match is None:
        raise InputError(GONE)
    changed = replace(match, parts=replaced(match.parts, part_id, spans, text))
    return replace(annotation, matches=replace_scu(annotation.matches, match, changed))


def _with(parts: tuple[Part, ...], new: Part, text: str, *, keeps_id: bool) -> tuple[Part, ...]:
    """Return the parts with a new one, merged with those that it touches.

    keeps_id: the new part is among the parts, and its id is kept.
    """
    (start, end), met = new.span, [part for part in parts if part is new]
    while more := [p for p in parts if p not in met and _meet((start, end), p.span, text)]:
        met += more
        start, end = min(start, *(p.start for p in more)), max(end, *(p.end for p in more))
    if not met:
        return (*parts, new)
    first = next(part for part in parts if part in met)
    joined = Part(new.id if keeps_id else first.id, start, end)
    return tuple(joined if part is first else part for part in parts if part is first or part not in met)


def _meet(one: Span, other: Span, text: str) -> bool:
    """Return whether two spans overlap or are separated only by white space."""
    low, high = min(one[1], other[1]), max(one[0], other[0])
    return high <= low or (high <= len(text) and not text[low:high].strip())
