"""Fewer systems, and sets of topics beside each other."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import f_oneway

from core.domain.import_batch import ImportContent, NewRating, NewText, NewTopic
from core.errors import InputError
from core.experiments.analyses.systems.leave_systems_out import ONE, WEAKEST, removals
from core.experiments.analyses.topics.topic_sets import (
    TopicSetCorrelations,
    p_of_difference,
    variance_over_sets,
)
from core.experiments.registry import parse_request
from core.experiments.runner import run_experiment
from core.matrix import ScoreMatrix
from core.progress import run_to_completion
from core.scoring.study_resources import StudyResources
from core.stats.correlation import Coefficient, Level, correlate

JUDGED = ScoreMatrix(
    "rating.x", tuple("abcdef"), ("t",), np.array([[3.0], [1.0], [2.0], [np.nan], [5.0], [4.0]])
)
SYSTEMS = tuple(f"s{i}" for i in range(7))


@pytest.fixture
def two_sets(tmp_path):
    """Seven systems on two sets of three topics; coherence follows fluency on the first alone."""
    from storage.study_file import new_study

    random = np.random.default_rng(4)
    topics, ratings = [], []
    for number, place in enumerate(["initial"] * 3 + ["update"] * 3):
        name = f"D{number}"
        topics.append(NewTopic(name, set=place, summaries={s: NewText(f"{s} {name}") for s in SYSTEMS}))
        fluency = random.permutation(7) / 2 + 1
        noise = random.permutation(7) / 2 + 1
        coherence = fluency if place == "initial" else noise
        for system, one, other in zip(SYSTEMS, fluency, coherence, strict=True):
            ratings += [
                NewRating(name, system, "fluency", "ann", float(one)),
                NewRating(name, system, "coherence", "ann", float(other)),
            ]
    scales = {"fluency": (1.0, 5.0), "coherence": (1.0, 5.0)}
    with new_study(tmp_path / "two.pyramidion") as study:
        annotators = {"ann": ""}
        study.import_data(
            ImportContent("made", topics=topics, dimensions=scales, annotators=annotators, ratings=ratings)
        )
        yield study


def run(study, name, **settings):
    return run_to_completion(
        run_experiment(study, parse_request(name, settings), StudyResources(study))
    ).result


def test_systems_are_removed_from_the_weakest_until_four_remain():
    assert removals(JUDGED, WEAKEST) == [(), ("b",)]
    assert removals(JUDGED, ONE) == [(), ("a",), ("b",), ("c",), ("e",), ("f",)]
    few = ScoreMatrix("x", tuple("abc"), ("t",), np.ones((3, 1)))
    assert removals(few, WEAKEST) == [()]


def test_each_row_is_the_correlation_without_those_systems(two_sets):
    result = run(two_sets, "leave-out", judgements="rating.fluency", measures="rating.coherence", order="one")
    from core.comparison.judgements import judgement_matrices

    z, x = judgement_matrices(two_sets, ["rating.fluency", "rating.coherence"]).values()
    for row in result.tables[0].rows:
        remaining = [name for name in SYSTEMS if name != row[0]]
        sides = (one.select(remaining, z.topics).values for one in (x, z))
        own = correlate(*sides, Level.SYSTEM, Coefficient.PEARSON).value
        assert row[2] == pytest.approx(own, abs=1e-12)
        assert row[1] == len(remaining)


def test_initial_topics_that_agree_differ_from_update_topics_that_do_not(two_sets):
    result = run(
        two_sets, "sets", judgements="rating.fluency", measures="rating.coherence", draws="400", level="topic"
    )
    values, tests, variance = result.tables
    assert values.rows[0][1] == pytest.approx(1.0)
    (row,) = tests.rows
    assert row[:3] == ("rating.coherence", "initial", "update")
    assert row[3] == pytest.approx(values.rows[0][1] - values.rows[0][4])
    assert row[4] < 0.05
    assert [series.label for series in result.charts[0].series] == ["initial", "update"]
    _, f, p, _, initial, _, update = variance.rows[0]
    assert f > 100
    assert p < 0.001
    assert (initial, update) == ("a", "b")
    assert any("Owczarzak & Dang 2009" in note for note in result.policy)


def test_sets_are_distinguished_as_by_scipys_anova():
    random = np.random.default_rng(3)
    near, same = random.normal(0.5, 0.1, (1, 50)), random.normal(0.5, 0.1, (1, 50))
    far = random.normal(0.8, 0.1, (1, 50))
    sets = [TopicSetCorrelations(n, 3, x[:, 0], x) for n, x in (("one", near), ("two", same), ("three", far))]
    (row,) = variance_over_sets("rating.fluency", ["m"], sets).rows
    expected = f_oneway(near[0], same[0], far[0])
    assert row[1] == pytest.approx(expected.statistic)
    assert row[2] == pytest.approx(expected.pvalue)
    assert row[3::2] == pytest.approx([near.mean(), same.mean(), far.mean()])
    assert row[4] == row[6] != row[8]


def test_a_study_without_two_sets_is_refused(two_sets):
    with pytest.raises(InputError, match=r"The study has no set of topics 'late'\. Sets: initial, update"):
        run(two_sets, "sets", sets="initial,late", measures="rating.coherence")
    two_sets.texts.move_to_set([head.id for head in two_sets.texts.topics()], "initial").result()
    with pytest.raises(InputError, match="at least two sets"):
        run(two_sets, "sets", measures="rating.coherence")


def test_p_counts_resamples_on_the_rarer_side_including_the_sample():
    one, other = np.array([[0.9, 0.8, 0.7, 0.6]]), np.array([[0.1, 0.2, 0.3, 0.7]])
    assert p_of_difference(one, other)[0] == pytest.approx(2 * (1 + 1) / 5)
    assert p_of_difference(one, one)[0] == 1.0
    assert np.isnan(p_of_difference(one * np.nan, other)[0])


def test_a_resample_of_topics_is_close_to_the_full_sample(two_sets):
    settings = {"judgements": "rating.fluency", "measures": "rating.coherence", "over": "topics"}
    result = run(two_sets, "bootstrap", **settings, draws="300")
    (row,) = result.tables[0].rows
    value, mean, deviation, low, high, defined = row[1:]
    assert low < value < high
    assert mean == pytest.approx(value, abs=2 * deviation)
    assert defined == 300
    assert [chart.kind.value for chart in result.charts] == ["bars", "histogram"]
    assert sum(result.charts[1].series[0].y) == 300


@pytest.mark.parametrize("name", ["topics", "best", "leave-out", "bootstrap", "sets"])
def test_a_judgement_is_not_compared_with_itself(name, two_sets):
    draws = {} if name in ("best", "leave-out") else {"draws": "20"}
    settings = {"measures": "rating.coherence", **draws}
    tables = run(two_sets, name, **settings).tables
    assert all("rating.coherence" not in table.title for table in tables)
    if name == "topics":  # a judgement on fewer topics is something else than itself, and marked
        (column,) = run(two_sets, name, judgements="rating.coherence", **settings).tables[0].columns[1:2]
        assert column.title == "rating.coherence (itself)"
        return
    with pytest.raises(InputError, match=r"Nothing can be compared with rating\.coherence"):
        run(two_sets, name, judgements="rating.coherence", **settings)


def test_enough_systems_remain_for_a_correlation():
    many = ScoreMatrix("j", tuple(f"s{i:02}" for i in range(12)), ("t",), np.arange(12.0)[:, None])
    assert [len(names) for names in removals(many, WEAKEST)] == [0, 1, 2, 3, 4]


def test_curves_over_fewer_systems_end_with_the_full_sample(two_sets):
    result = run(two_sets, "leave-out", judgements="rating.fluency", measures="rating.coherence")
    (chart,), (table,) = result.charts, result.tables
    assert chart.x_label == "n (systems)"
    n = [row[1] for row in table.rows]
    assert list(chart.series[0].x) == sorted(n)
    assert chart.series[0].y[-1] == table.rows[0][2], "the right end leaves out nothing"


def test_tests_of_draws_have_a_caution(two_sets):
    result = run(
        two_sets, "topics", judgements="rating.fluency", measures="rating.coherence", draws="20", sizes="1,2"
    )
    variance = next(table for table in result.tables if "analysis of variance" in table.title)
    for note in (variance.note, result.tables[0].note, *(chart.note for chart in result.charts)):
        assert "p shrinks with their number" in note
    assert any("p shrinks with their number" in sentence for sentence in result.warnings)
