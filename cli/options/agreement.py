"""Options of `agree`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from core.agreement.analysis import AgreementOptions
    from core.comparison.annotator_agreement import AgreementSelection


class KindName(StrEnum):
    """Kinds of annotation."""

    RATINGS = "ratings"
    MATCHES = "matches"
    PYRAMIDS = "pyramids"
    NUGGETS = "nuggets"


class GroupingName(StrEnum):
    """Groups of items."""

    TOPIC = "topic"
    PAIR = "pair"
    UNIT = "unit"
    ANNOTATOR = "annotator"


@dataclass(frozen=True, slots=True)
class AgreementArguments:
    """Annotations, groups, coefficients and bootstrap."""

    what: Annotated[
        list[KindName] | None,
        typer.Option("--what", help="Annotations to compare. Can be repeated. Default: all."),
    ] = None
    scale: Annotated[
        list[str] | None,
        typer.Option("--scale", metavar="NAME", help="Rating scale. Can be repeated. Default: all."),
    ] = None
    by: Annotated[
        list[GroupingName] | None,
        typer.Option(
            "--by",
            help="Also show each topic, pair of annotators, unit (SCU, lowest agreement first) or annotator "
            "(reliability by a Dawid–Skene model). Can be repeated.",
        ),
    ] = None
    annotator: Annotated[
        list[str] | None,
        typer.Option(
            "--annotator",
            metavar="NAME",
            help="Annotator or group to include. Can be repeated. Default: all.",
        ),
    ] = None
    coefficient: Annotated[
        list[str] | None,
        typer.Option(
            "--coefficient",
            metavar="ID",
            help="Coefficient such as alpha-ratio, as --json names it. Can be repeated. Default: those that "
            "suit the annotation.",
        ),
    ] = None
    bootstrap: Annotated[
        int,
        typer.Option(metavar="N", min=0, help="Resamples of topics for 95% intervals; 0 for no intervals."),
    ] = 1000
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Random seed.")] = 0

    def selection(self) -> AgreementSelection:
        """Return the annotations to compare. Raises BadParameter where --scale has no effect."""
        from core.comparison.annotator_agreement import AgreementSelection, AnnotationKind

        if self.scale and self.what and KindName.RATINGS not in self.what:
            raise typer.BadParameter("--scale is for ratings; add --what ratings or omit --scale")
        kinds = self.what or ([KindName.RATINGS] if self.scale else [])
        return AgreementSelection(
            tuple(AnnotationKind(kind) for kind in kinds),
            tuple(self.scale or ()),
            tuple(self.annotator or ()),
        )

    def options(self) -> AgreementOptions:
        """Return groups, coefficients and bootstrap. Raises BadParameter for an unknown coefficient."""
        from core.agreement.analysis import AgreementOptions, known_coefficients
        from core.agreement.estimates import BootstrapOptions
        from core.agreement.table import Grouping

        known = known_coefficients()
        for name in self.coefficient or ():
            if name not in known:
                raise typer.BadParameter(f"--coefficient {name} is unknown. Available: {', '.join(known)}")
        return AgreementOptions(
            BootstrapOptions(self.bootstrap, self.seed),
            tuple(Grouping(name) for name in dict.fromkeys(self.by or ())),
            tuple(self.coefficient or ()),
        )
