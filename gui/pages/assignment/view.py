"""View of the tab Assignment: a grid of topics and annotators, a proposal, shared pyramids."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QStackedWidget,
    QStyle,
    QWidget,
)

from core.domain.assignment import Work
from gui.item_models.table_model import Column, Index, TableModel
from gui.style import theme
from gui.style.language import plain_tip, tr
from gui.style.theme import LEFT, MEDIUM, SMALL, Type, px
from gui.widgets.buttons import edits, plain_button, refuse
from gui.widgets.controls import Segmented, number_box
from gui.widgets.label import Label
from gui.widgets.layouts import Stretch, hbox, scrolled, vbox
from gui.widgets.lists.table_view import Table
from gui.widgets.notice import EmptyPage, Notice
from gui.widgets.page import Page
from gui.widgets.panel import Panel


@dataclass(frozen=True, slots=True)
class GridCell:
    """An annotator's work on a topic.

    text: progress such as ``3 of 8``, empty = nothing to show; short: the same as ``3/8``.
    """

    is_assigned: bool
    text: str = ""
    short: str = ""


@dataclass(frozen=True, slots=True)
class GridHead:
    """What is shown below an annotator's name. lines: role, topics and time; short: topics as ``3/8``."""

    lines: str
    short: str


COLUMN_PX, LEAST_PX, MOST_PX, TOPIC_PX = 72, 36, 260, 120
"""Least and largest width of the column of an annotator; a longer name ends there, its tooltip has all.

Where all annotators do not fit, names become initials and counts are short, down to the second width.
"""
_WORKS = {
    Work.PYRAMIDS: tr("Pyramids"),
    Work.MATCHES: tr("Matches"),
    Work.NUGGETS: tr("Nuggets"),
    Work.HITS: tr("Hits"),
    Work.RATINGS: tr("Ratings"),
}
_NOBODY = tr(
    "There are no annotators yet. Add them on the tab Progress, then divide the topics among them here."
)
_NOTE = tr(
    "A check mark assigns a topic, the numbers show what is done. Who has topics is "
    "shown only these; comparisons are divided by their plan."
)


class GridModel(TableModel[str]):
    """Topics as rows and annotators as columns; a check mark assigns.

    Signals:
        toggled: topic, annotator.
    """

    toggled = Signal(str, str)

    def __init__(self, parent: QObject) -> None:
        super().__init__((), parent, key=str)
        self.people: tuple[str, ...] = ()
        self.is_editable = True
        self._cells: Mapping[tuple[str, str], GridCell] = {}
        self._heads: Mapping[str, GridHead] = {}
        self._short: tuple[str, ...] = ()
        self._has_counts = True

    def show(
        self, topics: Sequence[str], heads: Mapping[str, GridHead], cells: Mapping[tuple[str, str], GridCell]
    ) -> None:
        """Show a plan. heads: below the names of the annotators."""
        self.people, self._cells, self._heads, self._short = tuple(heads), cells, heads, ()
        people = [
            Column(
                f"{name}\n{head.lines}",
                partial(self._text, name),
                tip=name,
                cell_tip=partial(self._tip, name),
                accessible=partial(self._spoken, name),
            )
            for name, head in heads.items()
        ]
        self.set_rows(topics, [Column(tr("Topic"), str, cell_tip=str), *people])

    def shorten(self, names: Sequence[str], *, has_counts: bool = True) -> None:
        """Show these short names of the annotators and short counts, or none; no names = show all in full."""
        before = self._short, self._has_counts
        self._short, self._has_counts = tuple(names), has_counts
        if before != (self._short, self._has_counts) and self.people:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 1, len(self.people))

    def texts(self, column: int) -> list[str]:
        """Return the texts of a column."""
        return [self._columns[column].shown(topic) for topic in self.rows()]

    def counts(self) -> list[str]:
        """Return the short counts of all cells."""
        return [cell.short for cell in self._cells.values()]

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if section and orientation is Qt.Orientation.Horizontal and self._short:
            whole = self._columns[section].title
            match role:
                case Qt.ItemDataRole.DisplayRole:
                    return f"{self._short[section - 1]}\n{self._heads[self.people[section - 1]].short}"
                case Qt.ItemDataRole.ToolTipRole:
                    return plain_tip(whole)
                case Qt.ItemDataRole.AccessibleTextRole:
                    return whole
        return super().headerData(section, orientation, role)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.CheckStateRole and index.column() > 0:
            is_assigned = self._cell(self.row(index), self.people[index.column() - 1]).is_assigned
            return Qt.CheckState.Checked if is_assigned else Qt.CheckState.Unchecked
        return super().data(index, role)

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or not index.column():
            return False
        self.toggled.emit(self.row(index), self.people[index.column() - 1])
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsUserCheckable if index.column() and self.is_editable else flags

    def _side(self, section: int) -> Qt.AlignmentFlag:
        return LEFT

    def _cell(self, topic: str, person: str) -> GridCell:
        return self._cells.get((topic, person), GridCell(False))

    def _text(self, person: str, topic: str) -> str:
        cell = self._cell(topic, person)
        return (cell.short if self._has_counts else "") if self._short else cell.text

    def _tip(self, person: str, topic: str) -> str:
        return self._cell(topic, person).text if self._short else ""

    def _spoken(self, person: str, topic: str) -> str:
        cell = self._cell(topic, person)
        assigned = tr("assigned") if cell.is_assigned else tr("not assigned")
        return ", ".join(filter(None, (topic, person, assigned, cell.text)))


