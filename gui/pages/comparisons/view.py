"""View of the Comparisons page: source texts, the compared summaries, the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QFrame, QLineEdit, QPushButton, QWidget

from core.annotation.comparison_plans import QUESTIONS
from core.domain.preferences import DEFAULT_TUPLE, MOST_IN_TUPLE, ComparisonKind
from core.formatting.tables import Table
from gui.annotation.text.summary_columns import SourcePanel, SummaryColumns, SummaryRow
from gui.commands.definitions import KeyGroup, KeyHint, KeyRow
from gui.results.result_panel import ReportTableView
from gui.style.language import tr
from gui.style.theme import HAIR, MEDIUM, SMALL, Type, px
from gui.widgets.buttons import edits, icon_button, link_button
from gui.widgets.controls import Choice, ComboBox, MultiChoice, Stepper, number_box
from gui.widgets.dialog import Dialog, FormPage, within_screen
from gui.widgets.label import Label
from gui.widgets.layouts import discard, extend, hbox, scrolled, vbox
from gui.widgets.notice import EmptyPage, Notice
from gui.widgets.page import Page
from gui.widgets.panel import Panel

NO_PLAN = tr("No comparisons are planned. A plan draws pairs or small sets of summaries to compare.")
TIE = 0
"""Number of the button for a tie; those of summaries begin with 1."""

NAME_CHARS = 16  # of the name of a plan that are always shown
NEXT = (tr("Next to answer"), "chevron-right")
NEXT_PLAN = (tr("Next plan"), "chevron-right")
LOOK_BACK = (tr("Review answers"), "chevron-left")


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """A comparison to display.

    number, total: its place among the annotator's comparisons. topic: name and title.
    prompt: what to choose. answers: (number, label, whether it is chosen) of the buttons.
    """

    number: int
    total: int
    topic: str
    title: str
    prompt: str
    answers: tuple[tuple[int, str, bool], ...]
    summaries: tuple[SummaryRow, ...]


class ComparisonsView(Page):
    """Compare summaries while reading the documents and references of their topic.

    Signals:
        answered: number of a summary, `TIE` = a tie.
    """

    answered = Signal(int)

    def __init__(self) -> None:
        super().__init__(tr("Pairs"), edits=True)
        self.plan_box = ComboBox(tr("Plan of comparisons"))
        self.plan_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.comparison_place = Stepper(tr("comparison"))
        self.source_panel, self.columns = SourcePanel(), SummaryColumns()
        self.panel = Panel(tr("Summaries"))
        self.question_label = Label("", Type.STRONG, wrap=True)
        self.prompt_label = Label("", Type.SMALL, "muted", wrap=True)
        self.buttons: dict[int, QPushButton] = {}
        self.notice = Notice(can_close=True)
        self.plan_button = link_button(tr("Plan comparisons…"))
        self.source_button = icon_button("texts", tr("Show or hide documents and references"))
        self.next_button = self.set_primaries(NEXT, NEXT_PLAN, LOOK_BACK)
        self.empty = EmptyPage("columns", NO_PLAN, tr("Plan comparisons…"))
        self.end, self.ranking = Panel(tr("All answered")), ReportTableView()
        self.left_label, self.repeated_label = Label("", wrap=True), Label("", wrap=True)
        self.method_label = Label("", Type.SMALL, "muted", wrap=True)
        self.own_keys = KeyGroup(
            tr("In a comparison"), (KeyRow((("1",), ("9",)), tr("Choose a summary"), "to"),)
        )
        edits(self.plan_button)
        self._answers = hbox(margins=HAIR, spacing=HAIR)
        self._arrange()
        self.source_button.clicked.connect(self.toggle_source)
        self.columns.digit_pressed.connect(self.answered)

    def show_empty(self, sentence: str, *, can_plan: bool) -> None:
        """Show a sentence instead of a comparison; empty = show the comparison."""
        self.empty.sentence_label.setText(sentence)
        self.empty.primary.setVisible(can_plan)
        self._show_only(self.empty if sentence else None)

    def show_end(self, sentence: str, primary: tuple[str, str]) -> None:
        """Show that everything is answered, and the primary button for what is left."""
        self.left_label.setText(sentence)
        self._show_only(self.end)
        self.show_primary(primary)
        self.next_button.setEnabled(True)
        self.next_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_ranking(self, table: Table | None, repeated: str, method: str) -> None:
        """Show at the end how the answers rank the systems, None = hidden; and how repeated answers agree."""
        self.ranking.setVisible(table is not None)
        if table is not None:
            self.ranking.show_table(table)
        self.repeated_label.show_text(repeated)
        self.method_label.setText(method)

    def _show_only(self, page: QWidget | None) -> None:
        """Show a page instead of the comparison; None = the comparison."""
        self.show_primary(NEXT)
        self.empty.setVisible(page is self.empty)
        self.end.setVisible(page is self.end)
        for widget in (self.panel, self.source_panel, self.comparison_place):
            widget.setVisible(page is None)
        self.next_button.setEnabled(page is None)

    def show_plans(self, plans: Sequence[tuple[str, str]], chosen: str) -> None:
        """Offer plans as (id, name); hidden with none."""
        self.plan_box.offer(plans, chosen)
        longest = max((len(name) for _, name in plans), default=0)
        self.plan_box.setMinimumContentsLength(min(longest, NAME_CHARS))
        self.plan_box.setVisible(bool(plans))

    def show_comparison(self, row: ComparisonRow) -> None:
        """Show a comparison, or another answer to it."""
        self.comparison_place.show_place(row.topic, row.title, row.number, row.total)
        self.columns.show_summaries(row.summaries, "")
        self.prompt_label.setText(row.prompt)
        labels = [(number, label) for number, label, _ in row.answers]
        if labels != [(number, button.text()) for number, button in self.buttons.items()]:
            self._rebuild(labels)
        for number, _, is_chosen in row.answers:
            self.buttons[number].setChecked(is_chosen)

    def show_progress(self, done: int, total: int) -> None:
        """Show how many of the annotator's comparisons have an answer."""
        self.panel.set_fact(tr("{done:,} of {total:,} answered", done=done, total=total) if total else "")

    def show_hints(self, hints: Sequence[KeyHint]) -> None:
        """Show keyboard hints, that of the digits first."""
        super().show_hints((KeyHint(("1", "2"), tr("Choose")), *hints))

    def _rebuild(self, labels: Sequence[tuple[int, str]]) -> None:
        had_focus = any(button.hasFocus() for button in self.buttons.values())
        discard(self._answers, *self.buttons.values())
        self.buttons = {}
        for number, label in labels:
            button = QPushButton(label)
            button.setProperty("kind", "segment")
            button.setAccessibleName(label)
            button.setCheckable(True)
            button.clicked.connect(partial(self._press, number))
            edits(button)
            self._answers.addWidget(button, 1)
            self.buttons[number] = button
        if had_focus and self.buttons:
            next(iter(self.buttons.values())).setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _press(self, number: int) -> None:
        button = self.buttons[number]
        button.setChecked(not button.isChecked())  # until the answer is stored
        self.answered.emit(number)

    def _arrange(self) -> None:
        self.add_place(self.plan_box)
        self.add_place(self.comparison_place)
        self.panel.add_action(self.source_button, self.plan_button)
        self.panel.add((self.columns, 1))
        segments = QFrame()
        segments.setProperty("kind", "segments")
        segments.setLayout(self._answers)
        parts = self.question_label, self.prompt_label, segments
        foot = vbox(*parts, margins=(MEDIUM, SMALL, MEDIUM, MEDIUM), spacing=SMALL)
        answer = QFrame()
        answer.setProperty("kind", "scale")
        answer.setLayout(foot)
        self.panel.add(answer)
        self.add((self.source_panel, 34), (self.panel, 66), (self.empty, 100))
        for label in (self.left_label, self.repeated_label):
            self.end.add(label, padded=True)
        self.ranking.horizontalHeader().setStretchLastSection(False)  # numbers stay side by side
        self.end.add((self.ranking, 1))
        self.end.add(self.method_label, padded=True)
        self.end.body.addStretch()
        self.add((self.end, 100))
        self.empty.hide()
        self.end.hide()
        self.add_notice(self.notice)

    @Slot()
    def toggle_source(self) -> None:
        """Show or hide the documents and references."""
        if self.panel.isVisible():
            self.source_panel.setVisible(not self.source_panel.isVisible())


