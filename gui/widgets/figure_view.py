"""A figure on screen, drawn by whoever knows how; what is on screen is what is saved.

matplotlib is imported when the first figure is shown.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QImage, QWheelEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from core.errors import InputError
from core.figures.palette import LIGHT, Palette
from core.files.atomic_write import atomic_write_bytes, check_writable
from gui.style import theme

if TYPE_CHECKING:
    from matplotlib.backends.backend_qtagg import FigureCanvasQTAgg
    from matplotlib.figure import Figure

Draw = Callable[[Palette], "Figure"]
"""Draws a figure in these colours; called anew for another theme, and for paper."""

FORMATS = ("svg", "pdf", "png")
_PAPER_DPI = 300


class FigureView(QWidget):
    """Shows one figure at a time, in the theme in force.

    Signals:
        drawn: the matplotlib canvas of a new drawing, for connecting to its events.
    """

    drawn = Signal(object)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._draw: Draw | None = None
        self._canvas: FigureCanvasQTAgg | None = None
        self._least: tuple[int, int] = (0, 0)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self._area)
        theme.signal().changed.connect(self._redraw)

    @property
    def canvas(self) -> FigureCanvasQTAgg | None:
        """What the figure is drawn on, None while there is no figure."""
        return self._canvas

    def show_figure(self, draw: Draw | None, least: tuple[int, int] = (0, 0)) -> None:
        """Show what `draw` draws; None = nothing.

        least: width and height in pixels; where there is less room, the figure scrolls.
        """
        self._draw, self._least = draw, least
        self._redraw()

    def scroll_to(self, x: float, y: float) -> None:
        """Scroll until a place of the canvas is in sight. x, y: pixels from above left."""
        self._area.ensureVisible(round(x), round(y))

    def save(self, path: Path) -> None:
        """Write the figure as SVG, PDF or PNG by the name's ending, in the colours of paper.

        Raises InputError where the ending is another or the file cannot be written.
        """
        kind = path.suffix.lower().lstrip(".")
        if kind not in FORMATS:
            raise InputError(f"{path.name}: a figure is saved as .svg, .pdf or .png; choose one of these.")
        if self._draw is None:
            raise InputError("There is no figure to save yet; choose a measure first.")
        check_writable(path)
        drawn = io.BytesIO()
        self._draw(LIGHT).savefig(drawn, format=kind, dpi=_PAPER_DPI)
        atomic_write_bytes(path, drawn.getvalue())

    def copy(self) -> None:
        """Put the figure on the clipboard as a picture, in the colours of paper."""
        if self._draw is not None:
            png = io.BytesIO()
            self._draw(LIGHT).savefig(png, format="png", dpi=_PAPER_DPI)
            QGuiApplication.clipboard().setImage(QImage.fromData(png.getvalue()))

    @Slot()
    def _redraw(self) -> None:
        if self._canvas is not None:
            self._area.takeWidget()
            self._canvas.deleteLater()
            self._canvas = None
        if self._draw is None:
            return
        self._canvas = _screen_canvas()(self._draw(theme.figure_palette()))
        self._canvas.setAccessibleName(self.accessibleName())
        self._canvas.setMinimumSize(*self._least)
        places = self._area.horizontalScrollBar().value(), self._area.verticalScrollBar().value()
        self._area.setWidget(self._canvas)
        self._area.horizontalScrollBar().setValue(places[0])
        self._area.verticalScrollBar().setValue(places[1])
        self.drawn.emit(self._canvas)


@cache
def _screen_canvas() -> Callable[[Figure], FigureCanvasQTAgg]:
    """The class of canvases on screen, made when the first is needed."""
    from matplotlib.backends.backend_qtagg import FigureCanvasQTAgg

    from core.figures.text_cache import CachedText

    class ScreenCanvas(CachedText, FigureCanvasQTAgg):
        """A canvas in the window whose words are drawn once; the wheel scrolls what is around it."""

        def wheelEvent(self, event: QWheelEvent) -> None:
            event.ignore()

    return ScreenCanvas
