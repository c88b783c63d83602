"""Selection of annotators by name or group."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches

from core.domain.annotation_merge import conflict_owner
from core.domain.decisions import RESULT_GROUP
from core.domain.study import Annotator
from core.errors import InputError


def resolve_annotators(names: Sequence[str], people: Collection[Annotator]) -> set[str] | None:
    """Return the names of the annotators selected by names and groups, None = all.

    Without names, the results of adjudications and the other versions of conflicts are left out: both are
    made of the work of others.
    Raises InputError, with the most similar known name, for an unknown name.
    """
    if not names:
        own = {person.name for person in people if is_own_work(person)}
        return None if len(own) in (0, len(people)) else own
    chosen: set[str] = set()
    for name in names:
        matches = {p.name for p in people if p.name == name} or {p.name for p in people if p.group == name}
        if not matches:
            known = sorted({p.name for p in people} | {p.group for p in people if p.group})
            raise InputError(unknown_name_message("annotator or group", name, known))
        chosen |= matches
    return chosen


def is_own_work(person: Annotator) -> bool:
    """Return whether an annotator is a person, neither a result of adjudication nor a conflict's version."""
    return person.group != RESULT_GROUP and not conflict_owner(person.name)


def unknown_name_message(what: str, name: str, known: Sequence[str]) -> str:
    """Return an error message for an unknown name, with the known ones."""
    near = get_close_matches(name, known, n=1)
    meant = f" Did you mean {near[0]!r}?" if near else ""
    return f"The study has no {what} named {name!r}.{meant} It has: {', '.join(known) or 'none'}."
