"""The alternative annotator test, beside its definition item by item, and worked by hand."""

from __future__ import annotations

import csv
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control, ttest_1samp

from core.stats.alternative_annotator import Closeness, alternative_annotator_test
from core.stats.resampling.significance import benjamini_yekutieli

NAN = math.nan


def by_definition(judge, people, epsilon, closeness, least):
    """Return ω, ρ and p of each annotator with enough items, from one item at a time."""

    def close(value, others):
        if closeness is Closeness.ACCURACY:
            return sum(other == value for other in others) / len(others)
        return -math.sqrt(sum((value - other) ** 2 for other in others) / len(others))

    ps, shares = [], []
    for who in range(people.shape[1]):
        mine, theirs = [], []
        for value, row in zip(judge, people, strict=True):
            others = [x for place, x in enumerate(row) if place != who and not math.isnan(x)]
            if math.isnan(value) or math.isnan(row[who]) or not others:
                continue
            of_judge, of_person = round(close(value, others), 9), round(close(row[who], others), 9)
            mine.append(of_judge >= of_person)
            theirs.append(of_person >= of_judge)
        if len(mine) >= least:
            apart = np.array(theirs, dtype=float) - np.array(mine, dtype=float)
            ps.append(ttest_1samp(apart, epsilon, alternative="less").pvalue)
            shares.append(np.mean(mine))
    rejected = false_discovery_control(ps, method="by") <= 0.05 if ps else []
    return (np.mean(rejected), np.mean(shares), ps) if ps else (NAN, NAN, [])


@pytest.mark.parametrize("closeness", list(Closeness))
@pytest.mark.parametrize("seed", range(6))
def test_it_is_what_the_definition_says_item_by_item(seed, closeness):
    random = np.random.default_rng(seed)
    truth = random.integers(1, 6, 90)
    people = np.clip(truth[:, None] + random.integers(-1, 2, (90, 4)), 1, 5).astype(float)
    people[random.random(people.shape) < 0.3] = NAN
    judge = np.clip(truth + random.integers(-1, 2, 90), 1, 5).astype(float)
    judge[random.random(90) < 0.1] = NAN
    found = alternative_annotator_test(judge, people, 0.1, closeness, 20)
    rate, advantage, ps = by_definition(judge, people, 0.1, closeness, 20)
    assert found.winning_rate == rate
    assert found.advantage == pytest.approx(advantage, abs=1e-12)
    assert [one.p for one in found.tests] == pytest.approx(ps, rel=1e-9)


def test_by_hand():
    people = np.array([[1.0, 3.0, 3.0], [2.0, 2.0, 5.0], [4.0, 4.0, 4.0]])
    judge = np.array([3.0, 2.0, 1.0])
    found = alternative_annotator_test(judge, people, 0.2, Closeness.RMSE, 3)
    # annotator 1: at 3, 3 the judge is closer than 1; at 2, 5 both are 2; at 4, 4 the annotator is closer
    assert found.closer[:, 0].tolist() == [1, 1, 0]
    # annotator 2: of 1, 3 both are 3; of 2, 5 both are 2
    assert found.closer[:, 1].tolist() == [1, 1, 0]
    # annotator 3: of 1, 3 both are 3; of 2, 2 the judge is closer
    assert found.closer[:, 2].tolist() == [1, 1, 0]
    assert [one.person for one in found.tests] == pytest.approx([2 / 3, 1, 2 / 3])
    assert found.advantage == pytest.approx(2 / 3)


def test_too_few_people_or_items_are_left_out_and_counted():
    people = np.full((40, 3), 3.0)
    people[:, 2] = NAN
    people[:5, 2] = 3.0  # the third has five items
    people[35:, 1] = NAN  # five items of one annotator
    judge = np.full(40, 3.0)
    judge[0] = NAN
    found = alternative_annotator_test(judge, people, 0.2, Closeness.RMSE)
    assert (found.items, found.dropped, found.left_out) == (34, 6, (2,))
    assert [(one.annotator, one.items) for one in found.tests] == [(0, 34), (1, 34)]
    # the judge equals everybody: no variance, and 0 is below ε
    assert ([one.p for one in found.tests], found.winning_rate, found.passes) == ([0.0, 0.0], 1.0, True)


def test_nothing_to_compare_is_undefined_not_a_failure():
    found = alternative_annotator_test(np.full(5, 1.0), np.full((5, 2), 1.0), 0.2, Closeness.RMSE)
    assert math.isnan(found.winning_rate)
    assert math.isnan(found.advantage)
    assert found.left_out == (0, 1)
    empty = alternative_annotator_test(np.zeros(0), np.zeros((0, 2)), 0.2, Closeness.ACCURACY, 1)
    assert (empty.tests, empty.items) == ((), 0)


def test_sums_that_differ_in_their_last_digit_alone_are_equal():
    """0.1 + 0.2 is not 0.3: a judge as far from the others as the annotator is as close."""
    people = np.array([[0.3, 0.0, 0.6]] * 40)
    found = alternative_annotator_test(np.full(40, 0.1 + 0.2), people, 0.2, Closeness.RMSE)
    assert found.tests[0].judge == found.tests[0].person == 1.0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_adjusted_p_values_are_those_of_scipy(ps):
    assert benjamini_yekutieli(ps) == pytest.approx(false_discovery_control(ps, method="by"))


@pytest.mark.data
@pytest.mark.parametrize("closeness", Closeness)
def test_six_judges_on_summeval_have_the_results_of_the_authors_program(closeness, shared_data):
    folder = shared_data / "summeval"
    experts = {}
    for line in (folder / "model_annotations.aligned.paired.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        experts[row["id"], row["model_id"]] = row["expert_annotations"]
    with (folder / "judges.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    people = np.array(
        [[one[row["dimension"]] for one in experts[row["topic"], row["system"]]] for row in rows], dtype=float
    )
    scales = np.array([row["dimension"] for row in rows])
    expected = json.loads((folder / "alttest.expected.json").read_text("utf-8"))
    written = {Closeness.ACCURACY: "accuracy", Closeness.RMSE: "neg_rmse"}[closeness]
    compared = 0
    for judge, by_scale in expected.items():
        values = np.array([float(row[judge] or "nan") for row in rows])
        for scale, results in by_scale.items():
            used = np.ones(len(rows), dtype=bool) if scale == "all" else scales == scale
            for epsilon in (0.1, 0.2):
                found = alternative_annotator_test(values[used], people[used], epsilon, closeness)
                assert [found.winning_rate, found.advantage] == pytest.approx(
                    results[f"{written},{epsilon}"], abs=1e-6
                )
                compared += 1
    assert compared == 6 * 5 * 2
