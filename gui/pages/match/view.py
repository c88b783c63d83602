"""View of the Match page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QPushButton, QWidget

from gui.annotation.drag_and_drop import DragKind
from gui.annotation.guidelines_pane import GuidelinesPane
from gui.annotation.match_values import FlagRow, OwnerRow, SummaryText
from gui.annotation.progress.progress_grid import ProgressPanel
from gui.annotation.scus.question_overlay import QuestionOverlay
from gui.annotation.scus.scu_list import ScuList
from gui.annotation.scus.scu_values import ScuRow
from gui.annotation.suggestions.suggestion_panel import SuggestionPanel
from gui.annotation.text.annotated_text import AnnotatedText
from gui.annotation.text.temporary_focus import TemporaryFocus
from gui.item_models.table_model import VALUE_ROLE, Column, TableModel
from gui.pages.match.score_panel import ScorePanel
from gui.pages.match.summary_column import SummaryColumn
from gui.pages.match.values import LiveScore
from gui.style.language import tr
from gui.widgets.buttons import plain_button
from gui.widgets.controls.combo_box import ComboBox
from gui.widgets.edit_lock import edits
from gui.widgets.empty_state import EmptyPage
from gui.widgets.lists.grouped_tree import paint_nothing_found
from gui.widgets.notice import Notice
from gui.widgets.page import Page
from gui.widgets.panel import Panel
from gui.widgets.tabbed_panel import SidePanel

_NO_FLAGS = tr("No flags or notes. Press F to flag the current summary, C to add a note.")


class FlagList(QListView):
    """List of flagged summaries; Enter or a click opens one.

    Signals:
        summary_chosen: topic id, summary id.
    """

    summary_chosen = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.flags: TableModel[FlagRow] = TableModel(
            [Column(tr("Summary"), lambda row: row, _text, cell_tip=_text)]
        )
        self.setModel(self.flags)
        self.setAccessibleName(tr("Flagged summaries and notes"))
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._open)
        self.activated.connect(self._open)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.flags.rows():
            paint_nothing_found(self, _NO_FLAGS)

    def _open(self, index: QModelIndex) -> None:
        row = index.data(VALUE_ROLE)
        if isinstance(row, FlagRow):
            self.summary_chosen.emit(row.topic_id, row.summary_id)


def _text(row: FlagRow) -> str:
    note = f": {row.note}" if row.note else ""
    return " ".join(f"{row.topic} · {row.name}{', flagged' if row.is_flagged else ''}{note}".split())


MARK_DONE, NEXT = (tr("Mark done"), "check"), (tr("Next summary"), "chevron-right")
"""Text and icon of the main button before and after a summary is marked done."""
_SHARES = 42, 58, 32
"""Relative widths of summary, pyramid and side panel."""
_PROMPT = tr("Select the SCU that this unit expresses, then press Enter. Esc cancels.")


class MatchView(Page):
    """The summary at the left, the pyramid with the score in the middle, the side panel at the right.

    Signals:
        unit_chosen, unit_hovered: SCU id or match id; empty if none is hovered.
        unit_removed, unit_opened: match id.
        comment_changed: match id, text.
        scu_search_confirmed: id of the SCU found in the search field; Enter was pressed.
        cell_chosen: topic id, summary id.
        owner_chosen: id of the annotator whose pyramid to match against.
        part_resized: match id or SCU id, old and new span of the part.
        prompt_cancelled, next_requested, done_requested.
        worked: something was selected or hovered, which counts as active time.
    """

    unit_chosen = Signal(str)
    unit_hovered = Signal(str)
    unit_removed = Signal(str)
    unit_opened = Signal(str)
    comment_changed = Signal(str, str)
    scu_search_confirmed = Signal(str)
    cell_chosen = Signal(str, str)
    owner_chosen = Signal(str)
    part_resized = Signal(str, object, object)
    prompt_cancelled = Signal()
    next_requested = Signal()
    done_requested = Signal()
    worked = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Match"), steps=tr("topic"), edits=True)
        self.left = SummaryColumn()
        self.owner_box = ComboBox(tr("Pyramid to match against"))
        self.scus = ScuList(tr("Pyramid"), tr("Find an SCU"), tr("This topic has no pyramid yet."))
        self.pyramids_button = plain_button(tr("Build the pyramid"), "pyramid")
        self.score, self.note = ScorePanel(), self.left.note
        self.progress, self.flags = ProgressPanel(), FlagList()
        self.side, self.suggestions = SidePanel(tr("Summaries")), SuggestionPanel()
        self.guidelines = GuidelinesPane()
        self.notice, self.feedback = Notice(can_close=True), Notice(is_warning=False)
        self.empty = EmptyPage(
            "match",
            tr("This topic has no summaries to match with its pyramid."),
            tr("Import…"),
            is_edit=True,
        )
        self.done_button: QPushButton = self.set_primaries(MARK_DONE, NEXT)
        self.reopen_button = self.add_before_primary("refresh", tr("Reopen summary"))
        edits(self.reopen_button)
        self._is_done, self._whose = False, ""
        self.pyramid_panel = Panel(tr("Pyramid"), hairline=False)
        self._prompt = QuestionOverlay(self.pyramid_panel)
        self.prompt_label = self._prompt.label
        self._keyboard = TemporaryFocus(self)
        self._arrange()
        self._connect()

    @property
    def text(self) -> AnnotatedText:
        """Return the text of the current summary."""
        return self.left.text

    def show_summary(self, summary: SummaryText | None) -> None:
        """Show a summary without its marks; None if the topic has none."""
        self.left.setVisible(summary is not None)
        self.pyramid_panel.setVisible(summary is not None)
        self.side.show_needed(summary is not None)
        self.empty.setVisible(summary is None)
        self.done_button.setEnabled(summary is not None)
        self.left.show_summary(summary)
        self._whose = (
            tr("Summary {position}: ", position=summary.position)
            if summary is not None and self.left.is_all
            else ""
        )

    def show_scus(self, rows: Sequence[ScuRow], letters: Sequence[str]) -> None:
        """List the SCUs and which of them match. letters: of the references, for the filter."""
        self.scus.show_lines(rows, letters)
        matched = sum(bool(row.is_matched) for row in rows)
        self.pyramid_panel.set_fact(
            tr("{whose}{matched} of {rows} SCUs matched", whose=self._whose, matched=matched, rows=len(rows))
            if rows
            else ""
        )

    def show_score(self, score: LiveScore, *, is_open: bool) -> None:
        """Show the live score, or that it is closed."""
        self.score.show_score(score)
        self.score.show_open(is_open=is_open)

    def show_state(self, summary_id: str, *, is_done: bool, is_flagged: bool, note: str) -> None:
        """Show the state of the summary."""
        self._is_done = is_done
        self.show_primary(NEXT if is_done else MARK_DONE)
        edits(self.done_button, now=not is_done)
        self.reopen_button.setVisible(is_done)
        self.left.show_flag(is_flagged)
        self.note.typed.show(note, summary_id)

    def show_selected(self, scu_id: str, match_id: str, *, reveal: bool = False) -> None:
        """Show an SCU or one unit of the summary as selected; empty for none. reveal: scroll to it."""
        self.scus.tree.choose(scu_id, match_id)
        self.score.arithmetic.show_selected(scu_id)
        self.left.show_selected(scu_id, match_id, reveal=reveal)

    def show_hovered(self, unit_id: str, scu_id: str) -> None:
        """Highlight a unit or an SCU; empty for none."""
        self.left.show_hovered(unit_id)
        self.scus.tree.show_hovered(scu_id)

    def show_owners(self, owners: Sequence[OwnerRow], current: str) -> None:
        """Show the choice of the pyramid to match against, if there are several."""
        titles = [tr("{name}, %n SCUs", "", owner.scus, name=owner.name) for owner in owners]
        self.owner_box.offer(zip((owner.annotator_id for owner in owners), titles, strict=True))
        self.owner_box.setCurrentIndex(self.owner_box.findData(current))  # -1: it has no SCUs
        self.owner_box.setVisible(len(owners) > 1)

    def show_all_summaries(self) -> None:
        """Show the progress grid at the right, or close it."""
        is_shown = self.side.is_open and self.side.tabs.current == "progress"
        self.side.show_tab("progress")
        self.side.set_open(not is_shown)

    def show_owner(self, name: str) -> None:
        """Show whose pyramid is matched against; empty = the annotator's own."""
        self.pyramid_panel.set_title(tr("Pyramid of {name}", name=name) if name else tr("Your pyramid"))

    def show_prompt(self, *, is_open: bool) -> None:
        """Prompt for the SCU of a unit in the list of SCUs, or close the prompt and restore the focus."""
        self._prompt.ask(_PROMPT if is_open else "")
        if is_open:
            self._keyboard.move_to(self.scus.tree)
        else:
            self._keyboard.restore()

    def find_scu(self) -> None:
        """Focus the search field of the SCUs."""
        self._keyboard.remember()
        self.scus.field.focus_default()

    def enter_units(self) -> None:
        """Focus the units of the selected SCU, else those outside the pyramid; Escape restores the focus."""
        self._keyboard.remember()
        units = self.left.units.list
        if not self.scus.tree.enter_units():
            units.setFocus(Qt.FocusReason.ShortcutFocusReason)
            if not units.current_unit and units.rows:
                units.setCurrentIndex(units.units.index(0, 0))

    @property
    def is_in_units(self) -> bool:
        """Whether the keyboard is in a unit, below its SCU or outside the pyramid."""
        return self.left.units.list.hasFocus() or self.scus.tree.is_in_unit

    def edit_note(self) -> None:
        """Focus the note."""
        self._keyboard.move_to(self.note)

    def edit_comment(self, scu_id: str, match_id: str) -> None:
        """Open the comment of a unit, below its SCU or, without one, in the list of units."""
        self._keyboard.remember()
        if scu_id:
            self.scus.tree.edit_comment(scu_id, match_id)
        else:
            self.left.units.list.edit_comment(match_id)

    def showEvent(self, event: object) -> None:
        """Focus the text, so that shortcuts act on it, unless another widget here had the focus."""
        super().showEvent(event)
        focused = self.focusWidget()
        if not any(focused is not None and panel.isAncestorOf(focused) for panel in self._panels):
            self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Pass the focus on to the text, so that shortcuts act on it."""
        self.text.setFocus(event.reason())

    def _arrange(self) -> None:
        self.add_place(self.left.panel.place)
        self.scus.tree.opens_details = True
        self.scus.tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.pyramid_panel.add_action(self.owner_box)
        self.pyramid_panel.add_action(self.scus.tools_for_header())
        self.scus.offer(self.pyramids_button)
        self.pyramid_panel.add(self.scus, 1)
        self.pyramid_panel.add(self.score)
        self.owner_box.hide()
        self.side.add_tab("progress", tr("Summaries"), "overview", self.progress)
        self.side.add_tab("flags", tr("Flagged"), "flag", self.flags, is_counted=True)
        self.side.add_tab("suggestions", tr("Suggestions"), "bulb", self.suggestions)
        self.side.add_tab("guidelines", tr("Guidelines"), "help", self.guidelines)
        self.side.set_open(False)
        self._panels: tuple[QWidget, ...] = (self.left, self.pyramid_panel, self.side)
        for column, stretch in zip(self._panels, _SHARES, strict=True):
            self.add(column, stretch)
        self.side.open_changed.connect(lambda _: self.share_out((*_SHARES, 1)))
        self.add(self.empty, 1)
        self.empty.hide()
        self.add_notice(self.notice)
        self.add_notice(self.feedback)

    def _connect(self) -> None:
        self._connect_left()
        self._connect_text(self.left.panel.text)
        self.left.stack.text_added.connect(self._connect_text)
        tree = self.scus.tree
        for source, signal in (
            (tree.scu_hovered, self.unit_hovered),
            (tree.scu_chosen, self.unit_chosen),
            (tree.unit_chosen, self.unit_chosen),
            (tree.unit_opened, self.unit_opened),
            (tree.unit_removed, self.unit_removed),
            (tree.delegate.comment_typed, self.comment_changed),
            (tree.cancelled, self.prompt_cancelled),
            (self.score.arithmetic.scu_chosen, self.unit_chosen),
        ):
            source.connect(signal)
        for clicked in (self.left.unit_clicked, self.score.arithmetic.scu_chosen):
            clicked.connect(tree.show_details)  # of what the click has selected
        tree.allow_drops((DragKind.UNIT, DragKind.WORDS), tr("Drop here if no SCU expresses this"))
        for left in (tree.label_left, tree.cancelled):
            left.connect(self._keyboard.restore)
        self._prompt.cancel_button.clicked.connect(self.prompt_cancelled)
        self.scus.field.returnPressed.connect(self._confirm_search)
        self.owner_box.activated.connect(lambda: self.owner_chosen.emit(self.owner_box.currentData()))
        self.note.left.connect(self._keyboard.restore)
        self.done_button.clicked.connect(self._press_primary)
        self.reopen_button.clicked.connect(self.done_requested)
        for activity in (self.left.words_selected, self.unit_chosen, self.unit_hovered):
            activity.connect(self.worked)

    def _connect_left(self) -> None:
        left, units = self.left, self.left.units
        for source, signal in (
            (left.unit_hovered, self.unit_hovered),
            (left.unit_clicked, self.unit_chosen),
            (units.list.unit_hovered, self.unit_hovered),
            (units.list.unit_chosen, self.unit_chosen),
            (units.list.unit_removed, self.unit_removed),
            (units.list.unit_opened, self.unit_opened),
            (left.next_button.clicked, self.next_requested),
            (self.progress.grid.cell_chosen, self.cell_chosen),
            (self.flags.summary_chosen, self.cell_chosen),
            (units.list.delegate.comment_typed, self.comment_changed),
        ):
            source.connect(signal)
        units.list.left.connect(self._keyboard.restore)
        left.all_button.clicked.connect(self.show_all_summaries)

    @Slot()
    def _press_primary(self) -> None:
        (self.next_requested if self._is_done else self.done_requested).emit()

    @Slot(object)
    def _connect_text(self, text: AnnotatedText) -> None:
        """Highlight in the list the SCUs under the pointer in a text, and allow resizing of its parts."""
        text.units_hovered.connect(self.scus.tree.show_under_pointer)
        text.allow_resizing()
        text.part_resized.connect(self.part_resized)

    @Slot()
    def _confirm_search(self) -> None:
        """Report the current SCU of the search, clear the search field and restore the focus."""
        if scu_id := self.scus.tree.current_scu:
            self.scus.field.clear()
            self.scu_search_confirmed.emit(scu_id)
            self._keyboard.restore()
