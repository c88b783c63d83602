"""The recipes of embedding similarity, WIDAR and SERA: their numbers, and what they say is missing."""

from __future__ import annotations

import numpy as np
import pytest

from core.comparison.measures import matrix, measures
from core.domain.import_batch import ImportContent, NewRating, NewText, NewTopic
from core.errors import InputError, MissingResource
from core.experiments.analyses.studies.published import OTHERS
from core.experiments.analyses.truncation import limits
from core.experiments.inputs import text_representations
from core.experiments.inputs.measure_inputs import (
    PYRAMID,
    MeasureSpec,
    find_learned,
    judged_as_published,
    load_judgements,
    score_and_load,
)
from core.experiments.inputs.text_representations import REPRESENTATIONS, with_average
from core.experiments.papers import jain2022, sun2019
from core.experiments.papers.cohan2016 import spec_of
from core.experiments.registry import all_recipes, parse_recipe, parse_request
from core.experiments.runner import run_experiment
from core.formatting.tables import to_csv, to_markdown
from core.matrix import ScoreMatrix
from core.metrics import registry
from core.metrics.base.learned_model import LearnedModel, TrainingExample, TrainingTopic
from core.metrics.learned.model_store import save_model
from core.progress import Progress, run_to_completion
from core.report.result_files import write_result
from core.results.result import ChartKind, from_text, to_text
from core.scoring.study_resources import StudyResources
from core.stats.correlation import Coefficient, Level, correlate
from core.training.training import choose_features
from storage.formats import import_registry as exchange
from storage.study_file import new_study
from tests.benchmarks.made_studies import SUMMEVAL
from tests.core.conftest import copied
from tests.scoring import score_all

HUMAN = "rating.responsiveness"
NAMES = (
    *(f"embedding-table-{n}" for n in (1, 2, 3, 4)),
    *(f"embedding-figure-{n}" for n in (1, 2, 3)),
    *(f"widar-table-{n}" for n in (2, 3, 4, 5, 6)),
    *("widar-figure-3", "widar-figure-4", "sera-table-1", "sera-table-2", "sera-table-3", "sera-figure-1"),
)


@pytest.fixture(scope="module")
def study(sample, tmp_path_factory):
    """A separate study, since recipes store their scores."""
    with copied(sample, tmp_path_factory.mktemp("recipes") / "sample.pyramidion") as made:
        yield made


@pytest.fixture
def few(monkeypatch):
    """Two of the seven representations, which need no network to run."""
    selected = tuple(each for each in REPRESENTATIONS if each.label in ("max", "avg"))
    monkeypatch.setattr(text_representations, "REPRESENTATIONS", selected)


def made(study, name, **settings):
    return run_to_completion(parse_recipe(name, settings).experiment.run(study, StudyResources(study)))


def cells(table):
    """Return each row's cells by heading, by the row's label."""
    return {
        row[0]: dict(zip([c.title for c in table.columns[1:]], row[1:], strict=True)) for row in table.rows
    }


def test_every_table_and_figure_of_the_three_papers_has_a_recipe():
    recipes = {recipe.name: recipe for recipe in all_recipes()}
    assert set(NAMES) <= set(recipes)
    for name in NAMES:
        assert recipes[name].title
        assert recipes[name].paper


def test_table_1_stars_significant_correlations(study, few):
    result = made(study, "embedding-table-1", judgements=HUMAN)
    table, everything = result.tables
    rows = cells(table)
    assert list(rows) == ["R1-R", "R1-P", "R1-F", "R2-R", "R2-P", "R2-F", "max†", "avg†", "enc-avg†"]
    assert rows["R2-F"]["Pearson, document"] is None
    places = [column.key for column in everything.columns]
    for row in everything.rows:
        one = dict(zip(places, row, strict=True))
        cell_text = rows[one["measure"]][f"{one['coefficient'].capitalize()}, {one['against']}"]
        assert cell_text.endswith("*") == (one["p"] < 0.05)
        assert float(cell_text.rstrip("*").replace("\N{MINUS SIGN}", "-")) == pytest.approx(
            one["value"], abs=6e-4
        )
    assert any("google-news" in sentence for sentence in result.stand_ins)
    assert any("in place of the coverage score" in sentence for sentence in result.stand_ins)


