"""The ways in which occurrences of nuggets are searched, chosen in the menu and remembered."""

from __future__ import annotations

from functools import partial

from core.annotation.occurrences import Method
from gui.session.context import Context
from gui.style.language import tr

NO_METHOD = tr("Choose at least one way to search in Annotate › Search for occurrences.")
_COMMANDS = {f"nugget.{method}": method for method in Method}


def chosen_methods(context: Context) -> list[Method]:
    """Return the chosen ways to search."""
    chosen = context.settings.now.occurrence_methods.split(",")
    return [method for method in Method if method in chosen]


def bind_methods(context: Context, page: str) -> None:
    """Bind the commands that choose the ways to search on a page."""
    for command, method in _COMMANDS.items():
        context.commands.bind(command, partial(_toggle, context, method), page)
    _show(context)


def _toggle(context: Context, method: Method) -> None:
    chosen = {*chosen_methods(context)} ^ {method}
    context.settings.change(occurrence_methods=",".join(each for each in Method if each in chosen))
    _show(context)


def _show(context: Context) -> None:
    chosen = chosen_methods(context)
    for command, method in _COMMANDS.items():
        context.commands.set_checked(command if method in chosen else "", [command])
