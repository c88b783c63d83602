"""What is odd about an annotation, each with a way to its place and what would mend it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QStyleOptionViewItem, QVBoxLayout, QWidget

from gui.item_models.grouped_model import ROW_ROLE, GroupedModel
from gui.item_models.table_model import Column
from gui.pages.pyramid.finding_values import FindingRow
from gui.style import icons, theme
from gui.style.theme import LARGE, MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.buttons import link_button
from gui.widgets.grouped_tree import write
from gui.widgets.label import IconLabel, Label
from gui.widgets.wrapped_tree import WrappedDelegate, WrappedTree, verb_rect

Index = QModelIndex | QPersistentModelIndex
IGNORE, HEED = "Ignore", "Heed again"
_LEFT = MEDIUM + icons.ROW_PX + SMALL
_VERBS_PX = 22
MOST_LISTED = 150
"""Rows that are laid out without holding the window up; the gravest come first."""
LOOKING, SOUND = "Looking for findings…", "No problems found."
KEYS = "Enter: show · Space: fix · Del: ignore. Fixes can be undone."


class FindingModel(GroupedModel[FindingRow]):
    """Findings under the headings of their kinds."""

    def __init__(self) -> None:
        column: Column[FindingRow] = Column("Finding", lambda line: line.sentence, cell_tip=_tip)
        super().__init__([column], lambda line: line.key, lambda line: line.heading)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self.row(index)
        if line is not None and role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{line.sentence}{' Ignored.' if line.is_ignored else ''}"
        if line is not None and role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return f"{line.heading}. {_tip(line)}"
        return super().data(index, role)


class FindingDelegate(WrappedDelegate):
    """Paints a finding: a sign, its sentence, below it what mends it and that it can be ignored."""

    def words(self, row: FindingRow) -> str:
        return row.sentence

    def margins(self, row: FindingRow) -> tuple[int, int, int]:
        return _LEFT, SMALL, _VERBS_PX + TIGHT

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        row: FindingRow = index.data(ROW_ROLE)
        sign = ("eye-off", "muted") if row.is_ignored else ("warning", "warning")
        painter.drawPixmap(area.left() + px(MEDIUM), area.top() + px(SMALL), icons.pixmap(*sign))
        painter.setFont(theme.font(Type.BODY))
        self.write_words(painter, area, row, "muted" if row.is_ignored else "text")
        for verb, place in self._verbs(area, row).items():
            token = "muted" if verb == IGNORE else "accent"
            write(painter, place.adjusted(0, 0, TIGHT, 0), verb, Type.CAPTION, token)

    def verb_at(self, area: QRect, index: Index, point: QPoint) -> str:
        row = index.data(ROW_ROLE)
        if not isinstance(row, FindingRow):
            return ""
        places = self._verbs(area, row).items()
        reach = TIGHT + 2
        return next((v for v, r in places if r.adjusted(-reach, -reach, reach, reach).contains(point)), "")

    def _verbs(self, area: QRect, row: FindingRow) -> dict[str, QRect]:
        found = {row.repair: verb_rect(area, row.repair, left=px(_LEFT))} if row.repair else {}
        verb = HEED if row.is_ignored else IGNORE
        return {**found, verb: verb_rect(area, verb, right=px(MEDIUM))}


class FindingList(QWidget):
    """The list, what it says when there is nothing, and a way to see what was ignored.

    Signals:
        place_requested, repair_requested: the key of a finding.
        ignored: the key of a finding, and whether it is to be ignored.
        ignored_wanted: whether ignored findings are to be listed too.
    """

    place_requested = Signal(str)
    repair_requested = Signal(str)
    ignored = Signal(str, bool)
    ignored_wanted = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.lines = FindingModel()
        self.tree = WrappedTree("Findings", self.lines, FindingDelegate())
        self.tree.setAccessibleDescription(KEYS)
        self.sign, self.state_label = (
            IconLabel("check", "success"),
            Label(LOOKING, Type.BODY, "muted", wrap=True),
        )
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

    def show_findings(self, lines: Sequence[FindingRow] | None, ignored: int) -> None:
        """Show findings, the first ones where there are very many; None = still looking.

        ignored: how many were left out as ignored, or are shown as such.
        """
        bar = self.tree.verticalScrollBar()
        at = bar.value()
        self.lines.set_rows((lines or ())[:MOST_LISTED])
        bar.setValue(at)
        self.tree.setVisible(bool(lines))
        self._state.setVisible(not lines)
        self.sign.setVisible(lines is not None)
        self.state_label.setText(LOOKING if lines is None else SOUND)
        more = len(lines or ()) - MOST_LISTED
        self.more_label.setText(f"{more} more are listed as these go.")
        self.more_label.setVisible(more > 0)
        self.keys_label.setVisible(bool(lines))
        self.ignored_button.setVisible(bool(ignored))
        words = f"Hide {ignored} ignored" if self._shows_ignored else f"Show {ignored} ignored"
        self.ignored_button.setText(words)
        self.ignored_button.setAccessibleName(words)

    def focus_default(self) -> None:
        """Put the keyboard into the list."""
        self.tree.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _lay_out(self) -> None:
        self._state = QWidget()
        said = QHBoxLayout(self._state)
        said.setContentsMargins(MEDIUM, LARGE, MEDIUM, LARGE)
        said.setSpacing(SMALL)
        said.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        said.addWidget(self.state_label, 1)
        foot = QVBoxLayout()
        foot.setContentsMargins(MEDIUM, SMALL, MEDIUM, SMALL)
        foot.setSpacing(TIGHT)
        foot.addWidget(self.more_label)
        foot.addWidget(self.keys_label)
        foot.addWidget(self.ignored_button, 0, Qt.AlignmentFlag.AlignLeft)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tree, 1)
        column.addWidget(self._state)
        column.addLayout(foot)
        column.addStretch(0)

    @Slot(object, str)
    def _press(self, key: object, verb: str) -> None:
        line = next((line for line in self.lines.rows() if line.key == key), None)
        if line is None:
            return
        if verb == line.repair:
            self.repair_requested.emit(line.key)
        else:
            self.ignored.emit(line.key, not line.is_ignored)

    @Slot()
    def _toggle_ignored(self) -> None:
        self._shows_ignored = not self._shows_ignored
        self.ignored_wanted.emit(self._shows_ignored)


def _tip(line: FindingRow) -> str:
    return f"{line.repair}: {line.about}" if line.repair else "This needs a decision; Enter shows the place."
