"""What the page of pyramids shows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReferenceText:
    """A reference to annotate. letter: its short name on this topic."""

    id: str
    letter: str
    name: str
    content: str


@dataclass(frozen=True, slots=True)
class PartRow:
    """A part of a contributor, in its words."""

    part_id: str
    words: str


@dataclass(frozen=True, slots=True)
class ContributorRow:
    """An SCU's expression in one reference; parts in the text's order."""

    contributor_id: str
    letter: str
    parts: tuple[PartRow, ...]
    words: int
    comment: str = ""

    @property
    def fact(self) -> str:
        """How many parts and words it has."""
        parts = "1 part" if len(self.parts) == 1 else f"{len(self.parts)} parts"
        return f"{parts} · {self.words} words" if self.words != 1 else f"{parts} · 1 word"


@dataclass(frozen=True, slots=True)
class OverlapRow:
    """Another SCU that shares words with the selected one."""

    scu_id: str
    label: str
    weight: int
    step: int


@dataclass(frozen=True, slots=True)
class ScuDetails:
    """Everything about one SCU. references: how many the topic has."""

    scu_id: str
    label: str
    comment: str
    weight: int
    step: int
    references: int
    contributors: tuple[ContributorRow, ...]
    overlaps: tuple[OverlapRow, ...]


@dataclass(frozen=True, slots=True)
class WordSelection:
    """Words selected in one text, in the text's order; no spans = nothing is selected."""

    text_id: str = ""
    spans: tuple[tuple[int, int], ...] = ()
