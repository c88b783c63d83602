"""Edits that move expressions from one SCU to a new or another one.

A part keeps its id, and so does a contributor that moves as a whole: history and comments follow it.
No edit here changes a span, so no part is lost and none is created.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from core.domain.pyramid import Contributor, Part, Scu, TopicAnnotation, merge_contributors, new_id
from core.errors import InputError


def split(
    annotation: TopicAnnotation, scu_id: str, part_ids: Collection[str], label: str, new_scu_id: str = ""
) -> TopicAnnotation:
    """Move parts of an SCU to a new one directly after it; matches stay with the original SCU.

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


def _with_scus(annotation: TopicAnnotation, scus: Iterable[Scu]) -> TopicAnnotation:
    return replace(annotation, pyramid=replace(annotation.pyramid, scus=tuple(scus)))
