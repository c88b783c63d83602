"""The top-level command."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _print_version(is_requested: bool) -> None:
    if is_requested:
        from importlib.metadata import version

        print(f"pyramidion {version('pyramidion')}")
        raise typer.Exit


@app.callback()
def program(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and exit.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """Annotate, score, compare and report studies of summarization evaluation.

    Without a command, the window opens; `pyramidion FILE.pyramidion` opens it with a study.
    """
