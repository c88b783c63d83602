"""Many measures correlated with many judgements, compared with each pair alone."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.jit import Kernel
from core.stats import concordance
from core.stats.correlation import Coefficient, Level, UndefinedPolicy, correlate
from core.stats.measure_stack import MeasureStack
from core.stats.types import OF_ROWS
from tests.conftest import examples

every = pytest.mark.parametrize("coefficient", list(OF_ROWS))


def drawn(seed: int, *, gaps: float) -> tuple[np.ndarray, np.ndarray]:
    """Six measures and three judgements of 7 systems and 5 topics, with ties and a constant measure."""
    random = np.random.default_rng(seed)
    x, z = random.normal(size=(6, 7, 5)).round(1), random.integers(0, 5, (3, 7, 5)).astype(float)
    x[5] = 2.0
    for values in (x[:3], z[1:]):
        values[random.random(values.shape) < gaps] = math.nan
    return x, z


@pytest.mark.slow
@every
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.1, 0.7]))
@settings(max_examples=examples(4), deadline=None)
def test_a_stack_equals_each_pair_separately(coefficient, seed, gaps):
    x, z = drawn(seed, gaps=gaps)
    stack = MeasureStack(x)
    for level in Level:
        for undefined in (UndefinedPolicy.SKIP, UndefinedPolicy.ZERO):
            for human in z:
                together = stack.correlate(human, level, coefficient, undefined)
                alone = [correlate(side, human, level, coefficient, undefined) for side in x]
                assert repr(together) == repr(alone)


@pytest.fixture
def loops(monkeypatch):
    """Use compiled loops, as the window does for a large study."""
    monkeypatch.setattr(Kernel, "interpreted_steps", 0)
    concordance.warm_up()


@pytest.mark.parametrize("n", [6, 300])
def test_compiled_loops_equal_array_code(loops, monkeypatch, n):
    random = np.random.default_rng(n)
    x, z = random.integers(0, 9, (8, n)).astype(float), random.integers(0, 5, (2, n)).astype(float)
    x[:, 1] = z[:, 1] = math.nan
    sides = concordance.PreparedRows.of(x), concordance.PreparedRows.of(z)
    compiled = concordance.concordance_counts(*sides)
    monkeypatch.setattr(concordance, "is_warm", lambda: False)
    assert concordance.concordance_counts(*sides).tolist() == compiled.tolist()


def test_a_judgement_of_other_systems_is_refused():
    with pytest.raises(ValueError, match="not the same systems and topics"):
        MeasureStack(np.zeros((1, 3, 4))).correlate(np.zeros((4, 3)), Level.SYSTEM, Coefficient.PEARSON)


def test_undefined_topics_are_reported_if_they_are_an_error():
    x, z = drawn(1, gaps=0.0)
    with pytest.raises(InputError, match="undefined in 5 of 5 topics"):
        MeasureStack(x).correlate(z[0], Level.TOPIC, Coefficient.PEARSON, UndefinedPolicy.ERROR)


def test_no_measures_have_no_correlations():
    assert MeasureStack(np.empty((0, 3, 4))).correlate(np.ones((3, 4)), Level.TOPIC, Coefficient.GAMMA) == []


@every
@pytest.mark.parametrize("shape", [(2, 0, 0), (2, 0, 3), (2, 3, 0)])
def test_empty_matrices_have_undefined_correlations(coefficient, shape):
    for level in Level:
        actual = MeasureStack(np.empty(shape)).correlate(np.empty(shape[1:]), level, coefficient)
        assert [(math.isnan(one.value), one.n, one.dropped) for one in actual] == [(True, 0, 0)] * 2
