"""Plans of comparisons of a study's summaries."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.annotator_filter import is_own_work, resolve_annotators
from core.domain.preferences import (
    DEFAULT_TUPLE,
    ComparisonItem,
    ComparisonKind,
    ComparisonPlan,
    draw_comparisons,
)
from core.domain.pyramid import new_id
from core.errors import InputError
from core.ports import Study

QUESTIONS = {
    ComparisonKind.PAIRWISE: "Which summary is better?",
    ComparisonKind.BEST_WORST: "Which summary is the best, and which the worst?",
}
"""Default questions."""


def draw_plan(
    study: Study,
    name: str,
    kind: ComparisonKind,
    *,
    question: str = "",
    size: int = 0,
    per_summary: int = 4,
    overlap: float = 1.0,
    seed: int = 0,
    annotators: Sequence[str] = (),
) -> tuple[ComparisonPlan, list[ComparisonItem]]:
    """Draw comparisons of the summaries of all systems; empty summaries are left out.

    size: summaries in a comparison of best–worst scaling, 0 = four.
    annotators: names or groups among whom comparisons that do not overlap are divided, needed unless all
        overlap. Raises InputError for invalid settings and unknown annotators.
    """
    people = study.annotators.all()
    chosen = resolve_annotators(annotators, people) if annotators else set()
    people = [person for person in people if is_own_work(person)]
    if overlap < 1 and not chosen:
        raise InputError(
            "Name the annotators among whom the comparisons are divided, or let everybody judge all of them "
            "(an overlap of 1)."
        )
    is_pair = kind is ComparisonKind.PAIRWISE
    asked = question.strip() or QUESTIONS[kind]
    each = size or (2 if is_pair else DEFAULT_TUPLE)
    plan = ComparisonPlan(new_id(), name.strip(), kind, asked, each, per_summary, overlap, seed)
    summaries = {
        topic.id: {text.name: text.id for text in topic.summaries if text.content.strip()}
        for topic in study.texts.load()
    }
    names = {person.id: person.name for person in people if chosen is None or person.name in chosen}
    ids = sorted(names, key=lambda one: names[one])
    drawn = draw_comparisons(plan, {topic: list(by_name) for topic, by_name in summaries.items()}, ids)
    items = [
        ComparisonItem(
            new_id(),
            one.topic_id,
            tuple(summaries[one.topic_id][system] for system in one.systems),
            one.annotator_id,
        )
        for one in drawn
    ]
    return plan, items
