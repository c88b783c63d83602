"""Actions of one window for the defined commands.

Pages and the window bind handlers with `Commands.bind`. A command is enabled while it has a handler, either
everywhere or on the current page. Single-letter shortcuts don't get in the way of typing: Qt offers a key
press to the focused text field before it looks for shortcuts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar, QWidget

from gui.commands.definitions import (
    COMMANDS,
    EDITING_COMMANDS,
    TYPING_COMMANDS,
    Command,
    CommandKey,
    KeyGroup,
    KeyHint,
    KeyRow,
    Menu,
    key_sequences,
    plain_text,
    shortcut_error,
    shortcut_table,
    submenu_on_page,
    with_shortcuts,
)
from gui.style.language import plain_tip, tr

_LOCAL = Qt.ShortcutContext.WidgetWithChildrenShortcut


class Commands(QObject):
    """The commands of one window as QActions.

    Signals:
        keys_changed: shortcuts were changed.
        refused: a command was used that cannot run now; carries the reason.
    """

    keys_changed = Signal()
    refused = Signal(str)

    def __init__(self, commands: tuple[Command, ...] = COMMANDS, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.standard = commands  # commands with their default shortcuts
        self._commands = {command.id: command for command in commands}
        self._actions = {command.id: self._create_action(command) for command in commands}
        self._handlers: dict[tuple[str, str], Callable[[], object]] = {}
        self._disabled: set[tuple[str, str]] = set()
        self._read_only = ""
        self._locked: dict[str, str] = {}
        self.ignored_letters = IgnoredLetters(self)
        self._opens_field = False
        self._refusals: dict[str, QAction] = {}
        self._page = ""
        self._menus: list[QMenu] = []
        self._submenus: dict[str, list[QMenu]] = {}
        self._states: dict[str, tuple[bool, bool, bool]] = {}
        self._refresh()

    def __iter__(self) -> Iterator[tuple[Command, QAction]]:
        return ((command, self._actions[command.id]) for command in self._commands.values())

    def action(self, command_id: str) -> QAction:
        """Return a command's action, for menus and buttons."""
        return self._actions[command_id]

    def use_keys(self, keys: Mapping[str, str]) -> None:
        """Apply the user's shortcuts; all other commands get their defaults."""
        self._commands = {command.id: command for command in with_shortcuts(self.standard, keys)}
        for command, action in self:
            if action.shortcuts() != (shortcuts := command.sequences()):
                action.setShortcuts(shortcuts)
                self._explain(command.id)
                if refusal := self._refusals.get(command.id):
                    refusal.setShortcuts(shortcuts)
        self.keys_changed.emit()

    def refusal(self, keys: Mapping[str, str], command_id: str, key: str) -> str:
        """Return why a shortcut cannot be assigned while `keys` are in use; empty = it can."""
        return shortcut_error(with_shortcuts(self.standard, keys), command_id, key)

    def key(self, command_id: str) -> str:
        """Return a command's shortcut in the platform's notation; empty = none."""
        return _native(self._actions[command_id])

    def expand_shortcuts(self, sentence: str) -> str:
        """Replace command ids in braces with their shortcuts, as in ``press {list.next}``.

        A command without a shortcut is named by its menu label.
        """
        for command, action in self:
            if (name := f"{{{command.id}}}") in sentence:
                key = "+".join(key_labels(action.shortcut())) if not action.shortcut().isEmpty() else ""
                sentence = sentence.replace(
                    name, key or tr("“{plain_text}” in the menu", plain_text=plain_text(command.text))
                )
        return sentence

    def bind(self, command_id: str, handler: Callable[[], object], page: str = "") -> None:
        """Bind a handler to a command, on one page or everywhere (empty page).

        Raises KeyError for an unknown command.
        """
        if command_id not in self._commands:
            raise KeyError(command_id)
        self._handlers[command_id, page] = handler
        self._refresh_command(self._commands[command_id])

    def allow(self, command_id: str, is_allowed: bool, page: str = "") -> None:
        """Enable or disable a command, for example Undo when there is nothing to undo."""
        if is_allowed:
            self._disabled.discard((command_id, page))
        else:
            self._disabled.add((command_id, page))
        self._refresh_command(self._commands[command_id])

    def set_read_only(self, reason: str) -> None:
        """Disable all editing commands and show the reason in their tooltips; empty = enable them."""
        self._read_only = reason
        if reason and not self._refusals:
            self._refusals = {command: self._create_refusal(command) for command in sorted(EDITING_COMMANDS)}
        self._refresh()
        for command in sorted(EDITING_COMMANDS):
            self._explain(command)

    def lock(self, page: str, reason: str) -> None:
        """Refuse the editing commands of a page for a reason; empty = no longer."""
        self._locked[page] = reason

    def refusals(self) -> list[QAction]:
        """Return the actions that report why disabled shortcuts do nothing, except for local commands."""
        return [a for a in self._refusals.values() if a.shortcutContext() is not _LOCAL]

    @Slot(str)
    def refuse(self, reason: str) -> None:
        """Report why nothing is done; letters typed after a command that opens a field are ignored."""
        self.refused.emit(reason)
        if self._opens_field:
            self.ignored_letters.start()

    def rename(self, command_id: str, text: str) -> None:
        """Change a command's label, for example to ``Undo: new SCU``; empty = restore its own."""
        action = self._actions[command_id]
        action.setText(text or self._commands[command_id].on_page(self._page).text)
        self._explain(command_id)

    def set_checked(self, chosen: str, among: Iterable[str]) -> None:
        """Check one of several mutually exclusive commands, for example the colour schemes."""
        for command_id in among:
            action = self._actions[command_id]
            action.setCheckable(True)
            action.setChecked(command_id == chosen)

    def add_to_widget(self, command_id: str, widget: QWidget) -> None:
        """Enable a local command's shortcut in a widget and its children."""
        widget.addAction(self._actions[command_id])
        if refusal := self._refusals.get(command_id):
            widget.addAction(refusal)

    def add_menu(self, widget: QWidget, names: Sequence[str]) -> None:
        """Give a widget a context menu of these commands, and the shortcuts that only work there.

        An empty name adds a separator.
        """
        for name in names:
            if name:
                self.add_to_widget(name, widget)
            else:
                separator = QAction(widget)
                separator.setSeparator(True)
                widget.addAction(separator)
        widget.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def set_page(self, page: str) -> None:
        """Set the current page, and word the labels for it."""
        before, self._page = self._page, page
        pages = {before, page}
        bound = {command_id for command_id, at in (*self._handlers, *self._disabled) if at in pages}
        for command, _ in self:
            if command.id in bound or not pages.isdisjoint(command.pages):
                if command.on_page(before).text != command.on_page(page).text:
                    self.rename(command.id, "")
                self._refresh_command(command)
        for title, submenus in self._submenus.items():
            for submenu in submenus:
                submenu.setTitle(submenu_on_page(title, page))

    def forget_pages(self) -> None:
        """Remove all handlers of pages, for when the pages are closed."""
        self._handlers = {key: handler for key, handler in self._handlers.items() if not key[1]}
        self._disabled = {key for key in self._disabled if not key[1]}
        self._locked.clear()
        self._refresh()

    def hints(self, page: str) -> list[KeyHint]:
        """Return the entries of the shortcut bar for a page: its own first, equal labels merged."""
        keys: dict[str, list[str]] = {}
        for plain, action in sorted(self, key=lambda entry: len(entry[0].pages) or len(self._commands)):
            command = plain.on_page(page)
            if (
                command.hint
                and not action.shortcut().isEmpty()
                and (page in command.pages or not command.pages)
                and self._handler(command.id, page)
            ):
                keys.setdefault(command.hint, []).extend(key_labels(action.shortcut()))
        return [KeyHint(tuple(caps), text) for text, caps in keys.items()]

    def groups(self, page: str, title: str) -> list[KeyGroup]:
        """Return all active shortcuts: those of the page first, then the others by menu."""
        groups: dict[str, list[KeyRow]] = {title: []}
        own_first = sorted(self, key=lambda entry: page not in entry[0].pages)
        for plain, action in own_first:
            command = plain.on_page(page)
            if action.isEnabled() and not action.shortcut().isEmpty():
                is_own = page in command.pages and command.menu is Menu.ANNOTATE
                heading = title if is_own else plain_text(command.submenu or command.menu)
                alternatives = (*key_sequences(command.key)[:1], *key_sequences(command.also))
                keys = tuple(tuple(key_labels(sequence)) for sequence in alternatives)
                groups.setdefault(heading, []).append(KeyRow(keys, plain_text(command.text)))
        return [
            KeyGroup(heading, tuple(merge_numbered_rows(lines))) for heading, lines in groups.items() if lines
        ]

    def keys(self, titles: Mapping[str, str]) -> list[CommandKey]:
        """Return all commands with their shortcuts for the settings.

        titles: page titles by page key.
        """
        defaults = {command.id: _portable(command) for command in self.standard}
        return [
            CommandKey(
                command.id,
                plain_text(f"{command.submenu}: {command.text}" if command.submenu else command.text),
                ", ".join(titles.get(page, page) for page in command.pages) or "everywhere",
                _portable(command),
                defaults[command.id],
            )
            for command, _ in self
        ]

    def as_markdown(self) -> str:
        """Return a Markdown table of all commands that have a shortcut."""
        return shortcut_table(self._commands.values())

    def fill(self, bar: QMenuBar) -> None:
        """Add all commands to their menus; commands of other pages are hidden."""
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
                        self._submenus.setdefault(command.submenu, []).append(submenus[command.submenu])
                    submenus.get(command.submenu, menu).addAction(action)
            menu.aboutToShow.connect(partial(_hide_empty_submenus, tuple(submenus.values())))
            self._menus.append(menu)

    def insert_menu(self, after: str, menu: QMenu) -> None:
        """Insert a submenu below a command, for example the recent studies."""
        action = self._actions[after]
        for menu_with_action in self._menus:
            actions = menu_with_action.actions()
            if action in actions:
                following = actions[actions.index(action) + 1 :]
                menu_with_action.insertMenu(following[0] if following else action, menu)

    def _create_action(self, command: Command) -> QAction:
        action = QAction(command.text, self)
        action.setShortcuts(command.sequences())
        action.setIconVisibleInMenu(False)
        if command.is_local:
            action.setShortcutContext(_LOCAL)
        action.setToolTip(plain_tip(_tooltip(action)))
        action.triggered.connect(lambda: self._run(command.id))
        return action

    def _create_refusal(self, command_id: str) -> QAction:
        """Create an action that takes over a command's shortcuts while the command is disabled."""
        action = QAction(self)
        action.setShortcutContext(self._actions[command_id].shortcutContext())
        action.setShortcuts(self._actions[command_id].shortcuts())
        action.triggered.connect(lambda: self._run(command_id))
        return action

    def _handler(self, command_id: str, page: str) -> Callable[[], object] | None:
        return self._handlers.get((command_id, page)) or self._handlers.get((command_id, ""))

    def _run(self, command_id: str) -> None:
        handler = self._handler(command_id, self._page)
        locked = self._locked.get(self._page, "") if self._commands[command_id].pages else ""
        self._opens_field = command_id in TYPING_COMMANDS
        try:
            if command_id in EDITING_COMMANDS and (reason := self._read_only or locked):
                self.refuse(reason)
            elif handler is not None:
                handler()
        finally:
            self._opens_field = False

    def _refresh(self) -> None:
        for command, _ in self:
            self._refresh_command(command)

    def _refresh_command(self, command: Command) -> None:
        is_on_page = not command.pages or self._page in command.pages
        disabled = {(command.id, ""), (command.id, self._page)} & self._disabled
        is_locked = bool(self._read_only) and command.id in EDITING_COMMANDS
        can_run = is_on_page and self._handler(command.id, self._page) is not None and not disabled
        state = can_run and not is_locked, is_on_page, is_locked
        if self._states.get(command.id) == state:
            return
        self._states[command.id] = state
        if refusal := self._refusals.get(command.id):
            refusal.setEnabled(is_on_page and is_locked)
        self._actions[command.id].setEnabled(state[0])
        self._actions[command.id].setVisible(is_on_page)

    def _explain(self, command_id: str) -> None:
        """Show a command with its shortcut in its tooltip, or why it is disabled."""
        is_locked = command_id in EDITING_COMMANDS and self._read_only
        action = self._actions[command_id]
        action.setToolTip(plain_tip(self._read_only if is_locked else _tooltip(action)))


