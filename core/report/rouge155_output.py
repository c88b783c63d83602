"""Output in the format of ROUGE-1.5.5, for scripts that parse it.

ROUGE-1.5.5's average over topics is not their mean but the mean of the means of 1,000 resamples. Its
resampling is deterministic: resample i is drawn by Perl's own generator, seeded with i, from the topics in
order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cmp_to_key, lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from core.comparison.measures import measures
from core.errors import InputError
from core.metrics import registry
from core.metrics.base import Mask
from core.metrics.registry import split_label
from core.metrics.rouge.overlap import OverlapMetric
from core.ports import Array, MetricConfig, ScoreBlock, Study

RESAMPLES = 1000
CONFIDENCE = 95.0
DECIMALS = 5

_MULTIPLIER, _INCREMENT, _BITS = np.uint64(0x5DEECE66D), np.uint64(0xB), np.uint64(2**48 - 1)
"""Of the linear congruential generator drand48, which Perl uses since 5.20."""


@dataclass(frozen=True, slots=True)
class Average:
    """An average and the ends of its interval, to DECIMALS places."""

    mean: float
    low: float
    high: float


def topic_averages(
    values: Array, resamples: int = RESAMPLES, confidence: float = CONFIDENCE
) -> tuple[Average, ...]:
    """Return each measure's average over topics.

    values: shape (topics, measures) as printed, to DECIMALS places, with topics sorted by name; at least one
    topic.
    confidence: per cent below 100.
    """
    return _averages(values, lambda sums: sums / len(values), resamples, confidence)


def token_averages(
    counts: Array, alpha: float, resamples: int = RESAMPLES, confidence: float = CONFIDENCE
) -> tuple[Average, ...]:
    """Return recall, precision and F of counts summed over topics (-t 1). alpha: weight of precision in F.

    counts: shape (topics, 3): matched, in the references, in the summary. ROUGE-W's are only divided too, not
    taken to the power of 1 / weight.
    """
    return _averages(counts, lambda sums: _shares(sums, alpha), resamples, confidence)


@lru_cache(maxsize=8)
def perl_draws(count: int, resamples: int) -> NDArray[np.int64]:
    """Return Perl's int(rand(count)), `count` times after each srand(0), srand(1), …

    Returns shape (resamples, count).
    """
    state = (np.arange(resamples, dtype=np.uint64) << np.uint64(16)) + np.uint64(0x330E)
    draws = np.empty((resamples, count), dtype=np.int64)
    for k in range(count):
        state = (state * _MULTIPLIER + _INCREMENT) & _BITS
        draws[:, k] = (state * 2.0**-48 * count).astype(np.int64)
    return draws


def _averages(
    rows: Array, finish: Callable[[Array], Array], resamples: int, confidence: float
) -> tuple[Average, ...]:
    draws = perl_draws(len(rows), resamples)
    sums = np.zeros((resamples, rows.shape[1]))
    for k in range(len(rows)):  # one after another, as rounding depends on the order
        sums += rows[draws[:, k]]
    ranked = np.sort(finish(sums), axis=0)
    return tuple(_average(column, confidence) for column in ranked.T)


def _average(ranked: Array, confidence: float) -> Average:
    """Return the average of sorted resamples.

    Both ends of the interval are interpolated with the same weight.
    """
    count = len(ranked)
    outside = count * ((100 - confidence) / 2) / 100
    high, low = int(count - outside - 1), int(outside)
    share = count - outside - 1 - high
    mean = float(np.cumsum(ranked)[-1]) / count
    return Average(*(round(value, DECIMALS) for value in (mean, *_between(ranked, (low, high), share))))


def _between(ranked: Array, places: tuple[int, int], share: float) -> list[float]:
    last = len(ranked) - 1
    return [float(ranked[at] + (ranked[min(at + 1, last)] - ranked[at]) * share) for at in places]


def _shares(sums: Array, alpha: float) -> Array:
    matched, in_references, in_summary = sums.T
    recall, precision = _ratio(matched, in_references), _ratio(matched, in_summary)
    f = _ratio(recall * precision, (1 - alpha) * precision + alpha * recall)
    return np.stack([recall, precision, f], axis=-1)


def _ratio(top: Array, bottom: Array) -> Array:
    return np.divide(top, bottom, out=np.zeros_like(top), where=bottom > 0)


_NUMBER = re.compile(r"[0-9]+")


@dataclass(frozen=True, slots=True)
class _Evaluation:
    """Scores of a system in one topic, with one reference left out in a jackknife."""

    name: str
    values: Array
    counts: Array


@dataclass(frozen=True, slots=True)
class _Run:
    """Evaluations of a configuration by system. tag: the script's name of the metric."""

    tag: str
    alpha: float
    evaluations: Mapping[str, Sequence[_Evaluation]]


