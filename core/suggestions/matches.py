"""Suggestions of SCUs that a summary expresses, and of the spans that express them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from core.domain.pyramid import Match, TopicAnnotation
from core.domain.study import Span, Text, TopicTexts
from core.suggestions.candidate_spans import overlap_share, uncovered_clauses
from core.suggestions.encoding import EncodedTexts
from core.suggestions.ranking import CandidateSpans, RankedSpan, candidates_of, scu_vector, top_spans
from core.suggestions.suggestion import DismissedSuggestions, SuggestedSpan, Suggestion, SuggestionKind

if TYPE_CHECKING:
    from core.models.encoders.contextual_spans import Vectors

MAX_MATCHES, MAX_SPANS, MAX_CLAUSES = 10, 4, 10
MIN_COSINE = 0.55
"""Above it, four of five clauses of the sample belong to the nearest SCU; below it, three of four to none."""
MIN_COSINE_OF_CHOSEN = 0.4
MAX_OVERLAP_OF_SCUS = 0.8
"""Two SCUs are rarely expressed by the same words."""


@dataclass(frozen=True)
class SummaryMatching:
    """One summary with a pyramid, and one annotator's matches so far."""

    topic: TopicTexts
    annotation: TopicAnnotation
    summary: Text
    annotator_id: str
    encoded: EncodedTexts
    dismissed: DismissedSuggestions

    def spans_for(self, scu_id: str) -> tuple[Suggestion, ...]:
        """Return spans that might express one SCU, the most similar first.

        Raises InputError if the SCU is gone.
        """
        self.annotation.scu(scu_id)
        own = [part.span for match in self._matches if match.scu_id == scu_id for part in match.parts]

        def is_excluded(place: SuggestedSpan) -> bool:
            is_matched = any(overlap_share(place.span, span) > MAX_OVERLAP_OF_SCUS for span in own)
            return is_matched or self.dismissed.holds(SuggestionKind.MATCH, place, scu_id)

        ranked = self._candidates.ranked(self._vectors[scu_id], MIN_COSINE_OF_CHOSEN)
        return tuple(_match(scu_id, one) for one in top_spans(ranked, MAX_SPANS, is_excluded))

    def unmatched(self) -> tuple[Suggestion, ...]:
        """Return SCUs without a match, each with its best span, the most similar first."""
        matched = {match.scu_id for match in self._matches}
        suggestions = [
            _match(scu_id, one)
            for scu_id, vector in self._vectors.items()
            if scu_id not in matched and (one := self._best_span(scu_id, vector)) is not None
        ]
        suggestions.sort(key=lambda suggestion: -suggestion.similarity)
        chosen: list[Suggestion] = []
        for suggestion in suggestions:
            if len(chosen) < MAX_MATCHES and not any(_overlap(suggestion, other) for other in chosen):
                chosen.append(suggestion)
        return tuple(chosen)

    def uncovered(self) -> tuple[Suggestion, ...]:
        """Return clauses that no unit covers, in text order, each with the most similar SCU.

        Without a similar SCU the clause is suggested as a unit outside the pyramid.
        """
        spans = uncovered_clauses(self.summary, self._covered)
        vectors = self.encoded.of(self.summary).means(spans)
        places = (SuggestedSpan(self.summary.id, span) for span in spans)
        suggestions = (self._for_clause(place, vector) for place, vector in zip(places, vectors, strict=True))
        return tuple(suggestion for suggestion in suggestions if suggestion is not None)[:MAX_CLAUSES]

    @cached_property
    def _matches(self) -> tuple[Match, ...]:
        return self.annotation.matches_of(self.summary.id, self.annotator_id)

    @cached_property
    def _covered(self) -> Sequence[Span]:
        return [part.span for match in self._matches for part in match.parts]

    @cached_property
    def _candidates(self) -> CandidateSpans:
        return candidates_of([self.summary], {self.summary.id: self._covered}, self.encoded)

    @cached_property
    def _vectors(self) -> dict[str, Vectors]:
        """Unit vectors of the SCUs by id."""
        texts = {text.id: text for text in self.topic.references}
        return {scu.id: scu_vector(scu, texts, self.encoded) for scu in self.annotation.pyramid.scus}

    def _best_span(self, scu_id: str, vector: Vectors) -> RankedSpan | None:
        ranked = self._candidates.ranked(vector, MIN_COSINE)
        candidates = (
            one for one in ranked if not self.dismissed.holds(SuggestionKind.MATCH, one.place, scu_id)
        )
        return next(candidates, None)

    def _for_clause(self, place: SuggestedSpan, vector: Vectors) -> Suggestion | None:
        """Return the most similar SCU that was not dismissed there, else a unit outside, else None."""
        cosines = {scu_id: float(scu @ vector) for scu_id, scu in self._vectors.items()}
        candidates = [
            scu_id for scu_id in cosines if not self.dismissed.holds(SuggestionKind.MATCH, place, scu_id)
        ]
        nearest = max(candidates, key=lambda scu_id: cosines[scu_id], default="")
        if nearest and cosines[nearest] >= MIN_COSINE:
            return _match(nearest, RankedSpan(place, cosines[nearest]))
        if self.dismissed.holds(SuggestionKind.UNIT, place):
            return None
        return Suggestion(SuggestionKind.UNIT, (place,), cosines[nearest] if nearest else float("nan"))


def _match(scu_id: str, one: RankedSpan) -> Suggestion:
    return Suggestion(SuggestionKind.MATCH, (one.place,), one.cosine, scu_id)


def _overlap(one: Suggestion, other: Suggestion) -> bool:
    return overlap_share(one.places[0].span, other.places[0].span) > MAX_OVERLAP_OF_SCUS
