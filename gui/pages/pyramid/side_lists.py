"""Lists of the side panel: problems in a pyramid, each with a fix and a way to ignore it; its history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QMargins, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QSizePolicy, QStyleOptionViewItem, QWidget

from core.domain.pyramid import UnitKind
from gui.item_models.table_model import ROW_ROLE, Column, GroupedModel, Index
from gui.pages.pyramid.rows import PYRAMID, SCU, FindingRow, HistoryPreview, HistoryRow
from gui.style import icons, theme
from gui.style.language import in_terms_of, plain_tip, tr
from gui.style.theme import LARGE, MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.buttons import edits, link_button
from gui.widgets.controls.segmented_control import Segmented
from gui.widgets.label import IconLabel, Label
from gui.widgets.layouts import Stretch, hbox, vbox
from gui.widgets.lists.grouped_tree import WrappedDelegate, WrappedTree, verb_rect, write

IGNORE, STOP_IGNORING = tr("Ignore"), tr("Stop ignoring")
_LEFT = MEDIUM + icons.ROW_PX + SMALL
_ACTIONS_PX = 22
MAX_ROWS = 150
"""Most rows to lay out at once, to keep the window responsive; the most serious come first."""
CHECKING, NO_PROBLEMS = tr("Checking…"), tr("No problems found.")
FINDING_KEYS = tr("Enter: show · Space: fix · Del: ignore. Fixes can be undone.")


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
        place_requested, repair_requested: the key of a finding.
        ignored: the key of a finding, and whether to ignore it.
        ignored_toggled: whether to list ignored findings too.
    """

    place_requested = Signal(str)
    repair_requested = Signal(str)
    ignored = Signal(str, bool)
    ignored_toggled = Signal(bool)

    def __init__(self) -> None:
        self.model = FindingModel()
        super().__init__(WrappedTree(tr("Findings"), self.model, FindingDelegate()), FINDING_KEYS, CHECKING)
        self.icon = IconLabel("check", "success")
        self.more_label = Label("", Type.SMALL, "muted", wrap=True)
        self.ignored_button = link_button("")
        self._shows_ignored = False
        self._state = QWidget()
        state = hbox(parent=self._state, margins=(MEDIUM, LARGE), spacing=SMALL)
        state.addWidget(self.icon, 0, Qt.AlignmentFlag.AlignTop)
        state.addWidget(self.state_label, 1)
        foot = vbox(self.more_label, self.keys_label, margins=(MEDIUM, SMALL), spacing=TIGHT)
        foot.addWidget(self.ignored_button, 0, Qt.AlignmentFlag.AlignLeft)
        vbox((self.tree, 1), self._state, foot, Stretch(0), parent=self, spacing=0)
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
            if self._shows_ignored
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

    @Slot()
    def _toggle_ignored(self) -> None:
        self._shows_ignored = not self._shows_ignored
        self.ignored_toggled.emit(self._shows_ignored)


def _tip(row: FindingRow) -> str:
    return (
        f"{row.repair}: {row.about}" if row.repair else tr("No automatic fix. Press Enter to go to the text.")
    )


_HEAD_PX = 22
EMPTY = {PYRAMID: tr("No changes yet."), SCU: tr("No changes to list. Select an SCU to see its history.")}
HISTORY_KEYS = tr("Enter: view this version · Esc: current version. Nothing changes until you restore.")


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


class HistoryList(_SideList):
    """The list of edits and its scope.

    Signals:
        state_requested: id of the edit after which to display the pyramid.
        left: Escape was pressed.
    """

    state_requested = Signal(str)
    left = Signal()

    def __init__(self, kind: UnitKind = UnitKind.SCU) -> None:
        self.model = HistoryModel()
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
        self.tree.row_opened.connect(lambda key: self.state_requested.emit(str(key)))
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
        row = hbox(parent=self, margins=(MEDIUM, SMALL, SMALL, SMALL), spacing=SMALL)
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
