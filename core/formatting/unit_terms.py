"""Terms of content units: texts that name SCUs, worded for nuggets.

Pyramids and nuggets are edited by the same pages, commands and checks, whose texts name SCUs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

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


def in_terms_of(kind: UnitKind, text: str, terms: Mapping[str, str] = _NUGGET_TERMS) -> str:
    """Return a text about SCUs in the terms of a kind of content unit.

    terms: the terms in the text and those for nuggets.
    Ids of commands in braces, as in ``press {pyramid.merge}``, are kept.
    """
    return text if kind is UnitKind.SCU else _in_terms(text, tuple(terms.items()))


@lru_cache(4096)
def _in_terms(text: str, pairs: tuple[tuple[str, str], ...]) -> str:
    terms = dict(pairs)

    def word(found: re.Match[str]) -> str:
        term = found[1]
        if term is None:
            return found[0]
        word = terms[term]
        starts_text = found.start() == 0 or found.string[: found.start()].endswith(". ")
        return word[0].upper() + word[1:] if starts_text and term[0].isupper() else word

    return _pattern(tuple(terms)).sub(word, text)


@cache
def _pattern(terms: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern of a term, with the mnemonic marker before it, or the id of a command in braces."""
    listed = "|".join(sorted(map(re.escape, terms), key=len, reverse=True))
    return re.compile(rf"\{{[^}}]*\}}|&?\b({listed})\b")
