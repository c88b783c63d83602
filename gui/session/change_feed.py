"""What changed in the study, by whomever: brought from the writer's thread and from other processes."""

from __future__ import annotations

from queue import Empty, SimpleQueue

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.errors import PyramidionError
from core.ports import ChangeKind, ChangeSet, Study

TICK_MS = 50
ELSEWHERE_MS = 500


class ChangeFeed(QObject):
    """Says on the GUI thread what was written.

    Signals:
        changed: Changes. One per tick at most: what came together is told together.
        lost: PyramidionError; the study's files are not those that were opened. Once each time it happens.
        returned: they are there again.
    """

    changed = Signal(object)
    lost = Signal(object)
    returned = Signal()

    def __init__(self, study: Study, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._study = study
        self._is_lost = False
        self._written: SimpleQueue[ChangeSet] = SimpleQueue()
        self._unsubscribe = study.subscribe(self._written.put)
        self._own = QTimer(self, interval=TICK_MS)
        self._own.timeout.connect(self._drain)
        self._others = QTimer(self, interval=ELSEWHERE_MS)
        self._others.timeout.connect(self._look_elsewhere)
        self._own.start()
        self._others.start()

    def close(self) -> None:
        """Listen no longer; the study may be closed then."""
        self._own.stop()
        self._others.stop()
        self._unsubscribe()

    @Slot()
    def _drain(self) -> None:
        written: list[ChangeSet] = []
        while True:
            try:
                written.append(self._written.get_nowait())
            except Empty:
                break
        if written:
            self.changed.emit(merge_changes(written))

    @Slot()
    def _look_elsewhere(self) -> None:
        try:
            is_changed = self._study.has_external_changes()
        except PyramidionError as error:
            if not self._is_lost:
                self._is_lost = True
                self.lost.emit(error)
            return
        if self._is_lost:
            self._is_lost = False
            self.returned.emit()
        if is_changed:
            self.changed.emit(ChangeSet(frozenset(ChangeKind), is_external=True))


def merge_changes(written: list[ChangeSet]) -> ChangeSet:
    """Several changes as one: all kinds, all topics (any, if one of them may be anywhere)."""
    kinds = frozenset(kind for change in written for kind in change.kinds)
    anywhere = any(not change.topics for change in written)
    topics = frozenset(topic for change in written for topic in change.topics)
    return ChangeSet(
        kinds, frozenset() if anywhere else topics, any(change.is_external for change in written)
    )
