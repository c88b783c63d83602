"""Fixes of findings, each a pure function; the annotator applies them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from core.annotation.word_coverage import merge_spans
from core.domain.pyramid import Contributor, Match, Part, Scu, TopicAnnotation, new_id
from core.domain.study import Span
from core.errors import InputError
from core.text.scripts import is_inside_word
from core.text.tokenization import UNSEGMENTED_SCRIPTS

_UNSPACED = re.compile(f"[{UNSEGMENTED_SCRIPTS}]")
_JOINER = "\u200d"


def clip_part(content: str, span: Span) -> Span | None:
    """Return a span within its text, without spaces at its ends, extended to whole words.

    None = nothing is left of it. Punctuation stays: an annotator may have meant it.
    """
    start, end = min(max(span[0], 0), len(content)), min(span[1], len(content))
    while start < end and content[start].isspace():
        start += 1
    while start < end and content[end - 1].isspace():
        end -= 1
    if start >= end:
        return None
    while _is_within_word(content, start):
        start -= 1
    while _is_within_word(content, end):
        end += 1
    return start, end


def snap_part(annotation: TopicAnnotation, scu_id: str, part_id: str, content: str) -> TopicAnnotation:
    """Fit one part of an SCU to the words of its reference, `content`; a part without a word is removed."""

    def snap(contributor: Contributor) -> Contributor:
        return replace(contributor, parts=_snapped(contributor.parts, part_id, content))

    scu = annotation.scu(scu_id)
    remaining = tuple(c for c in (snap(c) for c in scu.contributors) if c.parts)
    return _with_scu(annotation, replace(scu, contributors=remaining))


def snap_match_part(
    annotation: TopicAnnotation, match_id: str, part_id: str, content: str
) -> TopicAnnotation:
    """Fit one part of a content unit to the words of its summary, `content`; remove it if it has no word.

    A unit outside the pyramid is removed with its last part. Raises InputError if the unit is gone.
    """
    match = next((m for m in annotation.matches if m.id == match_id), None)
    if match is None:
        raise InputError("This content unit is no longer in the summary; somebody removed it.")
    snapped = replace(match, parts=_snapped(match.parts, part_id, content))
    stays = snapped.parts or snapped.scu_id is not None
    matches = (_either(m, match, snapped) for m in annotation.matches)
    return replace(annotation, matches=tuple(m for m in matches if stays or m is not snapped))


def join_contributors(annotation: TopicAnnotation, scu_id: str, reference_id: str) -> TopicAnnotation:
    """Merge all contributors of an SCU in a reference into one with all parts and comments."""
    scu = annotation.scu(scu_id)
    its = [c for c in scu.contributors if c.reference_id == reference_id]
    if not its:
        raise InputError("This SCU has no contributor in that reference any more.")
    comment = "\n".join(c.comment for c in its if c.comment)
    joined = replace(its[0], parts=_disjoint(part for c in its for part in c.parts), comment=comment)
    remaining = (joined if c is its[0] else c for c in scu.contributors if c is its[0] or c not in its)
    return _with_scu(annotation, replace(scu, contributors=tuple(remaining)))


def join_parts(annotation: TopicAnnotation, scu_id: str, contributor_id: str) -> TopicAnnotation:
    """Merge overlapping parts of a contributor."""

    def join(contributor: Contributor) -> Contributor:
        return replace(contributor, parts=_disjoint(contributor.parts))

    scu = annotation.scu(scu_id)
    joined = (join(c) if c.id == contributor_id else c for c in scu.contributors)
    return _with_scu(annotation, replace(scu, contributors=tuple(joined)))


def parts_overlap(one: Part, other: Part) -> bool:
    """Return whether two parts of one text overlap."""
    return one.start < other.end and other.start < one.end


def _snapped(parts: tuple[Part, ...], part_id: str, content: str) -> tuple[Part, ...]:
    spans = {part.id: clip_part(content, part.span) if part.id == part_id else part.span for part in parts}
    return tuple(replace(p, start=span[0], end=span[1]) for p in parts if (span := spans[p.id]) is not None)


def _disjoint(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Return the same ranges without overlaps; a part that overlaps no other is not changed."""
    known = tuple(parts)
    lone = [p for p in known if not any(parts_overlap(p, q) for q in known if q is not p)]
    joined = merge_spans(p.span for p in known if p not in lone)
    return (*lone, *(Part(new_id(), start, end) for start, end in joined))


def _with_scu(annotation: TopicAnnotation, new: Scu) -> TopicAnnotation:
    scus = tuple(new if scu.id == new.id else scu for scu in annotation.pyramid.scus)
    return replace(annotation, pyramid=replace(annotation.pyramid, scus=scus))


def _either(match: Match, old: Match, new: Match) -> Match:
    return new if match is old else match


def _is_within_word(content: str, at: int) -> bool:
    """Return whether an offset is inside a word; in unsegmented scripts, inside a character."""
    if not 0 < at < len(content):
        return False
    before, after = content[at - 1], content[at]
    if before.isspace() or after.isspace():
        return False
    if _is_mark(after) or _JOINER in (before, after):
        return True
    if _UNSPACED.match(before) or _UNSPACED.match(after):
        return False
    return is_inside_word(content, at)


def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign).startswith("M")
