"""Base of presenters of pages that run one job at a time and show its result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QObject, Slot

from core.progress import JobSteps
from core.results.result import Result
from gui.background.jobs import Job, JobQueue
from gui.results.result_content import result_notes
from gui.results.result_controller import DisplayedResult, ResultController
from gui.results.result_panel import RunPage
from gui.results.table_and_figure_files import AskPath
from gui.results.values import ResultDetails, ResultPart
from gui.session.context import Context


class RunPresenter(QObject):
    """Runs the page's job, again if its options have changed meanwhile, and passes on its result.

    Pages define `run`, `_run_finished` and `_show`; the metaclass of QObject excludes abstract methods.

    ask_path: asks where to save a file; returns None if the user cancels.
    key: of the page, in its commands.
    """

    def __init__(self, view: RunPage, context: Context, ask_path: AskPath, key: str) -> None:
        super().__init__(view)
        self._context, self._key = context, key
        self._results = ResultController(view.result, context, ask_path)
        self._running: Job | None = None
        self._is_outdated = False  # the options have changed since the running job began
        for requested in (view.run_button.clicked, view.result.empty.quiet.clicked):
            requested.connect(self.run)
        view.stop_button.clicked.connect(self._stop)
        context.commands.bind(f"{key}.run", self.run, key)
        context.commands.bind(f"{key}.save", self._results.save, key)
        context.commands.bind("edit.copy_table", lambda: self._results.copy("tsv"), key)

    @Slot()
    def run(self) -> None:
        """Start the job with the current options, unless it runs or cannot."""
        raise NotImplementedError

    def _run_finished(self, result: Any) -> None:
        """Show the result of the job."""
        raise NotImplementedError

    def _show(self) -> None:
        """Show the options, and whether the job runs."""
        raise NotImplementedError

    def _start(self, title: str, work: JobSteps[Any], queue: JobQueue = JobQueue.RESAMPLING) -> None:
        self._is_outdated = False
        self._running = self._context.jobs.start(title, work, queue)
        self._running.finished.connect(self._finish)
        self._running.ended.connect(self._end)
        self._show()

    def _update(self, *, has_answer: bool) -> None:
        """Show changed options, and run again if an answer is visible, since it was made with others."""
        self._is_outdated = self._running is not None
        self._show()
        if has_answer:
            self.run()

    def _display(self, result: Result, parts: Sequence[ResultPart], command: str) -> None:
        """Display a result that is not stored."""
        details = ResultDetails(result.title, "", tuple(parts), result_notes(result), " ".join(result.policy))
        self._results.show(DisplayedResult(result, details, self._key, command))

    @Slot()
    def _stop(self) -> None:
        self._is_outdated = False
        if self._running is not None:
            self._running.cancel()

    @Slot(object)
    def _finish(self, result: object) -> None:
        if not self._is_outdated:
            self._run_finished(result)

    @Slot()
    def _end(self) -> None:
        self._running = None
        self._show()
        if self._is_outdated:
            self.run()
