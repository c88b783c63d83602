"""Intervals and differences as columns of `pyramidion correlate`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.comparing import (
    Adjustment,
    Chance,
    Clusters,
    DifferenceTest,
    IntervalKind,
    Sample,
    Standing,
    clusters,
    how_many,
    standing,
)
from core.comparison import Comparison, CorrelationRow
from core.domain.ratings import RatingCube
from core.progress import Steps
from core.report.numbers import UNDEFINED, correlation_text, p_text
from core.stats.counts import Over
from core.stats.power import TIMES, WANTED

MOST = int(max(TIMES))
_INTERVAL = ("low", "high")
_CLUSTER = ("cluster", "letters")
_DIFFERENCE = ("compared_with", "p_difference", "p_adjusted")

Found = Mapping[str, Standing]
"""By judgement."""

Wants = Mapping[str, Sequence[int | None]]
"""By judgement, of each measure how many systems or topics tell it from the one that it is compared with."""


def stand_all(
    comparison: Comparison, samples: Mapping[str, Sample], cubes: Mapping[str, RatingCube], chance: Chance
) -> Steps[dict[str, Standing]]:
    """What chance could do, by judgement; empty where nothing is asked."""
    found: dict[str, Standing] = {}
    if chance.interval is not IntervalKind.NONE or chance.against:
        for human, sample in samples.items():
            asked = (sample.level, sample.coefficient, chance, sample.undefined, cubes.get(human))
            found[human] = yield from standing(comparison, human, *asked)
    return found


def want_all(
    comparison: Comparison, samples: Mapping[str, Sample], found: Found, over: str, chance: Chance
) -> Steps[dict[str, list[int | None]]]:
    """How many it takes, by judgement; empty where that is not asked."""
    wants: dict[str, list[int | None]] = {}
    labels = [ref.label for ref in comparison.refs]
    for human, one in found.items() if over else ():
        if not one.against:
            continue
        place = labels.index(one.against)
        others = [i for i in comparison.ranked(human) if i != place]
        powers = yield from how_many(samples[human], [(place, i) for i in others], Over(over), chance)
        needed = dict(zip(others, (power.needed for power in powers), strict=True))
        wants[human] = [needed.get(i) for i in range(len(labels))]
    return wants


def cluster_all(
    comparison: Comparison, samples: Mapping[str, Sample], chance: Chance
) -> Steps[dict[str, Clusters]]:
    """Which measures do not differ, by judgement."""
    found: dict[str, Clusters] = {}
    for human, sample in samples.items():
        found[human] = yield from clusters(sample, chance, comparison.ranked(human))
    return found


@dataclass(frozen=True, slots=True)
class Columns:
    """What is shown beside the correlations, by judgement; each may be empty."""

    standings: Found
    wants: Wants
    groups: Mapping[str, Clusters]

    def names(self) -> tuple[str, ...]:
        """Which columns these fill."""
        every = self.standings.values()
        has_interval = any(math.isfinite(low) for one in every for low in one.low)
        has_test = any(one.against for one in every)
        return (
            *(_INTERVAL if has_interval else ()),
            *(_DIFFERENCE if has_test else ()),
            *(("needed",) if self.wants else ()),
            *(_CLUSTER if self.groups else ()),
        )

    def cell(self, human: str, place: int, column: str) -> Any:
        """Of a judgement's measure by its place."""
        if column in _CLUSTER:
            group = self.groups[human]
            return (group.ranks[place] or None) if column == "cluster" else group.letters[place]
        if column == "needed":
            return self.wants[human][place] if human in self.wants else None
        one = self.standings[human]
        if column == "compared_with":
            return one.against
        values = {"low": one.low, "high": one.high, "p_difference": one.p, "p_adjusted": one.adjusted}
        return float(values[column][place])


