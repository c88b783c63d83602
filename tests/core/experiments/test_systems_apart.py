"""Pairs of systems, outlying systems, the leaderboard, and control for length."""

from __future__ import annotations

import numpy as np
import pytest

from core.domain.import_batch import ImportContent, NewRating, NewScore, NewText, NewTopic
from core.domain.study import SystemKind
from core.errors import InputError
from core.experiments.analyses.systems.leaderboard import Leaderboard
from core.experiments.analyses.systems.outlying_systems import robust_z
from core.experiments.registry import parse_request
from core.experiments.runner import run_experiment
from core.matrix import ScoreMatrix
from core.progress import run_to_completion
from core.scoring.study_resources import StudyResources
from core.stats.correlation import partial_correlation
from core.stats.soft_pairwise_accuracy import complete_part
from storage.study_file import open_study
from tests.core.conftest import copied

SYSTEMS = tuple(f"s{i}" for i in range(7))
MEANS = (1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 5.0)  # s6 is far from the others
TOPICS = 12


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Seven systems on twelve topics. long: the length of a summary. twin: the judgement itself, turned."""
    from storage.study_file import new_study

    random = np.random.default_rng(5)
    topics, ratings, scores = [], [], []
    for number in range(TOPICS):
        name = f"D{number}"
        texts = {s: NewText(" ".join(["word"] * (3 + 2 * at + number))) for at, s in enumerate(SYSTEMS)}
        topics.append(NewTopic(name, documents={"d": NewText("word word other")}, summaries=texts))
        for at, system in enumerate(SYSTEMS):
            rating = float(np.clip(MEANS[at] + random.normal(0, 0.01), 1.0, 5.0))
            ratings.append(NewRating(name, system, "quality", "ann", rating))
            scores += [
                NewScore(name, system, "long", float(3 + 2 * at + number)),
                NewScore(name, system, "other", float(random.normal())),
            ]
    content = ImportContent(
        "made",
        topics=topics,
        systems=dict.fromkeys(SYSTEMS, SystemKind.AUTOMATIC),
        annotators={"ann": ""},
        dimensions={"quality": (1.0, 5.0)},
        ratings=ratings,
        scores=scores,
    )
    with new_study(tmp_path_factory.mktemp("apart") / "s.pyramidion") as made:
        made.import_data(content)
        yield made


def run(study, name, **settings):
    request = parse_request(name, {"judgements": "rating.quality"} | settings)
    return run_to_completion(run_experiment(study, request, StudyResources(study))).result


def rows(table):
    return {row[0]: dict(zip([c.key for c in table.columns], row, strict=True)) for row in table.rows}


def test_pairs_by_gap(study):
    (table,) = run(study, "pairs", measures="long,other", groups="3").tables
    found = rows(table)
    assert list(found) == ["long", "other"]
    assert found["long"] == {
        "measure": "long",
        "systems": 7,
        "topics": TOPICS,
        "accuracy": 1.0,
        "soft_accuracy": pytest.approx(1.0, abs=0.02),
        "group_1": 1.0,
        "group_2": 1.0,
        "group_3": 1.0,
    }
    other = found["other"]
    assert 0 <= other["soft_accuracy"] < 0.9
    assert other["accuracy"] == pytest.approx(np.mean([other[f"group_{n}"] for n in (1, 2, 3)]), abs=1e-9)


def test_only_complete_systems_and_topics_are_compared():
    scores = np.array([[1.0, 2.0, np.nan], [np.nan] * 3, [3.0, 4.0, 5.0]])
    assert complete_part(scores, np.ones((3, 3))) == ([0, 2], [0, 1])
    assert complete_part(np.full((2, 2), np.nan), np.ones((2, 2))) == ([], [])


def test_outlying_systems_by_hand():
    z = robust_z(np.array([1.0, 2.0, 3.0, 4.0, 100.0, np.nan]))
    assert z[:4] == pytest.approx([0.6745 * d for d in (-2, -1, 0, 1)])
    assert z[4] == pytest.approx(0.6745 * 97)
    assert np.isnan(z[5])
    assert np.isnan(robust_z(np.array([1.0, 1.0, 1.0, 9.0]))).all()


def test_correlations_without_the_outlying_system(study):
    systems, correlations = run(study, "outliers", measures="long").tables
    assert [row[0] for row in systems.rows if row[3] == "yes"] == ["s6"]
    row = rows(correlations)["long"]
    means = [np.mean([3 + 2 * at + n for n in range(TOPICS)]) for at in range(7)]
    by_name = {r[0]: r[1] for r in systems.rows}
    judged = [by_name[s] for s in SYSTEMS]
    assert row["all"] == pytest.approx(np.corrcoef(means, judged)[0, 1])
    assert row["without"] == pytest.approx(np.corrcoef(means[:6], judged[:6])[0, 1])
    assert row["difference"] == pytest.approx(row["without"] - row["all"])
    assert "1 outlying one" in correlations.note


def test_the_leaderboard_has_a_cluster_for_each_group_of_equal_systems(study):
    (table,) = run(study, "leaderboard").tables
    assert [row[1] for row in table.rows] == list(reversed(SYSTEMS))
    assert [row[0] for row in table.rows] == list(range(1, 8))
    assert table.rows[0][6] == 1
    assert table.rows[1][6] == 2
    for row in table.rows:
        assert row[3] <= row[2] <= row[4]


def test_a_leaderboard_names_the_smallest_p_where_none_can_be_significant(study):
    """Twelve topics: 2 of 4,096 exchanges are as extreme; 21 pairs by Holm's adjustment."""
    result = run(study, "leaderboard", alpha="0.01")
    (table,) = result.tables
    assert table.note == (
        "No difference can be significant at 0.01: with 12 topics and 10,000 permutations the smallest p of "
        f"a pair is {2 / 4096:.2g}, adjusted over 21 pairs {21 * 2 / 4096:.2g}."
    )
    assert result.warnings == (f"rating.quality: {table.note}",)
    assert result.charts[0].note == table.note
    assert {row[6] for row in table.rows} == {None}
    assert {row[7] for row in table.rows} == {"clusters: too few topics"}


