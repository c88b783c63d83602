"""Dialogs of the Compare page."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QSpinBox, QWidget

from core.formatting.numbers import format_score
from gui.pages.compare.values import SystemChoice
from gui.style.language import tr
from gui.style.theme import SMALL, Type
from gui.widgets.buttons import link_button
from gui.widgets.dialog import BROAD, Dialog
from gui.widgets.label import Label

MIN_SYSTEMS = 3
"""Fewest systems for which a coefficient is defined."""


class SystemsDialog(Dialog):
    """A dialog that selects systems."""

    help_page = "statistics#weak-systems"

    def __init__(
        self, choices: Sequence[SystemChoice], judgement: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(tr("Choose systems"), tr("Compare these"), parent, icon="check")
        self._choices = tuple(choices)
        self.list_box = QListWidget()
        self.list_box.setAccessibleName(tr("Systems"))
        self.list_box.setMinimumHeight(280)
        for choice in choices:
            self.list_box.addItem(_item(choice, judgement))
        self.weak_box = QSpinBox()
        self.weak_box.setAccessibleName(tr("Number of lowest-scoring systems to exclude"))
        self.weak_box.setMaximum(max(len(choices) - MIN_SYSTEMS, 0))
        self.weak_button = link_button(tr("Exclude these"))
        self.all_button = link_button(tr("Tick all"))
        self.count_label = Label("", Type.SMALL, "muted")
        self._lay_out_systems(judgement)
        self.list_box.itemChanged.connect(self._count)
        self.weak_button.clicked.connect(self._leave_weakest_out)
        self.all_button.clicked.connect(lambda: self._tick({c.name for c in self._choices}))
        self._count()

    @property
    def chosen(self) -> tuple[str, ...]:
        """The ticked systems."""
        items = (self.list_box.item(row) for row in range(self.list_box.count()))
        pairs = zip(self._choices, items, strict=True)
        return tuple(c.name for c, item in pairs if item.checkState() is Qt.CheckState.Checked)

    def _leave_weakest_out(self) -> None:
        """Deselect the systems with the lowest mean judgement; systems without one come first."""
        order = sorted(self._choices, key=lambda c: c.mean if math.isfinite(c.mean) else -math.inf)
        weak = {choice.name for choice in order[: self.weak_box.value()]}
        self._tick({choice.name for choice in self._choices} - weak)

    def _tick(self, names: set[str]) -> None:
        for row, choice in enumerate(self._choices):
            state = Qt.CheckState.Checked if choice.name in names else Qt.CheckState.Unchecked
            self.list_box.item(row).setCheckState(state)

    def _count(self) -> None:
        count = len(self.chosen)
        self.count_label.setText(
            tr(
                "{count} of {choices} selected, at least {min_systems} required.",
                count=count,
                choices=len(self._choices),
                min_systems=MIN_SYSTEMS,
            )
        )
        self.accept_button.setEnabled(count >= MIN_SYSTEMS)

    def _lay_out_systems(self, judgement: str) -> None:
        self.body.addWidget(self.list_box, 1)
        self.body.addWidget(self.count_label)
        row = QHBoxLayout()
        row.setSpacing(SMALL)
        row.addWidget(Label(tr("Lowest by {judgement}", judgement=judgement), Type.BODY, "muted"))
        row.addWidget(self.weak_box)
        row.addWidget(self.weak_button)
        row.addStretch(1)
        row.addWidget(self.all_button)
        self.body.addLayout(row)


def ask_systems(parent: QWidget, choices: Sequence[SystemChoice], judgement: str) -> tuple[str, ...] | None:
    """Ask which systems to include; None = unchanged."""
    dialog = SystemsDialog(choices, judgement, parent)
    return dialog.chosen if dialog.exec() else None


def show_text(parent: QWidget, title: str, sentences: Sequence[str]) -> None:
    """Display sentences, each as a paragraph."""
    dialog = Dialog(title, tr("Close"), parent, width=BROAD)
    dialog.cancel_button.hide()
    for sentence in sentences:
        label = Label(sentence, wrap=True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        dialog.body.addWidget(label)
    dialog.exec()


def _item(choice: SystemChoice, judgement: str) -> QListWidgetItem:
    mean = f"{judgement} {format_score(choice.mean)}" if math.isfinite(choice.mean) else tr("not judged")
    item = QListWidgetItem(f"{choice.name}   ·   {mean}")
    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
    item.setCheckState(Qt.CheckState.Checked if choice.is_in else Qt.CheckState.Unchecked)
    return item
