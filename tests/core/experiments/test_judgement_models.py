"""Mixed models, Pareto fronts, power, and judgements on fewer topics, on a study made for them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from core.comparison.judgements import included_ratings
from core.domain.study import SystemKind
from core.errors import InputError
from core.experiments.analyses.variance_components import generalizability, summary_reliability
from core.experiments.registry import parse_recipe, parse_request
from core.experiments.runner import run_experiment
from core.ports import ImportContent, NewRating, NewScore, NewText, NewTopic
from core.progress import run_to_completion
from core.scoring.engine_tools import StudyResources
from core.stats.pareto import dominating, is_efficient

SYSTEMS = tuple(f"s{i}" for i in range(6))
ANNOTATORS = ("ann", "ben", "cid")
SUBJECTS = 6


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Six systems, six subjects with an initial and an update topic each, three annotators on two scales.

    good: close to quality. other: close to style. poor: the reverse of both.
    """
    from storage.study_file import new_study

    random = np.random.default_rng(3)
    names = [f"D{subject}-{letter}" for subject in range(SUBJECTS) for letter in "AB"]
    own = {"quality": np.arange(6) * 0.3, "style": np.array([1.5, 0.0, 0.9, 0.3, 1.2, 0.6])}
    severity = random.normal(0, 0.3, 3) + random.normal(0, 0.2, (2, 6, 3)) + [-0.2, 0.0, 0.3]
    topics, ratings, scores = [], [], []
    for name in names:
        texts = {system: NewText("one two three") for system in SYSTEMS}
        part = "initial" if name.endswith("A") else "update"
        topics.append(NewTopic(name, set=part, documents={"d": NewText("one")}, summaries=texts))
        hardness, mood = random.normal(0, 0.3), random.normal(0, 0.2, 3)
        for at, system in enumerate(SYSTEMS):
            for number, (scale, values) in enumerate(own.items()):
                quality = 2 + values[at] + hardness + random.normal(0, 0.2)
                for who, strict in zip(range(3), severity[number, at], strict=True):
                    value = quality - strict + mood[who] + random.normal(0, 0.2)
                    ratings.append(
                        NewRating(name, system, scale, ANNOTATORS[who], float(np.clip(value, 1, 5)))
                    )
            ratings.append(NewRating(name, system, "flat", "ann", 3.0))
            scores += [
                NewScore(name, system, "good", own["quality"][at] + random.normal(0, 0.3)),
                NewScore(name, system, "other", own["style"][at] + random.normal(0, 0.3)),
                NewScore(name, system, "poor", 1 - 0.3 * sum(v[at] for v in own.values()) + random.normal()),
            ]
    content = ImportContent(
        "made",
        topics=topics,
        systems=dict.fromkeys(SYSTEMS, SystemKind.AUTOMATIC),
        annotators=dict.fromkeys(ANNOTATORS, ""),
        dimensions={"quality": (1.0, 5.0), "style": (1.0, 5.0), "flat": (1.0, 5.0)},
        ratings=ratings,
        scores=scores,
    )
    with new_study(tmp_path_factory.mktemp("models") / "s.pyramidion") as made:
        made.import_data(content)
        yield made


def run(study, name, **settings):
    request = parse_request(name, settings)
    return run_to_completion(run_experiment(study, request, StudyResources(study))).result


def rows(table):
    return {row[0]: dict(zip([c.key for c in table.columns], row, strict=True)) for row in table.rows}


