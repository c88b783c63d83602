"""Says that a page shows an earlier state, and offers the ways out of it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy

from gui.pages.pyramid.history_values import HistoryPreview
from gui.style.theme import MEDIUM, SMALL
from gui.widgets.buttons import link_button
from gui.widgets.edit_lock import edits
from gui.widgets.label import IconLabel, Label


class PastBanner(QFrame):
    """Drawing, sentence, two verbs. Hidden while the page shows what is there now.

    Signals:
        restore_requested: the earlier state is to be in force again.
        left: back to what is there now.
    """

    restore_requested = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "notice")
        self.text_label = Label("", "body", "warning", wrap=True)
        self.restore_button, self.back_button = link_button("Restore"), link_button("Back to now")
        self.restore_button.setToolTip("Make the pyramid what it was then; undo takes that back")
        edits(self.restore_button)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        row = QHBoxLayout(self)
        row.setContentsMargins(MEDIUM, SMALL, SMALL, SMALL)
        row.setSpacing(SMALL)
        row.addWidget(IconLabel("clock", "warning"))
        row.addWidget(self.text_label, 1)
        row.addWidget(self.restore_button)
        row.addWidget(self.back_button)
        self.restore_button.clicked.connect(self.restore_requested)
        self.back_button.clicked.connect(self.left)
        self.show_past(None)

    def show_past(self, past: HistoryPreview | None) -> None:
        """Say which earlier state is shown; None = what is there now."""
        self.setVisible(past is not None)
        if past is not None:
            self.text_label.setText(past.sentence)
            self.setAccessibleName(past.sentence)
            self.restore_button.setVisible(past.can_restore)
