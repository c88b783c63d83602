"""Subcommands of `pyramidion models`; handlers are imported on use."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options.common import Json, OnOff, Switch
from core.files.study_address import StudyAddress, parse_study_address

models = typer.Typer(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}, add_completion=False
)

if TYPE_CHECKING:
    TimedStudy = StudyAddress | None
else:  # typer takes no union of types
    TimedStudy = Annotated[
        str | None,
        typer.Option(
            "--study",
            parser=parse_study_address,
            metavar="STUDY",
            help="Estimate the time of one pass over the texts of this study.",
        ),
    ]
Name = Annotated[
    str, typer.Argument(help="Name in the list of models or on the Hugging Face Hub.", show_default=False)
]


@models.callback(invoke_without_command=True)
def list_(
    context: typer.Context,
    study: TimedStudy = None,
    device: Annotated[
        str, typer.Option(metavar="DEVICE", help="Device for --study: auto, cpu, cuda, cuda:1 or mps.")
    ] = "auto",
    as_json: Json = False,
) -> None:
    """Manage models: list, add, download, remove.

    Without a command, list the models, whether they are installed and how to get them.
    """
    from cli.handlers.models import print_models

    if context.invoked_subcommand is None:
        print_models(study, device=device, as_json=as_json)


@models.command()
def add(
    place: Annotated[
        Path, typer.Argument(help="Folder of a model, or file of word vectors.", show_default=False)
    ],
    role: Annotated[
        str,
        typer.Option(
            metavar="ROLE",
            help="Use of the model, such as “masked language model”. Default: all that it supports.",
        ),
    ] = "",
    name: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Name of the model; the name of a listed model replaces that model. Default: its own name.",
        ),
    ] = "",
) -> None:
    """Register a model that is on this computer."""
    from cli.handlers.models import add as run

    run(place, role=role, name=name)


@models.command()
def remove(name: Name) -> None:
    """Unregister an added or downloaded model; its files are kept."""
    from cli.handlers.models import remove as run

    run(name)


@models.command()
def offline(state: Switch = None) -> None:
    """Allow or forbid downloads of models."""
    from cli.handlers.models import switch_offline

    switch_offline(None if state is None else state is OnOff.ON)


@models.command()
def encodings(
    limit: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Set the size limit, such as 2GB or 500MB; 0 disables the cache."),
    ] = None,
    empty: Annotated[bool, typer.Option("--empty", help="Delete all cached encodings.")] = False,
    as_json: Json = False,
) -> None:
    """Show or change the cache of encodings.

    The cache speeds up repeated runs and can be deleted at any time. $PYRAMIDION_ENCODING_CACHE and
    `score --encoding-cache` take precedence over the limit set here.
    """
    from cli.handlers.models import encodings as run

    run(limit, empty=empty, as_json=as_json)


@models.command()
def download(name: Name) -> None:
    """Download a model from the Hugging Face Hub.

    Models are downloaded only by this command and the Models window. An interrupted download continues
    later. Environment variables: HF_ENDPOINT (mirror), PYRAMIDION_MODELS (target folder),
    PYRAMIDION_OFFLINE=1 or HF_HUB_OFFLINE=1 (no downloads).
    """
    from cli.handlers.models import fetch

    fetch(name)
