"""Changes of the study by the writer thread and by other processes, delivered on the GUI thread."""

from __future__ import annotations

from queue import Empty, SimpleQueue

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.errors import PyramidionError
from core.ports import ChangeKind, ChangeSet, Study

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
