"""Selection of annotators by name or group, and which names people can have."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.domain.annotation_merge import conflict_owner
from core.domain.decisions import DEFAULT_RESULT, MACHINE_GROUP, RESULT_GROUP
from core.domain.study import Annotator
from core.errors import InputError
from core.names import resolve_name, unknown_name


def resolve_annotators(
    names: Sequence[str], people: Collection[Annotator], *, is_stored: bool = False
) -> set[str] | None:
    """Return the names of the annotators selected by names and groups, None = all.

    Without names, the results of adjudications and the other versions of conflicts are left out: both are
    made of the work of others. What machines proposed counts only where they are named.
    is_stored: names are exact, as in a metric's settings.
    Raises InputError, with similar names, for an unknown name.
    """
    if not names:
        own = {person.name for person in people if is_own_work(person)}
        counted = own or {person.name for person in people if person.group != MACHINE_GROUP}
        return None if len(counted) == len(people) else counted
    chosen: set[str] = set()
    known = sorted({p.name for p in people} | {p.group for p in people if p.group})
    for given in names:
        if is_stored and given not in known:
            raise InputError(unknown_name("annotator or group", given, known))
        name = resolve_name("annotator or group", given, known)
        chosen |= {p.name for p in people if p.name == name} or {p.name for p in people if p.group == name}
    return chosen


def is_own_work(person: Annotator) -> bool:
    """Return whether an annotator is a person: no result of adjudication, conflict's version or machine."""
    return person.group not in (RESULT_GROUP, MACHINE_GROUP) and not conflict_owner(person.name)


def name_refusal(name: str, people: Collection[Annotator] = ()) -> str:
    """Return why nobody can work under a name, as a sentence; empty = somebody can.

    people: of the study. A name that is reserved for results or versions stays usable for a person of the
    study who has it, as by an import.
    """
    known = next((person for person in people if person.name == name.strip()), None)
    plain = name.strip().casefold()
    is_result = plain == DEFAULT_RESULT or plain.endswith(f"({DEFAULT_RESULT})")
    if is_own_work(known) if known is not None else not is_result and not conflict_owner(name.strip()):
        return ""
    kind = (
        "of a machine" if known is not None and known.group == MACHINE_GROUP else "of a result or a version"
    )
    return f"{name} is the name {kind}, under which nobody works. Choose another name."
