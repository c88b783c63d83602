"""What a page is given, and how a page is named to the window.

A page is a view (``gui/views/NAME.py``: widgets, signals out, ``show_…`` in) and a presenter
(``gui/presenters/NAME.py``: connects the view to the study). The presenter's module has ``build(context)``,
which imports the view when it is called; ``gui/app.py`` lists it in a PageSpec. Nothing of a page is imported
before the page is first shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject

from core.domain.study import Annotator
from core.ports import Study
from core.progress import JobSteps
from gui.background.jobs import Jobs
from gui.commands.registry import Commands
from gui.session.change_feed import ChangeFeed
from gui.session.preferences import Settings
from gui.session.selection import Selection
from gui.session.undo import UndoHistory
from gui.session.write_tracker import WriteTracker

if TYPE_CHECKING:
    from gui.widgets.page import Page


Repeat = Callable[["Context"], str]
"""Makes an edit in another annotator's Context; returns why it cannot be made, empty = it was made."""


class MayEdit(Protocol):
    """Asks whether an edit may be made now; a new user is asked for their name first.

    False = not in this Context. Where the user chose another name, `repeat` is called with that annotator's
    Context once it is there.
    """

    def __call__(self, repeat: Repeat | None = None) -> bool: ...


def _always(repeat: Repeat | None = None) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Context:
    """The open study and what serves every page of it. It lasts as long as study and annotator do.

    changes: says what was written, by whomever. writes: follows Futures to the disk.
    commands: `commands.on(id, handler, page=KEY)`. show_page: brings a page to the front by its key.
    tell: one sentence for the user in passing, as a refusal or what was done.
    export: writes scores, judgements, ratings or texts of the study in a format to a path; gives the rows.
    may_edit: called before an annotator's edit.
    """

    study: Study
    annotator: Annotator
    selection: Selection
    jobs: Jobs
    settings: Settings
    commands: Commands
    history: UndoHistory
    writes: WriteTracker
    changes: ChangeFeed
    show_page: Callable[[str], None]
    show_message: Callable[[str], None]
    export: Callable[[str, str, Path], JobSteps[int]]
    may_edit: MayEdit = _always


@dataclass(frozen=True, slots=True)
class PageSpec:
    """A page as the window knows it.

    key: its name in commands (``view.KEY``). group: the heading in the rail, empty = none.
    build: makes view and presenter.
    """

    key: str
    title: str
    icon: str
    group: str
    build: Callable[[Context], tuple[Page, QObject]]
