"""Read-only text with selection by words or characters, of one or several spans, and its text cursor."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QElapsedTimer, QMimeData, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QWidget

from core.annotation.word_coverage import merge_spans, snap_to_words, subtract_spans, words
from core.domain.study import Span, Text
from core.suggestions.candidate_spans import clauses
from core.text.sentences import sentence_spans
from gui.annotation.drag_and_drop import DraggedItem, DragKind, start_drag
from gui.style import reading_preferences
from gui.style.language import tr
from gui.widgets.reading_text import ReadingText
from gui.widgets.utf16_offsets import TextOffsets, offsets_of

ENDS = (
    ("part.start_out", -1, +1),
    ("part.start_in", -1, -1),
    ("part.end_out", +1, +1),
    ("part.end_in", +1, -1),
)
"""Commands with the end that they move (-1 = start, +1 = end) and by how many words outwards."""
AT_EDGE = tr("The text has no more words there.")


@dataclass(frozen=True, slots=True)
class Caret:
    """A selection with a direction, in code points."""

    anchor: int
    position: int

    @property
    def span(self) -> Span:
        return min(self.anchor, self.position), max(self.anchor, self.position)

    @property
    def is_empty(self) -> bool:
        return self.anchor == self.position

    def snap(self, words: Sequence[Span]) -> Caret:
        """Return the selection extended to whole words, in the same direction."""
        if self.is_empty:
            return self
        start, end = snap_to_words(words, self.span)
        return Caret(start, end) if self.anchor < self.position else Caret(end, start)

    def step(self, words: Sequence[Span], *, forward: bool, clauses: Sequence[Span] | None = None) -> Caret:
        """Return the selection extended or reduced by one word, or by one of `clauses`."""
        by = words if clauses is None else clauses
        moved = self._forward(by) if forward else self._backward(by)
        return Caret(self.anchor, moved).snap(words)

    def walk(self, words: Sequence[Span], *, forward: bool) -> Caret:
        """Return an empty selection at the start of the next or previous word.

        A selection collapses to its end in that direction.
        """
        if not self.is_empty:
            at = self.span[1] if forward else self.span[0]
        elif forward:
            place = bisect_right(words, self.position, key=lambda word: word[0])
            at = words[place][0] if place < len(words) else max(self.position, words[-1][1] if words else 0)
        else:
            place = bisect_left(words, self.position, key=lambda word: word[0])
            at = words[place - 1][0] if place else 0
        return Caret(at, at)

    def _forward(self, words: Sequence[Span]) -> int:
        if self.position < self.anchor:
            at = bisect_right(words, self.position, key=lambda word: word[0])
            return min(words[at][0], self.anchor) if at < len(words) else self.anchor
        at = bisect_right(words, self.position, key=lambda word: word[1])
        return words[at][1] if at < len(words) else self.position

    def _backward(self, words: Sequence[Span]) -> int:
        if self.position > self.anchor:
            at = bisect_left(words, self.position, key=lambda word: word[1]) - 1
            return max(words[at][1], self.anchor) if at >= 0 else self.anchor
        at = bisect_left(words, self.position, key=lambda word: word[0]) - 1
        return words[at][0] if at >= 0 else self.position


def span_at(spans: Sequence[Span], place: int) -> Span | None:
    """Return the span that contains a position or ends there; None = no such span."""
    at = bisect_right(spans, place, key=lambda span: span[0]) - 1
    return spans[at] if at >= 0 and place <= spans[at][1] else None


def with_end_at(words: Sequence[Span], span: Span, place: int, *, at_end: bool) -> Span:
    """Return a span with one end moved to the word edge nearest to a position; it keeps at least one word."""
    start, end = span
    edges = [word[1] for word in words if word[1] > start] if at_end else [w[0] for w in words if w[0] < end]
    if not edges:
        return span
    nearest = min(edges, key=lambda edge: abs(edge - place))
    return (start, nearest) if at_end else (nearest, end)


def with_end_moved(words: Sequence[Span], span: Span, by: int, *, at_end: bool) -> Span:
    """Return a span with one end moved a word outwards (+1) or inwards (-1), if possible."""
    start, end = span
    if at_end:
        edges = [
            word[1] for word in words if word[1] > start and (word[1] > end) is (by > 0) and word[1] != end
        ]
        return (start, edges[0 if by > 0 else -1]) if edges else span
    edges = [
        word[0] for word in words if word[0] < end and (word[0] < start) is (by > 0) and word[0] != start
    ]
    return (edges[-1 if by > 0 else 0], end) if edges else span


_ALT = Qt.KeyboardModifier.AltModifier
_CTRL = Qt.KeyboardModifier.ControlModifier
_SHIFT = Qt.KeyboardModifier.ShiftModifier


class WordSelectionText(ReadingText):
    """Shows a stored text; all positions are code points of that text.

    Arrow keys move by words, with Ctrl by clauses, and select whole words; they move and select by characters
    while Alt is pressed or if `gui.style.reading_preferences` is set so. Left and right follow the reading
    direction of the caret's paragraph. A double click selects a word, a triple click its clause, and a double
    click with Alt its sentence. `add_pending_span`, or Ctrl at the start of the next selection, adds the
    selection to the pending spans, so that one edit can use several spans. Every press of the mouse begins a
    new selection; one that begins on the old selection drags that, with the pending spans, when the pointer
    leaves the text. A folded span is shown as one placeholder character and is left out of selections
    across it.

    Signals:
        words_selected: the selection or the pending spans changed.
    """

    words_selected = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.setCursorWidth(2)
        self.viewport().setMouseTracking(True)
        self._offsets: TextOffsets = offsets_of("")
        self.content = self._language = ""  # stored text, and its language
        self.word_spans: tuple[Span, ...] = ()  # spans of the words of the text
        self.folds: tuple[Span, ...] = ()  # folded spans
        self._pending: tuple[Span, ...] = ()
        self._is_exact = False
        self._grabbed: tuple[Span, ...] = ()  # what was selected where the button was pressed
        self._clauses: tuple[Span, ...] | None = None
        self._sentences: tuple[Span, ...] | None = None
        self._double_clicked = QElapsedTimer()
        self._pressed_at = QPoint()
        self.selectionChanged.connect(self.words_selected)

    @property
    def word_count(self) -> int:
        return len(self.word_spans)

    @property
    def word_count_text(self) -> str:
        """The number of words, for example ``1 word``."""
        return tr("%n words", "", len(self.word_spans))

    @property
    def caret(self) -> int:
        return self._offsets.to_text(self.textCursor().position())

    def selected_spans(self) -> tuple[Span, ...]:
        """Return the pending spans and the selection in text order; overlapping spans are merged."""
        chosen = self._caret()
        if not self._is_exact:
            chosen = chosen.snap(self._words_shown())
        return merge_spans((*self._pending, *(() if chosen.is_empty else self._unfolded(chosen.span))))

    def add_pending_span(self) -> bool:
        """Add the selection to the pending spans of the next edit. Return whether there was one."""
        spans = self.selected_spans()
        if spans == self._pending:
            return False
        self._pending = spans
        self._collapse()
        return True

    def select_spans(self, spans: Sequence[Span]) -> None:
        """Select exactly these spans: the last one as the selection, the others as pending spans."""
        self._is_exact = True
        self._pending = tuple(spans[:-1])
        self._put(Caret(*spans[-1]))

    def point_at(self, span: Span) -> None:
        """Select a span, scroll to it and take the focus."""
        self.select_spans([span])
        box = self.cursorRect()
        bar = self.verticalScrollBar()
        if not self.viewport().rect().adjusted(0, 0, 0, -box.height()).contains(box.center()):
            bar.setValue(bar.value() + round(box.top() - self.viewport().height() / 3))
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def move_caret_down(self, pixels: int, *, is_drawn: bool) -> None:
        """Move the caret down by a height in pixels, or up if negative; `is_drawn` extends the selection."""
        place = self.cursorForPosition(self.cursorRect().center() + QPoint(0, pixels)).position()
        caret = Caret(self._caret().anchor, self._offsets.to_text(place))
        if is_drawn:
            self._put(caret if self._is_exact else caret.snap(self._words_shown()))
        else:
            self._put(Caret(caret.position, caret.position))

    def keep_caret_within(self, span: Span) -> None:
        """Move the caret into a span if nothing is selected."""
        caret = self._caret()
        if caret.is_empty and not span[0] <= caret.position <= span[1]:
            place = min(max(caret.position, span[0]), span[1])
            self._put(Caret(place, place))

    def drop_selection(self) -> None:
        """Clear the selection and the pending spans; the caret stays."""
        self._pending = ()
        self._collapse()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        modifiers = event.modifiers() & (_ALT | _CTRL | _SHIFT)
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            is_leftward = self.textCursor().block().textDirection() is Qt.LayoutDirection.RightToLeft
            self._go_sideways(modifiers, forward=(event.key() == Qt.Key.Key_Right) is not is_leftward)
        elif event.key() == Qt.Key.Key_Escape and self.selected_spans():
            self.drop_selection()
        else:
            super().keyPressEvent(event)
            if modifiers & _SHIFT:
                self._is_exact = self._is_exact or _goes_by_character(modifiers)
                if not self._is_exact:
                    self._put(self._caret().snap(self._words_shown()))

    def _go_sideways(self, modifiers: Qt.KeyboardModifier, *, forward: bool) -> None:
        """Move the caret by characters, with Ctrl by words; extend the selection by words or characters,
        with Ctrl by clauses.
        """
        is_drawn, caret, words = bool(modifiers & _SHIFT), self._caret(), self._words_shown()
        if is_drawn and modifiers & _CTRL:
            self._is_exact = False
            self._put(caret.step(words, forward=forward, clauses=self.clauses))
        elif not is_drawn and (modifiers & _CTRL or not caret.is_empty):
            self._is_exact = False
            self._put(caret.walk(words, forward=forward))
        elif not is_drawn or _goes_by_character(modifiers):
            self._is_exact = self._is_exact or is_drawn
            move = QTextCursor.MoveOperation
            mode = QTextCursor.MoveMode
            self.moveCursor(
                move.NextCharacter if forward else move.PreviousCharacter,
                mode.KeepAnchor if is_drawn else mode.MoveAnchor,
            )
        else:
            self._is_exact = False
            self._put(caret.step(words, forward=forward))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select a word, with Alt its sentence; a triple click selects its clause."""
        if event.button() is not Qt.MouseButton.LeftButton:
            super().mouseDoubleClickEvent(event)
            return
        self._pressed_at, self._grabbed = event.position().toPoint(), ()
        self._double_clicked.start()
        self._select_around(self.sentences if event.modifiers() & _ALT else self._words_shown())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._is_third_click(event):
            self._double_clicked.invalidate()
            self._select_around(self.clauses)
            return
        self._pressed_at, self._grabbed = event.position().toPoint(), ()
        if event.button() is Qt.MouseButton.LeftButton:
            if not event.modifiers() & _SHIFT:
                self._begin_selection(is_added=bool(event.modifiers() & _CTRL))
            self._is_exact = _goes_by_character(event.modifiers())
        super().mousePressEvent(event)

    def _begin_selection(self, *, is_added: bool) -> None:
        """Clear the selection, which Qt would drag otherwise. is_added: add it to the pending spans."""
        if is_added:
            self.add_pending_span()
        else:
            self._grabbed = self.selected_spans() if self._is_selected(self._pressed_at) else ()
            self._pending = ()
        self._collapse()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        is_outside = not self.viewport().rect().contains(event.position().toPoint())
        if self._grabbed and is_outside and event.buttons() & Qt.MouseButton.LeftButton:
            grabbed, self._grabbed = self._grabbed, ()
            self.select_spans(grabbed)
            start_drag(self, DraggedItem(DragKind.WORDS), self._words_of(grabbed))
        else:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        self._is_exact = _goes_by_character(event.modifiers())
        moved = (event.position().toPoint() - self._pressed_at).manhattanLength()
        if self.textCursor().hasSelection():
            if not self._is_exact:
                self._put(self._caret().snap(self._words_shown()))
        elif not self._grabbed and moved < QApplication.startDragDistance():  # on a selection it clears that
            self.click_at(self._pressed_at)
        self._grabbed = ()

    def _words_of(self, spans: Sequence[Span]) -> str:
        return " … ".join(self.content[start:end] for start, end in spans)

    def createMimeDataFromSelection(self) -> QMimeData:
        return DraggedItem(DragKind.WORDS).mime(self._words_of(self.selected_spans()))

    def click_at(self, point: QPoint) -> None:
        """Handle a click without a selection; does nothing by default."""

    @property
    def clauses(self) -> tuple[Span, ...]:
        """The spans of the text's clauses, each from its first word to its last."""
        if self._clauses is None:
            self._clauses = clauses(Text("", "", self.content, language=self._language))
        return self._clauses

    @property
    def sentences(self) -> tuple[Span, ...]:
        """The spans of the text's sentences, each from its first word to its last."""
        if self._sentences is None:
            self._sentences = tuple(
                snap_to_words(self.word_spans, span) for span in sentence_spans(self.content, self._language)
            )
        return self._sentences

    def _is_third_click(self, event: QMouseEvent) -> bool:
        """Return whether this press follows a double click at the same position."""
        is_near = (event.position().toPoint() - self._pressed_at).manhattanLength() < (
            QApplication.startDragDistance()
        )
        return (
            event.button() is Qt.MouseButton.LeftButton
            and self._double_clicked.isValid()
            and not self._double_clicked.hasExpired(QApplication.doubleClickInterval())
            and is_near
        )

    def _select_around(self, spans: Sequence[Span]) -> None:
        """Select the span that contains the clicked position."""
        position = self._offsets.to_text(self.cursorForPosition(self._pressed_at).position())
        self._is_exact = False
        if (span := span_at(spans, position)) is not None:
            self._put(Caret(*span))

    def _is_selected(self, point: QPoint) -> bool:
        chosen, at = self.textCursor(), self.cursorForPosition(point).position()
        return chosen.hasSelection() and chosen.selectionStart() <= at <= chosen.selectionEnd()

    def _set_language(self, language: str) -> None:
        """Set the code of the text's language, whose rules split it into sentences; empty = English."""
        if language != self._language:
            self._language = language
            self._clauses = self._sentences = None

    def _write(self, text: str, folds: tuple[Span, ...]) -> None:
        """Put a text into the document with these spans folded."""
        if text != self.content:
            self.content, self.word_spans, self._pending = text, words(text), ()
            self._clauses = self._sentences = None
        self.folds, self._offsets = folds, offsets_of(text, folds)
        self.setPlainText(self._offsets.shown)  # this keeps the format of the previous text

    def _displayed_span(self, span: Span) -> Span:
        """Return a span in document positions; a span within a fold is its placeholder."""
        start, end = self._offsets.span_to_document(span)
        return (start, max(end, start + 1)) if self.folds else (start, end)

    def _words_shown(self) -> Sequence[Span]:
        """Return the words that are not folded."""
        if not self.folds:
            return self.word_spans
        return [word for word in self.word_spans if subtract_spans(word, self.folds)]

    def _unfolded(self, span: Span) -> tuple[Span, ...]:
        """Return the visible parts of a span, as whole words unless it was selected by characters."""
        if not self.folds:
            return (span,)
        pieces = subtract_spans(span, self.folds)
        visible_words = self._words_shown()
        return pieces if self._is_exact else tuple(snap_to_words(visible_words, piece) for piece in pieces)

    def _caret(self) -> Caret:
        cursor = self.textCursor()
        return Caret(self._offsets.to_text(cursor.anchor()), self._offsets.to_text(cursor.position()))

    def _put(self, caret: Caret) -> None:
        cursor = self.textCursor()
        cursor.setPosition(self._offsets.to_document(caret.anchor))
        cursor.setPosition(self._offsets.to_document(caret.position), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

    def _collapse(self) -> None:
        cursor = self.textCursor()
        cursor.clearSelection()
        self.setTextCursor(cursor)
        self._is_exact = False
        self.viewport().update()
        self.words_selected.emit()


def _goes_by_character(modifiers: Qt.KeyboardModifier) -> bool:
    """Return whether text is selected by characters with these modifier keys."""
    return bool(modifiers & _ALT) or reading_preferences.selects_characters()
