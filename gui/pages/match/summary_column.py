"""The left column of the page of matches: the summary, or all of them, above units, progress and flags."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter

from core.domain.study import Span
from gui.annotation.annotated_text import AnnotatedText
from gui.annotation.match_values import FlagRow, SummaryText, UnitCounts, UnitRow
from gui.annotation.progress_panel import ProgressPanel
from gui.annotation.summary_panel import SummaryPanel
from gui.pages.match.flag_list import FlagList
from gui.pages.match.summary_block import SummaryBlock
from gui.pages.match.summary_stack import SummaryStack
from gui.pages.match.unit_panel import UnitPanel
from gui.session.progress_values import GridRow
from gui.style import icons
from gui.style.theme import MEDIUM, Type
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import icon_button
from gui.widgets.edit_lock import edits
from gui.widgets.label import ElidedLabel
from gui.widgets.segmented_control import Segmented
from gui.widgets.tabbed_panel import SidePanel

_ONE_SHARE, _ALL_SHARE = 0.52, 0.68  # of the height, for the summaries
_ESTIMATE = "Estimated from the time that your finished summaries took"


class SummaryColumn(QSplitter):
    """`panel` holds one summary, `stack` all of them; `below` has the leaves.

    Signals:
        unit_hovered, unit_clicked: in a text.
        words_selected: in a text.
        layout_chosen: all summaries are wanted (True) or one.
    """

    unit_hovered = Signal(str)
    unit_clicked = Signal(str)
    words_selected = Signal()
    layout_chosen = Signal(bool)

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.panel, self.stack, self.below = SummaryPanel(), SummaryStack(), SidePanel("Summary")
        self.layout_choice = Segmented("Summaries", (("one", "One"), ("all", "All")))
        self.flag_button = icon_button("flag", "Flag")
        edits(self.flag_button)
        self.units, self.progress, self.flags = UnitPanel(), ProgressPanel(), FlagList()
        self.progress_label = ElidedLabel("", Type.SMALL, "muted")
        self.next_button = icon_button("chevron-right", "Next summary to do")
        self._is_all = self._is_divided = False
        self._arrange()
        self._connect()

    @property
    def text(self) -> AnnotatedText:
        """The text of the summary in front."""
        return (self.stack.active_text if self._is_all else None) or self.panel.text

    @property
    def is_all(self) -> bool:
        """Whether all summaries are shown."""
        return self._is_all

    def show_layout(self, *, is_all: bool) -> None:
        """Show all summaries below each other, or one."""
        self._is_all = is_all
        self.layout_choice.choose("all" if is_all else "one")
        self.panel.text.setVisible(not is_all)
        self.stack.setVisible(is_all)
        total, share = sum(self.sizes()), _ALL_SHARE if is_all else _ONE_SHARE
        self.setSizes([round(total * share), round(total * (1 - share))])

    def show_summary(self, summary: SummaryText | None) -> None:
        """Bring a summary to the front; None = the topic has none."""
        self.panel.show_summary(summary)
        if self._is_all and summary is not None:
            self.panel.set_title(f"All {summary.total} summaries")
            self.panel.set_fact("")
            self.stack.activate(summary.id)

    def show_blocks(self, blocks: Sequence[SummaryBlock], summary_id: str) -> None:
        """Show all summaries, one of them active."""
        self.stack.show_blocks(blocks)
        self.stack.activate(summary_id)

    def show_units(self, lines: Sequence[UnitRow], fact: UnitCounts) -> None:
        """List the summary's units."""
        self.units.show_units(lines, fact)
        self.below.tabs.set_count("units", fact.units)

    def show_flag(self, is_flagged: bool) -> None:
        """Show whether the summary is flagged."""
        name = "Take the flag off" if is_flagged else "Flag this summary"
        self.flag_button.setToolTip(plain_tip(name))
        self.flag_button.setAccessibleName(name)
        icons.set_icon(self.flag_button, "flag", "warning" if is_flagged else "muted")

    def show_selected(self, scu_id: str, match_id: str, *, reveal: bool) -> None:
        """Ring an SCU, or one unit of the summary in front, and choose it in the list; empty = none."""
        if self._is_all:
            self.stack.show_selected(scu_id, match_id)
        else:
            self.text.show_selected(match_id or scu_id)
        self.units.choose(match_id)
        if reveal and (match_id or scu_id):
            self.text.reveal(match_id or scu_id)

    def show_hovered(self, unit_id: str) -> None:
        """Ring an SCU or a unit lightly; empty = none."""
        (self.stack if self._is_all else self.text).show_hovered(unit_id)

    def show_proposed(self, summary_id: str, spans: Sequence[Span]) -> None:
        """Ring words of the summary in front that are only proposed; none = nothing is."""
        self.panel.text.show_proposed(() if self._is_all else spans)
        self.stack.show_proposed(summary_id, spans if self._is_all else ())

    def show_progress(
        self, rows: Sequence[GridRow], heads: Sequence[str], summary_id: str, fact: str, others: str
    ) -> None:
        """Show how far everything is, and who else has matched the topic."""
        self.progress.grid.show_rows(rows, summary_id, heads)
        self.progress.show_others(others)
        self.progress_label.setText(fact)

    def show_flags(self, lines: Sequence[FlagRow]) -> None:
        """List the flagged summaries."""
        self.flags.show_flags(lines)
        self.below.tabs.set_count("flags", len(lines))

    def showEvent(self, event: object) -> None:
        if not self._is_divided:
            self._is_divided = True
            self.show_layout(is_all=self._is_all)

    def _arrange(self) -> None:
        self.panel.add_action(self.layout_choice)
        self.panel.add_action(self.flag_button)
        self.panel.add(self.stack, 1)
        self.stack.hide()
        self.below.add_tab("units", "Units", "list", self.units, is_counted=True)
        self.below.add_tab("progress", "Progress", "overview", self.progress)
        self.below.add_tab("flags", "Flagged", "flag", self.flags, is_counted=True)
        self.below.add_action(self.progress_label)
        self.progress_label.setAccessibleDescription(_ESTIMATE)
        self.progress.add_to_foot(self.next_button)
        self.setHandleWidth(MEDIUM)
        self.setChildrenCollapsible(False)
        self.addWidget(self.panel)
        self.addWidget(self.below)

    def _connect(self) -> None:
        for text in (self.panel.text, self.stack):
            text.unit_hovered.connect(self.unit_hovered)
            text.unit_clicked.connect(self.unit_clicked)
            text.words_selected.connect(self.words_selected)
        self.layout_choice.chosen.connect(lambda key: self.layout_chosen.emit(key == "all"))
