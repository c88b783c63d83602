"""Numbers of systems and of topics that the difference of two measures requires, simulated from a study."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.comparison.inference import correlation_inputs, required_sample_sizes
from core.formatting.coefficients import SYMBOLS
from core.formatting.numbers import format_correlation, format_count
from core.operations.correlate import CorrelationData
from core.operations.options import CorrelateRequest
from core.progress import JobSteps
from core.stats.resample_counts import ResampleUnit
from core.stats.resampling.power import TARGET_POWER, Power
from core.stats.types import Coefficient

_SHOWN = 6
_WHAT = {ResampleUnit.SYSTEMS: "systems", ResampleUnit.TOPICS: "topics"}


@dataclass(frozen=True, slots=True)
class RequiredSizes:
    """Required numbers of systems and of topics. own: the numbers in this study."""

    coefficient: Coefficient
    title: str
    labels: tuple[str, str]
    found: tuple[Power, Power]
    own: tuple[int, int]


def find_required_sizes(
    data: CorrelationData, request: CorrelateRequest, human: str, labels: tuple[str, str]
) -> JobSteps[RequiredSizes]:
    """Simulate studies of other sizes from this one."""
    every = [ref.label for ref in data.comparison.refs]
    pair = data.comparison.part([every.index(label) for label in labels])
    inputs, found = correlation_inputs(pair, human, *request.method), []
    for over in (ResampleUnit.SYSTEMS, ResampleUnit.TOPICS):
        found += yield from required_sample_sizes(inputs, [(0, 1)], over, request.inference())
    there = np.isfinite(inputs.z)
    own = int(there.any(axis=1).sum()), int(there.any(axis=0).sum())
    title = data.judgements[human].title
    return RequiredSizes(request.coefficient, title, labels, (found[0], found[1]), own)


def required_sizes_text(needed: RequiredSizes) -> tuple[str, ...]:
    """Return the required sizes, one sentence each."""
    first, second = needed.labels
    symbol = SYMBOLS[needed.coefficient]
    difference = format_correlation(abs(needed.found[0].difference))
    return (
        f"{first} and {second} differ by {symbol} = {difference} with {needed.title}. Studies of other sizes "
        "are simulated by drawing from this one, with that difference as the true one. The required size is "
        f"the smallest at which {TARGET_POWER:.0%} of the simulated studies detect it at 95 % confidence.",
        *_sentences(needed),
    )


def _interval_sentence(power: Power, what: str) -> str:
    """Return how far the required number may be off, given how uncertain the observed difference is."""
    if not math.isfinite(power.low):
        return f"The difference has no interval over {what}, so this number is a guess from one study."
    ends = f"{format_correlation(power.low)} to {format_correlation(power.high)}"
    fewest = f"{format_count(power.needed_low)} {what}" if power.needed_low else "more than were tried"
    most = (
        f"{format_count(power.needed_high)} {what}"
        if power.needed_high
        else "no number of them"
        if power.may_be_none
        else "more than were tried"
    )
    return (
        f"The observed difference is uncertain: over {what} its 95 % interval is {ends}. At its ends, "
        f"{fewest} to {most} are needed."
    )


def _sentences(needed: RequiredSizes) -> Iterator[str]:
    for found, own in zip(needed.found, needed.own, strict=True):
        what = _WHAT[found.over]
        has = f"this study has {format_count(own)}"
        if not found.is_known:
            yield f"How many {what} are needed is unknown; {has}."
            continue
        if found.needed is None:
            yield f"More than {format_count(found.sizes[-1])} {what} are needed; {has}."
        else:
            yield f"About {format_count(found.needed)} {what} are needed; {has}."
        yield _interval_sentence(found, what)
        tried = [(n, p) for n, p in zip(found.sizes, found.chances, strict=True) if p == p]
        step = max(1, -(-len(tried) // _SHOWN))
        listed = ", ".join(f"{format_count(n)}: {p:.0%}" for n, p in tried[::step])
        yield f"Power by number of {what}: {listed or 'undefined'}."
