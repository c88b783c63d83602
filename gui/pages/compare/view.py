"""View of the Compare page: correlations of metrics with human judgements."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListView,
    QSizePolicy,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from gui.commands.definitions import FIGURES, KeyGroup, KeyHint, KeyRow
from gui.commands.registry import key_labels
from gui.item_models.table_model import Column, Index, TableModel
from gui.pages.compare.figure import DrawSized, ScatterView
from gui.pages.compare.table.measure_table import MeasurePanel
from gui.pages.compare.values import (
    FigureHeader,
    MeasureTable,
    PlotPoints,
    RankedTopic,
    SelectionDetails,
    View,
)
from gui.results.result_panel import NotesText
from gui.results.values import AT_SYSTEM_LEVEL, COEFFICIENTS, LEVELS, MORE_COEFFICIENTS, SYSTEMS
from gui.style import icons, theme
from gui.style.language import tr
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.buttons import edits, icon_button, link_button, menu_button, rename
from gui.widgets.controls import Choice, ComboBox, MultiChoice, Segmented, SegmentedMore
from gui.widgets.label import ElidedLabel, Label, divider
from gui.widgets.layouts import BoundedArea, Gap, hbox, splitter, vbox
from gui.widgets.lists.grouped_tree import GroupedDelegate, draw_ring, text_width, write
from gui.widgets.notice import EmptyPage, Notice
from gui.widgets.page import Page
from gui.widgets.panel import Panel

ROW_HEIGHT = 32


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
        GroupedDelegate.paint_ground(painter, option, index)
        painter.setPen(theme.colour("border"))
        painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())
        area = option.rect.adjusted(MEDIUM, 0, -MEDIUM, 0)
        ranks = icons.trail(painter, area, "chevron-right")
        last = topic.fact or tr("people {people}", people=topic.people)
        write(painter, ranks, last, Type.CAPTION, right=True)
        width = text_width(last, Type.CAPTION)
        if not topic.fact:
            words = tr("metric {measure} · ", measure=topic.measure)
            width += write(painter, ranks.adjusted(0, 0, -width, 0), words, Type.SMALL, "muted", right=True)
        room = ranks.adjusted(0, 0, -width - MEDIUM, 0)
        if topic.system:
            taken = write(painter, room, topic.system, Type.STRONG, right=False)
            room = room.adjusted(taken + SMALL, 0, 0, 0)
        elide = Qt.TextElideMode.ElideMiddle  # ids of topics often differ at their ends
        taken = write(painter, room, topic.name, Type.CAPTION, "muted", right=False, elide=elide)
        write(painter, room.adjusted(taken + SMALL, 0, 0, 0), topic.title)
        if option.state & QStyle.StateFlag.State_HasFocus:
            draw_ring(painter, option.rect)
        painter.restore()


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


_NOTES_HEIGHT = 120

COPIES = (
    ("picture", tr("Copy the picture")),
    ("tsv", tr("Copy its numbers (tab-separated)")),
    ("csv", tr("Copy its numbers as CSV")),
    ("latex", tr("Copy its numbers as LaTeX")),
    ("markdown", tr("Copy its numbers as Markdown")),
)


class FigurePanel(Panel):
    """One figure or list at a time.

    Signals:
        copy_requested: ``picture`` or a format of tables.
    """

    copy_requested = Signal(str)

    def __init__(self) -> None:
        super().__init__(tr("Figure"))
        self.title_label.hide()
        self.fact_label.hide()
        self.view_box = ComboBox(tr("Figure type"), [(key, title) for key, title, _ in FIGURES], 6)
        self.view_box.setToolTip(tr("Figure next to the table"))
        self.other_box = ComboBox(tr("Right-hand ranks by"), chars=12)
        self.what_label = Label("", Type.STRONG)
        self.about_label = ElidedLabel("", Type.SMALL, "muted")
        self.figure = ScatterView(tr("Figure"))
        self.waiting_label = Label("", Type.BODY, "muted", wrap=True)
        self.waiting_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.summaries = RankList(tr("Summaries where metric and people disagree most"))
        self.topics = RankList(tr("Correlation in each topic"))
        self.result_label = Label("", Type.STRONG)
        self.rest_label = Label("", Type.SMALL, "muted", wrap=True)
        self.notes_button = link_button(tr("Notes"))
        self.notes_button.setCheckable(True)
        self.notes_button.hide()
        self.notes = NotesText(tr("Notes on the figure"))
        self.notes.setMaximumHeight(px(_NOTES_HEIGHT))
        self.notes.hide()
        self.larger_button = icon_button("expand", tr("Larger figure"))
        self.larger_button.setCheckable(True)
        self._stack = QStackedWidget()
        self.add_before_title(self.view_box)
        self.add_action(menu_button("copy", tr("Copy the figure"), COPIES, self.copy_requested.emit))
        self.save_button = icon_button("download", tr("Save the figure…"))
        self.add_action(self.save_button)
        self.report_button = icon_button("report", tr("Add the figure to the report"))
        edits(self.report_button)
        self.add_action(self.report_button, self.larger_button)
        head = _line(self.what_label, self.about_label, TIGHT)
        head.addWidget(self.other_box)  # not in the panel's own, where it would take the table's room
        self.other_box.hide()
        self.add(head)
        for widget in (self.figure, self.waiting_label, self.summaries, self.topics):
            self._stack.addWidget(widget)
        self.add((vbox(self._stack, margins=(SMALL, 0)), 1))
        foot = _line(self.result_label, self.rest_label, MEDIUM)
        foot.addWidget(self.notes_button)
        self.add(foot, self.notes)
        self.larger_button.toggled.connect(self._update_larger_button)
        self.notes_button.toggled.connect(self.notes.setVisible)

    def show_view(self, view: View) -> None:
        self.view_box.choose(view.value)
        self.other_box.setVisible(view is View.RANKS)

    def show_figure(
        self,
        head: FigureHeader,
        dots: PlotPoints,
        chosen: int | None,
        draw: DrawSized,
        least: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """Show a figure. least: inches that it needs; it scrolls where there is less room."""
        self.show_header(head)
        self._stack.setCurrentWidget(self.figure)
        self.figure.setAccessibleName(f"{self.view_box.currentText()}: {head.title} {head.fact}")
        self.figure.setAccessibleDescription(f"{head.result}, {head.rest}")
        self.figure.show_dots(dots, chosen, draw, least)

    def show_list(self, ranks: RankList, head: FigureHeader, topics: Sequence[RankedTopic]) -> None:
        """Show summaries, or the correlation in each topic, instead of a figure."""
        self.show_header(head)
        self._stack.setCurrentWidget(ranks)
        ranks.show_topics(topics)

    def show_nothing(self, sentence: str) -> None:
        """Show why there is no figure."""
        self.show_header(FigureHeader("", "", "", ""))
        self.waiting_label.setText(sentence)
        self._stack.setCurrentWidget(self.waiting_label)
        self.figure.show_nothing()

    def show_others(self, choices: Sequence[Choice], chosen: str) -> None:
        """Show the choices for the right-hand ranks."""
        known = [
            (self.other_box.itemData(i), self.other_box.itemText(i)) for i in range(self.other_box.count())
        ]
        if known != [(choice.key, choice.title) for choice in choices]:
            self.other_box.offer([(choice.key, choice.title) for choice in choices])
        self.other_box.choose(chosen)

    def show_header(self, head: FigureHeader) -> None:
        """Show the text above and below the figure."""
        self.what_label.setText(head.title)
        self.about_label.setText(head.fact)
        self.result_label.setText(head.result)
        self.rest_label.setText(head.rest)
        self.notes_button.setVisible(bool(head.notes))
        self.notes_button.setText(tr("%n notes", "", len(head.notes)))
        self.notes.show_notes(head.notes)
        self.notes.setVisible(bool(head.notes) and self.notes_button.isChecked())
        self.setAccessibleName(tr("Figure: {title} {fact}", title=head.title, fact=head.fact).strip())

    def _update_larger_button(self, is_larger: bool) -> None:
        words = tr("Back to the table") if is_larger else tr("Larger figure")
        rename(self.larger_button, words)


def _line(strong: QWidget, rest: QWidget, below: int) -> QHBoxLayout:
    return hbox(strong, (rest, 1), margins=(MEDIUM, SMALL, MEDIUM, below), spacing=MEDIUM)


CHOOSE = "choose"

_LEAST_HEIGHT = 540
"""Height of the page from which the selected system is shown below the figure, and all warnings at once."""

_HEADER_HEIGHT, _LEAST_WARNING = 140, 48  # what is above and below the panels; of warnings that scroll
_COPY = tuple(key_labels(QKeySequence("Ctrl+C")))
_HINTS = (
    KeyHint(("Tab",), tr("Next judgement")),
    KeyHint(("Enter",), tr("Plot")),
    KeyHint(_COPY, tr("Copy table")),
)
_OWN_KEYS = KeyGroup(
    tr("In table and figures"),
    (
        KeyRow((("Tab",), ("Right",)), tr("Next judgement of the measure")),
        KeyRow((("Shift", "Tab"), ("Left",)), tr("Previous judgement")),
        KeyRow((("Enter",),), tr("From the table to its figure; from a dot to its texts")),
        KeyRow((("Left",), ("Right",)), tr("From dot to dot")),
        KeyRow((("Space",),), tr("Mark or unmark the dot's system or summary")),
        KeyRow((("Esc",),), tr("Unmark all")),
        KeyRow((_COPY,), tr("Copy the table")),
    ),
)


class CompareView(Page):
    """A table of correlations, figures of its current cell, details of the selected system.

    Signals:
        systems_chosen: a key.
    """

    systems_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__(tr("Compare"))
        self.level_box = Segmented(tr("Level"), LEVELS)
        self.coefficient_box = SegmentedMore(
            tr("Coefficient"), COEFFICIENTS, (*MORE_COEFFICIENTS, AT_SYSTEM_LEVEL)
        )
        self.systems_box = _combo(tr("Systems"), (*SYSTEMS, (CHOOSE, tr("Choose…"))))
        self._systems = SYSTEMS[0][0]
        self.topics_box = _combo(tr("Topics"), (("", tr("All topics")),))
        self._systems_in_panel, self._systems_in_header = hbox(), hbox()
        self.judgements_box = MultiChoice(tr("Judgements"), tr("All judgements"), needs_one=True)
        self.table_panel = panel = MeasurePanel()
        self.table, self.options, self.search = panel.table, panel.options, panel.search
        self._cautions = self.notice, self.stale_notice, self.scope_notice = Notice(), Notice(), Notice()
        self._warnings = BoundedArea(QWidget(), tr("Warnings"))
        self.footer_label, self.formula_button = panel.footer_label, panel.formula_button
        self.figure_panel = FigurePanel()
        self.figure = self.figure_panel.figure
        self.ranks = RankList(tr("Topics where metric and people disagree most"))
        self.caption_label = ElidedLabel("", Type.CAPTION, "muted")
        self.texts_button = link_button(tr("Open texts"))
        self.only_button = link_button(tr("Only these"))
        self.only_button.setToolTip(tr("Compare only the marked systems"))
        self.without_button = link_button(tr("Exclude"))
        self.without_button.setToolTip(tr("Exclude the marked systems"))
        self.unmark_button = icon_button("close", tr("Unmark"))
        self.empty = EmptyPage("scatter", tr("Reading scores and judgements…"))
        self.selection_panel = Panel(tr("System"))
        parts = self.figure_panel, self.selection_panel
        self._right = splitter(Qt.Orientation.Vertical, parts, (700, 300))
        self.own_keys = _OWN_KEYS
        self._lay_out()
        self.systems_box.activated.connect(lambda _: self._choose_systems())
        for notice in self._cautions:
            notice.more_button.clicked.connect(self._show_warnings)
        self.table.row_opened.connect(lambda _: self.figure.setFocus(Qt.FocusReason.OtherFocusReason))
        self.figure_panel.larger_button.toggled.connect(self.show_larger)

    def start(self) -> QWidget | None:
        return self.table if self.table.isVisible() else None

    def show_hints(self, hints: Sequence[KeyHint]) -> None:
        """Show key hints, those of the table first."""
        super().show_hints((*_HINTS, *hints))

    def show_topic_sets(self, names: Sequence[str], chosen: str) -> None:
        """Show the topic sets; hide the choice if there is none."""
        if [self.topics_box.itemData(i) for i in range(1, self.topics_box.count())] != list(names):
            sets = [(name, tr("Topics: {name}", name=name)) for name in names]
            self.topics_box.offer([("", tr("All topics")), *sets])
        self.topics_box.choose(chosen)
        self.topics_box.setVisible(bool(names))

    def show_systems(self, systems: str, left_out: str) -> None:
        """Show which systems are included. left_out: a sentence on excluded systems; empty = none."""
        self._systems = systems
        self.systems_box.choose(systems)
        self.scope_notice.show_message(left_out, tr("Include all"))
        self._show_warnings()

    def show_table(self, table: MeasureTable) -> None:
        first, *others = table.warnings or ("",)
        self.notice.show_message(first, table.remedy, others)
        self.table_panel.show_table(table)
        self._show_warnings()

    def show_stale(self, sentence: str) -> None:
        """Show which measures are stale; empty = none."""
        self.stale_notice.show_message(sentence, tr("Score again"))
        self._show_warnings()

    def show_selection(self, details: SelectionDetails | None, topic_id: str = "") -> None:
        """Show the selected system and its topics, one of them current; None = none is selected."""
        are_marked = details is not None and details.are_marked
        self.selection_panel.set_title(details.key if details else tr("System"))
        self.selection_panel.set_fact(details.fact if details else tr("click a dot in the figure"))
        self.caption_label.setText(details.caption if details else "")
        self.texts_button.setEnabled(details is not None and bool(details.topics))
        self.texts_button.setVisible(not are_marked)
        for button in (self.only_button, self.without_button, self.unmark_button):
            button.setVisible(are_marked)
        self.ranks.show_topics(details.topics if details else (), topic_id)

    def show_empty(self, sentence: str, remedy: str) -> None:
        """Show why there is nothing to compare, and the button that helps."""
        self.show_body(False)
        self.empty.sentence_label.setText(sentence)
        self.empty.primary.setText(remedy)
        self.empty.primary.setVisible(bool(remedy))

    def choose_cell(self, measure: str, column: int) -> bool:
        """Make a cell current; return whether it exists."""
        return self.table.choose(measure, column + 1)

    def show_larger(self, is_larger: bool) -> None:
        """Give the figure the whole page, or its place next to the table."""
        self.table_panel.setVisible(not is_larger)
        self._fit_selection()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_selection()
        self._show_warnings()
        for name in self._names:  # also those of the controls beside them
            name.setVisible(self.width() >= px(_NAMED_FROM))

    def _fit_selection(self) -> None:
        """Show the selected system if there is room for it below a legible figure."""
        is_larger = self.figure_panel.larger_button.isChecked()
        self.selection_panel.setVisible(not is_larger and self.height() >= px(_LEAST_HEIGHT))

    def show_body(self, is_full: bool = True) -> None:
        """Show table and figure, whose content follows, or none."""
        self.empty.setVisible(not is_full)
        self._question.setVisible(is_full)
        self._show_warnings()
        self.table_panel.setVisible(is_full and not self.figure_panel.larger_button.isChecked())
        self._right.setVisible(is_full)
        slot = self._systems_in_panel if is_full else self._systems_in_header  # the way back from nothing
        slot.addWidget(self.systems_box)
        if (place := slot.parentWidget()) is not None:  # else the box is in the middle of the room
            place.setMaximumWidth(self.systems_box.maximumWidth())
        self.systems_box.show()

    def _show_warnings(self) -> None:
        """Show the warnings on a table; on a low page only the first one, and the others on request."""
        first, *others = [one for one in self._cautions if one.sentences[0]] or self._cautions[:1]
        is_low = self.height() < px(_LEAST_HEIGHT)
        for one in others:
            one.count_below(0)
            one.setVisible(first.shows_all or not is_low)
        first.count_below(len(others) if is_low else 0)
        first.setVisible(bool(first.sentences[0]))
        room = self.height() - px(_HEADER_HEIGHT) - self._columns.minimumSizeHint().height()
        self._warnings.least = px(_LEAST_WARNING)
        self._warnings.most = max(room, self._warnings.least)
        self._warnings.fit()
        self._warnings.setVisible(self.empty.isHidden() and bool(first.sentences[0]))

    def _choose_systems(self) -> None:
        chosen = self.systems_box.currentData()
        self.systems_box.choose(self._systems)
        self.systems_chosen.emit(chosen)

    def _lay_out(self) -> None:
        self._question = QWidget()
        self._names = [Label(name, Type.BODY, "muted") for name in (tr("Level"), tr("Coefficient"))]
        parts = self._names[0], self.level_box, Gap(SMALL), divider(), Gap(SMALL), self._names[1]
        hbox(*parts, self.coefficient_box, parent=self._question, spacing=SMALL)
        self.add_place(self._question)
        vbox(*self._cautions, parent=self._warnings.widget(), spacing=SMALL)
        self.add_above(self._warnings)
        self.add_state(_holding(self._systems_in_header))
        for chooser in (_holding(self._systems_in_panel), self.topics_box, self.judgements_box):
            self.table_panel.choosers.addWidget(chooser, 1)
        self.table_panel.choosers.addStretch()
        for button in (self.texts_button, self.only_button, self.without_button, self.unmark_button):
            self.selection_panel.add_action(button)
        self.selection_panel.add(hbox(self.caption_label, margins=(MEDIUM, SMALL)), (self.ranks, 1))
        self.add((self.table_panel, 66), (self._right, 34), (self.empty, 100))
        self.show_selection(None)
        self.show_body(False)


_NAMED_FROM = 700
"""Width of the page from which on level and coefficient are named."""

_AROUND_PX = 44
"""Padding and arrow of a combo box."""


def _combo(name: str, choices: Sequence[tuple[str, str]]) -> ComboBox:
    box = ComboBox(name, choices, len(choices[0][1]) * 5 // 8)  # so that the page fits a small window
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    longest = max(box.fontMetrics().horizontalAdvance(title) for _, title in choices)
    box.setMaximumWidth(longest + px(_AROUND_PX))
    return box


def _holding(row: QHBoxLayout) -> QWidget:
    """Return a container for a control that moves between rows."""
    place = QWidget()
    place.setLayout(row)
    return place
