"""Dialogs that serve all pages: search, comments, baseline summaries, models, document indexes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from core.files.preferences import PreferencesFile
from core.ports import ChangeKind, ChangeSet, Study
from gui.background.jobs import Jobs
from gui.commands.registry import Commands
from gui.dialogs.search.presenter import SearchPresenter
from gui.dialogs.search.view import SearchDialog
from gui.session.context import Context
from gui.shell.main_window import MainWindow
from gui.shell.study_opener import StudyActions
from gui.widgets.dialog import ToolPresenter


class ToolWindows(QObject):
    """Opens the dialogs; each is created when it is first requested and deleted with its study.

    Signals:
        message: a temporary message for the status line.
    """

    message = Signal(str)

    def __init__(
        self,
        window: MainWindow,
        commands: Commands,
        jobs: Jobs,
        files: StudyActions,
        settings: PreferencesFile,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window, self._jobs, self._files, self._settings = window, jobs, files, settings
        self._context: Context | None = None
        self.opened: dict[str, ToolPresenter] = {}  # by command
        for command in (*_OF_A_STUDY, "score.models", "score.indexes"):
            commands.bind(command, partial(self.show, command))
        commands.bind("edit.next_found", partial(self._step_results, +1))
        commands.bind("edit.previous_found", partial(self._step_results, -1))

    def serve(self, context: Context | None) -> None:
        """Serve this study, None = none; close the dialogs of another one."""
        for one in self.opened.values():
            one.close()
        self.opened.clear()
        self._context = context

    def show(self, command: str) -> None:
        """Open the dialog of a command; most need a study."""
        if self._context is None and command in _OF_A_STUDY:
            return
        if command not in self.opened:
            makes = _OF_A_STUDY.get(command)
            if makes is not None and self._context is not None:
                self.opened[command] = makes(self._context, self._window)
            else:
                self.opened[command] = self._models() if command == "score.models" else self._indexes()
        self.opened[command].open()

    def _models(self) -> ToolPresenter:
        from gui.dialogs.models.presenter import models

        made = models(self._window, self._jobs, self._files.models, self._study, self._settings)
        made.changed.connect(self._check_availability)
        return made

    def _indexes(self) -> ToolPresenter:
        from gui.dialogs.indexes.presenter import indexes

        made = indexes(self._window, self._jobs, self._files.indexes(), self._study)
        made.changed.connect(self._check_availability)
        made.message.connect(self.message)
        return made

    @property
    def _study(self) -> Study | None:
        return self._context.study if self._context is not None else None

    def _step_results(self, by: int) -> None:
        """Go to the next (+1) or previous (-1) result; open the search if there is none."""
        search = self.opened.get("edit.search")
        if not isinstance(search, SearchPresenter) or not search.step(by):
            self.show("edit.search")

    @Slot()
    def _check_availability(self) -> None:
        """Let the pages check again which metrics can run."""
        if self._context is not None:
            self._context.changes.changed.emit(ChangeSet(frozenset({ChangeKind.SCORES})))


def _comments(context: Context, window: MainWindow) -> ToolPresenter:
    from gui.dialogs.comments.presenter import CommentsPresenter
    from gui.dialogs.comments.view import CommentsDialog

    return CommentsPresenter(CommentsDialog(window), context, lambda: window.page_key)


def _summarizers(context: Context, window: MainWindow) -> ToolPresenter:
    from gui.pages.summarize.presenter import open_summarizers

    return open_summarizers(context, window)


def _proposals(context: Context, window: MainWindow) -> ToolPresenter:
    from gui.pages.propose.presenter import open_proposals

    return open_proposals(context, window)


_OF_A_STUDY: Mapping[str, Callable[[Context, MainWindow], ToolPresenter]] = {
    "edit.search": lambda context, window: SearchPresenter(SearchDialog(window), context),
    "edit.comments": _comments,
    "texts.summarize": _summarizers,
    "suggest.propose": _proposals,
}
"""Commands of the dialogs that need a study."""
