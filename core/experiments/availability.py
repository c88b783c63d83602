"""Cheap checks for judgements and scores, used to list which experiments can run."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

from core.comparison.eligibility import is_own_name
from core.comparison.judgements import rating_judgements
from core.errors import InputError
from core.experiments.inputs.measure_inputs import NO_JUDGEMENTS
from core.ports import Study

V = TypeVar("V")

NO_PYRAMIDS = "This study has no pyramid scores yet. Match summaries and mark them done first."

_TOPICS_AT_FIRST = 8


def has_judgements(study: Study) -> bool:
    """Return whether the study has scales of numbers, plans of comparisons, or a summary marked done."""
    has_scores = bool(rating_judgements(study)) or bool(study.comparisons.plans())
    return has_scores or has_pyramid_scores(study)


def nothing_to_compare(study: Study, chosen: str) -> str:
    """Return why nothing can be compared with a judgement and what to do about it; empty if something can.

    chosen: the selected measures.
    """
    if not has_judgements(study):
        return NO_JUDGEMENTS
    if not chosen and not study.scores.configs() and not has_pyramid_scores(study):
        return "This study has no scores yet. Run `pyramidion score` first."
    return ""


def with_others(people: Mapping[str, V], labels: Collection[str]) -> dict[str, V]:
    """Return the judgements that can be compared with measures not computed from the same annotations.

    Raises InputError if there is none.
    """
    available = {
        name: judgement
        for name, judgement in people.items()
        if not all(is_own_name(label, name) for label in labels)
    }
    if not available:
        raise InputError(
            f"Nothing can be compared with {', '.join(people)}. Score first, or choose another judgement."
        )
    return available


def has_pyramid_scores(study: Study) -> bool:
    """Return whether any summary's matching is marked done.

    Checks a few topics before it reads all of them.
    """
    topics = [head.id for head in study.texts.topics()]
    return _is_matched(study, topics[:_TOPICS_AT_FIRST]) or _is_matched(study, topics[_TOPICS_AT_FIRST:])


def _is_matched(study: Study, topics: list[str]) -> bool:
    if not topics:
        return False
    done = study.pyramids.annotations(topics)
    return any(state.is_done for annotation in done for state in annotation.states)
