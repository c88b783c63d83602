"""What assistive technology gets besides names: announcements, and roles of custom widgets."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget

_roles: dict[type[QWidget], QAccessible.Role] = {}


def announce(widget: QWidget, sentence: str) -> None:
    """Let screen readers speak a sentence after what they are speaking, if the widget is shown."""
    if sentence and widget.isVisible():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, sentence))


def set_role(kind: type[QWidget], role: QAccessible.Role) -> None:
    """Report widgets of a class with a role; their names are those of `setAccessibleName`."""
    if not _roles:
        QAccessible.installFactory(_interface)
    _roles[kind] = role


def _interface(class_name: str, thing: QObject) -> QAccessibleInterface | None:
    role = _roles.get(type(thing))  # type: ignore[arg-type]
    return None if role is None or not isinstance(thing, QWidget) else QAccessibleWidget(thing, role)
