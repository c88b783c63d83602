"""Tree of rows with wrapped text under headings."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QStyleOptionViewItem, QTreeView

from gui.item_models.grouped_model import ROW_ROLE, Group, GroupedModel
from gui.style import theme
from gui.style.text_direction import direction
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.lists.grouped_tree import HEAD_HEIGHT, GroupedDelegate, GroupedTree

Index = QModelIndex | QPersistentModelIndex
MOST_LINES = 6
_WRAP = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)


class WrappedTree(GroupedTree):
    """A list of wrapped rows; collapsed headings stay collapsed when rows are replaced.

    Signals:
        verb_pressed: the key of a row and the verb in it that was pressed.
        delete_pressed: the current row's key.
    """

    verb_pressed = Signal(object, str)
    delete_pressed = Signal(object)

    def __init__(self, name: str, model: GroupedModel[Any], delegate: WrappedDelegate) -> None:
        self._closed: set[str] = set()
        self._last_row = 0
        self._wrapped = delegate
        super().__init__(name, model, delegate)
        self.setHeaderHidden(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.collapsed.connect(lambda head: self._closed.add(self._heading(head)))
        self.expanded.connect(lambda head: self._closed.discard(self._heading(head)))
        theme.signal().changed.connect(self.scheduleDelayedItemsLayout)

    def focusInEvent(self, event: QFocusEvent) -> None:
        was_nowhere = not self.currentIndex().isValid()
        super().focusInEvent(event)  # it makes the first heading current where nothing is
        if was_nowhere and self.current_key is None and event.reason() != Qt.FocusReason.MouseFocusReason:
            self.step(+1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()  # rows of another width have another height

    def event(self, event: QEvent) -> bool:
        is_delete = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Delete
        if is_delete and event.type() is QEvent.Type.ShortcutOverride and self.current_key is not None:
            event.accept()  # here the key is for the row, whatever it does elsewhere on the page
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and self.current_key is not None:
            self.delete_pressed.emit(self.current_key)
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        key = self._model.key_at(index)
        if key is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        verb = self._wrapped.verb_at(self.visualRect(index), index, event.position().toPoint())
        if verb:
            self.verb_pressed.emit(key, verb)
        else:
            self.row_opened.emit(key)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)  # the first click has opened the row already

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        is_verb = bool(self._wrapped.verb_at(self.visualRect(index), index, event.position().toPoint()))
        shape = Qt.CursorShape.PointingHandCursor if is_verb else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def _heading(self, index: QModelIndex) -> str:
        head = index.data(ROW_ROLE)
        return head.title if isinstance(head, Group) else ""

    def _remember(self) -> None:
        super()._remember()
        keys = self._keys()
        self._last_row = keys.index(self.current_key) if self.current_key in keys else 0

    def _restore(self) -> None:
        """If the current row is gone and the tree has the focus, make the row at its position current."""
        super()._restore()
        keys = self._keys()
        if keys and self.hasFocus() and self.current_key is None:
            self.choose(keys[min(self._last_row, len(keys) - 1)])

    def _spread_heads(self) -> None:
        closed = set(self._closed)
        super()._spread_heads()  # it opens them all
        for at in range(self._model.rowCount()):
            head = self._model.index(at, 0)
            if self._heading(head) in closed:
                self.collapse(head)


class WrappedDelegate(GroupedDelegate):
    """Paints wrapped text; subclasses define the text and its surroundings."""

    def __init__(self) -> None:
        super().__init__(0, has_lines=True)

    def words(self, row: Any) -> str:
        """Return the text to wrap."""
        raise NotImplementedError

    def margins(self, row: Any) -> tuple[int, int, int]:
        """Return the margins at the left of the text, above and below it, in unscaled pixels."""
        return MEDIUM, SMALL, SMALL

    def verb_at(self, area: QRect, index: Index, point: QPoint) -> str:
        """Return the action of a row at a point, empty = none."""
        return ""

    def head_fact(self, group: Group[Any]) -> str:
        return str(len(group.rows))

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row = index.data(ROW_ROLE)
        if isinstance(row, Group):
            return QSize(60, px(HEAD_HEIGHT))
        tree = option.widget
        width = tree.viewport().width() if isinstance(tree, QTreeView) else option.rect.width()
        _, above, below = self.margins(row)
        return QSize(60, px(above) + self._lines_height(row, width) + px(below))

    def words_area(self, area: QRect, row: Any) -> QRect:
        """Return the area of a row's text."""
        left, above, _ = self.margins(row)
        height = self._lines_height(row, area.width())
        return QRect(area.left() + px(left), area.top() + px(above), self._room(row, area.width()), height)

    def write_words(self, painter: QPainter, area: QRect, row: Any, token: str = "text") -> None:
        """Paint a row's text, elided if it does not fit."""
        painter.setPen(theme.colour(token))
        place = self.words_area(area, row)
        words = self.words(row)
        painter.drawText(place, _WRAP | direction(words), _fitting(words, painter.fontMetrics(), place))

    def _room(self, row: Any, width: int) -> int:
        return max(px(40), width - px(self.margins(row)[0]) - px(MEDIUM))

    def _lines_height(self, row: Any, width: int) -> int:
        return _lines_height(self.words(row), self._room(row, width), theme.font_px(Type.BODY))


@lru_cache(maxsize=4096)
def _lines_height(words: str, room: int, _: int) -> int:
    """Return the height of a text wrapped at this width; the font's height is part of the cache key."""
    metrics = QFontMetrics(theme.font(Type.BODY))
    height = metrics.boundingRect(QRect(0, 0, room, 10_000), _WRAP, words).height()
    return min(height, MOST_LINES * metrics.lineSpacing())


def verb_rect(area: QRect, verb: str, *, left: int = 0, right: int = 0) -> QRect:
    """Return the area of an action in the line below a row's text, from the left or the right."""
    metrics = QFontMetrics(theme.font(Type.CAPTION))
    width, height = metrics.horizontalAdvance(verb), metrics.lineSpacing()
    x = area.right() - right - width if right else area.left() + left
    return QRect(x, area.bottom() - height - TIGHT, width, height)


def _fitting(words: str, metrics: QFontMetrics, place: QRect) -> str:
    """Return as much of the text as fits."""

    def fits(part: str) -> bool:
        height = metrics.boundingRect(place.adjusted(0, 0, 0, 10_000), _WRAP, part).height()
        return height < place.height() + metrics.height() // 2  # lines are a fraction of a pixel apart

    if fits(words):
        return words
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(f"{words[:middle].rstrip()}…") else (low, middle - 1)
    return f"{words[:low].rstrip()}…"
