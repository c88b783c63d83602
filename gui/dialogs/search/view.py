"""Words looked for in the whole study: a field, and what was found by kind."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QDialog, QStackedWidget, QStyleOptionViewItem, QVBoxLayout, QWidget

from gui.dialogs.search.values import HitRow
from gui.item_models.grouped_model import ROW_ROLE, GroupedModel
from gui.item_models.table_model import Column
from gui.style.theme import HAIR, LARGE, MEDIUM, SMALL, Type, px
from gui.widgets.buttons import SearchField
from gui.widgets.grouped_tree import GroupedDelegate, GroupedTree, Index, padded, text_width, write
from gui.widgets.label import Label

WIDTH, HEIGHT, ROW_HEIGHT = 720, 560, 44
HOW = 'Beginnings of words are enough: storm harb. Quotes find a phrase: "closed the harbour".'


class SearchDialog(QDialog):
    """Shows what was found while it is typed; Enter goes there.

    Signals:
        typed: what is looked for. chosen: the place of a hit in the list.
    """

    typed = Signal(str)
    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Search the study")
        self.setAccessibleName("Search the study")
        self.setProperty("kind", "overlay")
        self.resize(px(WIDTH), px(HEIGHT))
        self.field = SearchField("Search texts, SCUs, comments and notes")
        self.model = GroupedModel[HitRow](
            [Column("Found", lambda hit: hit.found)], lambda hit: hit.place, lambda hit: hit.group, self
        )
        self.tree = GroupedTree("What was found", self.model, HitDelegate())
        self.tree.setHeaderHidden(True)
        self.fact_label, self.nothing_label = Label("", Type.SMALL, "muted"), Label(HOW, wrap=True)
        self.nothing_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._either = QStackedWidget()
        for leaf in (self.nothing_label, self.tree):
            self._either.addWidget(leaf)
        column = QVBoxLayout(self)
        column.setContentsMargins(LARGE, LARGE, LARGE, MEDIUM)
        column.setSpacing(SMALL)
        column.addWidget(self.field)
        column.addWidget(self._either, 1)
        column.addWidget(self.fact_label)
        self.field.textChanged.connect(self.typed)
        self.field.returnPressed.connect(self._choose_current)
        self.tree.row_opened.connect(self._choose)
        self.tree.clicked.connect(self._choose_current)
        self.field.installEventFilter(self)

    def begin(self) -> None:
        """Come to the front, ready to type; what was looked for last is selected."""
        self.show()
        self.raise_()
        self.field.focus_default()

    def show_hits(self, hits: Sequence[HitRow], fact: str) -> None:
        """List what was found; without hits the fact says why."""
        self.model.set_rows(hits)
        self._either.setCurrentIndex(1 if hits else 0)
        self.nothing_label.setText(fact if fact and not hits else HOW)
        self.fact_label.setText(fact if hits else "")
        if hits:
            self.tree.choose(hits[0].place)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step is not None:
                self.tree.step(step)
                return True
        return False

    @Slot()
    def _choose_current(self) -> None:
        self._choose(self.tree.current_key)

    @Slot(object)
    def _choose(self, place: object) -> None:
        if isinstance(place, int):
            self.hide()
            self.chosen.emit(place)


class HitDelegate(GroupedDelegate):
    """Two lines: the words with what was found in bold, and where they stand."""

    def __init__(self) -> None:
        super().__init__(ROW_HEIGHT, has_lines=True)

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        hit: HitRow = index.data(ROW_ROLE)
        inner = padded(area).adjusted(SMALL, 2, 0, -2)
        upper, lower = QRect(inner), QRect(inner)
        upper.setHeight(inner.height() // 2)
        lower.setTop(upper.bottom() + 1)
        _write_words(painter, upper, hit)
        write(painter, lower, hit.where, Type.SMALL, "muted")


def _write_words(painter: QPainter, area: QRect, hit: HitRow) -> None:
    """Write the words so that what was found is in sight; the ends give way."""
    found = min(text_width(hit.found, Type.STRONG) + HAIR, area.width())
    before = min(text_width(hit.before) + HAIR, (area.width() - found) // 2)
    left, middle, right = QRect(area), QRect(area), QRect(area)
    left.setWidth(before)
    middle.setLeft(area.left() + before)
    middle.setWidth(found)
    right.setLeft(middle.right() + 1)
    write(painter, left, hit.before, right=True, elide=Qt.TextElideMode.ElideLeft)
    write(painter, middle, hit.found, Type.STRONG, "accent")
    write(painter, right, hit.after)
