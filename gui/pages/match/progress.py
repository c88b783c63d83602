"""Matching progress of a study: read on a worker thread, updated by edits on the page."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from core.annotation.assignment import assigned_topics
from core.domain.assignment import Work
from core.domain.pyramid import TopicAnnotation
from core.domain.study import TopicTexts
from core.ports import ChangeKind, ChangeSet
from gui.annotation.match_values import OwnerRow
from gui.annotation.progress.progress_rows import count_done, duration_text, next_cell
from gui.pages.match.survey import MatchOverview, survey
from gui.session.context import Context
from gui.session.topic_values import GridRow

_STALE_AFTER = frozenset({ChangeKind.TEXTS, ChangeKind.PYRAMIDS, ChangeKind.PEOPLE, ChangeKind.SETTINGS})


class MatchProgress(QObject):
    """The annotator's progress in all topics, and the pyramids to match against.

    Signals:
        updated: the study was read again.
    """

    updated = Signal()

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._overview = MatchOverview()
        # edited since the survey began, so newer than its result
        self._edited: dict[str, tuple[TopicTexts, TopicAnnotation]] = {}
        self._chosen_owners: dict[str, str] = {}
        self._assigned: frozenset[str] = frozenset()
        self._is_fresh = self._is_running = False

    @property
    def rows(self) -> tuple[GridRow, ...]:
        return self._overview.rows

    @property
    def fact(self) -> str:
        """Return how many summaries are done and an estimate of the time left; empty until it is known."""
        if not self._overview.rows:
            return ""
        done, total = count_done(self._overview.rows)
        left, share = self._overview.pace * (total - done), f"{done:,} of {total:,}"
        return f"{share} · {duration_text(left)} left" if left else f"{share} done"

    def begin(self) -> None:
        """Read the progress, unless it is up to date."""
        if self._is_fresh or self._is_running:
            return
        self._is_fresh = self._is_running = True
        self._edited.clear()
        self._assigned = assigned_topics(self._context.study, Work.MATCHES, self._context.annotator.name)
        steps = survey(self._context.study, self._context.annotator)
        job = self._context.jobs.start("Reading the progress", steps)
        job.finished.connect(self._store)
        job.ended.connect(self._finish)

    def note_change(self, changes: ChangeSet) -> bool:
        """Register a change of the study; return whether to read the progress again at once.

        Edits on the page itself are known, so for these it is read only when the page is shown again.
        """
        if changes.is_external or changes.kinds & _STALE_AFTER:
            self._is_fresh = False
        return changes.is_external or ChangeKind.TEXTS in changes.kinds

    def note_topic(self, topic: TopicTexts, annotation: TopicAnnotation) -> None:
        """Update the row of one topic."""
        self._edited[topic.id] = topic, annotation
        self._overview = self._overview.with_annotation(topic, self._context.annotator.id, annotation)

    def next_undone(self, summary_id: str) -> tuple[str, str] | None:
        """Return topic and summary id of the next summary that is not done; None if all are.

        Only topics that are assigned to the annotator are searched, if any are.
        """
        rows = [row for row in self._overview.rows if not self._assigned or row.name in self._assigned]
        return next_cell(rows, summary_id, lambda cell: not cell.is_done)

    def next_flagged(self, summary_id: str) -> tuple[str, str] | None:
        """Return topic and summary id of the next flagged summary; None if none is."""
        return next_cell(self._overview.rows, summary_id, lambda cell: cell.is_flagged)

    def others(self, topic_id: str) -> str:
        """Return a sentence on who else has matched a topic; empty if nobody has."""
        return self._overview.others.get(topic_id, "")

    def owners(self, topic_id: str) -> tuple[OwnerRow, ...]:
        """Return the pyramids of a topic that have SCUs."""
        return self._overview.owners.get(topic_id, ())

    def owner_of(self, topic_id: str) -> str:
        """Return whose pyramid to match against: the chosen, else the best, else the annotator's own."""
        chosen = "" if self.withholds(topic_id) else self._chosen_owners.get(topic_id)
        return chosen or self._overview.owner_of(topic_id) or self._context.annotator.id

    def withholds(self, topic_id: str) -> bool:
        """Return whether a blind study has pyramids of a topic that are not visible yet."""
        return topic_id in self._overview.withheld

    def choose_owner(self, topic_id: str, owner_id: str) -> None:
        """Match against this annotator's pyramid of a topic."""
        self._chosen_owners[topic_id] = owner_id

    @Slot(object)
    def _store(self, overview: MatchOverview) -> None:
        self._overview = overview
        for topic, annotation in self._edited.values():
            self.note_topic(topic, annotation)
        self.updated.emit()

    @Slot()
    def _finish(self) -> None:
        self._is_running = False
        if self._context.selection.topic_id:
            self.begin()  # if something has changed in the meantime
