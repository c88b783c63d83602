"""View of the Hits page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QItemSelectionModel, QPointF, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QTableView, QWidget

from gui.annotation.match_values import SummaryText, score_text
from gui.annotation.text.marks import Mark
from gui.annotation.text.summary_columns import SummaryPanel
from gui.item_models.table_model import VALUE_ROLE, Column, Index, TableModel
from gui.style import icons, theme
from gui.style.language import direction, plain_tip, tr
from gui.style.theme import LEFT, RADIUS_SMALL, SMALL, TIGHT, Type, px
from gui.widgets.buttons import edits, link_button
from gui.widgets.controls import ComboBox
from gui.widgets.label import Label
from gui.widgets.layouts import hbox
from gui.widgets.lists.grouped_tree import draw_ring
from gui.widgets.lists.table_view import CellTable, FixedHeadings
from gui.widgets.notice import EmptyPage, Notice
from gui.widgets.page import AnnotationPage
from gui.widgets.panel import Panel


class HitState(StrEnum):
    """Whether a summary contains a nugget; the value is its description."""

    NONE = tr("not found")
    AUTOMATIC = tr("to confirm")
    CONFIRMED = tr("found")
    PARTIAL = tr("found in part")


@dataclass(frozen=True, slots=True)
class HitCell:
    """A nugget in a summary. repetitions: number of further hits."""

    state: HitState = HitState.NONE
    repetitions: int = 0


@dataclass(frozen=True, slots=True)
class NuggetRow:
    """A nugget. step: colour of its tier, from 1 to 5. cells: one per summary."""

    nugget_id: str
    label: str
    tier: int
    step: int
    importance: str
    cells: tuple[HitCell, ...]


@dataclass(frozen=True, slots=True)
class SummaryHead:
    """A summary as a column.

    score: share of the tiers of the best nuggets, X = all units of the summary; NaN if undefined.
    system: empty while names are hidden.
    """

    summary_id: str
    position: int
    score: float
    is_done: bool = False
    is_flagged: bool = False
    system: str = ""


@dataclass(frozen=True, slots=True)
class HitCounts:
    """Numbers of a summary's units, by which its score is explained."""

    found: int
    to_confirm: int
    repeated: int
    outside: int
    tiers: int
    units_score: float
    found_score: float


_ROW_PX, _COLUMN_PX, _SIGN_PX, _CHIP_PX = 32, 46, 18, 20
_MIN_LABEL_PX, _LEAST_LABEL_PX = 180, 90  # the least where the scores of all columns need the width
_NAME = tr("Hits, nuggets down, summaries across")


class HitModel(TableModel[NuggetRow]):
    """Nuggets as rows, summaries as columns."""

    def __init__(self) -> None:
        heading: Column[NuggetRow] = Column("", lambda row: row.label, cell_tip=_nugget_text)
        super().__init__((), key=lambda row: row.nugget_id, heading=heading)
        self.heads: tuple[SummaryHead, ...] = ()

    def show_matrix(self, rows: Sequence[NuggetRow], heads: Sequence[SummaryHead]) -> None:
        """Replace the content; cells are only repainted if nuggets and summaries stay where they are."""
        self.heads = tuple(heads)
        self.set_rows(tuple(rows), list(map(_column, heads, range(len(heads)))))

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.AccessibleTextRole:
            role = Qt.ItemDataRole.ToolTipRole
        return super().headerData(section, orientation, role)


def _column(head: SummaryHead, place: int) -> Column[NuggetRow]:
    """Return the column of a summary, whose cells are painted."""

    def description(row: NuggetRow) -> str:
        cell = row.cells[place]
        again = tr(", %n repetitions", "", cell.repetitions) if cell.repetitions else ""
        return tr(
            "{label}, summary {position}: {state}{again}",
            label=row.label,
            position=head.position,
            state=cell.state,
            again=again,
        )

    return Column(
        f"{head.position}{' ✓' if head.is_done else ''}\n{_score_text(head.score)}",
        lambda row: row.cells[place],
        tip=_summary_text(head),
        cell_tip=description,
        accessible=description,
        row_text=lambda row: "",
    )


