"""Contributors of an SCU as cards with keyboard navigation, selection and drag and drop."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from core.domain.pyramid import UnitKind
from gui.annotation.drag_and_drop import DraggedItem, DragKind, start_drag
from gui.annotation.scus.unit_rows import format_range, laid_out, paint_tick_box
from gui.pages.pyramid.rows import ContributorRow
from gui.style import icons, theme
from gui.style.language import direction, in_terms_of, plain_tip, tr
from gui.style.theme import RADIUS_CONTROL, SMALL, TIGHT, Type, px
from gui.widgets.utf16_offsets import offsets_of

GAP = " … "
"""Text between two parts."""
_BADGE_PX, _CHECK_BOX_PX = 22, 16
_MIN_TEXT_PX = 40
_UNLIMITED = 10_000.0
_WRAP = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)


def text_left() -> int:
    """Return the left edge of the text of a card."""
    return SMALL + px(_BADGE_PX) + SMALL


def text_width(card_width: int) -> int:
    return max(_MIN_TEXT_PX, card_width - text_left() - px(_CHECK_BOX_PX) - 2 * SMALL)


def check_box_rect(card: QRectF) -> QRectF:
    size = px(_CHECK_BOX_PX)
    return QRectF(card.right() - size - SMALL, card.top() + SMALL, size, size)


def card_height(row: ContributorRow, width: int) -> float:
    text_height = text_layout(row, text_width(width)).boundingRect().height()
    small = QFontMetricsF(theme.font(Type.SMALL))
    comment = TIGHT + _comment_height(row, text_width(width)) if row.comment else 0.0
    return max(text_height + TIGHT + small.height() + comment, float(px(_BADGE_PX))) + 2 * SMALL


def paint_card(
    painter: QPainter,
    card: QRectF,
    row: ContributorRow,
    part: int | None,
    selected: Collection[str],
    *,
    has_check_box: bool,
) -> None:
    """Paint a card: frame, letter, check box, text, counts and comment.

    part: index of the current part; None if the card is not the current one.
    selected: ids of its selected parts.
    has_check_box: paint an empty check box if nothing is selected.
    """
    _paint_frame(painter, card, part is not None, bool(selected), is_dashed=not row.is_confirmed)
    badge = QRectF(SMALL, card.top() + SMALL, px(_BADGE_PX), px(_BADGE_PX))
    icons.badge(painter, badge, row.letter, theme.colour("hover"))
    if has_check_box or selected:
        sign = "check" if len(selected) == len(row.parts) else "minus"
        paint_tick_box(painter, check_box_rect(card), sign if selected else "")
    width = text_width(round(card.width()))
    layout = text_layout(row, width, part, selected)
    painter.setPen(theme.colour("text"))
    at = QPointF(text_left(), card.top() + SMALL)
    layout.draw(painter, at)
    below = at.y() + layout.boundingRect().height() + TIGHT
    painter.setFont(theme.font(Type.SMALL))
    painter.setPen(theme.colour("muted"))
    painter.drawText(QRectF(at.x(), below, width, card.bottom() - below), _WRAP, row.fact)
    if row.comment:
        below += QFontMetricsF(painter.font()).height() + TIGHT
        painter.setPen(theme.colour("text"))
        room = QRectF(at.x(), below, width, card.bottom() - below)
        painter.drawText(room, _WRAP | direction(row.comment), f"“{row.comment}”")


def text_layout(
    row: ContributorRow, width: float, current: int | None = None, selected: Collection[str] = ()
) -> QTextLayout:
    """Return the parts of a contributor, laid out in lines of this width.

    current: index of the current part.
    selected: ids of the selected parts.
    """
    text = GAP.join(part.text for part in row.parts)
    return laid_out(text, Type.BODY, width, list(_formats(row, current, selected)))


def part_at(row: ContributorRow, width: float, point: QPointF) -> int:
    """Return the index of the part at a point of the text; 0 if there is none."""
    layout = text_layout(row, width)
    for index in range(layout.lineCount()):
        text_line = layout.lineAt(index)
        if text_line.y() <= point.y() < text_line.y() + text_line.height():
            position = text_line.xToCursor(point.x())
            starts = [start for start, _ in _part_spans(row)]
            return max((i for i, start in enumerate(starts) if start <= position), default=0)
    return 0


def _paint_frame(
    painter: QPainter, card: QRectF, is_current: bool, is_selected: bool, *, is_dashed: bool
) -> None:
    edge = 2.0 if is_current else 1.0
    style = Qt.PenStyle.DashLine if is_dashed else Qt.PenStyle.SolidLine
    colour = "accent" if is_current or is_selected else "muted" if is_dashed else "border"
    painter.setPen(QPen(theme.colour(colour), edge, style))
    painter.setBrush(theme.colour("raised"))
    frame = card.adjusted(edge / 2, edge / 2, -edge / 2, -edge / 2)
    painter.drawRoundedRect(frame, RADIUS_CONTROL, RADIUS_CONTROL)


def _comment_height(row: ContributorRow, width: int) -> float:
    metrics = QFontMetricsF(theme.font(Type.SMALL))
    return metrics.boundingRect(QRectF(0, 0, width, _UNLIMITED), _WRAP, f"“{row.comment}”").height()


def _formats(
    row: ContributorRow, current: int | None, selected: Collection[str]
) -> Iterator[QTextLayout.FormatRange]:
    spans = _part_spans(row)
    for _, end in spans[:-1]:
        gap = QTextCharFormat()
        gap.setForeground(theme.colour("accent"))
        yield format_range(end, end + len(GAP), gap)
    for index, (start, end) in enumerate(spans):
        is_selected = row.parts[index].part_id in selected
        if is_selected or index == current:
            text_format = QTextCharFormat()
            text_format.setBackground(theme.colour("selection"))
            text_format.setFontUnderline(is_selected)
            yield format_range(start, end, text_format)


def _part_spans(row: ContributorRow) -> list[tuple[int, int]]:
    """Return the span of each part in the laid-out text, in UTF-16 units."""
    offsets = offsets_of(GAP.join(part.text for part in row.parts))
    spans, at = [], 0
    for part in row.parts:
        spans.append(offsets.span_to_document((at, at + len(part.text))))
        at += len(part.text) + len(GAP)
    return spans


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
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
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

    def sizeHint(self) -> QSize:
        return QSize(200, self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_height()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = icons.smooth_painter(self)
        has_check_boxes = self.hasFocus() or self.underMouse() or bool(self._selected)
        for index, (row, rect) in enumerate(self._card_rects()):
            part = self._part if self.hasFocus() and index == self._card else None
            paint_card(
                painter, rect, row, part, self._selected & set(_ids(row)), has_check_box=has_check_boxes
            )

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
            self._toggle(set(self._selected))
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
