"""Mixed models, Pareto fronts, power, and judgements on fewer topics, on a study made for them."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from core.comparison.judgements import included_ratings
from core.comparison.measures import find_measure, matrix
from core.comparison.measures import measures as stored_measures
from core.domain.import_batch import ImportContent, NewRating, NewScore, NewText, NewTopic
from core.domain.study import SystemKind
from core.domain.topic_sets import subject_of
from core.errors import InputError
from core.experiments.analyses import variance_components
from core.experiments.analyses.pareto import dominating, is_efficient
from core.experiments.analyses.topics.topic_pairs import pair_topics
from core.experiments.analyses.variance_components import generalizability, summary_reliability
from core.experiments.registry import all_experiments, all_recipes, parse_recipe, parse_request
from core.experiments.runner import run_experiment
from core.progress import run_to_completion
from core.scoring import engine
from core.scoring.study_resources import StudyResources
from core.stats.paired_differences import paired_differences
from tests.core.conftest import copied

SYSTEMS = tuple(f"s{i}" for i in range(6))
ANNOTATORS = ("ann", "ben", "cid")
SUBJECTS = 6
WORDS = ("court", "bridge", "storm", "harbour", "ship", "law", "river", "train", "forest", "school")


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
        texts = {
            system: NewText(" ".join(random.permutation(WORDS)[: 3 + at]))
            for at, system in enumerate(SYSTEMS)
        }
        part = "initial" if name.endswith("A") else "update"
        two = {author: NewText(" ".join(random.permutation(WORDS)[:4])) for author in "xy"}
        topics.append(NewTopic(name, set=part, references=two, summaries=texts))
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
    assert all(one["variance_low"] < one["variance"] < one["variance_high"] for one in found.values())
    assert {name for name, one in found.items() if one["note"]} == {"annotator"}  # three of them
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
    assert "rating.quality: only 3 annotators, so the variance of annotators is poorly estimated." in notes
    few = "annotator: only 3 levels: poorly estimated"
    variances, reliability, means = result.tables
    assert rows(variances)["annotator"]["note"] == "only 3 levels: poorly estimated"
    assert {row[-1] for row in reliability.rows} == {few}, "so that exports of a single table show it"
    assert {row[-1] for row in means.rows} == {""}
    assert result.charts[0].title == "Sources of the variance of ratings"
    assert result.charts[0].note == f"rating.quality: {few}."
    with pytest.raises(InputError, match="No rating is named 'good'"):
        run(study, "mixed-model", judgements="good")


def test_too_many_annotators_are_refused(study, monkeypatch):
    monkeypatch.setattr(variance_components, "MOST_ANNOTATORS", 2)
    with pytest.raises(InputError, match=r"3 annotators are too many for this model; at most 2\."):
        variance_components.single_ratings(
            study, "rating.quality", {head.name for head in study.texts.topics()}
        )


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
    assert {one["note"] for one in found.values()} == {"only 6 systems: the front depends on chance"}
    assert result.charts[0].note == "Only 6 systems: the front depends on chance"


def test_a_front_needs_two_judgements(study):
    with pytest.raises(InputError, match=r"at least two judgements; there is only rating.quality"):
        run(study, "pareto", judgements="rating.quality")


def test_the_power_curve_is_that_of_the_simulation(study):
    from core.experiments.inputs.named_matrices import compare_with_judgements, load_matrices
    from core.stats.correlation import Coefficient, Level
    from core.stats.resample_counts import ResampleUnit
    from core.stats.resampling.power import power

    result = run(
        study, "power", judgements="rating.quality", measures="good,other", sizes="4,12,48", draws="100"
    )
    required, powers = result.tables
    assert (required.is_detail, powers.is_detail) == (False, True)
    (one,), _ = compare_with_judgements(study, load_matrices(study, ["good", "other"]), "rating.quality")
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
    with pytest.raises(InputError, match="20,000 is too large a study"):
        run(study, "power", judgements="rating.quality", sizes="20000", measures="good,other")
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


@pytest.mark.parametrize(
    ("topic", "set_name", "letter", "subject"),
    [
        ("D0801A-A", "initial", "a", "D0801A"),
        ("D0801A-B", "update", "b", "D0801A"),
        ("storm_Update", "update", "b", "storm"),
        ("initial.12", "initial", "a", "12"),
        ("alpha", "initial", "a", "alpha"),
        ("A", "initial", "a", "A"),
        ("-A", "initial", "a", "-A"),
        ("D1", "", "", "D1"),
    ],
)
def test_the_subject_of_a_topic_is_its_name_without_its_set(topic, set_name, letter, subject):
    assert subject_of(topic, set_name, letter) == subject


def test_topics_pair_where_each_set_has_exactly_one_of_a_subject():
    pairs = pair_topics(["x-A", "y-A", "z-A", "z_A"], ["x-B", "z-B"], ["initial", "update"], ["a", "b"])
    assert pairs == {"x": ("x-A", "x-B")}


def test_paired_differences_by_hand_and_next_to_an_exact_test():
    random = np.random.default_rng(2)
    pairs = random.normal((0.0, 0.8), 1, (8, 2))
    (one,) = paired_differences(pairs[None], draws=20_000)
    differences = pairs[:, 1] - pairs[:, 0]
    assert (one.pairs, one.difference) == (8, pytest.approx(differences.mean()))
    signs = np.array(list(product((-1, 1), repeat=8)))
    exact = (np.abs(signs @ differences) >= abs(differences.sum()) - 1e-12).mean()
    assert one.p == pytest.approx(exact, abs=0.01)
    assert one.low < one.difference < one.high
    (few,) = paired_differences(pairs[None, :4])
    assert (few.pairs, np.isnan(few.p), np.isnan(few.low)) == (4, True, True)
    (missing,) = paired_differences(np.where(np.arange(8)[:, None] < 6, pairs, np.nan)[None])
    assert missing.first == pytest.approx(pairs[:6, 0].mean())


def test_initial_and_update_topics_are_compared_pair_by_pair(study):
    result = run(study, "topic-pairs", judgements="rating.quality", measures="good,other", draws="200")
    measures, systems, pairs = result.tables
    z = included_ratings(study, "rating.quality")
    judged = z.values.mean(axis=0)
    good = matrix(study, find_measure(stored_measures(study), "good")).select(z.systems, z.topics).values
    at = {name: place for place, name in enumerate(z.topics)}
    r = {name: np.corrcoef(good[:, place], judged[:, place])[0, 1] for name, place in at.items()}
    found = rows(measures)["good"]
    expected = np.mean([r[f"D{s}-B"] - r[f"D{s}-A"] for s in range(SUBJECTS)])
    assert found["pairs"] == SUBJECTS
    assert found["difference"] == pytest.approx(expected)
    assert found["update"] - found["initial"] == pytest.approx(expected)
    first = next(row for row in pairs.rows if row[:2] == ("good", "D0"))
    assert first[2:] == (
        "D0-A", "D0-B", *map(pytest.approx, (r["D0-A"], r["D0-B"], r["D0-B"] - r["D0-A"])),
    )  # fmt: skip
    best = rows(systems)["s5"]
    own = judged[list(z.systems).index("s5")]
    assert best["initial"] == pytest.approx(np.mean([own[at[f"D{s}-A"]] for s in range(SUBJECTS)]))
    assert [chart.title for chart in result.charts][1] == "good with rating.quality, by subject"
    with pytest.raises(InputError, match="No set of topics is named 'late'"):
        run(study, "topic-pairs", sets="initial,late")


def test_the_recipe_tests_initial_against_update_topics(study):
    request = parse_recipe(
        "conditions-table-7-8",
        {"judgements": "rating.quality", "measures": "good,other", "sizes": "1,3,6", "draws": "30"},
    )
    result = run_to_completion(run_experiment(study, request, StudyResources(study))).result
    (table,) = result.tables
    keys = [column.key for column in table.columns]
    found = {row[:2]: dict(zip(keys, row, strict=True)) for row in table.rows}
    assert [key[0] for key in found if key[1] == "good"] == ["1", "3", "6 (bootstrapped)", "6 (actual)"]
    alone = {
        name: rows_by_size(run(study, "topics", judgements="rating.quality", measures="good,other", set=name,
        sizes="1,3,6", draws="30"))
        for name in ("initial", "update")
    }  # fmt: skip
    for size in ("1", "3", "6 (actual)"):
        assert found[size, "good"]["initial"] == pytest.approx(alone["initial"][size])
        assert found[size, "good"]["update"] == pytest.approx(alone["update"][size])
    assert found["6 (actual)", "good"]["p"] is None
    assert 0 < found["1", "good"]["p"] <= 1
    assert "draws" in table.note


def test_initial_against_update_topics_with_fewer_references(study, tmp_path):
    with copied(study, tmp_path / "scored.pyramidion") as scored:
        resources = StudyResources(scored)
        plan = engine.plan(scored, [engine.parse_config("rouge-n:n=1", resources)], resources)
        run_to_completion(engine.score(scored, plan, resources))
        scored.flush()
        shared = {"judgements": "rating.quality", "measures": "rouge-1.recall", "draws": "20"}
        request = parse_recipe("conditions-table-1-2", shared)
        result = run_to_completion(run_experiment(scored, request, resources)).result
        alone = {
            name: rows_by_size(run(scored, "references", set=name, **shared))
            for name in ("initial", "update")
        }
    (table,) = result.tables
    assert [row[0] for row in table.rows] == ["1", "2 (bootstrapped)", "2 (actual)"]
    for size, _, initial, update, difference, *_ in table.rows:
        assert (initial, update) == pytest.approx((alone["initial"][size], alone["update"][size]))
        assert difference == pytest.approx(update - initial)
    assert [series.label for series in result.charts[0].series] == [
        "rouge-1.recall, initial",
        "rouge-1.recall, update",
    ]


def test_every_experiment_and_recipe_has_the_texts_of_the_list():
    for experiment in (*all_experiments(), *(type(one.experiment) for one in all_recipes())):
        assert experiment.title
        assert experiment.about.endswith(".")


def rows_by_size(result):
    """Return the values of the first measure by size."""
    return {row[0]: row[1] for row in result.tables[0].rows}
