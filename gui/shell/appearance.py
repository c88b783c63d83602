"""Appearance settings: ask for them, apply and store them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication, QDialog

from core.errors import InputError, PyramidionError
from core.files.preferences import PreferencesFile
from core.models.chat_accounts import ChatAccount, allowed_servers, change_servers
from core.models.runtime.devices import likely_devices
from gui.commands.registry import Commands
from gui.shell.dialogs import TEXT_PERCENTS, SettingsDialog
from gui.shell.help.shortcut_settings import KeysPane
from gui.shell.main_window import MainWindow
from gui.shell.server_settings import KEYRING, NO_KEY, VARIABLE, ServerRow, ServersPane
from gui.style import reading_preferences, theme
from gui.style.language import tr

SCHEMES = ("system", "light", "dark")

_CHARACTERS = "view.characters"


class Appearance(QObject):
    """Applies color scheme, text size, device and shortcuts.

    Signals:
        resized: the text size changed; pages measure their rows when they are built.
    """

    resized = Signal()

    def __init__(
        self,
        window: MainWindow,
        commands: Commands,
        settings: PreferencesFile,
        open_dialog: Callable[[QDialog], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window, self._commands, self._settings = window, commands, settings
        self._open_dialog = open_dialog
        reading_preferences.signal().changed.connect(self._remember_reading)
        reading_preferences.signal().selecting_changed.connect(self._remember_selecting)
        on = self._commands.bind
        on("app.settings", self.ask)
        for scheme in SCHEMES:
            on(f"view.{scheme}", partial(self._apply_scheme, scheme))
        on("view.larger", partial(self._resize, +1))
        on("view.smaller", partial(self._resize, -1))
        on("view.usual", self._usual_size)
        on(
            _CHARACTERS,
            lambda: reading_preferences.select_by_character(not reading_preferences.selects_characters()),
        )
        for width in reading_preferences.LINE_WIDTHS:
            on(f"view.line_{width}", partial(self._apply_line_width, width))
        self._mark()

    @Slot()
    def ask(self) -> None:
        """Open the settings on the page Appearance."""
        self._ask("look")

    @Slot()
    def ask_keys(self) -> None:
        """Open the settings on the page of shortcuts."""
        self._ask("keys")

    def apply(self, scheme: str, text_percent: int, device: str) -> None:
        """Apply and store color scheme, text size and device."""
        is_resized = text_percent != self._settings.now.text_percent
        self._settings.change(theme=scheme, text_percent=text_percent, device=device)
        theme.apply(_application(), scheme, text_percent)
        self.show_device()
        self._mark()
        if is_resized:
            self.resized.emit()

    def show_device(self) -> None:
        """Show the compute device in the status line."""
        known = {device.name: device.title for device in likely_devices()}
        requested = self._settings.now.device
        title = next(iter(known.values())) if requested == "auto" else known.get(requested, requested)
        self._window.status.show_device(title)

    def _ask(self, leaf: str) -> None:
        devices = [(device.name, device.title) for device in likely_devices()]
        keys = KeysPane(self._commands.keys(self._window.page_titles), self._commands.refusal)
        dialog = SettingsDialog(self._settings.now, devices, keys, _servers_pane(), self._window)
        dialog.show_leaf(leaf)
        dialog.accepted.connect(lambda: self._take_over(dialog, keys))
        self._open_dialog(dialog)

    def _take_over(self, dialog: SettingsDialog, keys: KeysPane) -> None:
        reading_preferences.apply(*dialog.chosen_reading)
        number, folder = dialog.chosen_backups
        self._settings.change(
            keys=tuple(keys.chosen.items()),
            backups=number,
            backup_folder=folder,
            language=dialog.chosen_language,
        )
        self._commands.use_keys(keys.chosen)
        self.apply(*dialog.chosen)

    def _apply_scheme(self, scheme: str) -> None:
        self.apply(scheme, self._settings.now.text_percent, self._settings.now.device)

    def _resize(self, step: int) -> None:
        """Resize the texts of the page if it has texts to read, else the whole interface."""
        if self._window.shows_texts():
            reading_preferences.zoom(step)
            return
        now = self._settings.now
        nearest = min(range(len(TEXT_PERCENTS)), key=lambda i: abs(TEXT_PERCENTS[i] - now.text_percent))
        if 0 <= nearest + step < len(TEXT_PERCENTS):
            self.apply(now.theme, TEXT_PERCENTS[nearest + step], now.device)

    def _usual_size(self) -> None:
        if self._window.shows_texts():
            reading_preferences.apply(percent=100)
        else:
            self.apply(self._settings.now.theme, 100, self._settings.now.device)

    def _apply_line_width(self, width: int) -> None:
        reading_preferences.apply(line_width=width)
        self._mark()  # choosing what is in force already has unticked it

    @Slot()
    def _remember_reading(self) -> None:
        now = reading_preferences.now()
        self._settings.change(reading_percent=now.percent, line_width=now.line_width)
        self._mark()

    @Slot()
    def _remember_selecting(self) -> None:
        self._settings.change(select_by_character=reading_preferences.selects_characters())
        self._mark()

    def _mark(self) -> None:
        """Check the current choices in the menus."""
        mark = self._commands.set_checked
        mark(f"view.{self._settings.now.theme}", [f"view.{scheme}" for scheme in SCHEMES])
        mark(
            f"view.line_{reading_preferences.now().line_width}",
            [f"view.line_{n}" for n in reading_preferences.LINE_WIDTHS],
        )
        mark(_CHARACTERS if reading_preferences.selects_characters() else "", [_CHARACTERS])


def _servers_pane() -> ServersPane:
    """Return the page of the servers, which cannot be changed where their list is damaged."""
    try:
        servers = allowed_servers()
    except InputError as error:
        return ServersPane((), _store_servers, str(error))
    return ServersPane([_server_row(url, account) for url, account in servers.items()], _store_servers)


def _server_row(url: str, account: ChatAccount) -> ServerRow:
    kind = account.key if account.key in (NO_KEY, KEYRING) else VARIABLE
    variable = account.key if kind == VARIABLE else ""
    return ServerRow(url, kind, variable, account.price_in, account.price_out)


def _store_servers(servers: Sequence[ServerRow]) -> str:
    """Store servers with their accounts; return why that is not possible, empty = they are stored."""
    accounts: dict[str, ChatAccount] = {}
    for one in servers:
        if one.key == VARIABLE and not one.variable:
            return tr("Enter the name of the environment variable that holds the key of {url}.", url=one.url)
        if one.url in accounts:
            return tr("{url} is in the list twice.", url=one.url)
        key = one.variable if one.key == VARIABLE else one.key
        accounts[one.url] = ChatAccount(key, one.price_in, one.price_out)
    keys = {one.url: one.secret for one in servers if one.key == KEYRING and one.secret}
    try:
        change_servers(accounts, keys)
    except PyramidionError as error:
        return str(error)
    return ""


def _application() -> QApplication:
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise RuntimeError("The window needs an application.")
    return app
