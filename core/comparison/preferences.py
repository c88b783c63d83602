"""Scores of summaries and systems from annotators' preferences: Bradley–Terry strengths, and counting.

Counting: of pairs the share of comparisons won, ties half; of best–worst scaling the share in which a summary
is the best minus the share in which it is the worst. Sources: Bradley and Terry 1952; Davidson 1970 (ties);
Orme 2009; Kiritchenko and Mohammad 2017.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

import numpy as np

from core.agreement.items import AnnotatedItems
from core.domain.annotator_filter import resolve_annotators
from core.domain.preferences import ComparisonItem, ComparisonKind, ComparisonPlan, Preference, implied_pairs
from core.names import resolve_name
from core.ports import Study
from core.stats.estimators.bradley_terry import BradleyTerryFit, Unidentified, fit_bradley_terry

PREFIX = "preference."


class PreferenceScore(StrEnum):
    """How preferences become scores."""

    COUNT = "count"
    BRADLEY_TERRY = "bt"


@dataclass(frozen=True, slots=True)
class AnsweredPlan:
    """A plan with its comparisons and the included answers. annotators: names of those who answered."""

    plan: ComparisonPlan
    items: Mapping[str, ComparisonItem]
    answers: tuple[Preference, ...]
    annotators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SystemResult:
    """Result of one system over all topics.

    comparisons: in which it was. best, worst: how often it was preferred, or the other was; ties: of pairs.
    count: score by counting. strength: logarithm of the Bradley–Terry strength, NaN = none.
    """

    system: str
    comparisons: int
    best: int
    worst: int
    ties: int
    count: float
    strength: float


@dataclass(frozen=True, slots=True)
class PlanResult:
    """Results of a plan, best system first.

    tie: Davidson's ν, 0 = no ties. unidentified: why there are no strengths.
    """

    systems: tuple[SystemResult, ...]
    tie: float
    unidentified: Unidentified


def preference_judgements(study: Study) -> list[str]:
    """Return the names of the judgements by preferences, such as ``preference.quality.bt``."""
    return [f"{PREFIX}{plan.name}.{score}" for plan in study.comparisons.plans() for score in PreferenceScore]


def split_name(study: Study, name: str) -> tuple[ComparisonPlan, PreferenceScore] | None:
    """Return the plan and score of a judgement's name, None = it is not one by preferences."""
    for plan in study.comparisons.plans():
        for score in PreferenceScore:
            if name == f"{PREFIX}{plan.name}.{score}":
                return plan, score
    return None


def plan_named(study: Study, name: str) -> ComparisonPlan:
    """Return the plan of a name. Raises InputError for an unknown one."""
    known = {plan.name: plan for plan in study.comparisons.plans()}
    return known[resolve_name("plan of comparisons", name, known)]


def answered_plan(study: Study, plan: ComparisonPlan, annotators: Sequence[str] = ()) -> AnsweredPlan:
    """Return a plan with the answers of some annotators. annotators: names or groups, empty = all."""
    people = study.annotators.all()
    counting = resolve_annotators(annotators, people)
    names = {person.id: person.name for person in people if counting is None or person.name in counting}
    items = {item.id: item for item in study.comparisons.items(plan.id)}
    answers = tuple(one for one in study.comparisons.preferences(plan.id) if one.annotator_id in names)
    who = sorted({names[one.annotator_id] for one in answers})
    return AnsweredPlan(plan, items, answers, tuple(who))


def summary_scores(answered: AnsweredPlan, score: PreferenceScore) -> tuple[dict[str, float], Counter[str]]:
    """Return scores by summary id, and how often a topic has no Bradley–Terry strengths, by reason.

    Bradley–Terry strengths are estimated within each topic.
    """
    by_topic: dict[str, list[Preference]] = defaultdict(list)
    for answer in answered.answers:
        by_topic[answered.items[answer.item_id].topic_id].append(answer)
    found: dict[str, float] = {}
    reasons: Counter[str] = Counter()
    for answers in by_topic.values():
        if score is PreferenceScore.COUNT:
            found.update(count_scores(answered, answers))
            continue
        summaries = sorted({one for a in answers for one in answered.items[a.item_id].summary_ids})
        fit = strengths_of(answered, answers, {one: one for one in summaries}, summaries)
        if fit.unidentified:
            reasons[fit.unidentified] += 1
        found.update(
            (summary, float(strength))
            for summary, strength in zip(summaries, fit.strengths, strict=True)
            if np.isfinite(strength)
        )
    return found, reasons


