"""Placeholder of an empty page: the next step and the button for it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.style.theme import LARGE, MEDIUM, px
from gui.widgets.buttons import plain_button, primary_button
from gui.widgets.edit_lock import edits
from gui.widgets.label import IconLabel, Label
from gui.widgets.layouts import Stretch, hbox

ICON_PX, SENTENCE_WIDTH, MIN_SENTENCE_WIDTH = 32, 340, 120


class EmptyPage(QWidget):
    """An icon, a sentence, a primary button and at most one plain button."""

    def __init__(
        self, icon: str, sentence: str, primary: str = "", quiet: str = "", *, is_edit: bool = False
    ) -> None:
        """is_edit: whether the primary button changes the study."""
        super().__init__()
        self.sentence_label = Label(sentence, wrap=True)
        self.sentence_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.primary = primary_button(primary)
        self.quiet = plain_button(quiet)
        buttons = hbox(Stretch(1), self.quiet, self.primary, Stretch(1), spacing=MEDIUM)
        column = QVBoxLayout(self)
        column.setSpacing(LARGE)
        column.addStretch(2)
        column.addWidget(IconLabel(icon, "muted", ICON_PX), 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self.sentence_label, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addLayout(buttons)
        column.addStretch(3)
        self.primary.setVisible(bool(primary))  # now that they are inside: alone they would be windows
        self.quiet.setVisible(bool(quiet))
        edits(self.primary, now=is_edit)
        self._fit_sentence()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_sentence()

    def _fit_sentence(self) -> None:
        room = self.contentsRect().width() - 2 * LARGE
        self.sentence_label.setFixedWidth(max(min(px(SENTENCE_WIDTH), room), MIN_SENTENCE_WIDTH))
