"""Panel with the other coefficients of one kind of annotation, and the α of each pair of annotators."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from core.agreement.table import AgreementRow
from core.agreement.titles import agreement_title
from core.agreement.verdicts import VerdictLine
from core.formatting.numbers import format_correlation, pluralize
from gui.style import theme
from gui.style.theme import MEDIUM, RADIUS_SMALL, TIGHT, Type, px
from gui.widgets.buttons import link_button
from gui.widgets.label import Keycap, Label
from gui.widgets.lists.grouped_tree import write
from gui.widgets.lists.scroll_column import scrolled
from gui.widgets.notice import Notice
from gui.widgets.panel import Panel

_CELL_W, _CELL_H, _LEAST_TINT, _MOST_TINT = 44, 34, 0.08, 0.45


class DetailsPanel(Panel):
    """The chosen line in detail."""

    def __init__(self) -> None:
        super().__init__("Details", "in detail")
        self.pairs, self.notice = PairMatrix(), Notice()
        self.differences_button = link_button("")
        self._coefficients = QGridLayout()
        self._coefficients.setVerticalSpacing(TIGHT)
        self._coefficients.setColumnStretch(0, 1)
        self._pairs_label = Label("Each pair, α", Type.SMALL, "muted")
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(MEDIUM, MEDIUM, MEDIUM, MEDIUM)
        column.setSpacing(MEDIUM)
        column.addLayout(self._coefficients)
        for part in (self._pairs_label, self.pairs, self.notice):
            column.addWidget(part)
        column.addStretch(1)
        self.add(scrolled(inner), 1)
        foot = QHBoxLayout()
        foot.addWidget(self.differences_button)
        foot.addStretch(1)
        foot.addWidget(Keycap("Enter"))
        self.add_foot(foot)

    def show_line(
        self, line: VerdictLine, rows: Sequence[AgreementRow], pairs: Sequence[AgreementRow], note: str
    ) -> None:
        """Show a line: its coefficients, the main one of each pair, and a note on one annotator."""
        self.set_title(line.title)
        while (item := self._coefficients.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for place, row in enumerate(rows):
            title = agreement_title(row.coefficient).replace("Krippendorff's ", "")
            name, value = Label(title, wrap=True), Label(_value(row), Type.STRONG)
            value.setToolTip(row.reason)
            self._coefficients.addWidget(name, place, 0)
            self._coefficients.addWidget(value, place, 1, Qt.AlignmentFlag.AlignRight)
        self.pairs.show_pairs(pairs)
        self._pairs_label.setVisible(bool(pairs))
        self.pairs.setVisible(bool(pairs))
        self.notice.show_message(note)
        left = line.differences or 0
        self.differences_button.setText(f"See {pluralize(left, 'difference')}" if left else "No differences")
        self.differences_button.setEnabled(bool(left))


class PairMatrix(QWidget):
    """The coefficient of each pair, the darker the higher."""

    def __init__(self) -> None:
        super().__init__()
        self._names: tuple[str, ...] = ()
        self._values: dict[frozenset[str], float] = {}
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_pairs(self, pairs: Sequence[AgreementRow]) -> None:
        """Show these rows."""
        self._names = tuple(dict.fromkeys(name for row in pairs for name in row.annotators))
        self._values = {frozenset(row.annotators): row.value for row in pairs}
        spoken = (f"{row.group} {format_correlation(row.value)}" for row in pairs)
        self.setAccessibleName(f"Each pair, α: {', '.join(spoken)}")
        self.setToolTip(
            "\n".join(f"{short}: {name}" for short, name in zip(self._short(), self._names, strict=True))
        )
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(_CELL_W) * len(self._names), px(_CELL_H) * len(self._names))

    def _short(self) -> list[str]:
        """Return the names without the words that all share: ``A`` and ``B`` of two annotators."""
        words = [name.split() for name in self._names]
        shared = 0
        while len({tuple(one[: shared + 1]) for one in words}) == 1 and min(map(len, words)) > shared + 1:
            shared += 1
        return [" ".join(one[shared:]) for one in words]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        short = self._short()
        for row, name in enumerate(self._names):
            for column, other in enumerate(self._names[:row]):
                value = self._values.get(frozenset((name, other)), math.nan)
                self._paint_pair(painter, self._cell(row, column + 1), value)
            if row:
                side = self._cell(row, 0).adjusted(0, 0, -TIGHT, 0)
                write(painter, side, short[row], Type.CAPTION, "muted", right=True)
            if row < len(short) - 1:
                painter.setFont(theme.font(Type.CAPTION))
                painter.setPen(theme.colour("muted"))
                painter.drawText(self._cell(0, row + 1), Qt.AlignmentFlag.AlignCenter, short[row])

    def _cell(self, row: int, column: int) -> QRect:
        """Return the area of a cell; row 0 and column 0 have the names."""
        width, height = min(px(_CELL_W), self.width() // len(self._names)), px(_CELL_H)
        return QRect(width * column, height * row, width - TIGHT, height - TIGHT)

    @staticmethod
    def _paint_pair(painter: QPainter, area: QRect, value: float) -> None:
        tokens = theme.tokens()
        share = min(max(value, 0.0), 1.0) if math.isfinite(value) else 0.0
        tint = theme.mix(tokens.surface, tokens.accent, _LEAST_TINT + share * (_MOST_TINT - _LEAST_TINT))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tint))
        painter.drawRoundedRect(QRectF(area), RADIUS_SMALL, RADIUS_SMALL)
        painter.setPen(theme.colour("text"))
        painter.setFont(theme.font(Type.STRONG))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, format_correlation(value))


def _value(row: AgreementRow) -> str:
    interval = ""
    if math.isfinite(row.low):
        interval = f" [{format_correlation(row.low)}, {format_correlation(row.high)}]"
    return f"{format_correlation(row.value)}{interval}"
