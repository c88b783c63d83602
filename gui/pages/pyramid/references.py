"""References of a topic with their marks, all or one, whole or uncovered text only; the controls above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QScrollArea, QStackedWidget, QWidget

from core.domain.pyramid import UnitKind
from core.domain.study import Span, Text
from gui.annotation.text.annotated_text import AnnotatedText
from gui.annotation.text.marks import Mark
from gui.annotation.text.summary_columns import TextSection
from gui.pages.pyramid.rows import WordSelection
from gui.session.context import Context
from gui.style import icons
from gui.style.language import in_terms_of, plain_tip, tr
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.buttons import ActionButton, icon_button, link_button, rename
from gui.widgets.controls import Segmented, Stepper
from gui.widgets.label import Label, rule
from gui.widgets.layouts import Stretch, extend, fill_area, hbox, keep_room_for_bar
from gui.widgets.notice import ShareBar

STACKED, SIDE_BY_SIDE = "stacked", "beside"
"""Layouts of the references, as stored in the settings."""
MIN_WIDTH_PX = 216
_BAR_PX, _WORD_COUNT_FROM_PX, _BAR_FROM_PX = 54, 430, 300


class ReferenceSection(TextSection):
    """Header and text of a reference.

    Signals:
        alone_requested: show it alone, or all references again.
    """

    alone_requested = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Reference"))
        self.text_id = ""
        self.word_count_label = Label("", Type.SMALL, "muted")
        self.bar, self.covered_label = ShareBar(tr("Covered")), Label("", Type.SMALL)
        self.bar.setFixedWidth(px(_BAR_PX))
        self.alone_button = icon_button("expand", tr("Show only this reference"))
        self._covered, self._has_own_name = 0.0, False
        self._shown: tuple[object, ...] = ()
        self.header = self._make_header()
        keep_room_for_bar(self.text)
        extend(self._column, self.header, (self.text, 1), rule())
        self.alone_button.clicked.connect(self.alone_requested)

    def show_reference(self, reference: Text, letter: str) -> None:
        """Show a reference. letter: its short name in the topic."""
        self.text_id = reference.id
        self._has_own_name = reference.name != letter
        name = reference.name if self._has_own_name else tr("Reference {letter}", letter=letter)
        self.badge.setText(letter)
        self.name_label.setText(name)
        self.text.setAccessibleName(tr("Reference {letter}", letter=letter))
        self.text.show_text(reference.content, reference.language)
        self.word_count_label.setText(self.text.word_count_text)
        self.show_marks((), 0.0)

    def show_marks(self, marks: tuple[Mark, ...], covered: float) -> None:
        """Show the marks and the share of words that they cover, from 0 to 1."""
        self.text.show_marks(marks)
        self._covered = covered
        self._show_share()

    def show_alone(self, is_alone: bool) -> None:
        """Set whether the button shows this reference alone or all references again."""
        name = tr("Show all references") if is_alone else tr("Show only this reference")
        icons.set_icon(self.alone_button, "shrink" if is_alone else "expand")
        self.alone_button.setToolTip(plain_tip(name))
        self.alone_button.setAccessibleName(f"{name}: {self.badge.text()}")

    def free_height(self) -> None:
        """Allow any height; the text then scrolls by itself."""
        self.text.free_height()
        self.text.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle double clicks on the header."""
        is_double = isinstance(event, QMouseEvent) and event.type() is QEvent.Type.MouseButtonDblClick
        if is_double:
            self.alone_requested.emit()
        return is_double

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.word_count_label.setVisible(self.width() >= px(_WORD_COUNT_FROM_PX))
        self.bar.setVisible(self.width() >= px(_BAR_FROM_PX))
        self.name_label.setVisible(self.width() >= px(_BAR_FROM_PX) or self._has_own_name)
        self._show_share()

    def _show_share(self) -> None:
        before = self._shown
        self._shown = self._covered, self.width() >= px(_BAR_FROM_PX), self.text.word_count_text
        if self._shown == before:
            return
        self.bar.show_share(self._covered)
        share = 100 * self._covered
        text = tr("{share:.0f} % covered", share=share)
        self.covered_label.setText(text if self.width() >= px(_BAR_FROM_PX) else f"{share:.0f} %")
        rename(self.covered_label, text)
        self.text.setAccessibleDescription(
            tr("{word_count_text}, {text}, read only", word_count_text=self.text.word_count_text, text=text)
        )

    def _make_header(self) -> QWidget:
        header = QWidget()
        parts = self.badge, self.name_label, self.word_count_label, Stretch(1)
        row = hbox(*parts, parent=header, margins=(SMALL, TIGHT, SMALL, 0), spacing=SMALL)
        for control in (self.bar, self.covered_label, self.alone_button):
            row.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
        header.setToolTip(tr("Double-click to show only this reference"))
        header.installEventFilter(self)
        return header


