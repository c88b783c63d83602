"""Popup list of topics with their states, filtered by typing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QCheckBox, QWidget

from gui.item_models.table_model import Column, SortProxyModel, TableModel
from gui.session.topic_values import TopicChoice
from gui.style.language import tr
from gui.style.theme import LARGE, SMALL, Type, font, px
from gui.widgets.accessible import announce_rows
from gui.widgets.buttons import SearchField
from gui.widgets.dialog import BareDialog
from gui.widgets.layouts import vbox
from gui.widgets.lists.table_view import Table

WIDTH, HEIGHT, MAX_NAME_WIDTH, STATE_WIDTH, PAGE_ROWS = 560, 420, 220, 150, 10
_STEPS = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: PAGE_ROWS,
    Qt.Key.Key_PageUp: -PAGE_ROWS,
}


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
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(px(WIDTH), px(HEIGHT))
        self._model = TableModel[TopicChoice](
            [
                Column(tr("Topic"), lambda topic: topic.name, cell_tip=lambda topic: topic.name),
                Column(tr("Title"), lambda topic: topic.title, cell_tip=lambda topic: topic.title),
                Column(tr("State"), lambda topic: topic.state),
            ],
            self,
        )
        self._rows = SortProxyModel(self._model, self)
        self.field = SearchField(tr("Find a topic"))
        self.table = Table(tr("Topics"), self._rows)
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.table.horizontalHeader().hide()
        self.all_box = QCheckBox(tr("Topics of others too"))
        self.all_box.hide()
        vbox(self.field, self.table, self.all_box, parent=self, margins=SMALL)
        self.field.textChanged.connect(self._filter)
        self.field.returnPressed.connect(self._choose_current)
        self.table.clicked.connect(self._choose_current)
        self.field.installEventFilter(self)
        announce_rows(self.table)
        self.show_topics(topics, topic_id)
        self.field.setFocus()

    def show_topics(self, topics: Sequence[TopicChoice], topic_id: str = "") -> None:
        """List topics and make one current; empty = keep the current one."""
        current_id = topic_id or self.current_topic
        self._model.set_rows(topics)
        has_titles = any(topic.title for topic in topics)
        has_states = any(topic.state for topic in topics)
        self.table.setColumnHidden(1, not has_titles)
        self.table.setColumnHidden(2, not has_states)
        longest = max((topic.name for topic in topics), key=len, default="")
        name = QFontMetrics(font(Type.BODY)).horizontalAdvance(longest) + px(LARGE)
        widths = {2: STATE_WIDTH}
        self.table.fit(stretch=1 if has_titles else 0, widths=widths)
        if has_titles:
            self.table.setColumnWidth(0, min(name, px(MAX_NAME_WIDTH)))
        self._make_current(current_id)

    def offer_all(self, is_offered: bool, is_on: bool) -> None:
        """Offer to list the topics of other annotators too."""
        with QSignalBlocker(self.all_box):
            self.all_box.setChecked(is_on)
        self.all_box.setVisible(is_offered)

    @property
    def current_topic(self) -> str:
        """Id of the current topic, which Enter chooses; empty = none."""
        index = self.table.currentIndex()
        return self._model.row(self._rows.mapToSource(index)).id if index.isValid() else ""

    def listed(self) -> list[TopicChoice]:
        """Return the listed topics in order."""
        indexes = (self._rows.index(row, 0) for row in range(self._rows.rowCount()))
        return [self._model.row(self._rows.mapToSource(index)) for index in indexes]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            by = _STEPS.get(Qt.Key(event.key()))
            if by is not None and (count := self._rows.rowCount()):
                row = min(max(self.table.currentIndex().row() + by, 0), count - 1)
                self.table.setCurrentIndex(self._rows.index(row, 0))
                return True
        return False

    def _filter(self, typed: str) -> None:
        self._rows.find(typed)
        if not self.table.currentIndex().isValid() or typed:
            self.table.setCurrentIndex(self._rows.index(0, 0))

    def _make_current(self, topic_id: str) -> None:
        at = next((row for row, topic in enumerate(self._model.rows()) if topic.id == topic_id), 0)
        index = self._rows.mapFromSource(self._model.index(at, 0))
        self.table.setCurrentIndex(index if index.isValid() else self._rows.index(0, 0))
        self.table.scrollTo(self.table.currentIndex(), Table.ScrollHint.PositionAtCenter)

    def _choose_current(self) -> None:
        topic_id = self.current_topic
        if topic_id:
            self.close()
            self.chosen.emit(topic_id)
