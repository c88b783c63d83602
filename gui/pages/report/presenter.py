"""What the Report page does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices

from core.comparison.comparison import SystemSelection
from core.comparison.judgements import JudgementRef, judgements
from core.comparison.measures import MeasureRef, measures
from core.formatting.numbers import format_count, pluralize
from core.ports import ChangeKind, ChangeSet, Study
from core.progress import JobSteps, Progress
from core.report.build import build_report
from core.report.html import write_csv, write_html
from core.report.model import ReportOptions
from core.stats.correlation import Coefficient, Level
from gui.background.jobs import Job, JobQueue
from gui.pages.report.report_items_presenter import ReportItemsPresenter
from gui.pages.report.values import Chapter, ChapterState, ExportRow, ReportDetails, WrittenFile
from gui.session.context import Context

if TYPE_CHECKING:
    from gui.pages.report.view import ReportView

PAGE = "report"
AskPath = Callable[[str, str, Sequence[tuple[str, str]]], Path | None]
AskFolder = Callable[[str], Path | None]
OpenPath = Callable[[Path], None]

_TABLES = "tables"
EXPORTS = (
    ExportRow("scores.csv", "Scores (CSV)", "One row per summary and measure."),
    ExportRow("scores.sacrerouge", "Scores (sacrerouge JSONL)", "One line per summary, nested by measure."),
    ExportRow("rouge.rouge-1.5.5", "ROUGE (text)", "As ROUGE-1.5.5 prints: averages, intervals, each topic."),
    ExportRow("judgements.csv", "Judgements (CSV)", "One row per summary and human value."),
    ExportRow("ratings.csv", "Ratings (CSV)", "One row per rating."),
    ExportRow(
        "pyramids.ducview", "Pyramids (DUCView)", "A .pyr per pyramid and a .pan per summary, in a folder."
    ),
    ExportRow(_TABLES, "Tables of the report (CSV)", "Every table as a file of its own, in a folder."),
)
_FOLDER = "Which folder should the {} go to?"
_ENDINGS = {
    "csv": ("CSV", ".csv"),
    "sacrerouge": ("JSON lines", ".jsonl"),
    "rouge-1.5.5": ("Text", ".txt"),
}
_LEVELS = {
    Level.SYSTEM: ("Correlation of the systems' means", "systems"),
    Level.TOPIC: ("Correlation within topics, averaged", "topics"),
    Level.GLOBAL: ("Correlation of all summaries", "summaries"),
}


@dataclass(frozen=True, slots=True)
class ReportContents:
    """What a study has to report."""

    name: str
    topics: int
    summaries: int
    systems: int
    measures: tuple[MeasureRef, ...]
    judgements: tuple[JudgementRef, ...]


def build(context: Context) -> tuple[ReportView, ReportPresenter]:
    """The page and what works it."""
    from gui.pages.report.view import ReportView
    from gui.widgets.file_dialogs import ask_folder, ask_where_to_save

    view = ReportView(EXPORTS)

    def ask(question: str, suggested: str, kinds: Sequence[tuple[str, str]]) -> Path | None:
        return ask_where_to_save(view, question, suggested, kinds)

    return view, ReportPresenter(view, context, ask, lambda question: ask_folder(view, question), open_path)


def open_path(path: Path) -> None:
    """Open a file or folder with the desktop's program for it."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


