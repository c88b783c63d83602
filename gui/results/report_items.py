"""Figures and tables chosen for the report: putting them in, their order, taking them out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    pass

PAPER_SIZE = (6.4, 4.6)
"""Inches that a figure has on paper at least."""


class AddToReport:
    """Puts what a page shows into the report, and tells when it is there."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def figure(
        self, title: str, policy: Sequence[str], command: str, draw: Draw, *, is_stale: bool = False
    ) -> None:
        """Put a figure in. is_stale: what it was made from has changed already."""
        work = add_figure(self._context.study, title, policy, command, draw, is_stale=is_stale)
        self._start(work)

    def table(self, table: Table, policy: Sequence[str], command: str, *, is_stale: bool = False) -> None:
        """Put a table in."""
        self._start(add_table(self._context.study, policy, command, table, is_stale=is_stale))

    def _start(self, work: JobSteps[ReportItem]) -> None:
        job = self._context.jobs.start("Adding to the report", work, JobQueue.FILES)
        job.finished.connect(self._say)

    def _say(self, part: ReportItem) -> None:
        self._context.show_message(f"In the report: {part.title}.")
