"""One of all summaries: a header with its state and score, and its text."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from gui.annotation.text.annotated_text import AnnotatedText
from gui.pages.match.values import SummaryBlock
from gui.style import icons, theme
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type, px
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import icon_button
from gui.widgets.edit_lock import edits
from gui.widgets.label import Badge, ElidedLabel, Label, rule

_BAR_PX = 3


class SummarySection(QFrame):
    """Header and text of a summary, at the full height of its text, see `full_height`.

    Signals:
        entered: the text received the focus.
        stepped: the text cursor moved to the summary above (-1) or below (+1).
    """

    entered = Signal()
    stepped = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.block = SummaryBlock("", 0, "")
        self._column = QVBoxLayout(self)
        self._is_active = False
        self.badge, self.name_label = Badge(""), ElidedLabel("", Type.STRONG)
        self.fact_label, self.score_label = Label("", Type.SMALL, "muted"), Label("", Type.STRONG)
        self.expressed_label = Label("matched", Type.CAPTION, "accent")
        self.done_button, self.flag_button = icon_button("check", "Done"), icon_button("flag", "Flag")
        edits(self.done_button, self.flag_button)
        self.text = AnnotatedText("Summary")
        self.text.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text.installEventFilter(self)
        self._arrange()

    def show_block(self, block: SummaryBlock) -> None:
        """Show a summary, or its changes."""
        if block == self.block:
            return
        is_other = block.id != self.block.id
        self.block = block
        if is_other:
            self.text.drop_selection()
        self.badge.setText(str(block.position))
        self.name_label.setText(block.system)
        self.name_label.setVisible(bool(block.system))
        self.text.show_text(block.content, block.language)
        self.text.setAccessibleName(f"Summary {block.position}")
        self.text.show_marks(block.marks)
        states = (("done", block.is_done), ("flagged", block.is_flagged))
        facts = [self.text.word_count_text, *(state for state, is_set in states if is_set)]
        self.fact_label.setText(" · ".join(facts))
        self.score_label.setText(block.score)
        self.score_label.setAccessibleName(f"Modified score {block.score}")
        self.score_label.setToolTip("Modified score")
        self._set_state(self.done_button, "check", "Reopen" if block.is_done else "Mark done", block.is_done)
        flag = "Remove the flag" if block.is_flagged else "Flag this summary"
        self._set_state(self.flag_button, "flag", flag, block.is_flagged)

    def show_active(self, is_active: bool) -> None:
        """Show whether this is the active summary, on which shortcuts act."""
        if is_active != self._is_active:
            self._is_active = is_active
            self.update()

    def show_selected(self, scu_id: str, match_id: str) -> None:
        """Outline an SCU, or one unit if this summary has it, and show whether the SCU is matched."""
        has_unit = any(mark.belongs_to(match_id) for mark in self.block.marks)
        self.text.show_selected(match_id if has_unit else scu_id)
        self.expressed_label.setVisible(scu_id in self.block.expressed)

    def full_height(self, width: int) -> int:
        """Return the height at which the whole text is visible. The section itself must be visible."""
        self.resize(width, self.height())
        self._column.activate()
        self.text.fit_height()
        return self._column.totalSizeHint().height()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.FocusIn:
            self.entered.emit()
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            return self._leave(event)
        return False

    def _leave(self, event: QKeyEvent) -> bool:
        """Step to the neighbour when the text cursor moves up from the first line or down from the last."""
        moves = {Qt.Key.Key_Up: (QTextCursor.MoveOperation.Up, -1)}
        moves[Qt.Key.Key_Down] = QTextCursor.MoveOperation.Down, +1
        move = moves.get(Qt.Key(event.key()))
        if move is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        if self.text.textCursor().movePosition(move[0]):
            return False
        self.stepped.emit(move[1])
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._is_active:
            painter = QPainter(self)
            painter.fillRect(0, TIGHT, _BAR_PX, self.height() - 2 * TIGHT, theme.colour("accent"))

    def _set_state(self, button: QToolButton, icon: str, name: str, is_on: bool) -> None:
        button.setToolTip(plain_tip(name))
        button.setAccessibleName(name)
        token = {"check": "success", "flag": "warning"}[icon] if is_on else "outline"
        icons.set_icon(button, icon, token)

    def _arrange(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        header = QHBoxLayout()
        header.setContentsMargins(MEDIUM, TIGHT, SMALL, 0)
        header.setSpacing(SMALL)
        for label in (self.badge, self.name_label, self.fact_label):
            header.addWidget(label)
        header.addStretch(1)
        for widget in (self.expressed_label, self.score_label, self.done_button, self.flag_button):
            header.addWidget(widget)
        column = self._column
        column.setContentsMargins(TIGHT, 0, TIGHT, 0)
        column.setSpacing(0)
        column.addLayout(header)
        column.addWidget(self.text)
        column.addWidget(rule())
        self.expressed_label.setToolTip("This summary expresses the selected SCU")
        self.expressed_label.hide()
        self.score_label.setMinimumWidth(px(40))
        self.score_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
