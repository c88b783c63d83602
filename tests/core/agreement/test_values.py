"""Agreement of values: published examples, degenerate cases, properties, independent implementations."""

from __future__ import annotations

import json
import math
import tracemalloc
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import cohen_kappa_score

from core.agreement import coefficients
from core.agreement.analysis import COEFFICIENTS, RATING_COEFFICIENTS, AgreementOptions, value_agreement
from core.agreement.coefficients import (
    AlphaLevel,
    CodedItems,
    IccForm,
    KappaWeights,
    PairCorrelation,
    cohen_kappa,
    correlations,
    fleiss_kappa,
    intraclass_correlation,
    krippendorff_alpha,
    raw_agreement,
)
from core.agreement.estimates import BootstrapOptions, estimate
from core.agreement.items import AnnotatedItems, rated_items
from core.agreement.table import Grouping
from core.domain.ratings import RatingCube
from core.progress import Cancelled, cancellable, run_to_completion
from core.stats.types import Ends

X = math.nan

KRIPPENDORFF = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, X, X, X],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, X, 3],
    [X, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, X],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, X],
]
"""Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, section C: four observers, twelve units."""

SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
"""Shrout & Fleiss 1979, table 2: six targets, four judges."""

FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
"""Fleiss' kappa on Wikipedia: ten subjects, fourteen raters, five categories; kappa .210."""


def items_of(values, topic_of=None):
    """Items from a table of items by annotators."""
    table = np.array(values, dtype=float)
    topics = np.zeros(len(table), dtype=np.int64) if topic_of is None else np.array(topic_of)
    names = tuple(f"T{i}" for i in range(int(topics.max(initial=0)) + 1))
    return AnnotatedItems(table, topics, names, tuple(f"A{i}" for i in range(table.shape[1])))


def coded_of(values, topic_of=None):
    return CodedItems.of(items_of(values, topic_of))


