"""List of experiments and recipes, grouped by paper, each with its status."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from gui.item_models.grouped_model import ROW_ROLE, GroupedModel
from gui.item_models.table_model import Column
from gui.results.values import ExperimentRow, ExperimentStatus
from gui.style import icons
from gui.style.theme import MEDIUM, SMALL, Type, px
from gui.widgets.grouped_tree import GroupedDelegate, GroupedTree, text_width, write

ROW_HEIGHT = 32
INDENT = 32
_ICONS = {
    ExperimentStatus.STORED: ("check", "success"),
    ExperimentStatus.UNAVAILABLE: ("warning", "warning"),
    ExperimentStatus.RUNNING: ("clock", "accent"),
}

Index = QModelIndex | QPersistentModelIndex


class ExperimentDelegate(GroupedDelegate):
    """Paint an experiment's title, with its status on the right."""

    def __init__(self) -> None:
        super().__init__(ROW_HEIGHT)

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        row: ExperimentRow = index.data(ROW_ROLE)
        right = self._paint_status(painter, area, row)
        title_area = area.adjusted(px(INDENT), 0, -(area.right() - right) - SMALL, 0)
        is_unavailable = row.status is ExperimentStatus.UNAVAILABLE
        write(painter, title_area, row.title, Type.BODY, "muted" if is_unavailable else "text")

    def _paint_status(self, painter: QPainter, area: QRect, row: ExperimentRow) -> int:
        """Paint the status and return its left edge in pixels."""
        right = area.right() - MEDIUM
        if row.status in _ICONS:
            right -= icons.ROW_PX
            painter.drawPixmap(right, area.center().y() - 7, icons.pixmap(*_ICONS[row.status], icons.ROW_PX))
            right -= SMALL
        needed = (
            px(INDENT) + text_width(row.title, Type.BODY) + text_width(row.status_text, Type.SMALL) + SMALL
        )
        has_room = row.status not in _ICONS or needed <= right - area.left()  # the title is more important
        if row.status_text and row.status is not ExperimentStatus.UNAVAILABLE and has_room:
            text_area = QRect(area.left(), area.top(), right - area.left(), area.height())
            write(painter, text_area, row.status_text, Type.SMALL, "muted", right=True)
            right -= text_width(row.status_text, Type.SMALL)
        return right


class ExperimentModel(GroupedModel[ExperimentRow]):
    """Experiments by paper. Screen readers get the status as the description of a row."""

    def __init__(self) -> None:
        column: Column[ExperimentRow] = Column(
            "Experiment", lambda row: f"{row.title} {row.key}", cell_tip=lambda row: row.tip
        )
        super().__init__([column], lambda row: row.key, lambda row: row.group)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index)
        if row is not None and role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return row.status_text
        return super().data(index, role)


class ExperimentList(GroupedTree):
    """Tree view of the experiments."""

    def __init__(self) -> None:
        self.experiments = ExperimentModel()
        super().__init__("Experiments", self.experiments, ExperimentDelegate())
        self.setHeaderHidden(True)
