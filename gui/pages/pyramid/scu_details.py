"""Everything about the selected SCU."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from gui.annotation.label_field import LabelField
from gui.annotation.note_field import NoteField
from gui.pages.pyramid.contributor_cards import ContributorCards
from gui.pages.pyramid.elided_button import ElidedButton
from gui.pages.pyramid.values import ContributorRow, OverlapRow, ScuDetails
from gui.pages.pyramid.weight_badge import WeightBadge
from gui.style.theme import MEDIUM, SMALL, Type
from gui.widgets.label import Label

MOST_OVERLAPS = 8


class ScuDetailsView(QScrollArea):
    """Label, contributors, overlaps and comment of one SCU.

    Signals:
        label_changed, comment_changed: scu id, text. contributor_commented: contributor id, text.
        overlap_chosen: scu id.
    """

    label_changed = Signal(str, str)
    comment_changed = Signal(str, str)
    contributor_commented = Signal(str, str)
    overlap_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scu_id = ""
        self._contributors_fact = ""
        self.label_field, self.cards = LabelField(), ContributorCards()
        self.card_comment = NoteField("Comment on the contributor", "What is peculiar to this contributor")
        self.comment = NoteField("Comment", "Comment (reasons, doubts)")
        self.contributors_caption = _caption("Contributors")
        self._card_caption = _caption("Comment on the contributor")
        self._overlap_caption = _caption("Overlap")
        self._overlaps = [_OverlapRow() for _ in range(MOST_OVERLAPS)]
        self._more_overlaps = Label("", Type.SMALL, "muted")
        self._when_none = Label(
            "No SCU is selected. Click one in the list or in a reference.",
            Type.BODY,
            "muted",
            wrap=True,
        )
        self._of_scu, self._inner = QWidget(), QWidget()
        self._lay_out()
        self._connect()
        self._close_card_comment()
        self.show_details(None)

    def show_details(self, details: ScuDetails | None) -> None:
        """Show an SCU; None = none is selected."""
        self._of_scu.setVisible(details is not None)
        self._when_none.setVisible(details is None)
        is_other = details is None or details.scu_id != self._scu_id
        self._scu_id = details.scu_id if details is not None else ""
        if details is None:
            return
        if is_other:
            self._close_card_comment()
        self.label_field.show_text(details.label, details.scu_id)
        holding = len({line.letter for line in details.contributors})
        self._contributors_fact = f"Contributors · {holding} of {details.references} references"
        self.cards.show_contributors(details.contributors, details.scu_id)
        self._say_chosen()
        self._show_overlaps(details.overlaps)
        self.comment.show_text(details.comment, details.scu_id)

    def edit_card_comment(self, line: ContributorRow) -> None:
        """Put the keyboard into the comment of a contributor."""
        self._card_caption.setText(f"Comment on contributor {line.letter}")
        self.card_comment.show_text(line.comment, line.contributor_id)
        for widget in (self._card_caption, self.card_comment):
            widget.show()
        self.card_comment.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_editable(self, is_editable: bool) -> None:
        """Let label and comments be typed into, or only be read."""
        for field in (self.label_field, self.card_comment, self.comment):
            field.setReadOnly(not is_editable)

    def _show_overlaps(self, overlaps: Sequence[OverlapRow]) -> None:
        self._overlap_caption.setVisible(bool(overlaps))
        for place, row in enumerate(self._overlaps):
            row.show_overlap(overlaps[place] if place < len(overlaps) else None)
        more = len(overlaps) - MOST_OVERLAPS
        self._more_overlaps.setVisible(more > 0)
        self._more_overlaps.setText(f"and {more} more")

    def _lay_out(self) -> None:
        upper: list[QWidget] = [_caption("Label"), self.label_field, self.contributors_caption, self.cards]
        upper += [self._card_caption, self.card_comment]
        lower: list[QWidget] = [self._overlap_caption, *self._overlaps, self._more_overlaps]
        _fill(self._of_scu, [*upper, *lower, _caption("Comment"), self.comment])
        inner = self._inner
        column = _fill(inner, [self._when_none, self._of_scu])
        column.setContentsMargins(MEDIUM, MEDIUM, MEDIUM, MEDIUM)
        column.addStretch(1)
        self.setWidget(inner)
        inner.setAutoFillBackground(False)  # setWidget has set it: the panel's surface is to show
        self.viewport().setAutoFillBackground(False)

    def _connect(self) -> None:
        self.label_field.kept.connect(self.label_changed)
        self.cards.ticked.connect(self._say_chosen)
        self.cards.part_chosen.connect(self._bring_card_in_sight)
        self.card_comment.kept.connect(self.contributor_commented)
        self.card_comment.left.connect(self._close_card_comment)
        self.comment.kept.connect(self.comment_changed)
        for row in self._overlaps:
            row.chosen.connect(self.overlap_chosen)

    @Slot()
    def _bring_card_in_sight(self) -> None:
        box = self.cards.current_box
        for corner in (box.bottomLeft(), box.topLeft()):  # the top last: it counts where both have no room
            self.ensureVisible(0, self.cards.mapTo(self._inner, corner).y(), 0, SMALL)

    @Slot()
    def _say_chosen(self) -> None:
        chosen = self.cards.chosen_cards
        self.contributors_caption.setText(
            f"{self._contributors_fact} · {chosen} chosen" if chosen else self._contributors_fact
        )

    @Slot()
    def _close_card_comment(self) -> None:
        had_keyboard = self.card_comment.hasFocus()
        for widget in (self._card_caption, self.card_comment):
            widget.hide()
        if had_keyboard:
            self.cards.setFocus(Qt.FocusReason.OtherFocusReason)


class _OverlapRow(QWidget):
    """A badge and a label to press."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._scu_id = ""
        self.badge, self.button = WeightBadge(), ElidedButton()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SMALL)
        row.addWidget(self.badge)
        row.addWidget(self.button, 1)
        self.button.clicked.connect(lambda: self.chosen.emit(self._scu_id))

    def show_overlap(self, line: OverlapRow | None) -> None:
        self.setVisible(line is not None)
        if line is not None:
            self._scu_id = line.scu_id
            self.badge.show_weight(line.weight, line.step)
            self.button.show_words(line.label, f"Select {line.label}")


def _fill(whole: QWidget, widgets: Sequence[QWidget]) -> QVBoxLayout:
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(SMALL)
    for widget in widgets:
        column.addWidget(widget)
    return column


def _caption(text: str) -> Label:
    return Label(text, Type.CAPTION, "muted")
