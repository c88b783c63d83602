"""Experiments and recipes under their papers, each with how it stands."""

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
    ExperimentStatus.KEPT: ("check", "success"),
    ExperimentStatus.LACKING: ("warning", "warning"),
    ExperimentStatus.RUNNING: ("clock", "accent"),
}

Index = QModelIndex | QPersistentModelIndex


class ExperimentDelegate(GroupedDelegate):
    """Paints an experiment: its title, and at the right how it stands."""

    def __init__(self) -> None:
        super().__init__(ROW_HEIGHT)

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        row: ExperimentRow = index.data(ROW_ROLE)
        right = self._paint_status(painter, area, row)
        words = area.adjusted(px(INDENT), 0, -(area.right() - right) - SMALL, 0)
        is_lacking = row.found is ExperimentStatus.LACKING
        write(painter, words, row.title, Type.BODY, "muted" if is_lacking else "text")

    def _paint_status(self, painter: QPainter, area: QRect, row: ExperimentRow) -> int:
        """Paint how it stands; returns where that begins."""
        right = area.right() - MEDIUM
        if row.found in _ICONS:
            right -= icons.ROW_PX
            painter.drawPixmap(right, area.center().y() - 7, icons.pixmap(*_ICONS[row.found], icons.ROW_PX))
            right -= SMALL
        if row.status and row.found is not ExperimentStatus.LACKING:  # its title needs the room
            words = QRect(area.left(), area.top(), right - area.left(), area.height())
            write(painter, words, row.status, Type.SMALL, "muted", right=True)
            right -= text_width(row.status, Type.SMALL)
        return right


class ExperimentModel(GroupedModel[ExperimentRow]):
    """Experiments by paper; how each stands is said to screen readers too."""

    def __init__(self) -> None:
        column: Column[ExperimentRow] = Column(
            "Experiment", lambda row: f"{row.title} {row.key}", cell_tip=lambda row: row.tip
        )
        super().__init__([column], lambda row: row.key, lambda row: row.group)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index)
        if row is not None and role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return row.status
        return super().data(index, role)


class ExperimentList(GroupedTree):
    """The list."""

    def __init__(self) -> None:
        self.experiments = ExperimentModel()
        super().__init__("Experiments", self.experiments, ExperimentDelegate())
        self.setHeaderHidden(True)
