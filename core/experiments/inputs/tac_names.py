"""Lookup of TAC's names (Responsiveness, initial and update topics) in a study with other names."""

from __future__ import annotations

from dataclasses import dataclass

from core.comparison.judgements import rated_judgements, unit_judgement
from core.domain.topic_sets import INITIAL, SET_LETTERS
from core.errors import InputError
from core.experiments.inputs.measure_inputs import NO_PYRAMIDS, PYRAMID
from core.names import unknown_name
from core.ports import Study

RESPONSIVENESS, PYRAMIDS = "responsiveness", "pyramid"

_WORDS = ("responsive", "overall", "content", "relevance")


@dataclass(frozen=True, slots=True)
class NameMatch:
    """Name in the study, empty = all topics. stand_in: a sentence if it is not the paper's own."""

    name: str
    stand_in: str = ""


def resolve_judgement(study: Study, query: str) -> NameMatch:
    """Return the judgement for Responsiveness or the pyramid score, or its substitute. Raises InputError."""
    if query == PYRAMIDS:
        if not (unit := unit_judgement(study)):
            raise InputError(NO_PYRAMIDS)
        return NameMatch(unit, "" if unit == PYRAMID else _stand_in_note(unit, "the pyramid score"))
    ratings = rated_judgements(study)
    if not ratings:
        raise InputError("This study has no ratings. The paper used Responsiveness. Import some.")
    for word in _WORDS:
        for name in ratings:
            if word in name.lower():
                return NameMatch(name, "" if word == _WORDS[0] else _stand_in_note(name))
    return NameMatch(ratings[0], _stand_in_note(ratings[0]))


def resolve_topic_set(study: Study, query: str) -> NameMatch:
    """Return the set of topics for the paper's initial or update topics; empty = all topics.

    If topics have no sets, all are used for the initial ones. Raises InputError if there are no update
    topics, or no set of another requested name.
    """
    sets = list(dict.fromkeys(head.set for head in study.texts.topics() if head.set))
    if not query or query in sets:
        return NameMatch(query)
    for name in sets:
        if name.lower() in (query, SET_LETTERS.get(query)):
            return NameMatch(name)
    if query == INITIAL and not sets:
        return NameMatch(
            "", "The topics have no sets: all of them are used in place of the paper's initial topics."
        )
    unknown = unknown_name("set of topics", query, sets)
    raise InputError(f"{unknown} Leave the setting empty to use all topics.")


def has_set(study: Study, query: str) -> bool:
    """Return whether a study has topics of a set, by the paper's name or a synonym."""
    try:
        return bool(resolve_topic_set(study, query).name)
    except InputError:
        return False


def _stand_in_note(name: str, meant: str = "Responsiveness") -> str:
    return f"{name} replaces {meant}, which the paper used."
