"""Presenter of the import dialog: previews a source on a worker thread and imports it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from core.domain.formats import FormatDescription
from core.domain.import_batch import ImportContent, ImportCounts
from core.errors import MAX_LINES, BadImport, Problem, PyramidionError, grouped
from core.progress import JobSteps
from gui.background.jobs import Job, JobQueue, Jobs, OneJob
from gui.dialogs.import_data.values import CountRow, ImportPreview, PreviewText, PreviewTopic, counted
from gui.dialogs.import_data.view import ImportDialog
from gui.style.language import tr

Options = Mapping[str, str]
_PREVIEW_TOPICS, _PREVIEW_TEXTS, _PREVIEW_CHARACTERS, _PREVIEW_NUMBERS = 3, 20, 600, 8
"""Topics of the preview, texts of each, characters of a text, and ratings of a dimension."""
_SHOWN = "--map ROLE=COLUMN"
"""Option of the note on how columns are read, which the table of columns shows."""
NO_TEXT = tr("(no text)")


@dataclass(frozen=True, slots=True)
class Importer:
    """Import formats and functions for the open study.

    detect: returns the name of a source's format; of one that is unknown, a possible one.
    preview: returns counts or problems, and how a table is read, without writing.
    import_data: imports in one transaction.
    read_mapping: returns the format of an import mapping in a file, named by its path.
    save_mapping: writes a mapping to a file, or (a name) lets it be recognized; returns its file.
    """

    formats: Sequence[FormatDescription]
    detect: Callable[[Path], JobSteps[str]]
    preview: Callable[[Path, str, Options], JobSteps[ImportPreview]]
    import_data: Callable[[Path, str, Options], JobSteps[ImportCounts]]
    read_mapping: Callable[[Path], JobSteps[FormatDescription]]
    save_mapping: Callable[[str, Path | str], JobSteps[Path]]


class ImportPresenter(QObject):
    """Connects the dialog to an importer.

    ask_file, ask_folder: ask for a source, None = cancelled.
    ask_mapping, ask_where: ask for the file of a mapping to use, or to write (suggested: its name).
    editor_id: annotator who can undo replaced ratings.

    Signals:
        imported: the ImportCounts.
    """

    imported = Signal(object)

    def __init__(
        self,
        view: ImportDialog,
        importer: Importer,
        jobs: Jobs,
        ask_file: Callable[[], Path | None],
        ask_folder: Callable[[], Path | None],
        ask_mapping: Callable[[], Path | None],
        ask_where: Callable[[str], Path | None],
        editor_id: str = "",
    ) -> None:
        super().__init__(view)
        self._view, self._importer, self._jobs = view, importer, jobs
        self._ask_file, self._ask_folder = ask_file, ask_folder
        self._ask_mapping, self._ask_where = ask_mapping, ask_where
        self._editor = {"as": editor_id} if editor_id else {}
        self._source: Path | None = None
        self._job = OneJob(jobs, self)
        self._reading = 0
        view.file_button.clicked.connect(lambda: self.choose(self._ask_file()))
        view.folder_button.clicked.connect(lambda: self.choose(self._ask_folder()))
        view.documents_button.clicked.connect(self._choose_documents)
        view.format_box.activated.connect(self._change_format)
        view.options_changed.connect(self._preview)
        view.mapping_file_requested.connect(self._use_mapping_file)
        view.save_requested.connect(self._save_mapping)
        view.accept_button.clicked.connect(self._import)
        view.job.stop_button.clicked.connect(self._stop)
        view.rejected.connect(self._job.stop)

    def choose(self, source: Path | None) -> None:
        """Set a file or folder as the source, detect its format and preview it; None changes nothing."""
        if source is None:
            return
        self._source = source
        self._view.show_source(str(source))
        self._read(self._importer.detect(source), self._use_format)

    def _use_format(self, detected: str) -> None:
        self._view.show_format(detected)
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
    def _use_mapping_file(self) -> None:
        """Read the source as a mapping in a file says."""
        if (path := self._ask_mapping()) is not None:
            self._read(self._importer.read_mapping(path), self._use_mapping)

    def _use_mapping(self, row: FormatDescription) -> None:
        self._view.add_format(row)
        self._change_format()

    @Slot(bool)
    def _save_mapping(self, is_kept: bool) -> None:
        """Write the mapping to a file; is_kept: into the user's folder, where it is recognized."""
        if self._source is None:
            return
        name = re.sub(r"[^\w-]+", "-", self._source.name.split(".")[0]).strip("-") or "mapping"
        where = name if is_kept else self._ask_where(f"{name}.toml")
        if where is not None:
            steps = self._importer.save_mapping(self._view.mapping_text, where)
            job = self._jobs.start(tr("Saving the mapping"), steps, JobQueue.READING, self._view)
            job.finished.connect(lambda file: self._view.show_saved(str(file), is_kept=is_kept))
            job.failed.connect(lambda error: self._view.show_saved("", str(error)))

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
            job = self._start(steps, tr("Importing"))
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
        job = self._start(steps, tr("Reading"))
        number = self._reading = self._reading + 1
        job.finished.connect(lambda result: show(result) if number == self._reading else None)
        job.failed.connect(lambda error: self._show_error(error) if number == self._reading else None)

    def _start(self, steps: JobSteps[Any], title: str) -> Job:
        self._job.stop()
        job = self._job.start(title, steps, JobQueue.FILES)
        job.progressed.connect(self._view.job.show_progress)
        return job

    @Slot()
    def _stop(self) -> None:
        """Stop reading or importing; what was read so far is dropped."""
        if self._job.current is not None:
            self._job.stop()
            self._reading += 1  # the result may have been on its way
            self._view.show_stopped()

    @Slot(object)
    def _report_import(self, counts: ImportCounts) -> None:
        self._view.accept()
        self.imported.emit(counts)

    @Slot(object)
    def _show_error(self, error: Exception) -> None:
        if isinstance(error, BadImport):
            self._view.show_preview(preview_of(None, None, error.problems))
        elif isinstance(error, PyramidionError):
            self._view.show_error(str(error))
        else:
            self._view.show_error(
                tr("The import failed because of an internal error. A crash report was saved.")
            )


