"""Explanations of human judgements: pyramid and nugget scores, and means of ratings."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.comparison.judgements import included_ratings
from core.comparison.pyramid_judgements import PyramidJudgement, count_units
from core.domain.annotator_filter import resolve_annotators
from core.domain.pyramid import Pyramid, TopicAnnotation, UnitKind, completed_summaries
from core.domain.pyramid.nugget_edits import only_confirmed, with_automatic
from core.domain.pyramid.nugget_scores import NuggetCounts
from core.domain.reference_authors import reference_system_name
from core.domain.study import Text, TopicTexts
from core.errors import InputError
from core.metrics.base import Evidence, Explanation
from core.metrics.pyramid.pyramid_explanation import break_down_score, evidence_of_units, explain_kinds
from core.ports import Study, annotations_of


def explain_judgement(
    study: Study, name: str, topic_id: str, system: str, annotators: Sequence[str] = ()
) -> Explanation:
    """Return the tree that evaluates to a human value of one summary.

    name: of a pyramid or nugget score, or of a rating.
    annotators: names or groups to include, empty = as the judgement's policy says.
    Raises InputError for preferences, which are computed from all comparisons at once, and where the summary
    is not judged.
    """
    if (judgement := PyramidJudgement.read(name)) is not None:
        tree = _explain_units(study, judgement, study.texts.topic(topic_id), system, annotators)
    elif (cube := included_ratings(study, name, annotators)) is not None:
        topic = next(head.name for head in study.texts.topics() if head.id == topic_id)
        tree = Explanation("not rated", value=math.nan)
        if system in cube.systems and topic in cube.topics:
            values = cube.values[:, cube.systems.index(system), cube.topics.index(topic)]
            rated = zip(cube.annotators, values.tolist(), strict=True)
            ratings = tuple(Explanation(f"by {who}", value=one) for who, one in rated if math.isfinite(one))
            tree = Explanation("mean of the ratings", "mean", children=ratings)
    else:
        raise InputError(
            f"{name} is computed from the comparisons of all summaries at once, so it has no parts."
        )
    if math.isnan(tree.evaluate()):
        raise InputError(f"{system} has no value of {name} there ({tree.label}), so nothing is explained.")
    return tree


def _explain_units(
    study: Study, judgement: PyramidJudgement, topic: TopicTexts, system: str, annotators: Sequence[str]
) -> Explanation:
    counting = resolve_annotators(annotators, study.annotators.all())
    people = {person.id: person.name for person in study.annotators.all()}
    trees = []
    for annotation in annotations_of(study, judgement.unit).annotations():
        if annotation.pyramid.topic_id != topic.id:
            continue
        for annotator_id in dict.fromkeys(s.annotator_id for s in annotation.states if s.is_done):
            by = people[annotator_id]
            if counting is None or by in counting:
                trees += [
                    (by, tree) for tree in _trees(annotation, topic, annotator_id, by, judgement, system)
                ]
    defined = [(by, tree) for by, tree in trees if math.isfinite(tree.evaluate())]
    if len(defined) == 1:
        return defined[0][1]
    children = tuple(Explanation(f"by {by}", "sum", children=(tree,)) for by, tree in defined)
    return Explanation("mean over annotators" if defined else "not judged", "mean", children=children)


def _trees(
    annotation: TopicAnnotation,
    topic: TopicTexts,
    annotator_id: str,
    by: str,
    judgement: PyramidJudgement,
    system: str,
) -> Iterator[Explanation]:
    """Yield the tree of a system's text by one annotator, if it is judged."""
    scope = judgement.scope
    if scope.unit is UnitKind.NUGGET:
        annotation = (with_automatic if scope.with_automatic else only_confirmed)(annotation)
    references = tuple(r for r in topic.references if not scope.references or r.name in scope.references)
    done = completed_summaries(annotation, topic, annotator_id)
    if not done or len(references) < 1 + scope.humans:
        return
    topic = replace(topic, references=references)
    judged = _Judged(annotation, annotator_id, by, judgement)
    if (text := next((text for text in done if text.name == system), None)) is not None:
        if not scope.humans:
            yield judged.tree(topic, text)
            return
        folds = [(left, _without(topic, left)) for left in references]
        trees = [(left.name, judged.tree(rest, text)) for left, rest in folds]
        yield Explanation(
            "mean over leaving one reference out",
            "mean",
            children=tuple(
                Explanation(f"without reference {name}", "sum", children=(tree,))
                for name, tree in trees
                if math.isfinite(tree.evaluate())
            ),
        )
    elif scope.humans:
        for own in references:
            if reference_system_name(own.name) == system:
                yield judged.tree(_without(topic, own), replace(own, name=system))


