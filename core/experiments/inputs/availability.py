"""Cheap checks for judgements and scores, used to list which experiments can run."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

from core.comparison.eligibility import is_own_name
from core.comparison.judgements import has_judgements, unit_judgement
from core.errors import InputError
from core.experiments.inputs.measure_inputs import NO_JUDGEMENTS, NO_SCORES
from core.ports import Study

V = TypeVar("V")

NO_PYRAMIDS = "This study has no pyramid or nugget scores yet. Match summaries and mark them done first."


def no_judgements(study: Study) -> str:
    """Return that the study has no judgements and what to do about it; empty if it has some."""
    return "" if has_judgements(study) else NO_JUDGEMENTS


def nothing_to_compare(study: Study, chosen: str) -> str:
    """Return why nothing can be compared with a judgement and what to do about it; empty if something can.

    chosen: the selected measures.
    """
    if problem := no_judgements(study):
        return problem
    if not chosen and not study.scores.configs() and not unit_judgement(study):
        return NO_SCORES
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
