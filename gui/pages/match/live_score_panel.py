"""A summary's live score: the number, how it comes about, and what else could be scored."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gui.pages.match.score_arithmetic import ScoreArithmetic
from gui.pages.match.score_arithmetic_values import MAIN_SCORE, SCORE_TITLES, LiveScore, score_text
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type
from gui.widgets.label import ElidedLabel, Label, rule

_LEFT_OUT_PER_ROW = 4
_ORIGINS = 3  # sentences on where numbers come from


class ScorePanel(QWidget):
    """Everything that a LiveScore says."""

    def __init__(self) -> None:
        super().__init__()
        self.hero_label = Label("", Type.HERO)
        self.hero_fact = Label("", Type.SMALL, "muted", wrap=True)
        self.details = QWidget()
        self.arithmetic = ScoreArithmetic()
        self._scores = [_ScoreRow(title) for title in SCORE_TITLES]
        self._origins = [Label("", Type.SMALL, wrap=True) for _ in range(_ORIGINS)]
        self._left_out: list[tuple[Label, Label]] = []
        self._left_out_caption = Label(
            "Modified score, one reference left out", Type.CAPTION, "muted", wrap=True
        )
        self._left_out_grid = QGridLayout()
        self._arrange()

    def show_score(self, score: LiveScore) -> None:
        """Show a score."""
        self.hero_label.setText(score_text(score.hero))
        self.hero_label.setVisible(bool(score.rows))
        self.hero_label.setAccessibleName(f"Modified score {score_text(score.hero)}, {score.hero_fact}")
        self.hero_fact.setText(score.hero_fact)
        self.details.setVisible(bool(score.rows))
        self.arithmetic.show_rows(score.rows)
        for row, line in zip(self._scores, score.scores, strict=False):
            row.show_line(line.how, score_text(line.value))
        for place, label in enumerate(self._origins):
            label.setText(score.origins[place] if place < len(score.origins) else "")
            label.setVisible(place < len(score.origins))
        self._show_left_out(score.left_out)

    def show_selected(self, scu_id: str) -> None:
        """Ring an SCU's blocks; empty = none."""
        self.arithmetic.show_selected(scu_id)

    def _show_left_out(self, left_out: Sequence[tuple[str, float]]) -> None:
        while len(self._left_out) < len(left_out):
            self._add_left_out()
        self._left_out_caption.setVisible(bool(left_out))
        for place, labels in enumerate(self._left_out):
            for label in labels:
                label.setVisible(place < len(left_out))
        for labels, (letter, value) in zip(self._left_out, left_out, strict=False):
            labels[0].setText(f"−{letter}")
            labels[1].setAccessibleName(f"without {letter}: {score_text(value)}")
            labels[1].setText(score_text(value))

    def _add_left_out(self) -> None:
        place = len(self._left_out)
        row, column = divmod(place, _LEFT_OUT_PER_ROW)
        labels = Label("", Type.SMALL, "muted"), Label("", Type.STRONG)
        self._left_out_grid.addWidget(labels[0], 2 * row, column)
        self._left_out_grid.addWidget(labels[1], 2 * row + 1, column)
        self._left_out.append(labels)

    def _arrange(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(Label("modified score", Type.STRONG, wrap=True))
        words.addWidget(self.hero_fact)
        hero = QHBoxLayout()
        hero.setSpacing(MEDIUM)
        hero.addWidget(self.hero_label)
        hero.addLayout(words, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SMALL)
        column.addLayout(hero)
        column.addWidget(self.details)
        self._arrange_details()

    def _arrange_details(self) -> None:
        table = QGridLayout()
        table.setHorizontalSpacing(SMALL)
        table.setVerticalSpacing(SMALL)
        table.setColumnStretch(1, 1)
        for place, row in enumerate(self._scores):
            for at, label in enumerate((row.title, row.how, row.value)):
                table.addWidget(label, place, at)
        column = QVBoxLayout(self.details)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SMALL)
        column.addWidget(self.arithmetic)
        column.addWidget(rule())
        column.addLayout(table)
        column.addWidget(rule())
        column.addWidget(Label("How X is calculated", Type.CAPTION, "muted", wrap=True))
        for label in self._origins:
            column.addWidget(label)
        column.addSpacing(TIGHT)
        column.addWidget(self._left_out_caption)
        self._left_out_grid.setHorizontalSpacing(SMALL)
        self._left_out_grid.setVerticalSpacing(0)
        column.addLayout(self._left_out_grid)


class _ScoreRow:
    """Three labels of a grid: title, how, value."""

    def __init__(self, title: str) -> None:
        self.title = Label(title, Type.STRONG if title == MAIN_SCORE else Type.BODY)
        self.how = ElidedLabel("", Type.SMALL, "muted")
        self.value = Label("", Type.STRONG)
        self.value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def show_line(self, how: str, value: str) -> None:
        self.how.setText(how)
        self.value.setText(value)
