"""Widget for matplotlib figures; the figure on screen is the one that is exported.

matplotlib is imported when the first figure is shown.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QAccessible,
    QGuiApplication,
    QImage,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from core.errors import InputError
from core.figures.palette import LIGHT, Palette
from core.files.atomic_write import atomic_write_bytes, check_writable
from core.progress import JobSteps, Progress, run_to_completion
from gui.background.jobs import Job
from gui.style import theme
from gui.style.language import tr
from gui.widgets.accessible import set_role
from gui.widgets.layouts import vbox

if TYPE_CHECKING:
    from matplotlib.backends.backend_qtagg import FigureCanvasQTAgg
    from matplotlib.figure import Figure

Draw = Callable[[Palette], "Figure"]
"""Draws a figure in these colors, on any thread; called again for another theme and for export."""

FORMATS = ("svg", "pdf", "png")
_PAPER_DPI = 300
_SETTLE_MS = 120
_DPI, _ENOUGH_INCHES = 100, (4.0, 3.0)
"""Pixels per inch at a text size of 100 %; more only if a figure keeps so many inches."""


class FigureView(QWidget):
    """Shows one figure at a time, in the current theme and text size.

    It is drawn on a thread. Of several changes within one turn of the event loop only the last is drawn, and
    nothing while hidden. In another size the last picture is stretched until there is one of that size.

    Signals:
        drawn: the matplotlib canvas of a new drawing, for connecting to its events.
        resized: the figure is about to be drawn in another size.
    """

    drawn = Signal(object)
    resized = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._draw: Draw | None = None
        self._canvas: FigureCanvasQTAgg | None = None
        self._least: tuple[float, float] = (0, 0)
        self._room = self.size()  # read by the thread that draws
        self._due = QTimer(self, singleShot=True, interval=0)
        self._due.timeout.connect(self._draw_if_due)
        self._is_due = False
        self._drawing: Job | None = None
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self._set_due)
        self._settle.timeout.connect(self.resized)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        vbox(self.area, parent=self)
        theme.signal().changed.connect(self._set_due)

    @property
    def canvas(self) -> FigureCanvasQTAgg | None:
        """Canvas of the figure, drawn now if it is due; None = no figure, or no room for it yet."""
        self._is_due |= self._drawing is not None
        if (steps := self._due_steps()) is not None:
            self._show_drawn(run_to_completion(steps))
        return self._canvas

    def show_figure(self, draw: Draw | None, least: tuple[float, float] = (0, 0)) -> None:
        """Show the figure that `draw` returns; None = no figure.

        least: minimum width and height in inches; in a smaller view the figure scrolls.
        """
        self._draw, self._least = draw, least
        self._set_due()

    def save(self, path: Path) -> None:
        """Write the figure as SVG, PDF or PNG, by the suffix, in the light theme.

        Raises InputError for another suffix or if the file cannot be written.
        """
        kind = path.suffix.lower().lstrip(".")
        if kind not in FORMATS:
            raise InputError(
                tr("{name}: a figure is saved as .svg, .pdf or .png; choose one of these.", name=path.name)
            )
        if self._draw is None:
            raise InputError(tr("There is no figure to save yet; choose a measure first."))
        check_writable(path)
        drawn = io.BytesIO()
        self._draw(LIGHT).savefig(drawn, format=kind, dpi=_PAPER_DPI)
        atomic_write_bytes(path, drawn.getvalue())

    def copy(self) -> None:
        """Copy the figure to the clipboard as an image, in the light theme."""
        if self._draw is not None:
            png = io.BytesIO()
            self._draw(LIGHT).savefig(png, format="png", dpi=_PAPER_DPI)
            QGuiApplication.clipboard().setImage(QImage.fromData(png.getvalue()))

    @property
    def dpi(self) -> int:
        """Pixels per inch on screen: with the text size, as far as there is room."""
        wide, high = _ENOUGH_INCHES
        return max(_DPI, min(theme.px(_DPI), int(self._room.width() / wide), int(self._room.height() / high)))

    def _least_size(self) -> QSize:
        return QSize(*(round(side * self.dpi) for side in self._least))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._room = event.size()
        super().resizeEvent(event)
        if self._canvas is None:
            self._set_due()

    def _terms(self) -> tuple[Palette, QSize, int, float]:
        """Return the colours, size, resolution and pixel ratio of the picture."""
        least, size = self._least_size(), self.area.maximumViewportSize()
        if self._canvas is not None and self._canvas.minimumSize() == least:
            size = self._canvas.size()
        else:
            bars = self.area.verticalScrollBar().sizeHint().width()
            is_tall = least.height() > size.height()
            is_wide = least.width() > size.width() - is_tall * bars
            is_tall |= least.height() > size.height() - is_wide * bars
            size -= QSize(is_tall * bars, is_wide * bars)
        return theme.figure_palette(), size.expandedTo(least), self.dpi, self.devicePixelRatioF()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_due:
            self._due.start()

    @Slot()
    def _set_due(self) -> None:
        self._is_due = True
        if self.isVisible():
            self._due.start()

    @Slot()
    def _draw_if_due(self) -> None:
        if (steps := self._due_steps()) is not None:
            self._drawing = Job(tr("Drawing"), steps, parent=self)
            self._drawing.finished.connect(self._show_drawn)
            self._drawing.failed.connect(self._fail)
            self._drawing.start()

    def _due_steps(self) -> JobSteps[Figure] | None:
        """Return what draws the figure if it has changed; one without room is drawn when it gets some."""
        if not self._is_due:
            return None
        self._is_due = False
        if self._drawing is not None:
            self._drawing.drop()
            self._drawing = None
        if self._draw is None or self.size().isEmpty():
            self._remove_canvas()
            return None
        return _drawn(self._draw, *self._terms())

    def _remove_canvas(self) -> None:
        if self._canvas is not None:
            self.area.takeWidget()
            self._canvas.deleteLater()
            self._canvas = None

    @Slot(object)
    def _fail(self, error: Exception) -> None:
        self._drawing = None
        raise error

    @Slot(object)
    def _show_drawn(self, figure: Figure) -> None:
        self._drawing = None
        self._remove_canvas()
        self._canvas = _screen_canvas()(figure, self._settle)
        self._canvas.setMinimumSize(self._least_size())
        places = self.area.horizontalScrollBar().value(), self.area.verticalScrollBar().value()
        self.area.setWidget(self._canvas)
        self.area.horizontalScrollBar().setValue(places[0])
        self.area.verticalScrollBar().setValue(places[1])
        self.drawn.emit(self._canvas)


set_role(FigureView, QAccessible.Role.Chart)


def _drawn(draw: Draw, palette: Palette, size: QSize, dpi: int, pixel_ratio: float) -> JobSteps[Figure]:
    """Draw a figure, also as the picture of its own canvas, which the one on screen takes over.

    size: in device-independent pixels; dpi: of these.
    """
    yield Progress(0, 0)
    from core.figures.text_cache import CachedTextCanvas

    figure: Any = draw(palette)
    figure.set_size_inches(size.width() / dpi, size.height() / dpi)
    figure._original_dpi = dpi  # which matplotlib multiplies by the pixel ratio
    figure.set_dpi(dpi)
    canvas: Any = CachedTextCanvas(figure)
    canvas._set_device_pixel_ratio(pixel_ratio)
    canvas.draw()
    return cast("Figure", figure)


@cache
def _screen_canvas() -> Callable[[Figure, QTimer], FigureCanvasQTAgg]:
    """Return the class of canvases on screen; defined on first use, as it imports matplotlib."""
    from matplotlib.backends.backend_qtagg import FigureCanvasQTAgg

    from core.figures.text_cache import CachedText

    class ScreenCanvas(CachedText, FigureCanvasQTAgg):
        """A canvas that shows a picture drawn before; the wheel scrolls the surrounding area.

        outgrown: started when the picture has another size than the canvas.
        """

        def __init__(self, figure: Figure, outgrown: QTimer) -> None:
            drawn: Any = figure.canvas
            super().__init__(figure)  # type: ignore[no-untyped-call]  # matplotlib has no types
            self._set_device_pixel_ratio(drawn.device_pixel_ratio)
            self._picture_key, self._outgrown = drawn.key, outgrown
            self._pixels = drawn.buffer_rgba()  # which the picture does not keep
            width, height = drawn.key[:2]
            self._picture = QImage(self._pixels, width, height, QImage.Format.Format_RGBA8888)
            self._picture.setDevicePixelRatio(drawn.device_pixel_ratio)

        def draw(self) -> None:
            """Show the picture, and have another drawn if it has another size."""
            if self.key != self._picture_key:
                self._outgrown.start()
            self.update()

        def paintEvent(self, event: QPaintEvent) -> None:
            painter = QPainter(self)
            if self.key == self._picture_key:
                painter.drawImage(0, 0, self._picture)  # pixel by pixel
            else:
                painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
                painter.drawImage(self.rect(), self._picture)

        def wheelEvent(self, event: QWheelEvent) -> None:
            event.ignore()

    return ScreenCanvas
