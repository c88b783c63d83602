"""Buttons of all kinds, search fields, and the lock of widgets that edit a study open read-only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QDialog,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)
from shiboken6 import Shiboken

from gui.background.turn_queue import painting
from gui.style import icons, theme
from gui.style.language import plain_tip, tr
from gui.widgets.accessible import announce

if TYPE_CHECKING:
    _Window = QWidget
else:
    _Window = object  # a mixin: the window's own class follows it

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


def plain_button(text: str, icon: str = "") -> QPushButton:
    """Return a button with a border."""
    return _button(text, "plain", icon, "muted")


class SteadyButton(QPushButton):
    """A button as wide as the longest of its labels, so that its neighbors do not move."""

    def __init__(self, labels: Sequence[str]) -> None:
        super().__init__(labels[0])
        self._labels = labels

    def sizeHint(self) -> QSize:
        hint, letters = super().sizeHint(), self.fontMetrics()
        own, *all_widths = (
            letters.size(Qt.TextFlag.TextShowMnemonic, label).width()  # as Qt measures it
            for label in (self.text(), *self._labels)
        )
        return QSize(hint.width() + max(all_widths) - own, hint.height())


def primary_button(text: str, icon: str = "", labels: Sequence[str] = ()) -> QPushButton:
    """Return the primary button of a page. labels: all that it shows at times."""
    return _button(text, "primary", icon, "on_accent", SteadyButton(labels) if labels else None)


def link_button(text: str, icon: str = "") -> QPushButton:
    """Return a button that looks like a link, for headers, rows and notices."""
    button = _button(text, "link", icon, "accent")
    button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return button


def quiet_button(text: str, icon: str = "") -> QPushButton:
    """Return a button with muted text, for a value that can be changed."""
    button = _button(text, "quiet", icon, "muted")
    button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return button


class EnterPresses(_Window):
    """Mixin of windows in which Enter presses the focused button, as Space does.

    The button must have had the focus when Enter was pressed: a field that handles Enter may have moved it.
    Boxes that are checked keep to Space, as Enter in a dialog is its main button.
    A window is painted in a turn of its own, not at the end of the one in which it was changed.
    """

    _receiver: QWidget | None = None
    _is_painting = False

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.WindowBlocked, QEvent.Type.WindowUnblocked):
            return True  # of no use to the thousands of widgets on all pages, to which Qt would send it
        if event.type() is QEvent.Type.UpdateRequest and not self._is_painting:
            painting().add(self._paint)
            return True
        if event.type() is QEvent.Type.ShortcutOverride:  # comes before the key itself
            self._receiver = self.focusWidget()
        return super().event(event)

    def _paint(self) -> None:
        if Shiboken.isValid(self):  # it was not closed meanwhile
            self._is_painting = True
            try:
                QApplication.sendEvent(self, QEvent(QEvent.Type.UpdateRequest))
            finally:
                self._is_painting = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        button = self.focusWidget()
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        is_plain = not event.isAutoRepeat() and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if not (is_enter and is_plain and isinstance(button, QPushButton | QToolButton)):
            super().keyPressEvent(event)
        elif button is self._receiver:
            button.click()


def set_kind(button: QPushButton, kind: str) -> None:
    """Give a button the look of another kind, such as ``link`` or ``quiet``."""
    if button.property("kind") != kind:
        button.setProperty("kind", kind)
        button.style().unpolish(button)
        button.style().polish(button)


def icon_button(icon: str, name: str, size: int = icons.ROW_PX) -> QToolButton:
    """Return an icon button; `name` is its tooltip and accessible name."""
    button = QToolButton()
    _make_icon_button(button, icon, name, size)
    return button


def rename(control: QWidget, name: str) -> None:
    """Give a control without words a name, which is also its tooltip."""
    control.setToolTip(plain_tip(name))
    control.setAccessibleName(name)


def open_menu(button: QPushButton, menu: QMenu) -> None:
    """Let a button open a menu, which an arrow at its right shows."""
    button.setProperty("opens", True)
    button.setMenu(menu)


def menu_button(
    icon: str, name: str, choices: Sequence[tuple[str, str]], chosen: Callable[[str], object]
) -> QToolButton:
    """Return an icon button with a menu of (key, title); `chosen` is called with the chosen key."""
    button = icon_button(icon, name)
    menu = QMenu(button)
    for key, title in choices:
        menu.addAction(title).triggered.connect(lambda _, key=key: chosen(key))
    button.setMenu(menu)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    return button


NOTHING_FOUND = tr("No results.")


class SearchField(QLineEdit):
    """A search field; `placeholder` is its accessible name too."""

    def __init__(self, placeholder: str) -> None:
        super().__init__()
        self._list: QAbstractItemView | None = None
        self._steps: dict[Qt.Key, Callable[[], object]] = {}
        self.setProperty("kind", "search")
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        self.setClearButtonEnabled(True)
        for button in self.findChildren(QToolButton):  # Qt's own, to clear the field
            button.setAccessibleName(tr("Clear: {placeholder}", placeholder=placeholder))
            button.setToolTip(tr("Clear"))
        self._tint()
        theme.signal().changed.connect(self._tint)

    def filter_rows(self, view: QAbstractItemView, find: Callable[[str], object]) -> None:
        """Filter a list by what is typed; Down goes into it, and that nothing is found is announced.

        Escape clears it and goes back to the list, but closes a dialog.
        """
        self._list = view
        self.textChanged.connect(find)
        self.textChanged.connect(self._announce_nothing)

    def step_through(self, step: Callable[[int], object], page: int = 0) -> None:
        """Move in a list, which takes no focus, by the arrow keys. page: rows of a page, by its keys too."""
        key = Qt.Key
        rows = {key.Key_Down: 1, key.Key_Up: -1, key.Key_PageDown: page, key.Key_PageUp: -page}
        self._steps = {one: partial(step, by) for one, by in rows.items() if by}

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if (step := self._steps.get(Qt.Key(event.key()))) is not None:
            step()
            return
        is_escape = event.key() == Qt.Key.Key_Escape and not isinstance(self.window(), QDialog)
        if self._list is None or not (is_escape or event.key() == Qt.Key.Key_Down):
            super().keyPressEvent(event)
            return
        if is_escape:
            self.clear()
        if not self._list.currentIndex().isValid():
            first = self._list.model().index(0, 0)
            in_group = self._list.model().index(0, 0, first)
            self._list.setCurrentIndex(in_group if in_group.isValid() else first)
        self._list.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(str)
    def _announce_nothing(self, typed: str) -> None:
        if typed and self._list is not None and not self._list.model().rowCount():
            announce(self, NOTHING_FOUND)

    def focus_default(self) -> None:
        """Focus the field and select its text, so that typing replaces it."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        room = QRect(theme.SMALL, 0, theme.px(icons.ROW_PX), self.height())
        icons.draw(QPainter(self), room, "search")

    @Slot()
    def _tint(self) -> None:
        self.setTextMargins(theme.px(icons.ROW_PX) + theme.TIGHT, 0, 0, 0)  # for the glass
        for action in self.findChildren(QAction, "_q_qlineeditclearaction"):
            action.setIcon(icons.icon("close"))  # the desktop's own follows no colours of ours


