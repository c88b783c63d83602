"""Presenter of the model dialog: lists, adds, forgets and downloads models."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from core.errors import PyramidionError
from core.models.catalogue.digests import digest_cache
from core.models.catalogue.hub import offline_reason
from core.models.catalogue.user_models import UserModel, user_models
from core.models.library.add_model import add_model
from core.models.library.downloads import download
from core.models.library.inventory import ModelStatus, list_models
from core.models.runtime.disk_cache_limits import VARIABLE, CacheUsage, cache_usage, evict
from core.ports import Study
from core.progress import JobSteps, Progress
from gui.background.jobs import Job, JobQueue, Jobs
from gui.dialogs.models.rows import details_of, key_of, rows_of
from gui.dialogs.models.values import CacheDetails, DownloadState
from gui.session.devices import available_device
from gui.style.language import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from core.files.preferences import PreferencesFile
    from gui.dialogs.models.view import EncodingsPanel, ModelsDialog


Survey = tuple[tuple[ModelStatus, ...], int, str]
"""Status of every model, number of words in the study, name of the device."""


def models(
    parent: QWidget, jobs: Jobs, folder: Path, study: Study | None, settings: PreferencesFile
) -> ModelsPresenter:
    """Return the model dialog over a window, with its presenter."""
    from gui.dialogs.models.view import ModelsDialog
    from gui.widgets.file_dialogs import ask_file, ask_folder

    view = ModelsDialog(parent)
    ask = partial(ask_folder, view), partial(ask_file, view)
    return ModelsPresenter(view, jobs, folder, *ask, study=study, device=settings.now.device)


class ModelsPresenter(QObject):
    """Connects the dialog to the models on this computer.

    folder: destination of downloads.
    ask_folder, ask_file: ask for a folder or file with a title, None = cancelled.
    study: the study that times are estimated for, None = no study is open.

    Signals:
        changed: a model was added or removed.
    """

    changed = Signal()

    def __init__(
        self,
        view: ModelsDialog,
        jobs: Jobs,
        folder: Path,
        ask_folder: Callable[[str], Path | None],
        ask_file: Callable[[str], Path | None],
        *,
        study: Study | None = None,
        device: str = "auto",
    ) -> None:
        super().__init__(view)
        self._view, self._jobs, self._folder = view, jobs, folder
        self._ask_folder, self._ask_file = ask_folder, ask_file
        self._study, self._device = study, device
        self._statuses: tuple[ModelStatus, ...] = ()
        self._words, self._device_name = 0, "cpu"
        self._key = ""
        self._download_state: DownloadState | None = None
        self._job: Job | None = None
        self._encodings = EncodingsPresenter(view.encodings, jobs, digest_cache().folder, self._show_problem)
        view.list.row_chosen.connect(self._show_row)
        view.details.download_button.clicked.connect(self.download)
        view.details.choose_button.clicked.connect(self._choose_place)
        view.details.forget_button.clicked.connect(self._forget)
        view.details.cancel_button.clicked.connect(self._cancel)
        view.folder_button.clicked.connect(self._add_folder)
        view.file_button.clicked.connect(self._add_file)
        view.offline_box.clicked.connect(self._choose_offline)

    def open(self) -> None:
        """Show the dialog and list the models."""
        self._view.begin()
        self._list()
        self._encodings.update()

    def close(self) -> None:
        """Close and delete the dialog."""
        self._view.close()
        self._view.deleteLater()

    @Slot()
    def download(self) -> None:
        """Download the selected model, unless a download is running."""
        one = self._current
        if one is None or self._download_state is not None:
            return
        self._view.notice.show_message("")
        self._download_state = DownloadState(one.name, None, tr("Contacting the Hugging Face hub…"))
        job = self._jobs.start(
            tr("Downloading {title}", title=one.title), download(one.name, self._folder), JobQueue.FETCHING
        )
        job.progressed.connect(self._progress)
        job.finished.connect(self._take)
        job.failed.connect(self._show_problem)
        job.ended.connect(self._end_download)
        self._job = job
        self._show()

    @Slot()
    def _list(self) -> None:
        work = survey_models(self._study, self._device)
        job = self._jobs.start(tr("Listing models"), work, JobQueue.READING)
        job.finished.connect(self._take_survey)
        job.failed.connect(self._show_problem)

    @Slot(object)
    def _take_survey(self, survey: Survey) -> None:
        self._statuses, self._words, self._device_name = survey
        self._show()

    @Slot(object)
    def _show_row(self, key: str) -> None:
        self._key = key
        self._show_details()

    @Slot(object)
    def _progress(self, progress: Progress) -> None:
        if self._download_state is None:
            return
        share = progress.done / progress.total if progress.total else None
        self._download_state = DownloadState(self._download_state.name, share, _progress_text(progress))
        self._show_details()

    @Slot(object)
    def _end_download(self, _: object) -> None:
        self._download_state, self._job = None, None
        self._show()

    @Slot()
    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()

    @Slot()
    def _choose_place(self) -> None:
        """Ask for the location of the selected model and add it from there."""
        one = self._current
        if one is None:
            return
        details = details_of(one, "")
        ask = self._ask_file if details.is_single_file else self._ask_folder
        place = ask(tr("Select {title}", title=one.title))
        if place is not None:
            self._add(place, one.name)

    @Slot()
    def _add_folder(self) -> None:
        place = self._ask_folder(tr("Select a model folder"))
        if place is not None:
            self._add(place, "")

    @Slot()
    def _add_file(self) -> None:
        place = self._ask_file(tr("Select a file of word vectors"))
        if place is not None:
            self._add(place, "")

    def _add(self, place: Path, name: str) -> None:
        self._view.notice.show_message("")
        job = self._jobs.start(
            tr("Checking {name}", name=place.name), add_checked(place, name, self._folder), JobQueue.READING
        )
        job.finished.connect(self._take)
        job.failed.connect(self._show_problem)

    @Slot(object)
    def _take(self, model: UserModel) -> None:
        self._key = key_of(model.roles[0], model.name)
        self.changed.emit()
        self._list()

    @Slot()
    def _forget(self) -> None:
        one = self._current
        if one is None:
            return
        try:
            user_models().remove(one.name)
        except PyramidionError as error:
            self._show_problem(error)
        self.changed.emit()
        self._list()

    @Slot(bool)
    def _choose_offline(self, is_offline: bool) -> None:
        try:
            user_models().set_offline(is_offline)
        except PyramidionError as error:
            self._show_problem(error)
        self._show()

    @Slot(object)
    def _show_problem(self, error: Exception) -> None:
        if isinstance(error, PyramidionError):
            self._view.notice.show_message(str(error))

    def _show(self) -> None:
        rows = rows_of(
            self._statuses,
            self._words,
            self._device_name,
            self._download_state.name if self._download_state else "",
        )
        current = self._key  # setting the rows selects the previous row, which changes self._key
        installed = sum(one.state.is_here for one in self._statuses)
        self._show_offline()
        self._view.show_models(
            rows,
            tr("{installed} of {statuses} installed", installed=installed, statuses=len(self._statuses))
            if rows
            else tr("searching…"),
        )
        if current:
            self._view.list.choose(current)
        self._show_details()

    def _show_offline(self) -> None:
        try:
            why = offline_reason()
        except PyramidionError as error:
            self._show_problem(error)
        else:
            self._view.show_offline(bool(why), why)

    def _show_details(self) -> None:
        if (one := self._current) is not None:
            self._view.details.show_details(
                details_of(one, self._key.partition("/")[0]), self._download_state
            )

    @property
    def _current(self) -> ModelStatus | None:
        name = self._key.partition("/")[2]
        return next((one for one in self._statuses if one.name == name), None)


def survey_models(study: Study | None, device: str) -> JobSteps[Survey]:
    """List the models and count the words of all texts of the study."""
    yield Progress(0, 0, "")
    words = 0
    for topic in study.texts.load() if study is not None else ():
        texts = (*topic.summaries, *topic.references, *topic.documents)
        words += sum(len(text.content.split()) for text in texts)
        yield Progress(0, 0, topic.name)
    models = yield from list_models(digest_cache())
    return models, words, available_device(device)


def add_checked(place: Path, name: str, copies: Path) -> JobSteps[UserModel]:
    """Check a model and add it to the list. copies: folder for a model that must be converted."""
    yield Progress(0, 0, place.name)
    return add_model(place, name=name, copies=copies)


def _progress_text(progress: Progress) -> str:
    if progress.seconds_left is None:
        return progress.note
    minutes, seconds = divmod(round(progress.seconds_left), 60)
    return tr("{note} · {minutes}:{seconds:02d} left", note=progress.note, minutes=minutes, seconds=seconds)


Change = Callable[[CacheUsage], None]


class EncodingsPresenter(QObject):
    """Connects the panel to the cache folder, None = nothing is cached between runs.

    show_problem: shows an error.
    """

    def __init__(
        self,
        panel: EncodingsPanel,
        jobs: Jobs,
        folder: Path | None,
        show_problem: Callable[[Exception], None],
    ) -> None:
        super().__init__(panel)
        self._panel, self._jobs, self._folder, self._show_problem = panel, jobs, folder, show_problem
        panel.setVisible(folder is not None)
        panel.limit_chosen.connect(self._limit)
        panel.empty_button.clicked.connect(self._empty)

    def update(self, change: Change | None = None) -> None:
        """Apply a change, if any, and show the size of the cache."""
        if self._folder is None:
            return
        job = self._jobs.start(
            tr("Measuring the encoding cache"), measure_cache(self._folder, change), JobQueue.READING
        )
        job.finished.connect(self._show)
        job.failed.connect(self._show_problem)

    @Slot(object)
    def _show(self, usage: CacheUsage) -> None:
        fixed_reason = (
            tr("The environment variable {variable} sets the limit", variable=VARIABLE)
            if usage.is_fixed
            else ""
        )
        self._panel.show_cache(CacheDetails(str(usage), usage.most, bool(usage.taken), fixed_reason))

    @Slot(object)
    def _limit(self, most: int) -> None:
        self.update(partial(_set_limit, most))

    @Slot()
    def _empty(self) -> None:
        self.update(_delete_all)


def measure_cache(cache_folder: Path, change: Change | None) -> JobSteps[CacheUsage]:
    """Apply a change to the cache, if any, and measure the cache."""
    yield Progress(0, 0, "")
    usage = cache_usage(cache_folder)
    if change is None:
        return usage
    change(usage)
    return cache_usage(cache_folder)


def _set_limit(most: int, usage: CacheUsage) -> None:
    user_models().set_encoding_bytes(most)
    evict(usage.folder, most)


def _delete_all(usage: CacheUsage) -> None:
    evict(usage.folder, 0)
