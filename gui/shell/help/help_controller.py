"""The manual in a separate window, and the overview of shortcuts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAccessible, QKeyEvent
from PySide6.QtWidgets import QApplication, QDialog, QGridLayout, QHBoxLayout, QScrollArea, QWidget

from core.errors import PyramidionError
from core.files.atomic_write import atomic_write_bytes
from core.manual.page import ManualPage
from gui.background.jobs import JobQueue, Jobs, one_step
from gui.commands.definitions import KeyGroup, KeyRow
from gui.commands.registry import Commands
from gui.shell.help.help_window import HelpWindow
from gui.shell.main_window import MainWindow
from gui.style.language import tr
from gui.style.theme import HAIR, LARGE, MEDIUM, SMALL, TIGHT, WIDE, Type, px
from gui.widgets.accessible import set_role
from gui.widgets.buttons import link_button
from gui.widgets.dialog import BareDialog, within_screen
from gui.widgets.file_dialogs import ask_new_file
from gui.widgets.label import Keycap, Label
from gui.widgets.layouts import fill_area, grid, hbox, vbox

COLUMNS, COLUMN_WIDTH, HEIGHT, HEAD_HEIGHT = 3, 330, 700, 40
IN_TEXTS = KeyGroup(
    tr("In a text"),
    (
        KeyRow((("←",), ("→",)), tr("By character")),
        KeyRow((("Ctrl", "←"), ("Ctrl", "→")), tr("Word by word")),
        KeyRow((("Shift", "←"), ("Shift", "→")), tr("Select words")),
        KeyRow((("Alt", "Shift", "←"), ("Alt", "Shift", "→")), tr("Select characters")),
        KeyRow((("Ctrl", tr("click")),), tr("Keep selection")),
        KeyRow((("Ctrl", tr("wheel")),), tr("Text size")),
        KeyRow((("Esc",),), tr("Clear selection")),
    ),
)
"""Keys that widgets handle themselves; no command has them."""


class KeyOverlay(BareDialog):
    """Groups of keys in columns; its buttons close it."""

    help_page = "keys"

    def __init__(self, title: str, groups: Sequence[KeyGroup], parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAccessibleName(title)
        self.setProperty("kind", "overlay")
        self.change_button = link_button(tr("Change shortcuts…"), "settings")
        self.help_button = link_button(tr("Help on shortcuts"), "help")
        room = within_screen(self, COLUMNS * COLUMN_WIDTH, 0).width()
        room = room if parent is None else min(room, parent.width() - 4 * WIDE)
        self.columns = balanced(groups, max(room // px(COLUMN_WIDTH), 1))
        self._inner, area = self._columns(), _Keys()
        fill_area(area, self._inner)
        area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        area.setAccessibleName(tr("Shortcuts"))
        vbox(self._head(title), (area, 1), parent=self, margins=(WIDE, LARGE), spacing=MEDIUM)
        for button in (self.change_button, self.help_button):
            button.clicked.connect(self.close)
        width = px(len(self.columns) * COLUMN_WIDTH)
        needed = self._inner.heightForWidth(width) + px(HEAD_HEIGHT) + 2 * LARGE + MEDIUM
        self.resize(width + 2 * WIDE, min(needed, px(HEIGHT)))
        if parent is not None:
            self._fit_into(parent)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.text() == "?":
            self.close()
        else:
            super().keyPressEvent(event)

    def _head(self, title: str) -> QHBoxLayout:
        end = self.help_button, self.change_button, Keycap("Esc"), Label(tr("closes"), Type.SMALL, "muted")
        return hbox((Label(title, Type.TITLE, wrap=True), 1), *end, spacing=SMALL)

    def _columns(self) -> QWidget:
        inner = QWidget()
        row = hbox(parent=inner, spacing=WIDE)
        for groups in self.columns:
            column = vbox(spacing=LARGE)
            for group in groups:
                column.addLayout(_group(group))
            column.addStretch(1)
            row.addLayout(column, 1)
        return inner

    def _fit_into(self, parent: QWidget) -> None:
        room = parent.size()
        self.resize(min(self.width(), room.width() - 2 * WIDE), min(self.height(), room.height() - 2 * WIDE))
        centre = parent.mapToGlobal(parent.rect().center())
        self.move(centre.x() - self.width() // 2, centre.y() - self.height() // 2)


class _Keys(QScrollArea):
    """The groups of keys, which are scrolled by keys too."""


set_role(_Keys, QAccessible.Role.Pane)


def balanced(groups: Sequence[KeyGroup], columns: int) -> list[list[KeyGroup]]:
    """Distribute the groups over columns of about the same height, in their order."""
    heights = [len(group.lines) + 2 for group in groups]
    share = sum(heights) / columns
    grouped: list[list[KeyGroup]] = [[] for _ in range(columns)]
    reached = 0.0
    for group, height in zip(groups, heights, strict=True):
        grouped[min(int((reached + height / 2) / share), columns - 1)].append(group)
        reached += height
    return grouped


def _group(group: KeyGroup) -> QGridLayout:
    rows = grid(across=MEDIUM, down=TIGHT)
    rows.addWidget(Label(group.title, Type.CAPTION, "muted"), 0, 0, 1, 2)
    for place, line in enumerate(group.lines, 1):
        rows.addWidget(_caps(line), place, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        rows.addWidget(Label(line.text, Type.SMALL, wrap=True), place, 1)
    return rows


def _caps(line: KeyRow) -> QWidget:
    whole = QWidget()
    whole.setAccessibleName(f" {line.joint} ".join(" ".join(caps) for caps in line.keys) + f": {line.text}")
    row = hbox(parent=whole, spacing=HAIR)
    for place, caps in enumerate(line.keys):
        if place:
            row.addWidget(Label(line.joint, Type.SMALL, "muted"))
        for cap in caps:
            row.addWidget(Keycap(cap))
    return whole


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
            manual, keys = self._manual, self._commands.as_markdown()
            # the reference needs modules that may not be imported yet
            work = one_step(lambda: (manual.pages(keys), manual.files()))
            job = self._jobs.start(tr("Opening the help"), work, JobQueue.HELP)
            job.finished.connect(self._show)
            job.failed.connect(self.close)  # the window shows why; the next request reads again
        page, _, fragment = key.partition("#")
        self.window.show_page(page, fragment)

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
        self.overlay.change_button.clicked.connect(self.keys_requested)
        self.overlay.help_button.clicked.connect(lambda: self.open(KEYS))
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


def help_page(widget: QWidget | None) -> str:
    """Return the key of the page that a widget, or the nearest one around it, names; empty = none does."""
    while widget is not None:
        if page := getattr(widget, "help_page", ""):
            return str(page)
        widget = widget.parentWidget()
    return ""
