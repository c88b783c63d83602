"""A topic's references with their marks: all of them or one, whole or what is not covered yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QFrame, QScrollArea

from core.domain.study import Span
from gui.annotation.annotated_text import AnnotatedText
from gui.pages.pyramid.reference_section import ReferenceSection
from gui.pages.pyramid.reference_splitter import STACKED, ReferencePanel
from gui.pages.pyramid.values import ReferenceText, WordSelection
from gui.widgets.steady_scroll_bar import keep_room_for_bar


class ReferenceStack(QScrollArea):
    """References in one scroll, each at full height; or side by side, where each scrolls by itself.

    Words are selected in one of them at a time.

    Signals:
        unit_hovered, unit_clicked: an SCU; hovering none is empty. units_hovered: all under the pointer.
        part_resized: reference id, SCU, the part's span and the one it is to have.
        words_selected: what is selected, or where, changed.
        alone_changed: the place of the reference that is shown alone, from 1 (0 = all are), of how many.
        laid_out: ``stacked`` or ``beside``.
    """

    unit_hovered = Signal(str)
    units_hovered = Signal(object)
    unit_clicked = Signal(str)
    part_resized = Signal(str, str, object, object)
    words_selected = Signal()
    alone_changed = Signal(int, int)
    laid_out = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        keep_room_for_bar(self)
        self.viewport().setAutoFillBackground(False)
        self._board = ReferencePanel()
        self.setWidget(self._board)
        self._board.setAutoFillBackground(False)  # setWidget has set it: the panel's surface is to show
        self._sections: list[ReferenceSection] = []
        self._shown = 0
        self._menu: list[QAction] = []
        self._alone: int | None = None
        self._layout_key, self._shows_covered = STACKED, True
        self._active: AnnotatedText | None = None

    @property
    def sections(self) -> Sequence[ReferenceSection]:
        """The references of the topic, in order."""
        return self._sections[: self._shown]

    @property
    def alone(self) -> int | None:
        """The place of the reference that is shown alone, from 0; None = all are shown."""
        return self._alone

    def section(self, text_id: str) -> ReferenceSection | None:
        """The section of a reference."""
        return next((section for section in self.sections if section.text_id == text_id), None)

    def show_references(self, references: Sequence[ReferenceText]) -> None:
        """Show these references without marks; sections are kept for the next topic."""
        while len(self._sections) < len(references):
            self._add_section()
        self._shown = len(references)
        self._active = None
        for section, reference in zip(self._sections, references, strict=False):
            section.show_reference(reference)
        for section in self._sections:
            section.text.show_selected("")
        self.show_alone(None)
        self.verticalScrollBar().setValue(0)
        self.horizontalScrollBar().setValue(0)

    def offer_menu(self, actions: Sequence[QAction]) -> None:
        """Give every text this menu."""
        self._menu = list(actions)
        for section in self._sections:
            section.text.addActions(self._menu)

    def show_layout(self, layout: str) -> None:
        """Put the references below each other (``stacked``) or side by side (``beside``)."""
        self._layout_key = layout
        on, off = Qt.ScrollBarPolicy.ScrollBarAlwaysOn, Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(on if layout == STACKED else off)
        needed = Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setHorizontalScrollBarPolicy(off if layout == STACKED else needed)
        self._place()
        self.laid_out.emit(layout)

    def show_alone(self, place: int | None) -> None:
        """Show one reference, by its place from 0, or all; the keyboard stays in what is shown."""
        self._alone = place if place is not None and place < self._shown else None
        had_focus = any(section.text.hasFocus() for section in self.sections)
        self._place()
        if self._alone is not None and had_focus:
            self._sections[self._alone].text.setFocus(Qt.FocusReason.OtherFocusReason)
        self.alone_changed.emit(0 if self._alone is None else self._alone + 1, self._shown)

    def show_covered(self, is_shown: bool) -> None:
        """Show whole texts, or only what no SCU covers."""
        self._shows_covered = is_shown
        for section in self._sections:
            section.show_covered(is_shown)

    def show_selected(self, unit_id: str, *, reveal: bool = False) -> None:
        """Ring an SCU's parts everywhere; `reveal` scrolls each text to them."""
        for section in self.sections:
            section.text.show_selected(unit_id)
        if reveal and unit_id:
            for section in self.sections:
                section.text.reveal(unit_id)
            firsts = [(section, section.text.first_place(unit_id)) for section in self.sections]
            self._bring_one_in_sight([(section, at) for section, at in firsts if at is not None])

    def show_hovered(self, unit_id: str) -> None:
        """Ring an SCU's parts lightly everywhere."""
        for section in self.sections:
            section.text.show_hovered(unit_id)

    def show_proposed(self, spans: Mapping[str, Sequence[Span]]) -> None:
        """Ring words that are only proposed, by the reference's id, and bring the first of them in sight."""
        for section in self.sections:
            section.text.show_proposed(spans.get(section.text_id, ()))
        ringed = [section for section in self.sections if spans.get(section.text_id)]
        if ringed and not any(section.isVisible() for section in ringed):
            self.show_alone(self.sections.index(ringed[0]))
        self._bring_one_in_sight([(s, min(start for start, _ in spans[s.text_id])) for s in ringed])

    def selection(self) -> WordSelection:
        """The words selected for the next edit."""
        section = self._active_section()
        return WordSelection(section.text_id, section.text.selected_spans()) if section else WordSelection()

    def caret(self) -> tuple[str, int]:
        """The reference that has the keyboard and the caret's place in it; an empty id = none has it."""
        place = self._focused()
        section = None if place is None else self._sections[place]
        return (section.text_id, section.text.caret) if section else ("", 0)

    def keep_part(self) -> bool:
        """Keep the selected words for the next edit; whether there were some."""
        return self._active.keep_part() if self._active else False

    def drop_selection(self) -> None:
        """Select nothing any more."""
        for section in self.sections:
            section.text.drop_selection()

    def point_at(self, text_id: str, span: Span) -> None:
        """Select a span of a reference, scroll to it and put the keyboard there."""
        for place, section in enumerate(self.sections):
            if section.text_id == text_id:
                if self._alone not in (None, place):
                    self.show_alone(place)
                section.text.point_at(span)
                self._bring_one_in_sight([(section, span[0])])

    def reveal_place(self, text_id: str, place: int) -> None:
        """Scroll to a place of a reference; what is selected stays, and so does the keyboard."""
        section = self.section(text_id)
        if section is not None and section.isVisible():
            section.text.reveal_places([place])
            self._bring_one_in_sight([(section, place)])

    def step(self, by: int) -> None:
        """Put the keyboard into the reference before (-1) or after (+1), going round."""
        if not self._shown:
            return
        at = self._alone if self._alone is not None else self._focused()
        place = (at + by) % self._shown if at is not None else (0 if by > 0 else self._shown - 1)
        if self._alone is not None:
            self.show_alone(place)
        section = self._sections[place]
        section.text.setFocus(Qt.FocusReason.OtherFocusReason)
        if section.text.caret:
            self._bring_one_in_sight([(section, section.text.caret)])
        else:
            self.ensureVisible(section.x(), section.y(), 0, 0)
            self._bring_one_in_sight([(section, 0)])

    def toggle_alone(self) -> None:
        """Show the reference that has the keyboard alone, the first one if none has it; or all again."""
        self.show_alone((self._focused() or 0) if self._alone is None else None)

    def step_uncovered(self, by: int) -> bool:
        """Select the uncovered words before (-1) or after (+1) the caret, in whatever reference is shown.

        Goes round; whether there are some.
        """
        found = [
            (p, span) for p, s in enumerate(self.sections) if s.isVisible() for span in s.text.uncovered()
        ]
        if not found:
            return False
        place = self._focused()
        caret = (-1, -1) if place is None else (place, max(self._sections[place].text.caret - 1, 0))
        if by > 0:
            chosen = next((at for at in found if (at[0], at[1][0]) > caret), found[0])
        else:
            before = [at for at in found if (at[0], at[1][1]) <= caret]
            chosen = before[-1] if before else found[-1]
        self.point_at(self._sections[chosen[0]].text_id, chosen[1])
        return True

    def _place(self) -> None:
        shown = [s for p, s in enumerate(self.sections) if self._alone in (None, p)]
        for section in self._sections:
            section.setVisible(section in shown)
            section.show_alone(self._alone is not None)
            section.alone_button.setEnabled(self._shown > 1)
        self._board.show_sections(shown, self._layout_key)

    def _focused(self) -> int | None:
        return next((place for place, s in enumerate(self.sections) if s.text.hasFocus()), None)

    def _active_section(self) -> ReferenceSection | None:
        return next((section for section in self.sections if section.text is self._active), None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Page up and down go by what is in sight, for a text in the common scroll is higher than that."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            by = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}.get(Qt.Key(event.key()))
            section = next((s for s in self.sections if s.text is watched), None)
            plain = event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier == Qt.KeyboardModifier.NoModifier
            if by and section is not None and plain and self._layout_key == STACKED:
                is_drawn = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
                section.text.move_caret_down(by * self.viewport().height(), is_drawn=is_drawn)
                return True
        return super().eventFilter(watched, event)

    def _bring_one_in_sight(self, places: Sequence[tuple[ReferenceSection, int]]) -> None:
        """Scroll to the first of these places of texts, unless one of them is in sight."""
        if not places:
            return
        boxes = [self._box(section, place) for section, place in places]
        top, high = self.verticalScrollBar().value(), self.viewport().height()
        left, wide = self.horizontalScrollBar().value(), self.viewport().width()
        seen = QRect(left, top, wide, high)
        if any(seen.contains(box) for box in boxes):
            return
        if self._layout_key == STACKED:
            self.verticalScrollBar().setValue(boxes[0].top() - high // 3)
        else:
            self.ensureWidgetVisible(places[0][0], 0, 0)

    def _box(self, section: ReferenceSection, place: int) -> QRect:
        """The box of a place of a text on the board."""
        box = section.text.box_of(place)
        return box.translated(section.text.viewport().mapTo(self._board, QPoint(0, 0)))

    def _follow_caret(self, section: ReferenceSection) -> None:
        if section.text.hasFocus() and self._layout_key == STACKED:
            caret = self._box(section, section.text.caret)
            self.ensureVisible(self.horizontalScrollBar().value(), caret.center().y(), 0, caret.height())

    def _add_section(self) -> None:
        section, place = ReferenceSection(), len(self._sections)
        section.setParent(self._board)
        section.show_covered(self._shows_covered)
        text = section.text
        text.addActions(self._menu)
        text.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        text.unit_hovered.connect(self.unit_hovered)
        text.units_hovered.connect(self.units_hovered)
        text.unit_clicked.connect(self.unit_clicked)
        text.words_selected.connect(lambda: self._select_in(text))
        text.cursorPositionChanged.connect(lambda: self._follow_caret(section))
        text.installEventFilter(self)
        text.allow_resizing()
        text.part_resized.connect(
            lambda unit, before, after: self.part_resized.emit(section.text_id, unit, before, after)
        )
        section.alone_requested.connect(lambda: self.show_alone(place if self._alone is None else None))
        self._sections.append(section)

    def _select_in(self, text: AnnotatedText) -> None:
        if text.selected_spans() and text is not self._active:
            before, self._active = self._active, text
            if before is not None:
                before.drop_selection()
        if text is self._active:
            self.words_selected.emit()
