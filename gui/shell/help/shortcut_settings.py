"""Settings page of the shortcuts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QKeySequenceEdit, QWidget

from gui.commands.definitions import CommandKey
from gui.item_models.table_model import Column
from gui.style.language import tr
from gui.style.theme import SMALL, Type, px
from gui.widgets.buttons import SearchField, plain_button
from gui.widgets.label import Label
from gui.widgets.layouts import hbox, vbox
from gui.widgets.lists.table_view import RowTable

HEIGHT = 120
Refuse = Callable[[Mapping[str, str], str, str], str]
"""Keys chosen so far, a command and the key that it is to get: why it cannot, empty = it can."""


class KeysPane(QWidget):
    """All commands with their shortcuts; a key pressed in the field becomes the selected command's."""

    def __init__(self, commands: Sequence[CommandKey], refuse: Refuse) -> None:
        super().__init__()
        self._refuse = refuse
        self.find_field = SearchField(tr("Find a command"))
        self.table = RowTable[CommandKey](
            tr("Commands"),
            [
                Column(tr("Command"), lambda c: c.text, cell_tip=lambda c: c.text),
                Column(tr("Where"), lambda c: c.where, cell_tip=lambda c: c.where),
                Column(tr("Key"), _key_text),
            ],
        )
        self.key_field = QKeySequenceEdit()
        self.key_field.setMaximumSequenceLength(1)
        self.name_label = Label("", Type.STRONG)
        self.refusal_label = Label("", Type.SMALL, "error", wrap=True)
        self.none_button = plain_button(tr("Remove shortcut"))
        self.own_button, self.all_button = plain_button(tr("Reset shortcut")), plain_button(tr("Reset all"))
        self.key_field.setAccessibleName(tr("New shortcut"))
        self.table.setMinimumHeight(px(HEIGHT))
        self.table.fit(stretch=0, widths={1: 150, 2: 130})
        row = hbox((self.key_field, 1), self.none_button, self.own_button, self.all_button, spacing=SMALL)
        how = Label(tr("Click the field and press the new key."), Type.SMALL, "muted")
        parts = self.find_field, self.table, self.name_label, row, self.refusal_label, how
        vbox(*parts, parent=self, spacing=SMALL)
        self.find_field.filter_rows(self.table, self.table.sorted.find)
        self.table.row_chosen.connect(self._picked)
        self.key_field.editingFinished.connect(self._pressed)
        self.none_button.clicked.connect(lambda: self.give(""))
        self.own_button.clicked.connect(self.take_back)
        self.all_button.clicked.connect(self.take_all_back)
        self.table.rows.set_rows(commands)
        self.table.choose(lambda _: True)

    @property
    def chosen(self) -> dict[str, str]:
        """Shortcuts that differ from the defaults, by command id."""
        return {command.id: command.key for command in self.table.rows.rows() if command.is_changed}

    def choose(self, command_id: str) -> None:
        """Select the command whose shortcut is changed."""
        self.table.choose(lambda command: command.id == command_id)

    def give(self, key: str) -> bool:
        """Assign a key, by its portable name, to the selected command. Returns whether that was possible."""
        command = self.table.current
        if command is None or key == command.key:
            return command is not None
        self.refusal_label.setText(self._refuse(self.chosen, command.id, key))
        if not self.refusal_label.text():
            self._change({command.id: key})
        self._show_current()
        return not self.refusal_label.text()

    @Slot()
    def take_back(self) -> None:
        """Reset the shortcut of the selected command."""
        if (command := self.table.current) is not None:
            self.give(command.standard)

    @Slot()
    def take_all_back(self) -> None:
        """Reset all shortcuts."""
        self.refusal_label.setText("")
        self._change({command.id: command.standard for command in self.table.rows.rows()})
        self._show_current()

    def _change(self, keys: Mapping[str, str]) -> None:
        current, rows = self.table.current, self.table.rows
        rows.set_rows([replace(c, key=keys[c.id]) if c.id in keys else c for c in rows.rows()])
        if current is not None:
            self.choose(current.id)

    def _show_current(self) -> None:
        command = self.table.current
        self.name_label.setText(command.text if command else tr("No command selected"))
        self.key_field.setEnabled(command is not None)
        self.none_button.setEnabled(command is not None and bool(command.key))
        self.own_button.setEnabled(command is not None and command.is_changed)
        self.all_button.setEnabled(bool(self.chosen))
        with QSignalBlocker(self.key_field):
            self.key_field.setKeySequence(QKeySequence(command.key if command else ""))

    @Slot()
    def _picked(self) -> None:
        self.refusal_label.setText("")
        self._show_current()

    @Slot()
    def _pressed(self) -> None:
        sequence = self.key_field.keySequence()
        if not sequence.isEmpty():
            self.give(sequence.toString(QKeySequence.SequenceFormat.PortableText))


def _key_text(command: CommandKey) -> str:
    key = QKeySequence(command.key).toString(QKeySequence.SequenceFormat.NativeText)
    return tr("{key} · changed", key=key or tr("none")) if command.is_changed else key
