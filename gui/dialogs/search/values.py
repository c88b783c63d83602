"""Values shown by the search dialog."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HitRow:
    """One search hit.

    index: position among all hits.
    group: heading of its kind.
    before, match, after: the matched text and its context.
    where: topic, text and annotator.
    """

    index: int
    group: str
    before: str
    match: str
    after: str
    where: str
