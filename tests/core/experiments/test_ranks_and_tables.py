"""Ranks as papers print them, squares of correlations, and several studies side by side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import stats

from core.errors import InputError, PyramidionError
from core.experiments.analyses.average_rank import ranked_table
from core.experiments.analyses.intercorrelation import alike
from core.experiments.analyses.studies.across_studies import (
    compare,
    compared,
    load_studies,
    number_duplicates,
)
from core.experiments.registry import parse_request
from core.experiments.runner import run_experiment
from core.experiments.tables.study_comparison_tables import competition_ranks
from core.matrix import row_means
from core.progress import run_to_completion
from core.scoring.study_resources import StudyResources
from core.stats.correlation import Coefficient, Level
from tests.core.conftest import copied

# Sun & Nenkova 2019: Spearman on DUC 2001, DUC 2002 (Table 1) and informativeness of Newsroom (Table 3),
# against references and against documents, and the average ranks that their Table 4 prints. ROUGE's row on
# Newsroom is printed as p-values for R2-F, so that its two rows are left out of what is compared; they take
# part in the ranks with the numbers that are there.
PUBLISHED = {
    "enc-2": ((0.538, 0.867, 0.714), 5.000, (0.580, 0.566, 0.943), 4.667),
    "enc-3": ((0.378, 0.790, 0.714), 6.667, (0.580, 0.566, 0.943), 4.667),
    "max": ((0.685, 0.692, 0.829), 5.667, (0.035, 0.462, 0.943), 7.000),
    "avg": ((0.476, 0.748, 0.943), 6.000, (0.063, 0.420, 0.829), 8.667),
    "InferSent": ((0.483, 0.762, 0.943), 5.333, (0.063, 0.503, 0.943), 6.000),
    "ELMo-m": ((0.664, 0.790, 1.000), 3.000, (0.776, 0.692, 0.943), 2.333),
    "ELMo-a": ((0.573, 0.643, 0.943), 6.000, (0.692, 0.650, 0.943), 3.667),
    "enc-avg": ((0.587, 0.748, 0.714), 6.000, (0.622, 0.685, 1.000), 3.333),
}
ROUGE = {"R1-F": (0.825, 0.818, 0.543), "R2-F": (0.720, 0.881, 0.131)}


@pytest.mark.parametrize("side", [0, 2])
def test_average_ranks_equal_the_published_ones(side):
    values = np.array([*(row[side] for row in PUBLISHED.values()), *ROUGE.values()])
    means = row_means(competition_ranks(values))
    assert means[: len(PUBLISHED)] == pytest.approx([row[side + 1] for row in PUBLISHED.values()], abs=5e-4)


def test_tied_values_of_a_published_column_share_ranks():
    """WIDAR's Table 3, consistency: the printed ranks."""
    column = [0.111, 0.107, 0.090, 0.126, 0.118, 0.121, 0.006, 0.134, 0.188, 0.065, 0.121, 0.113, 0.181]
    column += [0.259, 0.128, 0.178, 0.188, 0.176]
    printed = [14, 15, 16, 9, 12, 10, 18, 7, 2, 17, 10, 13, 4, 1, 8, 5, 2, 6]
    assert competition_ranks(np.array(column)[:, None])[:, 0].tolist() == printed


@given(arrays.arrays(float, (7, 2), elements=st.sampled_from([0.1, 0.25, 0.7, -0.3, np.nan])))
def test_ranks_equal_scipy(values):
    ranks = competition_ranks(values)
    for column, ranked in zip(values.T, ranks.T, strict=True):
        there = np.isfinite(column)
        assert np.array_equal(np.isnan(ranked), ~there)
        assert np.array_equal(ranked[there], stats.rankdata(-column[there], method="min"))


def test_a_mean_needs_every_judgement():
    values = np.array([[0.5, 0.3], [0.1, np.nan], [0.2, 0.4]])
    rows = ranked_table("t", ["a", "b", "c"], ["x", "y"], values).rows
    assert rows[0] == ("a", 0.5, 1, 0.3, 2, pytest.approx(0.4), 1, pytest.approx(1.5))
    assert rows[1][:4] == ("b", 0.1, 3, pytest.approx(np.nan, nan_ok=True))
    assert rows[1][4] is None
    assert rows[1][6] is None
    assert np.isnan(rows[1][7])


def test_similar_measures_are_adjacent():
    values = np.eye(4)
    values[0, 2] = values[2, 0] = 0.9
    values[1, 3] = values[3, 1] = 0.8
    order = alike(values)
    assert abs(order.index(0) - order.index(2)) == 1
    assert abs(order.index(1) - order.index(3)) == 1


@pytest.mark.parametrize("level", list(Level))
def test_correlations_of_judgements_equal_scipy(level, sample):
    names = ("rating.coherence", "rating.fluency", "rating.responsiveness")
    settings = {"judgements": ",".join(names), "level": level.value, "coefficient": "kendall"}
    table = run_to_completion(
        parse_request("judgements", settings).experiment.run(sample, StudyResources(sample))
    ).tables[0]
    values = np.array([row[1:] for row in table.rows])
    assert np.array_equal(values, values.T)
    assert np.diag(values) == pytest.approx(1.0)
    if level is Level.GLOBAL:
        from core.experiments.inputs.measure_inputs import load_judgements

        a, b = (one.values.ravel() for one in list(load_judgements(sample, ",".join(names)).values())[:2])
        assert values[0, 1] == pytest.approx(stats.kendalltau(a, b).statistic)


