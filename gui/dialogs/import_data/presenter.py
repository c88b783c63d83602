"""Presenter of the import dialog: previews a source on a worker thread and imports it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from core.domain.import_batch import ImportContent, ImportCounts, NewTopic
from core.errors import MAX_LINES, BadImport, Problem, PyramidionError, grouped
from core.progress import JobSteps
from gui.background.jobs import Job, JobQueue, Jobs
from gui.dialogs.import_data.values import CountRow, FileRow, FormatRow, ImportPreview, PreviewTextRow

if TYPE_CHECKING:
    from gui.dialogs.import_data.view import ImportDialog

Options = Mapping[str, str]
_PREVIEW_TOPICS, _PREVIEW_CHARACTERS = 3, 5000
"""Topics whose texts the preview contains, and characters of each text."""


@dataclass(frozen=True, slots=True)
class Importer:
    """Import formats and functions for the open study.

    detect: returns the name of a source's format; of one that is unknown, a possible one.
    preview: returns counts or problems, and how a table is read, without writing.
    import_data: imports in one transaction.
    """

    formats: Sequence[FormatRow]
    detect: Callable[[Path], JobSteps[str]]
    preview: Callable[[Path, str, Options], JobSteps[ImportPreview]]
    import_data: Callable[[Path, str, Options], JobSteps[ImportCounts]]


class ImportPresenter(QObject):
    """Connects the dialog to an importer.

    ask_file, ask_folder: ask for a source, None = cancelled.
    editor_id: annotator who can undo replaced ratings.

    Signals:
        imported: a sentence that reports what was added.
    """

    imported = Signal(str)

    def __init__(
        self,
        view: ImportDialog,
        importer: Importer,
        jobs: Jobs,
        ask_file: Callable[[], Path | None],
        ask_folder: Callable[[], Path | None],
        editor_id: str = "",
    ) -> None:
        super().__init__(view)
        self._view, self._importer, self._jobs = view, importer, jobs
        self._ask_file, self._ask_folder = ask_file, ask_folder
        self._editor = {"as": editor_id} if editor_id else {}
        self._source: Path | None = None
        self._job: Job | None = None
        self._reading = 0
        view.file_button.clicked.connect(lambda: self.choose(self._ask_file()))
        view.folder_button.clicked.connect(lambda: self.choose(self._ask_folder()))
        view.documents_button.clicked.connect(self._choose_documents)
        view.format_box.activated.connect(self._change_format)
        view.columns_changed.connect(self._preview)
        view.naming_changed.connect(self._preview)
        view.recheck_requested.connect(self._recheck)
        view.accept_button.clicked.connect(self._import)
        view.stop_button.clicked.connect(self._stop)
        view.rejected.connect(self._cancel)

    def choose(self, source: Path | None) -> None:
        """Set a file or folder as the source, detect its format and preview it; None changes nothing."""
        if source is None:
            return
        self._source = source
        self._view.show_source(str(source))
        self._read(self._importer.detect(source), self._use_format)

    @Slot(str)
    def _use_format(self, detected: str) -> None:
        self._job = None
        self._view.show_format(detected)
        self._preview()

    @Slot()
    def _recheck(self) -> None:
        """Read the source again, which may have been corrected in the meantime."""
        self._preview()

    @Slot()
    def _choose_documents(self) -> None:
        folder = self._ask_folder()
        if folder is not None:
            self._view.show_documents(str(folder))
            self._preview()

    @Slot()
    def _change_format(self) -> None:
        self._view.forget_columns()
        self._preview()

    @Slot()
    def _preview(self) -> None:
        if self._source is None:
            return
        steps = self._importer.preview(self._source, self._view.chosen_format, self._options())
        self._read(steps, self._view.show_preview)

    @Slot()
    def _import(self) -> None:
        if self._source is not None:
            steps = self._importer.import_data(self._source, self._view.chosen_format, self._options())
            job = self._start(steps, "Importing")
            job.finished.connect(self._report_import)
            job.failed.connect(self._show_error)

    def _options(self) -> dict[str, str]:
        columns = {f"map.{name}": column for name, column in self._view.mapping.items()}
        documents = {"documents": self._view.documents} if self._view.documents else {}
        reading = self._view.reading_options
        chosen = {**self._view.naming_options, **self._view.reading_choices}
        return {**columns, **reading, **chosen, **documents, **self._editor}

    def _read(self, steps: JobSteps[Any], show: Callable[[Any], None]) -> None:
        """Read the source, and show the result unless the user has changed something in the meantime."""
        job = self._start(steps, "Reading")
        number = self._reading = self._reading + 1
        job.finished.connect(lambda result: show(result) if number == self._reading else None)
        job.failed.connect(lambda error: self._show_error(error) if number == self._reading else None)

    def _start(self, steps: JobSteps[Any], title: str) -> Job:
        self._cancel()
        job = self._jobs.start(title, steps, JobQueue.FILES)
        job.progressed.connect(self._view.show_busy)
        self._job = job
        return job

    @Slot()
    def _stop(self) -> None:
        """Stop reading or importing; what was read so far is dropped."""
        if self._job is not None:
            self._cancel()
            self._reading += 1  # the result may have been on its way
            self._view.show_stopped()

    @Slot()
    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    @Slot(object)
    def _report_import(self, counts: ImportCounts) -> None:
        self._job = None
        self._view.accept()
        self.imported.emit(sentence(counts))

    @Slot(object)
    def _show_error(self, error: Exception) -> None:
        self._job = None
        if isinstance(error, BadImport):
            self._view.show_preview(preview_of(None, None, error.problems))
        elif isinstance(error, PyramidionError):
            self._view.show_error(str(error))
        else:
            self._view.show_error("The import failed because of an internal error. A crash report was saved.")


def preview_of(
    incoming: ImportContent | None, counts: ImportCounts | None, problems: Sequence[Problem]
) -> ImportPreview:
    """Return the preview of an import; without content or counts, only its problems."""
    messages = tuple(problem.sentence for problem in grouped(problems))
    if incoming is None or counts is None:
        return ImportPreview(problems=messages, problem_count=len(problems))
    files = tuple(
        FileRow(head.file, head.topic, head.system, head.annotator, ", ".join(head.authors))
        for head in incoming.files
    )
    notices = tuple(notice.sentence for notice in grouped(counts.notices, MAX_LINES // 3))
    skipped = tuple(problem.sentence for problem in grouped(counts.skipped, MAX_LINES // 3))
    return ImportPreview(
        count_rows(counts),
        tuple(counts.different),
        messages,
        files,
        notices,
        skipped,
        text_rows(incoming.topics),
        problem_count=len(problems),
        skipped_count=len(counts.skipped),
    )


def text_rows(topics: Sequence[NewTopic]) -> tuple[PreviewTextRow, ...]:
    """Return the texts of the first topics, each topic before its texts; long texts are truncated."""
    rows = []
    for topic in topics[:_PREVIEW_TOPICS]:
        about = [
            topic.title,
            f"Query: {topic.query}" if topic.query else "",
            topic.set and f"Set: {topic.set}",
        ]
        rows.append(PreviewTextRow(topic.name, "\n".join(filter(None, about)), is_text=False))
        kinds = ("Document", topic.documents), ("Reference", topic.references), ("Summary", topic.summaries)
        for kind, texts in kinds:
            for name, text in texts.items():
                empty = "" if text.content.strip() else " (empty)"
                rows.append(PreviewTextRow(f"    {kind} {name}{empty}", _truncate(text.content)))
    return tuple(rows)


def _truncate(content: str) -> str:
    return content if len(content) <= _PREVIEW_CHARACTERS else f"{content[:_PREVIEW_CHARACTERS]}…"


def count_rows(counts: ImportCounts) -> tuple[CountRow, ...]:
    """Return the counts of an import as table rows."""
    return tuple(CountRow(one.kind, one.read, one.added, one.unchanged, one.left_out) for one in counts.kinds)


def sentence(counts: ImportCounts) -> str:
    """Return one sentence that reports what an import added."""
    added = [_counted(number, kind) for kind, number in counts.added.items() if number]
    nothing = "Nothing new: the study already contains everything in the source."
    done = f"Imported {', '.join(added)}." if added else nothing
    if not counts.skipped:
        return done
    were = "row was" if len(counts.skipped) == 1 else "rows were"
    return f"{done} {len(counts.skipped):,} bad {were} skipped."


def _counted(number: int, kind: str) -> str:
    """Return a number with its noun: ``2 matches``, ``1 match``."""
    if number != 1:
        return f"{number:,} {kind}"
    for many, one in (("ies", "y"), ("ches", "ch"), ("s", "")):
        if kind.endswith(many):
            return f"1 {kind.removesuffix(many)}{one}"
    return f"1 {kind}"
