"""The SCU list and the score arithmetic, with real widgets."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester

from gui.annotation.scus.scu_delegate import MARGIN_PX
from gui.annotation.scus.scu_list import ScuList
from gui.annotation.scus.scu_model import ScuModel
from gui.annotation.scus.scu_order import ScuFilter, ScuOrder, arrange_scus
from gui.annotation.scus.scu_values import ScuRow, group_by_weight
from gui.annotation.stored_text_field import LabelField
from gui.pages.match.values import BlockRow, WeightBlock, expression, score_text
from gui.style.theme import px

LINES = [
    ScuRow("fog", "Fog was thick", 3, 3, (True, True, True)),
    ScuRow("ferry", "Ferry ran aground", 3, 3, (True, True, True), words="the night ferry hit a sandbank"),
    ScuRow("storm", "The storm had moved the buoy", 2, 2, (True, True, False)),
    ScuRow("fuel", "No fuel leaked", 1, 1, (False, False, True)),
]


@pytest.fixture
def scus(qtbot):
    widget = ScuList("SCUs", "Find in labels and text", "No SCUs yet.")
    qtbot.addWidget(widget)
    widget.resize(400, 500)
    widget.show_lines(LINES, "ABC")
    widget.show()
    return widget


def row_of(tree, scu_id: str) -> QPoint:
    return tree.visualRect(tree.scus.index_of(scu_id)).center()


def every(line: ScuRow) -> bool:
    return True


def test_tiers_are_sorted_by_weight_and_keep_their_row_order():
    assert [(t.weight, [line.scu_id for line in t.lines]) for t in group_by_weight(LINES, every)] == [
        (3, ["fog", "ferry"]),
        (2, ["storm"]),
        (1, ["fuel"]),
    ]


def test_a_search_covers_labels_and_words_but_counts_all_scus():
    (tier,) = arrange_scus(LINES, ScuOrder.WEIGHT, ScuFilter("SANDBANK"))
    assert [line.scu_id for line in tier.lines] == ["ferry"]
    assert tier.facts()[0] == "2 SCUs"


def test_the_model_follows_qts_rules_while_it_changes(qtmodeltester):
    model = ScuModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show_lines(LINES)
    model.show_lines([LINES[0], *LINES[2:]])
    model.set_filter(ScuFilter("fog"))
    model.set_filter(ScuFilter())
    for order in (ScuOrder.TEXT, ScuOrder.AGE, ScuOrder.WEIGHT):
        model.set_order(order)
    model.show_lines([])
    model.show_lines(LINES)
    qtmodeltester.check(model)
    assert tester.model() is model


def test_a_new_label_repaints_only_its_row(scus, qtbot):
    model = scus.tree.scus
    renamed = [LINES[0], ScuRow("ferry", "Ferry got stuck", 3, 3, (True, True, True)), *LINES[2:]]
    with qtbot.assertNotEmitted(model.modelReset), qtbot.waitSignal(model.dataChanged) as changed:
        scus.show_lines(renamed, "ABC")
    assert changed.args[0] == model.index_of("ferry")


def test_stepping_crosses_tiers_and_stops_at_the_ends(scus):
    chosen = []
    scus.tree.scu_chosen.connect(chosen.append)
    for _ in range(5):
        scus.tree.step(+1)
    scus.tree.step(-1)
    assert chosen == ["fog", "ferry", "storm", "fuel", "fuel", "storm"]


def test_choosing_an_scu_in_code_emits_nothing(scus, qtbot):
    with qtbot.assertNotEmitted(scus.tree.scu_chosen):
        scus.tree.choose("storm")
    assert scus.tree.current_scu == "storm"


def test_a_change_of_weight_keeps_the_selection(scus):
    scus.tree.choose("storm")
    heavier = ScuRow("storm", "The storm had moved the buoy", 3, 3, (True, True, True))
    scus.show_lines([LINES[0], heavier, LINES[3]], "ABC")
    assert scus.tree.current_scu == "storm"


def test_a_collapsed_tier_stays_collapsed_when_rows_move(scus):
    tree = scus.tree
    tree.setExpanded(tree.scus.index(2, 0), False)
    scus.show_lines(LINES[1:], "ABC")
    assert [tree.isExpanded(tree.scus.index(place, 0)) for place in range(3)] == [True, True, False]


def test_a_typed_label_is_emitted_and_not_applied(scus, qtbot):
    scus.tree.edit_label("fuel")
    editor = scus.tree.viewport().findChild(LabelField)
    editor.selectAll()
    qtbot.keyClicks(editor, "Fuel stayed in")
    with qtbot.waitSignal(scus.tree.scus.label_typed) as typed:
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert typed.args == ["fuel", "Fuel stayed in"]
    assert scus.tree.scus.index_of("fuel").data() == "No fuel leaked"


def test_enter_confirms_and_escape_cancels(scus, qtbot):
    scus.tree.choose("storm")
    scus.tree.setFocus()
    with qtbot.waitSignal(scus.tree.confirmed) as confirmed:
        qtbot.keyClick(scus.tree, Qt.Key.Key_Return)
    assert confirmed.args == ["storm"]
    with qtbot.waitSignal(scus.tree.cancelled):
        qtbot.keyClick(scus.tree, Qt.Key.Key_Escape)


def test_a_click_on_the_check_box_differs_from_a_click_on_the_row(scus, qtbot):
    lines = [ScuRow("fog", "Fog was thick", 3, 3, is_matched=False)]
    scus.show_lines(lines)
    tree = scus.tree
    index = tree.scus.index_of("fog")
    box = tree.itemDelegate().check_box(tree.visualRect(index), index)
    with qtbot.assertNotEmitted(tree.scu_checked):
        qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=row_of(tree, "fog"))
    with qtbot.waitSignal(tree.scu_checked) as checked:
        qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=box.center())
    assert checked.args == ["fog"]


def test_every_tier_has_one_width_next_to_the_margin_with_the_pyramid(scus):
    tree, delegate = scus.tree, scus.tree.itemDelegate()
    heads = [tree.scus.index(place, 0) for place in range(3)]
    boxes = [delegate.step_box(tree.visualRect(head), head) for head in heads]
    assert {(box.left(), box.width()) for box in boxes} == {(px(MARGIN_PX), boxes[0].width())}


def test_search_filters_the_list_and_escape_clears_it(scus, qtbot):
    scus.start_finding()
    qtbot.keyClicks(scus.field, "sandbank")
    assert scus.tree.scus.visible() == ("ferry",)
    qtbot.keyClick(scus.field, Qt.Key.Key_Escape)
    assert len(scus.tree.scus.visible()) == 4


def test_the_score_sum_is_written_as_products_heaviest_first():
    assert expression([1, 4, 3, 4, 3, 3]) == "2×4 + 3×3 + 1×1"
    assert expression([]) == "0"
    row = BlockRow("Matched", (WeightBlock(4, 4), WeightBlock(1, 1)))
    assert (row.total, row.expression) == (5, "1×4 + 1×1")


def test_an_undefined_score_is_a_dash():
    assert score_text(float("nan")) == "–"
    assert score_text(0.87) == "0.870"