def test_the_average_of_representations_is_their_mean_cell_by_cell():
    values = np.array([[0.2, 0.4], [0.6, np.nan]])
    first = ScoreMatrix("a", ("s", "t"), ("x", "y"), values)
    second = ScoreMatrix("b", ("s", "t"), ("x", "y"), values + 0.2)
    average = with_average([first, second])[-1]
    assert average.label == "enc-avg"
    assert np.allclose(average.values, values + 0.1, equal_nan=True)
    assert with_average([first]) == (first,)


def test_weak_systems_are_left_out_as_in_the_paper(study, few):
    whole = made(study, "embedding-table-1", judgements=HUMAN).tables[-1].rows
    fewer = made(study, "embedding-table-1", judgements=HUMAN, without="lead,tail").tables[-1].rows
    places = {row[:2] + row[3:5]: row[-2] for row in whole}
    assert {row[:2] + row[3:5]: row[-2] + 2 for row in fewer} == places
    with pytest.raises(InputError, match="named 'leed'"):
        made(study, "embedding-table-1", judgements=HUMAN, without="leed")


def test_figure_3_plots_each_system_by_both_means(study, few):
    chart, *single = made(study, "embedding-figure-3", judgements=HUMAN).charts
    assert [one.title for one in single] == ["R1-F", "max†", "avg†", "enc-avg†"]
    assert [one.series for one in single] == [(series,) for series in chart.series]
    human = load_judgements(study, HUMAN)[HUMAN]
    means = dict(zip(human.systems, human.system_means().tolist(), strict=True))
    assert (chart.kind, chart.x_label) == (ChartKind.SCATTER, HUMAN)
    for series in chart.series:
        assert dict(zip(series.names, series.x, strict=True)) == pytest.approx(means)


def test_table_4_averages_ranks_over_judgements(study, few):
    (table,) = made(study, "embedding-table-4", judgements="rating.coherence,rating.responsiveness").tables
    columns = np.array([row[1:] for row in table.rows])
    assert [row[0] for row in table.rows] == ["max†", "avg†", "enc-avg†", "R1-F", "R2-F"]
    assert (columns >= 1).all()
    assert (columns <= 5).all()
    assert (columns * 2 == np.round(columns * 2)).all()  # means of two ranks


def test_table_4_averages_over_further_studies(study, few, tmp_path):
    alone = made(study, "embedding-table-4", judgements="rating.coherence")
    with copied(study, tmp_path / "sample.pyramidion") as other:
        path = str(other.path)
    both = made(study, "embedding-table-4", judgements="rating.coherence", others=path)
    assert both.tables[0].rows == alone.tables[0].rows  # the same data twice
    assert "sample: rating.coherence; sample: rating.coherence" in both.policy[1]


def test_truncated_documents_are_read_to_their_limit(study, monkeypatch):
    monkeypatch.setattr(sun2019, "SENSITIVE", [one for one in REPRESENTATIONS if one.label == "avg"])
    result = made(study, "embedding-figure-2", judgements=HUMAN, words="20")
    by_limit = {(row[0], row[1]): row[5] for row in result.tables[0].rows}
    config = "cosine-words:joining=avg,against=document,words=20"
    reading = run_to_completion(score_and_load(study, StudyResources(study), [MeasureSpec("cut", config)]))
    human = load_judgements(study, HUMAN)[HUMAN]
    cut = reading.matrices[0].select(human.systems, human.topics).values
    expected = correlate(cut, human.values, Level.SYSTEM, Coefficient.PEARSON).value
    assert by_limit["avg†", "20 words"] == pytest.approx(expected)
    assert by_limit["avg†", "whole documents"] != pytest.approx(expected)
    assert result.charts[0].ticks == ("20 words", "whole documents")


@pytest.mark.parametrize("listed", ["", "a", "0", "-4", "4.5"])
def test_limits_are_whole_numbers_of_words(listed):
    with pytest.raises(InputError, match="not a list of word counts"):
        limits(listed)


def test_unknown_metrics_are_left_out_and_reported(study):
    specs = [MeasureSpec("Ours", "rouge-n:stem=yes"), MeasureSpec("Theirs", "no-such-metric")]
    reading = run_to_completion(score_and_load(study, StudyResources(study), specs))
    assert [one.label for one in reading.measured] == ["Ours"]
    assert reading.missing == ("Theirs is left out: unknown metric no-such-metric.",)


