"""Progress grid with its legend and a note on other active annotators."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.annotation.progress.progress_cell import cell_legend
from gui.annotation.progress.progress_grid import ProgressGrid
from gui.style.theme import MEDIUM, SMALL, Type
from gui.widgets.label import ElidedLabel


class ProgressPanel(QWidget):
    """Progress grid with legend.

    has_flags: whether cells can be flagged.
    """

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
        """Add a control at the right of the legend."""
        self._legend.addWidget(widget)

    def show_others(self, sentence: str) -> None:
        """Show who else is working on the topic; empty = nobody."""
        self.others_label.setText(sentence)
        self.others_label.setVisible(bool(sentence))
