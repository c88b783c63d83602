"""Presenter of the model dialog: lists, adds, forgets and downloads models, and puts them into words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from core.errors import InputError, PyramidionError
from core.files.preferences import PreferencesFile
from core.metrics.models_of_papers import metrics_by_model
from core.models.catalogue.digests import digest_cache
from core.models.catalogue.entries import CATALOGUE, CatalogueEntry, Role, catalogue_entry
from core.models.catalogue.hub import offline_reason
from core.models.catalogue.user_models import UserModel, user_models
from core.models.library.add_model import add_model
from core.models.library.downloads import download
from core.models.library.inventory import Availability, ModelStatus, list_models
from core.models.runtime.devices import available_device
from core.models.runtime.disk_cache_limits import VARIABLE, CacheUsage, cache_usage, evict
from core.ports import Study
from core.progress import JobSteps, Progress
from gui.background.jobs import JobQueue, Jobs, OneJob, one_step
from gui.dialogs.models.view import ModelDetails, ModelPresence, ModelRow
from gui.style.engine_words import engine_words
from gui.style.language import tr
from gui.widgets.dialog import ToolPresenter

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

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


class ModelsPresenter(ToolPresenter):
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
        self._downloading, self._progress = "", Progress(0, 0)
        self._job = OneJob(jobs, self)
        self._encodings = EncodingsPresenter(view.encodings, jobs, digest_cache().folder, self._show_problem)
        view.list.row_chosen.connect(self._show_row)
        view.details.download_button.clicked.connect(self.download)
        view.details.choose_button.clicked.connect(self._choose_place)
        view.details.forget_button.clicked.connect(self._forget)
        view.details.cancel_button.clicked.connect(self._job.stop)
        view.folder_button.clicked.connect(lambda: self._add(ask_folder(tr("Select a model folder"))))
        view.file_button.clicked.connect(lambda: self._add(ask_file(tr("Select a file of word vectors"))))
        view.offline_box.clicked.connect(self._choose_offline)

    def open(self) -> None:
        self._view.begin(self._view.list)
        self._list()
        self._encodings.update()

    @Slot()
    def download(self) -> None:
        """Download the selected model, unless a download is running."""
        one = self._current
        if one is None or self._downloading:
            return
        self._view.notice.show_message("")
        self._downloading, self._progress = one.name, Progress(0, 0, tr("Contacting the Hugging Face hub…"))
        job = self._job.start(
            tr("Downloading {title}", title=one.title), download(one.name, self._folder), JobQueue.FETCHING
        )
        job.progressed.connect(self._show_progress)
        job.finished.connect(self._take)
        job.failed.connect(self._show_problem)
        job.ended.connect(self._end_download)
        self._show()

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
    def _show_progress(self, progress: Progress) -> None:
        self._progress = progress
        self._show_details()

    @Slot(object)
    def _end_download(self, _: object) -> None:
        self._downloading = ""
        self._show()

    @Slot()
    def _choose_place(self) -> None:
        """Ask for the location of the selected model and add it from there."""
        one = self._current
        if one is None:
            return
        details = details_of(one, "")
        ask = self._ask_file if details.is_single_file else self._ask_folder
        self._add(ask(tr("Select {title}", title=one.title)), one.name)

    def _add(self, place: Path | None, name: str = "") -> None:
        """Add a model from a place, None = the user has cancelled. name: of one that is known, else empty."""
        if place is None:
            return
        self._view.notice.show_message("")
        work = one_step(partial(add_model, place, name=name, copies=self._folder), place.name)
        job = self._jobs.start(tr("Checking {name}", name=place.name), work, JobQueue.READING)
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
        rows = rows_of(self._statuses, self._words, self._device_name, self._downloading)
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
            details = details_of(one, self._key.partition("/")[0])
            self._view.details.show_details(details, self._downloading, self._progress)

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


Change = Callable[[CacheUsage], object]


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
        panel.limit_box.chosen.connect(lambda most: self.update(partial(_set_limit, most)))
        panel.empty_button.clicked.connect(lambda: self.update(lambda usage: evict(usage.folder, 0)))

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
        can_empty = bool(usage.taken)
        self._panel.show_cache(str(usage), usage.most, can_empty=can_empty, fixed_reason=fixed_reason)


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


_ROLES: Mapping[str, tuple[Role, ...]] = {
    "encoder": (Role.ENCODER, Role.SENTENCE_ENCODER),
    "masked_lm": (Role.MASKED_LM,),
    "qa": (Role.QA,),
    "nli": (Role.NLI,),
    "rater": (Role.RATER,),
    "alignscore nli": (Role.ALIGNMENT,),
    "comet rater": (Role.COMET,),
    "lm": (Role.LANGUAGE_MODEL,),
    "vectors": (Role.WORD_VECTORS, Role.ENCODER),
    "parser": (Role.PARSER,),
}
"""Settings that name a model, with the roles that fit; of one metric alone, after its name."""


def names_for(setting: str, metric: str = "") -> tuple[str, ...]:
    """Return the models that a metric setting may name: those of the catalogue, then added ones."""
    roles = set(_ROLES.get(f"{metric} {setting}") or _ROLES.get(setting, ()))
    if not roles:
        return ()
    try:
        added = user_models().all()
    except InputError:  # the model dialog reports it
        added = ()
    known: Sequence[CatalogueEntry | UserModel] = (*CATALOGUE, *added)
    names = (
        one.key if isinstance(one, CatalogueEntry) else one.name for one in known if roles & set(one.roles)
    )
    return tuple(dict.fromkeys(names))


def rows_of(statuses: Iterable[ModelStatus], words: int, device: str, downloading: str) -> list[ModelRow]:
    """Return a row for each model in each of its roles, ordered by role.

    words: number of words in the study, 0 = no study is open.
    downloading: name of the model that is being downloaded, empty = none.
    """
    models, metrics = list(statuses), metrics_by_model()
    return [
        _row(one, role, words, device, metrics.get(one.name, ()), is_downloading=one.name == downloading)
        for role in Role
        for one in models
        if role in one.roles
    ]


def key_of(role: Role, name: str) -> str:
    """Return the key of the row of a model under a role."""
    return f"{role}/{name}"


def details_of(one: ModelStatus, role: str) -> ModelDetails:
    entry = catalogue_entry(one.name)
    is_single_file = entry is not None and len(entry.files) == 1
    lines = [tr("Used by: {used_by}", used_by=one.used_by)] if one.used_by else []
    metrics = metrics_by_model().get(one.name)
    lines += [tr("In the papers of: {metrics}", metrics=", ".join(metrics))] if metrics else []
    lines += [tr("Licence: {licence}", licence=one.licence)] if one.licence else []
    lines += [tr("Folder: {place}", place=one.place)] if one.place is not None else []
    lines += [tr("SHA-256 {sha256}", sha256=one.sha256)] if one.sha256 else []
    lines += [one.problem] if one.problem and not one.repository else []
    lines += [_on_the_hub(one)] if one.repository and one.state is Availability.ABSENT else []
    is_packaged = entry is not None and entry.is_packaged
    return ModelDetails(
        one.name,
        one.title,
        role,
        tuple(lines),
        command="" if entry is None or one.state.is_here else entry.command,
        can_download=bool(one.repository) and not one.state.is_here,
        can_choose=not one.state.is_here and not is_packaged,
        is_single_file=is_single_file,
        can_forget=_added(one.name) is not None,
    )


def _row(
    one: ModelStatus, role: Role, words: int, device: str, metrics: Sequence[str], *, is_downloading: bool
) -> ModelRow:
    seconds = one.seconds_for(words, device) if words else float("nan")
    presence = ModelPresence.HERE if one.state.is_here else ModelPresence.ABSENT
    presence = ModelPresence.DAMAGED if one.state is Availability.DAMAGED else presence
    return ModelRow(
        key_of(role, one.name),
        one.name,
        one.title,
        role[0].upper() + role[1:],
        " · ".join(filter(None, (one.used_by, ", ".join(metrics)))),
        ModelPresence.FETCHING if is_downloading else presence,
        tr("downloading") if is_downloading else engine_words(str(one.state)),
        one.disk_bytes,
        one.memory_bytes,
        seconds,
    )


def _on_the_hub(one: ModelStatus) -> str:
    return tr(
        "Hugging Face hub: {repository}. Nothing is downloaded until you press Download.",
        repository=one.repository,
    )


def _added(name: str) -> UserModel | None:
    entry = catalogue_entry(name)
    return user_models().get(name, *(() if entry is None else entry.repositories))
