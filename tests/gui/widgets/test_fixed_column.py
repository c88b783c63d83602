"""The first column of tables stays in sight while the others scroll sideways."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractItemView

from gui.item_models.table_model import Column, SortProxyModel, TableModel
from gui.pages.compare.table.measure_table import MeasureTree
from gui.pages.compare.values import JudgementColumn, MeasureCell, MeasureRow, MeasureTable
from gui.widgets.lists.table_view import Table

COLUMNS, ROWS = 12, 3


def table() -> Table:
    columns = [Column(f"Column {i}", lambda row, i=i: f"{row}, {i}") for i in range(COLUMNS + 1)]
    proxy = SortProxyModel(TableModel(columns))
    proxy.sourceModel().set_rows(["c", "a", "b"])
    return Table("Rows", proxy)


def tree() -> MeasureTree:
    view = MeasureTree()
    cell = MeasureCell(0.5, 0.5, 0.01, 8, 0)
    rows = tuple(MeasureRow(name, "ROUGE", name, (cell,) * COLUMNS) for name in "cab")
    columns = tuple(JudgementColumn(f"Column {i + 1}", f"Column {i + 1}", "") for i in range(COLUMNS))
    view.show_table(MeasureTable(columns, rows, fact="", footer=""))
    view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    return view


@pytest.fixture(params=[table, tree])
def view(request, qtbot) -> Any:
    view = request.param()
    qtbot.addWidget(view)
    view.resize(500, 200)
    view.show()
    view.horizontalScrollBar().setValue(0)
    assert view.horizontalScrollBar().maximum() > 100
    return view


def header(view: Any) -> Any:
    return view.header() if isinstance(view, MeasureTree) else view.horizontalHeader()


def first_row(view: Any) -> Any:
    model = view.model()
    return model.index(0, 0, model.index(0, 0) if isinstance(view, MeasureTree) else model.index(-1, -1))


def test_it_looks_the_same_at_every_place_of_the_bar(view) -> None:
    """But for its right edge, which is drawn while something is under it."""
    width, place = view.columnWidth(0) - 1, view.visualRect(first_row(view))
    parts = [(view.viewport(), QRect(0, 0, width, place.bottom())), (header(view).viewport(), QRect())]
    parts[1] = (parts[1][0], QRect(0, 0, width, parts[1][0].height()))
    before = [part.grab(area).toImage() for part, area in parts]
    for value in (7, view.horizontalScrollBar().maximum()):
        view.horizontalScrollBar().setValue(value)
        assert [part.grab(area).toImage() for part, area in parts] == before
    assert view.visualRect(first_row(view)) == place
    view.horizontalScrollBar().setValue(7)
    assert view.visualRect(first_row(view).siblingAtColumn(1)).left() == place.right() + 1 - 7


def test_mouse_and_screen_reader_find_it_there(view, qtbot) -> None:
    row = first_row(view)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
    view.horizontalScrollBar().setValue(view.horizontalScrollBar().maximum())
    point = view.visualRect(row).center()
    assert view.viewport().rect().contains(point)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert view.currentIndex() == row
    assert view.horizontalScrollBar().value() == view.horizontalScrollBar().maximum()
    read = QAccessible.queryAccessibleInterface(view)
    cell = read.childAt(*view.viewport().mapToGlobal(point).toTuple())
    assert cell.text(QAccessible.Text.Name) == row.data()
    assert cell.rect().contains(view.viewport().mapToGlobal(point))
    roles = {read.child(place).role() for place in range(read.childCount())}
    assert QAccessible.Role.Table not in roles, "there is no second view"
    assert QAccessible.Role.Tree not in roles


def test_a_click_at_its_heading_sorts_by_it(view, qtbot) -> None:
    view.horizontalScrollBar().setValue(150)
    qtbot.mouseClick(header(view).viewport(), Qt.MouseButton.LeftButton, pos=QPoint(20, 10))
    assert header(view).sortIndicatorSection() == 0
    assert first_row(view).data() in {"a, 0", "a", "c, 0", "c"}
    assert view.horizontalScrollBar().value() == 150 or isinstance(view, Table)


def test_its_heading_is_as_wide_as_it_is_dragged(view, qtbot) -> None:
    part, width = header(view).viewport(), view.columnWidth(0)
    view.horizontalScrollBar().setValue(30)
    qtbot.mousePress(part, Qt.MouseButton.LeftButton, pos=QPoint(width - 2, 10))
    qtbot.mouseMove(part, QPoint(width + 20, 10))
    qtbot.mouseRelease(part, Qt.MouseButton.LeftButton, pos=QPoint(width + 20, 10))
    assert view.columnWidth(0) - width in range(18, 25)


def test_a_cell_that_becomes_current_is_not_under_it(view) -> None:
    row = first_row(view)
    for column in (COLUMNS, *reversed(range(1, COLUMNS))):
        view.setCurrentIndex(row.siblingAtColumn(column))
        view.scrollTo(view.currentIndex())
        seen = view.visualRect(row.siblingAtColumn(column))
        assert seen.left() > view.visualRect(row).right()
        assert seen.right() <= view.viewport().width()


def test_from_right_to_left_it_is_at_the_right(view) -> None:
    view.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    place = view.visualRect(first_row(view))
    assert place.right() == view.viewport().width() - 1
    view.horizontalScrollBar().setValue(90)
    assert view.visualRect(first_row(view)) == place
    assert view.indexAt(place.center()) == first_row(view)


def test_it_scrolls_where_it_would_leave_no_room(view) -> None:
    view.resize(view.columnWidth(0) + 30, 200)
    view.horizontalScrollBar().setValue(50)
    assert view.visualRect(first_row(view)).left() == -50
