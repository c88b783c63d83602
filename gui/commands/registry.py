"""The commands of one window as actions.

A page says what a command does with `Commands.on`. A command can be chosen where somebody has said so:
everywhere, or while its page is in front. Keys of one letter yield to text fields by themselves: Qt offers a
key to the field that has the keyboard before it looks for shortcuts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from gui.commands.definitions import (
    COMMANDS,
    EDITING_COMMANDS,
    Command,
    Menu,
    key_sequences,
    plain_text,
    shortcut_error,
    with_shortcuts,
)
from gui.commands.shortcuts import CommandKey, KeyGroup, KeyHint, KeyRow
from gui.style.tooltips import plain_tip

_LOCAL = Qt.ShortcutContext.WidgetWithChildrenShortcut


class Commands(QObject):
    """The commands as actions of one window.

    Signals:
        keys_changed: commands have other keys now.
        refused: the key of a command was pressed that cannot change a read-only study; the reason.
    """

    keys_changed = Signal()
    refused = Signal(str)

    def __init__(self, commands: tuple[Command, ...] = COMMANDS, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._standard = commands
        self._commands = {command.id: command for command in commands}
        self._actions = {command.id: self._action(command) for command in commands}
        self._handlers: dict[tuple[str, str], Callable[[], object]] = {}
        self._forbidden: set[tuple[str, str]] = set()
        self._read_only = ""
        self._refusals: dict[str, QAction] = {}
        self._page = ""
        self._menus: list[QMenu] = []
        self._refresh()

    def __iter__(self) -> Iterator[tuple[Command, QAction]]:
        return ((command, self._actions[command.id]) for command in self._commands.values())

    def action(self, command_id: str) -> QAction:
        """A command's action, for menus and buttons."""
        return self._actions[command_id]

    @property
    def standard(self) -> tuple[Command, ...]:
        """The commands with the keys that the program comes with."""
        return self._standard

    def use_keys(self, keys: Mapping[str, str]) -> None:
        """Give commands the keys that the user has chosen, all others their own."""
        self._commands = {command.id: command for command in with_shortcuts(self._standard, keys)}
        for command, action in self:
            if action.shortcuts() != (wanted := command.sequences()):
                action.setShortcuts(wanted)
                action.setToolTip(plain_tip(_tooltip(action)))
        self.keys_changed.emit()

    def refusal(self, keys: Mapping[str, str], command_id: str, key: str) -> str:
        """Why a command cannot have a key while others have these; empty = it can."""
        return shortcut_error(with_shortcuts(self._standard, keys), command_id, key)

    def key(self, command_id: str) -> str:
        """A command's key as it stands on this keyboard, empty = none."""
        return _native(self._actions[command_id])

    def expand_shortcuts(self, sentence: str) -> str:
        """A sentence with the keys of the commands that it names in braces, as ``press {list.next}``.

        A command without a key is named by its words.
        """
        for command, action in self:
            if (name := f"{{{command.id}}}") in sentence:
                key = "+".join(key_labels(action.shortcut())) if not action.shortcut().isEmpty() else ""
                sentence = sentence.replace(name, key or f"“{plain_text(command.text)}” in the menu")
        return sentence

    def bind(self, command_id: str, handler: Callable[[], object], page: str = "") -> None:
        """Say what a command does: on a page, or everywhere."""
        if command_id not in self._commands:
            raise KeyError(command_id)
        self._handlers[command_id, page] = handler
        self._refresh_one(self._commands[command_id])

    def allow(self, command_id: str, is_allowed: bool, page: str = "") -> None:
        """Allow or forbid a command for now, as Undo where nothing was done."""
        if is_allowed:
            self._forbidden.discard((command_id, page))
        else:
            self._forbidden.add((command_id, page))
        self._refresh_one(self._commands[command_id])

    def set_read_only(self, reason: str) -> None:
        """Forbid every command that changes the study, with the reason in its tooltip; empty = allow them."""
        self._read_only = reason
        if reason and not self._refusals:
            self._refusals = {command: self._refusal(command) for command in sorted(EDITING_COMMANDS)}
        self._refresh()

    def refusals(self) -> list[QAction]:
        """Actions for the window that report why locked keys do nothing; without those of local ones."""
        return [a for a in self._refusals.values() if a.shortcutContext() is not _LOCAL]

    def rename(self, command_id: str, text: str) -> None:
        """Show other words, as ``Undo: new SCU``; empty = its own."""
        action = self._actions[command_id]
        action.setText(text or self._commands[command_id].text)
        action.setToolTip(plain_tip(_tooltip(action)))

    def set_checked(self, chosen: str, among: Iterable[str]) -> None:
        """Tick one of several commands of which one is always in force, as the colours."""
        for command_id in among:
            action = self._actions[command_id]
            action.setCheckable(True)
            action.setChecked(command_id == chosen)

    def add_to_widget(self, command_id: str, widget: QWidget) -> None:
        """Let a local command's key work in a widget and what is in it."""
        widget.addAction(self._actions[command_id])
        if refusal := self._refusals.get(command_id):
            widget.addAction(refusal)

    def set_page(self, page: str) -> None:
        """Say which page is in front."""
        self._page = page
        self._refresh()

    def forget_pages(self) -> None:
        """Forget what commands do on pages; for when the pages go."""
        self._handlers = {key: handler for key, handler in self._handlers.items() if not key[1]}
        self._forbidden = {key for key in self._forbidden if not key[1]}
        self._refresh()

    def hints(self, page: str) -> list[KeyHint]:
        """What the bar of keys says on a page: its own keys first, those with the same words together."""
        keys: dict[str, list[str]] = {}
        for command, action in sorted(self, key=lambda entry: len(entry[0].pages) or len(self._commands)):
            if (
                command.hint
                and not action.shortcut().isEmpty()
                and (page in command.pages or not command.pages)
                and self._handler(command.id, page)
            ):
                keys.setdefault(command.hint, []).extend(key_labels(action.shortcut()))
        return [KeyHint(tuple(caps), text) for text, caps in keys.items()]

    def groups(self, page: str, title: str) -> list[KeyGroup]:
        """Every key that does something now: those of the page first, then the others by menu."""
        found: dict[str, list[KeyRow]] = {title: []}
        own = sorted(self, key=lambda entry: page not in entry[0].pages)
        for command, action in own:
            if action.isEnabled() and not action.shortcut().isEmpty():
                is_own = page in command.pages and command.menu is Menu.ANNOTATE
                heading = title if is_own else plain_text(command.submenu or command.menu)
                ways = (*key_sequences(command.key)[:1], *key_sequences(command.also))
                keys = tuple(tuple(key_labels(way)) for way in ways)
                found.setdefault(heading, []).append(KeyRow(keys, plain_text(command.text)))
        return [
            KeyGroup(heading, tuple(merge_numbered_rows(lines))) for heading, lines in found.items() if lines
        ]

    def keys(self, titles: Mapping[str, str]) -> list[CommandKey]:
        """Every command with its key, as the settings show it. titles: of the pages, by their keys."""
        own = {command.id: _portable(command) for command in self._standard}
        return [
            CommandKey(
                command.id,
                plain_text(f"{command.submenu}: {command.text}" if command.submenu else command.text),
                ", ".join(titles.get(page, page) for page in command.pages) or "everywhere",
                _portable(command),
                own[command.id],
            )
            for command, _ in self
        ]

    def as_markdown(self) -> str:
        """Every command that has a key, as a table of Markdown."""
        rows = []
        for command, action in self:
            if not action.shortcut().isEmpty():
                cells = (_native(action), plain_text(command.text), ", ".join(command.pages) or "everywhere")
                rows.append(f"| {' | '.join(cells)} |")
        return "\n".join(("| Key | Does | Where |", "|---|---|---|", *rows))

    def fill(self, bar: QMenuBar) -> None:
        """Put every command into its menu; those of pages that are not in front are not in sight."""
        for name in Menu:
            menu = bar.addMenu(name)
            section = 0
            submenus: dict[str, QMenu] = {}
            for command, action in self:
                if command.menu is name:
                    if command.section != section:
                        menu.addSeparator()
                        section = command.section
                    if command.submenu and command.submenu not in submenus:
                        submenus[command.submenu] = menu.addMenu(command.submenu)
                    submenus.get(command.submenu, menu).addAction(action)
            menu.aboutToShow.connect(partial(_hide_empty, tuple(submenus.values())))
            self._menus.append(menu)
        self._close_empty()

    def insert_menu(self, after: str, menu: QMenu) -> None:
        """Put a menu of its own below a command, as the recent studies."""
        action = self._actions[after]
        for known in self._menus:
            actions = known.actions()
            if action in actions:
                following = actions[actions.index(action) + 1 :]
                known.insertMenu(following[0] if following else action, menu)

    def _close_empty(self) -> None:
        """Let no menu open that has nothing for the page in front, as Compare elsewhere."""
        for menu in self._menus:
            menu.menuAction().setEnabled(_holds_something(menu))

    def _action(self, command: Command) -> QAction:
        action = QAction(command.text, self)
        action.setShortcuts(command.sequences())
        action.setIconVisibleInMenu(False)
        if command.is_local:
            action.setShortcutContext(_LOCAL)
        action.setToolTip(plain_tip(_tooltip(action)))
        action.triggered.connect(lambda: self._run(command.id))
        return action

    def _refusal(self, command_id: str) -> QAction:
        """An action without a menu that has a command's keys while the command itself is locked."""
        action = QAction(self)
        action.setShortcutContext(self._actions[command_id].shortcutContext())
        action.triggered.connect(lambda: self.refused.emit(self._read_only))
        return action

    def _handler(self, command_id: str, page: str) -> Callable[[], object] | None:
        return self._handlers.get((command_id, page)) or self._handlers.get((command_id, ""))

    def _run(self, command_id: str) -> None:
        handler = self._handler(command_id, self._page)
        if handler is not None:
            handler()

    def _refresh(self) -> None:
        for command, _ in self:
            self._refresh_one(command)
        self._close_empty()

    def _refresh_one(self, command: Command) -> None:
        is_here = not command.pages or self._page in command.pages
        forbidden = {(command.id, ""), (command.id, self._page)} & self._forbidden
        is_locked = bool(self._read_only) and command.id in EDITING_COMMANDS
        can_run = is_here and self._handler(command.id, self._page) is not None and not forbidden
        can_run = can_run and not is_locked
        if refusal := self._refusals.get(command.id):
            refusal.setShortcuts(self._actions[command.id].shortcuts())
            refusal.setEnabled(is_here and is_locked)
        if command.id in EDITING_COMMANDS:
            action = self._actions[command.id]
            action.setToolTip(plain_tip(self._read_only if is_locked else _tooltip(action)))
        self._actions[command.id].setEnabled(can_run)
        self._actions[command.id].setVisible(is_here)


