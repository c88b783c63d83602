"""A suggestion as a value, and as JSON in the history of edits."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.domain.study import Span
from core.suggestions.candidate_spans import COVERED_SHARE, overlap_share


class SuggestionKind(StrEnum):
    """What taking a suggestion adds."""

    CONTRIBUTOR = "contributor"
    SCU = "new SCU"
    MATCH = "match"
    UNIT = "unit outside the pyramid"


@dataclass(frozen=True, slots=True)
class SuggestedSpan:
    """A span of a text."""

    text_id: str
    span: Span


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Places that might belong to an SCU, or make one of their own.

    scu_id: empty for a new SCU and for a unit outside the pyramid. similarity: the cosine in [-1, 1] that it
    rests on, NaN where nothing was compared. label: proposed for a new SCU.
    """

    kind: SuggestionKind
    places: tuple[SuggestedSpan, ...]
    similarity: float
    scu_id: str = ""
    label: str = ""


def suggestion_json(suggestion: Suggestion, *, rank: int, of: int, words: Sequence[str], model: str) -> str:
    """JSON of a suggestion for the history. rank: its place among `of`, 1 = first. words: of its places."""
    similarity = suggestion.similarity
    return json.dumps(
        {
            "suggestion": suggestion.kind,
            "scu": suggestion.scu_id,
            "places": [[place.text_id, *place.span] for place in suggestion.places],
            "words": list(words),
            "similarity": None if similarity != similarity else round(similarity, 4),
            "rank": rank,
            "of": of,
            "model": model,
        },
        ensure_ascii=False,
    )


class DismissedSuggestions:
    """What an annotator does not want to see again on a topic: dismissed spans, or most of their words."""

    def __init__(self, details: Iterable[str] = ()) -> None:
        self._places: dict[tuple[str, str, str], list[Span]] = {}
        for entry in map(json.loads, details):
            for text_id, start, end in entry["places"]:
                self._places.setdefault((entry["suggestion"], entry["scu"], text_id), []).append((start, end))

    def holds(self, kind: SuggestionKind, place: SuggestedSpan, scu_id: str = "") -> bool:
        """Whether half of a place, or of what was dismissed there, is the same."""
        spans = self._places.get((kind, scu_id, place.text_id), ())
        return any(overlap_share(span, place.span) >= COVERED_SHARE for span in spans)
