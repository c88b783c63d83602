"""Feedback on a summary of a training topic that is marked done, on Matches and Hits."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from core.annotation.training_feedback import match_feedback, trainer_of
from core.domain.pyramid import TopicAnnotation
from core.domain.study import TopicTexts
from core.ports import ChangeKind, ChangeSet
from gui.session.context import Context
from gui.style.language import tr
from gui.widgets.notice import Notice

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
