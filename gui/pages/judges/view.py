"""View of the Judges page: verdicts on the left, the summaries of most disagreement on the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QFontDatabase, QResizeEvent, QTextCursor, QTextFormat
from PySide6.QtWidgets import QCheckBox, QMenu, QPlainTextEdit, QTextEdit, QWidget

from core.comparison.judges.alignment import Disagreement
from core.formatting.numbers import format_score
from core.metrics.judge.rubric import Rubric, RubricError, read_rubric
from gui.commands.definitions import KeyHint
from gui.item_models.table_model import Column
from gui.results.result_panel import NotesText, RunPage
from gui.style import theme
from gui.style.language import plain_tip, tr
from gui.style.theme import MEDIUM, SMALL, Type, px
from gui.widgets.buttons import link_button, open_menu
from gui.widgets.controls import ComboBox, MultiChoice
from gui.widgets.dialog import BROAD, Dialog, within_screen
from gui.widgets.label import Label
from gui.widgets.layouts import Stretch, extend, hbox, splitter, vbox
from gui.widgets.lists.table_view import RowTable
from gui.widgets.panel import Panel

_HEIGHT, _TEXT_HEIGHT = 680, 160


class RubricDialog(Dialog):
    """Edit the text of a rubric; only one that is valid can be saved."""

    help_page = "metrics#language-models-as-judges"

    def __init__(self, starts: Sequence[str], can_score: str, parent: QWidget | None = None) -> None:
        """starts: names of rubrics. can_score: the judge that could score with it, empty = none."""
        super().__init__(tr("Edit a copy of a rubric"), tr("Save as…"), parent, width=BROAD, icon="download")
        self.start_box = ComboBox(choices=[(name, name) for name in starts])
        self.text = QPlainTextEdit()
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setMinimumHeight(px(_TEXT_HEIGHT))
        self.resize(within_screen(self, BROAD, _HEIGHT))
        self.text.setTabChangesFocus(True)
        self.state_label = Label("", Type.SMALL, "muted", wrap=True)
        self.score_box = QCheckBox(
            tr("Score the topics for development with it: {judge}", judge=can_score) if can_score else ""
        )
        self.score_box.setVisible(bool(can_score))
        self.add_field(tr("Start from"), self.start_box)
        self.add_field(tr("Rubric, in TOML"), self.text)
        extend(self.body, self.state_label, self.score_box)
        self.text.textChanged.connect(self._check)
        self._check()

    def show_rubric(self, name: str, text: str) -> None:
        """Show a rubric to start from."""
        self.start_box.setCurrentIndex(self.start_box.findData(name))
        self.text.setPlainText(text)

    @Slot()
    def _check(self) -> None:
        """Show what the rubric asks, or what is wrong with it and where."""
        marked: list[QTextEdit.ExtraSelection] = []
        problem = ""
        try:
            sentence = _described(read_rubric(self.text.toPlainText(), tr("above")))
        except RubricError as error:
            sentence = problem = str(error)
            marked = [self._line(error.line)] if error.line else []
        self.state_label.setText(sentence)
        self.state_label.set_tone("error" if problem else "muted")
        self.text.setExtraSelections(marked)
        self.accept_button.setEnabled(not problem)

    def _line(self, number: int) -> QTextEdit.ExtraSelection:
        """Return the highlight of a line, counted from 1."""
        mark = QTextEdit.ExtraSelection()
        chars = mark.format
        chars.setBackground(theme.colour("selection"))
        chars.setProperty(QTextFormat.Property.FullWidthSelection, True)
        mark.format = chars
        mark.cursor = QTextCursor(self.text.document().findBlockByNumber(number - 1))
        return mark


def _described(rubric: Rubric) -> str:
    what = ", ".join(one.name for one in rubric.criteria) or ", ".join(label for label, _ in rubric.labels)
    return tr("Valid: mode {mode}. {what}", mode=rubric.mode, what=what)


EPSILONS = (
    ("0.2", tr("ε 0.2: experts")),
    ("0.15", tr("ε 0.15: skilled annotators")),
    ("0.1", tr("ε 0.1: crowd workers")),
    ("0.0", tr("ε 0: no discount")),
)
"""By how much a judge may win less often than an annotator."""

_LEAST_TABLE, _LEAST_TOPIC = 120, 64
_DIFFERENCE, _JUDGE, _PEOPLE, _SYSTEM, _TOPIC = range(5)
_WIDTHS = {_DIFFERENCE: 104, _JUDGE: 68, _PEOPLE: 72, _SYSTEM: 92}
"""Widths of the other columns of disagreements."""


_two_digits = partial(format_score, digits=2)


def people_text(row: Disagreement) -> str:
    """Return the ratings of a summary, each with its annotator."""
    return ", ".join(f"{who} {value:g}" for who, value in row.ratings)


class DisagreementTable(RowTable[Disagreement]):
    """Summaries on which a judge and people disagree, the largest difference first."""

    def __init__(self) -> None:
        super().__init__(
            tr("Summaries on which judge and people disagree most"),
            [
                Column(tr("Difference"), lambda row: row.difference, _two_digits),
                Column(tr("Judge", "column"), lambda row: row.judge, _two_digits),
                Column(tr("People"), lambda row: row.mean, _two_digits, cell_tip=people_text),
                Column(tr("System"), lambda row: row.system, cell_tip=lambda row: row.system),
                Column(tr("Topic"), lambda row: row.topic, cell_tip=lambda row: row.topic),
            ],
        )
        theme.signal().changed.connect(self._fit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        """Leave out values, then the system, where there is no room; they are also above the text."""
        room = self.viewport().width() - px(sum(_WIDTHS.values()) + _LEAST_TOPIC)
        for hidden, freed in (((_JUDGE, _PEOPLE), 0), ((_SYSTEM,), px(_WIDTHS[_JUDGE] + _WIDTHS[_PEOPLE]))):
            for column in hidden:
                self.setColumnHidden(column, room + freed < 0)
        self.fit(
            _TOPIC, {column: width for column, width in _WIDTHS.items() if not self.isColumnHidden(column)}
        )

    def show_rows(self, rows: Sequence[Disagreement]) -> None:
        """Show these rows and choose the first one."""
        self.sorted.sort(-1)
        self.rows.set_rows(rows)
        self.choose(lambda _: True)


class DisagreementPanel(Panel):
    """The summaries on which a judge and people disagree, with the texts of the current one."""

    def __init__(self) -> None:
        super().__init__(tr("Disagreements"))
        self.table = DisagreementTable()
        self.text_box = ComboBox(tr("Text"), chars=10)
        self.people_label = Label("", Type.SMALL, "muted", wrap=True)
        self.text = NotesText(tr("Text of the summary"))
        self.open_button = link_button(tr("Show in Texts"))
        self._texts: Mapping[str, str] = {}
        self.text_box.activated.connect(self._show_text)
        self.table.setMinimumHeight(px(_LEAST_TABLE))
        below = Panel("")
        below.title_label.hide()
        below.add_before_title(self.text_box)
        below.add_action(self.open_button)
        below.add(vbox(self.people_label, margins=(MEDIUM, SMALL)), (self.text, 1))
        self.add((splitter(Qt.Orientation.Vertical, (self.table, below), (400, 600)), 1))

    def show_rows(self, fact: str, rows: Sequence[Disagreement]) -> None:
        """Show the disagreements of a judge and a rating, which the fact names."""
        self.set_fact(fact)
        self.setVisible(bool(rows))
        if not rows:
            self.show_texts("", {})
        self.table.show_rows(rows)

    def show_texts(self, people: str, texts: Mapping[str, str]) -> None:
        """Show the texts of a summary by their titles; the kind of text that was chosen before stays."""
        self.people_label.setText(people)
        chosen, titles = self.text_box.currentText(), list(texts)
        self._texts = texts
        self.text_box.offer(enumerate(titles), titles.index(chosen) if chosen in titles else 0)
        self.open_button.setEnabled(bool(texts))
        self._show_text()

    @Slot()
    def _show_text(self) -> None:
        title = self.text_box.currentText()
        self.text.setAccessibleName(title or tr("Text of the summary"))
        self.text.show_notes(self._texts.get(title, "").split("\n"))


class JudgesView(RunPage):
    """Compare judges with annotators."""

    def __init__(self) -> None:
        labels = tr("Compare"), tr("Comparing…")
        super().__init__(tr("Judges"), labels, "people", tr("Compare the judges"))
        self.judges_box = MultiChoice(tr("Judges"), tr("All judges"))
        self.topics_box = ComboBox(tr("Topics"), chars=18)
        self.epsilon_box = ComboBox(tr("Epsilon"), EPSILONS, 18)
        self.split_button = link_button("")
        self.split_menu = QMenu(self.split_button)
        open_menu(self.split_button, self.split_menu)
        self.rubric_button = link_button(tr("Edit a rubric…"), "tag")
        self.disagreements = DisagreementPanel()
        options = vbox(
            hbox(self.judges_box, self.split_button, Stretch(1), self.rubric_button),
            hbox(self.topics_box, self.epsilon_box, Stretch(1), self.stop_button),
            spacing=SMALL,
        )
        options.setContentsMargins(SMALL, SMALL, SMALL, 0)
        self.result.set_title(tr("Verdicts"))
        self.result.body.insertLayout(0, options)
        self.add((self.result, 71), (self.disagreements, 29))
        self.disagreements.hide()

    def show_split(self, development: int, topics: int) -> None:
        """Show how many topics are for development."""
        whole = (
            tr("{development:,} of {topics:,} topics for development", development=development, topics=topics)
            if development
            else tr("No topics for development")
        )
        self.split_button.setText(tr("{development:,} for development", development=development))
        self.split_button.setAccessibleName(whole)
        self.split_button.setToolTip(plain_tip(whole))

    def show_hints(self, hints: Sequence[KeyHint]) -> None:
        """Show keyboard hints, that of the disagreements first."""
        super().show_hints((KeyHint(("Enter",), tr("Show in Texts")), *hints))

    def start(self) -> QWidget | None:
        return self.result.table if self.result.table.isVisible() else None
