"""Sentences of the Compare page: warnings, methods, excluded systems."""

from __future__ import annotations

from collections.abc import Collection

from core.comparison.cautions import SMALL_SAMPLE, cautions
from core.comparison.eligibility import Status, ranking_notes
from core.comparison.inference import correlation_inputs
from core.formatting.coefficients import explanation
from core.formatting.numbers import format_count, pluralize
from core.stats.correlation import Level
from gui.pages.compare.correlations.queries import CorrelationColumn
from gui.pages.compare.correlations.study_data import ComparisonData
from gui.pages.compare.table.table_content import TableContent

_LISTED = 4


def warnings_of(numbers: ComparisonData, answer: CorrelationColumn) -> tuple[str, ...]:
    """Return the warnings for the current judgement."""
    question, comparison = answer.question, numbers.comparison
    sample = correlation_inputs(comparison, question.human, question.level, question.coefficient)
    labels = [ref.label for ref in comparison.refs]
    ranking = ranking_notes(labels, {question.human: comparison.eligibility(question.human)})
    scope = [numbers.refusal] if numbers.refusal else []
    if numbers.is_common:
        systems, topics = comparison.size()
        every = pluralize(len(numbers.topics), "topic")
        scope.append(
            f"All measures are compared on {format_count(topics)} of {every} and "
            f"{pluralize(systems, 'system')}: those that every measure has scored completely."
        )
    moving = comparison.text_cautions([question.human]) if question.level is Level.SYSTEM else []
    return (*scope, *ranking, *cautions(sample, labels), *moving)


def has_incomplete(numbers: ComparisonData, answer: CorrelationColumn) -> bool:
    """Return whether measures are unranked that would be ranked on common topics."""
    eligible = numbers.comparison.eligibility(answer.question.human)
    return not numbers.refusal and any(one.status is Status.INCOMPLETE for one in eligible)


def is_small(answer: CorrelationColumn) -> bool:
    """Return whether the sample is too small."""
    return (
        answer.question.level is not Level.GLOBAL
        and max((row.n for row in answer.rows), default=SMALL_SAMPLE) < SMALL_SAMPLE
    )


def left_out_text(without: Collection[str], count: int) -> str:
    """Return a sentence on excluded systems; empty = none."""
    if not without:
        return ""
    names = sorted(without)
    listed = ", ".join(names[:_LISTED]) + (" …" if len(names) > _LISTED else "")
    verb = "is" if len(names) == 1 else "are"
    return f"{len(names)} of {pluralize(count, 'system')} {verb} left out: {listed}."


def formula_text(content: TableContent) -> tuple[str, ...]:
    """Return how the numbers of the table are computed, one sentence each."""
    question = content.answers[0].question
    method = (content.method[0].upper() + content.method[1:] + ".",) if content.method else ()
    refs = (content.numbers.judgements[answer.question.human] for answer in content.answers)
    judged = (r.policy if r.policy.startswith(r.title) else f"{r.title}: {r.policy}" for r in refs)
    return (*explanation(*question.method), *method, *judged)
