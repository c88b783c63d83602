"""View of the Pyramid page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QMargins, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import QFont, QHideEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QStyleOptionViewItem, QWidget

from core.domain.pyramid import UnitKind
from core.domain.study import Text
from gui.annotation.guidelines_pane import GuidelinesPane
from gui.annotation.scus.scu_list import QuestionOverlay, ScuList
from gui.annotation.scus.scu_values import ScuRow
from gui.annotation.suggestions.suggestion_panel import SuggestionPanel
from gui.annotation.text.marks import Mark
from gui.item_models.table_model import ROW_ROLE, Column, GroupedModel, Index
from gui.pages.pyramid.references import SIDE_BY_SIDE, STACKED, ReferenceBar, ReferenceStack
from gui.pages.pyramid.rows import PYRAMID, SCU, FindingRow, HistoryRow, ScuDetails
from gui.pages.pyramid.scu_details import ScuDetailsView, WeightBadge, WeightLegend
from gui.style import icons, theme
from gui.style.language import in_terms_of, plain_tip, tr
from gui.style.theme import LARGE, MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.buttons import edits, link_button, refuse, set_kind
from gui.widgets.controls import Segmented
from gui.widgets.label import ElidedLabel, IconLabel, Label
from gui.widgets.layouts import Stretch, hbox, vbox
from gui.widgets.lists.grouped_tree import WrappedDelegate, WrappedTree, verb_rect, write
from gui.widgets.notice import EmptyPage, Notice
from gui.widgets.page import AnnotationPage
from gui.widgets.panel import Panel, SidePanel

IGNORE, STOP_IGNORING = tr("Ignore"), tr("Stop ignoring")
_LEFT = MEDIUM + icons.ROW_PX + SMALL
_ACTIONS_PX = 22
MAX_ROWS = 150
"""Most rows to lay out at once, to keep the window responsive; the most serious come first."""
CHECKING, NO_PROBLEMS = tr("Checking…"), tr("No problems found.")
NO_REPAIR = tr("No automatic fix. Press Enter to go to the text.")
FINDING_KEYS = tr("Enter: show · Space: fix · Del: ignore. Fixes can be undone.")


class FindingDelegate(WrappedDelegate):
    """Paints a finding: icon and sentence, and below them the actions to fix or ignore it."""

    def words(self, row: FindingRow) -> str:
        return row.sentence

    def margins(self, row: FindingRow) -> tuple[int, int, int]:
        return _LEFT, SMALL, _ACTIONS_PX + TIGHT

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        row: FindingRow = index.data(ROW_ROLE)
        icon = ("eye-off", "muted") if row.is_ignored else ("warning", "warning")
        side = px(icons.ROW_PX)
        icons.draw(painter, QRect(area.left() + px(MEDIUM), area.top() + px(SMALL), side, side), *icon)
        painter.setFont(theme.font(Type.BODY))
        self.write_words(painter, area, row, "muted" if row.is_ignored else "text")
        for action, rect in self.action_rects(area, row).items():
            token = "muted" if action == IGNORE else "accent"
            write(painter, rect.adjusted(0, 0, TIGHT, 0), action, Type.CAPTION, token)

    def verb_at(self, area: QRect, index: Index, point: QPoint) -> str:
        row = index.data(ROW_ROLE)
        if not isinstance(row, FindingRow):
            return ""
        reach = TIGHT + 2
        margins = QMargins(reach, reach, reach, reach)
        rects = self.action_rects(area, row).items()
        return next((action for action, rect in rects if rect.marginsAdded(margins).contains(point)), "")

    def action_rects(self, area: QRect, row: FindingRow) -> dict[str, QRect]:
        """Return where the actions of a row are in its area, by their labels."""
        repair = {row.repair: verb_rect(area, row.repair, left=px(_LEFT))} if row.repair else {}
        ignore = STOP_IGNORING if row.is_ignored else IGNORE
        return {**repair, ignore: verb_rect(area, ignore, right=px(MEDIUM))}


class _SideList(QWidget):
    """A list, a sentence while it is empty, and the keys that work in it."""

    def __init__(self, tree: WrappedTree, keys: str, state: str) -> None:
        super().__init__()
        self.tree = tree
        tree.setAccessibleDescription(keys)
        self.state_label = Label(state, Type.BODY, "muted", wrap=True)
        self.keys_label = Label(keys, Type.SMALL, "muted", wrap=True)

    def focus_default(self) -> None:
        self.tree.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _list(self, model: GroupedModel[Any], rows: Sequence[Any]) -> None:
        """List rows; the list does not scroll."""
        bar = self.tree.verticalScrollBar()
        scroll = bar.value()
        model.set_rows(rows)
        bar.setValue(scroll)
        self.tree.setVisible(bool(rows))
        self.keys_label.setVisible(bool(rows))


class FindingList(_SideList):
    """The list of findings, a message if it is empty, and a toggle for ignored findings.

    Signals:
        repair_requested: the key of a finding.
        ignored: the key of a finding, and whether to ignore it.
    """

    repair_requested = Signal(str)
    ignored = Signal(str, bool)

    def __init__(self) -> None:
        column: Column[FindingRow] = Column(
            tr("Finding"),
            lambda row: row.sentence,
            cell_tip=_tip,
            accessible=lambda row: f"{row.sentence}{' Ignored.' if row.is_ignored else ''}",
            description=lambda row: f"{row.heading}. {_tip(row)}",
        )
        self.model = GroupedModel([column], lambda row: row.key, lambda row: row.heading)
        super().__init__(WrappedTree(tr("Findings"), self.model, FindingDelegate()), FINDING_KEYS, CHECKING)
        self.icon = IconLabel("check", "success")
        self.more_label = Label("", Type.SMALL, "muted", wrap=True)
        self.ignored_button = link_button("")
        self._state = QWidget()
        parts = (self.icon, 0, Qt.AlignmentFlag.AlignTop), (self.state_label, 1)
        hbox(*parts, parent=self._state, margins=(MEDIUM, LARGE), spacing=SMALL)
        foot = vbox(self.more_label, self.keys_label, margins=(MEDIUM, SMALL), spacing=TIGHT)
        foot.addWidget(self.ignored_button, 0, Qt.AlignmentFlag.AlignLeft)
        vbox((self.tree, 1), self._state, foot, Stretch(0), parent=self, spacing=0)
        self.tree.space_pressed.connect(lambda key: self.repair_requested.emit(str(key)))
        self.tree.delete_pressed.connect(lambda key: self._press(key, IGNORE))
        self.tree.verb_pressed.connect(self._press)
        self.show_findings(None, 0)

    def show_findings(self, rows: Sequence[FindingRow] | None, ignored: int) -> None:
        """Show findings, at most `MAX_ROWS`.

        rows: None while the check is running.
        ignored: number of ignored findings, whether listed or not.
        """
        self._list(self.model, (rows or ())[:MAX_ROWS])
        self._state.setVisible(not rows)
        self.icon.setVisible(rows is not None)
        self.state_label.setText(CHECKING if rows is None else NO_PROBLEMS)
        more = len(rows or ()) - MAX_ROWS
        self.more_label.setText(tr("{more} more appear as you resolve these.", more=more))
        self.more_label.setVisible(more > 0)
        self.ignored_button.setVisible(bool(ignored))
        text = (
            tr("Hide {ignored} ignored", ignored=ignored)
            if any(row.is_ignored for row in rows or ())
            else tr("Show {ignored} ignored", ignored=ignored)
        )
        self.ignored_button.setText(text)
        self.ignored_button.setAccessibleName(text)

    @Slot(object, str)
    def _press(self, key: object, action: str) -> None:
        row = next((row for row in self.model.rows() if row.key == key), None)
        if row is None:
            return
        if action == row.repair:
            self.repair_requested.emit(row.key)
        else:
            self.ignored.emit(row.key, not row.is_ignored)


def _tip(row: FindingRow) -> str:
    return f"{row.repair}: {row.about}" if row.repair else NO_REPAIR


_HEAD_PX = 22
EMPTY = {PYRAMID: tr("No changes yet."), SCU: tr("No changes to list. Select an SCU to see its history.")}
HISTORY_KEYS = tr("Enter: view this version · Esc: current version. Nothing changes until you restore.")


class HistoryDelegate(WrappedDelegate):
    """Paints an edit: annotator and time, and below them the edit; undone edits are struck out."""

    def words(self, row: HistoryRow) -> str:
        return row.what

    def margins(self, row: HistoryRow) -> tuple[int, int, int]:
        return MEDIUM, _HEAD_PX + TIGHT, SMALL

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        row: HistoryRow = index.data(ROW_ROLE)
        head = QRect(
            area.left() + px(MEDIUM), area.top() + TIGHT, area.width() - 2 * px(MEDIUM), px(_HEAD_PX)
        )
        if row.is_viewed:
            head = icons.lead(painter, head, "eye", "accent")
        width = write(painter, head, row.when, Type.SMALL, "muted", right=True)
        note = tr(" · undone") if row.is_undone else tr(" · viewing") if row.is_viewed else ""
        room = head.adjusted(0, 0, -width - SMALL, 0)
        write(painter, room, f"{row.who}{note}", Type.CAPTION, "accent" if row.is_viewed else "text")
        font = QFont(theme.font(Type.BODY))
        font.setStrikeOut(row.is_undone)
        painter.setFont(font)
        self.write_words(painter, area, row, "muted" if row.is_undone else "text")


class HistoryList(_SideList):
    """The list of edits and its scope.

    Signals:
        left: Escape was pressed.
    """

    left = Signal()

    def __init__(self, kind: UnitKind = UnitKind.SCU) -> None:
        column: Column[HistoryRow] = Column(
            tr("Edit"), lambda row: row, accessible_text, cell_tip=lambda row: row.what
        )
        self.model = GroupedModel([column], lambda row: row.edit_id, lambda row: row.day)
        tree = WrappedTree(tr("History"), self.model, HistoryDelegate())
        super().__init__(tree, HISTORY_KEYS, EMPTY[PYRAMID])
        self._kind = kind
        self.filter = Segmented(
            tr("History scope"),
            [(PYRAMID, in_terms_of(kind, tr("Whole pyramid"))), (SCU, in_terms_of(kind, tr("This SCU")))],
        )
        self.more_button = link_button(tr("Show more"))
        self.more_button.setAccessibleName(tr("Show older edits"))
        head = hbox(self.filter, Stretch(1), margins=(MEDIUM, SMALL))
        self.state_label.setContentsMargins(MEDIUM, LARGE, MEDIUM, LARGE)
        foot = vbox((self.more_button, 0, Qt.AlignmentFlag.AlignLeft), margins=(MEDIUM, SMALL), spacing=TIGHT)
        foot.addWidget(self.keys_label)
        vbox(head, (self.tree, 1), self.state_label, foot, Stretch(0), parent=self, spacing=0)
        self.show_history((), has_more=False)

    def show_history(self, rows: Sequence[HistoryRow], *, has_more: bool) -> None:
        """Show these edits, newest first. has_more: older ones can be loaded."""
        self._list(self.model, rows)
        self.state_label.setVisible(not rows)
        self.state_label.setText(in_terms_of(self._kind, EMPTY[self.filter.current]))
        self.more_button.setVisible(has_more)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class HistoryBanner(QFrame):
    """Banner above an earlier version, with actions to restore it and to return to the current version."""

    def __init__(self, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__()
        self.setProperty("kind", "notice")
        self.text_label = Label("", "body", "warning", wrap=True)
        self.restore_button = link_button(tr("Restore"))
        self.back_button = link_button(tr("Return to current version"))
        tip = tr("Replace the current pyramid with this version. Can be undone.")
        self.restore_button.setToolTip(plain_tip(in_terms_of(kind, tip)))
        edits(self.restore_button)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        parts = IconLabel("clock", "warning"), (self.text_label, 1), self.restore_button, self.back_button
        hbox(*parts, parent=self, margins=(MEDIUM, SMALL, SMALL, SMALL), spacing=SMALL)
        self.show_preview("")

    def show_preview(self, sentence: str, *, can_restore: bool = True) -> None:
        """Describe the displayed version and what restoring it would change; empty hides the banner."""
        self.setVisible(bool(sentence))
        if sentence:
            self.text_label.setText(sentence)
            self.setAccessibleName(sentence)
            self.restore_button.setVisible(can_restore)


def accessible_text(row: HistoryRow) -> str:
    """Return the text of an edit for screen readers."""
    notes = (tr(", undone") if row.is_undone else "") + (tr(", viewing") if row.is_viewed else "")
    return f"{row.what}, {row.who}, {row.when}{notes}"


"""Text and icon of the main button before and after a pyramid is marked done."""
_SHARES = {STACKED: (44, 38, 22), SIDE_BY_SIDE: (62, 24, 20)}
"""Relative widths of references, SCUs and details, by the layout of the references."""


class PyramidSide(SidePanel):
    """What is known of a pyramid, a tab each: the selected SCU first."""

    def __init__(self, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__(tr("Details"))
        self.details, self.badge = ScuDetailsView(kind), WeightBadge(kind)
        self.findings, self.history = FindingList(), HistoryList(kind)
        self.suggestions, self.guidelines = SuggestionPanel(), GuidelinesPane()
        self.add_tab("scu", in_terms_of(kind, tr("SCU")), "tag", self.details)
        self.add_tab("findings", tr("Findings"), "warning", self.findings, is_counted=True)
        self.add_tab("history", tr("History"), "clock", self.history)
        self.add_tab("suggestions", tr("Suggestions"), "bulb", self.suggestions)
        self.add_tab("guidelines", tr("Guidelines"), "help", self.guidelines)
        self.add_action(self.badge)


class PyramidView(AnnotationPage):
    """References at the left, SCUs in the middle, details of the selected SCU at the right.

    Signals:
        scu_chosen, scu_hovered: SCU id; empty if none is hovered.
        scu_confirmed: SCU id; Enter in the list, or a click while a prompt is open.
        cancelled: Escape in the list.
        hidden: the page was left.
    """

    scu_chosen = Signal(str)
    scu_hovered = Signal(str)
    scu_confirmed = Signal(str)
    cancelled = Signal()
    hidden = Signal()

    def __init__(self, side: PyramidSide, kind: UnitKind = UnitKind.SCU) -> None:
        title, reopen = in_terms_of(kind, tr("Pyramid")), in_terms_of(kind, tr("Reopen pyramid"))
        super().__init__(title, tr("Next topic"), reopen)
        self.kind = kind
        self.references, self.legend = ReferenceStack(), WeightLegend(kind)
        self.reference_bar = ReferenceBar(kind)
        self.scus = ScuList(
            self._term(tr("SCUs")),
            tr("Find in labels and text"),
            self._term(tr("No SCUs yet. Select text, then press New.")),
            kind,
        )
        self.side, self.details, self.badge = side, side.details, side.badge
        self.findings, self.history = side.findings, side.history
        self.suggestions, self.guidelines = side.suggestions, side.guidelines
        self.history_banner = HistoryBanner(kind)
        self.findings_link = link_button("")
        icons.set_icon(self.findings_link, "warning", "warning")
        self.notice, self.lock_banner = Notice(can_close=True), Notice()
        self.count_label, self.edit_notice_label = Label("", Type.SMALL, "muted"), ElidedLabel("", Type.SMALL)
        self.undo_link = link_button(tr("Undo"), "undo")
        self.new_button = link_button(tr("New"), "plus")
        self.empty = EmptyPage(
            "pyramid",
            self._term(tr("There are no reference summaries yet. Import them to build a pyramid.")),
            tr("Import…"),
            is_edit=True,
        )
        edits(self.new_button)
        self._scus_panel = Panel(self._term(tr("SCUs")), self._term(tr("by weight")), hairline=False)
        self._prompt = QuestionOverlay(self._scus_panel)
        self.prompt_label = self._prompt.label
        self._arrange()
        self._connect()

    def start(self) -> QWidget | None:
        return self.references.sections[0].text if self.references.sections else None

    def show_references(self, references: Sequence[Text], letters: Sequence[str] = ()) -> None:
        """Show the references of a topic, or the empty page if it has none."""
        self.references.show_references(references, letters)
        self.legend.show_references(len(references))
        self._references_panel.set_fact(f"{len(references)}")
        self._references_panel.setVisible(bool(references))
        self._scus_panel.setVisible(bool(references))
        if not references:
            self.side.show_needed(False, is_possible=False)
        self.empty.setVisible(not references)
        self.done_button.setEnabled(bool(references))
        is_free = self.focusWidget() in (None, self, self.undo_button)
        if is_free and self.isVisible():  # otherwise the focus starts on Undo
            self.focus_default()

    def show_marks(self, marks: Mapping[str, tuple[Mark, ...]], covered: Mapping[str, float]) -> None:
        """Show the marks of each reference and the share of its words that they cover, by reference id."""
        for section in self.references.sections:
            section.show_marks(marks[section.text_id], covered[section.text_id])

    def show_scus(self, rows: Sequence[ScuRow], letters: Sequence[str]) -> None:
        self.scus.show_lines(rows, letters)
        self.details.show_begun(has_scus=bool(rows))
        can_begin = self.new_button.isEnabled() or not self.history_banner.isHidden()
        self.side.show_needed(bool(rows) or can_begin)  # so that the first SCU moves nothing
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
        super().show_done(is_done)
        self.reopen_button.setEnabled(is_done)
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
        self.side.show_tab("findings")
        self.findings.focus_default()

    def go_to_history(self) -> None:
        self.side.show_tab("history")
        self.history.focus_default()

    def show_preview(self, sentence: str, *, can_restore: bool = True) -> None:
        """Show the banner of an earlier version and disable editing; empty for the current version."""
        self.history_banner.show_preview(sentence, can_restore=can_restore)
        self.details.show_editable(not sentence)
        for button in (self.new_button, self.done_button, self.reopen_button):
            button.setEnabled(not sentence)

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
        self.keyboard.remember()
        self.scus.tree.edit_label(scu_id)

    def edit_comment(self) -> None:
        """Focus the comment; the focus then returns to where it was."""
        self.keyboard.move_to(self.details.comment)

    def _arrange(self) -> None:
        self._references_panel = Panel(tr("References"), hairline=False)
        self._references_panel.add_action(self.legend)
        self._references_panel.add(self.reference_bar, (self.references, 1))
        self._scus_panel.add_action(self.new_button)
        self._scus_panel.add((self.scus, 1))
        self._scus_panel.add_foot(self._foot())
        panels = (self._references_panel, self._scus_panel, self.side)
        self.add(*zip(panels, _SHARES[STACKED], strict=True), self.empty)
        self.references.layout_changed.connect(lambda layout: self.share_out((*_SHARES[layout], 1)))
        self.empty.hide()
        self.add_notice(self.notice, self.history_banner, self.lock_banner)

    def _foot(self) -> QHBoxLayout:
        foot = hbox(self.count_label, (self.edit_notice_label, 1), self.undo_link, Stretch(), spacing=SMALL)
        foot.addWidget(self.findings_link)
        self.findings_link.hide()
        self.edit_notice_label.hide()
        self.undo_link.hide()
        return foot

    def _connect(self) -> None:
        self.references.units_hovered.connect(self.scus.tree.show_under_pointer)
        for source in (self.references.unit_hovered, self.scus.tree.scu_hovered):
            source.connect(self.scu_hovered)
        overlaps = (row.chosen for row in self.details.overlaps)
        for chosen in (self.references.unit_clicked, self.scus.tree.scu_chosen, *overlaps):
            chosen.connect(self.scu_chosen)
        self.scus.tree.confirmed.connect(self.scu_confirmed)
        self.scus.tree.cancelled.connect(self.cancelled)
        self._prompt.cancel_button.clicked.connect(self.cancelled)
        for clicked in (self.scus.tree.scu_clicked, self.references.unit_clicked):
            clicked.connect(self._confirm_click)
        self.scus.tree.allow_drops()
        self.scus.arranged.connect(self._show_order)
        self.scus.tree.label_left.connect(self.keyboard.restore)
        self.details.comment.left.connect(self.keyboard.restore)
        for activity in (self.references.words_selected, self.scu_chosen, self.scu_hovered):
            activity.connect(self.worked)

    @Slot(str)
    def _confirm_click(self, scu_id: str) -> None:
        if not self._prompt.isHidden():
            self.scu_confirmed.emit(scu_id)

    def _style_findings_link(self) -> None:
        """Emphasize the number of findings only once the pyramid is marked done."""
        set_kind(self.findings_link, "link" if self.is_done else "quiet")
        icons.set_icon(self.findings_link, "warning", "warning" if self.is_done else "muted")

    @Slot()
    def _show_order(self) -> None:
        self._scus_panel.set_fact(
            tr("{fact} · done", fact=self.scus.fact) if self.is_done else self.scus.fact
        )

    def _term(self, text: str) -> str:
        return in_terms_of(self.kind, text)
