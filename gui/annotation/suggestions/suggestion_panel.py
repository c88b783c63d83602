"""Suggestion panel: a message (off, locked, failed), progress, or the list of suggestions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QItemSelectionModel, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPen,
    QResizeEvent,
    QShowEvent,
    QTextCharFormat,
    QTextLayout,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QListView,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from core.progress import Progress
from gui.annotation.scus.unit_rows import format_range, laid_out
from gui.annotation.suggestions.suggestion_rows import (
    SuggestionNote,
    SuggestionRow,
    SuggestionSection,
    WordsInContext,
)
from gui.item_models.table_model import VALUE_ROLE, Column, Index, TableModel
from gui.style import icons, theme
from gui.style.language import direction, plain_tip, tr
from gui.style.theme import MEDIUM, RADIUS_CONTROL, SMALL, TIGHT, Type, px
from gui.widgets.buttons import edits, link_button, plain_button
from gui.widgets.label import IconLabel, Label
from gui.widgets.layouts import Stretch, hbox, vbox
from gui.widgets.notice import ProgressBar, progress_text
from gui.widgets.panel import inset_frame
from gui.widgets.utf16_offsets import offsets_of

_ACCEPT_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class SuggestionList(QListView):
    """Keyboard-driven list of suggestions.

    Signals:
        current_changed: key of the current suggestion; empty = none.
        accepted, changed, dismissed: a suggestion's key; changed = accepted, and then to be edited.
    """

    current_changed = Signal(str)
    accepted = Signal(str)
    changed = Signal(str)
    dismissed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.suggestions = SuggestionModel()
        self._is_showing = False
        self.setModel(self.suggestions)
        self.setItemDelegate(SuggestionDelegate(lambda: self.viewport().width(), self))
        self.setAccessibleName(tr("Suggestions"))
        self.setAccessibleDescription(
            tr("Enter accepts the current suggestion, Shift+Enter accepts and edits it, Escape dismisses it.")
        )
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.doubleClicked.connect(lambda: self.accept())
        theme.signal().changed.connect(self.scheduleDelayedItemsLayout)

    @property
    def current_key(self) -> str:
        """Key of the current suggestion; empty = none."""
        line = self.suggestions.line(self.currentIndex())
        return line.key if line is not None else ""

    def show_groups(self, groups: Sequence[SuggestionSection]) -> None:
        """Replace the suggestions; the current one stays current, or the one that takes its position."""
        before, row = self.current_key, self.currentIndex().row()
        self._is_showing = True
        self.suggestions.show_groups(groups)
        self._is_showing = False
        suggestion_rows = self.suggestions.suggestion_rows()
        row_before = self.suggestions.row_of(before)
        following = [row_number for row_number in suggestion_rows if row_number >= row] or suggestion_rows[
            -1:
        ]
        self._go_to(row_before if row_before >= 0 else next(iter(following), -1))

    def step(self, by: int) -> None:
        """Move to the next (+1) or previous (-1) suggestion."""
        suggestion_rows, row = self.suggestions.suggestion_rows(), self.currentIndex().row()
        if row in suggestion_rows:
            self._go_to(
                suggestion_rows[min(max(suggestion_rows.index(row) + by, 0), len(suggestion_rows) - 1)]
            )
        elif suggestion_rows:
            self._go_to(suggestion_rows[0])

    def accept(self) -> None:
        if self.current_key:
            self.accepted.emit(self.current_key)

    def change(self) -> None:
        """Accept the current suggestion in order to edit it."""
        if self.current_key:
            self.changed.emit(self.current_key)

    def dismiss(self) -> None:
        if self.current_key:
            self.dismissed.emit(self.current_key)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if not self._is_showing:
            self.current_changed.emit(self.current_key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ACCEPT_KEYS:
            is_changed = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            (self.change if is_changed else self.accept)()
        elif event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        elif by := self._steps().get(Qt.Key(event.key())):
            self.step(by)
        else:
            super().keyPressEvent(event)

    def _steps(self) -> dict[Qt.Key, int]:
        """Return the step of each navigation key; Qt's own navigation stops at headings."""
        visible, count = self.viewport().rect(), self.suggestions.rowCount()
        rows = [self.visualRect(self.suggestions.index(row, 0)) for row in self.suggestions.suggestion_rows()]
        page = max(1, sum(visible.intersects(row) for row in rows) - 1)
        return {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_PageDown: page,
            Qt.Key.Key_Home: -count,
            Qt.Key.Key_End: count,
        }

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()  # cards wrap differently

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def _go_to(self, row: int) -> None:
        index = self.suggestions.index(row, 0)
        if index.isValid():
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.scrollTo(self.suggestions.index(row - 1, 0) if row == 1 else index)
        else:
            self.selectionModel().clear()
            self.current_changed.emit("")


