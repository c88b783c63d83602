"""Panel of the encoding cache: size, limit, and a button that clears it."""

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
"""Limits offered, in bytes."""


class EncodingsPanel(Panel):
    """One row with the size of the cache, its limit and a button that clears it.

    Signals:
        limit_chosen: the maximum size in bytes.
    """

    limit_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__("Cached encodings", hairline=False)
        self.setToolTip("Encodings of texts, stored so that later runs need not compute them again")
        self.limit_box = QComboBox()
        self.limit_box.setAccessibleName("Maximum size of cached encodings")
        self.limit_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.empty_button = plain_button("Clear")
        self.add_action(self.limit_box)
        self.add_action(self.empty_button)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.limit_box.activated.connect(self._choose)

    def show_cache(self, details: CacheDetails) -> None:
        """Show the size and the limit of the cache."""
        self.set_fact(details.fact)
        self.limit_box.clear()
        for limit in sorted({*LIMITS, details.limit}):
            self.limit_box.addItem(f"At most {format_bytes(limit)}" if limit else "Store none", limit)
        self.limit_box.setCurrentIndex(self.limit_box.findData(details.limit))
        self.limit_box.setEnabled(not details.fixed_reason)
        self.limit_box.setToolTip(
            plain_tip(details.fixed_reason or "The least recently used encodings are deleted first")
        )
        self.empty_button.setEnabled(details.can_empty)
        self.empty_button.setToolTip(
            "Delete all cached encodings; scores are kept" if details.can_empty else "The cache is empty"
        )

    @Slot(int)
    def _choose(self, row: int) -> None:
        self.limit_chosen.emit(self.limit_box.itemData(row, Qt.ItemDataRole.UserRole))
