"""Table of the columns of a file: their first values, what each one becomes, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gui.dialogs.import_data.options import PAUSE_MS
from gui.dialogs.import_data.values import ColumnRow, RoleChoice
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type, px
from gui.style.tooltips import plain_tip
from gui.widgets.label import ElidedLabel, Label, rule
from gui.widgets.lists.scroll_column import scrolled

FOREIGN_CHOICES = (
    RoleChoice("", "Not used", "It is named in the report of the import."),
    RoleChoice("topic", "Topic", "The item that is summarized, such as D04 or a number of a dialogue."),
    RoleChoice("title", "Title", "The title of the topic, such as “Harbour closed by a storm”."),
    RoleChoice("query", "Query", "The question that summaries of the topic answer."),
    RoleChoice("set", "Set", "The part of the data that the topic belongs to, such as validation."),
    RoleChoice(
        "document",
        "Text of the document",
        "The text that is summarized.",
        "document",
        help="A name of the document.",
        hint="optional",
    ),
    RoleChoice(
        "reference",
        "Text of the reference",
        "A summary by a person, which others are compared with.",
        "author",
        help="The author, if all references are by one.",
        hint="optional",
    ),
    RoleChoice(
        "summary",
        "Text of the summary",
        "A summary by a system.",
        "system",
        help="The system, if all summaries are of one.",
        hint="optional",
    ),
    RoleChoice("system", "System", "Who made the summary, such as bart or lead-3."),
    RoleChoice("author", "Author", "Who wrote the reference, such as A."),
    RoleChoice("annotator", "Annotator", "Who gave the ratings of the row, such as w17."),
    RoleChoice("group", "Group", "The group of the annotator, such as experts."),
    RoleChoice(
        "rating",
        "Rating",
        "A judgement by a person, such as 4 on a scale from 1 to 5, or yes.",
        "dimension",
        needs_name=True,
        help="The dimension, with its scale such as fluency (1-7) if it is not the usual one; "
        "dimension@annotator if the column is of one annotator.",
    ),
    RoleChoice(
        "score",
        "Score",
        "A number of a metric, such as 0.41 of ROUGE-1.",
        "measure",
        needs_name=True,
        help="The name of the measure.",
    ),
    RoleChoice("dimension", "Dimension", "What the value of the row rates, such as fluency."),
    RoleChoice("measure", "Measure", "What the value of the row is of, such as ROUGE-1."),
    RoleChoice("value", "Value", "The rating or score of the row, such as 4."),
    RoleChoice("note", "Note", "A remark of the annotator on the rating."),
    RoleChoice("rejected", "Leave out rows", "Rows with the word Rejected in this column are left out."),
)
"""What a column of a table of another project can become."""


MOST_COLUMNS = 150
"""Columns that the dialog displays; each has several widgets."""

GUESSED = "guessed; change what is wrong"
ASSIGNED = "choose what each column contains"
CHOSEN = "chosen"
REPEATED = "Every column is listed. {} The report of the import repeats this."
_TITLES = ("Column", "Its first values", "Becomes", "Why")
_STRETCHES = (4, 4, 8, 5)


class _Row:
    """Widgets of a column: name, first values, what it becomes with the name of that, and why."""

    def __init__(self, column: str, model: QStandardItemModel) -> None:
        self.name = ElidedLabel(column, Type.STRONG)
        self.values, self.why = ElidedLabel("", Type.SMALL, "muted"), ElidedLabel("", Type.SMALL, "muted")
        for label in (self.name, self.values, self.why):
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.box, self.field = QComboBox(), QLineEdit()
        self.box.setModel(model)
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setMinimumContentsLength(6)
        self.box.setAccessibleName(f"{column} becomes")
        self.field.setAccessibleName(f"Name for {column}")
        self.name.setBuddy(self.box)
        self.choice = QHBoxLayout()
        self.choice.setSpacing(TIGHT)
        self.choice.addWidget(self.box, 1)
        self.choice.addWidget(self.field, 1)

    def show_use(self, choice: RoleChoice | None, why: str, tone: str = "muted") -> None:
        """Show a role: the field if it has a name, and a muted column if it is not used."""
        is_used = choice is not None and bool(choice.key)
        self.field.setVisible(choice is not None and bool(choice.named))
        if choice is not None:
            self.choice.setStretch(0, 1 if choice.needs_name else 3)
            self.field.setPlaceholderText(choice.hint or choice.named)
            self.field.setToolTip(plain_tip(choice.help))
        tip = f"{choice.title}: {choice.about}" if choice is not None and choice.about else ""
        self.box.setToolTip(plain_tip("\n".join(filter(None, (why if tone == "warning" else "", tip)))))
        self.name.set_tone("warning" if tone == "warning" else "text" if is_used else "muted")
        self.why.setText(why)
        self.why.set_tone(tone)


class ColumnRoles(QWidget):
    """A row for each column of a file, with a box for its role and a field for the role's name.

    Signals:
        edited: the user changed a role or a name; changed: a moment ago.
    """

    edited = Signal()
    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.fact = ""
        self.area = scrolled(QWidget())
        self._rows: dict[str, _Row] = {}
        self._choices: dict[str, RoleChoice] = {}
        self._model = QStandardItemModel(self)
        self._assigned: dict[str, str] = {}
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.changed)
        self.area.setAccessibleName("Columns of the file")
        self.area.setMinimumHeight(px(100))
        self.footer = Label("", Type.SMALL, "muted", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SMALL)
        column.addWidget(self.area, 1)
        column.addWidget(rule())
        column.addWidget(self.footer)

    @property
    def assigned(self) -> dict[str, str]:
        """The roles that the user chose, by column; other columns are guessed."""
        return dict(self._assigned)

    def role_box(self, column: str) -> QComboBox:
        """Return the box that chooses what a column becomes."""
        return self._rows[column].box

    def name_field(self, column: str) -> QLineEdit:
        """Return the field with the name that a column's role needs."""
        return self._rows[column].field

    def reason(self, column: str) -> str:
        """Return why a column becomes what it does."""
        return self._rows[column].why.text()

    def forget(self) -> None:
        """Remove what the user chose, for another source or format."""
        self._assigned.clear()
        self._pause.stop()

    def show_columns(self, rows: Sequence[ColumnRow], choices: Sequence[RoleChoice], hidden: int = 0) -> None:
        """Show the columns of a file; none hides the table. The widgets of the same columns stay.

        hidden: number of further columns that are not displayed.
        """
        self.setVisible(bool(rows))
        has_choices = list(choices) == list(self._choices.values())
        is_same = has_choices and list(self._rows) == [row.name for row in rows]
        if is_same and self._pause.isActive():
            return  # what the user has just chosen is read next
        if not is_same:
            self._choices = {choice.key: choice for choice in choices}
            self._build(rows)
        for row in rows:
            self._show(row)
        self.fact = GUESSED if any(row.is_guessed and row.role for row in rows) else ASSIGNED
        unused = sum(not row.role for row in rows) + hidden
        more = f" {hidden:,} more columns are not displayed." if hidden else ""
        counts = {0: "All are used.", 1: "One is not used."}.get(unused, f"{unused:,} are not used.")
        self.footer.setText(REPEATED.format(counts) + more)

    def _build(self, rows: Sequence[ColumnRow]) -> None:
        self._model = QStandardItemModel(self)
        for choice in self._choices.values():
            item = QStandardItem(choice.title)
            item.setData(choice.key, Qt.ItemDataRole.UserRole)
            item.setToolTip(plain_tip(choice.about))
            self._model.appendRow(item)
        self._rows = {row.name: _Row(row.name, self._model) for row in rows}
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, SMALL, 0)
        grid.setHorizontalSpacing(MEDIUM)
        grid.setVerticalSpacing(TIGHT)
        for at, (title, stretch) in enumerate(zip(_TITLES, _STRETCHES, strict=True)):
            grid.addWidget(Label(title, Type.CAPTION, "muted"), 0, at)
            grid.setColumnStretch(at, stretch)
        for number, (name, row) in enumerate(self._rows.items()):
            line = 2 * number + 1
            grid.addWidget(rule(), line, 0, 1, len(_TITLES))
            grid.addWidget(row.name, line + 1, 0)
            grid.addWidget(row.values, line + 1, 1)
            grid.addLayout(row.choice, line + 1, 2)
            grid.addWidget(row.why, line + 1, 3)
            row.box.activated.connect(lambda _, column=name: self._choose(column))
            row.field.textEdited.connect(lambda _, column=name: self._rename(column))
        grid.setRowStretch(2 * len(rows) + 1, 1)
        self.area.setWidget(inside)
        inside.setAutoFillBackground(False)  # setWidget turns it on

    def _show(self, row: ColumnRow) -> None:
        shown = self._rows[row.name]
        shown.box.setCurrentIndex(max(shown.box.findData(row.role), 0))
        if shown.field.text() != row.detail and not shown.field.hasFocus():
            shown.field.setText(row.detail)
            shown.field.setCursorPosition(0)
        shown.values.setText(", ".join(filter(None, row.values)))
        shown.box.setAccessibleDescription(row.question)
        why = CHOSEN if row.name in self._assigned else row.why
        tone = "warning" if row.question else "muted"
        shown.show_use(self._choices.get(row.role), row.question or why, tone)

    def _choose(self, column: str) -> None:
        choice, row = self._choice(column), self._rows[column]
        row.field.setText(column if choice.needs_name else "")
        row.show_use(choice, CHOSEN)
        self._assign(column)

    def _rename(self, column: str) -> None:
        if self._rows[column].field.text().strip() or not self._choice(column).needs_name:
            self._assign(column)

    def _choice(self, column: str) -> RoleChoice:
        return self._choices[str(self._rows[column].box.currentData())]

    def _assign(self, column: str) -> None:
        """Note the role of a column; another column that the user gave the same one loses it."""
        key, name = str(self._rows[column].box.currentData()), self._rows[column].field.text().strip()
        role = f"{key}:{name}" if name and self._choices[key].named else key
        for other, given in list(self._assigned.items()):
            if given == role and other != column and key:
                del self._assigned[other]
        self._assigned[column] = role
        self._pause.start()
        self.edited.emit()


def mapping_of(assigned: Mapping[str, str]) -> dict[str, str]:
    """Return the column of each role; columns that are left out have the role ``ignore:COLUMN``."""
    return {role or f"ignore:{column}": column for column, role in assigned.items()}
