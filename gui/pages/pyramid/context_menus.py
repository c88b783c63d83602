"""What can be done with what was clicked on the page of pyramids: the menus of rows, cards and texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction

from gui.commands.registry import Commands

if TYPE_CHECKING:
    from gui.pages.pyramid.view import PyramidView

_PART = ""
"""A line between two groups of commands."""
OF_SCUS = (
    "pyramid.label",
    "pyramid.comment",
    _PART,
    "pyramid.add_contributor",
    "pyramid.merge",
    "pyramid.next_contributor",
    _PART,
    "pyramid.remove",
)
OF_CONTRIBUTORS = (
    "pyramid.split",
    "pyramid.move",
    "pyramid.comment_contributor",
    _PART,
    "pyramid.remove_part",
    "pyramid.remove",
)
OF_TEXTS = (
    "pyramid.new_scu",
    "pyramid.add_contributor",
    "pyramid.add_part",
    _PART,
    "part.replace",
    "pyramid.remove_part",
)


def offer_menus(commands: Commands, view: PyramidView) -> None:
    """Give rows, cards and texts their menus: by the right button or the menu key."""
    view.offer_menus(
        _actions(commands, OF_SCUS, view),
        _actions(commands, OF_CONTRIBUTORS, view),
        _actions(commands, OF_TEXTS, view),
    )


def _actions(commands: Commands, names: Sequence[str], view: PyramidView) -> list[QAction]:
    return [commands.action(name) if name else _line(view) for name in names]


def _line(view: PyramidView) -> QAction:
    line = QAction(view)
    line.setSeparator(True)
    return line
