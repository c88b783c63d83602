"""Suggestions of new SCUs from uncovered clauses: similar ones of several references, then single ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, dropwhile, islice
from typing import TYPE_CHECKING

import numpy as np

from core.annotation.word_coverage import joined_text
from core.domain.pyramid import TopicAnnotation
from core.domain.study import Span, Text, TopicTexts
from core.suggestions.candidate_spans import LINKING_WORDS, uncovered_clauses
from core.suggestions.encoding import EncodedTexts
from core.suggestions.ranking import spans_in
from core.suggestions.suggestion import DismissedSuggestions, SuggestedSpan, Suggestion, SuggestionKind

if TYPE_CHECKING:
    from core.models.encoders.contextual_spans import Vectors

MAX_SUGGESTIONS = 12
MIN_COSINE = 0.55
"""At or above it, seven of ten pairs of clauses of the sample share an SCU."""
_TILE = 1024


@dataclass(frozen=True, slots=True, eq=False)
class _Clauses:
    """Uncovered clauses of all references. vectors: unit length, shape (clauses, dimension).

    least_cosine: of any two in a group.
    """

    places: tuple[SuggestedSpan, ...]
    vectors: Vectors
    least_cosine: float = MIN_COSINE

    def cosine(self, one: int, other: int) -> float:
        return float(self.vectors[one] @ self.vectors[other])


def suggest_scus(
    topic: TopicTexts, annotation: TopicAnnotation, encoded: EncodedTexts, dismissed: DismissedSuggestions
) -> tuple[Suggestion, ...]:
    """Return SCUs for uncovered clauses: most references first, then most similar, then single clauses."""

    def is_open(place: SuggestedSpan) -> bool:
        return not dismissed.holds(SuggestionKind.SCU, place)

    covered = {text.id: spans_in(annotation, text.id) for text in topic.references}
    clauses = _uncovered(topic.references, covered, encoded, is_open)
    return tuple(islice(_suggested(clauses, topic.references), MAX_SUGGESTIONS))


def propose_scus(
    references: Sequence[Text], encoded: EncodedTexts, least_cosine: float = MIN_COSINE
) -> tuple[Suggestion, ...]:
    """Return SCUs for all clauses of the references, in the order of `suggest_scus`."""
    clauses = replace(
        _uncovered(references, {}, encoded, is_open=lambda place: True), least_cosine=least_cosine
    )
    return tuple(_suggested(clauses, references))


def _suggested(clauses: _Clauses, references: Sequence[Text]) -> Iterator[Suggestion]:
    groups = sorted(_groups(clauses), key=lambda group: (-len(group), -_mean_cosine(clauses, group), group))
    contents = {text.id: text.content for text in references}
    for group in groups:
        yield Suggestion(
            SuggestionKind.SCU,
            tuple(clauses.places[i] for i in group),
            _mean_cosine(clauses, group) if len(group) > 1 else float("nan"),
            label=_label(clauses, group, contents),
        )


def _uncovered(
    references: Sequence[Text],
    covered: Mapping[str, Sequence[Span]],
    encoded: EncodedTexts,
    is_open: Callable[[SuggestedSpan], bool],
) -> _Clauses:
    """Return the open clauses of references. covered: spans by the text's id."""
    places: list[SuggestedSpan] = []
    rows: list[Vectors] = []
    for text in references:
        free = [SuggestedSpan(text.id, span) for span in uncovered_clauses(text, covered.get(text.id, ()))]
        open_spans = [place for place in free if is_open(place)]
        places += open_spans
        rows.append(encoded.of(text).means([place.span for place in open_spans]))
    return _Clauses(tuple(places), np.concatenate(rows) if rows else np.zeros((0, 1), np.float32))


def _groups(clauses: _Clauses) -> list[tuple[int, ...]]:
    """Group clauses greedily, the most similar first.

    A group has at most one clause per reference, each similar to all others.
    """
    group_of: dict[int, tuple[int, ...]] = {i: (i,) for i in range(len(clauses.places))}
    for one, other in _similar_pairs(clauses):
        left, right = group_of[one], group_of[other]
        if left != right and _may_join(clauses, left, right):
            joined = tuple(sorted((*left, *right)))
            group_of.update(dict.fromkeys(joined, joined))
    return list(dict.fromkeys(group_of.values()))


def _similar_pairs(clauses: _Clauses) -> Iterator[tuple[int, int]]:
    """Yield pairs that are similar enough, the most similar first."""
    pairs = []
    for top in range(0, len(clauses.places), _TILE):
        for left in range(top, len(clauses.places), _TILE):
            cosines = clauses.vectors[top : top + _TILE] @ clauses.vectors[left : left + _TILE].T
            for i, j in np.argwhere(cosines >= clauses.least_cosine).tolist():
                if top + i < left + j:
                    pairs.append((-float(cosines[i, j]), top + i, left + j))
    return ((one, other) for _, one, other in sorted(pairs))


def _may_join(clauses: _Clauses, left: Sequence[int], right: Sequence[int]) -> bool:
    of = [{clauses.places[i].text_id for i in group} for group in (left, right)]
    return of[0].isdisjoint(of[1]) and all(
        clauses.cosine(one, other) >= clauses.least_cosine for one in left for other in right
    )


def _mean_cosine(clauses: _Clauses, group: Sequence[int]) -> float:
    """Return the mean cosine of a group's pairs, 1 for a single clause."""
    cosines = [clauses.cosine(one, other) for one, other in combinations(group, 2)]
    return float(np.mean(cosines)) if cosines else 1.0


def _label(clauses: _Clauses, group: Sequence[int], contents: dict[str, str]) -> str:
    """Return the text of the clause most similar to the others, without leading linking words."""
    centre = clauses.vectors[list(group)].sum(axis=0)
    nearest = max(group, key=lambda i: float(clauses.vectors[i] @ centre))
    place = clauses.places[nearest]
    spoken = joined_text(contents[place.text_id], [place.span]).split()
    label = " ".join(dropwhile(lambda word: word.casefold() in LINKING_WORDS, spoken)) or " ".join(spoken)
    return label[:1].upper() + label[1:]
