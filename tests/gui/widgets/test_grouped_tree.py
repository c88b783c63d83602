"""Rows under headings that change in their places."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from gui.item_models.table_model import ROW_ROLE, Column, GroupedModel, is_heading
from gui.widgets.lists.grouped_tree import GroupedDelegate, GroupedTree, WrappedDelegate, WrappedTree

LONG = "A text that has far more words than fit in one line of a narrow list, and so takes several of them."


class Cells(GroupedDelegate):
    row_height = 28

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()

    def sizeHint(self, option: Any, index: Any) -> Any:
        self.counts["sizes"] += 1
        return super().sizeHint(option, index)

    def paint_cell(self, painter: Any, area: Any, index: Any, option: Any) -> None:
        self.counts[str(index.data(ROW_ROLE)[1])] += 1


class Lines(WrappedDelegate):
    def words(self, row: Any) -> str:
        return str(row[1])

    def paint_cell(self, painter: Any, area: Any, index: Any, option: Any) -> None:
        self.write_words(painter, area, index.data(ROW_ROLE))


def model(texts: tuple[str, ...]) -> GroupedModel[tuple[int, str]]:
    columns = [Column("Text", lambda row: row[1]), Column("Number", lambda row: row[0])]
    made: GroupedModel[tuple[int, str]] = GroupedModel(columns, lambda row: row[0], lambda _: "All")
    made.set_rows(tuple(enumerate(texts)))
    return made


@pytest.fixture
def show(qtbot):
    def shown(view: GroupedTree) -> GroupedTree:
        qtbot.addWidget(view)
        view.resize(300, 400)
        view.show()
        qtbot.waitExposed(view)
        return view

    return shown


def test_changed_rows_of_one_height_are_painted_without_being_measured(show, qtbot):
    rows, delegate = model(("old",) * 5), Cells()
    show(GroupedTree("Texts", rows, delegate))
    qtbot.waitUntil(lambda: delegate.counts["old"] > 0)
    delegate.counts.clear()
    rows.set_rows(tuple(enumerate(("new",) * 5)))
    qtbot.waitUntil(lambda: delegate.counts["new"] >= 5)
    assert not delegate.counts["sizes"]
    assert not delegate.counts["old"]


def test_a_row_whose_wrapped_text_gets_longer_gets_higher(show, qtbot):
    rows = model(("short", "short"))
    view = show(WrappedTree("Texts", rows, Lines()))
    before = view.visualRect(rows.index_of(0)).height()
    rows.set_rows(((0, LONG), (1, "short")))
    qtbot.waitUntil(lambda: view.visualRect(rows.index_of(0)).height() > before)
    assert view.visualRect(rows.index_of(1)).height() == before


def test_only_places_with_a_row_have_an_index():
    rows = model(("one", "two"))
    head = rows.index(0, 0)
    assert is_heading(head)
    assert not is_heading(rows.index(1, 1, head))
    for row, column, above in ((2, 0, head), (0, 2, head), (-1, 0, head), (1, 0, head.parent())):
        assert not rows.index(row, column, above).isValid()
