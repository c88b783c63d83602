"""Icons from SVG line drawings, tinted with the current theme.

A drawing is an SVG of 20 by 20 units with strokes in ``currentColor``. Icons set with `set_icon` are redrawn
when the theme changes.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files

from PySide6.QtCore import QByteArray, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPaintDevice, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPushButton, QWidget

from gui.style import theme

HEADER_PX, ROW_PX = 20, 16
WORD_GAP_PX = 4  # in addition to the gap of the style, which is too small
_ROW_STROKE = "1.7"  # small icons need thicker lines
_PROGRAM_SIZES = (16, 32, 48, 128)
_NAME, _ROLE, _SIZE = "icon_name", "icon_role", "icon_size"


@cache
def _drawing(name: str) -> str:
    return (files("resources") / "icons" / f"{name}.svg").read_text("utf-8")


def tinted_svg(name: str, colour: str, stroke: str = "1.5") -> str:
    """Return a drawing as SVG text in one colour."""
    drawing = _drawing(name).replace("currentColor", colour)
    return drawing.replace('stroke-width="1.5"', f'stroke-width="{stroke}"')


def smooth_painter(device: QPaintDevice) -> QPainter:
    """Return a painter of smooth lines."""
    painter = QPainter(device)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter


def program_icon() -> QIcon:
    """Return the icon of the program, for title bars and task switchers."""
    renderer = QSvgRenderer(QByteArray((files("resources") / "desktop" / "pyramidion.svg").read_bytes()))
    made = QIcon()
    for pixels in _PROGRAM_SIZES:
        pixmap = QPixmap(pixels, pixels)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        renderer.render(painter)
        painter.end()
        made.addPixmap(pixmap)
    return made


@lru_cache(maxsize=1024)
def _pixmap(name: str, colour: str, size: int, pixels: int, gap: int = 0) -> QPixmap:
    """Return a drawing of `pixels` by `pixels`, followed by `gap` transparent pixels."""
    svg = tinted_svg(name, colour, _ROW_STROKE if size <= ROW_PX else "1.5")
    pixmap = QPixmap(pixels + gap, pixels)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, 0, pixels, pixels))
    painter.end()
    return pixmap


def pixmap(name: str, token: str = "muted", size: int = ROW_PX) -> QPixmap:
    """Return a drawing in the colour of a token, `size` device-independent pixels wide."""
    ratio = _ratio()
    drawn = QPixmap(_pixmap(name, getattr(theme.tokens(), token), size, round(size * ratio)))
    drawn.setDevicePixelRatio(ratio)
    return drawn


def draw(painter: QPainter, area: QRect, name: str, token: str = "muted", size: int = ROW_PX) -> None:
    """Paint a drawing in the middle of an area, scaled with the text. size: in pixels at 100 %."""
    scaled = theme.px(size)
    corner = QPointF(area.center()) - QPointF(scaled // 2 - 1, scaled // 2 - 1)
    painter.drawPixmap(corner, pixmap(name, token, scaled))


def lead(painter: QPainter, area: QRect, name: str, token: str = "muted", size: int = ROW_PX) -> QRect:
    """Paint a drawing at the left of an area; return the rest, after a gap."""
    draw(painter, QRect(area.left(), area.top(), theme.px(size), area.height()), name, token, size)
    return area.adjusted(theme.px(size) + theme.SMALL, 0, 0, 0)


def trail(painter: QPainter, area: QRect, name: str, token: str = "muted", size: int = ROW_PX) -> QRect:
    """Paint a drawing at the right of an area; return the rest, before a gap."""
    wide = theme.px(size)
    draw(painter, QRect(area.right() + 1 - wide, area.top(), wide, area.height()), name, token, size)
    return area.adjusted(0, 0, -wide - theme.SMALL, 0)


def badge(
    painter: QPainter,
    box: QRectF,
    text: str,
    ground: QColor | str,
    kind: theme.Type = theme.Type.CAPTION,
    radius: int = theme.RADIUS_SMALL,
) -> None:
    """Paint a letter or number on a background colour."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(ground))
    painter.drawRoundedRect(box, radius, radius)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(theme.colour("text"))
    painter.setFont(theme.font(kind))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


@lru_cache(maxsize=512)
def _icon(name: str, rest: str, current: str, disabled: str, size: int, gap: int, ratio: float) -> QIcon:
    icon = QIcon()
    pixels = round(size * ratio)
    for colour, mode, state in (
        (rest, QIcon.Mode.Normal, QIcon.State.Off),
        (current, QIcon.Mode.Normal, QIcon.State.On),
        (disabled, QIcon.Mode.Disabled, QIcon.State.Off),
    ):
        icon.addPixmap(_pixmap(name, colour, size, pixels, round(gap * ratio)), mode, state)
    return icon


def icon(name: str, token: str = "muted", size: int = ROW_PX, gap: int = 0) -> QIcon:
    """Return an icon in the colour of a token, in the accent colour while checked. gap: pixels behind it."""
    t = theme.tokens()
    return _icon(name, getattr(t, token), t.accent, t.outline, size, gap, _ratio())


def set_icon(widget: QAbstractButton | QLabel, name: str, token: str = "muted", size: int = ROW_PX) -> None:
    """Set the icon of a button (empty = none) or the pixmap of a label; redraw it when the theme changes.

    size: in pixels at a text size of 100 %; the icon is scaled with the text.
    """
    widget.setProperty(_NAME, name)
    widget.setProperty(_ROLE, token)
    widget.setProperty(_SIZE, size)
    _draw_icon(widget)


def _draw_icon(widget: QWidget) -> None:
    name, token, size = (widget.property(key) for key in (_NAME, _ROLE, _SIZE))
    size = theme.px(size)
    if isinstance(widget, QAbstractButton):
        gap = WORD_GAP_PX if isinstance(widget, QPushButton) and widget.text() else 0
        widget.setIcon(icon(name, token, size, gap) if name else QIcon())
        widget.setIconSize(QSize(size + gap, size))
    elif isinstance(widget, QLabel):
        widget.setPixmap(pixmap(name, token, size))


def _ratio() -> float:
    screen = QApplication.primaryScreen()
    return screen.devicePixelRatio() if screen is not None else 1.0


def _redraw_icons() -> None:
    for widget in QApplication.allWidgets():
        if widget.property(_NAME):
            _draw_icon(widget)


theme.signal().changed.connect(_redraw_icons)
