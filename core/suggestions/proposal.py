"""A pyramid of a topic and its matches, made of suggestions alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.domain.pyramid import (
    Contributor,
    Match,
    Pyramid,
    Scu,
    SummaryState,
    TopicAnnotation,
    new_id,
    parts_of,
)
from core.domain.study import Span, Text, TopicTexts
from core.suggestions.candidate_spans import uncovered_clauses
from core.suggestions.encoding import EncodedTexts
from core.suggestions.new_scus import propose_scus
from core.suggestions.suggestion import Suggestion

if TYPE_CHECKING:
    from core.models.encoders.contextual_spans import Vectors

Flags = NDArray[np.bool_]

PROPOSER = "auto-pyramid"
"""Id of the annotator of whatever is proposed."""

Entailment = Callable[[Sequence[Text], Sequence[str]], Flags]
"""Whether texts entail statements, shape (texts, statements)."""


def propose_annotation(
    topic: TopicTexts, encoded: EncodedTexts, least_cosine: float, entails: Entailment | None = None
) -> TopicAnnotation:
    """Return a pyramid over all clauses of the references, and the units of every summary, all marked done.

    A clause of a summary expresses the nearest SCU, if their cosine is at least `least_cosine`; otherwise it
    is outside the pyramid. Where `entails` is given it decides instead: of each SCU whose label a summary
    entails, the nearest clause is the expression, and clauses left over are outside.
    """
    proposed = propose_scus(topic.references, encoded, least_cosine)
    scus = tuple(map(_scu, proposed))
    summaries = [text for text in topic.summaries if text.id not in topic.humans]
    vectors = _vectors(proposed, topic.references, encoded)
    entailed = None if entails is None else entails(summaries, [scu.label for scu in scus])
    matches = [
        Match(new_id(), text.id, PROPOSER, None if scu is None else scus[scu].id, parts_of(spans))
        for row, text in enumerate(summaries)
        for scu, spans in _units(
            text, vectors, encoded, least_cosine, None if entailed is None else entailed[row]
        )
    ]
    states = tuple(SummaryState(new_id(), text.id, PROPOSER, is_done=True) for text in summaries)
    return TopicAnnotation(Pyramid(new_id(), topic.id, PROPOSER, scus, is_done=True), tuple(matches), states)


def _scu(proposed: Suggestion) -> Scu:
    contributors = (Contributor(new_id(), place.text_id, parts_of([place.span])) for place in proposed.places)
    return Scu(new_id(), proposed.label, tuple(contributors))


def _vectors(proposed: Sequence[Suggestion], references: Sequence[Text], encoded: EncodedTexts) -> Vectors:
    """Return the mean vectors of the SCUs' clauses, shape (SCUs, dimension), of unit length."""
    from core.models.encoders.contextual_spans import l2_normalize  # imports torch

    texts = {text.id: encoded.of(text) for text in references}
    sums = [
        np.sum([texts[place.text_id].mean([place.span]) for place in one.places], axis=0, dtype=np.float64)
        for one in proposed
    ]
    return l2_normalize(np.array(sums).reshape(-1, encoded.dimension))


def _units(
    text: Text, scus: Vectors, encoded: EncodedTexts, least_cosine: float, entailed: Flags | None
) -> Iterator[tuple[int | None, list[Span]]]:
    """Yield the content units of a summary: the number of an SCU, None = outside, and where it is."""
    spans = list(uncovered_clauses(text, ()))
    cosines = encoded.of(text).means(spans) @ scus.T
    if entailed is not None:
        nearest = {scu: int(cosines[:, scu].argmax()) for scu in np.flatnonzero(entailed).tolist() if spans}
        for scu in np.flatnonzero(entailed).tolist():
            yield scu, [spans[nearest[scu]]] if spans else []
        yield from ((None, [spans[at]]) for at in range(len(spans)) if at not in nearest.values())
        return
    for span, row in zip(spans, cosines, strict=True):
        best = int(row.argmax()) if len(row) else -1
        yield (best if best >= 0 and row[best] >= least_cosine else None), [span]
