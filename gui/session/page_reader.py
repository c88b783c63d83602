"""Reading of what a page displays: when it is shown, and again after changes, its own edits among them."""

from __future__ import annotations

from collections.abc import Callable, Set
from concurrent.futures import Future
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from core.annotation.assignment import manager_needed
from core.errors import InputError, PyramidionError
from core.ports import ChangeKind, ChangeSet, EditReceipt
from core.progress import JobSteps
from gui.background.jobs import Job, JobQueue
from gui.session.context import Context

if TYPE_CHECKING:
    from gui.widgets.page import Page


MakeEdit = Callable[[Context], Future[EditReceipt]]


class PageReader(QObject):
    """Reads by a job when the page is shown, and again after changes while it is visible.

    work: returns the steps of the job. kinds: the changes that make its result outdated.

    Signals:
        read: the result of the job.
    """

    read = Signal(object)

    def __init__(
        self,
        page: Page,
        context: Context,
        title: str,
        work: Callable[[], JobSteps[object]],
        kinds: Set[ChangeKind],
        queue: JobQueue = JobQueue.READING,
    ) -> None:
        super().__init__(page)
        self._page, self._context, self._title, self._work = page, context, title, work
        self._kinds, self._queue = kinds, queue
        self._job: Job | None = None
        self._is_outdated = True
        self._is_paused = False
        self._unsaved = 0
        page.shown.connect(self.catch_up)
        context.changes.changed.connect(self._on_changed)

    @Slot()
    def catch_up(self) -> None:
        """Read again if the study has changed since the last time."""
        if self._is_outdated and self._job is None:
            self._is_outdated = False
            self._job = self._context.jobs.start(self._title, self._work(), self._queue)
            self._job.finished.connect(self._take)
            self._job.ended.connect(self._end)

    def read_again(self) -> None:
        """Read again, as soon as the page is visible."""
        self._is_outdated = True
        self._catch_up_if_visible()

    def pause(self) -> None:
        """Leave changes unread until `resume` or until the page is shown."""
        self._is_paused = True

    def resume(self) -> None:
        """Read again, and after changes."""
        self._is_paused = False
        self.read_again()

    @property
    def is_saving(self) -> bool:
        """Whether an edit of the page is not stored yet."""
        return self._unsaved > 0

    def edit(self, make: MakeEdit) -> bool:
        """Make an edit of what the page displays, which is for managers if there are any.

        What is read before it is stored is not displayed.
        make: makes it in a Context: that of another annotator, if one is chosen just then. It may raise
            InputError, whose message is then shown.
        Returns whether it was made in this one.
        """

        def repeat(context: Context) -> str:
            write = _make(make, context)
            if isinstance(write, str):
                return write
            context.writes.track(write)
            return ""

        if not self._context.may_edit(repeat):
            return False
        write = _make(make, self._context)
        if isinstance(write, str):
            self._context.show_message(write)
            self.read_again()
            return False
        self._unsaved += 1
        self._context.writes.track(write, lambda _: self._end_edit(), self._fail_edit)
        return True

    def _end_edit(self) -> None:
        self._unsaved -= 1
        self.read_again()

    def _fail_edit(self, error: PyramidionError) -> None:
        self._context.writes.refused.emit(error)
        self._end_edit()

    @Slot(object)
    def _take(self, result: object) -> None:
        if self.is_saving:
            self._is_outdated = True
        else:
            self.read.emit(result)

    def _catch_up_if_visible(self) -> None:
        if self._page.isVisible() and not self._is_paused and not self.is_saving:
            self.catch_up()

    @Slot(object)
    def _on_changed(self, changes: ChangeSet) -> None:
        if changes.kinds & self._kinds or changes.is_external:
            self.read_again()

    @Slot()
    def _end(self) -> None:
        self._job = None
        self._catch_up_if_visible()


def _make(make: MakeEdit, context: Context) -> Future[EditReceipt] | str:
    """Make an edit in a Context; return why it was not made if it was not."""
    if refusal := manager_needed(context.study, context.annotator.name):
        return refusal
    try:
        return make(context)
    except InputError as error:
        return str(error)