def rouge_lines(study: Study, *, by_tokens: bool = False) -> Iterator[str]:
    """Return the script's output for every stored ROUGE in 1.5.5 mode: averages, then evaluations (-a -d).

    by_tokens: averages of counts summed over topics (-t 1), evaluations as counts.
    Configurations of the same measure are distinguished in brackets. Raises InputError if the study has no
    such scores.
    """
    runs = _runs(study)
    if not runs:
        raise InputError(
            "The study has no ROUGE scores in 1.5.5 mode. Score rouge-n or another ROUGE metric first."
        )
    for system in sorted({system for run in runs for system in run.evaluations}):
        for run in runs:
            if system in run.evaluations:
                yield from _lines(f"{system} {run.tag}", run, run.evaluations[system], by_tokens=by_tokens)


def _runs(study: Study) -> list[_Run]:
    topics = {head.id: head.name for head in study.texts.topics()}
    labels = {
        ref.signature: split_label(ref.label)[0] for ref in measures(study, check_stale=False, with_made=True)
    }
    metrics = [
        (config, metric) for config in study.scores.configs() if (metric := _metric(config)) is not None
    ]
    names = Counter(config.measures[0] for config, _ in metrics)
    runs = []
    for config, metric in metrics:
        blocks = study.scores.blocks(config.signature)
        evaluations = _by_system(metric, config, blocks, topics)
        is_alone = names[config.measures[0]] == 1
        label = split_label(config.measures[0])[0] if is_alone else labels[config.signature]
        runs.append(_Run(_tag(label), metric.alpha, evaluations))
    return runs


def _metric(config: MetricConfig) -> OverlapMetric[Any] | None:
    """Return the metric of a configuration with the script's rounding; None if the script lacks it."""
    try:
        metric = registry.parse(config.spec) if config.spec else None
    except InputError:  # unknown to this version
        return None
    if not isinstance(metric, OverlapMetric) or not metric.is_in_release:
        return None
    return cast(OverlapMetric[Any], replace(cast(Any, metric), rounding="1.5.5"))


def _tag(label: str) -> str:
    measure, bracket, rest = label.partition("[")
    return f"ROUGE-{measure.upper().removeprefix('ROUGE-')}{bracket}{rest}"


def _by_system(
    metric: OverlapMetric[Any], config: MetricConfig, blocks: Sequence[ScoreBlock], topics: Mapping[str, str]
) -> dict[str, list[_Evaluation]]:
    evaluations: dict[str, list[_Evaluation]] = {}
    for block in blocks:
        if block.stats is None:
            continue
        for name, references, rows in _folds(config, block, topics[block.topic_id]):
            values = metric.combine(block.stats, references)
            counts = metric.counts(block.stats, references)
            for row in rows:
                system = block.systems[row]
                evaluation = _Evaluation(f"{name}.{system}", values[row], counts[row])
                evaluations.setdefault(system, []).append(evaluation)
    return {system: sorted(each, key=lambda e: e.name) for system, each in evaluations.items()}


def _folds(config: MetricConfig, block: ScoreBlock, topic: str) -> Iterator[tuple[str, Mask, Sequence[int]]]:
    """Yield the evaluations of a topic: name, included references, rows of the evaluated systems."""
    count = len(block.references)
    if not config.scores_humans:
        yield topic, np.ones(count, dtype=np.bool_), range(len(block.systems))
        return
    systems = len(block.systems) - count
    for left_out in range(count if count > 1 else 0):
        rows = [*range(systems), systems + left_out]
        yield f"{topic}.{block.references[left_out]}", np.arange(count) != left_out, rows


def _lines(head: str, run: _Run, evaluations: Sequence[_Evaluation], *, by_tokens: bool) -> Iterator[str]:
    yield "-" * 45
    counts, values = (np.array([getattr(e, part) for e in evaluations]) for part in ("counts", "values"))
    averages = token_averages(counts, run.alpha) if by_tokens else topic_averages(values)
    for letter, average in zip("RPF", averages, strict=True):
        yield f"{head} Average_{letter}: {_interval(average)}"
    yield "." * 45
    for e in sorted(evaluations, key=cmp_to_key(_by_number)):
        recall, precision, f = _counted(e.counts) if by_tokens else [f"{value:.5f}" for value in e.values]
        yield f"{head} Eval {e.name} R:{recall} P:{precision} F:{f}"


def _interval(average: Average) -> str:
    return f"{average.mean:.5f} ({CONFIDENCE:g}%-conf.int. {average.low:.5f} - {average.high:.5f})"


def _counted(counts: Array) -> list[str]:
    """Return reference, candidate and match counts in Perl's number format, which the script prints here."""
    matched, in_references, in_summary = counts
    return [f"{count:.15g}" for count in (in_references, in_summary, matched)]


def _by_number(one: _Evaluation, other: _Evaluation) -> int:
    """Return the script's sort key: numeric by leading numbers if both have one, else by name."""
    numbers = _NUMBER.match(one.name), _NUMBER.match(other.name)
    if numbers[0] and numbers[1] and int(numbers[0].group()) != int(numbers[1].group()):
        return int(numbers[0].group()) - int(numbers[1].group())
    return (one.name > other.name) - (one.name < other.name)
