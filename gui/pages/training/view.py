"""View of the tab Training: control and training topics, everybody's accuracy on them, blind mode."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QSignalBlocker, Slot
from PySide6.QtWidgets import QAbstractItemView, QCheckBox, QComboBox, QWidget

from core.formatting.tables import Table as ReportTable
from gui.item_models.table_model import Column, TableModel
from gui.results.result_panel import ReportTableView
from gui.style.language import tr
from gui.style.theme import MEDIUM, SMALL, Type
from gui.widgets.buttons import edits, plain_button
from gui.widgets.label import Label
from gui.widgets.layouts import Stretch, hbox, scrolled, vbox
from gui.widgets.lists.table_view import Table
from gui.widgets.notice import EmptyPage
from gui.widgets.page import Page
from gui.widgets.panel import Panel

_HELP = tr(
    "Annotators are not told which topics are control topics. On training topics they "
    "see the known annotation after their own: the rating on the scale, and differences "
    "in a summary that they mark done."
)
_BLIND = tr(
    "Annotation pages hide the names of systems; Score, Compare and Report show them. "
    "Annotators see others' pyramids and suggestions after marking their own topic done."
)
TopicRow = tuple[str, str, str]
"""A topic, its use and the annotator with the known annotation; both may be empty."""


class TrainingView(Page):
    """Choose topics with a known annotation, and whether the study is blind."""

    def __init__(self, uses: Sequence[str]) -> None:
        """uses: titles."""
        super().__init__(tr("Training"), edits=True)
        titles = (tr("Topic"), tr("Use"), tr("Known annotation"))
        self.topics = TableModel[TopicRow]([Column(title, itemgetter(at)) for at, title in enumerate(titles)])
        self.topic_table = Table(tr("Topics"), self.topics)
        self.accuracy_table, self._note = ReportTableView(), Label("", Type.SMALL, "muted", wrap=True)
        self.accuracy_table.setSortingEnabled(False)
        self.known_box = QComboBox()
        self.known_box.setAccessibleName(tr("Known annotation of"))
        self.use_buttons = {use: plain_button(use or tr("No check")) for use in (*uses, "")}
        self.no_accuracy = EmptyPage("check", tr("Reading…"))
        self.blind_box = QCheckBox(tr("Blind study"))
        self.blind_box.setAccessibleDescription(_BLIND)
        self.empty = EmptyPage("people", "")
        self._panel = Panel(tr("Control and training topics"))
        edits(*self.use_buttons.values(), self.known_box, self.blind_box)
        self._lay_out()
        self.topic_table.selectionModel().selectionChanged.connect(self._follow_selection)

    @property
    def selected(self) -> tuple[str, ...]:
        rows = self.topic_table.selectionModel().selectedRows()
        return tuple(self.topics.row(index)[0] for index in sorted(rows))

    def show_refusal(self, reason: str) -> None:
        """Show nothing but why this is not for the annotator; empty = it is."""
        self.empty.sentence_label.setText(reason)
        self.empty.setVisible(bool(reason))
        for part in (self._panel, self._side):
            part.setVisible(not reason)

    def show_names(self, names: Sequence[str]) -> None:
        """Offer everybody whose annotation may be the known one."""
        chosen = self.known_box.currentText()
        with QSignalBlocker(self.known_box):
            self.known_box.clear()
            self.known_box.addItems(list(names))
            self.known_box.setCurrentIndex(max(self.known_box.findText(chosen), 0))

    def show_topics(self, rows: Sequence[TopicRow]) -> None:
        """Show the topics; the selection stays."""
        selected, current = set(self.selected), self.topic_table.currentIndex().row()
        selection_model = self.topic_table.selectionModel()
        with QSignalBlocker(selection_model):
            self.topics.set_rows(rows)
            selection = QItemSelection()
            for place, row in enumerate(rows):
                if row[0] in selected:
                    selection.select(self.topics.index(place, 0), self.topics.index(place, 2))
            if rows and not selected:
                selection.select(self.topics.index(0, 0), self.topics.index(0, 2))
            if rows:
                index = self.topics.index(max(current, 0), 0)
                selection_model.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
            selection_model.select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.topic_table.viewport().update()
        self._follow_selection()

    def show_accuracy(self, accuracy: ReportTable, sentence: str) -> None:
        """Show the accuracy of annotators, or why there is none."""
        self.accuracy_table.show_table(accuracy)
        self._note.setText(accuracy.note)
        self.no_accuracy.sentence_label.setText(sentence)
        for widget in (self.accuracy_table, self._note):
            widget.setVisible(bool(accuracy.rows))
        self.no_accuracy.setVisible(not accuracy.rows)

    def start(self) -> QWidget:
        return self.topic_table

    @Slot()
    def _follow_selection(self) -> None:
        selected = set(self.selected)
        for widget in (*self.use_buttons.values(), self.known_box):
            widget.setEnabled(bool(selected))
        known = {name for topic, _, name in self.topics.rows() if topic in selected and name}
        if len(known) == 1:
            self.known_box.setCurrentText(known.pop())

    def _lay_out(self) -> None:
        self.topic_table.setSortingEnabled(False)
        self.topic_table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.topic_table.fit(0, {1: 80, 2: 180})
        uses = hbox(Label(tr("Selected topics")), *self.use_buttons.values(), Stretch(1), spacing=SMALL)
        known = hbox(Label(tr("Known annotation of")), (self.known_box, 1), spacing=SMALL)
        self._panel.add((self.topic_table, 1))
        self._panel.add(uses, padded=True)
        self._panel.add(known, padded=True)
        self._panel.add_foot(Label(_HELP, Type.SMALL, "muted", wrap=True))
        accuracy, blind = Panel(tr("Accuracy")), Panel(tr("Blind mode"))
        accuracy.add((self.no_accuracy, 1), (self.accuracy_table, 1))
        accuracy.add(self._note, padded=True)
        blind.add(self.blind_box, padded=True)
        blind.add(Label(_BLIND, Type.SMALL, "muted", wrap=True), padded=True)
        inner = QWidget()
        vbox((accuracy, 1), blind, parent=inner, spacing=MEDIUM)
        self._side = scrolled(inner)
        for part, stretch in ((self._panel, 11), (self._side, 9), (self.empty, 1)):
            self.add((part, stretch))
        self.empty.hide()
