"""Edits of the study on the GUI thread: pending writes, changes by all programs, undo.

A write returns a Future at once. The tracker polls unfinished writes until each is saved or has failed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from datetime import datetime
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, TypedDict, Unpack

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.domain.study import Annotator
from core.errors import PyramidionError
from core.ports import ChangeKind, ChangeSet, EditReceipt, Study
from gui.background.jobs import JobQueue, Jobs, one_step
from gui.style.language import tr
from gui.widgets.typed_text import typed_texts


class Selected(TypedDict, total=False):
    """Values of a selection by their names; None leaves one unchanged."""

    topic_id: str | None
    system: str | None
    summary_id: str | None
    scu_id: str | None
    comparison_id: str | None
    measure: str | None
    annotation: str | None


class Selection(QObject):
    """The selected topic, summary, system, SCU, comparison, measure and kind of annotation; empty = none.

    The ``…_changed`` signals carry the new value and are emitted only on changes. Selecting another topic
    clears summary and SCU unless the same call sets them.

    Several summaries can also be marked, each by its system's name and topic id; an empty topic id means all
    summaries of the system.

    Signals:
        pointed: text id, start and end in code points of a passage that the current page should show.
        marked: all marked summaries as a frozenset.
    """

    topic_changed = Signal(str)
    summary_changed = Signal(str)
    system_changed = Signal(str)
    scu_changed = Signal(str)
    comparison_changed = Signal(str)
    measure_changed = Signal(str)
    annotation_changed = Signal(str)
    pointed = Signal(str, int, int)
    marked = Signal(object)

    topic_id = system = summary_id = scu_id = comparison_id = ""
    measure = ""  # its name, as ``rouge-2.f``
    annotation = ""  # the kind of annotation whose differences are shown, as ``matches``
    marks: frozenset[tuple[str, str]] = frozenset()  # marked summaries as (system, topic id) pairs

    def select(self, **values: Unpack[Selected]) -> None:
        """Change the selection. Signals follow after all values are set."""
        if values.get("topic_id") not in (None, self.topic_id):
            values["summary_id"], values["scu_id"] = (
                values.get("summary_id") or "",
                values.get("scu_id") or "",
            )
        requested = {name: values.get(name) for name in Selected.__annotations__}
        changed = {
            name: value for name, value in requested.items() if value not in (None, getattr(self, name))
        }
        if changed:
            typed_texts().store()  # before the fields show something else
        for name, value in changed.items():
            setattr(self, name, value)
        for name, value in changed.items():
            if getattr(self, name) == value:  # else a receiver has changed it again, and that was reported
                getattr(self, f"{name.removesuffix('_id')}_changed").emit(value)

    def mark(self, summaries: Iterable[tuple[str, str]]) -> None:
        """Mark exactly these (system, topic id) pairs; an empty iterable unmarks all."""
        marks = frozenset(summaries)
        if marks != self.marks:
            self.marks = marks
            self.marked.emit(marks)


POLL_MS = 10
NOT_WRITTEN = tr("Your last change could not be saved and was undone.")

OnResult = Callable[[Any], None]
OnError = Callable[[PyramidionError], None]


class WriteTracker(QObject):
    """Tracks writes until they are saved.

    Signals:
        saving: a write has started.
        saved: all writes are saved; carries the time of the last one (datetime).
        refused: a write without an error callback failed (PyramidionError).
    """

    saving = Signal()
    saved = Signal(object)
    refused = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.last_saved: datetime | None = None
        self._open: list[tuple[Future[Any], OnResult | None, OnError | None]] = []
        self._timer = QTimer(self, interval=POLL_MS)
        self._timer.timeout.connect(self._poll)

    @property
    def is_saving(self) -> bool:
        return bool(self._open)

    def track(
        self, write: Future[Any], on_result: OnResult | None = None, on_error: OnError | None = None
    ) -> None:
        """Track a write.

        on_result: called with the result once it is saved.
        on_error: called with the PyramidionError if it fails; without it, `refused` is emitted.
        """
        if not self._open:
            self.saving.emit()
        self._open.append((write, on_result, on_error))
        self._timer.start()

    def close(self) -> None:
        """Forget all writes, as the study is being closed; the study reports what was not saved."""
        self._timer.stop()
        self._open.clear()

    @Slot()
    def _poll(self) -> None:
        done = [entry for entry in self._open if entry[0].done()]
        self._open = [entry for entry in self._open if not entry[0].done()]
        if not self._open:
            self._timer.stop()
        bugs = [bug for entry in done if (bug := self._finish(*entry)) is not None]
        if done and not self._open:
            typed_texts().all_written()
        if done and not self._open and self.last_saved is not None:
            self.saved.emit(self.last_saved)
        if bugs:
            raise bugs[0]  # a bug: the window writes a crash report

    def _finish(
        self, write: Future[Any], on_result: OnResult | None, on_error: OnError | None
    ) -> BaseException | None:
        """Call the callbacks of a finished write; return the exception if it is a bug."""
        if write.cancelled():
            return None
        error = write.exception()
        if error is not None:
            typed_texts().write_failed()
            reported = error if isinstance(error, PyramidionError) else PyramidionError(NOT_WRITTEN)
            (on_error or self.refused.emit)(reported)
            return None if reported is error else error
        result = write.result()
        if isinstance(result, EditReceipt):
            self.last_saved = result.at
        if on_result is not None:
            on_result(result)
        return None


TICK_MS = 50
EXTERNAL_CHECK_MS = 500


class ChangeFeed(QObject):
    """Emits study changes on the GUI thread.

    Signals:
        changed: ChangeSet; changes within one tick are merged.
        lost: PyramidionError; the study's file was moved, deleted or replaced, or its server is away. Emitted
            again when the message changes.
        returned: the study's file or server is available again.
    """

    changed = Signal(object)
    lost = Signal(object)
    returned = Signal()

    def __init__(self, study: Study, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._study = study
        self._is_repeated = False
        self.loss = ""  # the last message; empty = the study is available
        self._queue: SimpleQueue[ChangeSet] = SimpleQueue()
        self._unsubscribe = study.subscribe(self._queue.put)
        self._own_timer = QTimer(self, interval=TICK_MS)
        self._own_timer.timeout.connect(self._drain)
        self._external_timer = QTimer(self, interval=EXTERNAL_CHECK_MS)
        self._external_timer.timeout.connect(self._check_external_changes)
        self._own_timer.start()
        self._external_timer.start()

    def close(self) -> None:
        """Stop listening; after that the study can be closed."""
        self._own_timer.stop()
        self._external_timer.stop()
        self._unsubscribe()

    def repeat(self) -> None:
        """Emit `changed` for everything once the study is available, as a read failed."""
        self._is_repeated = True

    @Slot()
    def _drain(self) -> None:
        changes: list[ChangeSet] = []
        while True:
            try:
                changes.append(self._queue.get_nowait())
            except Empty:
                break
        if changes:
            self.changed.emit(merge_changes(changes))

    @Slot()
    def _check_external_changes(self) -> None:
        try:
            is_changed = self._study.has_external_changes()
        except PyramidionError as error:
            if self.loss != str(error):
                self.loss = str(error)
                self.lost.emit(error)
            return
        if self.loss:
            self.loss = ""
            self.returned.emit()
        if is_changed or self._is_repeated:
            self._is_repeated = False
            self.changed.emit(ChangeSet(frozenset(ChangeKind), is_external=True))


def merge_changes(changes: list[ChangeSet]) -> ChangeSet:
    """Merge changes: the union of their kinds and topics; no topics (= all) if one change names none."""
    kinds = frozenset(kind for change in changes for kind in change.kinds)
    affects_all = any(not change.topics for change in changes)
    topics = frozenset(topic for change in changes for topic in change.topics)
    is_external = any(change.is_external for change in changes)
    labels = {annotator: verbs for change in changes for annotator, verbs in change.undo_labels.items()}
    return ChangeSet(kinds, frozenset() if affects_all else topics, is_external, labels)


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
        self._run(self._study.edits.undo, tr("Undone"))

    @Slot()
    def redo(self) -> None:
        """Redo the last undone edit."""
        self._run(self._study.edits.redo, tr("Redone"))

    def refresh(self) -> None:
        """Read from the study what can be undone and redone; `available` follows."""
        work = one_step(partial(self._study.edits.undo_labels, self._annotator.id))
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


IDLE_AFTER_S = 60.0


class ActiveTime:
    """Adds up the time between user actions; a gap longer than a minute counts as idle."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last = clock()
        self._active_s = 0.0

    def touch(self) -> None:
        """Record a user action."""
        now = self._clock()
        gap = now - self._last
        if gap <= IDLE_AFTER_S:
            self._active_s += gap
        self._last = now

    def take(self) -> float:
        """Return the active seconds since the last call, for the edit that is being saved."""
        self.touch()
        active_s, self._active_s = self._active_s, 0.0
        return active_s
