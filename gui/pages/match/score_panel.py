"""Live score of a summary: its sums of weights as blocks to one scale, and all scores with formulas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QToolTip, QWidget

from gui.annotation.text.weight_lines import draw_weight_line
from gui.pages.match.values import MAIN_SCORE, SCORE_TITLES, BlockRow, LiveScore, WeightBlock, score_text
from gui.style import theme
from gui.style.language import tr
from gui.style.theme import HAIR, LARGE, MEDIUM, RADIUS_SMALL, SMALL, TIGHT, Type, px
from gui.style.tooltips import plain_tip
from gui.widgets.accessible import announce, set_role
from gui.widgets.buttons import link_button
from gui.widgets.label import ElidedLabel, Keycap, Label, rule
from gui.widgets.layouts import Gap, Stretch, hbox, vbox
from gui.widgets.lists.scroll_column import scrolled

_BLOCK_PX = 18
_RAIL_PX = 4
_MIN_BLOCK_PX = 4  # narrower blocks are grouped by weight
_MAX_LABELS = 8  # in one tooltip
_ACTIVATION_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class BlockBox:
    """Blocks painted as one: a single block, or all blocks of a weight if there is little room."""

    rect: QRectF
    blocks: tuple[WeightBlock, ...]

    @property
    def scu_ids(self) -> list[str]:
        return [block.scu_id for block in self.blocks if block.scu_id]

    @property
    def tip(self) -> str:
        labels = [block.label or tr("(no label)") for block in self.blocks]
        more = (
            [tr("and {labels} more", labels=len(labels) - _MAX_LABELS)] if len(labels) > _MAX_LABELS else []
        )
        return "\n".join((tr("Weight {weight}", weight=self.blocks[0].weight), *labels[:_MAX_LABELS], *more))


class ScoreArithmetic(QWidget):
    """Rows of blocks whose widths are their weights, with the sums as text.

    A block has the label of its SCU as its tooltip; a click or Enter selects the SCU. Arrow keys move
    between blocks.

    Signals:
        scu_chosen: SCU id.
    """

    scu_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[BlockRow, ...] = ()
        self._selected = ""
        self._current = 0
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Calculation of the score"))
        theme.signal().changed.connect(self.updateGeometry)

    def show_rows(self, rows: Sequence[BlockRow]) -> None:
        """Show these sums."""
        if (new_rows := tuple(rows)) != self.rows:
            self.rows, self._current = new_rows, 0
            self.setAccessibleDescription("; ".join(_accessible_text(row) for row in new_rows))
            self.updateGeometry()
            self.update()

    def show_selected(self, scu_id: str) -> None:
        """Outline the blocks of an SCU; empty for none."""
        if scu_id != self._selected:
            self._selected = scu_id
            self.update()

    def block_rect(self, scu_id: str) -> QRect:
        """Return the rectangle of the first block of an SCU; empty if there is none."""
        box = next((box for box in self.boxes() if scu_id in box.scu_ids), None)
        return box.rect.toRect() if box is not None else QRect()

    def sizeHint(self) -> QSize:
        return QSize(220, len(self.rows) * self._row_height() - MEDIUM)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for index, row in enumerate(self.rows):
            self._paint_text(painter, row, index * self._row_height())
        boxes = list(self.boxes())
        for box in boxes:
            self._paint_box(painter, box)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.hasFocus() and self._current < len(boxes):
            painter.setPen(QPen(theme.colour("accent"), 2.0))
            current = boxes[self._current].rect.adjusted(-1, -1, 1, 1)
            painter.drawRoundedRect(current, RADIUS_SMALL, RADIUS_SMALL)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        boxes = list(self.boxes())
        if step is not None and boxes:
            self._current = min(max(self._current + step, 0), len(boxes) - 1)
            self.setAccessibleDescription(boxes[self._current].tip.replace("\n", ", "))
            self.update()
        elif event.key() in _ACTIVATION_KEYS and self._current < len(boxes):
            self._choose(boxes[self._current])
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if (box := self._box_at(event.position().toPoint())) is not None:
            self._choose(box)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        box = self._box_at(event.position().toPoint())
        is_clickable = box is not None and bool(box.scu_ids)
        self.setCursor(Qt.CursorShape.PointingHandCursor if is_clickable else Qt.CursorShape.ArrowCursor)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            box = self._box_at(event.pos())
            QToolTip.showText(event.globalPos(), plain_tip(box.tip if box is not None else ""), self)
            return True
        return super().event(event)

    def focusInEvent(self, event: object) -> None:
        self.update()

    def focusOutEvent(self, event: object) -> None:
        self.update()

    def _choose(self, box: BlockBox) -> None:
        """Select the SCU of a box; of several, the one after the selected SCU."""
        if ids := box.scu_ids:
            at = ids.index(self._selected) + 1 if self._selected in ids else 0
            self.scu_chosen.emit(ids[at % len(ids)])

    def boxes(self) -> Iterator[BlockBox]:
        """Yield the boxes of all rows."""
        widest = max((row.total for row in self.rows), default=0)
        unit = self.width() / widest if widest else 0.0
        for index, row in enumerate(self.rows):
            top = index * self._row_height() + self._text_height() + HAIR
            lightest = min((block.weight for block in row.blocks), default=0)
            is_wide = unit * lightest >= _MIN_BLOCK_PX
            left = 0.0
            for blocks in [(block,) for block in row.blocks] if is_wide else row.runs():
                width = unit * sum(block.weight for block in blocks)
                gap = min(float(HAIR), width / 4)
                yield BlockBox(QRectF(left, top, width - gap, px(_BLOCK_PX)), blocks)
                left += width

    def _box_at(self, point: QPoint) -> BlockBox | None:
        return next((box for box in self.boxes() if box.rect.contains(point)), None)

    def _text_height(self) -> int:
        return QFontMetrics(theme.font(Type.SMALL)).height() + HAIR

    def _row_height(self) -> int:
        return self._text_height() + px(_BLOCK_PX) + _RAIL_PX + MEDIUM

    def _paint_text(self, painter: QPainter, row: BlockRow, top: int) -> None:
        room = QRect(0, top, self.width(), self._text_height())
        small, strong = theme.font(Type.SMALL), theme.font(Type.STRONG)
        painter.setPen(theme.colour("text"))
        painter.setFont(small)
        painter.drawText(room, _LEFT, row.title)
        painter.setFont(strong)
        painter.drawText(room, _RIGHT, str(row.total))
        total_px = QFontMetrics(strong).horizontalAdvance(str(row.total)) + TIGHT
        title_px = QFontMetrics(small).horizontalAdvance(row.title) + SMALL
        expression = f"{row.expression} ="
        if QFontMetrics(small).horizontalAdvance(expression) > self.width() - total_px - title_px:
            return  # the blocks below show the same
        painter.setFont(small)
        painter.setPen(theme.colour("muted"))
        painter.drawText(room.adjusted(0, 0, -total_px, 0), _RIGHT, expression)

    def _paint_box(self, painter: QPainter, box: BlockBox) -> None:
        first = box.blocks[0]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.tokens().weights[first.step - 1].tint))
        painter.drawRoundedRect(box.rect, HAIR, HAIR)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setFont(theme.font(Type.CAPTION))
        text = f"{len(box.blocks)}×{first.weight}" if len(box.blocks) > 1 else str(first.weight)
        if QFontMetrics(painter.font()).horizontalAdvance(text) <= box.rect.width():
            painter.setPen(theme.colour("text"))
            painter.drawText(box.rect, Qt.AlignmentFlag.AlignCenter, text)
        draw_weight_line(painter, box.rect.left(), box.rect.right(), box.rect.bottom() + 1, first.step)
        if self._selected and self._selected in box.scu_ids:
            painter.setPen(QPen(theme.colour("accent"), 2.0))
            painter.drawRoundedRect(box.rect.adjusted(1, 1, -1, -1), HAIR, HAIR)


def _accessible_text(row: BlockRow) -> str:
    return f"{row.title}: {row.expression} = {row.total}"


CLOSED = tr("Score closed until this summary is done")


set_role(ScoreArithmetic, QAccessible.Role.StaticText)


class ScorePanel(QWidget):
    """A LiveScore with its calculation; closed, a line that says when it opens."""

    def __init__(self) -> None:
        super().__init__()
        self.main_label = Label("", Type.HERO)
        self.main_fact = Label("", Type.SMALL, "muted", wrap=True)
        self.line_label = ElidedLabel(CLOSED, Type.SMALL, "muted")
        self.toggle_button, self.key_label = link_button(tr("Open")), Keycap("")
        self.details, self.arithmetic = QWidget(), ScoreArithmetic()
        self._table, self._without = QGridLayout(), ""
        self._formulas = [ElidedLabel("", Type.SMALL, "muted") for _ in SCORE_TITLES]
        self._values = [Label("", Type.STRONG) for _ in SCORE_TITLES]
        self.explanation_label = Label("", Type.SMALL, "muted", wrap=True)
        self._content = scrolled(self._arranged())
        self._content.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        line = hbox(
            (self.line_label, 1), self.toggle_button, self.key_label, margins=(MEDIUM, TIGHT), spacing=TIGHT
        )
        vbox(rule(), self._content, line, parent=self, spacing=0)
        self.show_open(is_open=False)

    @property
    def score_texts(self) -> tuple[str, ...]:
        """Return the displayed scores, in the order of SCORE_TITLES."""
        return tuple(value.text() for value in self._values)

    @property
    def is_open(self) -> bool:
        """Whether the score is displayed."""
        return not self._content.isHidden()

    def show_open(self, *, is_open: bool) -> None:
        """Show the score, or only the line."""
        self._content.setVisible(is_open)
        self.line_label.setText(self._without if is_open else CLOSED)
        self.toggle_button.setText(tr("Close") if is_open else tr("Open"))
        self.toggle_button.setAccessibleName(tr("Close the score") if is_open else tr("Open the score"))

    def show_key(self, key: str) -> None:
        """Show the key that opens and closes the score; empty = it has none."""
        self.key_label.setText(key)
        self.key_label.setVisible(bool(key))

    def show_score(self, score: LiveScore) -> None:
        """Show a score."""
        before = self.main_label.accessibleName()
        self.main_label.setText(score_text(score.main))
        self.main_label.setVisible(bool(score.rows))
        self.main_label.setAccessibleName(
            tr(
                "Modified score {score_text}, {main_fact}",
                score_text=score_text(score.main),
                main_fact=score.main_fact,
            )
        )
        if before != self.main_label.accessibleName():
            announce(self.main_label, self.main_label.accessibleName())
        self.main_fact.setText(score.main_fact)
        self.details.setVisible(bool(score.rows))
        self.arithmetic.show_rows(score.rows)
        for formula, value, row in zip(self._formulas, self._values, score.scores, strict=False):
            formula.setText(row.formula)
            value.setText(score_text(row.value))
        self.explanation_label.setText(" ".join(score.explanations))
        without = " · ".join(
            tr("without {letter} {score_text}", letter=letter, score_text=score_text(x))
            for letter, x in score.without_reference
        )
        self._without = tr("Modified {without}", without=without) if without else ""
        self.show_open(is_open=self.is_open)

    def _arranged(self) -> QWidget:
        main = hbox(self.main_label, spacing=MEDIUM)
        main.addLayout(vbox(Label(tr("modified score"), Type.STRONG), self.main_fact, spacing=0), 1)
        self._table.setHorizontalSpacing(SMALL)
        self._table.setVerticalSpacing(TIGHT)
        self._table.setColumnStretch(1, 1)
        for row, title in enumerate(SCORE_TITLES):
            self._table.addWidget(Label(title, Type.STRONG if title == MAIN_SCORE else Type.BODY), row, 0)
            self._table.addWidget(self._formulas[row], row, 1)
            self._table.addWidget(self._values[row], row, 2, Qt.AlignmentFlag.AlignRight)
        right = vbox(main, Gap(SMALL), self._table, Stretch(1))
        hbox((self.arithmetic, 1), right, parent=self.details, spacing=LARGE)
        inner = QWidget()
        vbox(self.details, self.explanation_label, parent=inner, margins=(MEDIUM, SMALL), spacing=TIGHT)
        return inner
