"""Topic navigation and list of topics, shared by pages that work topic by topic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QObject, QPoint, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QCheckBox, QWidget

from core.annotation.assignment import assigned_by_work
from core.annotation.team_progress import work_progress
from core.domain.assignment import ASSIGNED, Work
from core.domain.study import TopicHeader
from core.ports import ChangeKind, ChangeSet, Study
from core.progress import JobSteps
from gui.background.jobs import one_step
from gui.item_models.table_model import Column
from gui.session.context import Context
from gui.style.language import tr
from gui.style.theme import LARGE, SMALL, Type, font, px
from gui.widgets.accessible import announce_rows
from gui.widgets.buttons import SearchField
from gui.widgets.controls import Stepper
from gui.widgets.dialog import BareDialog
from gui.widgets.layouts import vbox
from gui.widgets.lists.table_view import RowTable

WIDTH, HEIGHT, MAX_NAME_WIDTH, STATE_WIDTH, PAGE_ROWS = 560, 420, 220, 150, 10


class TopicList(BareDialog):
    """A search field and the matching topics; Enter or a click chooses one, Esc closes.

    Signals:
        chosen: the topic's id.
    """

    help_page = "keys"
    chosen = Signal(str)

    def __init__(self, topics: Sequence[TopicChoice], topic_id: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAccessibleName(tr("Topics"))
        self.resize(px(WIDTH), px(HEIGHT))
        self.field = SearchField(tr("Find a topic"))
        self.table = RowTable[TopicChoice](
            tr("Topics"),
            [
                Column(tr("Topic"), lambda topic: topic.name, cell_tip=lambda topic: topic.name),
                Column(tr("Title"), lambda topic: topic.title, cell_tip=lambda topic: topic.title),
                Column(tr("State"), lambda topic: topic.state),
            ],
        )
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.table.horizontalHeader().hide()
        self.all_box = QCheckBox(tr("Topics of others too"))
        self.all_box.hide()
        vbox(self.field, self.table, self.all_box, parent=self, margins=SMALL)
        self.field.textChanged.connect(self._filter)
        self.field.returnPressed.connect(self._choose_current)
        self.table.clicked.connect(self._choose_current)
        self.field.step_through(self._step, PAGE_ROWS)
        announce_rows(self.table)
        self.show_topics(topics, topic_id)
        self.field.setFocus()

    def show_topics(self, topics: Sequence[TopicChoice], topic_id: str = "") -> None:
        """List topics and make one current; empty = keep the current one."""
        current_id = topic_id or self.current_topic
        self.table.rows.set_rows(topics)
        has_titles = any(topic.title for topic in topics)
        has_states = any(topic.state for topic in topics)
        self.table.setColumnHidden(1, not has_titles)
        self.table.setColumnHidden(2, not has_states)
        longest = max((topic.name for topic in topics), key=len, default="")
        name = QFontMetrics(font(Type.BODY)).horizontalAdvance(longest) + 2 * px(LARGE)
        self.table.fit(stretch=1 if has_titles else 0, widths={2: STATE_WIDTH})
        if has_titles:
            self.table.setColumnWidth(0, min(name, px(MAX_NAME_WIDTH)))
        if not self.table.choose(lambda topic: topic.id == current_id):
            self.table.setCurrentIndex(self.table.sorted.index(0, 0))
        self.table.scrollTo(self.table.currentIndex(), RowTable.ScrollHint.PositionAtCenter)

    def offer_all(self, is_offered: bool, is_on: bool) -> None:
        """Offer to list the topics of other annotators too."""
        with QSignalBlocker(self.all_box):
            self.all_box.setChecked(is_on)
        self.all_box.setVisible(is_offered)

    @property
    def current_topic(self) -> str:
        """Id of the current topic, which Enter chooses; empty = none."""
        return self.table.current.id if self.table.current is not None else ""

    def _step(self, by: int) -> None:
        row = min(max(self.table.currentIndex().row() + by, 0), self.table.sorted.rowCount() - 1)
        self.table.setCurrentIndex(self.table.sorted.index(row, 0))

    def _filter(self, typed: str) -> None:
        self.table.sorted.find(typed)
        if not self.table.currentIndex().isValid() or typed:
            self.table.setCurrentIndex(self.table.sorted.index(0, 0))

    def _choose_current(self) -> None:
        topic_id = self.current_topic
        if topic_id:
            self.close()
            self.chosen.emit(topic_id)


NOT_STARTED, IN_PROGRESS, DONE = tr("Not started"), tr("In progress"), tr("Done")


@dataclass(frozen=True, slots=True)
class TopicChoice:
    """A topic in the list of topics.

    state: progress of the page's work on it; empty = unknown.
    """

    id: str
    name: str
    title: str
    state: str = ""


def state_text(done: int, total: int, *, is_begun: bool = False) -> str:
    """Return the state of work with `done` of `total` parts finished."""
    if done >= total > 0:
        return DONE
    if done:
        return tr("{in_progress} ({done} of {total})", in_progress=IN_PROGRESS, done=done, total=total)
    return IN_PROGRESS if is_begun else NOT_STARTED


@dataclass(frozen=True, slots=True)
class Cell:
    """A summary in the progress grid.

    system: shown only where system names are visible. is_begun: unfinished.
    """

    summary_id: str
    is_done: bool = False
    is_flagged: bool = False
    system: str = ""
    note: str = ""
    is_begun: bool = False


@dataclass(frozen=True)
class GridRow:
    """A topic in the progress grid.

    cells: its summaries in the annotator's order; None = no such summary.
    """

    topic_id: str
    name: str
    cells: tuple[Cell | None, ...]

    @cached_property
    def done(self) -> int:
        return sum(cell is not None and cell.is_done for cell in self.cells)

    @cached_property
    def is_begun(self) -> bool:
        """Whether a summary was left unfinished."""
        return any(cell is not None and cell.is_begun for cell in self.cells)

    @cached_property
    def total(self) -> int:
        return sum(cell is not None for cell in self.cells)


def topic_states(rows: Sequence[GridRow]) -> dict[str, str]:
    return {row.topic_id: state_text(row.done, row.total, is_begun=row.is_begun) for row in rows}


def read_states(study: Study, work: Work, name: str) -> JobSteps[dict[str, str]]:
    """Return the state of an annotator's work on each topic by its id."""
    progress = (yield from work_progress(study, (work,)))[work]
    cells = {head.id: progress.cell(head.name, name) for head in study.texts.topics()}
    return {
        topic_id: state_text(cell.done, cell.total, is_begun=cell.is_begun)
        for topic_id, cell in cells.items()
    }


