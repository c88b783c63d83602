"""Segmented control: one of a few choices."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QActionGroup, QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QMenu, QSizePolicy, QToolButton

from gui.style import theme
from gui.style.language import plain_tip, tr
from gui.style.theme import HAIR, Type
from gui.widgets.accessible import set_role
from gui.widgets.layouts import hbox


class Segment(QToolButton):
    """A button of a segmented control, with room for its text in bold, which it has once it is checked."""

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        if self.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonIconOnly and not self.icon().isNull():
            return hint
        bold = QFontMetrics(theme.font(Type.STRONG))
        more = bold.horizontalAdvance(self.text()) - self.fontMetrics().horizontalAdvance(self.text())
        return QSize(hint.width() + max(more, 0), hint.height())


class Tab(Segment):
    """A segment that shows a page or a leaf of a panel."""


set_role(Segment, QAccessible.Role.RadioButton)
set_role(Tab, QAccessible.Role.PageTab)


class Segmented(QFrame):
    """A choice among a few visible segments; arrow keys move through them.

    Signals:
        chosen: the key of the segment that the user chose.
    """

    chosen = Signal(str)
    segment: type[Segment] = Segment

    def __init__(self, name: str, choices: Sequence[tuple[str, str]]) -> None:
        """choices: (key, text) of each segment; the first is chosen."""
        super().__init__()
        self.setProperty("kind", "segments")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        self._buttons: dict[str, QToolButton] = {}
        self._group = QButtonGroup(self)
        self._row = hbox(parent=self, margins=HAIR, spacing=HAIR)
        for key, text in choices:
            self.add_segment(key, text)
        if choices:
            self.choose(choices[0][0])

    def add_segment(self, key: str, text: str) -> None:
        """Add a segment at the right."""
        button = self._segment(key, text, f"{self.accessibleName()}: {text}")
        self._row.addWidget(button)
        button.setChecked(len(self._buttons) == 1)

    def button(self, key: str) -> QToolButton:
        return self._buttons[key]

    @property
    def keys(self) -> list[str]:
        """Keys of all segments, in order."""
        return list(self._buttons)

    @property
    def current(self) -> str:
        """Key of the current choice."""
        return self.checked

    @property
    def checked(self) -> str:
        return next(key for key, button in self._buttons.items() if button.isChecked())

    def choose(self, key: str) -> None:
        """Choose a segment without a signal."""
        self._buttons[key].setChecked(True)
        for other, button in self._buttons.items():
            one_stop = Qt.FocusPolicy.StrongFocus if other == key else Qt.FocusPolicy.ClickFocus
            button.setFocusPolicy(one_stop)

    def set_text(self, key: str, text: str) -> None:
        """Change the text of a segment, for example to ``Summaries 16``."""
        self._buttons[key].setText(text)
        self._buttons[key].setAccessibleName(f"{self.accessibleName()}: {text}")

    def set_enabled(self, key: str, is_enabled: bool) -> None:
        self._buttons[key].setEnabled(is_enabled)

    def set_visible(self, key: str, is_visible: bool) -> None:
        """Show or hide a segment; a hidden one cannot be chosen by the user."""
        self._buttons[key].setVisible(is_visible)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        keys = [key for key, button in self._buttons.items() if button.isEnabled() and not button.isHidden()]
        key = keys[(keys.index(self.checked) + step) % len(keys)]
        self._buttons[key].setFocus(Qt.FocusReason.TabFocusReason)
        self._pick(key)

    def _segment(self, key: str, text: str, name: str) -> QToolButton:
        button = self.segment()
        button.setProperty("kind", "segment")
        button.setText(text)
        button.setCheckable(True)
        button.setAccessibleName(name)
        button.clicked.connect(lambda: self._pick(key))
        # Arrows must reach the row: a tool button keeps them for its own group otherwise.
        button.installEventFilter(self)
        self._group.addButton(button)
        self._buttons[key] = button
        return button

    def eventFilter(self, watched: object, event: object) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() is not QKeyEvent.Type.KeyPress:
            return False
        is_arrow = event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right)
        if is_arrow:
            self.keyPressEvent(event)
        return is_arrow

    def _pick(self, key: str) -> None:
        self.choose(key)
        self.chosen.emit(key)


class Tabs(Segmented):
    """A segmented control whose segments are tabs."""

    segment = Tab


set_role(Segmented, QAccessible.Role.Grouping)
set_role(Tabs, QAccessible.Role.PageTabList)
_MORE = "more"


class SegmentedMore(Segmented):
    """A segmented control whose last segment opens a menu and shows the choice made there."""

    def __init__(
        self, name: str, choices: Sequence[tuple[str, str]], more: Sequence[tuple[str, str]]
    ) -> None:
        """choices: (key, text) of the visible segments. more: those of the menu."""
        super().__init__(name, (*choices, (_MORE, tr("More"))))
        self._more = dict(more)
        self._hidden = more[0][0]
        button = self.button(_MORE)
        self.more_menu = QMenu(button)
        group = QActionGroup(self.more_menu)
        for key, text in more:
            action = self.more_menu.addAction(text)
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(lambda _, key=key: self._pick(key))
        button.setMenu(self.more_menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setToolTip(plain_tip(tr("More: ") + ", ".join(self._more.values())))

    @property
    def current(self) -> str:
        return self._hidden if self.checked == _MORE else self.checked

    def choose(self, key: str) -> None:
        """Choose a segment or menu entry without a signal."""
        more = getattr(self, "_more", {})
        if key in more:
            self._hidden = key
            self.set_text(_MORE, more[key])
        super().choose(_MORE if key in more else key)

    def _pick(self, key: str) -> None:
        if key == _MORE:  # by an arrow: what was chosen there last
            key = self._hidden
        super()._pick(key)