def test_an_interval_that_is_missing_has_its_reason():
    values = np.vstack([np.full(6, 2.0), [1, 2, 3, 4, np.nan, np.nan], [1, 2, 3, 4, 5, 6]])
    scores = ScoreMatrix("made", ("same", "few", "well"), tuple("abcdef"), values)
    table, _ = Leaderboard(draws=100).ranking(scores)
    notes = {row[1]: row[7] for row in table.rows}
    assert notes["same"].startswith("no interval: the same value in every topic")
    assert notes["few"].startswith("no interval: only 4 topics")
    assert "interval" not in notes["well"]
    assert table.note == "4 topics with a value of every system: too few for clusters."


def test_systems_are_ranked_by_measures_too(study):
    result = run(study, "leaderboard", measures="other")
    assert [table.title for table in result.tables] == ["Systems by rating.quality", "Systems by other"]
    assert result.warnings == ()


def test_length_explains_what_depends_on_it(study):
    result = run(study, "length", measures="long,other", level="system")
    found = rows(result.tables[0])
    assert found["long"]["with_length"] == pytest.approx(1.0)
    assert found["long"]["given_length"] is None
    assert any(note.startswith("long: length alone") for note in result.warnings)
    assert found["length alone"]["correlation"] == pytest.approx(found["long"]["correlation"])


def test_any_measure_property_or_judgement_can_be_the_control(study):
    (table,) = run(study, "length", measures="other", controls="long,repetition:n=1,rating.quality").tables
    assert table.title == "rating.quality, given long, repetition:n=1, rating.quality"
    found = rows(table)
    (usual,) = run(study, "length", measures="other").tables
    assert found["long alone"]["correlation"] == pytest.approx(rows(usual)["length alone"]["correlation"])
    assert found["other"]["given_long"] == pytest.approx(rows(usual)["other"]["given_length"])
    assert found["other"]["given_rating.quality"] is None
    assert found["repetition:n=1 alone"]["correlation"] is None  # every text repeats its only word
    (fewer,) = run(study, "length", measures="other", controls="compression").tables
    assert set(rows(fewer)) == {"compression alone", "other"}
    with pytest.raises(InputError, match="Did you mean long"):
        run(study, "length", measures="other", controls="longs")


def test_partial_correlations_at_every_level(study):
    from core.comparison.judgements import judgement_matrices
    from core.comparison.measures import find_measure, matrix, measures

    judged = judgement_matrices(study, ["rating.quality"])["rating.quality"]
    other = matrix(study, find_measure(measures(study), "other")).select(judged.systems, judged.topics).values
    length = matrix(study, find_measure(measures(study), "long")).select(judged.systems, judged.topics).values
    expected = {
        "global": partial_correlation(other.ravel(), judged.values.ravel(), length.ravel()[None]),
        "topic": np.mean(
            [partial_correlation(other[:, t], judged.values[:, t], length[:, t][None]) for t in range(TOPICS)]
        ),
    }
    for level, value in expected.items():
        (table,) = run(study, "length", measures="other", level=level).tables
        assert rows(table)["other"]["given_length"] == pytest.approx(value)


def test_studies_are_pooled(study, tmp_path):
    for name in ("one", "two"):
        copied(study, tmp_path / f"{name}.pyramidion").close()
    with open_study(tmp_path / "one.pyramidion") as opened:
        result = run(opened, "meta-analysis", others="two.pyramidion", measures="long,other")
    (table,) = result.tables
    found = rows(table)
    assert found["long"]["one"] == found["long"]["two"] == pytest.approx(found["long"]["mean"])
    assert found["long"]["tau2"] == 0.0
    assert found["long"]["prediction_low"] is None
    assert found["long"]["studies"] == 2
    assert found["long"]["note"] == (
        "only 2 studies: τ² and the intervals are poorly estimated; τ² estimated as 0 (boundary)"
    )
    assert [chart.title for chart in result.charts] == [
        "long against rating.quality",
        "other against rating.quality",
    ]
    assert result.charts[0].note == found["long"]["note"]
    assert result.charts[0].ticks == ("one (n = 7)", "two (n = 7)", "mean")
    low, high = result.charts[0].series[0].low[0], result.charts[0].series[0].high[0]
    half = 1.959963984540054 * np.sqrt(1 / 4)
    z = np.arctanh(found["long"]["one"])
    assert (low, high) == pytest.approx((np.tanh(z - half), np.tanh(z + half)))
    assert any("not independent" in sentence for sentence in result.policy)
