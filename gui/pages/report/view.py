"""View of the Report page: contents of the report, written files, other exports."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.progress import Progress
from gui.pages.report.values import (
    ExportRow,
    ReportDetails,
    ReportItemRow,
    ReportSection,
    SectionState,
    WrittenFile,
)
from gui.results.values import COEFFICIENTS, SYSTEMS
from gui.style.language import tr
from gui.style.theme import HAIR, LARGE, MEDIUM, SMALL, TIGHT, Type
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import icon_button, link_button, plain_button
from gui.widgets.controls.combo_box import ComboBox
from gui.widgets.controls.segmented_control import Segmented
from gui.widgets.edit_lock import edits
from gui.widgets.label import ElidedLabel, IconLabel, Label, rule
from gui.widgets.layouts import hbox, vbox
from gui.widgets.lists.scroll_column import scrolled
from gui.widgets.notice import Notice
from gui.widgets.page import Page
from gui.widgets.panel import Panel, inset_frame
from gui.widgets.progress_bar import ProgressBar, percent, time_left

_ICONS = {
    SectionState.INCLUDED: ("check", "success"),
    SectionState.EXCLUDED: ("minus", "muted"),
    SectionState.EMPTY: ("minus", "muted"),
}


class ReportView(Page):
    """Sections of the report on the left, files on the right.

    Signals:
        section_toggled: key of a section, and whether it is included.
        systems_chosen: a key.
        export_requested: key of an export.
        open_requested, folder_requested: path of a written file, to open it or its folder.
    """

    section_toggled = Signal(str, bool)
    systems_chosen = Signal(str)
    export_requested = Signal(str)
    open_requested = Signal(object)
    folder_requested = Signal(object)

    def __init__(self, exports: Sequence[ExportRow]) -> None:
        super().__init__(tr("Report"))
        self.about_label = ElidedLabel("", Type.BODY, "muted")
        self.systems_box = ComboBox(tr("Systems"), SYSTEMS)
        self.coefficient_box = Segmented(tr("Coefficient of figures"), COEFFICIENTS)
        self.coefficient_box.setToolTip(tr("Coefficient of the figures"))
        self.write_button = self.set_primary(tr("Write report…"), "report")
        self.notice = Notice()
        self.section_boxes: dict[str, QCheckBox] = {}
        self._sections, self._facts, self._written = QVBoxLayout(), QGridLayout(), QVBoxLayout()
        self._job = QWidget()
        self.job_label = Label("", Type.SMALL)
        self.bar = ProgressBar(tr("Progress of the export"))
        self.stop_button = link_button(tr("Cancel"))
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
        self._lay_out(exports)
        self._connect()
        self.show_idle()

    def show_details(self, details: ReportDetails) -> None:
        """Show the contents of the report."""
        self.about_label.setText(details.about)
        self.notice.show_message(details.warning, details.remedy)
        _clear(self._sections)
        self.section_boxes = {}
        for section in details.sections:
            self._sections.addWidget(self._section_row(section))
        _clear(self._facts)
        for row, (label, value) in enumerate(details.facts):
            self._facts.addWidget(Label(label, Type.SMALL, "muted"), row, 0, Qt.AlignmentFlag.AlignTop)
            self._facts.addWidget(Label(value, Type.SMALL, wrap=True), row, 1)

    def show_writing(self, title: str, progress: Progress) -> None:
        """Show the progress of the running export."""
        self._job.show()
        parts = (title, progress.note, percent(progress), time_left(progress.seconds_left))
        self.job_label.setText(" · ".join(part for part in parts if part))
        self.bar.show_progress(progress)

    def show_idle(self) -> None:
        """Show that no export is running."""
        self._job.hide()

    def show_written(self, written: Sequence[WrittenFile]) -> None:
        """Show the written files, the latest first."""
        _clear(self._written)
        self.empty_label.setVisible(not written)
        for file in written:
            self._written.addWidget(self._written_row(file))

    def _section_row(self, section: ReportSection) -> QWidget:
        widget = QWidget()
        row = QHBoxLayout(widget)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SMALL)
        is_included = section.state is SectionState.INCLUDED
        row.addWidget(IconLabel(*_ICONS[section.state]), 0, Qt.AlignmentFlag.AlignTop)
        labels = QVBoxLayout()
        labels.setSpacing(HAIR)
        labels.addWidget(Label(section.title, Type.STRONG, "text" if is_included else "muted"))
        labels.addWidget(Label(section.contents, Type.SMALL, "muted", wrap=True))
        row.addLayout(labels, 1)
        if section.key:
            box = QCheckBox(tr("Include"))
            box.setAccessibleName(tr("Include {title}", title=section.title))
            box.setChecked(section.state is not SectionState.EXCLUDED)
            box.toggled.connect(lambda checked, key=section.key: self.section_toggled.emit(key, checked))
            self.section_boxes[section.key] = box
            row.addWidget(box, 0, Qt.AlignmentFlag.AlignTop)
        return widget

    def _written_row(self, written: WrittenFile) -> QWidget:
        row = hbox((IconLabel("check", "success"), 0, Qt.AlignmentFlag.AlignTop), spacing=SMALL)
        labels = QVBoxLayout()
        labels.setSpacing(HAIR)
        name = ElidedLabel(written.path.name, Type.STRONG)
        name.setAccessibleDescription(str(written.path))
        labels.addWidget(name)
        labels.addWidget(Label(written.contents, Type.SMALL, "muted", wrap=True))
        row.addLayout(labels, 1)
        for text, signal in (
            (tr("Open"), self.open_requested),
            (tr("Show in folder"), self.folder_requested),
        ):
            button = link_button(text)
            button.setAccessibleName(f"{text}: {written.path.name}")
            button.clicked.connect(lambda _=False, signal=signal, path=written.path: signal.emit(path))
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return inset_frame(row)

    def _connect(self) -> None:
        self.systems_box.activated.connect(lambda _: self.systems_chosen.emit(self.systems_box.currentData()))

    def _lay_out(self, exports: Sequence[ExportRow]) -> None:
        self.add_place(self.about_label)
        self.add_state(self.systems_box)
        self.add_state(self.coefficient_box)
        self._facts.setColumnStretch(1, 1)
        self._facts.setHorizontalSpacing(MEDIUM)
        self._facts.setVerticalSpacing(TIGHT)
        self._sections.setSpacing(LARGE)
        contents = Panel(tr("Contents of the report"))
        heading = Label(tr("Added figures and tables"), Type.STRONG)
        contents.add(_column_of(heading, self.items, rule(), self._sections, rule(), self._facts), 1)
        files = Panel(tr("Written files"))
        self._written.setSpacing(SMALL)
        files.add(_column_of(self._job_row(), self._written, self.empty_label), 1)
        other = Panel(tr("Other exports"))
        other.add(_column_of(*(self._export_row(row) for row in exports)), 1)
        right = QWidget()
        vbox((files, 1), (other, 2), parent=right, spacing=MEDIUM)
        self.add_notice(self.notice)
        self.add(contents, 55)
        self.add(right, 45)

    def _job_row(self) -> QWidget:
        vbox(hbox((self.job_label, 1), self.stop_button), self.bar, parent=self._job)
        return self._job

    def _export_row(self, export: ExportRow) -> QWidget:
        widget = QWidget()
        row = QHBoxLayout(widget)
        row.setContentsMargins(0, 0, 0, 0)
        labels = QVBoxLayout()
        labels.setSpacing(HAIR)
        labels.addWidget(Label(export.title, Type.STRONG, wrap=True))
        labels.addWidget(Label(export.about, Type.SMALL, "muted", wrap=True))
        row.addLayout(labels, 1)
        button = plain_button(tr("Export…"), "download")
        button.setAccessibleName(tr("Export {title}", title=export.title))
        button.clicked.connect(lambda: self.export_requested.emit(export.key))
        self.export_buttons[export.key] = button
        row.addWidget(button)
        return widget


def _column_of(*parts: QWidget | QVBoxLayout | QGridLayout) -> QScrollArea:
    inner = QWidget()
    column = QVBoxLayout(inner)
    column.setContentsMargins(MEDIUM, MEDIUM, MEDIUM, MEDIUM)
    column.setSpacing(MEDIUM)
    for part in parts:
        if isinstance(part, QWidget):
            column.addWidget(part)
        else:
            column.addLayout(part)
    column.addStretch(1)
    return scrolled(inner)


def _clear(layout: QVBoxLayout | QGridLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()


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

    def show_items(self, items: Sequence[ReportItemRow]) -> None:
        """Show these items. The button that was pressed last keeps the focus."""
        for row in self._rows:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.buttons = {}
        self._rows = [self._row(item, index, len(items)) for index, item in enumerate(items)]
        for row in self._rows:
            self._column.addWidget(row)
        self.empty_label.setVisible(not items)
        if self._pressed in self.buttons:
            self.buttons[self._pressed].setFocus(Qt.FocusReason.OtherFocusReason)
        self._pressed = None

    def _row(self, item: ReportItemRow, index: int, count: int) -> QWidget:
        widget = QWidget()
        row = hbox(IconLabel("scatter" if item.is_figure else "rows", "muted"), parent=widget, spacing=SMALL)
        labels = QVBoxLayout()
        labels.setSpacing(HAIR)
        title = ElidedLabel(item.title, Type.STRONG)
        title.setAccessibleDescription(tr("Figure") if item.is_figure else tr("Table"))
        labels.addWidget(title)
        labels.addWidget(ElidedLabel(item.command, Type.SMALL, "muted"))
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
