"""Where you are among many: ‹ 7 / 24 ›."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.theme import SMALL, TIGHT, Type, px
from gui.widgets.buttons import icon_button
from gui.widgets.label import ElidedLabel, Label

LEAST_NAME = 140
"""Room for a name; where it is longer, it ends in an ellipsis before the title does."""


class Stepper(QWidget):
    """A name, a position and two arrows.

    Signals:
        previous_requested, next_requested.
    """

    previous_requested = Signal()
    next_requested = Signal()

    def __init__(self, what: str) -> None:
        super().__init__()
        self.name_label = ElidedLabel("", Type.STRONG)
        self.title_label = ElidedLabel()
        self.position_label = Label("", Type.BODY, "muted")
        self.previous_button = icon_button("chevron-left", f"Previous {what}")
        self.next_button = icon_button("chevron-right", f"Next {what}")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(TIGHT)
        row.addWidget(self.name_label)
        row.addWidget(self.title_label)
        row.addSpacing(SMALL)
        row.addWidget(self.previous_button)
        row.addWidget(self.position_label)
        row.addWidget(self.next_button)
        self.previous_button.clicked.connect(self.previous_requested)
        self.next_button.clicked.connect(self.next_requested)

    def show_place(self, name: str, title: str, position: int, total: int) -> None:
        """Show where we are; `position` counts from 1, 0 = nowhere."""
        self.name_label.setText(name)
        self.name_label.setMinimumWidth(min(self.name_label.sizeHint().width(), px(LEAST_NAME)))
        self.title_label.setText(title)
        self.title_label.setVisible(bool(title))
        self.position_label.setText(f"{position} / {total}" if total else "")
        self.position_label.setMinimumWidth(self.position_label.sizeHint().width())
        self.previous_button.setEnabled(position > 1)
        self.next_button.setEnabled(0 < position < total)
