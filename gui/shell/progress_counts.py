"""Progress of the annotator for the page rail, counted again some time after a change."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.annotation.annotators import is_annotator
from core.annotation.assignment import assigned_by_work
from core.annotation.team_progress import WorkProgress, work_progress
from core.domain.assignment import CellProgress, Work
from core.domain.study import Annotator
from core.ports import ChangeKind, ChangeSet, Study
from core.progress import JobSteps
from gui.background.jobs import Jobs
from gui.session.edits import ChangeFeed
from gui.style.language import tr

WAIT_MS = 1200
_ALWAYS = (Work.PYRAMIDS, Work.MATCHES)
"""Work that is counted before anybody has begun it."""
_UNITS = frozenset({ChangeKind.PYRAMIDS, ChangeKind.MATCHES, ChangeKind.NUGGETS})
_ALL = frozenset({ChangeKind.TEXTS, ChangeKind.SETTINGS, ChangeKind.PEOPLE})
_CONCERNED = {
    ChangeKind.RATINGS: (Work.RATINGS,),
    ChangeKind.COMPARISONS: (Work.COMPARISONS,),
    **dict.fromkeys(_UNITS, (Work.PYRAMIDS, Work.MATCHES, Work.NUGGETS, Work.HITS)),
    **dict.fromkeys(_ALL, tuple(Work)),
}


def count_progress(
    study: Study, annotator: Annotator, works: Collection[Work] = tuple(Work)
) -> JobSteps[dict[str, str]]:
    """Return by page how much an annotator has done, of all that is assigned; empty = nothing to count.

    Somebody who only looks at the annotations of others has no counts.
    """
    progress = yield from work_progress(study, works)
    if not is_annotator(study, annotator):
        return dict.fromkeys(map(str, progress), "")
    assigned = assigned_by_work(study, progress, annotator.name)
    return {str(work): _text(one, one.of(annotator.name, assigned[work])) for work, one in progress.items()}


def _text(progress: WorkProgress, own: CellProgress) -> str:
    is_used = progress.work in _ALWAYS or progress.of_all().is_begun or bool(progress.own)
    return f"{own.done}/{own.total}" if own.total and is_used else ""


class ProgressCounts(QObject):
    """Counts on a worker thread.

    Signals:
        counted: page key to its progress (dict).
    """

    counted = Signal(object)

    def __init__(
        self,
        study: Study,
        annotator: Annotator,
        jobs: Jobs,
        changes: ChangeFeed,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._study, self._annotator, self._jobs = study, annotator, jobs
        self._due: set[Work] = set(Work)
        self._timer = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._timer.timeout.connect(self.count)
        changes.changed.connect(self._changed)

    @Slot()
    def count(self) -> None:
        """Count what has changed."""
        due, self._due = self._due, set()
        job = self._jobs.start(tr("Counting"), count_progress(self._study, self._annotator, due))
        job.finished.connect(self.counted)

    @Slot(object)
    def _changed(self, changes: ChangeSet) -> None:
        for kind in changes.kinds:
            self._due.update(_CONCERNED.get(kind, ()))
        if self._due:
            self._timer.start()
