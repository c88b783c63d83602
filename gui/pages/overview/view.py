"""The overview: how far the study is, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QScrollArea,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from gui.item_models.table_model import Column, SortedRows, TableModel
from gui.pages.overview.values import RecentEdit, ScoredMetric, WorkflowStep
from gui.style.theme import LARGE, MEDIUM, SMALL, Type, px
from gui.widgets.buttons import link_button
from gui.widgets.edit_lock import edits
from gui.widgets.empty_state import EmptyPage
from gui.widgets.label import ElidedLabel, IconLabel, Label, rule
from gui.widgets.page import Page
from gui.widgets.panel import Panel
from gui.widgets.progress_bar import ProgressBar
from gui.widgets.scroll_column import scrolled
from gui.widgets.table_view import Table

BAR_WIDTH, ACTION_WIDTH, MIN_COLUMN_WIDTH = 140, 88, 240
_LANGUAGE = "Sets how metrics split texts into words by default. Existing scores stay."
_BLIND = (
    "While annotating, nobody sees who wrote a summary; Score, Compare and Report name systems all the same. "
    "You see others' pyramids and suggestions after marking your own topic done."
)


class OverviewView(Page):
    """Stations of the work, metrics scored, facts of the study, latest edits.

    Signals:
        page_requested: the key of the page that a button leads to.
        blind_requested: the study is to be blind (True) or open.
        language_requested: the code of the language that its texts are in, empty = not set.
        import_requested.
    """

    page_requested = Signal(str)
    blind_requested = Signal(bool)
    language_requested = Signal(str)
    import_requested = Signal()

    def __init__(self) -> None:
        super().__init__("Overview")
        self.name_label = ElidedLabel("", Type.BODY, "muted")
        self.add_place(self.name_label)
        self.next_button = self.set_primary("Import texts…")
        self.blind_box = QCheckBox("Blind study")
        self.blind_box.setAccessibleName("Blind study")
        self.blind_box.clicked.connect(self.blind_requested)
        self.language_box = QComboBox()
        self.language_box.setAccessibleName("Language of the texts")
        self.language_box.activated.connect(self._request_language)
        edits(self.blind_box, self.language_box, self.next_button)
        self._next_page = ""
        self.next_button.clicked.connect(self._go)
        self._stations, self._facts, self._deeds = QVBoxLayout(), QGridLayout(), QVBoxLayout()
        self.scored = TableModel[ScoredMetric](
            [
                Column("Metric", lambda m: m.metric, cell_tip=lambda m: m.metric),
                Column("Measures", lambda m: m.measures, cell_tip=lambda m: m.measures),
                Column("Topics", lambda m: m.topics, tip="How many topics are scored"),
                Column("Signature", lambda m: m.signature, cell_tip=lambda m: m.signature),
            ],
            self,
        )
        self.table = Table("Metrics scored", SortedRows(self.scored, self))
        self.scored_panel = Panel("Metrics scored")
        self._lay_out()

    def show_study(self, name: str, facts: Sequence[tuple[str, str]]) -> None:
        """Show the study's name and what it holds."""
        self.name_label.setText(name)
        _clear(self._facts)
        for row, (what, how_much) in enumerate(facts):
            self._facts.addWidget(Label(what, Type.BODY, "muted"), row, 0, Qt.AlignmentFlag.AlignTop)
            value = Label(how_much, Type.STRONG, wrap=True)
            self._facts.addWidget(value, row, 1)

    @Slot(bool)
    def show_blind(self, is_blind: bool) -> None:
        """Show whether the study is blind."""
        self.blind_box.setChecked(is_blind)

    def show_language(self, code: str, names: Sequence[tuple[str, str]]) -> None:
        """Show the study's language among all that it can have. names: code and name of each."""
        if self.language_box.count() != len(names):
            self.language_box.clear()
            for each, name in names:
                self.language_box.addItem(name, each)
        self.language_box.setCurrentIndex(max(self.language_box.findData(code), 0))

    def show_stations(self, stations: Sequence[WorkflowStep]) -> None:
        """Show how far each part of the work is."""
        _clear(self._stations)
        for place, station in enumerate(stations):
            if place:
                self._stations.addWidget(rule())
            self._stations.addWidget(self._station(station))

    def show_next(self, verb: str, page: str) -> None:
        """Offer the step that comes next; without a page it is the import."""
        self._next_page = page
        self.next_button.setText(verb)
        self.next_button.setAccessibleName(verb)
        edits(self.next_button, now=not page)

    def show_scored(self, metrics: Sequence[ScoredMetric]) -> None:
        """List what is scored."""
        self.scored.set_rows(metrics)
        self.scored_panel.set_fact(f"{len(metrics)} configurations" if metrics else "none yet")
        self._either.setCurrentIndex(1 if metrics else 0)
        self.table.fit(stretch=3, widths={0: 180, 1: 180, 2: 70})

    def show_deeds(self, deeds: Sequence[RecentEdit]) -> None:
        """List the latest edits, newest first."""
        _clear(self._deeds)
        for deed in deeds:
            self._deeds.addWidget(_deed_row(deed))
        if not deeds:
            self._deeds.addWidget(Label("Nothing has been annotated yet.", Type.BODY, "muted", wrap=True))

    @Slot()
    def _request_language(self) -> None:
        self.language_requested.emit(str(self.language_box.currentData()))

    def _speaking(self) -> QVBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(SMALL)
        line.addWidget(Label("Language", Type.BODY, "muted"))
        line.addWidget(self.language_box, 1)
        column = QVBoxLayout()
        column.setSpacing(SMALL)
        column.addLayout(line)
        column.addWidget(Label(_LANGUAGE, Type.SMALL, "muted", wrap=True))
        self.language_box.setAccessibleDescription(_LANGUAGE)
        return column

    def _blinding(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(SMALL)
        column.addWidget(self.blind_box)
        column.addWidget(Label(_BLIND, Type.SMALL, "muted", wrap=True))
        self.blind_box.setAccessibleDescription(_BLIND)
        return column

    def _go(self) -> None:
        if self._next_page:
            self.page_requested.emit(self._next_page)
        else:
            self.import_requested.emit()

    def _station(self, station: WorkflowStep) -> QWidget:
        row = QWidget()
        row.setMinimumHeight(px(52))
        is_done = 0 < station.total <= station.done
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(Label(station.title, Type.STRONG))
        words.addWidget(ElidedLabel(station.fact, Type.SMALL, "muted"))
        bar = ProgressBar(f"{station.title}: {station.fact}")
        bar.setFixedWidth(px(BAR_WIDTH))
        bar.show_share(station.done / station.total if station.total else 0.0)
        line = QHBoxLayout(row)
        line.setContentsMargins(MEDIUM, SMALL, MEDIUM, SMALL)
        line.setSpacing(MEDIUM)
        line.addWidget(IconLabel("check", "success") if is_done else IconLabel("clock"))
        line.addLayout(words, 1)
        line.addWidget(bar)
        count = Label(f"{station.done:,} of {station.total:,}" if station.total else "none", Type.SMALL)
        count.setMinimumWidth(px(84))
        count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        line.addWidget(count)
        button = link_button(station.verb)
        button.setAccessibleName(f"{station.verb}: {station.title}")
        button.clicked.connect(lambda: self.page_requested.emit(station.page))
        end = QWidget()
        end.setFixedWidth(px(ACTION_WIDTH))
        at_right = QHBoxLayout(end)
        at_right.setContentsMargins(0, 0, 0, 0)
        at_right.addWidget(button, 0, Qt.AlignmentFlag.AlignRight)
        line.addWidget(end)
        return row

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(MEDIUM)
        work = Panel("Progress")
        work.add(self._stations)
        nothing = EmptyPage("sigma", "No metric has scored this study yet.", quiet="Choose metrics")
        nothing.quiet_requested.connect(lambda: self.page_requested.emit("score"))
        either = QWidget()
        self._either = QStackedLayout(either)
        self._either.addWidget(nothing)
        self._either.addWidget(self.table)
        self.scored_panel.add(either, 1)
        column.addWidget(work)
        column.addWidget(self.scored_panel, 1)
        right = QWidget()
        side = QVBoxLayout(right)
        side.setContentsMargins(0, 0, 0, 0)
        side.setSpacing(MEDIUM)
        facts = Panel("The study")
        facts.add(_padded(self._facts))
        facts.add(self._speaking(), padded=True)
        facts.add(self._blinding(), padded=True)
        self._facts.setHorizontalSpacing(LARGE)
        self._facts.setVerticalSpacing(SMALL)
        self._facts.setColumnStretch(1, 1)
        deeds = Panel("Latest edits")
        deeds.add(_padded(self._deeds))
        self._deeds.setSpacing(SMALL)
        deeds.body.addStretch(1)
        side.addWidget(facts)
        side.addWidget(deeds, 1)
        self.add(_wide_enough(left), 7)
        self.add(_wide_enough(right), 3)


def _deed_row(deed: RecentEdit) -> QWidget:
    row = QWidget()
    line = QHBoxLayout(row)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(SMALL)
    if deed.who:
        line.addWidget(Label(deed.who, Type.STRONG))
    line.addWidget(ElidedLabel(deed.what), 1)  # its tooltip has the whole
    line.addWidget(Label(deed.when, Type.SMALL, "muted"))
    return row


def _wide_enough(widget: QWidget) -> QScrollArea:
    """A column that scrolls where the window is too low for it."""
    area = scrolled(widget)
    area.setMinimumWidth(px(MIN_COLUMN_WIDTH))
    return area


def _padded(layout: QLayout) -> QLayout:
    layout.setContentsMargins(MEDIUM, MEDIUM, MEDIUM, MEDIUM)
    return layout


def _clear(layout: QLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.deleteLater()
