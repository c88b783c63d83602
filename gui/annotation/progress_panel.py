"""The grid of progress with what its cells mean, and who else is at work."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.annotation.progress_cell import cell_legend
from gui.annotation.progress_grid import ProgressGrid
from gui.style.theme import MEDIUM, SMALL, Type
from gui.widgets.label import ElidedLabel


class ProgressPanel(QWidget):
    """`grid` is the grid. has_flags: whether cells can be flagged."""

    def __init__(self, *, has_flags: bool = True) -> None:
        super().__init__()
        self.grid = ProgressGrid()
        self.others_label = ElidedLabel("", Type.SMALL, "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(MEDIUM, SMALL, MEDIUM, SMALL)
        column.setSpacing(SMALL)
        column.addWidget(self.grid, 1)
        self._legend = cell_legend(has_flags=has_flags)
        column.addLayout(self._legend)
        column.addWidget(self.others_label)
        self.others_label.hide()

    def add_to_foot(self, widget: QWidget) -> None:
        """Put a control at the right of what the cells mean."""
        self._legend.addWidget(widget)

    def show_others(self, sentence: str) -> None:
        """Say who else is at work on the topic; empty = nobody."""
        self.others_label.setText(sentence)
        self.others_label.setVisible(bool(sentence))
