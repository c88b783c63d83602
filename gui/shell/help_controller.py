"""Help pages in a separate window, and the overview of shortcuts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal, Slot

from gui.commands.registry import Commands
from gui.shell.help_window import HelpTopic, HelpWindow
from gui.shell.main_window import MainWindow
from gui.shell.shortcut_overlay import IN_TEXTS, KeyOverlay

Topics = Callable[[Commands], Sequence[HelpTopic]]


class HelpController(QObject):
    """Opens the help; its table of shortcuts is rebuilt when shortcuts change.

    Signals:
        keys_requested: open the settings of shortcuts.
    """

    keys_requested = Signal()

    def __init__(
        self, window: MainWindow, commands: Commands, topics: Topics, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._main_window, self._commands, self._topics = window, commands, topics
        self.window: HelpWindow | None = None
        self.overlay: KeyOverlay | None = None
        commands.keys_changed.connect(self.close)
        commands.bind("help.open", lambda: self.open("first-steps"))
        commands.bind("help.keys", self.show_keys)

    def open(self, topic: str) -> None:
        """Show a help page in the help window."""
        if self.window is None:
            self.window = HelpWindow(self._topics(self._commands))
        self.window.show_topic(topic)

    @Slot()
    def show_keys(self) -> None:
        """Show all shortcuts that work now, on top of the window."""
        page = self._main_window.page_key
        title = self._main_window.page_titles.get(page, "")
        groups = self._commands.groups(page, title or "Here")
        if own := self._main_window.own_keys():
            groups.insert(0, own)
        if self._main_window.shows_texts():
            groups.insert(2 if own else 1, IN_TEXTS)
        heading = f"Shortcuts on {title}" if title else "Shortcuts"
        self.overlay = KeyOverlay(heading, groups, self._main_window)
        self.overlay.change_requested.connect(self.keys_requested)
        self.overlay.help_requested.connect(lambda: self.open("keys"))
        self.overlay.show()

    @Slot()
    def close(self) -> None:
        """Close the help window, if it is open."""
        if self.window is not None:
            self.window.close()
            self.window.deleteLater()
            self.window = None
