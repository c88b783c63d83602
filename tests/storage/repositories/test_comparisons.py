"""Comparative judgement: balanced plans, answers, merges, judgements, agreement."""

from __future__ import annotations

import shutil
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from core.agreement.analysis import AgreementOptions
from core.agreement.estimates import BootstrapOptions
from core.annotation.comparison_plans import draw_plan
from core.comparison.annotator_agreement import AgreementSelection, study_agreement
from core.comparison.judgements import judgement_matrix, judgements
from core.comparison.preferences import PreferenceScore, answered_plan, plan_result, summary_scores
from core.comparison.study_digest import study_digest
from core.domain.annotation_pack import parse_pack
from core.domain.assignment import Work
from core.domain.decisions import RESULT_GROUP
from core.domain.preferences import (
    ComparisonItem,
    ComparisonKind,
    ComparisonPlan,
    Preference,
    draw_comparisons,
    implied_pairs,
    next_item,
)
from core.domain.pyramid import new_id
from core.errors import BadImport, InputError
from core.progress import run_to_completion
from core.stats.estimators.bradley_terry import Unidentified, fit_bradley_terry
from storage.study_file import check, open_study
from tests.people import imported

PAIRS = ComparisonPlan("c" * 32, "quality", ComparisonKind.PAIRWISE, "Which is better?", 2, 2)


@pytest.fixture
def ann(study):
    return study.annotators.get_or_create("Ann").id


@pytest.fixture
def ben(study):
    return study.annotators.get_or_create("Ben").id


@pytest.fixture
def planned(study, ann):
    """The study with all pairs of its first topic, as (lead, good), (good, bad), (bad, lead)."""
    by_name = summaries(study)
    pairs = (("lead", "good"), ("good", "bad"), ("bad", "lead"))
    items = [
        ComparisonItem(f"{place}" * 32, topic(study).id, (by_name[a], by_name[b]))
        for place, (a, b) in enumerate(pairs)
    ]
    study.comparisons.add_plan(PAIRS, items, ann).result()
    return study


def topic(study):
    return study.texts.topics()[0]


def summaries(study):
    return {text.name: text.id for text in study.texts.topic(topic(study).id).summaries}


def answer(study, who, place, best, worst=""):
    """Answer a comparison by the names of systems; best empty = a tie."""
    by_name = summaries(study)
    study.comparisons.answer(f"{place}" * 32, who, by_name.get(best), by_name.get(worst)).result()


class TestPlans:
    @settings(max_examples=40, deadline=None)
    @given(
        systems=st.integers(2, 17),
        topics=st.integers(1, 6),
        per_summary=st.integers(1, 6),
        seed=st.integers(0, 99),
    )
    def test_pairs_are_balanced(self, systems, topics, per_summary, seed):
        names = [f"s{i}" for i in range(systems)]
        plan = ComparisonPlan("", "x", ComparisonKind.PAIRWISE, "", 2, per_summary, seed=seed)
        drawn = draw_comparisons(plan, {f"t{t}": names for t in range(topics)})
        assert drawn == draw_comparisons(plan, {f"t{t}": names for t in range(topics)})
        for name in {one.topic_id for one in drawn}:
            mine = [one.systems for one in drawn if one.topic_id == name]
            assert len({frozenset(pair) for pair in mine}) == len(mine), "no pair twice"
            shown = Counter(system for pair in mine for system in pair)
            degree = min(per_summary, systems - 1)
            is_odd = systems % 2 and degree % 2
            assert set(shown.values()) <= ({degree - 1, degree} if is_odd else {degree})
        together = Counter(frozenset(one.systems) for one in drawn)
        counts = [together[frozenset(pair)] for pair in combinations(names, 2)]
        assert max(counts) - min(counts) <= 1
        order = Counter(one.systems for one in drawn)
        assert all(abs(order[a, b] - order[b, a]) <= 1 for a, b in combinations(names, 2))

    @settings(max_examples=25, deadline=None)
    @given(systems=st.integers(4, 16), per_summary=st.integers(1, 5), seed=st.integers(0, 99))
    def test_tuples_are_balanced(self, systems, per_summary, seed):
        names = [f"s{i}" for i in range(systems)]
        plan = ComparisonPlan("", "x", ComparisonKind.BEST_WORST, "", 4, per_summary, seed=seed)
        drawn = [one.systems for one in draw_comparisons(plan, {"t": names})]
        assert all(len(set(one)) == 4 for one in drawn)
        shown = Counter(system for one in drawn for system in one)
        assert max(shown.values()) - min(shown.values()) <= 1

    def test_what_does_not_overlap_is_divided(self):
        names = [f"s{i}" for i in range(8)]
        plan = ComparisonPlan("", "x", ComparisonKind.PAIRWISE, "", 2, 4, overlap=0.25)
        drawn = draw_comparisons(plan, {"t": names}, ["a", "b", "c"])
        who = Counter(one.annotator_id for one in drawn)
        assert who[None] == 4
        assert sorted(who[name] for name in "abc") == [4, 4, 4]

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"name": " "}, "needs a name"),
            ({"size": 3}, "has 2 summaries"),
            ({"kind": ComparisonKind.BEST_WORST, "size": 2}, "outside 3 to 9"),
            ({"overlap": 1.5}, "not a share"),
            ({"per_summary": 0}, "at least 1"),
            ({"per_summary": 10**20}, "at most 1,000"),
            ({"seed": 2**53 + 1}, "seed"),
        ],
    )
    def test_invalid_settings_are_refused(self, change, message):
        values = {"name": "x", "kind": ComparisonKind.PAIRWISE, "size": 2, "per_summary": 1, **change}
        with pytest.raises(InputError, match=message):
            draw_comparisons(ComparisonPlan("", **values), {"t": ["a", "b"]})

    def test_the_next_comparison_is_the_annotators_own(self):
        items = [ComparisonItem(str(i), "t", ("a", "b"), who) for i, who in enumerate(("x", None, "y"))]
        assert next_item(items, (), "y").id == "1"
        assert next_item(items, ("1",), "y").id == "2"
        assert next_item(items, ("1",), "y", after="2").id == "2"
        assert next_item(items, ("1", "2"), "y") is None


