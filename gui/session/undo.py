"""Undo and redo of every edit, across pages: the study keeps the edits, this asks and tells."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from PySide6.QtCore import QObject, Signal, Slot

from core.domain.study import Annotator
from core.ports import ChangeSet, EditReceipt, Study
from gui.session.change_feed import ChangeFeed
from gui.session.selection import Selection
from gui.session.write_tracker import WriteTracker

_LOOKED_AT = 30
"""Edits among which an undone one is looked up for its words."""


class UndoHistory(QObject):
    """Takes back the annotator's last edit, or does it again, and moves to its topic.

    Signals:
        available: the verbs that undo and redo would touch now, empty = none.
        told: a sentence on what was undone or done again.
        moved: the Receipt of an undo or redo, before its topic is selected.
    """

    available = Signal(str, str)
    told = Signal(str)
    moved = Signal(object)

    def __init__(
        self,
        study: Study,
        annotator: Annotator,
        selection: Selection,
        writes: WriteTracker,
        changes: ChangeFeed,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._study, self._annotator = study, annotator
        self._selection, self._writes = selection, writes
        changes.changed.connect(self._look)

    @Slot()
    def undo(self) -> None:
        """Take the last edit back."""
        self._ask(self._study.edits.undo, "Undone")

    @Slot()
    def redo(self) -> None:
        """Do the last undone edit again."""
        self._ask(self._study.edits.redo, "Done again")

    def refresh(self) -> None:
        """Say what can be undone and redone now."""
        self.available.emit(*self._study.edits.undo_labels(self._annotator.id))

    def _ask(self, do: Callable[[str], Future[EditReceipt]], word: str) -> None:
        self._writes.track(do(self._annotator.id), lambda receipt: self._tell(word, receipt))

    def _tell(self, word: str, receipt: EditReceipt) -> None:
        self.moved.emit(receipt)
        if receipt.topic_id:
            self._selection.select(topic_id=receipt.topic_id)
        self.told.emit(f"{word}: {self._what(receipt)}.")
        self.refresh()

    def _what(self, receipt: EditReceipt) -> str:
        """What an edit changed, as the history has it; its verb where that is far back."""
        latest = self._study.edits.history(receipt.topic_id, limit=_LOOKED_AT)
        found = next((record for record in latest if record.edit_id == receipt.edit_id), None)
        return found.what if found is not None and found.what else receipt.verb

    @Slot(object)
    def _look(self, changes: ChangeSet) -> None:
        self.refresh()
