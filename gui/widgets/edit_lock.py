"""Lock of the widgets that edit the study, while it is open read-only.

A view registers its editing widgets with `edits`. A locked button is disabled, a locked text field is
read-only (its text can still be copied), and both show the reason as tooltip, even if the view changes them
later.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from gui.style.tooltips import plain_tip

_KINDS = frozenset((QEvent.Type.EnabledChange, QEvent.Type.ToolTipChange, QEvent.Type.ReadOnlyChange))
_DISABLED = Qt.WidgetAttribute.WA_ForceDisabled  # by itself, not through its parent
_reason = ""


def lock(reason: str) -> None:
    """Lock the editing widgets that are registered from now on; an empty reason locks none.

    reason: why the study cannot be changed, and the remedy.
    """
    global _reason
    _reason = reason


def edits(*widgets: QWidget, now: bool = True) -> None:
    """Register widgets that edit the study. now: whether they edit at present."""
    if not _reason:
        return
    for widget in widgets:
        known = widget.findChild(_Lock)
        (known or _Lock(widget, _reason)).hold(is_locked=now)


def refuse(reason: str, *widgets: QWidget) -> None:
    """Lock widgets for a reason of their own, in an open study that can be edited; empty = unlock them."""
    if _reason:
        return
    for widget in widgets:
        known = widget.findChild(_Lock)
        if reason and known is None:
            known = _Lock(widget, reason)
        if known is not None:
            known.reason = reason
            known.hold(is_locked=bool(reason))


class _Lock(QObject):
    """Keeps a widget disabled or read-only, with the reason as its tooltip."""

    def __init__(self, widget: QWidget, reason: str) -> None:
        super().__init__(widget)
        self._widget, self.reason = widget, reason
        self._own_tip, self._is_locked = widget.toolTip(), False
        widget.installEventFilter(self)

    def hold(self, *, is_locked: bool) -> None:
        """Lock the widget, or unlock it."""
        was_locked, self._is_locked = self._is_locked, is_locked
        if is_locked:
            self._keep()
        elif was_locked:
            self._set_usable(True)
            self._widget.setToolTip(self._own_tip)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self._is_locked and watched is self._widget and event.type() in _KINDS:
            self._keep()
        return False

    def _keep(self) -> None:
        self._set_usable(False)
        if self._widget.toolTip() != plain_tip(self.reason):
            self._own_tip = self._widget.toolTip()
            self._widget.setToolTip(plain_tip(self.reason))

    def _set_usable(self, is_usable: bool) -> None:
        if isinstance(self._widget, QLineEdit | QPlainTextEdit):
            if self._widget.isReadOnly() == is_usable:
                self._widget.setReadOnly(not is_usable)
        elif self._widget.testAttribute(_DISABLED) == is_usable:
            self._widget.setEnabled(is_usable)
