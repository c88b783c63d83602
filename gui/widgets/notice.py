"""A finding in words, with its remedy beside it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy

from gui.theme import MEDIUM, SMALL
from gui.widgets.buttons import icon_button, link_button
from gui.widgets.label import IconLabel, Label


class Notice(QFrame):
    """Drawing, sentence, remedy. Hidden while it has nothing to say.

    Signals:
        remedy_requested: the remedy was pressed.
    """

    remedy_requested = Signal()

    def __init__(self, text: str = "", remedy: str = "", *, can_close: bool = False) -> None:
        super().__init__()
        self.setProperty("kind", "notice")
        self.text_label = Label("", "body", "warning", wrap=True)
        self.remedy_button = link_button("")
        self.close_button = icon_button("close", "Dismiss")
        self._can_close = can_close
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        row = QHBoxLayout(self)
        row.setContentsMargins(MEDIUM, SMALL, SMALL, SMALL)
        row.setSpacing(SMALL)
        row.addWidget(IconLabel("warning", "warning"))
        row.addWidget(self.text_label, 1)
        row.addWidget(self.remedy_button)
        row.addWidget(self.close_button)
        self.remedy_button.clicked.connect(self.remedy_requested)
        self.close_button.clicked.connect(self.hide)
        self.say(text, remedy)

    def say(self, text: str, remedy: str = "") -> None:
        """Show a sentence and its remedy; an empty sentence hides all."""
        self.text_label.setText(text)
        self.remedy_button.setText(remedy)
        self.remedy_button.setAccessibleName(remedy)
        self.remedy_button.setVisible(bool(remedy))
        self.close_button.setVisible(self._can_close)
        self.setAccessibleName(text)
        self.setVisible(bool(text))
