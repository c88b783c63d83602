"""Window of one summary: its text next to another, its scores, their explanation, and their values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QTextBlockFormat, QTextCursor
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView, QWidget

from core.domain.study import Span
from core.formatting.legible_text import printable_text
from core.formatting.numbers import UNDEFINED, format_score
from gui.item_models.table_model import Column, Index
from gui.style.language import plain_tip, tr
from gui.style.theme import LARGE, MEDIUM, RIGHT, SMALL, Type, px
from gui.widgets.buttons import link_button
from gui.widgets.controls import ComboBox
from gui.widgets.dialog import BareDialog
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.layouts import hbox, splitter, vbox
from gui.widgets.lists.table_view import RowTable
from gui.widgets.panel import Panel
from gui.widgets.reading_text import ReadingText
from gui.widgets.utf16_offsets import offsets_of


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text to read. key: role and name, as ``reference:A``, to which evidence refers."""

    key: str
    title: str
    content: str


@dataclass(frozen=True, slots=True)
class SummaryTexts:
    """A summary with the texts that it is compared with."""

    title: str
    fact: str
    summary: ReadText
    others: tuple[ReadText, ...]


@dataclass(frozen=True, slots=True)
class NumberRow:
    """One score of a summary. rank: among the systems of its topic, as text."""

    name: str
    value: float
    rank: str
    systems: int


@dataclass(frozen=True, slots=True)
class Highlight:
    """A span that contributed to the score. weight: 0 to 1, relative to the strongest."""

    key: str
    span: Span
    weight: float


@dataclass(frozen=True, slots=True)
class WhyNode:
    """A term of the explanation of a score. how: the operation on its children.

    counts: whether it contributes to its parent; under a maximum only the largest does.
    """

    label: str
    how: str
    value: str
    highlights: tuple[Highlight, ...]
    children: tuple[WhyNode, ...]
    counts: bool = True


def all_highlights(node: WhyNode) -> tuple[Highlight, ...]:
    """Return the highlights of a node and of its contributing descendants."""
    counting = (child for child in node.children if child.counts)
    below = (highlight for child in counting for highlight in all_highlights(child))
    return (*node.highlights, *below)


@dataclass(frozen=True, slots=True)
class PartRow:
    """A part of a score that can be left out.

    without: the score without it. contribution: score minus that. other: its contribution to the score of the
    system that is compared with, NaN = it has no such part, or no system is compared with.
    """

    name: str
    value: float
    without: float
    contribution: float
    highlights: tuple[Highlight, ...]
    other: float = math.nan

    @property
    def label(self) -> str:
        """Its name without the value that it belongs to."""
        return self.name.partition(" › ")[2] or self.name

    @property
    def difference(self) -> float:
        """Its contribution here minus there; a part that the other system lacks contributes nothing there."""
        return self.contribution - (0.0 if math.isnan(self.other) else self.other)


@dataclass(frozen=True, slots=True)
class Why:
    """The explanation of one score.

    sentence: a message, such as why there is no explanation.
    parts: the largest contribution, or difference to the other system, first.
    against: the other system, empty = none.
    is_pending: whether the explanation is still to come.
    highlights: all spans that count.
    """

    measure: str
    sentence: str
    root: WhyNode | None = None
    parts: tuple[PartRow, ...] = ()
    against: str = ""
    is_pending: bool = False
    highlights: tuple[Highlight, ...] = ()


_LIGHTEST, _DEEPEST = 0.10, 0.34
"""Share of the accent colour for the weakest and the strongest evidence."""

_STEPS = 6
_MOST_DESCRIBED = 10
"""Marked spans that are described for screen readers."""
LINE_HEIGHT = 145  # per cent


