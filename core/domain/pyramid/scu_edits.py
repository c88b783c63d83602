"""Edits of SCUs, each a pure function from an annotation to another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from core.domain.pyramid.model import Contributor, Part, Scu, TopicAnnotation, UnitKind, new_id, replace_scu
from core.domain.pyramid.part_edits import extend_part
from core.domain.study import Span
from core.errors import InputError


def add_scu(
    annotation: TopicAnnotation,
    label: str,
    reference_id: str,
    spans: Sequence[Span],
    scu_id: str = "",
    text: str = "",
) -> TopicAnnotation:
    """Add an SCU whose first contributor is these spans of one reference. text: its content."""
    contributor = Contributor(new_id(), reference_id, _some(extend_part((), spans, text)))
    return _with_scus(annotation, (*annotation.pyramid.scus, Scu(scu_id or new_id(), label, (contributor,))))


def add_contributor(
    annotation: TopicAnnotation, scu_id: str, reference_id: str, spans: Sequence[Span], text: str = ""
) -> TopicAnnotation:
    """Add an SCU's expression in a reference; an existing contributor there gets more parts.

    Spans that overlap or touch become one part.
    text: the reference's content; spans with only white space between them touch.
    """
    parts = _some(extend_part((), spans, text))

    def grow(scu: Scu) -> Scu:
        for c in scu.contributors:
            if c.reference_id == reference_id:
                return _replace_contributor(scu, replace(c, parts=extend_part(c.parts, spans, text)))
        return replace(scu, contributors=(*scu.contributors, Contributor(new_id(), reference_id, parts)))

    return _change_scu(annotation, scu_id, grow)


def remove_part(annotation: TopicAnnotation, scu_id: str, part_id: str) -> TopicAnnotation:
    """Remove one span from an SCU; a contributor is removed with its last part."""

    def shrink(scu: Scu) -> Scu:
        remaining = (replace(c, parts=tuple(p for p in c.parts if p.id != part_id)) for c in scu.contributors)
        return replace(scu, contributors=tuple(c for c in remaining if c.parts))

    return _change_scu(annotation, scu_id, shrink)


def remove_contributor(annotation: TopicAnnotation, scu_id: str, contributor_id: str) -> TopicAnnotation:
    """Remove an SCU's expression in one reference; the SCU stays, even without contributors."""
    return _change_scu(
        annotation,
        scu_id,
        lambda scu: replace(scu, contributors=tuple(c for c in scu.contributors if c.id != contributor_id)),
    )


def set_label(annotation: TopicAnnotation, scu_id: str, label: str) -> TopicAnnotation:
    """Rename an SCU."""
    return _change_scu(annotation, scu_id, lambda scu: replace(scu, label=label.strip()))


def set_comment(annotation: TopicAnnotation, scu_id: str, comment: str) -> TopicAnnotation:
    """Replace an SCU's comment."""
    return _change_scu(annotation, scu_id, lambda scu: replace(scu, comment=comment.strip()))


def set_contributor_comment(
    annotation: TopicAnnotation, scu_id: str, contributor_id: str, comment: str
) -> TopicAnnotation:
    """Replace the comment of an SCU's expression in one reference."""

    def comment_on(contributor: Contributor) -> Contributor:
        is_meant = contributor.id == contributor_id
        return replace(contributor, comment=comment.strip()) if is_meant else contributor

    return _change_scu(
        annotation, scu_id, lambda scu: replace(scu, contributors=tuple(map(comment_on, scu.contributors)))
    )


def remove_scu(annotation: TopicAnnotation, scu_id: str) -> TopicAnnotation:
    """Remove an SCU and all annotators' matches of it."""
    annotation.scu(scu_id)
    without = _with_scus(annotation, tuple(s for s in annotation.pyramid.scus if s.id != scu_id))
    return replace(without, matches=tuple(m for m in annotation.matches if m.scu_id != scu_id))


def merge_scus(annotation: TopicAnnotation, keep: str, gone: str) -> TopicAnnotation:
    """Merge `gone` into `keep`: contributors, comments and matches of both stay.

    So does the label of the heavier one, of two equally heavy ones that of `keep`.
    """
    if keep == gone:
        raise InputError("An SCU cannot be merged with itself; choose another one.")
    remaining, other = annotation.scu(keep), annotation.scu(gone)
    grown = merge_contributors(annotation.pyramid.kind, remaining, other.contributors)
    label = other.label if other.weight > remaining.weight else remaining.label
    whole = replace(grown, label=label, comment=_both(remaining.comment, other.comment))
    scus = tuple(whole if s is remaining else s for s in annotation.pyramid.scus if s is not other)
    moved = tuple(replace(m, scu_id=keep) if m.scu_id == gone else m for m in annotation.matches)
    return replace(_with_scus(annotation, scus), matches=moved)


def merge_contributors(kind: UnitKind, scu: Scu, added: Iterable[Contributor]) -> Scu:
    """Return a content unit with more contributors: one per reference, of nuggets one per occurrence."""
    return (merge_occurrences if kind is UnitKind.NUGGET else merge_parts)(scu, added)


