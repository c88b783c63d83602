"""Commands of the SCU list, shared by all pages that have one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from gui.commands.registry import Commands

if TYPE_CHECKING:
    from gui.annotation.scus.scu_list import ScuList

_FOLDING = ("list.fold", "list.open", "list.close")


def bind_list_commands(commands: Commands, scus: ScuList, page: str, order: str) -> None:
    """Bind the commands that sort, filter and collapse a page's SCU list.

    order: id of the sort command, which differs between pages.
    """
    tree = scus.tree
    for command, handler in (
        ("list.fold", tree.fold),
        ("list.open", partial(tree.open_tier, True)),
        ("list.close", partial(tree.open_tier, False)),
        ("list.filter", scus.open_filter_menu),
        (order, scus.open_order_menu),
    ):
        commands.bind(command, handler, page)
    scus.follow(commands.action(order), commands.action("list.filter"))
    scus.add_to_order_menu(map(commands.action, _FOLDING))
