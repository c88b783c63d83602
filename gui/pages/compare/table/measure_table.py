"""Table of measures against judgements: values on a shaded background, with intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QColor, QFocusEvent, QKeyEvent, QKeySequence, QPainter, QPen
from PySide6.QtWidgets import QHeaderView, QMenu, QStyleOptionViewItem, QToolButton, QVBoxLayout, QWidget

from core.comparison.eligibility import Status
from core.formatting.numbers import format_correlation, format_count, format_p, format_score
from core.operations import options
from gui.item_models.table_model import ROW_ROLE, Column, GroupedModel, Index
from gui.pages.compare.values import SIGNIFICANT, JudgementColumn, MeasureCell, MeasureRow, MeasureTable
from gui.results.table_and_figure_files import COPY_FORMATS
from gui.style import icons, theme
from gui.style.language import plain_tip, tr
from gui.style.theme import RADIUS_SMALL, SMALL, TIGHT, Type, px
from gui.widgets.buttons import SearchField, edits, icon_button, link_button, menu_button
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.layouts import hbox, vbox
from gui.widgets.lists.grouped_tree import GroupedDelegate, GroupedTree, padded, text_width, write
from gui.widgets.lists.table_view import FixedColumn, FixedHeader
from gui.widgets.panel import Panel

PILL, INTERVAL, COUNT, WHISKER = 46, 80, 40, 64
"""Widths at 100 % text size, in pixels."""

SHORTEST = 30
"""Width below which no whisker is painted."""

UNRANKED = tr("not ranked")
"""Text in place of p for a measure that is not compared with the best."""

COMING = "…"
"""Text in place of a value that is still being computed."""

_BACK = {Qt.FocusReason.TabFocusReason: False, Qt.FocusReason.BacktabFocusReason: True}
"""Whether Tab goes back to where the focus came from, by the reason why it came."""

_DEEPEST = 0.34
"""Share of the accent colour behind a correlation of 1."""


@dataclass(frozen=True, slots=True)
class Places:
    """Positions of the parts of a cell; None = no room."""

    pill: QRect
    interval: QRect | None
    count: QRect | None
    whisker: QRect | None


def places(inner: QRect) -> Places:
    """Lay out a cell: always the value; the interval as text or as a whisker, or both if they fit."""
    left, room = inner.left() + px(PILL) + SMALL, inner.width() - px(PILL) - SMALL
    words, whisker, count = px(INTERVAL), px(WHISKER), px(COUNT)
    has_words = room >= words
    has_whisker = room >= words + SMALL + whisker or (not has_words and room >= px(SHORTEST))
    has_count = room >= words + whisker + count + 2 * SMALL
    pill = QRect(inner.left(), inner.top(), px(PILL), inner.height())
    if not has_words:
        return Places(pill, None, None, _part(inner, left, room) if has_whisker else None)
    after = left + words + SMALL
    number = _part(inner, after, count) if has_count else None
    after += (count + SMALL) if has_count else 0
    last = _part(inner, after, min(inner.right() - after, 2 * whisker)) if has_whisker else None
    return Places(pill, _part(inner, left, words), number, last)


def paint_value(painter: QPainter, inner: QRect, cell: MeasureCell, lowest: float) -> None:
    """Paint one cell. lowest: the value at the whisker's left end; its right end is 1."""
    parts = places(inner)
    _paint_pill(painter, parts.pill, cell)
    if parts.interval is not None:
        write(painter, parts.interval, cell.interval_text, Type.SMALL, "muted")
    if parts.count is not None:
        write(painter, parts.count, format_count(cell.n), Type.SMALL, "muted", right=True)
    if parts.whisker is not None and math.isfinite(cell.value):
        _paint_whisker(painter, parts.whisker, cell, lowest)


def p_words(cell: MeasureCell) -> str:
    """Return what a cell says of p against the best; empty = it is not computed."""
    if cell.is_best:
        return tr("best, n.s.") if cell.p >= SIGNIFICANT else tr("best")
    if not cell.eligible.is_ranked:
        return UNRANKED
    return format_p(cell.against_best) if math.isfinite(cell.against_best) else ""