Row = SuggestionSection | SuggestionRow | str
"""A heading, a suggestion or a message."""


class SuggestionModel(TableModel[Row]):
    """Groups of suggestions as a flat list."""

    def __init__(self) -> None:
        super().__init__([Column(tr("Suggestion"), lambda row: row, row_text=accessible_text)])

    def show_groups(self, groups: Sequence[SuggestionSection]) -> None:
        self.set_rows([row for group in groups for row in (group, *(group.lines or (group.when_none,)))])

    def line(self, index: Index) -> SuggestionRow | None:
        """Return the suggestion of a row; None = a heading or message."""
        row = index.data(VALUE_ROLE)
        return row if isinstance(row, SuggestionRow) else None

    def verb(self, key: str) -> str:
        """Return what accepting a suggestion does."""
        groups = (row for row in self.rows() if isinstance(row, SuggestionSection))
        return next((one.verb for one in groups if any(line.key == key for line in one.lines)), "")

    def suggestion_rows(self) -> list[int]:
        return [place for place, row in enumerate(self.rows()) if isinstance(row, SuggestionRow)]

    def row_of(self, key: str) -> int:
        """Return the row number of a suggestion; -1 = not listed."""
        rows = enumerate(self.rows())
        return next((at for at, row in rows if isinstance(row, SuggestionRow) and row.key == key), -1)

    def flags(self, index: Index) -> Qt.ItemFlag:
        is_line = self.line(index) is not None
        return (
            Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable if is_line else Qt.ItemFlag.NoItemFlags
        )


def accessible_text(row: Row) -> str:
    """Return the description of a row for screen readers."""
    if isinstance(row, str):
        return row
    if isinstance(row, SuggestionSection):
        return row.title
    places = "; ".join(f"{p.letter}: {p.words}" if p.letter else p.words for p in row.places)
    title = f"{row.title}: " if row.title else ""
    return f"{title}{places}, {row.fact}"


_BADGE_PX, _MIN_TEXT_PX, _UNLIMITED_PX = 20, 60, 10_000.0
_WRAP = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)


class SuggestionDelegate(QStyledItemDelegate):
    """Paints and measures rows.

    width: returns the width of the viewport, which a card fills.
    """

    def __init__(self, width: Callable[[], int], parent: QObject) -> None:
        super().__init__(parent)
        self._width = width

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row, width = index.data(VALUE_ROLE), self._width()
        if isinstance(row, SuggestionRow):
            return QSize(width, round(_Card(row, width).height) + SMALL)
        if isinstance(row, SuggestionSection):
            height = _text_height(row.title, Type.CAPTION, width - 2 * MEDIUM)
            return QSize(width, round(height) + MEDIUM + SMALL)
        return QSize(width, round(_text_height(str(row), Type.BODY, width - 2 * MEDIUM)) + SMALL)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, room = index.data(VALUE_ROLE), QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(row, SuggestionRow):
            card = _Card(row, self._width())
            card.paint(painter, room.topLeft(), _state(option))
        else:
            is_head = isinstance(row, SuggestionSection)
            painter.setFont(theme.font(Type.CAPTION if is_head else Type.BODY))
            painter.setPen(theme.colour("muted"))
            words = row.title if isinstance(row, SuggestionSection) else str(row)
            top = MEDIUM if is_head else 0
            painter.drawText(room.adjusted(MEDIUM, top, -MEDIUM, 0), _WRAP | direction(words), words)
        painter.restore()


