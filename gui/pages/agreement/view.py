"""View of the Agreement page: a verdict on each kind of annotation, and the chosen one in detail."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QLocale, QModelIndex, QPointF, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QStyleOptionViewItem, QWidget

from core.agreement.table import AgreementRow
from core.agreement.titles import agreement_title, distinct_words
from core.agreement.verdicts import RELIABLE, TENTATIVE, Verdict, VerdictLine
from core.formatting.numbers import UNDEFINED, format_correlation
from gui.commands.definitions import KeyHint
from gui.item_models.table_model import Column, Index
from gui.results.result_panel import RunPage
from gui.style import theme
from gui.style.engine_words import engine_words
from gui.style.language import plain_tip, tr
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.buttons import link_button
from gui.widgets.controls import Choice, MultiChoice
from gui.widgets.label import ElidedLabel, Keycap, Label
from gui.widgets.layouts import Stretch, clear, hbox, scrolled, vbox
from gui.widgets.lists.grouped_tree import GroupedDelegate, padded, text_width, write
from gui.widgets.lists.table_view import FixedHeader, RowTable
from gui.widgets.notice import Notice
from gui.widgets.panel import ClosingPanel


class DetailsPanel(ClosingPanel):
    """The chosen line in detail."""

    def __init__(self) -> None:
        super().__init__(tr("Details"))
        self.pairs, self.notice = QGridLayout(), Notice()
        self.pairs.setSpacing(TIGHT)
        self.differences_button = link_button("")
        self._coefficients = QGridLayout()
        self._coefficients.setVerticalSpacing(TIGHT)
        self._coefficients.setColumnStretch(0, 1)
        self._shown: tuple[object, ...] = ()
        self._pairs_label = Label(tr("Each pair, α"), Type.SMALL, "muted")
        inner = QWidget()
        parts = self._coefficients, self._pairs_label, self.pairs, self.notice, Stretch(1)
        vbox(*parts, parent=inner, margins=MEDIUM, spacing=MEDIUM)
        self.add((scrolled(inner), 1))
        self._enter_key = Keycap("Enter")
        self.add_foot(hbox(self.differences_button, Stretch(1), self._enter_key))
        self.show_line(None, (), (), "")

    def show_line(
        self, line: VerdictLine | None, rows: Sequence[AgreementRow], pairs: Sequence[AgreementRow], note: str
    ) -> None:
        """Show a line, None = none: its coefficients, the main one of each pair, a note on one annotator."""
        before, self._shown = self._shown, (line, rows, pairs, note)
        if self._shown == before:
            return
        self.set_title(engine_words(line.title) if line is not None else tr("Details"))
        clear(self._coefficients)
        for place, row in enumerate(rows):
            title = agreement_title(row.coefficient).replace("Krippendorff's ", "")
            name, value = Label(title, wrap=True), Label(row.text, Type.STRONG)
            value.setToolTip(plain_tip(row.reason))
            self._coefficients.addWidget(name, place, 0)
            self._coefficients.addWidget(value, place, 1, Qt.AlignmentFlag.AlignRight)
        self._show_pairs(pairs)
        self._pairs_label.setVisible(bool(pairs))
        self.notice.show_message(note)
        left = line.differences if line is not None else None
        self.differences_button.setText(
            tr("See {left}", left=tr("%n differences", "", left)) if left else tr("No differences")
        )
        self.differences_button.setEnabled(bool(left))
        for part in (self.differences_button, self._enter_key):
            part.setVisible(line is not None)

    def _show_pairs(self, pairs: Sequence[AgreementRow]) -> None:
        """Show a triangle; what reaches the first threshold is filled."""
        clear(self.pairs)
        names = list(dict.fromkeys(name for row in pairs for name in row.annotators))
        short = distinct_words(names)
        for place, (name, word) in enumerate(zip(names, short, strict=True)):
            for at in ((0, place + 1), (place, 0)):
                if at not in ((0, len(names)), (0, 0)):
                    label = Label(word, Type.CAPTION, "muted")
                    label.setToolTip(plain_tip(name))
                    self.pairs.addWidget(label, *at, Qt.AlignmentFlag.AlignCenter)
        for row in pairs:
            column, line = sorted(names.index(name) for name in row.annotators)
            value = Label(format_correlation(row.value), "pair-high" if row.value >= TENTATIVE else "pair")
            value.setAccessibleName(f"{row.group}: {value.text()}")
            value.setAlignment(Qt.AlignmentFlag.AlignCenter)
            self.pairs.addWidget(value, line, column + 1)


_NAME, _ALPHA, _SCALE, _VERDICT, _ITEMS, _LEFT_TO_DECIDE = range(6)
_WIDTHS = {_ALPHA: 44, _SCALE: 128, _VERDICT: 146, _ITEMS: 54, _LEFT_TO_DECIDE: 154}
_NAME_PX = 180
"""Least width of the names; in less room the scale is left out."""
_ROW_PX, _BAR_PX, _TICK_PX, _DOT_PX = 38, 6, 14, 9
_TONES = {Verdict.RELIABLE: "success", Verdict.TENTATIVE: "warning", Verdict.LOW: "error"}


class _Delegate(GroupedDelegate):
    row_height, has_lines = _ROW_PX, True

    def __init__(self, line: Callable[[Index], VerdictLine]) -> None:
        super().__init__()
        self._line = line

    def paint_cell(self, painter: QPainter, area: QRect, index: Index, option: QStyleOptionViewItem) -> None:
        line = self._line(index)
        inner = padded(area)
        text = str(index.data())
        match index.column():
            case 0:
                rest = inner.adjusted(write(painter, inner, engine_words(line.title)) + SMALL, 0, 0, 0)
                if text_width(_annotators(line), Type.SMALL) <= rest.width():
                    write(painter, rest, _annotators(line), Type.SMALL, "muted")
            case 2:
                _paint_interval(painter, inner, line)
            case 3:
                tone = _TONES.get(line.grade, "muted")
                write(painter, inner, text, Type.SMALL if line.row.reason else Type.STRONG, tone)
            case 5:
                is_link = bool(line.differences)
                kind, tone = (Type.STRONG, "accent") if is_link else (Type.BODY, "muted")
                if line.differences and text_width(text, kind) >= inner.width():
                    text = QLocale().toString(line.differences)
                write(painter, inner, text, kind, tone, right=True)
            case column:
                write(painter, inner, text, Type.STRONG if column == _ALPHA else Type.BODY, right=column > 1)


class _Header(FixedHeader):
    """Headings; that of the scale are its thresholds, above their places."""

    def paintSection(self, painter: QPainter, area: QRect, section: int) -> None:
        painter.save()
        painter.fillRect(area, theme.colour("surface"))
        painter.setPen(theme.colour("border"))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        inner = padded(area)
        title = str(self.model().headerData(section, Qt.Orientation.Horizontal))
        if section == _SCALE:
            for value, side in ((TENTATIVE, -1), (RELIABLE, 0)):
                words = format_correlation(value, 3 if value < RELIABLE else 1)
                left = round(_place(inner, value)) + (side * text_width(words, Type.CAPTION) - 2 * side)
                room = QRect(left, inner.top(), inner.width(), inner.height())
                write(painter, room, words, Type.CAPTION, "muted")
        else:
            write(painter, inner, title, Type.CAPTION, "muted", right=section in (_ITEMS, _LEFT_TO_DECIDE))
        painter.restore()


class VerdictTable(RowTable[VerdictLine]):
    """A line for each kind of annotation.

    Signals:
        differences_requested: id of the annotations to decide on, by Enter, double click or a link.
        copy_requested: the copy shortcut was pressed.
    """

    differences_requested = Signal(str)
    copy_requested = Signal()

    def __init__(self) -> None:
        super().__init__(
            tr("Do the annotators agree?"),
            [
                Column(
                    tr("Annotation"), lambda line: engine_words(line.title), cell_tip=_name, accessible=_name
                ),
                Column("α", lambda line: format_correlation(line.row.value)),
                Column(tr("Scale"), _spoken, cell_tip=_spoken),
                Column(tr("Verdict"), lambda line: _verdict(line).capitalize(), cell_tip=_verdict),
                Column(tr("Items"), lambda line: f"{line.row.items:,}"),
                Column(tr("Differences"), _left),
            ],
            can_sort=False,
        )
        self.setHorizontalHeader(_Header())
        self._delegate = _Delegate(self.row)
        self.setItemDelegate(self._delegate)
        self.setMouseTracking(True)
        self.activated.connect(self.open_current)
        self.clicked.connect(self._click)
        theme.signal().changed.connect(self._fit)
        self._fit()

    def show_lines(self, lines: Sequence[VerdictLine]) -> None:
        """Show these lines; the current one stays, else the first is chosen."""
        current = self.current
        self.rows.set_rows(lines)
        if current is None or not self.choose(lambda line: line.what == current.what):
            self.choose(lambda _: True)

    def copy(self) -> None:
        self.copy_requested.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.viewport().width() - px(sum(_WIDTHS.values()) + _NAME_PX)
        self.setColumnHidden(_SCALE, room < 0)
        self.verticalHeader().setDefaultSectionSize(px(_ROW_PX))
        self.fit(_NAME, _WIDTHS)

    @Slot()
    def open_current(self) -> None:
        """Request the differences of the current line."""
        if (line := self.current) is not None:
            self.differences_requested.emit(line.decided_with)

    @Slot(QModelIndex)
    def _click(self, index: QModelIndex) -> None:
        if index.column() == _LEFT_TO_DECIDE:
            self.open_current()


def _name(line: VerdictLine) -> str:
    return ", ".join(filter(None, (engine_words(line.title), line.coefficient, _annotators(line))))


def _spoken(line: VerdictLine) -> str:
    return engine_words(line.spoken)


def _verdict(line: VerdictLine) -> str:
    return engine_words(line.verdict)


def _annotators(line: VerdictLine) -> str:
    return tr("%n annotators", "", len(line.row.annotators))


def _left(line: VerdictLine) -> str:
    """Return how many differences are left to decide."""
    if line.differences is None:
        return UNDEFINED
    return tr("%n differences", "", line.differences) if line.differences else tr("none left")


def _place(area: QRect, value: float) -> float:
    """Return where a value from 0 to 1 is on the scale; lower values are at its left end."""
    return area.left() + min(max(value, 0.0), 1.0) * area.width()


def _paint_interval(painter: QPainter, area: QRect, line: VerdictLine) -> None:
    row, middle = line.row, area.center().y() + 0.5
    painter.setPen(Qt.PenStyle.NoPen)
    if not math.isfinite(row.value):
        return
    bar, tick, dot = px(_BAR_PX), px(_TICK_PX), px(_DOT_PX)
    painter.setBrush(theme.colour("hover"))
    painter.drawRoundedRect(QRectF(area.left(), middle - bar / 2, area.width(), bar), bar / 2, bar / 2)
    for value in (TENTATIVE, RELIABLE):
        painter.fillRect(QRectF(_place(area, value), middle - tick / 2, 1, tick), theme.colour("outline"))
    accent = QColor(theme.tokens().accent)
    if math.isfinite(row.low):
        low, high = _place(area, row.low), _place(area, row.high)
        painter.fillRect(QRectF(low, middle - 1, high - low, 2), accent)
    painter.setBrush(accent)
    painter.drawEllipse(QPointF(_place(area, row.value), middle), dot / 2, dot / 2)


_WIDE = 1000
"""Width of the page from which on the details are open at first."""


class AgreementView(RunPage):
    """Show how far annotators agree."""

    def __init__(self, groupings: Sequence[Choice]) -> None:
        """groupings: of items, for which coefficients can be shown besides those of all items."""
        labels = tr("Measure", "verb"), tr("Measuring…")
        super().__init__(tr("Agreement"), labels, "people", tr("Measure agreement"), is_primary=False)
        self.decide_button = self.set_primary(tr("Decide differences"))
        self.annotators_box = MultiChoice(tr("Annotators"), tr("All annotators"))
        self.groupings_box = MultiChoice(tr("Also measure"), tr("All items together"))
        self.groupings_box.show_choices(groupings, ())
        self.state_label = ElidedLabel("", Type.SMALL, "muted")
        self.verdicts, self.details = VerdictTable(), DetailsPanel()
        self._differences = 0
        parts = self.annotators_box, self.groupings_box, (self.state_label, 1), self.stop_button
        options = hbox(*parts, self.run_button, spacing=SMALL)
        self.result.set_title(tr("Do the annotators agree?"))
        self.result.body.insertLayout(0, options)
        options.setContentsMargins(SMALL, SMALL, SMALL, 0)
        self.add((self.result, 74), (self.details, 26))

    def start(self) -> QWidget | None:
        return self.verdicts if self.verdicts.isVisible() else None

    def show_verdicts(self, lines: Sequence[VerdictLine], differences: int) -> None:
        """Show a line for each kind of annotation. differences: number to decide in all."""
        self.verdicts.show_lines(lines)
        self._differences = differences
        self._name_primary()

    def show_hints(self, hints: Sequence[KeyHint]) -> None:
        """Show keyboard hints, that of the table first."""
        super().show_hints((KeyHint(("Enter",), tr("Differences")), *hints))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._name_primary()

    @property
    def _is_wide(self) -> bool:
        return self.width() >= px(_WIDE)

    def _name_primary(self) -> None:
        has_lines, left = bool(self.verdicts.rows.rows()), self._differences
        self.details.show_needed(has_lines and self._is_wide)
        nothing = tr("No differences") if has_lines else tr("Decide differences")
        text = tr("Decide {left}", left=tr("%n differences", "", left)) if left else nothing
        self.decide_button.setAccessibleName(text)
        self.decide_button.setText(text if self._is_wide or not left else tr("Decide {left:,}", left=left))
        self.decide_button.setEnabled(left > 0)
