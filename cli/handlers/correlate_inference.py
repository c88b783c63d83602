"""Columns of intervals and tests for `pyramidion correlate`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.comparison.comparison import Comparison, CorrelationRow
from core.comparison.eligibility import Status
from core.comparison.families import SELECTION, family_of, family_words
from core.comparison.inference import (
    CorrelationInputs,
    InferenceResult,
    SignificanceGroups,
    draws_for,
    ends_of,
    infer,
    method_at,
    oriented,
    p_caution,
    p_method,
    required_sample_sizes,
    significance_groups,
)
from core.comparison.options import (
    BEST,
    Adjustment,
    DifferenceTest,
    InferenceOptions,
    IntervalMethod,
    Variants,
)
from core.domain.ratings import RatingCube
from core.formatting.numbers import UNDEFINED, format_correlation, format_p, pluralize
from core.progress import JobSteps
from core.stats.correlation import Coefficient, Level
from core.stats.intervals import FEW_IN_TAIL
from core.stats.power import SIZE_FACTORS, TARGET_POWER, Power
from core.stats.resample_counts import ResampleUnit
from core.stats.types import Ends

MOST = int(max(SIZE_FACTORS))
_INTERVAL = ("low", "high", "no_interval", "undefined_draws", "tail_draws")
_CLUSTER = ("cluster", "letters")
_DIFFERENCE = ("compared_with", "p_difference", "p_adjusted", "adjusted_over", "in_family")
_NEEDED = ("needed", "needed_low", "needed_high")

Results = Mapping[str, InferenceResult]
"""By judgement."""

RequiredSizes = Mapping[str, Sequence[Power | None]]
"""For each judgement and measure, the sample size required to detect its difference."""


def infer_all(
    comparison: Comparison,
    samples: Mapping[str, CorrelationInputs],
    cubes: Mapping[str, RatingCube],
    options: InferenceOptions,
    variants: Variants,
) -> JobSteps[dict[str, InferenceResult]]:
    """Compute intervals, p and tests by judgement."""
    results: dict[str, InferenceResult] = {}
    for human, sample in samples.items():
        family = family_of(comparison.refs, variants, comparison.ranked(human))
        method = (sample.level, sample.coefficient, options, sample.undefined, cubes.get(human), family)
        results[human] = yield from infer(comparison, human, *method)
    return results


def required_sizes_all(
    comparison: Comparison,
    samples: Mapping[str, CorrelationInputs],
    results: Results,
    over: str,
    options: InferenceOptions,
) -> JobSteps[dict[str, list[Power | None]]]:
    """Estimate required sample sizes by judgement; empty if not requested."""
    required: dict[str, list[Power | None]] = {}
    labels = [ref.label for ref in comparison.refs]
    for human, one in results.items() if over else ():
        if not one.against:
            continue
        place = labels.index(one.against)
        others = [i for i in one.family if i != place]
        powers = yield from required_sample_sizes(
            samples[human], [(place, i) for i in others], ResampleUnit(over), options
        )
        needed = dict(zip(others, powers, strict=True))
        required[human] = [needed.get(i) for i in range(len(labels))]
    return required


def group_all(
    comparison: Comparison,
    samples: Mapping[str, CorrelationInputs],
    options: InferenceOptions,
    variants: Variants,
) -> JobSteps[dict[str, SignificanceGroups]]:
    """Compute groups of measures without significant differences, by judgement."""
    found: dict[str, SignificanceGroups] = {}
    for human, sample in samples.items():
        family = family_of(comparison.refs, variants, comparison.ranked(human))
        found[human] = yield from significance_groups(oriented(sample, comparison.refs), options, family)
    return found


@dataclass(frozen=True, slots=True)
class Columns:
    """Additional columns by judgement; each may be empty."""

    results: Results
    required: RequiredSizes
    groups: Mapping[str, SignificanceGroups]

    def names(self) -> tuple[str, ...]:
        """Return the names of the columns that have values."""
        every = self.results.values()
        has_interval = any(one.asks_interval for one in every)
        has_test = any(one.against for one in every)
        return (
            *(_INTERVAL if has_interval else ()),
            *(_DIFFERENCE if has_test else ()),
            *(_NEEDED if self.required else ()),
            *(_CLUSTER if self.groups else ()),
        )

    def cell(self, human: str, place: int, column: str) -> Any:
        """Return the value of a column for a measure, by its position, and a judgement."""
        if column in _CLUSTER:
            group = self.groups[human]
            return (group.ranks[place] or None) if column == "cluster" else group.letters[place]
        if column in _NEEDED:
            power = self.required[human][place] if human in self.required else None
            return getattr(power, column) if power is not None else None
        one = self.results[human]
        if column == "compared_with":
            return one.against
        if column == "adjusted_over":
            return one.tests
        if column == "in_family":
            return place in one.family
        found = one.intervals
        if column == "no_interval":
            return found.reasons[place]
        if column == "undefined_draws":
            return int(found.undefined[place])
        if column == "tail_draws":
            count = found.tail_draws[place]
            return int(count) if math.isfinite(count) else None
        values = {"low": found.low, "high": found.high, "p_difference": one.p, "p_adjusted": one.adjusted}
        return float(values[column][place])

    def p_of(self, row: CorrelationRow, place: int) -> float:
        """Return p for zero correlation, by the method of the interval."""
        return float(self.results[row.human].intervals.p[place])


def places_of(rows: Sequence[CorrelationRow]) -> list[int]:
    """Return the position of each row's measure; rows are grouped by judgement, in the same measure order."""
    seen: dict[str, int] = {}
    places = []
    for row in rows:
        places.append(seen.get(row.human, 0))
        seen[row.human] = places[-1] + 1
    return places


