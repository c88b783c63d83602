"""Ranking of spans by their similarity to an SCU, and suggestions of contributors from other references."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.annotation.word_coverage import merge_spans, words
from core.domain.pyramid import Scu, TopicAnnotation
from core.domain.study import Span, Text, TopicTexts
from core.suggestions.candidate_spans import candidate_spans, overlap_share
from core.suggestions.encoding import EncodedTexts, label_text
from core.suggestions.suggestion import DismissedSuggestions, SuggestedSpan, Suggestion, SuggestionKind

if TYPE_CHECKING:
    from core.models.encoders.contextual_spans import Vectors


Array = NDArray[np.float64]

COVERED_PENALTY = 0.2
"""Reduction of the cosine in the ranking for a span whose words are all covered.

Most words belong to one SCU, but not all; see ``python -m tests.benchmarks suggestions``.
"""
MAX_OVERLAP = 0.3
"""Maximum overlap, as a share of the shorter span, of two spans that are both suggested."""


@dataclass(frozen=True, slots=True)
class RankedSpan:
    """A span with its cosine in [-1, 1]."""

    place: SuggestedSpan
    cosine: float


@dataclass(frozen=True, slots=True, eq=False)
class CandidateSpans:
    """Candidate spans of some texts.

    vectors: unit length, shape (places, dimension).
    prices: shape (places,), penalties for covered words.
    """

    places: tuple[SuggestedSpan, ...]
    vectors: Vectors
    prices: Array

    def ranked(self, query: Vectors, least_cosine: float) -> Iterator[RankedSpan]:
        """Yield the spans with at least a cosine to a unit vector, best first; ties in text order."""
        cosines = (self.vectors @ query).astype(np.float64)
        for at in np.argsort(self.prices - cosines, kind="stable").tolist():
            if cosines[at] >= least_cosine:
                yield RankedSpan(self.places[at], float(cosines[at]))


def candidates_of(
    texts: Iterable[Text], covered: Mapping[str, Sequence[Span]], encoded: EncodedTexts
) -> CandidateSpans:
    """Return the candidate spans of some texts. covered: spans by the text's id."""
    places: list[SuggestedSpan] = []
    vectors, prices = [], [np.zeros(0)]
    for text in texts:
        spans = candidate_spans(text)
        places += [SuggestedSpan(text.id, span) for span in spans]
        vectors.append(encoded.of(text).means(spans))
        prices.append(COVERED_PENALTY * covered_fraction(text, spans, covered.get(text.id, ())))
    block = np.concatenate(vectors) if vectors else np.zeros((0, encoded.dimension), np.float32)
    return CandidateSpans(tuple(places), block, np.concatenate(prices))


def scu_vector(scu: Scu, texts: Mapping[str, Text], encoded: EncodedTexts) -> Vectors:
    """Return the unit vector of an SCU, shape (dimension,): the mean of its contributors and its label.

    texts: the references by id.
    """
    from core.models.encoders.contextual_spans import l2_normalize

    label = label_text(scu)
    rows = [encoded.of(label).mean([(0, len(label.content))])]
    for contributor in scu.contributors:
        read = encoded.of(texts[contributor.reference_id])
        rows.append(read.mean([part.span for part in contributor.parts]))
    return l2_normalize(np.mean(rows, axis=0, dtype=np.float64))


def top_spans(
    ranked: Iterable[RankedSpan], most: int, is_excluded: Callable[[SuggestedSpan], bool]
) -> tuple[RankedSpan, ...]:
    """Return the first spans that are not excluded, one of each group of overlapping ones."""
    chosen: list[RankedSpan] = []
    for one in ranked:
        if not is_excluded(one.place) and not any(_meet(one.place, other.place) for other in chosen):
            chosen.append(one)
        if len(chosen) == most:
            break
    return tuple(chosen)


def covered_fraction(text: Text, spans: Sequence[Span], covered: Iterable[Span]) -> Array:
    """Return the share of each span's words that are covered, shape (spans,)."""
    known = np.array(words(text.content), dtype=np.int64).reshape(-1, 2)
    is_held = np.zeros(len(known))
    for start, end in merge_spans(covered):
        is_held[np.searchsorted(known[:, 1], start, "right") : np.searchsorted(known[:, 0], end)] = 1.0
    before = np.concatenate(([0.0], np.cumsum(is_held)))
    places = np.array(spans, dtype=np.int64).reshape(-1, 2)
    first, last = (
        np.searchsorted(known[:, 1], places[:, 0], "right"),
        np.searchsorted(known[:, 0], places[:, 1]),
    )
    shares: Array = (before[last] - before[first]) / np.maximum(1, last - first)
    return shares


def _meet(one: SuggestedSpan, other: SuggestedSpan) -> bool:
    return one.text_id == other.text_id and overlap_share(one.span, other.span) > MAX_OVERLAP


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
