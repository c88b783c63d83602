"""Selection of annotators by name or group."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.domain.annotation_merge import conflict_owner
from core.domain.decisions import RESULT_GROUP
from core.domain.study import Annotator
from core.errors import InputError
from core.names import resolve_name, unknown_name


def resolve_annotators(
    names: Sequence[str], people: Collection[Annotator], *, is_stored: bool = False
) -> set[str] | None:
    """Return the names of the annotators selected by names and groups, None = all.

    Without names, the results of adjudications and the other versions of conflicts are left out: both are
    made of the work of others.
    is_stored: names are exact, as in a metric's settings.
    Raises InputError, with similar names, for an unknown name.
    """
    if not names:
        own = {person.name for person in people if is_own_work(person)}
        return None if len(own) in (0, len(people)) else own
    chosen: set[str] = set()
    known = sorted({p.name for p in people} | {p.group for p in people if p.group})
    for given in names:
        if is_stored and given not in known:
            raise InputError(unknown_name("annotator or group", given, known))
        name = resolve_name("annotator or group", given, known)
        chosen |= {p.name for p in people if p.name == name} or {p.name for p in people if p.group == name}
    return chosen


def is_own_work(person: Annotator) -> bool:
    """Return whether an annotator is a person, neither a result of adjudication nor a conflict's version."""
    return person.group != RESULT_GROUP and not conflict_owner(person.name)
