"""Required numbers of systems and topics in sentences."""

from __future__ import annotations

import math
from itertools import product

import pytest

from core.operations.required_sizes import RequiredSizes, required_sizes_text
from core.stats.resample_counts import ResampleUnit
from core.stats.resampling.power import Power
from core.stats.types import Coefficient

NAN = math.nan


def sentences(chances, needed, ends, at_ends) -> str:
    """Return the text on a power over systems and over topics alike, with sizes 3 and 24."""
    found = [
        Power(over, 0.2, *ends, (3, 24), chances, chances, chances, needed, *at_ends)
        for over in (ResampleUnit.SYSTEMS, ResampleUnit.TOPICS)
    ]
    sizes = RequiredSizes(Coefficient.PEARSON, "Tone", ("a.f", "b.f"), (found[0], found[1]), (6, 5))
    return " ".join(required_sizes_text(sizes))


@pytest.mark.parametrize(
    ("needed", "ends", "high"), [*product((9, None), ((0.1, 0.3), (-0.3, -0.1), (-0.1, 0.3)), (20, None))]
)
def test_no_number_is_said_to_be_enough_only_where_the_interval_contains_0(needed, ends, high) -> None:
    contains_0 = ends[0] < 0 < ends[1]
    if contains_0 and high:
        return
    text = sentences((0.2, 0.9 if needed else 0.4), needed, ends, (4, high))
    assert ("no number of them" in text) == contains_0
    assert ("4 topics to more than were tried" in text) == (high is None and not contains_0)
    assert ("More than 24 topics are needed" in text) == (needed is None)


def test_without_a_power_nothing_is_said_about_numbers() -> None:
    text = sentences((NAN, NAN), None, (NAN, NAN), (None, None))
    assert "How many topics are needed is unknown; this study has 5." in text
    assert "24" not in text