def _hide_empty_submenus(menus: Iterable[QMenu]) -> None:
    for menu in menus:
        menu.menuAction().setVisible(any(action.isVisible() for action in menu.actions()))


def _native(action: QAction) -> str:
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)


def key_labels(sequence: QKeySequence) -> list[str]:
    """Return the labels of the keys that are pressed together."""
    names = {"Return": "Enter", "PgDown": tr("Page down"), "PgUp": tr("Page up"), "Del": "Delete"}
    text = sequence.toString(QKeySequence.SequenceFormat.NativeText)
    parts = text.split("+") if not text.endswith("+") else [*text[:-1].split("+")[:-1], "+"]
    return [names.get(part, part) for part in parts]


def merge_numbered_rows(lines: Iterable[KeyRow]) -> list[KeyRow]:
    """Merge consecutive rows that differ only in a number at the end."""
    merged: list[KeyRow] = []
    for stem, group in groupby(lines, key=lambda line: line.text.rstrip("0123456789")):
        rows = list(group)
        if len(rows) > 1 and rows[0].text != stem:
            label = tr(
                "{text} to {removeprefix}", text=rows[0].text, removeprefix=rows[-1].text.removeprefix(stem)
            )
            merged.append(KeyRow((*rows[0].keys[:1], *rows[-1].keys[:1]), label, "to"))
        else:
            merged += rows
    return merged


