"""List of models by role: name and papers, status, size, memory, time."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHeaderView, QStyleOptionViewItem

from core.formatting.byte_sizes import format_known_bytes
from core.formatting.numbers import format_duration
from gui.dialogs.models.values import ModelPresence, ModelRow
from gui.item_models.grouped_model import ROW_ROLE, Group, GroupedModel
from gui.item_models.table_model import Column
from gui.style import icons
from gui.style.theme import SMALL, Type, px
from gui.widgets.grouped_tree import GroupedDelegate, GroupedTree, padded, write

ROW_HEIGHT = 32
INDENT = 12
STATUS_WIDTH, NUMBER_WIDTH = 216, 92
_ICONS = {
    ModelPresence.HERE: ("check", "success"),
    ModelPresence.DAMAGED: ("warning", "warning"),
    ModelPresence.ABSENT: ("minus", "muted"),
    ModelPresence.FETCHING: ("download", "accent"),
}
_TONES = {ModelPresence.HERE: "text", ModelPresence.DAMAGED: "warning"}

Index = QModelIndex | QPersistentModelIndex


class ModelDelegate(GroupedDelegate):
    """Delegate that paints a model: name and papers, status with an icon, numbers."""

    def __init__(self) -> None:
        super().__init__(ROW_HEIGHT, has_lines=True, rings_cell=True)

    def head_fact(self, group: Group[ModelRow]) -> str:
        installed = sum(row.presence is ModelPresence.HERE for row in group.rows)
        return f"{installed} of {len(group.rows)} installed"

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        row: ModelRow = index.data(ROW_ROLE)
        inner = padded(area)
        if index.column() == 0:
            words = inner.adjusted(px(INDENT), 0, 0, 0)
            tone = "text" if row.presence is ModelPresence.HERE else "muted"
            taken = write(painter, words, row.title, Type.STRONG, tone)
            write(painter, words.adjusted(taken + SMALL, 0, 0, 0), row.used_by, Type.SMALL, "muted")
        elif index.column() == 1:
            drawing = icons.pixmap(*_ICONS[row.presence], icons.ROW_PX)
            painter.drawPixmap(inner.left(), inner.center().y() - icons.ROW_PX // 2 + 1, drawing)
            words = inner.adjusted(icons.ROW_PX + SMALL, 0, 0, 0)
            write(painter, words, row.status, Type.SMALL, _TONES.get(row.presence, "muted"))
        else:
            write(painter, inner, str(index.data() or ""), Type.SMALL, "muted")


class ModelList(GroupedTree):
    """Tree of models, grouped by role."""

    def __init__(self) -> None:
        self.models: GroupedModel[ModelRow] = GroupedModel(
            [
                Column("Model", lambda row: f"{row.title} {row.used_by}", cell_tip=lambda row: row.used_by),
                Column("Status", lambda row: row.status, cell_tip=lambda row: row.status),
                Column("Size", lambda row: row.size, format_known_bytes, "Size of the files"),
                Column(
                    "Memory", lambda row: row.memory, format_known_bytes, "Approximate memory while it runs"
                ),
                Column("One pass", lambda row: row.seconds, format_duration, _TIME_TIP),
            ],
            lambda row: row.key,
            lambda row: row.role,
        )
        super().__init__("Models", self.models, ModelDelegate())
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        for column, width in enumerate((STATUS_WIDTH, *(NUMBER_WIDTH,) * 3), start=1):
            header.resizeSection(column, px(width))
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


_TIME_TIP = "Estimated time to process all texts of this study once on the chosen device"
