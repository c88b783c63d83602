"""Blind mode of the open study, and feedback on training topics."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from core.annotation.blind_mode import is_blind
from core.annotation.training_feedback import match_feedback, trainer_of
from core.domain.pyramid import TopicAnnotation
from core.domain.study import TopicTexts
from core.ports import ChangeKind, ChangeSet
from gui.annotation.text.summary_columns import SummaryPanel
from gui.session.context import Context
from gui.style.language import tr
from gui.widgets.notice import Notice


def blind_mode_of(context: Context) -> BlindMode:
    """Return the blind mode of an open study; there is one per study."""
    return context.history.findChild(BlindMode) or BlindMode(context)


class BlindMode(QObject):
    """Follows the study's blind setting, including changes by other programs.

    Signals:
        changed: blind mode was turned on or off.
        names_allowed: whether system names may be shown.
    """

    changed = Signal()
    names_allowed = Signal(bool)

    def __init__(self, context: Context) -> None:
        super().__init__(context.history)
        self._study = context.study
        self.is_on = is_blind(self._study)  # whether study is blind
        context.changes.changed.connect(self._on_changes)

    def guard_names(self, panel: SummaryPanel) -> None:
        """Let a panel show system names only while the study is not blind."""
        self.names_allowed.connect(panel.allow_names)
        panel.allow_names(not self.is_on)

    @Slot(object)
    def _on_changes(self, changes: ChangeSet) -> None:
        if not changes.kinds & {ChangeKind.TEXTS, ChangeKind.SETTINGS}:
            return
        before, self.is_on = self.is_on, is_blind(self._study)
        if self.is_on != before:
            self.changed.emit()
            self.names_allowed.emit(not self.is_on)


NO_FEEDBACK = tr("No feedback: the known annotation of this summary is not done, or against another pyramid.")
_LINES = 4
"""Differences that are shown at once."""


class TrainingFeedback(QObject):
    """Shows how matches differ from the known ones in a bar, as long as the summary is marked done.

    bar: of the page.
    """

    def __init__(self, bar: Notice, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._bar, self._context = bar, context
        self._shown: tuple[TopicAnnotation, TopicTexts, str] | None = None
        self._topic_id = self._trainer_id = ""
        context.changes.changed.connect(self._study_changed)

    @property
    def is_on(self) -> bool:
        """Return whether the displayed topic is a training topic for this annotator."""
        return bool(self._trainer_id)

    def show(self, annotation: TopicAnnotation, topic: TopicTexts, summary_id: str) -> None:
        """Show the feedback on a summary, if its topic is a training topic."""
        if topic.id != self._topic_id:
            self._topic_id = topic.id
            self._trainer_id = trainer_of(self._context.study, topic.name, self._context.annotator.id)
        self._shown = annotation, topic, summary_id
        state = annotation.state_of(summary_id, self._context.annotator.id)
        if not self._trainer_id or state is None or not state.is_done:
            self._bar.show_message("")
            return
        found = match_feedback(annotation, topic, summary_id, self._context.annotator.id, self._trainer_id)
        if found is None:
            self._bar.show_message(NO_FEEDBACK)
        else:
            first = "\n".join((found.summary, *found.differences[:_LINES]))
            self._bar.show_message(first, others=found.differences[_LINES:])

    @Slot(object)
    def _study_changed(self, changes: ChangeSet) -> None:
        if ChangeKind.SETTINGS in changes.kinds and self._shown is not None:
            self._topic_id = ""
            self.show(*self._shown)
