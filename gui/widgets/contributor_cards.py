"""An SCU's contributors as cards that arrows move through, part by part."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui import theme
from gui.theme import MEDIUM, RADIUS_CONTROL, RADIUS_SMALL, SMALL, TIGHT, Type, px
from gui.values.pyramid import ContributorLine
from gui.widgets.offsets import offsets_of

GAP = " … "
_BADGE_PX = 22


class ContributorCards(QWidget):
    """Cards; the current part of the current card is what Delete takes away.

    Signals:
        part_chosen: contributor id, part id.
    """

    part_chosen = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self._lines: tuple[ContributorLine, ...] = ()
        self._card, self._part = 0, 0
        self.setAccessibleName("Contributors")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.signal().changed.connect(self._keep_height)

    def show_contributors(self, lines: Sequence[ContributorLine]) -> None:
        """Show these cards; the current place stays as far as it can."""
        if self._lines == (shown := tuple(lines)):
            return
        self._lines = shown
        self._card = min(self._card, max(0, len(shown) - 1))
        self._part = min(self._part, max(0, len(shown[self._card].parts) - 1)) if shown else 0
        self.setAccessibleDescription("; ".join(_spoken(line) for line in shown))
        self._keep_height()
        self.update()

    @property
    def current(self) -> tuple[str, str]:
        """Contributor and part that have the keyboard, empty = none."""
        if not self.hasFocus() or not self._lines:
            return "", ""
        line = self._lines[self._card]
        return line.contributor_id, line.parts[self._part].part_id if line.parts else ""

    def sizeHint(self) -> QSize:
        return QSize(200, self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._keep_height()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top = 0.0
        for place, line in enumerate(self._lines):
            height = self._height(line, self.width())
            is_current = self.hasFocus() and place == self._card
            self._paint_card(painter, QRectF(0, top, self.width(), height), line, is_current)
            top += height + SMALL

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0), Qt.Key.Key_Left: (0, -1)}
        steps[Qt.Key.Key_Right] = (0, 1)
        step = steps.get(Qt.Key(event.key()))
        if step is None or not self._lines:
            super().keyPressEvent(event)
            return
        self._go(self._card + step[0], self._part + step[1] if not step[0] else 0)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        top = 0.0
        for place, line in enumerate(self._lines):
            height = self._height(line, self.width())
            if top <= event.position().y() < top + height:
                at = event.position() - QPointF(self._text_left(), top + SMALL)
                self._go(place, self._part_at(line, at))
            top += height + SMALL
        super().mousePressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    @Slot()
    def _keep_height(self) -> None:
        """Claim the height of all cards: a scroll area does not ask how it depends on the width."""
        self.setFixedHeight(round(sum(self._height(line, self.width()) + SMALL for line in self._lines)))

    def _go(self, card: int, part: int) -> None:
        self._card = min(max(card, 0), len(self._lines) - 1)
        self._part = min(max(part, 0), len(self._lines[self._card].parts) - 1)
        self.update()
        self.part_chosen.emit(*self.current)

    def _part_at(self, line: ContributorLine, point: QPointF) -> int:
        layout = _laid_out(line, self._text_width(self.width()))
        for index in range(layout.lineCount()):
            row = layout.lineAt(index)
            if row.y() <= point.y() < row.y() + row.height():
                position = row.xToCursor(point.x())
                starts = [start for start, _ in _part_positions(line)]
                return max((i for i, start in enumerate(starts) if start <= position), default=0)
        return 0

    def _text_left(self) -> int:
        return SMALL + px(_BADGE_PX) + SMALL

    def _text_width(self, width: int) -> int:
        return max(40, width - self._text_left() - SMALL)

    def _height(self, line: ContributorLine, width: int) -> float:
        words = _laid_out(line, self._text_width(width)).boundingRect().height()
        fact = QFontMetrics(theme.font(Type.SMALL)).height()
        return float(max(words + TIGHT + fact, px(_BADGE_PX)) + 2 * SMALL)

    def _paint_card(self, painter: QPainter, box: QRectF, line: ContributorLine, is_current: bool) -> None:
        edge = 2.0 if is_current else 1.0
        painter.setPen(QPen(theme.colour("accent" if is_current else "border"), edge))
        painter.setBrush(theme.colour("raised"))
        frame = box.adjusted(edge / 2, edge / 2, -edge / 2, -edge / 2)
        painter.drawRoundedRect(frame, RADIUS_CONTROL, RADIUS_CONTROL)
        self._paint_badge(painter, box, line.letter)
        layout = _laid_out(line, self._text_width(self.width()), self._part if is_current else None)
        painter.setPen(theme.colour("text"))
        at = QPointF(self._text_left(), box.top() + SMALL)
        layout.draw(painter, at)
        below = at.y() + layout.boundingRect().height() + TIGHT
        painter.setFont(theme.font(Type.SMALL))
        painter.setPen(theme.colour("muted"))
        room = QRectF(at.x(), below, box.width() - at.x() - MEDIUM, box.bottom() - below)
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, line.fact)

    def _paint_badge(self, painter: QPainter, box: QRectF, letter: str) -> None:
        badge = QRectF(SMALL, box.top() + SMALL, px(_BADGE_PX), px(_BADGE_PX))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("hover"))
        painter.drawRoundedRect(badge, RADIUS_SMALL, RADIUS_SMALL)
        painter.setPen(theme.colour("text"))
        painter.setFont(theme.font(Type.CAPTION))
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, letter)


def _laid_out(line: ContributorLine, width: float, current_part: int | None = None) -> QTextLayout:
    """A card's words in lines; the gaps in the accent, the current part on the selection's ground."""
    layout = QTextLayout(GAP.join(part.words for part in line.parts), theme.font(Type.BODY))
    layout.setFormats(list(_formats(line, current_part)))
    layout.beginLayout()
    top = 0.0
    while (row := layout.createLine()).isValid():
        row.setLineWidth(width)
        row.setPosition(QPointF(0, top))
        top += row.height()
    layout.endLayout()
    return layout


def _formats(line: ContributorLine, current_part: int | None) -> list[QTextLayout.FormatRange]:
    formats = []
    positions = _part_positions(line)
    for _, end in positions[:-1]:
        gap = QTextCharFormat()
        gap.setForeground(theme.colour("accent"))
        formats.append(_format_range(end, len(GAP), gap))
    if current_part is not None and current_part < len(positions):
        ground = QTextCharFormat()
        ground.setBackground(theme.colour("selection"))
        start, end = positions[current_part]
        formats.append(_format_range(start, end - start, ground))
    return formats


def _format_range(start: int, length: int, char_format: QTextCharFormat) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start, found.length = start, length
    found.format = char_format
    return found


def _part_positions(line: ContributorLine) -> list[tuple[int, int]]:
    """Where each part stands in the laid-out words."""
    offsets = offsets_of(GAP.join(part.words for part in line.parts))
    found, at = [], 0
    for part in line.parts:
        found.append(offsets.span_to_document((at, at + len(part.words))))
        at += len(part.words) + len(GAP)
    return found


def _spoken(line: ContributorLine) -> str:
    return f"{line.letter}: {GAP.join(part.words for part in line.parts)}, {line.fact}"
