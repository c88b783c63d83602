"""Contributors of an SCU as cards with keyboard navigation, selection and drag and drop."""

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

from core.domain.pyramid import UnitKind
from gui.annotation.drag_and_drop import DraggedItem, DragKind, start_drag
from gui.pages.pyramid.contributor_painting import (
    GAP,
    CardState,
    card_height,
    check_box_rect,
    paint_card,
    part_at,
    text_left,
    text_width,
)
from gui.pages.pyramid.values import ContributorRow
from gui.style import theme
from gui.style.language import in_terms_of, tr
from gui.style.theme import SMALL
from gui.style.tooltips import plain_tip

_CTRL = Qt.KeyboardModifier.ControlModifier


class ContributorCards(QWidget):
    """Cards with a current card and a current part; Delete removes the current part.

    Space or a click on the check box selects a card. Ctrl+Space or Ctrl+click selects a part.

    Signals:
        part_chosen: contributor id, part id of the new current part.
        selection_changed: the selected parts changed.
    """

    part_chosen = Signal(str, str)
    selection_changed = Signal()

    def __init__(self, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__()
        self._kind = kind
        self._scu_id = ""
        self._rows: tuple[ContributorRow, ...] = ()
        self._card, self._part = 0, 0
        self._selected: set[str] = set()
        self._pressed: QPoint | None = None
        self.setAccessibleName(in_terms_of(kind, tr("Contributors")))
        tip = tr("Space: select contributor · Ctrl+Space: select part · Drag onto another SCU to move")
        self.setToolTip(plain_tip(in_terms_of(kind, tip)))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.signal().changed.connect(self._fit_height)

    def show_contributors(self, rows: Sequence[ContributorRow], scu_id: str = "") -> None:
        """Show the cards of an SCU. Keep the current card and, for the same SCU, the selected parts."""
        if (self._rows, self._scu_id) == (new_rows := tuple(rows), scu_id):
            return
        if scu_id != self._scu_id:
            self._card, self._part, self._selected = 0, 0, set()
        self._rows, self._scu_id = new_rows, scu_id
        self._selected &= {part.part_id for row in new_rows for part in row.parts}
        self._card = min(self._card, max(0, len(new_rows) - 1))
        self._part = min(self._part, max(0, len(new_rows[self._card].parts) - 1)) if new_rows else 0
        self._update_description()
        self._fit_height()
        self.update()

    @property
    def current(self) -> tuple[str, str]:
        """Return the ids of the focused contributor and part; empty strings without focus."""
        return self.last if self.hasFocus() else ("", "")

    @property
    def last(self) -> tuple[str, str]:
        """Return the ids of the contributor and part focused last; empty strings without cards."""
        if not self._rows:
            return "", ""
        row = self._rows[self._card]
        return row.contributor_id, row.parts[self._part].part_id if row.parts else ""

    @property
    def parts_to_move(self) -> tuple[str, ...]:
        """Return the selected parts, else the parts of the focused card, else an empty tuple."""
        if self._selected:
            return tuple(p.part_id for row in self._rows for p in row.parts if p.part_id in self._selected)
        return _ids(self._rows[self._card]) if self.hasFocus() and self._rows else ()

    @property
    def selected_card_count(self) -> int:
        """Return the number of cards with selected parts."""
        return sum(bool(self._selected & set(_ids(row))) for row in self._rows)

    @property
    def last_row(self) -> ContributorRow | None:
        """Return the card focused last; None without cards."""
        return self._rows[self._card] if self._rows else None

    @property
    def current_rect(self) -> QRect:
        """Return the rectangle of the card focused last; empty without cards."""
        return self.card_rect(self._card)

    def card_rect(self, index: int) -> QRect:
        """Return the rectangle of a card; empty if there is none at this index."""
        rects = (rect for at, (_, rect) in enumerate(self._card_rects()) if at == index)
        return next(rects, QRectF()).toAlignedRect()

    def step(self, by: int) -> bool:
        """Focus the next (+1) or previous (-1) card, wrapping around. Return False without cards."""
        if not self._rows:
            return False
        if self.hasFocus():
            self._set_current((self._card + by) % len(self._rows), 0)
        else:
            self.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self._set_current(0 if by > 0 else len(self._rows) - 1, 0)
        return True

    def clear_selection(self) -> None:
        """Clear the selected parts."""
        if self._selected:
            self._toggle(set(self._selected))

    def sizeHint(self) -> QSize:
        return QSize(200, self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_height()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        has_check_boxes = self.hasFocus() or self.underMouse() or bool(self._selected)
        for index, (row, rect) in enumerate(self._card_rects()):
            is_current = self.hasFocus() and index == self._card
            selected = self._selected & set(_ids(row))
            part = self._part if is_current else None
            paint_card(painter, rect, row, CardState(is_current, selected, part, has_check_boxes))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0), Qt.Key.Key_Left: (0, -1)}
        steps[Qt.Key.Key_Right] = (0, 1)
        step = steps.get(Qt.Key(event.key()))
        if not self._rows:
            super().keyPressEvent(event)
        elif step is not None:
            self._set_current(self._card + step[0], self._part + step[1] if not step[0] else 0)
        elif event.key() == Qt.Key.Key_Space:
            row = self._rows[self._card]
            self._toggle({row.parts[self._part].part_id} if event.modifiers() & _CTRL else set(_ids(row)))
        elif event.key() == Qt.Key.Key_Escape and self._selected:
            self.clear_selection()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        point = event.position()
        self._pressed = None
        for index, (row, rect) in enumerate(self._card_rects()):
            if not rect.contains(point):
                continue
            at = point - QPointF(text_left(), rect.top() + SMALL)
            part = part_at(row, text_width(self.width()), at)
            self._set_current(index, part)
            if event.button() is not Qt.MouseButton.LeftButton:
                return
            if check_box_rect(rect).contains(point):
                self._toggle(set(_ids(row)))
            elif event.modifiers() & _CTRL and row.parts:
                self._toggle({row.parts[part].part_id})
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
    def _fit_height(self) -> None:
        """Fix the height to that of all cards: a scroll area ignores height-for-width."""
        self.setFixedHeight(round(sum(rect.height() + SMALL for _, rect in self._card_rects())))

    def _set_current(self, card: int, part: int) -> None:
        self._card = min(max(card, 0), len(self._rows) - 1)
        self._part = min(max(part, 0), max(0, len(self._rows[self._card].parts) - 1))
        self._update_description()
        self.update()
        self.part_chosen.emit(*self.last)

    def _toggle(self, parts: set[str]) -> None:
        """Toggle the selection of these parts."""
        self._selected = self._selected - parts if parts <= self._selected else self._selected | parts
        self._update_description()
        self.update()
        self.selection_changed.emit()

    def _update_description(self) -> None:
        """Describe the current card and whether it is selected, for screen readers."""
        if not self._rows:
            self.setAccessibleDescription(in_terms_of(self._kind, tr("No contributors")))
            return
        row = self._rows[self._card]
        selected = tr(", selected") if self._selected & set(_ids(row)) else ""
        place = tr("{card} of {rows}", card=self._card + 1, rows=len(self._rows))
        self.setAccessibleDescription(f"{place}{selected}: {_accessible_text(row)}")

    def _drag(self) -> None:
        """Drag the current card, or all selected parts if the card is selected."""
        row = self._rows[self._card]
        parts = self.parts_to_move if self._selected & set(_ids(row)) else _ids(row)
        text = GAP.join(part.text for row in self._rows for part in row.parts if part.part_id in parts)
        start_drag(self, DraggedItem(DragKind.PARTS, self._scu_id, parts), text)

    def _card_rects(self) -> Iterator[tuple[ContributorRow, QRectF]]:
        top = 0.0
        for row in self._rows:
            height = card_height(row, self.width())
            yield row, QRectF(0, top, self.width(), height)
            top += height + SMALL


def _ids(row: ContributorRow) -> tuple[str, ...]:
    return tuple(part.part_id for part in row.parts)


def _accessible_text(row: ContributorRow) -> str:
    comment = tr(", comment: {comment}", comment=row.comment) if row.comment else ""
    return f"{row.letter}: {GAP.join(part.text for part in row.parts)}, {row.fact}{comment}"
