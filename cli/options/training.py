"""What a metric is trained on, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from cli.options.common import chosen_names
from cli.options.filters import Annotators


@dataclass(frozen=True, slots=True)
class Training:
    """The judgement to follow, what is read for that, and the learner's settings."""

    human: Annotated[
        str, typer.Option(help="The judgement to follow, as pyramid.modified or rating.relevance.")
    ] = ""
    name: Annotated[str, typer.Option(help="What the model is called; one of that name is replaced.")] = ""
    features: Annotated[
        str,
        typer.Option(
            help="What it reads, with commas between: s3-best, s3-full, measures as rouge-2.recall, or a "
            "metric with settings, as rouge-n:n=3,stem=yes."
        ),
    ] = "s3-best"
    vectors: Annotated[
        str, typer.Option(help="Word vectors for the ROUGE-WE of s3-best and s3-full: a file or an encoder.")
    ] = ""
    annotators: Annotators = None
    folds: Annotated[
        int, typer.Option(min=2, help="Parts of the topics, each scored by a model trained on the others.")
    ] = 10
    cost: Annotated[float, typer.Option(min=1e-6, help="C of the regression.")] = 1.0
    epsilon: Annotated[float, typer.Option(min=0.0, help="How far off a prediction may be without cost.")] = (
        0.1
    )
    scale: Annotated[
        bool | None,
        typer.Option(
            help="Divide features by their standard deviation. Default: only those chosen singly.",
            show_default=False,
        ),
    ] = None

    def chosen_annotators(self) -> tuple[str, ...]:
        """Names and groups whose judgement counts, empty = the usual ones."""
        return tuple(chosen_names(self.annotators, "--annotators"))
