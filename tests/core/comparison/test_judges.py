"""Judges of a study: which measures are judges of which ratings, and what is said of them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from core.comparison.judges.alignment import (
    EVERY_SCALE,
    JudgeOptions,
    advantage_difference,
    alignment,
    calibration_curve,
    disagreements,
    judged_ratings,
    runs_of,
)
from core.domain.import_batch import ImportContent, NewRating, NewScore, NewText, NewTopic, ScaleTexts
from core.domain.ratings import ScaleKind
from core.errors import InputError
from core.experiments.analyses.judges import TUNED
from core.experiments.inputs.development_topics import (
    TopicPart,
    development_topics,
    drawn_topics,
    keep_for_development,
    part_of,
)
from core.experiments.inputs.named_matrices import load_controls
from core.experiments.registry import parse_request
from core.experiments.runner import run_experiment
from core.progress import run_to_completion
from core.scoring.study_resources import StudyResources
from core.stats.alternative_annotator import Closeness
from core.stats.correlation import Level
from storage.study_file import new_study

SYSTEMS, TOPICS = tuple("abcde"), tuple(f"t{n}" for n in range(12))
PEOPLE = ("ann", "ben", "cem")
QUICK = JudgeOptions(draws=0)


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Ratings by three people on two scales; a good judge with two runs, a poor one, one in other units."""
    random = np.random.default_rng(1)
    text = NewText("The court met on Monday. It lifted a ban.")
    ratings, scores = [], []
    for topic in TOPICS:
        for at, system in enumerate(SYSTEMS):
            key = topic, system
            for scale in ("coherence", "fluency"):
                truth = 1 + (at + (scale == "fluency")) % 5
                for who in PEOPLE:
                    value = int(np.clip(truth + random.integers(-1, 2), 1, 5))
                    ratings.append(NewRating(*key, scale, who, value))
                scores.append(NewScore(*key, f"good#1.{scale}", truth))
                scores.append(NewScore(*key, f"good#2.{scale}", min(5, truth + random.integers(0, 2))))
                scores.append(NewScore(*key, f"poor.{scale}", int(random.integers(1, 6))))
            scores.append(NewScore(*key, "percent", 20.0 * at))
    topics = [NewTopic(name, summaries=dict.fromkeys(SYSTEMS, text)) for name in TOPICS]
    scales = dict.fromkeys(("coherence", "fluency"), (1.0, 5.0))
    annotators = dict.fromkeys(PEOPLE, "")
    with new_study(tmp_path_factory.mktemp("judged") / "s.pyramidion") as made:
        made.import_data(
            ImportContent(
                "made",
                topics=topics,
                ratings=ratings,
                scores=scores,
                dimensions=scales,
                annotators=annotators,
            )
        )
        yield made


def aligned(study, judge, human="rating.coherence", options=QUICK):
    (data,) = (one for one in judged_ratings(study, [judge]) if one.human == human)
    return run_to_completion(alignment(data, options))


def test_measures_named_for_a_scale_are_its_judges(study):
    found = {(one.judge, one.measure, one.human) for one in judged_ratings(study)}
    pairs = {(judge, EVERY_SCALE) for judge in ("good#1", "good#2", "poor")}
    pairs |= {(judge, f"rating.{scale}") for judge, _ in pairs for scale in ("coherence", "fluency")}
    assert {(judge, human) for judge, _, human in found} == pairs
    assert ("poor", "poor.fluency", "rating.fluency") in found


def test_another_measure_is_a_judge_of_the_rating_that_is_named(study):
    (one,) = judged_ratings(study, ["percent"], ["rating.fluency"])
    assert (one.judge, one.human, one.outside) == ("percent", "rating.fluency", 60)
    found = aligned_of(one)
    assert math.isnan(found.difference)
    assert "60 values lie outside the scale" in found.notes[0]
    with pytest.raises(InputError, match="No measure is named for a scale"):
        judged_ratings(study, ["percent"])
    with pytest.raises(InputError, match="No measure is named 'nobody'"):
        judged_ratings(study, ["nobody"])


def aligned_of(data):
    return run_to_completion(alignment(data, QUICK))


def test_a_judge_that_is_closer_than_people_passes_and_a_random_one_fails(study):
    good, poor = aligned(study, "good#1"), aligned(study, "poor")
    assert (good.passes, poor.passes) == (True, False)
    assert good.test.advantage > 0.6 > poor.test.advantage
    assert good.advantage.value == pytest.approx(good.test.advantage)
    assert good.alpha_with_judge.value > good.alpha_people.value > poor.alpha_with_judge.value


