"""Dialog of control and training topics: which they are, and each annotator's accuracy on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QHBoxLayout, QWidget

from gui.item_models.table_model import Column, TableModel
from gui.style.theme import SMALL, Type, px
from gui.widgets.buttons import plain_button
from gui.widgets.dialog import Dialog, within_screen
from gui.widgets.label import Label
from gui.widgets.lists.table_view import Table
from gui.widgets.notice import Notice

WIDTH, _TOPICS_PX, _PEOPLE_PX = 760, 260, 150
_HELP = (
    "Annotators are not told which topics are control topics. On training topics they see the known "
    "annotation after their own: the rating on the scale, and differences in a summary that they mark done."
)


@dataclass(frozen=True, slots=True)
class TopicRow:
    """A topic. use: Control, Training or empty. known: annotator of the known annotation, may be empty."""

    topic: str
    use: str = ""
    known: str = ""


@dataclass(frozen=True, slots=True)
class AccuracyRow:
    """An annotator's accuracy. ratings, matches: such as ``8 of 10 (80%)``. interval: of both together."""

    annotator: str
    use: str
    ratings: str
    matches: str
    interval: str


class ControlDialog(Dialog):
    """Edit a copy of the uses of topics.

    Signals:
        use_chosen: topics, use (empty = none).
        known_chosen: topics, name of the annotator with the known annotation.
    """

    help_page = "control"
    use_chosen = Signal(object, str)
    known_chosen = Signal(object, str)

    def __init__(self, uses: Sequence[str], names: Sequence[str], parent: QWidget | None = None) -> None:
        """uses: titles. names: of everybody whose annotation may be the known one."""
        super().__init__("Control and training topics", "Save", parent, width=WIDTH, icon="check")
        self.topics = TableModel[TopicRow](
            [
                Column("Topic", lambda row: row.topic),
                Column("Use", lambda row: row.use),
                Column("Known annotation", lambda row: row.known),
            ],
            self,
        )
        self.people = TableModel[AccuracyRow](
            [
                Column("Annotator", lambda row: row.annotator),
                Column("Topics", lambda row: row.use),
                Column("Ratings right", lambda row: row.ratings),
                Column(
                    "Decisions right", lambda row: row.matches, tip="SCUs in summaries that both marked done"
                ),
                Column("95 % interval", lambda row: row.interval, tip="Wilson's interval of the share right"),
            ],
            self,
        )
        self.topic_table = Table("Topics", self.topics)
        self.accuracy_table = Table("Accuracy of annotators", self.people)
        self.known_box = QComboBox()
        self.known_box.setAccessibleName("Known annotation of")
        self.known_box.addItems(names)
        self.use_buttons = {use: plain_button(use or "No check") for use in (*uses, "")}
        self.accuracy_label = Label("", Type.SMALL, "muted", wrap=True)
        self.notice = Notice(lines=2)
        self._arrange()
        for use, button in self.use_buttons.items():
            button.clicked.connect(lambda _=False, use=use: self.use_chosen.emit(self.selected, use))
        self.known_box.textActivated.connect(lambda name: self.known_chosen.emit(self.selected, name))
        self.topic_table.selectionModel().selectionChanged.connect(self._follow_selection)

    @property
    def selected(self) -> tuple[str, ...]:
        """Return the selected topics."""
        rows = self.topic_table.selectionModel().selectedRows()
        return tuple(self.topics.row(index).topic for index in sorted(rows))

    def show_topics(self, rows: Sequence[TopicRow]) -> None:
        """Show the topics; the selection stays."""
        selected, current = set(self.selected), self.topic_table.currentIndex().row()
        selection_model = self.topic_table.selectionModel()
        with QSignalBlocker(selection_model):
            self.topics.set_rows(rows)
            selection = QItemSelection()
            for place, row in enumerate(rows):
                if row.topic in selected:
                    selection.select(self.topics.index(place, 0), self.topics.index(place, 2))
            if rows:
                index = self.topics.index(max(current, 0), 0)
                selection_model.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
            selection_model.select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.topic_table.viewport().update()
        self._follow_selection()

    def show_accuracy(self, rows: Sequence[AccuracyRow], sentence: str) -> None:
        """Show the accuracy of annotators, and a sentence on it."""
        self.people.set_rows(rows)
        self.accuracy_table.setVisible(bool(rows))
        self.accuracy_label.setText(sentence)
        self.accuracy_label.setVisible(bool(sentence))

    def show_problem(self, sentence: str) -> None:
        """Show why the topics cannot be saved; empty = they can be."""
        self.notice.show_message(sentence)
        self.accept_button.setEnabled(not sentence)

    @Slot()
    def _follow_selection(self) -> None:
        selected = set(self.selected)
        for widget in (*self.use_buttons.values(), self.known_box):
            widget.setEnabled(bool(selected))
        known = {row.known for row in self.topics.rows() if row.topic in selected and row.known}
        if len(known) == 1:
            self.known_box.setCurrentText(known.pop())

    def _arrange(self) -> None:
        self.topic_table.setSortingEnabled(False)
        self.topic_table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.topic_table.fit(0, {1: 120, 2: 220})
        self.accuracy_table.fit(0, {1: 90, 2: 140, 3: 140, 4: 130})
        room = within_screen(self, 0, 10_000).height()
        self.topic_table.setMinimumHeight(min(px(_TOPICS_PX), room // 4))
        self.accuracy_table.setMinimumHeight(min(px(_PEOPLE_PX), room // 6))
        choices = QHBoxLayout()
        choices.setSpacing(SMALL)
        choices.addWidget(Label("Selected topics", Type.BODY))
        for button in self.use_buttons.values():
            choices.addWidget(button)
        choices.addSpacing(SMALL)
        choices.addWidget(Label("Known annotation of", Type.BODY))
        choices.addWidget(self.known_box, 1)
        self.body.addWidget(self.topic_table, 3)
        self.body.addLayout(choices)
        self.body.addWidget(Label("Accuracy", Type.STRONG))
        self.body.addWidget(self.accuracy_label)
        self.body.addWidget(self.accuracy_table, 2)
        self.body.addWidget(Label(_HELP, Type.SMALL, "muted", wrap=True))
        self.body.addWidget(self.notice)
