"""Judgements: what counts, how it is averaged, and what their policies say."""

from __future__ import annotations

import math
import re
from itertools import product

import numpy as np
import pytest

from core.comparison.eligibility import is_own_name
from core.comparison.explanations.explained_judgement import explain_judgement
from core.comparison.explanations.explained_parts import parts
from core.comparison.judgements import judgement_matrices, judgement_matrix, judgements, rating_judgements
from core.comparison.pyramid_judgements import (
    PyramidJudgement,
    PyramidScoreScope,
    all_pyramid_judgements,
    choose_references,
)
from core.domain import pyramid
from core.domain.pyramid.nugget_edits import Occurrence, add_automatic, confirm_occurrences
from core.domain.reference_authors import reference_system_name
from core.errors import InputError
from core.experiments.papers.cohan2016 import Cohan2016Table1
from core.progress import run_to_completion


def cell(matrix, system, topic):
    return matrix.values[matrix.systems.index(system), matrix.topics.index(topic)]


def test_judgements_of_a_study_are_listed(judged_study):
    by_name = {ref.name: ref for ref in judgements(judged_study)}
    assert list(by_name) == [
        "pyramid.modified",
        "pyramid.original",
        "pyramid.comprehensive",
        "pyramid.presence",
        "rating.coherence",
    ]
    assert by_name["pyramid.modified"].cells == 8  # four summaries marked done in each of two topics
    assert by_name["pyramid.modified"].annotators == ("ann", "ben")
    assert by_name["rating.coherence"].cells == 23


def test_only_expert_ratings_count_where_there_are_some(judged_study):
    ref = judgements(judged_study)[-1]
    assert ref.annotators == ("expert-1", "expert-2")
    assert "1 further annotator is left out" in ref.policy
    matrix = judgement_matrix(judged_study, "rating.coherence")
    assert cell(matrix, "south", "D2") == pytest.approx((3 + 4) / 2)  # the crowd says 5


def test_annotators_are_chosen_by_name_or_by_group(judged_study):
    crowd = judgement_matrix(judged_study, "rating.coherence", ["crowd"])
    one = judgement_matrix(judged_study, "rating.coherence", ["crowd-1"])
    everybody = judgement_matrix(judged_study, "rating.coherence", ["expert", "crowd-1"])
    assert cell(crowd, "south", "D2") == cell(one, "south", "D2") == 5
    assert cell(everybody, "south", "D2") == pytest.approx((3 + 4 + 5) / 3)


def test_pyramid_scores_are_averaged_over_annotators_of_summaries_marked_done(judged_study):
    """Weights 2, 1, 1 in two references: 4 contributions, 2 units on average, so the ideal is 3."""
    modified = judgement_matrix(judged_study, "pyramid.modified")
    assert cell(modified, "lead", "D1") == 0
    assert cell(modified, "north", "D1") == pytest.approx(2 / 3)
    assert cell(modified, "east", "D2") == pytest.approx(4 / 3)
    assert cell(modified, "east", "D1") == pytest.approx((4 / 3 + 3 / 3) / 2)  # ben found two of three
    assert math.isnan(cell(modified, "=west", "D1"))  # matched, but not marked done
    assert math.isnan(cell(modified, "north", "D3"))
    assert cell(judgement_matrix(judged_study, "pyramid.presence", ["ben"]), "east", "D1") == pytest.approx(
        2 / 3
    )


def test_judgements_read_together_equal_each_read_separately(judged_study):
    names = ["rating.coherence", "pyramid.original", "pyramid.presence"]
    together = judgement_matrices(judged_study, names)
    assert list(together) == names
    for name, matrix in together.items():
        assert repr(matrix) == repr(judgement_matrix(judged_study, name))


def test_errors_for_unknown_names_suggest_the_nearest(judged_study):
    with pytest.raises(InputError, match=r"named 'rating.coherense'. Did you mean rating.coherence"):
        judgement_matrix(judged_study, "rating.coherense")
    with pytest.raises(InputError, match="No annotator or group is named 'expert-9'"):
        judgement_matrix(judged_study, "rating.coherence", ["expert-9"])


def test_a_pyramid_score_can_be_restricted_to_some_references(judged_study):
    """By A alone "raised the tax" and "It met" weigh 1: 2 units, ideal 2; "On Monday" is not in it."""
    by_a = judgement_matrix(judged_study, "pyramid.modified[references:A]")
    assert by_a.label == "pyramid.modified[references:A]"
    assert cell(by_a, "north", "D2") == pytest.approx(1 / 2)
    assert cell(by_a, "east", "D2") == pytest.approx(2 / 2)
    everybody = judgement_matrix(judged_study, "pyramid.modified[references:B+A]")
    assert repr(everybody.values) == repr(judgement_matrix(judged_study, "pyramid.modified").values)


