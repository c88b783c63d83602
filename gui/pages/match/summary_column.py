"""Left panel of the Match page: one or all summaries, units outside the pyramid, the note, and progress."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QTextCursor,
)
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QFrame,
    QListView,
    QScrollArea,
    QToolButton,
    QWidget,
)

from core.domain.study import Span
from gui.annotation.drag_and_drop import DraggedItem, DragKind, start_drag
from gui.annotation.match_values import SummaryText, UnitCounts, UnitRow
from gui.annotation.scus.unit_rows import LINE_ROLE, UnitDelegate, accessible_detail
from gui.annotation.stored_text_field import NoteField
from gui.annotation.text.annotated_text import LINE_HEIGHT, AnnotatedText
from gui.annotation.text.summary_columns import SummaryPanel, SummaryRow, SummarySection
from gui.item_models.table_model import Column, Index, TableModel
from gui.style import icons, reading_preferences, theme
from gui.style.language import tr
from gui.style.theme import HAIR, MEDIUM, RIGHT, SMALL, TIGHT, WIDE, Type, px
from gui.widgets.buttons import edits, icon_button, link_button, rename
from gui.widgets.controls import Segmented
from gui.widgets.label import ElidedLabel, FactLabel, Label, rule
from gui.widgets.layouts import Stretch, extend, fill_area, hbox, vbox
from gui.widgets.lists.grouped_tree import paint_nothing_found

_HEADER_PX = 44  # estimate, for sections without a widget
_OFFSCREEN_PX = 100_000  # above the content, where sections are measured
_MAX_ROUNDS = 4  # of replacing estimated heights by measured ones


class StackedSummary(SummarySection):
    """Header and text of a summary, at the full height of its text, see `fit_height`.

    Signals:
        stepped: the text cursor moved to the summary above (-1) or below (+1).
    """

    stepped = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.fact_label, self.score_label = Label("", Type.SMALL, "muted"), Label("", Type.STRONG)
        self.expressed_label = Label(tr("matched"), Type.CAPTION, "accent")
        self.done_button, self.flag_button = icon_button("check", tr("Done")), icon_button("flag", tr("Flag"))
        edits(self.done_button, self.flag_button)
        self.setFrameShape(QFrame.Shape.NoFrame)
        about = self.badge, self.name_label, self.fact_label
        state = self.expressed_label, self.score_label, self.done_button, self.flag_button
        header = hbox(*about, Stretch(1), *state, margins=(MEDIUM, TIGHT, SMALL, 0), spacing=SMALL)
        extend(self._column, header, self.text, rule())
        self.expressed_label.setToolTip(tr("This summary expresses the selected SCU"))
        self.expressed_label.hide()
        self.score_label.setMinimumWidth(px(40))
        self.score_label.setToolTip(tr("Modified score, closed until the summary is done"))
        self.score_label.setAlignment(RIGHT)

    def show_row(self, row: SummaryRow) -> bool:
        if not super().show_row(row):
            return False
        states = ((tr("done"), row.is_done), (tr("flagged"), row.is_flagged))
        facts = [self.text.word_count_text, *(state for state, is_set in states if is_set)]
        self.fact_label.setText(" · ".join(facts))
        self.score_label.setText(row.result)
        self.score_label.setAccessibleName(
            tr("Modified score {score}", score=row.result) if row.result else ""
        )
        self._set_state(
            self.done_button, "check", tr("Reopen") if row.is_done else tr("Mark done"), row.is_done
        )
        flag = tr("Remove the flag") if row.is_flagged else tr("Flag this summary")
        self._set_state(self.flag_button, "flag", flag, row.is_flagged)
        return True

    def show_selected(self, scu_id: str, match_id: str) -> None:
        """Outline an SCU, or one unit if this summary has it, and show whether the SCU is matched."""
        has_unit = any(mark.belongs_to(match_id) for mark in self.row.marks) if self.row else False
        self.text.show_selected(match_id if has_unit else scu_id)
        self.expressed_label.setVisible(self.row is not None and scu_id in self.row.expressed)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            return self._leave(event)
        return super().eventFilter(watched, event)

    def _leave(self, event: QKeyEvent) -> bool:
        """Step to the neighbour when the text cursor moves up from the first line or down from the last."""
        moves = {Qt.Key.Key_Up: (QTextCursor.MoveOperation.Up, -1)}
        moves[Qt.Key.Key_Down] = QTextCursor.MoveOperation.Down, +1
        move = moves.get(Qt.Key(event.key()))
        if move is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        if self.text.textCursor().movePosition(move[0]):
            return False
        self.stepped.emit(move[1])
        return True

    def _set_state(self, button: QToolButton, icon: str, name: str, is_on: bool) -> None:
        rename(button, name)
        token = {"check": "success", "flag": "warning"}[icon] if is_on else "outline"
        icons.set_icon(button, icon, token)


class SummaryStack(QScrollArea):
    """Summaries to annotate; shortcuts act on the active one.

    The height of a section is estimated until it comes near the viewport. Visible text does not move when
    an estimate above it is corrected.

    Signals:
        entered: id of the summary whose text received the focus, or is to receive it.
        flag_pressed, done_pressed: summary id.
        text_added: a new AnnotatedText.
    """

    entered = Signal(str)
    flag_pressed = Signal(str)
    done_pressed = Signal(str)
    text_added = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._inner = QWidget()
        fill_area(self, self._inner, is_resized=False)
        self.blocks: tuple[SummaryRow, ...] = ()  # displayed summaries, from top to bottom
        self._heights: list[int] = []
        self._sections: dict[int, StackedSummary] = {}
        self._recycled: list[StackedSummary] = []
        self._active, self._selected, self._hovered = 0, ("", ""), ""
        self._proposed: tuple[str, tuple[Span, ...]] = "", ()
        self._is_laying_out = False
        self.verticalScrollBar().valueChanged.connect(self._lay_out)
        # measure after the texts have handled the same signal
        self._measure_timer = QTimer(self, singleShot=True, interval=0)
        self._measure_timer.timeout.connect(self._measure)
        for signal in (theme.signal().changed, reading_preferences.signal().changed):
            signal.connect(self._measure_timer.start)

    @property
    def active_text(self) -> AnnotatedText | None:
        """Return the text of the active summary; None if there is none."""
        section = self._sections.get(self._active)
        return section.text if section is not None else None

    def section(self, summary_id: str) -> StackedSummary | None:
        """Return the section of a summary; None if it is not near the viewport."""
        return next((s for s in self._sections.values() if s.summary_id == summary_id), None)

    @property
    def sections(self) -> tuple[StackedSummary, ...]:
        """Return the sections near the viewport and the active one, from top to bottom."""
        return tuple(self._sections[index] for index in sorted(self._sections))

    def show_blocks(self, blocks: Sequence[SummaryRow]) -> None:
        """Show these summaries; update those that are already displayed."""
        before, self.blocks = self.blocks, tuple(blocks)
        if [block.id for block in before] != [block.id for block in self.blocks]:
            self._active = 0
            # the focused section comes last, so that the active summary reuses it
            self._release(sorted(self._sections, key=lambda index: self._sections[index].text.hasFocus()))
            self._measure()
            self.verticalScrollBar().setValue(0)
            return
        for index, section in self._sections.items():
            if section.row != self.blocks[index]:
                self._fill(index, section)
                self._set_height(index, section.fit_height(self.viewport().width()))
        self._lay_out()

    def activate(self, summary_id: str) -> None:
        """Make a summary the active one and scroll to it; the focus follows if a text here has it."""
        index = next((i for i, block in enumerate(self.blocks) if block.id == summary_id), -1)
        if index < 0 or (index == self._active and index in self._sections):
            return
        had_focus = any(section.text.hasFocus() for section in self._sections.values())
        self._active = index
        for _ in range(_MAX_ROUNDS):
            self._lay_out()
            top, high = sum(self._heights[:index]), self.viewport().height()
            bar = self.verticalScrollBar()
            if top < bar.value() or top + self._heights[index] > bar.value() + high:
                bar.setValue(max(0, min(top, top + self._heights[index] // 2 - high // 2)))
        for other, section in self._sections.items():
            section.show_active(other == index)
        if had_focus and not self._sections[index].text.hasFocus():
            self._sections[index].text.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_selected(self, scu_id: str, match_id: str = "") -> None:
        """Outline the parts of an SCU in every summary, or those of one unit; empty for none."""
        self._selected = scu_id, match_id
        for section in self._sections.values():
            section.show_selected(*self._selected)

    def show_hovered(self, unit_id: str) -> None:
        """Highlight the parts of an SCU or unit in every summary; empty for none."""
        self._hovered = unit_id
        for section in self._sections.values():
            section.text.show_hovered(unit_id)

    def show_proposed(self, summary_id: str, spans: Sequence[Span]) -> None:
        """Outline suggested spans of one summary; empty for none."""
        self._proposed = summary_id, tuple(spans)
        for section in self._sections.values():
            section.text.show_proposed(self._proposed_in(section))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._measure()
        else:
            self._lay_out()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._lay_out()

    @Slot()
    def _measure(self) -> None:
        """Estimate all heights, measure existing sections, and lay out."""
        metrics = QFontMetricsF(theme.font(Type.READING))
        scale = reading_preferences.now().percent / 100
        line_px = LINE_HEIGHT * theme.font_px(Type.READING) * scale
        chars_per_line = max(1.0, (self.viewport().width() - 2 * WIDE) / (metrics.averageCharWidth() * scale))
        self._heights = [
            round(theme.px(_HEADER_PX) + line_px * (1 + len(block.summary.text.content) / chars_per_line))
            for block in self.blocks
        ]
        for index, section in self._sections.items():
            self._heights[index] = section.fit_height(self.viewport().width())
        self._lay_out()

    @Slot()
    def _lay_out(self) -> None:
        """Lay out the sections near the viewport, and recycle the others."""
        if self._is_laying_out or not self.blocks or not self.isVisible():
            return
        self._is_laying_out = True
        width = self.viewport().width()
        for _ in range(_MAX_ROUNDS):
            needed = self._needed()
            self._release([index for index in self._sections if index not in needed])
            if not self._create_sections([index for index in needed if index not in self._sections], width):
                break
        top = 0
        for index, height in enumerate(self._heights):
            if (section := self._sections.get(index)) is not None:
                section.setGeometry(QRect(0, top, width, height))
                section.show()
            top += height
        self._inner.resize(width, top)
        self._is_laying_out = False
        for section in list(self._recycled):
            if section in self._recycled:  # hiding one may move the focus, which may reuse another
                section.hide()

    def _needed(self) -> list[int]:
        """Return the indexes within half a viewport of the visible part, and the active one."""
        height_px = self.viewport().height()
        low = self.verticalScrollBar().value() - height_px // 2
        upto = self.verticalScrollBar().value() + 3 * height_px // 2
        top, needed = 0, []
        for index, height in enumerate(self._heights):
            if (top < upto and top + height > low) or index == self._active:
                needed.append(index)
            top += height
        return needed

    def _create_sections(self, indexes: Sequence[int], width: int) -> bool:
        """Create sections for these indexes and measure them; return whether there were any."""
        for index in indexes:
            section = self._recycled.pop() if self._recycled else self._new_section()
            self._sections[index] = section
            section.move(0, -_OFFSCREEN_PX)
            section.show()  # hidden widgets are not laid out
            self._fill(index, section)
            self._set_height(index, section.fit_height(width))
        return bool(indexes)

    def _fill(self, index: int, section: StackedSummary) -> None:
        section.show_row(self.blocks[index])
        section.show_active(index == self._active)
        section.show_selected(*self._selected)
        section.text.show_hovered(self._hovered)
        section.text.show_proposed(self._proposed_in(section))

    def _proposed_in(self, section: StackedSummary) -> tuple[Span, ...]:
        summary_id, spans = self._proposed
        return spans if section.summary_id == summary_id else ()

    def _set_height(self, index: int, height: int) -> None:
        """Replace an estimated height; visible text does not move."""
        changed, bar = height - self._heights[index], self.verticalScrollBar()
        is_above = sum(self._heights[: index + 1]) <= bar.value()
        self._heights[index] = height
        if changed and is_above:
            self._inner.resize(self._inner.width(), sum(self._heights))
            bar.setValue(bar.value() + changed)

    def _release(self, indexes: Iterable[int]) -> None:
        for index in indexes:
            self._recycled.append(self._sections.pop(index))

    def _new_section(self) -> StackedSummary:
        section = StackedSummary(self._inner)
        section.entered.connect(self.entered)
        section.stepped.connect(lambda by: self._step(section, by))
        section.flag_button.clicked.connect(lambda: self.flag_pressed.emit(section.summary_id))
        section.done_button.clicked.connect(lambda: self.done_pressed.emit(section.summary_id))
        section.text.cursorPositionChanged.connect(lambda: self._follow_caret(section))
        self.text_added.emit(section.text)
        return section

    def _step(self, section: StackedSummary, by: int) -> None:
        index = next(index for index, other in self._sections.items() if other is section) + by
        if 0 <= index < len(self.blocks):
            self.entered.emit(self.blocks[index].id)

    def _follow_caret(self, section: StackedSummary) -> None:
        if section.text.hasFocus() and not self._is_laying_out:
            caret = section.text.cursorRect()
            point = section.text.viewport().mapTo(self._inner, caret.center())
            self.ensureVisible(point.x(), point.y(), 0, caret.height())


_NO_UNITS = tr("None. Select text that no SCU expresses, then press O.")
_ROWS = 3  # in sight; the list does not grow, so that a unit moves nothing


class UnitModel(TableModel[UnitRow]):
    """Rows of units, which can be dragged and commented on."""

    def __init__(self) -> None:
        super().__init__(
            [Column(tr("Unit"), lambda row: row, attrgetter("words"), "", _tip, None, accessible_detail)],
            key=lambda row: row.match_id,  # so that an editor stays open
        )

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
        self.units.set_rows(tuple(rows))
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
        parts = Label(tr("Not in the pyramid"), Type.STRONG), (self.fact_label, 1), self.next_button
        head = hbox(*parts, self.outside_button, margins=(MEDIUM, SMALL, MEDIUM, 0), spacing=SMALL)
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
    """A panel that shows one summary, or all of them as a `stack`."""

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
        self.panel.add_action(self.layout_choice, self.flag_button)
        self.panel.add((self.stack, 1))
        self.stack.hide()
        self.panel.add(self.units, hbox(self.note, margins=(SMALL, TIGHT, SMALL, SMALL)))
        self.panel.add_foot(hbox((self.progress_label, 1), self.next_button, self.all_button, spacing=SMALL))
        self.progress_label.setAccessibleDescription(_ESTIMATE)
        vbox(self.panel, parent=self)

    @property
    def text(self) -> AnnotatedText:
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
            self.stack.activate(summary.text.id)

    def show_blocks(self, blocks: Sequence[SummaryRow], summary_id: str) -> None:
        """Show all summaries, one of them active."""
        self.stack.show_blocks(blocks)
        self.stack.activate(summary_id)

    def show_flag(self, is_flagged: bool) -> None:
        name = tr("Remove the flag") if is_flagged else tr("Flag this summary")
        rename(self.flag_button, name)
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
