"""What assistive technology gets besides names: announcements, roles of custom widgets, labels of boxes.

A text that is on screen twice for the eyes, such as the title of a panel, is in its tree once.
"""

from __future__ import annotations

import re

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleInterface
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAccessibleWidget,
    QComboBox,
    QLabel,
    QWidget,
)

_PRESS = "Press"
_roles: dict[type[QWidget], QAccessible.Role] = {}


def announce(widget: QWidget, sentence: str) -> None:
    """Let screen readers speak a sentence after what they are speaking, if the widget is shown."""
    if sentence and widget.isVisible():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, sentence))


def announce_rows(view: QAbstractItemView) -> None:
    """Announce the current row of a list while the keyboard stays in its search field.

    A search changes it many times; the row where it ends is announced.
    """
    timer = QTimer(view, singleShot=True, interval=0)

    def speak() -> None:
        current = view.currentIndex()
        columns = range(view.model().columnCount(current.parent())) if current.isValid() else ()
        cells = (str(current.siblingAtColumn(column).data() or "") for column in columns)
        announce(view, " ".join(filter(None, (*cells, current.parent().data()))))

    timer.timeout.connect(speak)
    view.selectionModel().currentRowChanged.connect(lambda: timer.start())


def spoken(widget: QWidget) -> str:
    """Return what screen readers read of a widget, or of its current item: name, value, description."""
    whole = QAccessible.queryAccessibleInterface(widget)
    read = whole.focusChild() or whole
    kinds = (QAccessible.Text.Name, QAccessible.Text.Value, QAccessible.Text.Description)
    return ", ".join(dict.fromkeys(filter(None, (widget.accessibleName(), *map(read.text, kinds)))))


def set_role(kind: type[QWidget], role: QAccessible.Role) -> None:
    """Report widgets of a class and of those derived from it with a role.

    Their names are those of `setAccessibleName`.
    """
    _roles[kind] = role


class _Choice(QAccessibleWidget):
    """A button that is one of several: checked and selected or not."""

    def state(self) -> QAccessible.State:
        state, button = super().state(), self.object()
        is_checked = isinstance(button, QAbstractButton) and button.isChecked()
        state.checkable = state.selectable = True
        state.checked = state.selected = is_checked
        return state

    def actionNames(self) -> list[str]:
        return [_PRESS, *super().actionNames()]

    def doAction(self, name: str) -> None:
        button = self.object()
        if name == _PRESS and isinstance(button, QAbstractButton):
            button.click()
        else:
            super().doAction(name)


class _Words(QAccessibleWidget):
    """A label; assistive technology does not find one that is decoration, or said by what it belongs to."""

    def text(self, kind: QAccessible.Text) -> str:
        label = self.object()
        if kind is QAccessible.Text.Name and isinstance(label, QLabel):
            return label.accessibleName() or label.text()
        return super().text(kind)

    def state(self) -> QAccessible.State:
        state, label = super().state(), self.object()
        if isinstance(label, QLabel) and (label.buddy() is not None or _is_said(label)):
            state.invisible = True
        return state


def _is_said(label: QLabel) -> bool:
    """Return whether a text has no words, is in the name of what is around it, or begins that of a neighbour.

    It may also be the help of the neighbour.
    """
    text, above = label.accessibleName() or label.text(), label.parentWidget()
    if not any(sign.isalnum() for sign in text):
        return True
    whole = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    for one in above.findChildren(QWidget, options=direct) if above is not None else ():
        is_about = whole.match(one.accessibleName()) or text == one.accessibleDescription()
        if is_about and not isinstance(one, QLabel) and not one.isHidden():
            return True
    while above is not None:
        if whole.search(above.accessibleName()):
            return True
        above = above.parentWidget()
    return False


def _interface(class_name: str, thing: QObject) -> QAccessibleInterface | None:
    """Create the interface of a label, or of a widget with a role of its own; None = Qt's."""
    if isinstance(thing, QLabel):
        return _Words(thing, QAccessible.Role.StaticText)
    role = next((_roles[kind] for kind in type(thing).__mro__ if kind in _roles), None)
    if role is None or not isinstance(thing, QWidget):
        return None
    return (_Choice if isinstance(thing, QAbstractButton) else QAccessibleWidget)(thing, role)


def label_boxes(window: QWidget) -> None:
    """Give combo boxes invisible labels: on Linux the name of one is its value, and its label is read."""
    for box in window.findChildren(QComboBox):
        parent = box.parentWidget() or window
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        if not any(label.buddy() is box for label in parent.findChildren(QLabel, options=direct)):
            label = QLabel(box.accessibleName(), parent)
            label.setBuddy(box)
            label.hide()


QAccessible.installFactory(_interface)
