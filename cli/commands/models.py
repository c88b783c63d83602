"""The commands below `pyramidion models`; `cli.handlers.models` runs them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options.common import Json, OnOff, Switch

models = typer.Typer(context_settings={"help_option_names": ["-h", "--help"]}, add_completion=False)

Name = Annotated[
    str, typer.Argument(help="Its name in the list, or on the Hugging Face hub.", show_default=False)
]


@models.callback(invoke_without_command=True)
def list_(
    context: typer.Context,
    study: Annotated[
        Path | None, typer.Option(help="Say how long one pass over this study's texts takes.")
    ] = None,
    device: Annotated[
        str, typer.Option(help="auto, cpu, cuda, cuda:1 or mps; for the times of --study.")
    ] = "auto",
    as_json: Json = False,
) -> None:
    """List the models: those of the papers and those added, which are here, and how to get the others."""
    from cli.handlers.models import list_models

    if context.invoked_subcommand is None:
        list_models(study, device=device, as_json=as_json)


@models.command()
def add(
    place: Annotated[
        Path, typer.Argument(help="A model's folder, or a file of word vectors.", show_default=False)
    ],
    role: Annotated[
        str, typer.Option(help="What it is for, as “masked language model”. Default: all that it can be.")
    ] = "",
    name: Annotated[
        str,
        typer.Option(help="What to call it; a name of the list takes that model's place. Default: its own."),
    ] = "",
) -> None:
    """Check a model that you have, and remember where it is."""
    from cli.handlers.models import add as run

    run(place, role=role, name=name)


@models.command()
def remove(name: Name) -> None:
    """Forget a model that was added or downloaded; its files stay."""
    from cli.handlers.models import remove as run

    run(name)


@models.command()
def offline(wanted: Switch = None) -> None:
    """Forbid downloads, here and in the window, or allow them again."""
    from cli.handlers.models import switch_offline

    switch_offline(None if wanted is None else wanted is OnOff.ON)


@models.command()
def encodings(
    limit: Annotated[
        str | None,
        typer.Option(help="Keep at most so much from now on, as 2GB or 500MB; 0 keeps none."),
    ] = None,
    empty: Annotated[bool, typer.Option("--empty", help="Delete all that is kept now.")] = False,
    as_json: Json = False,
) -> None:
    """Say how much of what encoders made is kept between runs, here and in the window; nothing else is lost.

    PYRAMIDION_ENCODING_CACHE and `score --encoding-cache` go before what is chosen here.
    """
    from cli.handlers.models import encodings as run

    run(limit, empty=empty, as_json=as_json)


@models.command()
def download(name: Name) -> None:
    """Fetch a model from the Hugging Face hub. Nothing else fetches one; stop with Ctrl+C, go on later.

    HF_ENDPOINT names a mirror; PYRAMIDION_MODELS says where models go; PYRAMIDION_OFFLINE=1 or
    HF_HUB_OFFLINE=1 forbids it, as `models offline on` does.
    """
    from cli.handlers.models import fetch

    fetch(name)
