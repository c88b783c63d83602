"""Panels of texts: one summary, sections of texts, summaries side by side with their ratings, documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from core.domain.study import Text, TopicTexts
from gui.annotation.match_values import SummaryText
from gui.annotation.text.annotated_text import AnnotatedText
from gui.annotation.text.marks import Mark
from gui.style import icons, theme
from gui.style.language import tr
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.buttons import icon_button, rename
from gui.widgets.controls import Stepper
from gui.widgets.label import Badge, ElidedLabel, IconLabel, Label
from gui.widgets.layouts import extend, fill_area, hbox, vbox
from gui.widgets.panel import Panel


class SummaryPanel(Panel):
    """A summary and a stepper (`place`) for the page header with its number."""

    def __init__(self) -> None:
        super().__init__(tr("Summary"))
        self.place = Stepper(tr("summary"), tr("Summary"))
        self.text = AnnotatedText(tr("Summary"))
        self.names_button = icon_button("eye-off", tr("Show system names"))
        self.names_button.setCheckable(True)
        self.add_action(self.names_button)
        self.add((self.text, 1))

    @Slot(bool)
    def allow_names(self, are_allowed: bool) -> None:
        """Show or hide the button that shows system names; hiding it also hides the names."""
        self.names_button.setVisible(are_allowed)
        if not are_allowed:
            self.names_button.setChecked(False)

    def show_summary(self, summary: SummaryText | None) -> None:
        """Show a summary without marks; None = the topic has no summaries."""
        if summary is None:
            self.place.show_place("", "", 0, 0)
            return
        self.place.show_place("", "", summary.position, summary.total)
        self.text.show_text(summary.text.content, summary.text.language)
        self.text.setAccessibleName(tr("Summary {position}", position=summary.position))
        self.set_title(tr("Summary {position}", position=summary.position))
        self.show_system(summary.system)

    def show_system(self, system: str) -> None:
        """Show the summary's system; empty = hidden."""
        words = self.text.word_count_text
        self.set_fact(f"{system} · {words}" if system else words)
        name = tr("Hide system names") if system else tr("Show system names")
        rename(self.names_button, name)
        icons.set_icon(self.names_button, "eye" if system else "eye-off")


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """A summary with its marks, state and result.

    result: its score, or its ratings, such as ``coherence 3 · fluency 5``.
    expressed: ids of the SCUs that it expresses, with or without a span.
    """

    summary: SummaryText
    result: str = ""
    is_done: bool = False
    is_flagged: bool = False
    marks: tuple[Mark, ...] = ()
    expressed: frozenset[str] = frozenset()

    @property
    def id(self) -> str:
        return self.summary.text.id