class _Card:
    """One suggestion, laid out for a width."""

    def __init__(self, line: SuggestionRow, width: int) -> None:
        self._line = line
        self._width = max(width - 2 * MEDIUM, _MIN_TEXT_PX)
        badge = px(_BADGE_PX) + SMALL
        self._title_left = badge if line.weight else 0
        self._words_left = badge if any(place.letter for place in line.places) else 0
        self._layouts = [_text_layout(place, self._room - self._words_left) for place in line.places]

    @property
    def height(self) -> float:
        """Height of the card including its frame."""
        words = sum(self._place_height(layout) + TIGHT for layout in self._layouts)
        fact = _text_height(self._line.fact, Type.SMALL, self._room)
        return self._title_height() + words + fact + 2 * SMALL

    def paint(self, painter: QPainter, at: QPointF, state: QStyle.StateFlag) -> None:
        frame = QRectF(at.x() + MEDIUM, at.y(), self._width, self.height)
        self._paint_frame(painter, frame, state)
        left, top = frame.left() + SMALL, frame.top() + SMALL
        top += self._paint_title(painter, left, top)
        for place, layout in zip(self._line.places, self._layouts, strict=True):
            if place.letter:
                icons.badge(
                    painter,
                    QRectF(left, top, px(_BADGE_PX), px(_BADGE_PX)),
                    place.letter,
                    theme.colour("hover"),
                )
            painter.setPen(theme.colour("text"))
            layout.draw(painter, QPointF(left + self._words_left, top))
            top += self._place_height(layout) + TIGHT
        painter.setFont(theme.font(Type.SMALL))
        painter.setPen(theme.colour("muted"))
        painter.drawText(QRectF(left, top, self._room, _UNLIMITED_PX), _WRAP, self._line.fact)

    @property
    def _room(self) -> int:
        return self._width - 2 * SMALL

    def _title_height(self) -> float:
        if not self._line.title:
            return 0.0
        height = _text_height(self._line.title, Type.STRONG, self._room - self._title_left)
        return max(height, float(px(_BADGE_PX) if self._line.weight else 0)) + TIGHT

    def _place_height(self, layout: QTextLayout) -> float:
        return max(layout.boundingRect().height(), float(px(_BADGE_PX) if self._words_left else 0))

    def _paint_title(self, painter: QPainter, left: float, top: float) -> float:
        line = self._line
        if line.title:
            if line.weight:
                tint = QColor(theme.tokens().weights[line.step - 1].tint)
                icons.badge(painter, QRectF(left, top, px(_BADGE_PX), px(_BADGE_PX)), str(line.weight), tint)
            painter.setFont(theme.font(Type.STRONG))
            painter.setPen(theme.colour("text"))
            room = QRectF(left + self._title_left, top, self._room - self._title_left, _UNLIMITED_PX)
            painter.drawText(room, _WRAP | direction(line.title), line.title)
        return self._title_height()

    def _paint_frame(self, painter: QPainter, frame: QRectF, state: QStyle.StateFlag) -> None:
        is_current = bool(state & QStyle.StateFlag.State_Selected)
        edge = 2.0 if is_current and state & QStyle.StateFlag.State_HasFocus else 1.0
        painter.setPen(QPen(theme.colour("accent" if is_current else "border"), edge))
        is_hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        painter.setBrush(theme.colour("selection" if is_current else "hover" if is_hovered else "raised"))
        inner = frame.adjusted(edge / 2, edge / 2, -edge / 2, -edge / 2)
        painter.drawRoundedRect(inner, RADIUS_CONTROL, RADIUS_CONTROL)


def _text_layout(place: WordsInContext, width: int) -> QTextLayout:
    """Lay out a text in lines of a width, its context muted."""
    text = f"{place.before}{place.words}{place.after}"
    offsets, muted = offsets_of(text), QTextCharFormat()
    muted.setForeground(theme.colour("muted"))
    context = (0, len(place.before)), (len(text) - len(place.after), len(text))
    formats = [format_range(*offsets.span_to_document(span), muted) for span in context]
    return laid_out(text, Type.BODY, max(width, _MIN_TEXT_PX), formats)


def _text_height(text: str, kind: Type, width: float) -> float:
    return (
        QFontMetricsF(theme.font(kind)).boundingRect(QRectF(0, 0, width, _UNLIMITED_PX), _WRAP, text).height()
    )


def _state(option: QStyleOptionViewItem) -> QStyle.StateFlag:
    state: QStyle.StateFlag = option.state
    return state