class EvidenceText(ReadingText):
    """Displays one text; all positions are code points."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._text, self._offsets = "", offsets_of("")
        self.evidence: tuple[tuple[Span, float], ...] = ()  # marked spans with their weights
        self.dress()

    def dress(self) -> None:
        super().dress()
        self._paint()

    def show_text(self, text: str) -> None:
        """Show a text without evidence."""
        self._text, self._offsets, self.evidence = text, offsets_of(text), ()
        self.setPlainText(self._offsets.shown)
        self.setExtraSelections([])
        self._describe()
        spacing = QTextBlockFormat()
        spacing.setLineHeight(LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        whole = QTextCursor(self.document())
        whole.select(QTextCursor.SelectionType.Document)
        whole.mergeBlockFormat(spacing)

    def show_evidence(self, evidence: Sequence[tuple[Span, float]]) -> None:
        """Mark spans with weights from 0 to 1; where they overlap, the heaviest counts."""
        self.evidence = tuple(evidence)
        self._paint()
        self._describe()

    def _describe(self) -> None:
        """Describe the marked words for screen readers, the first of them if they are many."""
        spans = sorted({span for span, _ in self.evidence})
        words = [" ".join(self._text[start:end].split()) for start, end in spans[:_MOST_DESCRIBED]]
        more = (
            tr(" and {spans} more", spans=len(spans) - _MOST_DESCRIBED)
            if len(spans) > _MOST_DESCRIBED
            else ""
        )
        self.setAccessibleDescription(
            tr("Marked: {words}{more}", words=" · ".join(words), more=more) if words else ""
        )

    def marked(self) -> list[Span]:
        return [span for span, _ in heaviest(self.evidence)]

    def _paint(self) -> None:
        self.tint(
            (self._offsets.span_to_document(span), _LIGHTEST + (_DEEPEST - _LIGHTEST) * step / _STEPS)
            for span, step in heaviest(self.evidence)
        )


def heaviest(evidence: Sequence[tuple[Span, float]]) -> list[tuple[Span, int]]:
    """Return disjoint spans in order, each with the step (1 to 6) of its strongest evidence."""
    weights: dict[Span, float] = {}
    for span, weight in evidence:
        weights[span] = max(weight, weights.get(span, weight))
    edges = sorted({edge for span in weights for edge in span})
    waiting = sorted(weights, reverse=True)  # the next one to start is last
    open_spans: list[tuple[float, int]] = []  # a heap of negative weights and ends, the heaviest first
    stretches = []
    for start, end in pairwise(edges):
        while waiting and waiting[-1][0] <= start:
            span = waiting.pop()
            heappush(open_spans, (-weights[span], span[1]))
        while open_spans and open_spans[0][1] < end:
            heappop(open_spans)
        if open_spans:
            stretches.append(((start, end), max(1, round(_STEPS * min(-open_spans[0][0], 1.0)))))
    return list(_merged(stretches))


def _merged(stretches: Sequence[tuple[Span, int]]) -> Iterator[tuple[Span, int]]:
    """Merge adjacent spans of the same step, which paints faster."""
    waiting: tuple[Span, int] | None = None
    for (start, end), step in stretches:
        if waiting is not None and waiting[0][1] == start and waiting[1] == step:
            waiting = ((waiting[0][0], end), step)
            continue
        if waiting is not None:
            yield waiting
        waiting = ((start, end), step)
    if waiting is not None:
        yield waiting


WIDTH, HEIGHT = 1080, 700
NUMBER_WIDTH, RANK_WIDTH = 100, 150
NAME_LETTERS = 22
"""Letters of a name that are visible in a closed box."""
MOST_EXPANDED = 100
"""Terms below those of the score up to which they are shown without being asked for."""


class SummaryView(BareDialog):
    """Texts on the left, scores and the explanation of one of them on the right.

    Signals:
        measure_chosen: the name of the score to explain.
    """

    is_kept = True
    help_page = "explain"
    measure_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Summary"))
        self.resize(px(WIDTH), px(HEIGHT))
        self.title_label = ElidedLabel("", Type.TITLE)
        self.fact_label = ElidedLabel("", Type.BODY, "muted")
        self.page_button = link_button(tr("Show in Texts"))
        self.summary_text = EvidenceText(tr("Summary"))
        self.other_text = EvidenceText(tr("Comparison text"))
        # a long name widens neither the boxes nor the window
        self.other_box = ComboBox(tr("Comparison text to show"), chars=NAME_LETTERS)
        columns: list[Column[NumberRow]] = [
            Column(tr("Measure"), lambda row: row.name, cell_tip=lambda row: row.name),
            Column(tr("Value"), lambda row: row.value, format_score),
            Column(tr("Rank within topic"), lambda row: row.rank),
        ]
        self.numbers_table = RowTable(tr("Scores of the summary"), columns)
        self.numbers_table.fit(0, {1: NUMBER_WIDTH, 2: RANK_WIDTH})
        self.parts_table = RowTable(tr("Parts of the score"), _part_columns(""))
        self.system_box = ComboBox(tr("System to compare the score with, part by part"), chars=NAME_LETTERS)
        self.why_model = WhyModel(self)
        self.why_tree = QTreeView()
        self.why_label = Label("", Type.SMALL, "muted", wrap=True)
        self._summary_panel, self._other_panel = Panel(tr("Summary")), Panel(tr("Compare with"))
        self._numbers_panel, self._why_panel = Panel(tr("Scores")), Panel(tr("Why"))
        self._others: tuple[ReadText, ...] = ()
        self._highlights: tuple[Highlight, ...] = ()
        self._summary_key = ""
        self._all: tuple[Highlight, ...] = ()
        self._lay_out()
        self.other_box.activated.connect(lambda _: self._show_other())
        self.numbers_table.clicked.connect(self._choose_number)
        self.numbers_table.activated.connect(self._choose_number)
        self.parts_table.setMouseTracking(True)
        self.parts_table.entered.connect(lambda index: self._show_part(self.parts_table.row(index)))
        self.parts_table.viewport().installEventFilter(self)
        self.parts_table.row_chosen.connect(self._show_part)
        self.why_tree.selectionModel().currentChanged.connect(lambda now, _: self._show_node(now))

    def show_texts(self, texts: SummaryTexts) -> None:
        title, fact = printable_text(texts.title), printable_text(texts.fact)
        self.setWindowTitle(f"{title} – {fact}")
        self.title_label.setText(title)
        self.fact_label.setText(fact)
        self._summary_key, self._others, self._highlights = texts.summary.key, texts.others, ()
        self._summary_panel.set_fact(tr("%n words", "", len(texts.summary.content.split())))
        self.summary_text.show_text(texts.summary.content)
        self.other_box.clear()
        self.other_box.addItems([printable_text(text.title) for text in texts.others])
        self._show_other()

    def show_numbers(self, rows: Sequence[NumberRow], current: str) -> None:
        """Show the summary's scores, one of them current."""
        self.numbers_table.rows.set_rows(rows)
        if self.numbers_table.choose(lambda row: row.name == current):
            self.numbers_table.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_systems(self, names: Sequence[str], current: str) -> None:
        """Show the systems whose score can be compared, one of them or none chosen."""
        systems = [(name, printable_text(name)) for name in names]
        self.system_box.offer([("", tr("Compare with a system …")), *systems], current)
        self.system_box.setVisible(bool(names))

    def show_why(self, why: Why) -> None:
        """Show the explanation of a score, with all of its evidence highlighted."""
        self._why_panel.set_fact(why.measure)
        self.why_label.show_text(why.sentence)
        self._all = why.highlights
        self.why_model.set_root(why.root)
        if not why.is_pending:
            self.why_tree.setVisible(why.root is not None)
        self._show_parts(why)
        if why.root is None:
            self._mark(())
            return
        is_short = sum(len(child.children) for child in why.root.children) <= MOST_EXPANDED
        self.why_tree.expandToDepth(1 if is_short else 0)
        for column in (1, 2):
            self.why_tree.resizeColumnToContents(column)
        self._leave_parts()
        if not self.parts_table.currentIndex().isValid():
            self._show_best_match()

    def _show_parts(self, why: Why) -> None:
        before = self.parts_table.current
        order = tr("largest difference first") if why.against else tr("largest contribution first")
        self.parts_table.setAccessibleName(
            tr("Parts of {measure}, {order}", measure=why.measure, order=order)
        )
        self.parts_table.rows.set_rows(why.parts, _part_columns(why.against))
        if not why.is_pending:
            self.parts_table.setVisible(bool(why.parts))
        if why.parts or why.is_pending:
            self.parts_table.fit(
                0, dict.fromkeys(range(1, self.parts_table.rows.columnCount()), NUMBER_WIDTH)
            )
        if before is not None:  # more of the same explanation has come
            self.parts_table.choose(lambda row: row.name == before.name)

    @Slot(object)
    def _show_part(self, row: PartRow | None) -> None:
        """Mark the words of a part in both texts; None = no other part."""
        if row is not None:
            self._mark(row.highlights)
            self._raise()

    def _leave_parts(self) -> None:
        """Mark what was marked before the mouse pointed at a part."""
        if (row := self.parts_table.current) is not None:
            self._show_part(row)
        else:
            self._mark(self._all)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.parts_table.viewport() and event.type() is QEvent.Type.Leave:
            self._leave_parts()
        return super().eventFilter(watched, event)

    def _mark(self, highlights: Sequence[Highlight]) -> None:
        self._highlights = tuple(highlights)
        self._mark_text(self.summary_text, self._summary_key)
        self._mark_other()

    def _mark_text(self, text: EvidenceText, key: str) -> None:
        text.show_evidence([(h.span, h.weight) for h in self._highlights if h.key == key])

    def _mark_other(self) -> None:
        place = self.other_box.currentIndex()
        if 0 <= place < len(self._others):
            self._mark_text(self.other_text, self._others[place].key)

    def _show_other(self) -> None:
        place = self.other_box.currentIndex()
        self.other_text.show_text(self._others[place].content if 0 <= place < len(self._others) else "")
        self._mark_other()

    def _show_node(self, index: QModelIndex) -> None:
        node = self.why_model.node(index)
        if node is not None:
            self._mark(all_highlights(node))
            self._raise()

    def _raise(self) -> None:
        """Show the text with the evidence, if the displayed text has none of it."""
        keys = {h.key for h in self._highlights}
        place = self.other_box.currentIndex()
        if not keys or (0 <= place < len(self._others) and self._others[place].key in keys):
            return
        self._show_best_match()

    def _show_best_match(self) -> None:
        """Show the text with the most evidence, the first of those that have as much."""
        by_key = dict.fromkeys((text.key for text in self._others), 0.0)
        for one in self._highlights:
            if one.key in by_key:
                by_key[one.key] += one.weight
        weights = list(by_key.values())
        if weights and max(weights) > 0:
            self.other_box.setCurrentIndex(weights.index(max(weights)))
            self._show_other()

    def _choose_number(self, index: QModelIndex) -> None:
        name = index.siblingAtColumn(0).data()
        if name:
            self.measure_chosen.emit(str(name))

    def _lay_out(self) -> None:
        self.why_tree.setModel(self.why_model)
        self.why_tree.setAccessibleName(tr("Score calculation"))
        self.why_tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.why_tree.setUniformRowHeights(True)
        header = self.why_tree.header()
        header.setStretchLastSection(False)
        header.setResizeContentsPrecision(0)  # measures the visible rows, not a thousand
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self._summary_panel.add((self.summary_text, 1))
        self._other_panel.add_action(self.other_box)
        self._other_panel.add((self.other_text, 1))
        self._numbers_panel.add((self.numbers_table, 1))
        self.why_label.setContentsMargins(MEDIUM, SMALL, MEDIUM, SMALL)
        self._why_panel.add(self.why_label)
        down, across = Qt.Orientation.Vertical, Qt.Orientation.Horizontal
        self._why_panel.add_action(self.system_box)
        self._why_panel.add((splitter(down, (self.parts_table, self.why_tree), (1, 1)), 1))
        head = hbox(self.title_label, (self.fact_label, 1), self.page_button, spacing=MEDIUM)
        texts = splitter(down, (self._summary_panel, self._other_panel), (1, 1))
        numbers = splitter(down, (self._numbers_panel, self._why_panel), (1, 1))
        columns = splitter(across, (texts, numbers), (px(560), px(520)))
        vbox(head, (columns, 1), parent=self, margins=LARGE, spacing=MEDIUM)