def format_row(cells: Mapping[str, Any]) -> dict[str, str]:
    """Format the values of a row."""
    texts: dict[str, str] = {}
    if "low" in cells:
        low, high = cells["low"], cells["high"]
        ends = f"{format_correlation(low, 3)} to {format_correlation(high, 3)}"
        is_unsteady = cells["tail_draws"] is not None and cells["tail_draws"] < FEW_IN_TAIL
        texts["interval"] = f"{ends}{' *' if is_unsteady else ''}" if math.isfinite(low) else UNDEFINED
    if "p_adjusted" in cells:
        texts["p_adjusted"] = _difference_text(cells)
    if "needed" in cells:
        texts["needed"] = _needed_text(cells)
    if "cluster" in cells:
        texts["cluster"] = f"{cells['cluster']} {cells['letters']}" if cells["cluster"] else UNDEFINED
    return texts


def _difference_text(cells: Mapping[str, Any]) -> str:
    """Format p of the difference, or why there is none."""
    if cells["measure"] == cells["compared_with"]:
        return "(baseline)"
    is_left_out = cells["status"] == Status.RANKED and not cells["in_family"]
    return "not tested" if is_left_out and cells["compared_with"] else format_p(cells["p_adjusted"])


def _needed_text(cells: Mapping[str, Any]) -> str:
    """Format a sample size with its interval, as ``40 (22 to 310)``; a dash if above the maximum tried."""
    middle, low, high = (UNDEFINED if cells[key] is None else f"{cells[key]:,}" for key in _NEEDED)
    return UNDEFINED if (middle, low) == (UNDEFINED, UNDEFINED) else f"{middle} ({low} to {high})"


def headers(columns: Sequence[str], needed: str) -> dict[str, str]:
    """Return the headings of the columns. needed: the units whose required number is a column."""
    heads = {"interval": "Interval"} if "low" in columns else {}
    heads |= {"p_adjusted": "p (difference)"} if "p_adjusted" in columns else {}
    heads |= {"needed": f"Required {needed}"} if "needed" in columns else {}
    return heads | ({"cluster": "Cluster"} if "cluster" in columns else {})


def policy_of(
    options: InferenceOptions,
    level: Level,
    coefficient: Coefficient,
    columns: Columns,
    needed: str,
    *,
    only_main: bool,
) -> list[str]:
    """Describe how p, intervals and differences were computed."""
    results = columns.results
    sentences = [*_p_sentences(options, level, coefficient), *_interval_sentences(options, level, results)]
    tested = [one for one in results.values() if one.against]
    for one in tested:
        is_best = options.against == BEST
        family = family_words(one.human, one.against, one.tests, _RULES[options.adjustment], is_best=is_best)
        how = f"{test_text(options, one.tests)}, {_SIDES[options.sides]}"
        sentences.append(f"p (difference): {how}; {family}.")
        sentences += filter(None, one.reasons)
        if one.untestable:
            sentences.append(f"{one.human}: {one.untestable}.")
    if tested and only_main:
        sentences.append(_MAIN_ONLY)
    if options.against == BEST and any(one.tests for one in tested):
        sentences.append(f"{SELECTION}.")
    if needed and tested:
        sentences.append(
            f"Required {needed}: number that detects a difference of the observed size with "
            f"{TARGET_POWER:.0%} power; {UNDEFINED}: more than {MOST} times the present number. In "
            "parentheses: "
            "the same for both ends of the interval of the difference, as the observed difference is "
            "uncertain."
        )
    return [*sentences, *_cluster_sentences(options, columns.groups)]


_FEWER = "--compare best has fewer tests"