def merge_parts(scu: Scu, added: Iterable[Contributor]) -> Scu:
    """Return an SCU with more contributors.

    A contributor in a reference that the SCU already has is merged with the one there, with its comment.
    """
    own = list(scu.contributors)
    for contributor in added:
        at = next((at for at, c in enumerate(own) if c.reference_id == contributor.reference_id), None)
        if at is None:
            own.append(contributor)
        else:
            own[at] = _grown(own[at], contributor)
    return replace(scu, contributors=tuple(own))


def merge_occurrences(nugget: Scu, added: Iterable[Contributor]) -> Scu:
    """Return a nugget with more occurrences; one at spans that it already has is left out.

    A confirmed occurrence replaces an automatic one at the same spans.
    """
    own = list(nugget.contributors)
    for contributor in added:
        place = next((at for at, c in enumerate(own) if _spans(c) == _spans(contributor)), None)
        if place is None:
            own.append(contributor)
        elif contributor.is_confirmed and not own[place].is_confirmed:
            own[place] = replace(own[place], is_confirmed=True)
    return replace(nugget, contributors=tuple(own))


def mark_pyramid_done(annotation: TopicAnnotation, is_done: bool) -> TopicAnnotation:
    """Mark the pyramid as complete or incomplete."""
    return replace(annotation, pyramid=replace(annotation.pyramid, is_done=is_done))


def _spans(contributor: Contributor) -> tuple[str, frozenset[Span]]:
    return contributor.reference_id, frozenset(part.span for part in contributor.parts)


def _grown(contributor: Contributor, other: Contributor) -> Contributor:
    known = {part.span for part in contributor.parts}
    added = tuple(part for part in other.parts if part.span not in known)
    comment = _both(contributor.comment, other.comment)
    return replace(contributor, parts=(*contributor.parts, *added), comment=comment)


def _both(comment: str, other: str) -> str:
    return "\n".join(text for text in dict.fromkeys((comment, other)) if text)


def _some(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    if not parts:
        raise InputError("A contributor needs some words of its reference; select them first.")
    return parts


def _with_scus(annotation: TopicAnnotation, scus: Iterable[Scu]) -> TopicAnnotation:
    return replace(annotation, pyramid=replace(annotation.pyramid, scus=tuple(scus)))


def _change_scu(annotation: TopicAnnotation, scu_id: str, change: Callable[[Scu], Scu]) -> TopicAnnotation:
    old = annotation.scu(scu_id)
    return _with_scus(annotation, replace_scu(annotation.pyramid.scus, old, change(old)))


def _replace_contributor(scu: Scu, new: Contributor) -> Scu:
    return replace(scu, contributors=tuple(new if c.id == new.id else c for c in scu.contributors))


def split(
    annotation: TopicAnnotation, scu_id: str, part_ids: Collection[str], label: str, new_scu_id: str = ""
) -> TopicAnnotation:
    """Move parts of an SCU to a new one directly after it; matches stay with the original SCU.

    A part keeps its id and span, and a contributor that moves as a whole its id, so history and comments
    follow it.

    Raises InputError if no part is named, or if no part would stay.
    """
    old = annotation.scu(scu_id)
    rest, taken = _taken(old, part_ids)
    if not rest.contributors:
        raise InputError("Something has to stay in the SCU that is split; choose fewer of its contributors.")
    made = Scu(new_scu_id or new_id(), label.strip(), taken)
    scus = [new for scu in annotation.pyramid.scus for new in ((rest, made) if scu is old else (scu,))]
    return _with_scus(annotation, scus)


def move(annotation: TopicAnnotation, scu_id: str, part_ids: Collection[str], to: str) -> TopicAnnotation:
    """Move parts from one SCU to another, into the contributor of their reference if there is one.

    Ids stay as in `split`.

    An SCU that loses its last part is removed, unless it is matched.
    Raises InputError if no part is named or both are one SCU.
    """
    if scu_id == to:
        raise InputError("The contributor is in this SCU already; choose another one.")
    old, target = annotation.scu(scu_id), annotation.scu(to)
    rest, taken = _taken(old, part_ids)
    changed = {scu_id: rest, to: merge_contributors(annotation.pyramid.kind, target, taken)}
    is_used = rest.contributors or any(match.scu_id == scu_id for match in annotation.matches)
    return _with_scus(
        annotation,
        (changed.get(scu.id, scu) for scu in annotation.pyramid.scus if scu.id != scu_id or is_used),
    )


def _taken(scu: Scu, part_ids: Collection[str]) -> tuple[Scu, tuple[Contributor, ...]]:
    """Return the SCU without these parts, and contributors that contain them."""
    rest: list[Contributor] = []
    taken: list[Contributor] = []
    for contributor in scu.contributors:
        going = tuple(part for part in contributor.parts if part.id in part_ids)
        if not going:
            rest.append(contributor)
        elif len(going) == len(contributor.parts):
            taken.append(contributor)
        else:
            rest.append(replace(contributor, parts=_without(contributor.parts, going)))
            taken.append(Contributor(new_id(), contributor.reference_id, going))
    if not taken:
        raise InputError("No contributor is chosen; choose what is to leave the SCU first.")
    return replace(scu, contributors=tuple(rest)), tuple(taken)


def _without(parts: Iterable[Part], going: Collection[Part]) -> tuple[Part, ...]:
    return tuple(part for part in parts if part not in going)
