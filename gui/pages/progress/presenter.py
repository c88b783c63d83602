"""Presenter of the tab Progress of the team."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from core.annotation.team_progress import progress_table, team_progress
from core.formatting.tables import Table
from core.ports import ChangeKind, Study
from core.progress import JobSteps
from gui.session.context import Context
from gui.session.page_reader import PageReader

if TYPE_CHECKING:
    from gui.pages.progress.view import ProgressView

KEY = "progress"
_COMMANDS = ("study.assignment", "study.control", "study.merge", "edit.comments")


def build(context: Context) -> tuple[ProgressView, QObject]:
    """Return the view and what reads its content."""
    from gui.pages.progress.view import ProgressView

    view = ProgressView([context.commands.action(command) for command in _COMMANDS])
    reader = PageReader(
        view,
        context,
        "Counting the work of the team",
        lambda: read_people(context.study),
        frozenset(ChangeKind),
    )
    reader.read.connect(view.show_people)
    return view, reader


def read_people(study: Study) -> JobSteps[Table]:
    """Return what each annotator has done and how long it took."""
    people = yield from team_progress(study)
    return progress_table(people)
