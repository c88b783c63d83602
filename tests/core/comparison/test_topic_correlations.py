"""Correlations in each topic, next to scipy, with reasons where there is none."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau

from core.comparison.comparison import Comparison
from core.comparison.inference import correlation_inputs
from core.comparison.measures import MeasureRef
from core.comparison.topic_correlations import topic_correlations, topic_table
from core.matrix import ScoreMatrix
from core.ports import MetricConfig
from core.stats.correlation import Coefficient, Level

SYSTEMS, TOPICS = ("s0", "s1", "s2", "s3"), ("a", "b", "c", "d", "e")


def _config(label: str, better: bool) -> MetricConfig:
    return MetricConfig(label, "m", "family", "", (label,), higher_is_better=better)


@pytest.fixture
def comparison() -> Comparison:
    """Topic a agrees, b is reversed; in c people gave one value, d has two systems, e is not judged."""
    z = np.array([[1, 1, 3, 1, 0], [2, 2, 3, 2, 0], [3, 3, 3, 0, 0], [4, 5, 3, 0, 0]], dtype=float)
    x = np.array([[1, 4, 1, 1, 1], [2, 3, 2, 2, 2], [4, 2, 3, 3, 3], [3, 1, 4, 4, 4]], dtype=float)
    z[2:, 3] = np.nan
    z[:, 4] = np.nan
    labels = {"up": True, "down": False}
    refs = tuple(
        MeasureRef(label, label, label, "family", _config(label, better), 5)
        for label, better in labels.items()
    )
    scores = tuple(
        ScoreMatrix(label, SYSTEMS, TOPICS, x if better else -x) for label, better in labels.items()
    )
    return Comparison(refs, scores, {"rating.q": ScoreMatrix("rating.q", SYSTEMS, TOPICS, z)})


def test_each_topic_has_its_value_n_or_a_reason(comparison):
    found = topic_correlations(comparison, "rating.q", Coefficient.KENDALL, ["up"])
    assert [(one.topic, one.n, one.reason) for one in found] == [
        ("b", 4, ""),
        ("a", 4, ""),
        ("c", 4, "rating.q is constant"),
        ("d", 2, "2 of at least 3 systems have both values"),
    ]
    expected = kendalltau([1, 2, 4, 3], [1, 2, 3, 4]).statistic
    assert [one.value for one in found[:2]] == pytest.approx([-1.0, expected])
    level = comparison.rows(Level.TOPIC, Coefficient.KENDALL)[0]
    assert level.value == pytest.approx(np.mean([one.value for one in found[:2]]))
    assert level.dropped == 2


def test_the_worst_topics_of_a_measure_where_lower_is_better_come_first(comparison):
    found = topic_correlations(comparison, "rating.q", Coefficient.KENDALL, ["down"])
    assert [one.topic for one in found] == ["b", "a", "c", "d"]
    assert found[0].value == pytest.approx(1.0)


def test_a_constant_measure_is_named(comparison):
    flat = ScoreMatrix("up", SYSTEMS, TOPICS, np.zeros((4, 5)))
    changed = Comparison(comparison.refs[:1], (flat,), comparison.judgements)
    found = topic_correlations(changed, "rating.q", Coefficient.PEARSON)
    assert {one.topic: one.reason for one in found}["a"] == "the measure is constant"


def test_soft_accuracy_is_that_of_the_better_direction(comparison):
    random = np.random.default_rng(0)
    z = ScoreMatrix("rating.q", SYSTEMS, TOPICS, random.normal(size=(4, 5)))
    x = z.values + random.normal(0, 0.3, (4, 5))
    scores = tuple(ScoreMatrix(n, SYSTEMS, TOPICS, s * x) for n, s in (("up", 1), ("down", -1)))
    turned = Comparison(comparison.refs, scores, {"rating.q": z})
    up, down = turned.rows(Level.SYSTEM, Coefficient.SOFT_ACCURACY)
    assert up.value == down.value > 0.6
    inputs = correlation_inputs(turned, "rating.q", Level.SYSTEM, Coefficient.SOFT_ACCURACY)
    assert inputs.values() == pytest.approx([up.value, down.value])


def test_the_table_lists_every_row(comparison):
    table = topic_table(comparison, "rating.q", Coefficient.PEARSON)
    assert [column.key for column in table.columns] == ["measure", "topic", "value", "n", "reason"]
    assert len(table.rows) == 8
