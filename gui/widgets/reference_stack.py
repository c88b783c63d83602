"""A topic's references, one below the other, each with its letter and how much of it is covered."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from gui.theme import MEDIUM, SMALL, TIGHT, Type, px
from gui.values.pyramid import ReferenceText, WordSelection
from gui.widgets.annotated_text import AnnotatedText
from gui.widgets.label import Badge, ElidedLabel, Label, rule
from gui.widgets.marks import Mark
from gui.widgets.progress_bar import ProgressBar

ZOOMS = (80, 90, 100, 110, 125, 150, 175, 200)
_BAR_PX = 54


class ReferenceSection(QFrame):
    """One reference: head and text."""

    def __init__(self) -> None:
        super().__init__()
        self.text_id = ""
        self.badge, self.name_label = Badge(""), ElidedLabel("", Type.STRONG)
        self.words_label = Label("", Type.SMALL, "muted")
        self.bar, self.covered_label = ProgressBar("Covered"), Label("", Type.SMALL)
        self.bar.setFixedWidth(px(_BAR_PX))
        self.text = AnnotatedText("Reference")
        self._marks: tuple[Mark, ...] | None = None
        head = QHBoxLayout()
        head.setContentsMargins(MEDIUM, SMALL, MEDIUM, 0)
        head.setSpacing(SMALL)
        for widget in (self.badge, self.name_label, self.words_label):
            head.addWidget(widget)
        head.addStretch(1)
        head.addWidget(self.bar)
        head.addWidget(self.covered_label)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.text, 1)
        column.addWidget(rule())
        column.setContentsMargins(TIGHT, 0, TIGHT, 0)

    def show_reference(self, reference: ReferenceText) -> None:
        """Show another text."""
        self.text_id = reference.id
        has_own_name = reference.name != reference.letter
        name = reference.name if has_own_name else f"Reference {reference.letter}"
        self.badge.setText(reference.letter)
        self.name_label.setText(name)
        self.text.setAccessibleName(f"Reference {reference.letter}")
        self.text.show_text(reference.content)
        self.words_label.setText(f"{self.text.word_count} words")
        self.show_marks((), 0.0)

    def show_marks(self, marks: tuple[Mark, ...], covered: float) -> None:
        """Show what is marked, and the share of words that it covers."""
        self.text.show_marks(marks)
        self.bar.show_share(covered)
        self.covered_label.setText(f"{100 * covered:.0f} % covered")


class ReferenceStack(QScrollArea):
    """References below each other; words are selected in one of them at a time.

    Signals:
        unit_hovered, unit_clicked: an SCU; hovering none is empty.
        words_selected: what is selected, or where, changed.
    """

    unit_hovered = Signal(str)
    unit_clicked = Signal(str)
    words_selected = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self._inner = QWidget()
        self._column = QVBoxLayout(self._inner)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.setWidget(self._inner)
        self._inner.setAutoFillBackground(False)  # setWidget has set it: the panel's surface is to show
        self._sections: list[ReferenceSection] = []
        self._shown = 0
        self._active: AnnotatedText | None = None
        self._zoom = ZOOMS.index(100)

    @property
    def sections(self) -> Sequence[ReferenceSection]:
        """What is shown, from top to bottom."""
        return self._sections[: self._shown]

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
        for place, section in enumerate(self._sections):
            section.setVisible(place < self._shown)
            section.text.show_selected("")
        self.verticalScrollBar().setValue(0)

    def show_selected(self, unit_id: str, *, reveal: bool = False) -> None:
        """Ring an SCU's parts everywhere; `reveal` scrolls each text to them."""
        for section in self.sections:
            section.text.show_selected(unit_id)
        if reveal and unit_id:
            found = [section for section in self.sections if section.text.reveal(unit_id)]
            if found and not any(self._is_in_sight(section) for section in found):
                self.ensureWidgetVisible(found[0], 0, MEDIUM)

    def show_hovered(self, unit_id: str) -> None:
        """Ring an SCU's parts lightly everywhere."""
        for section in self.sections:
            section.text.show_hovered(unit_id)

    def selection(self) -> WordSelection:
        """The words selected for the next edit."""
        section = self._active_section()
        return WordSelection(section.text_id, section.text.selected_spans()) if section else WordSelection()

    def caret(self) -> tuple[str, int]:
        """The reference that has the keyboard and the caret's place in it; an empty id = none has it."""
        section = next((section for section in self.sections if section.text.hasFocus()), None)
        return (section.text_id, section.text.caret) if section else ("", 0)

    def keep_part(self) -> bool:
        """Keep the selected words for the next edit; whether there were some."""
        return self._active.keep_part() if self._active else False

    def drop_selection(self) -> None:
        """Select nothing any more."""
        for section in self.sections:
            section.text.drop_selection()

    def zoom(self, step: int) -> None:
        """Show letters larger (+1) or smaller (-1)."""
        self._zoom = min(max(self._zoom + step, 0), len(ZOOMS) - 1)
        for section in self._sections:
            section.text.show_zoom(ZOOMS[self._zoom])

    def _active_section(self) -> ReferenceSection | None:
        return next((section for section in self.sections if section.text is self._active), None)

    def _is_in_sight(self, section: ReferenceSection) -> bool:
        return not section.visibleRegion().isEmpty()

    def _add_section(self) -> None:
        section = ReferenceSection()
        text = section.text
        text.show_zoom(ZOOMS[self._zoom])
        text.unit_hovered.connect(self.unit_hovered)
        text.unit_clicked.connect(self.unit_clicked)
        text.zoom_requested.connect(self.zoom)
        text.words_selected.connect(lambda: self._select_in(text))
        self._sections.append(section)
        self._column.addWidget(section, 1)

    def _select_in(self, text: AnnotatedText) -> None:
        if text.selected_spans() and text is not self._active:
            before, self._active = self._active, text
            if before is not None:
                before.drop_selection()
        if text is self._active:
            self.words_selected.emit()
