"""Table models and views."""

from __future__ import annotations

import csv
import io
import math
from typing import Any

import pytest
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QWidget

from core.formatting.tables import Column as Heading
from core.formatting.tables import Table as ResultTable
from gui.item_models.table_model import Column, GroupedModel, SortProxyModel, TableModel, as_csv, as_tsv
from gui.results.table_and_figure_files import to_tsv
from gui.widgets.buttons import SearchField
from gui.widgets.layouts import vbox
from gui.widgets.lists.table_view import Table

ROWS = [("Kestrel", 0.10, 3), ("gannet", math.nan, 20), ("Plover", 0.9, 1)]


def model() -> TableModel:
    columns = [
        Column("System", lambda r: r[0], tip="Who wrote it"),
        Column("ROUGE", lambda r: r[1], "{:.2f}".format),
        Column("Texts", lambda r: r[2]),
    ]
    return TableModel(columns)


def names(proxy: SortProxyModel) -> list[str]:
    return [proxy.index(row, 0).data() for row in range(proxy.rowCount())]


def test_the_table_is_a_lawful_model_while_rows_and_columns_change(qapp) -> None:
    table = model()
    tester = QAbstractItemModelTester(table, QAbstractItemModelTester.FailureReportingMode.Fatal)
    table.set_rows(ROWS)
    table.set_rows(ROWS, [Column("System", lambda r: r[0])])
    table.set_rows([])
    assert tester.model() is table


def test_rows_with_the_same_keys_are_repainted_in_their_places(qapp, qtbot) -> None:
    table = TableModel([Column("System", lambda r: r[1])], key=lambda r: r[0])
    tester = QAbstractItemModelTester(table, QAbstractItemModelTester.FailureReportingMode.Fatal)
    table.set_rows([("a", 1), ("b", 2)])
    kept = QPersistentModelIndex(table.index(1, 0))
    with qtbot.waitSignal(table.dataChanged), qtbot.assertNotEmitted(table.modelReset):
        table.set_rows([("a", 3), ("b", 4)])
    assert (kept.isValid(), kept.data()) == (True, "4")
    with qtbot.waitSignal(table.modelReset):
        table.set_rows([("b", 4), ("a", 3)])
    assert tester.model() is table


def test_the_sorted_table_is_lawful_while_it_sorts_and_filters(qapp) -> None:
    table = model()
    proxy = SortProxyModel(table)
    tester = QAbstractItemModelTester(proxy, QAbstractItemModelTester.FailureReportingMode.Fatal)
    table.set_rows(ROWS)
    proxy.sort(2, Qt.SortOrder.DescendingOrder)
    proxy.find("kes")
    proxy.find("")
    assert tester.model() is proxy


@pytest.mark.parametrize(
    ("values", "is_right"),
    [
        (("71 %", "5 %"), True),
        (("", "3 of 8"), True),
        ((None, 3), True),
        (("12", "13"), False),  # names of topics
        (("today", "2 of 3"), False),
    ],
)
def test_a_column_of_amounts_is_aligned_at_the_right_with_its_heading(qapp, values, is_right) -> None:
    table = TableModel([Column("Done", lambda row: row)])
    table.set_rows(["other"])
    table.headerData(0, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)
    table.set_rows(values)
    role = Qt.ItemDataRole.TextAlignmentRole
    sides = [table.index(row, 0).data(role) for row in range(2)]
    sides.append(table.headerData(0, Qt.Orientation.Horizontal, role))
    assert all(bool(side & Qt.AlignmentFlag.AlignRight) is is_right for side in sides)


def test_sorting_goes_by_value_and_puts_what_is_absent_last(qapp) -> None:
    table = model()
    table.set_rows(ROWS)
    proxy = SortProxyModel(table)
    proxy.sort(1, Qt.SortOrder.AscendingOrder)
    assert names(proxy) == ["Kestrel", "Plover", "gannet"]
    proxy.sort(1, Qt.SortOrder.DescendingOrder)
    assert names(proxy) == ["Plover", "Kestrel", "gannet"]
    proxy.sort(2, Qt.SortOrder.AscendingOrder)
    assert names(proxy) == ["Plover", "Kestrel", "gannet"]
    proxy.sort(0, Qt.SortOrder.AscendingOrder)
    assert names(proxy) == ["gannet", "Kestrel", "Plover"]


def test_finding_keeps_rows_that_hold_every_word(qapp) -> None:
    table = model()
    table.set_rows(ROWS)
    proxy = SortProxyModel(table)
    proxy.find("KES 0.10")
    assert names(proxy) == ["Kestrel"]
    proxy.find("kestrel 0.9")
    assert names(proxy) == []


def test_a_table_copies_as_it_reads_and_saves_raw_values(qapp, qtbot) -> None:
    table = model()
    table.set_rows([*ROWS, ('a "b", c', 1 / 3, 2)])
    view = Table("Scores", table)
    qtbot.addWidget(view)
    view.copy()
    assert QGuiApplication.clipboard().text() == as_tsv(table)
    assert as_tsv(table).splitlines()[:2] == ["System\tROUGE\tTexts", "Kestrel\t0.10\t3"]
    assert as_csv(table).splitlines()[2] == "gannet,,20"
    assert as_csv(table).splitlines()[4] == f'"a ""b"", c",{1 / 3!r},2'


FORMULA, LINES = "=HYPERLINK(1)", "a\tb\nc"


