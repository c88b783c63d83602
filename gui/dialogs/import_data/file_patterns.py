"""How many files at once are to be read: what their names tell, and what the files themselves do not."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLineEdit, QWidget

from gui.style.theme import SMALL, Type
from gui.style.tooltips import plain_tip
from gui.widgets.label import Label

PAUSE_MS = 400
"""How long nothing is typed before what was typed counts."""

_PATTERN_HELP = (
    "How the files are named. Fields: {topic}, {system}, {annotator}, and {author} for a summary by a "
    "person; * stands for anything. Several patterns have a semicolon between. Empty: usual ones are tried."
)
_ANNOTATOR_HELP = (
    "Who annotated, where no file name tells it. What comes in is theirs: choose them as annotator to go on "
    "with it, or write your own name here."
)
_SPLIT_HELP = (
    "Only where a file does not say where each reference begins: “proposed” takes the likeliest lines; lines "
    "such as 1, 9, 20; or a regular expression that finds what heads each reference."
)
_REPAIR_HELP = "Spans that do not hold the words that their file gives are moved to where those words stand."


class FileNaming(QWidget):
    """Fields for the names of files, the annotator, the split of references, and repairs.

    Signals:
        changed: the user has typed or chosen something else.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.pattern_field = _field("{topic}.{system}.pan", _PATTERN_HELP)
        self.annotator_field = _field("ducview", _ANNOTATOR_HELP)
        self.split_field = _field("where the files say it", _SPLIT_HELP)
        self.repair_box = QCheckBox("Move spans to the words they miss")
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
        """What is filled in, by the options' names."""
        given = {
            "pattern": self.pattern_field.text().strip(),
            "annotator": self.annotator_field.text().strip(),
            "split": self.split_field.text().strip(),
            "repair": "yes" if self.repair_box.isChecked() else "",
        }
        return {key: value for key, value in given.items() if value}

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
