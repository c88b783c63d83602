"""Combo box for a search index: the study's documents, a local index, or an address on a server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from gui.style.tooltips import plain_tip

SERVER_TITLE = "An Elasticsearch server…"
SERVER_TEMPLATE = "elasticsearch:https://localhost:9200/NAME"


class IndexBox(QComboBox):
    """Editable list of indexes. `change` is called with the chosen index or the typed address."""

    def __init__(self, change: Callable[[str], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._change, self._value = change, ""
        self.setEditable(True)
        self._line = cast(QLineEdit, self.lineEdit())  # not None, since the box is editable
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setMinimumContentsLength(12)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.activated.connect(self._choose)
        self._line.editingFinished.connect(self._apply_text)

    def show_choices(self, keys: Sequence[str], titles: Sequence[str]) -> None:
        """Offer these indexes, and a template for the address of one on a server."""
        with QSignalBlocker(self):
            self.clear()
            for key, title in zip(keys, titles, strict=True):
                self.addItem(title, key)
            self.insertSeparator(self.count())
            self.addItem(SERVER_TITLE, SERVER_TEMPLATE)
            self.show_value(self._value)

    def show_value(self, value: str) -> None:
        """Show a value without reporting a change."""
        self._value = value
        with QSignalBlocker(self):
            index = self.findData(value)
            self.setCurrentIndex(index)
            self.setEditText(self.itemText(index) if index >= 0 else value)
            self._line.setCursorPosition(0)
            self.setToolTip(plain_tip(value))

    @Slot(int)
    def _choose(self, index: int) -> None:
        key = str(self.itemData(index) or "")
        if key == SERVER_TEMPLATE:
            self.setEditText(SERVER_TEMPLATE)
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            start = SERVER_TEMPLATE.index("https://") + len("https://")
            self._line.setSelection(start, len(SERVER_TEMPLATE) - start)
        else:
            self._apply(key)

    @Slot()
    def _apply_text(self) -> None:
        """Apply the typed text: a title selects its index; the unedited template is ignored."""
        text = self.currentText().strip()
        index = self.findText(text, Qt.MatchFlag.MatchFixedString)
        key = str(self.itemData(index)) if index >= 0 else text
        if key and key != SERVER_TEMPLATE:
            self._apply(key)

    def _apply(self, key: str) -> None:
        if key != self._value:
            self._value = key
            self._change(key)
