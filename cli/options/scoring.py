"""Options for scoring: metrics, references and computing resources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from cli.options.common import Device, chosen_names


@dataclass(frozen=True, slots=True)
class MetricOptions:
    """Metrics to compute and references to use."""

    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            "-m",
            metavar="METRIC",
            help="Metric to compute, as NAME, NAME:SETTING=VALUE,…, a name in tables such as rouge-1, or a "
            "complete signature. Can be repeated. Default: every available metric except those based on "
            "annotations.",
        ),
    ] = None
    references: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES", help="Authors whose references are used (comma-separated). Default: all."
        ),
    ] = None
    humans: Annotated[
        bool,
        typer.Option(
            "--humans",
            help="Also score each reference as a system against the other references; summaries get the mean "
            "over leaving one reference out. Stored in addition to the regular scores.",
        ),
    ] = False

    def authors(self) -> tuple[str, ...]:
        """Return the authors whose references are used; empty = all."""
        return tuple(chosen_names(self.references, "--references"))


@dataclass(frozen=True, slots=True)
class ComputeOptions:
    """Computing resources; they change speed, not results."""

    device: Device = "auto"
    batch_tokens: Annotated[
        int | None,
        typer.Option(metavar="N", min=64, help="Tokens per batch of an encoder. Affects speed only."),
    ] = None
    encoding_cache: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Disk space for cached encodings of texts, such as 500MB; 0 disables the cache. Default: "
            "$PYRAMIDION_ENCODING_CACHE or 2GB. Affects speed only.",
        ),
    ] = None
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            help="Worker processes for metrics without a neural model; 0 for none. Default: one per core.",
        ),
    ] = None
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Score on the Dask cluster of this scheduler, such as tcp://HOST:8786."
        ),
    ] = None
