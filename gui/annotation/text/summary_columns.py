"""Summaries side by side, each with a line on its ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from gui.annotation.match_values import SummaryText
from gui.annotation.text.annotated_text import AnnotatedText
from gui.annotation.text.marks import Mark
from gui.style import theme
from gui.style.language import tr
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.label import Badge, ElidedLabel, IconLabel, Label
from gui.widgets.layouts import hbox

COLUMN_PX = 280
_BAR_PX = 3


@dataclass(frozen=True, slots=True)
class SummaryRatings:
    """A summary with its ratings as text, such as ``coherence 3 · fluency 5``."""

    summary: SummaryText
    ratings: str = ""
    is_done: bool = False
    is_flagged: bool = False
    marks: tuple[Mark, ...] = ()


class SummaryColumns(QScrollArea):
    """Summaries side by side; the scales rate the active one.

    Signals:
        entered: id of the summary that was clicked or whose text received the focus.
        words_selected: the selection in a text changed.
        digit_pressed: a digit from 1, in a text.
    """

    entered = Signal(str)
    words_selected = Signal()
    digit_pressed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.columns: list[SummaryColumn] = []
        self._inner = QWidget()
        self._row = QHBoxLayout(self._inner)
        self._row.setContentsMargins(SMALL, SMALL, SMALL, SMALL)
        self._row.setSpacing(SMALL)
        self.setWidget(self._inner)
        self._inner.setAutoFillBackground(False)  # setWidget enables it, which would hide the panel
        self.viewport().setAutoFillBackground(False)
        self._active = ""

    def show_summaries(self, rows: Sequence[SummaryRatings], active: str) -> None:
        """Show summaries with their ratings, from left to right. active: id of the one that is rated."""
        while len(self.columns) < len(rows):
            column = SummaryColumn()
            column.entered.connect(self.entered)
            column.digit_pressed.connect(self.digit_pressed)
            column.text.words_selected.connect(self.words_selected)
            self.columns.append(column)
            self._row.addWidget(column, 1)
            self._fit()
        for place, column in enumerate(self.columns):
            column.setVisible(place < len(rows))
        for column, row in zip(self.columns, rows, strict=False):
            column.show_ratings(row)
            column.show_active(row.summary.id == active)
        if active != self._active:
            self._active = active
            QTimer.singleShot(0, self, self._reveal)  # after the pending layout

    @property
    def active_text(self) -> AnnotatedText | None:
        """Return the text of the active summary, None = there is none."""
        return next((column.text for column in self.columns if column.is_active), None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._inner.setFixedHeight(self.viewport().height())  # each text scrolls by itself
        self._fit()

    def _fit(self) -> None:
        """Keep columns wide enough to read, but let two of them always fit."""
        room = max(0, (self.viewport().width() - 3 * SMALL) // 2)
        for column in self.columns:
            column.setMinimumWidth(min(px(COLUMN_PX), room))

    def _reveal(self) -> None:
        for column in self.columns:
            if column.is_active and column.isVisible():
                self.ensureWidgetVisible(column, SMALL, 0)


class SummaryColumn(QFrame):
    """One of the summaries: its number and length, its text, its ratings.

    Signals:
        entered: id of the summary; the column was clicked or its text received the focus.
        digit_pressed: a digit from 1, in the text.
    """

    entered = Signal(str)
    digit_pressed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "panel")
        self.row: SummaryRatings | None = None
        self.is_active = False
        self.badge, self.name_label = Badge(""), ElidedLabel("", Type.STRONG)
        self.fact_label = ElidedLabel("", Type.SMALL, "muted")
        self.done_icon, self.flag_icon = IconLabel("check", "success"), IconLabel("flag", "warning")
        self.text = AnnotatedText(tr("Summary"))
        self.text.installEventFilter(self)
        self.ratings_label = Label("", Type.SMALL, "muted", wrap=True)
        head = hbox(
            self.badge, self.name_label, (self.fact_label, 1), self.flag_icon, self.done_icon, spacing=SMALL
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(MEDIUM, SMALL + TIGHT, SMALL, SMALL)
        column.setSpacing(TIGHT)
        column.addLayout(head)
        column.addWidget(self.text, 1)
        column.addWidget(self.ratings_label)

    def show_ratings(self, row: SummaryRatings) -> None:
        """Show a summary, or changes of its ratings."""
        if row == self.row:
            return
        if self.row is None or self.row.summary.id != row.summary.id:
            self.text.drop_selection()
        self.row, summary = row, row.summary
        self.badge.setText(str(summary.position))
        self.name_label.setText(summary.system)
        self.name_label.setVisible(bool(summary.system))
        self.text.show_text(summary.content, summary.language)
        self.text.setAccessibleName(tr("Summary {position}", position=summary.position))
        self.text.show_marks(row.marks)
        self.fact_label.setText(self.text.word_count_text)
        self.done_icon.setVisible(row.is_done)
        self.flag_icon.setVisible(row.is_flagged)
        self.ratings_label.setText(row.ratings)
        states = ((tr("rated"), row.is_done), (tr("flagged"), row.is_flagged))
        facts = [
            tr("Summary {position}", position=summary.position),
            *(state for state, is_set in states if is_set),
            row.ratings,
        ]
        self.setAccessibleName(", ".join(filter(None, facts)))

    def show_active(self, is_active: bool) -> None:
        """Show whether the scales rate this summary."""
        if is_active != self.is_active:
            self.is_active = is_active
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self._enter()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.FocusIn:
            self._enter()
        if digit := digit_of(event):
            self.digit_pressed.emit(digit)
            return True
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.is_active:
            painter = QPainter(self)
            painter.fillRect(MEDIUM, 0, self.width() - 2 * MEDIUM, _BAR_PX, theme.colour("accent"))

    def _enter(self) -> None:
        if self.row is not None:
            self.entered.emit(self.row.summary.id)


def digit_of(event: QEvent) -> int:
    """Return the digit of a pressed key without modifiers, 0 = it is no digit from 1."""
    if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
        return 0
    if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
        return 0
    return int(event.text()) if event.text() in tuple("123456789") else 0