class ReferencePanel(QWidget):
    """Lays out the sections: in one column at full text height, or side by side at the height of the view."""

    def __init__(self) -> None:
        super().__init__()
        self._sections: Sequence[ReferenceSection] = ()
        self._layout_key = STACKED

    def show_sections(self, sections: Sequence[ReferenceSection], layout: str) -> None:
        """Lay out these sections, in this order. layout: STACKED or SIDE_BY_SIDE."""
        self._sections, self._layout_key = tuple(sections), layout
        self._arrange()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._arrange()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        if not self._sections:
            return
        if self._layout_key == STACKED:
            self._place_stacked()
        else:
            self._place_side_by_side()

    def _place_stacked(self) -> None:
        top = 0
        for section in self._sections:
            height = section.fit_height(self.width())
            section.setGeometry(0, top, self.width(), height)
            top += height
        self.setMinimumSize(QSize(0, top))

    def _place_side_by_side(self) -> None:
        count, min_width = len(self._sections), px(MIN_WIDTH_PX)
        for section in self._sections:
            section.free_height()
        self.setMinimumSize(
            QSize(count * min_width, max(s.minimumSizeHint().height() for s in self._sections))
        )
        edges = [max(self.width(), count * min_width) * i // count for i in range(count + 1)]
        for section, left, right in zip(self._sections, edges, edges[1:], strict=False):
            section.setGeometry(left, 0, right - left, self._view_height())

    def _view_height(self) -> int:
        area = self.parentWidget()
        return area.height() if area is not None else self.height()


class ReferenceStack(QScrollArea):
    """References in one scroll area at full height, or side by side with a scroll bar each.

    Only one of them has a selection at a time.

    Signals:
        unit_hovered, unit_clicked: SCU id; empty if none is hovered.
        units_hovered: ids of all SCUs under the pointer.
        part_resized: reference id, SCU id, old and new span of the part.
        words_selected: the selection changed.
        alone_changed: number of the reference displayed alone, from 1 (0: all are displayed); total.
        layout_changed: STACKED or SIDE_BY_SIDE.
        text_added: a new AnnotatedText.
    """

    unit_hovered = Signal(str)
    units_hovered = Signal(object)
    unit_clicked = Signal(str)
    part_resized = Signal(str, str, object, object)
    words_selected = Signal()
    alone_changed = Signal(int, int)
    layout_changed = Signal(str)
    text_added = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        keep_room_for_bar(self)
        self._panel = ReferencePanel()
        fill_area(self, self._panel)
        self._sections: list[ReferenceSection] = []
        self._number = 0
        self.alone: int | None = None  # index of the reference displayed alone; None if all are displayed
        self._layout_key, self._shows_covered = STACKED, True
        self._active: AnnotatedText | None = None

    @property
    def sections(self) -> Sequence[ReferenceSection]:
        """Return the sections of the topic, in order."""
        return self._sections[: self._number]

    def section(self, text_id: str) -> ReferenceSection | None:
        """Return the section of a reference; None if the topic does not have it."""
        return next((section for section in self.sections if section.text_id == text_id), None)

    def show_references(self, references: Sequence[Text], letters: Sequence[str]) -> None:
        """Show these references without marks. Sections are reused for the next topic."""
        self.reserve(len(references))
        self._number = len(references)
        self._active = None
        for section, reference, letter in zip(self._sections, references, letters, strict=False):
            section.show_reference(reference, letter)
        for section in self._sections:
            section.text.show_selected("")
        self.show_alone(None)
        self.verticalScrollBar().setValue(0)
        self.horizontalScrollBar().setValue(0)

    def reserve(self, number: int) -> None:
        """Create as many sections as a topic has references."""
        while len(self._sections) < number:
            self._add_section()

    def show_layout(self, layout: str) -> None:
        """Lay out the references. layout: STACKED or SIDE_BY_SIDE."""
        self._layout_key = layout
        on, off = Qt.ScrollBarPolicy.ScrollBarAlwaysOn, Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(on if layout == STACKED else off)
        needed = Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setHorizontalScrollBarPolicy(off if layout == STACKED else needed)
        self._arrange()
        self.layout_changed.emit(layout)

    def show_alone(self, index: int | None) -> None:
        """Show one reference by its index, or all. The focus moves to a displayed reference."""
        self.alone = index if index is not None and index < self._number else None
        had_focus = any(section.text.hasFocus() for section in self.sections)
        self._arrange()
        if self.alone is not None and had_focus:
            self._sections[self.alone].text.setFocus(Qt.FocusReason.OtherFocusReason)
        self.alone_changed.emit(0 if self.alone is None else self.alone + 1, self._number)

    def show_covered(self, is_visible: bool) -> None:
        """Show whole texts, or only uncovered text."""
        self._shows_covered = is_visible
        for section in self._sections:
            section.text.show_covered(is_visible)

    def show_selected(self, unit_id: str, *, reveal: bool = False) -> None:
        """Outline the parts of an SCU. reveal: scroll every text to them."""
        for section in self.sections:
            section.text.show_selected(unit_id)
        if reveal and unit_id:
            for section in self.sections:
                section.text.reveal(unit_id)
            offsets = [(section, section.text.first_position(unit_id)) for section in self.sections]
            self._ensure_one_visible([(section, at) for section, at in offsets if at is not None])

    def show_hovered(self, unit_id: str) -> None:
        """Highlight the parts of the hovered SCU; empty for none."""
        for section in self.sections:
            section.text.show_hovered(unit_id)

    def show_proposed(self, spans: Mapping[str, Sequence[Span]]) -> None:
        """Outline suggested spans, by reference id, and scroll to the first one."""
        for section in self.sections:
            section.text.show_proposed(spans.get(section.text_id, ()))
        outlined = [section for section in self.sections if spans.get(section.text_id)]
        if outlined and not any(section.isVisible() for section in outlined):
            self.show_alone(self.sections.index(outlined[0]))
        self._ensure_one_visible([(s, min(start for start, _ in spans[s.text_id])) for s in outlined])

    def selection(self) -> WordSelection:
        """Return the spans selected for the next edit, else the first that are kept in a reference."""
        section = self._chosen_section()
        return WordSelection(section.text_id, section.text.selected_spans()) if section else WordSelection()

    def caret(self) -> tuple[str, int]:
        """Return the id of the focused reference (empty without focus) and its text cursor offset."""
        place = self._focused()
        section = None if place is None else self._sections[place]
        return (section.text_id, section.text.caret) if section else ("", 0)

    def keep_words(self) -> bool:
        """Keep the selected words for the next edit in their reference; return False without a selection."""
        return self._active.add_pending_span() if self._active else False

    def drop_selection(self) -> None:
        """Clear the selection that an edit has used; words kept in other references stay."""
        if (section := self._chosen_section()) is not None:
            section.text.drop_selection()

    def point_at(self, text_id: str, span: Span) -> None:
        """Select a span of a reference, scroll to it and focus it."""
        for place, section in enumerate(self.sections):
            if section.text_id == text_id:
                if self.alone not in (None, place):
                    self.show_alone(place)
                section.text.point_at(span)
                self._ensure_one_visible([(section, span[0])])

    def reveal_offset(self, text_id: str, offset: int) -> None:
        """Scroll to an offset of a reference; keep selection and focus."""
        section = self.section(text_id)
        if section is not None and section.isVisible():
            section.text.reveal_positions([offset])
            self._ensure_one_visible([(section, offset)])

    def step(self, by: int) -> None:
        """Focus the previous (-1) or next (+1) reference, wrapping around."""
        if not self._number:
            return
        at = self.alone if self.alone is not None else self._focused()
        place = (at + by) % self._number if at is not None else (0 if by > 0 else self._number - 1)
        if self.alone is not None:
            self.show_alone(place)
        section = self._sections[place]
        section.text.setFocus(Qt.FocusReason.OtherFocusReason)
        if section.text.caret:
            self._ensure_one_visible([(section, section.text.caret)])
        else:
            self.ensureVisible(section.x(), section.y(), 0, 0)
            self._ensure_one_visible([(section, 0)])

    def toggle_alone(self) -> None:
        """Show only the focused reference, or the first one without focus; or show all again."""
        self.show_alone((self._focused() or 0) if self.alone is None else None)

    def step_uncovered(self, by: int) -> bool:
        """Select the uncovered text before (-1) or after (+1) the text cursor, in any displayed reference.

        Wraps around. Returns False if there is no uncovered text.
        """
        gaps = [
            (i, span) for i, s in enumerate(self.sections) if s.isVisible() for span in s.text.uncovered()
        ]
        if not gaps:
            return False
        focused = self._focused()
        caret = (-1, -1) if focused is None else (focused, max(self._sections[focused].text.caret - 1, 0))
        if by > 0:
            index, span = next(((i, span) for i, span in gaps if (i, span[0]) > caret), gaps[0])
        else:
            before = [(i, span) for i, span in gaps if (i, span[1]) <= caret]
            index, span = before[-1] if before else gaps[-1]
        self.point_at(self._sections[index].text_id, span)
        return True

    def _arrange(self) -> None:
        visible = [s for i, s in enumerate(self.sections) if self.alone in (None, i)]
        for section in self._sections:
            section.setVisible(section in visible)
            section.show_alone(self.alone is not None)
            section.alone_button.setEnabled(self._number > 1)
        self._panel.show_sections(visible, self._layout_key)

    def _focused(self) -> int | None:
        return next((place for place, s in enumerate(self.sections) if s.text.hasFocus()), None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let Page Up and Page Down scroll by the viewport, because stacked texts are higher than it."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            by = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}.get(Qt.Key(event.key()))
            section = next((s for s in self.sections if s.text is watched), None)
            plain = event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier == Qt.KeyboardModifier.NoModifier
            if by and section is not None and plain and self._layout_key == STACKED:
                is_drawn = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
                section.text.move_caret_down(by * self.viewport().height(), is_drawn=is_drawn)
                return True
        return super().eventFilter(watched, event)

    def _ensure_one_visible(self, places: Sequence[tuple[ReferenceSection, int]]) -> None:
        """Scroll to the first of these text offsets, unless one of them is visible."""
        if not places:
            return
        boxes = [self._box(section, place) for section, place in places]
        top, high = self.verticalScrollBar().value(), self.viewport().height()
        left, wide = self.horizontalScrollBar().value(), self.viewport().width()
        visible = QRect(left, top, wide, high)
        if any(visible.contains(box) for box in boxes):
            return
        if self._layout_key == STACKED:
            self.verticalScrollBar().setValue(boxes[0].top() - high // 3)
        else:
            self.ensureWidgetVisible(places[0][0], 0, 0)

    def _box(self, section: ReferenceSection, place: int) -> QRect:
        """Return the rectangle of a text offset, in coordinates of the panel."""
        box = section.text.box_of(place)
        return box.translated(section.text.viewport().mapTo(self._panel, QPoint(0, 0)))

    def _follow_caret(self, section: ReferenceSection) -> None:
        if section.text.hasFocus() and self._layout_key == STACKED:
            caret = self._box(section, section.text.caret)
            self.ensureVisible(self.horizontalScrollBar().value(), caret.center().y(), 0, caret.height())

    def _add_section(self) -> None:
        section, index = ReferenceSection(), len(self._sections)
        section.setParent(self._panel)
        section.text.show_covered(self._shows_covered)
        text = section.text
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
        section.alone_requested.connect(lambda: self.show_alone(index if self.alone is None else None))
        self._sections.append(section)
        self.text_added.emit(text)

    def _chosen_section(self) -> ReferenceSection | None:
        """Return the section with the words for the next edit: the active one if it has some."""
        active = next((section for section in self.sections if section.text is self._active), None)
        others = (section for section in self.sections if section is not active)
        listed = (*((active,) if active is not None else ()), *others)
        return next((section for section in listed if section.text.selected_spans()), active)

    def _select_in(self, text: AnnotatedText) -> None:
        if text.selected_spans() and text is not self._active:
            before, self._active = self._active, text
            if before is not None:  # the words that it keeps stay
                cursor = before.textCursor()
                cursor.clearSelection()
                before.setTextCursor(cursor)
        if text is self._active:
            self.words_selected.emit()


_LAYOUTS = ((STACKED, tr("Stacked"), "rows"), (SIDE_BY_SIDE, tr("Side by side"), "columns"))
_UNCOVERED = tr("Uncovered only")
_TEXT_FROM_PX = 470


class ReferenceBar(QWidget):
    """The row of controls above the references."""

    def __init__(self, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__()
        self.layouts = Segmented(tr("Layout of references"), [(key, title) for key, title, _ in _LAYOUTS])
        self.place, self.all_button = Stepper(tr("reference")), link_button(tr("Show all"))
        self.uncovered_box = QCheckBox(_UNCOVERED)
        self.uncovered_box.setAccessibleName(_UNCOVERED)
        self.uncovered_box.setToolTip(plain_tip(in_terms_of(kind, tr("Hide text that is covered by an SCU"))))
        self.previous_button = ActionButton("chevron-up", tr("Previous uncovered words"))
        self.next_button = ActionButton("chevron-down", tr("Next uncovered words"))
        self._pages = QStackedWidget()
        self._pages.addWidget(_left_aligned(self.layouts))
        self._pages.addWidget(_left_aligned(self.place, self.all_button))
        self._row = row = hbox(
            self._pages, Stretch(1), parent=self, margins=(MEDIUM, SMALL, MEDIUM, 0), spacing=TIGHT
        )
        extend(row, self.uncovered_box, self.previous_button, self.next_button)

    @Slot(int, int)
    def show_alone(self, position: int, total: int) -> None:
        """Show which reference is displayed alone, counted from 1; 0 if all are displayed."""
        self._pages.setCurrentIndex(1 if position else 0)
        self.place.show_place("", "", position, total)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit(has_room=self.width() >= px(_TEXT_FROM_PX))

    def _fit(self, *, has_room: bool) -> None:
        """Label the layouts with text if it fits, else with icons."""
        style = Qt.ToolButtonStyle.ToolButtonTextOnly if has_room else Qt.ToolButtonStyle.ToolButtonIconOnly
        for key, title, icon in _LAYOUTS:
            button = self.layouts.button(key)
            button.setToolButtonStyle(style)
            button.setToolTip(plain_tip("" if has_room else title))
            icons.set_icon(button, icon)
        for text in [_UNCOVERED] if has_room else [tr("Uncovered"), ""]:  # at last an icon
            self.uncovered_box.setText(text)
            icons.set_icon(self.uncovered_box, "" if text else "eye-off")
            if self._row.minimumSize().width() <= self.width():
                break

    def minimumSizeHint(self) -> QSize:
        return QSize(px(MIN_WIDTH_PX), super().minimumSizeHint().height())


def _left_aligned(*widgets: QWidget) -> QWidget:
    """Return the widgets in a left-aligned row, at their preferred widths."""
    container = QWidget()
    hbox(*widgets, Stretch(1), parent=container, spacing=TIGHT)
    return container


ALL_COVERED = tr("Every word of these references is covered.")
NUMBERED = 9
"""Number of references with a shortcut of their own."""


class ReferenceLayoutController(QObject):
    """Connects the controls and the shortcuts to the references."""

    def __init__(self, stack: ReferenceStack, bar: ReferenceBar, context: Context, page: str) -> None:
        super().__init__(stack)
        self._stack, self._bar, self._context = stack, bar, context
        layout = context.settings.now.reference_layout
        bar.layouts.choose(layout)
        stack.show_layout(layout)
        bar.layouts.chosen.connect(self._lay_out)
        bar.uncovered_box.toggled.connect(lambda is_only: stack.show_covered(not is_only))
        bar.all_button.clicked.connect(lambda: stack.show_alone(None))
        bar.place.stepped.connect(stack.step)
        stack.alone_changed.connect(bar.show_alone)
        context.selection.pointed.connect(self._point_at)
        commands = context.commands
        for command, handler in (
            ("reference.beside", self._change_layout),
            ("reference.uncovered", bar.uncovered_box.toggle),
            ("reference.next_uncovered", lambda: self._step_uncovered(+1)),
            ("reference.previous_uncovered", lambda: self._step_uncovered(-1)),
            ("reference.next", lambda: stack.step(+1)),
            ("reference.previous", lambda: stack.step(-1)),
            ("reference.alone", stack.toggle_alone),
            ("reference.all", lambda: stack.show_alone(None)),
        ):
            commands.bind(command, handler, page)
        for number in range(1, NUMBERED + 1):
            commands.bind(f"reference.only_{number}", partial(self._toggle_only, number - 1), page)
        bar.next_button.follow(commands.action("reference.next_uncovered"))
        bar.previous_button.follow(commands.action("reference.previous_uncovered"))

    @Slot(str)
    def _lay_out(self, layout: str) -> None:
        self._context.settings.change(reference_layout=layout)
        self._bar.layouts.choose(layout)
        self._stack.show_layout(layout)

    @Slot(str, int, int)
    def _point_at(self, text_id: str, start: int, end: int) -> None:
        """Show text that another page points at, with covered text visible."""
        if self._stack.isVisible() and self._stack.section(text_id) is not None:
            self._bar.uncovered_box.setChecked(False)
            self._stack.point_at(text_id, (start, end))

    def _change_layout(self) -> None:
        keys = self._bar.layouts.keys
        self._lay_out(keys[(keys.index(self._bar.layouts.current) + 1) % len(keys)])

    def _toggle_only(self, index: int) -> None:
        if index < len(self._stack.sections):
            self._stack.show_alone(None if index == self._stack.alone else index)
            self._stack.sections[index].text.setFocus()

    def _step_uncovered(self, by: int) -> None:
        if not self._stack.step_uncovered(by):
            self._context.show_message(ALL_COVERED)
