"""Builds the window and everything in it: the only module of gui that knows storage.

Storage and pages are imported when they are first needed, so that the window is there at once.
"""

from __future__ import annotations

import math
import signal
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from core.domain.formats import ExportDescription, FormatDescription
from core.domain.import_batch import ImportCounts
from core.errors import InputError, PyramidionError
from core.files.paths import printable_path
from core.files.preferences import PreferencesFile
from core.files.study_address import StudyAddress
from core.manual.page import ManualPage
from core.ports import Study
from core.progress import JobSteps, Progress, run_to_completion
from gui.background.gc_timer import GarbageTimer
from gui.background.preloader import DELAY_MS, Preloader, modules_of
from gui.commands.registry import Commands
from gui.dialogs.backups.view import BackupFile
from gui.dialogs.data_sets.presenter import DataSets, Imported
from gui.dialogs.data_sets.view import Row, Stored
from gui.dialogs.import_data.column_roles import FOREIGN_CHOICES
from gui.dialogs.import_data.presenter import Importer, preview_of
from gui.dialogs.import_data.values import ColumnRow, ImportPreview, RoleChoice, TableLayout
from gui.session.context import Context, PageSpec
from gui.shell.help.help_controller import Manual
from gui.shell.main_window import MainWindow
from gui.shell.study_opener import BackupFiles, NamedPacks, QuickEvaluation, ServerRequest, StudyActions
from gui.shell.window_controller import WindowController
from gui.style import icons, language, reading_preferences, theme
from gui.style.language import tr
from gui.widgets.page import Page
from gui.widgets.typed_text import typed_texts
from storage import user_folders
from storage.process_setup import set_up_process, user_indexes

if TYPE_CHECKING:
    from core.operations.evaluate import Evaluation
    from storage.evaluation import TemporaryStudy
    from storage.formats.mappings.key_uses import KeyUse

NAME = "pyramidion"
Build = Callable[[Context], tuple[Page, QObject]]
CommandPages = Callable[[], Iterable[ManualPage]]


def _page(key: str, package: str, help_page: str, function: str = "build") -> PageSpec:
    """A page by its package in gui/pages, imported when the page is first shown or built."""

    def load() -> Build:
        return cast(Build, getattr(import_module(f"gui.pages.{package}.presenter"), function))

    return PageSpec(key, load, help_page, partial(modules_of, f"gui.pages.{package}"))


PAGES = (
    _page("overview", "overview", "first-steps"),
    _page("texts", "texts", "texts"),
    _page("pyramids", "pyramid", "pyramids"),
    _page("matches", "match", "matches"),
    _page("nuggets", "pyramid", "nuggets", "build_nuggets"),
    _page("hits", "hits", "nuggets#hits"),
    _page("ratings", "ratings", "ratings"),
    _page("comparisons", "comparisons", "comparisons"),
    _page("progress", "progress", "assignment"),
    _page("agreement", "agreement", "agreement"),
    _page("adjudication", "adjudication", "adjudication"),
    _page("assignment", "assignment", "assignment"),
    _page("training", "training", "control"),
    _page("score", "score", "score"),
    _page("compare", "compare", "compare"),
    _page("judges", "judges", "statistics#judges"),
    _page("resample", "resample", "experiments"),
    _page("studies", "studies", "studies"),
    _page("report", "report", "report"),
)
AHEAD = ("gui.widgets", "gui.session", "gui.annotation", "gui.dialogs", "gui.results", "gui.pages")
"""Packages that are imported ahead."""


def open_window(study_path: StudyAddress | None, commands: CommandPages = tuple) -> int:
    """Open the window, on a study if one is named, and return the program's exit status when it is closed.

    commands: pages of the manual on the command line.
    """
    app = QApplication.instance() or QApplication(sys.argv[:1])
    if not isinstance(app, QApplication):
        raise RuntimeError("A program without windows runs in this process already.")
    app.setApplicationName(NAME)
    app.setApplicationDisplayName("Pyramidion")
    app.setDesktopFileName(NAME)
    app.setWindowIcon(icons.program_icon())
    language.install(app)
    set_up_process()
    controller, window = build_window(app, user_folders.settings_file(), commands=commands)
    garbage = GarbageTimer(window)
    garbage.start()
    controller.failures.install()
    window.show()
    preload(controller, window)
    controller.start(study_path)
    _store_at_the_end_of_the_session(app, window)
    try:
        return app.exec()
    finally:
        garbage.stop()