def test_references_as_systems_are_rows_scored_by_the_others(judged_study):
    """A holds two units, one of which B has too: 1 of an ideal of 2 by B; B likewise by A.

    north, with the shared unit alone, reaches 1 of 2 by either; east all of both.
    """
    jackknifed = judgement_matrix(judged_study, "pyramid.modified[humans:jackknife]")
    assert jackknifed.systems[-2:] == ("reference A", "reference B")
    assert (
        cell(jackknifed, "reference A", "D2") == cell(jackknifed, "reference B", "D2") == pytest.approx(1 / 2)
    )
    assert cell(jackknifed, "north", "D2") == pytest.approx(1 / 2)
    assert cell(jackknifed, "east", "D2") == 1
    assert math.isnan(cell(jackknifed, "reference A", "D3"))
    original = judgement_matrix(judged_study, "pyramid.original[humans:jackknife]")
    assert cell(original, "reference A", "D2") == pytest.approx(1 / 2)  # its other unit is nobody else's


def test_one_reference_cannot_be_scored_by_others(judged_study):
    matrix = judgement_matrix(judged_study, "pyramid.modified[humans:jackknife,references:A]")
    assert np.isnan(matrix.values).all()


def test_a_policy_lists_the_included_references(judged_study):
    names = ["pyramid.modified[references:A]", "pyramid.presence[humans:jackknife]", "rating.coherence"]
    by_a, jackknifed, rating = judgements(judged_study, names=names)
    assert by_a.title == "Pyramid (modified), references A"
    assert "counting only references by A" in by_a.policy
    assert "each reference is scored as a system by the others" in jackknifed.policy
    assert rating.name == "rating.coherence"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("pyramid.modified[references:A+Z]", "No author of references is named 'Z'.* A, B"),
        ("pyramid.modified[references:A", "closing bracket"),
        ("pyramid.modified[reference:A]", "'reference:A' is not a valid setting"),
        ("pyramid.modified[references:]", "is not a valid setting"),
        ("pyramid.mean", "No judgement is named 'pyramid.mean'"),
    ],
)
def test_errors_for_malformed_pyramid_score_names_show_the_right_form(judged_study, name, sentence):
    with pytest.raises(InputError, match=sentence):
        judgement_matrix(judged_study, name)


@pytest.mark.parametrize("authors", [("A+B",), ("A", "B"), ("Smith, J.",), ("50%", "[1]"), ("Ö",)])
@pytest.mark.parametrize("humans", [True, False])
def test_names_of_pyramid_scores_can_contain_any_author(authors, humans):
    judgement = PyramidJudgement("modified", PyramidScoreScope(authors, humans))
    assert PyramidJudgement.read(str(judgement)) == judgement


def test_references_can_be_chosen_for_pyramid_scores_only():
    names = ["pyramid.modified", "rating.coherence", "pyramid.presence[humans:jackknife]"]
    assert choose_references(names, ["B", "A"]) == [
        "pyramid.modified[references:A+B]",
        "rating.coherence",
        "pyramid.presence[humans:jackknife,references:A+B]",
    ]
    with pytest.raises(InputError, match="there is none among"):
        choose_references(["rating.coherence"], ["A"])
    with pytest.raises(InputError, match="already names its references"):
        choose_references(["pyramid.modified[references:A]"], ["B"])


