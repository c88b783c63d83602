"""Topic sets of an experiment, and parsing of lists of sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from core.domain.study import TopicHeader
from core.errors import InputError
from core.matrix import ScoreMatrix
from core.metrics.base import setting
from core.names import resolve_name
from core.ports import Study

Judged = TypeVar("Judged")
Restricted = TypeVar("Restricted")


def set_setting() -> Any:
    explained = "Only topics of this set, such as initial or update. Empty = all topics."
    return setting("", explained, title="Set of topics")


def topics_of_set(study: Study, chosen: str) -> tuple[str, ...]:
    """Return the names of a set's topics, all by default. Raises InputError for an unknown one."""
    return tuple(head.name for head in heads_of_set(study.texts.topics(), chosen))


def heads_of_set(heads: Sequence[TopicHeader], chosen: str) -> list[TopicHeader]:
    """Return the topics of a set, all by default. Raises InputError for an unknown one."""
    if not chosen:
        return list(heads)
    name = resolve_name("set of topics", chosen, dict.fromkeys(head.set for head in heads if head.set))
    return [head for head in heads if head.set == name]


def judged_on(judgement: ScoreMatrix, topics: Sequence[str]) -> ScoreMatrix:
    """Return a judgement restricted to judged topics among these.

    Raises InputError if there is none.
    """
    requested = set(topics)
    has_any = np.isfinite(judgement.values).sum(axis=0) > 0
    there = zip(judgement.topics, has_any, strict=True)
    included = [name for name, is_judged in there if is_judged and name in requested]
    if not included:
        raise InputError(f"{judgement.label} has no value on any of the selected topics.")
    return judgement.select(judgement.systems, included)


def possible(
    judgements: Mapping[str, Judged], restricted: Callable[[Judged], Restricted]
) -> tuple[dict[str, Restricted], tuple[str, ...]]:
    """Return what an experiment makes of each judgement, and a sentence for each that it cannot use.

    restricted: raises InputError with the reason why it cannot.
    Raises InputError with all reasons if none can be used.
    """
    found, refused = {}, []
    for name, judgement in judgements.items():
        try:
            found[name] = restricted(judgement)
        except InputError as error:
            refused.append(str(error))
    if refused and not found:
        raise InputError(" ".join(dict.fromkeys(refused)))
    return found, tuple(f"Left out: {reason}" for reason in dict.fromkeys(refused))


def judged_on_any(
    judgements: Mapping[str, ScoreMatrix], topics: Sequence[str]
) -> tuple[dict[str, ScoreMatrix], tuple[str, ...]]:
    """Return the judgements restricted to judged topics among these, and a sentence for each without any.

    Raises InputError if none has a value.
    """
    return possible(judgements, lambda judgement: judged_on(judgement, topics))


def whole_numbers(listed: str) -> list[int]:
    """Parse positive integers separated by commas, ascending and unique. Raises InputError."""
    texts = [text.strip() for text in listed.split(",") if text.strip()]
    if bad := [text for text in texts if not text.isdecimal() or int(text) < 1]:
        raise InputError(
            f"{bad[0]!r} is not a positive integer. Write numbers separated by commas, such as 1,2,4."
        )
    return sorted({int(text) for text in texts})


def doubling(most: int, first: int = 1) -> list[int]:
    """Return numbers that double from the first up to the maximum, which is always included."""
    counts = [first * 2**step for step in range(most.bit_length()) if first * 2**step < most]
    return [*counts, most] if most >= 1 else []
