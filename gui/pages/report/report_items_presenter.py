"""Presenter of the items that were added to the report: reorders and removes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.ports import ChangeKind, ChangeSet, Study
from core.progress import JobSteps, Progress
from core.report.report_items import (
    ReportItem,
    list_report_items,
    remove,
    reorder,
)
from gui.background.jobs import Job, JobQueue
from gui.pages.report.values import ReportItemRow
from gui.session.context import Context

if TYPE_CHECKING:
    from gui.pages.report.view import ReportView


class ReportItemsPresenter(QObject):
    """Show the added figures and tables on the Report page, move and remove them."""

    def __init__(self, view: ReportView, context: Context) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self._order: list[str] = []
        self._reading: Job | None = None
        self._is_outdated = True
        view.shown.connect(self._refresh)
        view.items.moved.connect(self._move)
        view.items.removed.connect(self._remove)
        context.changes.changed.connect(self._study_changed)

    @Slot()
    def _refresh(self) -> None:
        if self._is_outdated and self._reading is None:
            self._is_outdated = False
            work = _read_items(self._context.study)
            self._reading = self._context.jobs.start("Reading added figures", work, JobQueue.READING)
            self._reading.finished.connect(self._show_items)
            self._reading.ended.connect(self._reading_ended)

    @Slot(object)
    def _study_changed(self, changes: ChangeSet) -> None:
        if ChangeKind.SETTINGS in changes.kinds or changes.is_external:
            self._is_outdated = True
            if self._view.isVisible():
                self._refresh()

    @Slot(object)
    def _show_items(self, items: Sequence[ReportItem]) -> None:
        self._order = [item.id for item in items]
        self._view.show_items(
            [ReportItemRow(item.id, item.title, item.command, item.is_figure) for item in items]
        )

    @Slot()
    def _reading_ended(self) -> None:
        self._reading = None
        if self._view.isVisible():
            self._refresh()

    @Slot(str, int)
    def _move(self, item_id: str, by: int) -> None:
        if item_id not in self._order:
            return
        order = [each for each in self._order if each != item_id]
        order.insert(max(0, self._order.index(item_id) + by), item_id)
        self._order = order
        self._context.writes.track(reorder(self._context.study, order))

    @Slot(str)
    def _remove(self, item_id: str) -> None:
        self._context.writes.track(remove(self._context.study, item_id))


def _read_items(study: Study) -> JobSteps[list[ReportItem]]:
    yield Progress(0, 0)
    return list_report_items(study)
