"""How far the matching of a study is: looked up on a worker thread, kept up to date by what is seen here."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from core.domain.pyramid import TopicAnnotation
from core.domain.study import TopicTexts
from core.ports import ChangeKind, ChangeSet
from gui.annotation.match_values import OwnerRow
from gui.annotation.progress_rows import count_done, duration_text, next_cell
from gui.pages.match.survey import MatchOverview, row_of, survey
from gui.session.context import Context
from gui.session.progress_values import GridRow

_STALE_AFTER = frozenset({ChangeKind.TEXTS, ChangeKind.PYRAMIDS, ChangeKind.PEOPLE})


class MatchProgress(QObject):
    """The annotator's progress over all topics, and whose pyramids there are.

    Signals:
        surveyed: the study was looked through; what is said here is new.
    """

    surveyed = Signal()

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._found = MatchOverview()
        self._seen: dict[str, GridRow] = {}  # since the survey began: newer than what it finds
        self._chosen: dict[str, str] = {}
        self._is_fresh = self._is_running = False

    @property
    def rows(self) -> tuple[GridRow, ...]:
        return self._found.rows

    @property
    def fact(self) -> str:
        """How many summaries are done and what time the others will take, empty while that is not known."""
        if not self._found.rows:
            return ""
        done, total = count_done(self._found.rows)
        left = self._found.pace * (total - done)
        return f"{done} of {total} · {duration_text(left)} left" if left else f"{done} of {total} done"

    def begin(self) -> None:
        """Look through the study, unless that is done and nothing has changed since."""
        if self._is_fresh or self._is_running:
            return
        self._is_fresh = self._is_running = True
        self._seen.clear()
        work = survey(self._context.study, self._context.annotator)
        job = self._context.jobs.start("Looking at the progress", work)
        job.finished.connect(self._take)
        job.ended.connect(self._end)

    def note_change(self, changes: ChangeSet) -> bool:
        """Take note of a change; whether the page should look through the study again at once.

        What is edited on the page itself is known, so it is looked for only when the page comes back.
        """
        if changes.is_external or changes.kinds & _STALE_AFTER:
            self._is_fresh = False
        return changes.is_external or ChangeKind.TEXTS in changes.kinds

    def note_topic(self, topic: TopicTexts, annotation: TopicAnnotation) -> None:
        """Take note of how one topic is now."""
        row = row_of(topic, self._context.annotator.id, annotation)
        self._seen[topic.id] = row
        self._found = self._found.with_row(row)

    def next_undone(self, summary_id: str) -> tuple[str, str] | None:
        """Topic and summary of the next one to do after a summary; None = all are done."""
        return next_cell(self._found.rows, summary_id, lambda cell: not cell.is_done)

    def next_flagged(self, summary_id: str) -> tuple[str, str] | None:
        """Topic and summary of the next flagged one after a summary; None = none is flagged."""
        return next_cell(self._found.rows, summary_id, lambda cell: cell.is_flagged)

    def others(self, topic_id: str) -> str:
        """Who else has matched a topic, in a sentence; empty = nobody."""
        return self._found.others.get(topic_id, "")

    def owners(self, topic_id: str) -> tuple[OwnerRow, ...]:
        """The pyramids of a topic that have SCUs."""
        return self._found.owners.get(topic_id, ())

    def owner_of(self, topic_id: str) -> str:
        """Whose pyramid to match against: the one that was chosen, else the fittest, else the own."""
        chosen = "" if self.withholds(topic_id) else self._chosen.get(topic_id)
        found = chosen or self._found.owner_of(topic_id)
        return found or self._context.annotator.id

    def withholds(self, topic_id: str) -> bool:
        """Whether a blind study has pyramids of a topic that it does not show yet."""
        return topic_id in self._found.withheld

    def choose_owner(self, topic_id: str, owner_id: str) -> None:
        """Match against this annotator's pyramid of a topic from now on."""
        self._chosen[topic_id] = owner_id

    @Slot(object)
    def _take(self, found: MatchOverview) -> None:
        self._found = found
        for row in self._seen.values():
            self._found = self._found.with_row(row)
        self.surveyed.emit()

    @Slot()
    def _end(self) -> None:
        self._is_running = False
        if self._context.selection.topic_id:
            self.begin()  # again, if something has changed since it began
