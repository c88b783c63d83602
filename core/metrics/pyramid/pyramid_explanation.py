"""Explanations of pyramid scores, with the text in which each SCU was matched."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from core.domain.pyramid import Part, TopicAnnotation
from core.domain.pyramid.scores import PyramidScore, WeightedScu, score_reference, score_summary
from core.domain.study import Text, TopicTexts
from core.metrics.base import Evidence, Explanation

_Role = Literal["summary", "reference"]


@dataclass(frozen=True, slots=True)
class PyramidBreakdown:
    """A text's score by one annotator. evidence: id of each matched SCU to the words that express it."""

    by: str
    score: PyramidScore
    evidence: Mapping[str, tuple[Evidence, ...]]


def break_down_score(
    annotation: TopicAnnotation, annotator_id: str, by: str, topic: TopicTexts, text: Text
) -> PyramidBreakdown:
    """The score of a summary, or of a reference as a system, by one annotator of that name."""
    pyramid, references = annotation.pyramid, [reference.id for reference in topic.references]
    if text.id in topic.humans:
        score = score_reference(pyramid, text.id, references)
        own = _contributors(annotation, {text.id: text.name}, "summary")
    else:
        matches = annotation.matches_of(text.id, annotator_id)
        score = score_summary(pyramid, matches, references)
        own = ((m.scu_id, "summary", text.name, m.parts) for m in matches if m.scu_id is not None)
    others = {r.id: r.name for r in topic.references if r.id != text.id}
    weights = {scu.scu_id: scu.weight for scu in score.matched}
    evidence: dict[str, tuple[Evidence, ...]] = dict.fromkeys(weights, ())
    for scu_id, role, name, parts in (*own, *_contributors(annotation, others, "reference")):
        if scu_id in weights:
            found = (Evidence(role, name, part.span, weights[scu_id]) for part in parts)
            evidence[scu_id] = (*evidence[scu_id], *found)
    return PyramidBreakdown(by, score, evidence)


def explain_kinds(accounts: Sequence[PyramidBreakdown]) -> Iterator[Explanation]:
    """Trees of the modified, original, comprehensive and presence score; each a mean where several judged."""
    for explain in (_modified, _original, _comprehensive, _presence):
        trees = [(each.by, explain(each)) for each in accounts]
        defined = [(by, tree) for by, tree in trees if math.isfinite(tree.evaluate())]
        if len(trees) == 1 or not defined:
            yield trees[0][1] if trees else Explanation("nobody marked this summary done", value=math.nan)
        else:
            children = tuple(Explanation(f"by {by}", "sum", children=(tree,)) for by, tree in defined)
            yield Explanation("mean over annotators", "mean", children=children)


_Found = tuple[str, _Role, str, tuple[Part, ...]]
"""An SCU's id, and whose words express it."""


def _contributors(annotation: TopicAnnotation, names: Mapping[str, str], role: _Role) -> Iterator[_Found]:
    """What references (id to name) express."""
    for scu in annotation.pyramid.scus:
        for contributor in scu.contributors:
            if contributor.reference_id in names:
                yield scu.id, role, names[contributor.reference_id], contributor.parts


def _modified(account: PyramidBreakdown) -> Explanation:
    score = account.score
    ideal = _ideal(
        f"ideal of {score.average_units} units, the rounded average of {score.contributions} in "
        f"{score.references} references",
        score.scus[: score.average_units],
    )
    if not ideal.evaluate():
        return Explanation("modified: undefined without an SCU in the average reference", value=math.nan)
    return Explanation("modified", "ratio", children=(_matched(account), ideal))


def _original(account: PyramidBreakdown) -> Explanation:
    score = account.score
    if not score.scus:
        return Explanation("original: undefined without SCUs", value=math.nan)
    counted = f"{len(score.matched)} SCUs, {score.repeats} repeated, {score.outside} outside"
    ideal = _ideal(f"ideal of {score.units} units: {counted}", score.scus[: score.units])
    return Explanation("original", "ratio", children=(_matched(account), ideal))


def _comprehensive(account: PyramidBreakdown) -> Explanation:
    modified = _modified(account)
    capped = Explanation("modified, at most 1", value=1.0, children=(modified,))
    children = (_original(account), capped if modified.evaluate() > 1 else modified)
    return Explanation("comprehensive: harmonic mean", "harmonic", children=children)


def _presence(account: PyramidBreakdown) -> Explanation:
    score = account.score
    if not score.scus:
        return Explanation("presence: undefined without SCUs", value=math.nan)
    found = tuple(
        Explanation(scu.label, value=1.0, evidence=account.evidence[scu.scu_id]) for scu in score.matched
    )
    children = (
        Explanation("SCUs found", "sum", children=found),
        Explanation("SCUs", value=float(len(score.scus))),
    )
    return Explanation("presence", "ratio", children=children)


def _matched(account: PyramidBreakdown) -> Explanation:
    leaves = tuple(
        Explanation(scu.label, value=float(scu.weight), evidence=account.evidence[scu.scu_id])
        for scu in account.score.matched
    )
    return Explanation("weights of the SCUs found", "sum", children=leaves)


def _ideal(label: str, scus: Sequence[WeightedScu]) -> Explanation:
    leaves = tuple(Explanation(scu.label, value=float(scu.weight)) for scu in scus)
    return Explanation(label, "sum", children=leaves)
