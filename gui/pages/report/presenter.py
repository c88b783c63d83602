"""Presenter of the Report page: shows the contents of the report, writes it and other exports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices

from core.comparison.judgements import JudgementRef, judgements
from core.comparison.measures import MeasureRef, measures
from core.comparison.options import SystemSelection
from core.formatting.coefficients import LEVEL_HEADINGS
from core.formatting.numbers import format_count
from core.operations.options import ReportRequest
from core.ports import ChangeKind, Study
from core.progress import JobSteps, Progress
from core.report.build import build_report
from core.report.formats.html import write_csv
from core.report.formats.pdf import page_images
from core.report.formats.write import TITLES, write_report
from core.report.report_items import ReportItem, list_report_items, remove, reorder
from core.stats.correlation import Coefficient, Level
from gui.background.jobs import JobQueue, OneJob, one_step
from gui.pages.report.view import ExportRow, ReportSection, ReportView, SectionState, WrittenFile
from gui.results.table_and_figure_files import DATA_KINDS, AskPath
from gui.session.context import Context, PageReader
from gui.style.language import tr
from gui.widgets.file_dialogs import ask_folder, ask_where_to_save
from gui.widgets.printing import Print, print_on_paper, printed_text

PAGE = "report"
_RELEVANT_CHANGES = frozenset(ChangeKind) - {ChangeKind.SETTINGS}
AskFolder = Callable[[str], Path | None]
OpenPath = Callable[[Path], None]

_TABLES, _PACK = "tables", "pack"
_APPENDIX = "appendix"
EXPORTS = (
    ExportRow(
        "scores.csv",
        tr("Scores (CSV, XLSX, Parquet)"),
        tr("One row per summary and measure."),
        ".csv",
        DATA_KINDS,
    ),
    ExportRow(
        "scores.sacrerouge",
        tr("Scores (sacrerouge JSONL)"),
        tr("One line per summary, nested by measure."),
        ".jsonl",
    ),
    ExportRow(
        "rouge.rouge-1.5.5",
        tr("ROUGE (text)"),
        tr("Output of ROUGE-1.5.5: averages, intervals, each topic."),
        ".txt",
    ),
    ExportRow(
        "judgements.csv",
        tr("Judgements (CSV, XLSX, Parquet)"),
        tr("One row per summary and human value."),
        ".csv",
        DATA_KINDS,
    ),
    ExportRow(
        "ratings.csv", tr("Ratings (CSV, XLSX, Parquet)"), tr("One row per rating."), ".csv", DATA_KINDS
    ),
    ExportRow(
        "pyramids.ducview",
        tr("Pyramids (DUCView)"),
        tr("A folder with a .pyr per pyramid and a .pan per summary."),
    ),
    ExportRow(
        "pyramids.rose",
        tr("Pyramids (RoSE JSONL)"),
        tr("One line per topic, with a label per SCU and summary."),
        ".jsonl",
    ),
    ExportRow(
        "pyramids.lite2pyramid",
        tr("Pyramids (Lite²Pyramid)"),
        tr("A folder with SCUs and labels, one topic per line."),
    ),
    ExportRow(
        "metrics.mt-metrics-eval",
        tr("Test set (mt-metrics-eval)"),
        tr("A folder with texts, scores and human values."),
    ),
    ExportRow(_TABLES, tr("Tables of the report (CSV)"), tr("A folder with one file per table.")),
    ExportRow(
        _PACK,
        tr("Report for a paper"),
        tr("A folder: the report in all formats, LaTeX tables, figures, references."),
    ),
)
_FILE_TITLES = {
    "csv": "CSV",
    "sacrerouge": tr("JSON lines"),
    "rose": tr("JSON lines"),
    "rouge-1.5.5": tr("Text"),
}
_ITEMS = {Level.SYSTEM: "systems", Level.TOPIC: "topics", Level.GLOBAL: "summaries"}
"""What each level counts."""


@dataclass(frozen=True, slots=True)
class ReportContents:
    """Contents of a study that a report shows."""

    name: str
    topics: int
    summaries: int
    systems: int
    measures: tuple[MeasureRef, ...]
    judgements: tuple[JudgementRef, ...]


def build(context: Context) -> tuple[ReportView, ReportPresenter]:
    view = ReportView((*EXPORTS, *added_exports(context)))
    ask_path, ask_to = partial(ask_where_to_save, view), partial(ask_folder, view)
    return view, ReportPresenter(view, context, ask_path, ask_to, open_path)


def added_exports(context: Context) -> list[ExportRow]:
    return [
        ExportRow(
            f"{one.what}.{one.format}",
            f"{one.what.capitalize()} ({one.format})",
            f"{one.about} ({one.package})",
            one.suffix,
        )
        for one in context.added_exports()
    ]


def open_path(path: Path) -> None:
    """Open a file or folder with the default program."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


