"""Dialog to edit a copy of a rubric, with the line of what is wrong in it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QFontDatabase, QTextCursor, QTextFormat
from PySide6.QtWidgets import QCheckBox, QPlainTextEdit, QTextEdit, QWidget

from core.metrics.judge.rubric import Rubric, RubricError, read_rubric
from gui.style import theme
from gui.style.language import tr
from gui.style.theme import Type, px
from gui.widgets.controls.combo_box import ComboBox
from gui.widgets.dialog import BROAD, Dialog
from gui.widgets.label import Label

_HEIGHT = 420


class RubricDialog(Dialog):
    """Edit the text of a rubric; only one that is valid can be saved.

    Signals:
        start_chosen: the rubric to start from.
    """

    help_page = "metrics#language-models-as-judges"
    start_chosen = Signal(str)

    def __init__(self, starts: Sequence[str], can_score: str, parent: QWidget | None = None) -> None:
        """starts: names of rubrics. can_score: the judge that could score with it, empty = none."""
        super().__init__(tr("Edit a copy of a rubric"), tr("Save as…"), parent, width=BROAD, icon="download")
        self.start_box = ComboBox(choices=[(name, name) for name in starts])
        self.text = QPlainTextEdit()
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setMinimumHeight(px(_HEIGHT))
        self.text.setTabChangesFocus(True)
        self.state_label = Label("", Type.SMALL, "muted", wrap=True)
        self.score_box = QCheckBox(
            tr("Score the topics for development with it: {judge}", judge=can_score) if can_score else ""
        )
        self.score_box.setVisible(bool(can_score))
        self.add_field(tr("Start from"), self.start_box)
        self.add_field(tr("Rubric, in TOML"), self.text)
        self.body.addWidget(self.state_label)
        self.body.addWidget(self.score_box)
        self.start_box.activated.connect(lambda _: self.start_chosen.emit(str(self.start_box.currentData())))
        self.text.textChanged.connect(self._check)
        self._check()

    @property
    def rubric_text(self) -> str:
        """The text as it is now."""
        return self.text.toPlainText()

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
            sentence = _described(read_rubric(self.rubric_text, tr("above")))
        except RubricError as error:
            sentence = problem = str(error)
            marked = [self._line(error.line)] if error.line else []
        self.state_label.setText(sentence)
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
