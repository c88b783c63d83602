"""Options for importing many files: file name patterns, annotator, reference boundaries, repairs."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLineEdit, QWidget

from gui.style.theme import SMALL, Type
from gui.style.tooltips import plain_tip
from gui.widgets.label import Label

PAUSE_MS = 400
"""Pause after the last key press before `changed` is emitted."""

_PATTERN_HELP = (
    "Pattern of the file names. Fields: {topic}, {system}, {annotator}, and {author} for a summary written "
    "by a person; * matches anything. Separate patterns with semicolons. Empty: common patterns are tried."
)
_ANNOTATOR_HELP = (
    "The annotator, if the file names do not contain one. Imported annotations belong to this annotator: "
    "switch to it to continue the work, or enter your own name here."
)
_SPLIT_HELP = (
    "Used if a file does not mark where each reference begins. Enter “proposed” for the most likely lines, "
    "line numbers such as 1, 9, 20, or a regular expression that matches the heading of each reference."
)
_REPAIR_HELP = "A span whose text differs from the file's is moved to where the text of the file occurs."


class FileNaming(QWidget):
    """Fields for file names, annotator, reference boundaries and repairs.

    Signals:
        changed: the user changed an option.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.pattern_field = _field("{topic}.{system}.pan", _PATTERN_HELP)
        self.annotator_field = _field("ducview", _ANNOTATOR_HELP)
        self.split_field = _field("as marked in the files", _SPLIT_HELP)
        self.repair_box = QCheckBox("Move misplaced spans to their text")
        self.repair_box.setToolTip(_REPAIR_HELP)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.changed)
        self._lay_out()
        for field in (self.pattern_field, self.annotator_field, self.split_field):
            field.textEdited.connect(lambda _: self._pause.start())
            field.returnPressed.connect(self._pause.start)
        self.repair_box.clicked.connect(self.changed)

    @property
    def options(self) -> dict[str, str]:
        """The options that are set, by name."""
        options = {
            "pattern": self.pattern_field.text().strip(),
            "annotator": self.annotator_field.text().strip(),
            "split": self.split_field.text().strip(),
            "repair": "yes" if self.repair_box.isChecked() else "",
        }
        return {key: value for key, value in options.items() if value}

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(SMALL)
        grid.setVerticalSpacing(SMALL)
        named = (
            ("File names", self.pattern_field, 0, 0),
            ("Annotator", self.annotator_field, 0, 2),
            ("References begin", self.split_field, 1, 0),
        )
        for name, field, row, column in named:
            label = Label(name, Type.SMALL, "muted")
            label.setBuddy(field)
            field.setAccessibleName(name)
            grid.addWidget(label, row, column)
            grid.addWidget(field, row, column + 1)
        grid.addWidget(self.repair_box, 1, 2, 1, 2)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)


def _field(placeholder: str, help_text: str) -> QLineEdit:
    field = QLineEdit()
    field.setPlaceholderText(placeholder)
    field.setToolTip(plain_tip(help_text))
    return field