def preload(controller: WindowController, window: MainWindow) -> Preloader:
    """Import and build the pages of a window ahead, beginning when a page or the start page was shown."""
    ahead = partial(modules_of, *AHEAD)
    preloader = Preloader(window, ahead, window.build_ahead, lambda: bool(controller.jobs.running()))
    window.current_page_changed.connect(lambda _: preloader.start(DELAY_MS))
    preloader.start()
    return preloader


def _store_at_the_end_of_the_session(app: QApplication, window: MainWindow) -> None:
    """Store typed text when the desktop's session ends, and close the window when the system asks for it."""
    app.commitDataRequest.connect(lambda _: typed_texts().store(is_last=True))
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # not on Windows
            # Python runs the handler at the next tick of the garbage timer, maybe in the middle of an edit
            signal.signal(getattr(signal, name), lambda *_: QTimer.singleShot(0, window, window.close))


def build_window(
    app: QApplication, settings_path: Path, pages: Sequence[PageSpec] = PAGES, commands: CommandPages = tuple
) -> tuple[WindowController, MainWindow]:
    """The window and what drives it, not yet shown."""
    settings = PreferencesFile(settings_path)
    theme.apply(app, settings.now.theme, settings.now.text_percent)
    reading_preferences.apply(settings.now.reading_percent, settings.now.line_width)
    reading_preferences.select_by_character(settings.now.select_by_character)
    actions = Commands()
    actions.use_keys(dict(settings.now.keys))
    window = MainWindow(actions, pages)
    actions.setParent(window)
    studies = StudyActions(
        open=_open_steps,
        open_server=_open_server_steps,
        make=_create_steps,
        make_sample=_create_sample_steps,
        importer=partial(_importer, settings),
        export=export_steps,
        models=user_folders.models_folder(),
        indexes=user_indexes,
        backups=BackupFiles(
            back_up=_back_up_steps,
            lines=_backup_rows,
            restore=_restore_steps,
            study_of=_study_of,
            has_any=_has_backups,
        ),
        damage=_damage,
        read_packs=_read_packs,
        added_exports=added_exports,
        data_sets=partial(_data_sets, settings),
        quick_evaluation=_quick_evaluation,
    )
    return WindowController(
        window, actions, settings, studies, _manual(commands), user_folders.reports_folder()
    ), window


def _manual(commands: CommandPages) -> Manual:
    """The manual, with pages on the command line that the caller adds."""

    def pages(keys: str) -> Sequence[ManualPage]:
        from core.manual.contents import manual_pages

        return manual_pages(keys, commands())

    def attachments() -> Mapping[str, bytes]:
        from core.manual.contents import manual_files

        return manual_files()

    return Manual(pages, attachments)


def _open_steps(path: StudyAddress) -> JobSteps[Study]:
    yield Progress(0, 0)
    from storage.study_file import open_study

    return open_study(path, patience=math.inf)  # the window shows how many edits wait


def _open_server_steps(request: ServerRequest) -> JobSteps[Study]:
    yield Progress(0, 0)
    from storage.database.server.passwords import remember_password, store_password

    address, password = request.address, request.password
    if password:
        remember_password(address, password)
    try:
        if request.is_new:
            from storage.study_file import new_study

            new_study(address).close()
        study = yield from _open_steps(address)
    except PyramidionError:
        if password:
            remember_password(address, "")
        raise
    if request.stores_password:
        try:
            store_password(address, password)
        except PyramidionError:
            study.close()
            raise
    return study


def _create_steps(path: Path) -> JobSteps[Study]:
    yield Progress(0, 0)
    from storage.study_file import new_study

    return new_study(path, overwrite=path.exists())  # the file dialog has asked


