"""Panel of the summary being annotated, shared by all pages that show one."""

from __future__ import annotations

from PySide6.QtCore import Slot

from gui.annotation.match_values import SummaryText
from gui.annotation.text.annotated_text import AnnotatedText
from gui.style import icons
from gui.style.language import tr
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import icon_button
from gui.widgets.controls.stepper import Stepper
from gui.widgets.panel import Panel


class SummaryPanel(Panel):
    """A summary and a stepper (`place`) for the page header with its number."""

    def __init__(self) -> None:
        super().__init__(tr("Summary"))
        self.place = Stepper(tr("summary"), tr("Summary"))
        self.text = AnnotatedText(tr("Summary"))
        self.names_button = icon_button("eye-off", tr("Show system names"))
        self.names_button.setCheckable(True)
        self.add_action(self.names_button)
        self.add(self.text, 1)

    @Slot(bool)
    def allow_names(self, are_allowed: bool) -> None:
        """Show or hide the button that shows system names; hiding it also hides the names."""
        self.names_button.setVisible(are_allowed)
        if not are_allowed:
            self.names_button.setChecked(False)

    def show_summary(self, summary: SummaryText | None) -> None:
        """Show a summary without marks; None = the topic has no summaries."""
        if summary is None:
            self.place.show_place("", "", 0, 0)
            return
        self.place.show_place("", "", summary.position, summary.total)
        self.text.show_text(summary.content, summary.language)
        self.text.setAccessibleName(tr("Summary {position}", position=summary.position))
        self.set_title(tr("Summary {position}", position=summary.position))
        self.show_system(summary.system)

    def show_system(self, system: str) -> None:
        """Show the summary's system; empty = hidden."""
        words = self.text.word_count_text
        self.set_fact(f"{system} · {words}" if system else words)
        name = tr("Hide system names") if system else tr("Show system names")
        self.names_button.setToolTip(plain_tip(name))
        self.names_button.setAccessibleName(name)
        icons.set_icon(self.names_button, "eye" if system else "eye-off")
