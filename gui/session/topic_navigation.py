"""Topic navigation shared by pages that work topic by topic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Signal, Slot

from core.domain.study import TopicHeader
from core.ports import ChangeKind, ChangeSet
from gui.session.context import Context
from gui.session.progress_values import GridRow
from gui.session.topic_values import TopicChoice, state_text

if TYPE_CHECKING:
    from gui.session.topic_list import TopicList
    from gui.widgets.stepper import Stepper


def topic_states(rows: Sequence[GridRow]) -> dict[str, str]:
    """Return the state of each topic by its id."""
    return {row.topic_id: state_text(row.done, row.total) for row in rows}


class TopicNavigator(QObject):
    """Connects a page's stepper, topic list and commands to the selected topic.

    states: returns the known states of the page's topics by topic id.

    Signals:
        listed: the list of topics changed.
    """

    listed = Signal()

    def __init__(
        self,
        context: Context,
        page: str,
        stepper: Stepper | None,
        parent: QObject,
        states: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        super().__init__(parent)
        self._context, self._stepper, self._states = context, stepper, states
        self._list: TopicList | None = None
        self.topics: Sequence[TopicHeader] = context.study.texts.topics()
        context.commands.bind("topic.previous", lambda: self.step(-1), page)
        context.commands.bind("topic.next", lambda: self.step(+1), page)
        context.changes.changed.connect(self._on_changes)
        if stepper is not None:
            context.commands.bind("topic.list", self.open_list, page)
            stepper.offer_list(context.commands.action("topic.list"))
            stepper.list_requested.connect(self.open_list)
            stepper.previous_requested.connect(lambda: self.step(-1))
            stepper.next_requested.connect(lambda: self.step(+1))

    def current(self) -> TopicHeader | None:
        """Return the selected topic, else the first one; None if the study has no topics."""
        selected_id = self._context.selection.topic_id
        chosen = next((topic for topic in self.topics if topic.id == selected_id), None)
        return chosen or (self.topics[0] if self.topics else None)

    def show_place(self) -> None:
        """Show the current topic in the page header."""
        topic = self.current()
        if self._stepper is None:
            return
        if topic is None:
            self._stepper.show_place("", "", 0, 0)
        else:
            self._stepper.show_place(topic.name, topic.title, self.topics.index(topic) + 1, len(self.topics))

    def step(self, by: int) -> None:
        """Select the previous (-1) or next (+1) topic."""
        topic = self.current()
        if topic is None:
            return
        position = self.topics.index(topic) + by
        if 0 <= position < len(self.topics):
            self._context.selection.select(topic_id=self.topics[position].id)

    @Slot()
    def open_list(self) -> None:
        """Open the list of topics below the page header."""
        from gui.session.topic_list import TopicList

        topic, stepper = self.current(), self._stepper
        if topic is None or stepper is None:
            return
        self._list = TopicList(self._choices(), topic.id, stepper)
        self._list.chosen.connect(self._go_to)
        self._list.finished.connect(self._forget_list)
        self._list.move(stepper.mapToGlobal(QPoint(0, stepper.height())))
        self._list.show()

    def refresh_list(self) -> None:
        """Update the states in the list of topics if it is open."""
        if self._list is not None:
            self._list.show_topics(self._choices())

    def _choices(self) -> list[TopicChoice]:
        states = self._states()
        return [
            TopicChoice(topic.id, topic.name, topic.title, states.get(topic.id, "")) for topic in self.topics
        ]

    @Slot(str)
    def _go_to(self, topic_id: str) -> None:
        self._context.selection.select(topic_id=topic_id)

    @Slot()
    def _forget_list(self) -> None:
        self._list = None

    @Slot(object)
    def _on_changes(self, changes: ChangeSet) -> None:
        if ChangeKind.TEXTS in changes.kinds:
            self.topics = self._context.study.texts.topics()
            self.listed.emit()
