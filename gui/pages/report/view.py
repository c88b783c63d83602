"""View of the Report page: contents of the report, written files, other exports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QScrollArea, QToolButton, QVBoxLayout, QWidget

from core.report.report_items import ReportItem
from gui.results.values import COEFFICIENTS, SYSTEMS
from gui.style.language import plain_tip, tr
from gui.style.theme import HAIR, LARGE, MEDIUM, SMALL, Type
from gui.widgets.buttons import edits, icon_button, link_button, plain_button
from gui.widgets.controls import ComboBox, Segmented
from gui.widgets.label import ElidedLabel, FactLabel, Facts, IconLabel, Label, rule
from gui.widgets.layouts import clear, discard, extend, hbox, scrolled, vbox
from gui.widgets.notice import JobState, Notice
from gui.widgets.page import Page
from gui.widgets.panel import Panel, inset_frame


class SectionState(StrEnum):
    """Whether a section will be in the report. EMPTY: the study lacks the data for it."""

    INCLUDED = "included"
    EXCLUDED = "excluded"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class ReportSection:
    """One section of the report. key: empty for one that cannot be left out."""

    key: str
    title: str
    contents: str
    state: SectionState


@dataclass(frozen=True, slots=True)
class ExportRow:
    """An export that can be written separately from the report.

    key: contents and format, with a dot between them. suffix: of the file, empty = a folder.
    kinds: formats of the file, as title and suffix; empty = that of the key only.
    """

    key: str
    title: str
    about: str
    suffix: str = ""
    kinds: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file or folder that was written. contents: counts, size and folder."""

    path: Path
    contents: str


_ICONS = {
    SectionState.INCLUDED: ("check", "success"),
    SectionState.EXCLUDED: ("minus", "muted"),
    SectionState.EMPTY: ("minus", "muted"),
}


class ReportView(Page):
    """Sections of the report on the left, files on the right.

    Signals:
        section_toggled: key of a section, and whether it is included.
        export_requested: key of an export.
        open_requested, folder_requested: path of a written file, to open it or its folder.
    """

    section_toggled = Signal(str, bool)
    export_requested = Signal(str)
    open_requested = Signal(object)
    folder_requested = Signal(object)

    def __init__(self, exports: Sequence[ExportRow]) -> None:
        super().__init__(tr("Report"))
        self.about_label = FactLabel("", Type.BODY, "muted")
        self.systems_box = ComboBox(tr("Systems"), SYSTEMS, 12)
        self.coefficient_box = Segmented(tr("Coefficient of figures"), COEFFICIENTS)
        self.coefficient_box.setToolTip(tr("Coefficient of the figures"))
        self.write_button = self.set_primary(tr("Write report…"), "report")
        self.notice = Notice()
        self.section_boxes: dict[str, QCheckBox] = {}
        self._sections, self._facts, self._written = vbox(spacing=LARGE), Facts(), vbox(spacing=SMALL)
        self.job = JobState(tr("Progress of the export"))
        self.empty_label = Label(
            tr(
                "No files written yet. The report is a web page, a PDF or a Word document of about "
                "five pages with an appendix, and the commands that reproduce each number."
            ),
            Type.BODY,
            "muted",
            wrap=True,
        )
        self.items = ReportItemList()
        self.export_buttons: dict[str, QWidget] = {}
        self.add_place(self.about_label)
        self.add_state(self.systems_box, self.coefficient_box)
        contents = Panel(tr("Contents of the report"))
        heading = Label(tr("Added figures and tables"), Type.STRONG)
        contents.add((_column_of(heading, self.items, rule(), self._sections, rule(), self._facts), 1))
        files = Panel(tr("Written files"))
        files.add((_column_of(self.job, self._written, self.empty_label), 1))
        other = Panel(tr("Other exports"))
        other.add((_column_of(*(self._export_row(row) for row in exports)), 1))
        right = QWidget()
        vbox((files, 1), (other, 2), parent=right, spacing=MEDIUM)
        self.add_notice(self.notice)
        self.add((contents, 55), (right, 45))
        self.job.busy_changed.connect(lambda: self.job.setVisible(self.job.is_busy))
        self.job.hide()

    def show_contents(
        self, about: str, sections: Sequence[ReportSection], facts: Sequence[tuple[str, str]]
    ) -> None:
        """Show what the report will have. about: number of measures and judgements; facts: with labels."""
        self.about_label.setText(about)
        clear(self._sections)
        self.section_boxes = {}
        for section in sections:
            self._sections.addWidget(self._section_row(section))
        self._facts.show_facts(facts)

    def show_written(self, written: Sequence[WrittenFile]) -> None:
        """Show the written files, the latest first."""
        clear(self._written)
        self.empty_label.setVisible(not written)
        for file in written:
            self._written.addWidget(self._written_row(file))

    def _section_row(self, section: ReportSection) -> QWidget:
        widget = QWidget()
        is_included = section.state is SectionState.INCLUDED
        labels = vbox(
            Label(section.title, Type.STRONG, "text" if is_included else "muted"),
            Label(section.contents, Type.SMALL, "muted", wrap=True),
            spacing=HAIR,
        )
        row = hbox(
            (IconLabel(*_ICONS[section.state]), 0, Qt.AlignmentFlag.AlignTop),
            (labels, 1),
            parent=widget,
            spacing=SMALL,
        )
        if section.key:
            box = QCheckBox(tr("Include"))
            box.setAccessibleName(tr("Include {title}", title=section.title))
            box.setChecked(section.state is not SectionState.EXCLUDED)
            box.toggled.connect(lambda checked, key=section.key: self.section_toggled.emit(key, checked))
            self.section_boxes[section.key] = box
            row.addWidget(box, 0, Qt.AlignmentFlag.AlignTop)
        return widget

    def _written_row(self, written: WrittenFile) -> QWidget:
        name = ElidedLabel(written.path.name, Type.STRONG)
        name.setAccessibleDescription(str(written.path))
        labels = vbox(name, Label(written.contents, Type.SMALL, "muted", wrap=True), spacing=HAIR)
        row = hbox((IconLabel("check", "success"), 0, Qt.AlignmentFlag.AlignTop), (labels, 1), spacing=SMALL)
        for text, signal in (
            (tr("Open"), self.open_requested),
            (tr("Show in folder"), self.folder_requested),
        ):
            button = link_button(text)
            button.setAccessibleName(f"{text}: {written.path.name}")
            button.clicked.connect(lambda _=False, signal=signal, path=written.path: signal.emit(path))
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return inset_frame(row)

    def _export_row(self, export: ExportRow) -> QWidget:
        widget = QWidget()
        labels = vbox(
            Label(export.title, Type.STRONG, wrap=True),
            Label(export.about, Type.SMALL, "muted", wrap=True),
            spacing=HAIR,
        )
        button = plain_button(tr("Export…"), "download")
        button.setAccessibleName(tr("Export {title}", title=export.title))
        button.clicked.connect(lambda: self.export_requested.emit(export.key))
        self.export_buttons[export.key] = button
        hbox((labels, 1), button, parent=widget)
        return widget


