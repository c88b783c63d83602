"""Base classes of dialogs: title, body and buttons; Esc cancels."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QPushButton, QVBoxLayout, QWidget

from gui.style.language import tr
from gui.style.theme import LARGE, MEDIUM, SMALL, Type, px
from gui.widgets.accessible import label_boxes
from gui.widgets.buttons import EnterPresses, plain_button, primary_button
from gui.widgets.label import Label, field_label
from gui.widgets.layouts import Stretch, hbox, vbox
from gui.widgets.reading_order import ReadingOrder

NARROW, BROAD = 480, 640
_SHARE_OF_SCREEN = 0.92


def within_screen(widget: QWidget, width: int, height: int) -> QSize:
    """Return a size, given for a text size of 100 %, that is not larger than the widget's screen."""
    room = widget.screen().availableGeometry().size() * _SHARE_OF_SCREEN
    return QSize(min(px(width), room.width()), min(px(height), room.height()))


class BareDialog(EnterPresses, ReadingOrder, QDialog):
    """A dialog in which Enter presses the focused button, and otherwise the main one.

    It is deleted after it was closed, also by `exec`, when control returns to the event loop. A job whose
    result it shows is started with it as `owner`.

    is_kept: it is shown again instead; until then assistive technology does not find it.
    """

    is_kept = False

    def __init__(self, parent: QWidget | None = None, flags: Qt.WindowType = Qt.WindowType.Widget) -> None:
        super().__init__(parent, flags)
        self.finished.connect(self._leave, Qt.ConnectionType.QueuedConnection)

    def showEvent(self, event: QShowEvent) -> None:
        label_boxes(self)
        room = self.screen().availableGeometry().size() * _SHARE_OF_SCREEN
        if not self.testAttribute(Qt.WidgetAttribute.WA_Resized) and self.hasHeightForWidth():
            self.resize(self.width(), self.heightForWidth(self.width()))  # Qt took that of a smaller width
        if self.size() != self.size().boundedTo(room):
            self.resize(self.size().boundedTo(room))
        super().showEvent(event)

    @Slot()
    def _leave(self) -> None:
        if not self.is_kept:
            self.deleteLater()
        elif not self.isVisible():
            self.destroy()  # the window of the window system; it gets another one


class ToolDialog(BareDialog):
    """A dialog with a title that stays open next to the window. size: if the screen has room for it."""

    def __init__(self, title: str, size: tuple[int, int], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self.resize(within_screen(self, *size))

    def begin(self, start: QWidget) -> None:
        """Show the dialog in front. start: what has the focus."""
        self.show()
        self.raise_()
        self.activateWindow()
        start.setFocus(Qt.FocusReason.OtherFocusReason)


class ToolPresenter(QObject):
    """Presenter of a dialog that stays open next to the window, for one study."""

    def __init__(self, dialog: BareDialog) -> None:
        super().__init__(dialog)
        self._dialog = dialog

    def open(self) -> None:
        """Show the dialog in front."""
        raise NotImplementedError

    def close(self) -> None:
        """Delete the dialog."""
        self._dialog.close()
        self._dialog.deleteLater()


class Dialog(BareDialog):
    """A dialog with a title and buttons; content goes into `body`, controls next to the title into `head`."""

    def __init__(
        self, question: str, verb: str, parent: QWidget | None = None, *, width: int = NARROW, icon: str = ""
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(question)
        self.setAccessibleName(question)
        self.setMinimumWidth(within_screen(self, width, 0).width())
        self.body = vbox(spacing=SMALL)
        self.accept_button: QPushButton = primary_button(verb, icon)
        self.cancel_button = plain_button(tr("Cancel"))
        self.accept_button.setDefault(True)
        self.accept_button.clicked.connect(self.accept)
        self.cancel_button.clicked.connect(self.reject)
        self._buttons = hbox(Stretch(1), self.cancel_button, self.accept_button, spacing=SMALL)
        self.head = hbox((Label(question, Type.TITLE, wrap=True), 1), spacing=SMALL)
        vbox(self.head, (self.body, 1), self._buttons, parent=self, margins=LARGE, spacing=MEDIUM)

    def add_field(self, name: str, field: QWidget, help_text: str = "") -> None:
        """Add a labeled field below the others; the label is its accessible name too."""
        _add_field(self.body, name, field, help_text)


class FormPage(QWidget):
    """A column of labeled fields, for example on a tab of a dialog."""

    def __init__(self) -> None:
        super().__init__()
        self._column = vbox(Stretch(1), parent=self, margins=(0, SMALL, 0, 0), spacing=SMALL)

    def add_field(self, name: str, field: QWidget, help_text: str = "") -> QWidget:
        """Add a labeled field below the others; the label is its accessible name too.

        Returns the field with its label and help text, to be hidden and shown.
        """
        part = QWidget()
        rows = vbox(parent=part, spacing=SMALL)
        _add_field(rows, name, field, help_text)
        self.add_part(part)
        return part

    def add_part(self, part: QWidget) -> None:
        """Add a widget below the others."""
        self._column.insertWidget(self._column.count() - 1, part)


def _add_field(column: QVBoxLayout, name: str, field: QWidget, help_text: str) -> None:
    column.addWidget(field_label(name, field))
    column.addWidget(field)
    if help_text:
        column.addWidget(Label(help_text, Type.SMALL, "muted", wrap=True))
    column.addSpacing(SMALL)


class MessageDialog(Dialog):
    """A dialog that shows a message. remedy: label of a second button, empty = none.

    Signals:
        remedy_requested: the second button was pressed; the dialog closes after it.
    """

    remedy_requested = Signal()

    def __init__(
        self,
        title: str,
        sentence: str,
        small: str = "",
        verb: str = tr("Close"),
        parent: QWidget | None = None,
        *,
        remedy: str = "",
    ) -> None:
        super().__init__(title, verb, parent)
        self.cancel_button.hide()
        self.remedy_button = plain_button(remedy)
        self.remedy_button.setVisible(bool(remedy))
        self.remedy_button.clicked.connect(self._request_remedy)
        self._buttons.insertWidget(1, self.remedy_button)
        self.body.addWidget(Label(sentence, wrap=True))
        if small:
            self.body.addWidget(Label(small, Type.SMALL, "muted", wrap=True))

    @Slot()
    def _request_remedy(self) -> None:
        self.remedy_requested.emit()
        self.accept()
