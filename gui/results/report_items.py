"""Addition of figures and tables to the report."""

from __future__ import annotations

from collections.abc import Sequence

from core.formatting.tables import Table
from core.progress import JobSteps
from core.report.report_items import (
    Draw,
    ReportItem,
    add_figure,
    add_table,
)
from gui.background.jobs import JobQueue
from gui.session.context import Context
from gui.style.language import tr

PAPER_SIZE = (6.4, 4.6)
"""Minimum size of a figure in the report, in inches."""


class AddToReport:
    """Add the figures and tables of a page to the report, with a message when that is done."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def figure(
        self, title: str, policy: Sequence[str], command: str, draw: Draw, *, is_stale: bool = False
    ) -> None:
        """Add a figure. is_stale: its inputs have changed since it was computed."""
        work = add_figure(self._context.study, title, policy, command, draw, is_stale=is_stale)
        self._start(work)

    def table(self, table: Table, policy: Sequence[str], command: str, *, is_stale: bool = False) -> None:
        """Add a table. is_stale: its inputs have changed since it was computed."""
        self._start(add_table(self._context.study, policy, command, table, is_stale=is_stale))

    def _start(self, work: JobSteps[ReportItem]) -> None:
        job = self._context.jobs.start(tr("Adding to the report"), work, JobQueue.FILES)
        job.finished.connect(self._report_added)

    def _report_added(self, item: ReportItem) -> None:
        self._context.show_message(tr("Added to the report: {title}.", title=item.title))
