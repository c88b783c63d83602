"""List of metrics by family, each with a check box, description and status."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QStyleOptionViewItem

from gui.item_models.grouped_model import ROW_ROLE, Group, GroupedModel
from gui.item_models.table_model import Column
from gui.pages.score.values import MetricRow, ScoreState
from gui.style import icons, theme
from gui.style.language import tr
from gui.style.theme import MEDIUM, RADIUS_SMALL, SMALL, Type, px
from gui.widgets.lists.grouped_tree import GroupedDelegate, GroupedTree, text_width, write

ROW_HEIGHT = 32
BOX_PX = 15
INDENT = 32
_ICONS = {
    ScoreState.SCORED: ("check", "success"),
    ScoreState.STALE: ("refresh", "warning"),
    ScoreState.PARTLY: ("clock", "muted"),
    ScoreState.UNABLE: ("warning", "warning"),
}
_TONES = {ScoreState.STALE: "warning", ScoreState.UNABLE: "warning", ScoreState.RUNNING: "accent"}

Index = QModelIndex | QPersistentModelIndex


class MetricModel(GroupedModel[MetricRow]):
    """Configurations by family, with the check box as an item's own state for screen readers."""

    def __init__(self) -> None:
        column: Column[MetricRow] = Column(
            tr("Metric"),
            lambda row: f"{row.name} {row.about}",
            cell_tip=lambda row: row.tip,
            accessible=_spoken,
        )
        super().__init__([column], lambda row: row.key, lambda row: row.family)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsUserCheckable if self.row(index) is not None else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index)
        if row is not None and role == Qt.ItemDataRole.CheckStateRole:
            return Qt.CheckState.Checked if row.is_chosen else Qt.CheckState.Unchecked
        if row is not None and role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return row.status
        return super().data(index, role)


class MetricDelegate(GroupedDelegate):
    """Paints a configuration: check box, name, description and status."""

    def __init__(self) -> None:
        super().__init__(ROW_HEIGHT)

    def head_fact(self, group: Group[Any]) -> str:
        return tr(
            "{is_chosen} of {rows}", is_chosen=sum(row.is_chosen for row in group.rows), rows=len(group.rows)
        )

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        row: MetricRow = index.data(ROW_ROLE)
        is_unable = row.state is ScoreState.UNABLE
        _paint_box(painter, check_area(area), is_chosen=row.is_chosen, is_unable=is_unable)
        right = self._paint_status(painter, area, row)
        words = area.adjusted(px(INDENT) + px(BOX_PX) + SMALL + 2, 0, -(area.right() - right) - MEDIUM, 0)
        taken = write(painter, words, row.name, Type.STRONG, "muted" if is_unable else "text")
        write(painter, words.adjusted(taken + SMALL + 2, 0, 0, 0), row.about, Type.SMALL, "muted")

    def editorEvent(self, event: QEvent, model: Any, option: QStyleOptionViewItem, index: Any) -> bool:
        row = index.data(ROW_ROLE)
        if not isinstance(event, QMouseEvent) or not isinstance(row, MetricRow):
            return False
        if event.type() != QEvent.Type.MouseButtonRelease:
            return False
        if not check_area(option.rect).adjusted(-6, -8, 6, 8).contains(event.position().toPoint()):
            return False
        tree = option.widget
        if isinstance(tree, MetricList):
            tree.toggled.emit(row.key)
        return True

    def _paint_status(self, painter: QPainter, area: QRect, row: MetricRow) -> int:
        """Paint the status at the right; return its left edge."""
        if not row.status:
            return area.right() - MEDIUM
        inner = area.adjusted(0, 0, -MEDIUM, 0)
        drawing = _ICONS.get(row.state)
        kind = Type.CAPTION if row.state in _TONES else Type.SMALL
        width = text_width(row.status, kind)
        gap = px(16) + 6 if drawing else 0
        # A check mark follows its text, a warning precedes it.
        follows = row.state is ScoreState.SCORED
        words = inner.adjusted(0, 0, -gap if follows else 0, 0)
        write(painter, words, row.status, kind, _TONES.get(row.state, "muted"), right=True)
        if drawing:
            before = 0 if follows else width + gap - px(icons.ROW_PX)
            icons.trail(painter, inner.adjusted(0, 0, -before, 0), *drawing)
        return inner.right() - width - gap


class MetricList(GroupedTree):
    """The list.

    Signals:
        toggled: the key of a row to choose or drop, by its check box or Space.
    """

    toggled = Signal(object)

    def __init__(self) -> None:
        self.metrics = MetricModel()
        super().__init__(tr("Metrics"), self.metrics, MetricDelegate())
        self.setHeaderHidden(True)
        self.space_pressed.connect(self.toggled)


def _spoken(row: MetricRow) -> str:
    name, about = row.name, row.about
    if row.is_chosen:
        return tr("{name}, chosen: {about}", name=name, about=about)
    return tr("{name}, not chosen: {about}", name=name, about=about)


def check_area(area: QRect) -> QRect:
    """Return the area of a row's check box."""
    side = px(BOX_PX)
    return QRect(area.left() + px(INDENT), area.center().y() - side // 2, side, side)


def _paint_box(painter: QPainter, area: QRect, *, is_chosen: bool, is_unable: bool) -> None:
    edge = QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5)
    if is_chosen:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("outline" if is_unable else "accent"))
        painter.drawRoundedRect(QRectF(area), RADIUS_SMALL, RADIUS_SMALL)
        painter.drawPixmap(area.adjusted(1, 1, -1, -1), icons.pixmap("check", "on_accent", area.width()))
    else:
        painter.setPen(QPen(theme.colour("border" if is_unable else "outline"), 1))
        painter.setBrush(theme.colour("surface"))
        painter.drawRoundedRect(edge, RADIUS_SMALL, RADIUS_SMALL)
