"""The commands of a list of SCUs, the same on every page that has one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from gui.commands.registry import Commands

if TYPE_CHECKING:
    from gui.annotation.scu_list import ScuList

_FOLDING = ("list.fold", "list.open", "list.close")


def bind_list_commands(commands: Commands, scus: ScuList, page: str, order: str) -> None:
    """Let a page's commands order, narrow and fold its list.

    order: the command that asks what the list is to go by; its key differs from page to page.
    """
    tree = scus.tree
    for command, do in (
        ("list.fold", tree.fold),
        ("list.open", partial(tree.open_tier, True)),
        ("list.close", partial(tree.open_tier, False)),
        ("list.filter", scus.open_filter_menu),
        (order, scus.open_order_menu),
    ):
        commands.bind(command, do, page)
    scus.follow(commands.action(order), commands.action("list.filter"))
    scus.add_to_order_menu(map(commands.action, _FOLDING))