class _HitDelegate(QStyledItemDelegate):
    """Paints a cell: filled = found, half filled = in part, dashed = to confirm."""

    def __init__(self, view: QTableView) -> None:
        super().__init__(view)
        self._view = view

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        box: QRect = option.rect
        view = self._view
        cell: HitCell = index.data(VALUE_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        current = view.currentIndex()
        if index.column() == current.column() or index.row() == current.row():
            painter.fillRect(box, theme.colour("hover"))
        painter.fillRect(QRect(box.left(), box.bottom(), box.width(), 1), theme.colour("border"))
        size = px(_SIGN_PX)
        sign = QRectF(box.center().x() - size / 2, box.center().y() - size / 2, size, size)
        paint_hit(painter, sign, cell.state)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if cell.repetitions:
            painter.setFont(theme.font(Type.CAPTION))
            painter.setPen(theme.colour("muted"))
            corner = QRect(round(sign.right()) + 1, box.top() + TIGHT, px(_CHIP_PX), box.height())
            painter.drawText(corner, Qt.AlignmentFlag.AlignLeft, f"+{cell.repetitions}")
        if index == current:
            draw_ring(
                painter, box.adjusted(1, 1, -1, -2), 2.0 if view.hasFocus() else 1.0, radius=RADIUS_SMALL
            )
        painter.restore()


class _NuggetHeader(FixedHeadings):
    """Tier and label of each nugget, elided to the width."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.setSectionsClickable(True)
        self.thickness = px(_MIN_LABEL_PX)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        model = self.model()
        if not isinstance(model, HitModel) or section >= model.rowCount():
            return
        row = model.rows()[section]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        view = self.parent()
        if isinstance(view, QTableView) and view.currentIndex().row() == section:
            painter.fillRect(rect, theme.colour("hover"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.colour("border"))
        size = px(_CHIP_PX)
        chip = QRect(rect.left() + SMALL, rect.center().y() - size // 2, size, size)
        icons.badge(painter, QRectF(chip), str(row.tier), theme.tokens().weights[row.step - 1].tint)
        font = theme.font(Type.STRONG if row.importance == "vital" else Type.BODY)
        painter.setFont(font)
        painter.setPen(theme.colour("text"))
        room = rect.adjusted(size + 2 * SMALL, 0, -TIGHT, 0)
        text = QFontMetrics(font).elidedText(row.label, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, LEFT | direction(row.label), text)
        painter.restore()


class HitMatrix(CellTable):
    """The matrix. Arrow keys move the current cell; a double click or Space sets or removes the hit.

    Signals:
        cell_chosen: nugget id, summary id of the current cell.
        toggled: the current cell was double-clicked.
        text_requested: Enter was pressed.
    """

    cell_chosen = Signal(str, str)
    toggled = Signal()
    text_requested = Signal()

    def __init__(self) -> None:
        self.hits, self.nuggets = HitModel(), _NuggetHeader()
        self._is_showing = False
        super().__init__(_NAME, self.hits)
        self.setItemDelegate(_HitDelegate(self))
        self.setVerticalHeader(self.nuggets)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setProperty("kind", "narrow")
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignCenter)
        self.doubleClicked.connect(self.toggled)
        self.nuggets.sectionClicked.connect(lambda row: self.step(row - self.currentIndex().row(), 0))
        heads = self.horizontalHeader()
        heads.sectionClicked.connect(lambda column: self.step(0, column - self.currentIndex().column()))
        theme.signal().changed.connect(self._measure)
        self._measure()

    def show_matrix(self, rows: Sequence[NuggetRow], heads: Sequence[SummaryHead]) -> None:
        self._is_showing = True
        self.hits.show_matrix(rows, heads)
        self._is_showing = False
        self._share_out()
        self.viewport().update()

    def choose(self, nugget_id: str, summary_id: str) -> None:
        """Make a cell current without a signal; unknown ids leave row or column as they are."""
        rows = [row.nugget_id for row in self.hits.rows()]
        columns = [head.summary_id for head in self.hits.heads]
        if not rows or not columns:
            return
        row = rows.index(nugget_id) if nugget_id in rows else max(0, self.currentIndex().row())
        column = columns.index(summary_id) if summary_id in columns else max(0, self.currentIndex().column())
        self._is_showing = True
        index = self.hits.index(min(row, len(rows) - 1), column)
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.scrollTo(index)
        self._is_showing = False

    def step(self, rows: int, columns: int) -> None:
        """Move the current cell."""
        at = self.currentIndex()
        row = min(max(at.row() + rows, 0), self.hits.rowCount() - 1)
        column = min(max(at.column() + columns, 0), self.hits.columnCount() - 1)
        if row >= 0 and column >= 0:
            self.setCurrentIndex(self.hits.index(row, column))

    @property
    def current(self) -> tuple[str, str]:
        """Nugget id and summary id of the current cell; empty = none."""
        at = self.currentIndex()
        if not at.isValid():
            return "", ""
        return self.hits.rows()[at.row()].nugget_id, self.hits.heads[at.column()].summary_id

    def next_to_confirm(self) -> tuple[str, str] | None:
        """Return nugget and summary of the next hit to confirm, down the columns, with wrap-around."""
        height, width = self.hits.rowCount(), self.hits.columnCount()
        at = self.currentIndex()
        start = at.column() * height + at.row() + 1 if at.isValid() else 0
        for place in range(height * width):
            column, row = divmod((start + place) % (height * width), height)
            if self.hits.rows()[row].cells[column].state is HitState.AUTOMATIC:
                return self.hits.rows()[row].nugget_id, self.hits.heads[column].summary_id
        return None

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.viewport().update()
        self.nuggets.viewport().update()
        if current.isValid() and not self._is_showing:
            self.cell_chosen.emit(*self.current)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.text_requested.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_out()

    def _share_out(self) -> None:
        """Give every column room for its score, and the labels the width that the columns leave."""
        heads, count = self.horizontalHeader(), self.hits.columnCount()
        room = self.width() - 2 * self.frameWidth() - self.verticalScrollBar().sizeHint().width()
        share = (room - px(_MIN_LABEL_PX)) // max(count, 1)
        column = max([min(px(_COLUMN_PX), share), *map(heads.sectionSizeHint, range(count))])
        if column != heads.defaultSectionSize():
            heads.setDefaultSectionSize(column)
        width = max(px(_LEAST_LABEL_PX), room - count * column)
        if width != self.nuggets.thickness:
            self.nuggets.thickness = width
            self.updateGeometries()

    @Slot()
    def _measure(self) -> None:
        self.nuggets.setDefaultSectionSize(px(_ROW_PX))
        self._share_out()


def paint_hit(painter: QPainter, box: QRectF, state: HitState) -> None:
    """Paint the sign of a state into a box."""
    if state is HitState.NONE:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("outline"))
        painter.drawEllipse(box.center(), 1.5, 1.5)
        return
    accent: QColor = theme.colour("accent")
    if state is HitState.AUTOMATIC:
        pen = QPen(theme.colour("muted"), 1.5)
        pen.setDashPattern([2.5, 2.0])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), RADIUS_SMALL, RADIUS_SMALL)
        return
    painter.setPen(QPen(accent, 1.5))
    painter.setBrush(accent if state is HitState.CONFIRMED else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), RADIUS_SMALL, RADIUS_SMALL)
    if state is HitState.CONFIRMED:
        sign = icons.pixmap("check", "on_accent", round(box.width()) - 2)
        painter.drawPixmap(box.topLeft() + QPointF(1, 1), sign)
    else:
        painter.fillRect(box.adjusted(3, box.height() / 2, -3, -3), accent)


def _score_text(score: float) -> str:
    return "–" if score != score else f"{score:.2f}"


def _nugget_text(row: NuggetRow) -> str:
    return tr("{label}, tier {tier}", label=row.label, tier=row.tier) + (
        f", {row.importance}" if row.importance else ""
    )


def _summary_text(head: SummaryHead) -> str:
    states = [
        tr("Summary {position}", position=head.position),
        head.system,
        tr("score {score_text}", score_text=_score_text(head.score)),
    ]
    states += [tr("done") if head.is_done else tr("not done"), tr("flagged") if head.is_flagged else ""]
    return ", ".join(filter(None, states))


NO_NUGGETS = tr("This topic has no nuggets yet. Mark them in the references first.")
NO_SUMMARIES = tr("This topic has no summaries in which nuggets could be found.")


class HitsView(AnnotationPage):
    """The matrix of nuggets and summaries at the left, the current summary at the right."""

    def __init__(self) -> None:
        super().__init__(tr("Hits"), tr("Next summary"), tr("Reopen summary"))
        self.matrix, self.panel = HitMatrix(), SummaryPanel()
        self.matrix_panel = Panel(tr("Nuggets"), hairline=False)
        self.owner_box = ComboBox(tr("Whose nuggets"))
        self.find_button = link_button(tr("Find"), "search")
        self.find_button.setToolTip(tr("Find hits of all nuggets in all summaries of the topic, to confirm"))
        self.confirm_button = link_button(tr("Confirm all"), "check")
        self.notice, self.feedback = Notice(can_close=True), Notice(is_warning=False)
        self.score_label = Label("", Type.SMALL, wrap=True)
        self.empty = EmptyPage("tag", NO_NUGGETS, tr("Mark nuggets"))
        edits(self.find_button, self.confirm_button)
        self.matrix_panel.add_action(self.owner_box, self.find_button)
        self.matrix_panel.add((self.matrix, 1))
        self.panel.add_foot(hbox((self.score_label, 1), self.confirm_button, margins=(0, SMALL)))
        self.panel.text.allow_resizing()
        self.add((self.matrix_panel, 58), (self.panel, 42), (self.empty, 1))
        self.add_place(self.panel.place)
        self.add_notice(self.notice, self.feedback)
        self.empty.hide()
        self.matrix.text_requested.connect(lambda: self.panel.text.setFocus())
        self.panel.text.words_selected.connect(self.worked)
        self.matrix.cell_chosen.connect(lambda *_: self.worked.emit())

    def start(self) -> QWidget | None:
        return self.matrix if self.matrix.isVisible() else None

    def show_empty(self, sentence: str, *, has_button: bool) -> None:
        """Show a sentence instead of the matrix; empty = show the matrix."""
        self.empty.sentence_label.setText(sentence)
        self.empty.primary.setVisible(has_button)
        self.empty.setVisible(bool(sentence))
        for widget in (self.matrix_panel, self.panel):
            widget.setVisible(not sentence)
        self.done_button.setEnabled(not sentence)

    def show_matrix(self, rows: Sequence[NuggetRow], heads: Sequence[SummaryHead]) -> None:
        self.matrix.show_matrix(rows, heads)
        done = sum(head.is_done for head in heads)
        self.matrix_panel.set_fact(tr("{done} of {heads} summaries done", done=done, heads=len(heads)))

    def show_owners(self, owners: Sequence[tuple[str, str]], owner_id: str) -> None:
        """Offer whose nuggets to look for, as (id, name); hidden with fewer than two."""
        self.owner_box.offer(owners, owner_id)
        self.owner_box.setVisible(len(owners) > 1)

    def show_owner(self, name: str) -> None:
        """Show whose nuggets are looked for; empty = the annotator's own."""
        self.matrix_panel.set_title(tr("Nuggets of {name}", name=name) if name else tr("Your nuggets"))

    def show_summary(self, summary: SummaryText | None, marks: Sequence[Mark]) -> None:
        self.panel.show_summary(summary)
        if summary is not None:
            self.panel.text.show_marks(marks)

    def show_counts(self, counts: HitCounts | None) -> None:
        """Explain the score of the current summary."""
        self.score_label.setText(_counts_text(counts) if counts is not None else "")
        self.score_label.setToolTip(plain_tip(_counts_tip(counts)) if counts is not None else "")
        waiting = counts.to_confirm if counts is not None else 0
        self.confirm_button.setVisible(waiting > 0)
        self.confirm_button.setText(tr("Confirm {waiting}", waiting=waiting))
        self.confirm_button.setAccessibleName(
            tr("Confirm all {waiting} hits of this summary", waiting=waiting)
        )

    def show_state(self, *, is_done: bool, is_flagged: bool) -> None:
        self.show_done(is_done)
        if is_flagged:
            self.panel.set_fact(tr("{text} · flagged", text=self.panel.fact_label.text()))


def _counts_text(counts: HitCounts) -> str:
    parts = [tr("{found} found", found=tr("%n nuggets", "", counts.found))]
    parts += [tr("{repeated} repeated", repeated=counts.repeated)] if counts.repeated else []
    parts += [tr("{outside} outside", outside=counts.outside)] if counts.outside else []
    parts += [tr("{to_confirm} to confirm", to_confirm=counts.to_confirm)] if counts.to_confirm else []
    return tr("Nugget score {score} · {parts}", score=score_text(counts.units_score), parts=" · ".join(parts))


def _counts_tip(counts: HitCounts) -> str:
    """Return how the score follows from the hits."""
    return tr(
        "The tiers of the nuggets found, in all {tiers}, divided by the largest sum that as "
        "many nuggets as the summary has units could have. Counting the nuggets found alone: "
        "{score}.",
        tiers=counts.tiers,
        score=score_text(counts.found_score),
    )
