"""List of the study files to compare, onto which more can be dropped."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from core.files.study_address import StudyAddress
from gui.pages.studies.values import StudyRow
from gui.style.language import tr
from gui.style.theme import HAIR, MEDIUM, SMALL, Type
from gui.widgets.buttons import icon_button
from gui.widgets.label import ElidedLabel, IconLabel, Label

STUDY_SUFFIX = ".pyramidion"
HINT = tr("Add studies scored with the same metrics, or drop their files here.")


class StudyList(QWidget):
    """A row per study file, the open study first.

    remove_buttons, problem_labels: by path; the open study has no button.

    Signals:
        dropped: tuple of paths.
        removed: a path.
    """

    dropped = Signal(object)
    removed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Studies to compare"))
        self.setAcceptDrops(True)
        self.hint_label = Label(HINT, Type.SMALL, "muted", wrap=True)
        self.remove_buttons: dict[StudyAddress, QToolButton] = {}
        self.problem_labels: dict[StudyAddress, Label] = {}
        self._rows: list[QWidget] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(MEDIUM, MEDIUM, MEDIUM, MEDIUM)
        self._column.setSpacing(MEDIUM)
        self._column.addWidget(self.hint_label)
        self._column.addStretch(1)

    def show_studies(self, studies: Sequence[StudyRow]) -> None:
        """Show these studies."""
        for row in self._rows:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.remove_buttons, self.problem_labels = {}, {}
        self._rows = [self._row(study) for study in studies]
        for index, row in enumerate(self._rows):
            self._column.insertWidget(index, row)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _studies_in(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if paths := _studies_in(event.mimeData()):
            event.acceptProposedAction()
            self.dropped.emit(paths)

    def _row(self, study: StudyRow) -> QWidget:
        widget = QWidget()
        row = QHBoxLayout(widget)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SMALL)
        row.addWidget(IconLabel(*_icon_of(study)))
        labels = QVBoxLayout()
        labels.setSpacing(HAIR)
        name = ElidedLabel(study.path.name, Type.STRONG)
        name.setAccessibleDescription(str(study.path))
        labels.addWidget(name)
        if study.problem:
            problem = Label(study.problem, Type.SMALL, "warning", wrap=True)
            self.problem_labels[study.path] = problem
            labels.addWidget(problem)
        else:
            where = tr("open study")
            if isinstance(study.path, Path) and not study.is_own:
                where = str(study.path.parent)
            details = " · ".join(filter(None, (study.contents, where)))
            labels.addWidget(ElidedLabel(details, Type.SMALL, "muted"))
        row.addLayout(labels, 1)
        if not study.is_own:
            button = icon_button("close", tr("Remove {name} from the list", name=study.path.name))
            button.clicked.connect(lambda: self.removed.emit(study.path))
            self.remove_buttons[study.path] = button
            row.addWidget(button)
        return widget


def _icon_of(study: StudyRow) -> tuple[str, str]:
    if study.problem:
        return "warning", "warning"
    return ("check", "success") if study.contents else ("folder", "muted")


def _studies_in(mime: QMimeData) -> tuple[Path, ...]:
    """Return the study files among dragged ones."""
    paths = (Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile())
    return tuple(path for path in paths if path.suffix == STUDY_SUFFIX)
