"""Controls for choices, numbers and steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAction,
    QActionGroup,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPaintEvent,
    QPalette,
)
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFrame,
    QLayout,
    QLayoutItem,
    QMenu,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QStyle,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStylePainter,
    QToolButton,
    QToolTip,
    QWidget,
)

from gui.style import theme
from gui.style.language import literal, plain_tip, tr
from gui.style.theme import HAIR, LEFT, SMALL, TIGHT, Type, px
from gui.widgets.accessible import announce, set_role
from gui.widgets.buttons import icon_button, quiet_button
from gui.widgets.label import Badge, ElidedLabel, Label
from gui.widgets.layouts import clear, hbox


class ComboBox(QComboBox):
    """A combo box that elides its text if it does not fit; its tooltip is then the full text.

    name: for screen readers. choices: see `offer`.
    chars: its width, in characters; 0 = that of the longest choice.

    Signals:
        chosen: the key that the user has chosen.
    """

    chosen = Signal(object)

    def __init__(self, name: str = "", choices: Iterable[tuple[object, str]] = (), chars: int = 0) -> None:
        super().__init__()
        self.activated.connect(lambda _: self.chosen.emit(self.currentData()))
        self.setAccessibleName(name)
        self.offer(choices)
        if chars:
            self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            self.setMinimumContentsLength(chars)

    def offer(self, choices: Iterable[tuple[object, str]], chosen: object = None) -> None:
        """Offer keys with their titles, one of them chosen, without a signal."""
        with QSignalBlocker(self):
            self.clear()
            for key, title in choices:
                self.addItem(title, key)
            self.choose(chosen)

    def choose(self, key: object) -> None:
        """Choose by a key; the first if there is none."""
        self.setCurrentIndex(max(self.findData(key), 0))

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.shown_text
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    @property
    def shown_text(self) -> str:
        """The text as it is painted."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        control, field = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(control, option, field, self).width()
        return self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and self.shown_text != self.currentText():
            QToolTip.showText(event.globalPos(), plain_tip(self.currentText()), self)
            return True
        return super().event(event)


def number_box(name: str, low: int, high: int, value: int) -> QSpinBox:
    """Return a box for a whole number within limits. name: for screen readers."""
    box = QSpinBox()
    box.setRange(low, high)
    box.setValue(value)
    box.setAccessibleName(name)
    return box


class FlowLayout(QLayout):
    """Arranges widgets side by side at their own size and wraps full rows."""

    def __init__(self, space: int = SMALL) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._space = space
        self._heights: dict[int, int] = {}  # by width
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            self._heights[width] = self._place(QRect(0, 0, width, 0), moves=False)
        return self._heights[width]

    def invalidate(self) -> None:
        self._heights.clear()
        super().invalidate()

    def setGeometry(self, area: QRect) -> None:
        super().setGeometry(area)
        self._place(area, moves=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        smallest = QSize()
        for item in self._items:
            smallest = smallest.expandedTo(item.minimumSize())
        return smallest

    def _place(self, area: QRect, *, moves: bool) -> int:
        """Place the items, or only compute the height that they need at this width."""
        x, y, row_height = area.x(), area.y(), 0
        for item in self._items:
            if item.isEmpty():  # its widget is hidden
                continue
            size = item.sizeHint()
            if x > area.x() and x + size.width() > area.right() + 1:
                x, y, row_height = area.x(), y + row_height + self._space, 0
            if moves:
                item.setGeometry(QRect(QPoint(x, y), size))
            x += size.width() + self._space
            row_height = max(row_height, size.height())
        return y + row_height - area.y()


class Flow(QWidget):
    """Widgets in rows that wrap."""

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self._flow = FlowLayout()
        for widget in widgets:
            self._flow.addWidget(widget)
        self.setLayout(self._flow)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)


class Chips(Flow):
    """Chips with names."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self.texts: tuple[str, ...] = ()

    def show_chips(self, texts: Sequence[str]) -> None:
        """Replace the names."""
        if self.texts == tuple(texts):
            return
        self.texts = tuple(texts)
        clear(self._flow)
        for text in texts:
            self._flow.addWidget(Badge(text))
        self.setAccessibleName(f"{self._name}: {', '.join(texts)}")


_BEFORE, _CHEVRON = 10, 28
"""Pixels before the words, and at the right for the sign that a menu opens."""
_NAMES_WIDTH = 200
"""Room in which the names of several choices are shown, and elided, instead of their number."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice: the key that signals carry, and its label."""

    key: str
    title: str


