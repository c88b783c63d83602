"""View of the Agreement page: a verdict on each kind of annotation, and the chosen one in detail."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout

from core.agreement.verdicts import VerdictLine
from gui.commands.shortcuts import KeyHint
from gui.pages.agreement.details import DetailsPanel
from gui.pages.agreement.verdict_table import VerdictTable
from gui.results.result_panel import RunPage
from gui.style.language import tr
from gui.style.theme import SMALL, Type, px
from gui.widgets.controls.multi_choice import Choice, MultiChoice
from gui.widgets.label import ElidedLabel

_WIDE = 1000
"""Width of the page from which on the details are open at first."""


class AgreementView(RunPage):
    """Show how far annotators agree."""

    def __init__(self, groupings: Sequence[Choice]) -> None:
        """groupings: of items, for which coefficients can be shown besides those of all items."""
        labels = tr("Measure", "verb"), tr("Measuring…")
        super().__init__(tr("Agreement"), labels, "people", tr("Measure agreement"), is_primary=False)
        self.decide_button = self.set_primary(tr("Decide differences"))
        self.annotators_box = MultiChoice(tr("Annotators"), tr("All annotators"))
        self.groupings_box = MultiChoice(tr("Also measure"), tr("All items together"))
        self.groupings_box.show_choices(groupings, ())
        self.state_label = ElidedLabel("", Type.SMALL, "muted")
        self.verdicts, self.details = VerdictTable(), DetailsPanel()
        self._has_chosen_details, self._differences = False, 0
        self._lay_out()

    def focus_default(self) -> None:
        if self.verdicts.isVisible():
            self.verdicts.setFocus()
        else:
            super().focus_default()

    def show_verdicts(self, lines: Sequence[VerdictLine], differences: int) -> None:
        """Show a line for each kind of annotation. differences: number to decide in all."""
        self.verdicts.show_lines(lines)
        self._differences = differences
        self._name_primary()

    def show_hints(self, hints: Sequence[KeyHint]) -> None:
        """Show keyboard hints, that of the table first."""
        super().show_hints((KeyHint(("Enter",), tr("Differences")), *hints))

    @Slot()
    def toggle_details(self) -> None:
        """Open or close the details."""
        self._has_chosen_details = True
        self.details.setVisible(not self.details.isVisible())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._name_primary()
        if not self._has_chosen_details:
            self.details.setVisible(self._is_wide)

    @property
    def _is_wide(self) -> bool:
        return self.width() >= px(_WIDE)

    def _name_primary(self) -> None:
        left = self._differences
        text = tr("Decide {left}", left=tr("%n differences", "", left)) if left else tr("No differences")
        self.decide_button.setAccessibleName(text)
        self.decide_button.setText(text if self._is_wide or not left else tr("Decide {left:,}", left=left))
        self.decide_button.setEnabled(left > 0)

    def _lay_out(self) -> None:
        options = QHBoxLayout()
        options.setSpacing(SMALL)
        options.addWidget(self.annotators_box)
        options.addWidget(self.groupings_box)
        options.addWidget(self.state_label, 1)
        options.addWidget(self.stop_button)
        options.addWidget(self.run_button)
        self.result.set_title(tr("Do the annotators agree?"))
        self.result.body.insertLayout(0, options)
        options.setContentsMargins(SMALL, SMALL, SMALL, 0)
        self.add(self.result, 74)
        self.add(self.details, 26)
