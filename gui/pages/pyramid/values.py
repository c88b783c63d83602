"""Values displayed on the Pyramid page."""

from __future__ import annotations

from dataclasses import dataclass

from gui.style.language import tr

PYRAMID, SCU = "pyramid", "scu"
"""Scope of the history: the whole pyramid, or the selected SCU."""


@dataclass(frozen=True, slots=True)
class ReferenceText:
    """A reference to annotate. letter: its short name in this topic."""

    id: str
    letter: str
    name: str
    content: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class PartRow:
    """A part of a contributor."""

    part_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ContributorRow:
    """A contributor of an SCU; parts in text order. is_confirmed: False = found automatically."""

    contributor_id: str
    letter: str
    parts: tuple[PartRow, ...]
    word_count: int
    comment: str = ""
    is_confirmed: bool = True

    @property
    def fact(self) -> str:
        """Return the number of parts and words, as ``2 parts · 5 words``."""
        fact = tr("%n parts", "", len(self.parts)) + " · " + tr("%n words", "", self.word_count)
        return fact if self.is_confirmed else tr("to confirm · {fact}", fact=fact)


@dataclass(frozen=True, slots=True)
class OverlapRow:
    """Another SCU that overlaps the selected one."""

    scu_id: str
    label: str
    weight: int
    step: int


@dataclass(frozen=True, slots=True)
class ScuDetails:
    """Details of one SCU. references: number of references of the topic. importance: of a nugget."""

    scu_id: str
    label: str
    comment: str
    weight: int
    step: int
    references: int
    contributors: tuple[ContributorRow, ...]
    overlaps: tuple[OverlapRow, ...]
    importance: str = ""


@dataclass(frozen=True, slots=True)
class WordSelection:
    """Spans selected in one text, in text order; empty without a selection."""

    text_id: str = ""
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A problem found in the pyramid.

    repair: label of the proposed fix; empty without one.
    about: one sentence on what the fix does.
    """

    key: str
    heading: str
    sentence: str
    repair: str = ""
    about: str = ""
    is_ignored: bool = False


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """An edit in the history. is_viewed: the page displays the version after this edit."""

    edit_id: str
    day: str
    when: str
    who: str
    what: str
    is_undone: bool = False
    is_viewed: bool = False


@dataclass(frozen=True, slots=True)
class HistoryPreview:
    """An earlier version displayed on the page.

    sentence: describes the version and what restoring it would change.
    """

    sentence: str
    can_restore: bool = True
