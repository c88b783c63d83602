"""Model of the tree of a score, whose nodes are created when they are first shown."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt

from gui.pages.compare.summary_values import WhyNode
from gui.style.theme import px
from gui.style.tooltips import plain_tip

ROW_HEIGHT = 26
HEADINGS = ("Term", "Operation", "Value")
Index = QModelIndex | QPersistentModelIndex

_NO_PARENT = QModelIndex()
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class WhyModel(QAbstractItemModel):
    """Terms with their operation and value. An index has the number of its node; 0 is the root."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._nodes: list[WhyNode] = []
        self._parents: list[int] = []
        self._first_children: dict[int, int] = {}

    def set_root(self, root: WhyNode | None) -> None:
        """Replace the tree; None = none."""
        self.beginResetModel()
        self._nodes, self._parents = ([], []) if root is None else ([root], [-1])
        self._first_children = {}
        self.endResetModel()

    def node(self, index: Index) -> WhyNode | None:
        """Return the node of an index; None = the index is invalid."""
        return self._nodes[index.internalId()] if index.isValid() else None

    def index(self, row: int, column: int, parent: Index = _NO_PARENT) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(
            row, column, self._first(parent.internalId()) + row if parent.isValid() else 0
        )

    def _first(self, number: int) -> int:
        """Return the number of a node's first child; children are numbered when they are first asked for."""
        if number not in self._first_children:
            self._first_children[number] = len(self._nodes)
            children = self._nodes[number].children
            self._nodes += children
            self._parents += [number] * len(children)
        return self._first_children[number]

    # QObject.parent, which takes no index, is an overload of it in Qt
    def parent(self, index: Index = _NO_PARENT) -> QModelIndex:  # type: ignore[override]
        number = self._parents[index.internalId()] if index.isValid() else -1
        if number < 0:
            return QModelIndex()
        above = self._parents[number]
        return self.createIndex(0 if above < 0 else number - self._first(above), 0, number)

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        if not parent.isValid():
            return len(self._nodes[:1])
        return 0 if parent.column() else len(self._nodes[parent.internalId()].children)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return len(HEADINGS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        node = self.node(index)
        if node is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return (node.label, node.how, node.value)[index.column()]
            case Qt.ItemDataRole.ToolTipRole if index.column() == 0:
                return plain_tip(node.label)
            case Qt.ItemDataRole.AccessibleTextRole if index.column() == 0:
                return ", ".join(filter(None, (node.label, node.how, node.value)))
            case Qt.ItemDataRole.TextAlignmentRole if index.column() == 2:
                return _RIGHT
            case Qt.ItemDataRole.SizeHintRole if index.column() == 0:
                return QSize(0, px(ROW_HEIGHT))
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADINGS[section]
        return None
