"""How much of what encoders made is kept on the disk: the limit, and a button that empties it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QSizePolicy

from core.formatting.byte_sizes import format_bytes
from gui.dialogs.models.values import CacheDetails
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import plain_button
from gui.widgets.panel import Panel

_GB = 10**9
LIMITS = (0, _GB // 2, _GB, 2 * _GB, 5 * _GB, 20 * _GB)
"""Bytes that can be chosen."""


class EncodingsPanel(Panel):
    """One line: how much there is, how much may be, Empty.

    Signals:
        limit_chosen: bytes that may be kept. empty_requested: all that is kept is to go.
    """

    limit_chosen = Signal(object)
    empty_requested = Signal()

    def __init__(self) -> None:
        super().__init__("Encodings kept for later runs", hairline=False)
        self.setToolTip(
            "What encoders made of texts, so that a later run encodes nothing twice; it can be made again"
        )
        self.limit_box = QComboBox()
        self.limit_box.setAccessibleName("Encodings to keep at most")
        self.limit_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.empty_button = plain_button("Empty")
        self.add_action(self.limit_box)
        self.add_action(self.empty_button)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.limit_box.activated.connect(self._choose)
        self.empty_button.clicked.connect(self.empty_requested)

    def show_room(self, sheet: CacheDetails) -> None:
        """Show how much there is and may be."""
        self.set_fact(sheet.fact)
        self.limit_box.clear()
        for most in sorted({*LIMITS, sheet.most}):
            self.limit_box.addItem(f"At most {format_bytes(most)}" if most else "Keep none", most)
        self.limit_box.setCurrentIndex(self.limit_box.findData(sheet.most))
        self.limit_box.setEnabled(not sheet.why_fixed)
        self.limit_box.setToolTip(plain_tip(sheet.why_fixed or "What was not used for longest goes first"))
        self.empty_button.setEnabled(sheet.can_empty)
        self.empty_button.setToolTip(
            "Delete them now; no score is lost" if sheet.can_empty else "There is nothing to delete"
        )

    @Slot(int)
    def _choose(self, row: int) -> None:
        self.limit_chosen.emit(self.limit_box.itemData(row, Qt.ItemDataRole.UserRole))
