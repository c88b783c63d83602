"""Figure view whose spots can be hovered, clicked, marked by a rubber band and reached by arrow keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QRubberBand, QToolTip, QWidget

from core.figures.palette import Palette
from gui.pages.compare.values import PlotPoints, SpotKind
from gui.style.language import plain_tip
from gui.widgets.figure_view import FigureView
from gui.widgets.lists.grouped_tree import draw_ring

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REACH_PX = 12
"""Largest distance from the pointer to a dot, in device-independent pixels."""

DRAG_PX = 6
"""Distance after which a press becomes a rubber band."""

_SETTLE_MS = 120
_DPI = 100
DrawSized = Callable[[Palette, tuple[float, float]], "Figure"]
"""Draws the plot in these colours and this size in inches."""

_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}


class _FocusRing(QWidget):
    """The ring around a figure that has the keyboard, above the figure."""

    def __init__(self, figure: QWidget) -> None:
        super().__init__(figure)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        draw_ring(QPainter(self), self.rect())


class ScatterView(FigureView):
    """Displays spots: dots of a plot, rows of a chart, cells of a heatmap.

    Signals:
        dot_chosen: its position among the spots.
        dot_opened: the same, by Enter or double click.
        dot_toggled: the same, by Space or a press with Ctrl or Shift: marked or not.
        dots_swept: positions under a rubber band, as a tuple; empty where it covers none.
        resized: the size has changed; the figure should be drawn again.
    """

    dot_chosen = Signal(int)
    dot_opened = Signal(int)
    dot_toggled = Signal(int)
    dots_swept = Signal(object)
    resized = Signal()

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.dots: PlotPoints | None = None  # spots of the figure; None = there is no figure
        self._chosen: int | None = None
        self._room = self.size()  # read by the thread that draws
        self._is_tall = False
        self._pressed_at: QPoint | None = None
        self._band: QRubberBand | None = None
        self._ring = _FocusRing(self)
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self.resized)
        self.drawn.connect(self._listen)

    def show_dots(
        self, dots: PlotPoints, chosen: int | None, draw: DrawSized, least: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        """Show a plot of these spots with one of them selected. least: inches that it needs."""
        self.dots, self._chosen = dots, chosen
        self._band = None

        def sized(palette: Palette) -> Figure:
            wide, high = self.inches()
            return draw(palette, (max(wide, least[0]), max(high, least[1])))

        self._is_tall = bool(least[1])
        self.show_figure(sized, (round(least[0] * _DPI), round(least[1] * _DPI)))

    def show_nothing(self) -> None:
        self.dots, self._chosen = None, None
        self.show_figure(None)

    def inches(self) -> tuple[float, float]:
        """Return width and height of the drawing area."""
        return max(self._room.width(), 200) / _DPI, max(self._room.height(), 160) / _DPI

    def _scroll_to_spot(self, x: float, y: float) -> None:
        canvas = self.canvas
        if canvas is None or not canvas.figure.axes:
            return
        across, up = canvas.figure.axes[0].transData.transform((x, y)) / self.devicePixelRatioF()
        self.scroll_to(float(across), canvas.height() - float(up))

    def dot_at(self, x: float, y: float) -> int | None:
        """The spot at a place of the canvas (device pixels from below left), None = none in reach."""
        dots = self.dots
        if dots is None or not dots.x.size or self.canvas is None or not self.canvas.figure.axes:
            return None
        axes = self.canvas.figure.axes[0]
        if dots.kind is SpotKind.DOT:
            places = axes.transData.transform(np.column_stack([dots.x, dots.y]))
            distances = np.hypot(places[:, 0] - x, places[:, 1] - y)
            nearest = int(np.argmin(distances))
            return nearest if distances[nearest] <= REACH_PX * self.devicePixelRatioF() else None
        across, up = axes.transData.inverted().transform((x, y))
        far_x, far_y = np.abs(dots.x - across), np.abs(dots.y - up)
        nearest = int(np.argmin(far_x * (1.0 if dots.kind is SpotKind.CELL else 1e-6) + far_y))
        is_near = far_y[nearest] <= 0.5 and (dots.kind is SpotKind.ROW or far_x[nearest] <= 0.5)
        return nearest if is_near else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        step = _STEPS.get(key)
        if step is not None and self.dots is not None and self.dots.x.size:
            is_dot = self.dots.kind is SpotKind.DOT and key in (Qt.Key.Key_Up, Qt.Key.Key_Down)
            self._step(-step if is_dot else step)  # up is further on a plot, further back in a list
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._chosen is not None:
            self.dot_opened.emit(self._chosen)
        elif key is Qt.Key.Key_Space and self._chosen is not None:
            self.dot_toggled.emit(self._chosen)
        elif key is Qt.Key.Key_Escape:
            self.dots_swept.emit(())
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring.raise_()
        self._ring.show()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ring.hide()
        super().focusOutEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        had_figure, self._room = self.is_drawn, event.size()
        self._ring.setGeometry(self.rect())
        super().resizeEvent(event)
        if had_figure:
            self._settle.start()  # names are placed for one size

    def _step(self, by: int) -> None:
        """Go to the next spot: from left to right on a plot, else row by row."""
        assert self.dots is not None
        dots = self.dots
        keys = (dots.y, dots.x) if dots.kind is SpotKind.DOT else (dots.x, dots.y)
        order = np.lexsort(keys).tolist()
        if self._chosen is None:
            self.dot_chosen.emit(order[0 if by > 0 else -1])
            return
        place = order.index(self._chosen) + by
        self.dot_chosen.emit(order[min(max(place, 0), len(order) - 1)])

    @Slot(object)
    def _listen(self, canvas: Any) -> None:
        canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        canvas.mpl_connect("button_press_event", self._pressed)
        canvas.mpl_connect("motion_notify_event", self._moved)
        canvas.mpl_connect("button_release_event", self._released)
        dots, chosen = self.dots, self._chosen
        if self._is_tall and dots is not None and chosen is not None and chosen < dots.x.size:
            self._scroll_to_spot(float(dots.x[chosen]), float(dots.y[chosen]))

    def _pressed(self, event: Any) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        dot = self.dot_at(event.x, event.y)
        self._pressed_at = self._place(event)
        if dot is None:
            return
        if event.dblclick:
            self._pressed_at = None
            self.dot_opened.emit(dot)
        elif event.modifiers and {"ctrl", "shift"} & set(event.modifiers):
            self._pressed_at = None
            self.dot_toggled.emit(dot)

    def _released(self, event: Any) -> None:
        began, self._pressed_at = self._pressed_at, None
        if self._band is not None:
            area = self._band.geometry()
            self._band.hide()
            self._band = None
            self.dots_swept.emit(self._swept(area))
        elif began is not None:
            dot = self.dot_at(event.x, event.y)
            if dot is not None:
                self.dot_chosen.emit(dot)

    def _moved(self, event: Any) -> None:
        canvas = self.canvas
        if canvas is None or self.dots is None:
            return
        if self._pressed_at is not None and self._drag(self._pressed_at, self._place(event)):
            return
        dot = self.dot_at(event.x, event.y)
        canvas.setCursor(Qt.CursorShape.ArrowCursor if dot is None else Qt.CursorShape.PointingHandCursor)
        if dot is None:
            QToolTip.hideText()
            return
        QToolTip.showText(canvas.mapToGlobal(self._place(event)), plain_tip(self.dots.names[dot]), canvas)

    def _drag(self, began: QPoint, now: QPoint) -> bool:
        """Extend the rubber band to the pointer; return whether there is one."""
        assert self.dots is not None
        if self._band is None:
            if self.dots.kind is SpotKind.CELL or (now - began).manhattanLength() < DRAG_PX:
                return False
            self._band = QRubberBand(QRubberBand.Shape.Rectangle, self.canvas)
            self._band.show()
        self._band.setGeometry(QRect(began, now).normalized())
        return True

    def _swept(self, area: QRect) -> tuple[int, ...]:
        """The spots under an area of the canvas."""
        canvas, dots = self.canvas, self.dots
        if canvas is None or dots is None or not dots.x.size:
            return ()
        ratio = self.devicePixelRatioF()
        places = canvas.figure.axes[0].transData.transform(np.column_stack([dots.x, dots.y])) / ratio
        up = canvas.height() - places[:, 1]
        within = (up >= area.top()) & (up <= area.bottom())
        if dots.kind is SpotKind.DOT:
            within &= (places[:, 0] >= area.left()) & (places[:, 0] <= area.right())
        return tuple(np.flatnonzero(within).tolist())

    def _place(self, event: Any) -> QPoint:
        """Return the pointer's position on the canvas, in device-independent pixels from the top left."""
        assert self.canvas is not None
        ratio = self.devicePixelRatioF()
        return QPoint(round(event.x / ratio), round(self.canvas.height() - event.y / ratio))
