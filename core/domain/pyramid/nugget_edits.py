"""Edits of nuggets: occurrences in references and hits in summaries, automatic or confirmed.

The annotation's content units are nuggets (`UnitKind.NUGGET`): a contributor is one occurrence in a
reference, a match is one hit in a summary. Adding, renaming, merging and removing nuggets are the edits of
SCUs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from core.domain.pyramid.model import Contributor, Match, Scu, TopicAnnotation, new_id, replace_scu
from core.domain.pyramid.part_edits import extend_part
from core.domain.pyramid.scu_edits import merge_occurrences
from core.domain.study import Span
from core.errors import InputError

VITAL, OKAY = "vital", "okay"
IMPORTANCE = ("", OKAY, VITAL)
"""Importance of a nugget as nuggetizers rate it (Pradeep et al. 2024); empty = not rated."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Where a nugget occurs. text_id: of a reference or summary. spans: one per part, in code points."""

    text_id: str
    spans: tuple[Span, ...]


def add_occurrence(
    annotation: TopicAnnotation, nugget_id: str, reference_id: str, spans: Sequence[Span], text: str = ""
) -> TopicAnnotation:
    """Add a confirmed occurrence of a nugget in a reference.

    An automatic one at the same spans is confirmed instead.
    text: the reference's content; spans with only white space between them touch.
    Raises InputError without spans.
    """
    parts = extend_part((), spans, text)
    if not parts:
        raise InputError("An occurrence needs some words of its reference; select them first.")
    added = Contributor(new_id(), reference_id, parts)
    return _change_nugget(annotation, nugget_id, lambda nugget: merge_occurrences(nugget, [added]))


def add_automatic(
    annotation: TopicAnnotation,
    nugget_id: str,
    references: Iterable[Occurrence],
    summaries: Iterable[Occurrence],
    annotator_id: str,
) -> TopicAnnotation:
    """Add occurrences found automatically, as not confirmed.

    Those that overlap an occurrence of the nugget are left out, and so are summaries in which the annotator
    has a hit of it. In a summary only the first becomes a hit; repetitions are left to the annotator.
    """
    contributors = [
        Contributor(new_id(), one.text_id, extend_part((), one.spans), is_confirmed=False)
        for one in references
    ]

    def grow(nugget: Scu) -> Scu:
        taken = {(c.reference_id, part.span) for c in nugget.contributors for part in c.parts}
        new = [c for c in contributors if not _overlap(c, taken)]
        return merge_occurrences(nugget, new)

    changed = _change_nugget(annotation, nugget_id, grow)
    own = (m for m in annotation.matches if (m.scu_id, m.annotator_id) == (nugget_id, annotator_id))
    with_hit = {match.summary_id for match in own}
    matches = []
    for one in summaries:
        if one.text_id not in with_hit:
            with_hit.add(one.text_id)
            parts = extend_part((), one.spans)
            matches.append(Match(new_id(), one.text_id, annotator_id, nugget_id, parts, is_confirmed=False))
    return replace(changed, matches=(*changed.matches, *matches)) if matches else changed


def confirm_occurrences(
    annotation: TopicAnnotation, nugget_id: str, contributor_ids: Collection[str]
) -> TopicAnnotation:
    """Confirm occurrences of a nugget in references."""

    def confirm(nugget: Scu) -> Scu:
        return replace(
            nugget,
            contributors=tuple(
                replace(c, is_confirmed=True) if c.id in contributor_ids and not c.is_confirmed else c
                for c in nugget.contributors
            ),
        )

    return _change_nugget(annotation, nugget_id, confirm)


def confirm_hits(annotation: TopicAnnotation, match_ids: Collection[str]) -> TopicAnnotation:
    """Confirm hits in summaries."""
    return _change_hits(annotation, match_ids, lambda match: replace(match, is_confirmed=True))


def set_partial(annotation: TopicAnnotation, match_ids: Collection[str], is_partial: bool) -> TopicAnnotation:
    """Set whether a summary supports nuggets only in part; the hits are confirmed by it."""
    return _change_hits(
        annotation, match_ids, lambda match: replace(match, is_confirmed=True, is_partial=is_partial)
    )


def automatic_hits(annotation: TopicAnnotation, summary_id: str, annotator_id: str) -> list[str]:
    """Return the ids of an annotator's hits in a summary that are not confirmed."""
    return [m.id for m in annotation.matches_of(summary_id, annotator_id) if not m.is_confirmed]


def set_importance(annotation: TopicAnnotation, nugget_id: str, importance: str) -> TopicAnnotation:
    """Rate the importance of a nugget. Raises InputError for a value that is not in IMPORTANCE."""
    if importance not in IMPORTANCE:
        raise InputError(f"The importance of a nugget is {VITAL} or {OKAY}, or empty, not {importance!r}.")
    return _change_nugget(annotation, nugget_id, lambda nugget: replace(nugget, importance=importance))


def only_confirmed(annotation: TopicAnnotation) -> TopicAnnotation:
    """Return the annotation without automatic occurrences and hits."""
    scus = tuple(
        replace(scu, contributors=tuple(c for c in scu.contributors if c.is_confirmed))
        for scu in annotation.pyramid.scus
    )
    matches = tuple(m for m in annotation.matches if m.is_confirmed)
    return replace(annotation, pyramid=replace(annotation.pyramid, scus=scus), matches=matches)


def with_automatic(annotation: TopicAnnotation) -> TopicAnnotation:
    """Return the annotation in which automatic occurrences and hits count like confirmed ones."""
    scus = tuple(
        replace(scu, contributors=tuple(replace(c, is_confirmed=True) for c in scu.contributors))
        for scu in annotation.pyramid.scus
    )
    matches = tuple(replace(m, is_confirmed=True) for m in annotation.matches)
    return replace(annotation, pyramid=replace(annotation.pyramid, scus=scus), matches=matches)


def _overlap(contributor: Contributor, taken: Collection[tuple[str, Span]]) -> bool:
    return any(
        reference_id == contributor.reference_id and part.start < end and start < part.end
        for reference_id, (start, end) in taken
        for part in contributor.parts
    )


def _change_nugget(
    annotation: TopicAnnotation, nugget_id: str, change: Callable[[Scu], Scu]
) -> TopicAnnotation:
    old = annotation.scu(nugget_id)
    scus = replace_scu(annotation.pyramid.scus, old, change(old))
    return replace(annotation, pyramid=replace(annotation.pyramid, scus=scus))


def _change_hits(
    annotation: TopicAnnotation, match_ids: Collection[str], change: Callable[[Match], Match]
) -> TopicAnnotation:
    matches = tuple(change(m) if m.id in match_ids else m for m in annotation.matches)
    return replace(annotation, matches=matches)
