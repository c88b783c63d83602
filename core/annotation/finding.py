"""What is odd about an annotation, each with its place and, where there is one, an edit that mends it.

Nothing here changes anything: a finding proposes, the annotator decides.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2s

from core.domain.pyramid import Edit
from core.domain.study import Span


class FindingKind(StrEnum):
    """What can be found, what weighs most first."""

    MISPLACED_PART = "misplaced part"
    MISPLACED_MATCH = "misplaced match"
    MATCHED_WITHOUT_CONTRIBUTORS = "matched without contributors"
    WITHOUT_CONTRIBUTORS = "without contributors"
    SAME_REFERENCE = "same reference"
    OVERLAPPING_PARTS = "overlapping parts"
    EMPTY_LABEL = "empty label"
    SIMILAR_LABELS = "similar labels"
    UNCOVERED_SENTENCE = "uncovered sentence"

    @property
    def heading(self) -> str:
        """The heading over findings of this kind."""
        return _TITLES[self]

    @property
    def rank(self) -> int:
        """How grave it is; 0 is the gravest."""
        return tuple(_TITLES).index(self)


_TITLES = {
    FindingKind.MISPLACED_PART: "Parts that do not fit",
    FindingKind.MISPLACED_MATCH: "Matches that do not fit",
    FindingKind.MATCHED_WITHOUT_CONTRIBUTORS: "Matched, no contributor",
    FindingKind.WITHOUT_CONTRIBUTORS: "No contributor",
    FindingKind.SAME_REFERENCE: "One reference twice",
    FindingKind.OVERLAPPING_PARTS: "Parts that share words",
    FindingKind.EMPTY_LABEL: "No label",
    FindingKind.SIMILAR_LABELS: "Labels nearly alike",
    FindingKind.UNCOVERED_SENTENCE: "Sentences in no SCU",
}


@dataclass(frozen=True, slots=True)
class FindingLocation:
    """Where something was found; what takes no part in it is empty.

    text_id: a reference, or for matches a summary. span: there. other_id: the other SCU of a pair.
    """

    scu_id: str = ""
    other_id: str = ""
    contributor_id: str = ""
    part_id: str = ""
    match_id: str = ""
    text_id: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Fix:
    """An edit that mends a finding.

    words: on its button. verb: in the history. about: a sentence on what it does.
    """

    words: str
    verb: str
    about: str
    edit: Edit = field(compare=False)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is odd, as a sentence. order: by its place among others of its kind."""

    kind: FindingKind
    sentence: str
    place: FindingLocation
    repair: Fix | None = None
    order: tuple[int, ...] = field(default=(), compare=False)

    @property
    def key(self) -> str:
        """What stays the same as long as this is found, for keeping that it was ignored; 16 hex digits."""
        at = self.place
        names = (*sorted((at.scu_id, at.other_id)), at.contributor_id, at.part_id, at.match_id, at.text_id)
        text = "|".join((self.kind, *names, str(at.span)))
        return blake2s(text.encode(), digest_size=8).hexdigest()