class _Grid(Table):
    """The plan; long names of topics, then those of annotators, are short where there is too little room."""

    _needed: tuple[int, ...] = ()  # width that the words of each column need; measured once for a plan
    _count = 0  # that a short count needs

    def __init__(self, name: str, model: GridModel) -> None:
        self._plan = model
        super().__init__(name, model)
        for changing in (model.modelAboutToBeReset, model.dataChanged):
            changing.connect(self._forget)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_columns()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._forget()

    @Slot()
    def _forget(self) -> None:
        self._needed = ()

    def _widest(self, column: int) -> int:
        """Return the width of the cell with the longest text; texts of the others are not laid out."""
        rows = {text: row for row, text in enumerate(self._plan.texts(column))}
        if not rows:
            return 0
        longest = rows[max(rows, key=self.fontMetrics().horizontalAdvance)]
        return self.sizeHintForIndex(self._plan.index(longest, column)).width() + 1  # and the grid's line

    def fit_columns(self) -> None:
        """Fit the columns to the plan that is shown now."""
        columns, advance = range(1, self.model().columnCount()), self.fontMetrics().horizontalAdvance
        if len(self._needed) != 1 + len(columns):
            self._plan.shorten(())
            hint = self.horizontalHeader().sectionSizeHint
            self._needed = tuple(max(hint(one), self._widest(one)) for one in (0, *columns))
            around = self.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, None, self) + 1
            box = self.style().pixelMetric(QStyle.PixelMetric.PM_IndicatorWidth, None, self)
            self._count = box + 4 * around + max(map(advance, self._plan.counts()), default=0) + 1
        whole = self.viewport().width()
        widths = [min(max(px(COLUMN_PX), self._needed[column]), px(MOST_PX)) for column in columns]
        least = min(self._needed[0], px(TOPIC_PX))
        if is_short := least + sum(widths) > whole:
            each = max((whole - least) // len(columns), px(LEAST_PX))
            widths = [min(each, width) for width in widths]
        for column, width in zip(columns, widths, strict=True):
            self.setColumnWidth(column, width)
        self.setColumnWidth(0, min(self._needed[0], max(px(TOPIC_PX), whole - sum(widths))))
        people, advance = self._plan.people, theme.metrics(Type.STRONG).horizontalAdvance
        fitting = zip(people, initials(people), widths, strict=True)
        names = [name if advance(name) < width - 3 * SMALL else short for name, short, width in fitting]
        self._plan.shorten(names if is_short else (), has_counts=self._count <= min(widths, default=0))


def initials(names: Sequence[str]) -> list[str]:
    """Return the first letters of the words of each name with its numbers; equal ones are counted."""
    short = []
    for name in names:
        first, *others = re.findall(r"\d+|[^\W\d_]+", name) or [name]
        short.append("".join(part if part.isdigit() else part[0] for part in (first, *others)))
        if not others:
            short[-1] = first[:2]
    seen: Counter[str] = Counter()
    for at, one in enumerate(list(short)):
        seen[one] += 1
        if short.count(one) > 1 or seen[one] > 1:
            short[at] = f"{one}{seen[one]}"
    return short


class AssignmentView(Page):
    """Plan who works on which topic."""

    def __init__(self) -> None:
        super().__init__(tr("Assignment"), edits=True)
        self.work_choice = Segmented(tr("Work"), [(work.value, title) for work, title in _WORKS.items()])
        self.model = GridModel(self)
        self.table = _Grid(tr("Topics and annotators"), self.model)
        self.empty = EmptyPage("people", _NOBODY, tr("Add annotators"))
        self.per_topic_box = number_box(tr("Annotators per shared topic"), 1, 99, 2)
        self.overlap_box = number_box(tr("Topics with several annotators, in per cent"), 0, 100, 100)
        self.overlap_box.setSuffix(" %")
        self.propose_button = plain_button(tr("Propose"))
        self.shared_box, self.only_done_box = QComboBox(), QCheckBox(tr("Only those marked done"))
        self.shared_label = Label("", Type.BODY, wrap=True)
        self.notice = Notice()
        self._sharing = Label(tr("Shared pyramids"), Type.CAPTION, "muted")
        self._grid_panel, self._panel = Panel(tr("Topics and annotators"), hairline=False), Panel(tr("Plan"))
        self._grid = QStackedWidget()
        self._editing = (self.propose_button, self.shared_box, self.only_done_box)
        edits(*self._editing)
        self.table.setSortingEnabled(False)
        self.table.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideNone)  # they have two lines
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.table.horizontalHeader().setStretchLastSection(False)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for widget in (self.table, self.empty):
            self._grid.addWidget(widget)
        self._grid_panel.add(hbox(self.work_choice, Stretch(1)), padded=True)
        self._grid_panel.add((self._grid, 1))
        self._grid_panel.add_foot(Label(_NOTE, Type.SMALL, "muted", wrap=True))
        proposal = vbox(Label(tr("Balanced proposal"), Type.CAPTION, "muted"), spacing=SMALL)
        for box, text in (
            (self.per_topic_box, tr("annotators per topic")),
            (self.overlap_box, tr("of the topics, one for the others")),
        ):
            proposal.addLayout(hbox(box, (Label(text, Type.BODY, wrap=True), 1)))
        proposal.addWidget(self.propose_button)
        shared = self._sharing, self.shared_label, self.shared_box, self.only_done_box, self.notice
        inner, columns = QWidget(), (proposal, vbox(*shared, spacing=SMALL))
        vbox(*columns, Stretch(1), parent=inner, margins=(MEDIUM, SMALL), spacing=2 * SMALL)
        self._panel.add((scrolled(inner), 1))
        self.add((self._grid_panel, 74), (self._panel, 26))

    def show_work(self, work: Work) -> None:
        self.work_choice.choose(work.value)
        is_nugget = work is Work.HITS
        self._sharing.setText(tr("Shared nuggets") if is_nugget else tr("Shared pyramids"))
        pyramids = tr("Everyone matches against the pyramids of")
        nuggets = tr("Everyone looks for the nuggets of")
        title = nuggets if is_nugget else pyramids
        self.shared_label.setText(title)
        self.shared_box.setAccessibleName(title)
        for widget in (self._sharing, self.shared_label, self.shared_box, self.only_done_box):
            widget.setVisible(work in (Work.MATCHES, Work.HITS))

    def show_plan(
        self, topics: Sequence[str], heads: Mapping[str, GridHead], cells: Mapping[tuple[str, str], GridCell]
    ) -> None:
        """Show the plan of the kind of work, or that there are no annotators."""
        self._grid.setCurrentWidget(self.table if heads else self.empty)
        self.model.show(topics, heads, cells)
        self._grid_panel.set_fact(
            tr("%n topics", "", len(topics)) + " · " + tr("%n annotators", "", len(heads))
        )
        self.table.fit_columns()

    def show_shared(self, names: Sequence[str], chosen: str, *, only_done: bool) -> None:
        """Show against whose pyramids or nuggets everyone matches; empty = each against any.

        names: of all whose pyramids can be chosen, results of adjudication among them.
        only_done: whether only those marked done are shared; offered where somebody is chosen.
        """
        with QSignalBlocker(self.shared_box):
            self.shared_box.clear()
            self.shared_box.addItem(tr("whom they choose"), "")
            for name in names:
                self.shared_box.addItem(name, name)
            self.shared_box.setCurrentIndex(max(0, self.shared_box.findData(chosen)))
        self.only_done_box.setChecked(only_done)
        self.only_done_box.setEnabled(bool(chosen))

    def show_refusal(self, reason: str) -> None:
        """Show why the plan cannot be changed; empty = it can."""
        self.model.is_editable = not reason
        refuse(reason, *self._editing)

    def start(self) -> QWidget | None:
        return self.table if self.model.people else None
