"""Intervals and tests as columns of `pyramidion correlate`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.comparison.comparison import Comparison, CorrelationRow
from core.comparison.eligibility import Status
from core.comparison.families import SELECTION, Variants, family_of, family_words
from core.comparison.inference import (
    BEST,
    Adjustment,
    CorrelationInputs,
    DifferenceTest,
    InferenceOptions,
    InferenceResult,
    IntervalMethod,
    SignificanceGroups,
    infer,
    required_sample_sizes,
    significance_groups,
    signs_of,
)
from core.domain.ratings import RatingCube
from core.formatting.coefficients import p_test
from core.formatting.numbers import UNDEFINED, format_correlation, format_p, pluralize
from core.progress import JobSteps
from core.stats.correlation import Coefficient
from core.stats.intervals import FEW_IN_TAIL, Ends
from core.stats.power import SIZE_FACTORS, TARGET_POWER, Power
from core.stats.resample_counts import ResampleUnit

MOST = int(max(SIZE_FACTORS))
_INTERVAL = ("low", "high", "no_interval", "undefined_draws", "tail_draws")
_CLUSTER = ("cluster", "letters")
_DIFFERENCE = ("compared_with", "p_difference", "p_adjusted", "adjusted_over", "in_family")
_NEEDED = ("needed", "needed_low", "needed_high")

Found = Mapping[str, InferenceResult]
"""By judgement."""

Wants = Mapping[str, Sequence[Power | None]]
"""By judgement, of each measure what shows its difference from the one that it is compared with."""


def infer_all(
    comparison: Comparison,
    samples: Mapping[str, CorrelationInputs],
    cubes: Mapping[str, RatingCube],
    chance: InferenceOptions,
    variants: Variants,
) -> JobSteps[dict[str, InferenceResult]]:
    """Return intervals and tests by judgement; empty where nothing is asked."""
    found: dict[str, InferenceResult] = {}
    if chance.interval is not IntervalMethod.NONE or chance.against:
        for human, sample in samples.items():
            family = family_of(comparison.refs, variants, comparison.ranked(human))
            asked = (sample.level, sample.coefficient, chance, sample.undefined, cubes.get(human), family)
            found[human] = yield from infer(comparison, human, *asked)
    return found


def required_sizes_all(
    comparison: Comparison,
    samples: Mapping[str, CorrelationInputs],
    found: Found,
    over: str,
    chance: InferenceOptions,
) -> JobSteps[dict[str, list[Power | None]]]:
    """How many it takes, by judgement; empty where that is not asked."""
    wants: dict[str, list[Power | None]] = {}
    labels = [ref.label for ref in comparison.refs]
    for human, one in found.items() if over else ():
        if not one.against:
            continue
        place = labels.index(one.against)
        others = [i for i in one.family if i != place]
        powers = yield from required_sample_sizes(
            samples[human], [(place, i) for i in others], ResampleUnit(over), chance
        )
        needed = dict(zip(others, powers, strict=True))
        wants[human] = [needed.get(i) for i in range(len(labels))]
    return wants


def group_all(
    comparison: Comparison,
    samples: Mapping[str, CorrelationInputs],
    chance: InferenceOptions,
    variants: Variants,
) -> JobSteps[dict[str, SignificanceGroups]]:
    """Return which measures do not differ, by judgement."""
    found: dict[str, SignificanceGroups] = {}
    for human, sample in samples.items():
        signs = signs_of(comparison.refs, sample.coefficient)
        turned = replace(sample, x=sample.x * signs[:, None, None])
        family = family_of(comparison.refs, variants, comparison.ranked(human))
        found[human] = yield from significance_groups(turned, chance, family)
    return found


@dataclass(frozen=True, slots=True)
class Columns:
    """What is shown beside the correlations, by judgement; each may be empty."""

    standings: Found
    wants: Wants
    groups: Mapping[str, SignificanceGroups]

    def names(self) -> tuple[str, ...]:
        """Which columns these fill."""
        every = self.standings.values()
        has_interval = any(one.asks_interval for one in every)
        has_test = any(one.against for one in every)
        return (
            *(_INTERVAL if has_interval else ()),
            *(_DIFFERENCE if has_test else ()),
            *(_NEEDED if self.wants else ()),
            *(_CLUSTER if self.groups else ()),
        )

    def cell(self, human: str, place: int, column: str) -> Any:
        """Of a judgement's measure by its place."""
        if column in _CLUSTER:
            group = self.groups[human]
            return (group.ranks[place] or None) if column == "cluster" else group.letters[place]
        if column in _NEEDED:
            power = self.wants[human][place] if human in self.wants else None
            return getattr(power, column) if power is not None else None
        one = self.standings[human]
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
        """Return p of "the correlation is 0": by the procedure of the interval where there is one."""
        one = self.standings.get(row.human)
        return row.p if one is None or not one.asks_interval else float(one.intervals.p[place])


