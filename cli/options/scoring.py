"""What is scored, and with what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from cli.options.common import Device, chosen_names


@dataclass(frozen=True, slots=True)
class MetricOptions:
    """Which metrics, against whose references."""

    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", "-m", help="NAME:SETTING=VALUE,… or a whole signature; may be repeated."),
    ] = None
    references: Annotated[
        str | None, typer.Option(help="Only these authors' references, by name with commas. Default: all.")
    ] = None
    humans: Annotated[
        bool,
        typer.Option(
            "--humans",
            help="Score each reference as a system too, by the others; a summary gets the mean over leaving "
            "one reference out. Kept beside the usual scores.",
        ),
    ] = False

    def authors(self) -> tuple[str, ...]:
        """Whose references count, empty = everybody's."""
        return tuple(chosen_names(self.references, "--references"))


@dataclass(frozen=True, slots=True)
class ComputeOptions:
    """What scores; it changes speed, no reported digit."""

    device: Device = "auto"
    batch_tokens: Annotated[
        int | None, typer.Option(min=64, help="Tokens that an encoder takes at once; changes speed alone.")
    ] = None
    encoding_cache: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Disk for what encoders made of texts, so that later runs need not, as 500MB; 0 = none. "
            "Default: 2GB, or as PYRAMIDION_ENCODING_CACHE says. Changes speed alone.",
        ),
    ] = None
    workers: Annotated[
        int | None,
        typer.Option(min=0, help="Processes for metrics without a model; 0 = none. Default: one per core."),
    ] = None
    cluster: Annotated[
        str | None,
        typer.Option(help="Score on a Dask cluster instead: its scheduler's address, tcp://HOST:8786."),
    ] = None
