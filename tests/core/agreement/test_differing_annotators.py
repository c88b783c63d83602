"""Annotators who differ from all others, against calculations by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.agreement.analysis import AgreementOptions
from core.agreement.estimates import BootstrapOptions
from core.agreement.items import AnnotatedItems
from core.agreement.table import AgreementRow, Grouping
from core.comparison.annotator_agreement import AgreementSelection, study_agreement
from core.domain.import_batch import ImportContent, NewRating
from core.operations.agree import least_agreeing, mean_difference, pair_agreement
from core.progress import run_to_completion

VALUES = {"Ann": (2, 3, 4, 5, 3, 4), "Ben": (2, 3, 4, 5, 3, 4), "Cat": (2, 3, 4, 5, 3, 4)}
DAN = (1, 1, 4, 2, 1, 3)
"""Differences from the others: -1, -2, 0, -3, -2, -1; their mean is -9 / 6."""


def items(*columns: tuple[float, ...]) -> AnnotatedItems:
    names = ("Ann", "Ben", "Cat")[: len(columns)]
    return AnnotatedItems(np.array(columns).T, np.zeros(len(columns[0]), dtype=np.int64), ("D1",), names)


def pair(first: str, second: str, value: float) -> AgreementRow:
    reason = "" if math.isfinite(value) else "nobody varied"
    numbers = value, math.nan, math.nan, 9
    return AgreementRow("matches", Grouping.PAIR, "", "alpha-nominal", *numbers, (first, second), reason)


def test_the_mean_difference_is_that_from_the_mean_of_the_others() -> None:
    nan = math.nan
    found = items((1.0, 2.0, 5.0, nan), (2.0, 4.0, nan, 1.0), (4.0, nan, nan, 1.0))
    assert mean_difference(found, "Ann") == pytest.approx(((1 - 3) + (2 - 4)) / 2)
    assert math.isnan(mean_difference(items((1.0, nan), (nan, 1.0)), "Ann"))


def test_who_agrees_least_must_do_so_with_everybody() -> None:
    clear = [pair("A", "B", 0.6), pair("A", "D", 0.2), pair("B", "D", 0.3)]
    assert least_agreeing(clear) == "D"
    assert least_agreeing([pair("A", "B", 0.3), *clear[1:]]) == "", "B agrees no better with A than with D"
    assert least_agreeing([pair("A", "B", 0.6), pair("A", "D", math.nan), pair("B", "D", 0.1)]) == ""
    assert least_agreeing([pair("A", "B", 0.1)]) == "", "of two nobody is the one who differs"


def test_the_sentence_has_the_difference_and_the_agreement_of_the_others(study) -> None:
    study.ratings.add_dimension("tone")
    places = [(topic, system) for topic in ("D1", "D2") for system in ("lead", "good", "bad")]
    people = {**VALUES, "Dan": DAN}
    ratings = [
        NewRating(*place, "tone", who, float(value))
        for who, values in people.items()
        for place, value in zip(places, values, strict=True)
    ]
    study.import_data(ImportContent("ratings", annotators=dict.fromkeys(people, ""), ratings=ratings))
    options = AgreementOptions(BootstrapOptions(draws=0))
    table = run_to_completion(study_agreement(study, AgreementSelection(), options))
    found = run_to_completion(pair_agreement(study, AgreementSelection(), table))
    assert len(found.pairs["rating.tone"]) == 6
    said = found.differing["rating.tone"].sentence
    assert said == "Dan differs from all others: 1.5 points lower on average. Without Dan, α is 1.00."
