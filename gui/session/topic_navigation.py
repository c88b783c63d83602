"""The topics of a study as pages step through them."""

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
    """Return how far each topic is, by its id."""
    return {row.topic_id: state_text(row.done, row.total) for row in rows}


class TopicNavigator(QObject):
    """Steps a page through the topics: its stepper, its list of topics and its commands.

    states: returns how far the page's work on each topic is, by its id, as far as that is known.

    Signals:
        listed: the topics are others now.
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
        self.heads: Sequence[TopicHeader] = context.study.texts.topics()
        context.commands.bind("topic.previous", lambda: self.step(-1), page)
        context.commands.bind("topic.next", lambda: self.step(+1), page)
        context.changes.changed.connect(self._look)
        if stepper is not None:
            context.commands.bind("topic.list", self.open_list, page)
            stepper.offer_list(context.commands.action("topic.list"))
            stepper.list_requested.connect(self.open_list)
            stepper.previous_requested.connect(lambda: self.step(-1))
            stepper.next_requested.connect(lambda: self.step(+1))

    def current(self) -> TopicHeader | None:
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

    @Slot()
    def open_list(self) -> None:
        """Open the list of all topics below the page's header."""
        from gui.session.topic_list import TopicList

        head, stepper = self.current(), self._stepper
        if head is None or stepper is None:
            return
        self._list = TopicList(self._choices(), head.id, stepper)
        self._list.chosen.connect(self._go_to)
        self._list.finished.connect(self._forget_list)
        self._list.move(stepper.mapToGlobal(QPoint(0, stepper.height())))
        self._list.show()

    def refresh_list(self) -> None:
        """Show the states of now in the list, if it is open."""
        if self._list is not None:
            self._list.show_topics(self._choices())

    def _choices(self) -> list[TopicChoice]:
        states = self._states()
        return [TopicChoice(head.id, head.name, head.title, states.get(head.id, "")) for head in self.heads]

    @Slot(str)
    def _go_to(self, topic_id: str) -> None:
        self._context.selection.select(topic_id=topic_id)

    @Slot()
    def _forget_list(self) -> None:
        self._list = None

    @Slot(object)
    def _look(self, changes: ChangeSet) -> None:
        if ChangeKind.TEXTS in changes.kinds:
            self.heads = self._context.study.texts.topics()
            self.listed.emit()