def places_of(rows: Sequence[CorrelationRow]) -> list[int]:
    """Return each row's measure by its place; rows stand judgement by judgement, measures in one order."""
    seen: dict[str, int] = {}
    places = []
    for row in rows:
        places.append(seen.get(row.human, 0))
        seen[row.human] = places[-1] + 1
    return places


def format_row(cells: Mapping[str, Any]) -> dict[str, str]:
    """The same for people."""
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
    """Return p of the difference, or why there is none."""
    if cells["measure"] == cells["compared_with"]:
        return "(compared with)"
    is_left_out = cells["status"] == Status.RANKED and not cells["in_family"]
    return "not tested" if is_left_out and cells["compared_with"] else format_p(cells["p_adjusted"])


def _needed_text(cells: Mapping[str, Any]) -> str:
    """Return the number with its interval, as ``40 (22 to 310)``; a dash for more than was tried."""
    middle, low, high = (UNDEFINED if cells[key] is None else f"{cells[key]:,}" for key in _NEEDED)
    return UNDEFINED if (middle, low) == (UNDEFINED, UNDEFINED) else f"{middle} ({low} to {high})"


def headers(columns: Sequence[str]) -> dict[str, str]:
    """Headings of what `texts_of` gives."""
    heads = {"interval": "Interval"} if "low" in columns else {}
    heads |= {"p_adjusted": "p of difference"} if "p_adjusted" in columns else {}
    heads |= {"needed": "Needed"} if "needed" in columns else {}
    return heads | ({"cluster": "Cluster"} if "cluster" in columns else {})


def policy_of(chance: InferenceOptions, columns: Columns, needed: str, *, only_main: bool) -> list[str]:
    """Return how intervals and differences were computed, in sentences."""
    standings = columns.standings
    sentences = _interval_sentences(chance, standings)
    tested = [one for one in standings.values() if one.against]
    for one in tested:
        is_best = chance.against == BEST
        family = family_words(one.human, one.against, one.tests, _RULES[chance.adjustment], is_best=is_best)
        sentences.append(f"p of difference: {test_text(chance)}, {_SIDES[chance.sides]}; {family}.")
    if tested and only_main:
        sentences.append(_MAIN_ONLY)
    if tested and chance.against == BEST:
        sentences.append(f"{SELECTION}.")
    if needed and tested:
        sentences.append(
            f"Needed: {needed} that give a chance of {TARGET_POWER:.0%} to find the difference, if "
            f"it is as large "
            f"as here; {UNDEFINED}: more than {MOST} times as many. In brackets the same for the ends of the "
            f"difference's interval: one study's difference is a poor guide to the true one."
        )
    if columns.groups:
        pairs = max(group.tests for group in columns.groups.values())
        how = (
            f"{test_text(chance)}, two-sided; {_RULES[chance.adjustment]} over all {pluralize(pairs, 'pair')}"
        )
        sentences.append(
            f"Clusters: going down, one begins where a measure differs from any above it in the present one. "
            f"Measures that share a letter do not differ: {how}; p < {1 - chance.confidence:.2g}."
        )
    return sentences