def assigned_topics_of(context: Context) -> AssignedTopics:
    """Return which topics the pages show; there is one for an open study."""
    return context.history.findChild(AssignedTopics) or AssignedTopics(context)


class AssignedTopics(QObject):
    """Topics that pages show an annotator: those assigned for their work, if any are, or all on request.

    Signals:
        changed: other topics are shown from now on.
    """

    changed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__(context.history)
        self._study, self._name = context.study, context.annotator.name
        self.shows_all = False
        self._read()
        context.changes.changed.connect(self._on_changes)

    def are_some(self, work: Work | None) -> bool:
        return bool(self._assigned.get(work))

    def has(self, work: Work | None, name: str) -> bool:
        """Return whether a topic is shown for a kind of work. None = work that is not assigned."""
        return self.shows_all or not self.are_some(work) or name in self._assigned[work]

    def rows(self, work: Work, rows: Iterable[GridRow]) -> tuple[GridRow, ...]:
        return tuple(row for row in rows if self.has(work, row.name))

    @Slot(bool)
    def show_all(self, is_on: bool) -> None:
        """Show all topics on every page, or only the assigned ones."""
        self.shows_all = is_on
        self.changed.emit()

    def _read(self) -> None:
        assigned = assigned_by_work(self._study, ASSIGNED, self._name)
        self._assigned: dict[Work | None, frozenset[str]] = dict(assigned.items())

    @Slot(object)
    def _on_changes(self, changes: ChangeSet) -> None:
        if changes.kinds & {ChangeKind.SETTINGS, ChangeKind.TEXTS}:
            before = self._assigned
            self._read()
            if self._assigned != before:
                self.changed.emit()