def _create_sample_steps(path: Path) -> JobSteps[Study]:
    yield Progress(0, 0)
    from storage.sample_study import create_sample

    return (yield from create_sample(path, overwrite=path.exists()))


def export_steps(study: Study, what: str, name: str, path: Path) -> JobSteps[int]:
    """Write one kind of thing in a format to a path; returns how many rows it holds."""
    from storage.formats import export_registry

    yield Progress(0, 0, tr("checking the study"))
    study.verify()
    return (yield from export_registry.export_steps(study, export_registry.find(what, name), path))


def added_exports() -> Sequence[ExportDescription]:
    from storage.formats import registry

    return registry.added_exports()


def _damage(path: StudyAddress) -> JobSteps[str]:
    yield Progress(0, 0)
    from storage.integrity_check import damage_of

    return damage_of(path)


def _read_packs(study: StudyAddress, paths: Sequence[Path]) -> JobSteps[NamedPacks]:
    from storage.formats.annotation_packs import read_packs

    return (yield from read_packs(study, paths))


def _back_up_steps(study: Path, number: int, folder: Path | None) -> JobSteps[Path | None]:
    from storage.database.backups import back_up

    return (yield from back_up(study, number, folder))


def _backup_rows(study: Path, folder: Path | None) -> JobSteps[tuple[list[BackupFile], str]]:
    from storage.database import backups

    found: list[BackupFile] = []
    copies = backups.list_backups(study, folder)
    for backup in copies:
        yield Progress(len(found), len(copies), backup.path.name)
        found.append((backup, backups.content_of(backup.path)))
    return found, tr(" or in ").join(str(place) for place in backups.folders_of(study, folder))


def _restore_steps(study: Path, backup: Path, folder: Path | None) -> JobSteps[Path | None]:
    from storage.database.backups import restore

    return (yield from restore(study, backup, folder)).saved


def _study_of(path: Path) -> Path:
    from storage.database.backups import study_of

    return study_of(path)


def _has_backups(study: Path, folder: Path | None) -> bool:
    from storage.database.backups import list_backups

    try:
        return bool(list_backups(study, folder))
    except PyramidionError:
        return False


def _table_layout(path: Path, name: str, options: Mapping[str, str]) -> TableLayout | None:
    """Return how a source is read as a table by a format, None = it is none. Raises InputError."""
    from storage.formats import import_registry
    from storage.formats.mappings import foreign_tables
    from storage.formats.mappings.formats import mapping_text
    from storage.formats.mappings.key_uses import key_uses
    from storage.formats.readers.fields import kind_of
    from storage.formats.readers.tables import study_tables
    from storage.formats.readers.tables.arrow_records import PARQUET
    from storage.formats.readers.tables.csv_records import is_json
    from storage.formats.readers.tables.table_cells import is_delimited

    known = import_registry.find(name)
    document = mapping_text(known)
    if not known.is_table and not known.has_columns and not document:
        return None
    has_text = not path.is_dir() and (is_json(path) or is_delimited(path))
    layout = TableLayout(has_encoding=has_text, has_separator=has_text and not is_json(path))
    if document:
        with suppress(InputError):  # the reader reports the error
            uses = run_to_completion(key_uses(path, document, name, options))
            return replace(layout, columns=tuple(map(_mapped_row, uses)))
    try:
        found = foreign_tables.sample(path, options, is_own=not known.is_foreign)
    except InputError:
        return layout  # the reader reports the error
    if found.needs_encoding:
        return replace(layout, needs_encoding=True)
    layout = replace(
        layout, parts=found.parts, part=found.part, part_title=tr("Split") if path.is_dir() else tr("Sheet")
    )
    values = zip(*found.rows, strict=True) if found.rows else ((),) * len(found.columns)
    if known.is_foreign:
        unclear = {question.column: question.what for question in found.questions}
        columns = [
            ColumnRow(
                use.column,
                first,
                "" if use.role == "ignore" else str(use.role),
                use.detail,
                unclear.get(use.column, ""),
                use.is_guessed,
                use.why,
            )
            for use, first in zip(found.uses, values, strict=True)
        ]
        has_topics = any(use.role == "topic" for use in found.uses)
        layout = replace(layout, choices=FOREIGN_CHOICES, needs_topics=not has_topics)
    elif known.has_columns:
        own, why = study_tables.COLUMNS, (tr("not recognized"), "heading")
        roles = {column: role for role, column in foreign_tables.assignments(options).items()}
        columns = [
            ColumnRow(name, first, roles.get(name, name if name in own else ""), why=why[name in own])
            for name, first in zip(found.columns, values, strict=True)
        ]
        layout = replace(layout, choices=(RoleChoice("", tr("Not used")), *(RoleChoice(n, n) for n in own)))
    else:
        return layout
    if path.is_dir() or kind_of(path) in PARQUET or is_json(path):  # which have objects in objects
        columns = [replace(one, path=_path_of(one.name)) for one in columns]
    return replace(layout, columns=tuple(columns))


