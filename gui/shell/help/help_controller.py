"""The manual in a separate window, and the overview of shortcuts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from core.errors import PyramidionError
from core.files.atomic_write import atomic_write_bytes
from core.manual.page import ManualPage
from core.progress import JobSteps, Progress
from gui.background.jobs import JobQueue, Jobs
from gui.commands.registry import Commands
from gui.shell.help.help_window import HelpWindow
from gui.shell.help.shortcut_overlay import IN_TEXTS, KeyOverlay
from gui.shell.main_window import MainWindow
from gui.style.language import tr
from gui.widgets.file_dialogs import ask_new_file

CONTENTS, TUTORIAL, KEYS = "index", "tutorial", "keys"


@dataclass(frozen=True, slots=True)
class Manual:
    """The manual. pages: given the table of shortcuts. files: pictures and other files by path."""

    pages: Callable[[str], Sequence[ManualPage]]
    files: Callable[[], Mapping[str, bytes]]


class HelpController(QObject):
    """Opens the manual at the page of what has the keyboard; its table of shortcuts follows their changes.

    A widget names its page in an attribute `help_page`; the nearest one around the focus counts.

    Signals:
        keys_requested: open the settings of shortcuts.
        refused: a file could not be written; carries the reason.
    """

    keys_requested = Signal()
    refused = Signal(str)

    def __init__(
        self,
        window: MainWindow,
        commands: Commands,
        manual: Manual,
        jobs: Jobs,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._main_window, self._commands, self._manual, self._jobs = window, commands, manual, jobs
        self._files: Mapping[str, bytes] = {}
        self.window: HelpWindow | None = None
        self.overlay: KeyOverlay | None = None
        commands.keys_changed.connect(self.close)
        commands.bind("help.open", lambda: self.open(self.current_page()))
        commands.bind("help.contents", lambda: self.open(CONTENTS))
        commands.bind("help.tutorial", lambda: self.open(TUTORIAL))
        commands.bind("help.keys", self.show_keys)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._serve)

    def current_page(self) -> str:
        """Return the key of the page on what has the keyboard."""
        widget = QApplication.focusWidget() or QApplication.activeWindow() or self._main_window
        if self.window is not None and self.window.isAncestorOf(widget):
            return CONTENTS
        return help_page(widget) or CONTENTS

    def open(self, key: str) -> None:
        """Show a page, given as ``KEY`` or ``KEY#ANCHOR``, in the help window, once it is read."""
        if self.window is None:
            self.window = HelpWindow()
            self.window.file_requested.connect(self._save)
            work = _read(self._manual, self._commands.as_markdown())
            job = self._jobs.start(tr("Opening the help"), work, JobQueue.HELP)
            job.finished.connect(self._show)
            job.failed.connect(self.close)  # the window shows why; the next request reads again
        page, _, fragment = key.partition("#")
        self.window.show_page(page, fragment)

    @Slot()
    def show_keys(self) -> None:
        """Show all shortcuts that work now, on top of the window."""
        page = self._main_window.page_key
        title = self._main_window.page_titles.get(page, "")
        groups = self._commands.groups(page, title or tr("Here"))
        if own := self._main_window.own_keys():
            groups.insert(0, own)
        if self._main_window.shows_texts():
            groups.insert(2 if own else 1, IN_TEXTS)
        heading = tr("Shortcuts on {title}", title=title) if title else tr("Shortcuts")
        self.overlay = KeyOverlay(heading, groups, self._main_window)
        self.overlay.change_requested.connect(self.keys_requested)
        self.overlay.help_requested.connect(lambda: self.open(KEYS))
        self.overlay.show()

    @Slot()
    def close(self) -> None:
        """Close the help window, if it is open."""
        if self.window is not None:
            self.window.close()
            self.window.deleteLater()
            self.window = None

    @Slot(object)
    def _show(self, found: tuple[Sequence[ManualPage], Mapping[str, bytes]]) -> None:
        pages, self._files = found
        if self.window is not None:
            self.window.show_pages(pages, self._files)

    @Slot(QWidget, QWidget)
    def _serve(self, old: QWidget | None, now: QWidget | None) -> None:
        """Let F1 work in a dialog, which is a window of its own."""
        window = now.window() if now is not None else None
        action = self._commands.action("help.open")
        if not isinstance(window, QDialog) or action in window.actions():
            return
        owner = window.parentWidget()
        while owner is not None and owner is not self._main_window:
            owner = owner.parentWidget()
        if owner is not None:  # not a dialog of another main window
            window.addAction(action)

    @Slot(str)
    def _save(self, path: str) -> None:
        """Save a file of the manual, such as a table of the tutorial, where the user chooses."""
        content = self._files.get(path)
        if content is None or self.window is None:
            return
        name = PurePosixPath(path)
        target, _ = ask_new_file(
            self.window,
            tr("Save {name}", name=name.name),
            name.name,
            tr("Files (*{suffix})", suffix=name.suffix),
        )
        if target is not None:
            try:
                atomic_write_bytes(target, content)
            except PyramidionError as error:
                self.refused.emit(str(error))


def _read(manual: Manual, keys: str) -> JobSteps[tuple[Sequence[ManualPage], Mapping[str, bytes]]]:
    """Read the manual; the reference needs modules that may not be imported yet."""
    yield Progress(0, 0)
    return manual.pages(keys), manual.files()


def help_page(widget: QWidget | None) -> str:
    """Return the key of the page that a widget, or the nearest one around it, names; empty = none does."""
    while widget is not None:
        if page := getattr(widget, "help_page", ""):
            return str(page)
        widget = widget.parentWidget()
    return ""
