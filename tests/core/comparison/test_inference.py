"""Intervals and differences of a comparison, as the command line and the page ask for them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.comparison.comparison import load_comparison
from core.comparison.inference import (
    CorrelationInputs,
    adjust_p_values,
    differences,
    effective_n,
    infer,
    intervals,
    required_sample_sizes,
    significance_groups,
)
from core.comparison.options import Adjustment, DifferenceTest, InferenceOptions, IntervalMethod
from core.errors import InputError
from core.progress import run_to_completion
from core.stats.correlation import Coefficient, Level, correlate
from core.stats.resample_counts import ResampleUnit
from core.stats.resampling.bootstrap import bootstrap, interval
from core.stats.resampling.power import power
from core.stats.resampling.significance import holm, permutation, williams
from core.stats.types import OF_ROWS, Alternative, Ends

LEVEL, R = Level.SYSTEM, Coefficient.PEARSON
WILLIAMS = InferenceOptions(interval=IntervalMethod.NONE, test=DifferenceTest.WILLIAMS)


@pytest.fixture
def sample() -> CorrelationInputs:
    random = np.random.default_rng(0)
    z = random.random((9, 6))
    return CorrelationInputs(
        np.stack([z + random.normal(0, s, z.shape) for s in (0.5, 0.2, 1.0)]), z, LEVEL, R
    )


def test_other_measures_are_tested_against_the_best(judged_study):
    comparison = load_comparison(judged_study, ["rating.coherence"])
    row = {r.measure: r for r in comparison.rows(LEVEL, R)}
    result = run_to_completion(infer(comparison, "rating.coherence", LEVEL, R, WILLIAMS))
    assert result.against == max(row, key=lambda label: row[label].value)
    labels = [ref.label for ref in comparison.refs]
    assert np.flatnonzero(np.isnan(result.adjusted)).tolist() == [labels.index(result.against)]
    assert result.adjusted == pytest.approx(holm(result.p), nan_ok=True)
    named = run_to_completion(
        infer(comparison, "rating.coherence", LEVEL, R, replace(WILLIAMS, against=labels[0]))
    )
    assert (named.against, np.isnan(named.p[0])) == (labels[0], True)
    with pytest.raises(InputError, match=r"No compared measure is named 'rouge-9\.f'"):
        run_to_completion(
            infer(comparison, "rating.coherence", LEVEL, R, replace(WILLIAMS, against="rouge-9.f"))
        )


def test_williams_test_uses_shared_cells(sample):
    sample.x[2, 8] = np.nan
    whole, fewer = run_to_completion(differences(sample, [(1, 0), (1, 2)], WILLIAMS))
    for p, other, rows in ((whole, 0, slice(9)), (fewer, 2, slice(8))):
        mine, theirs, z = sample.x[1, rows], sample.x[other, rows], sample.z[rows]
        r = [correlate(a, b, LEVEL, R).value for a, b in ((mine, z), (theirs, z), (mine, theirs))]
        assert p == pytest.approx(float(williams(*r, len(z))))


def test_permutations_and_resamples_equal_those_of_core_stats(sample):
    chance = InferenceOptions(
        test=DifferenceTest.PERMUTATION_TOPICS, sides=Alternative.GREATER, draws=50, seed=3
    )
    expected = run_to_completion(
        permutation(sample.x, sample.z, LEVEL, R, ResampleUnit.TOPICS, [(0, 1)], 50, 3, Alternative.GREATER)
    )
    assert run_to_completion(differences(sample, [(0, 1)], chance)).tolist() == expected.tolist()
    result = run_to_completion(intervals(sample, replace(chance, ends=Ends.PERCENTILE)))
    samples = run_to_completion(bootstrap(sample.x, sample.z, LEVEL, R, ResampleUnit.BOTH, 50, 3))
    low, high = interval(samples)
    assert result.low == pytest.approx(low)
    assert result.high == pytest.approx(high)
    assert (result.low < sample.values()).all()
    assert (sample.values() < result.high).all()
    corrected = run_to_completion(intervals(sample, chance))
    assert (corrected.low != result.low).all()


def test_fishers_interval_uses_the_number_of_pairs_of_the_level(sample):
    both = np.isfinite(sample.z)
    assert [effective_n(both, level) for level in (Level.SYSTEM, Level.TOPIC, Level.GLOBAL)] == [9, 9, 54]
    result = run_to_completion(intervals(sample, InferenceOptions(IntervalMethod.FISHER)))
    low, high, r = result.low, result.high, sample.values()
    assert np.arctanh(high) - np.arctanh(r) == pytest.approx(np.full(3, 1.959964 / np.sqrt(6)), abs=1e-6)
    assert np.arctanh(r) - np.arctanh(low) == pytest.approx(np.full(3, 1.959964 / np.sqrt(6)), abs=1e-6)


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("coefficient", list(OF_ROWS))
def test_williams_test_requires_pearsons_r_at_the_system_level(sample, level, coefficient):
    other = replace(sample, level=level, coefficient=coefficient)
    if (level, coefficient) == (Level.SYSTEM, Coefficient.PEARSON):
        assert np.isfinite(run_to_completion(differences(other, [(0, 1)], WILLIAMS))).all()
        return
    with pytest.raises(InputError, match="Choose a permutation test"):
        run_to_completion(differences(other, [(0, 1)], WILLIAMS))


def test_systems_and_topics_are_permuted_by_default(sample):
    both = InferenceOptions(test=DifferenceTest.PERMUTATION_BOTH)
    assert InferenceOptions().test is both.test
    assert run_to_completion(differences(sample, [(0, 1)], InferenceOptions())) == run_to_completion(
        differences(sample, [(0, 1)], both)
    )


def test_lower_is_better_measures_are_tested_in_their_direction(judged_study):
    """With negated, lower-is-better measures the best one has the lowest correlation."""
    comparison = load_comparison(judged_study, ["rating.coherence"])
    refs = tuple(replace(ref, config=replace(ref.config, higher_is_better=False)) for ref in comparison.refs)
    scores = tuple(replace(one, values=-one.values) for one in comparison.scores)
    errors = replace(comparison, refs=refs, scores=scores)
    settings = ("rating.coherence", LEVEL, R, replace(WILLIAMS, interval=IntervalMethod.NONE))
    result, turned = (
        run_to_completion(infer(comparison, *settings)),
        run_to_completion(infer(errors, *settings)),
    )
    assert turned.against == result.against
    assert turned.p == pytest.approx(result.p, nan_ok=True)


def test_only_family_members_are_tested(judged_study):
    comparison = load_comparison(judged_study, ["rating.coherence"])
    family = (0, 2, 3)
    result = run_to_completion(infer(comparison, "rating.coherence", LEVEL, R, WILLIAMS, family=family))
    assert sorted(result.family) == list(family)
    assert result.tests == len(family) - 1
    place = [ref.label for ref in comparison.refs].index(result.against)
    assert place in family
    assert set(np.flatnonzero(np.isfinite(result.adjusted))) == set(family) - {place}
    every = [i for i in family if i != place]
    assert result.adjusted[every] == pytest.approx(holm(result.p[every]))


def test_adjustments_are_selected_by_name():
    p = np.array([0.01, 0.04])
    assert adjust_p_values(p, Adjustment.NONE).tolist() == [0.01, 0.04]
    assert adjust_p_values(p, Adjustment.HOLM).tolist() == [0.02, 0.04]
    assert adjust_p_values(p, Adjustment.BENJAMINI_HOCHBERG).tolist() == [0.02, 0.04]


def test_required_sample_sizes_use_the_same_draws(sample):
    chance = InferenceOptions(simulated=60, seed=2)
    (result,) = run_to_completion(required_sample_sizes(sample, [(1, 2)], ResampleUnit.TOPICS, chance))
    (expected,) = run_to_completion(
        power(sample.x, sample.z, LEVEL, R, ResampleUnit.TOPICS, [(1, 2)], draws=60, seed=2)
    )
    assert (result.chances, result.needed) == (expected.chances, expected.needed)
    assert result.difference == pytest.approx(sample.values()[1] - sample.values()[2])


def test_clusters_use_adjusted_p_values_of_all_pairs(sample):
    result = run_to_completion(significance_groups(sample, WILLIAMS, range(3)))
    every = run_to_completion(differences(sample, [(0, 1), (0, 2), (1, 2)], WILLIAMS))
    assert result.p[np.triu_indices(3, 1)] == pytest.approx(holm(every))
    assert result.p == pytest.approx(result.p.T, nan_ok=True)
    best = int(np.argmax(sample.values()))
    assert result.ranks[best] == 1
    for one, other in ((0, 1), (0, 2), (1, 2)):
        shares = bool(set(result.letters[one]) & set(result.letters[other]))
        assert shares == (result.p[one, other] >= 1 - WILLIAMS.confidence)
