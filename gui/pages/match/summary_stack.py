"""All summaries of a topic one below the other. Only those in sight are widgets: a topic may have sixty."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from PySide6.QtCore import QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from core.domain.study import Span
from gui.annotation.annotated_text import LINE_HEIGHT, AnnotatedText
from gui.pages.match.summary_block import SummaryBlock
from gui.pages.match.summary_section import SummarySection
from gui.style import reading_preferences, theme
from gui.style.theme import WIDE, Type

_HEAD_PX = 44  # of a section that was never in sight, as a guess
_FAR_PX = 100_000  # above everything: where a section is measured
_SETTLES_AFTER = 4  # rounds in which guessed heights give way to true ones


class SummaryStack(QScrollArea):
    """Summaries to annotate in one scroll; one of them is active, and keys act on it.

    A section's height is guessed until it comes near the part in sight; what is in sight never jumps when a
    guess above it turns out wrong.

    Signals:
        entered: a summary whose text took the keyboard, or is to take it.
        flag_pressed, done_pressed: a summary.
        unit_hovered, unit_clicked: an SCU, or a unit outside the pyramid; hovering none is empty.
        words_selected. text_added: an AnnotatedText that was made just now.
    """

    entered = Signal(str)
    flag_pressed = Signal(str)
    done_pressed = Signal(str)
    unit_hovered = Signal(str)
    unit_clicked = Signal(str)
    words_selected = Signal()
    text_added = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._inner = QWidget()
        self.setWidget(self._inner)
        self._inner.setAutoFillBackground(False)  # setWidget has set it: the panel's surface is to show
        self.viewport().setAutoFillBackground(False)
        self._blocks: tuple[SummaryBlock, ...] = ()
        self._heights: list[int] = []
        self._sections: dict[int, SummarySection] = {}
        self._spare: list[SummarySection] = []
        self._active, self._selected, self._hovered = 0, ("", ""), ""
        self._proposed: tuple[str, tuple[Span, ...]] = "", ()
        self._is_placing = False
        self.verticalScrollBar().valueChanged.connect(self._place)
        # texts hear of another size too, and are to be asked after that
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._measure)
        for signal in (theme.signal().changed, reading_preferences.signal().changed):
            signal.connect(self._later.start)

    @property
    def blocks(self) -> tuple[SummaryBlock, ...]:
        """What is shown, from top to bottom."""
        return self._blocks

    @property
    def active_text(self) -> AnnotatedText | None:
        """The text of the active summary, None = there is none."""
        section = self._sections.get(self._active)
        return section.text if section is not None else None

    def section(self, summary_id: str) -> SummarySection | None:
        """The section of a summary, None = it is not near the part in sight."""
        return next((s for s in self._sections.values() if s.block.id == summary_id), None)

    def show_blocks(self, blocks: Sequence[SummaryBlock]) -> None:
        """Show these summaries; those that are the same stay where they are."""
        before, self._blocks = self._blocks, tuple(blocks)
        if [block.id for block in before] != [block.id for block in self._blocks]:
            self._active = 0
            # what has the keyboard is taken first: for the active summary
            self._release(sorted(self._sections, key=lambda place: self._sections[place].text.hasFocus()))
            self._measure()
            self.verticalScrollBar().setValue(0)
            return
        for place, section in self._sections.items():
            if section.block != self._blocks[place]:
                self._fill(place, section)
                self._learn(place, section.wanted_height(self.viewport().width()))
        self._place()

    def activate(self, summary_id: str) -> None:
        """Make a summary the active one and bring it in sight; the keyboard follows if a text here has it."""
        place = next((i for i, block in enumerate(self._blocks) if block.id == summary_id), -1)
        if place < 0 or (place == self._active and place in self._sections):
            return
        had_keyboard = any(section.text.hasFocus() for section in self._sections.values())
        self._active = place
        for _ in range(_SETTLES_AFTER):
            self._place()
            self._bring_in_sight(place)
        for each, section in self._sections.items():
            section.show_active(each == place)
        if had_keyboard and not self._sections[place].text.hasFocus():
            self._sections[place].text.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_selected(self, scu_id: str, match_id: str = "") -> None:
        """Ring an SCU's parts in every summary, or those of one unit in its own; empty = none."""
        self._selected = scu_id, match_id
        for section in self._sections.values():
            section.show_selected(*self._selected)

    def show_hovered(self, unit_id: str) -> None:
        """Ring a unit's parts lightly in every summary; empty = none."""
        self._hovered = unit_id
        for section in self._sections.values():
            section.text.show_hovered(unit_id)

    def show_proposed(self, summary_id: str, spans: Sequence[Span]) -> None:
        """Ring words of one summary that are only proposed, in dashes; none = nothing is."""
        self._proposed = summary_id, tuple(spans)
        for section in self._sections.values():
            section.text.show_proposed(self._proposed_in(section))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._measure()
        else:
            self._place()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._place()

    @Slot()
    def _measure(self) -> None:
        """Guess every height anew but those that can be known, and place what is in sight."""
        letters = QFontMetricsF(theme.font(Type.READING))
        scale = reading_preferences.now().percent / 100
        line = LINE_HEIGHT * theme.font_px(Type.READING) * scale
        in_a_line = max(1.0, (self.viewport().width() - 2 * WIDE) / (letters.averageCharWidth() * scale))
        self._heights = [
            round(theme.px(_HEAD_PX) + line * (1 + len(block.content) / in_a_line)) for block in self._blocks
        ]
        for place, section in self._sections.items():
            self._heights[place] = section.wanted_height(self.viewport().width())
        self._place()

    @Slot()
    def _place(self) -> None:
        """Put a section wherever one is in sight, and fetch those back that have left it."""
        if self._is_placing or not self._blocks or not self.isVisible():
            return
        self._is_placing = True
        width = self.viewport().width()
        for _ in range(_SETTLES_AFTER):
            wanted = self._wanted()
            self._release([place for place in self._sections if place not in wanted])
            if not self._make_true([place for place in wanted if place not in self._sections], width):
                break
        top = 0
        for place, height in enumerate(self._heights):
            if (section := self._sections.get(place)) is not None:
                section.setGeometry(QRect(0, top, width, height))
                section.show()
            top += height
        self._inner.resize(width, top)
        self._order_tabs()
        self._is_placing = False
        for section in list(self._spare):
            if section in self._spare:  # hiding one may move the keyboard, and that another one
                section.hide()

    def _wanted(self) -> list[int]:
        """The places in sight or half a screen away from it, and the active one."""
        high = self.viewport().height()
        low, upto = (
            self.verticalScrollBar().value() - high // 2,
            self.verticalScrollBar().value() + 3 * high // 2,
        )
        top, wanted = 0, []
        for place, height in enumerate(self._heights):
            if (top < upto and top + height > low) or place == self._active:
                wanted.append(place)
            top += height
        return wanted

    def _make_true(self, places: Iterable[int], width: int) -> bool:
        """Fill sections for these places and learn their heights; whether one was made."""
        made = False
        for place in places:
            section = self._spare.pop() if self._spare else self._new_section()
            self._sections[place] = section
            section.move(0, -_FAR_PX)
            section.show()  # what is hidden is not laid out
            self._fill(place, section)
            self._learn(place, section.wanted_height(width))
            made = True
        return made

    def _fill(self, place: int, section: SummarySection) -> None:
        section.show_block(self._blocks[place])
        section.show_active(place == self._active)
        section.show_selected(*self._selected)
        section.text.show_hovered(self._hovered)
        section.text.show_proposed(self._proposed_in(section))

    def _proposed_in(self, section: SummarySection) -> tuple[Span, ...]:
        summary_id, spans = self._proposed
        return spans if section.block.id == summary_id else ()

    def _learn(self, place: int, height: int) -> None:
        """Take on a true height; what is in sight stays where it is."""
        changed, bar = height - self._heights[place], self.verticalScrollBar()
        is_above = sum(self._heights[: place + 1]) <= bar.value()
        self._heights[place] = height
        if changed and is_above:
            self._inner.resize(self._inner.width(), sum(self._heights))
            bar.setValue(bar.value() + changed)

    def _release(self, places: Iterable[int]) -> None:
        for place in places:
            self._spare.append(self._sections.pop(place))

    def _bring_in_sight(self, place: int) -> None:
        top, high = sum(self._heights[:place]), self.viewport().height()
        bar = self.verticalScrollBar()
        if top < bar.value() or top + self._heights[place] > bar.value() + high:
            bar.setValue(max(0, min(top, top + self._heights[place] // 2 - high // 2)))

    def _order_tabs(self) -> None:
        ordered = [self._sections[place] for place in sorted(self._sections)]
        for before, after in pairwise(ordered):
            QWidget.setTabOrder(before.text, after.done_button)
            QWidget.setTabOrder(after.done_button, after.flag_button)
            QWidget.setTabOrder(after.flag_button, after.text)

    def _new_section(self) -> SummarySection:
        section = SummarySection(self._inner)
        text = section.text
        section.entered.connect(lambda: self.entered.emit(section.block.id))
        section.stepped.connect(lambda by: self._step(section, by))
        section.flag_pressed.connect(lambda: self.flag_pressed.emit(section.block.id))
        section.done_pressed.connect(lambda: self.done_pressed.emit(section.block.id))
        text.unit_hovered.connect(self.unit_hovered)
        text.unit_clicked.connect(self.unit_clicked)
        text.words_selected.connect(self.words_selected)
        text.cursorPositionChanged.connect(lambda: self._follow_caret(section))
        self.text_added.emit(text)
        return section

    def _step(self, section: SummarySection, by: int) -> None:
        place = next(place for place, each in self._sections.items() if each is section) + by
        if 0 <= place < len(self._blocks):
            self.entered.emit(self._blocks[place].id)

    def _follow_caret(self, section: SummarySection) -> None:
        if section.text.hasFocus() and not self._is_placing:
            caret = section.text.cursorRect()
            point = section.text.viewport().mapTo(self._inner, caret.center())
            self.ensureVisible(point.x(), point.y(), 0, caret.height())
