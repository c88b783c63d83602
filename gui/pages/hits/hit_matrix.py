"""The hit matrix: nuggets down, summaries across, a sign per cell."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from gui.annotation.scus.row_painting import paint_ring, paint_weight
from gui.pages.hits.values import HitCell, HitState, NuggetRow, SummaryHead
from gui.style import icons, theme
from gui.style.language import tr
from gui.style.text_direction import direction
from gui.style.theme import RADIUS_SMALL, SMALL, TIGHT, Type, px
from gui.style.tooltips import plain_tip

Index = QModelIndex | QPersistentModelIndex
CELL_ROLE = Qt.ItemDataRole.UserRole
_ROW_PX, _COLUMN_PX, _SIGN_PX, _CHIP_PX = 32, 46, 18, 20
_MIN_LABEL_PX = 180
_NAME = tr("Hits, nuggets down, summaries across")


class HitModel(QAbstractTableModel):
    """Nuggets as rows, summaries as columns."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[NuggetRow, ...] = ()
        self.heads: tuple[SummaryHead, ...] = ()

    def show_matrix(self, rows: Sequence[NuggetRow], heads: Sequence[SummaryHead]) -> None:
        """Replace the content; cells are only repainted if nuggets and summaries stay where they are."""
        new_rows, new_heads = tuple(rows), tuple(heads)
        is_same = [row.nugget_id for row in new_rows] == [row.nugget_id for row in self.rows] and [
            head.summary_id for head in new_heads
        ] == [head.summary_id for head in self.heads]
        if not is_same:
            self.beginResetModel()
        self.rows, self.heads = new_rows, new_heads
        if not is_same:
            self.endResetModel()
        elif new_rows and new_heads:
            self.dataChanged.emit(self.index(0, 0), self.index(len(new_rows) - 1, len(new_heads) - 1))
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(new_heads) - 1)
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, len(new_rows) - 1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's
        return 0 if parent.isValid() else len(self.heads)

    def cell(self, index: Index) -> HitCell:
        """Return the cell at an index."""
        return self.rows[index.row()].cells[index.column()]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        if role == CELL_ROLE:
            return self.cell(index)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._description(index)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self._description(index))
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is Qt.Orientation.Vertical:
            row = self.rows[section]
            if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
                return row.label
            return plain_tip(_nugget_text(row)) if role == Qt.ItemDataRole.ToolTipRole else None
        head = self.heads[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{head.position}{' ✓' if head.is_done else ''}\n{_score_text(head.score)}"
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return plain_tip(_summary_text(head))
        return None

    def _description(self, index: Index) -> str:
        row, head, cell = self.rows[index.row()], self.heads[index.column()], self.cell(index)
        again = tr(", %n repetitions", "", cell.repetitions) if cell.repetitions else ""
        return tr(
            "{label}, summary {position}: {state}{again}",
            label=row.label,
            position=head.position,
            state=cell.state,
            again=again,
        )


class _HitDelegate(QStyledItemDelegate):
    """Paints a cell: filled = found, half filled = in part, dashed = to confirm."""

    def __init__(self, view: QTableView) -> None:
        super().__init__(view)
        self._view = view

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        box: QRect = option.rect
        view = self._view
        cell: HitCell = index.data(CELL_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        current = view.currentIndex()
        if index.column() == current.column() or index.row() == current.row():
            painter.fillRect(box, theme.colour("hover"))
        painter.fillRect(QRect(box.left(), box.bottom(), box.width(), 1), theme.colour("border"))
        size = px(_SIGN_PX)
        sign = QRectF(box.center().x() - size / 2, box.center().y() - size / 2, size, size)
        paint_hit(painter, sign, cell.state)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if cell.repetitions:
            painter.setFont(theme.font(Type.CAPTION))
            painter.setPen(theme.colour("muted"))
            corner = QRect(round(sign.right()) + 1, box.top() + TIGHT, px(_CHIP_PX), box.height())
            painter.drawText(corner, Qt.AlignmentFlag.AlignLeft, f"+{cell.repetitions}")
        if index == current:
            paint_ring(painter, box.adjusted(1, 1, -1, -2), 2.0 if view.hasFocus() else 1.0)
        painter.restore()


class _NuggetHeader(QHeaderView):
    """Tier and label of each nugget, elided to the width."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.label_px = px(_MIN_LABEL_PX)

    def sizeHint(self) -> QSize:
        return QSize(self.label_px, super().sizeHint().height())

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        model = self.model()
        if not isinstance(model, HitModel) or section >= len(model.rows):
            return
        row = model.rows[section]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        view = self.parent()
        if isinstance(view, QTableView) and view.currentIndex().row() == section:
            painter.fillRect(rect, theme.colour("hover"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.colour("border"))
        size = px(_CHIP_PX)
        chip = QRect(rect.left() + SMALL, rect.center().y() - size // 2, size, size)
        paint_weight(painter, chip, row.tier, row.step)
        font = theme.font(Type.STRONG if row.importance == "vital" else Type.BODY)
        painter.setFont(font)
        painter.setPen(theme.colour("text"))
        room = rect.adjusted(size + 2 * SMALL, 0, -TIGHT, 0)
        text = QFontMetrics(font).elidedText(row.label, Qt.TextElideMode.ElideRight, room.width())
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(room, left | direction(row.label), text)
        painter.restore()


class HitMatrix(QTableView):
    """The matrix. Arrow keys move the current cell; a double click or Space sets or removes the hit.

    Signals:
        cell_chosen: nugget id, summary id of the current cell.
        toggled: the current cell was double-clicked.
        text_requested: Enter was pressed.
    """

    cell_chosen = Signal(str, str)
    toggled = Signal()
    text_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.hits, self.nuggets = HitModel(), _NuggetHeader()
        self._is_showing = False
        self.setModel(self.hits)
        self.setItemDelegate(_HitDelegate(self))
        self.setVerticalHeader(self.nuggets)
        self.setAccessibleName(_NAME)
        self.setShowGrid(False)
        self.setCornerButtonEnabled(False)
        for corner in self.findChildren(QAbstractButton):
            corner.setAccessibleName(tr("Corner of the matrix"))
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setProperty("kind", "narrow")
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignCenter)
        self.doubleClicked.connect(self.toggled)
        self.nuggets.sectionClicked.connect(self._choose_row)
        self.horizontalHeader().sectionClicked.connect(self._choose_column)
        theme.signal().changed.connect(self._measure)
        self._measure()

    def show_matrix(self, rows: Sequence[NuggetRow], heads: Sequence[SummaryHead]) -> None:
        """Show nuggets and summaries."""
        self._is_showing = True
        self.hits.show_matrix(rows, heads)
        self._is_showing = False
        self._share_out()
        self.viewport().update()

    def choose(self, nugget_id: str, summary_id: str) -> None:
        """Make a cell current without a signal; unknown ids leave row or column as they are."""
        rows, columns = (
            [row.nugget_id for row in self.hits.rows],
            [head.summary_id for head in self.hits.heads],
        )
        if not rows or not columns:
            return
        row = rows.index(nugget_id) if nugget_id in rows else max(0, self.currentIndex().row())
        column = columns.index(summary_id) if summary_id in columns else max(0, self.currentIndex().column())
        self._is_showing = True
        index = self.hits.index(min(row, len(rows) - 1), column)
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.scrollTo(index)
        self._is_showing = False

    def step(self, rows: int, columns: int) -> None:
        """Move the current cell."""
        at = self.currentIndex()
        row = min(max(at.row() + rows, 0), self.hits.rowCount() - 1)
        column = min(max(at.column() + columns, 0), self.hits.columnCount() - 1)
        if row >= 0 and column >= 0:
            self.setCurrentIndex(self.hits.index(row, column))

    @property
    def current(self) -> tuple[str, str]:
        """Nugget id and summary id of the current cell; empty = none."""
        at = self.currentIndex()
        if not at.isValid():
            return "", ""
        return self.hits.rows[at.row()].nugget_id, self.hits.heads[at.column()].summary_id

    def next_to_confirm(self) -> tuple[str, str] | None:
        """Return nugget and summary of the next hit to confirm, down the columns, with wrap-around."""
        height, width = self.hits.rowCount(), self.hits.columnCount()
        at = self.currentIndex()
        start = at.column() * height + at.row() + 1 if at.isValid() else 0
        for place in range(height * width):
            column, row = divmod((start + place) % (height * width), height)
            if self.hits.rows[row].cells[column].state is HitState.AUTOMATIC:
                return self.hits.rows[row].nugget_id, self.hits.heads[column].summary_id
        return None

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.viewport().update()
        self.nuggets.viewport().update()
        if current.isValid() and not self._is_showing:
            self.cell_chosen.emit(*self.current)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.text_requested.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_out()

    def _share_out(self) -> None:
        """Give every column room for its score, and the labels the width that the columns leave."""
        heads, count = self.horizontalHeader(), self.hits.columnCount()
        column = max([px(_COLUMN_PX), *map(heads.sectionSizeHint, range(count))])
        if column != heads.defaultSectionSize():
            heads.setDefaultSectionSize(column)
        free = self.width() - count * column - SMALL
        width = max(px(_MIN_LABEL_PX), free)
        if width != self.nuggets.label_px:
            self.nuggets.label_px = width
            self.updateGeometries()

    @Slot()
    def _measure(self) -> None:
        self.nuggets.setDefaultSectionSize(px(_ROW_PX))
        self._share_out()

    @Slot(int)
    def _choose_row(self, row: int) -> None:
        self.setCurrentIndex(self.hits.index(row, max(0, self.currentIndex().column())))

    @Slot(int)
    def _choose_column(self, column: int) -> None:
        self.setCurrentIndex(self.hits.index(max(0, self.currentIndex().row()), column))


def paint_hit(painter: QPainter, box: QRectF, state: HitState) -> None:
    """Paint the sign of a state into a box."""
    if state is HitState.NONE:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("outline"))
        painter.drawEllipse(box.center(), 1.5, 1.5)
        return
    accent: QColor = theme.colour("accent")
    if state is HitState.AUTOMATIC:
        pen = QPen(theme.colour("muted"), 1.5)
        pen.setDashPattern([2.5, 2.0])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), RADIUS_SMALL, RADIUS_SMALL)
        return
    painter.setPen(QPen(accent, 1.5))
    painter.setBrush(accent if state is HitState.CONFIRMED else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), RADIUS_SMALL, RADIUS_SMALL)
    if state is HitState.CONFIRMED:
        sign = icons.pixmap("check", "on_accent", round(box.width()) - 2)
        painter.drawPixmap(box.topLeft() + QPointF(1, 1), sign)
    else:
        painter.fillRect(box.adjusted(3, box.height() / 2, -3, -3), accent)


def _score_text(score: float) -> str:
    return "–" if score != score else f"{score:.2f}"


def _nugget_text(row: NuggetRow) -> str:
    return tr("{label}, tier {tier}", label=row.label, tier=row.tier) + (
        f", {row.importance}" if row.importance else ""
    )


def _summary_text(head: SummaryHead) -> str:
    states = [
        tr("Summary {position}", position=head.position),
        head.system,
        tr("score {score_text}", score_text=_score_text(head.score)),
    ]
    states += [tr("done") if head.is_done else tr("not done"), tr("flagged") if head.is_flagged else ""]
    return ", ".join(filter(None, states))
