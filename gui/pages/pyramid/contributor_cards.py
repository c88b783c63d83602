"""An SCU's contributors as cards that keys move through, part by part, to choose and to drag."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QEnterEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from gui.annotation.drag_and_drop import Dragged, DragKind, drag
from gui.pages.pyramid.contributor_painting import (
    CardState,
    card_height,
    paint_card,
    text_left,
    text_width,
    tick_box,
)
from gui.pages.pyramid.contributor_text import GAP, part_at
from gui.pages.pyramid.values import ContributorRow
from gui.style import theme
from gui.style.theme import SMALL

_CTRL = Qt.KeyboardModifier.ControlModifier


class ContributorCards(QWidget):
    """Cards; the current part of the current card is what Delete takes away.

    Space chooses the current card, Ctrl+Space its current part; so does a click on the card's box, and a
    click on a part with Ctrl held.

    Signals:
        part_chosen: contributor id, part id; it became the current one.
        ticked: another choice was made.
    """

    part_chosen = Signal(str, str)
    ticked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._scu_id = ""
        self._lines: tuple[ContributorRow, ...] = ()
        self._card, self._part = 0, 0
        self._chosen: set[str] = set()
        self._pressed: QPoint | None = None
        self.setAccessibleName("Contributors")
        self.setToolTip("Space chooses a contributor, Ctrl+Space a part; drag it onto another SCU to move it")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.signal().changed.connect(self._keep_height)

    def show_contributors(self, lines: Sequence[ContributorRow], scu_id: str = "") -> None:
        """Show an SCU's cards; the current place stays as far as it can, what is chosen within one SCU."""
        if (self._lines, self._scu_id) == (shown := tuple(lines), scu_id):
            return
        if scu_id != self._scu_id:
            self._card, self._part, self._chosen = 0, 0, set()
        self._lines, self._scu_id = shown, scu_id
        self._chosen &= {part.part_id for line in shown for part in line.parts}
        self._card = min(self._card, max(0, len(shown) - 1))
        self._part = min(self._part, max(0, len(shown[self._card].parts) - 1)) if shown else 0
        self._describe()
        self._keep_height()
        self.update()

    @property
    def current(self) -> tuple[str, str]:
        """Contributor and part that have the keyboard, empty = none."""
        return self.last if self.hasFocus() else ("", "")

    @property
    def last(self) -> tuple[str, str]:
        """Contributor and part that have the keyboard, or had it last; empty = there are none."""
        if not self._lines:
            return "", ""
        line = self._lines[self._card]
        return line.contributor_id, line.parts[self._part].part_id if line.parts else ""

    @property
    def taken(self) -> tuple[str, ...]:
        """The chosen parts, else those of the card that has the keyboard; empty = neither."""
        if self._chosen:
            return tuple(p.part_id for line in self._lines for p in line.parts if p.part_id in self._chosen)
        return _ids(self._lines[self._card]) if self.hasFocus() and self._lines else ()

    @property
    def chosen_cards(self) -> int:
        """How many cards have something chosen."""
        return sum(bool(self._chosen & set(_ids(line))) for line in self._lines)

    @property
    def last_line(self) -> ContributorRow | None:
        """The card that has the keyboard, or had it last; None = there is none."""
        return self._lines[self._card] if self._lines else None

    @property
    def current_box(self) -> QRect:
        """Where the card is that has the keyboard, or had it last; empty = there is none."""
        boxes = (box for place, (_, box) in enumerate(self._boxes()) if place == self._card)
        return next(boxes, QRectF()).toAlignedRect()

    def step(self, by: int) -> bool:
        """Put the keyboard on the next (+1) or previous (-1) card, going round; whether there is one."""
        if not self._lines:
            return False
        if self.hasFocus():
            self._go((self._card + by) % len(self._lines), 0)
        else:
            self.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self._go(0 if by > 0 else len(self._lines) - 1, 0)
        return True

    def drop_choice(self) -> None:
        """Choose nothing any more."""
        if self._chosen:
            self._tick(set(self._chosen))

    def sizeHint(self) -> QSize:
        return QSize(200, self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._keep_height()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        has_boxes = self.hasFocus() or self.underMouse() or bool(self._chosen)
        for place, (line, box) in enumerate(self._boxes()):
            is_current = self.hasFocus() and place == self._card
            chosen = self._chosen & set(_ids(line))
            part = self._part if is_current else None
            paint_card(painter, box, line, CardState(is_current, chosen, part, has_boxes))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0), Qt.Key.Key_Left: (0, -1)}
        steps[Qt.Key.Key_Right] = (0, 1)
        step = steps.get(Qt.Key(event.key()))
        if not self._lines:
            super().keyPressEvent(event)
        elif step is not None:
            self._go(self._card + step[0], self._part + step[1] if not step[0] else 0)
        elif event.key() == Qt.Key.Key_Space:
            line = self._lines[self._card]
            self._tick({line.parts[self._part].part_id} if event.modifiers() & _CTRL else set(_ids(line)))
        elif event.key() == Qt.Key.Key_Escape and self._chosen:
            self.drop_choice()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        point = event.position()
        self._pressed = None
        for place, (line, box) in enumerate(self._boxes()):
            if not box.contains(point):
                continue
            at = point - QPointF(text_left(), box.top() + SMALL)
            part = part_at(line, text_width(self.width()), at)
            self._go(place, part)
            if event.button() is not Qt.MouseButton.LeftButton:
                return
            if tick_box(box).contains(point):
                self._tick(set(_ids(line)))
            elif event.modifiers() & _CTRL and line.parts:
                self._tick({line.parts[part].part_id})
            else:
                self._pressed = point.toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        if (event.position().toPoint() - self._pressed).manhattanLength() >= QApplication.startDragDistance():
            self._pressed = None
            self._drag()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    @Slot()
    def _keep_height(self) -> None:
        """Claim the height of all cards: a scroll area does not ask how it depends on the width."""
        self.setFixedHeight(round(sum(box.height() + SMALL for _, box in self._boxes())))

    def _go(self, card: int, part: int) -> None:
        self._card = min(max(card, 0), len(self._lines) - 1)
        self._part = min(max(part, 0), max(0, len(self._lines[self._card].parts) - 1))
        self._describe()
        self.update()
        self.part_chosen.emit(*self.last)

    def _tick(self, parts: set[str]) -> None:
        """Choose these parts, or let them go where all of them are chosen."""
        self._chosen = self._chosen - parts if parts <= self._chosen else self._chosen | parts
        self._describe()
        self.update()
        self.ticked.emit()

    def _describe(self) -> None:
        """Tell screen readers which card is the current one, and whether it is chosen."""
        if not self._lines:
            self.setAccessibleDescription("No contributors")
            return
        line = self._lines[self._card]
        chosen = ", chosen" if self._chosen & set(_ids(line)) else ""
        place = f"{self._card + 1} of {len(self._lines)}"
        self.setAccessibleDescription(f"{place}{chosen}: {_spoken(line)}")

    def _drag(self) -> None:
        """Let the card under the pointer be dragged, with all that is chosen if it is chosen too."""
        line = self._lines[self._card]
        parts = self.taken if self._chosen & set(_ids(line)) else _ids(line)
        words = GAP.join(part.words for each in self._lines for part in each.parts if part.part_id in parts)
        drag(self, Dragged(DragKind.PARTS, self._scu_id, parts), words)

    def _boxes(self) -> Iterator[tuple[ContributorRow, QRectF]]:
        top = 0.0
        for line in self._lines:
            height = card_height(line, self.width())
            yield line, QRectF(0, top, self.width(), height)
            top += height + SMALL


def _ids(line: ContributorRow) -> tuple[str, ...]:
    return tuple(part.part_id for part in line.parts)


def _spoken(line: ContributorRow) -> str:
    comment = f", comment: {line.comment}" if line.comment else ""
    return f"{line.letter}: {GAP.join(part.words for part in line.parts)}, {line.fact}{comment}"