def count_scores(answered: AnsweredPlan, answers: Iterable[Preference]) -> dict[str, float]:
    """Return the score of each summary by counting."""
    points: dict[str, float] = defaultdict(float)
    shown: Counter[str] = Counter()
    is_pair = answered.plan.kind is ComparisonKind.PAIRWISE
    for answer in answers:
        item = answered.items[answer.item_id]
        shown.update(item.summary_ids)
        for summary in item.summary_ids:
            if is_pair:
                points[summary] += 0.5 if answer.is_tie else float(summary == answer.best)
            else:
                points[summary] += float(summary == answer.best) - float(summary == answer.worst)
    return {summary: points[summary] / count for summary, count in shown.items()}


def strengths_of(
    answered: AnsweredPlan, answers: Iterable[Preference], label: Mapping[str, str], labels: Sequence[str]
) -> BradleyTerryFit:
    """Return Bradley–Terry strengths of labels, such as systems. label: of each summary id."""
    place = {name: at for at, name in enumerate(labels)}
    wins, ties = np.zeros((len(labels), len(labels))), np.zeros((len(labels), len(labels)))
    for answer in answers:
        item = answered.items[answer.item_id]
        for better, other in implied_pairs(item, answer):
            wins[place[label[better]], place[label[other]]] += 1
        if answer.is_tie:
            first, second = (place[label[one]] for one in item.summary_ids)
            ties[first, second] += 1
            ties[second, first] += 1
    return fit_bradley_terry(wins, ties)


def plan_result(study: Study, answered: AnsweredPlan) -> PlanResult:
    """Return the results of all systems, over all topics, best first."""
    label = {text.id: text.name for topic in study.texts.load() for text in topic.summaries}
    shown: Counter[str] = Counter()
    best: Counter[str] = Counter()
    worst: Counter[str] = Counter()
    ties: Counter[str] = Counter()
    for answer in answered.answers:
        item = answered.items[answer.item_id]
        systems = [label[one] for one in item.summary_ids]
        shown.update(systems)
        if answer.best is None or answer.worst is None:
            ties.update(systems)
        else:
            best[label[answer.best]] += 1
            worst[label[answer.worst]] += 1
    labels = sorted(shown)
    fit = strengths_of(answered, answered.answers, label, labels)
    is_pair = answered.plan.kind is ComparisonKind.PAIRWISE
    results = [
        SystemResult(
            name,
            shown[name],
            best[name],
            worst[name],
            ties[name],
            (best[name] + ties[name] / 2 if is_pair else best[name] - worst[name]) / shown[name],
            float(strength),
        )
        for name, strength in zip(labels, fit.strengths, strict=True)
    ]
    results.sort(key=lambda one: (-one.count, one.system))
    return PlanResult(tuple(results), fit.tie, fit.unidentified)


def repeated_answers(answered: AnsweredPlan) -> tuple[int, int]:
    """Return how many pairs of one annotator's answers to the same summaries are equal, of how many."""
    given: dict[tuple[str, frozenset[str]], list[tuple[str | None, str | None]]] = defaultdict(list)
    for one in answered.answers:
        summaries = frozenset(answered.items[one.item_id].summary_ids)
        given[one.annotator_id, summaries].append((one.best, one.worst))
    are_equal = [first == second for own in given.values() for first, second in combinations(own, 2)]
    return sum(are_equal), len(are_equal)


def preference_items(
    study: Study, plan: ComparisonPlan, counting: Collection[str] | None
) -> dict[str, AnnotatedItems]:
    """Return the answers as items of an agreement analysis, by what they ask for.

    The value is the place of the chosen summary, counted from 1; of a pair, 0 = a tie.
    """
    people = {p.id: p.name for p in study.annotators.all() if counting is None or p.name in counting}
    answers = [one for one in study.comparisons.preferences(plan.id) if one.annotator_id in people]
    items = {item.id: item for item in study.comparisons.items(plan.id)}
    who = sorted({people[one.annotator_id] for one in answers})
    topics = study.texts.topics()
    topic_of = {topic.id: place for place, topic in enumerate(topics)}
    row_of = {item_id: row for row, item_id in enumerate(items)}
    asked = ("",) if plan.kind is ComparisonKind.PAIRWISE else ("best", "worst")
    values = {part: np.full((len(items), len(who)), np.nan) for part in asked}
    for one in answers:
        summaries = items[one.item_id].summary_ids
        for part in asked:
            chosen = one.worst if part == "worst" else one.best
            place = 0 if chosen is None else summaries.index(chosen) + 1
            values[part][row_of[one.item_id], who.index(people[one.annotator_id])] = place
    places = np.array([topic_of[item.topic_id] for item in items.values()], dtype=np.int64)
    names = tuple(topic.name for topic in topics)
    found = {}
    for part, matrix in values.items():
        there = np.isfinite(matrix).any(axis=1)
        found[part] = AnnotatedItems(matrix[there], places[there], names, tuple(who))
    return found
