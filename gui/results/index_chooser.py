"""Choosing what is searched: the study's documents, an index by name, or one on a server by its address."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from gui.style.tooltips import plain_tip

SERVER_TITLE = "An Elasticsearch server…"
SERVER_TEMPLATE = "elasticsearch:https://localhost:9200/NAME"


class IndexBox(QComboBox):
    """Names to choose, and a line for an address; `change` is called with what was chosen or typed."""

    def __init__(self, change: Callable[[str], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._change, self._shown = change, ""
        self.setEditable(True)
        self._line = cast(QLineEdit, self.lineEdit())  # there is one, now that it is editable
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setMinimumContentsLength(12)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.activated.connect(self._choose)
        self._line.editingFinished.connect(self._take_text)

    def show_choices(self, keys: Sequence[str], titles: Sequence[str]) -> None:
        """Offer these, and a server's address to be typed."""
        with QSignalBlocker(self):
            self.clear()
            for key, title in zip(keys, titles, strict=True):
                self.addItem(title, key)
            self.insertSeparator(self.count())
            self.addItem(SERVER_TITLE, SERVER_TEMPLATE)
            self.show_value(self._shown)

    def show_value(self, value: str) -> None:
        """Show what is chosen, without saying that it changed."""
        self._shown = value
        with QSignalBlocker(self):
            at = self.findData(value)
            self.setCurrentIndex(at)
            self.setEditText(self.itemText(at) if at >= 0 else value)
            self._line.setCursorPosition(0)
            self.setToolTip(plain_tip(value))

    @Slot(int)
    def _choose(self, at: int) -> None:
        key = str(self.itemData(at) or "")
        if key == SERVER_TEMPLATE:
            self.setEditText(SERVER_TEMPLATE)
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            start = SERVER_TEMPLATE.index("https://") + len("https://")
            self._line.setSelection(start, len(SERVER_TEMPLATE) - start)
        else:
            self._tell(key)

    @Slot()
    def _take_text(self) -> None:
        """Take what was typed; a title stands for its index, the example of an address for nothing."""
        text = self.currentText().strip()
        at = self.findText(text, Qt.MatchFlag.MatchFixedString)
        key = str(self.itemData(at)) if at >= 0 else text
        if key and key != SERVER_TEMPLATE:
            self._tell(key)

    def _tell(self, key: str) -> None:
        if key != self._shown:
            self._shown = key
            self._change(key)