def test_variances_of_a_complete_design_are_those_of_its_mean_squares(study):
    """In a balanced design with positive estimates, REML equals the analysis of variance."""
    variances, reliability, means = run(study, "mixed-model", judgements="rating.quality").tables
    found = rows(variances)
    y = included_ratings(study, "rating.quality").values.transpose(1, 2, 0)  # systems, topics, annotators
    names = ("system", "topic", "annotator")
    squares = {}
    for many in (*combinations(range(3), 1), *combinations(range(3), 2), (0, 1, 2)):
        effect = y
        for axis in range(3):  # deviations along the interaction's axes, means along the others
            mean = effect.mean(axis=axis, keepdims=True)
            effect = effect - mean if axis in many else np.broadcast_to(mean, y.shape)
        squares[many] = (effect**2).sum() / np.prod([y.shape[axis] - 1 for axis in many])
    error = squares[0, 1, 2]
    expected = {"residual": error}
    for one, other in combinations(range(3), 2):
        rest = y.shape[3 - one - other]
        expected[f"{names[one]} × {names[other]}"] = (squares[one, other] - error) / rest
    for axis in range(3):
        one, other = (place for place in range(3) if place != axis)
        pairs = squares[min(axis, one), max(axis, one)] + squares[min(axis, other), max(axis, other)]
        expected[names[axis]] = (squares[axis,] - pairs + error) / (y.shape[one] * y.shape[other])
    assert min(expected.values()) > 0  # otherwise the two methods differ
    assert {name: one["variance"] for name, one in found.items()} == pytest.approx(expected, rel=1e-3)
    assert [found[name]["levels"] for name in ("system", "topic", "annotator")] == [6, 12, 3]
    assert sum(one["share"] for one in found.values()) == pytest.approx(1.0)
    assert variances.note == "216 ratings."
    parts = {name: one["variance"] for name, one in found.items()}
    assert reliability.rows[0][1] == pytest.approx(summary_reliability(parts, 1))
    assert reliability.rows[2][1] == pytest.approx(generalizability(parts, 12, 3)[0])
    by_system = rows(means)
    assert [row[1] for row in means.rows] == sorted((row[1] for row in means.rows), reverse=True)
    for at, system in enumerate(SYSTEMS):
        assert by_system[system]["mean"] == pytest.approx(y[at].mean())
    assert by_system["s5"]["difference"] is None
    assert by_system["s0"]["p_holm"] < 0.001


def test_notes_on_what_a_mixed_model_cannot_tell(study):
    result = run(study, "mixed-model", judgements="rating.quality,rating.flat")
    notes = " ".join(result.warnings)
    assert "rating.flat is left out: the values do not vary" in notes
    assert "rating.quality: only 3 annotators, so the variance of annotators is hardly known." in notes
    assert result.charts[0].title == "Sources of the variance of ratings"
    with pytest.raises(InputError, match=r"good is not a rating. Ratings: rating.quality"):
        run(study, "mixed-model", judgements="good")


def test_generalizability_by_hand():
    parts = {"system": 4.0, "topic": 2.0, "annotator": 1.0, "system × topic": 3.0, "residual": 6.0}
    relative, absolute = generalizability(parts, topics=3, annotators=2)
    assert relative == pytest.approx(4 / (4 + 1 + 1))
    assert absolute == pytest.approx(4 / (4 + 1 + 1 + 2 / 3 + 1 / 2))
    assert summary_reliability(parts, 1) == pytest.approx(9 / 16)


def test_dominated_alternatives_by_hand():
    values = np.array([[3.0, 1.0], [1.0, 3.0], [2.0, 1.0], [3.0, 1.0], [np.nan, 9.0]])
    assert is_efficient(values).tolist() == [True, True, False, True, False]
    assert np.flatnonzero(dominating(values)[2]).tolist() == [0, 3]
    assert is_efficient(np.stack([values, -values]))[1].tolist() == [False, True, True, False, False]


def test_the_front_holds_the_best_measure_of_each_judgement(study):
    result = run(study, "pareto", judgements="rating.quality,rating.style", draws="50")
    found = rows(result.tables[0])
    assert {name: one["front"] for name, one in found.items()} == {
        "good": "yes",
        "other": "yes",
        "poor": "no",
    }
    assert found["good"]["rating.quality"] > found["other"]["rating.quality"]
    assert 0 <= found["poor"]["share"] < found["good"]["share"] <= 1
    assert set(found["poor"]["dominated_by"].split(", ")) <= {"good", "other"}
    assert [series.names for series in result.charts[0].series] == [("good", "other"), ("poor",)]


