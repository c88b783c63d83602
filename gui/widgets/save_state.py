"""Save state in the page header."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.style import theme
from gui.style.language import tr
from gui.style.theme import TIGHT, Type
from gui.style.tooltips import plain_tip
from gui.widgets.label import IconLabel, Label

_NOT_SAVED, _TYPING, _SAVING, _NOTHING_EDITED = (
    tr("Text not saved"),
    tr("Typing…"),
    tr("Saving…"),
    tr("All saved"),
)
_WORDS = (_NOT_SAVED, _TYPING, _SAVING, _NOTHING_EDITED, tr("Saved 00:00"), tr("Read-only"))


class SaveState(QWidget):
    """``✓ Saved 10:42``, or what is not saved yet."""

    def __init__(self) -> None:
        super().__init__()
        self._icon = IconLabel("check", "success")
        self.saved_label = Label("", Type.SMALL, "muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(TIGHT)
        row.addStretch(1)
        row.addWidget(self._icon)
        row.addWidget(self.saved_label)
        self._saved_at: datetime | None = None
        self._is_saving = self._is_typing = self._is_refused = False
        self.show_saved(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        letters = QFontMetrics(theme.font(Type.SMALL))
        words = max(map(letters.horizontalAdvance, _WORDS)) + TIGHT  # so that nothing moves
        return QSize(self._icon.width() + TIGHT + words, super().sizeHint().height())

    def _fit(self) -> None:
        """Show text if there is room, else the icon with a tooltip, so that the header fits the window."""
        self.setMinimumWidth(self._icon.width())
        has_room = self.width() >= self.sizeHint().width()
        self.saved_label.setVisible(has_room)
        self._icon.setToolTip("" if has_room else plain_tip(self.saved_label.text()))

    def show_saving(self) -> None:
        """Show that edits are being saved."""
        self._is_saving = True
        self._show_state()

    def show_saved(self, at: datetime | None) -> None:
        """Show that all edits are saved, and when; None = nothing was edited yet."""
        self._is_saving, self._saved_at = False, at
        self._show_state()

    def show_typed(self, is_typing: bool, is_refused: bool) -> None:
        """Show that typed text is not stored yet, or could not be stored."""
        if (is_typing, is_refused) != (self._is_typing, self._is_refused):
            self._is_typing, self._is_refused = is_typing, is_refused
            self._show_state()

    def _show_state(self) -> None:
        at = self._saved_at
        if self._is_refused:
            icon, tone, words = "warning", "warning", _NOT_SAVED
        elif self._is_typing:
            icon, tone, words = "clock", "muted", _TYPING
        elif self._is_saving:
            icon, tone, words = "clock", "muted", _SAVING
        else:
            icon, tone = "check", "success"
            words = (
                tr("Saved {astimezone:%H:%M}", astimezone=at.astimezone())
                if at is not None
                else _NOTHING_EDITED
            )
        self._icon.show_icon(icon, tone)
        self.saved_label.setText(words)
        self._fit()

    def show_read_only(self, reason: str) -> None:
        """Show that the study is read-only, with the reason in the tooltip."""
        self._icon.show_icon("lock")
        self.saved_label.setText(tr("Read-only"))
        self._fit()
        self.saved_label.setToolTip(plain_tip(reason))
