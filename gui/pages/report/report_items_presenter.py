"""The items that were added to the report, on the Report page: reorder and remove them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.ports import ChangeKind, ChangeSet, Study
from core.progress import JobSteps, Progress
from core.report.report_items import (
    ReportItem,
    chosen_parts,
    remove,
    reorder,
)
from gui.background.jobs import Job, JobQueue
from gui.pages.report.values import ReportItemRow
from gui.session.context import Context

if TYPE_CHECKING:
    from gui.pages.report.view import ReportView


class ReportItemsPresenter(QObject):
    """Shows on the Report page what is chosen, moves it and takes it out."""

    def __init__(self, view: ReportView, context: Context) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self._order: list[str] = []
        self._reading: Job | None = None
        self._is_outdated = True
        view.shown.connect(self._catch_up)
        view.chosen.moved.connect(self._move)
        view.chosen.taken_out.connect(self._take_out)
        context.changes.changed.connect(self._heed)

    @Slot()
    def _catch_up(self) -> None:
        if self._is_outdated and self._reading is None:
            self._is_outdated = False
            work = _reading(self._context.study)
            self._reading = self._context.jobs.start("Looking at chosen figures", work, JobQueue.READING)
            self._reading.finished.connect(self._take)
            self._reading.ended.connect(self._end)

    @Slot(object)
    def _heed(self, changes: ChangeSet) -> None:
        if ChangeKind.SETTINGS in changes.kinds or changes.is_external:
            self._is_outdated = True
            if self._view.isVisible():
                self._catch_up()

    @Slot(object)
    def _take(self, parts: Sequence[ReportItem]) -> None:
        self._order = [part.id for part in parts]
        self._view.show_chosen(
            [ReportItemRow(part.id, part.title, part.command, part.is_figure) for part in parts]
        )

    @Slot()
    def _end(self) -> None:
        self._reading = None
        if self._view.isVisible():
            self._catch_up()

    @Slot(str, int)
    def _move(self, part_id: str, by: int) -> None:
        if part_id not in self._order:
            return
        order = [each for each in self._order if each != part_id]
        order.insert(max(0, self._order.index(part_id) + by), part_id)
        self._order = order
        self._context.writes.track(reorder(self._context.study, order))

    @Slot(str)
    def _take_out(self, part_id: str) -> None:
        self._context.writes.track(remove(self._context.study, part_id))


def _reading(study: Study) -> JobSteps[list[ReportItem]]:
    yield Progress(0, 0)
    return chosen_parts(study)
