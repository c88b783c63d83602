"""A column that scrolls where there is too little room for it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


def scrolled(inner: QWidget) -> QScrollArea:
    """The widget in an area that scrolls up and down; what the area stands on shows through."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Tab goes to what is in it
    area.setWidget(inner)
    inner.setAutoFillBackground(False)  # setWidget has set it
    area.viewport().setAutoFillBackground(False)
    return area
