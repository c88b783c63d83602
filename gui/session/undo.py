"""Undo and redo of edits on all pages."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from PySide6.QtCore import QObject, Signal, Slot

from core.domain.study import Annotator
from core.ports import ChangeSet, EditReceipt, Study
from gui.session.change_feed import ChangeFeed
from gui.session.selection import Selection
from gui.session.write_tracker import WriteTracker

_SEARCHED_EDITS = 30
"""Number of recent edits that are searched for the description of an undone one."""


class UndoHistory(QObject):
    """Undoes and redoes the annotator's edits and selects their topics. The edits are stored in the study.

    Signals:
        available: labels of the edits that can be undone and redone; empty = none.
        reported: a message about what was undone or redone.
        moved: EditReceipt of an undo or redo, emitted before its topic is selected.
    """

    available = Signal(str, str)
    reported = Signal(str)
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
        changes.changed.connect(self._on_changes)

    @Slot()
    def undo(self) -> None:
        """Undo the last edit."""
        self._run(self._study.edits.undo, "Undone")

    @Slot()
    def redo(self) -> None:
        """Redo the last undone edit."""
        self._run(self._study.edits.redo, "Redone")

    def refresh(self) -> None:
        """Emit what can be undone and redone."""
        self.available.emit(*self._study.edits.undo_labels(self._annotator.id))

    def _run(self, action: Callable[[str], Future[EditReceipt]], word: str) -> None:
        self._writes.track(action(self._annotator.id), lambda receipt: self._report(word, receipt))

    def _report(self, word: str, receipt: EditReceipt) -> None:
        self.moved.emit(receipt)
        if receipt.topic_id:
            self._selection.select(topic_id=receipt.topic_id)
        self.reported.emit(f"{word}: {self._description(receipt)}.")
        self.refresh()

    def _description(self, receipt: EditReceipt) -> str:
        """Return an edit's description from the history, or its verb if it is not among the recent edits."""
        latest = self._study.edits.history(receipt.topic_id, limit=_SEARCHED_EDITS)
        found = next((record for record in latest if record.edit_id == receipt.edit_id), None)
        return found.what if found is not None and found.what else receipt.verb

    @Slot(object)
    def _on_changes(self, changes: ChangeSet) -> None:
        self.refresh()
