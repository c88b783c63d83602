"""Panel with the live scores of a summary and their calculation."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gui.pages.match.score_arithmetic import ScoreArithmetic
from gui.pages.match.values import MAIN_SCORE, SCORE_TITLES, LiveScore, score_text
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type
from gui.widgets.label import ElidedLabel, Label, rule

_REFERENCES_PER_ROW = 4
_EXPLANATIONS = 3


class ScorePanel(QWidget):
    """Displays a LiveScore."""

    def __init__(self) -> None:
        super().__init__()
        self.main_label = Label("", Type.HERO)
        self.main_fact = Label("", Type.SMALL, "muted", wrap=True)
        self.details = QWidget()
        self.arithmetic = ScoreArithmetic()
        self._score_labels = [_ScoreLabels(title) for title in SCORE_TITLES]
        self.explanation_labels = [Label("", Type.SMALL, wrap=True) for _ in range(_EXPLANATIONS)]
        self._without_reference: list[tuple[Label, Label]] = []
        self._without_reference_caption = Label(
            "Modified score without one reference", Type.CAPTION, "muted", wrap=True
        )
        self._without_reference_grid = QGridLayout()
        self._arrange()

    @property
    def score_texts(self) -> tuple[str, ...]:
        """Return the displayed scores, in the order of SCORE_TITLES."""
        return tuple(labels.value.text() for labels in self._score_labels)

    @property
    def score_texts_without_reference(self) -> tuple[str, ...]:
        """Return the displayed modified scores without each reference."""
        return tuple(value.text() for _, value in self._without_reference if not value.isHidden())

    def show_score(self, score: LiveScore) -> None:
        """Show a score."""
        self.main_label.setText(score_text(score.main))
        self.main_label.setVisible(bool(score.rows))
        self.main_label.setAccessibleName(f"Modified score {score_text(score.main)}, {score.main_fact}")
        self.main_fact.setText(score.main_fact)
        self.details.setVisible(bool(score.rows))
        self.arithmetic.show_rows(score.rows)
        for labels, row in zip(self._score_labels, score.scores, strict=False):
            labels.show_row(row.formula, score_text(row.value))
        for index, label in enumerate(self.explanation_labels):
            label.setText(score.explanations[index] if index < len(score.explanations) else "")
            label.setVisible(index < len(score.explanations))
        self._show_without_reference(score.without_reference)

    def show_selected(self, scu_id: str) -> None:
        """Outline the blocks of an SCU; empty for none."""
        self.arithmetic.show_selected(scu_id)

    def _show_without_reference(self, scores: Sequence[tuple[str, float]]) -> None:
        while len(self._without_reference) < len(scores):
            self._add_without_reference()
        self._without_reference_caption.setVisible(bool(scores))
        for place, labels in enumerate(self._without_reference):
            for label in labels:
                label.setVisible(place < len(scores))
        for labels, (letter, value) in zip(self._without_reference, scores, strict=False):
            labels[0].setText(f"−{letter}")
            labels[1].setAccessibleName(f"without {letter}: {score_text(value)}")
            labels[1].setText(score_text(value))

    def _add_without_reference(self) -> None:
        place = len(self._without_reference)
        row, column = divmod(place, _REFERENCES_PER_ROW)
        labels = Label("", Type.SMALL, "muted"), Label("", Type.STRONG)
        self._without_reference_grid.addWidget(labels[0], 2 * row, column)
        self._without_reference_grid.addWidget(labels[1], 2 * row + 1, column)
        self._without_reference.append(labels)

    def _arrange(self) -> None:
        caption = QVBoxLayout()
        caption.setSpacing(0)
        caption.addWidget(Label("modified score", Type.STRONG, wrap=True))
        caption.addWidget(self.main_fact)
        main = QHBoxLayout()
        main.setSpacing(MEDIUM)
        main.addWidget(self.main_label)
        main.addLayout(caption, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SMALL)
        column.addLayout(main)
        column.addWidget(self.details)
        self._arrange_details()

    def _arrange_details(self) -> None:
        table = QGridLayout()
        table.setHorizontalSpacing(SMALL)
        table.setVerticalSpacing(SMALL)
        table.setColumnStretch(1, 1)
        for row, labels in enumerate(self._score_labels):
            for column_index, label in enumerate((labels.title, labels.formula, labels.value)):
                table.addWidget(label, row, column_index)
        column = QVBoxLayout(self.details)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SMALL)
        column.addWidget(self.arithmetic)
        column.addWidget(rule())
        column.addLayout(table)
        column.addWidget(rule())
        column.addWidget(Label("How X is calculated", Type.CAPTION, "muted", wrap=True))
        for label in self.explanation_labels:
            column.addWidget(label)
        column.addSpacing(TIGHT)
        column.addWidget(self._without_reference_caption)
        self._without_reference_grid.setHorizontalSpacing(SMALL)
        self._without_reference_grid.setVerticalSpacing(0)
        column.addLayout(self._without_reference_grid)


class _ScoreLabels:
    """Labels of a score: title, formula, value."""

    def __init__(self, title: str) -> None:
        self.title = Label(title, Type.STRONG if title == MAIN_SCORE else Type.BODY)
        self.formula = ElidedLabel("", Type.SMALL, "muted")
        self.value = Label("", Type.STRONG)
        self.value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def show_row(self, formula: str, value: str) -> None:
        self.formula.setText(formula)
        self.value.setText(value)
