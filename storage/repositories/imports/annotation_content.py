"""Content of annotations without ids, for comparing an import with the study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.domain.import_batch import NewMatch, NewPart, NewPyramid, NewScu
from core.domain.pyramid import Match, Part, Scu, UnitKind
from core.domain.study import Span

Spans = tuple[Span, ...]
ScuContent = tuple[str, str, str, tuple[tuple[str, str, bool, Spans], ...]]
"""Label, comment, importance and contributors.

Each contributor has the reference's id, a comment, whether it is confirmed, and spans. They are in order of
the references: files by reference do not keep another one.
"""

Unit = tuple[str, Spans, str, bool, bool]
"""A match: the SCU's id (empty = outside the pyramid), spans, comment, whether confirmed and partial."""


def spans_of(parts: Iterable[Part | NewPart]) -> Spans:
    """Return the spans of parts in order."""
    return tuple(part.span for part in parts)


def of_scus(scus: Sequence[Scu]) -> list[ScuContent]:
    """Return the content of the study's SCUs in order."""
    return [
        (
            s.label,
            s.comment,
            s.importance,
            _by_reference(
                (c.reference_id, c.comment, c.is_confirmed, spans_of(c.parts)) for c in s.contributors
            ),
        )
        for s in scus
    ]


def of_new_scus(scus: Sequence[NewScu], references: Mapping[str, str]) -> list[ScuContent]:
    """Return the content of an import's SCUs in order. references: ids by author."""
    return [
        (
            s.label,
            s.comment,
            s.importance,
            _by_reference(
                (references[c.author], c.comment, c.is_confirmed, spans_of(c.parts)) for c in s.contributors
            ),
        )
        for s in scus
    ]


def _by_reference(
    contributors: Iterable[tuple[str, str, bool, Spans]],
) -> tuple[tuple[str, str, bool, Spans], ...]:
    return tuple(sorted(contributors, key=lambda one: one[0]))  # stable: the order within a reference counts


def of_matches(matches: Sequence[Match]) -> list[Unit]:
    """Return the study's matches in a summary, sorted."""
    return sorted(
        (m.scu_id or "", spans_of(m.parts), m.comment, m.is_confirmed, m.is_partial) for m in matches
    )


def of_new_matches(matches: Sequence[NewMatch], scus: Mapping[str, str]) -> list[Unit]:
    """Return an import's matches in a summary, sorted. scus: ids by key."""
    return sorted(
        (scus[m.scu] if m.scu else "", spans_of(m.parts), m.comment, m.is_confirmed, m.is_partial)
        for m in matches
    )


def content_difference(stored: Sequence[Scu], new: NewPyramid, references: Mapping[str, str]) -> str:
    """Describe how an import's pyramid differs from the study's, as the end of a sentence."""
    ours, theirs = of_scus(stored), of_new_scus(new.scus, references)
    pairs = zip(ours, theirs, strict=False)
    first = next((there[0] for here, there in pairs if here != there), "") or "the last ones"
    units = "SCUs" if new.kind is UnitKind.SCU else "nuggets"
    counts = f"{len(ours)} {units} there, {len(theirs)} in the file"
    return f"differs from the study's, which stays as it is ({counts}; first at “{first[:60]}”)."