def preview_of(
    incoming: ImportContent | None, counts: ImportCounts | None, problems: Sequence[Problem]
) -> ImportPreview:
    """Return the preview of an import; without content or counts, only its problems."""
    messages = tuple(problem.sentence for problem in grouped(problems))
    if incoming is None or counts is None:
        return ImportPreview(problems=messages, problem_count=len(problems))
    said = [notice for notice in counts.notices if not notice.option.startswith(_SHOWN)]
    notices = tuple(notice.sentence for notice in grouped(said, MAX_LINES // 3))
    skipped = tuple(problem.sentence for problem in grouped(counts.skipped, MAX_LINES // 3))
    return ImportPreview(
        _count_rows(incoming, counts),
        tuple(counts.different),
        messages,
        incoming.files,
        notices,
        skipped,
        preview_topics(incoming),
        incoming.mapping,
        incoming.rows,
        problem_count=len(problems),
        skipped_count=len(counts.skipped),
    )


def preview_topics(incoming: ImportContent) -> tuple[PreviewTopic, ...]:
    """Return the first topics with the beginnings of their texts, and the ratings and scores of these."""
    names = {topic.name for topic in incoming.topics[:_PREVIEW_TOPICS]}
    numbers: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for rating in incoming.ratings:
        if rating.topic in names and rating.value is not None:
            said = f"{rating.category or format(rating.value, 'g')} ({rating.annotator})"
            numbers[rating.topic, rating.system][rating.dimension].append(said)
    for score in incoming.scores:
        if score.topic in names:
            numbers[score.topic, score.system][score.measure].append(f"{score.value:.4g}")
    found = []
    for topic in incoming.topics[:_PREVIEW_TOPICS]:
        about = (
            topic.title,
            topic.query and tr("Query: {query}", query=topic.query),
            topic.set and tr("Set: {set}", set=topic.set),
        )
        texts = [
            PreviewText(tr("Document {name}", name=name), _truncate(t.content))
            for name, t in topic.documents.items()
        ]
        texts += [
            PreviewText(tr("Reference {name}", name=name), _truncate(t.content))
            for name, t in topic.references.items()
        ]
        systems = dict.fromkeys((*topic.summaries, *(s for t, s in numbers if t == topic.name)))
        for name in systems:
            made = numbers.get((topic.name, name), {})
            said = " · ".join(f"{of} {', '.join(values[:_PREVIEW_NUMBERS])}" for of, values in made.items())
            content = _truncate(topic.summaries[name].content) if name in topic.summaries else NO_TEXT
            texts.append(PreviewText(name, content, said))
        shown = tuple(texts[:_PREVIEW_TEXTS])
        more = len(texts) - len(shown)
        found.append(PreviewTopic(topic.name, " · ".join(filter(None, about)), shown, more))
    return tuple(found)


def _truncate(content: str) -> str:
    if not content.strip():
        return "(empty)"
    return content if len(content) <= _PREVIEW_CHARACTERS else f"{content[:_PREVIEW_CHARACTERS]}…"


def _count_rows(incoming: ImportContent, counts: ImportCounts) -> tuple[CountRow, ...]:
    """Return the counts of an import, and who made summaries and ratings."""
    systems = {name for topic in incoming.topics for name in topic.summaries}
    people = {rating.annotator for rating in incoming.ratings}
    by = {"summaries": (len(systems), "systems"), "ratings": (len(people), "annotators")}
    makers = {kind: counted(*made) for kind, made in by.items() if made[0]}
    return tuple(
        CountRow(one.kind, one.added, one.unchanged, one.left_out, makers.get(one.kind, ""))
        for one in counts.kinds
    )


def sentence(counts: ImportCounts) -> str:
    """Return one sentence that reports what an import added."""
    added = [counted(number, kind) for kind, number in counts.added.items() if number]
    nothing = tr("Nothing new: the study already contains everything in the source.")
    done = tr("Imported {added}.", added=", ".join(added)) if added else nothing
    if not counts.skipped:
        return done
    return done + " " + tr("%n bad rows were skipped.", "", len(counts.skipped))
