"""The units of a summary, a comment on the chosen one, and what is in no unit yet."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gui.annotation.match_values import UnitCounts, UnitRow
from gui.annotation.note_field import NoteField
from gui.pages.match.unit_list import UnitList
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type
from gui.widgets.buttons import icon_button, link_button
from gui.widgets.edit_lock import edits
from gui.widgets.label import ElidedLabel

COMMENT = "Comment on this unit"
CHOOSE = "Select a unit to comment on it"


class UnitPanel(QWidget):
    """`list` is the list, `comment` the field.

    Signals:
        next_requested: the next words that are in no unit are wanted.
    """

    next_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.list = UnitList()
        self.comment = NoteField("Comment on the unit", COMMENT, lines=1)
        self.fact_label = ElidedLabel("", Type.SMALL, "muted")
        self.outside_button = link_button("Add unit", "plus")
        self.outside_button.setToolTip("Record the selected words as a unit that the pyramid does not have")
        edits(self.outside_button)
        self.next_button = icon_button("chevron-down", "Next unmatched words")
        self.next_button.clicked.connect(self.next_requested)
        foot = QFrame()
        foot.setProperty("kind", "panel-foot")
        row = QHBoxLayout(foot)
        row.setContentsMargins(MEDIUM, TIGHT, SMALL, TIGHT)
        row.addWidget(self.fact_label, 1)
        row.addWidget(self.next_button)
        row.addWidget(self.outside_button)
        said = QHBoxLayout()
        said.setContentsMargins(SMALL, TIGHT, SMALL, TIGHT)
        said.addWidget(self.comment)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.list, 1)
        column.addLayout(said)
        column.addWidget(foot)
        self.choose("")

    def show_units(self, lines: Sequence[UnitRow], fact: UnitCounts) -> None:
        """List the units."""
        self.list.show_units(lines)
        self.comment.setVisible(bool(lines))
        counts = ((fact.repeats, "again"), (fact.outside, "outside"))
        facts = [f"{100 * fact.uncovered:.0f} % unmatched"]
        facts += [f"{count} {what}" for count, what in counts if count]
        self.fact_label.setText(" · ".join(facts) if fact.units else "")
        self.next_button.setEnabled(fact.uncovered > 0)

    def choose(self, match_id: str) -> None:
        """Show a unit as the chosen one with its comment; empty = none is."""
        self.list.choose(match_id)
        line = next((line for line in self.list.lines if line.match_id == match_id), None)
        self.comment.show_text(line.comment if line is not None else "", match_id)
        self.comment.setVisible(bool(self.list.lines))
        self.comment.setEnabled(line is not None)  # not hidden: choosing a unit moves nothing
        self.comment.setPlaceholderText(COMMENT if line is not None else CHOOSE)