class ActionButton(QToolButton):
    """An icon button for a command, with the command's state, name and tooltip."""

    def __init__(self, icon: str, name: str, size: int = icons.ROW_PX) -> None:
        super().__init__()
        _make_icon_button(self, icon, name, size)
        self._action: QAction | None = None

    def follow(self, action: QAction) -> None:
        self._action = action
        self.clicked.connect(action.trigger)
        action.changed.connect(self._mirror)
        self._mirror()

    @Slot()
    def _mirror(self) -> None:
        if self._action is not None:
            self.setEnabled(self._action.isEnabled())
            self.setCheckable(self._action.isCheckable())
            self.setChecked(self._action.isChecked())
            self.setToolTip(plain_tip(self._action.toolTip()))
            self.setAccessibleName(self._action.text().replace("&", ""))


def _make_icon_button(button: QToolButton, icon: str, name: str, size: int) -> None:
    button.setProperty("kind", "icon")
    rename(button, name)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    icons.set_icon(button, icon, "muted", size)


def _button(text: str, kind: str, icon: str, token: str, button: QPushButton | None = None) -> QPushButton:
    button = button or QPushButton(text)
    button.setProperty("kind", kind)
    button.setAccessibleName(text.replace("&", ""))
    button.setAutoDefault(False)
    if icon:
        icons.set_icon(button, icon, token)
    return button
