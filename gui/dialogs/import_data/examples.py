"""Small tables that can be imported, to be copied and filled in."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QVBoxLayout, QWidget

from gui.item_models.table_model import Column, TableModel
from gui.style.language import tr
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.buttons import link_button
from gui.widgets.label import Label
from gui.widgets.lists.table_view import ROW_HEIGHT, Table

_STORM, _CLOSED = "A storm closed the harbour.", "The harbour was closed."
_STAYED = "Boats stayed in port."
EXAMPLES = (
    (
        tr("One row per text"),
        ("topic", "kind", "who", "text"),
        (
            ("harbour", "document", "report", "A storm closed the harbour on Monday. Boats stayed in port."),
            ("harbour", "reference", "A", _STORM),
            ("harbour", "summary", "bart", _CLOSED),
        ),
    ),
    (
        tr("One row per summary, with its reference"),
        ("topic", "system", "summary", "reference"),
        (("harbour", "bart", _CLOSED, _STORM), ("harbour", "lead", _STAYED, _STORM)),
    ),
    (
        tr("Ratings of summaries"),
        ("topic", "system", "summary", "annotator", "coherence", "fluency"),
        (("harbour", "bart", _CLOSED, "w1", "4", "5"), ("harbour", "lead", _STAYED, "w1", "2", "5")),
    ),
)
"""Title, headings and rows of each table."""
_LONG = 15
"""Characters of a text, whose column takes the room that is left."""


class ExampleTables(QWidget):
    """Tables in a column, each with a button that copies it.

    Signals:
        copied: the title of a table that was copied.
    """

    copied = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[Table] = []
        self.copy_buttons = [link_button(tr("Copy"), "copy") for _ in EXAMPLES]
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(TIGHT)
        for (title, headings, rows), button in zip(EXAMPLES, self.copy_buttons, strict=True):
            table = _table(title, headings, rows)
            self.tables.append(table)
            button.setAccessibleName(tr("Copy the table “{title}”", title=title))
            button.clicked.connect(table.copy)
            button.clicked.connect(lambda _, title=title: self.copied.emit(title))
            head = QHBoxLayout()
            head.setSpacing(SMALL)
            head.addWidget(Label(title, Type.STRONG), 1)
            head.addWidget(button)
            column.addLayout(head)
            column.addWidget(table)
            column.addSpacing(MEDIUM)


def _table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """Return a table as high as its rows."""
    columns: list[Column[Sequence[str]]] = [Column(name, itemgetter(at)) for at, name in enumerate(headings)]
    model = TableModel(columns)
    model.set_rows(rows)
    table = Table(title, model)
    model.setParent(table)
    table.setSortingEnabled(False)
    table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    mode = QHeaderView.ResizeMode
    for at, cells in enumerate(zip(*rows, strict=True)):
        is_text = max(map(len, cells)) >= _LONG
        table.horizontalHeader().setSectionResizeMode(at, mode.Stretch if is_text else mode.ResizeToContents)
    table.setFixedHeight(px(ROW_HEIGHT) * len(rows) + table.horizontalHeader().sizeHint().height() + 2)
    return table
