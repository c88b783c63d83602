"""Table of the verdicts: α with its interval on a scale that has the two thresholds."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyleOptionViewItem

from core.agreement.verdicts import RELIABLE, TENTATIVE, Verdict, VerdictLine
from core.formatting.numbers import UNDEFINED, format_correlation
from gui.item_models.table_model import Column, TableModel
from gui.style import theme
from gui.style.language import tr
from gui.style.theme import SMALL, Type, px
from gui.widgets.lists.grouped_tree import GroupedDelegate, padded, text_width, write
from gui.widgets.lists.table_view import Table

Index = QModelIndex | QPersistentModelIndex
_NAME, _ALPHA, _SCALE, _VERDICT, _ITEMS, _LEFT_TO_DECIDE = range(6)
_WIDTHS = {_ALPHA: 44, _SCALE: 128, _VERDICT: 146, _ITEMS: 54, _LEFT_TO_DECIDE: 122}
_NAME_PX = 180
"""Least width of the names; in less room the scale is left out."""
_ROW_PX, _BAR_PX, _TICK_PX, _DOT_PX = 38, 6, 14, 9
_TONES = {Verdict.RELIABLE: "success", Verdict.TENTATIVE: "warning", Verdict.LOW: "error"}


class _Delegate(GroupedDelegate):
    def __init__(self, lines: TableModel[VerdictLine]) -> None:
        super().__init__(_ROW_PX, has_lines=True)
        self._lines = lines

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        line = self._lines.row(index)
        inner = padded(area)
        text = str(index.data())
        match index.column():
            case 0:
                taken = write(painter, inner, line.title) + SMALL
                write(painter, inner.adjusted(taken, 0, 0, 0), _annotators(line), Type.SMALL, "muted")
            case 2:
                _paint_interval(painter, inner, line)
            case 3:
                tone = _TONES.get(line.grade, "muted")
                write(painter, inner, text, Type.SMALL if line.row.reason else Type.STRONG, tone)
            case 5:
                is_link = bool(line.differences)
                kind, tone = (Type.STRONG, "accent") if is_link else (Type.BODY, "muted")
                write(painter, inner, text, kind, tone, right=True)
            case column:
                write(painter, inner, text, Type.STRONG if column == _ALPHA else Type.BODY, right=column > 1)


class _Header(QHeaderView):
    """Headings; that of the scale are its thresholds, above their places."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)

    def paintSection(self, painter: QPainter, area: QRect, section: int) -> None:
        painter.save()
        painter.fillRect(area, theme.colour("surface"))
        painter.setPen(theme.colour("border"))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        inner = padded(area)
        title = str(self.model().headerData(section, Qt.Orientation.Horizontal))
        if section == _SCALE:
            for value, side in ((TENTATIVE, -1), (RELIABLE, 0)):
                words = format_correlation(value, 3 if value < RELIABLE else 1)
                left = round(_place(inner, value)) + (side * text_width(words, Type.CAPTION) - 2 * side)
                room = QRect(left, inner.top(), inner.width(), inner.height())
                write(painter, room, words, Type.CAPTION, "muted")
        else:
            write(painter, inner, title, Type.CAPTION, "muted", right=section in (_ITEMS, _LEFT_TO_DECIDE))
        painter.restore()


class VerdictTable(Table):
    """A line for each kind of annotation.

    Signals:
        line_chosen: the current line.
        differences_requested: id of the annotations to decide on, by Enter, double click or a link.
        copy_requested: the copy shortcut was pressed.
    """

    line_chosen = Signal(object)
    differences_requested = Signal(str)
    copy_requested = Signal()

    def __init__(self) -> None:
        self.lines: TableModel[VerdictLine] = TableModel(
            [
                Column(tr("Annotation"), lambda line: line.title, cell_tip=_name, accessible=_name),
                Column("α", lambda line: format_correlation(line.row.value)),
                Column(tr("Scale"), lambda line: line.spoken, cell_tip=lambda line: line.spoken),
                Column(
                    tr("Verdict"), lambda line: line.verdict.capitalize(), cell_tip=lambda line: line.verdict
                ),
                Column(tr("Items"), lambda line: f"{line.row.items:,}"),
                Column("", _left),
            ]
        )
        super().__init__(tr("Do the annotators agree?"), self.lines)
        self.setSortingEnabled(False)
        self.setHorizontalHeader(_Header())
        self._delegate = _Delegate(self.lines)
        self.setItemDelegate(self._delegate)
        self.setMouseTracking(True)
        self.activated.connect(self.open_current)
        self.clicked.connect(self._click)
        theme.signal().changed.connect(self._fit)
        self._fit()

    def show_lines(self, lines: Sequence[VerdictLine]) -> None:
        """Show these lines; the current one stays, else the first is chosen."""
        current = self.current
        self.lines.set_rows(lines)
        whats = [line.what for line in lines]
        at = whats.index(current.what) if current is not None and current.what in whats else 0
        self.setCurrentIndex(self.lines.index(at, 0))

    @property
    def current(self) -> VerdictLine | None:
        """The current line, None = none."""
        index = self.currentIndex()
        return self.lines.row(index) if index.isValid() else None

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid():
            self.line_chosen.emit(self.lines.row(current))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_requested.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.viewport().width() - px(sum(_WIDTHS.values()) + _NAME_PX)
        self.setColumnHidden(_SCALE, room < 0)
        self.verticalHeader().setDefaultSectionSize(px(_ROW_PX))
        self.fit(_NAME, _WIDTHS)

    @Slot()
    def open_current(self) -> None:
        """Request the differences of the current line."""
        if (line := self.current) is not None:
            self.differences_requested.emit(line.decided_with)

    @Slot(QModelIndex)
    def _click(self, index: QModelIndex) -> None:
        if index.column() == _LEFT_TO_DECIDE:
            self.open_current()


def _name(line: VerdictLine) -> str:
    return ", ".join(filter(None, (line.title, line.coefficient, _annotators(line))))


def _annotators(line: VerdictLine) -> str:
    return tr("%n annotators", "", len(line.row.annotators))


def _left(line: VerdictLine) -> str:
    """Return how many differences are left to decide."""
    if line.differences is None:
        return UNDEFINED
    return tr("%n differences", "", line.differences) if line.differences else tr("none left")


def _place(area: QRect, value: float) -> float:
    """Return where a value from 0 to 1 is on the scale; lower values are at its left end."""
    return area.left() + min(max(value, 0.0), 1.0) * area.width()


def _paint_interval(painter: QPainter, area: QRect, line: VerdictLine) -> None:
    row, middle = line.row, area.center().y() + 0.5
    painter.setPen(Qt.PenStyle.NoPen)
    if not math.isfinite(row.value):
        return
    bar, tick, dot = px(_BAR_PX), px(_TICK_PX), px(_DOT_PX)
    painter.setBrush(theme.colour("hover"))
    painter.drawRoundedRect(QRectF(area.left(), middle - bar / 2, area.width(), bar), bar / 2, bar / 2)
    for value in (TENTATIVE, RELIABLE):
        painter.fillRect(QRectF(_place(area, value), middle - tick / 2, 1, tick), theme.colour("outline"))
    accent = QColor(theme.tokens().accent)
    if math.isfinite(row.low):
        low, high = _place(area, row.low), _place(area, row.high)
        painter.fillRect(QRectF(low, middle - 1, high - low, 2), accent)
    painter.setBrush(accent)
    painter.drawEllipse(QPointF(_place(area, row.value), middle), dot / 2, dot / 2)
