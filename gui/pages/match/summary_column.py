"""Left panel of the Match page: one or all summaries, units outside the pyramid, the note, and progress."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QHBoxLayout, QListView, QWidget

from core.domain.study import Span
from gui.annotation.drag_and_drop import DraggedItem, DragKind, start_drag
from gui.annotation.match_values import SummaryText, UnitCounts, UnitRow
from gui.annotation.scus.unit_rows import LINE_ROLE, UnitDelegate, accessible_detail
from gui.annotation.stored_text_field import NoteField
from gui.annotation.text.annotated_text import AnnotatedText
from gui.annotation.text.summary_panel import SummaryPanel
from gui.item_models.table_model import Column, TableModel
from gui.pages.match.summary_stack import SummaryStack
from gui.pages.match.values import SummaryBlock
from gui.style import icons, theme
from gui.style.language import tr
from gui.style.theme import HAIR, MEDIUM, SMALL, TIGHT, Type
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import icon_button, link_button
from gui.widgets.controls.segmented_control import Segmented
from gui.widgets.edit_lock import edits
from gui.widgets.label import ElidedLabel, FactLabel, Label, rule
from gui.widgets.layouts import hbox, vbox
from gui.widgets.lists.grouped_tree import paint_nothing_found

Index = QModelIndex | QPersistentModelIndex
_NO_UNITS = tr("None. Select text that no SCU expresses, then press O.")
_ROWS = 3  # in sight; the list does not grow, so that a unit moves nothing


class UnitModel(TableModel[UnitRow]):
    """Rows of units, which can be dragged and commented on."""

    def __init__(self) -> None:
        super().__init__(
            [Column(tr("Unit"), lambda row: row, attrgetter("words"), "", _tip, None, accessible_detail)]
        )

    def set_rows(self, rows: Sequence[UnitRow]) -> None:
        """Set the units; if their ids are unchanged, only repaint them, so that an editor stays open."""
        if [row.match_id for row in rows] != [row.match_id for row in self.rows()]:
            super().set_rows(tuple(rows))
        elif tuple(rows) != self.rows():
            self._rows = tuple(rows)
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, 0))

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsDragEnabled


class UnitList(QListView):
    """List of units to select, and to drag onto an SCU; Enter goes to the text of a unit.

    Signals:
        unit_chosen, unit_hovered, unit_removed, unit_opened: match id; empty if none is hovered.
        left: Escape was pressed, or a comment was left.
    """

    unit_chosen = Signal(str)
    unit_hovered = Signal(str)
    unit_removed = Signal(str)
    unit_opened = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.units = UnitModel()
        self.delegate = UnitDelegate(self)
        self._is_updating = False
        self.setModel(self.units)
        self.setItemDelegate(self.delegate)
        self.setAccessibleName(tr("Units that are not in the pyramid"))
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme.signal().changed.connect(self._measure)
        self._measure()

    @property
    def rows(self) -> tuple[UnitRow, ...]:
        """Return the listed units."""
        return tuple(self.units.rows())

    @property
    def current_unit(self) -> str:
        """Return the match id of the current unit; empty if there is none."""
        row = self._row(self.currentIndex())
        return row.match_id if row is not None else ""

    def show_units(self, rows: Sequence[UnitRow]) -> None:
        """List these units; keep the scroll position."""
        top = self.verticalScrollBar().value()
        self._is_updating = True
        self.units.set_rows(rows)
        self._is_updating = False
        self.verticalScrollBar().setValue(top)

    def choose(self, match_id: str) -> None:
        """Make a unit the current one without a signal; clear the selection if it is not listed."""
        index = self._index_of(match_id)
        self.delegate.selected_unit = match_id
        self._is_updating = True
        if not index.isValid():
            self.selectionModel().clear()
        elif index != self.currentIndex():
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.scrollTo(index)
        self._is_updating = False

    def edit_comment(self, match_id: str) -> None:
        """Open the comment of a unit."""
        self.choose(match_id)
        self.delegate.comment_on(match_id)
        self.doItemsLayout()
        self.scrollTo(self.currentIndex())
        self.edit(self.currentIndex())

    def remove_rect(self, number: int) -> QRect:
        """Return the rectangle of the remove button of a row, in viewport coordinates."""
        index = self.units.index(number, 0)
        return self.delegate.remove_rect(self.visualRect(index), index)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        super().closeEditor(editor, hint)
        self.delegate.comment_on("")
        self.doItemsLayout()
        self.left.emit()

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        row = self._row(current)
        if row is not None and not self._is_updating:
            self.unit_chosen.emit(row.match_id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current_unit:
            self.unit_opened.emit(self.current_unit)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        row = self._row(index)
        rect = self.delegate.remove_rect(self.visualRect(index), index)
        if row is not None and rect.contains(event.position().toPoint()):
            self.unit_removed.emit(row.match_id)
            return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        row = self._row(self.indexAt(event.position().toPoint()))
        self._hover(row.match_id if row is not None else "")

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover("")

    def startDrag(self, actions: Qt.DropAction) -> None:
        if (row := self._row(self.currentIndex())) is not None:
            start_drag(self, DraggedItem(DragKind.UNIT, match_id=row.match_id), row.words)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.units.rows():
            paint_nothing_found(self, _NO_UNITS)

    def _measure(self) -> None:
        self.setFixedHeight(_ROWS * self.delegate.line_px + HAIR)

    def _row(self, index: Index) -> UnitRow | None:
        row = index.data(LINE_ROLE)
        return row if isinstance(row, UnitRow) else None

    def _index_of(self, match_id: str) -> QModelIndex:
        number = next((i for i, row in enumerate(self.rows) if row.match_id == match_id), -1)
        return self.units.index(number, 0) if number >= 0 else QModelIndex()

    def _hover(self, match_id: str) -> None:
        if match_id != self.delegate.hovered_unit:
            self.delegate.hovered_unit = match_id
            self.viewport().update()
            self.unit_hovered.emit(match_id)


class UnitPanel(QWidget):
    """The list below a line with its title, counts, and the buttons that find and add a unit."""

    def __init__(self) -> None:
        super().__init__()
        self.list = UnitList()
        self.fact_label = FactLabel("", Type.SMALL, "muted")
        self.outside_button = link_button(tr("Add unit"), "plus")
        self.outside_button.setToolTip(tr("Add the selected text as a unit that is not in the pyramid"))
        edits(self.outside_button)
        self.next_button = icon_button("chevron-down", tr("Next unmatched text"))
        head = QHBoxLayout()
        head.setContentsMargins(MEDIUM, SMALL, MEDIUM, 0)
        head.setSpacing(SMALL)
        head.addWidget(Label(tr("Not in the pyramid"), Type.STRONG))
        head.addWidget(self.fact_label, 1)
        head.addWidget(self.next_button)
        head.addWidget(self.outside_button)
        vbox(rule(), head, self.list, parent=self, spacing=0)

    def show_units(self, rows: Sequence[UnitRow], counts: UnitCounts) -> None:
        """List the units that are not in the pyramid."""
        outside = [row for row in rows if not row.scu_id]
        self.list.show_units(outside)
        facts = [tr("%n units", "", len(outside))] if outside else []
        if counts.units:
            facts.append(tr("{value:.0f} % unmatched", value=100 * counts.uncovered))
        if counts.repeats:
            facts.append(tr("%n repetitions", "", counts.repeats))
        self.fact_label.setText(" · ".join(facts))
        self.next_button.setEnabled(counts.uncovered > 0)


def _tip(row: UnitRow) -> str:
    return "\n".join(filter(None, (row.words, row.comment)))


_ESTIMATE = tr("Estimated from the time spent on your completed summaries")


class SummaryColumn(QWidget):
    """A panel that shows one summary, or all of them as a `stack`.

    Signals:
        unit_hovered, unit_clicked: id of a unit or SCU in a text.
        words_selected: the selection in a text changed.
        layout_chosen: show all summaries (True) or one.
    """

    unit_hovered = Signal(str)
    unit_clicked = Signal(str)
    words_selected = Signal()
    layout_chosen = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.panel, self.stack, self.units = SummaryPanel(), SummaryStack(), UnitPanel()
        self.layout_choice = Segmented(tr("Summaries"), (("one", tr("One")), ("all", tr("All"))))
        self.flag_button = icon_button("flag", tr("Flag"))
        edits(self.flag_button)
        self.note = NoteField(tr("Note"), tr("Note on this summary"), lines=1)
        self.progress_label = ElidedLabel("", Type.SMALL, "muted")
        self.next_button = icon_button("chevron-right", tr("Next undone summary"))
        self.all_button = link_button(tr("All summaries"))
        self.is_all = False  # whether all summaries are displayed
        self._arrange()
        self._connect()

    @property
    def text(self) -> AnnotatedText:
        """Return the text of the current summary."""
        return (self.stack.active_text if self.is_all else None) or self.panel.text

    def show_layout(self, *, is_all: bool) -> None:
        """Show all summaries, or one."""
        self.is_all = is_all
        self.layout_choice.choose("all" if is_all else "one")
        self.panel.text.setVisible(not is_all)
        self.stack.setVisible(is_all)

    def show_summary(self, summary: SummaryText | None) -> None:
        """Make a summary the current one; None if the topic has none."""
        self.panel.show_summary(summary)
        if self.is_all and summary is not None:
            self.panel.set_title(tr("All {total} summaries", total=summary.total))
            self.panel.set_fact("")
            self.stack.activate(summary.id)

    def show_blocks(self, blocks: Sequence[SummaryBlock], summary_id: str) -> None:
        """Show all summaries, one of them active."""
        self.stack.show_blocks(blocks)
        self.stack.activate(summary_id)

    def show_flag(self, is_flagged: bool) -> None:
        """Show whether the summary is flagged."""
        name = tr("Remove the flag") if is_flagged else tr("Flag this summary")
        self.flag_button.setToolTip(plain_tip(name))
        self.flag_button.setAccessibleName(name)
        icons.set_icon(self.flag_button, "flag", "warning" if is_flagged else "muted")

    def show_selected(self, scu_id: str, match_id: str, *, reveal: bool) -> None:
        """Outline an SCU, or one unit of the current summary and select it in the list; empty for none."""
        if self.is_all:
            self.stack.show_selected(scu_id, match_id)
        else:
            self.text.show_selected(match_id or scu_id)
        self.units.list.choose(match_id)
        if reveal and (match_id or scu_id):
            self.text.reveal(match_id or scu_id)

    def show_hovered(self, unit_id: str) -> None:
        """Highlight an SCU or a unit; empty for none."""
        (self.stack if self.is_all else self.text).show_hovered(unit_id)

    def show_proposed(self, summary_id: str, spans: Sequence[Span]) -> None:
        """Outline suggested spans of the current summary; empty for none."""
        self.panel.text.show_proposed(() if self.is_all else spans)
        self.stack.show_proposed(summary_id, spans if self.is_all else ())

    def _arrange(self) -> None:
        self.panel.add_action(self.layout_choice)
        self.panel.add_action(self.flag_button)
        self.panel.add(self.stack, 1)
        self.stack.hide()
        self.panel.add(self.units)
        self.panel.add(hbox(self.note, margins=(SMALL, TIGHT, SMALL, SMALL)))
        self.panel.add_foot(hbox((self.progress_label, 1), self.next_button, self.all_button, spacing=SMALL))
        self.progress_label.setAccessibleDescription(_ESTIMATE)
        vbox(self.panel, parent=self)

    def _connect(self) -> None:
        for text in (self.panel.text, self.stack):
            text.unit_hovered.connect(self.unit_hovered)
            text.unit_clicked.connect(self.unit_clicked)
            text.words_selected.connect(self.words_selected)
        self.layout_choice.chosen.connect(lambda key: self.layout_chosen.emit(key == "all"))