def test_a_front_needs_two_judgements(study):
    with pytest.raises(InputError, match=r"at least two judgements; there is only rating.quality"):
        run(study, "pareto", judgements="rating.quality")


def test_the_power_curve_is_that_of_the_simulation(study):
    from core.experiments.inputs.named_matrices import compare_with_judgements, load_matrices
    from core.stats.correlation import Coefficient, Level
    from core.stats.power import power
    from core.stats.resample_counts import ResampleUnit

    result = run(
        study, "power", judgements="rating.quality", measures="good,other", sizes="4,12,48", draws="100"
    )
    required, powers = result.tables
    (one,) = compare_with_judgements(study, load_matrices(study, ["good", "other"]), "rating.quality")
    expected = {
        str(unit): run_to_completion(
            power(
                one.x, one.judgement.values, Level.SYSTEM, Coefficient.PEARSON, unit, [(0, 1)], [4, 12, 48],
                draws=100,
            )
        )[0]
        for unit in (ResampleUnit.SYSTEMS, ResampleUnit.TOPICS)
    }  # fmt: skip
    for measure, other, unit, here, difference, *_, needed, low, high, largest in required.rows:
        assert (measure, other, here, largest) == ("good", "other", {"systems": 6, "topics": 12}[unit], 48)
        assert difference == pytest.approx(expected[unit].difference)
        assert (needed, low, high) == (
            expected[unit].needed,
            expected[unit].needed_low,
            expected[unit].needed_high,
        )
    assert [row[4] for row in powers.rows if row[2] == "topics"] == pytest.approx(expected["topics"].chances)
    assert [chart.x_label for chart in result.charts] == ["systems", "topics"]
    assert "This study: 6 systems" in result.charts[0].note


def test_power_refuses_unknown_and_too_small(study):
    with pytest.raises(InputError, match="2 is too small a study"):
        run(study, "power", judgements="rating.quality", sizes="2", measures="good,other")
    with pytest.raises(InputError, match="nothere"):
        run(study, "power", judgements="rating.quality", compare="nothere", measures="good,other")


def test_a_judgement_on_fewer_topics_is_compared_with_itself_and_marked(study):
    result = run(study, "topics", judgements="rating.quality", measures="good", itself="yes", draws="40")
    means = result.tables[0]
    label = "rating.quality (itself)"
    keys = [column.key for column in means.columns]
    values = {row[0]: row[keys.index(label)] for row in means.rows}
    assert values["12 (actual)"] == pytest.approx(1.0)
    assert values["12 (bootstrapped)"] is None
    assert values["1"] < values["4"] < values["8"] < 1
    judged = included_ratings(study, "rating.quality").values.mean(axis=0)
    expected = np.mean([np.corrcoef(judged[:, t], judged.mean(axis=1))[0, 1] for t in range(12)])
    assert values["1"] == pytest.approx(expected, abs=0.05)  # the mean over all draws of one topic
    assert "share the data" in means.note
    assert "share the data" in result.charts[0].note
    assert any("share the data" in warning for warning in result.warnings)


def test_a_judgement_alone_is_compared_with_itself(study):
    result = run(
        study, "topics", judgements="rating.quality", measures="rating.quality", draws="10", sizes="3,6"
    )
    assert [column.key for column in result.tables[0].columns][1] == "rating.quality (itself)"
    request = parse_recipe("conditions-footnote-1", {"draws": "10", "judgements": "rating.style"})
    paper = run_to_completion(run_experiment(study, request, StudyResources(study))).result
    assert [row[0] for row in paper.tables[0].rows] == ["1", "3", "6 (actual)"]
    assert paper.tables[0].columns[1].title == "rating.style (itself)"
