"""Presenter of control and training topics: edits a copy of their uses, stores it, shows the accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from core.annotation.assignment import manager_needed
from core.annotation.control_topics import (
    ControlAccuracy,
    KnownUse,
    control_accuracy,
    known_annotators,
    set_known_uses,
    wilson_interval,
)
from core.ports import Study
from core.progress import JobSteps
from gui.dialogs.control.view import AccuracyRow, ControlDialog, TopicRow
from gui.session.context import Context

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_TITLES = {KnownUse.CONTROL: "Control", KnownUse.TRAINING: "Training"}
_USES = {title: use for use, title in _TITLES.items()}

READING = "Reading…"
NO_TOPICS = "Choose topics first. The accuracy is shown once they are saved."
NO_WORK = "Nobody else has annotated these topics yet."


class ControlPresenter(QObject):
    """Open the dialog over a window and store its changes, one edit per use.

    Signals:
        refused: why the topics cannot be changed, a sentence.
    """

    refused = Signal(str)

    def __init__(self, context: Context, window: QWidget) -> None:
        super().__init__(window)
        self._context, self._window = context, window
        self._uses: dict[str, tuple[KnownUse, str]] = {}  # by topic: its use and the known annotator
        self._topics: tuple[str, ...] = ()
        self.dialog: ControlDialog | None = None

    def open(self) -> ControlDialog | None:
        """Return the dialog; None if only a manager may see it, which `refused` says."""
        study = self._context.study
        if refusal := manager_needed(study, self._context.annotator.name):
            self.refused.emit(refusal)
            return None
        self._topics = tuple(topic.name for topic in study.texts.topics())
        self._uses = {
            topic: (use, name)
            for use in KnownUse
            for topic, name in known_annotators(study, use).items()
            if topic in self._topics
        }
        names = [person.name for person in study.annotators.all()]
        dialog = self.dialog = ControlDialog(list(_USES), names, self._window)
        dialog.use_chosen.connect(self._choose_use)
        dialog.known_chosen.connect(self._choose_known)
        dialog.accepted.connect(self._save)
        self._show()
        dialog.topic_table.selectRow(0)
        dialog.topic_table.setFocus()
        self._read_accuracy(dialog)
        return dialog

    def _read_accuracy(self, dialog: ControlDialog) -> None:
        if not self._uses:
            dialog.show_accuracy((), NO_TOPICS)
            return
        dialog.show_accuracy((), READING)
        job = self._context.jobs.start("Checking control topics", _accuracy(self._context.study))
        job.finished.connect(lambda rows: dialog.show_accuracy(rows, "" if rows else NO_WORK))
        job.failed.connect(lambda error: dialog.show_accuracy((), str(error)))

    @Slot(object, str)
    def _choose_use(self, topics: Sequence[str], title: str) -> None:
        if self.dialog is None:
            return
        for topic in topics:
            self._uses.pop(topic, None)
            if title:
                self._uses[topic] = _USES[title], self.dialog.known_box.currentText()
        self._show()

    @Slot(object, str)
    def _choose_known(self, topics: Sequence[str], name: str) -> None:
        for topic in topics:
            if topic in self._uses:
                self._uses[topic] = self._uses[topic][0], name
        self._show()

    def _show(self) -> None:
        if self.dialog is None:
            return
        rows = [
            TopicRow(topic, _TITLES[self._uses[topic][0]], self._uses[topic][1])
            if topic in self._uses
            else TopicRow(topic)
            for topic in self._topics
        ]
        self.dialog.show_topics(rows)
        unknown = [row.topic for row in rows if row.use and not row.known]
        missing = f"Choose whose annotation of {', '.join(unknown)} is the known one." if unknown else ""
        self.dialog.show_problem(missing)

    @Slot()
    def _save(self) -> None:
        known = {
            use: {topic: name for topic, (of, name) in self._uses.items() if of is use} for use in KnownUse
        }
        for edit in set_known_uses(self._context.study, known, self._context.annotator.id):
            self._context.writes.track(edit)


def _accuracy(study: Study) -> JobSteps[list[AccuracyRow]]:
    """Return the rows of everybody, those of control topics first."""
    rows = []
    for use, title in _TITLES.items():
        found = yield from control_accuracy(study, use=use)
        rows += [_row(one, title) for one in found if one.total]
    return rows


def _row(one: ControlAccuracy, title: str) -> AccuracyRow:
    low, high = wilson_interval(one.right, one.total)
    parts = (_part(one.ratings_right, one.ratings), _part(one.matches_right, one.matches))
    return AccuracyRow(one.annotator, title, *parts, f"{low:.0%} to {high:.0%}")


def _part(right: int, total: int) -> str:
    return f"{right} of {total} ({right / total:.0%})" if total else ""
