"""The command line: all commands, in the order of the help."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from keyword import iskeyword
from typing import Annotated, Any

import typer
from typer.main import get_command, get_group

_MODULES = {
    "new": "study",
    "blind": "study",
    "get": "import_export",
    "import": "import_export",
    "mappings": "import_export",
    "undo": "import_export",
    "merge": "merge",
    "progress": "annotators",
    "assign": "annotators",
    "adjudicate": "annotators",
    "propose": "annotators",
    "comparisons": "comparisons",
    "control": "annotators",
    "flags": "annotators",
    "language": "study",
    "topics": "study",
    "scales": "study",
    "validate": "restore",
    "clean": "restore",
    "restore": "restore",
    "allow": "installation",
    "evaluate": "evaluate",
    "summarize": "summarize",
    "metrics": "score",
    "score": "score",
    "train": "train",
    "agree": "agree",
    "correlate": "correlate",
    "judges": "experiments",
    "explain": "explain",
    "compare": "experiments",
    "resample": "experiments",
    "reproduce": "experiments",
    "report": "report",
    "replay": "report",
    "export": "import_export",
    "plugins": "installation",
    "doctor": "installation",
    "integrate": "installation",
    "manual": "manual",
    "demo": "demo",
    "models": "models",
    "index": "indexes",
}
"""Modules of the commands and groups, in the order of the help."""


def _print_version(is_requested: bool) -> None:
    if is_requested:
        from importlib.metadata import version

        print(f"pyramidion {version('pyramidion')}")
        raise typer.Exit


def program(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and exit.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """Annotate, score, compare and report studies of summarization evaluation.

    Without a command, the window opens; `pyramidion FILE.pyramidion` opens it with a study.
    """


@lru_cache(maxsize=64)
def command_line(name: str = "") -> Callable[..., Any]:
    """Return the command line with one command, whose module alone is imported.

    name: of the command or group; without one of this name, all are there, for the help and suggestions.
    """
    app = typer.Typer(
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback()(program)
    alone = [name] if name in _MODULES else []
    is_whole = not alone and name != "--version"
    for each in _MODULES if is_whole else alone:
        module = import_module(f"cli.commands.{_MODULES[each]}")
        command = getattr(module, f"{each}_" if iskeyword(each) else each)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=each)
        else:
            app.command(each)(command)
    return get_command(app) if is_whole else get_group(app)