def paint_p_value(painter: QPainter, inner: QRect, cell: MeasureCell) -> None:
    """Paint p against the best, with a dot if the difference is not significant."""
    is_ranked = cell.eligible.is_ranked
    kind = Type.STRONG if cell.is_best else Type.BODY if is_ranked else Type.SMALL
    tone = "text" if is_ranked and not cell.is_significant else "muted"
    write(painter, inner, p_words(cell), kind, tone, right=True)
    if cell.is_like_best:
        paint_dot(painter, QPointF(inner.right() - px(52), inner.center().y()))


def paint_dot(painter: QPainter, centre: QPointF) -> None:
    """Paint the dot of a measure that is not significantly different from the best."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.tokens().accent))
    painter.drawEllipse(centre, 2.6, 2.6)


def _paint_pill(painter: QPainter, area: QRect, cell: MeasureCell) -> None:
    is_known = math.isfinite(cell.value)
    if is_known:
        tokens = theme.tokens()
        painter.setPen(Qt.PenStyle.NoPen)
        ink = tokens.accent if cell.eligible.is_ranked else tokens.outline
        background = theme.mix(tokens.surface, ink, _DEEPEST * min(abs(cell.value), 1.0))
        painter.setBrush(QColor(background))
        painter.drawRoundedRect(QRectF(area.adjusted(0, 3, 0, -4)), RADIUS_SMALL, RADIUS_SMALL)
    words, kind = area.adjusted(0, 0, -SMALL, 0), Type.STRONG if cell.is_best else Type.BODY
    value = COMING if cell.is_coming else format_correlation(cell.value)
    tone = "text" if is_known and cell.eligible.is_ranked else "muted"
    write(painter, words, value, kind, tone, right=True)


def _paint_whisker(painter: QPainter, area: QRect, cell: MeasureCell, lowest: float) -> None:
    tokens, middle = theme.tokens(), area.center().y() + 0.5
    inner = area.adjusted(4, 0, -4, 0)

    def across(value: float) -> float:
        share = (min(max(value, lowest), 1.0) - lowest) / (1.0 - lowest)
        return inner.left() + share * inner.width()

    zero = across(0.0)
    painter.setPen(QPen(QColor(tokens.border), 1.0))
    painter.drawLine(QPointF(zero, area.top()), QPointF(zero, area.bottom()))
    ink = QColor(tokens.accent if cell.is_best else tokens.outline)
    if cell.has_interval:
        painter.setPen(QPen(ink, 1.6))
        painter.drawLine(QPointF(across(cell.low), middle), QPointF(across(cell.high), middle))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    painter.drawEllipse(QPointF(across(cell.value), middle), 3.4, 3.4)


def _part(inner: QRect, left: int, width: int) -> QRect:
    return QRect(left, inner.top(), width, inner.height())


ROW_HEIGHT = 28
HEADER_HEIGHT = 46
ARROW_PX = 14
INDENT = 20
TITLE_WIDTH = 62  # of a judgement at least, if its title needs it
NAME_WIDTH, LEAST_NAME_WIDTH = 240, 150  # of the names that are shown whole, and of longer ones at least
P_WIDTH = 92

STAND_IN, SHORT_STAND_IN = "stand-in", "†"
"""Mark of a measure that ran on another model than the paper's, and its short form."""

SHORT_OWN = "own"
"""Short mark of a measure of the judgement's own annotations."""


class MeasureDelegate(GroupedDelegate):
    """Paints names, values and p against the best."""

    row_height = ROW_HEIGHT
    has_lines = rings_cell = True

    def __init__(self) -> None:
        super().__init__()
        self.lowest = -1.0
        self.current_judgement = 0

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        row: MeasureRow = index.data(ROW_ROLE)
        if index.column() == 0:
            self._paint_name(painter, area, row, self._cell(row))
        elif index.column() <= len(row.cells):
            paint_value(painter, padded(area), row.cells[index.column() - 1], self.lowest)
        elif self.current_judgement < len(row.cells):
            paint_p_value(painter, padded(area), row.cells[self.current_judgement])

    def _cell(self, row: MeasureRow) -> MeasureCell | None:
        """The row's cell of the current judgement."""
        return row.cells[self.current_judgement] if self.current_judgement < len(row.cells) else None

    def _paint_name(self, painter: QPainter, area: QRect, row: MeasureRow, cell: MeasureCell | None) -> None:
        words = padded(area).adjusted(px(INDENT), 0, 0, 0)
        if cell is not None and cell.is_like_best:
            paint_dot(painter, QPointF(words.left() - px(INDENT) / 2, words.center().y()))
        if row.is_stale:
            words = icons.trail(painter, words, "refresh", "warning")
        if row.stand_in:
            mark = STAND_IN if _name_width(row, STAND_IN) <= words.width() else SHORT_STAND_IN
            write(painter, words, mark, Type.SMALL, "muted", right=True)
            words = words.adjusted(0, 0, -text_width(mark, Type.SMALL) - SMALL, 0)
        if cell is not None and cell.eligible.mark:
            room = words.width() - text_width(row.name, Type.STRONG) - SMALL
            is_short = (
                cell.eligible.status is Status.SAME_FAMILY
                and text_width(cell.eligible.mark, Type.SMALL) > room
            )
            mark = SHORT_OWN if is_short else cell.eligible.mark
            taken = write(painter, words, mark, Type.SMALL, "muted", right=True)
            words = words.adjusted(0, 0, -taken - SMALL, 0)
        tone = "text" if cell is None or cell.eligible.is_ranked else "muted"
        write(painter, words, row.name, Type.STRONG, tone, elide=Qt.TextElideMode.ElideMiddle)