def test_metrics_that_fail_on_a_topic_are_left_out_and_reported(study, monkeypatch):
    """Tables have no empty cells."""

    def fail(metric, topic, resources):
        raise InputError("The words are too odd.")

    monkeypatch.setattr(type(registry.parse("chrf")), "prepare", fail)
    reading = run_to_completion(
        score_and_load(
            study, StudyResources(study), [MeasureSpec("Odd", "chrf"), MeasureSpec("Plain", "rouge-l")]
        )
    )
    assert [one.label for one in reading.measured] == ["Plain"]
    (sentence,) = reading.missing
    assert sentence.startswith("Odd is left out: ")
    assert "could not be scored: The words are too odd." in sentence


def test_requests_for_the_same_measure_share_a_row(study):
    own = "cosine-words:joining=avg,vectors=google-news"
    specs = [MeasureSpec(label, "cosine-words:joining=avg", own=own) for label in ("one", "two")]
    reading = run_to_completion(score_and_load(study, StudyResources(study), specs))
    assert [one.label for one in reading.measured] == ["one†, two†"]
    (sentence,) = reading.stand_ins
    assert sentence == "Stand-in: all-MiniLM-L6-v2 for google-news, which the paper used: one, two."


def test_stand_ins_are_marked_and_explained_in_every_file_of_a_result(study, few, tmp_path):
    request = parse_recipe("embedding-figure-1", {"judgements": HUMAN})
    result = run_to_completion(run_experiment(study, request, StudyResources(study))).result
    files = [file for file in write_result(result, tmp_path / "out", "r") if file.suffix != ".pdf"]
    assert {file.suffix for file in files} == {".csv", ".md", ".tex", ".svg", ".json"}
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert "MiniLM" in text, file.name
        names = {".tex": r"max$^{\dagger}$", ".csv": "max"}
        assert names.get(file.suffix, "max†") in text, file.name
        assert ("†" in text) is (file.suffix not in names), file.name
    assert from_text(to_text(result), result.title) == result


def test_measures_of_the_study_that_ran_on_stand_ins_are_marked(sample, tmp_path):
    with copied(sample, tmp_path / "s.pyramidion") as own:
        score_all(own, "cosine-words:joining=avg", "rouge-l")
        for name in ("ranking", "measures", "articles", "best"):
            request = {"measures": "cosine-words-avg.mean,rouge-l.f"}
            if name != "measures":
                request["judgements"] = HUMAN
            table = run_to_completion(
                run_experiment(own, parse_request(name, request), StudyResources(own))
            ).result.tables[0]
            text = to_markdown(table)
            assert "cosine-words-avg.mean†" in text, name
            assert "rouge-l.f†" not in text, name
            assert "all-MiniLM-L6-v2" in text, name
            plain = to_csv(table)
            assert "cosine-words-avg.mean" in plain, name
            assert "†" not in plain, name
            assert "all-MiniLM-L6-v2" in plain, name


def test_rows_of_widars_table_3_are_the_variants_that_the_paper_printed():
    specs = {want.label: want.spec for want in OTHERS}
    assert specs["BLEU"] == "bleu:case=lc"
    assert specs["ROUGE-WE"] == "rouge-we:mode=s3,n=3"
    assert specs["SummaQA"] == "summaqa:mode=toolkit"


def test_a_trained_model_fills_the_row_of_s3(study, tmp_path):
    with copied(study, tmp_path / "s.pyramidion") as own:
        resources = StudyResources(own)
        full, best = (MeasureSpec(f"S3 {name}", "s3", learned=f"s3-{name}") for name in ("full", "best"))
        with pytest.raises(MissingResource, match="no model trained on the features s3-full"):
            find_learned(own, resources, full)
        for name in ("s3-best", "s3-full"):
            save_model(
                own, model_without_weights(f"my-{name}", choose_features([name], own, resources))
            ).result()
        learned = [find_learned(own, resources, row) for row in (full, best)]
    assert [row.spec for row, _ in learned] == ["s3:model=my-s3-full", "s3:model=my-s3-best"]
    assert learned[0][1].startswith(f"S3 full is the model my-s3-full, trained on {HUMAN} of this study")


