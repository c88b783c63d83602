"""List of problems in a pyramid, each with a link to its place, a fix and a way to ignore it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QMargins, QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QStyleOptionViewItem, QVBoxLayout, QWidget

from gui.item_models.grouped_model import ROW_ROLE, GroupedModel
from gui.item_models.table_model import Column
from gui.pages.pyramid.values import FindingRow
from gui.style import icons, theme
from gui.style.language import tr
from gui.style.theme import LARGE, MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.buttons import link_button
from gui.widgets.label import IconLabel, Label
from gui.widgets.layouts import Stretch, vbox
from gui.widgets.lists.grouped_tree import write
from gui.widgets.lists.wrapped_tree import WrappedDelegate, WrappedTree, verb_rect

Index = QModelIndex | QPersistentModelIndex
IGNORE, STOP_IGNORING = tr("Ignore"), tr("Stop ignoring")
_LEFT = MEDIUM + icons.ROW_PX + SMALL
_ACTIONS_PX = 22
MAX_ROWS = 150
"""Most rows to lay out at once, to keep the window responsive; the most serious come first."""
CHECKING, NO_PROBLEMS = tr("Checking…"), tr("No problems found.")
KEYS = tr("Enter: show · Space: fix · Del: ignore. Fixes can be undone.")


class FindingModel(GroupedModel[FindingRow]):
    """Findings grouped by kind."""

    def __init__(self) -> None:
        column: Column[FindingRow] = Column(tr("Finding"), lambda row: row.sentence, cell_tip=_tip)
        super().__init__([column], lambda row: row.key, lambda row: row.heading)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index)
        if row is not None and role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.sentence}{' Ignored.' if row.is_ignored else ''}"
        if row is not None and role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return f"{row.heading}. {_tip(row)}"
        return super().data(index, role)


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


class FindingList(QWidget):
    """The list of findings, a message if it is empty, and a toggle for ignored findings.

    Signals:
        place_requested, repair_requested: the key of a finding.
        ignored: the key of a finding, and whether to ignore it.
        ignored_toggled: whether to list ignored findings too.
    """

    place_requested = Signal(str)
    repair_requested = Signal(str)
    ignored = Signal(str, bool)
    ignored_toggled = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.model = FindingModel()
        self.tree = WrappedTree(tr("Findings"), self.model, FindingDelegate())
        self.tree.setAccessibleDescription(KEYS)
        self.icon = IconLabel("check", "success")
        self.state_label = Label(CHECKING, Type.BODY, "muted", wrap=True)
        self.keys_label = Label(KEYS, Type.SMALL, "muted", wrap=True)
        self.more_label = Label("", Type.SMALL, "muted", wrap=True)
        self.ignored_button = link_button("")
        self._shows_ignored = False
        self._lay_out()
        self.tree.row_opened.connect(lambda key: self.place_requested.emit(str(key)))
        self.tree.space_pressed.connect(lambda key: self.repair_requested.emit(str(key)))
        self.tree.delete_pressed.connect(lambda key: self._press(key, IGNORE))
        self.tree.verb_pressed.connect(self._press)
        self.ignored_button.clicked.connect(self._toggle_ignored)
        self.show_findings(None, 0)

    def show_findings(self, rows: Sequence[FindingRow] | None, ignored: int) -> None:
        """Show findings, at most `MAX_ROWS`.

        rows: None while the check is running.
        ignored: number of ignored findings, whether listed or not.
        """
        bar = self.tree.verticalScrollBar()
        scroll = bar.value()
        self.model.set_rows((rows or ())[:MAX_ROWS])
        bar.setValue(scroll)
        self.tree.setVisible(bool(rows))
        self._state.setVisible(not rows)
        self.icon.setVisible(rows is not None)
        self.state_label.setText(CHECKING if rows is None else NO_PROBLEMS)
        more = len(rows or ()) - MAX_ROWS
        self.more_label.setText(tr("{more} more appear as you resolve these.", more=more))
        self.more_label.setVisible(more > 0)
        self.keys_label.setVisible(bool(rows))
        self.ignored_button.setVisible(bool(ignored))
        text = (
            tr("Hide {ignored} ignored", ignored=ignored)
            if self._shows_ignored
            else tr("Show {ignored} ignored", ignored=ignored)
        )
        self.ignored_button.setText(text)
        self.ignored_button.setAccessibleName(text)

    def focus_default(self) -> None:
        """Focus the list."""
        self.tree.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _lay_out(self) -> None:
        self._state = QWidget()
        state = QHBoxLayout(self._state)
        state.setContentsMargins(MEDIUM, LARGE, MEDIUM, LARGE)
        state.setSpacing(SMALL)
        state.addWidget(self.icon, 0, Qt.AlignmentFlag.AlignTop)
        state.addWidget(self.state_label, 1)
        foot = QVBoxLayout()
        foot.setContentsMargins(MEDIUM, SMALL, MEDIUM, SMALL)
        foot.setSpacing(TIGHT)
        foot.addWidget(self.more_label)
        foot.addWidget(self.keys_label)
        foot.addWidget(self.ignored_button, 0, Qt.AlignmentFlag.AlignLeft)
        vbox((self.tree, 1), self._state, foot, Stretch(0), parent=self, spacing=0)

    @Slot(object, str)
    def _press(self, key: object, action: str) -> None:
        row = next((row for row in self.model.rows() if row.key == key), None)
        if row is None:
            return
        if action == row.repair:
            self.repair_requested.emit(row.key)
        else:
            self.ignored.emit(row.key, not row.is_ignored)

    @Slot()
    def _toggle_ignored(self) -> None:
        self._shows_ignored = not self._shows_ignored
        self.ignored_toggled.emit(self._shows_ignored)


def _tip(row: FindingRow) -> str:
    return (
        f"{row.repair}: {row.about}" if row.repair else tr("No automatic fix. Press Enter to go to the text.")
    )
