"""Pyramid scores under many subsets of references at once, against those worked by hand and one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.pyramid import Pyramid
from core.domain.pyramid.scores import score_reference, score_summary
from core.domain.pyramid.subset_scores import KINDS, count_scus, leave_one_out, score_subsets
from tests.core.domain.small_pyramid import PYRAMID, REFERENCES, matches, scu

EVERY_SUBSET = np.array(list(product((False, True), repeat=4)))
ALL = np.ones((1, 4), dtype=bool)


def subset(*names):
    return np.array([[r in names for r in REFERENCES]])


def one_by_one(pyramid, text, chosen):
    score = score_summary(pyramid, text, [r for r, counts in zip(REFERENCES, chosen, strict=True) if counts])
    return [getattr(score, kind) for kind in KINDS]


def test_two_references_are_scored_as_worked_by_hand():
    """Of a and b: v and w weigh 2, u and x 1; 6 contributions, so 3 units of weight 2 + 2 + 1 at best.

    The summary holds w and x of them (3), repeats w, has one unit more; z is in neither reference.
    """
    counts = count_scus(PYRAMID, REFERENCES, [matches("w", "z", "x", "w", None)])
    modified, original = 3 / 5, 3 / 6
    expected = [modified, original, 2 * modified * original / (modified + original), 2 / 4]
    assert score_subsets(counts, subset("a", "b"))[0, 0] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("references", "units"),
    [("abcd abcd ab", 3), ("abcd abcd b", 2), ("abcd abcd abc", 3), ("abcd abcd abcd a a", 4)],
)
def test_the_average_reference_is_rounded_half_up_like_official_scores(references, units):
    """2.5 units are 3, 2.25 are 2, 2.75 are 3, 3.5 are 4: neither truncated nor rounded to even nor up."""
    scus = tuple(scu(f"s{i}", held) for i, held in enumerate(references.split()))
    pyramid = Pyramid("p", "t", "x", scus)
    best = sum(sorted((s.weight for s in scus), reverse=True)[:units])
    counts = count_scus(pyramid, REFERENCES, [matches("s0")])
    assert score_subsets(counts, ALL)[0, 0, 0] == pytest.approx(4 / best)


def test_a_reference_is_scored_by_the_pyramid_of_the_others():
    """d expresses w, x, y and z. Of a, b, c: w weighs 3, v and x 2, u and y 1, and z is nobody's.

    d reaches 3 + 2 + 1 = 6. Its 4 units could be worth 3 + 2 + 2 + 1, the 3 of the average 3 + 2 + 2.
    """
    score = score_reference(PYRAMID, "d", REFERENCES)
    assert (score.weight, score.units, score.outside, score.average_units) == (6, 4, 1, 3)
    assert score.original == pytest.approx(6 / 8)
    assert score.modified == pytest.approx(6 / 7)
    assert score.presence == pytest.approx(3 / 5)


def test_an_scu_with_two_contributors_in_a_reference_is_repeated_by_it():
    pyramid = Pyramid("p", "t", "x", (scu("u", "aab"), scu("v", "b")))
    assert (score_reference(pyramid, "a", "ab").units, score_reference(pyramid, "a", "ab").repeats) == (2, 1)


def test_no_reference_or_pyramid_gives_no_score():
    counts = count_scus(PYRAMID, REFERENCES, [matches("w", None)])
    assert np.isnan(score_subsets(counts, np.zeros((1, 4), dtype=bool))).all()
    empty = count_scus(Pyramid("p", "t", "x"), REFERENCES, [matches(None)])
    assert np.isnan(score_subsets(empty, ALL)).all()


held_by = st.lists(st.sampled_from(REFERENCES), max_size=6)
pyramids = st.lists(held_by, max_size=8).map(
    lambda held: Pyramid("p", "t", "x", tuple(scu(f"s{i}", each) for i, each in enumerate(held)))
)
texts = st.lists(
    st.lists(st.sampled_from([*(f"s{i}" for i in range(8)), None]), max_size=9).map(
        lambda ids: matches(*ids)
    ),
    max_size=3,
)


@given(pyramids, texts)
def test_every_subset_equals_a_recount_from_scratch(pyramid, summaries):
    together = score_subsets(count_scus(pyramid, REFERENCES, summaries), EVERY_SUBSET)
    assert together.shape == (16, len(summaries), 4)
    for chosen, scores in zip(EVERY_SUBSET, together, strict=True):
        for text, actual in zip(summaries, scores, strict=True):
            assert np.array_equal(actual, one_by_one(pyramid, text, chosen), equal_nan=True)


@given(pyramids)
def test_references_scored_together_equal_each_scored_separately(pyramid):
    counts = count_scus(pyramid, REFERENCES, [], humans=REFERENCES)
    together = score_subsets(counts, leave_one_out(4))
    for i, reference in enumerate(REFERENCES):
        alone = score_reference(pyramid, reference, REFERENCES)
        assert np.array_equal(together[i, i], [getattr(alone, kind) for kind in KINDS], equal_nan=True)


@given(pyramids, texts, st.permutations(range(4)))
def test_the_order_of_the_references_does_not_matter(pyramid, summaries, order):
    there = score_subsets(count_scus(pyramid, REFERENCES, summaries), EVERY_SUBSET)
    shuffled = count_scus(pyramid, [REFERENCES[i] for i in order], summaries)
    assert np.array_equal(there, score_subsets(shuffled, EVERY_SUBSET[:, order]), equal_nan=True)


@given(pyramids.filter(lambda p: p.scus), texts.filter(bool), st.data())
def test_one_match_more_never_lowers_recall_or_presence(pyramid, summaries, data):
    more = (*summaries[0], *matches(data.draw(st.sampled_from(pyramid.scus)).id))
    before = score_subsets(count_scus(pyramid, REFERENCES, summaries[:1]), EVERY_SUBSET)
    after = score_subsets(count_scus(pyramid, REFERENCES, [more]), EVERY_SUBSET)
    for kind in (KINDS.index("modified"), KINDS.index("presence")):
        there = np.isfinite(before[..., kind])
        assert (after[..., kind] >= before[..., kind])[there].all()
