"""Edits of matches and of the state of summaries, and edits repeated in another annotator's name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from core.domain.pyramid.model import Match, Pyramid, SummaryState, TopicAnnotation, new_id, replace_scu
from core.domain.pyramid.part_edits import extend_part
from core.domain.study import Span
from core.errors import InputError


def add_match(
    annotation: TopicAnnotation,
    summary_id: str,
    annotator_id: str,
    scu_id: str | None,
    spans: Sequence[Span] = (),
    repeats: bool = False,
    text: str = "",
) -> TopicAnnotation:
    """Record that a summary expresses an SCU (None: a unit outside the pyramid).

    An existing match of the SCU gets more parts, unless the unit `repeats` it. Spans that overlap or touch
    become one part.
    text: the summary's content; spans with only white space between them touch.
    """
    if scu_id is not None:
        annotation.scu(scu_id)
    elif not spans:
        raise InputError("A unit outside the pyramid needs its words; select them in the summary first.")
    if scu_id is not None and not repeats:
        for m in annotation.matches_of(summary_id, annotator_id):
            if m.scu_id == scu_id:
                larger = replace(m, parts=extend_part(m.parts, spans, text))
                return replace(annotation, matches=replace_scu(annotation.matches, m, larger))
    match = Match(new_id(), summary_id, annotator_id, scu_id, extend_part((), spans, text))
    return replace(annotation, matches=(*annotation.matches, match))


def remove_match(annotation: TopicAnnotation, match_id: str) -> TopicAnnotation:
    """Remove one content unit from a summary."""
    return replace(annotation, matches=tuple(m for m in annotation.matches if m.id != match_id))


def remove_match_part(annotation: TopicAnnotation, match_id: str, part_id: str) -> TopicAnnotation:
    """Remove one span from a content unit; a unit outside the pyramid is removed with its last span."""
    remaining: list[Match] = []
    for m in annotation.matches:
        if m.id == match_id:
            m = replace(m, parts=tuple(p for p in m.parts if p.id != part_id))
            if m.scu_id is None and not m.parts:
                continue
        remaining.append(m)
    return replace(annotation, matches=tuple(remaining))


def unmatch(annotation: TopicAnnotation, summary_id: str, annotator_id: str, scu_id: str) -> TopicAnnotation:
    """Remove every match of an SCU in one summary."""
    mine = {m.id for m in annotation.matches_of(summary_id, annotator_id) if m.scu_id == scu_id}
    return replace(annotation, matches=tuple(m for m in annotation.matches if m.id not in mine))


def set_summary_state(
    annotation: TopicAnnotation,
    summary_id: str,
    annotator_id: str,
    *,
    is_done: bool | None = None,
    is_flagged: bool | None = None,
    note: str | None = None,
) -> TopicAnnotation:
    """Mark a summary as done, flag it or set its note; None leaves a value unchanged."""
    old = annotation.state_of(summary_id, annotator_id)
    state = old or SummaryState(new_id(), summary_id, annotator_id)
    state = replace(
        state,
        is_done=state.is_done if is_done is None else is_done,
        is_flagged=state.is_flagged if is_flagged is None else is_flagged,
        note=state.note if note is None else note.strip(),
    )
    states = (*annotation.states, state) if old is None else replace_scu(annotation.states, old, state)
    return replace(annotation, states=states)


def reassign(annotation: TopicAnnotation, match_id: str, scu_id: str | None) -> TopicAnnotation:
    """Assign a unit to another SCU (None: outside the pyramid); its parts and comment stay.

    If the summary already has a match of that SCU, the unit repeats it.
    Raises InputError if the SCU or the unit is gone, or if a unit without parts would be outside the pyramid.
    """
    if scu_id is not None:
        annotation.scu(scu_id)

    def move(match: Match) -> Match:
        if scu_id is None and not match.parts:
            raise InputError(
                "A unit outside the pyramid needs its words; this one is matched without a span."
            )
        return replace(match, scu_id=scu_id)

    return _changed(annotation, match_id, move)


def comment_on_match(annotation: TopicAnnotation, match_id: str, comment: str) -> TopicAnnotation:
    """Replace a unit's comment. Raises InputError if the unit is gone."""
    return _changed(annotation, match_id, lambda match: replace(match, comment=comment.strip()))


def _changed(annotation: TopicAnnotation, match_id: str, change: Callable[[Match], Match]) -> TopicAnnotation:
    if all(match.id != match_id for match in annotation.matches):
        raise InputError("This unit is no longer in the summary; somebody removed it.")
    matches = tuple(change(m) if m.id == match_id else m for m in annotation.matches)
    return replace(annotation, matches=matches)


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
