"""Controls above the references: layout, single reference, uncovered text."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QStackedWidget, QWidget

from core.domain.pyramid import UnitKind
from gui.pages.pyramid.references.reference_section import MIN_WIDTH_PX, SIDE_BY_SIDE, STACKED
from gui.style import icons
from gui.style.language import in_terms_of, tr
from gui.style.theme import MEDIUM, SMALL, TIGHT, px
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import ActionButton, link_button
from gui.widgets.controls.segmented_control import Segmented
from gui.widgets.controls.stepper import Stepper

_LAYOUTS = ((STACKED, tr("Stacked"), "rows"), (SIDE_BY_SIDE, tr("Side by side"), "columns"))
_UNCOVERED = tr("Uncovered only")
_TEXT_FROM_PX = 470


class ReferenceBar(QWidget):
    """The row of controls above the references.

    Signals:
        stepped: go to the previous (-1) or next (+1) reference.
    """

    stepped = Signal(int)

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
        self._arrange()
        self.place.previous_button.clicked.connect(lambda: self.stepped.emit(-1))
        self.place.next_button.clicked.connect(lambda: self.stepped.emit(+1))

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
            self.layouts.set_text(key, title)  # with room for it
            if not has_room:
                button.setMinimumWidth(0)
            button.setToolTip(plain_tip("" if has_room else title))
            icons.set_icon(button, icon)
        self.uncovered_box.setText(_UNCOVERED if has_room else tr("Uncovered"))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(MIN_WIDTH_PX), super().minimumSizeHint().height())

    def _arrange(self) -> None:
        self._pages.addWidget(_left_aligned(self.layouts))
        self._pages.addWidget(_left_aligned(self.place, self.all_button))
        row = QHBoxLayout(self)
        row.setContentsMargins(MEDIUM, SMALL, MEDIUM, 0)
        row.setSpacing(TIGHT)
        row.addWidget(self._pages)
        row.addStretch(1)
        for button in (self.uncovered_box, self.previous_button, self.next_button):
            row.addWidget(button)


def _left_aligned(*widgets: QWidget) -> QWidget:
    """Return the widgets in a left-aligned row, at their preferred widths."""
    container = QWidget()
    row = QHBoxLayout(container)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(TIGHT)
    for widget in widgets:
        row.addWidget(widget)
    row.addStretch(1)
    return container