class ReportPresenter(QObject):
    """Says what the report will hold, writes it and the exports, opens them.

    ask_path, ask_folder: where to write, None = nowhere. open_path: opens with the desktop's program.
    """

    def __init__(
        self,
        view: ReportView,
        context: Context,
        ask_path: AskPath,
        ask_folder: AskFolder,
        open_path: OpenPath,
    ) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self._ask_path, self._ask_folder, self._open = ask_path, ask_folder, open_path
        self._options = ReportOptions()
        self._stock: ReportContents | None = None
        self._written: list[WrittenFile] = []
        self._job: Job | None = None
        self._reading: Job | None = None
        self._is_outdated = True
        self._chosen = ReportItemsPresenter(view, context)
        self._connect()

    def _connect(self) -> None:
        view, context = self._view, self._context
        view.shown.connect(self._catch_up)
        view.chapter_toggled.connect(self._toggle_level)
        view.systems_chosen.connect(self._choose_systems)
        view.coefficient_chosen.connect(self._choose_coefficient)
        view.write_requested.connect(self.write)
        view.stop_requested.connect(self._stop)
        view.remedy_requested.connect(self._mend)
        view.export_requested.connect(self.export)
        view.open_requested.connect(self._open)
        view.folder_requested.connect(lambda path: self._open(path.parent))
        context.commands.bind("report.write", self.write, PAGE)
        context.changes.changed.connect(self._heed)

    @Slot()
    def _catch_up(self) -> None:
        """Look at the study again if it changed while the page was not in front."""
        if self._is_outdated and self._reading is None:
            self._is_outdated = False
            self._reading = self._context.jobs.start(
                "Looking at the study", _taking_stock(self._context.study)
            )
            self._reading.finished.connect(self._take_stock)
            self._reading.ended.connect(self._end_reading)

    @Slot(object)
    def _heed(self, changes: ChangeSet) -> None:
        if changes.kinds - {ChangeKind.PEOPLE, ChangeKind.SETTINGS} or changes.is_external:
            self._is_outdated = True
            if self._view.isVisible():
                self._catch_up()

    @Slot()
    def _end_reading(self) -> None:
        self._reading = None
        if self._view.isVisible():
            self._catch_up()

    @Slot(object)
    def _take_stock(self, stock: ReportContents) -> None:
        self._stock = stock
        self._show()

    @Slot(str, bool)
    def _toggle_level(self, key: str, is_in: bool) -> None:
        chosen = {*self._options.levels, Level(key)} if is_in else {*self._options.levels} - {Level(key)}
        self._options = replace(self._options, levels=tuple(level for level in Level if level in chosen))
        self._show()

    @Slot(str)
    def _choose_systems(self, systems: str) -> None:
        self._options = replace(self._options, systems=SystemSelection(systems))

    @Slot(str)
    def _choose_coefficient(self, coefficient: str) -> None:
        self._options = replace(self._options, coefficient=Coefficient(coefficient))

    @Slot()
    def write(self) -> None:
        """Ask where, and write the report there."""
        if self._stock is None or self._job is not None:
            return
        suggested = f"{self._context.study.path.stem}-report.html"
        path = self._ask_path("Where should the report go?", suggested, [("Report", ".html")])
        if path is not None:
            self._start("Writing the report", _writing_report(self._context.study, self._options, path))

    @Slot(str)
    def export(self, key: str) -> None:
        """Ask where, and write scores, judgements, ratings, pyramids or tables there."""
        if self._job is not None:
            self._context.show_message("Something is being written already; wait for it or cancel it.")
            return
        if key == _TABLES:
            folder = self._ask_folder(_FOLDER.format("tables"))
            if folder is not None:
                self._start("Writing tables", _writing_tables(self._context.study, self._options, folder))
            return
        what, _, name = key.partition(".")
        path = self._ask_file(what, name) if name in _ENDINGS else self._ask_folder(_FOLDER.format(what))
        if path is not None:
            things = "rows" if name in _ENDINGS else "files"
            work = _exporting(self._context.export(what, name, path), what, path, things)
            self._start(f"Writing {what}", work)

    def _ask_file(self, what: str, name: str) -> Path | None:
        title, ending = _ENDINGS[name]
        suggested = f"{self._context.study.path.stem}-{what}{ending}"
        return self._ask_path(f"Where should the {what} go?", suggested, [(title, ending)])

    def _start(self, title: str, work: JobSteps[WrittenFile]) -> None:
        self._job = self._context.jobs.start(title, work, JobQueue.FILES)
        self._view.show_writing(title, Progress(0, 0))
        self._job.progressed.connect(self._go_on)
        self._job.finished.connect(self._finish)
        self._job.ended.connect(self._end)

    @Slot(object)
    def _go_on(self, progress: Progress) -> None:
        if self._job is not None:
            self._view.show_writing(self._job.title, progress)

    @Slot(object)
    def _finish(self, written: WrittenFile) -> None:
        self._written = [written, *(one for one in self._written if one.path != written.path)]
        self._view.show_written(self._written)
        self._context.show_message(f"{written.path.name} is written.")

    @Slot()
    def _end(self) -> None:
        self._job = None
        self._view.show_idle()

    @Slot()
    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()

    @Slot()
    def _mend(self) -> None:
        is_scored = self._stock is not None and bool(self._stock.measures)
        self._context.show_page("matches" if is_scored else "score")

    def _show(self) -> None:
        if self._stock is not None:
            self._view.show_sheet(report_details(self._stock, self._options))


