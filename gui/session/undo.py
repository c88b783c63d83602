"""Undo and redo of edits on all pages."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from PySide6.QtCore import QObject, Signal, Slot

from core.domain.study import Annotator
from core.ports import ChangeSet, EditReceipt, Study
from core.progress import JobSteps, Progress
from gui.background.jobs import JobQueue, Jobs
from gui.session.change_feed import ChangeFeed
from gui.session.selection import Selection
from gui.session.write_tracker import WriteTracker
from gui.style.language import tr


class UndoHistory(QObject):
    """Undoes and redoes the annotator's edits, which are stored in the study, and selects what changed.

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
        jobs: Jobs,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._study, self._annotator = study, annotator
        self._selection, self._writes, self._jobs = selection, writes, jobs
        self._edits_seen = self._edits_before_read = 0
        changes.changed.connect(self._on_changes)

    @Slot()
    def undo(self) -> None:
        """Undo the last edit."""
        self._run(self._study.edits.undo, tr("Undone"))

    @Slot()
    def redo(self) -> None:
        """Redo the last undone edit."""
        self._run(self._study.edits.redo, tr("Redone"))

    def refresh(self) -> None:
        """Read from the study what can be undone and redone; `available` follows."""
        work = _read_labels(self._study, self._annotator.id)
        self._edits_before_read = self._edits_seen
        self._jobs.start(tr("Reading the history"), work, JobQueue.UNDO).finished.connect(self._show_read)

    def _run(self, action: Callable[[str], Future[EditReceipt]], word: str) -> None:
        self._writes.track(action(self._annotator.id), lambda receipt: self._report(word, receipt))

    def _report(self, word: str, receipt: EditReceipt) -> None:
        self.moved.emit(receipt)
        if receipt.topic_id:
            place = receipt.place
            self._selection.select(
                topic_id=receipt.topic_id,
                summary_id=place.summary_id or None,
                scu_id=place.scu_id or None,
                comparison_id=place.comparison_id or None,
            )
        self.reported.emit(f"{word}: {receipt.what or receipt.verb}.")

    @Slot(object)
    def _on_changes(self, changes: ChangeSet) -> None:
        """Show the labels that came with an edit; read them after an edit of another process."""
        labels = changes.undo_labels.get(self._annotator.id)
        if labels is not None:
            self._edits_seen += 1
            self.available.emit(*labels)
        elif changes.is_external:
            self.refresh()

    @Slot(object)
    def _show_read(self, labels: tuple[str, str]) -> None:
        if self._edits_seen == self._edits_before_read:  # else newer labels came with an edit
            self.available.emit(*labels)


def _read_labels(study: Study, annotator_id: str) -> JobSteps[tuple[str, str]]:
    yield Progress(0, 1)
    return study.edits.undo_labels(annotator_id)
