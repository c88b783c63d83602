"""Options for training a metric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from core.operations.options import AnnotatorsOption


@dataclass(frozen=True, slots=True)
class TrainingOptionGroup:
    """Target judgement, features and hyperparameters."""

    human: Annotated[
        str,
        typer.Option(
            metavar="JUDGEMENT", help="Target judgement, such as pyramid.modified or rating.relevance."
        ),
    ] = ""
    name: Annotated[
        str, typer.Option(metavar="NAME", help="Name of the model; replaces a model with this name.")
    ] = ""
    features: Annotated[
        str,
        typer.Option(
            metavar="FEATURES",
            help="Features (comma-separated): s3-best, s3-full, measures such as rouge-2.recall, or "
            "metrics with settings such as rouge-n:n=3,stem=yes.",
        ),
    ] = "s3-best"
    vectors: Annotated[
        str,
        typer.Option(
            metavar="VECTORS", help="Word vectors for ROUGE-WE in s3-best and s3-full: a file or an encoder."
        ),
    ] = ""
    annotators: AnnotatorsOption = ()
    folds: Annotated[
        int, typer.Option(metavar="N", min=2, help="Number of cross-validation folds (over topics).")
    ] = 10
    cost: Annotated[
        float, typer.Option(metavar="C", min=1e-6, help="C of the support vector regression.")
    ] = 1.0
    epsilon: Annotated[
        float,
        typer.Option(
            metavar="EPS", min=0.0, help="Epsilon of the support vector regression (error tolerance)."
        ),
    ] = 0.1
    scale: Annotated[
        bool | None,
        typer.Option(
            help="Divide features by their standard deviation. Default: only if features are listed "
            "individually.",
            show_default=False,
        ),
    ] = None
