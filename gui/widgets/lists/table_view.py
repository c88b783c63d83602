"""Read-only table view with sorting and copying."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from gui.item_models.table_model import SortProxyModel, as_csv, as_tsv
from gui.style.text_direction import is_right_to_left
from gui.style.theme import px
from gui.widgets.lists.grouped_tree import Index, paint_nothing_found

ROW_HEIGHT = 28


class _CellDelegate(QStyledItemDelegate):
    """Paints each text in its own direction."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if is_right_to_left(option.text):
            option.direction = Qt.LayoutDirection.RightToLeft


class Table(QTableView):
    """A read-only table that can be copied as text with its headings."""

    def __init__(self, name: str, model: QAbstractItemModel) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setModel(model)
        self.setItemDelegate(_CellDelegate(self))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSortingEnabled(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(px(ROW_HEIGHT))
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)

    def fit(self, stretch: int, widths: Mapping[int, int]) -> None:
        """Set the widths of columns; one column takes the remaining width."""
        header = self.horizontalHeader()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for column, width in widths.items():
            header.resizeSection(column, px(width))
        header.setSectionResizeMode(stretch, QHeaderView.ResizeMode.Stretch)

    @property
    def finds_nothing(self) -> bool:
        """Whether there are rows, but none with the words looked for."""
        model = self.model()
        return (
            isinstance(model, SortProxyModel) and not model.rowCount() and model.sourceModel().rowCount() > 0
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.finds_nothing:
            paint_nothing_found(self)

    def copy(self) -> None:
        """Copy the whole table to the clipboard, tab-separated."""
        QGuiApplication.clipboard().setText(as_tsv(self.model()))

    def csv(self) -> str:
        """Return the whole table as CSV with raw values."""
        return as_csv(self.model())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        super().keyPressEvent(event)
