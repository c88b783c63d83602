"""The command line: all commands, in the order of the help."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import lru_cache
from typing import Annotated, Any

import typer
from typer.main import get_command, get_group

from cli.commands.agree import agree
from cli.commands.annotators import adjudicate, assign, control, flags, progress
from cli.commands.comparisons import comparisons
from cli.commands.correlate import correlate
from cli.commands.demo import demo
from cli.commands.evaluate import evaluate
from cli.commands.experiments import compare, resample
from cli.commands.explain import explain
from cli.commands.import_export import export, get, import_, mappings, undo
from cli.commands.indexes import index
from cli.commands.installation import allow, doctor, plugins
from cli.commands.manual import manual
from cli.commands.merge import merge
from cli.commands.models import models
from cli.commands.report import replay, report
from cli.commands.restore import clean, restore, validate
from cli.commands.score import metrics, score
from cli.commands.study import blind, language, new, scales, topics
from cli.commands.summarize import summarize
from cli.commands.train import train

app = typer.Typer(
    no_args_is_help=True,
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


_STUDY = (
    new,
    blind,
    get,
    import_,
    mappings,
    undo,
    merge,
    progress,
    assign,
    adjudicate,
    comparisons,
    control,
    flags,
    language,
    topics,
    scales,
    validate,
    clean,
    restore,
    allow,
)
_SCORING = (evaluate, summarize, metrics, score, train)
_ANALYSIS = (
    agree,
    correlate,
    explain,
    compare,
    resample,
    report,
    replay,
    export,
    plugins,
    doctor,
    manual,
    demo,
)

for command in (*_STUDY, *_SCORING, *_ANALYSIS):
    app.command(command.__name__.rstrip("_"))(command)
app.add_typer(models, name="models")
app.add_typer(index, name="index")


@lru_cache(maxsize=64)
def command_line(name: str) -> Callable[..., Any]:
    """Return the command line with one command; reading the options of all takes twenty times as long.

    name: of the command or group; without one of this name, all are there, for the help and suggestions.
    """
    alone = copy(app)
    alone.registered_commands = [command for command in app.registered_commands if command.name == name]
    alone.registered_groups = [group for group in app.registered_groups if group.name == name]
    is_known = alone.registered_commands or alone.registered_groups
    return get_group(alone) if is_known else get_command(app)
