"""What the list of models does: looks what is here, adds, forgets, downloads."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from core.errors import PyramidionError
from core.models.catalogue.add_model import add_model
from core.models.catalogue.digests import digest_cache
from core.models.catalogue.downloads import download
from core.models.catalogue.hub import offline_reason
from core.models.catalogue.inventory import ModelStatus, list_models
from core.models.catalogue.user_models import UserModel, user_models
from core.ports import Study
from core.progress import JobSteps, Progress
from gui.background.jobs import Job, JobQueue, Jobs
from gui.dialogs.models.cache_presenter import EncodingsPresenter
from gui.dialogs.models.rows import details_of, key_of, rows_of
from gui.dialogs.models.values import DownloadState
from gui.session.devices import available_device

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from gui.dialogs.models.view import ModelsDialog
    from gui.session.preferences import Settings

Survey = tuple[tuple[ModelStatus, ...], int, str]
"""Every model, the words of the study, the device."""


def models(
    parent: QWidget, jobs: Jobs, folder: Path, study: Study | None, settings: Settings
) -> ModelsPresenter:
    """The list over a window, and what works it."""
    from gui.dialogs.models.view import ModelsDialog
    from gui.widgets.file_dialogs import ask_file, ask_folder

    view = ModelsDialog(parent)
    ask = partial(ask_folder, view), partial(ask_file, view)
    return ModelsPresenter(view, jobs, folder, *ask, study=study, device=settings.now.device)


class ModelsPresenter(QObject):
    """Connects the list to what is on this computer.

    study: to tell times for, None = none is open. folder: where downloads go. ask_folder, ask_file: ask for
    one with a question, None = nothing was chosen.

    Signals:
        changed: models came or went.
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
        self._found: tuple[ModelStatus, ...] = ()
        self._words, self._place = 0, "cpu"
        self._shown = ""
        self._fetching: DownloadState | None = None
        self._job: Job | None = None
        self._encodings = EncodingsPresenter(view.encodings, jobs, digest_cache().folder, self._complain)
        view.row_shown.connect(self._show_row)
        view.download_requested.connect(self.download)
        view.choosing_requested.connect(self._choose_place)
        view.forget_requested.connect(self._forget)
        view.cancel_requested.connect(self._cancel)
        view.folder_requested.connect(self._add_folder)
        view.file_requested.connect(self._add_file)
        view.offline_chosen.connect(self._choose_offline)

    def open(self) -> None:
        """Show the list, and look what is here."""
        self._view.begin()
        self._look()
        self._encodings.look()

    def close(self) -> None:
        """Take the list away."""
        self._view.close()
        self._view.deleteLater()

    @Slot()
    def download(self) -> None:
        """Fetch the model in full; one at a time."""
        one = self._current
        if one is None or self._fetching is not None:
            return
        self._view.complain("")
        self._fetching = DownloadState(one.name, None, "Asking the hub …")
        job = self._jobs.start(
            f"Downloading {one.title}", download(one.name, self._folder), JobQueue.FETCHING
        )
        job.progressed.connect(self._progress)
        job.finished.connect(self._take)
        job.failed.connect(self._complain)
        job.ended.connect(self._end_fetching)
        self._job = job
        self._show()

    @Slot()
    def _look(self) -> None:
        work = surveying(self._study, self._device)
        job = self._jobs.start("Looking at models", work, JobQueue.READING)
        job.finished.connect(self._take_survey)
        job.failed.connect(self._complain)

    @Slot(object)
    def _take_survey(self, survey: Survey) -> None:
        self._found, self._words, self._place = survey
        self._show()

    @Slot(object)
    def _show_row(self, key: str) -> None:
        self._shown = key
        self._show_sheet()

    @Slot(object)
    def _progress(self, progress: Progress) -> None:
        if self._fetching is None:
            return
        share = progress.done / progress.total if progress.total else None
        self._fetching = DownloadState(self._fetching.name, share, _words(progress))
        self._show_sheet()

    @Slot(object)
    def _end_fetching(self, _: object) -> None:
        self._fetching, self._job = None, None
        self._show()

    @Slot()
    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()

    @Slot()
    def _choose_place(self) -> None:
        """Ask where the model in full lies, and take it from there."""
        one = self._current
        if one is None:
            return
        sheet = details_of(one, "")
        ask = self._ask_file if sheet.wants_file else self._ask_folder
        place = ask(f"Where is {one.title}?")
        if place is not None:
            self._add(place, one.name)

    @Slot()
    def _add_folder(self) -> None:
        place = self._ask_folder("Which folder holds the model?")
        if place is not None:
            self._add(place, "")

    @Slot()
    def _add_file(self) -> None:
        place = self._ask_file("Which file holds the word vectors?")
        if place is not None:
            self._add(place, "")

    def _add(self, place: Path, name: str) -> None:
        self._view.complain("")
        job = self._jobs.start(f"Checking {place.name}", adding(place, name, self._folder), JobQueue.READING)
        job.finished.connect(self._take)
        job.failed.connect(self._complain)

    @Slot(object)
    def _take(self, model: UserModel) -> None:
        self._shown = key_of(model.roles[0], model.name)
        self.changed.emit()
        self._look()

    @Slot()
    def _forget(self) -> None:
        one = self._current
        if one is None:
            return
        try:
            user_models().remove(one.name)
        except PyramidionError as error:
            self._complain(error)
        self.changed.emit()
        self._look()

    @Slot(bool)
    def _choose_offline(self, is_offline: bool) -> None:
        try:
            user_models().set_offline(is_offline)
        except PyramidionError as error:
            self._complain(error)
        self._show()

    @Slot(object)
    def _complain(self, error: Exception) -> None:
        if isinstance(error, PyramidionError):
            self._view.complain(str(error))

    def _show(self) -> None:
        rows = rows_of(self._found, self._words, self._place, self._fetching.name if self._fetching else "")
        wanted = self._shown  # the list makes its old row current again, and says so
        here = sum(one.state.is_here for one in self._found)
        self._show_offline()
        self._view.show_models(rows, f"{here} of {len(self._found)} here" if rows else "looking …")
        if wanted:
            self._view.choose(wanted)
        self._show_sheet()

    def _show_offline(self) -> None:
        try:
            why = offline_reason()
        except PyramidionError as error:
            self._complain(error)
        else:
            self._view.show_offline(bool(why), why)

    def _show_sheet(self) -> None:
        if (one := self._current) is not None:
            self._view.show_sheet(details_of(one, self._shown.partition("/")[0]), self._fetching)

    @property
    def _current(self) -> ModelStatus | None:
        name = self._shown.partition("/")[2]
        return next((one for one in self._found if one.name == name), None)


def surveying(study: Study | None, device: str) -> JobSteps[Survey]:
    """Look at every model, and count the words that one pass would read."""
    yield Progress(0, 0, "")
    words = 0
    for topic in study.texts.load() if study is not None else ():
        texts = (*topic.summaries, *topic.references, *topic.documents)
        words += sum(len(text.content.split()) for text in texts)
        yield Progress(0, 0, topic.name)
    found = yield from list_models(digest_cache())
    return found, words, available_device(device)


def adding(place: Path, name: str, copies: Path) -> JobSteps[UserModel]:
    """Check a model and remember it. copies: where one goes that must be converted."""
    yield Progress(0, 0, place.name)
    return add_model(place, name=name, copies=copies)


def _words(progress: Progress) -> str:
    if progress.seconds_left is None:
        return progress.note
    minutes, seconds = divmod(round(progress.seconds_left), 60)
    return f"{progress.note} · {minutes}:{seconds:02d} left"
