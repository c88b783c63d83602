"""View of the Agreement page: annotations and options on the left, the result on the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox

from gui.results.run_page import RunPage, command_frame
from gui.style.theme import Type
from gui.widgets.controls.multi_choice import Choice, MultiChoice
from gui.widgets.label import Label
from gui.widgets.panel import Panel


class AgreementView(RunPage):
    """Measure the agreement of annotators.

    Signals:
        groupings_chosen: tuple of keys, empty = only all items together.
    """

    groupings_chosen = Signal(object)

    def __init__(self, groupings: Sequence[Choice]) -> None:
        """groupings: of items, for which coefficients can be shown besides those of all items."""
        super().__init__("Agreement", ("Measure", "Measuring…"), "people", "Measure agreement")
        self.annotations_box = MultiChoice("Annotations", "All annotations")
        self.annotators_box = MultiChoice("Annotators", "All annotators")
        self.grouping_boxes: dict[str, QCheckBox] = {}
        self.command_label = Label("", "code", wrap=True)
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
        self._panel.add(command_frame(self.command_label), padded=True)
        self._panel.body.addStretch(1)
        self.add(self._panel, 26)
        self.add(self.result, 74)
