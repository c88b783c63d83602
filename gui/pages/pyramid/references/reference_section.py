"""Sections of references, and the panel that lays them out."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gui.annotation.text.annotated_text import AnnotatedText
from gui.annotation.text.marks import Mark
from gui.pages.pyramid.values import ReferenceText
from gui.style import icons
from gui.style.language import tr
from gui.style.theme import SMALL, TIGHT, Type, px
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import icon_button
from gui.widgets.label import Badge, ElidedLabel, Label, rule
from gui.widgets.lists.scroll_column import keep_room_for_bar
from gui.widgets.progress_bar import ShareBar

STACKED, SIDE_BY_SIDE = "stacked", "beside"
"""Layouts of the references, as stored in the settings."""
MIN_WIDTH_PX = 216
_BAR_PX, _WORD_COUNT_FROM_PX, _BAR_FROM_PX = 54, 430, 300


class ReferenceSection(QFrame):
    """Header and text of a reference.

    Signals:
        alone_requested: show it alone, or all references again.
    """

    alone_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text_id = ""
        self.badge, self.name_label = Badge(""), ElidedLabel("", Type.STRONG)
        self.word_count_label = Label("", Type.SMALL, "muted")
        self.bar, self.covered_label = ShareBar(tr("Covered")), Label("", Type.SMALL)
        self.bar.setFixedWidth(px(_BAR_PX))
        self.alone_button = icon_button("expand", tr("Show only this reference"))
        self.text = AnnotatedText(tr("Reference"))
        self._covered, self._has_own_name = 0.0, False
        self.header = self._make_header()
        keep_room_for_bar(self.text)
        self._column = column = QVBoxLayout(self)
        column.setSpacing(0)
        column.setContentsMargins(TIGHT, 0, TIGHT, 0)
        column.addWidget(self.header)
        column.addWidget(self.text, 1)
        column.addWidget(rule())
        self.alone_button.clicked.connect(self.alone_requested)

    def show_reference(self, reference: ReferenceText) -> None:
        """Show another text."""
        self.text_id = reference.id
        self._has_own_name = reference.name != reference.letter
        name = reference.name if self._has_own_name else tr("Reference {letter}", letter=reference.letter)
        self.badge.setText(reference.letter)
        self.name_label.setText(name)
        self.text.setAccessibleName(tr("Reference {letter}", letter=reference.letter))
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

    def fit_height(self, width: int) -> int:
        """Fit the text to the height of its lines at this width; return the height of the section."""
        self.text.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.resize(width, self.height())
        self._column.activate()
        self.text.fit_height()
        return self._column.totalSizeHint().height()

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
        self.bar.show_share(self._covered)
        share = 100 * self._covered
        text = tr("{share:.0f} % covered", share=share)
        self.covered_label.setText(text if self.width() >= px(_BAR_FROM_PX) else f"{share:.0f} %")
        self.covered_label.setToolTip(plain_tip(text))
        self.covered_label.setAccessibleName(text)
        self.text.setAccessibleDescription(
            tr("{word_count_text}, {text}, read only", word_count_text=self.text.word_count_text, text=text)
        )

    def _make_header(self) -> QWidget:
        header = QWidget()
        row = QHBoxLayout(header)
        row.setContentsMargins(SMALL, TIGHT, SMALL, 0)
        row.setSpacing(SMALL)
        for widget in (self.badge, self.name_label, self.word_count_label):
            row.addWidget(widget)
        row.addStretch(1)
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
        """Return the height of the viewport."""
        area = self.parentWidget()
        return area.height() if area is not None else self.height()
