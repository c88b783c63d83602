"""Details of the selected SCU."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.domain.pyramid import UnitKind
from core.domain.pyramid.nugget_edits import OKAY, VITAL
from gui.annotation.stored_text_field import LabelField, NoteField
from gui.pages.pyramid.contributor_cards import ContributorCards
from gui.pages.pyramid.values import ContributorRow, OverlapRow, ScuDetails
from gui.pages.pyramid.weight_badge import WeightBadge
from gui.style.language import in_terms_of, tr
from gui.style.theme import LARGE, MEDIUM, SMALL, Type
from gui.style.tooltips import literal, plain_tip
from gui.widgets.buttons import link_button
from gui.widgets.controls.segmented_control import Segmented
from gui.widgets.edit_lock import edits
from gui.widgets.label import Label

MAX_OVERLAPS = 8


class ScuDetailsView(QScrollArea):
    """Label, contributors, overlaps and comment of one SCU.

    Signals:
        overlap_chosen: scu id.
    """

    overlap_chosen = Signal(str)

    def __init__(self, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__()
        self._kind = kind
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scu_id = ""
        self._contributors_fact = ""
        self.label_field, self.cards = LabelField(), ContributorCards(kind)
        self.card_comment = NoteField(
            self._term(tr("Comment on the contributor")), self._term(tr("Notes on this contributor"))
        )
        self.comment = NoteField(tr("Comment"), tr("Comment (reasons, doubts)"))
        self.contributors_caption = _caption(self._term(tr("Contributors")))
        self._card_caption = _caption(self._term(tr("Comment on the contributor")))
        self._overlap_caption = _caption(self._term(tr("Overlapping SCUs")))
        self._overlaps = [_OverlapRow(kind) for _ in range(MAX_OVERLAPS)]
        self._more_overlaps = Label("", Type.SMALL, "muted")
        self._empty_label = Label(
            self._term(tr("No SCU is selected. Click one in the list or in a reference.")),
            Type.BODY,
            "muted",
            wrap=True,
        )
        self.importance = Segmented(
            tr("Importance"), (("", tr("Not rated")), (OKAY, tr("Okay")), (VITAL, tr("Vital")))
        )
        self.confirm_button = link_button(tr("Confirm all"), "check")
        edits(self.importance, self.confirm_button)
        self._content, self._inner = QWidget(), QWidget()
        self._lay_out()
        self._connect()
        self._close_card_comment()
        self.show_details(None)

    def show_details(self, details: ScuDetails | None) -> None:
        """Show an SCU; None if none is selected."""
        self._content.setVisible(details is not None)
        self._empty_label.setVisible(details is None)
        is_other = details is None or details.scu_id != self._scu_id
        self._scu_id = details.scu_id if details is not None else ""
        if details is None:
            return
        if is_other:
            self._close_card_comment()
        self.label_field.show_text(details.label, details.scu_id)
        covered = len({row.letter for row in details.contributors if row.is_confirmed})
        self._contributors_fact = tr(
            "{term} · {covered} of {references} references",
            term=self._term(tr("Contributors")),
            covered=covered,
            references=details.references,
        )
        self.cards.show_contributors(details.contributors, details.scu_id)
        self._show_selected_count()
        self._show_overlaps(details.overlaps)
        self.comment.show_text(details.comment, details.scu_id)
        for row in details.contributors:
            if row.contributor_id == self.card_comment.typed.object_id:
                self.card_comment.show_text(row.comment, row.contributor_id)
        self.importance.choose(details.importance)
        waiting = sum(not row.is_confirmed for row in details.contributors)
        self.confirm_button.setVisible(waiting > 0)
        self.confirm_button.setText(
            tr("Confirm {waiting}", waiting=waiting) if waiting > 1 else tr("Confirm it")
        )
        self.confirm_button.setAccessibleName(
            tr("Confirm {waiting}", waiting=tr("%n occurrences", "", waiting))
        )

    def edit_card_comment(self, row: ContributorRow) -> None:
        """Focus the comment of a contributor."""
        self._card_caption.setText(self._term(tr("Comment on contributor {letter}", letter=row.letter)))
        self.card_comment.show_text(row.comment, row.contributor_id)
        for widget in (self._card_caption, self.card_comment):
            widget.show()
        self.card_comment.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_editable(self, is_editable: bool) -> None:
        """Make label and comments editable or read-only."""
        for field in (self.label_field, self.card_comment, self.comment):
            field.setReadOnly(not is_editable)
        for widget in (self.importance, self.confirm_button):
            widget.setEnabled(is_editable)

    def _show_overlaps(self, overlaps: Sequence[OverlapRow]) -> None:
        self._overlap_caption.setVisible(bool(overlaps))
        for index, row in enumerate(self._overlaps):
            row.show_overlap(overlaps[index] if index < len(overlaps) else None)
        more = len(overlaps) - MAX_OVERLAPS
        self._more_overlaps.setVisible(more > 0)
        self._more_overlaps.setText(tr("and {more} more", more=more))

    def _lay_out(self) -> None:
        upper: list[QWidget] = [_caption(tr("Label")), self.label_field]
        if self._kind is UnitKind.NUGGET:
            upper += [_caption(tr("Importance")), self.importance]
        else:
            self.importance.setParent(self)  # deleted with the panel
            self.importance.hide()
        upper += [self.contributors_caption, self.cards, self.confirm_button]
        upper += [self._card_caption, self.card_comment]
        lower: list[QWidget] = [self._overlap_caption, *self._overlaps, self._more_overlaps]
        _fill(self._content, [*upper, *lower, _caption(tr("Comment")), self.comment])
        inner = self._inner
        column = _fill(inner, [self._empty_label, self._content])
        column.setContentsMargins(MEDIUM, MEDIUM, MEDIUM, MEDIUM)
        column.addStretch(1)
        self.setWidget(inner)
        inner.setAutoFillBackground(False)  # setWidget enables it, which would hide the panel
        self.viewport().setAutoFillBackground(False)

    def _connect(self) -> None:
        self.cards.selection_changed.connect(self._show_selected_count)
        self.cards.part_chosen.connect(self._scroll_to_card)
        self.card_comment.left.connect(self._close_card_comment)
        for row in self._overlaps:
            row.chosen.connect(self.overlap_chosen)

    def _term(self, text: str) -> str:
        return in_terms_of(self._kind, text)

    @Slot()
    def _scroll_to_card(self) -> None:
        rect = self.cards.current_rect
        for corner in (rect.bottomLeft(), rect.topLeft()):  # the top wins if both do not fit
            self.ensureVisible(0, self.cards.mapTo(self._inner, corner).y(), 0, SMALL)

    @Slot()
    def _show_selected_count(self) -> None:
        selected = self.cards.selected_card_count
        self.contributors_caption.setText(
            tr(
                "{contributors_fact} · {selected} selected",
                contributors_fact=self._contributors_fact,
                selected=selected,
            )
            if selected
            else self._contributors_fact
        )

    @Slot()
    def _close_card_comment(self) -> None:
        had_focus = self.card_comment.hasFocus()
        for widget in (self._card_caption, self.card_comment):
            widget.hide()
        if had_focus:
            self.cards.setFocus(Qt.FocusReason.OtherFocusReason)


class ElidedButton(QPushButton):
    """Button whose text is elided if it does not fit; the tooltip then shows all of it."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "row")
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._full_text = ""

    def show_text(self, text: str, name: str) -> None:
        """Show a text. name: the accessible name."""
        self._full_text = text
        self.setAccessibleName(name)
        self._elide()

    def minimumSizeHint(self) -> QSize:
        return QSize(40, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        room = self.width() - LARGE
        elided = QFontMetrics(self.font()).elidedText(self._full_text, Qt.TextElideMode.ElideRight, room)
        self.setText(literal(elided))
        self.setToolTip(plain_tip(self._full_text if elided != self._full_text else ""))


class _OverlapRow(QWidget):
    """Weight and label of an overlapping SCU; a click selects it."""

    chosen = Signal(str)

    def __init__(self, kind: UnitKind) -> None:
        super().__init__()
        self._scu_id = ""
        self.badge, self.button = WeightBadge(kind), ElidedButton()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SMALL)
        row.addWidget(self.badge)
        row.addWidget(self.button, 1)
        self.button.clicked.connect(lambda: self.chosen.emit(self._scu_id))

    def show_overlap(self, overlap: OverlapRow | None) -> None:
        self.setVisible(overlap is not None)
        if overlap is not None:
            self._scu_id = overlap.scu_id
            self.badge.show_weight(overlap.weight, overlap.step)
            self.button.show_text(overlap.label, tr("Select {label}", label=overlap.label))


def _fill(container: QWidget, widgets: Sequence[QWidget]) -> QVBoxLayout:
    column = QVBoxLayout(container)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(SMALL)
    for widget in widgets:
        column.addWidget(widget)
    return column


def _caption(text: str) -> Label:
    return Label(text, Type.CAPTION, "muted")
