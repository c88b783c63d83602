"""Words for the methods of p-values, intervals, tests and clusters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from core.comparison.families import SELECTION, family_words
from core.comparison.inference import (
    InferenceResult,
    SignificanceGroups,
    draws_for,
    ends_of,
    method_at,
    p_caution,
    p_method,
)
from core.comparison.options import BEST, Adjustment, DifferenceTest, InferenceOptions, IntervalMethod
from core.formatting.numbers import UNDEFINED, pluralize
from core.stats.resampling.intervals import FEW_IN_TAIL, Intervals
from core.stats.resampling.power import SIZE_FACTORS, TARGET_POWER
from core.stats.types import Coefficient, Ends, Level

RULES = {
    Adjustment.HOLM: "Holm",
    Adjustment.BENJAMINI_HOCHBERG: "Benjamini–Hochberg",
    Adjustment.NONE: "not adjusted",
}
P_CAUTION = "!"
"""Mark of a p that holds for less than it seems to."""

_OVER = {"both": "systems and topics", "systems": "systems", "topics": "topics", "annotators": "annotators"}
_SIDES = {
    "two": "two-sided",
    "greater": "one-sided (the baseline correlates better)",
    "less": "one-sided (the baseline correlates worse)",
}
_MAIN_ONLY = (
    "Only the main measure of each metric is tested: F, or else the score, of its default configuration. "
    "--family all tests every measure, --measure NAME the given ones."
)


def bootstrap_text(method: IntervalMethod, ends: Ends) -> str:
    """Return a method of intervals, as ``BCa bootstrap over systems and topics``."""
    return f"{'BCa' if ends is Ends.BCA else 'percentile'} bootstrap over {_OVER[method.rpartition('-')[2]]}"


def permutation_text(test: DifferenceTest) -> str:
    """Return a test of differences, as ``paired permutation of systems``."""
    return f"paired permutation of {_OVER[test.rpartition('-')[2]]}"


def tests_text(test: DifferenceTest) -> str:
    """Return tests of differences, as ``paired permutation tests that exchange systems``."""
    if test is DifferenceTest.WILLIAMS:
        return "Williams' test"
    return f"paired permutation tests that exchange {_OVER[test.rpartition('-')[2]]}"


def interval_text(options: InferenceOptions, level: Level) -> str:
    """Return the method of intervals with the number of resamples and the seed; empty = no intervals."""
    method = method_at(level, options.interval)
    if method in (IntervalMethod.NONE, IntervalMethod.T_TEST):
        return ""
    if method is IntervalMethod.FISHER:
        return "Fisher's transformation, assuming independent pairs"
    return f"{bootstrap_text(method, ends_of(options))}, {options.draws:,} resamples, seed {options.seed}"


def test_text(options: InferenceOptions, tests: int) -> str:
    """Return the test of differences. tests: number of tests that are adjusted together."""
    if options.test is DifferenceTest.WILLIAMS:
        signs = " on absolute correlations" if options.magnitudes else ""
        return f"Williams' test{signs} with {options.freedom.replace('-', ' − ')} degrees of freedom"
    draws = draws_for(options, tests)
    return f"{permutation_text(options.test)}, up to {draws:,} draws, seed {options.seed}"


def methods_line(options: InferenceOptions, level: Level, tests: int) -> str:
    """Return the methods of intervals and of tests of differences in one line; empty = neither."""
    tested = test_text(options, tests) if options.against else ""
    return " · ".join(text for text in (interval_text(options, level), tested) if text)


def p_notes(options: InferenceOptions, level: Level, coefficient: Coefficient) -> list[str]:
    """Return a caution on p, or why there is none where a reader may expect it."""
    if caution := p_caution(options, level, coefficient):
        return [f"{P_CAUTION} p by {p_method(options, level, coefficient)} {caution}."]
    if p_method(options, level, coefficient) or coefficient.is_accuracy:
        return []
    return [
        f"No p at {level} level without resampling: use --interval {method_at(level, IntervalMethod.AUTO)}."
    ]


def interval_notes(options: InferenceOptions, level: Level, results: Iterable[InferenceResult]) -> list[str]:
    """Return how intervals were computed, and which there are none of or are unsteady."""
    estimates = [one.intervals for one in results if one.asks_interval]
    if not estimates:
        return []
    sentences = [f"{options.confidence:.0%} intervals: {interval_text(options, level)}."]
    if any(np.isfinite(one.p).any() for one in estimates):
        sentences[0] += (
            " p: test of zero correlation by the same method; below "
            f"{1 - options.confidence:.2g} where the interval excludes 0."
        )
    return [*sentences, *interval_cautions(estimates, options.draws, mark="* ", remedy=" Increase --draws.")]


def interval_cautions(
    estimates: Sequence[Intervals],
    draws: int,
    places: Sequence[int] | None = None,
    *,
    mark: str = "",
    remedy: str = "",
) -> list[str]:
    """Return which correlations have no interval or an unsteady one, a sentence each.

    draws: number of resamples. places: indices of the measures that are shown, None = all.
    mark: before unsteady intervals. remedy: against them.
    """
    shown = [
        (one.reasons[at], bool(one.has_few_in_tail[at]), int(one.undefined[at]))
        for one in estimates
        for at in (range(len(one.reasons)) if places is None else places)
    ]
    reasons = Counter(reason for reason, _, _ in shown if reason)
    sentences = [f"No interval for {pluralize(n, 'correlation')}: {reason}." for reason, n in reasons.items()]
    if unsteady := sum(is_unsteady for _, is_unsteady, _ in shown):
        sentences.append(
            f"{mark}{pluralize(unsteady, 'interval has an end', 'intervals have an end')} with fewer than "
            f"{FEW_IN_TAIL} of the {draws:,} resamples beyond it, so it depends on the seed.{remedy}"
        )
    if undefined := max((count for _, _, count in shown), default=0):
        sentences.append(f"Excluded as undefined: up to {undefined:,} of {draws:,} resamples.")
    return sentences


def difference_notes(
    options: InferenceOptions, results: Iterable[InferenceResult], needed: str, *, only_main: bool
) -> list[str]:
    """Return how differences were tested. needed: units of required sizes; empty = not requested.

    only_main: whether ranked measures are not tested, as they are not the main ones of their metrics.
    """
    tested, sentences = [one for one in results if one.against], []
    is_best = options.against == BEST
    for one in tested:
        family = family_words(one.human, one.against, one.tests, RULES[options.adjustment], is_best=is_best)
        how = f"{test_text(options, one.tests)}, {_SIDES[options.sides]}"
        sentences += [f"p (difference): {how}; {family}.", *filter(None, one.reasons)]
        if one.untestable:
            sentences.append(f"{one.human}: {one.untestable}.")
    if tested and only_main:
        sentences.append(_MAIN_ONLY)
    if is_best and any(one.tests for one in tested):
        sentences.append(f"{SELECTION}.")
    if needed and tested:
        sentences.append(
            f"Required {needed}: number that detects a difference of the observed size with "
            f"{TARGET_POWER:.0%} power; {UNDEFINED}: unknown, or more than {int(max(SIZE_FACTORS))} times "
            "the present number. In parentheses: the same for both ends of the interval of the difference, "
            f"as the observed difference is uncertain; {UNDEFINED} there also where it contains 0."
        )
    return sentences


def cluster_notes(options: InferenceOptions, groups: Mapping[str, SignificanceGroups]) -> list[str]:
    """Return what clusters are, and for which judgements there are none."""
    sentences = [
        f"{human}: no clusters, {one.reason}; --compare best has fewer tests."
        for human, one in groups.items()
        if one.reason
    ]
    grouped = [one for one in groups.values() if not one.reason]
    if grouped and not any(one.tests for one in grouped):
        sentences.append("No clusters: no pair of measures could be tested.")
    elif grouped:
        pairs = max(one.tests for one in grouped)
        rule = RULES[options.adjustment]
        how = f"{test_text(options, pairs)}, two-sided; {rule} over all {pluralize(pairs, 'pair')}"
        sentences.append(
            "Clusters: from best to worst, a new cluster starts at a measure that differs significantly from "
            f"one in the current cluster. Measures that share a letter do not differ significantly: {how}; "
            f"p < {1 - options.confidence:.2g}."
        )
    return sentences
