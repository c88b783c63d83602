"""Command palette: find and run any command."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QVBoxLayout, QWidget

from gui.style.language import tr
from gui.style.theme import SMALL, px
from gui.widgets.accessible import announce_rows
from gui.widgets.buttons import SearchField
from gui.widgets.dialog import BareDialog

WIDTH, HEIGHT, ROW_HEIGHT = 480, 360, 32
_ACTION_ROLE = int(Qt.ItemDataRole.UserRole)


class CommandPalette(BareDialog):
    """A search field and the matching commands; Enter runs the current one."""

    help_page = "keys"

    def __init__(self, actions: Sequence[tuple[str, QAction]], parent: QWidget | None = None) -> None:
        """actions: (menu, action) of every available command."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAccessibleName(tr("Any command"))
        self.resize(px(WIDTH), px(HEIGHT))
        self._actions = actions
        self.field = SearchField(tr("Any command"))
        self.list = QTableView()
        self.list.setAccessibleName(tr("Commands"))
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.list.setShowGrid(False)
        self.list.horizontalHeader().hide()
        self.list.verticalHeader().hide()
        self.list.verticalHeader().setDefaultSectionSize(px(ROW_HEIGHT))
        self._model = QStandardItemModel(self)
        self.list.setModel(self._model)
        column = QVBoxLayout(self)
        column.setContentsMargins(SMALL, SMALL, SMALL, SMALL)
        column.addWidget(self.field)
        column.addWidget(self.list)
        self.field.textChanged.connect(self._find)
        self.field.returnPressed.connect(self.run_current)
        self.list.clicked.connect(self.run_current)
        announce_rows(self.list)
        self.field.installEventFilter(self)
        self._find("")
        self.field.setFocus()

    def run_current(self) -> None:
        """Close and run the command in the selected row."""
        index = self.list.currentIndex().siblingAtColumn(0)
        self.close()
        if index.isValid():
            action: QAction = index.data(_ACTION_ROLE)
            action.trigger()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step is not None and self._model.rowCount():
                row = (self.list.currentIndex().row() + step) % self._model.rowCount()
                self.list.setCurrentIndex(self._model.index(row, 0))
                return True
        return False

    def _find(self, typed: str) -> None:
        self._model.clear()
        for menu, action in ranked(typed, self._actions):
            key = action.shortcut().toString(action.shortcut().SequenceFormat.NativeText)
            words = f"{menu.replace('&', '')} › {action.text().replace('&', '')}"
            item, keys = QStandardItem(words), QStandardItem(key)
            keys.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setData(action, _ACTION_ROLE)
            self._model.appendRow([item, keys])
        if self._model.columnCount():
            self.list.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
            self.list.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.list.setCurrentIndex(self._model.index(0, 0))


def ranked(typed: str, actions: Sequence[tuple[str, QAction]]) -> list[tuple[str, QAction]]:
    """Return the commands that contain the typed letters in this order, best match first.

    A command whose text is what was typed is first: the page *Ratings* before the export *Ratings…*.
    """
    fits = []
    for place, (menu, action) in enumerate(actions):
        text = action.text().replace("&", "")
        cost = fuzzy_cost(typed, text)
        if cost is not None:
            fits.append((cost, text.casefold() != typed.strip().casefold(), place, (menu, action)))
    return [pair for *_, pair in sorted(fits, key=lambda fit: fit[:3])]


def fuzzy_cost(typed: str, text: str) -> int | None:
    """Return the cost of a match: the number of skipped letters between the first and the last matching one.

    None if the letters do not all occur in this order. A match that starts inside a word costs five more.
    """
    letters, words = typed.casefold().replace(" ", ""), text.casefold()
    costs = [
        cost
        for start, letter in enumerate(words)
        if letters[:1] == letter and (cost := _cost_from(start, letters, words)) is not None
    ]
    return min(costs, default=None) if letters else 0


def _cost_from(start: int, letters: str, words: str) -> int | None:
    at, skipped = start, 0
    for letter in letters:
        place = words.find(letter, at)
        if place < 0:
            return None
        skipped += place - at
        at = place + 1
    starts_inside = start > 0 and words[start - 1].isalnum()
    return skipped + 5 * starts_inside