def report_details(stock: ReportContents, options: ReportOptions) -> ReportDetails:
    """What a report of this study with these options will hold."""
    warning, remedy = "", ""
    if not stock.measures:
        warning, remedy = "Nothing is scored yet: the report will have no measures.", "Go to Score"
    elif not stock.judgements:
        warning = "There is no human judgement yet: nothing can be compared."
        remedy = "Go to Matches"
    signatures = len({ref.signature for ref in stock.measures})
    humans = pluralize(len(stock.judgements), "judgement")
    return ReportDetails(
        about=f"{pluralize(len(stock.measures), 'measure')}, {humans}",
        chapters=_chapters(stock, options, signatures),
        facts=(
            ("Study", stock.name),
            (
                "Holds",
                f"{pluralize(stock.topics, 'topic')}, {pluralize(stock.summaries, 'summary', 'summaries')}",
            ),
            *((f"Judgement {place}", ref.policy) for place, ref in enumerate(stock.judgements, 1)),
        ),
        warning=warning,
        remedy=remedy,
    )


def _chapters(stock: ReportContents, options: ReportOptions, signatures: int) -> tuple[Chapter, ...]:
    count, humans = len(stock.measures), len(stock.judgements)
    compares = bool(count and humans)
    there = ChapterState.THERE if compares else ChapterState.EMPTY
    lacks = "" if compares else " · needs scores and a judgement"
    tables = f"{pluralize(humans, 'table')} of {pluralize(count, 'measure')}"
    levels = (
        Chapter(
            level.value,
            title,
            f"{tables} with value, p, n, dropped; n counts {what}{lacks}",
            there if level in options.levels else ChapterState.LEFT_OUT,
        )
        for level, (title, what) in _LEVELS.items()
    )
    some = ChapterState.THERE if count or humans else ChapterState.EMPTY
    kept = ChapterState.THERE if count else ChapterState.EMPTY
    return (
        Chapter(
            "", "The study", "Counts of texts, words, annotations; what counts, and how", ChapterState.THERE
        ),
        Chapter("", "Overview", f"A heatmap, and the best measure's plot for each judgement{lacks}", there),
        *levels,
        Chapter(
            "", "Scores of the systems", f"Means of {pluralize(stock.systems, 'system')}, with bars", some
        ),
        Chapter("", "Signatures", f"{signatures} in full", kept),
        Chapter(
            "", "How to repeat it", "The commands and the versions behind every number", ChapterState.THERE
        ),
    )


def _taking_stock(study: Study) -> JobSteps[ReportContents]:
    yield Progress(0, 0)
    heads = study.texts.topics()
    return ReportContents(
        name=study.name,
        topics=len(heads),
        summaries=sum(head.summaries for head in heads),
        systems=len(study.texts.systems()),
        measures=tuple(measures(study, check_stale=False)),
        judgements=tuple(judgements(study)),
    )


def _writing_report(study: Study, options: ReportOptions, path: Path) -> JobSteps[WrittenFile]:
    study.verify()
    report = yield from build_report(study, options)
    write_html(report, path)
    figures = sum(len(section.illustrations) for section in report.sections)
    tables = sum(len(section.tables) for section in report.sections)
    kilobytes = path.stat().st_size / 1000
    holds = f"{pluralize(tables, 'table')}, {pluralize(figures, 'figure')}"
    return WrittenFile(path, f"{holds} · {format_count(kilobytes)} kB · {path.parent}")


def _writing_tables(study: Study, options: ReportOptions, folder: Path) -> JobSteps[WrittenFile]:
    study.verify()
    report = yield from build_report(study, options)
    files = write_csv(report, folder)
    return WrittenFile(folder, f"{pluralize(len(files), 'table')} · {folder.parent}")


def _exporting(work: JobSteps[int], what: str, path: Path, things: str) -> JobSteps[WrittenFile]:
    count = yield from work
    return WrittenFile(path, f"{what.capitalize()}, {format_count(count)} {things} · {path.parent}")
