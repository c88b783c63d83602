"""There are clusters exactly where a difference can be significant, whatever the sizes and options.

Tried to break it with random numbers of systems, topics, measures and permutations, every test and
adjustment, and measures that differ as much as two can: one equals the judgement, the others its negative.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from core.comparison.inference import CorrelationInputs, nothing_can_differ, significance_groups
from core.comparison.options import Adjustment, DifferenceTest, InferenceOptions
from core.experiments.analyses.systems.leaderboard import Leaderboard
from core.formatting.numbers import pluralize
from core.matrix import ScoreMatrix
from core.operations.method_text import cluster_notes
from core.progress import run_to_completion
from core.stats.correlation import Coefficient, Level

PERMUTATIONS = [test for test in DifferenceTest if test is not DifferenceTest.WILLIAMS]


def extreme(systems: int, topics: int, test: DifferenceTest) -> float:
    """The share of all permutations that are as extreme as the sample if no other one is."""
    patterns = {
        tuple(s * t for s, t in product(rows, columns))
        for rows in product((1, -1), repeat=systems if "topics" not in test else 1)
        for columns in product((1, -1), repeat=topics if "systems" not in test else 1)
    }
    return 2 / len(patterns)


@settings(max_examples=30, deadline=None)
@given(
    st.integers(3, 6),
    st.integers(2, 5),
    st.integers(2, 5),
    st.sampled_from([20, 200, 1000]),
    st.sampled_from(PERMUTATIONS),
    st.sampled_from(list(Adjustment)),
    st.sampled_from(list(Level)),
    st.integers(0, 99),
)
def test_clusters_exist_where_a_difference_can_be_significant(
    systems, topics, measures, draws, test, adjustment, level, seed
):
    z = np.random.default_rng(seed).normal(size=(systems, topics))
    x = np.stack([z, *[-z] * (measures - 1)])
    sample = CorrelationInputs(x, z, level, Coefficient.PEARSON)
    options = InferenceOptions(test=test, adjustment=adjustment, draws=draws, seed=seed)
    found = run_to_completion(significance_groups(sample, options))
    pairs = math.comb(measures, 2)
    raised = pairs if adjustment is Adjustment.HOLM else 1
    share = extreme(systems, topics, test)
    least = raised * max(share, 1 / (found.draws + 1))
    assert found.draws >= draws
    assert bool(found.reason) == (least >= 0.05)
    assert bool(found.reason) == bool(nothing_can_differ(z, pairs, options))
    notes = " ".join(cluster_notes(options, {"z": found}))
    assert ("do not differ" in notes) == (not found.reason)
    if found.reason:
        assert set(found.ranks) == {0}
        assert set(found.letters) == {""}
        assert found.reason in notes
        return
    is_by_rank = adjustment is Adjustment.BENJAMINI_HOCHBERG
    among = measures / 2 if is_by_rank else raised  # measures - 1 of the pairs differ
    most = math.ceil(0.05 / among * (found.draws + 1)) - 2  # extreme draws at which all of these do
    if binom.sf(most, found.draws, share) < 1e-9:  # so that no chance decides
        assert found.ranks[0] == 1
        assert set(found.ranks[1:]) == {2}


@pytest.mark.parametrize("systems", [6, 40, 58])
def test_a_leaderboard_of_many_systems_has_clusters(systems):
    means = np.linspace(1, 5, systems)[:, None]
    values = means + np.random.default_rng(1).normal(scale=0.6, size=(systems, 46))
    names = tuple(f"s{at:02}" for at in range(systems))
    table, _ = Leaderboard().ranking(ScoreMatrix("made", names, tuple(map(str, range(46))), values))
    clusters = {row[6] for row in table.rows}
    assert len(clusters) > 1
    assert None not in clusters
    assert table.note == ""


def test_a_leaderboard_without_clusters_names_the_reason_that_holds():
    values = np.random.default_rng(1).normal(size=(12, 6)) + np.arange(12)[:, None]
    few_topics, _ = Leaderboard().ranking(ScoreMatrix("m", tuple("abcdefghijkl"), tuple("123456"), values))
    assert {row[6] for row in few_topics.rows} == {None}
    assert {row[7] for row in few_topics.rows} == {"clusters: too few topics"}
    many = np.random.default_rng(1).normal(size=(72, 30)) + np.arange(72)[:, None]
    scores = ScoreMatrix("m", tuple(map(str, range(72))), tuple(map(str, range(30))), many)
    few_draws, _ = Leaderboard(alpha=0.001).ranking(scores)
    assert {row[6] for row in few_draws.rows} == {None}
    assert {row[7] for row in few_draws.rows} == {"clusters: too few permutations"}


def test_a_small_number_of_draws_grows_to_what_the_pairs_require():
    """Ninety-one pairs by Holm at .05: 3,640 permutations, of 16 systems and 20 topics."""
    random = np.random.default_rng(4)
    z = random.normal(size=(16, 20))
    x = np.stack([z + random.normal(scale=0.1 + at / 4, size=z.shape) for at in range(14)])
    sample = CorrelationInputs(x, z, Level.TOPIC, Coefficient.PEARSON)
    found = run_to_completion(significance_groups(sample, InferenceOptions(draws=100)))
    assert (found.draws, found.reason) == (3640, "")
    assert len(set(found.ranks)) > 1
    assert pluralize(found.tests, "pair") == "91 pairs"
