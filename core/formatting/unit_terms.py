"""Terms of content units: texts that name SCUs, worded for nuggets.

Pyramids and nuggets are edited by the same pages, commands and checks, whose texts name SCUs.
"""

from __future__ import annotations

import re

from core.domain.pyramid import UnitKind

_NUGGET_TERMS = {
    "an SCU": "a nugget",
    "An SCU": "A nugget",
    "SCU": "nugget",
    "SCUs": "nuggets",
    "a contributor": "an occurrence",
    "contributor": "occurrence",
    "Contributor": "Occurrence",
    "contributors": "occurrences",
    "Contributors": "Occurrences",
    "weight": "tier",
    "Weight": "Tier",
    "weights": "tiers",
    "match": "hit",
    "matches": "hits",
    "build a pyramid": "mark nuggets",
    "Whole pyramid": "All nuggets",
    "pyramid": "nuggets",
    "Pyramid": "Nuggets",
    "pyramids": "nuggets",
    "Pyramids": "Nuggets",
}
_TERM = re.compile(
    r"\{[^}]*\}|&?\b(" + "|".join(sorted(map(re.escape, _NUGGET_TERMS), key=len, reverse=True)) + r")\b"
)
"""A term, with the mnemonic marker before it, or the id of a command in braces, which stays."""


def in_terms_of(kind: UnitKind, text: str) -> str:
    """Return a text about SCUs in the terms of a kind of content unit.

    Ids of commands in braces, as in ``press {pyramid.merge}``, are kept.
    """
    return text if kind is UnitKind.SCU else _TERM.sub(_nugget_term, text)


def _nugget_term(found: re.Match[str]) -> str:
    term = found[1]
    if term is None:
        return found[0]
    word = _NUGGET_TERMS[term]
    starts_text = found.start() == 0 or found.string[: found.start()].endswith(". ")
    return word[0].upper() + word[1:] if starts_text and term[0].isupper() else word