def test_intervals_hold_the_values_and_repeat(study):
    options = JudgeOptions(draws=50)
    first, again = (aligned(study, "good#1", options=options) for _ in range(2))
    for name in ("advantage", "alpha_people", "alpha_with_judge", "kappa_people", "kappa_judge"):
        row = getattr(first, name)
        assert row.low <= row.value <= row.high
        assert (row.low, row.high) == (getattr(again, name).low, getattr(again, name).high)


def test_kappa_is_the_mean_over_the_judges_pairs(study):
    found = aligned(study, "poor")
    judge = found.data.values.ravel()
    each = [cohen_kappa_score(judge, one.ravel(), weights="quadratic") for one in found.data.people]
    assert found.kappa_judge.value == pytest.approx(np.mean(each))


def test_correlations_stand_beside_those_of_one_annotator(study):
    found = aligned(study, "good#1")
    data = found.data
    (row,) = (one for one in found.correlations if one.level is Level.GLOBAL)
    flat = data.people.reshape(3, -1)
    others = [np.delete(flat, who, axis=0).mean(axis=0) for who in range(3)]
    of_judge = np.mean([np.corrcoef(data.values.ravel(), one)[0, 1] for one in others])
    of_people = np.mean([np.corrcoef(mine, one)[0, 1] for mine, one in zip(flat, others, strict=True)])
    assert row.value == pytest.approx(np.corrcoef(data.values.ravel(), flat.mean(axis=0))[0, 1])
    assert (row.left_out, row.one_annotator) == (pytest.approx(of_judge), pytest.approx(of_people))
    assert row.left_out > row.one_annotator


def test_runs_of_a_judge_are_compared_with_each_other(study):
    every = judged_ratings(study)
    further = runs_of(every)
    assert {key: [one.judge for one in runs] for key, runs in further.items()} == {
        ("good#1", human): ["good#2"] for human in (EVERY_SCALE, "rating.coherence", "rating.fluency")
    }
    first = next(one for one in every if (one.judge, one.human) == ("good#1", "rating.coherence"))
    runs = run_to_completion(alignment(first, QUICK, runs=further[first.judge, first.human])).runs
    assert 0.8 < runs.value < 1


def test_calibration_bins_by_hand():
    values = np.array([1.0, 1.0, 2.0, np.nan, 5.0])
    bins = calibration_curve(values, np.array([2.0, 3.0, 4.0, 1.0, np.nan]))
    assert [(one.items, one.judge, one.people) for one in bins] == [(2, 1.0, 2.5), (1, 2.0, 4.0)]
    many = calibration_curve(np.arange(100.0), np.arange(100.0))
    assert [one.items for one in many] == [10] * 10
    assert all(one.judge == one.people for one in many)
    assert calibration_curve(np.full(3, np.nan), np.ones(3)) == []


def test_the_largest_disagreement_comes_first(study):
    (data,) = (one for one in judged_ratings(study, ["poor"]) if one.human == "rating.fluency")
    found = disagreements(data)
    assert len(found) == len(SYSTEMS) * len(TOPICS)
    sizes = [abs(one.difference) for one in found]
    assert sizes == sorted(sizes, reverse=True)
    first = found[0]
    assert first.mean == pytest.approx(np.mean([value for _, value in first.ratings]))
    assert first.difference == pytest.approx(first.judge - first.mean)


def test_equally_long_summaries_have_no_length_bias(study):
    (words,) = run_to_completion(load_controls(study, StudyResources(study), ["length"])).matrices
    (data,) = (one for one in judged_ratings(study, ["poor"]) if one.human == "rating.fluency")
    found = run_to_completion(alignment(data, QUICK, words)).length
    assert math.isnan(found.given_people)
    longer = words.values + np.arange(len(TOPICS)) * 7.0
    longer = type(words)("length", words.systems, words.topics, longer)
    found = run_to_completion(alignment(data, QUICK, longer)).length
    x, n = data.values.ravel(), longer.select(data.systems, data.topics).values.ravel()
    assert found.judge == pytest.approx(np.corrcoef(x, n)[0, 1])


def test_two_judges_are_compared_by_an_interval_of_their_difference(study):
    options = JudgeOptions(draws=50)
    good, poor = aligned(study, "good#1"), aligned(study, "poor")
    row = advantage_difference(good, poor, options)
    assert row.value == pytest.approx(good.test.advantage - poor.test.advantage)
    assert 0 < row.low < row.value < row.high
    back = advantage_difference(poor, good, options)
    assert back.value == pytest.approx(-row.value)
    same = advantage_difference(good, good, options)
    assert same.value == 0


