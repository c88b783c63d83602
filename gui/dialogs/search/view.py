"""Search dialog: a search field and the hits in the study, grouped by kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, Qt, Signal, Slot
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStackedWidget, QStyleOptionViewItem, QWidget

from gui.item_models.table_model import ROW_ROLE, Column, GroupedModel, Index
from gui.style.language import tr
from gui.style.theme import HAIR, LARGE, MEDIUM, SMALL, Type, px
from gui.widgets.accessible import announce_rows
from gui.widgets.buttons import SearchField
from gui.widgets.dialog import BareDialog
from gui.widgets.label import Label
from gui.widgets.layouts import vbox
from gui.widgets.lists.grouped_tree import GroupedDelegate, GroupedTree, padded, text_width, write


@dataclass(frozen=True, slots=True)
class HitRow:
    """One search hit.

    index: position among all hits.
    group: heading of its kind.
    before, match, after: the matched text and its context.
    where: topic, text and annotator.
    """

    index: int
    group: str
    before: str
    match: str
    after: str
    where: str


WIDTH, HEIGHT, ROW_HEIGHT = 720, 560, 44
SEARCH_TIP = tr('Beginnings of words are enough: storm harb. Use quotes for a phrase: "closed the harbour".')


class SearchDialog(BareDialog):
    """Dialog that searches while the user types; Enter goes to the selected hit.

    Signals:
        chosen: the index of a hit.
    """

    is_kept = True
    help_page = "texts#search-the-study"
    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Search the study"))
        self.setAccessibleName(tr("Search the study"))
        self.setProperty("kind", "overlay")
        self.resize(px(WIDTH), px(HEIGHT))
        self.field = SearchField(tr("Search texts, SCUs, comments and notes"))
        self.model = GroupedModel[HitRow](
            [Column(tr("Match", "noun"), lambda hit: hit.match)],
            lambda hit: hit.index,
            lambda hit: hit.group,
            self,
        )
        self.tree = GroupedTree(tr("Search results"), self.model, HitDelegate())
        self.tree.setHeaderHidden(True)
        self.fact_label, self.tip_label = Label("", Type.SMALL, "muted"), Label(SEARCH_TIP, wrap=True)
        self.tip_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedWidget()
        for page in (self.tip_label, self.tree):
            self._pages.addWidget(page)
        parts = self.field, (self._pages, 1), self.fact_label
        vbox(*parts, parent=self, margins=(LARGE, LARGE, LARGE, MEDIUM), spacing=SMALL)
        self.field.returnPressed.connect(self._choose_current)
        self.tree.row_opened.connect(self._choose)
        self.tree.clicked.connect(self._choose_current)
        self.field.step_through(self.tree.step)
        announce_rows(self.tree)

    def begin(self) -> None:
        """Show the dialog with the last search text selected."""
        self.show()
        self.raise_()
        self.field.focus_default()

    def show_hits(self, hits: Sequence[HitRow], fact: str) -> None:
        """List hits and their number. fact: without hits, the reason."""
        self.model.set_rows(hits)
        self._pages.setCurrentIndex(1 if hits else 0)
        self.tip_label.setText(fact if fact and not hits else SEARCH_TIP)
        self.fact_label.setText(fact if hits else "")
        if hits:
            self.tree.choose(hits[0].index)

    @Slot()
    def _choose_current(self) -> None:
        self._choose(self.tree.current_key)

    @Slot(object)
    def _choose(self, index: object) -> None:
        if isinstance(index, int):
            self.close()
            self.chosen.emit(index)


class HitDelegate(GroupedDelegate):
    """Delegate that paints two lines: the match in its context, and its location."""

    row_height, has_lines = ROW_HEIGHT, True

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        hit: HitRow = index.data(ROW_ROLE)
        inner = padded(area).adjusted(SMALL, 2, 0, -2)
        upper, lower = QRect(inner), QRect(inner)
        upper.setHeight(inner.height() // 2)
        lower.setTop(upper.bottom() + 1)
        _write_context(painter, upper, hit)
        write(painter, lower, hit.where, Type.SMALL, "muted")


def _write_context(painter: QPainter, area: QRect, hit: HitRow) -> None:
    """Paint the match in its context, which is elided at both ends so that the match stays visible."""
    match = min(text_width(hit.match, Type.STRONG) + HAIR, area.width())
    before = min(text_width(hit.before) + HAIR, (area.width() - match) // 2)
    left, middle, right = QRect(area), QRect(area), QRect(area)
    left.setWidth(before)
    middle.setLeft(area.left() + before)
    middle.setWidth(match)
    right.setLeft(middle.right() + 1)
    write(painter, left, hit.before, right=True, elide=Qt.TextElideMode.ElideLeft)
    write(painter, middle, hit.match, Type.STRONG, "accent")
    write(painter, right, hit.after)
