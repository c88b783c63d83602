"""Widget for one rating scale: name, question, and numbers, a slider, categories or a text field."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAccessible,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QValidator,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractSlider,
    QButtonGroup,
    QDoubleSpinBox,
    QFrame,
    QGridLayout,
    QPushButton,
    QSizePolicy,
    QSlider,
    QWidget,
)

from core.domain.ratings import MarkedSpan, Rating, ScaleKind
from gui.annotation.stored_text_field import NoteField
from gui.pages.ratings.values import NO_RATING, ScaleRow
from gui.style import icons, theme
from gui.style.language import plain_tip, tr
from gui.style.theme import HAIR, MEDIUM, RIGHT, SMALL, TIGHT, Type, px
from gui.widgets.accessible import set_role
from gui.widgets.buttons import edits, icon_button, link_button
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.layouts import discard, extend, grid, hbox, vbox
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
        self._typed = TypedText(  # the field shows a number as it is typed until it is left
            self.field.lineEdit(),
            lambda _, text: self._entered(self.field.valueFromText(text)),
            is_same=self._is_same,
            is_storable=lambda text: self.field.validate(text, 0)[0] is QValidator.State.Acceptable,
        )
        self.setFocusProxy(self.field)
        hbox((self.slider, 1), self.field, parent=self, spacing=MEDIUM)
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


NOT_RATED, NO_ANSWER = tr("not rated"), tr("no answer")
_NOTE_LINES = 2
_DIGITS = {Qt.Key(Qt.Key.Key_0.value + digit): digit for digit in range(10)}
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_UP_DOWN = (Qt.Key.Key_Up, Qt.Key.Key_Down)  # in categories, which are one below the other
_TEN = 10
_MIN_BUTTON_PX = 28
_LONG_ANCHOR = 24  # characters; if one anchor is longer, each has its own line


class RatingScale(QAbstractSlider):
    """A named scale, which is one tab stop. Digits rate (0 means 10), arrow keys change the value by one.

    On a scale of marked spans a digit marks the selected words of the summary, 0 means that there are none.
    Screen readers get a slider; one below the lowest value means that there is no rating.

    buttons: by value; empty for a scale with a slider or a text field.
    note: the answer on a scale of free text, else visible if there is a note or one is written.

    Signals:
        rated: dimension id, value; None = the rating is cleared; of marked spans 1 = there are none.
        marked: dimension id, category of the selected words.
        mark_removed: dimension id, the marked span.
        noted: summary id, dimension id, note.
        flag_requested: dimension id.
        entered: the scale got the focus other than by a click.
        passed: a digit rated, or Enter ended an answer: the next scale is due.
    """

    rated = Signal(str, object)
    marked = Signal(str, int)
    mark_removed = Signal(str, object)
    noted = Signal(str, str, str)
    flag_requested = Signal(str)
    entered = Signal()
    passed = Signal()

    def __init__(self, row: ScaleRow) -> None:
        super().__init__()
        self.row = row
        self.rating = NO_RATING
        optional = "" if row.is_required else " (optional)"
        self.name_label = Label(row.name[:1].upper() + row.name[1:] + optional, Type.STRONG, wrap=True)
        self.value_label = Label("", Type.SMALL, "muted")
        widest = theme.metrics(Type.SMALL).horizontalAdvance(NOT_RATED)
        self.value_label.setMinimumWidth(widest)  # a rating moves nothing
        self.value_label.setAlignment(RIGHT)
        self.question_label = Label(row.question, Type.BODY, wrap=True)
        self.description_label = Label(row.description, Type.SMALL, "muted", wrap=True)
        anchors = _anchors_text(row) if row.kind is ScaleKind.NUMBER else ""
        self.anchors_label = Label(anchors, Type.SMALL, "muted", wrap=True)
        self.feedback_label = Label("", Type.BODY, "accent", wrap=True)
        self.flag_button = icon_button("flag", tr("Flag the rating of {name}", name=row.name))
        self.note_button = icon_button("comment", tr("Note on the rating of {name}", name=row.name))
        is_text = row.kind is ScaleKind.TEXT
        self.note = (
            NoteField(row.name, tr("Your answer"))
            if is_text
            else NoteField(tr("Note on {name}", name=row.name), tr("Note on this rating"), _NOTE_LINES)
        )
        self.buttons: dict[int, QPushButton] = {}
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)  # so that a rating can be cleared
        has_entry = row.kind is ScaleKind.NUMBER and not row.steps
        self.entry = NumberEntry(row.name, row.low, row.high) if has_entry else None
        is_marked = row.kind is ScaleKind.SPANS
        self.marks = _Marks({int(number): text for number, text in row.anchors}) if is_marked else None
        self.none_button = link_button(tr("Nothing to mark"))
        self.setProperty("kind", "scale")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        if row.steps:
            self.setRange(row.steps[0] - 1, row.steps[-1])
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._arrange()
        self.valueChanged.connect(self._take_value)
        self.show_rating("", "", row.rating)

    @property
    def is_rated(self) -> bool:
        return self.rating.value is not None

    def show_rating(self, summary_id: str, content: str, rating: Rating, feedback: str = "") -> None:
        """Show the rating of a summary, given by its id and text. feedback: the known rating, if any.

        A value between two buttons is shown in the label only.
        """
        self.rating, value = rating, rating.value
        if self.row.steps:
            with QSignalBlocker(self):
                self.setValue(self.minimum() if value is None else round(value))
        if self.marks is not None:
            self.marks.show_spans(rating.spans, content)
            self.none_button.setVisible(value is None)
        else:
            for step, button in self.buttons.items():
                button.setChecked(value is not None and step == value)
        if self.entry is not None:
            self.entry.show_value(value, f"{summary_id} {self.row.id}")
        self.value_label.setText(self._value_text(value))
        self.feedback_label.show_text(feedback)
        has_meaning = value is not None and self.marks is None
        meaning = self.row.anchor(value) if has_meaning and value is not None else ""
        described = ", ".join(
            filter(
                None, (self.value_label.text(), meaning, tr("flagged") if rating.is_flagged else "", feedback)
            )
        )
        self.setAccessibleName(f"{self.row.name}: {described}")
        icons.set_icon(self.flag_button, "flag", "warning" if rating.is_flagged else "muted", icons.ROW_PX)
        self.flag_button.setChecked(rating.is_flagged)
        self.note.typed.show(rating.note, f"{summary_id} {self.row.id}")
        if self.row.kind is not ScaleKind.TEXT:
            self.note.setVisible(bool(rating.note) or self.note.hasFocus())

    @Slot()
    def edit_note(self) -> None:
        """Show the note and give it the focus."""
        self.note.show()
        self.note.setFocus(Qt.FocusReason.OtherFocusReason)

    def _value_text(self, value: float | None) -> str:
        if self.row.kind is ScaleKind.TEXT:
            return NO_ANSWER if value is None else ""
        if value is None:
            return NOT_RATED
        if self.row.kind is ScaleKind.SPANS:
            return tr("%n marks", "", len(self.rating.spans)) if self.rating.spans else tr("no marks")
        if self.row.kind is ScaleKind.NUMBER:
            return tr("{value:g} of {high:g}", value=value, high=self.row.high)
        return ""

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
        if digit == 0 and self.marks is not None:
            self._rate(1.0)
            return
        if digit == 0 and _TEN in self.buttons:
            digit = _TEN
        step = _STEPS.get(Qt.Key(event.key()))
        if Qt.Key(event.key()) in _UP_DOWN and self.row.kind is not ScaleKind.CATEGORIES:
            step = None
        if digit is not None and digit in self.buttons:
            self._choose(digit)
        elif step is not None and self.buttons and self.marks is None:
            self.rated.emit(self.row.id, float(self._neighbour(step)))
        else:
            QWidget.keyPressEvent(self, event)  # a slider's own keys are those of the page

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # it scrolls and never rates

    def _neighbour(self, step: int) -> int:
        """Return the next value in a direction (-1 or 1); the nearest end if there is no rating."""
        rating = next((value for value, button in self.buttons.items() if button.isChecked()), None)
        if rating is None:
            return min(self.buttons) if step > 0 else max(self.buttons)
        return min(max(rating + step, min(self.buttons)), max(self.buttons))

    def _arrange(self) -> None:
        head = hbox((self.name_label, 1), spacing=SMALL)
        for widget in (self.value_label, self.flag_button, self.note_button):
            head.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        self.flag_button.setCheckable(True)
        for button in (self.flag_button, self.note_button):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # F and C do the same
        edits(self.flag_button, self.note_button)
        self.flag_button.clicked.connect(self._request_flag)
        self.note_button.clicked.connect(self.edit_note)
        self.note.committed.connect(self._commit_note)
        self.note.left.connect(self._leave_note)
        column = vbox(head, self.question_label, parent=self, margins=SMALL, spacing=TIGHT)
        if self.row.kind is ScaleKind.TEXT:
            self.setFocusProxy(self.note)
            self.note.installEventFilter(self)
            self.note_button.hide()
        elif self.row.kind in (ScaleKind.CATEGORIES, ScaleKind.SPANS):
            column.addWidget(_Categories(self.row, {step: self._button(step) for step in self.row.steps}))
        elif self.entry is None:
            column.addWidget(_Steps([self._button(step) for step in self.row.steps]))
        else:
            self.entry.value_entered.connect(lambda value: self.rated.emit(self.row.id, value))
            self.entry.field.lineEdit().returnPressed.connect(self._pass)
            self.setFocusProxy(self.entry)
            self.entry.field.installEventFilter(self)
            edits(self.entry)
            column.addWidget(self.entry)
        if self.marks is not None:
            edits(self.none_button)
            self.none_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self.none_button.setToolTip(plain_tip(tr("The summary has nothing to mark (0)")))
            self.none_button.clicked.connect(lambda: self.rated.emit(self.row.id, 1.0))
            self.marks.removed.connect(lambda span: self.mark_removed.emit(self.row.id, span))
            extend(column, self.marks, self.none_button)
        extend(column, self.feedback_label, self.anchors_label, self.description_label, self.note)
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
    def _request_flag(self) -> None:
        self.flag_button.setChecked(self.rating.is_flagged)  # until the flag is stored
        self.flag_requested.emit(self.row.id)

    @Slot(str, str)
    def _commit_note(self, object_id: str, text: str) -> None:
        summary_id, _, dimension_id = object_id.partition(" ")
        self.noted.emit(summary_id, dimension_id, text.strip())
        if self.row.kind is not ScaleKind.TEXT and not text.strip() and not self.note.hasFocus():
            self.note.hide()

    @Slot()
    def _leave_note(self) -> None:
        if self.row.kind is ScaleKind.TEXT:
            self._pass()
            return
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.note.setVisible(bool(self.note.text().strip()))

    def _choose(self, step: int) -> None:
        if self.marks is not None:
            self.marked.emit(self.row.id, step)
        else:
            self._rate(float(step))

    def _rate(self, value: float) -> None:
        """Rate, and go on unless the rating was refused."""
        self.rated.emit(self.row.id, value)
        if self.rating.value == value:
            self.passed.emit()

    @Slot()
    def _pass(self) -> None:
        """Go on; from an answer that is missing, leave the field."""
        if self.is_rated:
            self.passed.emit()
        elif self.row.kind is ScaleKind.TEXT:
            self.focusNextChild()

    @Slot(int)
    def _take_value(self, value: int) -> None:
        """Rate as a screen reader asked for."""
        self.rated.emit(self.row.id, None if value < self.row.low else float(value))

    @Slot()
    def _press(self, step: int) -> None:
        """Rate, or clear the rating if this button was checked already."""
        if self.marks is not None:
            self.buttons[step].setChecked(False)
            self._choose(step)
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        is_checked = self.buttons[step].isChecked()
        self.rated.emit(self.row.id, float(step) if is_checked else None)


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


class _Categories(QFrame):
    """A row for each category: a button with its number, and its name."""

    def __init__(self, row: ScaleRow, buttons: Mapping[int, QPushButton]) -> None:
        super().__init__()
        self.setProperty("kind", "segments")
        rows = grid(self, margins=(HAIR, HAIR, SMALL, HAIR), across=SMALL, down=HAIR)
        self._of_label: dict[QObject, QPushButton] = {}
        for place, (step, button) in enumerate(buttons.items()):
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            button.setFixedWidth(px(_MIN_BUTTON_PX))
            label = Label(row.anchor(step), Type.BODY, wrap=True)
            label.installEventFilter(self)
            self._of_label[label] = button
            rows.addWidget(button, place, 0, Qt.AlignmentFlag.AlignTop)
            rows.addWidget(label, place, 1, Qt.AlignmentFlag.AlignVCenter)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.MouseButtonRelease and watched in self._of_label:
            self._of_label[watched].click()
        return super().eventFilter(watched, event)


class _Marks(QWidget):
    """A row for each marked span: its text, its category, a button that removes it.

    Signals:
        removed: a marked span.
    """

    removed = Signal(object)

    def __init__(self, categories: Mapping[int, str]) -> None:
        super().__init__()
        self._categories = categories
        self._shown: tuple[str, tuple[MarkedSpan, ...]] = "", ()
        self._rows: list[QWidget] = []
        self._column = vbox(parent=self, spacing=HAIR)

    def show_spans(self, spans: tuple[MarkedSpan, ...], content: str) -> None:
        if (content, spans) == self._shown:
            return
        self._shown = content, spans
        discard(self._column, *self._rows)
        self._rows = [self._row(span, content) for span in spans]
        extend(self._column, *self._rows)
        self.setVisible(bool(self._rows))

    def _row(self, span: MarkedSpan, content: str) -> QWidget:
        start, end, category = span
        words = " ".join(content[start:end].split())
        row, text = QWidget(), ElidedLabel(f"{category}  {words}", Type.SMALL)
        text.setToolTip(plain_tip(f"{words} – {self._categories.get(category, '')}"))
        remove = icon_button("close", tr("Remove the mark {words}", words=words))
        remove.clicked.connect(lambda: self.removed.emit(span))
        edits(remove)
        hbox((text, 1), remove, parent=row, spacing=SMALL)
        return row


def scale_widget(row: ScaleRow) -> RatingScale:
    return RatingScale(row) if row.steps and row.kind is not ScaleKind.SPANS else GroupedScale(row)


def _anchors_text(row: ScaleRow) -> str:
    texts = [f"{value:g} {text}" for value, text in row.anchors]
    is_long = any(len(text) > _LONG_ANCHOR for text in texts)
    return ("\n" if is_long else "  ·  ").join(texts)


class GroupedScale(RatingScale):
    """A scale of marked spans, or one whose field holds the value: screen readers get a group."""


set_role(GroupedScale, QAccessible.Role.Grouping)