NAME = "preference"
_KINDS = {
    ComparisonKind.PAIRWISE: tr("Pairs: A, B or a tie"),
    ComparisonKind.BEST_WORST: tr("Best–worst of several summaries"),
}
_WIDTH, _HEIGHT, _FORM_HEIGHT = 520, 720, 160
_MOST = 100


@dataclass(frozen=True, slots=True)
class PlanChoices:
    """Settings of a new plan; see `core.annotation.comparison_plans.draw_plan`."""

    name: str
    kind: ComparisonKind
    question: str
    size: int
    per_summary: int
    overlap: float
    seed: int
    annotators: tuple[str, ...]


class PlanDialog(Dialog):
    """Settings of a plan.

    Signals:
        changed: a setting was edited.
    """

    help_page = "comparisons"
    changed = Signal()

    def __init__(
        self, annotators: Sequence[str], plans: Sequence[str] = (), parent: QWidget | None = None
    ) -> None:
        """plans: names that are used already."""
        super().__init__(tr("Plan comparisons"), tr("Plan"), parent, width=_WIDTH, icon="check")
        names = (NAME, *(f"{NAME} {number}" for number in range(2, len(plans) + 2)))
        free = next(name for name in names if name not in plans)
        self.name_field, self.question_field = QLineEdit(free), QLineEdit()
        self.kind_box = ComboBox(choices=_KINDS.items())
        self.size_box = number_box(tr("Summaries in a comparison"), 3, MOST_IN_TUPLE, DEFAULT_TUPLE)
        self.per_summary_box = number_box(tr("Comparisons per summary"), 1, _MOST, 4)
        self.overlap_box = number_box(tr("Judged by everybody, in per cent"), 0, 100, 100)
        self.overlap_box.setSuffix(" %")
        self.seed_box = number_box(tr("Seed"), 0, 2**31 - 1, 0)
        self.annotators_box = MultiChoice(tr("Annotators"), tr("All annotators"))
        self.annotators_box.show_choices([Choice(name, name) for name in annotators], ())
        self.count_label = Label("", wrap=True)
        self.notice = Notice(lines=2)
        form = FormPage()
        form.setContentsMargins(0, 0, MEDIUM, 0)  # room for the scroll bar
        form.add_field(tr("Name"), self.name_field, tr("Judgements are named after it."))
        form.add_field(tr("Kind"), self.kind_box)
        form.add_field(tr("Question"), self.question_field)
        self._size_part = form.add_field(tr("Summaries in a comparison"), self.size_box)
        form.add_field(
            tr("Comparisons per summary"),
            self.per_summary_box,
            tr("In its topic; all are compared equally often."),
        )
        form.add_field(
            tr("Judged by everybody"), self.overlap_box, tr("The others are divided among the annotators.")
        )
        self._annotators_part = form.add_field(tr("Annotators"), self.annotators_box)
        form.add_field(tr("Seed"), self.seed_box)
        self.resize(within_screen(self, _WIDTH, _HEIGHT))
        area = scrolled(form)
        area.setMinimumHeight(px(_FORM_HEIGHT))
        extend(self.body, (area, 1), self.count_label, self.notice)
        for field in (self.name_field, self.question_field):
            field.textEdited.connect(self.changed)
        self.kind_box.activated.connect(self._update)
        for box in (self.size_box, self.per_summary_box, self.overlap_box, self.seed_box):
            box.valueChanged.connect(self._update)
        self.annotators_box.chosen.connect(self.changed)
        self._update()
        self.name_field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.name_field.selectAll()

    @property
    def choices(self) -> PlanChoices:
        kind = ComparisonKind(self.kind_box.currentData())
        return PlanChoices(
            self.name_field.text().strip(),
            kind,
            self.question_field.text().strip(),
            0 if kind is ComparisonKind.PAIRWISE else self.size_box.value(),
            self.per_summary_box.value(),
            self.overlap_box.value() / 100,
            self.seed_box.value(),
            self.annotators_box.current,
        )

    def show_plan(self, sentence: str, problem: str, *, is_ready: bool) -> None:
        """Show what would be planned, or why it cannot be. is_ready: whether it can be stored."""
        self.count_label.setText(sentence)
        self.notice.show_message(problem)
        self.accept_button.setEnabled(is_ready)

    @Slot()
    def _update(self) -> None:
        kind = ComparisonKind(self.kind_box.currentData())
        self._size_part.setVisible(kind is ComparisonKind.BEST_WORST)
        self._annotators_part.setVisible(self.overlap_box.value() < 100)
        self.question_field.setPlaceholderText(QUESTIONS[kind])
        self.changed.emit()
