"""Details of the selected SCU."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QScrollArea, QSizePolicy, QWidget

from core.domain.pyramid import UnitKind
from core.domain.pyramid.nugget_edits import OKAY, VITAL
from gui.annotation.stored_text_field import LabelField, NoteField
from gui.annotation.text.marks import draw_weight_line
from gui.pages.pyramid.contributor_cards import ContributorCards
from gui.pages.pyramid.rows import ContributorRow, OverlapRow, ScuDetails
from gui.style import icons, theme
from gui.style.language import in_terms_of, literal, plain_tip, tr
from gui.style.theme import HAIR, LARGE, LEFT, MEDIUM, RADIUS_SMALL, SMALL, TIGHT, Type, px, weight_step
from gui.widgets.buttons import edits, link_button
from gui.widgets.controls import Segmented
from gui.widgets.label import Label
from gui.widgets.layouts import Stretch, fill_area, hbox, vbox

_BADGE_PX = 20
_SWATCH_PX = 26
_STEPS = 5


class WeightBadge(QWidget):
    """Weight on its colour; empty for weight 0."""

    def __init__(self, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__()
        self._name = in_terms_of(kind, tr("Weight"))
        self._weight, self._step = 0, 1
        self.setFixedSize(px(_BADGE_PX), px(_BADGE_PX))
        theme.signal().changed.connect(self.update)

    def show_weight(self, weight: int, step: int) -> None:
        """Show a weight; 0 for none. step: colour, from 1 to 5."""
        self._weight, self._step = weight, step
        self.setAccessibleName(f"{self._name} {weight}" if weight else "")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._weight:
            return
        painter = icons.smooth_painter(self)
        tint = theme.tokens().weights[self._step - 1].tint
        icons.badge(painter, QRectF(self.rect()), str(self._weight), tint)


class WeightLegend(QWidget):
    """Legend of the colours and lines of the weights of a topic."""

    def __init__(self, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__()
        self._kind, self._caption = kind, in_terms_of(kind, tr("Weight"))
        self._labels: list[tuple[int, str]] = []
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.signal().changed.connect(self.updateGeometry)

    def show_references(self, references: int) -> None:
        self._labels = legend(references)
        self.setAccessibleName(f"{self._caption}: " + ", ".join(label for _, label in self._labels))
        tip = in_terms_of(self._kind, tr("How many references express an SCU"))
        self.setToolTip(plain_tip(tip if self._labels else ""))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._caption_px() + sum(map(self._swatch_px, self._labels)), px(_BADGE_PX) + SMALL)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = icons.smooth_painter(self)
        if self._labels:
            painter.setPen(theme.colour("muted"))
            painter.setFont(theme.font(Type.SMALL))
            painter.drawText(self.rect(), LEFT, self._caption)
        left = float(self._caption_px())
        for step, label in self._labels:
            width = self._swatch_px((step, label))
            box = QRectF(left, TIGHT - 1, width - HAIR, px(_BADGE_PX) - TIGHT)
            icons.badge(painter, box, label, theme.tokens().weights[step - 1].tint, radius=RADIUS_SMALL - 1)
            draw_weight_line(painter, box.left(), box.right(), box.bottom() + 1, step)
            left += width

    def _caption_px(self) -> int:
        return theme.metrics(Type.SMALL).horizontalAdvance(self._caption) + SMALL

    def _swatch_px(self, entry: tuple[int, str]) -> int:
        text_px = theme.metrics(Type.CAPTION).horizontalAdvance(entry[1])
        return max(px(_SWATCH_PX), text_px + SMALL) + HAIR


def legend(references: int) -> list[tuple[int, str]]:
    """Return the colour steps in use for this number of references, each with its range of weights."""
    weights: dict[int, list[int]] = {}
    for weight in range(1, references + 1):
        weights.setdefault(weight_step(weight, references), []).append(weight)
    return [(step, _range(in_step)) for step, in_step in sorted(weights.items()) if step <= _STEPS]


def _range(weights: list[int]) -> str:
    return str(weights[0]) if len(weights) == 1 else f"{weights[0]}–{weights[-1]}"


MAX_OVERLAPS = 8


class ScuDetailsView(QScrollArea):
    """Label, contributors, overlaps and comment of one SCU."""

    def __init__(self, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__()
        self._kind = kind
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
        self.overlaps = [_OverlapRow(kind) for _ in range(MAX_OVERLAPS)]
        self._more_overlaps = Label("", Type.SMALL, "muted")
        self._empty_label = Label("", Type.BODY, "muted", wrap=True)
        self.show_begun(has_scus=True)
        self.importance = Segmented(
            tr("Importance"), (("", tr("Not rated")), (OKAY, tr("Okay")), (VITAL, tr("Vital")))
        )
        self.confirm_button = link_button(tr("Confirm all"), "check")
        edits(self.importance, self.confirm_button)
        self._content, self._inner = QWidget(), QWidget()
        upper: list[QWidget] = [_caption(tr("Label")), self.label_field]
        if self._kind is UnitKind.NUGGET:
            upper += [_caption(tr("Importance")), self.importance]
        else:
            self.importance.setParent(self)  # deleted with the panel
            self.importance.hide()
        upper += [self.contributors_caption, self.cards, self.confirm_button]
        upper += [self._card_caption, self.card_comment]
        lower: list[QWidget] = [self._overlap_caption, *self.overlaps, self._more_overlaps]
        vbox(*upper, *lower, _caption(tr("Comment")), self.comment, parent=self._content, spacing=SMALL)
        parts = self._empty_label, self._content, Stretch(1)
        vbox(*parts, parent=self._inner, margins=MEDIUM, spacing=SMALL)
        fill_area(self, self._inner)
        self.cards.selection_changed.connect(self._show_selected_count)
        self.cards.part_chosen.connect(self._scroll_to_card)
        self.card_comment.left.connect(self._close_card_comment)
        self._close_card_comment()
        self.show_details(None)

    def show_begun(self, *, has_scus: bool) -> None:
        """Show what to do where no SCU is selected: select one, or make the first."""
        selecting = tr("No SCU is selected. Click one in the list or in a reference.")
        making = tr("Select words in a reference, then press New. Details of the first SCU are shown here.")
        self._empty_label.setText(self._term(selecting if has_scus else making))

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
        self.label_field.typed.show(details.label, details.scu_id)
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
        self.comment.typed.show(details.comment, details.scu_id)
        for row in details.contributors:
            if row.contributor_id == self.card_comment.typed.object_id:
                self.card_comment.typed.show(row.comment, row.contributor_id)
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
        self._card_caption.setText(self._term(tr("Comment on contributor {letter}", letter=row.letter)))
        self.card_comment.typed.show(row.comment, row.contributor_id)
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
        for index, row in enumerate(self.overlaps):
            row.show_overlap(overlaps[index] if index < len(overlaps) else None)
        more = len(overlaps) - MAX_OVERLAPS
        self._more_overlaps.setVisible(more > 0)
        self._more_overlaps.setText(tr("and {more} more", more=more))

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
        hbox(self.badge, (self.button, 1), parent=self, spacing=SMALL)
        self.button.clicked.connect(lambda: self.chosen.emit(self._scu_id))

    def show_overlap(self, overlap: OverlapRow | None) -> None:
        self.setVisible(overlap is not None)
        if overlap is not None:
            self._scu_id = overlap.scu_id
            self.badge.show_weight(overlap.weight, overlap.step)
            self.button.show_text(overlap.label, tr("Select {label}", label=overlap.label))


def _caption(text: str) -> Label:
    return Label(text, Type.CAPTION, "muted")
