"""Suggestions of contributors to an SCU from other references."""

from __future__ import annotations

from core.domain.pyramid import TopicAnnotation
from core.domain.study import Span, TopicTexts
from core.suggestions.encoding import EncodedTexts
from core.suggestions.ranking import candidates_of, scu_vector, top_spans
from core.suggestions.suggestion import DismissedSuggestions, SuggestedSpan, Suggestion, SuggestionKind

MAX_SUGGESTIONS = 8
MIN_COSINE = 0.35
"""Below it, annotators of the sample study chose one span in a hundred."""


def suggest_contributors(
    topic: TopicTexts,
    annotation: TopicAnnotation,
    scu_id: str,
    encoded: EncodedTexts,
    dismissed: DismissedSuggestions,
) -> tuple[Suggestion, ...]:
    """Return spans of references that do not express an SCU yet, the most similar first.

    Raises InputError if the SCU is gone.
    """
    scu = annotation.scu(scu_id)
    vector = scu_vector(scu, {text.id: text for text in topic.references}, encoded)
    holding = {contributor.reference_id for contributor in scu.contributors}
    texts = [text for text in topic.references if text.id not in holding]
    covered = {text.id: spans_in(annotation, text.id) for text in texts}
    ranked = candidates_of(texts, covered, encoded).ranked(vector, MIN_COSINE)

    def is_dismissed(place: SuggestedSpan) -> bool:
        return dismissed.holds(SuggestionKind.CONTRIBUTOR, place, scu_id)

    return tuple(
        Suggestion(SuggestionKind.CONTRIBUTOR, (one.place,), one.cosine, scu_id)
        for one in top_spans(ranked, MAX_SUGGESTIONS, is_dismissed)
    )


def spans_in(annotation: TopicAnnotation, reference_id: str) -> list[Span]:
    """Return the spans of a reference that are in the pyramid's SCUs."""
    return [
        part.span
        for scu in annotation.pyramid.scus
        for contributor in scu.contributors
        if contributor.reference_id == reference_id
        for part in contributor.parts
    ]
