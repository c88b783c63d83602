"""Drag and drop within the window: SCUs, parts of SCUs, units of a summary and selected text."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from enum import StrEnum

from PySide6.QtCore import QByteArray, QMimeData, QPoint, QRectF, Qt
from PySide6.QtGui import QDrag, QPixmap
from PySide6.QtWidgets import QWidget

from core.json_text import parse_json
from gui.style import icons, theme
from gui.style.theme import MEDIUM, RADIUS_CONTROL, SMALL, Type

MIME_TYPE = "application/x-pyramidion-drag"
_MAX_WIDTH = 280


class DragKind(StrEnum):
    """Kinds of dragged items."""

    PARTS = "parts"
    SCU = "scu"
    WORDS = "words"
    UNIT = "unit"


@dataclass(frozen=True, slots=True)
class DraggedItem:
    """A dragged item: parts of an SCU, an SCU, a unit of a summary, or selected text (without ids)."""

    kind: DragKind
    scu_id: str = ""
    part_ids: tuple[str, ...] = ()
    match_id: str = ""

    def mime(self, words: str) -> QMimeData:
        """Return the item as MIME data; other programs receive the text."""
        mime = QMimeData()
        mime.setText(words)
        self.write(mime)
        return mime

    def write(self, mime: QMimeData) -> None:
        """Add the item to existing MIME data."""
        content = json.dumps({"process": os.getpid(), **asdict(self)})
        mime.setData(MIME_TYPE, QByteArray(content.encode()))


def read_dragged(mime: QMimeData) -> DraggedItem | None:
    """Return the dragged item; None = it doesn't come from this process."""
    if not mime.hasFormat(MIME_TYPE):
        return None
    content = parse_json(bytes(mime.data(MIME_TYPE).data()))
    if content["process"] != os.getpid():
        return None
    kind, part_ids = DragKind(content["kind"]), tuple(content["part_ids"])
    return DraggedItem(kind, content["scu_id"], part_ids, content["match_id"])


def start_drag(source: QWidget, item: DraggedItem, words: str) -> None:
    """Run a drag until the mouse button is released or Escape is pressed.

    words: its text, shown at the pointer and passed to other programs.
    """
    qdrag = QDrag(source)
    qdrag.setMimeData(item.mime(words))
    qdrag.setPixmap(_drag_pixmap(words, source.devicePixelRatioF()))
    qdrag.setHotSpot(QPoint(-SMALL, -SMALL))
    qdrag.exec(Qt.DropAction.MoveAction)


def _drag_pixmap(words: str, ratio: float) -> QPixmap:
    """Return a pixmap with the text, shown at the pointer."""
    metrics = theme.metrics(Type.BODY)
    label = metrics.elidedText(" ".join(words.split()), Qt.TextElideMode.ElideRight, _MAX_WIDTH)
    width, height = metrics.horizontalAdvance(label) + 2 * MEDIUM, metrics.height() + 2 * SMALL
    pixmap = QPixmap(round(width * ratio), round(height * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = icons.smooth_painter(pixmap)
    painter.setPen(theme.colour("accent"))
    painter.setBrush(theme.colour("surface"))
    painter.drawRoundedRect(QRectF(0.5, 0.5, width - 1, height - 1), RADIUS_CONTROL, RADIUS_CONTROL)
    painter.setPen(theme.colour("text"))
    painter.setFont(theme.font(Type.BODY))
    painter.drawText(QRectF(0, 0, width, height), Qt.AlignmentFlag.AlignCenter, label)
    painter.end()
    return pixmap