def test_categories_are_compared_by_accuracy_and_nothing_that_needs_an_order(tmp_path):
    random = np.random.default_rng(4)
    ratings, scores = [], []
    for topic in TOPICS:
        for system in SYSTEMS:
            value = int(random.integers(1, 4))
            ratings += [NewRating(topic, system, "kind", who, value) for who in PEOPLE[:2]]
            ratings.append(NewRating(topic, system, "kind", "cem", int(random.integers(1, 4))))
            scores.append(NewScore(topic, system, "x.kind", float(value)))
    anchors = tuple((float(n), word) for n, word in enumerate(("fact", "view", "other"), 1))
    topics = [NewTopic(name, summaries=dict.fromkeys(SYSTEMS, NewText("a b ."))) for name in TOPICS]
    with new_study(tmp_path / "s.pyramidion") as made:
        made.import_data(
            ImportContent(
                "made",
                topics=topics,
                ratings=ratings,
                scores=scores,
                dimensions={"kind": (1.0, 3.0)},
                scale_texts={"kind": ScaleTexts("", "", anchors, ScaleKind.CATEGORIES)},
                annotators=dict.fromkeys(PEOPLE, ""),
            )
        )
        (data,) = judged_ratings(made)
        found = run_to_completion(alignment(data, QUICK))
    assert found.closeness is Closeness.ACCURACY
    # the judge is as the first two are: always as close as they are, and closer than the third
    assert [one.judge for one in found.test.tests] == [1.0, 1.0, 1.0]
    assert found.passes
    assert found.alpha_people.coefficient == "alpha-nominal"
    assert found.kappa_judge.value > found.kappa_people.value
    assert (found.correlations, found.calibration, found.length) == ((), (), None)
    assert math.isnan(found.difference)


class TestDevelopmentTopics:
    def test_they_are_kept_apart_from_those_for_tests(self, study):
        heads = study.texts.topics()
        assert part_of(study, TopicPart.AUTOMATIC) == (TopicPart.ALL, list(TOPICS))
        with pytest.raises(InputError, match="No topics are kept for development yet"):
            part_of(study, TopicPart.TEST)
        keep_for_development(study, heads[:3]).result()
        try:
            assert development_topics(study) == ["t0", "t1", "t2"]
            assert study.edits.history(limit=1)[0].what == "Set topics for development"
            assert part_of(study, TopicPart.AUTOMATIC) == (TopicPart.TEST, list(TOPICS[3:]))
            assert part_of(study, TopicPart.DEVELOPMENT)[1] == ["t0", "t1", "t2"]
            keep_for_development(study, heads).result()
            with pytest.raises(InputError, match="none is left for tests"):
                part_of(study, TopicPart.AUTOMATIC)
        finally:
            keep_for_development(study, ()).result()
        assert development_topics(study) == []

    def test_drawing_leaves_some_for_tests_and_repeats(self, study):
        heads = study.texts.topics()
        assert drawn_topics(heads, 4, 1) == drawn_topics(heads, 4, 1) != drawn_topics(heads, 4, 2)
        assert len(drawn_topics(heads, 11)) == 11
        for count in (0, 12):
            with pytest.raises(InputError, match="Choose 1 to 11"):
                drawn_topics(heads, count)

    def test_a_number_on_them_is_marked_and_another_split_makes_it_stale(self, study):
        def run(**settings):
            request = parse_request("judges", {"draws": "0", "judges": "poor", **settings})
            return run_to_completion(run_experiment(study, request, StudyResources(study)))

        before = run()
        assert {row[-1] for row in before.result.tables[0].rows} == {"all"}
        assert run().is_stored
        keep_for_development(study, study.texts.topics()[:6]).result()
        try:
            on_test = run()
            assert not on_test.is_stored
            assert {(row[7], row[-1]) for row in on_test.result.tables[0].rows[1:]} == {(30, "test")}
            assert not any("tuned" in note for note in on_test.result.warnings)
            for part in ("development", "all"):
                found = run(topics=part).result
                assert {row[-1] for row in found.tables[0].rows} == {f"{part} ({TUNED})"}
                assert "may be tuned on them" in found.warnings[0]
        finally:
            keep_for_development(study, ()).result()
