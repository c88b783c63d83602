"""Panel with one figure or list, its heading and its result."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from gui.pages.compare.figure.rank_list import RankList
from gui.pages.compare.figure.scatter_view import DrawSized, ScatterView
from gui.pages.compare.values import FigureHeader, PlotPoints, RankedTopic, View
from gui.results.notes_text import NotesText
from gui.style.language import tr
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type, px
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import icon_button, link_button, menu_button
from gui.widgets.controls.combo_box import ComboBox
from gui.widgets.controls.multi_choice import Choice
from gui.widgets.edit_lock import edits
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.panel import Panel

_NOTES_HEIGHT = 120

VIEWS = (
    (View.SCATTER, tr("Scatter plot")),
    (View.BARS, tr("Bars with intervals")),
    (View.INTERCORRELATION, tr("Metric–metric correlation")),
    (View.SIGNIFICANCE, tr("Significant differences")),
    (View.RANKS, tr("Rank comparison")),
    (View.DISTRIBUTION, tr("Distribution over topics")),
    (View.TOPICS, tr("Correlation by topic")),
    (View.DISAGREEMENT, tr("Disagreement")),
)
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
        view_chosen: key of what should be in view. other_chosen: key of the other side of ranks.
        copy_requested: ``picture`` or a format of tables. larger_toggled: whether the figure should have the
            whole page.
    """

    view_chosen = Signal(str)
    other_chosen = Signal(str)
    copy_requested = Signal(str)
    larger_toggled = Signal(bool)

    def __init__(self) -> None:
        super().__init__(tr("Figure"))
        self.title_label.hide()
        self.fact_label.hide()
        self.view_box = ComboBox()
        self.view_box.setAccessibleName(tr("Figure type"))
        self.view_box.setToolTip(tr("Figure next to the table"))
        self.view_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.view_box.setMinimumContentsLength(12)
        for view, title in VIEWS:
            self.view_box.addItem(title, view.value)
        self.other_box = ComboBox()
        self.other_box.setAccessibleName(tr("Right-hand ranks by"))
        self.other_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.other_box.setMinimumContentsLength(12)
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
        self._lay_out_figure()
        self._connect_figure()

    def show_view(self, view: View) -> None:
        """Show which kind of figure is displayed."""
        self.view_box.setCurrentIndex(self.view_box.findData(view.value))
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

    def show_list(self, head: FigureHeader, topics: Sequence[RankedTopic]) -> None:
        """Show summaries instead of a figure."""
        self.show_header(head)
        self._stack.setCurrentWidget(self.summaries)
        self.summaries.show_topics(topics)

    def show_topics(self, head: FigureHeader, topics: Sequence[RankedTopic]) -> None:
        """Show the correlation in each topic instead of a figure."""
        self.show_header(head)
        self._stack.setCurrentWidget(self.topics)
        self.topics.show_topics(topics)

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
            self.other_box.clear()
            for choice in choices:
                self.other_box.addItem(choice.title, choice.key)
        self.other_box.setCurrentIndex(max(self.other_box.findData(chosen), 0))

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

    def _connect_figure(self) -> None:
        self.view_box.activated.connect(lambda _: self.view_chosen.emit(self.view_box.currentData()))
        self.other_box.activated.connect(lambda _: self.other_chosen.emit(self.other_box.currentData()))
        self.larger_button.toggled.connect(self._update_larger_button)
        self.notes_button.toggled.connect(self.notes.setVisible)

    def _update_larger_button(self, is_larger: bool) -> None:
        words = tr("Back to the table") if is_larger else tr("Larger figure")
        self.larger_button.setToolTip(plain_tip(words))
        self.larger_button.setAccessibleName(words)
        self.larger_toggled.emit(is_larger)

    def _lay_out_figure(self) -> None:
        self.add_before_title(self.view_box)
        self.add_action(menu_button("copy", tr("Copy the figure"), COPIES, self.copy_requested.emit))
        self.save_button = icon_button("download", tr("Save the figure…"))
        self.add_action(self.save_button)
        self.report_button = icon_button("report", tr("Add the figure to the report"))
        edits(self.report_button)
        self.add_action(self.report_button)
        self.add_action(self.larger_button)
        head = _line(self.what_label, self.about_label, TIGHT)
        head.addWidget(self.other_box)  # not in the panel's own, where it would take the table's room
        self.other_box.hide()
        self.add(head)
        for widget in (self.figure, self.waiting_label, self.summaries, self.topics):
            self._stack.addWidget(widget)
        box = QVBoxLayout()
        box.setContentsMargins(SMALL, 0, SMALL, 0)
        box.addWidget(self._stack)
        self.add(box, 1)
        foot = _line(self.result_label, self.rest_label, MEDIUM)
        foot.addWidget(self.notes_button)
        self.add(foot)
        self.add(self.notes)


def _line(strong: QWidget, rest: QWidget, below: int) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(MEDIUM, SMALL, MEDIUM, below)
    row.setSpacing(MEDIUM)
    row.addWidget(strong)
    row.addWidget(rest, 1)
    return row
