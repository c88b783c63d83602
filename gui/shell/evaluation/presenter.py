"""Presenter of the quick evaluation: runs it, saves its tables, and keeps it as a study."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from core.errors import BadImport, PyramidionError, grouped
from core.progress import JobSteps
from gui.background.jobs import Job, JobQueue, Jobs, OneJob
from gui.results.table_and_figure_files import AskPath, ResultExporter
from gui.shell.evaluation.view import STOPPED, QuickEvaluationDialog
from gui.shell.study_opener import QuickEvaluation
from gui.style.language import tr

_BUG = tr("An internal error occurred. A crash report was saved.")


class QuickEvaluationPresenter(QObject):
    """Connects the dialog to the evaluation.

    ask_files: asks for the files; none = cancelled.
    ask_path: asks where to save a table. ask_study: asks for the path of a new study, with a proposed name.

    Signals:
        kept: the path of the study that the evaluation is kept in.
    """

    kept = Signal(object)

    def __init__(
        self,
        view: QuickEvaluationDialog,
        evaluation: QuickEvaluation,
        jobs: Jobs,
        ask_files: Callable[[], Sequence[Path]],
        ask_path: AskPath,
        ask_study: Callable[[str], Path | None],
    ) -> None:
        super().__init__(view)
        self._view, self._evaluation = view, evaluation
        self._ask_files, self._ask_study = ask_files, ask_study
        self._exporter = ResultExporter(ask_path, view.job.label.setText)
        self._job = OneJob(jobs, self)
        view.choose_button.clicked.connect(self._choose)
        view.accept_button.clicked.connect(self._evaluate)
        view.job.stop_button.clicked.connect(self._job.stop)
        view.save_button.clicked.connect(self._save)
        view.keep_button.clicked.connect(self._keep)
        view.finished.connect(self._close)
        job = jobs.start(tr("Looking for metrics"), evaluation.metrics(), JobQueue.READING, view)
        job.finished.connect(view.show_metrics)
        view.finished.connect(job.cancel)

    @Slot()
    def _choose(self) -> None:
        if files := self._ask_files():
            self._view.show_files(files)

    @Slot()
    def _evaluate(self) -> None:
        if self._job.current is None and self._view.files:
            steps = self._evaluation.evaluate(self._view.files, self._view.metrics_box.current)
            job = self._start(tr("Evaluating"), steps, JobQueue.SCORING)
            job.finished.connect(lambda found: self._view.show_result(found.result()))

    def _start(self, title: str, steps: JobSteps[object], queue: JobQueue) -> Job:
        job = self._job.start(title, steps, queue)
        self._view.job.show_progress(job.latest)
        job.progressed.connect(self._view.job.show_progress)
        job.failed.connect(self._show_error)
        job.cancelled.connect(lambda: self._view.job.show_idle(STOPPED))
        return job

    @Slot(object)
    def _show_error(self, error: Exception) -> None:
        self._view.job.show_idle()
        if isinstance(error, BadImport):
            self._view.notice.show_message("\n".join(one.sentence for one in grouped(error.problems)[:3]))
        else:
            self._view.notice.show_message(str(error) if isinstance(error, PyramidionError) else _BUG)

    @Slot()
    def _save(self) -> None:
        if (table := self._view.chosen_table) is not None:
            self._exporter.save(table, "evaluation.csv")

    @Slot()
    def _keep(self) -> None:
        """Ask where the study goes, copy it there and close."""
        path = (
            self._ask_study(f"{self._view.files[0].stem}.pyramidion") if self._job.current is None else None
        )
        if path is not None:
            job = self._start(
                tr("Creating {name}", name=path.name), self._evaluation.keep(path), JobQueue.SCORING
            )
            job.finished.connect(lambda _: self._report_kept(path))

    def _report_kept(self, path: Path) -> None:
        self._view.job.show_idle()
        self._view.accept()
        self.kept.emit(path)

    @Slot()
    def _close(self) -> None:
        """Stop what is running and delete the temporary study."""
        evaluation, job = self._evaluation, self._job.current
        if job is None:
            evaluation.close()
        else:
            job.cancel()
            job.ended.connect(lambda _: evaluation.close())  # although the dialog is deleted by then
