"""Answers that take long come measure by measure."""

from __future__ import annotations

import numpy as np
import pytest

from core.comparison.comparison import Comparison
from core.comparison.measures import MeasureRef
from core.matrix import ScoreMatrix
from core.ports import MetricConfig
from core.progress import run_to_completion
from core.stats.correlation import Coefficient, Level
from gui.pages.compare.correlations import queries
from gui.pages.compare.correlations.queries import CorrelationQuery, PartialResult
from gui.pages.compare.correlations.study_data import ComparisonData
from gui.pages.compare.table.table_content import TableContent, cells_of

SYSTEMS, TOPICS = tuple("ABCDE"), tuple("stuv")


@pytest.fixture
def numbers() -> ComparisonData:
    """Five measures and a judgement, drawn with a seed."""
    random = np.random.default_rng(3)

    def matrix(label: str) -> ScoreMatrix:
        return ScoreMatrix(label, SYSTEMS, TOPICS, random.normal(size=(5, 4)).round(1))

    config = MetricConfig("made|version:1", "made", "made", "", ("f",))
    refs = tuple(MeasureRef(f"m{i}", "f", config.signature, "made", config, 4, False) for i in range(5))
    scores = tuple(matrix(ref.label) for ref in refs)
    return ComparisonData(Comparison(refs, scores, {"rating.x": matrix("x")}), {}, {})


def question(level: Level = Level.GLOBAL) -> CorrelationQuery:
    return CorrelationQuery(level, Coefficient.ACCURACY, "rating.x")


def test_measures_that_are_wanted_first_come_first(numbers, monkeypatch):
    monkeypatch.setattr(queries, "AT_ONCE_NS", 0.0)
    growing = PartialResult(numbers, [question()], first=[3, 4])
    steps = growing.work()
    next(steps)
    coming = [growing.answers()[0].coming]
    for _ in range(2):
        next(steps)
        coming.append(growing.answers()[0].coming)
    assert coming == [{0, 1, 2, 3, 4}, {0, 1, 2, 4}, {0, 1, 2}]
    cells = cells_of(TableContent(numbers, growing.answers(), [None]), growing.answers()[0], None)
    assert [cell.is_coming for cell in cells] == [True, True, True, False, False]
    assert not any(cell.is_best for cell in cells), "another may still be better"


@pytest.mark.parametrize("level", list(Level))
def test_part_by_part_they_are_the_numbers_of_all_at_once(numbers, monkeypatch, level):
    at_once = run_to_completion(PartialResult(numbers, [question(level)]).work())
    monkeypatch.setattr(queries, "AT_ONCE_NS", 0.0)
    by_part = run_to_completion(PartialResult(numbers, [question(level)], first=[2]).work())
    assert repr(list(by_part[0].rows)) == repr(list(at_once[0].rows))
    assert not by_part[0].coming
