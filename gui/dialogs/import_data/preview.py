"""Preview of an import: counts, the first topics and notes, or its problems."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPlainTextEdit,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from core.errors import MAX_LINES, grouped_differences
from gui.dialogs.import_data.values import ImportPreview, PreviewTopic
from gui.style import theme
from gui.style.language import tr
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.controls.stepper import Stepper
from gui.widgets.label import ElidedLabel, Label, rule
from gui.widgets.lists.scroll_column import scrolled
from gui.widgets.notice import Notice
from gui.widgets.panel import Panel

_BOXES = 4
"""Notes in a box of their own; the last box has the others too."""
_TEXT_HEIGHT = 190
NO_PROBLEMS = tr("✓ No other problems")


class ImportPreviewPanel(Panel):
    """Counts, the first topics with their texts, and notes; problems replace topics and notes."""

    def __init__(self) -> None:
        super().__init__(tr("What you get"), tr("nothing is written yet"))
        self.counts: dict[str, str] = {}
        self.notes: tuple[str, ...] = ()
        self.topics: tuple[PreviewTopic, ...] = ()
        self.notice = Notice()
        self.stepper = Stepper(tr("topic"), tr("Topic"))
        self.text = QTextEdit()
        self.text.setReadOnly(True)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setAccessibleName(tr("Texts of the topic"))
        self.text.setMinimumHeight(px(_TEXT_HEIGHT))
        self.problems = QPlainTextEdit()
        self.problems.setReadOnly(True)
        self.problems.setAccessibleName(tr("Problems in the import"))
        self.problems.setMinimumHeight(px(_TEXT_HEIGHT))
        self.note_boxes = [Notice() for _ in range(_BOXES)]
        self.state_label = Label("", Type.STRONG, "success")
        self.fact_at_end = ElidedLabel("", Type.SMALL, "muted")
        self._counts = QWidget()
        self._topic = QWidget()
        self._at = 0
        self._lay_out()
        self.stepper.previous_button.clicked.connect(lambda: self._show_topic(self._at - 1))
        self.stepper.next_button.clicked.connect(lambda: self._show_topic(self._at + 1))
        theme.signal().changed.connect(self._repaint)

    def show_preview(self, preview: ImportPreview, state: str = "") -> None:
        """Show a preview; the topic stays as far as there is one. state: a sentence instead of its result."""
        different = grouped_differences(preview.different, MAX_LINES // 3)
        self.notes = (*preview.skipped, *different, *preview.notices)
        self.counts = {row.kind: row.sentence for row in preview.counts}
        left_out = preview.skipped_count or len(preview.skipped)
        if left_out:
            self.counts["left out"] = tr("%n bad rows", "", left_out)
        self._show_counts()
        has_problems = bool(preview.problems)
        self.problems.setVisible(has_problems)
        self.problems.setPlainText("\n".join(preview.problems))
        self.topics = () if has_problems else preview.topics
        self._show_topic(self._at)
        notes = () if has_problems else self.notes
        for at, box in enumerate(self.note_boxes):
            rest = notes[at:] if at == _BOXES - 1 else notes[at : at + 1]
            box.show_message(rest[0] if rest else "", "", rest[1:])
        many = preview.problem_count or len(preview.problems)
        self.state_label.set_tone("error" if has_problems else "success")
        problems = tr("%n problems", "", many)
        is_read = bool(preview.counts) or has_problems
        self.state_label.setText(state or ((problems if has_problems else NO_PROBLEMS) if is_read else ""))
        self.fact_at_end.setText(tr("checked all %n rows", "", preview.rows) if preview.rows else "")

    def _show_counts(self) -> None:
        grid = self._counts.layout()
        assert isinstance(grid, QGridLayout)
        while grid.count():
            if (item := grid.takeAt(0)) is not None and (label := item.widget()) is not None:
                label.deleteLater()
        for row, (kind, number) in enumerate(self.counts.items()):
            name, value = Label(kind[:1].upper() + kind[1:]), ElidedLabel(number, Type.STRONG)
            value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            name.setBuddy(value)
            grid.addWidget(name, row, 0)
            grid.addWidget(value, row, 1)
        self._counts.setVisible(bool(self.counts))

    @Slot()
    def _repaint(self) -> None:
        self._show_topic(self._at)

    def _show_topic(self, at: int) -> None:
        """Show a topic by its place; beyond the last one, the last."""
        self._topic.setVisible(bool(self.topics))
        self.text.setVisible(bool(self.topics))
        if not self.topics:
            self._at = 0
            return
        self._at = max(0, min(at, len(self.topics) - 1))
        topic = self.topics[self._at]
        self.stepper.show_place(topic.name, "", self._at + 1, len(self.topics))
        self.text.clear()
        plain, strong, muted = QTextCharFormat(), QTextCharFormat(), QTextCharFormat()
        strong.setFontWeight(600)
        muted.setForeground(theme.colour("muted"))
        cursor = QTextCursor(self.text.document())
        if topic.about:
            cursor.insertText(f"{topic.about}\n", muted)
        for text in topic.texts:
            cursor.insertText(text.title, strong)
            cursor.insertText(f"  {text.content}\n", plain)
            if text.numbers:
                cursor.insertText(f"{text.numbers}\n", muted)
        if topic.more:
            cursor.insertText(tr("%n more texts", "", topic.more), muted)
        self.text.moveCursor(QTextCursor.MoveOperation.Start)

    def _lay_out(self) -> None:
        grid = QGridLayout(self._counts)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(TIGHT)
        grid.setColumnStretch(1, 1)
        head = QVBoxLayout(self._topic)
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(SMALL)
        head.addWidget(rule())
        head.addWidget(self.stepper)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(MEDIUM, SMALL, MEDIUM, SMALL)
        column.setSpacing(SMALL)
        column.addWidget(self.notice)
        column.addWidget(self._counts)
        column.addWidget(self.problems, 1)
        column.addWidget(self._topic)
        column.addWidget(self.text, 1)
        for box in self.note_boxes:
            column.addWidget(box)
        column.addStretch(0)
        area = scrolled(inside)
        area.setAccessibleName(tr("Preview of the import"))
        self.add(area, 1)
        foot = QHBoxLayout()
        foot.setSpacing(SMALL)
        foot.addWidget(self.state_label)
        foot.addWidget(self.fact_at_end, 1)
        self.fact_at_end.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.add_foot(foot)
