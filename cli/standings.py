"""Intervals and differences as columns of `pyramidion correlate`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from core.comparing import Adjustment, Chance, DifferenceTest, IntervalKind, Standing, standing
from core.comparison import Comparison, CorrelationRow
from core.progress import Steps
from core.report.numbers import UNDEFINED, correlation_text, p_text
from core.stats.correlation import Coefficient, Level, Undefined

_INTERVAL = ("low", "high")
_DIFFERENCE = ("compared_with", "p_difference", "p_adjusted")


def stand_all(
    comparison: Comparison, level: Level, coefficient: Coefficient, undefined: Undefined, chance: Chance
) -> Steps[dict[str, Standing]]:
    """What chance could do, by judgement; empty where nothing is asked."""
    found: dict[str, Standing] = {}
    if chance.interval is not IntervalKind.NONE or chance.against:
        for human in comparison.judgements:
            found[human] = yield from standing(comparison, human, level, coefficient, chance, undefined)
    return found


def columns_of(standings: Mapping[str, Standing]) -> tuple[str, ...]:
    """Which columns the standings fill."""
    every = standings.values()
    has_interval = any(math.isfinite(low) for one in every for low in one.low)
    has_test = any(one.against for one in every)
    return (*(_INTERVAL if has_interval else ()), *(_DIFFERENCE if has_test else ()))


def cells_of(
    rows: Sequence[CorrelationRow], standings: Mapping[str, Standing], columns: Sequence[str]
) -> list[dict[str, Any]]:
    """These columns of each row; rows stand judgement by judgement, measures in the standings' order."""
    places: dict[str, int] = {}
    cells = []
    for row in rows:
        place = places.get(row.human, 0)
        places[row.human] = place + 1
        one = standings.get(row.human)
        cells.append({} if one is None else {key: _cell(one, place, key) for key in columns})
    return cells


def _cell(one: Standing, place: int, column: str) -> Any:
    if column == "compared_with":
        return one.against
    values = {"low": one.low, "high": one.high, "p_difference": one.p, "p_adjusted": one.adjusted}
    return float(values[column][place])


def texts_of(cells: Mapping[str, Any]) -> dict[str, str]:
    """The same for people."""
    texts: dict[str, str] = {}
    if "low" in cells:
        low, high = cells["low"], cells["high"]
        ends = f"{correlation_text(low, 3)} to {correlation_text(high, 3)}"
        texts["interval"] = ends if math.isfinite(low) else UNDEFINED
    if "p_adjusted" in cells:
        texts["p_adjusted"] = p_text(cells["p_adjusted"])
    return texts


def heads_of(columns: Sequence[str]) -> dict[str, str]:
    """Headings of what `texts_of` gives."""
    heads = {"interval": "Interval"} if "low" in columns else {}
    return heads | ({"p_adjusted": "p of difference"} if "p_adjusted" in columns else {})


def policy_of(chance: Chance, standings: Mapping[str, Standing]) -> list[str]:
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
    return sentences


def _interval_text(chance: Chance) -> str:
    if chance.interval is IntervalKind.FISHER:
        return "Fisher's transformation, as if pairs were independent"
    return f"{chance.draws:,} resamples of {_OVER[chance.interval.rpartition('-')[2]]}, seed {chance.seed}"


def _test_text(chance: Chance) -> str:
    if chance.test is DifferenceTest.WILLIAMS:
        return "Williams' test with n − 3 degrees of freedom"
    return f"{chance.draws:,} permutations of {_OVER[chance.test.rpartition('-')[2]]}, seed {chance.seed}"


_OVER = {"both": "systems and topics", "systems": "systems", "topics": "topics"}
_SIDES = {"two": "two sides", "greater": "one side (it is the better)", "less": "one side (it is the worse)"}
_ADJUSTED = {
    Adjustment.HOLM: "p adjusted by Holm's rule",
    Adjustment.BENJAMINI_HOCHBERG: "p adjusted by Benjamini and Hochberg's rule",
    Adjustment.NONE: "p not adjusted",
}
