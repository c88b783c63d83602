"""All commands, in the order of the help."""

from __future__ import annotations

from cli.commands.app import app
from cli.commands.comparison import agree, compare, correlate, explain, resample
from cli.commands.indexes import index
from cli.commands.models import models
from cli.commands.output import demo, doctor, export, manual, plugins, replay, report
from cli.commands.scoring import metrics, score, summarize, train
from cli.commands.study import (
    adjudicate,
    assign,
    blind,
    clean,
    comparisons,
    control,
    flags,
    get,
    import_,
    language,
    merge,
    new,
    progress,
    restore,
    scales,
    topics,
    validate,
)

__all__ = ["app"]

_STUDY = (
    new,
    blind,
    get,
    import_,
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
)
_SCORING = (summarize, metrics, score, train)
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
