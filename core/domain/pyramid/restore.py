"""Restoring an earlier state of a pyramid without losing later matches."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.domain.pyramid import TopicAnnotation


@dataclass(frozen=True, slots=True)
class RestoreEffect:
    """Effect of a restore: numbers of SCUs, and of all annotators' matches.

    matches_moved: returned to an SCU that was merged into another one since.
    is_reordered: SCUs change their order.
    is_marked: the pyramid's done mark changes.
    """

    scus_back: int = 0
    scus_gone: int = 0
    scus_changed: int = 0
    matches_back: int = 0
    matches_gone: int = 0
    matches_moved: int = 0
    is_reordered: bool = False
    is_marked: bool = False


def restore(now: TopicAnnotation, then: TopicAnnotation) -> TopicAnnotation:
    """Return the earlier pyramid with today's matches of the SCUs that it contains.

    Matches of SCUs that did not exist yet are removed. A restored SCU gets back the matches it had, including
    those that a merge moved to another SCU. States of summaries do not change.
    """
    known = {scu.id for scu in now.pyramid.scus}
    returning = {m.id: m for m in then.matches if m.scu_id is not None and m.scu_id not in known}
    scu_ids = {None, *(scu.id for scu in then.pyramid.scus)}
    remaining = [
        replace(m, scu_id=returning[m.id].scu_id) if m.id in returning else m
        for m in now.matches
        if m.id in returning or m.scu_id in scu_ids
    ]
    there = {m.id for m in remaining}
    back = [m for m in returning.values() if m.id not in there]
    return replace(now, pyramid=then.pyramid, matches=(*remaining, *back))


def with_shared_parts(then: TopicAnnotation, now: TopicAnnotation) -> TopicAnnotation:
    """Return an earlier value that reuses today's SCUs where they are equal, so that views can reuse them."""
    known = {scu.id: scu for scu in now.pyramid.scus}
    scus = tuple(
        old if (old := known.get(scu.id)) == scu and old is not None else scu for scu in then.pyramid.scus
    )
    return replace(then, pyramid=replace(then.pyramid, scus=scus))


def restore_effect(now: TopicAnnotation, then: TopicAnnotation) -> RestoreEffect:
    """Return the effect that `restore` would have."""
    after = restore(now, then)
    old_scus = {scu.id: scu for scu in now.pyramid.scus}
    new_scus = {scu.id: scu for scu in after.pyramid.scus}
    old, new = ({m.id: m for m in value.matches} for value in (now, after))
    both = old.keys() & new.keys()
    return RestoreEffect(
        len(new_scus.keys() - old_scus.keys()),
        len(old_scus.keys() - new_scus.keys()),
        sum(old_scus[key] != new_scus[key] for key in old_scus.keys() & new_scus.keys()),
        len(new.keys() - old.keys()),
        len(old.keys() - new.keys()),
        sum(old[key].scu_id != new[key].scu_id for key in both),
        [key for key in old_scus if key in new_scus] != [key for key in new_scus if key in old_scus],
        now.pyramid.is_done != after.pyramid.is_done,
    )