class TextSection(QFrame):
    """A text below a header with its badge and name; subclasses arrange them."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """name: of the text, for screen readers."""
        super().__init__(parent)
        self.badge, self.name_label = Badge(""), ElidedLabel("", Type.STRONG)
        self.text = AnnotatedText(name)
        self._column = vbox(parent=self, margins=(TIGHT, 0), spacing=0)

    def fit_height(self, width: int) -> int:
        """Fit the text to the height of its lines at this width; return the height of the section.

        The section itself must be visible.
        """
        self.text.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.resize(width, self.height())
        self._column.activate()
        self.text.fit_height()
        return self._column.totalSizeHint().height()


_BAR_PX = 3


class SummarySection(TextSection):
    """One of several summaries; a bar at its edge shows that it is the active one.

    Signals:
        entered: id of the summary; its text received the focus.
    """

    entered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Summary"), parent)
        self.row: SummaryRow | None = None
        self.is_active = False
        self.text.installEventFilter(self)

    def show_row(self, row: SummaryRow) -> bool:
        """Show a summary, or its changes; return whether there are any."""
        if row == self.row:
            return False
        if self.summary_id != row.id:
            self.text.drop_selection()
        self.row, summary = row, row.summary
        self.badge.setText(str(summary.position))
        self.name_label.show_text(summary.system)
        self.text.show_text(summary.text.content, summary.text.language)
        self.text.setAccessibleName(tr("Summary {position}", position=summary.position))
        self.text.show_marks(row.marks)
        return True

    def show_active(self, is_active: bool) -> None:
        """Show whether scales and shortcuts act on this summary."""
        if is_active != self.is_active:
            self.is_active = is_active
            self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.FocusIn:
            self.enter()
        return False

    @property
    def summary_id(self) -> str:
        """Id of the summary; empty before there is one."""
        return self.row.id if self.row is not None else ""

    def enter(self) -> None:
        if self.row is not None:
            self.entered.emit(self.row.id)

    def bar(self) -> QRect:
        """Return the place of the bar."""
        return QRect(0, TIGHT, _BAR_PX, self.height() - 2 * TIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.is_active:
            QPainter(self).fillRect(self.bar(), theme.colour("accent"))


COLUMN_PX = 280


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
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.columns: list[SummaryCard] = []
        self._inner = QWidget()
        self._row = hbox(parent=self._inner, margins=SMALL, spacing=SMALL)
        fill_area(self, self._inner)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._active = ""

    def show_summaries(self, rows: Sequence[SummaryRow], active: str) -> None:
        """Show summaries with their ratings, from left to right. active: id of the one that is rated."""
        while len(self.columns) < len(rows):
            column = SummaryCard()
            column.entered.connect(self.entered)
            column.digit_pressed.connect(self.digit_pressed)
            column.text.words_selected.connect(self.words_selected)
            self.columns.append(column)
            self._row.addWidget(column, 1)
            self._fit()
        for place, column in enumerate(self.columns):
            column.setVisible(place < len(rows))
        for column, row in zip(self.columns, rows, strict=False):
            column.show_row(row)
            column.show_active(row.id == active)
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


class SummaryCard(SummarySection):
    """One of the summaries: its number and length, its text, its ratings; a click enters it too.

    Signals:
        digit_pressed: a digit from 1, in the text.
    """

    digit_pressed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "panel")
        self.fact_label = ElidedLabel("", Type.SMALL, "muted")
        self.done_icon, self.flag_icon = IconLabel("check", "success"), IconLabel("flag", "warning")
        self.ratings_label = Label("", Type.SMALL, "muted", wrap=True)
        head = hbox(
            self.badge, self.name_label, (self.fact_label, 1), self.flag_icon, self.done_icon, spacing=SMALL
        )
        extend(self._column, head, (self.text, 1), self.ratings_label)
        self._column.setContentsMargins(MEDIUM, SMALL + TIGHT, SMALL, SMALL)
        self._column.setSpacing(TIGHT)

    def show_row(self, row: SummaryRow) -> bool:
        if not super().show_row(row):
            return False
        self.fact_label.setText(self.text.word_count_text)
        self.done_icon.setVisible(row.is_done)
        self.flag_icon.setVisible(row.is_flagged)
        self.ratings_label.setText(row.result)
        states = ((tr("rated"), row.is_done), (tr("flagged"), row.is_flagged))
        facts = [self.text.accessibleName(), *(state for state, is_set in states if is_set), row.result]
        self.setAccessibleName(", ".join(filter(None, facts)))
        return True

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.enter()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if digit := digit_of(event):
            self.digit_pressed.emit(digit)
            return True
        return super().eventFilter(watched, event)

    def bar(self) -> QRect:
        return QRect(MEDIUM, 0, self.width() - 2 * MEDIUM, _BAR_PX)


def digit_of(event: QEvent) -> int:
    """Return the digit of a pressed key without modifiers, 0 = it is no digit from 1."""
    if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
        return 0
    if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
        return 0
    return int(event.text()) if event.text() in tuple("123456789") else 0


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text of a topic. title: such as ``Document``. fact: its name, empty = it must not be known."""

    title: str
    fact: str
    text: Text
    marks: tuple[Mark, ...] = ()


class SourcePanel(Panel):
    """Texts of a topic: documents, then references, or those that the page chooses."""

    def __init__(self, name: str = tr("Source")) -> None:
        super().__init__(tr("Document"))
        self.text, self.place = AnnotatedText(name), Stepper(name.lower())
        self._texts: Sequence[ShownText] = ()
        self._index = 0
        self.add_action(self.place)
        self.add((self.text, 1))
        self.place.stepped.connect(self._step)

    def show_sources(self, topic: TopicTexts | None) -> None:
        """Show the first document of a topic; None = nothing."""
        self._index = 0
        self.show_texts(sources_of(topic) if topic is not None else ())

    def show_texts(self, texts: Sequence[ShownText]) -> None:
        """Show texts to choose from, first the first with a mark; of the same texts the visible one stays."""
        marked = [at for at, one in enumerate(texts) if one.marks]
        is_same = [one.text.id for one in texts] == [one.text.id for one in self._texts]
        self._texts = texts
        if not is_same or (marked and self._index not in marked):
            self._index = next(iter(marked), 0)
        self._show()

    @property
    def has_texts(self) -> bool:
        return bool(self._texts)

    def _step(self, by: int) -> None:
        self._index = min(max(self._index + by, 0), max(0, len(self._texts) - 1))
        self._show()

    def _show(self) -> None:
        total = len(self._texts)
        self.place.show_place("", "", self._index + 1 if total else 0, total)
        self.place.setVisible(total != 1)
        if not total:
            self.set_title(tr("Source"))
            self.text.show_text("")
            self.set_fact(tr("none"))
            return
        shown = self._texts[self._index]
        self.set_title(shown.title)
        self.text.show_text(shown.text.content, shown.text.language)
        self.text.show_marks(shown.marks)
        self.set_fact(" · ".join(filter(None, (shown.fact, self.text.word_count_text))))


def sources_of(topic: TopicTexts) -> list[ShownText]:
    """Return the documents of a topic, then its references."""
    kinds = ((tr("Document"), topic.documents), (tr("Reference"), topic.references))
    return [ShownText(kind, text.name, text) for kind, texts in kinds for text in texts]
