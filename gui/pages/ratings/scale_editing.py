"""Editing of rating scales in a dialog; all changes are saved as one edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from core.domain.name_checks import name_problem
from core.domain.ratings import Dimension, check_dimensions, edit_conflict
from core.domain.scale_templates import ScaleTemplate, add_template
from core.errors import InputError, PyramidionError
from gui.session.context import Context
from gui.style.language import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from gui.pages.ratings.scales_dialog import ScalesDialog


class ScaleEditing(QObject):
    """Open the dialog over a page and save its changes.

    Signals:
        failed: the message of an error; the scales were not saved.
    """

    failed = Signal(str)

    def __init__(self, page: QWidget, context: Context) -> None:
        super().__init__(page)
        self._page, self._context = page, context
        self._before: Sequence[Dimension] = ()
        self._counts: Mapping[str, Mapping[float, int]] = {}
        self.dialog: ScalesDialog | None = None

    @Slot()
    def open(self, selected: str = "") -> None:
        """Open the dialog. selected: id of the scale to show first."""
        from gui.pages.ratings.scales_dialog import ScalesDialog

        if not self._context.may_manage("rating.scales"):
            return
        study = self._context.study
        self._before, self._counts = study.ratings.dimensions(), study.ratings.counts()
        totals = {scale_id: sum(values.values()) for scale_id, values in self._counts.items()}
        self.dialog = ScalesDialog(self._before, totals, selected, self._page)
        self.dialog.changed.connect(self._check)
        self.dialog.accepted.connect(self._save)
        self._check()
        self.dialog.open()

    @Slot(object)
    def add_template(self, template: ScaleTemplate) -> None:
        """Add the scales of a published evaluation, without a dialog."""
        if self._context.may_manage("rating.scales"):
            self._before = self._context.study.ratings.dimensions()
            self._store(add_template(self._before, template))

    @Slot()
    def _check(self) -> None:
        if self.dialog is not None:
            self.dialog.show_problem(find_problem(self.dialog.scales, self._counts, self._before))

    @Slot()
    def _save(self) -> None:
        if self.dialog is not None:
            self._store(self.dialog.scales)

    def _store(self, scales: Sequence[Dimension]) -> None:
        me = self._context.annotator.id
        write = self._context.study.ratings.edit_dimensions(self._before, scales, me)
        self._context.writes.track(write, on_error=self._report_failure)

    def _report_failure(self, error: PyramidionError) -> None:
        self.failed.emit(str(error))


def find_problem(
    scales: Sequence[Dimension], counts: Mapping[str, Mapping[float, int]], before: Sequence[Dimension] = ()
) -> str:
    """Return why scales cannot be saved, empty if they can.

    counts: by scale id, the number of ratings per value.
    before: the scales of the study; their names are allowed in any case.
    """
    try:
        check_dimensions(scales)
    except InputError as error:
        return str(error)
    known = {scale.name for scale in before}
    was = {scale.id: scale for scale in before}
    for scale in scales:
        if scale.name not in known and (problem := name_problem(scale.name)):
            return tr("A scale cannot have this name. {problem}", problem=problem)
    conflicts = (edit_conflict(was.get(scale.id), scale, counts.get(scale.id, {})) for scale in scales)
    return next(filter(None, conflicts), "")
