"""View of the Studies page: study files and options on the left, the result on the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QCheckBox, QMenu, QToolButton, QWidget

from core.files.study_address import StudyAddress
from gui.results.result_panel import CommandLine, RunPage
from gui.results.values import COEFFICIENTS, LEVELS, MORE_COEFFICIENTS
from gui.style.language import literal, plain_tip, tr
from gui.style.theme import HAIR, MEDIUM, SMALL, Type
from gui.widgets.buttons import icon_button, link_button, open_menu
from gui.widgets.controls import Choice, MultiChoice, Segmented, SegmentedMore
from gui.widgets.file_dialogs import STUDY_SUFFIX
from gui.widgets.label import ElidedLabel, IconLabel, Label
from gui.widgets.layouts import Stretch, discard, extend, hbox, scrolled, vbox
from gui.widgets.panel import Panel


@dataclass(frozen=True, slots=True)
class StudyRow:
    """One study file.

    contents: number of measures and judgements; empty = not read yet.
    problem: why it is not included; empty = it is.
    """

    path: StudyAddress
    contents: str = ""
    problem: str = ""
    is_own: bool = False


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
        self._column = vbox(self.hint_label, Stretch(1), parent=self, margins=MEDIUM, spacing=MEDIUM)

    def show_studies(self, studies: Sequence[StudyRow]) -> None:
        discard(self._column, *self._rows)
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
        name = ElidedLabel(study.path.name, Type.STRONG)
        name.setAccessibleDescription(str(study.path))
        labels = vbox(name, spacing=HAIR)
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
        row = hbox(IconLabel(*_icon_of(study)), (labels, 1), parent=widget, spacing=SMALL)
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


_COMMON_TOPICS = tr("In each study, use only topics and systems that every measure has scored")


class StudiesView(RunPage):
    """Compare measures across studies.

    Signals:
        recent_chosen: a path.
    """

    recent_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__(tr("Studies"), (tr("Compare"), tr("Comparing…")), "columns", tr("Compare"))
        self.level_box = Segmented(tr("Level"), LEVELS)
        self.coefficient_box = SegmentedMore(tr("Coefficient"), COEFFICIENTS, MORE_COEFFICIENTS)
        self.judgements_box = MultiChoice(tr("Judgements"), tr("All judgements"))
        self.common_box = QCheckBox(tr("Compare on common topics"))
        self.common_box.setToolTip(_COMMON_TOPICS)
        self.common_box.setAccessibleDescription(_COMMON_TOPICS)
        self.studies = StudyList()
        self.add_button = link_button(tr("Add…"))
        self.add_button.setAccessibleName(tr("Add a study…"))
        self.recent_button = link_button(tr("Recent"))
        self.recent_button.setAccessibleName(tr("Add a recent study"))
        self.recent_menu = QMenu(self.recent_button)
        open_menu(self.recent_button, self.recent_menu)
        self.command_line = CommandLine()
        self._panel = Panel(tr("Study files"))
        question = QWidget()
        hbox(self.level_box, self.coefficient_box, Stretch(1), parent=question, spacing=SMALL)
        self.add_above(question)
        self.add_state(self.stop_button)
        self._panel.add_action(self.recent_button, self.add_button)
        self._panel.add((scrolled(self.studies), 1))
        self._panel.add(self._options(), padded=True)
        self.add((self._panel, 32), (self.result, 68))

    def show_studies(self, studies: Sequence[StudyRow], command: str) -> None:
        self.studies.show_studies(studies)
        self._panel.set_fact(f"{len(studies)}")
        self.command_line.show_command(command)

    def show_recent(self, paths: Sequence[Path]) -> None:
        """Show recently opened studies in the menu."""
        self.recent_menu.clear()
        for path in paths:
            action = self.recent_menu.addAction(literal(path.name))
            action.setToolTip(plain_tip(str(path)))
            action.triggered.connect(lambda _=False, path=path: self.recent_chosen.emit(path))
        self.recent_button.setVisible(bool(paths))

    def show_judgements(self, names: Sequence[str], chosen: Sequence[str]) -> None:
        """Show the judgements that at least one study has."""
        self.judgements_box.show_choices([Choice(name, name) for name in names], chosen)
        self.judgements_box.setVisible(len(names) > 1)

    def _options(self) -> QWidget:
        """Return the options of the comparison and the equivalent command."""
        options = QWidget()
        column = vbox(self.judgements_box, parent=options, margins=(0, MEDIUM, 0, 0), spacing=SMALL)
        extend(column, self.common_box, self.command_line)
        return options
