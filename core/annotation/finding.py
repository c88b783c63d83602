"""Findings: likely mistakes in an annotation, with their location and, if possible, a fix.

A finding changes nothing: the annotator decides whether to apply its fix.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2s

from core.domain.pyramid import Edit
from core.domain.study import Span


class FindingKind(StrEnum):
    """Kind of a finding, most severe first."""

    MISPLACED_PART = "misplaced part"
    MISPLACED_MATCH = "misplaced match"
    MATCHED_WITHOUT_CONTRIBUTORS = "matched without contributors"
    WITHOUT_CONTRIBUTORS = "without contributors"
    SAME_REFERENCE = "same reference"
    OVERLAPPING_PARTS = "overlapping parts"
    EMPTY_LABEL = "empty label"
    SIMILAR_LABELS = "similar labels"
    UNCONFIRMED = "unconfirmed occurrences"
    UNCOVERED_SENTENCE = "uncovered sentence"

    @property
    def heading(self) -> str:
        """Heading of findings of this kind."""
        return _TITLES[self]

    @property
    def rank(self) -> int:
        """Severity; 0 is the most severe."""
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
    FindingKind.UNCONFIRMED: "Occurrences to confirm",
    FindingKind.UNCOVERED_SENTENCE: "Sentences in no SCU",
}


@dataclass(frozen=True, slots=True)
class FindingLocation:
    """Location of a finding; ids that do not apply are empty.

    text_id: a reference, or for matches a summary.
    span: in that text.
    other_id: the other SCU of a pair.
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
    """An edit that fixes a finding.

    label: text of its button.
    verb: entry in the history.
    effect: a sentence about its effect.
    """

    label: str
    verb: str
    effect: str
    edit: Edit = field(compare=False)


@dataclass(frozen=True, slots=True)
class Finding:
    """One likely mistake, as a sentence. order: position among others of its kind."""

    kind: FindingKind
    sentence: str
    place: FindingLocation
    repair: Fix | None = None
    order: tuple[int, ...] = field(default=(), compare=False)

    @property
    def key(self) -> str:
        """Key that identifies the finding across runs, for remembering that it was ignored; 16 hex digits."""
        at = self.place
        names = (*sorted((at.scu_id, at.other_id)), at.contributor_id, at.part_id, at.match_id, at.text_id)
        text = "|".join((self.kind, *names, str(at.span)))
        return blake2s(text.encode(), digest_size=8).hexdigest()
