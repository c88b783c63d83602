"""A scatter plot whose dots can be pointed at, pressed, and stepped through by arrows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QToolTip

from core.report.palette import Palette
from gui.values.compare import Dots
from gui.widgets.figure_view import FigureView

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REACH_PX = 12
"""How near the pointer must be to a dot, in device-independent pixels."""

_SETTLE_MS = 120
_DPI = 100
DrawSized = Callable[[Palette, tuple[float, float]], "Figure"]
"""Draws the plot in these colours and this size in inches."""


class ScatterView(FigureView):
    """Shows dots.

    Signals:
        dot_chosen: its position among the dots.
        dot_opened: the same, by Enter or double click.
    """

    dot_chosen = Signal(int)
    dot_opened = Signal(int)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._dots: Dots | None = None
        self._chosen: int | None = None
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self._redraw)
        self.drawn.connect(self._listen)

    def show_dots(self, dots: Dots, chosen: int | None, draw: DrawSized) -> None:
        """Show a plot of these dots with one of them selected."""
        self._dots, self._chosen = dots, chosen
        self.show_figure(lambda palette: draw(palette, self._size()))

    def show_nothing(self) -> None:
        """Show no plot."""
        self._dots, self._chosen = None, None
        self.show_figure(None)

    def dot_at(self, x: float, y: float) -> int | None:
        """The dot nearest to a place of the canvas (device pixels from below left), None = none in reach."""
        if self._dots is None or not self._dots.x.size or self.canvas is None:
            return None
        axes = self.canvas.figure.axes[0]
        places = axes.transData.transform(np.column_stack([self._dots.x, self._dots.y]))
        distances = np.hypot(places[:, 0] - x, places[:, 1] - y)
        nearest = int(np.argmin(distances))
        reach = REACH_PX * self.devicePixelRatioF()
        return nearest if distances[nearest] <= reach else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Down: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: 1,
        }.get(Qt.Key(event.key()))
        if step is not None and self._dots is not None and self._dots.x.size:
            self._step(step)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._chosen is not None:
            self.dot_opened.emit(self._chosen)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.canvas is not None:
            self._settle.start()  # names are placed for one size

    def _step(self, by: int) -> None:
        """Go to the next dot from left to right."""
        assert self._dots is not None
        order = np.lexsort((self._dots.y, self._dots.x)).tolist()
        if self._chosen is None:
            self.dot_chosen.emit(order[0 if by > 0 else -1])
            return
        place = order.index(self._chosen) + by
        self.dot_chosen.emit(order[min(max(place, 0), len(order) - 1)])

    def _size(self) -> tuple[float, float]:
        return max(self.width(), 200) / _DPI, max(self.height(), 160) / _DPI

    @Slot(object)
    def _listen(self, canvas: Any) -> None:
        canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        canvas.mpl_connect("button_press_event", self._pressed)
        canvas.mpl_connect("motion_notify_event", self._moved)

    def _pressed(self, event: Any) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        dot = self.dot_at(event.x, event.y)
        if dot is None:
            return
        if event.dblclick:
            self.dot_opened.emit(dot)
        else:
            self.dot_chosen.emit(dot)

    def _moved(self, event: Any) -> None:
        canvas = self.canvas
        if canvas is None or self._dots is None:
            return
        dot = self.dot_at(event.x, event.y)
        canvas.setCursor(Qt.CursorShape.ArrowCursor if dot is None else Qt.CursorShape.PointingHandCursor)
        if dot is None:
            QToolTip.hideText()
            return
        ratio = self.devicePixelRatioF()
        place = QPoint(round(event.x / ratio), round(canvas.height() - event.y / ratio))
        QToolTip.showText(canvas.mapToGlobal(place), self._dots.names[dot], canvas)
