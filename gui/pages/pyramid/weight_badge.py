"""Badge with the weight of an SCU, and the legend of the weight colours of a topic."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.domain.pyramid import UnitKind
from gui.annotation.text.weight_lines import draw_weight_line
from gui.style import theme
from gui.style.language import in_terms_of, tr
from gui.style.theme import HAIR, RADIUS_SMALL, SMALL, TIGHT, Type, px, weight_step
from gui.style.tooltips import plain_tip

_BADGE_PX = 20
_SWATCH_PX = 26
_STEPS = 5


class WeightBadge(QWidget):
    """Weight on its colour; empty for weight 0."""

    def __init__(self, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__()
        self._name = in_terms_of(kind, tr("Weight"))
        self._weight, self._step = 0, 1
        self.setFixedSize(px(_BADGE_PX), px(_BADGE_PX))
        theme.signal().changed.connect(self.update)

    def show_weight(self, weight: int, step: int) -> None:
        """Show a weight; 0 for none. step: colour, from 1 to 5."""
        self._weight, self._step = weight, step
        self.setAccessibleName(f"{self._name} {weight}" if weight else "")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._weight:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.tokens().weights[self._step - 1].tint))
        painter.drawRoundedRect(QRectF(self.rect()), RADIUS_SMALL, RADIUS_SMALL)
        painter.setPen(theme.colour("text"))
        painter.setFont(theme.font(Type.CAPTION))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, str(self._weight))


class WeightLegend(QWidget):
    """Legend of the colours and lines of the weights of a topic."""

    def __init__(self, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__()
        self._kind, self._caption = kind, in_terms_of(kind, tr("Weight"))
        self._labels: list[tuple[int, str]] = []
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.signal().changed.connect(self.updateGeometry)

    def show_references(self, references: int) -> None:
        """Show the legend for this number of references."""
        self._labels = legend(references)
        self.setAccessibleName(f"{self._caption}s: " + ", ".join(label for _, label in self._labels))
        tip = in_terms_of(self._kind, tr("How many references express an SCU"))
        self.setToolTip(plain_tip(tip if self._labels else ""))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._caption_px() + sum(map(self._swatch_px, self._labels)), px(_BADGE_PX) + SMALL)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._labels:
            painter.setPen(theme.colour("muted"))
            painter.setFont(theme.font(Type.SMALL))
            painter.drawText(
                self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self._caption
            )
        left = float(self._caption_px())
        painter.setFont(theme.font(Type.CAPTION))
        for step, label in self._labels:
            width = self._swatch_px((step, label))
            box = QRectF(left, TIGHT - 1, width - HAIR, px(_BADGE_PX) - TIGHT)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.tokens().weights[step - 1].tint))
            painter.drawRoundedRect(box, RADIUS_SMALL - 1, RADIUS_SMALL - 1)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(theme.colour("text"))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, label)
            draw_weight_line(painter, box.left(), box.right(), box.bottom() + 1, step)
            left += width

    def _caption_px(self) -> int:
        return QFontMetrics(theme.font(Type.SMALL)).horizontalAdvance(self._caption) + SMALL

    def _swatch_px(self, entry: tuple[int, str]) -> int:
        text_px = QFontMetrics(theme.font(Type.CAPTION)).horizontalAdvance(entry[1])
        return max(px(_SWATCH_PX), text_px + SMALL) + HAIR


def legend(references: int) -> list[tuple[int, str]]:
    """Return the colour steps in use for this number of references, each with its range of weights."""
    weights: dict[int, list[int]] = {}
    for weight in range(1, references + 1):
        weights.setdefault(weight_step(weight, references), []).append(weight)
    return [(step, _range(in_step)) for step, in_step in sorted(weights.items()) if step <= _STEPS]


def _range(weights: list[int]) -> str:
    return str(weights[0]) if len(weights) == 1 else f"{weights[0]}–{weights[-1]}"
