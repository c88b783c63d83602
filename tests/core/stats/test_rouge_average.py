"""ROUGE-1.5.5's averages; tests/core/metrics/test_rouge_perl.py compares them with the script."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.report.rouge155_output import Average, perl_draws, token_averages, topic_averages

VALUES = st.integers(1, 12).flatmap(lambda n: arrays(np.float64, (n, 3), elements=st.floats(0, 1, width=16)))


def test_draws_equal_those_of_perl():
    # perl -e 'for $s (0, 1, 999) {srand($s); print join(" ", map {int(rand(10))} 1..8), "\n"}'  (5.36)
    drawn = perl_draws(10, 1000)[:, :8]
    assert drawn[0].tolist() == [1, 7, 0, 8, 5, 7, 6, 3]
    assert drawn[1].tolist() == [0, 4, 8, 3, 5, 0, 1, 9]
    assert drawn[999].tolist() == [1, 6, 8, 9, 7, 5, 5, 4]


def test_one_topic_is_its_own_average():
    assert topic_averages(np.array([[0.25, 0.5, 0.33333]])) == (
        Average(0.25, 0.25, 0.25),
        Average(0.5, 0.5, 0.5),
        Average(0.33333, 0.33333, 0.33333),
    )


def test_an_average_is_the_mean_of_resamples_not_of_topics():
    (average,) = topic_averages(np.array([[0.0], [0.0], [0.0], [1.0]]))
    assert (average.mean, average.low, average.high) == (0.25175, 0.0, 0.75)
    assert average.mean == float((perl_draws(4, 1000) == 3).mean())


def test_token_counts_are_summed_before_division():
    # 1 of 2 and 8 of 10: 9 of 12 wanted where both are drawn, 2 of 4 or 16 of 20 where one is drawn twice.
    counts = np.array([[1.0, 2.0, 4.0], [8.0, 10.0, 20.0]])
    recall, precision, f = token_averages(counts, alpha=0.5)
    assert (recall.low, recall.high) == (0.5, 0.8)
    assert (precision.low, precision.high) == (0.25, 0.4)
    assert (f.low, f.high) == (0.33333, 0.53333)
    both = (perl_draws(2, 1000).sum(axis=1) == 1).mean()
    once = (perl_draws(2, 1000).sum(axis=1) == 0).mean()
    assert recall.mean == pytest.approx(0.5 * once + 0.75 * both + 0.8 * (1 - once - both), abs=1e-5)


def test_empty_references_and_summaries_score_0():
    assert token_averages(np.zeros((2, 3)), alpha=0.5)[2] == Average(0.0, 0.0, 0.0)


def test_a_confidence_of_1_spans_all_resamples():
    (average,) = topic_averages(np.array([[0.0], [0.5], [1.0]]), confidence=100.0)
    assert (average.low, average.high) == (0.0, 1.0)


@pytest.mark.slow
@given(VALUES)
def test_an_average_is_within_its_interval_and_the_range_of_values(values):
    for average, column in zip(topic_averages(values, resamples=50), values.T, strict=True):
        assert round(column.min(), 5) <= average.low <= average.high <= round(column.max(), 5)
        assert round(column.min(), 5) <= average.mean <= round(column.max(), 5)