def cells_of(rows: Sequence[CorrelationRow], columns: Columns) -> list[dict[str, Any]]:
    """The columns of each row; rows stand judgement by judgement, measures in the standings' order."""
    places: dict[str, int] = {}
    names, cells = columns.names(), []
    for row in rows:
        place = places.get(row.human, 0)
        places[row.human] = place + 1
        cells.append({name: columns.cell(row.human, place, name) for name in names})
    return cells


def texts_of(cells: Mapping[str, Any]) -> dict[str, str]:
    """The same for people."""
    texts: dict[str, str] = {}
    if "low" in cells:
        low, high = cells["low"], cells["high"]
        ends = f"{correlation_text(low, 3)} to {correlation_text(high, 3)}"
        texts["interval"] = ends if math.isfinite(low) else UNDEFINED
    if "p_adjusted" in cells:
        texts["p_adjusted"] = p_text(cells["p_adjusted"])
    if "needed" in cells:
        texts["needed"] = UNDEFINED if cells["needed"] is None else f"{cells['needed']:,}"
    if "cluster" in cells:
        texts["cluster"] = f"{cells['cluster']} {cells['letters']}" if cells["cluster"] else UNDEFINED
    return texts


def heads_of(columns: Sequence[str]) -> dict[str, str]:
    """Headings of what `texts_of` gives."""
    heads = {"interval": "Interval"} if "low" in columns else {}
    heads |= {"p_adjusted": "p of difference"} if "p_adjusted" in columns else {}
    heads |= {"needed": "Needed"} if "needed" in columns else {}
    return heads | ({"cluster": "Cluster"} if "cluster" in columns else {})


def policy_of(chance: Chance, standings: Found, needed: str, clustered: bool) -> list[str]:
    """How intervals and differences were found, in sentences."""
    sentences = []
    if any(math.isfinite(low) for one in standings.values() for low in one.low):
        sentences.append(f"Intervals of {chance.confidence:.0%}: {_interval_text(chance)}.")
    elif standings and chance.interval is not IntervalKind.NONE:
        sentences.append("No interval of this kind is known for the coefficient; choose a bootstrap.")
    for human, one in standings.items():
        if one.against:
            how = f"{_test_text(chance)}, {_SIDES[chance.sides]}, {_ADJUSTED[chance.adjustment]}"
            sentences.append(f"{human}: differences from {one.against}: {how}.")
    if needed and any(one.against for one in standings.values()):
        sentences.append(
            f"Needed: {needed} that give a chance of {WANTED:.0%} to find the difference, if it is as large "
            f"as here; {UNDEFINED}: more than {MOST} times as many."
        )
    if clustered:
        how = f"{_test_text(chance)}, two sides, {_ADJUSTED[chance.adjustment]} over all pairs"
        sentences.append(
            f"Clusters: going down, one begins where a measure differs from any above it in the present one. "
            f"Measures that share a letter do not differ: {how}; p < {1 - chance.confidence:.2g}."
        )
    return sentences


def _interval_text(chance: Chance) -> str:
    if chance.interval is IntervalKind.FISHER:
        return "Fisher's transformation, as if pairs were independent"
    return f"{chance.draws:,} resamples of {_OVER[chance.interval.rpartition('-')[2]]}, seed {chance.seed}"


def _test_text(chance: Chance) -> str:
    if chance.test is DifferenceTest.WILLIAMS:
        signs = " of the correlations without their signs" if chance.magnitudes else ""
        return f"Williams' test{signs} with {chance.freedom.replace('-', ' − ')} degrees of freedom"
    return f"{chance.draws:,} permutations of {_OVER[chance.test.rpartition('-')[2]]}, seed {chance.seed}"


_OVER = {"both": "systems and topics", "systems": "systems", "topics": "topics", "annotators": "annotators"}
_SIDES = {"two": "two sides", "greater": "one side (it is the better)", "less": "one side (it is the worse)"}
_ADJUSTED = {
    Adjustment.HOLM: "p adjusted by Holm's rule",
    Adjustment.BENJAMINI_HOCHBERG: "p adjusted by Benjamini and Hochberg's rule",
    Adjustment.NONE: "p not adjusted",
}