@pytest.mark.parametrize(
    ("level", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_krippendorffs_example_has_the_published_alpha(level, published):
    found = krippendorff_alpha(coded_of(np.transpose(KRIPPENDORFF)), AlphaLevel(level))
    assert round(found.value, 3) == published
    assert found.items == 11  # the twelfth unit has one value, so nothing to compare it with


@pytest.mark.parametrize("level", AlphaLevel)
def test_tables_of_topics_give_the_alpha_of_the_library(level):
    topic_of = np.arange(12) % 3
    found = krippendorff_alpha(coded_of(np.transpose(KRIPPENDORFF), topic_of), level)
    assert found.of(np.ones((1, 3)))[0] == pytest.approx(found.value, abs=1e-12)


def test_interval_alpha_of_many_values_is_that_of_the_tables(monkeypatch):
    expected = krippendorff_alpha(coded_of(np.transpose(KRIPPENDORFF)), AlphaLevel.INTERVAL).value
    monkeypatch.setattr(coefficients, "MAX_VALUES", 3)
    found = krippendorff_alpha(coded_of(np.transpose(KRIPPENDORFF)), AlphaLevel.INTERVAL)
    assert found.exact is None
    assert found.value == pytest.approx(expected, abs=1e-12)
    assert "too many" in krippendorff_alpha(coded_of(np.transpose(KRIPPENDORFF)), AlphaLevel.ORDINAL).reason


@pytest.mark.parametrize(
    ("form", "published"),
    [("icc-1", 0.17), ("icc-1k", 0.44), ("icc-2", 0.29), ("icc-2k", 0.62), ("icc-3", 0.71), ("icc-3k", 0.91)],
)
def test_shrout_and_fleiss_example_has_the_published_icc(form, published):
    found = intraclass_correlation(coded_of(SHROUT_FLEISS, np.arange(6) % 2), IccForm(form))
    assert round(found.value, 2) == published
    assert found.of(np.ones((1, 2)))[0] == pytest.approx(found.value, abs=1e-12)


def test_fleiss_example_has_the_published_kappa():
    table = [[value for value, n in enumerate(row) for _ in range(n)] for row in FLEISS]
    found = fleiss_kappa(coded_of(table))
    assert round(found.value, 3) == 0.210
    assert found.items == 10


def test_fleiss_kappa_leaves_out_items_with_another_number_of_values():
    table = [[value for value, n in enumerate(row) for _ in range(n)] for row in FLEISS]
    found = fleiss_kappa(coded_of([*table, [1, 2, *([X] * 12)]]))
    assert round(found.value, 3) == 0.210
    assert (found.items, found.note) == (10, "1 items without exactly 14 values left out")


VALUES = st.lists(st.tuples(*[st.integers(1, 5)] * 3), min_size=2, max_size=20)


@given(VALUES, st.sampled_from(list(KappaWeights)))
def test_kappa_is_that_of_scikit_learn(values, weights):
    table = np.array(values)[:, :2]
    coded = coded_of(table)
    found = cohen_kappa(coded, coded.pair(0, 1), weights)
    if len(np.unique(table)) == 1:
        assert math.isnan(found.value)
        assert found.reason == f"both annotators always chose {table[0, 0]}"
        return
    name = None if weights is KappaWeights.NONE else weights.value
    expected = cohen_kappa_score(*table.T, labels=[1, 2, 3, 4, 5], weights=name)
    assert found.value == pytest.approx(expected, abs=1e-12)


def alpha_by_hand(table, distance):
    """Alpha by its definition with loops over pairs of values; table: items by annotators."""
    units = [[value for value in row if not math.isnan(value)] for row in table]
    units = [unit for unit in units if len(unit) > 1]
    pool = [value for unit in units for value in unit]
    observed = sum(
        distance(a, b) / (len(unit) - 1)
        for unit in units
        for (i, a), (j, b) in product(enumerate(unit), repeat=2)
        if i != j
    )
    expected = sum(distance(a, b) for (i, a), (j, b) in product(enumerate(pool), repeat=2) if i != j)
    return 1 - observed / len(pool) / (expected / len(pool) / (len(pool) - 1)) if expected else math.nan


@given(st.lists(st.tuples(*[st.sampled_from([1.0, 2.0, 4.0, 5.0, X])] * 3), min_size=1, max_size=15))
def test_alpha_is_that_of_its_definition(values):
    distances = {
        AlphaLevel.NOMINAL: lambda a, b: float(a != b),
        AlphaLevel.INTERVAL: lambda a, b: (a - b) ** 2,
        AlphaLevel.RATIO: lambda a, b: ((a - b) / (a + b)) ** 2,
    }
    for level, distance in distances.items():
        found = krippendorff_alpha(coded_of(values), level)
        expected = alpha_by_hand(values, distance)
        assert found.value == pytest.approx(expected, abs=1e-9, nan_ok=True)
        assert math.isnan(expected) == bool(found.reason)


@given(VALUES)
@example([(1, 4, 4), (3, 1, 4), (5, 1, 2), (5, 1, 2)])  # icc-2k: its denominator is zero but for rounding
def test_no_coefficient_depends_on_the_order_of_annotators(values):
    table = np.array(values)
    for coefficient in COEFFICIENTS.values():
        there, back = (coefficient(coded_of(side)).value for side in (table, table[:, ::-1]))
        assert there == pytest.approx(back, abs=1e-9, nan_ok=True)


@given(st.lists(st.integers(1, 5), min_size=3, max_size=20))
def test_equal_annotators_agree_fully_if_their_values_vary(column):
    coded = coded_of(np.column_stack([column] * 3))
    for name, coefficient in COEFFICIENTS.items():
        found = coefficient(coded)
        if len(set(column)) > 1 or name == "raw":
            assert found.value == pytest.approx(1, abs=1e-9)
        else:
            assert math.isnan(found.value)
            assert found.reason == f"all annotators always chose {column[0]}"


@pytest.mark.parametrize("kind", PairCorrelation)
def test_pairs_of_a_crowd_are_measured_as_if_alone(kind):
    random = np.random.default_rng(5)
    table = random.integers(1, 6, (60, 9)).astype(float)
    table[random.random(table.shape) < 0.6] = X  # most share few items, of few topics
    table[:10, 0] = 3.0
    coded, drawn = coded_of(table, np.arange(60) // 6), random.multinomial(10, [0.1] * 10, 40) * 1.0
    found = correlations(coded, kind, coded.pairs)
    pairs = coded.items.pairs()
    assert len(pairs) > 30
    for pair, together in zip(pairs, found, strict=True):
        alone_coded = CodedItems.of(coded.items.of_annotators(pair))
        (alone,) = correlations(alone_coded, kind, alone_coded.pairs)
        assert (together.value, together.reason, together.items) == pytest.approx(
            (alone.value, alone.reason, alone.items), nan_ok=True
        )
        np.testing.assert_allclose(together.of(drawn), alone.of(drawn), atol=1e-12)


@pytest.mark.parametrize("kind", PairCorrelation)
def test_tables_give_the_correlation_of_scipy(kind):
    random = np.random.default_rng(3)
    table = random.integers(1, 6, (60, 2)).astype(float)
    coded = coded_of(table, np.arange(60) % 6)
    (found,) = correlations(coded, kind, coded.pairs)
    reference = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}[kind]
    assert found.value == pytest.approx(reference(*table.T).statistic, abs=1e-12)
    twice = np.concatenate([table, table[np.arange(60) % 6 == 0]])
    counts = np.array([[2.0, 1, 1, 1, 1, 1]])
    assert found.of(counts)[0] == pytest.approx(reference(*twice.T).statistic, abs=1e-12)


@given(st.lists(st.tuples(*[st.sampled_from([1.0, 2.0, 3.0, X])] * 3), min_size=6, max_size=12))
def test_a_resample_is_the_coefficient_of_its_items(values):
    """Every coefficient of drawn topics equals that of the items of these topics, written out."""
    topic_of = np.arange(len(values)) % 3
    table = np.array(values)
    drawn = np.concatenate([table[topic_of == 0], table[topic_of == 0], table[topic_of == 2]])
    for name in ("alpha-nominal", "alpha-ordinal", "alpha-interval", "icc-1", "raw"):
        found = COEFFICIENTS[name](coded_of(table, topic_of))
        if found.reason:
            continue
        expected = COEFFICIENTS[name](coded_of(drawn)).value
        value = found.of(np.array([[2.0, 0.0, 1.0]]))[0]
        if math.isfinite(expected):
            assert value == pytest.approx(expected, abs=1e-9)


def test_reasons_name_what_is_missing():
    def reason(name, values):
        return COEFFICIENTS[name](coded_of(values)).reason

    assert reason("alpha-ordinal", [[3, 3]] * 4) == "both annotators always chose 3"
    assert reason("pearson", [[3, 1], [3, 2], [3, 4]]) == "A0 always chose 3"
    assert reason("alpha-nominal", [[1], [2]]) == "only one annotator"
    assert reason("kappa", [[1, X], [X, 2]]) == "no item has values of two annotators"
    assert reason("raw", [[1, X], [X, 2]]) == "no item has values of two annotators"
    assert reason("spearman", [[1, 2], [2, 3]]) == "2 items are too few; 3 are needed"
    assert reason("icc-2", [[1, 2, X], [2, 3, 4]]) == "not every annotator has a value for every item"
    assert (
        reason("alpha-ratio", [[-1, 2], [2, 3]])
        == "the ratio level needs values of at least 0, but there is -1"
    )


def test_raw_agreement_is_the_mean_share_of_equal_pairs():
    assert raw_agreement(coded_of([[1, 1, 2], [3, 3, 3], [1, 2, X]])).value == pytest.approx((1 / 3 + 1) / 3)


def noisy(topics=12, systems=5, annotators=3, seed=1):
    random = np.random.default_rng(seed)
    truth = random.integers(1, 6, (systems, topics))
    values = np.clip(truth + random.integers(-1, 2, (annotators, systems, topics)), 1, 5).astype(float)
    names = tuple(f"A{i}" for i in range(annotators))
    return RatingCube(
        "coherence",
        names,
        ("",) * annotators,
        tuple(f"S{i}" for i in range(systems)),
        tuple(f"T{i}" for i in range(topics)),
        values,
    )


@pytest.mark.parametrize("ends", Ends)
def test_intervals_contain_the_value_and_repeat_with_the_seed(ends):
    coded = CodedItems.of(rated_items(noisy()))
    options = BootstrapOptions(200, 5, ends=ends)
    for name in RATING_COEFFICIENTS:
        rows = [estimate(COEFFICIENTS[name](coded), "r", name, (), options) for _ in range(2)]
        assert rows[0] == rows[1]
        assert rows[0].low < rows[0].value < rows[0].high
        assert rows[0].items == 60


def test_percentile_interval_of_alpha_is_that_of_a_loop_over_resamples():
    cube = noisy(topics=6, systems=3)
    items = rated_items(cube)
    options = BootstrapOptions(100, 7, ends=Ends.PERCENTILE)
    coded = CodedItems.of(items)
    row = estimate(krippendorff_alpha(coded, AlphaLevel.ORDINAL), "r", "alpha", (), options)
    from core.stats.resample_counts import ResampleUnit, draw_counts

    values = []
    for counts in draw_counts(1, 6, ResampleUnit.TOPICS, 100, 7).topics.astype(int):
        drawn = np.concatenate([items.values[items.topic_of == t] for t in np.repeat(np.arange(6), counts)])
        values.append(krippendorff_alpha(coded_of(drawn), AlphaLevel.ORDINAL).value)
    assert (row.low, row.high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])), abs=1e-9)


