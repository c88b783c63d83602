"""Lists of reference authors in signatures and names of judgements."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from urllib.parse import unquote

from core.errors import InputError
from core.names import unknown_name

_SIGNS = "%+|"


def format_authors(authors: Sequence[str], signs: str = "") -> str:
    """Return authors joined by a plus sign; `signs` and special characters within names are escaped."""
    return "+".join(_quoted(author, _SIGNS + signs) for author in authors)


def parse_authors(listed: str) -> tuple[str, ...]:
    """Return the authors that `format_authors` joined."""
    return tuple(unquote(author) for author in listed.split("+") if author)


def check_authors(authors: Collection[str], known: Sequence[str]) -> None:
    """Raise InputError, with the most similar names, for an author without a reference in the study."""
    for author in authors:
        if author not in known:
            raise InputError(unknown_name("author of references", author, known))


def reference_system_name(author: str) -> str:
    """Return the name of an author's reference when it is scored as a system."""
    return f"reference {author}"


def _quoted(author: str, signs: str) -> str:
    for sign in signs:
        author = author.replace(sign, f"%{ord(sign):02X}")
    return author
