"""View of the Compare page: correlations of metrics with human judgements."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSizePolicy, QSplitter, QWidget

from gui.commands.shortcuts import KeyGroup, KeyHint, KeyRow
from gui.pages.compare.figure.figure_panel import FigurePanel
from gui.pages.compare.figure.rank_list import RankList
from gui.pages.compare.table.measure_panel import MeasurePanel
from gui.pages.compare.values import (
    MeasureTable,
    SelectionDetails,
)
from gui.results.comparison_options import AT_SYSTEM_LEVEL, COEFFICIENTS, LEVELS, MORE_COEFFICIENTS, SYSTEMS
from gui.style.language import tr
from gui.style.theme import MEDIUM, SMALL, Type, px
from gui.widgets.buttons import icon_button, link_button
from gui.widgets.controls.combo_box import ComboBox
from gui.widgets.controls.multi_choice import MultiChoice
from gui.widgets.controls.segmented_control import Segmented, SegmentedMore
from gui.widgets.empty_state import EmptyPage
from gui.widgets.label import ElidedLabel, Label, divider
from gui.widgets.notice import Notice
from gui.widgets.page import Page
from gui.widgets.panel import Panel

CHOOSE = "choose"

_LEAST_HEIGHT = 540
"""Height of the page from which the selected system is shown below the figure."""
_HINTS = (
    KeyHint(("Tab",), tr("Next judgement")),
    KeyHint(("Enter",), tr("Plot")),
    KeyHint(("Ctrl", "C"), tr("Copy table")),
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
        KeyRow((("Ctrl", "C"),), tr("Copy the table")),
    ),
)


class CompareView(Page):
    """A table of correlations, figures of its current cell, details of the selected system.

    Signals:
        systems_chosen, topics_chosen: a key.
        summary_opened: a system and a topic's id.
    """

    systems_chosen = Signal(str)
    topics_chosen = Signal(str)
    summary_opened = Signal(str, str)

    def __init__(self) -> None:
        super().__init__(tr("Compare"))
        self.level_box = Segmented(tr("Level"), LEVELS)
        self.coefficient_box = SegmentedMore(
            tr("Coefficient"), COEFFICIENTS, (*MORE_COEFFICIENTS, AT_SYSTEM_LEVEL)
        )
        self.systems_box = _combo(tr("Systems"), (*SYSTEMS, (CHOOSE, tr("Choose…"))))
        self._systems = SYSTEMS[0][0]
        self.topics_box = _combo(tr("Topics"), (("", tr("All topics")),))
        self._systems_in_panel, self._systems_in_header = QHBoxLayout(), QHBoxLayout()
        self.judgements_box = MultiChoice(tr("Judgements"), tr("All judgements"), needs_one=True)
        self.table_panel = panel = MeasurePanel()
        self.table, self.options, self.search = panel.table, panel.options, panel.search
        self.notice, self.stale_notice, self.scope_notice = self._above_all = Notice(), Notice(), Notice()
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
        self._right = QSplitter(Qt.Orientation.Vertical)
        self.own_keys = _OWN_KEYS
        self._lay_out()
        self._connect()

    def focus_default(self) -> None:
        if self.table.isVisible():
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            super().focus_default()

    def show_hints(self, hints: Sequence[KeyHint]) -> None:
        """Show key hints, those of the table first."""
        super().show_hints((*_HINTS, *hints))

    def show_correlation(self, level: str, coefficient: str) -> None:
        """Show the chosen level and coefficient, where one choice changed the other."""
        self.level_box.choose(level)
        self.coefficient_box.choose(coefficient)

    def show_topic_sets(self, names: Sequence[str], chosen: str) -> None:
        """Show the topic sets; hide the choice if there is none."""
        if [self.topics_box.itemData(i) for i in range(1, self.topics_box.count())] != list(names):
            while self.topics_box.count() > 1:
                self.topics_box.removeItem(1)
            for name in names:
                self.topics_box.addItem(tr("Topics: {name}", name=name), name)
        self.topics_box.setCurrentIndex(max(self.topics_box.findData(chosen), 0))
        self.topics_box.setVisible(bool(names))

    def show_systems(self, systems: str, left_out: str) -> None:
        """Show which systems are included. left_out: a sentence on excluded systems; empty = none."""
        self._systems = systems
        self.systems_box.setCurrentIndex(max(self.systems_box.findData(systems), 0))
        self.scope_notice.show_message(left_out, tr("Include all"))

    def show_table(self, table: MeasureTable) -> None:
        """Show the correlations."""
        first, *others = table.warnings or ("",)
        self.notice.show_message(first, table.remedy, others)
        self.table_panel.show_table(table)
        self._show_body(True)

    def show_stale(self, sentence: str) -> None:
        """Show which measures are stale; empty = none."""
        self.stale_notice.show_message(sentence, tr("Score again"))

    def show_selection(self, details: SelectionDetails | None, topic_id: str = "") -> None:
        """Show the selected system and its topics, one of them current; None = none is selected."""
        are_marked = details is not None and details.are_marked
        self.selection_panel.set_title(details.key if details else tr("System"))
        self.selection_panel.set_fact(details.fact if details else tr("click a dot in the figure"))
        self.caption_label.setText(details.caption if details else "")
        self.texts_button.setEnabled(details is not None)
        self.texts_button.setVisible(not are_marked)
        for button in (self.only_button, self.without_button, self.unmark_button):
            button.setVisible(are_marked)
        self.ranks.show_topics(details.topics if details else (), topic_id)

    def show_empty(self, sentence: str, remedy: str) -> None:
        """Show why there is nothing to compare, and the button that helps."""
        self._show_body(False)
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

    def _fit_selection(self) -> None:
        """Show the selected system if there is room for it below a legible figure."""
        is_larger = self.figure_panel.larger_button.isChecked()
        self.selection_panel.setVisible(not is_larger and self.height() >= px(_LEAST_HEIGHT))

    def _show_body(self, is_full: bool) -> None:
        self.empty.setVisible(not is_full)
        self._question.setVisible(is_full)
        for notice in self._above_all:
            notice.setVisible(is_full and bool(notice.sentences[0]))
        self.table_panel.setVisible(is_full and not self.figure_panel.larger_button.isChecked())
        self._right.setVisible(is_full)
        slot = self._systems_in_panel if is_full else self._systems_in_header  # the way back from nothing
        slot.addWidget(self.systems_box)
        self.systems_box.show()

    def _choose_systems(self) -> None:
        chosen = self.systems_box.currentData()
        self.systems_box.setCurrentIndex(self.systems_box.findData(self._systems))
        self.systems_chosen.emit(chosen)

    def _connect(self) -> None:
        self.systems_box.activated.connect(lambda _: self._choose_systems())
        self.topics_box.activated.connect(lambda _: self.topics_chosen.emit(self.topics_box.currentData()))
        self.ranks.summary_opened.connect(self.summary_opened)
        self._connect_table()
        self._connect_figure()

    def _connect_table(self) -> None:
        self.table_panel.table.row_opened.connect(
            lambda _: self.figure.setFocus(Qt.FocusReason.OtherFocusReason)
        )

    def _connect_figure(self) -> None:
        self.figure_panel.larger_toggled.connect(self.show_larger)
        self.figure_panel.summaries.summary_opened.connect(self.summary_opened)

    def _lay_out(self) -> None:
        self._question = QWidget()
        row = QHBoxLayout(self._question)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(MEDIUM)
        row.addWidget(_named(tr("Level"), self.level_box))
        row.addWidget(divider())
        row.addWidget(_named(tr("Coefficient"), self.coefficient_box))
        self.add_place(self._question)
        for notice in self._above_all:
            self.add_above(notice)
        self.add_state(_holding(self._systems_in_header))
        for chooser in (_holding(self._systems_in_panel), self.topics_box, self.judgements_box):
            self.table_panel.add_chooser(chooser)
        self._lay_out_selection()
        self._right.setHandleWidth(MEDIUM)
        self._right.setChildrenCollapsible(False)
        self._right.addWidget(self.figure_panel)
        self._right.addWidget(self.selection_panel)
        self._right.setStretchFactor(0, 7)
        self._right.setStretchFactor(1, 3)
        self._right.setSizes([700, 300])
        self.add(self.table_panel, 66)
        self.add(self._right, 34)
        self.add(self.empty, 100)
        self._show_body(False)

    def _lay_out_selection(self) -> None:
        for button in (self.texts_button, self.only_button, self.without_button, self.unmark_button):
            self.selection_panel.add_action(button)
            button.setVisible(button is self.texts_button)
        caption = QHBoxLayout()
        caption.setContentsMargins(MEDIUM, SMALL, MEDIUM, SMALL)
        caption.addWidget(self.caption_label)
        self.selection_panel.add(caption)
        self.selection_panel.add(self.ranks, 1)


_AROUND_PX = 36
"""Padding and arrow of a combo box."""


def _combo(name: str, choices: Sequence[tuple[str, str]]) -> QComboBox:
    box = ComboBox()
    box.setAccessibleName(name)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(len(choices[0][1]) * 5 // 8)  # so that the page fits a small window
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    for key, title in choices:
        box.addItem(title, key)
    longest = max(box.fontMetrics().horizontalAdvance(title) for _, title in choices)
    box.setMaximumWidth(longest + px(_AROUND_PX))
    return box


def _holding(row: QHBoxLayout) -> QWidget:
    """Return a container for a control that moves between rows."""
    row.setContentsMargins(0, 0, 0, 0)
    place = QWidget()
    place.setLayout(row)
    return place


def _named(name: str, control: QWidget) -> QWidget:
    """Return a control with a label before it."""
    whole = QWidget()
    row = QHBoxLayout(whole)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(SMALL)
    row.addWidget(Label(name, Type.BODY, "muted"))
    row.addWidget(control)
    return whole
