"""How references are shown: their layout, one of them alone, what is not covered yet."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QStackedWidget, QWidget

from gui.pages.pyramid.reference_section import LEAST_WIDTH
from gui.pages.pyramid.reference_splitter import BESIDE, STACKED
from gui.style import icons
from gui.style.theme import MEDIUM, SMALL, TIGHT, px
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import ActionButton, link_button
from gui.widgets.segmented_control import Segmented
from gui.widgets.stepper import Stepper

_LAYOUTS = ((STACKED, "Stacked", "rows"), (BESIDE, "Side by side", "columns"))
_UNCOVERED = "Uncovered only"
_WORDS_FROM = 470


class ReferenceBar(QWidget):
    """The row of controls above the references.

    Signals:
        layout_chosen: ``stacked`` or ``beside``.
        uncovered_chosen: whether only what is not covered is to be shown.
        all_requested: all references instead of one. stepped: to the one before (-1) or after (+1).
    """

    layout_chosen = Signal(str)
    uncovered_chosen = Signal(bool)
    all_requested = Signal()
    stepped = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.layouts = Segmented("Layout of references", [(key, title) for key, title, _ in _LAYOUTS])
        self.place, self.all_button = Stepper("reference"), link_button("Show all")
        self.uncovered_box = QCheckBox(_UNCOVERED)
        self.uncovered_box.setAccessibleName(_UNCOVERED)
        self.uncovered_box.setToolTip("Fold away every word that an SCU covers")
        self.previous_button = ActionButton("chevron-up", "Previous uncovered words")
        self.next_button = ActionButton("chevron-down", "Next uncovered words")
        self._either = QStackedWidget()
        self._arrange()
        self.layouts.chosen.connect(self.layout_chosen)
        self.uncovered_box.toggled.connect(self.uncovered_chosen)
        self.all_button.clicked.connect(self.all_requested)
        self.place.previous_requested.connect(lambda: self.stepped.emit(-1))
        self.place.next_requested.connect(lambda: self.stepped.emit(+1))

    @Slot(int, int)
    def show_alone(self, position: int, total: int) -> None:
        """Offer the way to the other references; position 0 = all are shown."""
        self._either.setCurrentIndex(1 if position else 0)
        self.place.show_place("", "", position, total)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit(has_room=self.width() >= px(_WORDS_FROM))

    def _fit(self, *, has_room: bool) -> None:
        """Say layouts in words where there is room, else by drawings."""
        style = Qt.ToolButtonStyle.ToolButtonTextOnly if has_room else Qt.ToolButtonStyle.ToolButtonIconOnly
        for key, title, drawing in _LAYOUTS:
            button = self.layouts.button(key)
            button.setToolButtonStyle(style)
            button.setToolTip(plain_tip("" if has_room else title))
            icons.set_icon(button, drawing)
        self.uncovered_box.setText(_UNCOVERED if has_room else "Uncovered")

    def minimumSizeHint(self) -> QSize:
        return QSize(px(LEAST_WIDTH), super().minimumSizeHint().height())

    def _arrange(self) -> None:
        self._either.addWidget(_from_the_left(self.layouts))
        self._either.addWidget(_from_the_left(self.place, self.all_button))
        row = QHBoxLayout(self)
        row.setContentsMargins(MEDIUM, SMALL, MEDIUM, 0)
        row.setSpacing(TIGHT)
        row.addWidget(self._either)
        row.addStretch(1)
        for button in (self.uncovered_box, self.previous_button, self.next_button):
            row.addWidget(button)


def _from_the_left(*widgets: QWidget) -> QWidget:
    """Widgets side by side, no wider than they want to be."""
    whole = QWidget()
    row = QHBoxLayout(whole)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(TIGHT)
    for widget in widgets:
        row.addWidget(widget)
    row.addStretch(1)
    return whole
