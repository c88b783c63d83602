"""Widget for one rating scale: name, question and a row of numbers, or a slider for large ranges."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAccessible, QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
)

from gui.pages.ratings.values import ScaleRow
from gui.style.theme import HAIR, SMALL, TIGHT, Type, px
from gui.style.tooltips import plain_tip
from gui.widgets.accessible import set_role
from gui.widgets.edit_lock import edits
from gui.widgets.label import Label
from gui.widgets.number_entry import NumberEntry

NOT_RATED = "not rated"
_DIGITS = {Qt.Key(Qt.Key.Key_0.value + digit): digit for digit in range(10)}
_TEN = 10
_MIN_BUTTON_PX = 28
_LONG_ANCHOR = 24  # characters; if one anchor is longer, each has its own line


class RatingScale(QFrame):
    """A named scale, which is one tab stop. Digits rate (0 means 10), arrow keys change the value by one.

    buttons: by value; empty for a scale with a slider.

    Signals:
        rated: dimension id, value; None = the rating is cleared.
        entered: the scale got the focus other than by a click.
    """

    rated = Signal(str, object)
    entered = Signal()

    def __init__(self, row: ScaleRow) -> None:
        super().__init__()
        self.row = row
        self.name_label = Label(row.name[:1].upper() + row.name[1:], Type.STRONG, wrap=True)
        self.value_label = Label("", Type.SMALL, "muted")
        self.question_label = Label(row.question, Type.BODY, wrap=True)
        self.description_label = Label(row.description, Type.SMALL, "muted", wrap=True)
        self.anchors_label = Label(_anchors_text(row), Type.SMALL, "muted", wrap=True)
        self.buttons: dict[int, QPushButton] = {}
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)  # so that a rating can be cleared
        self.entry = None if row.steps else NumberEntry(row.name, row.low, row.high)
        self.setProperty("kind", "scale")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._arrange()
        self.show_value(row.value)

    @property
    def is_rated(self) -> bool:
        """Whether the scale has a rating."""
        return self.value_label.text() != NOT_RATED

    def show_value(self, value: float | None) -> None:
        """Show a rating; None = not rated. A value between two buttons is shown in the label only."""
        for step, button in self.buttons.items():
            button.setChecked(value is not None and step == value)
        if self.entry is not None:
            self.entry.show_value(value)
        self.value_label.setText(NOT_RATED if value is None else f"{value:g} of {self.row.high:g}")
        meaning = self.row.anchor(value) if value is not None else ""
        self.setAccessibleName(f"{self.row.name}: {self.value_label.text()}{meaning and f', {meaning}'}")

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._announce(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFocusEvent) and event.gotFocus():
            self._announce(event)
        return super().eventFilter(watched, event)

    def _announce(self, event: QFocusEvent) -> None:
        if event.reason() is not Qt.FocusReason.MouseFocusReason:
            self.entered.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        digit = _DIGITS.get(Qt.Key(event.key()))
        if digit == 0 and _TEN in self.buttons:
            digit = _TEN
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if digit is not None and digit in self.buttons:
            self.rated.emit(self.row.dimension_id, float(digit))
        elif step is not None and self.buttons:
            self.rated.emit(self.row.dimension_id, float(self._neighbour(step)))
        else:
            super().keyPressEvent(event)

    def _neighbour(self, step: int) -> int:
        """Return the next value in a direction (-1 or 1); the nearest end if there is no rating."""
        rating = next((value for value, button in self.buttons.items() if button.isChecked()), None)
        if rating is None:
            return min(self.buttons) if step > 0 else max(self.buttons)
        return min(max(rating + step, min(self.buttons)), max(self.buttons))

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(SMALL)
        head.addWidget(self.name_label, 1)
        head.addWidget(self.value_label, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(SMALL, SMALL, SMALL, SMALL)
        column.setSpacing(TIGHT)
        column.addLayout(head)
        column.addWidget(self.question_label)
        if self.entry is None:
            column.addWidget(_Steps([self._button(step) for step in self.row.steps]))
        else:
            self.entry.value_entered.connect(lambda value: self.rated.emit(self.row.dimension_id, value))
            self.setFocusProxy(self.entry)
            self.entry.field.installEventFilter(self)
            edits(self.entry)
            column.addWidget(self.entry)
        column.addWidget(self.anchors_label)
        column.addWidget(self.description_label)
        for label in (self.question_label, self.anchors_label, self.description_label):
            label.setVisible(bool(label.text()))

    def _button(self, step: int) -> QPushButton:
        button, meaning = QPushButton(str(step)), self.row.anchor(step)
        button.setProperty("kind", "segment")
        button.setCheckable(True)
        button.setAutoExclusive(True)  # for screen readers a radio button; the group overrides the behaviour
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        button.setAccessibleName(f"{self.row.name}: {step}{meaning and f', {meaning}'}")
        if meaning:
            button.setToolTip(plain_tip(meaning))
        button.clicked.connect(lambda: self._press(step))
        self._group.addButton(button)
        edits(button)
        self.buttons[step] = button
        return button

    @Slot()
    def _press(self, step: int) -> None:
        """Rate, or clear the rating if this button was checked already."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        is_checked = self.buttons[step].isChecked()
        self.rated.emit(self.row.dimension_id, float(step) if is_checked else None)


class _Steps(QFrame):
    """Buttons of equal width, in as many rows as needed."""

    def __init__(self, buttons: list[QPushButton]) -> None:
        super().__init__()
        self.setProperty("kind", "segments")
        self._buttons, self._columns = buttons, 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(HAIR, HAIR, HAIR, HAIR)
        self._grid.setSpacing(HAIR)
        self._fill(len(buttons))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(_MIN_BUTTON_PX), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        fitting = max(1, min(len(self._buttons), self.width() // px(_MIN_BUTTON_PX)))
        rows = -(-len(self._buttons) // fitting)
        self._fill(-(-len(self._buttons) // rows))

    def _fill(self, columns: int) -> None:
        if columns == self._columns:
            return
        for column in range(max(columns, self._columns)):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
        self._columns = columns
        for index, button in enumerate(self._buttons):
            self._grid.addWidget(button, *divmod(index, columns))


def _anchors_text(row: ScaleRow) -> str:
    texts = [f"{value:g} {text}" for value, text in row.anchors]
    is_long = any(len(text) > _LONG_ANCHOR for text in texts)
    return ("\n" if is_long else "  ·  ").join(texts)


set_role(RatingScale, QAccessible.Role.Grouping)  # Qt would announce a border