class TestBradleyTerry:
    @settings(max_examples=30, deadline=None)
    @given(seed=st.integers(0, 10_000), n=st.integers(2, 6), has_ties=st.booleans())
    def test_strengths_maximize_the_likelihood(self, seed, n, has_ties):
        chance = np.random.default_rng(seed)
        wins = chance.integers(1, 9, (n, n)).astype(float)
        np.fill_diagonal(wins, 0)
        ties = np.triu(chance.integers(1, 5, (n, n)), 1).astype(float) if has_ties else np.zeros((n, n))
        ties = ties + ties.T
        fit = fit_bradley_terry(wins, ties)

        def loss(values):
            logs = np.append(values[: n - 1], -values[: n - 1].sum())
            tie = np.exp(values[-1]) if has_ties else 0.0
            power = np.exp(logs)
            mean = np.exp((logs[:, None] + logs) / 2)
            total = np.log(power[:, None] + power + tie * mean)
            found = (wins * (logs[:, None] - total)).sum()
            if has_ties:
                found += (np.triu(ties) * (np.log(tie * mean) - total)).sum()
            return -found

        best = minimize(loss, np.zeros(n), method="BFGS", options={"gtol": 1e-9})
        assert loss(np.append(fit.strengths[: n - 1], np.log(fit.tie) if has_ties else 0)) == pytest.approx(
            best.fun, abs=1e-6
        )

    def test_agresti_s_baseball_teams(self):
        """Agresti 1990, table 10.10: wins of seven teams in 1987; strengths without home advantage."""
        wins = np.array(
            [
                [0, 7, 9, 7, 7, 9, 11],
                [6, 0, 7, 5, 11, 9, 9],
                [4, 6, 0, 7, 7, 8, 12],
                [6, 8, 6, 0, 6, 7, 10],
                [6, 2, 6, 7, 0, 7, 12],
                [4, 4, 5, 6, 6, 0, 6],
                [2, 4, 1, 3, 1, 7, 0],
            ],
            dtype=float,
        )
        fit = fit_bradley_terry(wins)
        printed = np.array([1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0])
        assert fit.strengths - fit.strengths[-1] == pytest.approx(printed, abs=0.006)

    @pytest.mark.parametrize(
        ("wins", "reason"),
        [
            (np.zeros((3, 3)), Unidentified.NO_COMPARISONS),
            (np.array([[0, 2, 0], [1, 0, 0], [0, 0, 0.0]]), Unidentified.NO),
            (np.array([[0, 2, 0], [0, 0, 0], [0, 0, 0.0]]), Unidentified.SEPARATED),
            (np.kron(np.eye(2), np.array([[0, 1], [1, 0.0]])), Unidentified.NOT_CONNECTED),
        ],
    )
    def test_without_a_finite_estimate_there_is_a_reason(self, wins, reason):
        fit = fit_bradley_terry(wins)
        assert fit.unidentified is reason
        assert np.isfinite(fit.strengths).any() == (reason is Unidentified.NO)


