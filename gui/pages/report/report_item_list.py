"""List of the figures and tables added to the report, with buttons to reorder and remove them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from gui.pages.report.values import ReportItemRow
from gui.style.theme import HAIR, SMALL, Type
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import icon_button
from gui.widgets.edit_lock import edits
from gui.widgets.label import ElidedLabel, IconLabel, Label

NO_ITEMS = (
    "No figures or tables added yet. Use “Add to the report” on Compare, Studies or Resample: the figure or "
    "table is stored as it is then, with the command that reproduces it."
)
UP, DOWN, REMOVE = "up", "down", "remove"
_BUTTONS = (
    (UP, "chevron-up", "Move up"),
    (DOWN, "chevron-down", "Move down"),
    (REMOVE, "close", "Remove"),
)


class ReportItemList(QWidget):
    """A row per figure or table.

    buttons: by id of the item and action: ``up``, ``down`` or ``remove``.

    Signals:
        moved: id of an item, and the change of its position.
        removed: id of an item.
    """

    moved = Signal(str, int)
    removed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Figures and tables added to the report")
        self.empty_label = Label(NO_ITEMS, Type.SMALL, "muted", wrap=True)
        self.buttons: dict[tuple[str, str], QToolButton] = {}
        self._rows: list[QWidget] = []
        self._pressed: tuple[str, str] | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(SMALL)
        self._column.addWidget(self.empty_label)

    def show_items(self, items: Sequence[ReportItemRow]) -> None:
        """Show these items. The button that was pressed last keeps the focus."""
        for row in self._rows:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.buttons = {}
        self._rows = [self._row(item, index, len(items)) for index, item in enumerate(items)]
        for row in self._rows:
            self._column.addWidget(row)
        self.empty_label.setVisible(not items)
        if self._pressed in self.buttons:
            self.buttons[self._pressed].setFocus(Qt.FocusReason.OtherFocusReason)
        self._pressed = None

    def _row(self, item: ReportItemRow, index: int, count: int) -> QWidget:
        widget = QWidget()
        row = QHBoxLayout(widget)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SMALL)
        row.addWidget(IconLabel("scatter" if item.is_figure else "rows", "muted"))
        labels = QVBoxLayout()
        labels.setSpacing(HAIR)
        title = ElidedLabel(item.title, Type.STRONG)
        title.setAccessibleDescription("Figure" if item.is_figure else "Table")
        labels.addWidget(title)
        labels.addWidget(ElidedLabel(item.command, Type.SMALL, "muted"))
        row.addLayout(labels, 1)
        is_end = {UP: index == 0, DOWN: index == count - 1, REMOVE: False}
        for action, icon, name in _BUTTONS:
            button = icon_button(icon, f"{name}: {item.title}")
            button.setToolTip(plain_tip(name))
            button.setEnabled(not is_end[action])
            button.clicked.connect(lambda _=False, action=action: self._press(item.id, action))
            edits(button)
            self.buttons[item.id, action] = button
            row.addWidget(button)
        return widget

    def _press(self, item_id: str, action: str) -> None:
        self._pressed = item_id, action
        if action == REMOVE:
            self.removed.emit(item_id)
        else:
            self.moved.emit(item_id, -1 if action == UP else 1)