_MAIN_ONLY = (
    "Tested, and possible best, is one measure per metric: its default configuration's F, else its score. "
    "--family all tests every measure, --measure NAME those that are named."
)


def _interval_sentences(chance: InferenceOptions, standings: Found) -> list[str]:
    asked = [one for one in standings.values() if one.asks_interval]
    if not asked:
        return []
    sentences = [
        f"Intervals of {chance.confidence:.0%}: {_interval_text(chance)}. p: of no correlation, "
        "by the same procedure, below "
        f"{1 - chance.confidence:.2g} where the interval leaves out 0."
    ]
    reasons: dict[str, int] = {}
    for one in asked:
        for reason in filter(None, one.intervals.reasons):
            reasons[reason] = reasons.get(reason, 0) + 1
    sentences += [
        f"No interval for {pluralize(n, 'correlation')}: {reason}." for reason, n in reasons.items()
    ]
    if unsteady := sum(int(one.intervals.has_few_in_tail.sum()) for one in asked):
        sentences.append(
            f"* {pluralize(unsteady, 'interval has an end', 'intervals have an end')} with fewer than "
            f"{FEW_IN_TAIL} of the {chance.draws:,} resamples beyond it, which changes with the seed. "
            "Use more --draws."
        )
    undefined = max(int(one.intervals.undefined.max(initial=0)) for one in asked)
    if undefined:
        sentences.append(f"Undefined and left out: up to {undefined:,} of {chance.draws:,} resamples.")
    return sentences


def p_method(chance: InferenceOptions, row: CorrelationRow, columns: Columns) -> str:
    """Return which procedure a row's p is of; empty = it has none."""
    one = columns.standings.get(row.human)
    if row.coefficient is Coefficient.ACCURACY:
        return ""
    if one is None or not one.asks_interval:
        return p_test(row.level, row.coefficient)
    if chance.interval is IntervalMethod.FISHER:
        return "Fisher's z"
    return f"{_ends_of(chance)} {chance.interval}"


def _interval_text(chance: InferenceOptions) -> str:
    if chance.interval is IntervalMethod.FISHER:
        return "Fisher's transformation, as if pairs were independent"
    over = _OVER[chance.interval.rpartition("-")[2]]
    ends = "BCa" if _ends_of(chance) == Ends.BCA else "percentile"
    return f"{ends} bootstrap over {over}, {chance.draws:,} resamples, seed {chance.seed}"


def _ends_of(chance: InferenceOptions) -> Ends:
    """Return how the ends are made; of annotators there are too few for BCa."""
    return Ends.PERCENTILE if chance.interval is IntervalMethod.BOOTSTRAP_ANNOTATORS else chance.ends


def test_text(chance: InferenceOptions) -> str:
    """Return the test of differences, in words."""
    if chance.test is DifferenceTest.WILLIAMS:
        signs = " of the correlations without their signs" if chance.magnitudes else ""
        return f"Williams' test{signs} with {chance.freedom.replace('-', ' − ')} degrees of freedom"
    return (
        f"paired permutation of {_OVER[chance.test.rpartition('-')[2]]}, up to {chance.draws:,} draws, "
        f"seed {chance.seed}"
    )


_OVER = {"both": "systems and topics", "systems": "systems", "topics": "topics", "annotators": "annotators"}
_SIDES = {
    "two": "two-sided",
    "greater": "one-sided (it is the better)",
    "less": "one-sided (it is the worse)",
}
_RULES = {
    Adjustment.HOLM: "Holm",
    Adjustment.BENJAMINI_HOCHBERG: "Benjamini–Hochberg",
    Adjustment.NONE: "not adjusted",
}
