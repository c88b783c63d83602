"""Controller of the main window: open and close studies, annotator, settings, dialogs.

Storage is used only through the functions in `gui.shell.study_opener.StudyActions`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QMenu

from core.annotation.annotators import annotators_of
from core.annotation.assignment import manager_needed
from core.domain.annotator_filter import name_refusal
from core.domain.decisions import ADJUDICATE
from core.domain.import_batch import ImportCounts
from core.errors import InputError, PyramidionError, StudyDamaged, StudyLost
from core.files.paths import path_exists
from core.files.preferences import PreferencesFile
from core.files.study_address import ServerAddress, StudyAddress, parse_study_address
from core.ports import ChangeKind, EditReceipt, Study
from core.progress import JobSteps
from gui.background.jobs import Job, JobQueue, Jobs
from gui.commands.definitions import NAMES
from gui.commands.registry import Commands
from gui.dialogs.import_data.presenter import ImportPresenter, sentence
from gui.dialogs.import_data.view import ImportDialog
from gui.session.context import Context, Repeat
from gui.session.edits import ChangeFeed, Selection, UndoHistory, WriteTracker
from gui.shell import dialogs
from gui.shell.appearance import Appearance
from gui.shell.backup_controller import BackupController
from gui.shell.dialogs import ServerDialog
from gui.shell.error_reporting import Failures
from gui.shell.exchange import EXPORTS, MergeController, export_pyramids, export_table
from gui.shell.help.help_controller import HelpController, Manual
from gui.shell.main_window import MainWindow
from gui.shell.progress_counts import ProgressCounts
from gui.shell.status_line import JobStatus
from gui.shell.study_opener import OpenedStudy, StudyActions, open_with_annotator, user_name
from gui.shell.tool_windows import ToolWindows
from gui.shell.welcome import Tour, WelcomeView
from gui.style import reading_preferences
from gui.style.language import literal, tr
from gui.widgets import buttons
from gui.widgets.dialog import MessageDialog
from gui.widgets.file_dialogs import (
    STUDY_SUFFIX,
    ask_file,
    ask_folder,
    ask_study_to_open,
    ask_where_to_save,
    start_in,
)
from gui.widgets.typed_text import typed_texts

if TYPE_CHECKING:
    from gui.dialogs.backups.view import RestoreDialog
    from gui.dialogs.data_sets.presenter import Imported

CLOSE_SECONDS = 5.0
PLACE_MS = 1000
FIRST_PAGE = "overview"
PAGES_OF = (
    ({ChangeKind.NUGGETS, ChangeKind.PYRAMIDS}, "nuggets"),
    ({ChangeKind.NUGGETS}, "hits"),
    ({ChangeKind.PYRAMIDS}, "pyramids"),
    ({ChangeKind.MATCHES}, "matches"),
    ({ChangeKind.RATINGS}, "ratings"),
    ({ChangeKind.COMPARISONS}, "comparisons"),
)
"""Page on which edits of these kinds are made; an edit belongs to the first whose kinds it has."""
SAMPLE_NAME = "sample.pyramidion"
_SERVER_BACKUPS = tr(
    "The backups of a study on a server are made on the server. Ask who administers it "
    "to restore a dump of the database (`pg_restore`)."
)


class WindowController(QObject):
    """Connects the window to studies."""

    def __init__(
        self,
        window: MainWindow,
        commands: Commands,
        settings: PreferencesFile,
        files: StudyActions,
        manual: Manual,
        reports: Path,
    ) -> None:
        super().__init__(window)
        self.window, self.commands, self.settings, self._files = window, commands, settings, files
        self.dialog: QDialog | None = None  # the open dialog
        self.context: Context | None = None  # open study with its session objects, None = no study is open
        self.progress_counts: ProgressCounts | None = None
        self._is_closing = False
        self._closes_unsaved = False
        self._stated: Exception | None = None  # the last failure to open or restore, which has its dialog
        self._suspected: set[StudyAddress] = set()  # studies that are checked after a failure
        # with page and topic, while it is opened again
        self._lost_at: tuple[StudyAddress, str, str] | None = None
        self._is_annotator_known = False
        self._place_timer = QTimer(self, singleShot=True, interval=PLACE_MS)  # a killed program remembers too
        self.recent_menu = QMenu(tr("O&pen recent"), window)
        self.jobs = Jobs(self)
        self.failures = Failures(reports, self._refuse, self._report, self)
        self._job_line = JobStatus(window.status, self.jobs, self)
        self.appearance = Appearance(window, commands, settings, self._open_dialog, self)
        self.help_windows = HelpController(window, commands, manual, self.jobs, self)
        self.backup_controller = BackupController(files.backups, settings, window, self._open_dialog, self)
        self.tool_windows = ToolWindows(window, commands, self.jobs, files, settings, self)
        self.tour = Tour(window, commands, settings, self)
        self.commands.refused.connect(self.show_message)
        self.window.closing.connect(self.close)
        self.window.dropped.connect(self.take_dropped)
        self._place_timer.timeout.connect(self._remember_place)
        self.window.current_page_changed.connect(lambda: self._place_timer.start())
        self.window.page_left.connect(self._clear_sentence)
        reading_preferences.signal().words_selected.connect(self._clear_sentence)
        self.commands.insert_menu("study.open", self.recent_menu)
        self.recent_menu.aboutToShow.connect(self._list_recent)
        self.appearance.resized.connect(self._reopen)
        self.help_windows.keys_requested.connect(self.appearance.ask_keys)
        self.help_windows.refused.connect(self.state)
        self.tool_windows.message.connect(self.show_message)
        self.jobs.failed.connect(self._job_failed)
        self.backup_controller.failed.connect(self.state)
        self.backup_controller.idle.connect(self._close_after_backup)
        self._offer_commands()

    def start(self, study: StudyAddress | None) -> None:
        """Show the start page, and open a study if one is given."""
        self.window.restore(self.settings.now.geometry)
        self.appearance.show_device()
        self.show_welcome()
        if study is not None:
            self.open_path(study)

    def show_welcome(self) -> None:
        """Close the study and show the start page."""
        self._close_study()
        welcome = WelcomeView()
        welcome.sample_button.clicked.connect(self.ask_sample)
        welcome.open_button.clicked.connect(self.ask_open)
        welcome.server_button.clicked.connect(lambda: self.ask_open_server())
        welcome.new_button.clicked.connect(lambda: self.ask_new())
        welcome.import_button.clicked.connect(self.ask_new_and_import)
        welcome.data_set_button.clicked.connect(self.ask_data_set)
        welcome.evaluation_button.clicked.connect(self.ask_evaluation)
        welcome.recent_chosen.connect(lambda name: self.open_path(parse_study_address(name)))
        welcome.show_recent(self._recent())
        self.window.show_alone(welcome)

    def open_path(self, path: StudyAddress) -> Job:
        """Open the study at a path or URL."""
        return self._begin(tr("Opening {name}", name=path.name), self._files.open(path), path)

    def _recent(self) -> list[StudyAddress]:
        """Return the recently opened studies; files only if they still exist."""
        recent = [address for name in self.settings.now.recent if (address := _parsed(name)) is not None]
        return [each for each in recent if not isinstance(each, Path) or path_exists(each)]

    @Slot()
    def _list_recent(self) -> None:
        self.recent_menu.clear()
        for path in self._recent():
            where = path.parent if isinstance(path, Path) else path.server
            self.recent_menu.addAction(literal(f"{path.stem}  ({where})")).triggered.connect(
                lambda _=False, path=path: self.open_path(path)
            )
        if self.recent_menu.isEmpty():
            self.recent_menu.addAction(tr("No recent studies")).setEnabled(False)

    @Slot()
    def ask_open(self) -> None:
        if (path := ask_study_to_open(self.window)) is not None:
            self.open_path(path)

    def ask_open_server(self, address: ServerAddress | None = None) -> None:
        """Ask for the URL of a study on a server, to open or create it.

        address: to start with, None = the last one.
        """
        recent = (each for each in self._recent() if isinstance(each, ServerAddress))
        proposed = address or next(recent, None)
        dialog = ServerDialog(str(proposed or ""), self.window)
        dialog.accepted.connect(lambda: self._open_server(dialog))
        self._open_dialog(dialog)

    def _open_server(self, dialog: ServerDialog) -> None:
        if (request := dialog.request) is not None:
            name, steps = request.address.name, self._files.open_server(request)
            title = tr("Creating {name}", name=name) if request.is_new else tr("Opening {name}", name=name)
            self._begin(title, steps, request.address)

    def ask_new(self, suggested: str = "study.pyramidion") -> Job | None:
        """Ask for a path and create an empty study there; return the job that does, None = cancelled."""
        if (path := dialogs.ask_study_to_make(self.window, suggested)) is None:
            return None
        return self._begin(tr("Creating {name}", name=path.name), self._files.make(path), path)

    @Slot()
    def ask_new_and_import(self) -> None:
        """Ask for a path, create an empty study there, and open the import."""
        if (job := self.ask_new()) is not None:
            job.finished.connect(lambda: self.ask_import())

    @Slot()
    def ask_sample(self) -> None:
        """Ask for a path and create the sample study there."""
        if (path := dialogs.ask_study_to_make(self.window, SAMPLE_NAME)) is None:
            return
        job = self._begin(tr("Creating the sample study"), self._files.make_sample(path), path)
        job.finished.connect(lambda: self.tour.offer())
        welcome = self.window.stack.currentWidget()
        if isinstance(welcome, WelcomeView):
            welcome.show_creating(job.latest)
            job.progressed.connect(welcome.show_creating)
            job.ended.connect(welcome.show_ready)

    @Slot(object)
    def take_dropped(self, path: Path) -> None:
        """Open a study that was dropped on the window; offer to import any other file or folder."""
        if path.suffix == STUDY_SUFFIX:
            self.open_path(path)
        elif self.context is not None:
            self.ask_import(path)
        elif (job := self.ask_new(f"{path.stem}{STUDY_SUFFIX}")) is not None:
            job.finished.connect(lambda: self.ask_import(path))

    def ask_import(self, source: Path | None = None) -> None:
        """Open the import dialog for the open study.

        source: the file or folder to start with, None = not chosen yet.
        """
        if self.context is None:
            self.ask_new_and_import()
            return
        if self._is_refused():
            return
        importer = self._files.importer(self.context.study)
        dialog = ImportDialog(importer.formats, self.window)
        presenter = ImportPresenter(
            dialog,
            importer,
            self.jobs,
            lambda: ask_file(dialog, tr("Choose a file"), dialogs.SOURCES),
            lambda: ask_folder(dialog, tr("Choose a folder")),
            lambda: ask_file(dialog, tr("Use a mapping"), tr("Mappings (*.toml)")),
            lambda name: ask_where_to_save(dialog, tr("Save mapping"), name, [(tr("Mapping"), ".toml")]),
            self.context.annotator.id,
        )
        presenter.imported.connect(self._show_import)
        self._open_dialog(dialog)
        presenter.choose(source)

    def _show_import(self, counts: ImportCounts, note: str = "") -> None:
        """Show on Overview, with the next step, what came and what was left out. note: on its source."""
        from gui.pages.overview.view import OverviewView

        self.window.show_page(FIRST_PAGE)
        came = f"{sentence(counts)} {note}".rstrip()
        if isinstance(page := self.window.stack.currentWidget(), OverviewView):
            page.show_import(came, [*counts.left_out, *counts.remarks])
        self.show_message(came)

    @Slot()
    def ask_data_set(self) -> None:
        """Open the list of public data sets, to download one into a new or the open study."""
        from gui.dialogs.data_sets.presenter import DataSetPresenter
        from gui.dialogs.data_sets.view import DataSetDialog

        study = self.context.study if self.context is not None else None
        if study is not None and (study.read_only or self._is_for_managers()):
            study = None
        dialog = DataSetDialog(self.window, open_study=study.name if study is not None else "")
        presenter = DataSetPresenter(
            dialog,
            self._files.data_sets(study),
            self.jobs,
            lambda suggested: dialogs.ask_study_to_make(dialog, suggested),
            lambda page: QDesktopServices.openUrl(QUrl(page)),
        )
        presenter.created.connect(self._open_data_set)
        presenter.added.connect(lambda done: self._show_import(done.counts, done.note))
        self._open_dialog(dialog)

    @Slot()
    def ask_evaluation(self) -> None:
        """Open the quick evaluation of files without a study."""
        from gui.shell.evaluation.presenter import QuickEvaluationPresenter
        from gui.shell.evaluation.view import QuickEvaluationDialog

        dialog = QuickEvaluationDialog(self.window)
        presenter = QuickEvaluationPresenter(
            dialog,
            self._files.quick_evaluation(),
            self.jobs,
            lambda: dialogs.ask_evaluated_files(dialog),
            partial(ask_where_to_save, dialog),
            lambda suggested: dialogs.ask_study_to_make(dialog, suggested),
        )
        presenter.kept.connect(self.open_path)
        self._open_dialog(dialog)

    def _open_data_set(self, path: Path, imported: Imported) -> None:
        job = self.open_path(path)
        job.finished.connect(lambda _: self._show_import(imported.counts, imported.note))

    def ask_export(self) -> None:
        """Ask for a folder and export the pyramids and matches there."""
        if self.context is not None:
            export_pyramids(self.context, lambda question: ask_folder(self.window, question))

    def ask_export_table(self, what: str) -> None:
        """Ask for a file and export texts, scores, judgements, ratings, scales or annotations."""
        if self.context is not None:
            export_table(self.context, what, partial(ask_where_to_save, self.window))

    def ask_merge(self) -> None:
        """Ask for annotation packs or studies, show what they would change, and merge them."""
        if self.context is not None and not self._is_refused():
            merging = MergeController(self.context, self._files, self.settings, self.window)
            merging.dialog_requested.connect(self._open_dialog)
            merging.ask()

    def _is_for_managers(self) -> str:
        """Return why only a manager may import into the open study, empty = the annotator may."""
        context = self.context
        return manager_needed(context.study, context.annotator.name) if context is not None else ""

    def _is_refused(self) -> bool:
        """Say and return whether only a manager may do what is asked for."""
        refusal = self._is_for_managers()
        if refusal:
            self.state(refusal)
        return bool(refusal)

    def ask_restore(self) -> None:
        """Ask which backup of the open study to restore, or of a study that is chosen first."""
        if self.context is not None:
            study = self.context.study.path
            if isinstance(study, Path):
                self.ask_restore_of(study)
            else:
                self.state(_SERVER_BACKUPS)
        elif (path := ask_study_to_open(self.window)) is not None:
            self.ask_restore_of(self._files.backups.study_of(path))

    def ask_restore_of(self, study: Path) -> None:
        """Ask which backup of a study to restore; the study may be damaged or missing."""
        from gui.dialogs.backups.view import RestoreDialog  # not at start-up

        dialog = RestoreDialog(study, self.window)
        work = self._files.backups.lines(study, self.settings.now.backups_in)
        job = self.jobs.start(
            tr("Checking the backups of {name}", name=study.name), work, JobQueue.CHECKING, dialog
        )
        job.finished.connect(lambda found: dialog.show_backups(*found))
        job.failed.connect(lambda error: dialog.notice.setText(str(error)))
        dialog.other_button.clicked.connect(lambda: self._choose_backup(dialog))
        dialog.accepted.connect(lambda: self._restore(study, dialog.chosen))
        dialog.finished.connect(job.cancel)
        self._open_dialog(dialog)

    def ask_annotator(self) -> None:
        """Ask for the annotator and show the study as theirs."""
        if self.context is not None:
            dialog = self._annotator_dialog(self.context, self.context.annotator.name)
            dialog.accepted.connect(lambda: self._take_annotator(dialog.name))
            self._open_dialog(dialog)

    def _take_annotator(self, name: str) -> None:
        """Show the study as an annotator's; texts that were refused without one are stored."""
        if self._annotate_as(name) is None:
            typed_texts().store(is_last=True)

    def may_edit(self, repeat: Repeat | None = None) -> bool:
        """Return whether an edit may be made now; ask a new user for their name before their first one.

        If the user chooses another name, the pages are built again for that annotator and `repeat` makes the
        edit.
        """
        self._clear_sentence()
        if self.context is not None and (reason := self.context.study.read_only):
            self.show_message(reason)
            return False
        if self._is_annotator_known or self.context is None:
            return True
        context = self.context
        dialog = self._annotator_dialog(context, user_name(self.settings.now.annotator))
        self._note_dialog(dialog)
        if not dialog.exec():
            self.show_message(tr("Nothing was changed. Choose who annotates first."))
            return False
        job = self._annotate_as(dialog.name)
        if job is not None and repeat is not None:
            job.finished.connect(lambda _: self._repeat(repeat))
        return job is None

    def _repeat(self, repeat: Repeat) -> None:
        """Make an edit for the annotator who was chosen just before it."""
        if (context := self.context) is not None:
            fault = repeat(context)
            self.show_message(
                tr(
                    "You annotate as {name} now. {value}",
                    name=context.annotator.name,
                    value=fault or tr("The edit was made as yours."),
                )
            )

    def _annotator_dialog(self, context: Context, proposed: str) -> dialogs.AnnotatorDialog:
        names = [person.name for person in annotators_of(context.study)]
        refusal = partial(name_refusal, people=context.study.annotators.all())
        return dialogs.AnnotatorDialog(names, proposed, self.window, refusal)

    @Slot(str)
    def show_message(self, sentence: str) -> None:
        """Show a temporary message in the status line; a command id in braces is replaced by its shortcut."""
        self.window.status.show_message(self.commands.expand_shortcuts(sentence))

    @Slot()
    def _clear_sentence(self) -> None:
        """Remove the temporary message, which is about an earlier edit or selection."""
        self.window.status.show_message("")

    @Slot(str)
    def state(
        self,
        sentence: str,
        small: str = "",
        *,
        title: str = tr("This did not work"),
        verb: str = tr("Close"),
        remedy: str = "",
        on_remedy: Callable[[], object] | None = None,
    ) -> MessageDialog:
        """Show an error in a dialog and return that. remedy: of a second button, which does `on_remedy`."""
        dialog = MessageDialog(title, sentence, small, verb, self.window, remedy=remedy)
        if on_remedy is not None:
            dialog.remedy_requested.connect(on_remedy)
        self._open_dialog(dialog)
        return dialog

    def ask_close(self) -> None:
        """Close the study and show the start page; ask first if edits wait for a server."""
        if not self._asks_to_wait(self.ask_close):
            self.show_welcome()

    def _unsaved(self) -> str:
        """Return why edits are not saved yet; empty = they are, or will be in a moment."""
        typed_texts().store(is_last=True)
        context = self.context
        return context.changes.loss if context is not None and context.writes.is_saving else ""

    def _asks_to_wait(self, close: Callable[[], object]) -> bool:
        """Ask whether to wait for the server, if edits would be lost; else call `close` again."""
        unsaved = self._unsaved()
        if not unsaved or self._closes_unsaved:
            return False

        def close_unsaved() -> None:
            self._closes_unsaved = True
            close()
            self._closes_unsaved = False

        title, remedy = tr("Edits are not saved yet"), tr("Close without saving")
        self.state(unsaved, title=title, verb=tr("Wait"), remedy=remedy, on_remedy=close_unsaved)
        return True

    @Slot()
    def close(self) -> None:
        """Stop all jobs, wait a limited time, close the study, store the window's geometry.

        The window stays until the backup is complete, unless the user stops it, and until the user has read
        that files of the study were lost.
        """
        self.settings.change(geometry=self.window.geometry_text())
        if self._asks_to_wait(self.window.close):
            self.window.hold_open()
            return
        lost = self._close_study()
        if lost is not None and not self.backup_controller.is_busy:
            self.window.hold_open()
            lost.finished.connect(self.window.close)
            return
        if self.backup_controller.is_busy:
            self._is_closing = True
            self.window.hold_open()
            self.backup_controller.wait_visibly()
            return
        self.jobs.cancel_all(CLOSE_SECONDS)
        self.failures.uninstall()
        self.help_windows.close()

    def _begin(self, title: str, steps: JobSteps[Study], path: StudyAddress) -> Job:
        work = open_with_annotator(
            steps, self.settings.now.annotator_of, user_name(self.settings.now.annotator)
        )
        job = self.jobs.start(title, work, JobQueue.FILES)
        job.finished.connect(self._opened)
        job.failed.connect(lambda error: self._not_opened(path, error))
        return job

    @Slot(object)
    def _opened(self, opened: OpenedStudy) -> None:
        if unsaved := self._unsaved():
            opened.study.close()
            self.state(
                tr(
                    "{name} was not opened, as edits are not saved yet. {unsaved}",
                    name=opened.study.path.name,
                    unsaved=unsaved,
                )
            )
            return
        page, topic = self._place_in(opened.study)
        self._show_notices(opened.study)
        self._close_study()
        self.settings.save(self.settings.now.with_recent(opened.study.path))
        if isinstance(opened.study.path, Path):
            start_in(opened.study.path.parent)
        self._show(opened, page, topic)

    def _not_opened(self, path: StudyAddress, error: Exception) -> None:
        if not isinstance(error, PyramidionError):
            return
        self._stated = error
        if isinstance(path, ServerAddress):
            again = partial(self.ask_open_server, path)
            self.state(str(error), remedy=tr("Connect again…"), on_remedy=again)
            return
        can_restore = self._files.backups.has_any(path, self.settings.now.backups_in)
        remedy = tr("Restore a backup…") if can_restore or isinstance(error, StudyDamaged) else ""
        self.state(str(error), remedy=remedy, on_remedy=partial(self.ask_restore_of, path))

    @Slot()
    def _close_after_backup(self) -> None:
        if not self._is_closing:
            return
        self._is_closing = False
        if isinstance(self.dialog, MessageDialog):
            self.dialog.finished.connect(self.window.close)  # it reports that the backup failed
        else:
            self.window.close()

    def _choose_backup(self, dialog: RestoreDialog) -> None:
        if (path := ask_study_to_open(dialog)) is not None:
            dialog.choose_other(path)

    def _restore(self, study: Path, backup: Path | None) -> None:
        if backup is None:
            return
        was_open = self.context is not None
        if self.context is not None and self._is_annotator_known:  # another one may have been its last
            name = self.context.annotator.name
            self.settings.save(self.settings.now.with_annotator(study, name))
        self._close_study(backup=False)
        self.show_welcome()
        work = self._files.backups.restore(study, backup, self.settings.now.backups_in)
        job = self.jobs.start(tr("Restoring {name}", name=study.name), work, JobQueue.FILES)
        job.finished.connect(lambda saved: self._restored(study, backup, saved))
        job.failed.connect(lambda error: self._not_restored(study, error, was_open))

    def _restored(self, study: Path, backup: Path, saved: Path | None) -> None:
        rest = (
            tr(" The file that was there is saved as {name}.", name=saved.name) if saved is not None else ""
        )
        job = self.open_path(study)
        job.finished.connect(
            lambda _: self.show_message(tr("Restored from {name}.{rest}", name=backup.name, rest=rest))
        )

    def _not_restored(self, study: Path, error: Exception, was_open: bool) -> None:
        if isinstance(error, PyramidionError):
            self._stated = error
            self.state(str(error))
        if was_open:
            self.open_path(study)

    def _place_in(self, study: Study) -> tuple[str, str]:
        """Return page and topic to start with: the current ones of an open study, else those of last time."""
        if self._lost_at is not None and self._lost_at[0] == study.path:
            return self._lost_at[1:]
        if self.context is not None and self.context.study.path == study.path:
            return self.window.page_key, self.context.selection.topic_id
        page, topic = self.settings.now.place_in(study.path)
        is_there = topic and any(head.id == topic for head in study.texts.topics())
        return page if page in self.window.page_keys else FIRST_PAGE, topic if is_there else ""

    @Slot()
    def _remember_place(self) -> None:
        """Store the current page and topic as those to start with next time."""
        self._place_timer.stop()
        if self.context is not None:
            place = self.window.page_key, self.context.selection.topic_id
            self.settings.save(self.settings.now.with_place(self.context.study.path, *place))

    def _show_notices(self, study: Study) -> None:
        """Show messages about the study's files in a bar that stays until the user closes it."""
        lost, self._lost_at = self._lost_at, None
        notices = list(study.notices)
        if lost is not None and lost[0] == study.path:
            notices.insert(0, self.window.notice.text_label.text())
        self.window.notice.show_message(notices[0] if notices else "", others=notices[1:])

    def _refuse(self, error: PyramidionError) -> None:
        """Show an error that no page handles; a server that is away is shown in the bar as well."""
        if isinstance(error, StudyLost) and self.context is not None and self._is_on_server():
            self.show_message(str(error))
            self.context.changes.repeat()
        else:
            self.state(str(error))

    def _is_on_server(self) -> bool:
        return self.context is not None and isinstance(self.context.study.path, ServerAddress)

    @Slot(object)
    def _refused(self, error: PyramidionError) -> None:
        if isinstance(error, StudyLost):
            self._lost(error)
        elif self.context is not None and self.context.study.read_only:
            self.show_message(str(error))
        else:
            self.state(str(error))

    @Slot(object)
    def _lost(self, error: PyramidionError) -> None:
        """Show that the study's files were moved or replaced; open it again if edits can continue only so.

        A server that is away is shown in the bar only, as edits wait for it.
        """
        if self.context is None:
            return
        if self._is_on_server():
            self.window.notice.show_message(str(error))
            return
        if not isinstance(error, StudyLost) or error.may_return:
            self.window.notice.show_message(str(error))
            self.state(str(error))
            return
        self.window.notice.show_message(tr("{report} The study was opened again.", report=error.report))
        path, topic = self.context.study.path, self.context.selection.topic_id
        self._lost_at = (path, self.window.page_key, topic)
        self._close_study(backup=False)
        typed_texts().write_failed()  # what the rescue copy may lack is shown again
        self.show_welcome()
        self.open_path(path)

    @Slot()
    def _returned(self) -> None:
        """Show that the study's file or server is available again."""
        self.window.notice.show_message("")
        if self._is_on_server():
            self.show_message(tr("Connected to the server again."))

    def _show(self, opened: OpenedStudy, page: str, topic: str) -> None:
        study, annotator = opened.study, opened.annotator
        selection, writes, changes = Selection(self), WriteTracker(self), ChangeFeed(study, self)
        context = Context(
            study=study,
            annotator=annotator,
            selection=selection,
            jobs=self.jobs,
            settings=self.settings,
            commands=self.commands,
            history=UndoHistory(study, annotator, selection, writes, changes, self.jobs, self),
            writes=writes,
            changes=changes,
            show_page=self.window.show_page,
            show_progress=self.window.show_progress,
            show_message=self.show_message,
            export=partial(self._files.export, study),
            may_edit=self.may_edit,
            added_exports=self._files.added_exports,
        )
        self._know_annotator(bool(self.settings.now.annotator_of(study.path)))
        context.history.available.connect(self._show_history)
        context.history.reported.connect(self.show_message)
        selected = context.selection
        for moved_on in (selected.topic_changed, selected.summary_changed, selected.scu_changed):
            moved_on.connect(self._clear_sentence)
        context.history.moved.connect(self._show_page_of, Qt.ConnectionType.QueuedConnection)
        changes.lost.connect(self._lost)
        changes.returned.connect(self._returned)
        writes.refused.connect(self._refused)
        self.context = context
        self.tool_windows.serve(context)
        self.backup_controller.serve(context)
        self.commands.set_read_only(study.read_only)
        buttons.lock(study.read_only)
        self.window.show_study(context)
        self._allow_study_commands(True)
        self.progress_counts = ProgressCounts(study, annotator, self.jobs, changes, self)
        self.progress_counts.counted.connect(self.window.show_progress)
        selection.select(topic_id=topic)
        selection.topic_changed.connect(lambda: self._place_timer.start())
        self.progress_counts.count()
        context.history.refresh()
        self.window.go_to(page)

    def _close_study(self, *, backup: bool = True) -> MessageDialog | None:
        """Close the study, if one is open. Returns the dialog that reports a failure, None = none."""
        typed_texts().store(is_last=True)
        self.tool_windows.serve(None)
        if self.context is None:
            return None
        self._remember_place()
        context, self.context = self.context, None
        self.jobs.cancel_all(CLOSE_SECONDS)
        self.window.show_alone(None)
        self._allow_study_commands(False)
        self.commands.set_read_only("")
        buttons.lock("")
        for part in (
            context.changes,
            context.history,
            context.writes,
            context.selection,
            self.progress_counts,
        ):
            if isinstance(part, ChangeFeed | WriteTracker):
                part.close()
            if part is not None:
                part.deleteLater()
        statement = None
        try:
            context.study.close()
        except PyramidionError as error:
            typed_texts().write_failed()
            backup = backup and not isinstance(error, StudyLost)  # what is there now was not edited here
            title = tr("{name} was not closed properly", name=context.study.path.name)
            statement = self.state(str(error), title=title)
        self.backup_controller.leave(backup=backup)
        return statement

    def _annotate_as(self, name: str) -> Job | None:
        """Store the annotator. Returns the job that opens their pages, None = these are their pages."""
        if self.context is None:
            return None
        context = self.context
        self.settings.save(
            replace(self.settings.now.with_annotator(context.study.path, name), annotator=name)
        )
        self._know_annotator(True)
        return self.open_path(context.study.path) if name != context.annotator.name else None

    def _know_annotator(self, is_known: bool) -> None:
        self._is_annotator_known = is_known
        typed_texts().stores_in_pauses = is_known  # a question for the name must not interrupt typing

    @Slot()
    def _reopen(self) -> None:
        """Build the pages of the open study again."""
        if self.context is not None:
            self.open_path(self.context.study.path)

    def _move_in_history(self, *, undoes: bool) -> None:
        typed_texts().store()
        kept = tr("Nothing was undone.") if undoes else tr("Nothing was redone.")
        if self.context is not None and self.may_edit(lambda _: kept):
            (self.context.history.undo if undoes else self.context.history.redo)()

    @Slot(object)
    def _show_page_of(self, receipt: EditReceipt) -> None:
        """Show the page of an undone edit; connected as queued, so that its topic is selected by then."""
        page = next((page for kinds, page in PAGES_OF if kinds <= receipt.changes.kinds), "")
        page = "adjudication" if receipt.verb.startswith(ADJUDICATE) else page
        if page in self.window.page_keys and self.window.page_key != page:
            sentence = self.window.status.sentence_label.text()
            self.window.show_page(page)
            self.window.status.show_message(sentence)

    @Slot(str, str)
    def _show_history(self, undo: str, redo: str) -> None:
        for command, own, verb in (("edit.undo", tr("&Undo"), undo), ("edit.redo", tr("&Redo"), redo)):
            self.commands.rename(command, f"{own}: {literal(verb)}" if verb else "")
            self.commands.allow(command, bool(verb))

    def _open_dialog(self, dialog: QDialog) -> None:
        self._note_dialog(dialog)
        dialog.open()

    def _note_dialog(self, dialog: QDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(lambda: self._forget_dialog(dialog))

    def _forget_dialog(self, dialog: QDialog) -> None:
        if dialog is self.dialog:
            self.dialog = None

    def _report(self, what: str, rescue: Path | None) -> None:
        """Report an internal error, or damage if a check of the open study finds any."""
        if self.context is None:
            self._report_bug(what, rescue)
            return
        path = self.context.study.path
        if path in self._suspected:
            return  # one check answers for all that failed meanwhile
        self._suspected.add(path)
        job = self.jobs.start(
            tr("Checking {name}", name=path.name), self._files.damage(path), JobQueue.CHECKING
        )
        job.finished.connect(
            lambda damage: self._state_damage(damage, path) if damage else self._report_bug(what, rescue)
        )
        job.failed.connect(lambda _: self._report_bug(what, rescue))
        job.ended.connect(lambda _: self._suspected.discard(path))

    def _state_damage(self, damage: str, path: StudyAddress) -> None:
        restore = partial(self.ask_restore_of, path) if isinstance(path, Path) else None
        remedy = tr("Restore a backup…") if restore is not None else ""
        self.state(damage, title=tr("This study is damaged"), remedy=remedy, on_remedy=restore)

    def _report_bug(self, what: str, kept: Path | None) -> None:
        where = (
            tr("A crash report was written to {kept}.", kept=kept)
            if kept is not None
            else tr("No crash report could be written.")
        )
        sentence = tr("Your last action may not have been completed. Everything that was saved is safe.")
        self.state(sentence, f"{what}\n{where}", title=tr("Internal error"))

    @Slot(object, object)
    def _job_failed(self, job: Job, error: Exception) -> None:
        is_export = job.queue is JobQueue.FILES and error is not self._stated
        if isinstance(error, StudyDamaged) and is_export and self.context is not None:
            self._state_damage(str(error), self.context.study.path)
        elif isinstance(error, PyramidionError):
            self.show_message(f"{job.title}: {error}")
        else:
            self.failures.show(error)

    def _offer_commands(self) -> None:
        on = self.commands.bind
        on("study.new", self.ask_new)
        on("study.open", self.ask_open)
        on("study.open_server", lambda: self.ask_open_server())
        on("study.sample", self.ask_sample)
        on("study.data_set", self.ask_data_set)
        on("study.import", lambda: self.ask_import())
        on("study.export_pyramids", self.ask_export)
        on("study.merge", self.ask_merge)
        on("study.assignment", partial(self.window.go_to, "assignment"))
        on("study.control", partial(self.window.go_to, "training"))
        on("study.restore", self.ask_restore)
        for what in EXPORTS:
            on(f"study.export_{what}", partial(self.ask_export_table, what))
        on("study.close", self.ask_close)
        on("app.quit", self.window.close)
        on("edit.undo", partial(self._move_in_history, undoes=True))
        on("edit.redo", partial(self._move_in_history, undoes=False))
        on("annotator.choose", self.ask_annotator)
        for page in self.window.rail_keys:
            on(f"view.{page}", partial(self.window.go_on_to, page))
        for key in self.window.page_keys:
            if NAMES[key].tab:
                on(f"tab.{key}", partial(self.window.go_to, key))
        on("view.next_tab", partial(self.window.step_tab, +1))
        on("view.next_pane", partial(self.window.step_pane, +1))
        on("view.here", lambda: self.show_message(self.window.here()))
        on("view.previous_pane", partial(self.window.step_pane, -1))
        on("view.previous_tab", partial(self.window.step_tab, -1))
        self._allow_study_commands(False)

    def _allow_study_commands(self, is_open: bool) -> None:
        commands = [f"study.export_{what}" for what in ("pyramids", *EXPORTS)]
        commands += [f"study.{verb}" for verb in ("merge", "assignment", "control", "close")]
        commands += ["annotator.choose", "texts.summarize", "suggest.propose", "help.tour"]
        searches = ("search", "comments", "next_found", "previous_found")
        commands += [f"edit.{verb}" for verb in ("undo", "redo", *searches)]
        commands += [f"view.{page}" for page in self.window.rail_keys]
        commands += [f"tab.{key}" for key in self.window.page_keys if NAMES[key].tab]
        for command in commands:
            self.commands.allow(command, is_open)


def _parsed(name: str) -> StudyAddress | None:
    """Return a stored address, None = it is not valid any longer."""
    try:
        return parse_study_address(name)
    except InputError:
        return None
