"""Options that select systems, topics and annotators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options.common import chosen_names
from core.comparison.options import SystemSelection

if TYPE_CHECKING:
    from core.comparison.filters import Filter


Systems = Annotated[
    SystemSelection,
    typer.Option(
        help="Systems to include. automatic: systems and baselines; all: also human summaries; with-humans: "
        "also the references, each scored against the others (run `score --humans` first)."
    ),
]
Annotators = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="Annotators or groups to include (comma-separated). Default: for ratings the group `expert` if "
        "it has rated, otherwise all annotators; for matches all annotators.",
    ),
]


@dataclass(frozen=True, slots=True)
class FilterOptions:
    """Systems, annotators and topics to include."""

    annotators: Annotators = None
    systems: Systems = SystemSelection.AUTOMATIC
    system: Annotated[
        list[str] | None,
        typer.Option(
            "--system",
            metavar="SYSTEM",
            help="System to include; repeat the option for at least three systems. Default: all.",
        ),
    ] = None
    weakest: Annotated[
        int,
        typer.Option(
            "--leave-out-weakest",
            metavar="N",
            min=0,
            help="Exclude the N systems with the lowest mean judgement.",
        ),
    ] = 0
    below: Annotated[
        float | None,
        typer.Option(
            "--leave-out-below",
            metavar="SD",
            min=0,
            help="Exclude systems more than SD standard deviations below the mean of all systems.",
        ),
    ] = None
    weak_by: Annotated[
        str | None,
        typer.Option(
            metavar="JUDGEMENT",
            help="Judgement that determines the weakest systems. Default: the first one included.",
        ),
    ] = None
    topic_set: Annotated[
        str | None,
        typer.Option("--set", metavar="SET", help="Topic set to include, such as `update`. Default: all."),
    ] = None
    common_topics: Annotated[
        bool,
        typer.Option(
            "--common-topics",
            help="Use only topics and systems that every measure has scored, so that incomplete measures are "
            "ranked too. By default, all topics are used and incomplete measures are not ranked.",
        ),
    ] = False

    def chosen_annotators(self) -> list[str]:
        """Return the names and groups of `--annotators`; empty if not given."""
        return chosen_names(self.annotators, "--annotators")

    def to_filter(self, topics: frozenset[str] | None) -> Filter:
        """Return the filter of systems and topics; topics None = all."""
        from core.comparison.filters import Filter

        if self.weak_by and not self.weakest and self.below is None:
            raise typer.BadParameter(
                "--weak-by has no effect alone; add --leave-out-weakest or --leave-out-below"
            )
        return Filter(tuple(self.system or ()), self.weakest, self.below, self.weak_by or "", topics)