def test_measures_are_listed_in_the_requested_order(sample):
    labels = "bleu.score,rouge-2[stem:yes].f,rouge-2[stem:yes].recall"
    settings = {"measures": labels, "order": "given"}
    ordered = run_to_completion(
        parse_request("measures", settings).experiment.run(sample, StudyResources(sample))
    ).tables[0]
    assert [row[0] for row in ordered.rows] == labels.split(",")
    ordered = run_to_completion(
        parse_request("measures", {"measures": labels}).experiment.run(sample, StudyResources(sample))
    ).tables[0]
    cells = {
        (row[0], c.title): v
        for row in ordered.rows
        for c, v in zip(ordered.columns[1:], row[1:], strict=True)
    }
    for row in ordered.rows:
        for column, value in zip(ordered.columns[1:], row[1:], strict=True):
            assert cells[row[0], column.title] == value


def test_a_single_judgement_is_refused(sample):
    request = parse_request("judgements", {"judgements": "rating.fluency"})
    with pytest.raises(InputError, match=r"only rating\.fluency"):
        run_to_completion(request.experiment.run(sample, StudyResources(sample)))


def test_a_study_compared_with_itself_has_each_rank_twice(sample):
    result = run_to_completion(
        compare(
            [("one", sample), ("two", sample)],
            judgements=["rating.coherence"],
            coefficient=Coefficient.SPEARMAN,
        )
    )
    overview, by_study = result.tables
    assert [column.title for column in by_study.columns] == [
        "Measure", "one", "Rank (one)", "two", "Rank (two)", "Mean", "Rank by mean", "Mean of ranks"
    ]  # fmt: skip
    for row in by_study.rows:
        assert row[1:3] == row[3:5]
        assert row[5] == pytest.approx(row[1])
        assert row[7] == row[2]
    means = [row[-1] for row in overview.rows]
    assert means == sorted(means)


def test_a_measure_missing_in_one_study_has_values_without_ranks(sample):
    whole = load_studies("one", sample, ["rating.coherence"])
    key = next(key for key in whole.measures if key[1] == "bleu.score")
    part = replace(whole, name="three", measures={k: m for k, m in whole.measures.items() if k != key})
    result = compared([whole, replace(whole, name="two"), part])
    overview, by_study, missing = result.tables
    assert "bleu.score" not in {row[0] for row in overview.rows}
    last = by_study.rows[-1]
    assert last[0] == "bleu.score"
    assert last[1] == last[3] is not None
    assert last[2] is last[5] is last[-2] is None
    assert last[-1] == "not in every study"
    assert missing.rows == (("bleu.score", "yes", "yes", ""),)
    bars, lines, _ = result.charts
    assert bars.series[0].y == tuple(row[-1] for row in overview.rows)
    assert lines.ticks == ("one", "two", "three")
    first = {row[0]: row[1] for row in by_study.rows}
    assert {line.label: line.y[0] for line in lines.series} == pytest.approx(
        {label: value for label, value in first.items() if label != "bleu.score"}
    )


def test_studies_without_common_measures_are_refused_with_a_remedy(sample, tmp_path):
    from storage.study_file import new_study

    with (
        new_study(tmp_path / "empty.pyramidion") as empty,
        pytest.raises(InputError, match=r"empty: This study"),
    ):
        run_to_completion(compare([("sample", sample), ("empty", empty)]))
    with pytest.raises(InputError, match=r"a: No judgement is named 'rating\.colour'"):
        run_to_completion(compare([("a", sample), ("b", sample)], judgements=["rating.colour"]))
    with pytest.raises(InputError, match=r"a: No measure is named 'rouge-9\.f'"):
        run_to_completion(compare([("a", sample), ("b", sample)], measures=["rouge-9.f"]))


def test_studies_of_the_same_name_are_distinguished():
    assert number_duplicates(["a", "b", "a"]) == ["a (1)", "b", "a (2)"]


def test_further_studies_are_read_from_the_same_folder(sample, tmp_path):
    from storage.study_file import new_study, open_study

    with copied(sample, tmp_path / "sample.pyramidion") as other:
        path = other.path
    settings = {"others": str(path), "judgements": "rating.coherence"}
    first = run_to_completion(
        run_experiment(sample, parse_request("studies", settings), StudyResources(sample))
    )
    assert [column.title for column in first.result.tables[1].columns][1:4:2] == ["sample (1)", "sample (2)"]
    assert run_to_completion(
        run_experiment(sample, parse_request("studies", settings), StudyResources(sample))
    ).is_stored
    with sample.open_relative(str(path)) as read, pytest.raises(PyramidionError, match="is never changed"):
        read.scores.remove(read.scores.configs()[0].signature).result()
    with open_study(path) as opened:
        opened.scores.remove(opened.scores.configs()[0].signature).result()
    again = run_to_completion(
        run_experiment(sample, parse_request("studies", settings), StudyResources(sample))
    )
    assert not again.is_stored
    assert len(again.result.tables[0].rows) < len(first.result.tables[0].rows)
    for wrong in ("", str(sample.path), f"{path},{path.parent}/./{path.name}"):
        with pytest.raises(InputError):
            run_to_completion(
                parse_request("studies", {"others": wrong}).experiment.run(sample, StudyResources(sample))
            )
    with new_study(tmp_path / "empty.pyramidion") as empty:
        assert parse_request("studies").experiment.missing_requirements(empty)