class SuggestionPanel(QStackedWidget):
    """Panel for suggestions.

    Signals:
        became_visible: the panel is current.
        highlighted: the suggestion to highlight in its text; empty = none.
    """

    became_visible = Signal()
    highlighted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.icon, self.title_label = IconLabel("bulb"), Label("", Type.STRONG, wrap=True)
        self.sentence_label = Label("", Type.SMALL, "muted", wrap=True)
        self.ask_button = plain_button(tr("Suggest"))
        self.bar, self.progress_label = ProgressBar(tr("Progress of the suggestions")), Label("", Type.SMALL)
        self.cancel_button = link_button(tr("Cancel"))
        self.list = SuggestionList()
        self.accept_button = plain_button(tr("Accept"))
        self.change_button = plain_button(tr("Change"))
        self.dismiss_button = plain_button(tr("Dismiss"))
        self.off_button = link_button(tr("Turn off"))
        self.all_label = Label("", Type.SMALL, "muted")
        self.accept_all_button = link_button(tr("Accept all"))
        self.dismiss_all_button = link_button(tr("Dismiss all"))
        edits(self.ask_button, self.accept_button, self.change_button, self.dismiss_button)
        edits(self.accept_all_button, self.dismiss_all_button)
        self._note, self._work, self._results = QWidget(), QWidget(), QWidget()
        self._all = QFrame()
        self._all.setProperty("kind", "panel-foot")
        self._all.hide()
        every = hbox(self.accept_all_button, self.dismiss_all_button, Stretch(1), spacing=SMALL)
        vbox(self.all_label, every, parent=self._all, margins=(MEDIUM, SMALL), spacing=TIGHT)
        self._work.setAccessibleName(tr("Computing suggestions"))
        for page in (self._note, self._work, self._results):
            self.addWidget(page)
        head = hbox(self.icon, (self.title_label, 1), spacing=SMALL)
        card = vbox(head, self.sentence_label, spacing=SMALL)
        card.addWidget(self.ask_button, 0, Qt.AlignmentFlag.AlignLeft)
        _at_top(self._note, inset_frame(card))
        self.progress_label.setWordWrap(True)
        work = vbox(self.progress_label, self.bar, spacing=SMALL)
        work.addWidget(self.cancel_button, 0, Qt.AlignmentFlag.AlignLeft)
        _at_top(self._work, inset_frame(work))
        vbox((self.list, 1), self._all, self._foot(), parent=self._results, spacing=0)
        self.off_button.setToolTip(tr("Turn suggestions off"))
        self.accept_button.clicked.connect(self.list.accept)
        self.change_button.clicked.connect(self.list.change)
        self.change_button.setToolTip(tr("Accept it and edit it (Shift+Enter in the list)"))
        self.dismiss_button.clicked.connect(self.list.dismiss)
        self.dismiss_button.setToolTip(tr("Do not suggest this again (Esc in the list)"))
        self.list.current_changed.connect(self._highlight)

    def show_note(self, note: SuggestionNote) -> None:
        """Show why there are no suggestions."""
        self.list.show_groups(())
        self.icon.show_icon(note.icon)
        self.title_label.setText(note.title)
        self.sentence_label.setText(note.sentence)
        self.ask_button.setVisible(bool(note.verb))
        self.ask_button.setText(note.verb)
        self.ask_button.setAccessibleName(note.verb)
        self._show_page(self._note)

    def show_progress(self, progress: Progress) -> None:
        self.list.show_groups(())
        self.bar.show_progress(progress)
        text = progress_text(progress)
        self.progress_label.setText(text[:1].upper() + text[1:])
        self._show_page(self._work)

    def show_groups(self, groups: Sequence[SuggestionSection], proposals: int = 0) -> None:
        """Show suggestions. proposals: how many of them machine annotators proposed."""
        self._show_page(self._results)
        self.list.show_groups(groups)
        self.all_label.setText(tr("%n proposals", "", proposals))
        self._all.setVisible(bool(proposals))

    def focus_default(self) -> None:
        """Focus what is current: the list, the progress, or the Suggest button."""
        current = self.currentWidget()
        target = (
            self.list
            if current is self._results
            else self.ask_button
            if current is self._note
            else self._work
        )
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.became_visible.emit()
        self._highlight(self.list.current_key)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.highlighted.emit("")

    def _show_page(self, page: QWidget) -> None:
        """Show a page of the stack; the focus stays in the panel if it is there."""
        focus = QApplication.focusWidget()
        had_focus = focus is not None and self.isAncestorOf(focus)
        if page is not self.currentWidget():
            self.setCurrentWidget(page)
            if had_focus:
                self.focus_default()

    def _foot(self) -> QFrame:
        foot = QFrame()
        foot.setProperty("kind", "panel-foot")
        buttons = self.accept_button, self.change_button, self.dismiss_button
        first = hbox(*buttons, Stretch(1), spacing=SMALL)
        last = hbox(Stretch(1), self.off_button)  # in one row they would take width from the texts
        vbox(first, last, parent=foot, margins=(MEDIUM, SMALL), spacing=TIGHT)
        return foot

    def _highlight(self, key: str) -> None:
        for button in (self.accept_button, self.change_button, self.dismiss_button):
            button.setEnabled(bool(key))
        self.accept_button.setToolTip(
            plain_tip(tr("{verb} (Enter in the list)", verb=self.list.suggestions.verb(key)) if key else "")
        )
        self.highlighted.emit(key if self.isVisible() else "")


def _at_top(page: QWidget, widget: QWidget) -> None:
    vbox(widget, Stretch(1), parent=page, margins=MEDIUM)
