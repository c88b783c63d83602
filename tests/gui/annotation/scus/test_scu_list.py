"""The SCU list and the score arithmetic, with real widgets."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QAbstractItemModelTester

from gui.annotation.match_values import ExpressionRow, UnitRow, score_text
from gui.annotation.scus.scu_delegate import MARGIN_PX, ROW_HEIGHT
from gui.annotation.scus.scu_list import ScuList
from gui.annotation.scus.scu_model import ScuModel
from gui.annotation.scus.scu_values import ScuFilter, ScuOrder, ScuRow, arrange_scus, group_by_weight
from gui.annotation.stored_text_field import LabelField
from gui.pages.match.rows import BlockRow, WeightBlock, expression
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


def test_a_collapsed_weight_stays_collapsed_when_rows_move(scus):
    scus.tree.choose("fuel")
    scus.tree.open_tier(False)
    scus.show_lines(LINES[1:], "ABC")
    assert scus.tree.scus.collapsed == {1}
    assert not scus.tree.scus.index_of("fuel").isValid()


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


def test_a_click_in_the_margin_collapses_a_weight_and_a_click_on_its_row_expands_it(scus, qtbot):
    tree = scus.tree
    row = tree.visualRect(tree.scus.index_of("ferry"))
    margin = QPoint(row.left() + px(MARGIN_PX) - 4, row.center().y())
    assert tree.tip_at(margin) == "Weight 3: 2 SCUs. Click to collapse or expand"
    with qtbot.assertNotEmitted(tree.scu_chosen):
        qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=margin)
    assert tree.scus.visible()[:2] == ("fog", "ferry")
    assert not tree.scus.index_of("ferry").isValid()
    first = tree.visualRect(tree.scus.index(0, 0)).center()
    assert tree.scus.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "Weight 3: 2 SCUs, collapsed"
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=first)
    assert tree.scus.index_of("ferry").isValid()


MATCHED = [
    replace(
        line, is_matched=False, details=(UnitRow("", "", "", 0, ""), ExpressionRow("r", "A", "x", (0, 1)))
    )
    for line in LINES
]
ONE_TIER = [replace(line, weight=2) for line in MATCHED]
MANY_TIERS = [replace(line, weight=9 - place, step=5) for place, line in enumerate(MATCHED)]


def boxes(tree) -> dict[str, tuple[QRect, ...]]:
    """Return where the row, the label and the check box of each SCU are."""
    delegate, found = tree.itemDelegate(), {}
    for scu_id in tree.scus.visible():
        index = tree.scus.index_of(scu_id)
        row = tree.visualRect(index)
        room = delegate.label_room(row, index), delegate.check_box(row, index)
        found[scu_id] = delegate.row_box(row), *room
    return found


@pytest.mark.parametrize("order", ScuOrder)
@pytest.mark.parametrize("lines", [LINES, MATCHED, ONE_TIER, MANY_TIERS])
@pytest.mark.parametrize("opens", [False, True])
def test_no_row_moves_when_one_is_selected_ticked_or_unticked(scus, lines, order, opens):
    tree = scus.tree
    tree.opens_details = opens
    scus.show_lines(lines, "ABC")
    scus.set_order(order)
    before = boxes(tree)
    assert {(row.left(), row.width(), row.height()) for row, *_ in before.values()} == {
        (px(MARGIN_PX), tree.viewport().width() - px(MARGIN_PX), px(ROW_HEIGHT))
    }
    order_of_rows = list(before)
    for place, scu_id in enumerate(order_of_rows):
        for is_matched, note in ((True, "12 parts"), (False, "")):
            tree.choose(scu_id)  # as a tick does
            unit = UnitRow("m" if is_matched else "", scu_id, "", 1, "words", comment="")
            ticked = [
                replace(line, is_matched=is_matched, note=note, details=(unit, *line.details[1:]))
                if line.scu_id == scu_id and line.is_matched is not None
                else line
                for line in lines
            ]
            scus.show_lines(ticked, "ABC")
            assert boxes(tree) == before
        tree.toggle_details()  # as a click does
        after = boxes(tree)
        above, below = order_of_rows[: place + 1], order_of_rows[place + 1 :]
        assert [after[scu_id] for scu_id in above] == [before[scu_id] for scu_id in above]
        down = {after[scu_id][0].top() - before[scu_id][0].top() for scu_id in below}
        assert len(down) <= 1
        assert opens or down <= {0}
        scus.show_lines(lines, "ABC")
        assert boxes(tree) == after
        tree.toggle_details()
        assert boxes(tree) == before


def test_screen_readers_get_what_a_row_shows(scus):
    letters = replace(LINES[2], is_matched=True, note="2 parts")
    scus.show_lines([letters], "ABC")
    text = scus.tree.scus.index_of("storm").data(Qt.ItemDataRole.AccessibleTextRole)
    assert text == "The storm had moved the buoy, weight 2, matched, in A B, 2 parts"


def test_search_filters_the_list_and_escape_clears_it(scus, qtbot):
    scus.field.focus_default()
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


def test_a_label_begins_where_its_own_language_begins(qtbot):
    scus = ScuList("SCUs", "Find", "None")
    qtbot.addWidget(scus)
    scus.resize(600, 200)
    scus.show()
    sides = {}
    for label in ("Fog", "ضباب"):
        scus.show_lines([ScuRow("fog", label, 1, 1, (True,))], "A")
        tree = scus.tree
        room = tree.delegate.label_room(tree.visualRect(tree.scus.index_of("fog")), tree.scus.index_of("fog"))
        image = tree.viewport().grab(room).toImage()
        ground = image.pixelColor(image.width() // 2, 1)
        ink = [
            x
            for x in range(image.width())
            for y in range(6, image.height() - 6)
            if abs(image.pixelColor(x, y).lightness() - ground.lightness()) > 60
        ]
        sides[label] = (
            "left" if max(ink) < image.width() / 2 else "right" if min(ink) > image.width() / 2 else ""
        )
    assert sides == {"Fog": "left", "ضباب": "right"}
