"""Every verb, in the order in which help lists them."""

from __future__ import annotations

from cli.comparing_verbs import compare, correlate, resample
from cli.giving_verbs import demo, doctor, export, report
from cli.index_verbs import index
from cli.model_verbs import models
from cli.program import app
from cli.scoring_verbs import metrics, score, train
from cli.study_verbs import blind, clean, import_, language, new, restore, validate

__all__ = ["app"]

_SCORED = (new, blind, import_, language, validate, clean, restore, metrics, score, train)
_COMPARED = (correlate, compare, resample, report, export, doctor, demo)

for verb in (*_SCORED, *_COMPARED):
    app.command(verb.__name__.rstrip("_"))(verb)
app.add_typer(models, name="models")
app.add_typer(index, name="index")