def test_no_copied_or_saved_table_has_a_formula_or_another_shape(qapp) -> None:
    shown = model()
    shown.set_rows([(FORMULA, 1 / 3, 2), (LINES, -0.5, 3)])
    result = ResultTable(
        "Means", (Heading("System", "system"), Heading("r", "r")), ((FORMULA, -0.5), (LINES, 1.0))
    )
    for text, delimiter in ((as_tsv(shown), "\t"), (as_csv(shown), ","), (to_tsv(result), "\t")):
        _, first, second = csv.reader(io.StringIO(text), delimiter=delimiter)
        assert first[0] == f"'{FORMULA}"
        assert second[0] == LINES
        assert len(first) == len(second)
    assert as_csv(shown).splitlines()[-1].endswith(",-0.5,3")


def test_numbers_are_at_the_right_and_headings_explain_themselves(qapp) -> None:
    table = model()
    table.set_rows(ROWS)
    right = table.data(table.index(0, 1), Qt.ItemDataRole.TextAlignmentRole)
    left = table.data(table.index(0, 0), Qt.ItemDataRole.TextAlignmentRole)
    assert right & Qt.AlignmentFlag.AlignRight
    assert left & Qt.AlignmentFlag.AlignLeft
    assert table.headerData(0, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole) == "Who wrote it"


class Absent(QAbstractTableModel):
    """A model that answers None to whatever Qt asks."""

    calls = 0

    def rowCount(self, parent: Any = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 1

    def columnCount(self, parent: Any = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 1

    def data(self, index: Any, role: int = Qt.ItemDataRole.DisplayRole) -> None:
        type(self).calls += 1


@pytest.mark.parametrize("calls", [50_000])
def test_fifty_thousand_answers_of_none_neither_crash_nor_leak(qapp, calls: int) -> None:
    """PySide 6.12.0 drops a reference to None at each such call and aborts after some 30,000."""
    import sys

    source = Absent()
    proxy = SortProxyModel(source)
    index = proxy.index(0, 0)
    before = sys.getrefcount(None)
    for _ in range(calls):
        proxy.data(index, Qt.ItemDataRole.DisplayRole)  # through Qt, and back into Python
    assert Absent.calls >= calls
    assert abs(sys.getrefcount(None) - before) < calls // 10


def test_a_table_shows_that_a_search_has_no_results(shown) -> None:
    rows = model()
    proxy = SortProxyModel(rows)
    table = shown(Table("Systems", proxy))
    assert not table.finds_nothing, "a table without rows has lost none to a search"
    rows.set_rows(ROWS)
    proxy.find("kes")
    assert not table.finds_nothing
    found = table.grab().toImage()
    proxy.find("nobody")
    assert table.finds_nothing
    assert table.grab().toImage() != found


def test_home_and_end_go_to_the_first_and_last_row(shown, qtbot) -> None:
    rows = model()
    rows.set_rows(ROWS)
    view = shown(Table("Systems", SortProxyModel(rows)))
    view.setCurrentIndex(view.model().index(1, 1))
    for key, row in ((Qt.Key.Key_End, 2), (Qt.Key.Key_Home, 0)):
        qtbot.keyClick(view, key)
        assert (view.currentIndex().row(), view.currentIndex().column()) == (row, 1)
        assert [index.row() for index in view.selectionModel().selectedRows()] == [row]


def test_escape_clears_a_search_and_goes_back_to_its_list(shown, qtbot) -> None:
    field, window = SearchField("Find"), QWidget()
    table = model()
    table.set_rows(ROWS)
    proxy = SortProxyModel(table)
    view = Table("Systems", proxy)
    vbox(field, view, parent=window)
    shown(window)
    window.activateWindow()
    field.filter_rows(view, proxy.find)
    qtbot.waitUntil(window.isActiveWindow)
    field.setFocus()
    qtbot.keyClicks(field, "kes")
    assert proxy.rowCount() == 1
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert (field.text(), proxy.rowCount(), view.hasFocus()) == ("", 3, True)


def test_sorted_rows_under_headings_that_stay_in_their_places_are_not_reset(qtbot) -> None:
    model = GroupedModel[tuple[str, int]](
        [Column("Value", lambda row: row[1])], lambda row: row[0], lambda _: ""
    )
    model.sort(0, Qt.SortOrder.DescendingOrder)
    model.set_rows([("a", 1), ("b", 2)])
    with qtbot.assertNotEmitted(model.modelReset), qtbot.waitSignal(model.dataChanged):
        model.set_rows([("a", 2), ("b", 3)])
    assert model.rows() == [("b", 3), ("a", 2)]
    with qtbot.waitSignal(model.modelReset):
        model.set_rows([("a", 4), ("b", 3)])
    assert model.rows() == [("a", 4), ("b", 3)]


def test_columns_of_fixed_width_give_way_where_the_table_is_narrow(shown) -> None:
    table = Table("Systems", SortProxyModel(model()))
    table.fit(0, {1: 100, 2: 100})
    shown(table)
    assert [table.columnWidth(column) for column in (1, 2)] == [100, 100]
    table.resize(240, 300)
    QApplication.processEvents()
    assert table.horizontalScrollBar().maximum() == 0
    assert table.columnWidth(0) >= 79
    table.resize(600, 300)
    QApplication.processEvents()
    assert [table.columnWidth(column) for column in (1, 2)] == [100, 100]


def test_only_rows_under_headings_that_differ_are_reported(qtbot) -> None:
    model = GroupedModel[tuple[str, int]](
        [Column("Value", lambda row: row[1])], lambda row: row[0], lambda row: row[0][0]
    )
    model.set_rows([("a1", 1), ("a2", 2), ("b1", 3)])
    reported = []
    model.dataChanged.connect(lambda top, bottom, _: reported.append((model.row(top), model.row(bottom))))
    with qtbot.waitSignal(model.updated):
        model.set_rows([("a1", 1), ("a2", 2), ("b1", 3)])
    assert not reported
    model.set_rows([("a1", 1), ("a2", 5), ("b1", 3)])
    assert reported == [(("a2", 5), ("a2", 5))]
