"""List of the items of a topic, by summary, with their states."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from gui.item_models.grouped_model import ROW_ROLE, GroupedModel
from gui.item_models.table_model import Column
from gui.pages.adjudication.values import ItemRow
from gui.style import icons, theme
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.grouped_tree import write
from gui.widgets.wrapped_tree import WrappedDelegate, WrappedTree

Index = QModelIndex | QPersistentModelIndex
_STATE_PX = 20
_LEFT = MEDIUM + icons.ROW_PX + SMALL


class ItemModel(GroupedModel[ItemRow]):
    """Items grouped by their place."""

    def __init__(self) -> None:
        column: Column[ItemRow] = Column(
            "Item", lambda row: f"{row.title}: {row.state}", cell_tip=lambda row: f"{row.title}\n{row.state}"
        )
        super().__init__([column], lambda row: row.key, lambda row: row.place)


class _ItemDelegate(WrappedDelegate):
    """Paints an item: icon and title, and its state below them."""

    def words(self, row: ItemRow) -> str:
        return row.title

    def margins(self, row: ItemRow) -> tuple[int, int, int]:
        return _LEFT, SMALL, _STATE_PX + TIGHT

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        row: ItemRow = index.data(ROW_ROLE)
        painter.drawPixmap(area.left() + px(MEDIUM), area.top() + px(SMALL), icons.pixmap(row.icon, row.tone))
        painter.setFont(theme.font(Type.BODY))
        self.write_words(painter, area, row)
        below = QRect(area.left() + px(_LEFT), area.bottom() - px(_STATE_PX) - TIGHT, 0, px(_STATE_PX))
        below.setRight(area.right() - px(MEDIUM))
        write(painter, below, row.state, Type.SMALL, "muted")


class ItemList(WrappedTree):
    """The items of a topic; the current one is shown on the page."""

    def __init__(self) -> None:
        self.items = ItemModel()
        super().__init__("Items", self.items, _ItemDelegate())
