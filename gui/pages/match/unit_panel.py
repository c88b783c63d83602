"""Panel with the units of a summary, the comment of the selected one, and the share of unmatched text."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from core.formatting.numbers import pluralize
from gui.annotation.match_values import UnitCounts, UnitRow
from gui.annotation.note_field import NoteField
from gui.pages.match.unit_list import UnitList
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type
from gui.widgets.buttons import icon_button, link_button
from gui.widgets.edit_lock import edits
from gui.widgets.label import ElidedLabel

COMMENT = "Comment on this unit"
SELECT_UNIT = "Select a unit to comment on it"


class UnitPanel(QWidget):
    """List of units with a comment field and a footer."""

    def __init__(self) -> None:
        super().__init__()
        self.list = UnitList()
        self.comment = NoteField("Comment on the unit", COMMENT, lines=1)
        self.fact_label = ElidedLabel("", Type.SMALL, "muted")
        self.outside_button = link_button("Add unit", "plus")
        self.outside_button.setToolTip("Add the selected text as a unit that is not in the pyramid")
        edits(self.outside_button)
        self.next_button = icon_button("chevron-down", "Next unmatched text")
        footer = QFrame()
        footer.setProperty("kind", "panel-foot")
        row = QHBoxLayout(footer)
        row.setContentsMargins(MEDIUM, TIGHT, SMALL, TIGHT)
        row.addWidget(self.fact_label, 1)
        row.addWidget(self.next_button)
        row.addWidget(self.outside_button)
        comment = QHBoxLayout()
        comment.setContentsMargins(SMALL, TIGHT, SMALL, TIGHT)
        comment.addWidget(self.comment)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.list, 1)
        column.addLayout(comment)
        column.addWidget(footer)
        self.choose("")

    def show_units(self, rows: Sequence[UnitRow], fact: UnitCounts) -> None:
        """List the units."""
        self.list.show_units(rows)
        self.comment.setVisible(bool(rows))
        facts = [f"{100 * fact.uncovered:.0f} % unmatched"]
        if fact.repeats:
            facts.append(pluralize(fact.repeats, "repetition"))
        if fact.outside:
            facts.append(f"{fact.outside} not in pyramid")
        self.fact_label.setText(" · ".join(facts) if fact.units else "")
        self.next_button.setEnabled(fact.uncovered > 0)

    def choose(self, match_id: str) -> None:
        """Select a unit and show its comment; empty for none."""
        self.list.choose(match_id)
        row = next((row for row in self.list.rows if row.match_id == match_id), None)
        self.comment.show_text(row.comment if row is not None else "", match_id)
        self.comment.setVisible(bool(self.list.rows))
        self.comment.setEnabled(
            row is not None
        )  # not hidden, so that selecting a unit does not move the layout
        self.comment.setPlaceholderText(COMMENT if row is not None else SELECT_UNIT)
