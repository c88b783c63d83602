"""Context menus of the Match page: summary texts, SCUs and units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction

from gui.commands.registry import Commands

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from gui.pages.match.view import MatchView

_SEPARATOR = ""
_MATCH_COMMANDS = ("match.match", "match.match_without", "match.again")
TEXT_COMMANDS = (
    *_MATCH_COMMANDS,
    "match.outside",
    "match.add_part",
    _SEPARATOR,
    "match.reassign",
    "match.comment",
    "part.replace",
    "match.remove_part",
)
SCU_COMMANDS = (*_MATCH_COMMANDS, _SEPARATOR, "match.unmatch")
UNIT_COMMANDS = ("match.reassign", "match.outside", "match.comment", _SEPARATOR, "match.unmatch")


def add_context_menus(commands: Commands, view: MatchView) -> None:
    """Give texts, SCUs and units their context menus, and the shortcuts that only work there."""
    add_context_menu(commands, view.left.panel.text, TEXT_COMMANDS)
    add_context_menu(commands, view.scus.tree, SCU_COMMANDS)
    add_context_menu(commands, view.left.units.list, UNIT_COMMANDS)
    view.left.stack.text_added.connect(lambda text: add_context_menu(commands, text, TEXT_COMMANDS))


def add_context_menu(commands: Commands, widget: QWidget, names: Sequence[str]) -> None:
    """Give a widget a context menu of these commands; an empty name adds a separator."""
    for name in names:
        if name:
            commands.add_to_widget(name, widget)
        else:
            separator = QAction(widget)
            separator.setSeparator(True)
            widget.addAction(separator)
    widget.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
