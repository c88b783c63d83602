"""Repetition of an edit in the name of another annotator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from core.domain.pyramid.match_edits import set_summary_state
from core.domain.pyramid.model import Match, Pyramid, SummaryState, TopicAnnotation, new_id
from core.errors import InputError


def hand_over(
    onto: TopicAnnotation, before: TopicAnnotation, after: TopicAnnotation, old: str, new: str
) -> TopicAnnotation:
    """Repeat the edit that led from `before` to `after` as another annotator.

    onto: the annotation to change: the other annotator's own pyramid if the edit changed the pyramid,
    else the current state of the pyramid in `before`.
    old, new: ids of the original and of the new annotator.
    Raises InputError if the edit changed or removed work of `old` that `new` does not have.
    """
    result = replace(onto, pyramid=_with_added_scus(onto.pyramid, before.pyramid, after.pyramid))
    for match in _added_matches(before, after, new):
        if match.scu_id is not None:
            result.scu(match.scu_id)  # raises where it was removed
        result = replace(result, matches=(*result.matches, match))
    known = {state.id: state for state in before.states}
    for state in after.states:
        if state.annotator_id == old and state != known.get(state.id):
            result = _with_state(result, known.get(state.id), state, new)
    return result


def _with_added_scus(onto: Pyramid, before: Pyramid, after: Pyramid) -> Pyramid:
    if any(scu not in after.scus for scu in before.scus):
        raise InputError("The SCU is in another annotator's pyramid, which was not changed.")
    is_done = onto.is_done if after.is_done == before.is_done else after.is_done
    added = (scu for scu in after.scus if scu not in before.scus)
    return replace(onto, scus=(*onto.scus, *added), is_done=is_done)


def _added_matches(before: TopicAnnotation, after: TopicAnnotation, new: str) -> Iterator[Match]:
    """Return the matches and the spans that the edit added, in the name of another annotator."""
    earlier = {match.id: match for match in before.matches}
    later = {match.id: match for match in after.matches}
    for match in before.matches:
        now = later.get(match.id)
        if now is None or replace(now, parts=()) != replace(match, parts=()):
            raise InputError("The match is another annotator's and was not changed.")
    for match in after.matches:
        if match == (was := earlier.get(match.id)):
            continue
        parts = tuple(part for part in match.parts if was is None or part not in was.parts)
        if was is not None and not parts:
            raise InputError("The match is another annotator's and was not changed.")
        yield replace(match, id=new_id(), annotator_id=new, parts=parts)


def _with_state(
    onto: TopicAnnotation, before: SummaryState | None, after: SummaryState, new: str
) -> TopicAnnotation:
    """Apply the edit's change of a summary's state in the name of another annotator."""
    was = before or SummaryState("", after.summary_id, after.annotator_id)
    return set_summary_state(
        onto,
        after.summary_id,
        new,
        is_done=after.is_done if after.is_done != was.is_done else None,
        is_flagged=after.is_flagged if after.is_flagged != was.is_flagged else None,
        note=after.note if after.note != was.note else None,
    )