class TopicNavigator(QObject):
    """Connects a page's stepper, topic list and commands to the selected topic.

    states: returns the known states of the page's topics by topic id; None = a job reads those of the work.

    Signals:
        listed: the list of topics that are shown changed.
    """

    listed = Signal()

    def __init__(
        self,
        context: Context,
        page: str,
        stepper: Stepper | None,
        parent: QObject,
        states: Callable[[], Mapping[str, str]] | None = None,
        work: Work | None = None,
    ) -> None:
        """work: kind of work of the page; topics that are not assigned to the annotator are then skipped."""
        super().__init__(parent)
        self._work, self._assigned = work, assigned_topics_of(context)
        self._context, self._stepper, self._states = context, stepper, states
        self._known_states: dict[str, str] = {}
        self._list: TopicList | None = None
        self.topics: Sequence[TopicHeader] = context.study.texts.topics()
        context.commands.bind("topic.previous", lambda: self.step(-1), page)
        context.commands.bind("topic.next", lambda: self.step(+1), page)
        context.changes.changed.connect(self._on_changes)
        self._assigned.changed.connect(self._show_others)
        if stepper is not None:
            context.commands.bind("topic.list", self.open_list, page)
            stepper.offer_list(context.commands.action("topic.list"))
            stepper.list_requested.connect(self.open_list)
            stepper.stepped.connect(self.step)

    def current(self) -> TopicHeader | None:
        """Return the selected topic, else the first one; None if the study has no topics."""
        selected_id = self._context.selection.topic_id
        chosen = next((topic for topic in self.topics if topic.id == selected_id), None)
        if chosen is not None or not self.topics:
            return chosen
        return next((topic for topic in self.topics if self._is_listed(topic)), self.topics[0])

    def show_place(self) -> None:
        """Show the current topic in the page header."""
        topic = self.current()
        if self._stepper is None:
            return
        if topic is None:
            self._stepper.show_place("", "", 0, 0)
        else:
            shown = [one for one in self.topics if one is topic or self._is_listed(one)]
            self._stepper.show_place(topic.name, topic.title, shown.index(topic) + 1, len(shown))

    def step(self, by: int) -> None:
        """Select the previous (-1) or next (+1) topic."""
        topic = self.current()
        if topic is None:
            return
        position = self.topics.index(topic)
        following = self.topics[position + 1 :] if by > 0 else self.topics[:position][::-1]
        to = next((one for one in following if self._is_listed(one)), None)
        if to is not None:
            self._context.selection.select(topic_id=to.id)

    def go_to_next(self, topic_id: str, is_undone: Callable[[TopicHeader], bool], none_left: str) -> None:
        """Select the next undone topic of those to work on after a topic, in a circle.

        is_undone: runs on a worker thread. none_left: the message if there is none.
        """
        here = next((place for place, topic in enumerate(self.topics) if topic.id == topic_id), 0)
        others = (*self.topics[here + 1 :], *self.topics[:here])
        listed = [topic for topic in others if self._is_listed(topic)]
        work = one_step(lambda: next((topic.id for topic in listed if is_undone(topic)), ""))
        job = self._context.jobs.start(tr("Finding the next topic"), work)
        job.finished.connect(
            lambda found: self._go_to(found) if found else self._context.show_message(none_left)
        )

    def _is_listed(self, topic: TopicHeader) -> bool:
        return self._assigned.has(self._work, topic.name)

    @Slot()
    def open_list(self) -> None:
        """Open the list of topics below the page header."""
        topic, stepper = self.current(), self._stepper
        if topic is None or stepper is None:
            return
        self._list = TopicList(self._choices(), topic.id, stepper)
        self._list.offer_all(self._assigned.are_some(self._work), self._assigned.shows_all)
        self._list.all_box.toggled.connect(self._assigned.show_all)
        self._list.chosen.connect(self._go_to)
        self._list.finished.connect(self._forget_list)
        self._list.move(stepper.mapToGlobal(QPoint(0, stepper.height())))
        self._list.show()

    def refresh_list(self) -> None:
        """Update the states in the list of topics if it is open."""
        if self._list is not None:
            self._list.show_topics(self._choices())

    def _choices(self) -> list[TopicChoice]:
        states = self._states() if self._states is not None else self._read_states()
        return [
            TopicChoice(topic.id, topic.name, topic.title, states.get(topic.id, ""))
            for topic in self.topics
            if self._is_listed(topic)
        ]

    def _read_states(self) -> Mapping[str, str]:
        """Return the known states of the topics, and start a job that updates them."""
        if self._work is None:
            return {}
        steps = read_states(self._context.study, self._work, self._context.annotator.name)
        job = self._context.jobs.start(tr("Reading the progress"), steps)
        job.finished.connect(self._set_states)
        return {topic.id: self._known_states.get(topic.id, NOT_STARTED) for topic in self.topics}

    @Slot(object)
    def _set_states(self, states: dict[str, str]) -> None:
        if states != self._known_states:
            self._known_states = states
            self.refresh_list()

    @Slot()
    def _show_others(self) -> None:
        self.refresh_list()
        self.listed.emit()

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
