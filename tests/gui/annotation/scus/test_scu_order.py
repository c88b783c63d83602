"""Sort order, filter and tiers of the SCU list, through its menus and chips."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt

from gui.annotation.scus.scu_list import ScuList
from gui.annotation.scus.scu_values import ScuFilter, ScuOrder, ScuRow, arrange_scus
from gui.annotation.scus.unit_rows import LabelLines

LINES = [
    ScuRow("storm", "the storm moved the buoy", 2, 2, (True, True, False), first=(0, 40)),
    ScuRow("fog", "Fog was thick", 3, 3, (True, True, True), first=(0, 4), has_comment=True),
    ScuRow("fuel", "No fuel leaked", 1, 1, (False, False, True), first=(2, 9)),
    ScuRow("empty", "Angry council", 0, 1, (False, False, False)),
]


@pytest.fixture
def scus(shown):
    widget = ScuList("SCUs", "Find in labels and text", "No SCUs yet.")
    shown(widget).resize(340, 500)
    widget.show_lines(LINES, "ABC")
    return widget


def ids(tiers) -> list[str]:
    return [line.scu_id for tier in tiers for line in tier.lines]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (ScuOrder.WEIGHT, ["fog", "storm", "fuel", "empty"]),
        (ScuOrder.TEXT, ["fog", "storm", "fuel", "empty"]),
        (ScuOrder.LABEL, ["empty", "fog", "fuel", "storm"]),
        (ScuOrder.AGE, ["storm", "fog", "fuel", "empty"]),
    ],
)
def test_scus_are_listed_by_weight_text_label_or_age(order, expected):
    assert ids(arrange_scus(LINES, order, ScuFilter())) == expected


@pytest.mark.parametrize(
    ("scu_filter", "expected"),
    [
        (ScuFilter(weights=frozenset({1, 3})), ["fog", "fuel"]),
        (ScuFilter(expressed_in=frozenset({0, 1})), ["storm", "fog"]),
        (ScuFilter(expressed_in=frozenset({0}), missing_in=frozenset({2})), ["storm"]),
        (ScuFilter(has_comment=True), ["fog"]),
        (ScuFilter("buoy", frozenset({2})), ["storm"]),
    ],
)
def test_a_filter_keeps_scus_that_meet_all_its_conditions(scu_filter, expected):
    assert ids(arrange_scus(LINES, ScuOrder.AGE, scu_filter)) == expected


def test_unmatched_scus_can_be_filtered():
    lines = [ScuRow("a", "a", 1, 1, is_matched=True), ScuRow("b", "b", 1, 1, is_matched=False)]
    assert ids(arrange_scus(lines, ScuOrder.WEIGHT, ScuFilter(is_matched=False))) == ["b"]


def test_other_orders_have_rows_at_the_same_places(scus):
    tree = scus.tree
    tops = [tree.visualRect(tree.scus.index_of(scu_id)).top() for scu_id in tree.scus.visible()]
    scus.set_order(ScuOrder.LABEL)
    assert tree.scus.visible() == ("empty", "fog", "fuel", "storm")
    assert [tree.visualRect(tree.scus.index_of(scu_id)).top() for scu_id in tree.scus.visible()] == tops
    assert tops[0] == 0


def test_order_filter_and_selection_stay_when_rows_change(scus):
    scus.set_order(ScuOrder.AGE)
    scus.tree.choose("fuel")
    scus.show_lines([*LINES[1:], LINES[0]], "ABC")
    assert scus.tree.scus.visible() == ("fog", "fuel", "empty", "storm")
    assert scus.tree.current_scu == "fuel"


def test_the_filter_menu_stays_open_and_chips_remove_filters(scus, qtbot):
    facts = []
    scus.arranged.connect(lambda: facts.append(scus.fact))
    scus.open_filter_menu()
    menu = scus.filter_menu
    weights = next(action.menu() for action in menu.actions() if action.text() == "&Weight")
    qtbot.waitUntil(menu.isVisible)
    assert [action.text() for action in weights.actions()] == ["3", "2", "1", "0"]
    for action in weights.actions()[:2]:
        action.trigger()
    assert menu.isVisible()
    assert scus.tree.scus.visible() == ("fog", "storm")
    menu.close()
    chips = scus.chips
    assert [chip.text() for chip in chips.buttons] == ["Weight 2", "Weight 3"]
    qtbot.mouseClick(chips.buttons[0], Qt.MouseButton.LeftButton)
    assert scus.tree.scus.visible() == ("fog",)
    qtbot.mouseClick(chips.buttons[0], Qt.MouseButton.LeftButton)
    assert chips.isHidden()
    assert facts == ["by weight · 1 of 4", "by weight · 2 of 4", "by weight · 1 of 4", "by weight"]


def test_a_filter_without_results_is_cleared_to_show_an_scu(scus):
    scus.set_filter(ScuFilter(weights=frozenset({2}), missing_in=frozenset({0})))
    assert scus.tree.isHidden()
    scus.show_scu("fog")
    assert len(scus.tree.scus.visible()) == 4


def test_a_topic_with_fewer_references_drops_filters_on_missing_ones(scus):
    scus.set_filter(ScuFilter(missing_in=frozenset({2})))
    assert scus.tree.scus.visible() == ("storm", "empty")
    scus.show_lines([ScuRow("x", "x", 2, 2, (True, True))], "AB")
    assert scus.tree.scus.visible() == ("x",)
    assert scus.chips.isHidden()


def test_weights_collapse_and_expand_individually_and_together(scus):
    tree = scus.tree
    tree.choose("storm")
    tree.open_tier(False)
    assert tree.scus.collapsed == {2}
    tree.open_tier(True)
    assert tree.scus.collapsed == frozenset()
    tree.fold()
    assert tree.scus.collapsed == {0, 1, 2, 3}
    tree.fold()
    assert tree.scus.collapsed == frozenset()


def test_a_long_label_is_elided_in_one_line_and_whole_in_the_tooltip(scus, qtbot):
    long = "The storm of last week had moved the channel buoy by ninety metres"
    scus.show_lines([ScuRow("long", long, 2, 2, (True, True, False)), LINES[0]], "ABC")
    tree = scus.tree
    index = tree.scus.index_of("long")
    scus.resize(300, 500)
    qtbot.waitUntil(lambda: tree.viewport().width() < 300)
    assert len({tree.visualRect(tree.scus.index(row, 0)).height() for row in range(2)}) == 1
    assert tree.tip_at(tree.visualRect(index).center()) == long
    scus.resize(900, 500)
    qtbot.waitUntil(lambda: tree.viewport().width() > 800)
    assert tree.tip_at(tree.visualRect(index).center()) == ""


def test_many_references_become_dots_if_letters_do_not_fit(scus, qtbot):
    delegate = scus.tree.itemDelegate()
    scus.show_lines([ScuRow("many", "x", 5, 3, (True, False) * 5)], "ABCDEFGHIJ")
    index = scus.tree.scus.index_of("many")

    def columns() -> int:
        row = scus.tree.visualRect(index)
        return row.right() - delegate.label_room(row, index).right()

    scus.resize(900, 500)
    qtbot.waitUntil(lambda: scus.tree.viewport().width() > 800)
    letters = columns()
    assert delegate.hidden_text(scus.tree.visualRect(index), index) == ""
    scus.resize(260, 500)
    qtbot.waitUntil(lambda: scus.tree.viewport().width() < 300)
    assert columns() < letters
    assert delegate.hidden_text(scus.tree.visualRect(index), index) == "In A, C, E, G, I"


def test_labels_break_between_words_and_never_within_an_emoji(qapp):
    lines = LabelLines(qapp.font())
    label = "👩‍🚀 landed safely 👩‍🚀 in the sea"
    width = lines.line_px * 8
    first, second = lines.lines(label, width)
    assert f"{first} {second}" == label
    assert not lines.is_cut(label, width)
    assert lines.lines(label * 9, width)[1].endswith("…")
    assert lines.is_cut(label * 9, width)


SCU_LINES = st.lists(
    st.builds(
        ScuRow,
        st.uuids().map(str),
        st.text("abc ", max_size=4),
        st.integers(0, 3),
        st.just(1),
        st.tuples(st.booleans(), st.booleans()),
        first=st.none() | st.tuples(st.integers(0, 1), st.integers(0, 9)),
        has_comment=st.booleans(),
    ),
    max_size=12,
    unique_by=lambda line: line.scu_id,
)
FILTERS = st.builds(
    ScuFilter,
    st.sampled_from(["", "a", "b c"]),
    st.frozensets(st.integers(0, 3)),
    st.frozensets(st.integers(0, 1)),
    st.frozensets(st.integers(0, 1)),
    has_comment=st.booleans(),
)


@given(SCU_LINES, st.sampled_from(ScuOrder), FILTERS)
def test_every_order_shows_the_same_scus_and_removing_a_filter_hides_none(lines, order, scu_filter):
    shown = set(ids(arrange_scus(lines, order, scu_filter)))
    assert shown == {line.scu_id for line in lines if scu_filter.accepts(line)}
    for words, left in scu_filter.active_parts("AB"):
        is_one_of_several = words.startswith("Weight") and left.weights
        assert is_one_of_several or shown <= {line.scu_id for line in lines if left.accepts(line)}


def test_the_match_page_sorts_and_collapses_its_list_too(context, shown, qtbot):
    from gui.pages.match import presenter as match

    view, _ = match.build(context)
    for _, action in context.commands:
        view.addAction(action)
    context.commands.set_page(match.KEY)
    shown(view)
    view.scus.show_lines(LINES, "ABC")
    qtbot.mouseClick(view.scus.order_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(view.scus.order_menu.isVisible)
    qtbot.keyClick(view.scus.order_menu, Qt.Key.Key_A)
    assert view.scus.tree.scus.visible() == ("storm", "fog", "fuel", "empty")
    view.scus.set_order(ScuOrder.WEIGHT)
    context.commands.action("list.fold").trigger()
    assert len(view.scus.tree.scus.collapsed) == len(view.scus.tree.scus.tiers)
