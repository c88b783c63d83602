"""Topics across, summaries down: what is done, what is flagged, where one is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from gui import icons, theme
from gui.theme import HAIR, LARGE, MEDIUM, RADIUS_SMALL, SMALL, TIGHT, Type, mix, px
from gui.values.match import Cell, GridColumn
from gui.widgets.label import Label

_LEAST_PX, _MOST_PX = 12, 24
_TICK_FROM_PX = 14
_NUMBERS_EVERY = 4
_DONE_SHARE = 0.35  # of the accent in a finished cell


class ProgressGrid(QWidget):
    """Cells to press; arrows move among them, Enter goes there.

    Signals:
        cell_chosen: topic id, summary id.
    """

    cell_chosen = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self._columns: tuple[GridColumn, ...] = ()
        self._here = ("", "")
        self._at = (0, 0)
        self.setAccessibleName("Progress, topics across, summaries down")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.signal().changed.connect(self.updateGeometry)

    def show_columns(self, columns: Sequence[GridColumn], topic_id: str, summary_id: str) -> None:
        """Show how far everything is, and where one is."""
        shown, here = tuple(columns), (topic_id, summary_id)
        if (shown, here) == (self._columns, self._here):
            return
        resized = len(shown) != len(self._columns)
        self._columns, self._here = shown, here
        self._at = self._place_of(summary_id) or self._at
        if resized:
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._left() + len(self._columns) * px(_MOST_PX), self._height(px(_MOST_PX)))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._left() + len(self._columns) * px(_LEAST_PX), self._height(px(_LEAST_PX)))

    def cell_box(self, column: int, row: int) -> QRect:
        """Where a cell is."""
        size = self._cell_px()
        return QRect(self._left() + column * size, self._top() + row * size, size - HAIR - 1, size - HAIR - 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_numbers(painter)
        for x, column in enumerate(self._columns):
            for y, cell in enumerate(column.cells):
                box = self.cell_box(x, y)
                if box.intersects(event.rect()):
                    self._paint_cell(painter, box, cell, (column.topic_id, cell.summary_id) == self._here)
        if self.hasFocus() and self._columns:
            painter.setPen(QPen(theme.colour("accent"), 2.0))
            painter.drawRoundedRect(QRectF(self.cell_box(*self._at)).adjusted(-1, -1, 1, 1), 5, 5)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1)}
        steps[Qt.Key.Key_Down] = (0, 1)
        step = steps.get(Qt.Key(event.key()))
        if step is not None and self._columns:
            column = min(max(self._at[0] + step[0], 0), len(self._columns) - 1)
            rows = len(self._columns[column].cells)
            self._at = column, min(max(self._at[1] + step[1], 0), max(0, rows - 1))
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose(self._at)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if (place := self._place_at(event.position())) is not None:
            self._choose(place)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            place = self._place_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), self._tip(*place) if place is not None else "", self)
            return True
        return super().event(event)

    def _choose(self, place: tuple[int, int]) -> None:
        cell = self._cell(*place)
        if cell is not None:
            self._at = place
            self.cell_chosen.emit(self._columns[place[0]].topic_id, cell.summary_id)

    def _cell(self, column: int, row: int) -> Cell | None:
        if column < len(self._columns) and row < len(self._columns[column].cells):
            return self._columns[column].cells[row]
        return None

    def _tip(self, column: int, row: int) -> str:
        cell = self._cell(column, row)
        if cell is None:
            return ""
        marks = ", ".join(
            word for word, holds in (("done", cell.is_done), ("flagged", cell.is_flagged)) if holds
        )
        return f"{self._columns[column].name}, summary {row + 1}: {marks or 'to do'}"

    def _place_at(self, point: QPointF) -> tuple[int, int] | None:
        size = self._cell_px()
        column, row = int(point.x() - self._left()) // size, int(point.y() - self._top()) // size
        return (column, row) if column >= 0 and row >= 0 and self._cell(column, row) else None

    def _place_of(self, summary_id: str) -> tuple[int, int] | None:
        for x, column in enumerate(self._columns):
            for y, cell in enumerate(column.cells):
                if cell.summary_id == summary_id:
                    return x, y
        return None

    def _cell_px(self) -> int:
        room = (self.width() - self._left()) // max(1, len(self._columns))
        high = (self.height() - self._top()) // max(1, self._rows())
        return min(max(min(room, high), px(_LEAST_PX)), px(_MOST_PX))

    def _rows(self) -> int:
        return max((len(column.cells) for column in self._columns), default=0)

    def _left(self) -> int:
        return px(LARGE + SMALL)

    def _top(self) -> int:
        return px(LARGE + TIGHT)

    def _height(self, cell_px: int) -> int:
        return self._top() + self._rows() * cell_px

    def _paint_numbers(self, painter: QPainter) -> None:
        at = self._place_of(self._here[1])
        for x in range(len(self._columns)):
            is_here = at is not None and at[0] == x
            if is_here or x == 0 or (x + 1) % _NUMBERS_EVERY == 0:
                box = self.cell_box(x, 0)
                self._paint_number(
                    painter, QRect(box.left() - 8, 0, box.width() + 16, self._top()), x, is_here
                )
        for y in range(self._rows()):
            box = self.cell_box(0, y)
            is_here = at is not None and at[1] == y
            self._paint_number(painter, QRect(0, box.top(), self._left() - TIGHT, box.height()), y, is_here)

    def _paint_number(self, painter: QPainter, box: QRect, place: int, is_here: bool) -> None:
        painter.setFont(theme.font(Type.CAPTION if is_here else Type.SMALL))
        painter.setPen(theme.colour("text" if is_here else "muted"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(place + 1))

    def _paint_cell(self, painter: QPainter, box: QRect, cell: Cell, is_here: bool) -> None:
        paint_cell(painter, QRectF(box), is_done=cell.is_done, is_flagged=cell.is_flagged, is_here=is_here)


def paint_cell(
    painter: QPainter, box: QRectF, *, is_done: bool = False, is_flagged: bool = False, is_here: bool = False
) -> None:
    """Paint a cell: a tick = done, a ring and a dot = here, a corner = flagged, nothing = to do."""
    colours = theme.tokens()
    edge = QPen(theme.colour("accent" if is_here else "border"), 2.0 if is_here else 1.0)
    painter.setPen(Qt.PenStyle.NoPen if is_done and not is_here else edge)
    painter.setBrush(QColor(mix(colours.surface, colours.accent, _DONE_SHARE if is_done else 0.0)))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_SMALL - 1, RADIUS_SMALL - 1)
    if is_here:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("accent"))
        painter.drawEllipse(box.center(), 2.5, 2.5)
    elif is_done and box.width() >= _TICK_FROM_PX:
        size = min(icons.ROW_PX - TIGHT, int(box.width()) - TIGHT)
        tick = icons.pixmap("check", "text", size)
        painter.drawPixmap(QPointF(box.center().x() - size / 2, box.center().y() - size / 2), tick)
    if is_flagged:
        corner = min(7.0, box.width() / 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("warning"))
        top_right = box.topRight()
        painter.drawPolygon(
            QPolygonF([top_right, top_right - QPointF(corner, 0), top_right + QPointF(0, corner)])
        )
    painter.setBrush(Qt.BrushStyle.NoBrush)


class _Sample(QWidget):
    """A cell beside its meaning."""

    def __init__(self, *, is_done: bool = False, is_flagged: bool = False, is_here: bool = False) -> None:
        super().__init__()
        self._marks = is_done, is_flagged, is_here
        self.setFixedSize(15, 15)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        done, flagged, here = self._marks
        paint_cell(painter, QRectF(self.rect()), is_done=done, is_flagged=flagged, is_here=here)


class ProgressBoard(QWidget):
    """The grid with what its cells mean; `grid` is the grid. has_flags: whether cells can be flagged."""

    def __init__(self, *, has_flags: bool = True) -> None:
        super().__init__()
        self.grid = ProgressGrid()
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(self.grid)
        self.grid.setAutoFillBackground(False)  # setWidget has set it: the panel's surface is to show
        area.viewport().setAutoFillBackground(False)
        row = QHBoxLayout()
        row.setSpacing(SMALL)
        meanings = [
            (_Sample(is_done=True), "done"),
            (_Sample(is_here=True), "here"),
            (_Sample(), "to do"),
            (_Sample(is_flagged=True), "flagged"),
        ]
        for sample, meaning in meanings[: None if has_flags else -1]:
            row.addWidget(sample)
            row.addWidget(Label(meaning, Type.SMALL, "muted"))
            row.addSpacing(SMALL)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(MEDIUM, SMALL, MEDIUM, SMALL)
        column.setSpacing(SMALL)
        column.addWidget(area, 1)
        column.addLayout(row)
