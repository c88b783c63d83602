"""Authors of references, as signatures and names of judgements list them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches
from urllib.parse import unquote

from core.errors import InputError

_SIGNS = "%+|"


def format_authors(authors: Sequence[str], signs: str = "") -> str:
    """Authors with a plus between them; signs that the place uses itself are quoted, as are `signs`."""
    return "+".join(_quoted(author, _SIGNS + signs) for author in authors)


def parse_authors(listed: str) -> tuple[str, ...]:
    """The authors that `joined` listed."""
    return tuple(unquote(author) for author in listed.split("+") if author)


def check_authors(authors: Collection[str], known: Sequence[str]) -> None:
    """Raise InputError, with the nearest there are, for an author of whom the study has no reference."""
    for author in authors:
        if author not in known:
            near = get_close_matches(author, known, n=2, cutoff=0.5)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            listed = ", ".join(known) or "none"
            raise InputError(f"No reference in this study is by {author!r}.{hint} Its authors: {listed}.")


def reference_system_name(author: str) -> str:
    """What an author's reference is called where it is scored as a system."""
    return f"reference {author}"


def _quoted(author: str, signs: str) -> str:
    for sign in signs:
        author = author.replace(sign, f"%{ord(sign):02X}")
    return author
