"""A stored score with its explanation, as values and as JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.comparison.explanations.explain_score import ENCODED, explain
from core.comparison.explanations.explained_judgement import explain_judgement
from core.comparison.explanations.explained_parts import Path, best_reference, parts
from core.comparison.judgements import judgement_matrix, rating_judgements
from core.comparison.measures import MeasureRef, find_measure
from core.comparison.pyramid_judgements import PyramidJudgement
from core.comparison.staleness_text import changes_text
from core.domain.reference_authors import reference_system_name
from core.domain.study import TopicTexts
from core.errors import InputError
from core.metrics.base import Evidence, Explanation, Resources
from core.metrics.base.needs import MODELS
from core.names import fitting_names, resolve_name, unknown_name
from core.ports import Study
from core.scoring.config import config_from_stored

EXACT = 1e-9
"""Difference allowed between a tree and the stored score of a metric without a model."""

SCHEMA_VERSION = 1
"""Raised when a key of the JSON changes its meaning."""

_JUDGED = "human judgement"


@dataclass(frozen=True, slots=True, eq=False)
class ExplainedScore:
    """A score of one summary, by a measure or by people.

    name: of the measure or judgement. signature: of the measure, or the judgement's policy.
    stored: as in the study, NaN = undefined. tree: evaluates to it, within ``tolerance``.
    changed: what has changed since scoring, a sentence; empty = nothing.
    """

    topic: TopicTexts
    system: str
    name: str
    signature: str
    stored: float
    tree: Explanation
    tolerance: float = EXACT
    changed: str = ""

    @property
    def is_reproduced(self) -> bool:
        """Whether the tree has the stored value."""
        value = self.tree.evaluate()
        if math.isnan(value) or math.isnan(self.stored):
            return math.isnan(value) and math.isnan(self.stored)
        return math.isclose(value, self.stored, rel_tol=self.tolerance, abs_tol=self.tolerance)


def explain_named(
    study: Study, refs: Sequence[MeasureRef], name: str, topic: str, system: str, resources: Resources
) -> ExplainedScore:
    """Explain a score by the name of a measure, or of a human judgement.

    refs: the measures of the study.
    Raises InputError where it is unknown or missing, or cannot be explained.
    """
    topic = resolve_name("topic", topic, [head.name for head in study.texts.topics()])
    humans = map(reference_system_name, study.texts.reference_authors())
    system = resolve_name("system", system, [*(one.name for one in study.texts.systems()), *humans])
    labels, ratings = [ref.label for ref in refs], rating_judgements(study)
    if name not in labels and PyramidJudgement.read(name):
        return _explain_judged(study, name, topic, system)
    fits = fitting_names(name, [*labels, *ratings])
    if len(fits) == 1 and fits[0] in ratings:
        return _explain_judged(study, fits[0], topic, system)
    return explain_stored(study, find_measure(refs, name), topic, system, resources)


def explain_stored(
    study: Study, ref: MeasureRef, topic_name: str, system: str, resources: Resources
) -> ExplainedScore:
    """Explain a stored score. Raises InputError where it is missing or cannot be explained."""
    topic_id = _topic_id(study, topic_name)
    stored = _stored(study, ref, topic_id, system)
    tree = explain(study, ref, topic_id, system, resources)
    changes = {key: value for key, value in ref.staleness.changes.items() if key == topic_id}
    has_model = bool(config_from_stored(ref.config).metric.needs & MODELS)
    return ExplainedScore(
        study.texts.topic(topic_id),
        system,
        ref.label,
        ref.signature,
        stored,
        tree,
        ENCODED if has_model else EXACT,
        changes_text(study, [replace(ref.staleness, changes=changes)]),
    )


def _explain_judged(study: Study, name: str, topic_name: str, system: str) -> ExplainedScore:
    topic_id = _topic_id(study, topic_name)
    matrix = judgement_matrix(study, name)
    if system not in matrix.systems:
        raise InputError(unknown_name(f"system with {name}", system, matrix.systems))
    stored = float(matrix.values[matrix.systems.index(system), matrix.topics.index(topic_name)])
    tree = explain_judgement(study, name, topic_id, system)
    return ExplainedScore(study.texts.topic(topic_id), system, name, _JUDGED, stored, tree)


def _topic_id(study: Study, name: str) -> str:
    ids = {head.name: head.id for head in study.texts.topics()}
    return ids[resolve_name("topic", name, ids)]


def _stored(study: Study, ref: MeasureRef, topic_id: str, system: str) -> float:
    block = next(iter(study.scores.blocks(ref.signature, topic_id)), None)
    if block is None:
        raise InputError(f"{ref.label} is not scored on this topic. Score it: pyramidion score STUDY")
    if system not in block.systems:
        scored = list(dict.fromkeys(block.systems))
        raise InputError(unknown_name(f"system with a score of {ref.label} there", system, scored))
    return float(block.values[block.systems.index(system), ref.config.measures.index(ref.measure)])


def explanation_document(score: ExplainedScore) -> dict[str, Any]:
    """Return a score with its parts and tree as JSON; undefined numbers are null."""
    texts, listed = texts_of(score), parts(score.tree)
    left = {path: part.without for part in listed for path in part.paths}
    return {
        "schema_version": SCHEMA_VERSION,
        "topic": score.topic.name,
        "system": score.system,
        "measure": score.name,
        "signature": score.signature,
        "stored": _number(score.stored),
        "value": _number(score.tree.evaluate()),
        "is_reproduced": score.is_reproduced,
        "best_reference": best_reference(score.tree) or None,
        "parts": [
            {
                "name": part.name,
                "paths": [list(path) for path in part.paths],
                "value": _number(part.value),
                "without": _number(part.without),
                "contribution": _number(part.contribution),
            }
            for part in listed
        ],
        "tree": _node(score.tree, (), texts, left),
    }


def _node(
    node: Explanation, path: Path, texts: Mapping[tuple[str, str], str], left: Mapping[Path, float]
) -> dict[str, Any]:
    return {
        "label": node.label,
        "operator": node.operator,
        "operand": node.value if node.operator in ("power", "rounded") else None,
        "value": _number(node.evaluate()),
        "without": _number(left.get(path, math.nan)),
        "evidence": [
            {
                "role": one.role,
                "text": one.name,
                "start": one.span[0],
                "end": one.span[1],
                "weight": _number(one.weight),
                "words": words_of(one, texts),
            }
            for one in node.evidence
        ],
        "children": [_node(child, (*path, at), texts, left) for at, child in enumerate(node.children)],
    }


def texts_of(score: ExplainedScore) -> dict[tuple[str, str], str]:
    """Return the texts that evidence can name, by role and name."""
    topic = score.topic
    named = [("document", text) for text in topic.documents]
    named += [("reference", text) for text in topic.references]
    found = {(role, text.name): text.content for role, text in named}
    own = [text for text in (*topic.summaries, *topic.references) if text.name == score.system]
    return found | {("summary", score.system): own[0].content if own else ""}


def words_of(evidence: Evidence, texts: Mapping[tuple[str, str], str]) -> str:
    """Return the words of a span; empty if its text is not of the topic."""
    start, end = evidence.span
    return texts.get((evidence.role, evidence.name), "")[start:end]


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
