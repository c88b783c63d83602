"""Context passed to pages, and the description of a page for the window.

A page consists of a view (``gui/pages/NAME/view.py``: widgets, signals out, ``show_…`` methods in) and a
presenter (``gui/pages/NAME/presenter.py``: connects the view to the study). The presenter's module has
``build(context)``; ``gui/app.py`` lists it in a PageSpec. A page is imported and built
ahead, or when it is first shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from core.annotation.assignment import manager_needed
from core.domain.formats import ExportDescription
from core.domain.study import Annotator
from core.errors import InputError, PyramidionError
from core.files.preferences import PreferencesFile
from core.ports import ChangeKind, ChangeSet, EditReceipt, Study
from core.progress import JobSteps
from gui.background.jobs import Job, JobQueue, Jobs
from gui.commands.registry import Commands
from gui.session.edits import ChangeFeed, Selection, UndoHistory, WriteTracker
from gui.style.language import tr
from gui.widgets.page import Page

Repeat = Callable[["Context"], str]
"""Repeats an edit in another annotator's Context; returns why it cannot be repeated, empty = it was."""

View = TypeVar("View")
Presenter = TypeVar("Presenter")


class MayEdit(Protocol):
    """Checks whether an edit is allowed now; a new user is first asked for their name.

    Returns False if the edit must not be made in this Context. If the user chose another name, `repeat` is
    called with that annotator's Context once it exists.
    """

    def __call__(self, repeat: Repeat | None = None) -> bool: ...


@dataclass(frozen=True, slots=True)
class Context:
    """The open study and the services shared by its pages, for one annotator.

    commands: bind handlers with `commands.bind(id, handler, page=KEY)`.
    writes: tracks writes until they are saved.
    changes: emits changes by this and other programs.
    show_page: shows a page by its key.
    show_progress: shows the progress of pages and tabs by key, see `gui.shell.main_window`.
    show_message: shows a short message in the status line.
    export: writes scores, judgements, ratings or texts in a format to a path; returns the number of rows.
    added_exports: returns the exports that other packages add.
    may_edit: called before each edit by the annotator.
    """

    study: Study
    annotator: Annotator
    selection: Selection
    jobs: Jobs
    settings: PreferencesFile
    commands: Commands
    history: UndoHistory
    writes: WriteTracker
    changes: ChangeFeed
    show_page: Callable[[str], None]
    show_message: Callable[[str], None]
    export: Callable[[str, str, Path], JobSteps[int]]
    may_edit: MayEdit = lambda repeat=None: True
    added_exports: Callable[[], Sequence[ExportDescription]] = tuple
    show_progress: Callable[[Mapping[str, str]], None] = lambda _: None

    def may_manage(self, command: str) -> bool:
        """Return whether a command may change what only managers change, if there are any; report why not.

        command: its id; it is triggered again if another annotator is chosen first.
        """
        if not self.may_edit(again(command, tr("Go on."))):
            return False
        if refusal := manager_needed(self.study, self.annotator.name):
            self.commands.refuse(refusal)
        return not refusal


def again(command: str, sentence: str = "") -> Repeat:
    """Return what triggers a command again for another annotator. sentence: says how it goes on."""

    def trigger(context: Context) -> str:
        context.commands.action(command).trigger()
        return sentence

    return trigger


@dataclass(frozen=True, slots=True)
class PageParts(Generic[View, Presenter]):
    """How a page is built: its view, and then the presenter of that. Called, it creates both.

    parts: create widgets that the view is given.
    """

    view: Callable[..., View]
    presenter: Callable[[View, Context], Presenter]
    parts: tuple[Callable[[], QWidget], ...] = ()

    def __call__(self, context: Context) -> tuple[View, Presenter]:
        made = self.view(*(part() for part in self.parts))
        return made, self.presenter(made, context)


