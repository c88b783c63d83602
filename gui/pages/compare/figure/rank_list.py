"""List of topics with their ranks by a measure and by people."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from gui.item_models.table_model import Column, TableModel
from gui.pages.compare.values import RankedTopic
from gui.style import icons, theme
from gui.style.language import tr
from gui.style.theme import MEDIUM, SMALL, Type, px
from gui.widgets.lists.grouped_tree import BAR_WIDTH, draw_ring, text_width, write

ROW_HEIGHT = 32
Index = QModelIndex | QPersistentModelIndex


class RankList(QListView):
    """The list.

    Signals:
        topic_opened: a topic's id, by a press, Enter or double click.
        summary_opened: a system and a topic's id, where the list names systems.
        topic_pointed: the id of a topic that the mouse points at or the keyboard has moved to.
    """

    topic_opened = Signal(str)
    summary_opened = Signal(str, str)
    topic_pointed = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        column: Column[RankedTopic] = Column(tr("Topic"), lambda topic: topic, _accessible_text)
        self._topics: TableModel[RankedTopic] = TableModel([column])
        self.setModel(self._topics)
        self.setItemDelegate(_RankDelegate(self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.clicked.connect(self._open)
        self.entered.connect(self._point)
        self.selectionModel().currentChanged.connect(lambda now, _: self._point(now))

    def show_topics(self, topics: Sequence[RankedTopic], current: str = "") -> None:
        """Show these topics; current: id of the one that is selected."""
        self._topics.set_rows(topics)
        place = next((i for i, topic in enumerate(topics) if topic.topic_id == current), None)
        if place is not None:
            self.setCurrentIndex(self._topics.index(place, 0))

    def topics(self) -> Sequence[RankedTopic]:
        """Return the displayed topics."""
        return self._topics.rows()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._open(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _point(self, index: Index) -> None:
        if index.isValid() and not (topic := self._topics.row(index)).system:
            self.topic_pointed.emit(topic.topic_id)

    def _open(self, index: Index) -> None:
        topic = self._topics.row(index)
        if topic.system:
            self.summary_opened.emit(topic.system, topic.topic_id)
        else:
            self.topic_opened.emit(topic.topic_id)


class _RankDelegate(QStyledItemDelegate):
    """Paints a topic: name, title, ranks, and that there is more behind it."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, px(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        if not isinstance(model, TableModel):
            return
        topic: RankedTopic = model.row(index)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, option)
        area = option.rect.adjusted(MEDIUM, 0, -MEDIUM, 0)
        ranks = icons.trail(painter, area, "chevron-right")
        last = topic.fact or tr("people {people}", people=topic.people)
        write(painter, ranks, last, Type.CAPTION, right=True)
        width = text_width(last, Type.CAPTION)
        if not topic.fact:
            measure = ranks.adjusted(0, 0, -width, 0)
            write(
                painter,
                measure,
                tr("metric {measure} · ", measure=topic.measure),
                Type.SMALL,
                "muted",
                right=True,
            )
            width += text_width(tr("metric {measure} · ", measure=topic.measure), Type.SMALL)
        words = ranks.adjusted(0, 0, -width - MEDIUM, 0)
        if topic.system:
            taken = write(painter, words, topic.system, Type.STRONG, right=False)
            words = words.adjusted(taken + SMALL, 0, 0, 0)
        elide = Qt.TextElideMode.ElideMiddle  # ids of topics often differ at their ends
        taken = write(painter, words, topic.name, Type.CAPTION, "muted", right=False, elide=elide)
        write(painter, words.adjusted(taken + SMALL, 0, 0, 0), topic.title)
        if option.state & QStyle.StateFlag.State_HasFocus:
            draw_ring(painter, option.rect)
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        tokens = theme.tokens()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, QColor(tokens.selection))
            bar = option.rect.adjusted(0, 0, BAR_WIDTH - option.rect.width(), 0)
            painter.fillRect(bar, QColor(tokens.accent))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, QColor(tokens.hover))
        painter.setPen(QColor(tokens.border))
        painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())


def _accessible_text(topic: RankedTopic) -> str:
    who = f"{topic.system}, " if topic.system else ""
    if topic.fact:
        return f"{who}{topic.name} {topic.title}, {topic.fact}"
    return tr(
        "{who}{name} {title}, metric {measure}, people {people}",
        who=who,
        name=topic.name,
        title=topic.title,
        measure=topic.measure,
        people=topic.people,
    )
