"""Units that the pyramid does not have, each with a button that takes it away."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from gui.theme import MEDIUM, SMALL, TIGHT, Type, px
from gui.values.match import OutsideLine
from gui.widgets.buttons import icon_button
from gui.widgets.elided_button import ElidedButton
from gui.widgets.label import Label, rule

_MOST_IN_SIGHT = 3
_ROW_PX = 33


class UnitList(QScrollArea):
    """Rows; as high as they need, up to three.

    Signals:
        unit_chosen, unit_removed: a match id.
    """

    unit_chosen = Signal(str)
    unit_removed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._empty = Label("Select words that no SCU covers, then press O.", Type.SMALL, "muted")
        self._rows: list[_UnitRow] = []
        inner = QWidget()
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._empty.setContentsMargins(MEDIUM, SMALL, MEDIUM, SMALL)
        self._column.addWidget(self._empty)
        self._column.addStretch(1)
        self.setWidget(inner)
        inner.setAutoFillBackground(False)  # setWidget has set it: the panel's surface is to show
        self.viewport().setAutoFillBackground(False)
        self.show_units(())

    def show_units(self, units: Sequence[OutsideLine]) -> None:
        """List these units."""
        while len(self._rows) < len(units):
            self._add_row()
        for place, row in enumerate(self._rows):
            row.show_unit(units[place] if place < len(units) else None)
        self._empty.setVisible(not units)
        self.setFixedHeight(px(_ROW_PX) * min(max(len(units), 1), _MOST_IN_SIGHT) + TIGHT)

    def _add_row(self) -> None:
        row = _UnitRow(len(self._rows) + 1)
        row.chosen.connect(self.unit_chosen)
        row.removed.connect(self.unit_removed)
        self._column.insertWidget(len(self._rows), row)
        self._rows.append(row)


class _UnitRow(QWidget):
    chosen = Signal(str)
    removed = Signal(str)

    def __init__(self, number: int) -> None:
        super().__init__()
        self._match_id = ""
        self.words = ElidedButton()
        self.close_button = icon_button("close", "Take this unit away")
        row = QHBoxLayout()
        row.setContentsMargins(MEDIUM, 0, SMALL, 0)
        row.setSpacing(TIGHT)
        row.addWidget(Label(str(number), Type.SMALL, "muted"))
        row.addWidget(self.words, 1)
        row.addWidget(self.close_button)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(row)
        whole.addWidget(rule())
        self.setFixedHeight(px(_ROW_PX))
        self.words.clicked.connect(lambda: self.chosen.emit(self._match_id))
        self.close_button.clicked.connect(lambda: self.removed.emit(self._match_id))

    def show_unit(self, unit: OutsideLine | None) -> None:
        self.setVisible(unit is not None)
        if unit is not None:
            self._match_id = unit.match_id
            self.words.show_words(unit.words, f"Outside the pyramid: {unit.words}")