@dataclass(frozen=True, slots=True)
class PageSpec:
    """How a page, or a tab of one, is built. Its names are in `gui.commands.definitions` under the same key.

    load: returns what creates view and presenter.
    help_page: its page in the manual.
    modules: returns the modules that `load` imports, the innermost first.
    """

    key: str
    load: Callable[[], Callable[[Context], tuple[Page, QObject]]]
    help_page: str = ""
    modules: Callable[[], Sequence[str]] = tuple


MakeEdit = Callable[[Context], Future[EditReceipt]]


class PageReader(QObject):
    """Reads by a job when the page is shown, and again after changes while it is visible.

    work: returns the steps of the job. kinds: the changes that make its result outdated.

    Signals:
        read: the result of the job.
    """

    read = Signal(object)

    def __init__(
        self,
        page: Page,
        context: Context,
        title: str,
        work: Callable[[], JobSteps[object]],
        kinds: Set[ChangeKind],
        queue: JobQueue = JobQueue.READING,
    ) -> None:
        super().__init__(page)
        self._page, self._context, self._title, self._work = page, context, title, work
        self._kinds, self._queue = kinds, queue
        self._job: Job | None = None
        self._is_outdated = True
        self._is_paused = False
        self._unsaved = 0
        page.shown.connect(self.catch_up)
        context.changes.changed.connect(self._on_changed)

    @Slot()
    def catch_up(self) -> None:
        """Read again if the study has changed since the last time."""
        if self._is_outdated and self._job is None:
            self._is_outdated = False
            self._job = self._context.jobs.start(self._title, self._work(), self._queue)
            self._job.finished.connect(self._take)
            self._job.ended.connect(self._end)

    def read_again(self) -> None:
        """Read again, as soon as the page is visible."""
        self._is_outdated = True
        self._catch_up_if_visible()

    def pause(self) -> None:
        """Leave changes unread until `resume` or until the page is shown."""
        self._is_paused = True

    def resume(self) -> None:
        """Read again, and after changes."""
        self._is_paused = False
        self.read_again()

    @property
    def is_saving(self) -> bool:
        """Whether an edit of the page is not stored yet."""
        return self._unsaved > 0

    def edit(self, make: MakeEdit) -> bool:
        """Make an edit of what the page displays, which is for managers if there are any.

        What is read before it is stored is not displayed.
        make: makes it in a Context: that of another annotator, if one is chosen just then. It may raise
            InputError, whose message is then shown.
        Returns whether it was made in this one.
        """

        def repeat(context: Context) -> str:
            write = _make(make, context)
            if isinstance(write, str):
                return write
            context.writes.track(write)
            return ""

        if not self._context.may_edit(repeat):
            return False
        write = _make(make, self._context)
        if isinstance(write, str):
            self._context.show_message(write)
            self.read_again()
            return False
        self._unsaved += 1
        self._context.writes.track(write, lambda _: self._end_edit(), self._fail_edit)
        return True

    def _end_edit(self) -> None:
        self._unsaved -= 1
        self.read_again()

    def _fail_edit(self, error: PyramidionError) -> None:
        self._context.writes.refused.emit(error)
        self._end_edit()

    @Slot(object)
    def _take(self, result: object) -> None:
        if self.is_saving:
            self._is_outdated = True
        else:
            self.read.emit(result)

    def _catch_up_if_visible(self) -> None:
        if self._page.isVisible() and not self._is_paused and not self.is_saving:
            self.catch_up()

    @Slot(object)
    def _on_changed(self, changes: ChangeSet) -> None:
        if changes.kinds & self._kinds or changes.is_external:
            self.read_again()

    @Slot()
    def _end(self) -> None:
        self._job = None
        self._catch_up_if_visible()


def _make(make: MakeEdit, context: Context) -> Future[EditReceipt] | str:
    """Make an edit in a Context; return why it was not made if it was not."""
    if refusal := manager_needed(context.study, context.annotator.name):
        return refusal
    try:
        return make(context)
    except InputError as error:
        return str(error)
