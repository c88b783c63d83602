"""Stepper through a list: ‹ 7 / 24 ›."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtWidgets import QWidget

from gui.style.language import plain_tip, tr
from gui.style.theme import SMALL, TIGHT, Type, px
from gui.widgets.accessible import announce
from gui.widgets.buttons import icon_button, quiet_button
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.layouts import hbox

SHORT_NAME, LEAST_NAME = 80, 48
"""Width up to which a name is always shown whole, and the least width of a longer one."""


class Stepper(QWidget):
    """A position between two arrows, which is a button if there is a list to choose from, name and title.

    The arrows stay where they are, whatever the position and the name.

    Signals:
        list_requested: name, title or position was pressed.
    """

    list_requested = Signal()

    def __init__(self, what: str, unit: str = "") -> None:
        """what: what it steps through. unit: shown before the position, such as ``Summary``."""
        super().__init__()
        self._what, self._unit, self._place = what, unit, ""
        self.name_label = ElidedLabel("", Type.STRONG)
        self.title_label = ElidedLabel()
        self.position_label = Label("", Type.BODY, "muted")
        self.previous_button = icon_button("chevron-left", tr("Previous {what}", what=what))
        self.next_button = icon_button("chevron-right", tr("Next {what}", what=what))
        self.list_button = quiet_button("")
        self.labels = QWidget()  # a page puts them behind all steppers
        parts = (self.previous_button, self.position_label, self.list_button, self.next_button)
        hbox(*parts, (self.labels, 1), parent=self, spacing=TIGHT)
        hbox(self.name_label, (self.title_label, 1), parent=self.labels, spacing=TIGHT)
        self.position_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.list_button.hide()
        self.list_button.clicked.connect(self.list_requested)

    def offer_list(self, command: QAction) -> None:
        """Let the position, name and title open the list. command: does the same."""
        self.list_button.setToolTip(plain_tip(command.toolTip()))
        self.position_label.hide()
        self.list_button.show()
        for label in (self.name_label, self.title_label):
            label.setCursor(Qt.CursorShape.PointingHandCursor)
            label.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_release = event.type() is QEvent.Type.MouseButtonRelease
        if is_release and isinstance(event, QMouseEvent) and event.button() is Qt.MouseButton.LeftButton:
            self.list_requested.emit()
            return True
        return super().eventFilter(watched, event)

    def show_place(self, name: str, title: str, position: int, total: int) -> None:
        """Show the position, which counts from 1; 0 = none. A new one is announced."""
        place = (
            tr(
                "{what} {position} of {total} {name} {title}",
                what=self._what.capitalize(),
                position=position,
                total=total,
                name=name,
                title=title,
            ).strip()
            if total
            else ""
        )
        if place != self._place:
            self._place = place
            announce(self, place)
        self.name_label.setText(name)
        width = self.name_label.sizeHint().width()
        self.name_label.setMinimumWidth(width if width <= px(SHORT_NAME) else px(LEAST_NAME))
        self.title_label.setText(title)
        self.title_label.setVisible(bool(title))
        prefix = f"{self._unit} " if self._unit else ""
        letters = self.position_label.fontMetrics()
        for part in (self.position_label, self.list_button):
            part.setText(f"{prefix}{position} / {total}" if total else "")
            part.setFixedWidth(letters.horizontalAdvance(f"{prefix}{total} / {total}") + 2 * SMALL)
        what = self._what[:1].upper() + self._what[1:]
        self.list_button.setAccessibleName(
            tr("{what} {position} of {total}, list", what=what, position=position, total=total)
        )
        self.previous_button.setEnabled(position > 1)
        self.next_button.setEnabled(0 < position < total)
