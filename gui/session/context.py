"""Context passed to pages, and the description of a page for the window.

A page consists of a view (``gui/pages/NAME/view.py``: widgets, signals out, ``show_…`` methods in) and a
presenter (``gui/pages/NAME/presenter.py``: connects the view to the study). The presenter's module has
``build(context)``; ``gui/app.py`` lists it in a PageSpec. A page is imported when it is first shown or
preloaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject

from core.annotation.assignment import manager_needed
from core.domain.study import Annotator
from core.files.preferences import PreferencesFile
from core.ports import Study
from core.progress import JobSteps
from gui.background.jobs import Jobs
from gui.commands.registry import Commands
from gui.session.change_feed import ChangeFeed
from gui.session.selection import Selection
from gui.session.undo import UndoHistory
from gui.session.write_tracker import WriteTracker
from gui.style.language import tr

if TYPE_CHECKING:
    from gui.widgets.page import Page


Repeat = Callable[["Context"], str]
"""Repeats an edit in another annotator's Context; returns why it cannot be repeated, empty = it was."""


class MayEdit(Protocol):
    """Checks whether an edit is allowed now; a new user is first asked for their name.

    Returns False if the edit must not be made in this Context. If the user chose another name, `repeat` is
    called with that annotator's Context once it exists.
    """

    def __call__(self, repeat: Repeat | None = None) -> bool: ...


def _always(repeat: Repeat | None = None) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class AddedExport:
    """An export that another package adds. suffix: of its file, empty = a folder."""

    what: str
    format: str
    title: str
    about: str
    suffix: str
    package: str


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
    may_edit: MayEdit = _always
    added_exports: Callable[[], Sequence[AddedExport]] = tuple
    show_progress: Callable[[Mapping[str, str]], None] = lambda _: None

    def may_manage(self, command: str) -> bool:
        """Return whether a command may change what only managers change, if there are any; report why not.

        command: its id; it is triggered again if another annotator is chosen first.
        """

        def trigger(context: Context) -> str:
            context.commands.action(command).trigger()
            return tr("Go on.")

        if not self.may_edit(trigger):
            return False
        if refusal := manager_needed(self.study, self.annotator.name):
            self.commands.refuse(refusal)
        return not refusal


@dataclass(frozen=True, slots=True)
class PageSpec:
    """How a page, or a tab of one, is built. Its names are in `gui.commands.pages` under the same key.

    build: creates view and presenter.
    help_page: its page in the manual.
    """

    key: str
    build: Callable[[Context], tuple[Page, QObject]]
    help_page: str = ""
