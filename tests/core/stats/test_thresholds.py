"""Decisions by a threshold against scikit-learn and a search over all thresholds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, recall_score, roc_auc_score

from core.experiments.analyses.thresholds import best_threshold, count_decisions, drawn_topics

TEXTS = st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=1, max_size=12)


@given(TEXTS)
def test_no_threshold_is_better_and_the_lowest_of_equal_ones_counts(texts):
    scores, labels = (np.array(column) for column in zip(*texts, strict=True))
    found = best_threshold(scores / 2, labels)
    if labels.all() or not labels.any():
        assert math.isnan(found)
        return
    every = np.arange(-7, 8) / 4  # between and at all scores
    accuracies = [balanced_accuracy_score(labels, scores / 2 >= one) for one in every]
    assert balanced_accuracy_score(labels, scores / 2 >= found) == pytest.approx(max(accuracies))
    lowest = every[np.flatnonzero(np.isclose(accuracies, max(accuracies)))[0]]
    assert ((scores / 2 >= found) == (scores / 2 >= lowest)).all()


@pytest.mark.parametrize("seed", range(5))
def test_drawn_topics_count_as_their_texts_repeated(seed):
    random = np.random.default_rng(seed)
    scores = random.integers(0, 5, (6, 4)) / 2
    scores[random.random((6, 4)) < 0.2] = np.nan
    labels = random.random((6, 4)) < 0.5
    found = count_decisions(scores, labels, 1.0)
    counts = np.array([[1, 1, 1, 1], [2, 0, 1, 3], [0, 4, 0, 0]], dtype=np.float64)
    rows = zip(
        counts,
        *(of(counts) for of in (found.balanced_accuracy, found.area, found.sensitivity, found.specificity)),
        strict=True,
    )
    for times, accuracy, area, sensitivity, specificity in rows:
        drawn = np.repeat(np.arange(4), times.astype(int))
        known = np.isfinite(scores[:, drawn])
        values, truth = scores[:, drawn][known], labels[:, drawn][known]
        if truth.all() or not truth.any():
            assert math.isnan(accuracy)
            assert math.isnan(area)
            continue
        assert accuracy == pytest.approx(balanced_accuracy_score(truth, values >= 1.0))
        assert area == pytest.approx(roc_auc_score(truth, values))
        assert sensitivity == pytest.approx(recall_score(truth, values >= 1.0))
        assert specificity == pytest.approx(recall_score(~truth, values < 1.0))


def test_topics_are_drawn_with_replacement():
    counts = drawn_topics(5, 200, 3)
    assert (counts.sum(axis=1) == 5).all()
    assert counts.max() > 1
    assert (counts == drawn_topics(5, 200, 3)).all()
    assert (counts != drawn_topics(5, 200, 4)).any()


def test_the_largest_numbers_have_a_threshold_between_them():
    found = best_threshold(np.array([1e308, 1.7e308]), np.array([False, True]))
    assert 1e308 < found < 1.7e308