def _without(topic: TopicTexts, left_out: Text) -> TopicTexts:
    others = tuple(reference for reference in topic.references if reference.id != left_out.id)
    return replace(topic, references=others, humans=frozenset({left_out.id}))


@dataclass(frozen=True, slots=True)
class _Judged:
    """The matches of one annotator. by: the annotator's name."""

    annotation: TopicAnnotation
    annotator_id: str
    by: str
    judgement: PyramidJudgement

    def tree(self, topic: TopicTexts, text: Text) -> Explanation:
        """Return the tree of a summary, or of a reference that ``topic.humans`` names, by the references."""
        if self.judgement.unit is UnitKind.SCU:
            found = break_down_score(self.annotation, self.annotator_id, self.by, topic, text)
            return list(explain_kinds([found]))[self.judgement.index]
        is_reference = text.id in topic.humans
        references = [reference.id for reference in topic.references]
        # a reference is among the references of its own counts, which leave it out
        counted = [*references, text.id] if is_reference else references
        counts = count_units(
            self.annotation,
            self.annotator_id,
            self.judgement.scope,
            counted,
            [] if is_reference else [text.id],
            humans=[text.id] if is_reference else [],
        )
        assert isinstance(counts, NuggetCounts)
        evidence = evidence_of_units(self.annotation, self.annotator_id, topic, text)
        subset = np.array([one != text.id for one in counted], dtype=np.bool_)
        return _nugget_tree(self.judgement.kind, self.annotation.pyramid, counts, subset, evidence)


def _nugget_tree(
    kind: str,
    pyramid: Pyramid,
    counts: NuggetCounts,
    subset: np.ndarray[tuple[int], np.dtype[np.bool_]],
    evidence: Mapping[str, tuple[Evidence, ...]],
) -> Explanation:
    """Return the tree of the only text of counts, by a subset of the references."""
    weights = (subset.astype(np.int64) @ counts.expressed.astype(np.int64)).tolist()
    hits = counts.hits[0].tolist()

    def leaf(place: int, value: float, spans: tuple[Evidence, ...] = ()) -> Explanation:
        evidence = tuple(replace(one, weight=value) for one in spans)
        return Explanation(pyramid.scus[place].label, value=value, evidence=evidence)

    def leaves(places: Collection[int], values: Sequence[float]) -> tuple[Explanation, ...]:
        return tuple(leaf(place, float(values[place]), evidence[pyramid.scus[place].id]) for place in places)

    if kind in ("units", "found"):
        held = [place for place, weight in enumerate(weights) if weight]
        if not held:
            return Explanation("undefined, there are no nuggets", value=math.nan)
        matched = [place for place in held if hits[place]]
        units = sum(hits[place] for place in held) + int(counts.outside[0])
        if counts.is_human[0]:
            units += sum(hit for hit, weight in zip(hits, weights, strict=True) if not weight)
        number = units if kind == "units" else len(matched)
        best = sorted(held, key=lambda place: -weights[place])[:number]
        what = "units" if kind == "units" else "nuggets found"
        return Explanation(
            "weight of the nuggets",
            "ratio",
            children=(
                Explanation("nuggets found", "sum", children=leaves(matched, weights)),
                Explanation(
                    f"best weight of {number} {what}",
                    "sum",
                    children=tuple(leaf(place, float(weights[place])) for place in best),
                ),
            ),
        )
    counted = [place for place, weight in enumerate(weights) if weight or counts.is_unplaced[place]]
    if kind.endswith("vital"):
        counted = [place for place in counted if counts.is_vital[place]]
    if not counted:
        return Explanation("undefined, there are no such nuggets", value=math.nan)
    support = counts.support[0]
    if kind.startswith("strict"):
        support = (support == 1).astype(np.float64)
    supported = [place for place in counted if support[place]]
    return Explanation(
        "share of the nuggets",
        "ratio",
        children=(
            Explanation("support of the nuggets", "sum", children=leaves(supported, support.tolist())),
            Explanation("number of nuggets", value=float(len(counted))),
        ),
    )
