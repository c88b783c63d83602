"""The topics of a study as pages step through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from core.domain.study import TopicHead
from core.ports import Changes, Kind
from gui.context import Context

if TYPE_CHECKING:
    from gui.widgets.stepper import Stepper


class TopicSteps(QObject):
    """Steps a page through the topics: its stepper and its commands.

    Signals:
        listed: the topics are others now.
    """

    listed = Signal()

    def __init__(self, context: Context, page: str, stepper: Stepper | None, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._stepper = context, stepper
        self.heads: Sequence[TopicHead] = context.study.topics()
        context.commands.on("topic.previous", lambda: self.step(-1), page)
        context.commands.on("topic.next", lambda: self.step(+1), page)
        context.changes.changed.connect(self._look)
        if stepper is not None:
            stepper.previous_requested.connect(lambda: self.step(-1))
            stepper.next_requested.connect(lambda: self.step(+1))

    def current(self) -> TopicHead | None:
        """The selected topic, the first one where none is; None without topics."""
        wanted = self._context.selection.topic_id
        chosen = next((head for head in self.heads if head.id == wanted), None)
        return chosen or (self.heads[0] if self.heads else None)

    def show_place(self) -> None:
        """Say in the header which topic it is."""
        head = self.current()
        if self._stepper is None:
            return
        if head is None:
            self._stepper.show_place("", "", 0, 0)
        else:
            self._stepper.show_place(head.name, head.title, self.heads.index(head) + 1, len(self.heads))

    def step(self, by: int) -> None:
        """Select the topic before (-1) or after (+1)."""
        head = self.current()
        if head is None:
            return
        place = self.heads.index(head) + by
        if 0 <= place < len(self.heads):
            self._context.selection.select(topic_id=self.heads[place].id)

    @Slot(object)
    def _look(self, changes: Changes) -> None:
        if Kind.TEXTS in changes.kinds:
            self.heads = self._context.study.topics()
            self.listed.emit()
