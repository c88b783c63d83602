"""Spans of other references that might express an SCU."""

from __future__ import annotations

from core.domain.pyramid import TopicAnnotation
from core.domain.study import Span, TopicTexts
from core.suggestions.encoding import EncodedTexts
from core.suggestions.ranking import candidates_of, scu_vector, top_spans
from core.suggestions.suggestion import DismissedSuggestions, SuggestedSpan, Suggestion, SuggestionKind

MAX_SUGGESTIONS = 8
MIN_COSINE = 0.35
"""Below it one span of a hundred is what annotators chose on the sample study."""


def suggest_contributors(
    topic: TopicTexts,
    annotation: TopicAnnotation,
    scu_id: str,
    readings: EncodedTexts,
    dismissed: DismissedSuggestions,
) -> tuple[Suggestion, ...]:
    """Spans of the references that do not express an SCU yet, the most similar first.

    Raises InputError where the SCU is gone.
    """
    scu = annotation.scu(scu_id)
    vector = scu_vector(scu, {text.id: text for text in topic.references}, readings)
    holding = {contributor.reference_id for contributor in scu.contributors}
    texts = [text for text in topic.references if text.id not in holding]
    held = {text.id: spans_in(annotation, text.id) for text in texts}
    ranked = candidates_of(texts, held, readings).ranked(vector, MIN_COSINE)

    def is_unwanted(place: SuggestedSpan) -> bool:
        return dismissed.holds(SuggestionKind.CONTRIBUTOR, place, scu_id)

    return tuple(
        Suggestion(SuggestionKind.CONTRIBUTOR, (one.place,), one.cosine, scu_id)
        for one in top_spans(ranked, MAX_SUGGESTIONS, is_unwanted)
    )


def spans_in(annotation: TopicAnnotation, reference_id: str) -> list[Span]:
    """What the pyramid's SCUs hold of a reference."""
    return [
        part.span
        for scu in annotation.pyramid.scus
        for contributor in scu.contributors
        if contributor.reference_id == reference_id
        for part in contributor.parts
    ]
