"""What a search found, as it is listed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HitRow:
    """A hit. group: its heading. before, found, after: the words around it. where: topic, text, annotator."""

    place: int
    group: str
    before: str
    found: str
    after: str
    where: str
