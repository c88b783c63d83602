"""What annotations say, ids aside: for comparing those of an import with the study's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.domain.import_batch import NewMatch, NewPart, NewPyramid, NewScu
from core.domain.pyramid import Match, Part, Scu
from core.domain.study import Span

Spans = tuple[Span, ...]
ScuContent = tuple[str, str, tuple[tuple[str, str, Spans], ...]]
"""Label, comment, and of each contributor the reference's id, the comment and the spans."""

Unit = tuple[str, Spans, str]
"""Of a content unit the SCU's id (empty = outside the pyramid), the spans and the comment."""


def spans_of(parts: Iterable[Part | NewPart]) -> Spans:
    """The spans of parts, in their order."""
    return tuple(part.span for part in parts)


def of_scus(scus: Sequence[Scu]) -> list[ScuContent]:
    """What the study's SCUs say, in their order."""
    return [
        (s.label, s.comment, tuple((c.reference_id, c.comment, spans_of(c.parts)) for c in s.contributors))
        for s in scus
    ]


def of_new_scus(scus: Sequence[NewScu], references: Mapping[str, str]) -> list[ScuContent]:
    """What an import's SCUs say. references: ids by author."""
    return [
        (
            s.label,
            s.comment,
            tuple((references[c.author], c.comment, spans_of(c.parts)) for c in s.contributors),
        )
        for s in scus
    ]


def of_matches(matches: Sequence[Match]) -> list[Unit]:
    """What the study has matched in a summary, in an order of its own."""
    return sorted((m.scu_id or "", spans_of(m.parts), m.comment) for m in matches)


def of_new_matches(matches: Sequence[NewMatch], scus: Mapping[str, str]) -> list[Unit]:
    """What an import has matched in a summary, in an order of its own. scus: ids by key."""
    return sorted((scus[m.scu] if m.scu else "", spans_of(m.parts), m.comment) for m in matches)


def content_difference(stored: Sequence[Scu], new: NewPyramid, references: Mapping[str, str]) -> str:
    """How an import's pyramid differs from the study's, as the end of a sentence."""
    ours, theirs = of_scus(stored), of_new_scus(new.scus, references)
    pairs = zip(ours, theirs, strict=False)
    first = next((there[0] for here, there in pairs if here != there), "") or "the last ones"
    counts = f"{len(ours)} SCUs there, {len(theirs)} in the file"
    return f"differs from the study's, which stays as it is ({counts}; first at “{first[:60]}”)."
