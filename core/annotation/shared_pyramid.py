"""A shared pyramid: everyone matches against the pyramids, or nuggets, of one annotator.

Those of them that are marked done are locked; to reopen one unlocks it.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future

from core.annotation.blind_mode import is_blind, visible_pyramids
from core.domain.pyramid import TopicAnnotation, UnitKind
from core.formatting.numbers import pluralize
from core.ports import EditReceipt, Study, annotations_of

YES = "yes"


def shared_owner(study: Study, kind: UnitKind) -> str:
    """Return the name of the annotator against whose pyramids everyone matches; empty = against any."""
    return study.settings.get(shared_key(kind))


def shares_only_done(study: Study, kind: UnitKind) -> bool:
    """Return whether only those of the shared pyramids count that are marked done."""
    return study.settings.get(only_done_key(kind)) == YES


def share_pyramids(
    study: Study, kind: UnitKind, name: str, annotator_id: str | None, *, only_done: bool | None = None
) -> Future[EditReceipt]:
    """Let everyone match against one annotator's pyramids, as one edit.

    name: empty = against any.
    only_done: share only those that are marked done, or all that have content units; None = as before.
    """
    values = {shared_key(kind): name}
    if only_done is not None:
        values[only_done_key(kind)] = YES if only_done else ""
    return study.settings.save_all(values, annotator_id)


def sharing_problem(study: Study, kind: UnitKind) -> str:
    """Return which of the shared pyramids are not ready to match against, a sentence; empty = all are."""
    name = shared_owner(study, kind)
    people = {person.id for person in study.annotators.all() if name and person.name == name}
    own = [a.pyramid for a in annotations_of(study, kind).annotations() if a.pyramid.annotator_id in people]
    begun = [pyramid for pyramid in own if pyramid.scus]
    topics, not_done = len(study.texts.topics()), sum(not pyramid.is_done for pyramid in begun)
    what = "nuggets" if kind is UnitKind.NUGGET else "pyramid"
    facts = [f"{topics - len(begun)} without {what}"] if len(begun) < topics else []
    if not_done:
        until = "left out" if shares_only_done(study, kind) else "not locked"
        facts.append(f"{not_done} not marked done, {until} until then")
    return f"Of {pluralize(topics, 'topic')} of {name}: {'; '.join(facts)}." if name and facts else ""


def pyramids_to_match(
    study: Study, kind: UnitKind, annotations: Sequence[TopicAnnotation], annotator_id: str
) -> list[TopicAnnotation]:
    """Return the pyramids of a topic against which an annotator may match.

    Where there is a shared one, it is the only one, also in a blind study.
    """
    if shared := _shared(study, kind, annotations):
        return shared
    return visible_pyramids(annotations, annotator_id) if is_blind(study) else list(annotations)


def counted_pyramids(
    study: Study, kind: UnitKind, annotations: Sequence[TopicAnnotation]
) -> list[TopicAnnotation]:
    """Return the pyramids of a topic whose matches count as progress: the shared one, else all."""
    return _shared(study, kind, annotations) or list(annotations)


def _shared(study: Study, kind: UnitKind, annotations: Sequence[TopicAnnotation]) -> list[TopicAnnotation]:
    name = shared_owner(study, kind)
    if not name:
        return []
    people = {person.id for person in study.annotators.all() if person.name == name}
    only_done = shares_only_done(study, kind)
    return [
        one
        for one in annotations
        if one.pyramid.annotator_id in people and one.pyramid.scus and (one.pyramid.is_done or not only_done)
    ]


def lock_on(study: Study, kind: UnitKind, owner_id: str) -> str:
    """Return the name of an annotator whose pyramids are shared, so that those marked done are locked.

    An empty name = the pyramids of this annotator are not shared.
    """
    name = shared_owner(study, kind)
    owners = (person.id for person in study.annotators.all() if name and person.name == name)
    return name if owner_id in owners else ""


def lock_message(kind: UnitKind, name: str) -> str:
    """Return why the done pyramids or nuggets of the annotator whom everyone matches against are locked."""
    what, page = ("nuggets", "Nuggets") if kind is UnitKind.NUGGET else ("pyramids", "Pyramids")
    return (
        f"Everyone matches against the {what} of {name}, so those marked done are locked. Unlock them on the "
        f"page {page}."
    )


def shared_key(kind: UnitKind) -> str:
    """Return the key of the setting that names the annotator."""
    return f"shared.{kind}"


def only_done_key(kind: UnitKind) -> str:
    """Return the key of the setting that restricts sharing to pyramids that are marked done."""
    return f"shared.{kind}.done"
