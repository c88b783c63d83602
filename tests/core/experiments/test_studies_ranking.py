"""Measures over several studies: who is ranked, and how much each study counts."""

from __future__ import annotations

import numpy as np
import pytest

from core.comparison.measures import MeasureRef
from core.errors import InputError
from core.experiments.analyses.average_rank import ranked
from core.experiments.analyses.studies.across_studies import compared
from core.experiments.inputs.measure_inputs import OrientedMeasure
from core.experiments.tables.study_comparison_tables import StudyMatrices
from core.matrix import Array, ScoreMatrix
from core.ports import MetricConfig
from core.results.result import ChartKind
from core.stats.correlation import Coefficient, Level

SYSTEMS, TOPICS = tuple("ABCDE"), ("1", "2", "3", "4")
A = np.array([5.0, 4, 3, 2, 1])
B = np.array([4.0, 5, 3, 2, 1])
BACKWARDS = A[::-1]


def on_topics(means: Array) -> Array:
    return means[:, None] + np.array([0.0, 0.1, 0.2, 0.3])


def measured(label: str, values: Array, metric: str = "bleu") -> OrientedMeasure:
    config = MetricConfig(f"{metric}|of:{label}|version:1", metric, "family", metric, (label,))
    ref = MeasureRef(label, label, config.signature, "family", config, 4)
    return OrientedMeasure(ref, ScoreMatrix(label, SYSTEMS, TOPICS, values), label)


def study_matrices(name: str, people: dict[str, Array], *measures: OrientedMeasure) -> StudyMatrices:
    by_key = {(one.config.signature, one.ref.measure): one for one in measures}
    judged = {
        human: ScoreMatrix(human, SYSTEMS, TOPICS, on_topics(values)) for human, values in people.items()
    }
    return StudyMatrices(name, by_key, judged)


@pytest.fixture
def uneven() -> list[StudyMatrices]:
    """Two measures; `one` wins by the three judgements of the first study, `two` by that of the second."""
    both = measured("one.f", on_topics(A)), measured("two.f", on_topics(B))
    three = {f"rating.{name}": A for name in ("x", "y", "z")}
    return [study_matrices("first", three, *both), study_matrices("second", {"rating.x": B}, *both)]


def ranks(result) -> dict[str, float]:
    return {row[0]: row[-1] for row in result.tables[0].rows}


def test_each_study_has_equal_weight_for_any_number_of_judgements(uneven):
    result = compared(uneven)
    assert ranks(result) == {"one.f": 1.5, "two.f": 1.5}
    means = {row[0]: row[1] for row in result.tables[0].rows}
    r = np.corrcoef(A, B)[0, 1]
    assert means == pytest.approx({"one.f": (1 + r) / 2, "two.f": (r + 1) / 2})
    assert any(
        "over the judgements of each study first, then over studies (equal weights; first 3 judgements, "
        "second 1 judgement)" in sentence
        for sentence in result.policy
    )


def test_weights_of_studies_are_stated_and_counted(uneven):
    result = compared(uneven, weights=(3, 1))
    assert ranks(result) == pytest.approx({"one.f": 1.25, "two.f": 1.75})
    assert any("weights first 3, second 1" in sentence for sentence in result.policy)
    with pytest.raises(InputError, match="2 studies but 1 weights"):
        compared(uneven, weights=(1,))
    with pytest.raises(InputError, match="not all zero"):
        compared(uneven, weights=(0, 0))


def test_a_judgements_own_family_is_not_ranked_or_drawn():
    both = measured("one.f", on_topics(A)), measured("pyramid.original", on_topics(B), "pyramid")
    studies = [study_matrices(name, {"pyramid.modified": B}, *both) for name in ("first", "second")]
    result = compared(studies)
    assert ranks(result) == {"one.f": 1.0}
    row = next(row for row in result.tables[1].rows if row[0] == "pyramid.original")
    assert row[-1] == "same annotations"
    assert [row[2] for row in result.tables[1].rows] == [1, None]
    (heatmap,) = (chart for chart in result.charts if chart.kind is ChartKind.HEATMAP)
    drawn = {series.label: series.y for series in heatmap.series}
    assert np.isnan(drawn["pyramid.original"]).all()
    assert heatmap.note.startswith("Empty cells are not ranked")
    assert any("computed from the same annotations" in sentence for sentence in result.warnings)


def partial_studies() -> list[StudyMatrices]:
    some = on_topics(B).copy()
    some[:, 1:] = np.nan
    whole = measured("one.f", on_topics(A)), measured("two.f", on_topics(BACKWARDS))
    return [
        study_matrices("first", {"rating.x": B}, *whole, measured("part.f", some)),
        study_matrices("second", {"rating.x": B}, *whole, measured("part.f", on_topics(B))),
    ]


def test_an_incomplete_measure_is_not_ranked_and_marked_in_every_format():
    result = compared(partial_studies())
    assert set(ranks(result)) == {"one.f", "two.f"}
    assert result.tables[1].rows[-1][-1] == "1/4 topics (first)"
    assert any("incomplete: part.f (1/4 topics)." in sentence for sentence in result.warnings)


def test_incomplete_measures_are_ranked_on_common_topics():
    result = compared(partial_studies(), on_common=True)
    assert ranks(result)["part.f"] == 1.0
    assert any(sentence.startswith("first: compared on 1 topic and 5 systems") for sentence in result.policy)


def test_incomplete_rows_are_reported_and_never_ranked():
    part = on_topics(B).copy()
    part[:, 1:] = np.nan
    rows = [
        ScoreMatrix("one.f", SYSTEMS, TOPICS, on_topics(A)),
        ScoreMatrix("part.f", SYSTEMS, TOPICS, part**3),
    ]
    people = {"rating.x": ScoreMatrix("rating.x", SYSTEMS, TOPICS, on_topics(B))}
    result = ranked("Ranks", rows, people, Level.SYSTEM, Coefficient.PEARSON)
    assert [(row[0], row[2], row[-1]) for row in result.tables[0].rows] == [
        ("one.f", 1, ""),
        ("part.f", None, "1/4 topics"),
    ]
    warning = "Not ranked against rating.x, incomplete: part.f (1/4 topics)."
    assert result.warnings.count(warning) == 1
