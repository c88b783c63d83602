"""Calculation of the live score: matched SCUs, X and the ideal sum."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from core.domain import pyramid
from core.domain.study import Text, TopicTexts
from gui.pages.match.rows import BlockRow, MatchScores, WeightBlock
from gui.pages.match.view import ScoreArithmetic, ScorePanel


def topic(references: str) -> TopicTexts:
    texts = tuple(Text(r, r, f"Reference {r} of many words.") for r in references)
    return TopicTexts("t", "T", references=texts)


def annotation(weights: list[int], matched: list[int], outside: int = 0):
    """Return an annotation with SCUs of these weights, some of them matched by index."""
    a = pyramid.empty("t", "me")
    for number, weight in enumerate(weights):
        for place in range(weight):
            if place == 0:
                a = pyramid.add_scu(a, f"unit {number}", "ABCDEFGH"[place], [(0, 4)], f"scu{number}")
            else:
                a = pyramid.add_contributor(a, f"scu{number}", "ABCDEFGH"[place], [(0, 4)])
    for number in matched:
        a = pyramid.add_match(a, "s", "me", f"scu{number}", repeats=True)
    for number in range(outside):
        a = pyramid.add_match(a, "s", "me", None, [(number, number + 1)])
    return a


def live(weights: list[int], matched: list[int], outside: int = 0, references: str = "ABCD"):
    a = annotation(weights, matched, outside)
    return MatchScores(topic(references)).live(a.pyramid, a.matches)


def test_the_blocks_of_an_example_add_up_as_by_hand():
    """Matched weights of D = 20 with X = 8 and 9: two 4s, three 3s, one 2 and one 1, of 14 SCUs."""
    weights = [4, 4, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1]
    score = live(weights, [0, 1, 2, 3, 4, 5, 9], outside=2)
    assert [(row.title, row.total, row.expression) for row in score.rows] == [
        ("Matched", 20, "2×4 + 3×3 + 1×2 + 1×1"),
        ("Ideal of 8", 23, "2×4 + 3×3 + 3×2"),
        ("Ideal of 9", 25, "2×4 + 3×3 + 4×2"),
    ]
    assert [round(line.value, 3) for line in score.scores] == [0.8, 0.870, 0.833, 0.5]
    assert score.explanations == (
        "Modified: 30 contributors in 4 references, 30 / 4 = 7.5, rounded half up to 8.",
        "Original: 7 matched SCUs + 2 units not in the pyramid = 9.",
    )


def test_blocks_name_no_scu_if_only_some_of_their_weight_are_ideal():
    blocks = live([4, 2, 2, 2], [0]).rows[1].blocks
    assert [(block.scu_id, block.label) for block in blocks] == [
        ("scu0", "unit 0"),
        ("", "any of the 3 SCUs of this weight"),
        ("", "any of the 3 SCUs of this weight"),
    ]


def test_an_undefined_score_has_an_explanation():
    assert live([], []).main_fact == "No score yet: the pyramid has no SCU with a contributor."
    assert live([1], [0], references="ABCD").main_fact.startswith("undefined: references have fewer")
    assert live([2, 1], []).explanations[1] == "Original: no matches yet, so X is 0."


def test_the_cap_is_explained_when_it_applies():
    capped = live([1, 1, 1, 1, 1], [0, 1, 2, 3], references="ABCD")
    assert capped.scores[1].value > 1
    assert capped.explanations[2] == "Comprehensive caps the modified score at 1, as DUCView 1.5 does."
    assert capped.scores[2].value == 1.0


def test_scores_without_one_reference_need_several_references():
    score = live([2, 1], [0], references="AB")
    assert [letter for letter, _ in score.without_reference] == ["A", "B"]
    assert live([1], [0], references="A").without_reference == ()


@pytest.fixture
def arithmetic(shown):
    made = shown(ScoreArithmetic())
    made.resize(260, 180)
    return made


def test_a_block_selects_its_scu_by_mouse_and_keys(arithmetic, qtbot):
    chosen = []
    arithmetic.scu_chosen.connect(chosen.append)
    arithmetic.show_rows(live([4, 3, 1], [0, 2]).rows)
    lightest = next(box for box in arithmetic.boxes() if "scu2" in box.scu_ids)
    qtbot.mouseClick(arithmetic, Qt.MouseButton.LeftButton, pos=lightest.rect.center().toPoint())
    arithmetic.setFocus()
    qtbot.keyClick(arithmetic, Qt.Key.Key_Return)
    assert chosen == ["scu2", "scu0"]
    qtbot.keyClick(arithmetic, Qt.Key.Key_Right)
    assert arithmetic.accessibleDescription() == "Weight 1, unit 2"


def test_three_hundred_scus_are_grouped_by_weight_and_stay_inside(arithmetic, qtbot):
    blocks = tuple(WeightBlock(w, w, f"s{w}-{i}", f"label {i}") for w in (4, 3, 2, 1) for i in range(75))
    arithmetic.show_rows([BlockRow("Matched", blocks)])
    boxes = list(arithmetic.boxes())
    assert [len(box.blocks) for box in boxes] == [75, 75, 75, 75]
    assert boxes[-1].rect.right() <= arithmetic.width()
    assert boxes[0].tip.splitlines()[-1] == "and 67 more"
    chosen = []
    arithmetic.scu_chosen.connect(chosen.append)
    for _ in range(2):
        qtbot.mouseClick(arithmetic, Qt.MouseButton.LeftButton, pos=boxes[0].rect.center().toPoint())
        arithmetic.show_selected(chosen[-1])
    assert chosen == ["s4-0", "s4-1"]


def test_the_panel_shows_no_sums_for_an_undefined_score(shown):
    panel = shown(ScorePanel())
    panel.show_open(is_open=True)
    panel.show_score(live([], []))
    assert panel.main_label.text() == "–"
    assert not panel.details.isVisible()
    panel.show_score(live([2, 1], [0]))
    assert panel.details.isVisible()
    assert [value.text() for value in panel.values] == ["1.000", "1.000", "1.000", "0.500"]
