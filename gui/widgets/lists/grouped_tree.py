"""Tree of rows under headings, also with wrapped text, and its delegates."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from gui.item_models.table_model import ROW_ROLE, Group, GroupedModel, Index, is_heading
from gui.style import icons, theme
from gui.style.language import direction
from gui.style.theme import MEDIUM, RADIUS_CONTROL, SMALL, TIGHT, Type, px
from gui.widgets.accessible import announce
from gui.widgets.buttons import NOTHING_FOUND
from gui.widgets.label import readable

HEAD_HEIGHT, BAR_WIDTH = 28, 3


class GroupedTree(QTreeView):
    """A list or table under headings; it keeps the current row when rows are replaced.

    Signals:
        row_chosen: the key of the row that became current by the user or by `choose`.
        row_opened: key of a row, by Enter or double click.
        space_pressed: the current row's key.
    """

    row_chosen = Signal(object)
    row_opened = Signal(object)
    space_pressed = Signal(object)

    def __init__(self, name: str, model: GroupedModel[Any], delegate: GroupedDelegate) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._model = model
        self._last_current: tuple[object, int] | None = None
        self._spoken: tuple[object, int, object] = (None, 0, None)
        self.setModel(model)
        delegate.setParent(self)
        self.setItemDelegate(delegate)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setAllColumnsShowFocus(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        model.modelAboutToBeReset.connect(self._remember)
        model.arranged.connect(self._restore)
        model.dataChanged.connect(self._announce_change)
        model.updated.connect(lambda: self.viewport().update())
        self._spread_heads()

    @property
    def current_key(self) -> object | None:
        """The key of the current row, None = none or a heading."""
        return self._model.key_at(self.currentIndex())

    def choose(self, key: object, column: int = 0) -> bool:
        """Make a row current and scroll to it. Returns whether it is in the list."""
        index = self._model.index_of(key, column)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)
        return index.isValid()

    def step(self, by: int) -> None:
        """Move to the next (1) or previous (-1) row, skipping headings."""
        keys = [self._model.key_at(self._model.index_of(key)) for key in self._keys()]
        if not keys:
            return
        here = keys.index(self.current_key) + by if self.current_key in keys else 0
        self.choose(keys[min(max(here, 0), len(keys) - 1)], max(self.currentIndex().column(), 0))

    def dataChanged(self, top_left: Index, bottom_right: Index, roles: Sequence[int] = ()) -> None:
        """Show changed rows, which keep their heights; Qt would ask for the size of each cell."""
        QAbstractItemView.dataChanged(self, top_left, bottom_right, roles)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self._announce_change()
        key = self._model.key_at(current)
        if key is not None:
            self.row_chosen.emit(key)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and self._model.row(index) is None:
            self.setExpanded(index, not self.isExpanded(index))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        key = self._model.key_at(self.indexAt(event.position().toPoint()))
        if key is not None:
            self.row_opened.emit(key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = self.current_key
        if key is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.row_opened.emit(key)
        elif key is not None and event.key() == Qt.Key.Key_Space:
            self.space_pressed.emit(key)
        else:
            super().keyPressEvent(event)

    @property
    def finds_nothing(self) -> bool:
        """Whether there are rows, but none matches the search."""
        return bool(self._model.words) and not self._model.rowCount()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.finds_nothing:
            paint_nothing_found(self)

    def _keys(self) -> list[object]:
        items: list[object] = []
        for at in range(self._model.rowCount()):
            head = self._model.index(at, 0)
            rows = range(self._model.rowCount(head))
            items += [self._model.key_at(self._model.index(row, 0, head)) for row in rows]
        return items

    def _remember(self) -> None:
        key = self.current_key
        self._last_current = (key, self.currentIndex().column()) if key is not None else self._last_current

    def _restore(self) -> None:
        self._spread_heads()
        if self._last_current is not None:
            index = self._model.index_of(*self._last_current)
            if index.isValid():
                self.setCurrentIndex(index)

    @Slot()
    def _announce_change(self) -> None:
        """Announce a change of the current cell, such as that it was chosen."""
        current, before = self.currentIndex(), self._spoken
        self._spoken = (self.current_key, current.column(), current.data(Qt.ItemDataRole.AccessibleTextRole))
        if self.hasFocus() and self._spoken[:2] == before[:2] and self._spoken != before:
            announce(self, str(self._spoken[-1] or ""))

    def _spread_heads(self) -> None:
        heads = range(self._model.rowCount())
        for at in heads:
            self.expand(self._model.index(at, 0))  # not all, as screen readers would call each row expanded
        for at in heads:
            self.setFirstColumnSpanned(at, QModelIndex(), True)  # which lays out all that is expanded so far


class GroupedDelegate(QStyledItemDelegate):
    """Paints headings and the background of rows; subclasses paint the content with `paint_cell`.

    row_height: in unscaled pixels. has_lines: a hairline under every row.
    rings_cell: the focus ring is around the cell, not the row.
    """

    row_height = 0
    has_lines = rings_cell = False

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        raise NotImplementedError

    def head_fact(self, group: Group[Any]) -> str:
        """Return the text at the right of a heading."""
        return ""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(60, px(HEAD_HEIGHT if is_heading(index) else self.row_height))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        head = index.data(ROW_ROLE)
        if isinstance(head, Group):
            self._paint_head(painter, option, head, index)
        else:
            self.paint_ground(painter, option, index)
            if self.has_lines:
                painter.setPen(theme.colour("border"))
                painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())
            self.paint_cell(painter, option.rect, index, option)
            self._paint_ring(painter, option, index)
        painter.restore()

    def _paint_head(
        self, painter: QPainter, option: QStyleOptionViewItem, group: Group[Any], index: Index
    ) -> None:
        tree = option.widget
        is_open = isinstance(tree, QTreeView) and tree.isExpanded(index)
        area = option.rect.adjusted(MEDIUM, TIGHT, -MEDIUM, 0)
        words = icons.lead(painter, area, "chevron-down" if is_open else "chevron-right", size=12)
        write(painter, words, group.title, Type.CAPTION, "muted")
        if fact := self.head_fact(group):
            write(painter, words, fact, Type.CAPTION, "muted", right=True)
        if option.state & QStyle.StateFlag.State_HasFocus:
            draw_ring(painter, option.rect)

    @staticmethod
    def paint_ground(painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the background of a selected cell, or of one under the mouse."""
        tokens = theme.tokens()
        is_first = index.column() == 0
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, QColor(tokens.selection))
            if is_first:
                bar = QRect(option.rect.topLeft(), QSize(BAR_WIDTH, option.rect.height()))
                painter.fillRect(bar, QColor(tokens.accent))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, QColor(tokens.hover))

    def _paint_ring(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        widget = option.widget
        if not isinstance(widget, QTreeView) or not widget.hasFocus():
            return
        current = widget.currentIndex()
        is_current = index.row() == current.row() and index.parent() == current.parent()
        if is_current and (not self.rings_cell or index.column() == current.column()):
            draw_ring(painter, option.rect)


def draw_ring(painter: QPainter, area: QRect, width: float = 2.0, radius: int = RADIUS_CONTROL) -> None:
    """Draw the focus ring, 2 px wide by default, inside an area."""
    painter.setPen(QPen(theme.colour("accent"), width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    edge = width / 2
    painter.drawRoundedRect(QRectF(area).adjusted(edge, edge, -edge, -edge), radius, radius)


def write(
    painter: QPainter,
    area: QRect,
    text: str,
    kind: Type = Type.BODY,
    token: str = "text",
    *,
    right: bool | None = None,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> int:
    """Draw one line of text into an area, elided if it does not fit, or nothing. Returns its width.

    right: at the right of the area; False = at the left, None = where the text's own direction begins.
    """
    elided, width = _elided(text, kind, theme.font_px(kind), area.width(), elide)
    painter.setFont(theme.font(kind))
    painter.setPen(theme.colour(token))
    painter.drawText(area, _flags(right, direction(text)), elided)
    return width


@lru_cache(maxsize=4096)
def _elided(text: str, kind: Type, _: int, room: int, elide: Qt.TextElideMode) -> tuple[str, int]:
    """Return what is drawn of a text in a font of that size, and its width."""
    metrics = theme.metrics(kind)
    elided = readable(metrics.elidedText(text, elide, max(room, 0)))
    return elided, metrics.horizontalAdvance(elided)


@cache
def _flags(right: bool | None, turned: Qt.TextFlag) -> int:
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    if right is not None:
        side |= Qt.AlignmentFlag.AlignAbsolute
    return int(side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine | turned)


def paint_nothing_found(view: QAbstractItemView, sentence: str = NOTHING_FOUND) -> None:
    """Paint a sentence in an empty list, by default that a search has no results."""
    painter = QPainter(view.viewport())
    painter.setFont(theme.font(Type.BODY))
    painter.setPen(theme.colour("muted"))
    room = view.viewport().rect().adjusted(MEDIUM, MEDIUM, -MEDIUM, -MEDIUM)
    painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), sentence)


def padded(area: QRect) -> QRect:
    """Return a cell's area without its padding."""
    return area.adjusted(SMALL, 0, -SMALL, 0)


def text_width(text: str, kind: Type = Type.BODY) -> int:
    return theme.metrics(kind).horizontalAdvance(text)


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

    def dataChanged(self, top_left: Index, bottom_right: Index, roles: Sequence[int] = ()) -> None:
        QTreeView.dataChanged(self, top_left, bottom_right, roles)  # another text may have another height

    def focusInEvent(self, event: QFocusEvent) -> None:
        if not self.currentIndex().isValid() and event.reason() != Qt.FocusReason.MouseFocusReason:
            self.step(+1)  # before Qt makes the first heading current, which would be spoken
        super().focusInEvent(event)

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

    has_lines = True

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
    metrics = theme.metrics(Type.BODY)
    height = metrics.boundingRect(QRect(0, 0, room, 10_000), _WRAP, words).height()
    return min(height, MOST_LINES * metrics.lineSpacing())


def verb_rect(area: QRect, verb: str, *, left: int = 0, right: int = 0) -> QRect:
    """Return the area of an action in the line below a row's text, from the left or the right."""
    metrics = theme.metrics(Type.CAPTION)
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
