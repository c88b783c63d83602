"""Suggestions as values, and as JSON in the edit history."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.domain.study import Span
from core.suggestions.candidate_spans import COVERED_SHARE, overlap_share


class SuggestionKind(StrEnum):
    """Kind of suggestion, by what accepting it adds."""

    CONTRIBUTOR = "contributor"
    SCU = "new SCU"
    MATCH = "match"
    UNIT = "unit outside the pyramid"
    NUGGET = "new nugget"


@dataclass(frozen=True, slots=True)
class SuggestedSpan:
    """A span of a text."""

    text_id: str
    span: Span


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Spans that might belong to an SCU, or form a new one; a nugget has no spans.

    scu_id: empty for a new SCU and for a unit outside the pyramid.
    similarity: the cosine in [-1, 1], NaN = nothing was compared.
    label: proposed for a new SCU.
    by, metric: name of the machine annotator that proposed it, and the signature of what made the proposal;
        empty = suggested by similarity.
    """

    kind: SuggestionKind
    places: tuple[SuggestedSpan, ...]
    similarity: float
    scu_id: str = ""
    label: str = ""
    by: str = ""
    metric: str = ""


Details = dict[str, Any]
"""A suggestion as the history stores it."""


def suggestion_details(
    suggestion: Suggestion, *, rank: int, of: int, words: Sequence[str], model: str
) -> Details:
    """Return a suggestion for the history.

    rank: position among `of` suggestions, 1 = first.
    words: text of its spans. model: that compared it; of a proposal, the machine annotator and its metric
        are stored instead.
    """
    similarity = suggestion.similarity
    made_by = {"by": suggestion.by, "metric": suggestion.metric} if suggestion.by else {"model": model}
    return {
        "suggestion": suggestion.kind,
        "scu": suggestion.scu_id,
        **({"label": suggestion.label} if suggestion.by and suggestion.label else {}),
        "places": [[place.text_id, *place.span] for place in suggestion.places],
        "words": list(words),
        "similarity": None if similarity != similarity else round(similarity, 4),
        "rank": rank,
        "of": of,
        **made_by,
    }


def details_json(details: Sequence[Details]) -> str:
    """Return the JSON of one suggestion, or of several that were decided at once."""
    (first, *others) = details
    return json.dumps({"suggestions": list(details)} if others else first, ensure_ascii=False)


class DismissedSuggestions:
    """Suggestions that an annotator dismissed on a topic, by span."""

    def __init__(self, details: Iterable[str] = ()) -> None:
        self._places: dict[tuple[str, str, str], list[Span]] = {}
        self._labels: set[str] = set()
        for read in map(json.loads, details):
            for entry in read.get("suggestions", [read]):
                if not entry["places"]:
                    self._labels.add(entry["label"].casefold())
                for text_id, start, end in entry["places"]:
                    key = (entry["suggestion"], entry["scu"], text_id)
                    self._places.setdefault(key, []).append((start, end))

    def holds_nugget(self, label: str) -> bool:
        """Return whether a nugget of this label was dismissed."""
        return label.casefold() in self._labels

    def holds(self, kind: SuggestionKind, place: SuggestedSpan, scu_id: str = "") -> bool:
        """Return whether a span overlaps a dismissed one by at least half."""
        spans = self._places.get((kind, scu_id, place.text_id), ())
        return any(overlap_share(span, place.span) >= COVERED_SHARE for span in spans)
