"""Dialog for a new plan of comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLineEdit, QSpinBox, QWidget

from core.annotation.comparison_plans import QUESTIONS
from core.domain.preferences import DEFAULT_TUPLE, MOST_IN_TUPLE, ComparisonKind
from gui.style.language import tr
from gui.style.theme import MEDIUM, px
from gui.widgets.controls.combo_box import ComboBox
from gui.widgets.controls.multi_choice import Choice, MultiChoice
from gui.widgets.dialog import Dialog, FormPage, within_screen
from gui.widgets.label import Label
from gui.widgets.lists.scroll_column import scrolled
from gui.widgets.notice import Notice

NAME = "preference"
_KINDS = {
    ComparisonKind.PAIRWISE: tr("Pairs: A, B or a tie"),
    ComparisonKind.BEST_WORST: tr("Best–worst of several summaries"),
}
_WIDTH, _FORM_HEIGHT, _MOST_PX = 520, 440, 10_000
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
        self.size_box = _box(tr("Summaries in a comparison"), 3, MOST_IN_TUPLE, DEFAULT_TUPLE)
        self.per_summary_box = _box(tr("Comparisons per summary"), 1, _MOST, 4)
        self.overlap_box = _box(tr("Judged by everybody, in per cent"), 0, 100, 100)
        self.overlap_box.setSuffix(" %")
        self.seed_box = _box(tr("Seed"), 0, 2**31 - 1, 0)
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
        area = scrolled(form)
        area.setMinimumHeight(min(px(_FORM_HEIGHT), within_screen(self, 0, _MOST_PX).height() // 2))
        self.body.addWidget(area, 1)
        self.body.addWidget(self.count_label)
        self.body.addWidget(self.notice)
        self._connect()
        self._update()
        self.name_field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.name_field.selectAll()

    @property
    def choices(self) -> PlanChoices:
        """The settings as chosen."""
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

    def _connect(self) -> None:
        for field in (self.name_field, self.question_field):
            field.textEdited.connect(self.changed)
        self.kind_box.activated.connect(self._update)
        for box in (self.size_box, self.per_summary_box, self.overlap_box, self.seed_box):
            box.valueChanged.connect(self._update)
        self.annotators_box.chosen.connect(self.changed)


def _box(name: str, low: int, high: int, value: int) -> QSpinBox:
    box = QSpinBox()
    box.setRange(low, high)
    box.setValue(value)
    box.setAccessibleName(name)
    return box
