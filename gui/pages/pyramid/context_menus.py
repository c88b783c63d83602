"""Context menus of the Pyramid page: SCU rows, contributor cards and reference texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction

from gui.commands.registry import Commands

if TYPE_CHECKING:
    from gui.pages.pyramid.view import PyramidView

_SEPARATOR = ""
SCU_COMMANDS = (
    "pyramid.label",
    "pyramid.comment",
    _SEPARATOR,
    "pyramid.add_contributor",
    "pyramid.merge",
    "pyramid.next_contributor",
    _SEPARATOR,
    "pyramid.remove",
)
CONTRIBUTOR_COMMANDS = (
    "pyramid.split",
    "pyramid.move",
    "pyramid.comment_contributor",
    _SEPARATOR,
    "pyramid.remove_part",
    "pyramid.remove",
)
TEXT_COMMANDS = (
    "pyramid.new_scu",
    "pyramid.add_contributor",
    "pyramid.add_part",
    _SEPARATOR,
    "part.replace",
    "pyramid.remove_part",
)


def add_context_menus(commands: Commands, view: PyramidView) -> None:
    """Give SCU rows, contributor cards and reference texts their context menus."""
    view.set_context_menus(
        _actions(commands, SCU_COMMANDS, view),
        _actions(commands, CONTRIBUTOR_COMMANDS, view),
        _actions(commands, TEXT_COMMANDS, view),
    )


def _actions(commands: Commands, names: Sequence[str], view: PyramidView) -> list[QAction]:
    return [commands.action(name) if name else _separator(view) for name in names]


def _separator(view: PyramidView) -> QAction:
    separator = QAction(view)
    separator.setSeparator(True)
    return separator
