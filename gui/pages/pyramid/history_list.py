"""History of a pyramid: the edits by day, and the banner above a displayed earlier version."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QStyleOptionViewItem, QVBoxLayout, QWidget

from core.domain.pyramid import UnitKind
from gui.item_models.grouped_model import ROW_ROLE, GroupedModel
from gui.item_models.table_model import Column
from gui.pages.pyramid.values import PYRAMID, SCU, HistoryPreview, HistoryRow
from gui.style import icons, theme
from gui.style.language import in_terms_of, tr
from gui.style.theme import LARGE, MEDIUM, SMALL, TIGHT, Type, px
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import link_button
from gui.widgets.controls.segmented_control import Segmented
from gui.widgets.edit_lock import edits
from gui.widgets.label import IconLabel, Label
from gui.widgets.layouts import Stretch, hbox, vbox
from gui.widgets.lists.grouped_tree import write
from gui.widgets.lists.wrapped_tree import WrappedDelegate, WrappedTree

Index = QModelIndex | QPersistentModelIndex
_HEAD_PX = 22
EMPTY = {
    PYRAMID: tr("No changes yet."),
    SCU: tr("No changes to list. Select an SCU to see its history."),
}
KEYS = tr("Enter: view this version · Esc: current version. Nothing changes until you restore.")


class HistoryModel(GroupedModel[HistoryRow]):
    """Edits grouped by day."""

    def __init__(self) -> None:
        column: Column[HistoryRow] = Column(
            tr("Edit"), lambda row: row, accessible_text, cell_tip=lambda row: row.what
        )
        super().__init__([column], lambda row: row.edit_id, lambda row: row.day)


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


class HistoryList(QWidget):
    """The list of edits and its scope.

    Signals:
        state_requested: id of the edit after which to display the pyramid.
        left: Escape was pressed.
    """

    state_requested = Signal(str)
    left = Signal()

    def __init__(self, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__()
        self._kind = kind
        self.model = HistoryModel()
        self.tree = WrappedTree(tr("History"), self.model, HistoryDelegate())
        self.tree.setAccessibleDescription(KEYS)
        self.filter = Segmented(
            tr("History scope"),
            [(PYRAMID, in_terms_of(kind, tr("Whole pyramid"))), (SCU, in_terms_of(kind, tr("This SCU")))],
        )
        self.state_label = Label(EMPTY[PYRAMID], Type.BODY, "muted", wrap=True)
        self.keys_label = Label(KEYS, Type.SMALL, "muted", wrap=True)
        self.more_button = link_button(tr("Show more"))
        self.more_button.setAccessibleName(tr("Show older edits"))
        self._lay_out()
        self.tree.row_opened.connect(lambda key: self.state_requested.emit(str(key)))
        self.show_history((), has_more=False)

    def show_history(self, rows: Sequence[HistoryRow], *, has_more: bool) -> None:
        """Show these edits, newest first. has_more: older ones can be loaded."""
        bar = self.tree.verticalScrollBar()
        scroll = bar.value()
        self.model.set_rows(rows)
        bar.setValue(scroll)
        self.tree.setVisible(bool(rows))
        self.keys_label.setVisible(bool(rows))
        self.state_label.setVisible(not rows)
        self.state_label.setText(in_terms_of(self._kind, EMPTY[self.filter.current]))
        self.more_button.setVisible(has_more)

    def focus_default(self) -> None:
        """Focus the list."""
        self.tree.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        head = hbox(self.filter, Stretch(1), margins=(MEDIUM, SMALL))
        self.state_label.setContentsMargins(MEDIUM, LARGE, MEDIUM, LARGE)
        foot = QVBoxLayout()
        foot.setContentsMargins(MEDIUM, SMALL, MEDIUM, SMALL)
        foot.setSpacing(TIGHT)
        foot.addWidget(self.more_button, 0, Qt.AlignmentFlag.AlignLeft)
        foot.addWidget(self.keys_label)
        vbox(head, (self.tree, 1), self.state_label, foot, Stretch(0), parent=self, spacing=0)


class HistoryBanner(QFrame):
    """Banner above an earlier version, with actions to restore it and to return to the current version."""

    def __init__(self, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__()
        self.setProperty("kind", "notice")
        self.text_label = Label("", "body", "warning", wrap=True)
        self.restore_button, self.back_button = (
            link_button(tr("Restore")),
            link_button(tr("Return to current version")),
        )
        tip = tr("Replace the current pyramid with this version. Can be undone.")
        self.restore_button.setToolTip(plain_tip(in_terms_of(kind, tip)))
        edits(self.restore_button)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        row = QHBoxLayout(self)
        row.setContentsMargins(MEDIUM, SMALL, SMALL, SMALL)
        row.setSpacing(SMALL)
        row.addWidget(IconLabel("clock", "warning"))
        row.addWidget(self.text_label, 1)
        row.addWidget(self.restore_button)
        row.addWidget(self.back_button)
        self.show_preview(None)

    def show_preview(self, preview: HistoryPreview | None) -> None:
        """Describe the displayed version; None hides the banner."""
        self.setVisible(preview is not None)
        if preview is not None:
            self.text_label.setText(preview.sentence)
            self.setAccessibleName(preview.sentence)
            self.restore_button.setVisible(preview.can_restore)


def accessible_text(row: HistoryRow) -> str:
    """Return the text of an edit for screen readers."""
    notes = (tr(", undone") if row.is_undone else "") + (tr(", viewing") if row.is_viewed else "")
    return f"{row.what}, {row.who}, {row.when}{notes}"
