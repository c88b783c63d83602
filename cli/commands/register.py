"""Every verb, in the order in which help lists them."""

from __future__ import annotations

from cli.commands.app import app
from cli.commands.comparison import compare, correlate, resample
from cli.commands.indexes import index
from cli.commands.models import models
from cli.commands.output import demo, doctor, export, report
from cli.commands.scoring import metrics, score, train
from cli.commands.study import blind, clean, import_, language, new, restore, validate

__all__ = ["app"]

_SCORED = (new, blind, import_, language, validate, clean, restore, metrics, score, train)
_COMPARED = (correlate, compare, resample, report, export, doctor, demo)

for verb in (*_SCORED, *_COMPARED):
    app.command(verb.__name__.rstrip("_"))(verb)
app.add_typer(models, name="models")
app.add_typer(index, name="index")
