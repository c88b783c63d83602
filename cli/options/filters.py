"""Which systems, topics and annotators count."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options.common import chosen_names

if TYPE_CHECKING:
    from core.comparison import comparison
    from core.comparison.filters import Filter


class SystemsName(StrEnum):
    """Which systems take part."""

    AUTOMATIC = "automatic"
    ALL = "all"
    WITH_HUMANS = "with-humans"


Systems = Annotated[
    SystemsName,
    typer.Option(
        help="automatic = systems and baselines; all = summaries written by people too; with-humans = "
        "systems and each reference, scored by the others (after score --humans)."
    ),
]
Annotators = Annotated[
    str | None,
    typer.Option(
        help="Whose ratings and matches count: names or groups, with commas between. "
        "Default: ratings by the group expert, or by everybody where it rated nothing; matches by everybody."
    ),
]


@dataclass(frozen=True, slots=True)
class FilterOptions:
    """Who is compared, by whose judgement, on which topics."""

    annotators: Annotators = None
    systems: Systems = SystemsName.AUTOMATIC
    system: Annotated[
        list[str] | None,
        typer.Option("--system", help="Only this system; may be repeated, at least three. Default: all."),
    ] = None
    weakest: Annotated[
        int,
        typer.Option(
            "--leave-out-weakest", min=0, help="Leave out so many systems of the lowest mean judgement."
        ),
    ] = 0
    below: Annotated[
        float | None,
        typer.Option(
            "--leave-out-below",
            min=0,
            help="Leave out systems so many standard deviations below the mean of the systems.",
        ),
    ] = None
    weak_by: Annotated[
        str | None,
        typer.Option(help="The judgement by which systems are weak. Default: the first that counts."),
    ] = None
    topic_set: Annotated[
        str | None,
        typer.Option("--set", help="Only topics of this set, as initial or update. Default: all."),
    ] = None
    common_topics: Annotated[
        bool,
        typer.Option(
            "--common-topics",
            help="Only the topics (and systems) that every measure has scored in whole, so that incomplete "
            "measures are ranked too. Default: all topics; incomplete measures are listed without a rank.",
        ),
    ] = False

    def chosen_annotators(self) -> list[str]:
        """Names and groups whose judgement counts, none = the usual ones."""
        return chosen_names(self.annotators, "--annotators")

    def kinds(self) -> comparison.SystemSelection:
        """Of which kinds systems take part, in the engine's words."""
        from core.comparison import comparison

        return comparison.SystemSelection(self.systems)

    def part(self, topics: frozenset[str] | None) -> Filter:
        """The choice of systems, on these topics, None = all."""
        from core.comparison.filters import Filter

        if self.weak_by and not self.weakest and self.below is None:
            raise typer.BadParameter(
                "--weak-by only says by which judgement systems are weak; add --leave-out-weakest or "
                "--leave-out-below"
            )
        return Filter(tuple(self.system or ()), self.weakest, self.below, self.weak_by or "", topics)
