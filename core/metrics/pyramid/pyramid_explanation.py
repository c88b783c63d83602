"""Explanations of pyramid scores, with the text in which each SCU was matched."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.domain.pyramid import Part, TopicAnnotation
from core.domain.pyramid.scores import PyramidScore, WeightedScu, score_reference, score_summary
from core.domain.study import Text, TopicTexts
from core.metrics.base import Evidence, Explanation

_Role = Literal["summary", "reference"]


@dataclass(frozen=True, slots=True)
class PyramidBreakdown:
    """A text's score by one annotator. evidence: spans that express each matched SCU, by its id."""

    by: str
    score: PyramidScore
    evidence: Mapping[str, tuple[Evidence, ...]]


def break_down_score(
    annotation: TopicAnnotation, annotator_id: str, by: str, topic: TopicTexts, text: Text
) -> PyramidBreakdown:
    """Score a summary, or a reference as a system. by: name of the annotator."""
    pyramid, references = annotation.pyramid, [reference.id for reference in topic.references]
    if text.id in topic.humans:
        score = score_reference(pyramid, text.id, references)
    else:
        score = score_summary(pyramid, annotation.matches_of(text.id, annotator_id), references)
    evidence = evidence_of_units(annotation, annotator_id, topic, text)
    weighted = {
        scu.scu_id: tuple(replace(one, weight=float(scu.weight)) for one in evidence[scu.scu_id])
        for scu in score.matched
    }
    return PyramidBreakdown(by, score, weighted)


def evidence_of_units(
    annotation: TopicAnnotation, annotator_id: str, topic: TopicTexts, text: Text
) -> dict[str, tuple[Evidence, ...]]:
    """Return the spans of a text and of the other references that express each content unit, by its id.

    text: a summary, or a reference that ``topic.humans`` names.
    """
    if text.id in topic.humans:
        own = list(_contributors(annotation, {text.id: text.name}, "summary"))
    else:
        matches = annotation.matches_of(text.id, annotator_id)
        own = [(m.scu_id, "summary", text.name, m.parts) for m in matches if m.scu_id is not None]
    others = {r.id: r.name for r in topic.references if r.id != text.id}
    evidence: dict[str, tuple[Evidence, ...]] = {scu.id: () for scu in annotation.pyramid.scus}
    for scu_id, role, name, parts in (*own, *_contributors(annotation, others, "reference")):
        if scu_id in evidence:
            evidence[scu_id] += tuple(Evidence(role, name, part.span) for part in parts)
    return evidence


def explain_kinds(breakdowns: Sequence[PyramidBreakdown]) -> Iterator[Explanation]:
    """Explain the four pyramid scores; with several annotators, their means."""
    for explain in (_modified, _original, _comprehensive, _presence):
        trees = [(each.by, explain(each)) for each in breakdowns]
        defined = [(by, tree) for by, tree in trees if math.isfinite(tree.evaluate())]
        if len(trees) == 1 or not defined:
            yield (
                trees[0][1]
                if trees
                else Explanation("no annotator marked this summary as done", value=math.nan)
            )
        else:
            children = tuple(Explanation(f"by {by}", "sum", children=(tree,)) for by, tree in defined)
            yield Explanation("mean over annotators", "mean", children=children)


_Expression = tuple[str, _Role, str, tuple[Part, ...]]
"""Id of an SCU, role and name of a text, and the parts that express the SCU."""


def _contributors(
    annotation: TopicAnnotation, names: Mapping[str, str], role: _Role
) -> Iterator[_Expression]:
    """Yield the contributors in texts. names: by reference id."""
    for scu in annotation.pyramid.scus:
        for contributor in scu.contributors:
            if contributor.reference_id in names:
                yield scu.id, role, names[contributor.reference_id], contributor.parts


def _modified(breakdown: PyramidBreakdown) -> Explanation:
    score = breakdown.score
    ideal = _ideal(
        f"ideal score of {score.average_units} units, the rounded mean of {score.contributions} in "
        f"{score.references} references",
        score.scus[: score.average_units],
    )
    if not ideal.evaluate():
        return Explanation("modified: undefined, the average reference has no SCUs", value=math.nan)
    return Explanation("modified", "ratio", children=(_matched(breakdown), ideal))


def _original(breakdown: PyramidBreakdown) -> Explanation:
    score = breakdown.score
    if not score.scus:
        return Explanation("original: undefined, there are no SCUs", value=math.nan)
    units = f"{len(score.matched)} SCUs, {score.repeats} repeated, {score.outside} outside the pyramid"
    ideal = _ideal(f"ideal score of {score.units} units: {units}", score.scus[: score.units])
    return Explanation("original", "ratio", children=(_matched(breakdown), ideal))


def _comprehensive(breakdown: PyramidBreakdown) -> Explanation:
    modified = _modified(breakdown)
    capped = Explanation("modified, at most 1", "min", children=(modified, Explanation("limit", value=1.0)))
    children = (_original(breakdown), capped if modified.evaluate() > 1 else modified)
    return Explanation("comprehensive: harmonic mean", "harmonic", children=children)


def _presence(breakdown: PyramidBreakdown) -> Explanation:
    score = breakdown.score
    if not score.scus:
        return Explanation("presence: undefined, there are no SCUs", value=math.nan)
    leaves = tuple(
        Explanation(scu.label, value=1.0, evidence=breakdown.evidence[scu.scu_id]) for scu in score.matched
    )
    children = (
        Explanation("matched SCUs", "sum", children=leaves),
        Explanation("SCUs", value=float(len(score.scus))),
    )
    return Explanation("presence", "ratio", children=children)


def _matched(breakdown: PyramidBreakdown) -> Explanation:
    leaves = tuple(
        Explanation(scu.label, value=float(scu.weight), evidence=breakdown.evidence[scu.scu_id])
        for scu in breakdown.score.matched
    )
    return Explanation("weights of the matched SCUs", "sum", children=leaves)


def _ideal(label: str, scus: Sequence[WeightedScu]) -> Explanation:
    leaves = tuple(Explanation(scu.label, value=float(scu.weight)) for scu in scus)
    return Explanation(label, "sum", children=leaves)