def _part_columns(against: str) -> list[Column[PartRow]]:
    """Return the columns of parts. against: the system that is compared with, empty = none."""

    against = printable_text(against)

    def accessible_text(row: PartRow) -> str:
        if against:
            there, apart = _number(row.other), _number(row.difference)
            return tr(
                "{name}: adds {added}, to {other} {there}, difference {apart}",
                name=row.name,
                added=_number(row.contribution),
                other=against,
                there=there,
                apart=apart,
            )
        value, left, adds = map(_number, (row.value, row.without, row.contribution))
        return tr(
            "{name}: value {number}, without it {left}, adds {adds}",
            name=row.name,
            number=value,
            left=left,
            adds=adds,
        )

    columns: list[Column[PartRow]] = [
        Column(tr("Part"), lambda row: row.label, cell_tip=lambda row: row.name, accessible=accessible_text),
        Column(tr("Value"), lambda row: row.value, _number),
        Column(
            tr("Without it"), lambda row: row.without, _number, tip=tr("The score if this part is left out")
        ),
    ]
    if not against:
        return [
            *columns,
            Column(tr("Adds"), lambda row: row.contribution, _number, tip=tr("The score minus that")),
        ]
    return [
        columns[0],
        Column(
            tr("Adds"), lambda row: row.contribution, _number, tip=tr("The score minus that without the part")
        ),
        Column(
            against,
            lambda row: row.other,
            _number,
            tip=tr("What the part adds to the score of {against}", against=against),
        ),
        Column(tr("Difference"), lambda row: row.difference, _number),
    ]


