"""The program without a verb, below which every verb stands."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _tell_version(is_asked: bool) -> None:
    if is_asked:
        from importlib.metadata import version

        print(f"pyramidion {version('pyramidion')}")
        raise typer.Exit


@app.callback()
def program(
    version: Annotated[
        bool,
        typer.Option("--version", help="Say which version this is.", callback=_tell_version, is_eager=True),
    ] = False,
) -> None:
    """Annotate, score, compare and report a study of summarization evaluation.

    Without a verb the window opens; `pyramidion FILE.pyramidion` opens it on a study.
    """