def _hide_empty(menus: Iterable[QMenu]) -> None:
    for menu in menus:
        menu.menuAction().setVisible(any(action.isVisible() for action in menu.actions()))


def _holds_something(menu: QMenu) -> bool:
    for action in menu.actions():
        below = action.menu()
        is_there = _holds_something(below) if isinstance(below, QMenu) else action.isVisible()
        if is_there and not action.isSeparator():
            return True
    return False


def _native(action: QAction) -> str:
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)


def key_labels(sequence: QKeySequence) -> list[str]:
    """The caps of the keys that are pressed together."""
    names = {"Return": "Enter", "PgDown": "Page down", "PgUp": "Page up", "Del": "Delete"}
    text = sequence.toString(QKeySequence.SequenceFormat.NativeText)
    parts = text.split("+") if not text.endswith("+") else [*text[:-1].split("+")[:-1], "+"]
    return [names.get(part, part) for part in parts]


def merge_numbered_rows(lines: Iterable[KeyRow]) -> list[KeyRow]:
    """The lines, those that differ by a number at their end alone as one."""
    found: list[KeyRow] = []
    for stem, group in groupby(lines, key=lambda line: line.text.rstrip("0123456789")):
        alike = list(group)
        if len(alike) > 1 and alike[0].text != stem:
            ends = f"{alike[0].text} to {alike[-1].text.removeprefix(stem)}"
            found.append(KeyRow((*alike[0].keys[:1], *alike[-1].keys[:1]), ends, "to"))
        else:
            found += alike
    return found


def _portable(command: Command) -> str:
    return next((key.toString() for key in command.sequences()), "")


def _tooltip(action: QAction) -> str:
    key = _native(action)
    words = plain_text(action.text())
    return f"{words} ({key})" if key else words
