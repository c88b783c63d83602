"""Figures and tables chosen for the report, in an order that can be changed."""

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
    "No figure is chosen yet. Press “Add to the report” beside a figure or table on Compare, Studies or "
    "Resample: it comes here as it is then, with the command that repeats it."
)
UP, DOWN, REMOVE = "up", "down", "out"
_BUTTONS = (
    (UP, "chevron-up", "Move up"),
    (DOWN, "chevron-down", "Move down"),
    (REMOVE, "close", "Take out"),
)


class ReportItemList(QWidget):
    """A row for each.

    Signals:
        moved: an id, and by how many places. taken_out: an id.
    """

    moved = Signal(str, int)
    taken_out = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Figures and tables chosen for the report")
        self.nothing_label = Label(NO_ITEMS, Type.SMALL, "muted", wrap=True)
        self.buttons: dict[tuple[str, str], QToolButton] = {}
        self._rows: list[QWidget] = []
        self._pressed: tuple[str, str] | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(SMALL)
        self._column.addWidget(self.nothing_label)

    def show_lines(self, lines: Sequence[ReportItemRow]) -> None:
        """Show these; the button that was pressed last keeps the keyboard."""
        for row in self._rows:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.buttons = {}
        self._rows = [self._row(line, place, len(lines)) for place, line in enumerate(lines)]
        for row in self._rows:
            self._column.addWidget(row)
        self.nothing_label.setVisible(not lines)
        if self._pressed in self.buttons:
            self.buttons[self._pressed].setFocus(Qt.FocusReason.OtherFocusReason)
        self._pressed = None

    def _row(self, line: ReportItemRow, place: int, count: int) -> QWidget:
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SMALL)
        row.addWidget(IconLabel("scatter" if line.is_figure else "rows", "muted"))
        words = QVBoxLayout()
        words.setSpacing(HAIR)
        title = ElidedLabel(line.title, Type.STRONG)
        title.setAccessibleDescription("Figure" if line.is_figure else "Table")
        words.addWidget(title)
        words.addWidget(ElidedLabel(line.command, Type.SMALL, "muted"))
        row.addLayout(words, 1)
        for verb, icon, name in _BUTTONS:
            button = icon_button(icon, f"{name}: {line.title}")
            button.setToolTip(plain_tip(name))
            button.setEnabled(not (verb == UP and place == 0) and not (verb == DOWN and place == count - 1))
            button.clicked.connect(lambda _=False, verb=verb: self._press(line.id, verb))
            edits(button)
            self.buttons[line.id, verb] = button
            row.addWidget(button)
        return whole

    def _press(self, part_id: str, verb: str) -> None:
        self._pressed = part_id, verb
        if verb == REMOVE:
            self.taken_out.emit(part_id)
        else:
            self.moved.emit(part_id, -1 if verb == UP else 1)
