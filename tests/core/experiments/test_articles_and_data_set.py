"""Fewer topics, what systems copy, what metrics cost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.errors import InputError
from core.experiments.analyses.timing import clock
from core.experiments.analyses.topics.topic_count_curve import curve, numbers_of_topics
from core.experiments.registry import parse_request
from core.metrics import registry
from core.progress import run_to_completion
from core.scoring.study_resources import StudyResources
from core.stats.correlation import Coefficient, Level, correlate
from tests.conftest import examples


def test_data_set_statistics_are_counted(sample):
    texts_table, people, systems = run_to_completion(
        parse_request("data-set").experiment.run(sample, StudyResources(sample))
    ).tables
    rows = {row[0]: row[1:] for row in texts_table.rows}
    topics = list(sample.texts.load())
    assert rows["Topics"][0] == len(topics)
    for kind in ("documents", "references", "summaries"):
        assert rows[kind.capitalize()][0] == sum(len(getattr(topic, kind)) for topic in topics)
    by_name = {row[0]: row for row in systems.rows}
    assert set(by_name) == {*(system.name for system in sample.texts.systems()), "(references)"}
    place = {column.key: at for at, column in enumerate(systems.columns)}
    coverage, new = place["coverage"], place["novelty-1"]
    for row in systems.rows:
        assert 0 <= row[new] <= 1
        assert 0 <= row[coverage] <= 1
    assert {row[0] for row in people.rows} >= {"rating.coherence", "pyramid.modified"}
    assert all(row[1] <= row[2] for row in people.rows)


matrices = arrays.arrays(float, (5, 6), elements=st.floats(-3, 3, width=16) | st.just(np.nan))


@pytest.mark.parametrize("coefficient", [Coefficient.PEARSON, Coefficient.KENDALL])
@pytest.mark.parametrize("level", list(Level))
@settings(max_examples=examples(25))
@given(x=matrices, z=matrices)
def test_all_topics_give_the_full_correlation(level, coefficient, x, z):
    means = run_to_completion(curve(x[None], z, level, coefficient, [6], 2, 0)).values[0, :, 0]
    whole = correlate(x, z, level, coefficient).value
    assert means == pytest.approx([whole, whole], nan_ok=True, abs=1e-9)


@pytest.mark.parametrize("level", list(Level))
def test_one_topic_gives_the_value_of_a_topic(level):
    random = np.random.default_rng(3)
    x, z = random.random((6, 4)), random.random((6, 4))
    single = [correlate(x[:, [t]], z[:, [t]], level, Coefficient.PEARSON).value for t in range(4)]
    drawn = run_to_completion(curve(x[None], z, level, Coefficient.PEARSON, [1], 40, 1)).values[0, :, 0]
    distances = np.abs(drawn[:, None] - np.array(single))
    assert distances.min(axis=1).max() < 1e-12
    assert set(distances.argmin(axis=1)) == {0, 1, 2, 3}


def test_a_seed_reproduces_the_curve_and_all_topics_have_no_deviation(sample):
    chosen = {"judgements": "rating.coherence", "points": "3", "draws": "8"}
    request = parse_request("articles", chosen).experiment
    first, again = (run_to_completion(request.run(sample, StudyResources(sample))) for _ in range(2))
    assert first == again
    (chart,) = first.charts
    assert chart.series[0].x[-1] == len(sample.texts.topics())
    for series in chart.series:
        assert series.low[-1] == pytest.approx(series.high[-1])
        assert series.low[0] < series.y[0] < series.high[0]
    another = parse_request("articles", {**chosen, "seed": "1"}).experiment
    other = run_to_completion(another.run(sample, StudyResources(sample)))
    assert other.charts != first.charts


def test_topic_counts_end_at_all_topics():
    assert numbers_of_topics(100, 5) == (20, 40, 60, 80, 100)
    assert numbers_of_topics(3, 10) == (1, 2, 3)
    with pytest.raises(InputError, match="fewer than two topics"):
        numbers_of_topics(1, 5)


def test_stored_seconds_are_added_up(sample):
    table = run_to_completion(parse_request("time").experiment.run(sample, StudyResources(sample))).tables[0]
    rows = {row[0]: row[1:] for row in table.rows}
    for config in sample.scores.configs():
        blocks = sample.scores.blocks(config.signature)
        summaries, seconds, per_100 = rows[config.spec]
        assert summaries == sum(len(block.systems) for block in blocks)
        assert seconds == pytest.approx(sum(block.seconds for block in blocks))
        assert per_100 == pytest.approx(100 * seconds / summaries)


def test_metrics_are_timed_on_the_drawn_summaries(sample):
    before = sample.scores.configs()
    metrics = [registry.parse("rouge-n"), registry.parse("widar")]
    rows = run_to_completion(clock(sample, StudyResources(sample), metrics, 10, seed=2))
    assert [row[0] for row in rows] == ["rouge-n", "widar"]
    assert all(0 < row[1] < 10 for row in rows)  # the first topic's were scored before the clock ran
    assert all(row[2] > 0 and row[3] == pytest.approx(100 * row[2] / row[1]) for row in rows)
    assert sample.scores.configs() == before
