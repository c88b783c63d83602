"""The study's guidelines beside the work: shown, kept, taken from a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.errors import InputError
from core.ports import ChangeKind, ChangeSet
from gui.session.context import Context

if TYPE_CHECKING:
    from gui.annotation.guidelines_pane import GuidelinesPane

SETTING = "guidelines"
MOST_BYTES = 1_000_000
AskFile = Callable[[], Path | None]


def connect_guidelines(pane: GuidelinesPane, context: Context) -> GuidelinesController:
    """What a page's pane of guidelines does."""
    from gui.widgets.file_dialogs import ask_text_file

    return GuidelinesController(pane, context, lambda: ask_text_file(pane, "Which file has the guidelines?"))


class GuidelinesController(QObject):
    """Connects a pane to the study."""

    def __init__(self, pane: GuidelinesPane, context: Context, ask_file: AskFile) -> None:
        super().__init__(pane)
        self._pane, self._context, self._ask_file = pane, context, ask_file
        pane.kept.connect(self._keep)
        pane.import_requested.connect(self._import)
        self._is_behind = False
        context.changes.changed.connect(self._look)
        context.writes.saved.connect(self._catch_up)
        self._show()

    @Slot(str)
    def _keep(self, text: str) -> None:
        kept = self._context.study.settings.save(SETTING, text, self._context.annotator.id)
        self._context.writes.track(kept)

    @Slot()
    def _import(self) -> None:
        """Put a file's text into the editor, so that it is seen before it is kept."""
        if (path := self._ask_file()) is None:
            return
        try:
            self._pane.write(read_text(path))
        except InputError as error:
            self._context.show_message(str(error))

    @Slot(object)
    def _look(self, changes: ChangeSet) -> None:
        if changes.kinds & {ChangeKind.TEXTS, ChangeKind.SETTINGS}:
            self._is_behind = True
            self._catch_up()

    @Slot()
    def _catch_up(self) -> None:
        """Show what came in, once nothing of one's own is on its way."""
        if self._is_behind and not self._context.writes.is_saving:
            self._is_behind = False
            self._show()

    def _show(self) -> None:
        self._pane.show_guidelines(self._context.study.settings.get(SETTING))


def read_text(path: Path) -> str:
    """A small file's text. Raises InputError where it cannot be read, is no text or is too large."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path.name} is larger than 1 MB. Guidelines are a text of a few pages.")
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path.name} is no text in UTF-8. Save it as plain text and try again.") from None
    except OSError as error:
        raise InputError(f"{path.name} cannot be read: {error.strerror}.") from None