class TestAnswers:
    def test_answers_are_stored_changed_cleared_and_undone(self, planned, ann):
        answer(planned, ann, 0, "lead", "good")
        answer(planned, ann, 0, "")
        stored = planned.comparisons.preferences(PAIRS.id)
        assert [(one.best, one.worst) for one in stored] == [(None, None)]
        assert planned.edits.history()[0].what == "Judged summaries equal"
        planned.comparisons.clear("0" * 32, ann).result()
        assert planned.comparisons.preferences(PAIRS.id) == []
        for _ in range(2):
            planned.edits.undo(ann).result()
        assert planned.comparisons.preferences(PAIRS.id)[0].best == summaries(planned)["lead"]
        assert check(planned.path) == []

    def test_an_answer_that_the_comparison_does_not_allow_is_refused(self, planned, ann):
        for best, worst, message in (
            ("lead", "bad", "not one of this comparison"),
            ("lead", "lead", "two different"),
            ("lead", "", "two different"),
        ):
            with pytest.raises(InputError, match=message):
                answer(planned, ann, 0, best, worst)

    def test_a_plan_without_answers_is_removed_and_its_name_is_unique(self, planned, ann):
        again = ComparisonPlan(new_id(), "quality", ComparisonKind.PAIRWISE)
        with pytest.raises(InputError, match="already"):
            planned.comparisons.add_plan(again, planned.comparisons.items(PAIRS.id), ann).result()
        answer(planned, ann, 0, "")
        with pytest.raises(InputError, match="1 answer"):
            planned.comparisons.remove_plan(PAIRS.id, ann).result()
        planned.comparisons.clear("0" * 32, ann).result()
        planned.comparisons.remove_plan(PAIRS.id, ann).result()
        assert planned.comparisons.plans() == []
        assert planned.edits.history()[0].what == "Removed plan of comparisons “quality” with 3 comparisons"
        planned.edits.undo(ann).result()
        assert planned.comparisons.plans() == [PAIRS]
        assert len(planned.comparisons.items(PAIRS.id)) == 3

    def test_packs_carry_answers_and_their_plan(self, planned, ann, ben, small_file, tmp_path):
        answer(planned, ann, 0, "lead", "good")
        answer(planned, ben, 1, "")
        pack = parse_pack(planned.annotation_pack().to_text(), "all.pack")
        with open_study(shutil.copyfile(small_file, tmp_path / "other.pyramidion")) as other:
            for _ in range(2):
                other.merge_annotations([("all.pack", pack)])
            assert study_digest(other) == study_digest(planned)
            assert len(other.comparisons.preferences(PAIRS.id)) == 2
            path = other.path
        assert check(path) == []

    def test_a_pack_with_other_comparisons_of_the_same_name_is_refused(
        self, planned, ann, small_file, tmp_path
    ):
        answer(planned, ann, 0, "lead", "good")
        pack = parse_pack(planned.annotation_pack().to_text(), "all.pack")
        with open_study(shutil.copyfile(small_file, tmp_path / "other.pyramidion")) as other:
            items = [ComparisonItem(new_id(), topic(other).id, tuple(summaries(other).values())[:2])]
            plan = ComparisonPlan(new_id(), "quality", ComparisonKind.PAIRWISE)
            other.comparisons.add_plan(plan, items, None).result()
            with pytest.raises(BadImport, match="other comparisons of this name"):
                other.merge_annotations([("all.pack", pack)])


