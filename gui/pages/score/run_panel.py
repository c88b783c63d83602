"""Panel of a run: remaining time, facts, configurations, skipped ones."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gui.pages.score.values import LeftOut, RunDetails, RunRow, ScoreState
from gui.style.language import tr
from gui.style.theme import HAIR, MEDIUM, SMALL, TIGHT, Type
from gui.widgets.buttons import link_button
from gui.widgets.label import ElidedLabel, IconLabel, Label, rule
from gui.widgets.layouts import Stretch, hbox, vbox
from gui.widgets.lists.scroll_column import scrolled
from gui.widgets.panel import inset_frame
from gui.widgets.progress_bar import ProgressBar

_ICONS = {
    ScoreState.SCORED: ("check", "success"),
    ScoreState.RUNNING: ("chip", "accent"),
    ScoreState.UNABLE: ("warning", "warning"),
    ScoreState.STALE: ("refresh", "warning"),
}
_WAITS = ("clock", "muted")
PROMISE = tr("Scores are stored topic by topic. You can cancel at any time; the next run resumes.")


class RunPanel(QWidget):
    """Displays a RunDetails; reuses widgets where only values change.

    Signals:
        remedy_requested: key of the row that a remedy concerns.
    """

    remedy_requested = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.hero_label = Label("", Type.HERO)
        self.beside_labels = (Label("", Type.SMALL), Label("", Type.SMALL, "muted", wrap=True))
        self.bar = ProgressBar(tr("Progress of the run"))
        self._facts = QGridLayout()
        self.notes_button = link_button(tr("Notes"))
        self.notes_button.setCheckable(True)
        self.notes_label = Label("", Type.SMALL, "muted", wrap=True)
        self.notes_button.toggled.connect(self.notes_label.setVisible)
        self._lines, self._left_out = QVBoxLayout(), QVBoxLayout()
        self._line_rows: list[_Line] = []
        self._current_facts: tuple[tuple[str, str], ...] = ()
        self._current_left_out: tuple[LeftOut, ...] | None = None
        self._lay_out()

    def show_details(self, details: RunDetails) -> None:
        """Show this run."""
        self.hero_label.setText(details.hero)
        self.hero_label.setVisible(bool(details.hero))
        for label, text in zip(self.beside_labels, details.beside, strict=True):
            label.setText(text)
            label.setVisible(bool(text))
        self.bar.setVisible(details.share is not None)
        self.bar.show_share(details.share or 0.0)
        self._show_facts(details.facts)
        self._show_notes(details.notes)
        self._show_lines(details.lines)
        self._show_left_out(details.left_out)

    def _show_facts(self, facts: tuple[tuple[str, str], ...]) -> None:
        if facts == self._current_facts:
            return
        self._current_facts = facts
        _empty(self._facts)
        for row, (what, value) in enumerate(facts):
            self._facts.addWidget(Label(what, Type.SMALL, "muted"), row, 0, Qt.AlignmentFlag.AlignTop)
            self._facts.addWidget(Label(value, Type.SMALL, wrap=True), row, 1)

    def _show_notes(self, notes: tuple[str, ...]) -> None:
        self.notes_button.setVisible(bool(notes))
        self.notes_button.setText(tr("Notes ({notes})", notes=len(notes)))
        self.notes_label.setText("\n".join(notes))
        self.notes_label.setVisible(bool(notes) and self.notes_button.isChecked())

    def _show_lines(self, lines: Sequence[RunRow]) -> None:
        while len(self._line_rows) > len(lines):
            gone = self._line_rows.pop()
            gone.hide()  # immediately; it is deleted in the next event loop cycle
            gone.deleteLater()
        while len(self._line_rows) < len(lines):
            self._line_rows.append(_Line())
            self._lines.addWidget(self._line_rows[-1])
            self._line_rows[-1].show()  # else in a later turn, and what is around it is moved in two
        for row, line in zip(self._line_rows, lines, strict=True):
            row.show_line(line)

    def _show_left_out(self, left_out: tuple[LeftOut, ...]) -> None:
        if left_out == self._current_left_out:
            return
        self._current_left_out = left_out
        _empty(self._left_out)
        if not left_out:
            return
        self._left_out.addWidget(rule())
        self._left_out.addWidget(
            Label(tr("Left out of this run · {left_out}", left_out=len(left_out)), Type.CAPTION, "muted")
        )
        for entry in left_out:
            self._left_out.addWidget(self._left_out_row(entry))

    def _left_out_row(self, entry: LeftOut) -> QWidget:
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SMALL)
        row.addWidget(IconLabel("warning", "warning"), 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(HAIR)
        words.addWidget(Label(entry.name, "strong", wrap=True))
        words.addWidget(Label(entry.reason, Type.SMALL, "muted", wrap=True))
        row.addLayout(words, 1)
        if entry.key is not None and entry.remedy:
            remedy = link_button(entry.remedy)
            remedy.clicked.connect(lambda: self.remedy_requested.emit(entry.key))
            row.addWidget(remedy, 0, Qt.AlignmentFlag.AlignTop)
        return whole

    def _lay_out(self) -> None:
        head = hbox(self.hero_label, spacing=MEDIUM)
        head.addLayout(vbox(Stretch(1), *self.beside_labels, Stretch(1), spacing=0), 1)
        self._facts.setColumnStretch(1, 1)
        self._facts.setHorizontalSpacing(MEDIUM)
        self._facts.setVerticalSpacing(TIGHT)
        self._lines.setSpacing(SMALL)
        self._left_out.setSpacing(SMALL)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(MEDIUM, MEDIUM, MEDIUM, MEDIUM)
        column.setSpacing(MEDIUM)
        column.addLayout(head)
        column.addWidget(self.bar)
        column.addLayout(self._facts)
        column.addWidget(self.notes_button)
        column.addWidget(self.notes_label)
        column.addWidget(rule())
        column.addLayout(self._lines)
        column.addLayout(self._left_out)
        column.addStretch(1)
        column.addWidget(_promise())
        vbox(scrolled(inner), parent=self)


class _Line(QWidget):
    """One configuration of a run."""

    def __init__(self) -> None:
        super().__init__()
        self._icon = IconLabel("clock")
        self._name = ElidedLabel("", "strong")
        self._about = ElidedLabel("", Type.SMALL, "muted")
        self._status = Label("", Type.SMALL, "muted")
        self._bar = ProgressBar()
        row = hbox(self._icon, self._name, (self._about, 1), self._status, spacing=SMALL)
        vbox(row, self._bar, parent=self, spacing=TIGHT)
        self._drawing = ""

    def show_line(self, line: RunRow) -> None:
        """Show this configuration."""
        drawing, token = _ICONS.get(line.state, _WAITS)
        if drawing != self._drawing:
            self._drawing = drawing
            self._icon.show_icon(drawing, token)
        self._name.setText(line.name)
        self._about.setText(line.about)
        self._status.setText(line.status)
        self._status.set_tone("accent" if line.state is ScoreState.RUNNING else "muted")
        self._bar.setVisible(line.share is not None)
        self._bar.show_share(line.share or 0.0)
        self._bar.setAccessibleName(tr("Progress of {name} {about}", name=line.name, about=line.about))
        self.setAccessibleName(f"{line.name} {line.about}: {line.status}")


def _promise() -> QWidget:
    row = QHBoxLayout()
    row.setSpacing(MEDIUM)
    row.addWidget(IconLabel("info", "accent"), 0, Qt.AlignmentFlag.AlignTop)
    row.addWidget(Label(PROMISE, Type.SMALL, wrap=True), 1)
    return inset_frame(row)


def _empty(layout: QGridLayout | QVBoxLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
