"""A dialog: a question as its title, an answer in its body, verbs on its buttons; Esc cancels."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.theme import LARGE, MEDIUM, SMALL, Type, px
from gui.widgets.buttons import plain_button, primary_button
from gui.widgets.label import Label

NARROW, BROAD = 480, 640


class Dialog(QDialog):
    """The frame of every dialog; put its content into `body`."""

    def __init__(
        self, question: str, verb: str, parent: QWidget | None = None, *, width: int = NARROW, icon: str = ""
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(question)
        self.setAccessibleName(question)
        self.setMinimumWidth(px(width))
        self.body = QVBoxLayout()
        self.body.setSpacing(SMALL)
        self.accept_button: QPushButton = primary_button(verb, icon)
        self.cancel_button = plain_button("Cancel")
        self.accept_button.setDefault(True)
        self.accept_button.clicked.connect(self.accept)
        self.cancel_button.clicked.connect(self.reject)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(SMALL)
        self._buttons.addStretch(1)
        self._buttons.addWidget(self.cancel_button)
        self._buttons.addWidget(self.accept_button)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(LARGE, LARGE, LARGE, LARGE)
        whole.setSpacing(MEDIUM)
        whole.addWidget(Label(question, Type.TITLE, wrap=True))
        whole.addLayout(self.body, 1)
        whole.addLayout(self._buttons)

    def add_field(self, name: str, field: QWidget, help_text: str = "") -> None:
        """Put a named field below the others; its name is its accessible name too."""
        label = Label(name, Type.STRONG)
        label.setBuddy(field)
        field.setAccessibleName(name)
        self.body.addWidget(label)
        self.body.addWidget(field)
        if help_text:
            self.body.addWidget(Label(help_text, Type.SMALL, "muted", wrap=True))
        self.body.addSpacing(SMALL)


class Statement(Dialog):
    """A dialog that only says something; one button, no choice."""

    def __init__(
        self, title: str, sentence: str, small: str = "", verb: str = "Close", parent: QWidget | None = None
    ) -> None:
        super().__init__(title, verb, parent)
        self.cancel_button.hide()
        self.body.addWidget(Label(sentence, wrap=True))
        if small:
            self.body.addWidget(Label(small, Type.SMALL, "muted", wrap=True))
