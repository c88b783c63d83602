"""Entry of a number in a range: a slider and a spin box."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QValidator
from PySide6.QtWidgets import QDoubleSpinBox, QHBoxLayout, QSlider, QWidget

from gui.style.language import tr
from gui.style.theme import MEDIUM, px
from gui.widgets.typed_text import TypedText

FIELD_WIDTH = 84
_SLIDER_STEPS = 1000  # of a range that ends between whole numbers
_NOTHING = "–"


class NumberField(QDoubleSpinBox):
    """A spin box whose minimum means no value; it ignores keys that do not belong to a number."""

    def __init__(self, low: float, high: float) -> None:
        super().__init__()
        self.setDecimals(4)
        self.setRange(low - 1, high)
        self.setSpecialValueText(_NOTHING)
        self.setKeyboardTracking(False)

    def textFromValue(self, value: float) -> str:
        return f"{value:g}"

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        if not text:
            return QValidator.State.Acceptable, text, place
        return super().validate(text, place)

    def valueFromText(self, text: str) -> float:
        return self.minimum() if text in ("", _NOTHING) else super().valueFromText(text)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            is_undo = event.matches(QKeySequence.StandardKey.Undo) or event.matches(
                QKeySequence.StandardKey.Redo
            )
            if event.text().isalpha() or (is_undo and not self.lineEdit().isModified()):
                event.ignore()
                return False
        return super().event(event)


class NumberEntry(QWidget):
    """A slider and a spin box for one number; without a value the field shows a dash.

    Signals:
        value_entered: the number, None = cleared.
    """

    value_entered = Signal(object)

    def __init__(self, name: str, low: float, high: float) -> None:
        super().__init__()
        self._low = low
        self._value: float | None = None
        self.slider, self.field = QSlider(Qt.Orientation.Horizontal), NumberField(low, high)
        is_whole = low == int(low) and high == int(high)
        self._step = 1.0 if is_whole else (high - low) / _SLIDER_STEPS
        self.slider.setRange(0, round((high - low) / self._step))
        self.slider.setPageStep(max(1, self.slider.maximum() // 10))
        self.slider.setTracking(False)
        self.slider.setAccessibleName(tr("{name}, slider", name=name))
        self.slider.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.field.setAccessibleName(name)
        self.field.setSingleStep(self._step)
        self.field.setFixedWidth(px(FIELD_WIDTH))
        self.field.lineEdit().setAccessibleName(name)
        self._typed = TypedText(
            self.field.lineEdit(), self._store, is_same=self._is_same, is_storable=self._is_number
        )
        self.setFocusProxy(self.field)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(MEDIUM)
        row.addWidget(self.slider, 1)
        row.addWidget(self.field)
        self.slider.sliderMoved.connect(self._preview)
        self.slider.valueChanged.connect(lambda at: self._give(self._low + at * self._step))
        self.field.valueChanged.connect(self._entered)
        self.show_value(None)

    def show_value(self, value: float | None, object_id: str = "") -> None:
        """Show the number of an object, None = no value. A number that is being typed stays."""
        text = _NOTHING if value is None else self.field.textFromValue(value)
        self._typed.show(text, object_id)
        if self._typed.is_unsaved:
            return
        self._value = value
        with QSignalBlocker(self.slider), QSignalBlocker(self.field):
            self.slider.setValue(0 if value is None else round((value - self._low) / self._step))
            if not self.field.hasFocus() or not self._is_same(self.field.text(), text):
                self.field.setValue(self.field.minimum() if value is None else value)
            self.field.lineEdit().setModified(False)

    def _store(self, _: str, text: str) -> None:
        """Enter the number that is typed; the field shows it as typed until it is left."""
        self._entered(self.field.valueFromText(text))

    def _is_number(self, text: str) -> bool:
        return self.field.validate(text, 0)[0] is QValidator.State.Acceptable

    def _is_same(self, typed: str, stored: str) -> bool:
        return self.field.valueFromText(typed) == self.field.valueFromText(stored)

    @Slot(int)
    def _preview(self, at: int) -> None:
        """Show the slider's value while it is dragged; releasing it enters the number."""
        with QSignalBlocker(self.field):
            self.field.setValue(self._low + at * self._step)

    @Slot(float)
    def _entered(self, value: float) -> None:
        self._give(None if value < self._low else value)

    def _give(self, value: float | None) -> None:
        if value != self._value:
            self._value = value
            self.value_entered.emit(value)