def _portable(command: Command) -> str:
    return next((key.toString() for key in command.sequences()), "")


def _tooltip(action: QAction) -> str:
    key = _native(action)
    label = plain_text(action.text())
    return f"{label} ({key})" if key else label


_IGNORED_MS = 1500
_COMMANDS = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)
_MODIFIERS = frozenset(
    (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr, Qt.Key.Key_Meta)
)
_KEYS = frozenset((QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress))
_ENDS = frozenset((QEvent.Type.FocusIn, QEvent.Type.MouseButtonPress))


class IgnoredLetters(QObject):
    """Ignores letters typed after a command was refused, as for a text field that it did not open.

    They would act as commands. It ends with another key, a click, another focus or a pause.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pause = QTimer(self, singleShot=True, interval=_IGNORED_MS)
        self._pause.timeout.connect(self._stop)

    @property
    def are_ignored(self) -> bool:
        return self._pause.isActive()

    @Slot()
    def start(self) -> None:
        if (app := QApplication.instance()) is not None and not self.are_ignored:
            app.installEventFilter(self)
        self._pause.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() in _KEYS:
            is_letter = (
                event.text().isprintable() and bool(event.text()) and not event.modifiers() & _COMMANDS
            )
            if is_letter:
                self._pause.start()
                event.accept()
                return True
            if event.key() not in _MODIFIERS:
                self._stop()
        elif event.type() in _ENDS:
            self._stop()
        return False

    @Slot()
    def _stop(self) -> None:
        self._pause.stop()
        if (app := QApplication.instance()) is not None:
            app.removeEventFilter(self)
