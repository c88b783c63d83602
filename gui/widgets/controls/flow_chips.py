"""Row of chips that wraps to the next line."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QWidget

from gui.style.theme import SMALL
from gui.widgets.label import Badge
from gui.widgets.layouts import clear


class FlowLayout(QLayout):
    """Arranges widgets side by side at their own size and wraps full rows."""

    def __init__(self, space: int = SMALL) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._space = space
        self._heights: dict[int, int] = {}  # by width
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            self._heights[width] = self._place(QRect(0, 0, width, 0), moves=False)
        return self._heights[width]

    def invalidate(self) -> None:
        self._heights.clear()
        super().invalidate()

    def setGeometry(self, area: QRect) -> None:
        super().setGeometry(area)
        self._place(area, moves=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        smallest = QSize()
        for item in self._items:
            smallest = smallest.expandedTo(item.minimumSize())
        return smallest

    def _place(self, area: QRect, *, moves: bool) -> int:
        """Place the items, or only compute the height that they need at this width."""
        x, y, row_height = area.x(), area.y(), 0
        for item in self._items:
            if item.isEmpty():  # its widget is hidden
                continue
            size = item.sizeHint()
            if x > area.x() and x + size.width() > area.right() + 1:
                x, y, row_height = area.x(), y + row_height + self._space, 0
            if moves:
                item.setGeometry(QRect(QPoint(x, y), size))
            x += size.width() + self._space
            row_height = max(row_height, size.height())
        return y + row_height - area.y()


class Flow(QWidget):
    """Widgets in rows that wrap."""

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self._flow = FlowLayout()
        for widget in widgets:
            self._flow.addWidget(widget)
        self.setLayout(self._flow)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)


class Chips(Flow):
    """Chips with names."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self.texts: tuple[str, ...] = ()

    def show_chips(self, texts: Sequence[str]) -> None:
        """Replace the names."""
        if self.texts == tuple(texts):
            return
        self.texts = tuple(texts)
        clear(self._flow)
        for text in texts:
            self._flow.addWidget(Badge(text))
        self.setAccessibleName(f"{self._name}: {', '.join(texts)}")
