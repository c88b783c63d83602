"""View of the Agreement page: annotations and options on the left, the result on the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QWidget

from gui.results.result_panel import ResultPanel
from gui.style.theme import SMALL, Type
from gui.widgets.buttons import icon_button, plain_button
from gui.widgets.controls.multi_choice import Choice, MultiChoice
from gui.widgets.label import Label
from gui.widgets.page import Page
from gui.widgets.panel import Panel, inset_frame


class AgreementView(Page):
    """Measure the agreement of annotators. The panel `result` has signals of its own.

    Signals:
        groupings_chosen: tuple of keys, empty = only all items together.
    """

    groupings_chosen = Signal(object)

    def __init__(self, groupings: Sequence[Choice]) -> None:
        """groupings: of items, for which coefficients can be shown besides those of all items."""
        super().__init__("Agreement")
        self.stop_button = plain_button("Cancel")
        self.stop_button.hide()
        self.run_button = self.set_primary("Measure", "play")
        self.annotations_box = MultiChoice("Annotations", "All annotations")
        self.annotators_box = MultiChoice("Annotators", "All annotators")
        self.grouping_boxes: dict[str, QCheckBox] = {}
        self.command_label = Label("", "code", wrap=True)
        self.result = ResultPanel("people", "Measure agreement")
        self._panel = Panel("Options")
        self._lay_out(groupings)
        self._connect()

    def show_choices(self, annotations: Sequence[Choice], annotators: Sequence[Choice]) -> None:
        """Show what can be chosen; choices that are still available stay."""
        self.annotations_box.show_choices(annotations, self.annotations_box.current)
        self.annotators_box.show_choices(annotators, self.annotators_box.current)

    def show_command(self, command: str) -> None:
        """Show the equivalent command line."""
        self.command_label.setText(command)

    def show_running(self, is_running: bool, can_run: bool) -> None:
        """Show whether a measurement runs, and whether one can be started."""
        self.run_button.setText("Measuring…" if is_running else "Measure")
        self.run_button.setEnabled(can_run and not is_running)
        self.stop_button.setVisible(is_running)

    @Slot()
    def _emit_groupings(self) -> None:
        boxes = self.grouping_boxes.items()
        self.groupings_chosen.emit(tuple(key for key, box in boxes if box.isChecked()))

    def _connect(self) -> None:
        for check in self.grouping_boxes.values():
            check.toggled.connect(self._emit_groupings)

    def _lay_out(self, groupings: Sequence[Choice]) -> None:
        self.add_state(self.stop_button)
        for title, box in (
            ("Annotations", self.annotations_box),
            ("Annotators", self.annotators_box),
        ):
            self._panel.add(Label(title, Type.CAPTION, "muted"), padded=True)
            self._panel.add(box, padded=True)
        self._panel.add(Label("Also show", Type.CAPTION, "muted"), padded=True)
        for grouping in groupings:
            check = self.grouping_boxes[grouping.key] = QCheckBox(grouping.title)
            self._panel.add(check, padded=True)
        self._panel.add(Label("Command line", Type.CAPTION, "muted"), padded=True)
        self._panel.add(self._command(), padded=True)
        self._panel.body.addStretch(1)
        self.add(self._panel, 26)
        self.add(self.result, 74)

    def _command(self) -> QWidget:
        copy = icon_button("copy", "Copy the command")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.command_label.text()))
        row = QHBoxLayout()
        row.setSpacing(SMALL)
        row.addWidget(self.command_label, 1)
        row.addWidget(copy, 0, Qt.AlignmentFlag.AlignTop)
        return inset_frame(row)
