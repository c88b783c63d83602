"""Left panel of the Match page: one or all summaries, units outside the pyramid, the note, and progress."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from core.domain.study import Span
from gui.annotation.match_values import SummaryText
from gui.annotation.stored_text_field import NoteField
from gui.annotation.text.annotated_text import AnnotatedText
from gui.annotation.text.summary_panel import SummaryPanel
from gui.pages.match.summary_stack import SummaryStack
from gui.pages.match.unit_list import UnitPanel
from gui.pages.match.values import SummaryBlock
from gui.style import icons
from gui.style.language import tr
from gui.style.theme import SMALL, TIGHT, Type
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import icon_button, link_button
from gui.widgets.controls.segmented_control import Segmented
from gui.widgets.edit_lock import edits
from gui.widgets.label import ElidedLabel

_ESTIMATE = tr("Estimated from the time spent on your completed summaries")


class SummaryColumn(QWidget):
    """A panel that shows one summary, or all of them as a `stack`.

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
        super().__init__()
        self.panel, self.stack, self.units = SummaryPanel(), SummaryStack(), UnitPanel()
        self.layout_choice = Segmented(tr("Summaries"), (("one", tr("One")), ("all", tr("All"))))
        self.flag_button = icon_button("flag", tr("Flag"))
        edits(self.flag_button)
        self.note = NoteField(tr("Note"), tr("Note on this summary"), lines=1)
        self.progress_label = ElidedLabel("", Type.SMALL, "muted")
        self.next_button = icon_button("chevron-right", tr("Next undone summary"))
        self.all_button = link_button(tr("All summaries"))
        self._is_all = False
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

    def show_summary(self, summary: SummaryText | None) -> None:
        """Make a summary the current one; None if the topic has none."""
        self.panel.show_summary(summary)
        if self._is_all and summary is not None:
            self.panel.set_title(tr("All {total} summaries", total=summary.total))
            self.panel.set_fact("")
            self.stack.activate(summary.id)

    def show_blocks(self, blocks: Sequence[SummaryBlock], summary_id: str) -> None:
        """Show all summaries, one of them active."""
        self.stack.show_blocks(blocks)
        self.stack.activate(summary_id)

    def show_flag(self, is_flagged: bool) -> None:
        """Show whether the summary is flagged."""
        name = tr("Remove the flag") if is_flagged else tr("Flag this summary")
        self.flag_button.setToolTip(plain_tip(name))
        self.flag_button.setAccessibleName(name)
        icons.set_icon(self.flag_button, "flag", "warning" if is_flagged else "muted")

    def show_selected(self, scu_id: str, match_id: str, *, reveal: bool) -> None:
        """Outline an SCU, or one unit of the current summary and select it in the list; empty for none."""
        if self._is_all:
            self.stack.show_selected(scu_id, match_id)
        else:
            self.text.show_selected(match_id or scu_id)
        self.units.list.choose(match_id)
        if reveal and (match_id or scu_id):
            self.text.reveal(match_id or scu_id)

    def show_hovered(self, unit_id: str) -> None:
        """Highlight an SCU or a unit; empty for none."""
        (self.stack if self._is_all else self.text).show_hovered(unit_id)

    def show_proposed(self, summary_id: str, spans: Sequence[Span]) -> None:
        """Outline suggested spans of the current summary; empty for none."""
        self.panel.text.show_proposed(() if self._is_all else spans)
        self.stack.show_proposed(summary_id, spans if self._is_all else ())

    def _arrange(self) -> None:
        self.panel.add_action(self.layout_choice)
        self.panel.add_action(self.flag_button)
        self.panel.add(self.stack, 1)
        self.stack.hide()
        self.panel.add(self.units)
        note = QHBoxLayout()
        note.setContentsMargins(SMALL, TIGHT, SMALL, SMALL)
        note.addWidget(self.note)
        self.panel.add(note)
        foot = QHBoxLayout()
        foot.setSpacing(SMALL)
        foot.addWidget(self.progress_label, 1)
        foot.addWidget(self.next_button)
        foot.addWidget(self.all_button)
        self.panel.add_foot(foot)
        self.progress_label.setAccessibleDescription(_ESTIMATE)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.panel)

    def _connect(self) -> None:
        for text in (self.panel.text, self.stack):
            text.unit_hovered.connect(self.unit_hovered)
            text.unit_clicked.connect(self.unit_clicked)
            text.words_selected.connect(self.words_selected)
        self.layout_choice.chosen.connect(lambda key: self.layout_chosen.emit(key == "all"))
