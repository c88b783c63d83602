"""A shared pyramid: everyone matches against the pyramids, or nuggets, of one annotator, which are locked."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future

from core.annotation.blind_mode import is_blind, visible_pyramids
from core.domain.pyramid import TopicAnnotation, UnitKind
from core.ports import EditReceipt, ScoringInputs


def shared_owner(study: ScoringInputs, kind: UnitKind) -> str:
    """Return the name of the annotator against whose pyramids everyone matches; empty = against any."""
    return study.settings.get(shared_key(kind))


def share_pyramids(
    study: ScoringInputs, kind: UnitKind, name: str, annotator_id: str | None
) -> Future[EditReceipt]:
    """Let everyone match against one annotator's pyramids, as one edit. name: empty = against any."""
    return study.settings.save(shared_key(kind), name, annotator_id)


def pyramids_to_match(
    study: ScoringInputs, kind: UnitKind, annotations: Sequence[TopicAnnotation], annotator_id: str
) -> list[TopicAnnotation]:
    """Return the pyramids of a topic against which an annotator may match.

    Where there is a shared one, it is the only one, also in a blind study.
    """
    if name := shared_owner(study, kind):
        people = {person.id for person in study.annotators.all() if person.name == name}
        shared = [one for one in annotations if one.pyramid.annotator_id in people and one.pyramid.scus]
        if shared:
            return shared
    return visible_pyramids(annotations, annotator_id) if is_blind(study) else list(annotations)


def lock_reason(study: ScoringInputs, kind: UnitKind, owner_id: str) -> str:
    """Return why an annotator's pyramids cannot be changed, as a sentence; empty = they can."""
    name = shared_owner(study, kind)
    if not name or all(person.id != owner_id for person in study.annotators.all() if person.name == name):
        return ""
    return lock_message(kind, name)


def lock_message(kind: UnitKind, name: str) -> str:
    """Return why the pyramids or nuggets of the annotator whom everyone matches against cannot be changed."""
    what = "nuggets" if kind is UnitKind.NUGGET else "pyramids"
    return (
        f"Everyone matches against the {what} of {name}, so they are locked. A manager can unlock them under "
        "Study › Assignment and roles."
    )


def shared_key(kind: UnitKind) -> str:
    """Return the key of the setting."""
    return f"shared.{kind}"