def _column_of(*parts: QWidget | QVBoxLayout) -> QScrollArea:
    inner = QWidget()
    column = vbox(parent=inner, margins=MEDIUM, spacing=MEDIUM)
    for part in parts:
        if isinstance(part, QWidget):
            column.addWidget(part)
        else:
            column.addLayout(part)
    column.addStretch(1)
    return scrolled(inner)


NO_ITEMS = tr(
    "No figures or tables added yet. Use “Add to the report” on a tab of Compare: "
    "the figure or table is stored as it is then, with the command that reproduces it."
)
UP, DOWN, REMOVE = "up", "down", "remove"
_BUTTONS = (
    (UP, "chevron-up", tr("Move up")),
    (DOWN, "chevron-down", tr("Move down")),
    (REMOVE, "close", tr("Remove")),
)


class ReportItemList(QWidget):
    """A row per figure or table.

    buttons: by id of the item and action: ``up``, ``down`` or ``remove``.

    Signals:
        moved: id of an item, and the change of its position.
        removed: id of an item.
    """

    moved = Signal(str, int)
    removed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Figures and tables added to the report"))
        self.empty_label = Label(NO_ITEMS, Type.SMALL, "muted", wrap=True)
        self.buttons: dict[tuple[str, str], QToolButton] = {}
        self._rows: list[QWidget] = []
        self._pressed: tuple[str, str] | None = None
        self._column = vbox(self.empty_label, parent=self, spacing=SMALL)

    def show_items(self, items: Sequence[ReportItem]) -> None:
        """Show these items. The button that was pressed last keeps the focus."""
        discard(self._column, *self._rows)
        self.buttons = {}
        self._rows = [self._row(item, index, len(items)) for index, item in enumerate(items)]
        extend(self._column, *self._rows)
        self.empty_label.setVisible(not items)
        if self._pressed in self.buttons:
            self.buttons[self._pressed].setFocus(Qt.FocusReason.OtherFocusReason)
        self._pressed = None

    def _row(self, item: ReportItem, index: int, count: int) -> QWidget:
        widget = QWidget()
        row = hbox(IconLabel("scatter" if item.is_figure else "rows", "muted"), parent=widget, spacing=SMALL)
        title = ElidedLabel(item.title, Type.STRONG)
        title.setAccessibleDescription(tr("Figure") if item.is_figure else tr("Table"))
        labels = vbox(title, ElidedLabel(item.command, Type.SMALL, "muted"), spacing=HAIR)
        row.addLayout(labels, 1)
        is_end = {UP: index == 0, DOWN: index == count - 1, REMOVE: False}
        for action, icon, name in _BUTTONS:
            button = icon_button(icon, f"{name}: {item.title}")
            button.setToolTip(plain_tip(name))
            button.setEnabled(not is_end[action])
            button.clicked.connect(lambda _=False, action=action: self._press(item.id, action))
            edits(button)
            self.buttons[item.id, action] = button
            row.addWidget(button)
        return widget

    def _press(self, item_id: str, action: str) -> None:
        self._pressed = item_id, action
        if action == REMOVE:
            self.removed.emit(item_id)
        else:
            self.moved.emit(item_id, -1 if action == UP else 1)