def _mapped_row(use: KeyUse) -> ColumnRow:
    """Return a key with what it becomes by a mapping, in words."""
    titles = {choice.key: choice.title for choice in FOREIGN_CHOICES if choice.key}
    parts = [role.partition(":") for role in use.roles]
    named = [f"{titles.get(key, key.capitalize())}{colon} {of}".strip() for key, colon, of in parts]
    if use.is_read and not named:
        return ColumnRow(
            ".".join(use.path), use.values, tr("Used"), why=tr("read by the mapping"), path=use.path
        )
    why = "" if named else tr("nothing reads it")
    return ColumnRow(".".join(use.path), use.values, ", ".join(named), why=why, path=use.path)


def _path_of(column: str) -> tuple[str, ...]:
    """Return the keys that a flattened column of nested JSON is made of; ``No.`` and ``Mr. X`` are one."""
    keys = tuple(column.split("."))
    return keys if all(key and key == key.strip() for key in keys) else (column,)


def _data_sets(settings: PreferencesFile, study: Study | None) -> DataSets:
    from core.models.catalogue.hub import offline_reason
    from storage.data_set_download import Downloaded, download, import_steps, is_stored, study_steps
    from storage.database.backups import back_up
    from storage.datasets.catalogue import data_sets, find_data_set

    folder = user_folders.data_sets_folder()
    stored = {True: Stored.ALL, None: Stored.PART, False: Stored.NOTHING}

    def rows() -> JobSteps[Sequence[Row]]:
        found: list[Row] = []
        for one in data_sets():
            yield Progress(len(found), 0, one.title)
            found.append((one, stored[is_stored(one, folder)]))
        return found

    def imported(downloaded: Downloaded, counts: ImportCounts) -> Imported:
        notes = [tr("Cite {citation}.", citation=downloaded.data_set.citation)]
        if downloaded.unverified:
            notes.append(tr("No hash is published for its files: they were not verified."))
        return Imported(counts, " ".join(notes))

    def create(name: str, path: Path, accepts_changes: bool) -> JobSteps[Imported]:
        there = yield from download(find_data_set(name), folder, accepts_changes=accepts_changes)
        counts = yield from study_steps(path, there, {}, overwrite=path.exists())  # the file dialog has asked
        return imported(there, counts)

    def add(study: Study, name: str, accepts_changes: bool) -> JobSteps[Imported]:
        there = yield from download(find_data_set(name), folder, accepts_changes=accepts_changes)
        if isinstance(study.path, Path) and study.texts.topics():
            yield from back_up(study.path, settings.now.backups, settings.now.backups_in)
        counts = yield from import_steps(study, there, {})
        return imported(there, counts)

    return DataSets(rows, offline_reason, create, partial(add, study) if study is not None else None)