class ReportPresenter(QObject):
    """Show the contents of the report, write it and other exports, open written files.

    ask_path, ask_folder: ask where to write; return None if the user cancels.
    open_path: opens a file or folder with the default program.
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
        exports = (*EXPORTS, *added_exports(context))
        self._exports = {export.key: export for export in exports}
        self.print_pages: Print = partial(print_on_paper, view)
        self._request = ReportRequest()
        self._contents: ReportContents | None = None
        self._written: list[WrittenFile] = []
        self._job = OneJob(context.jobs, self)
        self._reading = PageReader(
            view, context, tr("Reading the study"), lambda: _read_contents(context.study), _RELEVANT_CHANGES
        )
        self._items = ReportItemsPresenter(view, context)
        self._reading.read.connect(self._show_contents)
        view.section_toggled.connect(self._toggle_section)
        view.systems_box.chosen.connect(self._choose_systems)
        view.coefficient_box.chosen.connect(self._choose_coefficient)
        view.write_button.clicked.connect(self.write)
        view.job.stop_button.clicked.connect(self._job.stop)
        view.notice.remedy_button.clicked.connect(self._follow_remedy)
        view.export_requested.connect(self.export)
        view.open_requested.connect(self._open)
        view.folder_requested.connect(lambda path: self._open(path.parent))
        context.commands.bind("report.write", self.write, PAGE)
        context.commands.bind("study.print", self.print_report, PAGE)

    @Slot(object)
    def _show_contents(self, contents: ReportContents) -> None:
        self._contents = contents
        self._show()

    @Slot(str, bool)
    def _toggle_section(self, key: str, is_included: bool) -> None:
        if key == _APPENDIX:
            self._request = replace(self._request, has_appendix=is_included)
            self._show()
            return
        before = set(self._request.levels)
        chosen = before | {Level(key)} if is_included else before - {Level(key)}
        self._request = replace(self._request, levels=tuple(level for level in Level if level in chosen))
        self._show()

    @Slot(object)
    def _choose_systems(self, systems: str) -> None:
        self._request = replace(self._request, systems=SystemSelection(systems))

    @Slot(str)
    def _choose_coefficient(self, coefficient: str) -> None:
        self._request = replace(self._request, coefficient=Coefficient(coefficient))

    @Slot()
    def write(self) -> None:
        """Ask for a path and write the report there."""
        if self._contents is None or not self._may_begin():
            return
        suggested = f"{self._context.study.path.stem}-report.html"
        kinds = [(title, suffix) for suffix, title in TITLES.items()]
        path = self._ask_path(tr("Save report"), suggested, kinds)
        if path is not None:
            self._start(tr("Writing the report"), _write_report(self._context.study, self._request, path))

    def print_report(self) -> None:
        """Make the pages of the report, ask for a printer and print them."""
        if self._contents is None or not self._may_begin():
            return
        work = _pages_of(self._context.study, self._request)
        self._start(tr("Making the pages"), work, self._print)

    def _print(self, pages: list[bytes]) -> None:
        title = tr("Report of {name}", name=self._context.study.name)
        self._context.show_message(printed_text(self.print_pages(title, pages)))

    def _may_begin(self) -> bool:
        """Return whether no export is running; report it otherwise."""
        if self._job.current is not None:
            self._context.show_message(tr("Another export is running. Wait for it or cancel it."))
        return self._job.current is None

    @Slot(str)
    def export(self, key: str) -> None:
        """Ask for a path and export scores, judgements, ratings, pyramids or tables there.

        key: ``tables``, or kind and format such as ``scores.csv``; the suffix may choose another format.
        """
        if not self._may_begin():
            return
        if key in (_TABLES, _PACK):
            write = _write_tables if key == _TABLES else _write_report
            title = self._exports[key].title
            if (folder := self._ask_folder(tr("Select a folder: {title}", title=title))) is not None:
                work = write(self._context.study, self._request, folder)
                self._start(tr("Writing: {title}", title=title), work)
            return
        kind, _, form = key.partition(".")
        is_file = bool(self._exports[key].suffix)
        path = (
            self._ask_file(key)
            if is_file
            else self._ask_folder(tr("Select a folder: {title}", title=self._exports[key].title))
        )
        if path is not None:
            suffix = path.suffix.lower()
            if any(suffix == ending for _, ending in self._exports[key].kinds):
                form = suffix[1:]
            work = _write_export(
                self._context.export(kind, form, path), kind, path, "rows" if is_file else "files"
            )
            self._start(tr("Writing: {title}", title=self._exports[key].title), work)

    def _ask_file(self, key: str) -> Path | None:
        kind, _, form = key.partition(".")
        export = self._exports[key]
        suggested = f"{self._context.study.path.stem}-{kind}{export.suffix}"
        kinds = export.kinds or ((_FILE_TITLES.get(form, form), export.suffix),)
        return self._ask_path(tr("Save: {title}", title=export.title), suggested, kinds)

    def _start(self, title: str, work: JobSteps[Any], show: Callable[[Any], None] | None = None) -> None:
        job = self._job.start(title, work, JobQueue.FILES)
        self._view.job.show_progress(job.latest, title)
        job.progressed.connect(lambda progress: self._view.job.show_progress(progress, title))
        job.finished.connect(show or self._show_written)
        job.ended.connect(lambda _: self._view.job.show_idle())

    @Slot(object)
    def _show_written(self, written: WrittenFile) -> None:
        self._written = [written, *(file for file in self._written if file.path != written.path)]
        self._view.show_written(self._written)
        self._context.show_message(tr("{name} saved.", name=written.path.name))

    @Slot()
    def _follow_remedy(self) -> None:
        is_scored = self._contents is not None and bool(self._contents.measures)
        self._context.show_page("matches" if is_scored else "score")

    def _show(self) -> None:
        if (contents := self._contents) is None:
            return
        measures, judgements = len(contents.measures), tr("%n judgements", "", len(contents.judgements))
        topics, summaries = tr("%n topics", "", contents.topics), tr("%n summaries", "", contents.summaries)
        facts = [(tr("Study"), contents.name), (tr("Contents"), f"{topics}, {summaries}")]
        for number, ref in enumerate(contents.judgements, 1):
            facts.append((tr("Judgement {number}", number=number), ref.policy))
        about = tr("%n measures", "", measures) + f" · {judgements}"
        self._view.show_contents(about, _sections(contents, self._request), facts)
        warning, remedy = "", ""
        if not measures:
            warning = tr("Nothing is scored yet. The report will have no measures.")
            remedy = tr("Go to Score")
        elif not contents.judgements:
            warning = tr("There are no human judgements yet. The report will have no correlations.")
            remedy = tr("Go to Match")
        self._view.notice.show_message(warning, remedy)


def _sections(contents: ReportContents, request: ReportRequest) -> tuple[ReportSection, ...]:
    measure_count, judgement_count = len(contents.measures), len(contents.judgements)
    signature_count = len({ref.signature for ref in contents.measures})
    has_both = bool(measure_count and judgement_count)
    missing = "" if has_both else tr(" · requires scores and a judgement")
    tables = tr(
        "{judgement_count} of {measure_count}",
        judgement_count=tr("%n tables", "", judgement_count),
        measure_count=tr("%n measures", "", measure_count),
    )
    levels = (
        ReportSection(
            level.value,
            LEVEL_HEADINGS[level],
            tr(
                "Value, interval and cluster of each metric's main measure over {items}{missing}",
                items=items,
                missing=missing,
            ),
            _state(has_both) if level in request.levels else SectionState.EXCLUDED,
        )
        for level, items in _ITEMS.items()
    )
    return (
        ReportSection(
            "",
            tr("Data, agreement, metrics"),
            tr("Counts of texts and annotations; agreement of annotators; signatures"),
            SectionState.INCLUDED,
        ),
        ReportSection(
            "",
            tr("Figures, methods, limits"),
            tr("A heatmap, and a plot of the first judgement's best measure{missing}", missing=missing),
            _state(has_both),
        ),
        *levels,
        ReportSection(
            "",
            tr("Reproduction"),
            tr("Digest of the study, and the commands that check the report"),
            SectionState.INCLUDED,
        ),
        ReportSection(
            _APPENDIX,
            tr("Appendix"),
            tr(
                "{tables} per level with p, n and dropped; means of {systems}; {signature_count}; "
                "experiments; commands and software versions",
                tables=tables,
                systems=tr("%n systems", "", contents.systems),
                signature_count=tr("%n signatures", "", signature_count),
            ),
            SectionState.INCLUDED if request.has_appendix else SectionState.EXCLUDED,
        ),
    )


def _state(has_data: object) -> SectionState:
    return SectionState.INCLUDED if has_data else SectionState.EMPTY


def _read_contents(study: Study) -> JobSteps[ReportContents]:
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


def _write_report(study: Study, request: ReportRequest, path: Path) -> JobSteps[WrittenFile]:
    study.verify()
    report = yield from build_report(study, replace(request, output=path.name))
    files = yield from write_report(report, path)
    figures = sum(len(section.illustrations) for section in report.sections)
    tables = sum(len(section.tables) for section in report.sections)
    kilobytes = sum(file.stat().st_size for file in files) / 1000
    contents = tr("%n tables", "", tables) + ", " + tr("%n figures", "", figures)
    return WrittenFile(
        path,
        tr(
            "{contents} · {kilobytes} kB · {parent}",
            contents=contents,
            kilobytes=format_count(kilobytes),
            parent=path.parent,
        ),
    )


def _pages_of(study: Study, request: ReportRequest) -> JobSteps[list[bytes]]:
    study.verify()
    report = yield from build_report(study, request)
    yield Progress(0, 0, tr("making the pages"))
    return page_images(report)


def _write_tables(study: Study, request: ReportRequest, folder: Path) -> JobSteps[WrittenFile]:
    study.verify()
    report = yield from build_report(study, request)
    files = write_csv(report, folder)
    return WrittenFile(folder, tr("%n tables", "", len(files)) + f" · {folder.parent}")


def _write_export(work: JobSteps[int], kind: str, path: Path, unit: str) -> JobSteps[WrittenFile]:
    count = yield from work
    return WrittenFile(path, f"{kind.capitalize()}, {format_count(count)} {unit} · {path.parent}")


class ReportItemsPresenter(QObject):
    """Show the added figures and tables on the Report page, move and remove them."""

    def __init__(self, view: ReportView, context: Context) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self._order: list[str] = []
        self._reading = PageReader(
            view,
            context,
            tr("Reading added figures"),
            lambda: one_step(partial(list_report_items, context.study)),
            {ChangeKind.SETTINGS},
        )
        self._reading.read.connect(self._show_items)
        view.items.moved.connect(self._move)
        view.items.removed.connect(lambda one: context.writes.track(remove(context.study, one)))

    @Slot(object)
    def _show_items(self, items: Sequence[ReportItem]) -> None:
        self._order = [item.id for item in items]
        self._view.items.show_items(items)

    @Slot(str, int)
    def _move(self, item_id: str, by: int) -> None:
        if item_id not in self._order:
            return
        order = [each for each in self._order if each != item_id]
        order.insert(max(0, self._order.index(item_id) + by), item_id)
        self._order = order
        self._context.writes.track(reorder(self._context.study, order))
