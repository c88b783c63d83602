"""List of the summaries with a flag or a note."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QListView

from gui.annotation.match_values import FlagRow
from gui.item_models.table_model import VALUE_ROLE, Column, TableModel
from gui.style.language import tr
from gui.widgets.lists.grouped_tree import paint_nothing_found

EMPTY = tr("No flags or notes. Press F to flag the current summary, C to add a note.")


class FlagList(QListView):
    """List of flagged summaries; Enter or a click opens one.

    Signals:
        summary_chosen: topic id, summary id.
    """

    summary_chosen = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.flags: TableModel[FlagRow] = TableModel(
            [Column(tr("Summary"), lambda row: row, _text, cell_tip=_text)]
        )
        self.setModel(self.flags)
        self.setAccessibleName(tr("Flagged summaries and notes"))
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._open)
        self.activated.connect(self._open)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.flags.rows():
            paint_nothing_found(self, EMPTY)

    def _open(self, index: QModelIndex) -> None:
        row = index.data(VALUE_ROLE)
        if isinstance(row, FlagRow):
            self.summary_chosen.emit(row.topic_id, row.summary_id)


def _text(row: FlagRow) -> str:
    note = f": {row.note}" if row.note else ""
    return " ".join(f"{row.topic} · {row.name}{', flagged' if row.is_flagged else ''}{note}".split())
