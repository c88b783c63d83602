"""View of the Pyramid page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QHideEvent
from PySide6.QtWidgets import QHBoxLayout

from core.domain.pyramid import UnitKind
from gui.annotation.guidelines_pane import GuidelinesPane
from gui.annotation.scus.question_overlay import QuestionOverlay
from gui.annotation.scus.scu_list import ScuList
from gui.annotation.scus.scu_values import ScuRow
from gui.annotation.suggestions.suggestion_panel import SuggestionPanel
from gui.annotation.text.marks import Mark
from gui.annotation.text.temporary_focus import TemporaryFocus
from gui.pages.pyramid.finding_list import FindingList
from gui.pages.pyramid.history_list import HistoryBanner, HistoryList
from gui.pages.pyramid.references.reference_bar import ReferenceBar
from gui.pages.pyramid.references.reference_section import SIDE_BY_SIDE, STACKED
from gui.pages.pyramid.references.reference_stack import ReferenceStack
from gui.pages.pyramid.scu_details import ScuDetailsView, WeightBadge, WeightLegend
from gui.pages.pyramid.values import FindingRow, HistoryPreview, ReferenceText, ScuDetails
from gui.style import icons
from gui.style.language import in_terms_of, tr
from gui.style.theme import SMALL, Type
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import link_button, set_kind
from gui.widgets.edit_lock import edits, refuse
from gui.widgets.empty_state import EmptyPage
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.notice import Notice
from gui.widgets.page import Page
from gui.widgets.panel import Panel
from gui.widgets.tabbed_panel import SidePanel

MARK_DONE, NEXT = (tr("Mark done"), "check"), (tr("Next topic"), "chevron-right")
"""Text and icon of the main button before and after a pyramid is marked done."""
_SHARES = {STACKED: (44, 35, 24), SIDE_BY_SIDE: (62, 24, 20)}
"""Relative widths of references, SCUs and details, by the layout of the references."""


class PyramidView(Page):
    """References at the left, SCUs in the middle, details of the selected SCU at the right.

    Signals:
        scu_chosen, scu_hovered: SCU id; empty if none is hovered.
        scu_confirmed: SCU id; Enter in the list, or a click while a prompt is open.
        cancelled: Escape in the list.
        label_changed: SCU id, text.
        done_requested: mark done, or reopen.
        next_requested: go to the next topic that is not done.
        hidden: the page was left.
        worked: something was selected or hovered, which counts as active time.
    """

    scu_chosen = Signal(str)
    scu_hovered = Signal(str)
    scu_confirmed = Signal(str)
    cancelled = Signal()
    label_changed = Signal(str, str)
    done_requested = Signal()
    next_requested = Signal()
    hidden = Signal()
    worked = Signal()

    def __init__(self, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__(in_terms_of(kind, tr("Pyramid")), steps=tr("topic"), edits=True)
        self.kind = kind
        self.references, self.legend = ReferenceStack(), WeightLegend(kind)
        self.reference_bar = ReferenceBar(kind)
        self.scus = ScuList(
            self._term(tr("SCUs")),
            tr("Find in labels and text"),
            self._term(tr("No SCUs yet. Select text, then press New.")),
            kind,
        )
        self.details, self.badge = ScuDetailsView(kind), WeightBadge(kind)
        self.side, self.suggestions = SidePanel(tr("Details")), SuggestionPanel()
        self.guidelines = GuidelinesPane()
        self.findings, self.history, self.history_banner = (
            FindingList(),
            HistoryList(kind),
            HistoryBanner(kind),
        )
        self.findings_link = link_button("")
        icons.set_icon(self.findings_link, "warning", "warning")
        self.notice, self.lock_banner = Notice(can_close=True), Notice()
        self.count_label, self.edit_notice_label = Label("", Type.SMALL, "muted"), ElidedLabel("", Type.SMALL)
        self.undo_link = link_button(tr("Undo"), "undo")
        self.new_button = link_button(tr("New"), "plus")
        self.empty = EmptyPage(
            "pyramid",
            self._term(tr("This topic has no reference summaries. Import them to build a pyramid.")),
            tr("Import…"),
            is_edit=True,
        )
        self.done_button = self.set_primaries(MARK_DONE, NEXT)
        self.reopen_button = self.add_before_primary("refresh", self._term(tr("Reopen pyramid")))
        edits(self.new_button, self.reopen_button)
        self._scus_panel = Panel(self._term(tr("SCUs")), self._term(tr("by weight")), hairline=False)
        self._prompt = QuestionOverlay(self._scus_panel)
        self.prompt_label = self._prompt.label
        self._keyboard = TemporaryFocus(self)
        self._is_done = False
        self._arrange()
        self._connect()

    def focus_default(self) -> None:
        """Focus the first reference, so that shortcuts act on it."""
        if self.references.sections:
            self.references.sections[0].text.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            super().focus_default()

    def show_references(self, references: Sequence[ReferenceText]) -> None:
        """Show the references of a topic, or the empty page if it has none."""
        self.references.show_references(references)
        self.legend.show_references(len(references))
        self._references_panel.set_fact(f"{len(references)}")
        self._references_panel.setVisible(bool(references))
        self._scus_panel.setVisible(bool(references))
        self.side.show_needed(bool(references))
        self.empty.setVisible(not references)
        self.done_button.setEnabled(bool(references))
        if self.focusWidget() in (None, self, self.undo_button):  # otherwise the focus starts on Undo
            self.focus_default()

    def show_marks(self, marks: Mapping[str, tuple[Mark, ...]], covered: Mapping[str, float]) -> None:
        """Show the marks of each reference and the share of its words that they cover, by reference id."""
        for section in self.references.sections:
            section.show_marks(marks[section.text_id], covered[section.text_id])

    def show_scus(self, rows: Sequence[ScuRow], letters: Sequence[str]) -> None:
        """List the SCUs."""
        self.scus.show_lines(rows, letters)
        contributors = sum(row.contributors for row in rows)
        counts = tr("%n SCUs", "", len(rows)), tr("%n contributors", "", contributors)
        self.count_label.setText(self._term(" · ".join(counts)))

    def show_selected(self, details: ScuDetails | None, *, reveal: bool = False) -> None:
        """Show an SCU as selected everywhere; None if none is."""
        scu_id = details.scu_id if details is not None else ""
        self.scus.tree.choose(scu_id)
        self.references.show_selected(scu_id, reveal=reveal)
        self.details.show_details(details)
        self.badge.show_weight(details.weight if details else 0, details.step if details else 1)

    def show_hovered(self, scu_id: str) -> None:
        """Highlight an SCU everywhere; empty for none."""
        self.references.show_hovered(scu_id)
        self.scus.tree.show_hovered(scu_id)

    def show_done(self, is_done: bool) -> None:
        """Show whether the pyramid is marked as done."""
        self.show_primary(NEXT if is_done else MARK_DONE)
        edits(self.done_button, now=not is_done)
        self.reopen_button.setEnabled(is_done)
        self.reopen_button.setVisible(is_done)
        self._is_done = is_done
        self._show_order()
        self._style_findings_link()

    def show_lock(self, reason: str, name: str) -> None:
        """Show why the pyramid of an annotator is locked, and disable what edits it; empty = it is not."""
        sentence = self._term(tr("Locked: shared pyramid of {name}", name=name)) if reason else ""
        self.lock_banner.show_message(sentence, tr("Unlock"))
        self.lock_banner.setToolTip(plain_tip(reason))
        self.details.show_editable(not reason and self.history_banner.isHidden())
        refuse(reason, self.new_button, self.reopen_button)

    def show_prompt(self, prompt: str) -> None:
        """Prompt for another SCU of the list; an empty text closes the prompt."""
        self._prompt.ask(prompt)
        if prompt:
            self.scus.tree.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_edit_notice(self, sentence: str) -> None:
        """Describe the last edit below the list, next to an Undo link; empty to hide it."""
        self.edit_notice_label.setText(sentence)
        for widget in (self.edit_notice_label, self.undo_link):
            widget.setVisible(bool(sentence))
        self.count_label.setVisible(not sentence)

    def show_findings(self, rows: Sequence[FindingRow] | None, open_: int, ignored: int) -> None:
        """List findings.

        rows: None while the check is running.
        open_: number of findings that are not ignored.
        ignored: number of ignored findings.
        """
        self.findings.show_findings(rows, ignored)
        self.side.tabs.set_count("findings", open_)
        self.findings_link.setText(tr("%n findings", "", open_))
        self.findings_link.setAccessibleName(self.findings_link.text())
        self.findings_link.setVisible(bool(open_))
        self._style_findings_link()

    def go_to_findings(self) -> None:
        """Show and focus the findings."""
        self.side.show_tab("findings")
        self.findings.focus_default()

    def go_to_history(self) -> None:
        """Show and focus the history."""
        self.side.show_tab("history")
        self.history.focus_default()

    def show_preview(self, preview: HistoryPreview | None) -> None:
        """Show the banner of an earlier version and disable editing; None for the current version."""
        self.history_banner.show_preview(preview)
        self.details.show_editable(preview is None)
        for button in (self.new_button, self.done_button, self.reopen_button):
            button.setEnabled(preview is None)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.hidden.emit()

    def step_card(self, by: int) -> bool:
        """Focus the previous (-1) or next (+1) contributor; return False if there is none."""
        self.side.show_tab("scu")
        return self.details.cards.step(by)

    def edit_card_comment(self) -> bool:
        """Focus the comment of the current contributor; return False if there is none."""
        row = self.details.cards.last_row
        if row is not None:
            self.side.show_tab("scu")
            self.details.edit_card_comment(row)
        return row is not None

    def edit_label(self, scu_id: str) -> None:
        """Edit the label of an SCU in the list; the focus then returns to where it was."""
        self.scus.show_scu(scu_id)
        self._keyboard.remember()
        self.scus.tree.edit_label(scu_id)

    def edit_comment(self) -> None:
        """Focus the comment; the focus then returns to where it was."""
        self._keyboard.move_to(self.details.comment)

    def set_context_menus(
        self, scu_menu: Sequence[QAction], contributor_menu: Sequence[QAction], text_menu: Sequence[QAction]
    ) -> None:
        """Set the context menus of SCU rows, contributor cards and reference texts."""
        for widget, actions in ((self.scus.tree, scu_menu), (self.details.cards, contributor_menu)):
            widget.addActions(list(actions))
            widget.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.references.set_context_menu(text_menu)

    def _arrange(self) -> None:
        self._references_panel = Panel(tr("References"), hairline=False)
        self._references_panel.add_action(self.legend)
        self._references_panel.add(self.reference_bar)
        self._references_panel.add(self.references, 1)
        self._scus_panel.add_action(self.new_button)
        self._scus_panel.add(self.scus, 1)
        self._scus_panel.add_foot(self._foot())
        self.side.add_before_title(self.badge)
        self.side.add_tab("scu", self._term(tr("SCU")), "tag", self.details)
        self.side.add_tab("findings", tr("Findings"), "warning", self.findings, is_counted=True)
        self.side.add_tab("history", tr("History"), "clock", self.history)
        if self.kind is UnitKind.SCU:
            self.side.add_tab("suggestions", tr("Suggestions"), "bulb", self.suggestions)
        self.side.add_tab("guidelines", tr("Guidelines"), "help", self.guidelines)
        panels = (self._references_panel, self._scus_panel, self.side)
        for panel, stretch in zip(panels, _SHARES[STACKED], strict=True):
            self.add(panel, stretch)
        self.add(self.empty, 1)
        self.references.layout_changed.connect(lambda layout: self.share_out((*_SHARES[layout], 1)))
        self.empty.hide()
        self.add_notice(self.notice)
        self.add_notice(self.history_banner)
        self.add_notice(self.lock_banner)

    def _foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setSpacing(SMALL)
        foot.addWidget(self.count_label)
        foot.addWidget(self.edit_notice_label, 1)
        foot.addWidget(self.undo_link)
        foot.addStretch()
        foot.addWidget(self.findings_link)
        self.findings_link.hide()
        self.edit_notice_label.hide()
        self.undo_link.hide()
        return foot

    def _connect(self) -> None:
        self.references.units_hovered.connect(self.scus.tree.show_under_pointer)
        for source in (self.references.unit_hovered, self.scus.tree.scu_hovered):
            source.connect(self.scu_hovered)
        for chosen in (
            self.references.unit_clicked,
            self.scus.tree.scu_chosen,
            self.details.overlap_chosen,
        ):
            chosen.connect(self.scu_chosen)
        self.scus.tree.confirmed.connect(self.scu_confirmed)
        self.scus.tree.cancelled.connect(self.cancelled)
        self._prompt.cancel_button.clicked.connect(self.cancelled)
        for clicked in (self.scus.tree.scu_clicked, self.references.unit_clicked):
            clicked.connect(self._confirm_click)
        self.scus.tree.allow_drops()
        self.scus.tree.scus.label_typed.connect(self.label_changed)
        self.scus.arranged.connect(self._show_order)
        self.scus.tree.label_left.connect(self._keyboard.restore)
        self.details.label_field.committed.connect(self.label_changed)
        self.details.comment.left.connect(self._keyboard.restore)
        self.done_button.clicked.connect(self._press_primary)
        self.reopen_button.clicked.connect(self.done_requested)
        for activity in (self.references.words_selected, self.scu_chosen, self.scu_hovered):
            activity.connect(self.worked)

    @Slot(str)
    def _confirm_click(self, scu_id: str) -> None:
        if not self._prompt.isHidden():
            self.scu_confirmed.emit(scu_id)

    @Slot()
    def _press_primary(self) -> None:
        (self.next_requested if self._is_done else self.done_requested).emit()

    def _style_findings_link(self) -> None:
        """Emphasize the number of findings only once the pyramid is marked done."""
        set_kind(self.findings_link, "link" if self._is_done else "quiet")
        icons.set_icon(self.findings_link, "warning", "warning" if self._is_done else "muted")

    @Slot()
    def _show_order(self) -> None:
        self._scus_panel.set_fact(
            tr("{fact} · done", fact=self.scus.fact) if self._is_done else self.scus.fact
        )

    def _term(self, text: str) -> str:
        return in_terms_of(self.kind, text)
