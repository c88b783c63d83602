"""View of the Hits page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout

from gui.annotation.match_values import SummaryText
from gui.annotation.text.marks import Mark
from gui.annotation.text.summary_panel import SummaryPanel
from gui.pages.hits.hit_matrix import HitMatrix
from gui.pages.hits.values import HitCounts, NuggetRow, SummaryHead
from gui.style.language import tr
from gui.style.theme import SMALL, Type
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import link_button
from gui.widgets.controls.combo_box import ComboBox
from gui.widgets.edit_lock import edits
from gui.widgets.empty_state import EmptyPage
from gui.widgets.label import Label
from gui.widgets.notice import Notice
from gui.widgets.page import Page
from gui.widgets.panel import Panel

MARK_DONE, NEXT = (tr("Mark done"), "check"), (tr("Next summary"), "chevron-right")
NO_NUGGETS = tr("This topic has no nuggets yet. Mark them in the references first.")
NO_SUMMARIES = tr("This topic has no summaries in which nuggets could be found.")


class HitsView(Page):
    """The matrix of nuggets and summaries at the left, the current summary at the right.

    Signals:
        unit_clicked: a nugget, or a unit outside the nuggets, in the text.
        part_resized: hit id, old and new span of its part.
        owner_chosen: id of the annotator whose nuggets to look for.
        done_requested, next_requested.
        worked: something was selected, which counts as active time.
    """

    unit_clicked = Signal(str)
    part_resized = Signal(str, object, object)
    owner_chosen = Signal(str)
    done_requested = Signal()
    next_requested = Signal()
    worked = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Hits"), steps=tr("topic"), edits=True)
        self.matrix, self.panel = HitMatrix(), SummaryPanel()
        self.matrix_panel = Panel(tr("Nuggets"), hairline=False)
        self.owner_box = ComboBox()
        self.owner_box.setAccessibleName(tr("Whose nuggets"))
        self.find_button = link_button(tr("Find"), "search")
        self.find_button.setToolTip(tr("Find hits of all nuggets in all summaries of the topic, to confirm"))
        self.confirm_button = link_button(tr("Confirm all"), "check")
        self.notice, self.feedback = Notice(can_close=True), Notice(is_warning=False)
        self.score_label = Label("", Type.SMALL, wrap=True)
        self.empty = EmptyPage("tag", NO_NUGGETS, tr("Mark nuggets"))
        self.done_button = self.set_primaries(MARK_DONE, NEXT)
        self.reopen_button = self.add_before_primary("refresh", tr("Reopen summary"))
        edits(self.find_button, self.confirm_button, self.reopen_button)
        self._is_done = False
        self._arrange()
        self._connect()

    def focus_default(self) -> None:
        """Focus the matrix."""
        if self.matrix.isVisible():
            self.matrix.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            super().focus_default()

    def show_empty(self, sentence: str, *, has_button: bool) -> None:
        """Show a sentence instead of the matrix; empty = show the matrix."""
        self.empty.sentence_label.setText(sentence)
        self.empty.primary.setVisible(has_button)
        self.empty.setVisible(bool(sentence))
        for widget in (self.matrix_panel, self.panel):
            widget.setVisible(not sentence)
        self.done_button.setEnabled(not sentence)

    def show_matrix(self, rows: Sequence[NuggetRow], heads: Sequence[SummaryHead]) -> None:
        """Show nuggets and summaries."""
        self.matrix.show_matrix(rows, heads)
        done = sum(head.is_done for head in heads)
        self.matrix_panel.set_fact(tr("{done} of {heads} summaries done", done=done, heads=len(heads)))

    def show_owners(self, owners: Sequence[tuple[str, str]], owner_id: str) -> None:
        """Offer whose nuggets to look for, as (id, name); hidden with fewer than two."""
        self.owner_box.blockSignals(True)
        self.owner_box.clear()
        for annotator_id, name in owners:
            self.owner_box.addItem(name, annotator_id)
        self.owner_box.setCurrentIndex(max(0, self.owner_box.findData(owner_id)))
        self.owner_box.blockSignals(False)
        self.owner_box.setVisible(len(owners) > 1)

    def show_owner(self, name: str) -> None:
        """Show whose nuggets are looked for; empty = the annotator's own."""
        self.matrix_panel.set_title(tr("Nuggets of {name}", name=name) if name else tr("Your nuggets"))

    def show_summary(self, summary: SummaryText | None, marks: Sequence[Mark]) -> None:
        """Show the current summary and its hits."""
        self.panel.show_summary(summary)
        if summary is not None:
            self.panel.text.show_marks(marks)

    def show_counts(self, counts: HitCounts | None) -> None:
        """Explain the score of the current summary."""
        self.score_label.setText(_counts_text(counts) if counts is not None else "")
        self.score_label.setToolTip(plain_tip(_counts_tip(counts)) if counts is not None else "")
        waiting = counts.to_confirm if counts is not None else 0
        self.confirm_button.setVisible(waiting > 0)
        self.confirm_button.setText(tr("Confirm {waiting}", waiting=waiting))
        self.confirm_button.setAccessibleName(
            tr("Confirm all {waiting} hits of this summary", waiting=waiting)
        )

    def show_done(self, *, is_done: bool, is_flagged: bool) -> None:
        """Show the state of the current summary."""
        self._is_done = is_done
        self.show_primary(NEXT if is_done else MARK_DONE)
        edits(self.done_button, now=not is_done)
        self.reopen_button.setVisible(is_done)
        if is_flagged:
            self.panel.set_fact(tr("{text} · flagged", text=self.panel.fact_label.text()))

    def _arrange(self) -> None:
        self.matrix_panel.add_action(self.owner_box)
        self.matrix_panel.add_action(self.find_button)
        self.matrix_panel.add(self.matrix, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(0, SMALL, 0, SMALL)
        foot.addWidget(self.score_label, 1)
        foot.addWidget(self.confirm_button)
        self.panel.add_foot(foot)
        self.panel.text.allow_resizing()
        self.add(self.matrix_panel, 58)
        self.add(self.panel, 42)
        self.add(self.empty, 1)
        self.add_place(self.panel.place)
        self.add_notice(self.notice)
        self.add_notice(self.feedback)
        self.empty.hide()
        self.reopen_button.hide()

    def _connect(self) -> None:
        self.matrix.text_requested.connect(lambda: self.panel.text.setFocus())
        text = self.panel.text
        text.unit_clicked.connect(self.unit_clicked)
        text.part_resized.connect(self.part_resized)
        text.words_selected.connect(self.worked)
        self.matrix.cell_chosen.connect(lambda *_: self.worked.emit())
        self.owner_box.activated.connect(lambda _: self.owner_chosen.emit(self.owner_box.currentData()))
        self.done_button.clicked.connect(self._press_primary)
        self.reopen_button.clicked.connect(self.done_requested)

    @Slot()
    def _press_primary(self) -> None:
        (self.next_requested if self._is_done else self.done_requested).emit()


def _counts_text(counts: HitCounts) -> str:
    parts = [tr("{found} found", found=tr("%n nuggets", "", counts.found))]
    parts += [tr("{repeated} repeated", repeated=counts.repeated)] if counts.repeated else []
    parts += [tr("{outside} outside", outside=counts.outside)] if counts.outside else []
    parts += [tr("{to_confirm} to confirm", to_confirm=counts.to_confirm)] if counts.to_confirm else []
    return tr("Nugget score {score} · {parts}", score=_score(counts.units_score), parts=" · ".join(parts))


def _counts_tip(counts: HitCounts) -> str:
    """Return how the score follows from the hits."""
    return tr(
        "The tiers of the nuggets found, in all {tiers}, divided by the largest sum that as "
        "many nuggets as the summary has units could have. Counting the nuggets found alone: "
        "{score}.",
        tiers=counts.tiers,
        score=_score(counts.found_score),
    )


def _score(value: float) -> str:
    return "–" if value != value else f"{value:.3f}"
