"""Order, filter and tiers of the list of SCUs, through its real menus and chips."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt

from gui.annotation.scu_list import ScuList
from gui.annotation.scu_order import ScuFilter, ScuOrder, arrange_scus
from gui.annotation.scu_values import ScuRow
from gui.annotation.wrapped_label import LabelLines
from gui.style import theme

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
    ("narrowed", "expected"),
    [
        (ScuFilter(weights=frozenset({1, 3})), ["fog", "fuel"]),
        (ScuFilter(held_in=frozenset({0, 1})), ["storm", "fog"]),
        (ScuFilter(held_in=frozenset({0}), lacking_in=frozenset({2})), ["storm"]),
        (ScuFilter(has_comment=True), ["fog"]),
        (ScuFilter("buoy", frozenset({2})), ["storm"]),
    ],
)
def test_a_filter_leaves_what_meets_all_of_it(narrowed, expected):
    assert ids(arrange_scus(LINES, ScuOrder.AGE, narrowed)) == expected


def test_matched_scus_are_told_from_the_others():
    lines = [ScuRow("a", "a", 1, 1, is_matched=True), ScuRow("b", "b", 1, 1, is_matched=False)]
    assert ids(arrange_scus(lines, ScuOrder.WEIGHT, ScuFilter(is_matched=False))) == ["b"]


def test_another_order_has_no_heads_and_shows_each_weight(scus):
    scus.set_order(ScuOrder.LABEL)
    tree = scus.tree
    assert tree.scus.shown() == ("empty", "fog", "fuel", "storm")
    tops = [tree.visualRect(tree.scus.index_of(scu_id)).top() for scu_id in tree.scus.shown()]
    assert tops[0] == 0
    assert tops == sorted(set(tops))
    assert tree.itemDelegate().has_chips
    scus.set_order(ScuOrder.WEIGHT)
    assert tree.visualRect(tree.scus.index_of("fog")).top() > 0
    assert not tree.itemDelegate().has_chips


def test_order_and_filter_stay_when_lines_change_and_the_choice_too(scus):
    scus.set_order(ScuOrder.AGE)
    scus.tree.choose("fuel")
    scus.show_lines([*LINES[1:], LINES[0]], "ABC")
    assert scus.tree.scus.shown() == ("fog", "fuel", "empty", "storm")
    assert scus.tree.current_scu == "fuel"


def test_the_filter_menu_ticks_without_closing_and_chips_let_go_again(scus, qtbot):
    heard = []
    scus.arranged.connect(lambda: heard.append(scus.fact))
    scus.open_filter_menu()
    menu = scus.filter_menu
    weights = next(action.menu() for action in menu.actions() if action.text() == "&Weight")
    qtbot.waitUntil(menu.isVisible)
    assert [action.text() for action in weights.actions()] == ["3", "2", "1", "0"]
    for action in weights.actions()[:2]:
        action.trigger()
    assert menu.isVisible()
    assert scus.tree.scus.shown() == ("fog", "storm")
    menu.close()
    chips = scus.chips
    assert [chip.text() for chip in chips.buttons] == ["Weight 2", "Weight 3"]
    qtbot.mouseClick(chips.buttons[0], Qt.MouseButton.LeftButton)
    assert scus.tree.scus.shown() == ("fog",)
    qtbot.mouseClick(chips.buttons[0], Qt.MouseButton.LeftButton)
    assert chips.isHidden()
    assert heard == ["by weight · 1 of 4", "by weight · 2 of 4", "by weight · 1 of 4", "by weight"]


def test_a_filter_that_leaves_nothing_says_so_and_all_come_back(scus):
    scus._narrow(ScuFilter(weights=frozenset({2}), lacking_in=frozenset({0})))
    assert scus.tree.isHidden()
    scus.show_scu("fog")
    assert len(scus.tree.scus.shown()) == 4


def test_a_topic_with_fewer_references_drops_what_names_those_beyond(scus):
    scus._narrow(ScuFilter(lacking_in=frozenset({2})))
    assert scus.tree.scus.shown() == ("storm", "empty")
    scus.show_lines([ScuRow("x", "x", 2, 2, (True, True))], "AB")
    assert scus.tree.scus.shown() == ("x",)
    assert scus.chips.isHidden()


def test_tiers_close_and_open_one_by_one_and_all_at_once(scus):
    tree = scus.tree
    tree.choose("storm")
    tree.open_tier(False)
    heads = [tree.scus.index(place, 0) for place in range(4)]
    assert [tree.isExpanded(head) for head in heads] == [True, False, True, True]
    tree.open_tier(True)
    assert tree.isExpanded(heads[1])
    tree.fold()
    assert not any(tree.isExpanded(head) for head in heads)
    tree.fold()
    assert all(tree.isExpanded(head) for head in heads)


def test_a_label_takes_the_lines_that_it_needs_up_to_three(scus, qtbot):
    long = "The storm of last week had moved the channel buoy by ninety metres"
    short = ScuRow("fog", "Fog", 3, 3, (True, True, True))
    scus.show_lines([ScuRow("long", long, 2, 2, (True, True, False)), short], "ABC")
    tree = scus.tree
    index = tree.scus.index_of("long")

    def extra() -> int:
        rows = [tree.visualRect(tree.scus.index_of(scu_id)).height() for scu_id in ("long", "fog")]
        return rows[0] - rows[1]

    def is_cut() -> bool:
        return tree.itemDelegate().is_elided(tree.visualRect(index), index)

    qtbot.waitUntil(lambda: extra() > 0)
    assert not is_cut()
    one_line = LabelLines(theme.font()).line_px
    scus.resize(200, 500)
    qtbot.waitUntil(lambda: extra() == 2 * one_line)
    assert is_cut()
    scus.resize(900, 500)
    qtbot.waitUntil(lambda: extra() == 0)
    assert not is_cut()


def test_many_references_become_dots_where_letters_have_no_room(scus, qtbot):
    delegate = scus.tree.itemDelegate()
    many = ScuRow("many", "x", 5, 3, (True, False) * 5)
    scus.show_lines([many], "ABCDEFGHIJ")
    index = scus.tree.scus.index_of("many")
    scus.resize(900, 500)
    qtbot.waitUntil(lambda: scus.tree.viewport().width() > 800)
    assert delegate._right_width(many) > 10 * 15
    assert delegate.hidden_count(scus.tree.visualRect(index), index) == ""
    scus.resize(260, 500)
    qtbot.waitUntil(lambda: scus.tree.viewport().width() < 300)
    assert delegate._right_width(many) <= 10 * 10
    assert delegate.hidden_count(scus.tree.visualRect(index), index) == "In A, C, E, G, I"


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
def test_every_order_shows_the_same_scus_and_a_reason_given_up_shows_no_fewer(lines, order, narrowed):
    shown = set(ids(arrange_scus(lines, order, narrowed)))
    assert shown == {line.scu_id for line in lines if narrowed.lets(line)}
    for words, left in narrowed.reasons("AB"):
        is_one_of_several = words.startswith("Weight") and left.weights
        assert is_one_of_several or shown <= {line.scu_id for line in lines if left.lets(line)}


def test_the_match_page_orders_and_folds_its_list_too(context, shown, qtbot):
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
    assert view.scus.tree.scus.shown() == ("storm", "fog", "fuel", "empty")
    view.scus.set_order(ScuOrder.WEIGHT)
    context.commands.action("list.fold").trigger()
    assert not any(view.scus.tree.isExpanded(head) for head in view.scus.tree._heads())
