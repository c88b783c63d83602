"""SCUs proposed for what no SCU holds: alike clauses of different references together, others alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, dropwhile
from typing import TYPE_CHECKING

import numpy as np

from core.annotation.word_coverage import joined_text
from core.domain.pyramid import TopicAnnotation
from core.domain.study import TopicTexts
from core.suggestions.candidate_spans import LINKING_WORDS, uncovered_clauses
from core.suggestions.contributors import spans_in
from core.suggestions.encoding import EncodedTexts
from core.suggestions.suggestion import DismissedSuggestions, SuggestedSpan, Suggestion, SuggestionKind

if TYPE_CHECKING:
    from core.models.encoders.contextual_spans import Vectors

MAX_SUGGESTIONS = 12
MIN_COSINE = 0.55
"""From it on seven of ten pairs of clauses of the sample share an SCU."""
_TILE = 1024


@dataclass(frozen=True, slots=True, eq=False)
class _Clauses:
    """Uncovered clauses of all references. vectors: unit, shape (clauses, dimension)."""

    places: tuple[SuggestedSpan, ...]
    vectors: Vectors

    def cosine(self, one: int, other: int) -> float:
        return float(self.vectors[one] @ self.vectors[other])


def suggest_scus(
    topic: TopicTexts, annotation: TopicAnnotation, readings: EncodedTexts, dismissed: DismissedSuggestions
) -> tuple[Suggestion, ...]:
    """SCUs for uncovered clauses: those of most references first, then the most alike, then single ones."""
    found = _uncovered(topic, annotation, readings, dismissed)
    groups = sorted(_groups(found), key=lambda group: (-len(group), -_likeness(found, group), group))
    contents = {text.id: text.content for text in topic.references}
    return tuple(
        Suggestion(
            SuggestionKind.SCU,
            tuple(found.places[i] for i in group),
            _likeness(found, group) if len(group) > 1 else float("nan"),
            label=_label(found, group, contents),
        )
        for group in groups[:MAX_SUGGESTIONS]
    )


def _uncovered(
    topic: TopicTexts, annotation: TopicAnnotation, readings: EncodedTexts, dismissed: DismissedSuggestions
) -> _Clauses:
    places: list[SuggestedSpan] = []
    rows: list[Vectors] = []
    for text in topic.references:
        free = [
            SuggestedSpan(text.id, span) for span in uncovered_clauses(text, spans_in(annotation, text.id))
        ]
        wanted = [place for place in free if not dismissed.holds(SuggestionKind.SCU, place)]
        places += wanted
        rows.append(readings.of(text).means([place.span for place in wanted]))
    return _Clauses(tuple(places), np.concatenate(rows) if rows else np.zeros((0, 1), np.float32))


def _groups(found: _Clauses) -> list[tuple[int, ...]]:
    """Clauses joined greedily, the most alike first: one of a reference at most, each like all others."""
    group_of: dict[int, tuple[int, ...]] = {i: (i,) for i in range(len(found.places))}
    for one, other in _alike(found):
        mine, theirs = group_of[one], group_of[other]
        if mine != theirs and _may_join(found, mine, theirs):
            joined = tuple(sorted((*mine, *theirs)))
            group_of.update(dict.fromkeys(joined, joined))
    return list(dict.fromkeys(group_of.values()))


def _alike(found: _Clauses) -> Iterator[tuple[int, int]]:
    """Pairs that are similar enough, the most similar first."""
    pairs = []
    for top in range(0, len(found.places), _TILE):
        for left in range(top, len(found.places), _TILE):
            cosines = found.vectors[top : top + _TILE] @ found.vectors[left : left + _TILE].T
            for i, j in np.argwhere(cosines >= MIN_COSINE).tolist():
                if top + i < left + j:
                    pairs.append((-float(cosines[i, j]), top + i, left + j))
    return ((one, other) for _, one, other in sorted(pairs))


def _may_join(found: _Clauses, mine: Sequence[int], theirs: Sequence[int]) -> bool:
    of = [{found.places[i].text_id for i in group} for group in (mine, theirs)]
    return of[0].isdisjoint(of[1]) and all(
        found.cosine(one, other) >= MIN_COSINE for one in mine for other in theirs
    )


def _likeness(found: _Clauses, group: Sequence[int]) -> float:
    """The mean cosine of a group's pairs, 1 for a single clause."""
    cosines = [found.cosine(one, other) for one, other in combinations(group, 2)]
    return float(np.mean(cosines)) if cosines else 1.0


def _label(found: _Clauses, group: Sequence[int], contents: dict[str, str]) -> str:
    """The words of the clause that is most like the others, without those that only link it."""
    centre = found.vectors[list(group)].sum(axis=0)
    nearest = max(group, key=lambda i: float(found.vectors[i] @ centre))
    place = found.places[nearest]
    said = joined_text(contents[place.text_id], [place.span]).split()
    label = " ".join(dropwhile(lambda word: word.casefold() in LINKING_WORDS, said)) or " ".join(said)
    return label[:1].upper() + label[1:]
