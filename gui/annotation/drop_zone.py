"""Where something can be dropped that finds no row to be dropped onto."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gui.style.theme import MEDIUM, SMALL, Type
from gui.widgets.label import Label


class DropZone(Label):
    """The bottom of a list while something is dragged over it that may become an SCU of its own."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Drop here for a new SCU", Type.STRONG, "accent")
        self._around = parent
        self.setParent(parent)
        self.setProperty("kind", "drop-zone")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def open(self) -> None:
        """Lie at the bottom of the parent."""
        around = self._around.rect()
        height = self.sizeHint().height() + 2 * MEDIUM
        self.setGeometry(SMALL, around.height() - height - SMALL, around.width() - 2 * SMALL, height)
        self.show()
        self.raise_()

    def light(self, is_target: bool) -> None:
        """Show whether letting go would drop here."""
        if self.property("target") != is_target:
            self.setProperty("target", is_target)
            self.style().unpolish(self)
            self.style().polish(self)