def test_few_topics_have_a_value_but_no_interval():
    coded = CodedItems.of(rated_items(noisy(topics=4)))
    row = estimate(COEFFICIENTS["alpha-ordinal"](coded), "r", "a", (), BootstrapOptions(100))
    assert math.isfinite(row.value)
    assert math.isnan(row.low)
    assert row.no_interval == "4 topics are too few to resample; at least 5 are needed"


def test_groups_are_topics_and_pairs():
    items = rated_items(noisy())
    options = AgreementOptions(BootstrapOptions(0), (Grouping.TOPIC, Grouping.PAIR), ("alpha-ordinal",))
    rows = run_to_completion(value_agreement(items, "rating.coherence", RATING_COEFFICIENTS, options))
    assert [row.group for row in rows if row.grouping is Grouping.TOPIC] == list(items.topics)
    pairs = [row for row in rows if row.grouping is Grouping.PAIR]
    assert [row.annotators for row in pairs] == list(combinations(items.annotators, 2))
    first = krippendorff_alpha(CodedItems.of(items.of_annotators((0, 1))), AlphaLevel.ORDINAL)
    assert pairs[0].value == first.value


def test_a_cancelled_bootstrap_stops():
    coded = CodedItems.of(rated_items(noisy()))
    with cancellable(lambda: True), pytest.raises(Cancelled):
        estimate(COEFFICIENTS["alpha-ordinal"](coded), "r", "a", (), BootstrapOptions(100))


