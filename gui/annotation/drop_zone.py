"""Drop target at the bottom of the SCU list for creating a new SCU."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gui.style.theme import MEDIUM, SMALL, Type
from gui.widgets.label import Label


class DropZone(Label):
    """Shown at the bottom of a list while an item is dragged that can become a new SCU."""

    def __init__(self, parent: QWidget, text: str) -> None:
        super().__init__(text, Type.STRONG, "accent")
        self._owner = parent
        self.setParent(parent)
        self.setProperty("kind", "drop-zone")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def open(self) -> None:
        """Show the zone at the bottom of the parent."""
        area = self._owner.rect()
        height = self.sizeHint().height() + 2 * MEDIUM
        self.setGeometry(SMALL, area.height() - height - SMALL, area.width() - 2 * SMALL, height)
        self.show()
        self.raise_()

    def highlight(self, is_target: bool) -> None:
        """Highlight the zone if releasing the mouse button would drop here."""
        if self.property("target") != is_target:
            self.setProperty("target", is_target)
            self.style().unpolish(self)
            self.style().polish(self)
