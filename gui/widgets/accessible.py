"""Roles of our own widgets for assistive technology; Qt would report them as a border or a client."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget

_roles: dict[type[QWidget], QAccessible.Role] = {}


def set_role(kind: type[QWidget], role: QAccessible.Role) -> None:
    """Report widgets of this class in this role; their names stay those of `setAccessibleName`."""
    if not _roles:
        QAccessible.installFactory(_interface)
    _roles[kind] = role


def _interface(class_name: str, thing: QObject) -> QAccessibleInterface | None:
    role = _roles.get(type(thing))  # type: ignore[arg-type]
    return None if role is None or not isinstance(thing, QWidget) else QAccessibleWidget(thing, role)
