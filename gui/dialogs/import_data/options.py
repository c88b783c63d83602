"""Options of an import: how a table is read, and the names, annotator and references of many files."""

from __future__ import annotations

import re

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from gui.dialogs.import_data.values import TableLayout
from gui.style.language import plain_tip, tr
from gui.style.theme import SMALL, Type, px
from gui.widgets.controls import ComboBox, FlowLayout
from gui.widgets.label import Label
from gui.widgets.layouts import grid, hbox

PAUSE_MS = 400
"""Pause after the last key press before `changed` is emitted."""

UNREADABLE = tr("The file cannot be read in this encoding. Choose its encoding.")
ENCODINGS = (
    ("", tr("Detected")),
    ("utf-8", "UTF-8"),
    ("utf-16", "UTF-16"),
    ("windows-1252", tr("Western (Windows-1252)")),
    ("iso8859-15", tr("Western (ISO 8859-15)")),
    ("windows-1250", tr("Central European (Windows-1250)")),
    ("windows-1251", tr("Cyrillic (Windows-1251)")),
    ("shift_jis", tr("Japanese (Shift JIS)")),
    ("gb18030", tr("Chinese (GB 18030)")),
    ("cp949", tr("Korean (CP949)")),
)
SEPARATORS = (
    ("", tr("Detected")),
    ("comma", tr("Comma")),
    ("semicolon", tr("Semicolon")),
    ("tab", "Tab"),
    ("bar", tr("Bar")),
)
_SCALE = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*[-–]\s*(-?\d+(?:\.\d+)?)\s*")


class TableOptions(QWidget):
    """Boxes and fields, of which those are shown that apply to the source.

    Signals:
        changed: the user changed an option.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.part_label = Label(tr("Sheet"), Type.SMALL, "muted")
        self.part_box = ComboBox(chars=10)
        self.encoding_box = ComboBox(choices=ENCODINGS, chars=10)
        self.separator_box = ComboBox(choices=SEPARATORS)
        self.scale_field = QLineEdit()
        self.scale_field.setPlaceholderText("1-5")
        self.scale_field.setMaximumWidth(px(70))
        self.scale_field.setToolTip(plain_tip(tr("Limits of the rating scale, such as 1-5 or 0-100.")))
        self.rows_box = QCheckBox(tr("Each row is a topic"))
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.changed)
        row = FlowLayout(2 * SMALL)
        self._pairs: dict[str, QWidget] = {}
        named = (
            ("part", self.part_label, self.part_box, tr("Sheet or split")),
            ("encoding", Label(tr("Encoding"), Type.SMALL, "muted"), self.encoding_box, tr("Encoding")),
            ("separator", Label(tr("Separator"), Type.SMALL, "muted"), self.separator_box, tr("Separator")),
            ("scale", Label(tr("Rating scale"), Type.SMALL, "muted"), self.scale_field, tr("Rating scale")),
        )
        for key, label, field, name in named:
            field.setAccessibleName(name)
            label.setBuddy(field)
            pair = QWidget()
            hbox(label, field, parent=pair, spacing=SMALL)
            self._pairs[key] = pair
            row.addWidget(pair)
        row.addWidget(self.rows_box)
        self.setLayout(row)
        for box in (self.part_box, self.encoding_box, self.separator_box):
            box.activated.connect(self.changed)
        self.scale_field.textEdited.connect(lambda _: self._pause.start())
        self.rows_box.clicked.connect(self.changed)

    @property
    def options(self) -> dict[str, str]:
        """The options of the reader that are set, by name."""
        found = {
            "part": str(self.part_box.currentData() or ""),
            "encoding": str(self.encoding_box.currentData()),
            "separator": str(self.separator_box.currentData()),
        }
        if scale := _SCALE.fullmatch(self.scale_field.text()):
            found |= {"low": scale[1], "high": scale[2]}
        return {key: value for key, value in found.items() if value}

    @property
    def rows_are_topics(self) -> bool:
        return self.rows_box.isChecked()

    def forget(self) -> None:
        """Set every option to what is detected, for another source."""
        self.part_box.clear()
        self.encoding_box.setCurrentIndex(0)
        self.separator_box.setCurrentIndex(0)
        self.scale_field.clear()
        self.rows_box.setChecked(False)

    def show_layout(self, layout: TableLayout | None, *, is_foreign: bool) -> None:
        """Show the options that apply to a source; None hides all of them."""
        self.setVisible(layout is not None)
        if layout is None:
            return
        if [self.part_box.itemText(at) for at in range(self.part_box.count())] != list(layout.parts):
            self.part_box.offer([(part, part) for part in layout.parts])
        self.part_box.choose(layout.part)
        self.part_label.setText(layout.part_title)
        self._pairs["part"].setVisible(len(layout.parts) > 1)
        self._pairs["encoding"].setVisible(layout.has_encoding)
        self.encoding_box.setAccessibleDescription(UNREADABLE if layout.needs_encoding else "")
        self._pairs["separator"].setVisible(layout.has_separator)
        self._pairs["scale"].setVisible(bool(layout.choices))
        self.rows_box.setVisible(is_foreign and (layout.needs_topics or self.rows_box.isChecked()))


_PATTERN_HELP = tr(
    "Pattern of the file names. Fields: {topic}, {system}, {annotator}, and {author} for "
    "a summary written by a person; * matches anything. Separate patterns with "
    "semicolons. Empty: common patterns are tried."
)
_ANNOTATOR_HELP = tr(
    "The annotator, if the file names do not contain one. Imported annotations belong to "
    "this annotator: switch to it to continue the work, or enter your own name here."
)
_SPLIT_HELP = tr(
    "Used if a file does not mark where each reference begins. Enter “proposed” for the "
    "most likely lines, line numbers such as 1, 9, 20, or a regular expression that "
    "matches the heading of each reference."
)
_REPAIR_HELP = tr("A span whose text differs from the file's is moved to where the text of the file occurs.")


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
        self.split_field = _field(tr("as marked in the files"), _SPLIT_HELP)
        self.repair_box = QCheckBox(tr("Move misplaced spans to their text"))
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
        rows = grid(self, across=SMALL, down=SMALL)
        named = (
            (tr("File names"), self.pattern_field, 0, 0),
            (tr("Annotator"), self.annotator_field, 0, 2),
            (tr("References begin"), self.split_field, 1, 0),
        )
        for name, field, row, column in named:
            label = Label(name, Type.SMALL, "muted")
            label.setBuddy(field)
            field.setAccessibleName(name)
            rows.addWidget(label, row, column)
            rows.addWidget(field, row, column + 1)
        rows.addWidget(self.repair_box, 1, 2, 1, 2)
        rows.setColumnStretch(3, 1)


def _field(placeholder: str, help_text: str) -> QLineEdit:
    field = QLineEdit()
    field.setPlaceholderText(placeholder)
    field.setToolTip(plain_tip(help_text))
    return field
