"""The small dialogs: who annotates, how the program looks, where files lie."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QComboBox, QFileDialog, QWidget

from gui.settings import Preferences
from gui.widgets.dialog import Dialog
from gui.widgets.segmented import Segmented

STUDY_SUFFIX = ".pyramidion"
_STUDIES = f"Studies (*{STUDY_SUFFIX})"
_SOURCES = "Data sets (*.jsonl *.ndjson *.json *.csv *.tsv *.tab);;All files (*)"
TEXT_PERCENTS = (90, 100, 110, 125, 150)


class AnnotatorDialog(Dialog):
    """Whose work the next edits are."""

    def __init__(self, names: Sequence[str], now: str, parent: QWidget | None = None) -> None:
        super().__init__("Who annotates?", "Annotate", parent, icon="user")
        self.name_box = QComboBox()
        self.name_box.setEditable(True)
        self.name_box.addItems(list(names))
        self.name_box.setCurrentText(now)
        self.name_box.currentTextChanged.connect(self._allow)
        self.add_field(
            "Name",
            self.name_box,
            "Every annotator has pyramids and matches of their own. The name stands in the study's history.",
        )

    @property
    def name(self) -> str:
        """The chosen name."""
        return self.name_box.currentText().strip()

    def _allow(self) -> None:
        self.accept_button.setEnabled(bool(self.name))


class SettingsDialog(Dialog):
    """Colours, text size, device."""

    def __init__(
        self, now: Preferences, devices: Sequence[tuple[str, str]], parent: QWidget | None = None
    ) -> None:
        """devices: (name, title) of what this computer can compute on."""
        super().__init__("How should Pyramidion look and work?", "Apply", parent, icon="check")
        schemes = (("system", "As the desktop"), ("light", "Light"), ("dark", "Dark"))
        self.scheme = Segmented("Colours", schemes)
        self.scheme.choose(now.theme if now.theme in ("light", "dark") else "system")
        self.size_box, self.device_box = QComboBox(), QComboBox()
        for percent in TEXT_PERCENTS:
            self.size_box.addItem(f"{percent} %", percent)
        self.size_box.setCurrentIndex(max(self.size_box.findData(now.text_percent), 0))
        self.device_box.addItem("The fastest", "auto")
        for name, title in devices:
            self.device_box.addItem(title if title.lower() == name else f"{title} ({name})", name)
        self.device_box.setCurrentIndex(max(self.device_box.findData(now.device), 0))
        self.add_field("Colours", self.scheme)
        self.add_field("Text size", self.size_box)
        self.add_field(
            "Compute on",
            self.device_box,
            "Changes how long neural metrics take, not what they give.",
        )

    @property
    def chosen(self) -> tuple[str, int, str]:
        """Scheme, text size in per cent, device."""
        return self.scheme.current, int(self.size_box.currentData()), str(self.device_box.currentData())


def ask_study_to_open(parent: QWidget) -> Path | None:
    """A study's file to open, None = nothing was chosen."""
    name, _ = QFileDialog.getOpenFileName(parent, "Which study?", "", _STUDIES)
    return Path(name) if name else None


def ask_study_to_make(parent: QWidget, suggested: str) -> Path | None:
    """Where to keep a new study, None = nothing was chosen; the ending is put on where it is left out."""
    name, _ = QFileDialog.getSaveFileName(parent, "Where should the study be kept?", suggested, _STUDIES)
    if not name:
        return None
    path = Path(name)
    return path if path.suffix == STUDY_SUFFIX else path.with_name(path.name + STUDY_SUFFIX)


def ask_source_file(parent: QWidget) -> Path | None:
    """A file to import, None = nothing was chosen."""
    name, _ = QFileDialog.getOpenFileName(parent, "Which file?", "", _SOURCES)
    return Path(name) if name else None


def ask_source_folder(parent: QWidget) -> Path | None:
    """A folder to import, None = nothing was chosen."""
    name = QFileDialog.getExistingDirectory(parent, "Which folder?")
    return Path(name) if name else None
