"""What the import dialog does: reads on a worker thread, previews, and writes when told to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from core.errors import BadImport, Problem, PyramidionError
from core.ports import ImportContent, ImportCounts, NewTopic
from core.progress import JobSteps
from gui.background.jobs import Job, JobQueue, Jobs
from gui.dialogs.import_data.values import CountRow, FileRow, FormatRow, ImportPreview, PreviewTextRow

if TYPE_CHECKING:
    from gui.dialogs.import_data.view import ImportDialog

Options = Mapping[str, str]
_TOPICS_SHOWN, _LETTERS_SHOWN = 3, 5000
"""How many topics of an import can be read before it, and how much of each text."""


@dataclass(frozen=True, slots=True)
class Importer:
    """What can be imported into the open study, and how.

    detect: a source's format by name, empty = no idea. columns: a file's column names. column_names: ours.
    preview: counts or problems, without writing. bring_in: the import itself, one transaction.
    """

    formats: Sequence[FormatRow]
    column_names: Sequence[str]
    detect: Callable[[Path], str]
    columns: Callable[[Path], Sequence[str]]
    preview: Callable[[Path, str, Options], JobSteps[ImportPreview]]
    import_data: Callable[[Path, str, Options], JobSteps[ImportCounts]]


class ImportPresenter(QObject):
    """Connects the dialog to an importer.

    ask_file, ask_folder: choose a source, None = nothing was chosen.

    Signals:
        imported: a sentence on what was added.
    """

    imported = Signal(str)

    def __init__(
        self,
        view: ImportDialog,
        importer: Importer,
        jobs: Jobs,
        ask_file: Callable[[], Path | None],
        ask_folder: Callable[[], Path | None],
    ) -> None:
        super().__init__(view)
        self._view, self._importer, self._jobs = view, importer, jobs
        self._ask_file, self._ask_folder = ask_file, ask_folder
        self._source: Path | None = None
        self._job: Job | None = None
        view.file_requested.connect(lambda: self.choose(self._ask_file()))
        view.folder_requested.connect(lambda: self.choose(self._ask_folder()))
        view.documents_requested.connect(self._choose_documents)
        view.format_changed.connect(self._take_format)
        view.columns_changed.connect(self._look)
        view.naming_changed.connect(self._look)
        view.recheck_requested.connect(self._check_again)
        view.import_requested.connect(self._import)
        view.rejected.connect(self._stop)

    def choose(self, source: Path | None) -> None:
        """Take a file or folder as the source, recognise its format, and preview it; None = nothing."""
        if source is None:
            return
        self._source = source
        self._view.show_source(str(source))
        detected = self._importer.detect(source)
        self._view.show_format(detected or self._first_format(source))
        self._take_format()

    @Slot()
    def _check_again(self) -> None:
        """Read the source once more, which may have been corrected meanwhile."""
        mapping = self._view.mapping
        self._offer_columns()
        self._view.map_columns(mapping)
        self._look()

    @Slot()
    def _choose_documents(self) -> None:
        folder = self._ask_folder()
        if folder is not None:
            self._view.show_documents(str(folder))
            self._look()

    def _first_format(self, source: Path) -> str:
        return next(f.name for f in self._importer.formats if f.is_folder == source.is_dir())

    @Slot()
    def _take_format(self) -> None:
        self._offer_columns()
        self._look()

    def _offer_columns(self) -> None:
        has_columns = next(
            f.has_columns for f in self._importer.formats if f.name == self._view.chosen_format
        )
        try:
            theirs = self._importer.columns(self._source) if has_columns and self._source else ()
        except PyramidionError:
            theirs = ()  # the preview says what is wrong with the file
        self._view.show_columns(self._importer.column_names if theirs else (), theirs)

    @Slot()
    def _look(self) -> None:
        if self._source is None:
            return
        steps = self._importer.preview(self._source, self._view.chosen_format, self._options())
        self._start(steps, "Reading").finished.connect(self._view.show_preview)

    @Slot()
    def _import(self) -> None:
        if self._source is not None:
            steps = self._importer.import_data(self._source, self._view.chosen_format, self._options())
            self._start(steps, "Importing").finished.connect(self._done)

    def _options(self) -> dict[str, str]:
        columns = {f"map.{ours}": theirs for ours, theirs in self._view.mapping.items()}
        documents = {"documents": self._view.documents} if self._view.documents else {}
        skipping = {"skip": "yes"} if self._view.skips_bad_rows else {}
        return {**columns, **self._view.naming_options, **documents, **skipping}

    def _start(self, steps: JobSteps[Any], title: str) -> Job:
        self._stop()
        job = self._jobs.start(title, steps, JobQueue.FILES)
        job.progressed.connect(self._view.show_busy)
        job.failed.connect(self._failed)
        self._job = job
        return job

    @Slot()
    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    @Slot(object)
    def _done(self, counts: ImportCounts) -> None:
        self._job = None
        self._view.accept()
        self.imported.emit(sentence(counts))

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        self._job = None
        if isinstance(error, BadImport):
            self._view.show_preview(ImportPreview(problems=tuple(str(p) for p in error.problems)))
        elif isinstance(error, PyramidionError):
            self._view.show_refusal(str(error))
        else:
            self._view.show_refusal("The import met a bug of ours; a report was kept.")


def preview_of(
    incoming: ImportContent | None, counts: ImportCounts | None, problems: Sequence[Problem]
) -> ImportPreview:
    """What an import would do, in words; without counts it has problems."""
    told = tuple(str(problem) for problem in problems)
    if incoming is None or counts is None:
        return ImportPreview(problems=told)
    files = tuple(
        FileRow(head.file, head.topic, head.system, head.annotator, ", ".join(head.authors))
        for head in incoming.files
    )
    notices = tuple(str(notice) for notice in counts.notices)
    skipped = tuple(str(problem) for problem in counts.skipped)
    about = tuple(counts.different), told, files, notices, skipped
    return ImportPreview(count_rows(counts), *about, text_rows(incoming.topics))


def text_rows(topics: Sequence[NewTopic]) -> tuple[PreviewTextRow, ...]:
    """The texts of the first topics, each topic before its texts; long ones are cut."""
    lines = []
    for topic in topics[:_TOPICS_SHOWN]:
        about = [
            topic.title,
            f"Query: {topic.query}" if topic.query else "",
            topic.set and f"Set: {topic.set}",
        ]
        lines.append(PreviewTextRow(topic.name, "\n".join(filter(None, about)), is_text=False))
        kinds = ("Document", topic.documents), ("Reference", topic.references), ("Summary", topic.summaries)
        for kind, texts in kinds:
            for name, text in texts.items():
                empty = "" if text.content.strip() else " (empty)"
                lines.append(PreviewTextRow(f"    {kind} {name}{empty}", _cut(text.content)))
    return tuple(lines)


def _cut(content: str) -> str:
    return content if len(content) <= _LETTERS_SHOWN else f"{content[:_LETTERS_SHOWN]}…"


def count_rows(counts: ImportCounts) -> tuple[CountRow, ...]:
    """An import's counts as lines of a table."""
    kinds = dict.fromkeys((*counts.added, *counts.equal))
    return tuple(CountRow(kind, counts.added.get(kind, 0), counts.equal.get(kind, 0)) for kind in kinds)


def sentence(counts: ImportCounts) -> str:
    """What an import has added, in one sentence."""
    added = [_counted(number, kind) for kind, number in counts.added.items() if number]
    done = f"Imported {', '.join(added)}." if added else "Everything in it was in the study already."
    if not counts.skipped:
        return done
    were = "row was" if len(counts.skipped) == 1 else "rows were"
    return f"{done} {len(counts.skipped):,} bad {were} skipped."


def _counted(number: int, kind: str) -> str:
    """A number with what it counts: ``2 matches``, ``1 match``."""
    if number != 1:
        return f"{number:,} {kind}"
    for many, one in (("ies", "y"), ("ches", "ch"), ("s", "")):
        if kind.endswith(many):
            return f"1 {kind.removesuffix(many)}{one}"
    return f"1 {kind}"
