"""A column that scrolls where there is too little room for it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


class WholeWidthArea(QScrollArea):
    """Scrolls up and down only, so it is never narrower than its content: nothing is cut off at the right."""

    def minimumSizeHint(self) -> QSize:
        inner, bar = self.widget(), self.verticalScrollBar().sizeHint().width()
        width = inner.minimumSizeHint().width() + bar if inner is not None else 0
        return QSize(width, super().minimumSizeHint().height())


def scrolled(inner: QWidget, *, whole_width: bool = False) -> QScrollArea:
    """The widget in an area that scrolls up and down; what the area stands on shows through.

    whole_width: the area is never narrower than the widget can be.
    """
    area = WholeWidthArea() if whole_width else QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Tab goes to what is in it
    area.setWidget(inner)
    inner.setAutoFillBackground(False)  # setWidget has set it
    area.viewport().setAutoFillBackground(False)
    return area
