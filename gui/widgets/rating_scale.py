"""One dimension as a row of numbers, or as a field where it has too many of them."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QDoubleSpinBox,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
)

from gui.theme import HAIR, SMALL, TIGHT, Type
from gui.values.ratings import ScaleLine
from gui.widgets.label import Label

_DIGITS = {Qt.Key(Qt.Key.Key_0.value + digit): digit for digit in range(10)}
_TEN = 10


class RatingScale(QFrame):
    """A named scale, one stop for Tab. Digits rate (0 is ten), arrows move by one.

    Signals:
        rated: dimension id, value; None = the rating is taken back.
    """

    rated = Signal(str, object)

    def __init__(self, line: ScaleLine) -> None:
        super().__init__()
        self.line = line
        self.name_label = Label(line.name[:1].upper() + line.name[1:], Type.STRONG)
        self.value_label = Label("", Type.SMALL, "muted")
        self.guideline_label = Label(line.guideline, Type.SMALL, "muted", wrap=True)
        self.guideline_label.setVisible(bool(line.guideline))
        self._buttons: dict[int, QToolButton] = {}
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._field = QDoubleSpinBox()
        self._segments = QFrame()
        self._segments.setProperty("kind", "segments")
        self.setProperty("kind", "scale")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._arrange()
        self.show_value(line.value)

    def show_value(self, value: float | None) -> None:
        """Show a rating; None = not rated. One between two steps stands beside the scale in words."""
        for step, button in self._buttons.items():
            button.setChecked(value is not None and step == value)
        if not self._buttons and not self._field.hasFocus():
            self._field.setValue(self.line.low if value is None else value)
        self.value_label.setText("not rated" if value is None else f"{value:g} of {self.line.high:g}")
        self.setAccessibleName(f"{self.line.name}: {self.value_label.text()}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        digit = _DIGITS.get(Qt.Key(event.key()))
        if digit == 0 and _TEN in self._buttons:
            digit = _TEN
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if digit is not None and digit in self._buttons:
            self.rated.emit(self.line.dimension_id, float(digit))
        elif step is not None and self._buttons:
            self.rated.emit(self.line.dimension_id, float(self._beside(step)))
        else:
            super().keyPressEvent(event)

    def _beside(self, step: int) -> int:
        chosen = [value for value, button in self._buttons.items() if button.isChecked()]
        if not chosen:
            return min(self._buttons) if step > 0 else max(self._buttons)
        return min(max(chosen[0] + step, min(self._buttons)), max(self._buttons))

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(SMALL)
        head.addWidget(self.name_label)
        head.addStretch(1)
        head.addWidget(self.value_label)
        row = QHBoxLayout(self._segments)
        row.setContentsMargins(HAIR, HAIR, HAIR, HAIR)
        row.setSpacing(HAIR)
        for step in self.line.steps:
            row.addWidget(self._segment(step))
        column = QVBoxLayout(self)
        column.setContentsMargins(SMALL, SMALL, SMALL, SMALL)
        column.setSpacing(TIGHT)
        column.addLayout(head)
        column.addWidget(self._segments if self._buttons else self._number_field())
        column.addWidget(self.guideline_label)

    def _number_field(self) -> QDoubleSpinBox:
        self._field.setAccessibleName(self.line.name)
        self._field.setRange(self.line.low, self.line.high)
        self._field.setKeyboardTracking(False)
        self._field.lineEdit().textEdited.connect(lambda: self._field.setProperty("is_edited", True))
        self._field.editingFinished.connect(self._enter)
        self.setFocusProxy(self._field)
        return self._field

    @Slot()
    def _enter(self) -> None:
        if self._field.property("is_edited"):
            self._field.setProperty("is_edited", False)
            self.rated.emit(self.line.dimension_id, self._field.value())

    def _segment(self, step: int) -> QToolButton:
        button = QToolButton()
        button.setProperty("kind", "segment")
        button.setText(str(step))
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.setAccessibleName(f"{self.line.name}: {step}")
        button.clicked.connect(lambda: self._press(step))
        self._group.addButton(button)
        self._buttons[step] = button
        return button

    def _press(self, step: int) -> None:
        """Pressing the number that is given takes it back."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        is_given = self._buttons[step].isChecked()
        self.rated.emit(self.line.dimension_id, float(step) if is_given else None)
