"""Choices of the Compare page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.comparison.filters import NO_FILTER, Filter
from core.comparison.options import SystemSelection
from core.stats.correlation import Coefficient, Level, UndefinedPolicy
from gui.pages.compare.correlations.queries import CorrelationQuery

MAX_COLUMNS = 4
"""Judgements displayed by default; the others can be selected."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The table's choices. humans: the judgements that are columns.

    with_made: whether to include measures scored only by experiments.
    """

    systems: SystemSelection = SystemSelection.AUTOMATIC
    level: Level = Level.SYSTEM
    coefficient: Coefficient = Coefficient.PEARSON
    undefined: UndefinedPolicy = UndefinedPolicy.SKIP
    scope: Filter = NO_FILTER
    humans: tuple[str, ...] = ()
    with_made: bool = False

    def questions(self) -> list[CorrelationQuery]:
        """Return one query per column."""
        return [
            CorrelationQuery(self.level, self.coefficient, human, self.undefined, self.scope)
            for human in self.humans
        ]

    def likely(self, known: Sequence[str]) -> Iterator[list[CorrelationQuery]]:
        """Yield likely next queries: other coefficients, other levels, then other judgements.

        known: all judgements of the study.
        """
        levels = sorted(Level, key=lambda level: level is not self.level)
        quick = [coefficient for coefficient in Coefficient if not coefficient.is_accuracy]
        for level in levels:
            for coefficient in quick:
                yield replace(self, level=level, coefficient=coefficient).questions()
        others = tuple(human for human in known if human not in self.humans)
        yield replace(self, humans=others).questions()
        for level in levels:
            yield replace(self, level=level, coefficient=Coefficient.ACCURACY).questions()


def suggested(known: Sequence[str]) -> tuple[str, ...]:
    """Return the judgements displayed by default: one kind of pyramid score, and ratings."""
    scores = ("pyramid.", "nugget.")
    requested = [
        n for n in known if not n.startswith(scores) or n.startswith(("pyramid.modified", "nugget.units"))
    ]
    return tuple((requested or list(known))[:MAX_COLUMNS])
