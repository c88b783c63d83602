"""Topics down, summaries across: what is done, what is flagged, where one is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAccessible,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QSizePolicy, QToolTip

from gui.annotation.progress_cell import cell_pixmap
from gui.session.progress_values import Cell, GridRow
from gui.style import theme
from gui.style.theme import HAIR, LARGE, RADIUS_SMALL, SMALL, TIGHT, Type, px
from gui.style.tooltips import plain_tip
from gui.widgets.accessible import set_role

_LEAST_PX, _SCROLLED_PX, _MOST_PX = 14, 18, 24
_NUMBERS_EVERY = 5
_NAME_PX = 92  # heads longer than that are cut
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter

NAME = "Progress, topics down, summaries across"
Place = tuple[int, int]
"""Row and column of a cell."""


class ProgressGrid(QAbstractScrollArea):
    """Cells to press below heads that stay in sight; arrows move among the cells, Enter goes there.

    Without `heads` the columns are the summaries' numbers in the annotator's order; with them, systems.

    Signals:
        cell_chosen: topic id, summary id.
    """

    cell_chosen = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[GridRow, ...] = ()
        self._heads: tuple[str, ...] = ()
        self._places: dict[str, Place] = {}
        self._here = ""
        self._at: Place = (0, 0)
        self.setAccessibleName(NAME)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.viewport().setAutoFillBackground(False)
        self.viewport().setMouseTracking(True)
        theme.signal().changed.connect(self._measure)
        self._measure()

    def show_rows(self, rows: Sequence[GridRow], summary_id: str, heads: Sequence[str] = ()) -> None:
        """Show how far everything is, and where one is."""
        shown = tuple(rows), tuple(heads)
        if (*shown, summary_id) == (self._rows, self._heads, self._here):
            return
        has_moved = summary_id != self._here
        (self._rows, self._heads), self._here = shown, summary_id
        self._places = {
            cell.summary_id: (y, x)
            for y, row in enumerate(self._rows)
            for x, cell in enumerate(row.cells)
            if cell is not None
        }
        self._measure()
        if has_moved:
            self._at = self._places.get(summary_id, self._at)
            self._reveal(self._at)
        self._describe()

    @property
    def rows(self) -> tuple[GridRow, ...]:
        return self._rows

    @property
    def heads(self) -> tuple[str, ...]:
        """The systems across; empty = the summaries' numbers."""
        return self._heads

    def cell_box(self, row: int, column: int) -> QRect:
        """Where a cell is in the viewport, in sight or not."""
        left = self._left + column * self._cell - self.horizontalScrollBar().value()
        top = self._top + row * self._cell - self.verticalScrollBar().value()
        return QRect(left, top, self._cell - HAIR - 1, self._cell - HAIR - 1)

    def sizeHint(self) -> QSize:
        cell = px(_MOST_PX)
        return QSize(self._left + self._columns() * cell + self._right, self._top + len(self._rows) * cell)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self._top + 3 * px(_LEAST_PX))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._measure()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area, ratio = self._area(), self.devicePixelRatioF()
        painter.setClipRect(area)
        for y in self._seen(self._top, self.verticalScrollBar().value(), area.height(), len(self._rows)):
            for x, cell in enumerate(self._rows[y].cells):
                box = self.cell_box(y, x)
                if cell is not None and box.intersects(area):
                    marks = cell.is_done, cell.is_flagged, cell.summary_id == self._here
                    painter.drawPixmap(box.topLeft(), cell_pixmap(box.width(), ratio, *marks))
        if self.hasFocus() and self._rows:
            painter.setPen(QPen(theme.colour("accent"), 2.0))
            edge = QRectF(self.cell_box(*self._at)).adjusted(-1, -1, 1, 1)
            painter.drawRoundedRect(edge, RADIUS_SMALL + 1, RADIUS_SMALL + 1)
        painter.setClipping(False)
        self._paint_names(painter, area)
        self._paint_heads(painter, area)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0)}
        steps[Qt.Key.Key_Down] = (1, 0)
        step = steps.get(Qt.Key(event.key()))
        if step is not None and self._rows:
            row = min(max(self._at[0] + step[0], 0), len(self._rows) - 1)
            cells = len(self._rows[row].cells)
            self._at = row, min(max(self._at[1] + step[1], 0), max(0, cells - 1))
            self._reveal(self._at)
            self._describe()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose(self._at)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if (place := self._place_at(event.position().toPoint())) is not None:
            self._choose(place)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), plain_tip(self._tip(event.pos())), self)
            return True
        return super().viewportEvent(event)

    def focusInEvent(self, event: object) -> None:
        self.viewport().update()

    def focusOutEvent(self, event: object) -> None:
        self.viewport().update()

    @Slot()
    def _measure(self) -> None:
        """Size cells and heads, and what there is to scroll."""
        bold = QFont(theme.font(Type.SMALL))
        bold.setBold(True)  # as the row and the column are in which one is
        small = QFontMetrics(bold)
        names = max((small.horizontalAdvance(row.name) for row in self._rows), default=0)
        heads = max((small.horizontalAdvance(head) for head in self._heads), default=0)
        totals = max((small.horizontalAdvance(_total(row)) for row in self._rows), default=0)
        self._right = totals + SMALL
        self._left = min(names, px(_NAME_PX)) + SMALL + HAIR
        self._top = min(heads, px(_NAME_PX)) + SMALL if heads else small.height() + TIGHT
        self._cell = self._cell_px()
        area = self._area()
        for bar, wanted, room in (
            (self.horizontalScrollBar(), self._columns() * self._cell, area.width()),
            (self.verticalScrollBar(), len(self._rows) * self._cell, area.height()),
        ):
            bar.setRange(0, max(0, wanted - room))
            bar.setPageStep(max(1, room))
            bar.setSingleStep(self._cell)
        self.updateGeometry()
        self.viewport().update()

    def _cell_px(self) -> int:
        """By the room without scroll bars, so that a bar's coming does not change what it came for."""
        room = self.maximumViewportSize()
        wide, high = room.width() - self._left - self._right, room.height() - self._top
        least, columns, rows = px(_LEAST_PX), max(1, self._columns()), max(1, len(self._rows))
        if rows * least > high:  # so many that they scroll anyway: rows as high as their names need
            wide -= self.verticalScrollBar().sizeHint().width()
            return min(max(wide // columns, least), px(_SCROLLED_PX))
        return min(max(min(wide // columns, high // rows), least), px(_MOST_PX))

    def _area(self) -> QRect:
        """Where cells are in sight: the viewport less heads and totals."""
        return self.viewport().rect().adjusted(self._left, self._top, -self._right, 0)

    def _columns(self) -> int:
        return max((len(row.cells) for row in self._rows), default=0)

    def _seen(self, head: int, scrolled: int, room: int, count: int) -> range:
        return range(scrolled // self._cell, min(count, (scrolled + room) // self._cell + 1))

    def _cell_at(self, place: Place) -> Cell | None:
        row, column = place
        if 0 <= row < len(self._rows) and 0 <= column < len(self._rows[row].cells):
            return self._rows[row].cells[column]
        return None

    def _place_at(self, point: QPoint) -> Place | None:
        if not self._area().contains(point):
            return None
        row = (point.y() - self._top + self.verticalScrollBar().value()) // self._cell
        column = (point.x() - self._left + self.horizontalScrollBar().value()) // self._cell
        return (row, column) if self._cell_at((row, column)) is not None else None

    def _choose(self, place: Place) -> None:
        cell = self._cell_at(place)
        if cell is not None:
            self._at = place
            self.cell_chosen.emit(self._rows[place[0]].topic_id, cell.summary_id)

    def _reveal(self, place: Place) -> None:
        area, box = self._area(), self.cell_box(*place)
        for bar, low, high in (
            (self.horizontalScrollBar(), box.left() - area.left(), box.right() - area.right()),
            (self.verticalScrollBar(), box.top() - area.top(), box.bottom() - area.bottom()),
        ):
            bar.setValue(bar.value() + (min(low, 0) or max(high, 0)))
        self.viewport().update()

    def _describe(self) -> None:
        """Name the cell that arrows have reached; who listens hears a new name, not a new description."""
        words = self._words_of(self._at)
        self.setAccessibleName(f"{NAME}: {words}" if words else NAME)
        self.setAccessibleDescription(words)

    def _words_of(self, place: Place) -> str:
        cell = self._cell_at(place)
        if cell is None:
            return ""
        claims = (("done", cell.is_done), ("flagged", cell.is_flagged))
        marks = ", ".join(word for word, holds in claims if holds) or "to do"
        name = self._heads[place[1]] if self._heads else f"summary {place[1] + 1}"
        return f"{self._rows[place[0]].name}, {name}: {marks}"

    def _tip(self, point: QPoint) -> str:
        if (place := self._place_at(point)) is not None:
            return self._words_of(place)
        row = (point.y() - self._top + self.verticalScrollBar().value()) // self._cell
        column = (point.x() - self._left + self.horizontalScrollBar().value()) // self._cell
        area = self._area()
        if point.y() >= area.top() and 0 <= row < len(self._rows):
            return f"{self._rows[row].name}: {self._rows[row].done} of {self._rows[row].total} done"
        if area.left() <= point.x() <= area.right() and 0 <= column < len(self._heads):
            cells = [row.cells[column] for row in self._rows if column < len(row.cells)]
            done = sum(cell is not None and cell.is_done for cell in cells)
            return f"{self._heads[column]}: {done} of {sum(cell is not None for cell in cells)} done"
        return ""

    def _paint_names(self, painter: QPainter, area: QRect) -> None:
        painter.setClipRect(QRect(0, area.top(), self.viewport().width(), area.height()))
        here = self._places.get(self._here, (-1, -1))[0]
        for y in self._seen(self._top, self.verticalScrollBar().value(), area.height(), len(self._rows)):
            box, row = self.cell_box(y, 0), self._rows[y]
            letters = _letters(painter, is_here=y == here)
            room = QRect(0, box.top(), self._left - SMALL, box.height())
            name = letters.elidedText(row.name, Qt.TextElideMode.ElideMiddle, room.width())
            painter.drawText(room.adjusted(0, -HAIR, 0, HAIR), _LEFT, name)
            end = min(area.right() + 1, self._left + self._columns() * self._cell)
            after = QRect(end, box.top() - HAIR, self._right, box.height() + TIGHT)
            painter.drawText(after, _RIGHT, _total(row))
        painter.setClipping(False)

    def _paint_heads(self, painter: QPainter, area: QRect) -> None:
        painter.setClipRect(QRect(area.left(), 0, area.width(), area.top()))
        here = self._places.get(self._here, (-1, -1))[1]
        for x in self._seen(self._left, self.horizontalScrollBar().value(), area.width(), self._columns()):
            box = self.cell_box(0, x)
            letters = _letters(painter, is_here=x == here)
            if self._heads:
                self._paint_system(painter, box.center().x(), self._heads[x], letters)
            elif x == here or x == 0 or (x + 1) % _NUMBERS_EVERY == 0:
                room = QRect(box.left() - LARGE, 0, box.width() + 2 * LARGE, self._top - TIGHT)
                painter.drawText(room, Qt.AlignmentFlag.AlignCenter, str(x + 1))
        painter.setClipping(False)

    def _paint_system(self, painter: QPainter, x: int, name: str, letters: QFontMetrics) -> None:
        """A name upwards, its end next to the cells."""
        painter.save()
        painter.translate(x, self._top - TIGHT)
        painter.rotate(-90)
        shown = letters.elidedText(name, Qt.TextElideMode.ElideRight, self._top - TIGHT)
        high = letters.height()
        painter.drawText(QRect(0, -high // 2, self._top, high), _LEFT, shown)
        painter.restore()


def _total(row: GridRow) -> str:
    return f"{row.done}/{row.total}"


def _letters(painter: QPainter, *, is_here: bool) -> QFontMetrics:
    letters = QFont(theme.font(Type.SMALL))
    letters.setBold(is_here)
    painter.setFont(letters)
    painter.setPen(theme.colour("text" if is_here else "muted"))
    return QFontMetrics(letters)


set_role(ProgressGrid, QAccessible.Role.Grouping)  # else it is announced as a client