def _quick_evaluation() -> QuickEvaluation:
    """A quick evaluation; its temporary study is created by the first run."""
    made: list[TemporaryStudy] = []

    def evaluate(files: Sequence[Path], metrics: Sequence[str]) -> JobSteps[Evaluation]:
        yield Progress(0, 0, "preparing")
        from core.operations.options import EvaluateRequest
        from storage.evaluation import EvaluatedFiles, TemporaryStudy

        if not made:
            made.append(TemporaryStudy(lambda notice: notice.sentence))
        request = EvaluateRequest(metrics=tuple(metrics))
        return (yield from made[0].evaluate(EvaluatedFiles(tuple(files)), request))

    def keep(path: Path) -> JobSteps[None]:
        yield Progress(0, 0, tr("writing {name}", name=printable_path(path.name)))
        made[0].keep(path, overwrite=path.exists())  # the file dialog has asked

    def close() -> None:
        for study in made:
            study.close()

    return QuickEvaluation(_metric_names, evaluate, keep, close)


def _metric_names() -> JobSteps[Sequence[str]]:
    """Return the names in tables of the metrics that can run here, the usual ones first."""
    yield Progress(0, 0, tr("looking for metrics"))
    from core.metrics import registry
    from core.operations.options import LEXICAL
    from core.operations.score import requested_configs
    from core.scoring.study_resources import StudyResources

    names = dict.fromkeys(LEXICAL)
    for config in requested_configs((), StudyResources()):
        names |= dict.fromkeys(registry.split_label(one)[0] for one in config.metric.measures()[:1])
    return [name for name in names if name]


def _importer(settings: PreferencesFile, study: Study) -> Importer:
    from core.files.atomic_write import atomic_open
    from storage.database.backups import back_up
    from storage.formats import import_registry
    from storage.formats.mappings.formats import mapping_text
    from storage.formats.readers.tables.table_cells import PART
    from storage.formats.registry import PLUGINS

    def detect(path: Path) -> JobSteps[str]:
        found = yield from import_registry.detection_steps(path)
        if found is None:
            is_folder = path.is_dir()
            found = next(f for f in import_registry.formats() if is_folder != bool(f.suffixes))
        return found.name

    def preview(path: Path, name: str, options: Mapping[str, str]) -> JobSteps[ImportPreview]:
        yield Progress(0, 0, tr("reading {name}", name=printable_path(path.name)))
        layout = _table_layout(path, name, options)
        part = {PART: layout.part} if layout is not None and layout.part else {}
        try:
            request = import_registry.import_request(path, name, {**options, **part})
            seen = yield from import_registry.preview_steps(study, request)
        except InputError as error:
            if layout is None:
                raise
            return ImportPreview(problems=(str(error),), table=layout)
        found = preview_of(seen.incoming, seen.counts, seen.problems)
        if layout is not None and layout.needs_encoding and found.problem_count > 1:
            others = tr("%n more lines cannot be read either.", "", found.problem_count - 1)
            found = replace(found, problems=(found.problems[0], others))
        assumed = seen.incoming.assumed_annotator if seen.incoming is not None else ""
        return replace(
            found,
            notices=(*found.notices, *PLUGINS.failures()),
            mapping=found.mapping or mapping_text(seen.format),
            table=layout,
            assumed_annotator=assumed,
            needs_annotator=seen.format.asks_annotator and assumed == seen.format.name,
        )

    def import_file(path: Path, name: str, options: Mapping[str, str]) -> JobSteps[ImportCounts]:
        if isinstance(study.path, Path) and study.texts.topics():
            yield from back_up(study.path, settings.now.backups, settings.now.backups_in)
        request = import_registry.import_request(path, name, options)
        return (yield from import_registry.import_steps(study, request))

    def read_mapping(path: Path) -> JobSteps[FormatDescription]:
        yield Progress(0, 0, tr("reading {name}", name=printable_path(path.name)))
        return replace(import_registry.find(str(path)), name=str(path))

    def save_mapping(text: str, where: Path | str) -> JobSteps[Path]:
        yield Progress(0, 0, tr("saving the mapping"))
        if isinstance(where, str):
            return import_registry.add_mapping(text, where)
        with atomic_open(where) as out:
            out.write(text)
        return where

    return Importer(import_registry.formats(), detect, preview, import_file, read_mapping, save_mapping)