class MeasureHeader(FixedHeader):
    """Two-line headings: the judgement and the content of its cells."""

    def __init__(self) -> None:
        super().__init__()
        self.facts: tuple[tuple[str, ...], ...] = ()
        self.lowest = -1.0
        self.judgements = 0
        self.setMinimumHeight(px(HEADER_HEIGHT))

    def paintSection(self, painter: QPainter, area: QRect, section: int) -> None:
        painter.save()
        tokens = theme.tokens()
        painter.fillRect(area, QColor(tokens.surface))
        painter.setPen(QColor(tokens.border))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        inner = padded(area).adjusted(0 if section else px(INDENT), 3, 0, -3)
        upper = QRect(inner.left(), inner.top(), area.right() - inner.left(), inner.height() // 2)
        lower = QRect(inner.left(), upper.bottom(), inner.width(), inner.height() - upper.height())
        is_last = section > self.judgements
        self._paint_title(painter, inner if is_last else upper, upper, section, right=is_last)
        facts = self.facts[section] if section < len(self.facts) else ()
        parts = places(lower)
        if 0 < section <= self.judgements and parts.whisker is not None:
            self._paint_scale(painter, parts.whisker)
            if parts.count is not None:
                write(painter, parts.count, "n", Type.SMALL, "muted", right=True)
            lower = lower.adjusted(0, 0, (parts.count or parts.whisker).left() - lower.right() - SMALL, 0)
        fact = next(
            (one for one in facts if text_width(one, Type.SMALL) <= lower.width()), "".join(facts[-1:])
        )
        write(painter, lower, fact, Type.SMALL, "muted", right=is_last)
        painter.restore()

    def _paint_title(
        self, painter: QPainter, room: QRect, upper: QRect, section: int, *, right: bool
    ) -> None:
        title = self._title(section)
        upper = QRect(upper.left(), upper.top(), min(room.width(), upper.width()), upper.height())
        is_sorted = self.sortIndicatorSection() == section
        words = upper.adjusted(0, 0, -(SMALL + px(ARROW_PX)) * is_sorted, 0)
        kind = Type.STRONG if self._have_room() else Type.CAPTION
        taken = write(painter, words, title, kind, right=right)
        if is_sorted:
            descends = self.sortIndicatorOrder() is Qt.SortOrder.DescendingOrder
            left = words.right() + SMALL if right else upper.left() + taken + TIGHT
            place = QRect(left, upper.top(), px(ARROW_PX), upper.height())
            icons.draw(painter, place, "chevron-down" if descends else "chevron-up", "accent", ARROW_PX)

    def _have_room(self) -> bool:
        """Return whether every title fits its column; else all use the smaller font."""
        return all(
            text_width(self._title(section), Type.STRONG) <= self.sectionSize(section) - 2 * SMALL
            for section in range(1, self.judgements + 1)
        )

    def _title(self, section: int) -> str:
        return str(self.model().headerData(section, Qt.Orientation.Horizontal) or "")

    def _paint_scale(self, painter: QPainter, whisker: QRect) -> None:
        """Return the ends of the whiskers, and 0 if it is between them; with little room only 0."""
        ends = whisker.adjusted(4, 0, -4, 0)
        values = (self.lowest, 0.0, 1.0) if ends.width() >= px(WHISKER) // 2 else (0.0,)
        for value in dict.fromkeys(values):
            words = f"{value:g}".replace("-", "−")
            width = text_width(words, Type.SMALL)
            at = ends.left() + round((value - self.lowest) / (1 - self.lowest) * ends.width())
            area = QRect(at - width // 2 - 1, whisker.top(), width + 4, whisker.height())
            write(painter, area, words, Type.SMALL, "muted")


class MeasureTree(FixedColumn, GroupedTree):
    """The table; one cell per measure and judgement, the last column for the current judgement.

    Signals:
        cell_chosen: the measure's label and the judgement's place among the columns.
        copy_requested: copy the table to the clipboard.
    """

    cell_chosen = Signal(str, int)
    copy_requested = Signal()

    def __init__(self) -> None:
        self._column: Column[MeasureRow] = Column(tr("Measure"), lambda row: row.label, cell_tip=_name_tip)
        self.measures: GroupedModel[MeasureRow] = GroupedModel(
            [self._column],
            lambda row: row.label,
            lambda row: row.family if self._is_by_family else tr("All families"),
        )
        self._delegate = MeasureDelegate()
        self._is_by_family = True
        super().__init__(tr("Measures and judgements"), self.measures, self._delegate)
        self._judgements: tuple[JudgementColumn, ...] = ()
        self._has_best = False
        self._p_method = ""
        self._way_back: tuple[bool | None, int] = None, -1
        self._longest = (0, 0)  # names with the long mark of a stand-in, and with the short one
        self.headings = MeasureHeader()
        self.setHeader(self.headings)
        self.setSortingEnabled(True)
        self.header().setSortIndicator(-1, Qt.SortOrder.DescendingOrder)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.header().setStretchLastSection(True)
        self.header().setMinimumSectionSize(px(60))
        self.header().setSortIndicatorClearable(True)

    def show_table(self, table: MeasureTable) -> None:
        """Show these numbers; the current cell stays, if it is still there."""
        self._set_columns(table)
        self.headings.facts = (
            (table.fact,),
            *(column.facts for column in table.columns),
            *((table.against_best[1:],) if self._has_best else ()),
        )
        self.headings.judgements = len(table.columns)
        self.headings.lowest = self._delegate.lowest = table.lowest
        self.headings.viewport().update()
        self.measures.set_rows(table.rows)
        longest = (
            max((_name_width(row, STAND_IN) for row in table.rows), default=0),
            max((_name_width(row, SHORT_STAND_IN) for row in table.rows), default=0),
        )
        if longest != self._longest:
            self._longest = longest
            self._share_out()

    def show_families(self, is_by_family: bool) -> None:
        """Group measures by family, or show them in a single sorted list."""
        if is_by_family != self._is_by_family:
            self._is_by_family = is_by_family
            self.measures.find(self.measures.words)

    def visible_measures(self) -> tuple[str, ...]:
        """Return the labels of the measures that pass the filter, from top to bottom."""
        return tuple(row.label for row in self.measures.rows())

    def measures_in_sight(self) -> tuple[str, ...]:
        """Return the labels of the measures on screen and below, from top to bottom."""
        first = self.measures.key_at(self.indexAt(QPoint(0, px(ROW_HEIGHT))))
        measures = self.visible_measures()
        return measures[measures.index(first) :] if first in measures else measures

    @property
    def current_judgement(self) -> int:
        """The column of the judgement that p in the last column is about, from 0."""
        return self._delegate.current_judgement

    def choose_judgement(self, place: int) -> None:
        """Show p of this judgement in the last column."""
        if place != self._delegate.current_judgement:
            self._delegate.current_judgement = place
            if self._has_best and place < len(self._judgements):
                self.headings.facts = (*self.headings.facts[:-1], (self._judgements[place].title,))
                self.headings.viewport().update()
            self.viewport().update()

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        key = self.measures.key_at(current)
        if isinstance(key, str):
            place = current.column() - 1
            if not 0 <= place < len(self._judgements):
                place = min(self._delegate.current_judgement, max(len(self._judgements) - 1, 0))
            self.choose_judgement(place)
            self.cell_chosen.emit(key, place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_requested.emit()
        elif step is not None and self.current_key is not None:
            self._step_judgement(step)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._way_back = _BACK.get(event.reason()), self.currentIndex().column()

    def focusNextPrevChild(self, forwards: bool) -> bool:
        """Tab goes through the judgements of the measure, and on from the last one.

        Where it entered the table, Shift+Tab leaves it, and the other way round.
        """
        is_way_back = self._way_back == (forwards, self.currentIndex().column())
        if not is_way_back and self._step_judgement(1 if forwards else -1):
            return True
        return super().focusNextPrevChild(forwards)

    def _step_judgement(self, by: int) -> bool:
        """Go to the next judgement; return whether there is one."""
        place = self.currentIndex().column() - 1 + by
        if self.current_key is None or not 0 <= place < len(self._judgements):
            return False
        return self.choose(self.current_key, place + 1)

    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        self._share_out()
        self.horizontalScrollBar().setValue(0)
        if self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())

    def _set_columns(self, table: MeasureTable) -> None:
        has_best = bool(table.against_best[0])
        names = [(c.key, c.title, c.tip) for c in table.columns], table.p_method
        known = [(c.key, c.title, c.tip) for c in self._judgements], self._p_method
        self._judgements, self._p_method = table.columns, table.p_method
        if names == known and has_best == self._has_best:
            return
        self._has_best = has_best
        judged = [self._judgement(place, column, table) for place, column in enumerate(table.columns)]
        last = [self._against_best(table.against_best[0])] if has_best else []
        is_first = not known[0]
        self.measures.set_columns([self._column, *judged, *last])
        if is_first and judged:
            self.sortByColumn(1, Qt.SortOrder.DescendingOrder)
        self.horizontalScrollBar().setValue(0)
        self._share_out()

    def _judgement(self, place: int, column: JudgementColumn, table: MeasureTable) -> Column[MeasureRow]:
        return Column(
            column.title,
            lambda row: row.cells[place].value,
            format_correlation,
            tip=column.tip,
            cell_tip=partial(_cell_tip, column, place, table.p_method),
            accessible=partial(_spoken_cell, column, place),
            is_last=lambda row: not row.cells[place].eligible.is_ranked,
            rank=lambda row: row.cells[place].ranked_by,
        )

    def _against_best(self, title: str) -> Column[MeasureRow]:
        return Column(
            title,
            lambda row: row.cells[self._delegate.current_judgement].against_best,
            format_p,
            accessible=lambda row: f"{title}: {p_words(row.cells[self._delegate.current_judgement]) or '–'}",
            tip=tr(
                "Adjusted p of the difference from the best measure of the selected judgement; a "
                "dot: not significantly different. n.s.: the best itself does not correlate "
                "significantly with the judgement. Each judgement has its own best measure and its "
                "own family of tests."
            ),
        )

    def _share_out(self) -> None:
        """Distribute the width: names and p first, judgements share the rest and scroll if needed.

        Judgements show what all of them have room for: an interval in words or as a whisker, or only the
        value. Names are cut before values. p is left to the tooltips where it would not fit.
        """
        count = len(self._judgements)
        if not count:
            return
        titles = max(text_width(column.title, Type.STRONG) for column in self._judgements)
        value = max(px(PILL) + 2 * SMALL, self.header().minimumSectionSize())
        whole = self.viewport().width()
        has_p = self._has_best and px(P_WIDTH) + px(LEAST_NAME_WIDTH) + count * value <= whole
        last = px(P_WIDTH) if has_p else 0
        room = whole - last
        requested, shortest = (longest + px(INDENT) + 3 * SMALL for longest in self._longest)
        for after in (px(INTERVAL) + SMALL, px(SHORTEST) + SMALL, 0):
            least = max(px(PILL) + after, min(titles, px(TITLE_WIDTH))) + 2 * SMALL
            if count * least + min(shortest, px(NAME_WIDTH)) <= room:
                break
        least = max(value, min(least, (room - px(LEAST_NAME_WIDTH)) // count))
        name = max(min(requested, room - count * least), px(LEAST_NAME_WIDTH))
        self.setColumnWidth(0, name)
        each = max((room - name) // count, least)
        for place in range(count):
            self.setColumnWidth(place + 1, each)
        if self._has_best:
            self.setColumnHidden(count + 1, not has_p)
            self.setColumnWidth(count + 1, last)


def _name_width(row: MeasureRow, stand_in: str) -> int:
    mark = text_width(stand_in, Type.SMALL) + SMALL if row.stand_in else 0
    marks = dict.fromkeys(cell.eligible.mark for cell in row.cells if cell.eligible.mark)
    return (
        text_width(row.name, Type.STRONG)
        + mark
        + max((text_width(one, Type.SMALL) + SMALL for one in marks), default=0)
    )


def _name_tip(row: MeasureRow) -> str:
    stale = tr("\nStale: its inputs have changed since it was scored.") if row.is_stale else ""
    stand_in = tr("\nS{stand_in}, which the paper used.", stand_in=row.stand_in[1:]) if row.stand_in else ""
    lower = tr("\nLower is better: ranked by the negated correlation.") if row.is_lower_better else ""
    return f"{row.label}\n{row.tip}{lower}{stand_in}{stale}"


def _spoken_cell(column: JudgementColumn, place: int, row: MeasureRow) -> str:
    cell = row.cells[place]
    value = COMING if cell.is_coming else format_correlation(cell.value)
    return ", ".join((f"{column.title} {value}", *cell.interval_words[: cell.has_interval]))


def _cell_tip(column: JudgementColumn, place: int, p_method: str, row: MeasureRow) -> str:
    cell = row.cells[place]
    if cell.is_coming:
        return tr("{label} against {title}: not computed yet", label=row.label, title=column.title)
    value = tr(
        "{label} against {title}: {value}",
        label=row.label,
        title=column.title,
        value=format_correlation(cell.value, 4),
    )
    lines = [
        f"{value}, p {format_p(cell.p)} ({p_method})" if math.isfinite(cell.p) else value,
        tr("n {n:,}, {dropped:,} dropped", n=cell.n, dropped=cell.dropped),
    ]
    if math.isfinite(cell.tie_threshold):
        lines.append(
            tr(
                "differences up to {tie_threshold} are ties",
                tie_threshold=format_score(cell.tie_threshold, 4),
            )
        )
    lines += cell.interval_words
    if cell.eligible.mark:
        lines.append(cell.eligible.mark)
    if cell.eligible.sentence:
        lines.append(cell.eligible.sentence)
    if cell.is_best:
        lines.append(tr("best of the measures tested for this judgement"))
    elif cell.against_best == cell.against_best and not cell.can_differ:
        lines.append(tr("no difference from the best can be significant here"))
    elif cell.against_best == cell.against_best:
        p = format_p(cell.against_best)
        lines.append(
            tr("significantly different from the best, adjusted p {p}", p=p)
            if cell.is_significant
            else tr("not significantly different from the best, adjusted p {p}", p=p)
        )
    return "\n".join(lines)


OPTIONS: tuple[tuple[str, str, Mapping[str, str]], ...] = (
    ("interval", tr("Intervals"), options.INTERVALS),
    ("interval_method", tr("Bootstrap intervals"), options.ENDS),
    ("test", tr("Comparison with the best"), {**options.TESTS, "none": tr("No test")}),
    ("family", tr("Measures tested"), options.FAMILIES),
    ("adjust", tr("Multiple testing"), options.ADJUSTMENTS),
    ("undefined", tr("Undefined coefficients"), options.UNDEFINED),
    (
        "common_topics",
        tr("Incomplete measures"),
        {"no": tr("Do not rank"), "yes": tr("Compare all on common topics")},
    ),
    ("include_experiments", tr("Measures of sweeps and recipes"), {"no": tr("Hide"), "yes": tr("Show")}),
    ("families", tr("Rows"), {"yes": tr("Group by family"), "no": tr("Single list")}),
)
"""Fields of the request and of the table, each with the titles of its values."""


_LARGE_TEXT = 100


class MeasurePanel(Panel):
    """The table with its controls; `choosers` are those of systems, topics and judgements.

    Signals:
        option_chosen: an option's key and value. filtered: the filter has changed.
        copy_requested: a format.
    """

    option_chosen = Signal(str, str)
    filtered = Signal()
    copy_requested = Signal(str)

    def __init__(self) -> None:
        super().__init__(tr("Measures"), hairline=False)
        self.options = ChoiceMenu("settings", tr("Intervals, tests and undefined values"))
        for key, title, choices in OPTIONS:
            self.options.add_choice(key, title, choices)
        self.search = SearchField(tr("Find a measure"))
        self.search.hide()
        self.table = MeasureTree()
        self.footer_label = ElidedLabel("", Type.SMALL, "muted")
        self.method_label = ElidedLabel("", Type.SMALL, "muted")
        self.legend = (
            Label("●", Type.SMALL, "accent"),
            Label(tr("not significantly different from the best"), Type.SMALL, "muted"),
        )
        self.formula_button = link_button(tr("Formula"))
        self.formula_button.setToolTip(tr("Show how these numbers are computed"))
        holder = QWidget()
        self.choosers = hbox(parent=holder, spacing=SMALL)
        if px(_LARGE_TEXT) > 4 * _LARGE_TEXT // 3:  # choices with large texts do not fit next to buttons
            self.add(holder, padded=True)
        else:
            self.add_before_title(holder)
            self.title_label.hide()
            self.fact_label.hide()  # which would take the room of the choices
        find = icon_button("filter", tr("Find a measure"))
        find.clicked.connect(self.focus_find)
        self.save_button = icon_button("download", tr("Save the table…"))
        self.report_button = icon_button("report", tr("Add the table to the report"))
        edits(self.report_button)
        copy = menu_button("copy", tr("Copy the table"), COPY_FORMATS, self.copy_requested.emit)
        self.add_action(find, self.options.button, copy, self.save_button, self.report_button)
        above = vbox(self.search, margins=(SMALL, 0, SMALL, SMALL), spacing=SMALL)
        self.add(above, (self.table, 1))
        self.add_foot(self._foot())
        self.options.chosen.connect(self._option)
        self.search.filter_rows(self.table, self._find)
        self.table.copy_requested.connect(lambda: self.copy_requested.emit("tsv"))

    def show_table(self, table: MeasureTable) -> None:
        self.footer_label.setText(table.footer)
        self.method_label.setText(table.method)
        for part in self.legend:
            part.setVisible(bool(table.against_best[0]))
        self.table.show_table(table)

    def focus_find(self) -> None:
        self.search.show()
        self.search.focus_default()

    def _option(self, key: str, value: str) -> None:
        if key == "families":
            self.table.show_families(value == "yes")
        else:
            self.option_chosen.emit(key, value)

    def _find(self, text: str) -> None:
        self.table.measures.find(text)
        self.filtered.emit()

    def _foot(self) -> QVBoxLayout:
        upper = hbox((self.footer_label, 1), self.formula_button, spacing=SMALL)
        return vbox(upper, hbox((self.method_label, 1), *self.legend, spacing=SMALL), spacing=0)


class ChoiceMenu(QMenu):
    """A menu with one submenu per option, whose title shows the current value.

    Signals:
        chosen: an option's key and its new value.
    """

    chosen = Signal(str, str)

    def __init__(self, icon: str, name: str) -> None:
        self.button: QToolButton = icon_button(icon, name)
        super().__init__(self.button)
        self._titles: dict[str, str] = {}
        self._menus: dict[str, QMenu] = {}
        self.button.setMenu(self)
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)

    def add_choice(self, key: str, title: str, choices: Mapping[str, str]) -> None:
        """Add a choice; of its values, each with a title, the first is chosen."""
        menu = self.addMenu(title)
        group = QActionGroup(menu)
        for value, words in choices.items():
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setData(str(value))
            group.addAction(action)
            action.triggered.connect(lambda _, value=str(value): self._pick(key, value))
        self._titles[key], self._menus[key] = title, menu
        self.choose(key, next(iter(choices)))

    def choose(self, key: str, value: str) -> None:
        """Set an option without a signal."""
        for action in self._menus[key].actions():
            if action.data() == value:
                action.setChecked(True)
                self._menus[key].setTitle(f"{self._titles[key]}: {action.text()}")

    def action(self, key: str, value: str) -> QAction:
        return next(action for action in self._menus[key].actions() if action.data() == value)

    def refuse(self, key: str, value: str, reason: str) -> None:
        """Disable one choice for a reason, which its tooltip gives; an empty reason enables it."""
        menu = self._menus[key]
        menu.setToolTipsVisible(True)
        for action in menu.actions():
            if action.data() == value:
                action.setEnabled(not reason)
                action.setToolTip(plain_tip(reason))

    def current(self, key: str) -> str:
        return next(str(a.data()) for a in self._menus[key].actions() if a.isChecked())

    def _pick(self, key: str, value: str) -> None:
        self.choose(key, value)
        self.chosen.emit(key, value)