def model_without_weights(name, features):
    """Return a model of these features that gives every summary the same score."""
    rows, columns = 2, len(features)
    topics = (TrainingTopic("0" * 32, "D01", 0), TrainingTopic("1" * 32, "D02", 1))
    examples = (TrainingExample(0, "lead"), TrainingExample(1, "lead"))
    shape = np.zeros((rows, columns))
    return LearnedModel(
        name, HUMAN, "none", features, topics, examples, shape, np.zeros((3, rows)), np.zeros(3),
        np.ones((3, columns)), 1.0,
    )  # fmt: skip


def test_recipes_without_named_judgements_take_one_pyramid_score(study):
    names = set(judged_as_published(study, ""))
    assert {name for name in names if name.startswith("pyramid.")} == {PYRAMID}
    assert all(name.startswith("rating.") for name in judged_as_published(study, "", ratings_first=True))
    assert set(judged_as_published(study, "pyramid.original")) == {"pyramid.original"}


@pytest.fixture(scope="module")
def sera_table_2(study):
    return made(study, "sera-table-2")


def test_table_2_has_all_variants_of_rouge_and_of_sera(sera_table_2):
    rows = cells(sera_table_2.tables[0])
    assert sera_table_2.tables[0].title == "pyramid.original"
    assert len([label for label in rows if label.startswith("ROUGE")]) == 21
    assert list(rows["ROUGE-W-1.2-R"]) == ["r", "ρ", "τ"]
    kinds = ("", "-KW", "-NP", "-DIS", "-DIS-KW", "-DIS-NP")
    expected = [f"SERA{kind}-{cutoff}{'†' if 'NP' in kind else ''}" for kind in kinds for cutoff in (5, 10)]
    assert [label for label in rows if label.startswith("SERA")] == expected
    assert "The study's own documents in place of the PubMed" in " ".join(sera_table_2.stand_ins)
    assert any("for a noun phrase parser" in sentence for sentence in sera_table_2.stand_ins)


def test_table_2_correlates_the_stored_scores(study, sera_table_2):
    numbers = {(row[0], row[3]): row[4] for row in sera_table_2.tables[1].rows}
    ref = next(ref for ref in measures(study) if ref.label == "sera-dis-np-10.score")
    (human,) = load_judgements(study, "pyramid.original").values()
    scores = matrix(study, ref).select(human.systems, human.topics)
    expected = correlate(scores.values, human.values, Level.SYSTEM, Coefficient.SPEARMAN).value
    assert numbers["SERA-DIS-NP-10†", "spearman"] == pytest.approx(expected)


def test_table_3_compares_sera_with_two_rouge_scores(study):
    rouge_2, rouge_3, _ = made(study, "sera-table-3").tables
    assert (rouge_2.title, rouge_3.title) == ("ROUGE-2-F", "ROUGE-3-F")
    assert len(rouge_2.rows) == len(rouge_3.rows) == 12


def test_figure_1_has_a_curve_for_each_variant_of_sera(study):
    (chart,) = made(study, "sera-figure-1", values="2,5", judgements="pyramid.original").charts
    assert chart.kind is ChartKind.CURVES
    assert [line.label for line in chart.series] == [
        "SERA", "SERA-KW", "SERA-NP", "SERA-DIS", "SERA-DIS-KW", "SERA-DIS-NP",
    ]  # fmt: skip
    assert all(line.x == (2.0, 5.0) for line in chart.series)


def test_recipes_of_sera_vary_the_last_scored_or_named_metric(study):
    assert spec_of(study, "").startswith("sera")
    assert spec_of(study, "sera:mu=10") == "sera:mu=10"
    with pytest.raises(InputError, match="'bleu' is not SERA"):
        spec_of(study, "bleu")


def test_without_documents_sera_explains_how_to_build_an_index(tmp_path):
    with new_study(tmp_path / "bare.pyramidion") as bare:
        bare.import_data(ImportContent("bare", topics=(NewTopic("D1", references={"A": NewText("One.")}),)))
        assert "pyramidion index build NAME FOLDER" in parse_recipe(
            "sera-table-3"
        ).experiment.missing_requirements(bare)
        named = parse_recipe("sera-table-3", {"sera": "sera:index=mine"}).experiment
        assert named.missing_requirements(bare) == ""


