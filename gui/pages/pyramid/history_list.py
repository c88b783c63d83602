"""What was done on a pyramid, day by day; each entry leads to what the pyramid was then."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import QHBoxLayout, QStyleOptionViewItem, QVBoxLayout, QWidget

from gui.item_models.grouped_model import ROW_ROLE, GroupedModel
from gui.item_models.table_model import Column
from gui.pages.pyramid.history_values import PYRAMID, SCU, HistoryRow
from gui.style import icons, theme
from gui.style.theme import LARGE, MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.buttons import link_button
from gui.widgets.grouped_tree import write
from gui.widgets.label import Label
from gui.widgets.segmented_control import Segmented
from gui.widgets.wrapped_tree import WrappedDelegate, WrappedTree

Index = QModelIndex | QPersistentModelIndex
_HEAD_PX = 22
NOTHING = {
    PYRAMID: "No changes yet.",
    SCU: "Nothing is known of this SCU; select one in the list.",
}
KEYS = "Enter: view this version · Esc: current version. Nothing changes until you restore."


class HistoryModel(GroupedModel[HistoryRow]):
    """Edits under their days."""

    def __init__(self) -> None:
        column: Column[HistoryRow] = Column(
            "Edit", lambda line: line, spoken, cell_tip=lambda line: line.what
        )
        super().__init__([column], lambda line: line.edit_id, lambda line: line.day)


class HistoryDelegate(WrappedDelegate):
    """Paints an edit: who and when, below it what; one that was undone is struck out, and says so."""

    def words(self, row: HistoryRow) -> str:
        return row.what

    def margins(self, row: HistoryRow) -> tuple[int, int, int]:
        return MEDIUM, _HEAD_PX + TIGHT, SMALL

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        row: HistoryRow = index.data(ROW_ROLE)
        head = QRect(
            area.left() + px(MEDIUM), area.top() + TIGHT, area.width() - 2 * px(MEDIUM), px(_HEAD_PX)
        )
        if row.is_shown:
            at = head.center().y() - icons.ROW_PX // 2
            painter.drawPixmap(head.left(), at, icons.pixmap("eye", "accent"))
            head.setLeft(head.left() + icons.ROW_PX + SMALL)
        width = write(painter, head, row.when, Type.SMALL, "muted", right=True)
        note = " · undone" if row.is_undone else " · shown" if row.is_shown else ""
        room = head.adjusted(0, 0, -width - SMALL, 0)
        write(painter, room, f"{row.who}{note}", Type.CAPTION, "accent" if row.is_shown else "text")
        font = QFont(theme.font(Type.BODY))
        font.setStrikeOut(row.is_undone)
        painter.setFont(font)
        self.write_words(painter, area, row, "muted" if row.is_undone else "text")


class HistoryList(QWidget):
    """The list with its choice of whose history it is.

    Signals:
        filter_chosen: PYRAMID or SCU.
        state_requested: an edit's id; what it left is to be shown.
        more_requested: older edits. left: Escape was pressed.
    """

    filter_chosen = Signal(str)
    state_requested = Signal(str)
    more_requested = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.lines = HistoryModel()
        self.tree = WrappedTree("History", self.lines, HistoryDelegate())
        self.tree.setAccessibleDescription(KEYS)
        self.filter = Segmented("History of", ((PYRAMID, "Whole pyramid"), (SCU, "This SCU")))
        self.state_label = Label(NOTHING[PYRAMID], Type.BODY, "muted", wrap=True)
        self.keys_label = Label(KEYS, Type.SMALL, "muted", wrap=True)
        self.more_button = link_button("Show more")
        self.more_button.setAccessibleName("Show older edits")
        self._lay_out()
        self.filter.chosen.connect(self.filter_chosen)
        self.tree.row_opened.connect(lambda key: self.state_requested.emit(str(key)))
        self.more_button.clicked.connect(self.more_requested)
        self.show_history((), has_more=False)

    def show_history(self, lines: Sequence[HistoryRow], *, has_more: bool) -> None:
        """Show these edits, newest first; has_more: older ones can be asked for."""
        bar = self.tree.verticalScrollBar()
        at = bar.value()
        self.lines.set_rows(lines)
        bar.setValue(at)
        self.tree.setVisible(bool(lines))
        self.keys_label.setVisible(bool(lines))
        self.state_label.setVisible(not lines)
        self.state_label.setText(NOTHING[self.filter.current])
        self.more_button.setVisible(has_more)

    def focus_default(self) -> None:
        """Put the keyboard into the list."""
        self.tree.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(MEDIUM, SMALL, MEDIUM, SMALL)
        head.addWidget(self.filter)
        head.addStretch(1)
        self.state_label.setContentsMargins(MEDIUM, LARGE, MEDIUM, LARGE)
        foot = QVBoxLayout()
        foot.setContentsMargins(MEDIUM, SMALL, MEDIUM, SMALL)
        foot.setSpacing(TIGHT)
        foot.addWidget(self.more_button, 0, Qt.AlignmentFlag.AlignLeft)
        foot.addWidget(self.keys_label)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.tree, 1)
        column.addWidget(self.state_label)
        column.addLayout(foot)
        column.addStretch(0)


def spoken(line: HistoryRow) -> str:
    """An edit in words, for screen readers."""
    notes = (", undone" if line.is_undone else "") + (", shown now" if line.is_shown else "")
    return f"{line.what}, {line.who}, {line.when}{notes}"
