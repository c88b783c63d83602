"""View of the Overview page: progress, scored metrics, facts of the study, recent edits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from gui.item_models.table_model import Column
from gui.style.language import tr
from gui.style.theme import LARGE, MEDIUM, RIGHT, SMALL, Type, px
from gui.widgets.buttons import edits, link_button
from gui.widgets.controls import ComboBox
from gui.widgets.label import ElidedLabel, Facts, IconLabel, Label, rule
from gui.widgets.layouts import clear, hbox, scrolled, vbox
from gui.widgets.lists.table_view import RowTable
from gui.widgets.notice import EmptyPage, Notice, ShareBar
from gui.widgets.page import Page
from gui.widgets.panel import Panel


@dataclass(frozen=True, slots=True)
class WorkflowStep:
    """One step of the workflow.

    page: key of the page for this step.
    done, total: progress, in items.
    action: label of the button that opens the page.
    """

    page: str
    title: str
    fact: str
    done: int
    total: int
    action: str


@dataclass(frozen=True, slots=True)
class ScoredMetric:
    """A metric configuration with scores. topics: number of scored topics, of `of_topics`."""

    metric: str
    measures: str
    topics: int
    of_topics: int
    signature: str


@dataclass(frozen=True, slots=True)
class RecentEdit:
    """A recent edit, or several similar ones in a row."""

    annotator: str
    description: str
    time: str


MOST_LEFT_OUT = 4
"""Lines on what an import left out that are shown at first."""
BAR_WIDTH, ACTION_WIDTH, MIN_COLUMN_WIDTH = 140, 88, 240
_LANGUAGE = tr("Default for splitting texts into words. Existing scores do not change.")


class OverviewView(Page):
    """Show how far the study is and offer the next step.

    Signals:
        page_requested: key of the page that a button opens.
        import_requested.
    """

    page_requested = Signal(str)
    import_requested = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Overview"))
        self.name_label = ElidedLabel("", Type.BODY, "muted")
        self.add_place(self.name_label)
        self.next_button = self.set_primary(tr("Import texts…"))
        self.next_button.hide()  # until the study is counted
        self.language_box = ComboBox(tr("Language of the texts"), chars=8)
        edits(self.language_box, self.next_button)
        self._next_page = ""
        self.next_button.clicked.connect(self._open_next)
        self._steps, self._edits = QVBoxLayout(), vbox(margins=MEDIUM, spacing=SMALL)
        self._facts = Facts(Type.STRONG, across=LARGE, down=SMALL)
        self.table = RowTable[ScoredMetric](
            tr("Scored metrics"),
            [
                Column(tr("Metric"), lambda m: m.metric, cell_tip=lambda m: m.metric),
                Column(tr("Measures"), lambda m: m.measures, cell_tip=lambda m: m.measures),
                Column(tr("Topics"), lambda m: m.topics, tip=tr("Number of scored topics")),
                Column(tr("Signature"), lambda m: m.signature, cell_tip=lambda m: m.signature),
            ],
        )
        self.scored_panel = Panel(tr("Scored metrics"))
        self.import_notice = Notice(can_close=True, is_warning=False)
        self.stale_notice = Notice()
        self.stale_notice.remedy_button.clicked.connect(lambda: self.page_requested.emit("score"))
        self._lay_out()

    def show_study(self, name: str, facts: Sequence[tuple[str, str]]) -> None:
        self.name_label.setText(name)
        self._facts.show_facts(facts)

    def show_language(self, code: str, names: Sequence[tuple[str, str]]) -> None:
        """Show the language of the texts. names: (code, name) of each language to choose from."""
        if self.language_box.count() != len(names):
            self.language_box.offer(names)
        self.language_box.choose(code)

    def show_steps(self, steps: Sequence[WorkflowStep]) -> None:
        """Show the progress of each step of the workflow."""
        clear(self._steps)
        for index, step in enumerate(steps):
            if index:
                self._steps.addWidget(rule())
            self._steps.addWidget(self._step_row(step))

    def show_next(self, label: str, page: str) -> None:
        """Offer the next step. page: key of the page that the button opens, empty = import."""
        self._next_page = page
        self.next_button.show()
        self.next_button.setText(label)
        self.next_button.setAccessibleName(label)
        edits(self.next_button, now=not page)

    def show_import(self, came: str, left_out: Sequence[str]) -> None:
        """Show what an import added and, line by line, what it left out and why; stays until it is closed."""
        shown = "\n".join((came, *left_out[:MOST_LEFT_OUT]))
        self.import_notice.show_message(shown, others=left_out[MOST_LEFT_OUT:])

    def show_stale(self, sentence: str) -> None:
        """Show which scores are out of date, and why; empty = none."""
        self.stale_notice.show_message(sentence, tr("Score again"))

    def show_scored(self, metrics: Sequence[ScoredMetric]) -> None:
        self.table.rows.set_rows(metrics)
        self.scored_panel.set_fact(tr("%n configurations", "", len(metrics)) if metrics else tr("none yet"))
        self._scored_stack.setCurrentIndex(1 if metrics else 0)
        if not metrics:
            self.show_stale("")
        self.table.fit(stretch=3, widths={0: 180, 1: 180, 2: 70})

    def show_edits(self, recent: Sequence[RecentEdit]) -> None:
        """List recent edits, newest first."""
        clear(self._edits)
        for edit in recent:
            self._edits.addWidget(_edit_row(edit))
        if not recent:
            self._edits.addWidget(Label(tr("No edits yet."), Type.BODY, "muted", wrap=True))

    def _language_setting(self) -> QVBoxLayout:
        line = hbox(Label(tr("Language"), Type.BODY, "muted"), (self.language_box, 1), spacing=SMALL)
        column = vbox(line, Label(_LANGUAGE, Type.SMALL, "muted", wrap=True), spacing=SMALL)
        self.language_box.setAccessibleDescription(_LANGUAGE)
        return column

    def _open_next(self) -> None:
        if self._next_page:
            self.page_requested.emit(self._next_page)
        else:
            self.import_requested.emit()

    def _step_row(self, step: WorkflowStep) -> QWidget:
        row = QWidget()
        row.setMinimumHeight(px(52))
        is_done = 0 < step.total <= step.done
        labels = vbox(Label(step.title, Type.STRONG), ElidedLabel(step.fact, Type.SMALL, "muted"), spacing=0)
        bar = ShareBar(f"{step.title}: {step.fact}")
        bar.setFixedWidth(BAR_WIDTH)  # without text, it leaves larger texts its room
        bar.show_share(step.done / step.total if step.total else 0.0)
        count = Label(
            tr("{done:,} of {total:,}", done=step.done, total=step.total) if step.total else tr("none"),
            Type.SMALL,
        )
        count.setMinimumWidth(px(84))
        count.setAlignment(RIGHT)
        button = link_button(step.action)
        button.setAccessibleName(f"{step.action}: {step.title}")
        button.clicked.connect(lambda: self.page_requested.emit(step.page))
        end = QWidget()
        end.setMinimumWidth(px(ACTION_WIDTH))
        end.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        hbox((button, 0, Qt.AlignmentFlag.AlignRight), parent=end)
        hbox(
            IconLabel("check", "success") if is_done else IconLabel("clock"),
            (labels, 1),
            bar,
            count,
            end,
            parent=row,
            margins=(MEDIUM, SMALL),
            spacing=MEDIUM,
        )
        return row

    def _lay_out(self) -> None:
        left = QWidget()
        progress = Panel(tr("Progress"))
        progress.add(self._steps)
        empty = EmptyPage("sigma", tr("No scores yet."), quiet=tr("Choose metrics"))
        empty.quiet.clicked.connect(lambda: self.page_requested.emit("score"))
        scored = QWidget()
        self._scored_stack = QStackedLayout(scored)
        self._scored_stack.addWidget(empty)
        self._scored_stack.addWidget(self.table)
        self._scored_stack.addWidget(uncounted := QWidget())
        self._scored_stack.setCurrentWidget(uncounted)
        self.scored_panel.add(self.stale_notice, (scored, 1))
        vbox(self.import_notice, progress, (self.scored_panel, 1), parent=left, spacing=MEDIUM)
        right = QWidget()
        facts = Panel(tr("Study"))
        facts.add(vbox(self._facts, margins=MEDIUM))
        facts.add(self._language_setting(), padded=True)
        recent = Panel(tr("Recent edits"))
        recent.add(self._edits)
        recent.body.addStretch(1)
        vbox(facts, (recent, 1), parent=right, spacing=MEDIUM)
        self.add((_scroll_area(left), 7), (_scroll_area(right), 3))


def _edit_row(edit: RecentEdit) -> QWidget:
    row, who = QWidget(), (Label(edit.annotator, Type.STRONG),) if edit.annotator else ()
    what = ElidedLabel(edit.description)  # the tooltip has the full text
    hbox(*who, (what, 1), Label(edit.time, Type.SMALL, "muted"), parent=row, spacing=SMALL)
    return row


def _scroll_area(widget: QWidget) -> QScrollArea:
    """Return a column that scrolls if the window is too low, with a minimum width."""
    area = scrolled(widget)
    area.setMinimumWidth(px(MIN_COLUMN_WIDTH))
    return area