class TestNuggets:
    """Nuggets of D1: n1 in both references, n2 in one; lead has n1, north an automatic n1, south all."""

    @pytest.fixture
    def study(self, changeable_study):
        study = changeable_study
        topic = study.texts.topic(next(head.id for head in study.texts.topics() if head.name == "D1"))
        first, second = (reference.id for reference in topic.references)
        me = study.annotators.get_or_create("ann").id
        summaries = {text.name: text.id for text in topic.summaries}
        before = study.nuggets.annotation(topic.id, me)
        after = pyramid.add_scu(before, "tax raised", first, [(0, 4)], "n1")
        after = pyramid.add_scu(after, "tax", first, [(5, 9)], "n2")
        occurrences = [Occurrence(second, ((0, 4),))], [Occurrence(summaries["north"], ((0, 4),))]
        after = add_automatic(after, "n1", *occurrences, me)
        after = confirm_occurrences(after, "n1", [c.id for c in after.scu("n1").contributors])
        after = pyramid.add_match(after, summaries["lead"], me, "n1")
        after = pyramid.add_match(after, summaries["lead"], me, None, [(0, 2)])
        for nugget in ("n1", "n2"):
            after = pyramid.add_match(after, summaries["south"], me, nugget)
        for system in ("lead", "north", "south"):
            after = pyramid.set_summary_state(after, summaries[system], me, is_done=True)
        study.nuggets.commit(before, after, "nuggets", me).result()
        return study

    def test_scores_of_nuggets_are_judgements(self, study):
        named = {ref.name: ref for ref in judgements(study)}
        assert [name for name in named if name.startswith("nugget.")] == [
            "nugget.units",
            "nugget.found",
            "nugget.strict_all",
            "nugget.all",
        ]  # no nugget is rated vital
        units, distinct = (judgement_matrix(study, f"nugget.{kind}") for kind in ("units", "found"))
        assert cell(units, "lead", "D1") == pytest.approx(2 / 3)  # with the unit outside, X is 2
        assert cell(distinct, "lead", "D1") == 1
        assert (cell(units, "north", "D1"), cell(units, "south", "D1")) == (0, 1)
        assert math.isnan(cell(units, "east", "D1"))
        policy = named["nugget.units"].policy
        assert "hits that nobody confirmed are left out" in policy
        assert "units outside the nuggets" in policy

    def test_automatic_hits_count_if_the_name_includes_them(self, study):
        name = "nugget.units[hits:all]"
        assert cell(judgement_matrix(study, name), "north", "D1") == 1
        (ref,) = judgements(study, names=[name])
        assert ref.title == "Nugget score (all units), with automatic hits"
        assert "hits that nobody confirmed are included" in ref.policy

    def test_references_are_chosen_and_scored_as_systems(self, study):
        one = judgement_matrix(study, "nugget.strict_all[references:B]")
        assert cell(one, "lead", "D1") == 1  # n1 alone is in B
        both = judgement_matrix(study, "nugget.units[humans:jackknife]")
        assert cell(both, reference_system_name("A"), "D1") == 1  # n1 is the whole weight of B

    @pytest.mark.slow
    @pytest.mark.parametrize("scope", ["", "[humans:jackknife]", "[references:B]"])
    def test_every_judgement_is_explained_by_a_tree_of_its_value(self, study, scope):
        names = [f"{one}{scope}" for one in all_pyramid_judgements()]
        names += [f"{name[:-1] if scope else f'{name}['}{',' * bool(scope)}tier:occurrences,hits:all]"
                  for name in names if name.startswith("nugget.")]  # fmt: skip
        names += [] if scope else rating_judgements(study)
        explained, topics = 0, {head.name: head.id for head in study.texts.topics()}
        for name, matrix in judgement_matrices(study, names).items():
            for system, topic in product(matrix.systems, matrix.topics):
                value = cell(matrix, system, topic)
                if math.isnan(value):
                    with pytest.raises(InputError, match=f"{re.escape(system)} has no value of"):
                        explain_judgement(study, name, topics[topic], system)
                else:
                    tree = explain_judgement(study, name, topics[topic], system)
                    assert tree.evaluate() == pytest.approx(value, abs=1e-12), (name, system, topic)
                    explained += 1
        assert explained > 50

    def test_the_parts_of_a_nugget_score_are_its_nuggets(self, study):
        topic = study.texts.topics()[0].id
        (part,) = parts(explain_judgement(study, "nugget.units", topic, "lead"))
        assert part.name == "nuggets found › tax raised"
        assert (part.contribution, part.without) == (pytest.approx(2 / 3), 0)
        assert {(one.role, one.name) for one in part.evidence} == {("reference", "A"), ("reference", "B")}
        assert len(parts(explain_judgement(study, "nugget.all", topic, "south"))) == 2

    def test_names_are_parsed_to_the_same_reference(self):
        for name in (
            "nugget.found[tier:occurrences,hits:all,humans:jackknife,references:A+B]",
            "nugget.vital",
            "pyramid.modified[humans:jackknife]",
        ):
            assert str(PyramidJudgement.read(name)) == name
        assert PyramidJudgement.read("nugget.modified") is None
        with pytest.raises(InputError, match="tier:occurrences"):
            PyramidJudgement.read("pyramid.modified[tier:occurrences]")

    def test_pyramid_measures_are_not_the_judgements_family(self):
        assert is_own_name("nugget.found", "nugget.units")
        assert not is_own_name("pyramid.modified", "nugget.units")
        assert is_own_name("pyramid.modified", "pyramid.original")

    def test_the_recipe_lists_nuggets_instead_of_scus(self, study):
        result = run_to_completion(Cohan2016Table1().run(study, None))
        assert result.stand_ins == ()
        assert [row[2:] for row in result.tables[0].rows] == [("tax raised", 2), ("tax", 1)]
