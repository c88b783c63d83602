"""Study files to compare: a row for each, and a place to drop more."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from gui.pages.studies.values import StudyRow
from gui.style.theme import HAIR, MEDIUM, SMALL, Type
from gui.widgets.buttons import icon_button
from gui.widgets.label import ElidedLabel, IconLabel, Label

STUDY_SUFFIX = ".pyramidion"
HINT = "Add studies that were scored with the same metrics, or drop their files here."


class StudyList(QWidget):
    """The open study first, then the others.

    Signals:
        dropped: tuple of paths. removed: a path.
    """

    dropped = Signal(object)
    removed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Studies to compare")
        self.setAcceptDrops(True)
        self.hint_label = Label(HINT, Type.SMALL, "muted", wrap=True)
        self.remove_buttons: dict[Path, QToolButton] = {}
        self._rows: list[QWidget] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(MEDIUM, MEDIUM, MEDIUM, MEDIUM)
        self._column.setSpacing(MEDIUM)
        self._column.addWidget(self.hint_label)
        self._column.addStretch(1)

    def show_lines(self, lines: Sequence[StudyRow]) -> None:
        """Show these studies."""
        for row in self._rows:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.remove_buttons = {}
        self._rows = [self._row(line) for line in lines]
        for place, row in enumerate(self._rows):
            self._column.insertWidget(place, row)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _studies_in(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if paths := _studies_in(event.mimeData()):
            event.acceptProposedAction()
            self.dropped.emit(paths)

    def _row(self, line: StudyRow) -> QWidget:
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SMALL)
        row.addWidget(IconLabel(*_icon_of(line)))
        words = QVBoxLayout()
        words.setSpacing(HAIR)
        name = ElidedLabel(line.path.name, Type.STRONG)
        name.setAccessibleDescription(str(line.path))
        words.addWidget(name)
        if line.problem:
            words.addWidget(Label(line.problem, Type.SMALL, "warning", wrap=True))
        else:
            where = "the open study" if line.is_own else str(line.path.parent)
            words.addWidget(ElidedLabel(" · ".join(filter(None, (line.about, where))), Type.SMALL, "muted"))
        row.addLayout(words, 1)
        if not line.is_own:
            button = icon_button("close", f"Leave out {line.path.name}")
            button.clicked.connect(lambda: self.removed.emit(line.path))
            self.remove_buttons[line.path] = button
            row.addWidget(button)
        return whole


def _icon_of(line: StudyRow) -> tuple[str, str]:
    if line.problem:
        return "warning", "warning"
    return ("check", "success") if line.about else ("folder", "muted")


def _studies_in(mime: QMimeData) -> tuple[Path, ...]:
    """Study files among what is dragged."""
    paths = (Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile())
    return tuple(path for path in paths if path.suffix == STUDY_SUFFIX)
