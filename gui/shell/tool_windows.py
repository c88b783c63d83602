"""Dialogs that serve all pages: search, comments, baseline summaries, models, document indexes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from gui.dialogs.comments.presenter import CommentsPresenter
    from gui.dialogs.indexes.presenter import IndexesPresenter
    from gui.dialogs.models.presenter import ModelsPresenter
    from gui.pages.summarize.presenter import SummarizePresenter


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
        self.search_presenter: SearchPresenter | None = None
        self.comments_presenter: CommentsPresenter | None = None
        self.summarize_presenter: SummarizePresenter | None = None
        self._models: ModelsPresenter | None = None
        self._indexes: IndexesPresenter | None = None
        commands.bind("edit.search", self.search)
        commands.bind("edit.comments", self.show_comments)
        commands.bind("texts.summarize", self.show_summarizers)
        commands.bind("edit.next_found", partial(self._step_results, +1))
        commands.bind("edit.previous_found", partial(self._step_results, -1))
        commands.bind("score.models", self.show_models)
        commands.bind("score.indexes", self.show_indexes)

    def serve(self, context: Context | None) -> None:
        """Serve this study, None = none; close the dialogs of another one."""
        for one in (
            self._models,
            self._indexes,
            self.search_presenter,
            self.comments_presenter,
            self.summarize_presenter,
        ):
            if one is not None:
                one.close()
        self._models = self._indexes = self.search_presenter = self.comments_presenter = None
        self.summarize_presenter = None
        self._context = context

    @Slot()
    def search(self) -> None:
        """Open the search in all texts and annotations."""
        if self._context is None:
            return
        if self.search_presenter is None:
            self.search_presenter = SearchPresenter(SearchDialog(self._window), self._context)
        self.search_presenter.open()

    @Slot()
    def show_comments(self) -> None:
        """Open the comments and flags of the study, to comment on the current item."""
        if self._context is None:
            return
        if self.comments_presenter is None:
            from gui.dialogs.comments.presenter import CommentsPresenter
            from gui.dialogs.comments.view import CommentsDialog

            dialog = CommentsDialog(self._window)
            self.comments_presenter = CommentsPresenter(dialog, self._context, lambda: self._window.page_key)
        self.comments_presenter.open()

    @Slot()
    def show_summarizers(self) -> None:
        """Open the summarizers that make systems of the study's documents."""
        if self._context is None:
            return
        if self.summarize_presenter is None:
            from gui.pages.summarize.presenter import open_summarizers

            self.summarize_presenter = open_summarizers(self._context, self._window)
        self.summarize_presenter.open()

    @Slot()
    def show_models(self) -> None:
        """Open the list of models."""
        if self._models is None:
            from gui.dialogs.models.presenter import models

            self._models = models(self._window, self._jobs, self._files.models, self._study, self._settings)
            self._models.changed.connect(self._check_availability)
        self._models.open()

    @Slot()
    def show_indexes(self) -> None:
        """Open the list of document indexes."""
        if self._indexes is None:
            from gui.dialogs.indexes.presenter import indexes

            self._indexes = indexes(self._window, self._jobs, self._files.indexes(), self._study)
            self._indexes.changed.connect(self._check_availability)
            self._indexes.message.connect(self.message)
        self._indexes.open()

    @property
    def _study(self) -> Study | None:
        return self._context.study if self._context is not None else None

    def _step_results(self, by: int) -> None:
        """Go to the next (+1) or previous (-1) result; open the search if there is none."""
        if self.search_presenter is None or not self.search_presenter.step(by):
            self.search()

    @Slot()
    def _check_availability(self) -> None:
        """Let the pages check again which metrics can run."""
        if self._context is not None:
            self._context.changes.changed.emit(ChangeSet(frozenset({ChangeKind.SCORES})))
