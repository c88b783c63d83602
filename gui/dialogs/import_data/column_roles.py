"""Table of the columns of a file: their first values, and what each one is taken as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gui.dialogs.import_data.values import ColumnRow, RoleChoice
from gui.style.theme import SMALL, Type, px
from gui.style.tooltips import plain_tip
from gui.widgets.label import ElidedLabel, Label

PAUSE_MS = 400
"""Pause after the last key press in a name before `changed` is emitted."""

GUESSED = (
    "What each column contains was guessed from its name and its first values. Check it, and change what is "
    "wrong."
)
ASSIGNED = "Choose what each column contains."
_SHOWN_ROWS = 2
_NAME, _ROLE, _DETAIL = 0, 1 + _SHOWN_ROWS, 2 + _SHOWN_ROWS
"""Columns of the grid: the name, the first values, the role, and its name."""

MIN_HEIGHT, MAX_HEIGHT = 68, 240


class ColumnRoles(QWidget):
    """A row for each column of a file, with a box for its role and a field for the role's name.

    Signals:
        changed: the user changed a role or a name.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.intro = Label("", Type.SMALL, "muted", wrap=True)
        self.area = QScrollArea()
        self._boxes: dict[str, QComboBox] = {}
        self._fields: dict[str, QLineEdit] = {}
        self._names: dict[str, ElidedLabel] = {}
        self._choices: dict[str, RoleChoice] = {}
        self._assigned: dict[str, str] = {}
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.changed)
        self.area.setWidgetResizable(True)
        self.area.setAccessibleName("Columns of the file")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SMALL)
        column.addWidget(self.intro)
        column.addWidget(self.area)

    @property
    def assigned(self) -> dict[str, str]:
        """The roles that the user chose, by column; other columns are guessed."""
        return dict(self._assigned)

    def role_box(self, column: str) -> QComboBox:
        """Return the box that chooses what a column is taken as."""
        return self._boxes[column]

    def name_field(self, column: str) -> QLineEdit:
        """Return the field with the name that a column's role needs."""
        return self._fields[column]

    def forget(self) -> None:
        """Remove what the user chose, for another source or format."""
        self._assigned.clear()

    def show_columns(self, rows: Sequence[ColumnRow], choices: Sequence[RoleChoice], hidden: int = 0) -> None:
        """Show the columns of a file; none hides the table. The widgets of the same columns stay.

        hidden: number of further columns that are not displayed.
        """
        self._choices = {choice.key: choice for choice in choices}
        self.setVisible(bool(rows))
        is_same = list(self._boxes) == [row.name for row in rows] and all(
            self._keys(box) == list(self._choices) for box in self._boxes.values()
        )
        if not is_same:
            self._build(rows)
        for row in rows:
            self._show(row)
        is_guessed = any(row.is_guessed and row.role for row in rows)
        more = f" {hidden:,} more columns are not displayed." if hidden else ""
        self.intro.setText((GUESSED if is_guessed else ASSIGNED) + more)

    @staticmethod
    def _keys(box: QComboBox) -> list[str]:
        return [str(box.itemData(at)) for at in range(box.count())]

    def _build(self, rows: Sequence[ColumnRow]) -> None:
        self._boxes, self._fields, self._names = {}, {}, {}
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(SMALL, SMALL, SMALL, SMALL)
        grid.setHorizontalSpacing(SMALL)
        grid.setVerticalSpacing(SMALL)
        titles = ["Column", *(f"Row {number}" for number in range(1, _SHOWN_ROWS + 1)), "Taken as", "Name"]
        for at, title in enumerate(titles):
            grid.addWidget(Label(title, Type.SMALL, "muted"), 0, at)
        for at, stretch in enumerate((4, *[3] * _SHOWN_ROWS, 4, 4)):
            grid.setColumnStretch(at, stretch)
        for line, row in enumerate(rows, 1):
            name = ElidedLabel(row.name, Type.BODY)
            name.setMinimumWidth(px(100))
            grid.addWidget(name, line, _NAME)
            for at in range(_SHOWN_ROWS):
                value = ElidedLabel(row.values[at] if at < len(row.values) else "", Type.SMALL, "muted")
                value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
                value.setMinimumWidth(px(80))
                grid.addWidget(value, line, 1 + at)
            box, field = self._box(row.name), self._field(row.name)
            name.setBuddy(box)
            grid.addWidget(box, line, _ROLE)
            grid.addWidget(field, line, _DETAIL)
            self._boxes[row.name], self._fields[row.name], self._names[row.name] = box, field, name
        grid.setRowStretch(len(rows) + 1, 1)
        self.area.setWidget(inside)
        height = min(max(inside.sizeHint().height() + 2, px(MIN_HEIGHT)), px(MAX_HEIGHT))
        self.area.setMinimumHeight(min(height, px(MIN_HEIGHT)))
        self.area.setMaximumHeight(height)

    def _box(self, column: str) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(f"{column} is taken as")
        for choice in self._choices.values():
            box.addItem(choice.title, choice.key)
        box.activated.connect(lambda _, column=column: self._choose(column))
        return box

    def _field(self, column: str) -> QLineEdit:
        field = QLineEdit()
        field.setAccessibleName(f"Name for {column}")
        field.setMinimumWidth(px(120))
        field.textEdited.connect(lambda _, column=column: self._rename(column))
        return field

    def _show(self, row: ColumnRow) -> None:
        box, field = self._boxes[row.name], self._fields[row.name]
        box.setCurrentIndex(max(box.findData(row.role), 0))
        if field.text() != row.detail and not field.hasFocus():
            field.setText(row.detail)
            field.setCursorPosition(0)
        self._describe(row.name)
        self._names[row.name].set_tone("warning" if row.question else "text")
        box.setToolTip(plain_tip(row.question))
        box.setAccessibleDescription(row.question)

    def _describe(self, column: str) -> None:
        choice = self._choices.get(str(self._boxes[column].currentData()))
        field = self._fields[column]
        field.setVisible(choice is not None and bool(choice.named))
        if choice is not None:
            field.setPlaceholderText(choice.hint or choice.named)
            field.setToolTip(plain_tip(choice.help))

    def _choose(self, column: str) -> None:
        choice, field = self._choice(column), self._fields[column]
        field.setText(column if choice.needs_name else "")
        self._describe(column)
        self._assign(column)
        self._pause.stop()  # a name that was just typed is reported with the role
        self.changed.emit()

    def _rename(self, column: str) -> None:
        if self._fields[column].text().strip() or not self._choice(column).needs_name:
            self._assign(column)
            self._pause.start()

    def _choice(self, column: str) -> RoleChoice:
        return self._choices[str(self._boxes[column].currentData())]

    def _assign(self, column: str) -> None:
        """Note the role of a column; another column that the user gave the same one loses it."""
        key, name = str(self._boxes[column].currentData()), self._fields[column].text().strip()
        role = f"{key}:{name}" if name and self._choices[key].named else key
        for other, given in list(self._assigned.items()):
            if given == role and other != column and key:
                del self._assigned[other]
        self._assigned[column] = role


def mapping_of(assigned: Mapping[str, str]) -> dict[str, str]:
    """Return the column of each role; columns that are left out have the role ``ignore:COLUMN``."""
    return {role or f"ignore:{column}": column for column, role in assigned.items()}
