"""Rows and columns of widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget


@dataclass(frozen=True, slots=True)
class Gap:
    """Room of a fixed size in pixels."""

    px: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """Room that grows. factor: its share of what is left."""

    factor: int = 0


Content = QWidget | QLayout
Item = Content | Gap | Stretch | tuple[Content, int] | tuple[Content, int, Qt.AlignmentFlag]
"""A part of a box: a widget or layout, alone or with its stretch factor and alignment, or room."""
Margins = int | tuple[int, int] | tuple[int, int, int, int]
"""The same on all sides; or at the sides, and above and below; or left, top, right and bottom."""


def hbox(
    *items: Item, parent: QWidget | None = None, margins: Margins = 0, spacing: int | None = None
) -> QHBoxLayout:
    """Return a row of these items, as the layout of a parent if one is given.

    spacing: None = that of the layout it is in.
    """
    return _filled(QHBoxLayout(parent) if parent is not None else QHBoxLayout(), items, margins, spacing)


def vbox(
    *items: Item, parent: QWidget | None = None, margins: Margins = 0, spacing: int | None = None
) -> QVBoxLayout:
    """Return a column of these items, as the layout of a parent if one is given."""
    return _filled(QVBoxLayout(parent) if parent is not None else QVBoxLayout(), items, margins, spacing)


Box = TypeVar("Box", bound=QBoxLayout)


def _filled(box: Box, items: tuple[Item, ...], margins: Margins, spacing: int | None) -> Box:
    sides = (margins, margins) if isinstance(margins, int) else margins
    box.setContentsMargins(*(sides if len(sides) == 4 else sides * 2))
    if spacing is not None:
        box.setSpacing(spacing)
    for item in items:
        if isinstance(item, Gap):
            box.addSpacing(item.px)
        elif isinstance(item, Stretch):
            box.addStretch(item.factor)
        else:
            content, stretch, *alignment = item if isinstance(item, tuple) else (item, 0)
            if isinstance(content, QWidget):
                box.addWidget(content, stretch, *alignment)
            else:
                box.addLayout(content, stretch)
    return box
