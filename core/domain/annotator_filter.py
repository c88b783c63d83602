"""Whose annotations count: annotators chosen by name or by group."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches

from core.domain.study import Annotator
from core.errors import InputError


def resolve_annotators(wanted: Sequence[str], people: Collection[Annotator]) -> set[str] | None:
    """Names of the annotators meant by names and groups, None = no choice was made.

    Raises InputError, with the nearest there are, for a name that is nobody's and no group's.
    """
    if not wanted:
        return None
    chosen: set[str] = set()
    for name in wanted:
        found = {p.name for p in people if p.name == name} or {p.name for p in people if p.group == name}
        if not found:
            known = sorted({p.name for p in people} | {p.group for p in people if p.group})
            raise InputError(unknown_name_message("annotator or group", name, known))
        chosen |= found
    return chosen


def unknown_name_message(what: str, name: str, known: Sequence[str]) -> str:
    """A sentence that says what the study has instead of something by that name."""
    near = get_close_matches(name, known, n=1)
    meant = f" Did you mean {near[0]!r}?" if near else ""
    return f"The study has no {what} named {name!r}.{meant} It has: {', '.join(known) or 'none'}."
