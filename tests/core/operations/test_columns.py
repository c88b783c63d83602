"""Answers that take long come measure by measure."""

from __future__ import annotations

import numpy as np
import pytest

from core.comparison.comparison import Comparison
from core.comparison.measures import MeasureRef
from core.matrix import ScoreMatrix
from core.operations import columns
from core.operations.columns import PartialResult
from core.operations.correlate import CorrelationData
from core.operations.options import CorrelateRequest
from core.ports import MetricConfig
from core.progress import run_to_completion
from core.stats.correlation import Coefficient, Level

SYSTEMS, TOPICS = tuple("ABCDE"), tuple("stuv")


@pytest.fixture
def data() -> CorrelationData:
    """Five measures and a judgement, drawn with a seed."""
    random = np.random.default_rng(3)

    def matrix(label: str) -> ScoreMatrix:
        return ScoreMatrix(label, SYSTEMS, TOPICS, random.normal(size=(5, 4)).round(1))

    config = MetricConfig("made|version:1", "made", "made", "", ("f",))
    refs = tuple(MeasureRef(f"m{i}", "f", config.signature, "made", config, 4, False) for i in range(5))
    scores = tuple(matrix(ref.label) for ref in refs)
    return CorrelationData(Comparison(refs, scores, {"rating.x": matrix("x")}), {})


def query(level: Level = Level.GLOBAL) -> CorrelateRequest:
    return CorrelateRequest(("rating.x",), level=level, coefficient=Coefficient.ACCURACY)


def test_measures_that_are_wanted_first_come_first(data, monkeypatch):
    monkeypatch.setattr(columns, "AT_ONCE_NS", 0.0)
    growing = PartialResult(data, [query()], first=[3, 4])
    steps = growing.work()
    next(steps)
    coming = [growing.columns()[0].coming]
    for _ in range(2):
        next(steps)
        coming.append(growing.columns()[0].coming)
    assert coming == [{0, 1, 2, 3, 4}, {0, 1, 2, 4}, {0, 1, 2}]
    assert growing.columns()[0].best(data.comparison, query()) == (), "another may still be better"


@pytest.mark.parametrize("level", list(Level))
def test_part_by_part_they_are_the_data_of_all_at_once(data, monkeypatch, level):
    at_once = run_to_completion(PartialResult(data, [query(level)]).work())
    monkeypatch.setattr(columns, "AT_ONCE_NS", 0.0)
    by_part = run_to_completion(PartialResult(data, [query(level)], first=[2]).work())
    assert repr(list(by_part[0].rows)) == repr(list(at_once[0].rows))
    assert not by_part[0].coming


def test_cautions_come_with_the_whole_column_at_system_level(data, monkeypatch):
    monkeypatch.setattr(Comparison, "text_cautions", lambda _, humans: [f"of {one}" for one in humans])
    growing = PartialResult(data, [query(Level.SYSTEM)])
    steps = growing.work()
    next(steps)
    assert growing.columns()[0].cautions == ()
    for _ in steps:
        pass
    assert growing.columns()[0].cautions == ("of rating.x",)
    assert run_to_completion(PartialResult(data, [query(Level.TOPIC)]).work())[0].cautions == ()
