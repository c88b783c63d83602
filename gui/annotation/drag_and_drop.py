"""What can be dragged within the window: parts of an SCU, an SCU, words of a text, a unit of a summary."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from enum import StrEnum

from PySide6.QtCore import QByteArray, QMimeData, QPoint, QRectF, Qt
from PySide6.QtGui import QDrag, QFontMetrics, QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from gui.style import theme
from gui.style.theme import MEDIUM, RADIUS_CONTROL, SMALL, Type

MIME_TYPE = "application/x-pyramidion-drag"
_WIDEST = 280


class DragKind(StrEnum):
    """What is dragged."""

    PARTS = "parts"
    SCU = "scu"
    WORDS = "words"
    UNIT = "unit"


@dataclass(frozen=True, slots=True)
class DraggedItem:
    """Parts of an SCU, an SCU, a unit of a summary, or the words selected in a text, which name nothing."""

    kind: DragKind
    scu_id: str = ""
    part_ids: tuple[str, ...] = ()
    match_id: str = ""

    def mime(self, words: str) -> QMimeData:
        """It as Qt carries it; other programs are given the words."""
        mime = QMimeData()
        mime.setText(words)
        self.write(mime)
        return mime

    def write(self, mime: QMimeData) -> None:
        """Put it beside what is carried already."""
        content = json.dumps({"process": os.getpid(), **asdict(self)})
        mime.setData(MIME_TYPE, QByteArray(content.encode()))


def read_dragged(mime: QMimeData) -> DraggedItem | None:
    """What is carried, None = nothing of this window."""
    if not mime.hasFormat(MIME_TYPE):
        return None
    content = json.loads(bytes(mime.data(MIME_TYPE).data()))
    if content["process"] != os.getpid():
        return None
    kind, part_ids = DragKind(content["kind"]), tuple(content["part_ids"])
    return DraggedItem(kind, content["scu_id"], part_ids, content["match_id"])


def start_drag(source: QWidget, what: DraggedItem, words: str) -> None:
    """Let something be dragged until the mouse lets go of it, or Escape is pressed."""
    carried = QDrag(source)
    carried.setMimeData(what.mime(words))
    carried.setPixmap(_ticket(words, source.devicePixelRatioF()))
    carried.setHotSpot(QPoint(-SMALL, -SMALL))
    carried.exec(Qt.DropAction.MoveAction)


def _ticket(words: str, ratio: float) -> QPixmap:
    """The words on a small ground, to be seen below the pointer."""
    metrics = QFontMetrics(theme.font(Type.BODY))
    shown = metrics.elidedText(" ".join(words.split()), Qt.TextElideMode.ElideRight, _WIDEST)
    width, height = metrics.horizontalAdvance(shown) + 2 * MEDIUM, metrics.height() + 2 * SMALL
    pixmap = QPixmap(round(width * ratio), round(height * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(theme.colour("accent"))
    painter.setBrush(theme.colour("surface"))
    painter.drawRoundedRect(QRectF(0.5, 0.5, width - 1, height - 1), RADIUS_CONTROL, RADIUS_CONTROL)
    painter.setPen(theme.colour("text"))
    painter.setFont(theme.font(Type.BODY))
    painter.drawText(QRectF(0, 0, width, height), Qt.AlignmentFlag.AlignCenter, shown)
    painter.end()
    return pixmap
