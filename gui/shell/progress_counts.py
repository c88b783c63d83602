"""Progress of pyramids and matches for the page rail, counted again some time after a change."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.ports import ChangeKind, ChangeSet, Study
from core.progress import JobSteps, Progress
from gui.background.jobs import Jobs
from gui.session.change_feed import ChangeFeed

WAIT_MS = 1200
_CONCERNED = frozenset({ChangeKind.TEXTS, ChangeKind.PYRAMIDS, ChangeKind.MATCHES})


def count_progress(study: Study, annotator_id: str) -> JobSteps[dict[str, str]]:
    """Return by page how many pyramids and summaries an annotator has done, of all."""
    topics = study.texts.topics()
    yield Progress(0, 1)
    mine = [a for a in study.pyramids.annotations() if a.pyramid.annotator_id == annotator_id]
    pyramids = sum(a.pyramid.is_done for a in mine)
    matches = sum(s.is_done and s.annotator_id == annotator_id for a in mine for s in a.states)
    summaries = sum(topic.summaries for topic in topics)
    return {
        "pyramids": f"{pyramids}/{len(topics)}" if topics else "",
        "matches": f"{matches}/{summaries}" if summaries else "",
    }


class ProgressCounts(QObject):
    """Counts on a worker thread.

    Signals:
        counted: page key to its progress (dict).
    """

    counted = Signal(object)

    def __init__(
        self, study: Study, annotator_id: str, jobs: Jobs, changes: ChangeFeed, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._study, self._annotator_id, self._jobs = study, annotator_id, jobs
        self._timer = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._timer.timeout.connect(self.count)
        changes.changed.connect(self._changed)

    @Slot()
    def count(self) -> None:
        """Count now."""
        job = self._jobs.start("Counting", count_progress(self._study, self._annotator_id))
        job.finished.connect(self.counted)

    @Slot(object)
    def _changed(self, changes: ChangeSet) -> None:
        if changes.kinds & _CONCERNED:
            self._timer.start()
