"""Names that a user types: exact, short, misspelled or unknown.

An exact name always wins. A short form is a name in another letter case, or whole parts of a longer one in
their order, such as ``coherence`` of ``rating.coherence``; it is taken where it fits exactly one name. Names
that are stored, such as those in signatures and settings, are exact and are not resolved here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from core.errors import InputError

MAX_LISTED = 8
"""Largest number of names in a message."""

_MOST_SIMILAR = 3
_LEAST_SIMILARITY, _NEARLY_EQUAL = 0.6, 0.85
_PART = re.compile(r"[^\W_]+")


def resolve_name(kind: str, name: str, known: Iterable[str], listing: str = "") -> str:
    """Return the known name that a user means.

    kind: what is named, in the singular. listing: how to list all names, such as "`pyramidion metrics` lists
    them". Raises InputError with the names that may be meant.
    """
    names = list(known)
    fits = fitting_names(name, names)
    if len(fits) == 1:
        return fits[0]
    raise InputError(unknown_name(kind, name, names, listing))


def fitting_names(name: str, known: Collection[str]) -> list[str]:
    """Return the known names that an exact name or a short form fits, in their order.

    A name that differs from a short form by little more than a letter competes with the longer ones.
    """
    if name in known:
        return [name]
    folded = name.strip().casefold()
    if same := [one for one in known if folded and one.casefold() == folded]:
        return same
    longer = _containing(name, known)
    if "[" not in name:  # a configuration with settings is not meant by a name without them
        longer = [one for one in longer if "[" not in one]
    return list(dict.fromkeys([*longer, *_similar(name, known, _NEARLY_EQUAL)])) if longer else []


def unknown_name(kind: str, name: str, known: Collection[str], listing: str = "") -> str:
    """Return a message on a name that is unknown or fits several, with those that may be meant.

    kind, listing: as of `resolve_name`. Nothing similar: all names if they are few, else how to list them.
    """
    start = f"No {kind} is named {name!r}."
    fits = fitting_names(name, known) or _containing(name, known)
    if meant := fits or _similar(name, known, _LEAST_SIMILARITY):
        return f"{start} Did you mean {joined_names(meant)}?"
    if not known:
        return f"{start} There is none."
    if len(known) <= MAX_LISTED:
        return f"{start} Choose one of: {', '.join(known)}."
    first = ", ".join(list(known)[:MAX_LISTED])
    return f"{start} There are {len(known):,}: {listing}." if listing else f"{start} Known: {first}, …"


def joined_names(names: Collection[str]) -> str:
    """Return names as a choice in a sentence, at most `MAX_LISTED`; those with blanks are quoted."""
    shown = [repr(str(one)) if " " in one else one for one in list(names)[:MAX_LISTED]]
    if len(names) > MAX_LISTED:
        shown[-1] = f"one of {len(names) - MAX_LISTED + 1} more"
    return in_sentence(shown, "or")


def in_sentence(words: Sequence[str], last: str = "and") -> str:
    """Return words as ``a, b and c``; empty if there are none."""
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def first_names(names: Sequence[str], most: int = 3) -> str:
    """Return the first names and the number of further ones."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def _containing(name: str, known: Collection[str]) -> list[str]:
    """Return the known names that contain the parts of a name one after another; numbers need a word."""
    parts = _parts(name)
    if not any(map(str.isalpha, name)):
        return []
    places = {one: _parts(one) for one in known}
    return [
        one
        for one, every in places.items()
        if any(every[at : at + len(parts)] == parts for at in range(len(every) - len(parts) + 1))
    ]


def _parts(name: str) -> list[str]:
    return _PART.findall(name.casefold())


def _similar(name: str, known: Collection[str], least: float) -> list[str]:
    """Return the most similar names, best first. least: similarity, from 0 to 1."""
    from difflib import get_close_matches

    by_folded: dict[str, str] = {}
    for one in known:
        by_folded.setdefault(one.casefold(), one)
        by_folded.setdefault(one.casefold().rpartition("/")[2], one)
    near = get_close_matches(name.casefold(), list(by_folded), _MOST_SIMILAR, least)
    return list(dict.fromkeys(by_folded[one] for one in near))
