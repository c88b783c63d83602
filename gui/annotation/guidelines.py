"""Controller of the guidelines pane: shows, saves and imports the study's guidelines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.errors import InputError
from core.ports import ChangeKind, ChangeSet
from gui.session.context import Context
from gui.style.language import tr
from gui.widgets.typed_text import typed_texts

if TYPE_CHECKING:
    from gui.annotation.guidelines_pane import GuidelinesPane

SETTING = "guidelines"
MAX_BYTES = 1_000_000
AskFile = Callable[[], Path | None]


def connect_guidelines(pane: GuidelinesPane, context: Context) -> GuidelinesController:
    """Connect a page's guidelines pane to the study."""
    from gui.widgets.file_dialogs import ask_text_file

    return GuidelinesController(pane, context, lambda: ask_text_file(pane, tr("Import guidelines")))


class GuidelinesController(QObject):
    """Connects a guidelines pane to the study."""

    def __init__(self, pane: GuidelinesPane, context: Context, ask_file: AskFile) -> None:
        super().__init__(pane)
        self._pane, self._context, self._ask_file = pane, context, ask_file
        pane.committed.connect(self._save)
        pane.import_requested.connect(self._import)
        self._is_outdated = False
        context.changes.changed.connect(self._on_changes)
        context.writes.saved.connect(self._show_if_saved)
        self._show()

    @Slot(str)
    def _save(self, text: str) -> None:
        write = self._context.study.settings.save(
            SETTING, text, self._context.annotator.id, typed_texts().details
        )
        self._context.writes.track(write)

    @Slot()
    def _import(self) -> None:
        """Load a file into the editor, so that the user can check it before saving."""
        if (path := self._ask_file()) is None:
            return
        try:
            self._pane.edit(read_text(path))
        except InputError as error:
            self._context.show_message(str(error))

    @Slot(object)
    def _on_changes(self, changes: ChangeSet) -> None:
        if changes.kinds & {ChangeKind.TEXTS, ChangeKind.SETTINGS}:
            self._is_outdated = True
            self._show_if_saved()

    @Slot()
    def _show_if_saved(self) -> None:
        """Show changes by others after the pending writes are saved."""
        if self._is_outdated and not self._context.writes.is_saving:
            self._is_outdated = False
            self._show()

    def _show(self) -> None:
        self._pane.show_guidelines(self._context.study.settings.get(SETTING))


def read_text(path: Path) -> str:
    """Return the text of a small file.

    Raises InputError if it cannot be read, is not UTF-8 text or is too large.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(
                tr("{name} is larger than 1 MB. Choose a text file of a few pages.", name=path.name)
            )
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(
            tr("{name} is not UTF-8 text. Save it as plain text in UTF-8 and try again.", name=path.name)
        ) from None
    except OSError as error:
        raise InputError(
            tr("{name} cannot be read: {strerror}.", name=path.name, strerror=error.strerror)
        ) from None
