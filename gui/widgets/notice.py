"""Notice bar: a message with a button for its remedy."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QSizePolicy

from gui.style.language import tr
from gui.style.theme import MEDIUM, SMALL, font
from gui.widgets.buttons import icon_button, link_button
from gui.widgets.label import IconLabel, Label


class Notice(QFrame):
    """Icon, message, number of further messages, remedy; these are below the message if it is narrow.

    Hidden if there is no message.


    is_warning: else it is information.
    lines: height that is kept free for it while it is hidden, so that it moves nothing; 0 = none.
    """

    def __init__(
        self,
        text: str = "",
        remedy: str = "",
        *,
        can_close: bool = False,
        is_warning: bool = True,
        lines: int = 0,
    ) -> None:
        super().__init__()
        self.setProperty("kind", "notice" if is_warning else "information")
        self.text_label = Label("", "body", "warning" if is_warning else "text", wrap=True)
        self.more_button = link_button("")
        self.remedy_button = link_button("")
        self.close_button = icon_button("close", tr("Dismiss"))
        self._can_close = can_close
        self.sentences: tuple[str, ...] = ()  # message and the others that are shown on request
        self._shows_all = False
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        policy.setRetainSizeWhenHidden(lines > 0)
        self.setSizePolicy(policy)
        if lines:
            self.setMinimumHeight(lines * QFontMetrics(font()).lineSpacing() + 2 * SMALL)
        row = QHBoxLayout(self)
        row.setContentsMargins(MEDIUM, SMALL, SMALL, SMALL)
        row.setSpacing(SMALL)
        row.addWidget(IconLabel("warning", "warning") if is_warning else IconLabel("bulb", "accent"))
        self._parts, buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight), QHBoxLayout()
        for part in (self._parts, buttons):
            part.setSpacing(SMALL)
        for button in (self.more_button, self.remedy_button):
            buttons.addWidget(button)
        buttons.addStretch(0)
        self._parts.addWidget(self.text_label, 1)
        self._parts.addLayout(buttons)
        row.addLayout(self._parts, 1)
        row.addWidget(self.close_button)
        self.more_button.clicked.connect(self._show_more)
        self.close_button.clicked.connect(self.hide)
        self.show_message(text, remedy)

    def show_message(self, text: str, remedy: str = "", others: Sequence[str] = ()) -> None:
        """Show a message and its remedy; an empty one hides the bar. others: shown on request."""
        sentences = (text, *others)
        if sentences != self.sentences:
            self.sentences, self._shows_all = sentences, False
        self._write()
        self.remedy_button.setText(remedy)
        self.remedy_button.setAccessibleName(remedy)
        self.remedy_button.setVisible(bool(remedy))
        self._fit()
        self.close_button.setVisible(self._can_close)
        self.setAccessibleName(" ".join(sentences))
        self.setVisible(bool(text))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Move the buttons below the message if they would take half of its width."""
        shown = [one for one in (self.more_button, self.remedy_button) if not one.isHidden()]
        is_narrow = 2 * sum(button.sizeHint().width() for button in shown) > self.width()
        down, right = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._parts.setDirection(down if is_narrow and shown else right)

    @Slot()
    def _show_more(self) -> None:
        self._shows_all = not self._shows_all
        self._write()
        self._fit()

    def _write(self) -> None:
        first, *others = self.sentences
        self.text_label.setText("\n".join(self.sentences) if self._shows_all else first)
        self.more_button.setText(tr("Less") if self._shows_all else tr("{others} more", others=len(others)))
        self.more_button.setVisible(bool(others))