class TestJudgements:
    def test_both_scores_by_hand(self, planned, ann, ben):
        """Lead beats good, good ties with bad, bad beats lead; Ben: lead beats good, lead beats bad."""
        for who, place, best, worst in (
            (ann, 0, "lead", "good"),
            (ann, 1, "", ""),
            (ann, 2, "bad", "lead"),
            (ben, 0, "lead", "good"),
            (ben, 2, "lead", "bad"),
        ):
            answer(planned, who, place, best, worst)
        matrix = judgement_matrix(planned, "preference.quality.count")
        values = dict(zip(matrix.systems, matrix.values[:, 0], strict=True))
        assert values == pytest.approx({"lead": 3 / 4, "good": 0.5 / 3, "bad": 1.5 / 3})
        assert np.isnan(matrix.values[:, 1]).all(), "nothing of the second topic was compared"
        refs = {ref.name: ref for ref in judgements(planned)}
        assert refs["preference.quality.bt"].cells == 3
        assert "from 5 answers by Ann and Ben" in refs["preference.quality.bt"].policy
        result = plan_result(planned, answered_plan(planned, planned.comparisons.plans()[0]))
        assert [one.system for one in result.systems] == ["lead", "bad", "good"]
        assert result.systems[0].strength > result.systems[1].strength > result.systems[2].strength
        strengths, _ = summary_scores(answered_plan(planned, PAIRS), PreferenceScore.BRADLEY_TERRY)
        assert sum(strengths.values()) == pytest.approx(0)

    def test_where_strengths_are_infinite_there_is_no_number_but_a_reason(self, planned, ann):
        answer(planned, ann, 0, "lead", "good")
        with pytest.raises(InputError, match="judgement"):
            judgement_matrix(planned, "preference.quality.elo")
        (ref,) = judgements(planned, names=["preference.quality.bt"])
        assert ref.cells == 0
        assert "no strengths in 1 topic: some never lost" in ref.policy

    def test_best_worst_answers_imply_pairs_and_count(self, study, ann):
        by_name = summaries(study)
        plan = ComparisonPlan("b" * 32, "bws", ComparisonKind.BEST_WORST, "", 3, 1)
        item = ComparisonItem("0" * 32, topic(study).id, tuple(by_name.values()))
        study.comparisons.add_plan(plan, [item], ann).result()
        with pytest.raises(InputError, match="no ties"):
            answer(study, ann, 0, "")
        answer(study, ann, 0, "good", "bad")
        stored = study.comparisons.preferences(plan.id)[0]
        pairs = {(by_name["good"], by_name["bad"]), (by_name["good"], by_name["lead"])}
        assert set(implied_pairs(item, stored)) == pairs | {(by_name["lead"], by_name["bad"])}
        matrix = judgement_matrix(study, "preference.bws.count")
        values = dict(zip(matrix.systems, matrix.values[:, 0], strict=True))
        assert values == {"good": 1, "lead": 0, "bad": -1}

    def test_the_agreement_is_nominal_over_shared_comparisons(self, planned, ann, ben):
        for place, first, second in ((0, "lead", "lead"), (1, "good", ""), (2, "bad", "bad")):
            others = {0: ("lead", "good"), 1: ("good", "bad"), 2: ("bad", "lead")}[place]
            for who, best in ((ann, first), (ben, second)):
                answer(planned, who, place, best, others[1] if best else "")
        options = AgreementOptions(BootstrapOptions(draws=0))
        selected = AgreementSelection((Work.COMPARISONS,))
        table = run_to_completion(study_agreement(planned, selected, options))
        found = {row.coefficient: row.value for row in table.rows}
        assert {row.what for row in table.rows} == {"preference.quality"}
        assert found["raw"] == pytest.approx(2 / 3)
        # Values 1 (five times) and 0 (once): disagreement 1/3 observed, (36 - 26) / 30 expected.
        assert found["alpha-nominal"] == pytest.approx(1 - (1 / 3) / (10 / 30))


def test_a_tie_implies_no_pair():
    item = ComparisonItem("i", "t", ("a", "b"))
    assert implied_pairs(item, Preference("p", "i", "x")) == []


def test_results_and_versions_of_conflicts_get_no_comparisons(study, ann):
    study.annotators.get_or_create("adjudicated", RESULT_GROUP)
    imported(study, "Ann (conflict 0a1b2c)")
    everybody = [person.name for person in study.annotators.all()]
    _, items = draw_plan(study, "x", ComparisonKind.PAIRWISE, overlap=0.0, annotators=everybody)
    names = {person.id: person.name for person in study.annotators.all()}
    asked = {names[item.annotator_id] for item in items}
    assert "Ann" in asked
    assert not asked & {"adjudicated", "Ann (conflict 0a1b2c)"}
