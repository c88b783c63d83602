"""Left column of the Match page: one or all summaries, above units, progress and flags."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from core.domain.study import Span
from core.formatting.numbers import pluralize
from gui.annotation.match_values import FlagRow, SummaryText, UnitCounts, UnitRow
from gui.annotation.progress.progress_grid import ProgressPanel
from gui.annotation.stored_text_field import NoteField
from gui.annotation.text.annotated_text import AnnotatedText
from gui.annotation.text.summary_panel import SummaryPanel
from gui.pages.match.flag_list import FlagList
from gui.pages.match.summary_stack import SummaryStack
from gui.pages.match.unit_list import UnitList
from gui.pages.match.values import SummaryBlock
from gui.session.topic_values import GridRow
from gui.style import icons
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import icon_button, link_button
from gui.widgets.controls.segmented_control import Segmented
from gui.widgets.edit_lock import edits
from gui.widgets.label import ElidedLabel
from gui.widgets.tabbed_panel import SidePanel

_ONE_SHARE, _ALL_SHARE = 0.52, 0.68  # of the height, for the summaries
_ESTIMATE = "Estimated from the time spent on your completed summaries"


class SummaryColumn(QSplitter):
    """Summaries above tabs. `panel` shows one summary, `stack` all of them, `below` the tabs.

    Signals:
        unit_hovered, unit_clicked: id of a unit or SCU in a text.
        words_selected: the selection in a text changed.
        layout_chosen: show all summaries (True) or one.
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
        self.next_button = icon_button("chevron-right", "Next undone summary")
        self._is_all = self._has_initial_sizes = False
        self._arrange()
        self._connect()

    @property
    def text(self) -> AnnotatedText:
        """Return the text of the current summary."""
        return (self.stack.active_text if self._is_all else None) or self.panel.text

    @property
    def is_all(self) -> bool:
        """Return whether all summaries are displayed."""
        return self._is_all

    def show_layout(self, *, is_all: bool) -> None:
        """Show all summaries, or one."""
        self._is_all = is_all
        self.layout_choice.choose("all" if is_all else "one")
        self.panel.text.setVisible(not is_all)
        self.stack.setVisible(is_all)
        total, share = sum(self.sizes()), _ALL_SHARE if is_all else _ONE_SHARE
        self.setSizes([round(total * share), round(total * (1 - share))])

    def show_summary(self, summary: SummaryText | None) -> None:
        """Make a summary the current one; None if the topic has none."""
        self.panel.show_summary(summary)
        if self._is_all and summary is not None:
            self.panel.set_title(f"All {summary.total} summaries")
            self.panel.set_fact("")
            self.stack.activate(summary.id)

    def show_blocks(self, blocks: Sequence[SummaryBlock], summary_id: str) -> None:
        """Show all summaries, one of them active."""
        self.stack.show_blocks(blocks)
        self.stack.activate(summary_id)

    def show_units(self, rows: Sequence[UnitRow], fact: UnitCounts) -> None:
        """List the units of the summary."""
        self.units.show_units(rows, fact)
        self.below.tabs.set_count("units", fact.units)

    def show_flag(self, is_flagged: bool) -> None:
        """Show whether the summary is flagged."""
        name = "Remove the flag" if is_flagged else "Flag this summary"
        self.flag_button.setToolTip(plain_tip(name))
        self.flag_button.setAccessibleName(name)
        icons.set_icon(self.flag_button, "flag", "warning" if is_flagged else "muted")

    def show_selected(self, scu_id: str, match_id: str, *, reveal: bool) -> None:
        """Outline an SCU, or one unit of the current summary and select it in the list; empty for none."""
        if self._is_all:
            self.stack.show_selected(scu_id, match_id)
        else:
            self.text.show_selected(match_id or scu_id)
        self.units.choose(match_id)
        if reveal and (match_id or scu_id):
            self.text.reveal(match_id or scu_id)

    def show_hovered(self, unit_id: str) -> None:
        """Highlight an SCU or a unit; empty for none."""
        (self.stack if self._is_all else self.text).show_hovered(unit_id)

    def show_proposed(self, summary_id: str, spans: Sequence[Span]) -> None:
        """Outline suggested spans of the current summary; empty for none."""
        self.panel.text.show_proposed(() if self._is_all else spans)
        self.stack.show_proposed(summary_id, spans if self._is_all else ())

    def show_progress(
        self, rows: Sequence[GridRow], systems: Sequence[str], summary_id: str, fact: str, others: str
    ) -> None:
        """Show the progress of all topics, and who else has matched the current one."""
        self.progress.grid.show_rows(rows, summary_id, systems)
        self.progress.show_others(others)
        self.progress_label.setText(fact)

    def show_flags(self, rows: Sequence[FlagRow]) -> None:
        """List the flagged summaries."""
        self.flags.show_flags(rows)
        self.below.tabs.set_count("flags", len(rows))

    def showEvent(self, event: object) -> None:
        if not self._has_initial_sizes:
            self._has_initial_sizes = True
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
