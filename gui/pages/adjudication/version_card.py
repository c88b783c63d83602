"""Card with one annotator's version of an item."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from core.adjudication.model import Version
from gui.style import theme
from gui.style.language import tr
from gui.style.theme import MEDIUM, RADIUS_CONTROL, SMALL, TIGHT, Type, px
from gui.widgets.buttons import plain_button
from gui.widgets.edit_lock import edits
from gui.widgets.label import Label
from gui.widgets.layouts import vbox

STEPS = (2, 5, 3, 1, 4)
"""Weight steps whose colours tell apart the marks of the first annotators."""
_BADGE_PX = 22


def step_of(number: int) -> int:
    """Return the weight step of the marks of a version; numbers count from 1."""
    return STEPS[(number - 1) % len(STEPS)]


class VersionBadge(QWidget):
    """The number of a version, in the colour of its marks in the text."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number
        self.setFixedSize(QSize(px(_BADGE_PX), px(_BADGE_PX)))
        self.setAccessibleName(tr("Version {number}", number=number))

    def paintEvent(self, event: QPaintEvent) -> None:
        step = theme.tokens().weights[step_of(self._number) - 1]
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(step.tint))
        painter.drawRoundedRect(QRectF(self.rect()), RADIUS_CONTROL, RADIUS_CONTROL)
        painter.setPen(theme.colour("text"))
        painter.setFont(theme.font(Type.STRONG))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, str(self._number))


class VersionFrame(QFrame):
    """A version with the button that accepts it.

    Signals:
        accepted: the version's number.
    """

    accepted = Signal(int)

    def __init__(self, number: int, version: Version) -> None:
        super().__init__()
        self.version = version
        self.setProperty("kind", "well")
        self.text_label = Label(version.text, Type.BODY, wrap=True)
        self.state_label = Label("", Type.SMALL, "success")
        self.accept_button = plain_button(tr("Accept"))
        self.accept_button.setAccessibleName(
            tr("Accept version {number} of {annotator}", number=number, annotator=version.annotator)
        )
        self.accept_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        edits(self.accept_button)
        self.accept_button.clicked.connect(lambda: self.accepted.emit(number))
        head = QHBoxLayout()
        head.setSpacing(SMALL)
        head.addWidget(VersionBadge(number))
        head.addWidget(Label(version.annotator, Type.STRONG, wrap=True), 1)
        head.addWidget(self.state_label)
        head.addWidget(self.accept_button)
        vbox(head, self.text_label, parent=self, margins=(MEDIUM, SMALL, SMALL, MEDIUM), spacing=TIGHT)