def _cluster_sentences(options: InferenceOptions, groups: Mapping[str, SignificanceGroups]) -> list[str]:
    """Describe clusters, and for which judgements there are none."""
    sentences = [
        f"{human}: no clusters, {one.reason}; {_FEWER}." for human, one in groups.items() if one.reason
    ]
    grouped = [one for one in groups.values() if not one.reason]
    if grouped and not any(one.tests for one in grouped):
        sentences.append("No clusters: no pair of measures could be tested.")
    elif grouped:
        pairs = max(one.tests for one in grouped)
        rule = _RULES[options.adjustment]
        how = f"{test_text(options, pairs)}, two-sided; {rule} over all {pluralize(pairs, 'pair')}"
        sentences.append(
            "Clusters: from best to worst, a new cluster starts at a measure that differs significantly from "
            f"one in the current cluster. Measures that share a letter do not differ significantly: {how}; "
            f"p < {1 - options.confidence:.2g}."
        )
    return sentences


_MAIN_ONLY = (
    "Only the main measure of each metric is tested: F, or else the score, of its default configuration. "
    "--family all tests every measure, --measure NAME the given ones."
)


P_CAUTION = "!"
"""Mark of a p that holds for less than it seems to."""


def _p_sentences(options: InferenceOptions, level: Level, coefficient: Coefficient) -> list[str]:
    """Return a caution on p, or why there is none where a reader may expect it."""
    if caution := p_caution(options, level, coefficient):
        return [f"{P_CAUTION} p by {p_method(options, level, coefficient)} {caution}."]
    if p_method(options, level, coefficient) or coefficient.is_accuracy:
        return []
    return [
        f"No p at {level} level without resampling: use --interval {method_at(level, IntervalMethod.AUTO)}."
    ]


def _interval_sentences(options: InferenceOptions, level: Level, results: Results) -> list[str]:
    with_interval = [one for one in results.values() if one.asks_interval]
    if not with_interval:
        return []
    sentences = [f"{options.confidence:.0%} intervals: {_interval_text(options, level)}."]
    if any(np.isfinite(one.intervals.p).any() for one in with_interval):
        sentences[0] += (
            " p: test of zero correlation by the same method; below "
            f"{1 - options.confidence:.2g} where the interval excludes 0."
        )
    reasons: dict[str, int] = {}
    for one in with_interval:
        for reason in filter(None, one.intervals.reasons):
            reasons[reason] = reasons.get(reason, 0) + 1
    sentences += [
        f"No interval for {pluralize(n, 'correlation')}: {reason}." for reason, n in reasons.items()
    ]
    if unsteady := sum(int(one.intervals.has_few_in_tail.sum()) for one in with_interval):
        sentences.append(
            f"* {pluralize(unsteady, 'interval has an end', 'intervals have an end')} with fewer than "
            f"{FEW_IN_TAIL} of the {options.draws:,} resamples beyond it, so it depends on the seed. "
            "Increase --draws."
        )
    undefined = max(int(one.intervals.undefined.max(initial=0)) for one in with_interval)
    if undefined:
        sentences.append(f"Excluded as undefined: up to {undefined:,} of {options.draws:,} resamples.")
    return sentences


def _interval_text(options: InferenceOptions, level: Level) -> str:
    method = method_at(level, options.interval)
    if method is IntervalMethod.FISHER:
        return "Fisher's transformation, assuming independent pairs"
    over = _OVER[method.rpartition("-")[2]]
    ends = "BCa" if ends_of(options) == Ends.BCA else "percentile"
    return f"{ends} bootstrap over {over}, {options.draws:,} resamples, seed {options.seed}"


def test_text(options: InferenceOptions, tests: int) -> str:
    """Describe the test of differences. tests: number of tests that are adjusted together."""
    if options.test is DifferenceTest.WILLIAMS:
        signs = " on absolute correlations" if options.magnitudes else ""
        return f"Williams' test{signs} with {options.freedom.replace('-', ' − ')} degrees of freedom"
    return (
        f"paired permutation of {_OVER[options.test.rpartition('-')[2]]}, up to "
        f"{draws_for(options, tests):,} draws, seed {options.seed}"
    )


_OVER = {"both": "systems and topics", "systems": "systems", "topics": "topics", "annotators": "annotators"}
_SIDES = {
    "two": "two-sided",
    "greater": "one-sided (the baseline correlates better)",
    "less": "one-sided (the baseline correlates worse)",
}
_RULES = {
    Adjustment.HOLM: "Holm",
    Adjustment.BENJAMINI_HOCHBERG: "Benjamini–Hochberg",
    Adjustment.NONE: "not adjusted",
}
