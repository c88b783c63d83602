"""Question shown over a panel's header, so that the rows below don't move."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from gui.style.language import tr
from gui.style.theme import HAIR, MEDIUM, SMALL, TIGHT, Type
from gui.widgets.buttons import icon_button
from gui.widgets.label import Label


class QuestionOverlay(QFrame):
    """A question with a Cancel button. It covers header and search field of its panel, not the rows."""

    def __init__(self, panel: QWidget) -> None:
        super().__init__(panel)
        self._panel = panel
        self.setProperty("kind", "notice")
        self.label = Label("", Type.SMALL, wrap=True)
        self.cancel_button = icon_button("close", tr("Cancel"))
        row = QHBoxLayout(self)
        row.setContentsMargins(MEDIUM, TIGHT, SMALL, TIGHT)
        row.setSpacing(SMALL)
        row.addWidget(self.label, 1)
        row.addWidget(self.cancel_button, 0, Qt.AlignmentFlag.AlignTop)
        panel.installEventFilter(self)
        self.hide()

    def ask(self, question: str) -> None:
        """Show a question; an empty one hides it."""
        self.label.setText(question)
        self.label.setAccessibleName(question)
        self.setVisible(bool(question))
        self._update_geometry()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._update_geometry()
        return False

    def _update_geometry(self) -> None:
        width = self._panel.width() - 2 * HAIR
        self.setGeometry(HAIR, HAIR, width, self.heightForWidth(width))
        self.raise_()