def _number(value: float) -> str:
    return UNDEFINED if math.isnan(value) else format_score(value, 4)


ROW_HEIGHT = 26
HEADINGS = (tr("Term"), tr("Operation"), tr("Value"))

_NO_PARENT = QModelIndex()


class WhyModel(QAbstractItemModel):
    """Terms with their operation and value. An index has the number of its node; 0 is the root."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._nodes: list[WhyNode] = []
        self._parents: list[int] = []
        self._first_children: dict[int, int] = {}

    def set_root(self, root: WhyNode | None) -> None:
        """Replace the tree; None = none."""
        self.beginResetModel()
        self._nodes, self._parents = ([], []) if root is None else ([root], [-1])
        self._first_children = {}
        self.endResetModel()

    def node(self, index: Index) -> WhyNode | None:
        """Return the node of an index; None = the index is invalid."""
        return self._nodes[index.internalId()] if index.isValid() else None

    def index(self, row: int, column: int, parent: Index = _NO_PARENT) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(
            row, column, self._first(parent.internalId()) + row if parent.isValid() else 0
        )

    def _first(self, number: int) -> int:
        """Return the number of a node's first child; children are numbered when they are first asked for."""
        if number not in self._first_children:
            self._first_children[number] = len(self._nodes)
            children = self._nodes[number].children
            self._nodes += children
            self._parents += [number] * len(children)
        return self._first_children[number]

    # QObject.parent, which takes no index, is an overload of it in Qt
    def parent(self, index: Index = _NO_PARENT) -> QModelIndex:  # type: ignore[override]  # also QObject's
        number = self._parents[index.internalId()] if index.isValid() else -1
        if number < 0:
            return QModelIndex()
        above = self._parents[number]
        return self.createIndex(0 if above < 0 else number - self._first(above), 0, number)

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        if not parent.isValid():
            return len(self._nodes[:1])
        return 0 if parent.column() else len(self._nodes[parent.internalId()].children)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return len(HEADINGS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        node = self.node(index)
        if node is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return (node.label, node.how, node.value)[index.column()]
            case Qt.ItemDataRole.ToolTipRole if index.column() == 0:
                return plain_tip(node.label)
            case Qt.ItemDataRole.AccessibleTextRole if index.column() == 0:
                return ", ".join(filter(None, (node.label, node.how, node.value)))
            case Qt.ItemDataRole.TextAlignmentRole if index.column() == 2:
                return int(RIGHT)
            case Qt.ItemDataRole.SizeHintRole if index.column() == 0:
                return QSize(0, px(ROW_HEIGHT))
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADINGS[section]
        return None
