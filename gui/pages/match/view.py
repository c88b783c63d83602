"""View of the Match page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFocusEvent,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QGridLayout, QSizePolicy, QToolTip, QWidget

from gui.annotation.drag_and_drop import DragKind
from gui.annotation.guidelines_pane import GuidelinesPane
from gui.annotation.match_values import FlagRow, OwnerRow, SummaryText, score_text
from gui.annotation.progress.progress_grid import ProgressPanel
from gui.annotation.scus.scu_list import QuestionOverlay, ScuList
from gui.annotation.scus.scu_values import ScuRow
from gui.annotation.suggestions.suggestion_panel import SuggestionPanel
from gui.annotation.text.annotated_text import AnnotatedText
from gui.annotation.text.marks import draw_weight_line
from gui.item_models.table_model import Column
from gui.pages.match.rows import MAIN_SCORE, SCORE_TITLES, BlockRow, LiveScore, WeightBlock
from gui.pages.match.summary_column import SummaryColumn
from gui.style import icons, theme
from gui.style.language import plain_tip, tr
from gui.style.theme import HAIR, LARGE, LEFT, MEDIUM, RADIUS_SMALL, RIGHT, SMALL, TIGHT, Type, px
from gui.widgets.accessible import announce, set_role
from gui.widgets.buttons import link_button, plain_button
from gui.widgets.controls import ComboBox
from gui.widgets.label import ElidedLabel, Keycap, Label, rule
from gui.widgets.layouts import Gap, Stretch, hbox, scrolled, vbox
from gui.widgets.lists.table_view import RowTable
from gui.widgets.notice import EmptyPage, Notice
from gui.widgets.page import AnnotationPage
from gui.widgets.panel import Panel, SidePanel

_BLOCK_PX = 18
_RAIL_PX = 4
_MIN_BLOCK_PX = 4  # narrower blocks are grouped by weight
_MAX_LABELS = 8  # in one tooltip
_ACTIVATION_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


@dataclass(frozen=True, slots=True)
class BlockBox:
    """Blocks painted as one: a single block, or all blocks of a weight if there is little room."""

    rect: QRectF
    blocks: tuple[WeightBlock, ...]

    @property
    def scu_ids(self) -> list[str]:
        return [block.scu_id for block in self.blocks if block.scu_id]

    @property
    def tip(self) -> str:
        labels = [block.label or tr("(no label)") for block in self.blocks]
        more = (
            [tr("and {labels} more", labels=len(labels) - _MAX_LABELS)] if len(labels) > _MAX_LABELS else []
        )
        return "\n".join((tr("Weight {weight}", weight=self.blocks[0].weight), *labels[:_MAX_LABELS], *more))


class ScoreArithmetic(QWidget):
    """Rows of blocks whose widths are their weights, with the sums as text.

    A block has the label of its SCU as its tooltip; a click or Enter selects the SCU. Arrow keys move
    between blocks.

    Signals:
        scu_chosen: SCU id.
    """

    scu_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[BlockRow, ...] = ()
        self._selected = ""
        self._current = 0
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Calculation of the score"))
        theme.signal().changed.connect(self.updateGeometry)

    def show_rows(self, rows: Sequence[BlockRow]) -> None:
        if (new_rows := tuple(rows)) != self.rows:
            self.rows, self._current = new_rows, 0
            sums = (f"{row.title}: {row.expression} = {row.total}" for row in new_rows)
            self.setAccessibleDescription("; ".join(sums))
            self.updateGeometry()
            self.update()

    def show_selected(self, scu_id: str) -> None:
        """Outline the blocks of an SCU; empty for none."""
        if scu_id != self._selected:
            self._selected = scu_id
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(220, len(self.rows) * self._row_height() - MEDIUM)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = icons.smooth_painter(self)
        for index, row in enumerate(self.rows):
            self._paint_text(painter, row, index * self._row_height())
        boxes = list(self.boxes())
        for box in boxes:
            self._paint_box(painter, box)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.hasFocus() and self._current < len(boxes):
            painter.setPen(QPen(theme.colour("accent"), 2.0))
            current = boxes[self._current].rect.adjusted(-1, -1, 1, 1)
            painter.drawRoundedRect(current, RADIUS_SMALL, RADIUS_SMALL)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        boxes = list(self.boxes())
        if step is not None and boxes:
            self._current = min(max(self._current + step, 0), len(boxes) - 1)
            self.setAccessibleDescription(boxes[self._current].tip.replace("\n", ", "))
            self.update()
        elif event.key() in _ACTIVATION_KEYS and self._current < len(boxes):
            self._choose(boxes[self._current])
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if (box := self._box_at(event.position().toPoint())) is not None:
            self._choose(box)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        box = self._box_at(event.position().toPoint())
        is_clickable = box is not None and bool(box.scu_ids)
        self.setCursor(Qt.CursorShape.PointingHandCursor if is_clickable else Qt.CursorShape.ArrowCursor)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            box = self._box_at(event.pos())
            QToolTip.showText(event.globalPos(), plain_tip(box.tip if box is not None else ""), self)
            return True
        return super().event(event)

    def _choose(self, box: BlockBox) -> None:
        """Select the SCU of a box; of several, the one after the selected SCU."""
        if ids := box.scu_ids:
            at = ids.index(self._selected) + 1 if self._selected in ids else 0
            self.scu_chosen.emit(ids[at % len(ids)])

    def boxes(self) -> Iterator[BlockBox]:
        """Yield the boxes of all rows."""
        widest = max((row.total for row in self.rows), default=0)
        unit = self.width() / widest if widest else 0.0
        for index, row in enumerate(self.rows):
            top = index * self._row_height() + self._text_height() + HAIR
            lightest = min((block.weight for block in row.blocks), default=0)
            is_wide = unit * lightest >= _MIN_BLOCK_PX
            left = 0.0
            for blocks in [(block,) for block in row.blocks] if is_wide else row.runs():
                width = unit * sum(block.weight for block in blocks)
                gap = min(float(HAIR), width / 4)
                yield BlockBox(QRectF(left, top, width - gap, px(_BLOCK_PX)), blocks)
                left += width

    def _box_at(self, point: QPoint) -> BlockBox | None:
        return next((box for box in self.boxes() if box.rect.contains(point)), None)

    def _text_height(self) -> int:
        return theme.metrics(Type.SMALL).height() + HAIR

    def _row_height(self) -> int:
        return self._text_height() + px(_BLOCK_PX) + _RAIL_PX + MEDIUM

    def _paint_text(self, painter: QPainter, row: BlockRow, top: int) -> None:
        room = QRect(0, top, self.width(), self._text_height())
        small, strong = theme.font(Type.SMALL), theme.font(Type.STRONG)
        painter.setPen(theme.colour("text"))
        painter.setFont(small)
        painter.drawText(room, LEFT, row.title)
        painter.setFont(strong)
        painter.drawText(room, RIGHT, str(row.total))
        total_px = QFontMetrics(strong).horizontalAdvance(str(row.total)) + TIGHT
        title_px = QFontMetrics(small).horizontalAdvance(row.title) + SMALL
        expression = f"{row.expression} ="
        if QFontMetrics(small).horizontalAdvance(expression) > self.width() - total_px - title_px:
            return  # the blocks below show the same
        painter.setFont(small)
        painter.setPen(theme.colour("muted"))
        painter.drawText(room.adjusted(0, 0, -total_px, 0), RIGHT, expression)

    def _paint_box(self, painter: QPainter, box: BlockBox) -> None:
        first = box.blocks[0]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.tokens().weights[first.step - 1].tint))
        painter.drawRoundedRect(box.rect, HAIR, HAIR)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setFont(theme.font(Type.CAPTION))
        text = f"{len(box.blocks)}×{first.weight}" if len(box.blocks) > 1 else str(first.weight)
        if QFontMetrics(painter.font()).horizontalAdvance(text) <= box.rect.width():
            painter.setPen(theme.colour("text"))
            painter.drawText(box.rect, Qt.AlignmentFlag.AlignCenter, text)
        draw_weight_line(painter, box.rect.left(), box.rect.right(), box.rect.bottom() + 1, first.step)
        if self._selected and self._selected in box.scu_ids:
            painter.setPen(QPen(theme.colour("accent"), 2.0))
            painter.drawRoundedRect(box.rect.adjusted(1, 1, -1, -1), HAIR, HAIR)


CLOSED = tr("Score closed until this summary is done")


set_role(ScoreArithmetic, QAccessible.Role.StaticText)


_LEAST_PX = 340
"""Width of the score from which on its blocks are shown."""


class ScorePanel(QWidget):
    """A LiveScore with its calculation; closed, a line that says when it opens."""

    def __init__(self) -> None:
        super().__init__()
        self.main_label = Label("", Type.HERO)
        self.main_fact = Label("", Type.SMALL, "muted", wrap=True)
        self.line_label = ElidedLabel(CLOSED, Type.SMALL, "muted")
        self.toggle_button, self.key_label = link_button(tr("Open")), Keycap("")
        self.details, self.arithmetic = QWidget(), ScoreArithmetic()
        self._table, self._without = QGridLayout(), ""
        self._formulas = [ElidedLabel("", Type.SMALL, "muted") for _ in SCORE_TITLES]
        self.values = [Label("", Type.STRONG) for _ in SCORE_TITLES]
        self.explanation_label = Label("", Type.SMALL, "muted", wrap=True)
        self._content = scrolled(self._arranged())
        self._content.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        line = hbox(
            (self.line_label, 1), self.toggle_button, self.key_label, margins=(MEDIUM, TIGHT), spacing=TIGHT
        )
        vbox(rule(), self._content, line, parent=self, spacing=0)
        self.show_open(is_open=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arithmetic.setVisible(self.width() >= px(_LEAST_PX))  # the numbers beside it are the same

    @property
    def is_open(self) -> bool:
        return not self._content.isHidden()

    def show_open(self, *, is_open: bool) -> None:
        """Show the score, or only the line."""
        self._content.setVisible(is_open)
        self.line_label.setText(self._without if is_open else CLOSED)
        self.toggle_button.setText(tr("Close") if is_open else tr("Open"))
        self.toggle_button.setAccessibleName(tr("Close the score") if is_open else tr("Open the score"))

    def show_score(self, score: LiveScore) -> None:
        before = self.main_label.accessibleName()
        self.main_label.setText(score_text(score.main))
        self.main_label.setVisible(bool(score.rows))
        self.main_label.setAccessibleName(
            tr(
                "Modified score {score_text}, {main_fact}",
                score_text=score_text(score.main),
                main_fact=score.main_fact,
            )
        )
        if before != self.main_label.accessibleName():
            announce(self.main_label, self.main_label.accessibleName())
        self.main_fact.setText(score.main_fact)
        self.details.setVisible(bool(score.rows))
        self.arithmetic.show_rows(score.rows)
        for formula, value, row in zip(self._formulas, self.values, score.scores, strict=False):
            formula.setText(row.formula)
            value.setText(score_text(row.value))
        self.explanation_label.setText(" ".join(score.explanations))
        without = " · ".join(
            tr("without {letter} {score_text}", letter=letter, score_text=score_text(x))
            for letter, x in score.without_reference
        )
        self._without = tr("Modified {without}", without=without) if without else ""
        self.show_open(is_open=self.is_open)

    def _arranged(self) -> QWidget:
        main = hbox(self.main_label, spacing=MEDIUM)
        main.addLayout(vbox(Label(tr("modified score"), Type.STRONG), self.main_fact, spacing=0), 1)
        self._table.setHorizontalSpacing(SMALL)
        self._table.setVerticalSpacing(TIGHT)
        self._table.setColumnStretch(1, 1)
        for row, title in enumerate(SCORE_TITLES):
            self._table.addWidget(Label(title, Type.STRONG if title == MAIN_SCORE else Type.BODY), row, 0)
            self._table.addWidget(self._formulas[row], row, 1)
            self._table.addWidget(self.values[row], row, 2, Qt.AlignmentFlag.AlignRight)
        right = vbox(main, Gap(SMALL), self._table, Stretch(1))
        hbox((self.arithmetic, 1), right, parent=self.details, spacing=LARGE)
        inner = QWidget()
        vbox(self.details, self.explanation_label, parent=inner, margins=(MEDIUM, SMALL), spacing=TIGHT)
        return inner


_NO_FLAGS = tr("No flags or notes. Press F to flag the current summary, C to add a note.")


def _text(row: FlagRow) -> str:
    note = f": {row.note}" if row.note else ""
    return " ".join(f"{row.topic} · {row.name}{', flagged' if row.is_flagged else ''}{note}".split())


_FLAG = Column(tr("Summary"), _text, cell_tip=_text)


_SHARES = 42, 58, 32
"""Relative widths of summary, pyramid and side panel."""
_PROMPT = tr("Select the SCU that this unit expresses, then press Enter. Esc cancels.")


class MatchSide(SidePanel):
    """All summaries, those flagged, suggestions and guidelines, a tab each."""

    def __init__(self) -> None:
        super().__init__(tr("Summaries"))
        self.progress, self.flags = ProgressPanel(), RowTable(tr("Flagged summaries and notes"), [_FLAG])
        self.flags.horizontalHeader().hide()
        self.flags.empty_text = _NO_FLAGS
        self.suggestions, self.guidelines = SuggestionPanel(), GuidelinesPane()
        self.add_tab("progress", tr("Summaries"), "overview", self.progress)
        self.add_tab("flags", tr("Flagged"), "flag", self.flags, is_counted=True)
        self.add_tab("suggestions", tr("Suggestions"), "bulb", self.suggestions)
        self.add_tab("guidelines", tr("Guidelines"), "help", self.guidelines)


class MatchView(AnnotationPage):
    """The summary at the left, the pyramid with the score in the middle, the side panel at the right.

    Signals:
        unit_chosen, unit_hovered: SCU id or match id; empty if none is hovered.
        scu_search_confirmed: id of the SCU found in the search field; Enter was pressed.
        part_resized: match id or SCU id, old and new span of the part.
        prompt_cancelled.
    """

    unit_chosen = Signal(str)
    unit_hovered = Signal(str)
    scu_search_confirmed = Signal(str)
    part_resized = Signal(str, object, object)
    prompt_cancelled = Signal()

    def __init__(self, side: MatchSide) -> None:
        super().__init__(tr("Match"), tr("Next summary"), tr("Reopen summary"))
        self.left = SummaryColumn()
        self.owner_box = ComboBox(tr("Pyramid to match against"))
        self.scus = ScuList(tr("Pyramid"), tr("Find an SCU"), tr("This topic has no pyramid yet."))
        self.pyramids_button = plain_button(tr("Build the pyramid"), "pyramid")
        self.score, self.note = ScorePanel(), self.left.note
        self.side, self.progress, self.flags = side, side.progress, side.flags
        self.suggestions, self.guidelines = side.suggestions, side.guidelines
        self.notice, self.feedback = Notice(can_close=True), Notice(is_warning=False)
        self.empty = EmptyPage(
            "match", tr("There are no summaries to match with a pyramid yet."), tr("Import…"), is_edit=True
        )
        self._whose = ""
        self.pyramid_panel = Panel(tr("Pyramid"), hairline=False)
        self._prompt = QuestionOverlay(self.pyramid_panel)
        self.prompt_label = self._prompt.label
        self.add_place(self.left.panel.place)
        self.scus.tree.opens_details = True
        self.scus.tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.pyramid_panel.add_action(self.owner_box, self.scus.tools_for_header())
        self.scus.offer(self.pyramids_button)
        self.pyramid_panel.add((self.scus, 1), self.score)
        self.owner_box.hide()
        self._panels: tuple[QWidget, ...] = (self.left, self.pyramid_panel, self.side)
        self.add(*zip(self._panels, _SHARES, strict=True), self.empty)
        self.side.open_changed.connect(lambda _: self.share_out((*_SHARES, 1)))
        self.empty.hide()
        self.add_notice(self.notice, self.feedback)
        self._connect()

    def show_summary(self, summary: SummaryText | None) -> None:
        """Show a summary without its marks; None if the topic has none."""
        self.left.setVisible(summary is not None)
        self.pyramid_panel.setVisible(summary is not None)
        self.side.show_needed(True, is_possible=summary is not None)
        self.empty.setVisible(summary is None)
        self.done_button.setEnabled(summary is not None)
        self.left.show_summary(summary)
        self._whose = (
            tr("Summary {position}: ", position=summary.position)
            if summary is not None and self.left.is_all
            else ""
        )

    def show_scus(self, rows: Sequence[ScuRow], letters: Sequence[str]) -> None:
        """List the SCUs and which of them match. letters: of the references, for the filter."""
        self.scus.show_lines(rows, letters)
        matched = sum(bool(row.is_matched) for row in rows)
        self.pyramid_panel.set_fact(
            tr("{whose}{matched} of {rows} SCUs matched", whose=self._whose, matched=matched, rows=len(rows))
            if rows
            else ""
        )

    def show_score(self, score: LiveScore, *, is_open: bool) -> None:
        """Show the live score, or that it is closed."""
        self.score.show_score(score)
        self.score.show_open(is_open=is_open)

    def show_state(self, summary_id: str, *, is_done: bool, is_flagged: bool, note: str) -> None:
        self.show_done(is_done)
        self.left.show_flag(is_flagged)
        self.note.typed.show(note, summary_id)

    def show_selected(self, scu_id: str, match_id: str, *, reveal: bool = False) -> None:
        """Show an SCU or one unit of the summary as selected; empty for none. reveal: scroll to it."""
        self.scus.tree.choose(scu_id, match_id)
        self.score.arithmetic.show_selected(scu_id)
        self.left.show_selected(scu_id, match_id, reveal=reveal)

    def show_hovered(self, unit_id: str, scu_id: str) -> None:
        """Highlight a unit or an SCU; empty for none."""
        self.left.show_hovered(unit_id)
        self.scus.tree.show_hovered(scu_id)

    def show_owners(self, owners: Sequence[OwnerRow], current: str) -> None:
        """Show the choice of the pyramid to match against, if there are several."""
        titles = [tr("{name}, %n SCUs", "", owner.scus, name=owner.name) for owner in owners]
        self.owner_box.offer(zip((owner.annotator_id for owner in owners), titles, strict=True))
        self.owner_box.setCurrentIndex(self.owner_box.findData(current))  # -1: it has no SCUs
        self.owner_box.setVisible(len(owners) > 1)

    def show_all_summaries(self) -> None:
        """Show the progress grid at the right, or close it."""
        is_shown = not self.side.isHidden() and self.side.tabs.current == "progress"
        self.side.show_tab("progress")
        self.side.set_open(not is_shown)

    def show_owner(self, name: str) -> None:
        """Show whose pyramid is matched against; empty = the annotator's own."""
        self.pyramid_panel.set_title(tr("Pyramid of {name}", name=name) if name else tr("Your pyramid"))

    def show_prompt(self, *, is_open: bool) -> None:
        """Prompt for the SCU of a unit in the list of SCUs, or close the prompt and restore the focus."""
        self._prompt.ask(_PROMPT if is_open else "")
        if is_open:
            self.keyboard.move_to(self.scus.tree)
        else:
            self.keyboard.restore()

    def find_scu(self) -> None:
        """Focus the search field of the SCUs."""
        self.keyboard.remember()
        self.scus.field.focus_default()

    def enter_units(self) -> None:
        """Focus the units of the selected SCU, else those outside the pyramid; Escape restores the focus."""
        self.keyboard.remember()
        units = self.left.units.list
        if not self.scus.tree.enter_units():
            units.setFocus(Qt.FocusReason.ShortcutFocusReason)
            if not units.current_unit and units.rows:
                units.setCurrentIndex(units.units.index(0, 0))

    @property
    def is_in_units(self) -> bool:
        """Whether the keyboard is in a unit, below its SCU or outside the pyramid."""
        return self.left.units.list.hasFocus() or self.scus.tree.is_in_unit

    def edit_note(self) -> None:
        self.keyboard.move_to(self.note)

    def edit_comment(self, scu_id: str, match_id: str) -> None:
        """Open the comment of a unit, below its SCU or, without one, in the list of units."""
        self.keyboard.remember()
        if scu_id:
            self.scus.tree.edit_comment(scu_id, match_id)
        else:
            self.left.units.list.edit_comment(match_id)

    def showEvent(self, event: object) -> None:
        """Focus the text, so that shortcuts act on it, unless another widget here had the focus."""
        super().showEvent(event)
        focused = self.focusWidget()
        if not any(focused is not None and panel.isAncestorOf(focused) for panel in self._panels):
            self.left.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Pass the focus on to the text, so that shortcuts act on it."""
        self.left.text.setFocus(event.reason())

    def _connect(self) -> None:
        self._connect_left()
        self._connect_text(self.left.panel.text)
        self.left.stack.text_added.connect(self._connect_text)
        tree = self.scus.tree
        for source, signal in (
            (tree.scu_hovered, self.unit_hovered),
            (tree.scu_chosen, self.unit_chosen),
            (tree.unit_chosen, self.unit_chosen),
            (tree.cancelled, self.prompt_cancelled),
            (self.score.arithmetic.scu_chosen, self.unit_chosen),
        ):
            source.connect(signal)
        self.score.arithmetic.scu_chosen.connect(tree.show_details)  # of what the click has selected
        tree.allow_drops((DragKind.UNIT, DragKind.WORDS), tr("Drop here if no SCU expresses this"))
        for left in (tree.label_left, tree.cancelled):
            left.connect(self.keyboard.restore)
        self._prompt.cancel_button.clicked.connect(self.prompt_cancelled)
        self.scus.field.returnPressed.connect(self._confirm_search)
        self.note.left.connect(self.keyboard.restore)
        for activity in (self.unit_chosen, self.unit_hovered):
            activity.connect(self.worked)

    def _connect_left(self) -> None:
        left, units = self.left, self.left.units
        for source, signal in (
            (units.list.unit_hovered, self.unit_hovered),
            (units.list.unit_chosen, self.unit_chosen),
            (left.next_button.clicked, self.next_requested),
        ):
            source.connect(signal)
        units.list.left.connect(self.keyboard.restore)
        left.all_button.clicked.connect(self.show_all_summaries)

    @Slot(object)
    def _connect_text(self, text: AnnotatedText) -> None:
        """Report the unit under the pointer, highlight its SCUs in the list, and allow resizing of parts."""
        text.unit_hovered.connect(self.unit_hovered)
        text.units_hovered.connect(self.scus.tree.show_under_pointer)
        text.unit_clicked.connect(self.unit_chosen)
        text.unit_clicked.connect(self.scus.tree.show_details)  # of what the click has selected
        text.words_selected.connect(self.worked)
        text.allow_resizing()
        text.part_resized.connect(self.part_resized)

    @Slot()
    def _confirm_search(self) -> None:
        """Report the current SCU of the search, clear the search field and restore the focus."""
        if scu_id := self.scus.tree.current_scu:
            self.scus.field.clear()
            self.scu_search_confirmed.emit(scu_id)
            self.keyboard.restore()
