"""The progress grid: content, keyboard navigation, next cell and remaining time."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QAbstractItemModelTester

from gui.annotation.progress.progress_grid import (
    ProgressGrid,
    arrange_by_system,
    count_done,
    flag_rows,
    next_cell,
    replace_row,
    seconds_per_summary,
)
from gui.session.topic_navigation import Cell, GridRow
from gui.style import theme
from gui.widgets.accessible import spoken

TOPICS, SYSTEMS = 100, 58


def row(topic: str, *marks: str, systems: str = "") -> GridRow:
    """Return a topic with a cell per mark: d = done, f = flagged."""
    cells = (
        Cell(f"{topic}-{i}", "d" in mark, "f" in mark, systems[i : i + 1] or f"S{i}")
        for i, mark in enumerate(marks)
    )
    return GridRow(topic, topic, tuple(cells))


ROWS = (row("D1", "d", "", "f"), row("D2", "d", "df", ""))


@pytest.fixture
def grid(shown):
    made = shown(ProgressGrid())
    made.resize(420, 300)
    rows = [
        row(f"D08{t:02}", *(["d"] * (t % SYSTEMS)), *([""] * (SYSTEMS - t % SYSTEMS))) for t in range(TOPICS)
    ]
    made.show_rows(rows, "D0803-20")
    return made


def test_the_next_cell_is_searched_after_the_open_one_and_then_from_the_start():
    assert next_cell(ROWS, "D1-0", lambda cell: not cell.is_done) == ("D1", "D1-1")
    assert next_cell(ROWS, "D2-2", lambda cell: not cell.is_done) == ("D1", "D1-1")
    assert next_cell(ROWS, "D1-2", lambda cell: cell.is_flagged) == ("D2", "D2-1")
    assert next_cell(ROWS[1:], "D2-1", lambda cell: not cell.is_done) == ("D2", "D2-2")
    assert next_cell((row("D1", "d"),), "D1-0", lambda cell: not cell.is_done) is None


def test_totals_follow_a_replaced_row():
    assert count_done(ROWS) == (3, 6)
    assert count_done(replace_row(ROWS, row("D1", "d", "d", "d"))) == (5, 6)


def test_columns_are_systems_if_names_are_shown():
    blind = (row("D1", "d", "", systems="ba"), row("D2", "", systems="c"))
    heads, rows = arrange_by_system(blind)
    assert heads == ("a", "b", "c")
    assert [[cell and cell.summary_id for cell in each.cells] for each in rows] == [
        ["D1-1", "D1-0", None],
        [None, None, "D2-0"],
    ]
    assert (rows[1].done, rows[1].total) == (0, 1)


def test_flags_are_listed_by_name_only_if_names_are_shown():
    assert [line.name for line in flag_rows(ROWS, shows_names=False)] == ["summary 3", "summary 2"]
    assert [line.name for line in flag_rows(ROWS, shows_names=True)] == ["S2", "S1"]


def test_the_pace_is_the_median_over_topics_of_the_time_per_finished_summary():
    assert seconds_per_summary({"D1": 60.0, "D2": 40.0}, ROWS) == (60 / 1 + 40 / 2) / 2
    assert seconds_per_summary({"D2": 40.0}, ROWS) == 20.0
    assert seconds_per_summary({}, ROWS) == 0.0


def test_arrows_reach_every_cell_and_keep_it_visible(grid, qtbot):
    chosen = []
    grid.cell_chosen.connect(lambda topic, summary: chosen.append((topic, summary)))
    grid.setFocus()
    for _ in range(30):
        qtbot.keyClick(grid, Qt.Key.Key_Right)
    for _ in range(90):
        qtbot.keyClick(grid, Qt.Key.Key_Down)
    totals = grid.visualRect(grid.model().index(93, SYSTEMS))
    whole = QRect(0, 0, totals.left(), grid.viewport().height())
    assert whole.contains(grid.visualRect(grid.currentIndex()))
    qtbot.keyClick(grid, Qt.Key.Key_Return)
    assert chosen == [("D0893", "D0893-50")]
    for _ in range(30):
        qtbot.keyClick(grid, Qt.Key.Key_Right)
    qtbot.keyClick(grid, Qt.Key.Key_Space)
    assert chosen[1:] == [("D0893", "D0893-57")], "after the last cell are totals"


def test_headings_and_totals_stay_visible_while_cells_scroll(grid):
    totals = grid.visualRect(grid.model().index(0, SYSTEMS))
    assert totals.right() < grid.viewport().width()

    def fixed() -> tuple[QImage, QImage]:
        names = grid.verticalHeader().grab().toImage()
        return names, grid.viewport().grab().toImage().copy(totals.adjusted(0, 0, 0, 150))

    before = fixed()
    grid.horizontalScrollBar().setValue(grid.horizontalScrollBar().maximum())
    assert fixed() == before
    grid.verticalScrollBar().setValue(201)
    assert all(now != then for now, then in zip(fixed(), before, strict=True))


def test_tooltips_describe_cells_topics_and_systems(grid):
    def tip_of_heading(section: int, orientation: Qt.Orientation) -> str:
        return grid.model().headerData(section, orientation, Qt.ItemDataRole.ToolTipRole)

    box = grid.visualRect(grid.model().index(3, 20))
    assert grid.indexAt(box.center()).data(Qt.ItemDataRole.ToolTipRole) == "D0803, summary 21: to do"
    right = QPoint(grid.viewport().width() - 5, box.center().y())
    assert grid.indexAt(right).data(Qt.ItemDataRole.ToolTipRole) == "D0803: 3 of 58 done"
    assert tip_of_heading(3, Qt.Orientation.Vertical) == "D0803: 3 of 58 done"
    heads, rows = arrange_by_system(ROWS)
    grid.show_rows(rows, "D1-0", heads)
    assert tip_of_heading(0, Qt.Orientation.Horizontal) == "S0: 2 of 2 done"


def test_cell_size_does_not_depend_on_scroll_bars(grid):
    for width in range(200, 900, 37):
        grid.resize(width, 200)
        before = grid.columnWidth(0)
        theme.signal().changed.emit()
        assert grid.columnWidth(0) == grid.rowHeight(0) == before


def test_screen_readers_speak_the_current_cell_with_its_state(grid, qtbot) -> None:
    flagged = Cell("s1", is_done=True, is_flagged=True)
    others = Cell("s2"), Cell("s3", is_begun=True), None
    tester = QAbstractItemModelTester(grid.model(), QAbstractItemModelTester.FailureReportingMode.Fatal)
    grid.show_rows([GridRow("t", "D1", (flagged, *others))], "s1")
    grid.setFocus()
    name = "Progress, topics down, summaries across"
    assert spoken(grid) == f"{name}, D1, summary 1: done, flagged"
    last = "D1, summary 3: unfinished"  # where it stays, as the fourth place has no summary
    for expected in ("D1, summary 2: to do", last, last):
        qtbot.keyClick(grid, Qt.Key.Key_Right)
        assert spoken(grid) == f"{name}, {expected}"
    read = QAccessible.queryAccessibleInterface(grid)
    assert read.role() is QAccessible.Role.Table
    assert read.focusChild().role() is QAccessible.Role.Cell
    headings = [read.child(at) for at in range(read.childCount())]
    rows = [one for one in headings if one.role() is QAccessible.Role.RowHeader]
    assert [one.text(QAccessible.Text.Name) for one in rows] == ["D1"]
    assert tester.model() is grid.model()


def test_columns_keep_their_size_when_their_number_changes(grid) -> None:
    """The one of the totals has another; it may become one of cells."""
    grid.show_rows((), "none")
    for count in (3, 6, 2):
        grid.show_rows([row("D1", *[""] * count)], f"D1-{count - 1}")
        assert {grid.columnWidth(at) for at in range(count)} == {grid.rowHeight(0)}


def test_a_theme_changes_the_look(grid, qapp) -> None:
    before = grid.grab().toImage()
    theme.apply(qapp, "dark")
    assert grid.grab().toImage() != before