class MultiChoice(QPushButton):
    """A button that shows the current choice and opens a menu of all entries.

    what: subject of the choice, for screen readers. all_text: its text if nothing or everything is chosen.
    needs_one: at least one entry stays checked; else none means all.

    Signals:
        chosen: tuple of the chosen keys, in order; empty = all (never with needs_one).
    """

    chosen = Signal(object)

    def __init__(self, what: str, all_text: str, *, needs_one: bool = False) -> None:
        super().__init__()
        self.setProperty("kind", "choice")
        self._what, self._all_text, self._needs_one = what, all_text, needs_one
        self._actions: dict[Choice, QAction] = {}
        self._names = ""
        self.list_menu = StickyMenu(self)
        self.setMenu(self.list_menu)
        self.setAutoDefault(False)
        self._update_text()

    def show_choices(self, choices: Sequence[Choice], chosen: Sequence[str]) -> None:
        """Show these entries, with these keys checked."""
        if list(choices) != list(self._actions):
            self.list_menu.clear()
            self._actions = {choice: self._action(choice) for choice in choices}
        self.show_current(chosen)

    def show_current(self, chosen: Sequence[str]) -> None:
        """Check these keys."""
        for choice, action in self._actions.items():
            action.setChecked(choice.key in chosen)
        self._update_text()

    @property
    def current(self) -> tuple[str, ...]:
        """The checked keys, in order."""
        return tuple(choice.key for choice, action in self._actions.items() if action.isChecked())

    @property
    def displayed(self) -> str:
        """The words that are painted: the names of several choices in a wide box, else their number."""
        return self._names if self.width() - _BEFORE - _CHEVRON >= px(_NAMES_WIDTH) else self.text()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text left-aligned, as style sheets center that of a button with a menu."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        room = self.rect().adjusted(_BEFORE, 0, -_CHEVRON, 0)
        elided = option.fontMetrics.elidedText(self.displayed, Qt.TextElideMode.ElideRight, room.width())
        ink = QPalette.ColorRole.ButtonText
        painter.drawItemText(room, int(LEFT), option.palette, self.isEnabled(), elided, ink)

    def _action(self, choice: Choice) -> QAction:
        action = self.list_menu.addAction(literal(choice.title))
        action.setCheckable(True)
        action.triggered.connect(lambda: self._toggled(action))
        return action

    def _toggled(self, action: QAction) -> None:
        if self._needs_one and not self.current:
            action.setChecked(True)
            return
        self._update_text()
        self.chosen.emit(self.current)

    def _update_text(self) -> None:
        titles = [choice.title for choice, action in self._actions.items() if action.isChecked()]
        everything = not self._needs_one and len(titles) in (0, len(self._actions))
        number = tr("{titles} of {choices}", titles=len(titles), choices=len(self._actions))
        self._names = self._all_text if everything else ", ".join(titles) or number
        self.setText(self._names if everything or len(titles) == 1 else number)
        self.setAccessibleName(f"{self._what}: {self._names}")
        self.setToolTip(plain_tip(", ".join(titles) or self._all_text))


_TICKING = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class StickyMenu(QMenu):
    """Stays open when checkable actions are triggered; other actions close it."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action = self.activeAction()
        if action is not None and action.isCheckable():
            action.trigger()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = self.activeAction()
        if event.key() in _TICKING and action is not None and action.isCheckable():
            action.trigger()
        else:
            super().keyPressEvent(event)


class Segment(QToolButton):
    """A button of a segmented control, with room for its text in bold, which it has once it is checked."""

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        if self.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonIconOnly and not self.icon().isNull():
            return hint
        bold = theme.metrics(Type.STRONG)
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
        """Return a segment; the user cannot choose one that is hidden or disabled."""
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


SHORT_NAME, LEAST_NAME = 80, 48
"""Width up to which a name is always shown whole, and the least width of a longer one."""


class Stepper(QWidget):
    """A position between two arrows, which is a button if there is a list to choose from, name and title.

    The arrows stay where they are, whatever the position and the name.

    Signals:
        stepped: the previous (-1) or next (+1) one is wanted.
        list_requested: name, title or position was pressed.
    """

    stepped = Signal(int)
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
        self.previous_button.clicked.connect(lambda: self.stepped.emit(-1))
        self.next_button.clicked.connect(lambda: self.stepped.emit(+1))
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
        self.title_label.show_text(title)
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
