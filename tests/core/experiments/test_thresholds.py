"""Thresholds chosen on some topics and reported on others."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from core.comparison.judgements import judgement_matrix
from core.comparison.measures import find_measure, matrix, measures
from core.domain.import_batch import ImportContent, NewRating, NewScore, NewText, NewTopic
from core.errors import InputError
from core.experiments.inputs.development_topics import development_topics, keep_for_development
from core.experiments.inputs.measure_inputs import automatic
from core.experiments.registry import parse_request
from core.experiments.runner import run_experiment
from core.progress import run_to_completion
from core.scoring.study_resources import StudyResources
from storage.study_file import new_study
from tests.core.conftest import copied
from tests.scoring import score_all

pytestmark = pytest.mark.slow

HUMAN = "rating.responsiveness"


@pytest.fixture
def study(sample, tmp_path):
    with copied(sample, tmp_path / "copy.pyramidion") as made:
        score_all(made, "js")
        yield made


def made(study, **settings):
    request = parse_request("thresholds", {"judgements": HUMAN, "draws": "50", **settings})
    return run_to_completion(run_experiment(study, request, StudyResources(study))).result


def by_hand(study, label, least, development):
    """Return the oriented scores and labels of both parts: (development, tests)."""
    human = judgement_matrix(study, HUMAN).only(automatic(study)).in_order()
    ref = find_measure(measures(study), label)
    x = ref.sign * matrix(study, ref).select(human.systems, human.topics).values
    there = np.isfinite(human.values) & np.isfinite(x)
    for chosen in (True, False):
        inside = there & [(name in development) is chosen for name in human.topics]
        yield x[inside], human.values[inside] >= least, ref.sign


@pytest.mark.parametrize("label", ["rouge-2[stem:yes].f", "js-1.divergence"])
def test_the_threshold_of_the_development_topics_is_used_on_the_others(study, label):
    heads = list(study.texts.topics())[::2]
    keep_for_development(study, heads).result()
    table = made(study, least="3.5", measures=label).tables[0]
    (row,) = (dict(zip([column.key for column in table.columns], row, strict=True)) for row in table.rows)
    parts = list(by_hand(study, label, 3.5, set(development_topics(study))))
    (x, good, sign), (x_test, good_test, _) = parts
    threshold = sign * row["threshold"]
    candidates = np.unique(np.concatenate([x, x + 1e-9]))
    assert row["development"] == pytest.approx(balanced_accuracy_score(good, x >= threshold))
    assert row["development"] == pytest.approx(max(balanced_accuracy_score(good, x >= t) for t in candidates))
    assert row["balanced_accuracy"] == pytest.approx(balanced_accuracy_score(good_test, x_test >= threshold))
    assert row["area"] == pytest.approx(roc_auc_score(good_test, x_test))
    assert row["low"] < row["balanced_accuracy"] < row["high"]
    assert row["area_low"] < row["area"] < row["area_high"]


def test_topics_are_drawn_where_the_study_keeps_none(study):
    first, again, other = (made(study, least="3.5", seed=seed) for seed in ("1", "1", "2"))
    assert first.tables == again.tables
    assert first.tables != other.tables
    assert "topics drawn (seed 1)" in first.policy[-1]
    with pytest.raises(InputError, match=r"none is left for development\. Choose topics"):
        made(study, split="study")
    with pytest.raises(InputError, match=r"none is left for tests\. share=1 draws 8 of them: choose another"):
        made(study, share="1.0")
    with pytest.raises(InputError, match="is not a number"):
        made(study, least="many")


def test_a_judgement_without_good_or_other_summaries_is_left_out(study):
    with pytest.raises(InputError, match="its topics for development have only good summaries"):
        made(study, least="0")
    result = made(study, least="0.5", judgements=f"{HUMAN}, pyramid.modified")  # ratings are at least 1
    assert [table.title for table in result.tables] == ["Decisions on pyramid.modified"]
    assert result.warnings[0].startswith(f"{HUMAN} is left out: its topics for development have only good")


def test_scores_that_are_equal_but_for_rounding_are_on_one_side(tmp_path):
    places = [(f"t{topic}", f"s{system}", system % 2) for topic in range(4) for system in range(4)]
    topics = {topic: NewTopic(topic, summaries={}) for topic, _, _ in places}
    for topic, system, _ in places:
        topics[topic].summaries[system] = NewText(f"{system} on {topic}.")
    content = ImportContent(
        "made for tests",
        topics=list(topics.values()),
        annotators={"ann": ""},
        dimensions={"fluency": (1.0, 5.0)},
        ratings=[NewRating(topic, system, "fluency", "ann", 1 + good) for topic, system, good in places],
        scores=[NewScore(topic, system, "x", 0.1 + 0.2 if good else 0.3) for topic, system, good in places],
    )
    with new_study(tmp_path / "made.pyramidion") as study:
        study.import_data(content)
        (row,) = made(study, judgements="rating.fluency", measures="x", least="2").tables[0].rows
        given = {"judgements": "rating.fluency", "measures": "x"}
        controlled = parse_request("length", {**given, "controls": "length, coverage"})
        found = run_to_completion(run_experiment(study, controlled, StudyResources(study))).result
    assert (*row[2:4], row[8]) == (0.5, 0.5, 0.5)  # balanced accuracies and the area
    assert found.tables[0].title == "rating.fluency, given length"
    assert found.warnings == (
        "coverage: no summary that rating.fluency judges has a value, so that nothing is controlled for it.",
    )
