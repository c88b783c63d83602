"""Whether a study has judgements, without reading all of them: lists of experiments ask for each."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

from core.comparison.eligibility import is_own_name
from core.errors import InputError
from core.experiments.inputs.measure_inputs import NO_JUDGEMENTS
from core.ports import Study

V = TypeVar("V")

NO_PYRAMIDS = "This study has no pyramid scores yet. Match summaries and mark them done first."

_TOPICS_AT_FIRST = 8


def has_judgements(study: Study) -> bool:
    """Whether there is a scale that people rated on, or a summary whose matching is done."""
    return bool(study.dimensions()) or has_pyramid_scores(study)


def nothing_to_compare(study: Study, chosen: str) -> str:
    """Why nothing can stand beside a judgement, with the remedy; empty = something can. chosen: measures."""
    if not has_judgements(study):
        return NO_JUDGEMENTS
    if not chosen and not study.configs() and not has_pyramid_scores(study):
        return "This study has no scores yet. Run `pyramidion score` first."
    return ""


def with_others(people: Mapping[str, V], labels: Collection[str]) -> dict[str, V]:
    """The judgements beside which something of these labels stands that is not of their own annotations.

    Raises InputError where there is none.
    """
    kept = {
        name: judgement
        for name, judgement in people.items()
        if not all(is_own_name(label, name) for label in labels)
    }
    if not kept:
        raise InputError(
            f"Nothing is there to stand beside {', '.join(people)}. Score first, or choose another."
        )
    return kept


def has_pyramid_scores(study: Study) -> bool:
    """Whether some summary's matching is marked done; looks at a few topics before it reads all."""
    topics = [head.id for head in study.topics()]
    return _is_matched(study, topics[:_TOPICS_AT_FIRST]) or _is_matched(study, topics[_TOPICS_AT_FIRST:])


def _is_matched(study: Study, topics: list[str]) -> bool:
    if not topics:
        return False
    found = study.annotations(topics)
    return any(state.is_done for annotation in found for state in annotation.states)
