"""Parts of a score: what is left without each, and the parts of two scores side by side."""

from __future__ import annotations

import math
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.explanations.explained_parts import best_reference, compare_parts, parts, without
from core.comparison.explanations.explained_score import explain_stored, explanation_document
from core.comparison.measures import find_measure, measures
from core.errors import InputError
from core.metrics.base import Evidence, Explanation
from core.report.explanation_page import explanation_page
from core.scoring.study_resources import StudyResources


def leaf(label, value, *spans, reference="A"):
    evidence = tuple(Evidence("reference", reference, span) for span in spans)
    return Explanation(label, value=value, evidence=evidence)


def node(label, operator, *children):
    return Explanation(label, operator, children=children)


A, B = leaf("A", 2.0, (0, 1), (2, 3)), leaf("B", 1.0, (0, 4), reference="B")
MATCHED = node("matched", "sum", A, B)
RECALL = node("recall", "ratio", MATCHED, leaf("words", 4.0))
F = node("F", "harmonic", RECALL, node("precision", "ratio", MATCHED, leaf("own", 6.0)))


def test_an_operation_is_named_with_its_number():
    rounded = Explanation("F, 5 decimals", "rounded", 5, (Explanation("F", "power", 1 / 2, (F,)),))
    assert (rounded.operation, rounded.children[0].operation) == (
        "rounded to 5 decimals",
        "to the power of 0.5",
    )
    assert (F.operation, RECALL.operation, A.operation) == ("harmonic mean", "first ÷ second", "")


def test_a_part_is_left_out_wherever_it_occurs():
    assert without(F, {A}) == pytest.approx(2 * (1 / 4) * (1 / 6) / (1 / 4 + 1 / 6))
    found = {part.name: part for part in parts(F)}
    assert list(found) == ["matched › A", "matched › B"]
    assert found["matched › A"].paths == ((0, 0, 0), (1, 0, 0))
    assert found["matched › A"].contribution == pytest.approx(F.evaluate() - without(F, {A}))
    assert len(found["matched › A"].evidence) == 2


@pytest.mark.parametrize(
    ("operator", "left"),
    [("sum", 1.0), ("mean", 1.0), ("max", 1.0), ("geometric", 1.0), ("product", math.nan)],
)
def test_each_operator_without_a_child(operator, left):
    assert without(node("x", operator, A, B), {A}) == pytest.approx(left, nan_ok=True)


def test_nothing_left_is_undefined_but_a_sum():
    assert without(node("x", "sum", A), {A}) == 0.0
    assert math.isnan(without(node("x", "mean", A), {A}))
    assert math.isnan(without(node("y", "sum", node("x", "mean", A), B), {A}))


LEAVES = st.builds(leaf, st.sampled_from("ABC"), st.sampled_from([0.0, 0.5, 2.0]), st.just((0, 1)))
TREES = st.recursive(
    LEAVES,
    lambda inner: st.builds(
        lambda operator, children: node("n", operator, *children),
        st.sampled_from(["sum", "mean", "max", "min", "geometric", "ratio", "harmonic"]),
        st.lists(inner, min_size=2, max_size=2) | st.lists(inner, min_size=8, max_size=9),
    ),
    max_leaves=12,
)


def evaluated_again(tree, gone):
    """Return the value of a tree without a node by evaluating all of it, None = nothing is left."""
    if not tree.children:
        return tree.value
    values = [evaluated_again(child, gone) for child in tree.children if child != gone]
    if len(values) < len(tree.children) and tree.operator not in ("sum", "mean", "max", "geometric"):
        return math.nan
    if not values:
        return 0.0 if tree.operator == "sum" else math.nan
    if any(map(math.isnan, values)):
        return math.nan
    return node("n", tree.operator, *(leaf("v", value) for value in values)).evaluate()


@given(TREES)
def test_a_score_without_a_part_is_that_of_the_tree_evaluated_again(tree):
    for part in parts(tree):
        gone = tree
        for step in part.paths[0]:
            gone = gone.children[step]
        expected = evaluated_again(tree, gone)
        assert part.without == pytest.approx(expected)
        assert without(tree, {gone}) == pytest.approx(expected)
        assert part.value == pytest.approx(gone.evaluate())


def test_values_without_matches_are_parts_where_there_are_no_matches():
    tree = node("mean of the references", "mean", leaf("from A", 1.0), leaf("from B", 3.0))
    assert [(part.name, part.without) for part in parts(tree)] == [
        ("mean of the references › from B", 1.0),
        ("mean of the references › from A", 3.0),
    ]


def test_equal_names_are_numbered():
    tree = node("t", "sum", leaf("x", 1.0, (0, 1)), leaf("x", 2.0, (1, 2)))
    assert {part.name for part in parts(tree)} == {"t › x (1)", "t › x (2)"}


def test_two_scores_are_compared_part_by_part():
    other = node("matched", "sum", leaf("A", 5.0, (0, 1)), leaf("C", 4.0, (0, 1), reference="C"))
    pairs = {pair.name: pair for pair in compare_parts(MATCHED, other)}
    assert list(pairs) == ["matched › C", "matched › A", "matched › B"]
    assert [pairs[f"matched › {x}"].difference for x in "ABC"] == [-3.0, 1.0, -4.0]
    assert pairs["matched › C"].first is None
    assert pairs["matched › B"].second is None


def test_the_best_reference_is_that_of_the_largest_value_or_of_most_matches():
    assert best_reference(F) == "A"
    assert (
        best_reference(node("best", "max", leaf("r", 0.2, (0, 9)), leaf("r", 0.7, (0, 1), reference="B")))
        == "B"
    )
    assert best_reference(leaf("none", 1.0)) == ""


class TestStoredScores:
    @pytest.fixture
    def explained(self, judged_study):
        ref = find_measure(measures(judged_study), "rouge-1.f")
        resources = StudyResources(judged_study, "cpu")
        return explain_stored(judged_study, ref, "D1", "north", resources)

    def test_unknown_names_are_answered_with_the_known_ones(self, judged_study):
        ref = find_measure(measures(judged_study), "rouge-1.f")
        resources = StudyResources(judged_study, "cpu")
        with pytest.raises(InputError, match=r"No topic is named 'X'. Choose one of: D1"):
            explain_stored(judged_study, ref, "X", "north", resources)
        with pytest.raises(InputError, match=r"named 'nobody'\. .*north"):
            explain_stored(judged_study, ref, "D1", "nobody", resources)

    def test_the_document_has_spans_with_their_words(self, explained):
        document = explanation_document(explained)
        assert document["value"] == explained.tree.evaluate()

        def evidence(found):
            return [*found["evidence"], *(one for child in found["children"] for one in evidence(child))]

        for one in evidence(document["tree"]):
            assert len(one["words"]) == one["end"] - one["start"]

    def test_hostile_texts_are_texts_on_the_page(self, explained):
        from dataclasses import replace

        bad = "<script>alert(1)</script> \x1b[31m \u202e"
        texts = tuple(replace(one, content=bad) for one in explained.topic.summaries)
        tree = Explanation(bad, value=1.0, evidence=(Evidence("summary", "north", (0, 8)),))
        score = replace(explained, topic=replace(explained.topic, summaries=texts), tree=tree)
        page = explanation_page([score, score])
        assert "<script" not in page
        assert r"\x1b[31m \u202e" in unescape(page)
        assert '<mark class="s0">&lt;script&gt;</mark>' in page
        assert not score.is_reproduced
        assert "The stored score is" in page