def test_table_4_times_metrics_in_the_order_of_the_paper(study, monkeypatch):
    requests = []

    def clock(study, resources, metrics, summaries, seed):
        requests.extend(metric.name for metric in metrics)
        yield Progress(0, 1, "")
        return [(metric.name, 1, 1.0, 1.0) for metric in metrics]

    monkeypatch.setattr(jain2022, "clock", clock)
    monkeypatch.setattr(jain2022, "_problem", lambda want, resources: "")
    monkeypatch.setattr(jain2022, "_timed_stand_in", lambda metric, resources: "")  # needs the models
    result = made(study, "widar-table-4")
    rows = [row[0] for row in result.tables[0].rows]
    assert rows == [*jain2022.TIMED, "Mean", "WIDAR-L"]
    assert list(result.charts[0].ticks) == [*jain2022.TIMED, "WIDAR-L"], "a mean of metrics is no bar"
    timed = {row[1] for row in result.tables[0].rows}
    assert len(timed) == 1
    assert result.policy[0].startswith(f"{timed.pop()} summaries timed, of at most 100 drawn at random")
    assert len(requests) == 6


def test_average_ranks_use_coverage_by_default(tmp_path, sample, few):
    with copied(sample, tmp_path / "s.pyramidion") as own:
        ratings = [
            NewRating(topic.name, system.name, "coverage", "Ann", float(at % 5 + 1))
            for topic in own.texts.topics()
            for at, system in enumerate(own.texts.systems())
        ]
        own.import_data(ImportContent("ratings", dimensions={"coverage": (1, 5)}, ratings=ratings))
        (sentence,) = [one for one in made(own, "embedding-table-4").policy if "averaged over" in one]
    assert ": rating.coverage. The paper" in sentence


def test_the_method_of_the_published_numbers_is_stated(study, sera_table_2):
    assert "only possible with six systems" in sera_table_2.policy[-1]
    published = made(study, "widar-table-2", judgements=HUMAN)
    assert "its numbers match tau-b" in published.policy[-1]
    other = made(study, "widar-table-2", judgements=HUMAN, coefficient="pearson")
    assert not any("tau" in sentence for sentence in other.policy)


def test_tiers_are_the_weights_of_nuggets(study):
    units, tiers = made(study, "sera-table-1").tables
    annotations = list(study.nuggets.annotations())
    assert len(units.rows) == sum(len(annotation.pyramid.scus) for annotation in annotations)
    assert sum(sum(row[2:]) for row in tiers.rows) == len(units.rows)
    assert {row[3] for row in units.rows} == {scu.weight for a in annotations for scu in a.pyramid.scus}


def test_a_study_without_pyramids_has_no_tiers(tmp_path):
    with new_study(tmp_path / "empty.pyramidion") as empty:
        for name in NAMES:
            assert parse_recipe(name).experiment.missing_requirements(empty), name


@pytest.fixture(scope="module")
def summeval(tmp_path_factory):
    """The published SummEval data."""
    if not SUMMEVAL.exists():
        pytest.skip(f"SummEval is not here; put it at {SUMMEVAL.parent}")
    with new_study(tmp_path_factory.mktemp("summeval") / "s.pyramidion") as study:
        study.import_data(exchange.read(SUMMEVAL, "summeval"))
        yield study


# Jain et al. 2022, Tables 5 and 6.
ABLATION = {
    "WIDAR-L": (0.149, 0.176, 0.119, 0.250),
    "ROUGE-L weighted": (0.129, 0.108, 0.083, 0.239),
    "without redundancy": (0.105, 0.075, 0.064, 0.201),
    "without coverage": (0.119, 0.115, 0.087, 0.218),
    "ROUGE-L by sentence": (0.102, 0.087, 0.062, 0.204),
    "IDSS": (0.097, 0.202, 0.122, 0.164),
}
DIMENSIONS = {
    "coherence": (1.00, 0.25, 0.27, 0.53),
    "consistency": (0.25, 1.00, 0.38, 0.27),
    "fluency": (0.27, 0.38, 1.00, 0.23),
    "relevance": (0.53, 0.27, 0.23, 1.00),
}


def test_the_ablation_of_widar_is_the_published_one(summeval):
    rows = {row[0]: row[1:] for row in made(summeval, "widar-table-5").tables[0].rows}
    for label, published in ABLATION.items():
        assert rows[label] == pytest.approx(published, abs=1.1e-3), label


def test_the_dimensions_are_compared_as_published(summeval):
    rows = {row[0]: row[1:] for row in made(summeval, "widar-table-6").tables[0].rows}
    for dimension, published in DIMENSIONS.items():
        assert rows[f"rating.{dimension}"] == pytest.approx(published, abs=5.1e-3), dimension
