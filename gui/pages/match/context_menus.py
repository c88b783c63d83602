"""What can be done with what was clicked on the page of matches: the menus of texts, SCUs and units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction

from gui.commands.registry import Commands

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from gui.pages.match.view import MatchView

_PART = ""
"""A line between two groups of commands."""
_MATCHING = ("match.match", "match.match_without", "match.again")
OF_TEXTS = (
    *_MATCHING,
    "match.outside",
    "match.add_part",
    _PART,
    "match.reassign",
    "match.comment",
    "part.replace",
    "match.remove_part",
)
OF_SCUS = (*_MATCHING, _PART, "match.unmatch")
OF_UNITS = ("match.reassign", "match.outside", "match.comment", _PART, "match.unmatch")


def offer_menus(commands: Commands, view: MatchView) -> None:
    """Give texts, SCUs and units their menus, and with them the keys that work only there."""
    offer_menu(commands, view.left.panel.text, OF_TEXTS)
    offer_menu(commands, view.scus.tree, OF_SCUS)
    offer_menu(commands, view.left.units.list, OF_UNITS)
    view.left.stack.text_added.connect(lambda text: offer_menu(commands, text, OF_TEXTS))


def offer_menu(commands: Commands, widget: QWidget, names: Sequence[str]) -> None:
    """Give a widget a menu of these commands, by the right button or the menu key."""
    for name in names:
        if name:
            commands.add_to_widget(name, widget)
        else:
            line = QAction(widget)
            line.setSeparator(True)
            widget.addAction(line)
    widget.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
