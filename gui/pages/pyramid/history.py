"""The history of the pyramid in front: read, followed to earlier states, and restored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.domain.pyramid import TopicAnnotation
from core.domain.pyramid.restore import restore, restore_effect, with_shared_parts
from core.ports import ChangeKind, ChangeSet, EditRecord
from core.progress import JobSteps, Progress
from gui.background.jobs import Job, JobQueue
from gui.pages.pyramid.history_text import NO_CHANGE, history_line, outcome_sentence, past_sentence
from gui.pages.pyramid.history_values import PYRAMID, HistoryPreview
from gui.session.annotation_session import AnnotationSession, annotation_session
from gui.session.context import Context

if TYPE_CHECKING:
    from gui.pages.pyramid.view import PyramidView

TAB = "history"
WAIT_MS = 150
PAGE_EDITS = 60
HELD = "The page shows an earlier state. Go back to now, or restore it, then edit."
RESTORED = "Restored. Undo takes it back."
_BACK = "pyramid.back"
_UNDOING = ("edit.undo", "edit.redo")
_HARMLESS = ("pyramid.order", "pyramid.findings", "pyramid.history", _BACK)


class PyramidHistory(QObject):
    """Shows what was done, and what the pyramid was then.

    Signals:
        looked: the page is to show another state, see `past`.
    """

    looked = Signal()

    def __init__(self, view: PyramidView, context: Context, page: str) -> None:
        super().__init__(view)
        self._view, self._context, self._page_key = view, context, page
        self._front: AnnotationSession = annotation_session(context)
        self.past: TopicAnnotation | None = None
        self._record: EditRecord | None = None
        self._records: list[EditRecord] = []
        self._has_more = False
        self._asked: dict[str, tuple[Job, Callable[[Any], None]]] = {}
        self._wait = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._wait.timeout.connect(self._read)
        self._connect()

    @Slot()
    def back(self) -> None:
        """Show what is there now."""
        if self._record is None:
            return
        self.past = self._record = None
        self._front.release()
        self._allow(True)
        self._view.show_past(None)
        self._show()
        self.looked.emit()

    @Slot()
    def restore(self) -> None:
        """Make the state that is shown the present one, as one edit."""
        then = self.past
        if then is None:
            return
        self.back()
        if self._front.edit(lambda now: restore(now, then), "restore"):
            self._context.show_message(RESTORED)

    def _connect(self) -> None:
        view, front, commands = self._view, self._front, self._context.commands
        commands.bind("pyramid.history", view.go_to_history, self._page_key)
        commands.bind(_BACK, self.back, self._page_key)
        commands.allow(_BACK, False, self._page_key)
        view.shown.connect(self._wait.start)
        view.hidden.connect(self.back)
        view.side.tab_chosen.connect(self._wait.start)
        view.history.filter_chosen.connect(self._wait.start)
        view.history.state_requested.connect(self._look)
        view.history.more_requested.connect(self._read_more)
        view.history.left.connect(self.back)
        view.past.restore_requested.connect(self.restore)
        view.past.left.connect(self.back)
        front.opened.connect(self._begin)
        front.changed.connect(self._compare)
        front.written.connect(self._wait.start)
        self._context.changes.changed.connect(self._see_changes)
        self._context.selection.scu_changed.connect(self._see_scu)

    @Slot()
    def _begin(self) -> None:
        """Forget the history of another pyramid, and what was asked about it."""
        self.back()
        for job, _ in self._asked.values():
            job.cancel()
        self._asked.clear()
        self._records = []
        self._show()
        self._wait.start()

    @Slot(object)
    def _see_changes(self, changes: ChangeSet) -> None:
        if changes.kinds & {ChangeKind.PYRAMIDS, ChangeKind.MATCHES}:
            self._wait.start()

    @Slot()
    def _see_scu(self) -> None:
        if self._filter != PYRAMID:
            self._wait.start()

    @property
    def _filter(self) -> str:
        return self._view.history.filter.current

    @Slot()
    def _read(self) -> None:
        """Read the newest edits, as many as are shown, if anybody can see them."""
        if self._is_in_sight():
            self._ask("edits", self._reading(max(PAGE_EDITS, len(self._records))), self._keep)

    @Slot()
    def _read_more(self) -> None:
        if self._is_in_sight() and self._records:
            self._ask("edits", self._reading(PAGE_EDITS, self._records[-1].edit_id), self._add)

    def _reading(self, limit: int, before: str = "") -> JobSteps[Sequence[EditRecord]]:
        """Read edits; one more than wanted tells whether there are older ones."""
        read = partial(self._context.study.edits.history, self._front.topic_id, limit + 1, before=before)
        if self._filter == PYRAMID:
            read = partial(read, pyramid_id=self._front.annotation.pyramid.id)
        elif scu_id := self._context.selection.scu_id:
            read = partial(read, scu_id=scu_id)
        else:
            return _told("reading the history", tuple)
        return _told("reading the history", read)

    @Slot(object)
    def _keep(self, records: Sequence[EditRecord]) -> None:
        wanted = max(PAGE_EDITS, len(self._records))
        self._records, self._has_more = list(records[:wanted]), len(records) > wanted
        self._show()

    @Slot(object)
    def _add(self, records: Sequence[EditRecord]) -> None:
        self._records += records[:PAGE_EDITS]
        self._has_more = len(records) > PAGE_EDITS
        self._show()

    def _show(self) -> None:
        now = datetime.now().astimezone()
        shown = self._record.edit_id if self._record is not None else ""
        lines = [history_line(record, now, shown) for record in self._records]
        self._view.history.show_history(lines, has_more=self._has_more)

    @Slot(str)
    def _look(self, edit_id: str) -> None:
        """Show what an edit left."""
        record = next((record for record in self._records if record.edit_id == edit_id), None)
        if record is not None:
            key, now = (self._front.topic_id, self._front.owner_id), self._front.annotation
            read = self._context.study.pyramids.annotation_at

            def find() -> TopicAnnotation:
                return with_shared_parts(read(*key, edit_id), now)

            self._ask("past", _told("following the history", find), partial(self._show_past, record))

    def _show_past(self, record: EditRecord, past: TopicAnnotation) -> None:
        if not self._is_in_sight():
            return
        self.past, self._record = past, record
        self._front.hold(HELD)
        self._allow(False)
        self._compare()
        self._show()
        self.looked.emit()

    @Slot()
    def _compare(self) -> None:
        """Say what restoring would change now."""
        if self.past is not None and self._record is not None:
            changes = restore_effect(self._front.annotation, self.past)
            can_restore = outcome_sentence(changes) != NO_CHANGE
            self._view.show_past(HistoryPreview(past_sentence(self._record, changes), can_restore))

    def _ask(self, what: str, work: JobSteps[Any], then: Callable[[Any], None]) -> None:
        """Have something read in the background; the answer to an earlier question is of no use any more."""
        if what in self._asked:
            self._asked[what][0].cancel()
        job = self._context.jobs.start("Reading the history", work, JobQueue.CHECKING)
        self._asked[what] = job, then
        job.finished.connect(self._answer)

    @Slot(object)
    def _answer(self, answer: Any) -> None:
        for what, (job, then) in list(self._asked.items()):
            if job is self.sender():
                del self._asked[what]
                then(answer)

    def _allow(self, is_allowed: bool) -> None:
        """Forbid every command that edits the pyramid while an earlier state is shown."""
        commands = self._context.commands
        commands.allow(_BACK, not is_allowed, self._page_key)
        for command, _ in commands:
            edits = command.id.startswith(("pyramid.", "part.")) or command.id in _UNDOING
            if edits and command.id not in _HARMLESS:
                commands.allow(command.id, is_allowed, self._page_key)

    def _is_in_sight(self) -> bool:
        return (
            self._view.isVisible()
            and self._view.side.current_tab == TAB
            and bool(self._front.topic_id)
            and self._front.owner_id == self._context.annotator.id
        )


def _told(note: str, find: Callable[[], Any]) -> JobSteps[Any]:
    yield Progress(0, 1, note)
    return find()