def test_undefined_pairs_are_left_out_of_a_mean_and_counted():
    table = [[1, 1, 3], [2, 2, 3], [3, 1, 3], [4, 5, 3]]
    found = COEFFICIENTS["pearson"](coded_of(table))
    expected = stats.pearsonr([1, 2, 3, 4], [1, 2, 1, 5]).statistic
    assert found.value == pytest.approx(expected)
    assert found.note == "mean of 1 pairs; 2 undefined left out"


def test_pairs_with_many_values_take_no_memory_for_values_that_they_did_not_choose():
    values = np.random.default_rng(3).integers(0, 200, (120, 6)).astype(float)
    topics = tuple(f"t{n}" for n in range(20))
    items = AnnotatedItems(values, np.arange(120) % 20, topics, tuple("abcdef"))
    tracemalloc.start()
    try:
        coded = CodedItems.of(items)
        found = COEFFICIENTS["pearson"](coded)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(coded.pairs) == 15
    assert peak < 10_000_000  # a table of values for each pair and topic: 96 MB
    [resampled] = found.of(np.ones((1, 20)))
    assert resampled == pytest.approx(found.value)


@pytest.mark.data
def test_the_crowd_of_summeval_agrees_as_published(shared_data) -> None:
    """Fabbri et al. 2021, section 4: alpha of .4920 over all ratings of the crowd."""
    path = shared_data / "summeval" / "model_annotations.aligned.paired.jsonl"
    rows = [json.loads(line)["turker_annotations"] for line in path.read_text("utf-8").splitlines()]
    values = np.array([[float(one[scale]) for one in row] for scale in sorted(rows[0][0]) for row in rows])
    items = AnnotatedItems(
        values,
        np.zeros(len(values), dtype=np.int64),
        ("all",),
        tuple(f"crowd-{i}" for i in range(values.shape[1])),
    )
    alpha = krippendorff_alpha(CodedItems.of(items), level=AlphaLevel.INTERVAL).value
    assert alpha == pytest.approx(0.4920, abs=5e-5)
