"""Suggestions as values, and as JSON in the edit history."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.domain.study import Span
from core.suggestions.candidate_spans import COVERED_SHARE, overlap_share


class SuggestionKind(StrEnum):
    """Kind of suggestion, by what accepting it adds."""

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
    """Spans that might belong to an SCU, or form a new one.

    scu_id: empty for a new SCU and for a unit outside the pyramid.
    similarity: the cosine in [-1, 1], NaN = nothing was compared.
    label: proposed for a new SCU.
    """

    kind: SuggestionKind
    places: tuple[SuggestedSpan, ...]
    similarity: float
    scu_id: str = ""
    label: str = ""


def suggestion_json(suggestion: Suggestion, *, rank: int, of: int, words: Sequence[str], model: str) -> str:
    """Return a suggestion as JSON for the history.

    rank: position among `of` suggestions, 1 = first.
    words: text of its spans.
    """
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
    """Suggestions that an annotator dismissed on a topic, by span."""

    def __init__(self, details: Iterable[str] = ()) -> None:
        self._places: dict[tuple[str, str, str], list[Span]] = {}
        for entry in map(json.loads, details):
            for text_id, start, end in entry["places"]:
                self._places.setdefault((entry["suggestion"], entry["scu"], text_id), []).append((start, end))

    def holds(self, kind: SuggestionKind, place: SuggestedSpan, scu_id: str = "") -> bool:
        """Return whether a span overlaps a dismissed one by at least half."""
        spans = self._places.get((kind, scu_id, place.text_id), ())
        return any(overlap_share(span, place.span) >= COVERED_SHARE for span in spans)
