"""Numbers that are equal but for rounding errors are equal at every level, in every coefficient and test.

How it was tried to be broken: random small studies with many ties, missing values and means of several
annotators, whose last digits differ though the means are the same; one topic; measures at 1e±300; linear
copies with offsets and factors that are no powers of two; a constant, one with noise in the last digit, and
1e6 plus a billionth; the same study imported in several orders. The intervals of copies differed, since equal
correlations of resamples were compared at their last digit; so did the accuracies, since equal differences of
unequal values are not equal after rounding the values.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.comparison.comparison import Comparison, load_comparison
from core.comparison.inference import (
    CorrelationInputs,
    correlation_inputs,
    differences,
    infer,
    intervals,
    significance_groups,
)
from core.comparison.judgements import included_ratings
from core.comparison.measures import MeasureRef
from core.comparison.options import DifferenceTest, InferenceOptions, IntervalMethod
from core.domain.import_batch import ImportContent, NewRating, NewScore, NewText, NewTopic
from core.domain.study import SystemKind
from core.matrix import Array, ScoreMatrix, nanmean_first_axis
from core.ports import MetricConfig
from core.progress import run_to_completion
from core.stats.correlation import Coefficient, Level, correlate, correlate_many
from core.stats.types import OF_ROWS, UNDEFINED
from storage.study_file import new_study
from tests.conftest import examples

pytestmark = pytest.mark.slow

NAN = math.nan
SIZED = {"max_examples": examples(15), "deadline": None}
COPIES: dict[str, Callable[[Array], Array]] = {
    "100x": lambda x: 100 * x,
    "(x - .83) / .17": lambda x: (x - 0.83) / 0.17,
    "1000x + 7": lambda x: 1000 * x + 7,
    "1e300x": lambda x: 1e300 * x,
    "1e-300x": lambda x: 1e-300 * x,
}
CONSTANT: dict[str, Callable[[Array], Array]] = {
    "constant": lambda x: 0 * x + 0.3,
    "in the last digit": lambda x: np.where(x > 0.5, 0.3, 0.1 + 0.2),
    "nearly": lambda x: 1e6 + 1e-9 * x,
    "zero": lambda x: 0 * x,
}


@st.composite
def studies(draw: st.DrawFn, topics: int | None = None) -> tuple[Array, Array]:
    """A measure and mean ratings, shape (systems, topics), with ties and missing values."""
    systems = draw(st.integers(5, 8))
    count = draw(st.integers(2, 6)) if topics is None else topics
    chance = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    x = chance.integers(0, draw(st.sampled_from([3, 12])) + 1, (systems, count)) / draw(
        st.sampled_from([3, 7, 10])
    )
    ratings = chance.integers(10, 51, (3, systems, count)) // draw(st.sampled_from([1, 10])) / 10
    if draw(st.booleans()):
        x[chance.random(x.shape) < 0.1] = NAN
        ratings[chance.random(ratings.shape) < 0.1] = NAN
    return x, nanmean_first_axis(ratings)


def correlations(x: Array, z: Array) -> dict[tuple[Level, Coefficient], float]:
    return {(level, c): correlate(x, z, level, c).value for level in Level for c in OF_ROWS}


@given(studies(topics=1))
@settings(**SIZED)
def test_all_levels_agree_on_one_topic(study):
    found = correlations(*study)
    for coefficient in OF_ROWS:
        values = [found[level, coefficient] for level in Level]
        assert values == pytest.approx([values[0]] * 3, abs=1e-12, nan_ok=True)


@given(studies(), st.sampled_from(sorted(COPIES)), st.integers(0, 2))
@settings(**SIZED)
def test_a_linear_copy_never_differs_and_a_falling_one_is_mirrored(study, copy, at):
    x, z = study
    level, test = list(Level)[at], DifferenceTest.PERMUTATION_BOTH
    rising = COPIES[copy](x)
    both = np.stack((x, rising, -rising))
    for coefficient in Coefficient:
        if coefficient is Coefficient.SOFT_ACCURACY and level is not Level.SYSTEM:
            continue
        options = InferenceOptions(test=test, draws=20)
        sample = CorrelationInputs(both, z, level, coefficient)
        found = correlate_many(both, z, level, coefficient)
        assert found[1].value == pytest.approx(found[0].value, abs=1e-9, nan_ok=True), coefficient
        (p,) = run_to_completion(differences(sample, [(0, 1)], options))
        assert p == 1.0 or (math.isnan(p) and math.isnan(found[0].value)), coefficient
        if not coefficient.is_accuracy:
            assert found[2].value == pytest.approx(-found[0].value, abs=1e-9, nan_ok=True)
            assert found[2].p == pytest.approx(found[0].p, rel=1e-6, nan_ok=True)
    if level is Level.SYSTEM and not math.isnan(correlate(x, z, level, Coefficient.PEARSON).value):
        sample = CorrelationInputs(both, z, level, Coefficient.PEARSON)
        for magnitudes, falling in ((False, NAN), (True, 1.0)):
            options = InferenceOptions(test=DifferenceTest.WILLIAMS, magnitudes=magnitudes)
            p = run_to_completion(differences(sample, [(0, 1), (0, 2)], options))
            assert p == pytest.approx([1.0, falling], nan_ok=True)


@given(studies(), st.sampled_from(list(Level)), st.sampled_from([c for c in OF_ROWS if not c.is_accuracy]))
@settings(**SIZED)
def test_the_interval_of_a_falling_copy_is_mirrored(study, level, coefficient):
    x, z = study
    sample = CorrelationInputs(np.stack((x, 3 * x + 0.1, 0.1 - 3 * x)), z, level, coefficient)
    found = run_to_completion(intervals(sample, InferenceOptions(IntervalMethod.BOOTSTRAP_BOTH, draws=200)))
    assert found.low[1] == pytest.approx(found.low[0], abs=1e-7, nan_ok=True)
    assert -found.high[2] == pytest.approx(found.low[0], abs=1e-7, nan_ok=True)
    assert found.p[1:] == pytest.approx([found.p[0]] * 2, abs=1e-7, nan_ok=True)


def compared(measures: dict[str, Array], z: Array) -> Comparison:
    """A comparison of measures with one judgement."""
    names = tuple(f"s{i}" for i in range(z.shape[0])), tuple(f"t{i}" for i in range(z.shape[1]))
    configs = [MetricConfig(f"imported|{name}", "imported", "", "", (name,)) for name in measures]
    refs = [
        MeasureRef(name, name, config.signature, name, config, z.shape[1], False)
        for name, config in zip(measures, configs, strict=True)
    ]
    scores = tuple(ScoreMatrix(name, *names, values) for name, values in measures.items())
    return Comparison(tuple(refs), scores, {"rating.r": ScoreMatrix("rating.r", *names, z)})


@given(studies(), st.sampled_from(sorted(CONSTANT)), st.sampled_from(list(Level)))
@settings(**SIZED)
def test_a_constant_measure_has_nothing_and_always_for_the_same_reason(study, kind, level):
    x, z = study
    steady = CONSTANT[kind](x)
    comparison = compared({"steady": steady, "x": x, "other": np.roll(np.nan_to_num(x), 1, axis=0)}, z)
    for coefficient in (Coefficient.PEARSON, Coefficient.SPEARMAN, Coefficient.KENDALL, Coefficient.GAMMA):
        (row, *_) = comparison.rows_against("rating.r", level, coefficient)
        assert math.isnan(row.value)
        for test in DifferenceTest:
            if test is DifferenceTest.WILLIAMS and (level, coefficient) != (
                Level.SYSTEM,
                Coefficient.PEARSON,
            ):
                continue
            options = InferenceOptions(IntervalMethod.BOOTSTRAP_BOTH, test=test, draws=60)
            result = run_to_completion(
                infer(comparison, "rating.r", level, coefficient, options, family=[0, 1, 2])
            )
            assert 0 not in result.family
            assert np.isnan(
                [result.p[0], result.adjusted[0], result.intervals.low[0], result.intervals.p[0]]
            ).all()
            assert result.intervals.reasons[0] == UNDEFINED
            sample = correlation_inputs(comparison, "rating.r", level, coefficient)
            groups = run_to_completion(significance_groups(sample, options))
            assert (groups.ranks[0], groups.letters[0], np.isnan(groups.p[0]).all()) == (0, "", True)
    assert not comparison.eligibility("rating.r")[0].is_ranked


def imported(path, order: random.Random | None):
    """A study of 6 systems, 4 topics and 3 annotators, in order of names or shuffled, by two imports."""
    chance = random.Random(6)
    topics, systems, people = ([f"{kind}{i}" for i in range(n)] for kind, n in (("t", 4), ("s", 6), ("a", 3)))
    ratings = [
        NewRating(t, s, "fluency", a, chance.randint(10, 50) / 10)
        for t in topics for s in systems for a in people if chance.random() < 0.9
    ]  # fmt: skip
    scores = [
        NewScore(t, s, m, chance.randint(0, 9) / 7) for m in ("one", "two") for t in topics for s in systems
    ]
    rows = [topics, systems, people, ratings, scores]
    for each in rows if order else ():
        order.shuffle(each)
    with new_study(path, name="Study") as study:
        study.import_data(
            ImportContent(
                "made for tests",
                topics=[NewTopic(t, summaries={s: NewText(f"{s} on {t}.") for s in systems}) for t in topics],
                systems=dict.fromkeys(systems, SystemKind.AUTOMATIC),
                annotators=dict.fromkeys(people, ""),
                dimensions={"fluency": (1.0, 5.0)},
                ratings=ratings[:30],
            )
        )
        study.import_data(ImportContent("made for tests", ratings=ratings[30:], scores=scores))
        study.flush()
        comparison = load_comparison(study, ["rating.fluency"])
        cube = included_ratings(study, "rating.fluency")
        found = {}
        for level in Level:
            for coefficient in Coefficient:
                if coefficient is Coefficient.SOFT_ACCURACY:
                    continue
                rows_of = comparison.rows_against("rating.fluency", level, coefficient)
                found |= {(level, coefficient, row.measure): repr((row.value, row.n)) for row in rows_of}
                for method in (IntervalMethod.BOOTSTRAP_BOTH, IntervalMethod.BOOTSTRAP_ANNOTATORS):
                    options = InferenceOptions(interval=method, draws=60)
                    result = run_to_completion(
                        infer(comparison, "rating.fluency", level, coefficient, options, ratings=cube)
                    )
                    for place, ref in enumerate(comparison.refs):
                        estimates = result.intervals
                        ends = (
                            estimates.low[place],
                            estimates.high[place],
                            estimates.p[place],
                            result.p[place],
                        )
                        found[level, coefficient, method, ref.label] = repr(tuple(map(float, ends)))
        return found


def test_the_order_of_imports_changes_nothing(tmp_path):
    expected = imported(tmp_path / "ordered.pyramidion", None)
    for seed in (1, 2):
        actual = imported(tmp_path / f"shuffled-{seed}.pyramidion", random.Random(seed))
        different = {key: (value, actual[key]) for key, value in expected.items() if actual[key] != value}
        assert not different
