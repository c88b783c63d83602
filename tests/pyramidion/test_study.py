"""Studies as tables: the numbers of the program, its marks, and what stays as it is."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import shutil

import pytest

import pyramidion
from cli.main import main
from core.comparison.judgements import judgement_matrix
from core.errors import InputError
from core.experiments.registry import parse_request
from core.operations.correlate import COLUMNS
from core.progress import run_to_completion
from core.scoring.study_resources import StudyResources
from storage.database.read_only import ReadOnlyStudy
from storage.database.study_database import versions
from storage.study_file import open_study
from tests.storage.database.test_migrations import at_version

pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def sample(scored_file, tmp_path_factory):
    """The study, open; no other code may open its file."""
    path = shutil.copy(scored_file, tmp_path_factory.mktemp("open") / "sample.pyramidion")
    with pyramidion.open(path) as study:
        yield study


def printed(capsys, *arguments):
    assert main([str(argument) for argument in arguments]) == 0
    return capsys.readouterr()


class TestCorrelations:
    @pytest.mark.parametrize(
        ("parameters", "options"),
        [
            ({}, []),
            (
                {"judgements": "pyramid.modified", "level": "topic", "coefficient": "kendall"},
                ["--human", "pyramid.modified", "--level", "topic", "--coefficient", "kendall"],
            ),
            (
                {"measures": ["rouge-2.f", "js-1.divergence"], "interval": "bootstrap-both",
                 "compare": "best", "draws": 50, "seed": 3, "clusters": True, "adjust": "bh"},
                ["--measure", "rouge-2.f", "--measure", "js-1.divergence", "--interval", "bootstrap-both",
                 "--compare", "best", "--draws", "50", "--seed", "3", "--clusters", "--adjust", "bh"],
            ),
        ],
    )  # fmt: skip
    def test_they_are_what_the_command_prints(self, sample, scored_file, capsys, parameters, options):
        table = sample.correlations(**parameters)
        streams = printed(capsys, "correlate", scored_file, "--json", *options)
        rows = json.loads(streams.out)["rows"]
        assert list(table.columns[: len(COLUMNS)]) == list(COLUMNS)
        assert set(table.columns) == set(rows[0])
        for got, expected in zip(table.to_dict("records"), rows, strict=True):
            for name, value in expected.items():
                assert got[name] == value or (value is None and math.isnan(got[name])), name
        assert table.attrs["notes"] == streams.err.splitlines()

    def test_rows_by_topic_are_those_of_the_command(self, sample, scored_file, capsys):
        table = sample.correlations(measures="rouge-1.f", coefficient="kendall", per_topic=True)
        options = ("--measure", "rouge-1.f", "--coefficient", "kendall", "--per-topic", "--json")
        streams = printed(capsys, "correlate", scored_file, *options)
        rows = json.loads(streams.out)["rows"]
        assert list(zip(table["topic"], table["n"], strict=True)) == [
            (row["topic"], row["n"]) for row in rows
        ]
        values = [math.nan if row["value"] is None else row["value"] for row in rows]
        assert table["value"].tolist() == pytest.approx(values, nan_ok=True)
        assert table.attrs["notes"] == streams.err.splitlines()
        with pytest.raises(InputError, match="per_topic=True returns values only"):
            sample.correlations(per_topic=True, interval="fisher")

    def test_marks_and_cautions_come_along(self, sample):
        table = sample.correlations("pyramid.modified")
        assert set(table["status"]) == {"ranked"}
        assert any(note.startswith("↓ Lower is better: js-1.divergence") for note in table.attrs["notes"])
        assert any("pyramid.modified: " in note for note in table.attrs["notes"])

    def test_upper_bounds_are_those_of_the_command(self, scored_file, tmp_path, capsys):
        path = shutil.copy(scored_file, tmp_path / "two.pyramidion")
        ratings = tmp_path / "r.csv"
        with open_study(path) as study:
            cells = [(t.name, s.name) for t in study.texts.load() for s in t.summaries]
        lines = [f"{t},{s},P{p},clarity,{1 + (i + p) % 5}" for i, (t, s) in enumerate(cells) for p in (1, 2)]
        ratings.write_text("topic,system,annotator,dimension,value\n" + "\n".join(lines), "utf-8")
        with pyramidion.open(path, write=True) as study:
            assert study.import_file(ratings)["ratings"] == len(lines)
            table = study.correlations("rating.clarity", "rouge-1.f", upper_bound=True, draws=20)
        options = ("--human", "rating.clarity", "--measure", "rouge-1.f", "--upper-bound", "--draws", "20")
        expected = json.loads(printed(capsys, "correlate", path, "--json", *options).out)
        (bound,), (wanted,) = table.attrs["upper_bounds"], expected["upper_bounds"]
        assert bound == pytest.approx(
            {key: math.nan if v is None else v for key, v in wanted.items()}, nan_ok=True
        )

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"level": "word"}, "No value of level is named 'word'. Choose one of: system, topic, global"),
            ({"judgements": "rating.charm"}, "rating.charm"),
            ({"measures": "rouge-9.f"}, "No measure is named 'rouge-9.f'"),
            ({"test": "williams", "compare": "best", "level": "topic"}, "--test williams"),
            ({"annotators": "Nobody"}, "Nobody"),
        ],
    )
    def test_mistakes_are_explained(self, sample, parameters, message):
        with pytest.raises(InputError, match=message):
            sample.correlations(**parameters)


class TestExplanations:
    def test_they_are_those_of_the_command(self, sample, scored_file, capsys):
        topic = sample.texts()["topic"][0]
        explained = sample.explain(topic, "fuse", "rouge-1.f")
        streams = printed(capsys, "explain", scored_file, topic, "fuse", "-m", "rouge-1.f", "--json")
        document = json.loads(streams.out)
        assert explained.document() == document
        assert explained.value == explained.stored == document["value"]
        assert explained.is_reproduced
        parts = explained.parts()
        assert parts["part"].tolist() == [part["name"] for part in document["parts"]]
        assert parts["contribution"].is_monotonic_decreasing
        assert parts["words"].str.len().gt(0).all()

    def test_a_page_is_written_and_notebooks_show_the_parts(self, sample, tmp_path):
        topic = sample.texts()["topic"][0]
        explained = sample.explain(topic, "fuse", "pyramid.modified")
        page = explained.save(tmp_path / "page.html").read_text("utf-8")
        assert "pyramid.modified" in page
        assert f"pyramid.modified of fuse in {topic}" in explained._repr_html_()
        assert "fuse" in repr(explained)
        with pytest.raises(InputError, match=r"Choose \.html"):
            explained.save(tmp_path / "page.pdf")

    @pytest.mark.parametrize(
        ("names", "message"),
        [
            (("Nowhere", "fuse", "rouge-1.f"), "No topic is named 'Nowhere'"),
            ((None, "nobody", "rouge-1.f"), "nobody"),
            ((None, "fuse", "rouge-9.f"), "No measure is named 'rouge-9.f'"),
        ],
    )
    def test_unknown_names_are_reported(self, sample, names, message):
        topic = names[0] or sample.texts()["topic"][0]
        with pytest.raises(InputError, match=message):
            sample.explain(topic, *names[1:])


class TestTables:
    def test_scores_are_those_of_the_export(self, sample, scored_file, tmp_path, capsys):
        target = tmp_path / "s.csv"
        printed(capsys, "export", scored_file, "--what", "scores", "-o", target)
        rows = list(csv.DictReader(io.StringIO(target.read_text("utf-8"))))
        expected = {(r["topic"], r["system"], r["measure"]): float(r["value"]) for r in rows}
        table = sample.scores()
        found = {(r.topic, r.system, r.measure): r.value for r in table.itertuples()}
        assert found == expected
        assert not table["is_stale"].any()
        assert sample.export("scores", tmp_path / "again.csv") == len(rows)
        assert (tmp_path / "again.csv").read_bytes() == target.read_bytes()

    @pytest.mark.parametrize(
        ("metric", "labels"),
        [
            ("rouge-2.f", {"rouge-2.f"}),
            ("rouge-2", {"rouge-2.f", "rouge-2.recall", "rouge-2.precision"}),
            ("js", {"js-1.divergence"}),
            ("rouge-n:n=1", {"rouge-1.f", "rouge-1.recall", "rouge-1.precision"}),
        ],
    )
    def test_scores_are_chosen_by_metric_or_measure(self, sample, metric, labels):
        assert set(sample.scores(metric)["measure"]) == labels

    def test_an_unknown_metric_is_explained(self, sample):
        with pytest.raises(InputError, match="No measure is named 'bleu'"):
            sample.scores("bleu")

    def test_changed_texts_make_scores_stale(self, small_file, tmp_path):
        path = shutil.copy(small_file, tmp_path / "s.pyramidion")
        with pyramidion.open(path, write=True) as study:
            study.score("rouge-1")
            table = tmp_path / "t.csv"
            table.write_text("topic,author,text\nD1,C,A bridge.\n", "utf-8")
            study.import_file(table)
            stale = study.scores("rouge-1.f").groupby("topic")["is_stale"].all().to_dict()
            assert stale == {"D1": True, "D2": False}
            assert study.measures()["is_stale"].all()

    def test_texts_are_complete(self, sample, scored_file):
        table = sample.texts()
        with open_study(scored_file) as study:
            topic = next(iter(study.texts.load()))
        own = table[table["topic"] == topic.name]
        assert own[own["kind"] == "reference"]["text"].tolist() == [t.content for t in topic.references]
        assert set(own[own["kind"] == "summary"]["system_kind"]) == {"automatic", "baseline"}

    def test_annotations_are_spans_of_the_texts(self, sample):
        table, texts = sample.annotations(), sample.texts()
        contents = {(r.topic, r.kind, r.name): r.text for r in texts.itertuples()}
        for row in table.itertuples():
            kind = "reference" if row.role == "contributor" else "summary"
            assert contents[row.topic, kind, row.text_of][row.start : row.end] == row.part
        contributors = table[table["role"] == "contributor"]
        weights = contributors.groupby(["topic", "unit"]).agg(
            refs=("text_of", "nunique"), weight=("weight", "max")
        )
        assert (weights["refs"] == weights["weight"]).all()
        assert set(sample.annotations("nuggets")["topic"]) == {"D01", "D02"}

    def test_judgements_and_ratings_are_those_of_the_study(self, sample, scored_file):
        table = sample.judgements("pyramid.modified")
        with open_study(scored_file) as study:
            matrix = judgement_matrix(study, "pyramid.modified")
        wide = table.pivot(index="system", columns="topic", values="value")
        assert (wide.loc[list(matrix.systems), list(matrix.topics)].to_numpy() == matrix.values).all()
        assert "pyramid.modified" in table.attrs["policies"]
        ratings = sample.ratings()
        topics_rated = 8 + 5  # by the first and the second annotator
        systems = sample.judgements()["system"].nunique()
        assert len(ratings) == topics_rated * systems * ratings["dimension"].nunique()

    def test_arrow_takes_every_column_without_loss(self, sample):
        import pyarrow as arrow

        tables = [sample.texts(), sample.annotations(), sample.ratings(), sample.scores(), sample.measures()]
        tables += [
            sample.judgements(),
            sample.correlations(compare="best", draws=20),
            sample.annotations("nuggets"),
        ]
        for table in tables:
            taken = arrow.Table.from_pandas(table.assign(), preserve_index=False)
            pandas.testing.assert_frame_equal(taken.to_pandas(), table, check_dtype=False)
            assert not any(
                arrow.types.is_null(field.type) for field in taken.schema if field.name != "tie_threshold"
            )
        assert arrow.Table.from_pandas(sample.texts()).schema.field("text").type in (
            arrow.string(),
            arrow.large_string(),
        )


class TestOpening:
    def test_a_study_is_read_only_unless_asked_and_stays_as_it_is(self, scored_file, tmp_path):
        path = shutil.copy(scored_file, tmp_path / "s.pyramidion")
        before = hashlib.sha256(path.read_bytes()).hexdigest()
        with pyramidion.open(path) as study:
            assert not study.is_writable
            study.correlations()
            with pytest.raises(InputError, match=r"open it with pyramidion\.open\(.*write=True\)"):
                study.score("chrf")
            with pytest.raises(ReadOnlyStudy):
                study._study.settings.save("name", "x").result()
        assert hashlib.sha256(path.read_bytes()).hexdigest() == before
        assert sorted(each.name for each in tmp_path.iterdir()) == ["s.pyramidion"]

    def test_what_others_write_is_seen(self, small_file, tmp_path):
        path = shutil.copy(small_file, tmp_path / "s.pyramidion")
        with pyramidion.open(path) as reader, pyramidion.open(path, write=True) as writer:
            assert len(reader.measures()) == 0
            writer.score("rouge-1")
            assert set(reader.measures()["measure"]) == {"rouge-1.recall", "rouge-1.precision", "rouge-1.f"}

    def test_a_study_of_an_older_version_is_read_from_a_copy(self, tmp_path):
        path = tmp_path / "old.pyramidion"
        at_version(path, versions()[-2])
        before = path.read_bytes()
        with pyramidion.open(path) as study:
            assert len(study.texts()) == 0
            assert not study.is_writable
        assert path.read_bytes() == before

    def test_a_missing_study_is_named(self, tmp_path):
        with pytest.raises(InputError, match=r"nothing\.pyramidion"):
            pyramidion.open(tmp_path / "nothing.pyramidion")

    def test_an_empty_study_is_created_and_filled(self, tmp_path):
        table = tmp_path / "t.csv"
        table.write_text("topic,author,system,text\nD1,A,,A bridge opened.\nD1,,lead,A bridge.\n", "utf-8")
        with pyramidion.create(tmp_path / "new.pyramidion") as study:
            assert study.is_writable
            study.import_file(table)
            runs = study.score(["rouge-1", "js"])
            assert runs[["metric", "scored", "fresh"]].values.tolist() == [
                ["rouge-n:n=1", 1, 0],
                ["js", 1, 0],
            ]
            assert study.score("rouge-1")["fresh"].tolist() == [1]
            (page,) = study.report(tmp_path / "r.html", appendix=False)
            assert page.read_text("utf-8").lower().startswith("<!doctype html>")
            with pytest.raises(InputError, match=r"cannot be written as \.odt"):
                study.report(tmp_path / "r.odt")
            (data,) = study.report(tmp_path / "r.json", levels="topic", coefficient="kendall", draws=9)
            options = json.loads(data.read_text("utf-8"))["options"]
            assert (options["levels"], options["coefficient"], options["chance"]["draws"]) == (
                ["topic"], "kendall", 9
            )  # fmt: skip
            with pytest.raises(InputError, match="No value of levels is named 'word'"):
                study.report(tmp_path / "r.json", levels="word")
            with pytest.raises(TypeError, match="no option 'interval'"):
                study.report(tmp_path / "r.json", interval="none")

    def test_what_did_not_run_is_warned_about(self, small_file, tmp_path):
        path = shutil.copy(small_file, tmp_path / "s.pyramidion")
        with pyramidion.open(path, write=True) as study:
            with pytest.warns(
                pyramidion.PyramidionWarning, match="external was not computed: Name the program"
            ):
                runs = study.score("external")
            assert "Name the program" in runs["refusal"][0]


class TestNotebooks:
    def test_a_study_shows_what_it_holds(self, sample):
        shown = sample._repr_html_()
        assert "<td>64</td>" in shown
        assert "rouge-2.f" in shown
        assert "(read-only)" in shown

    def test_figures_are_those_of_the_program(self, sample, scored_file, tmp_path):
        from core.comparison.comparison import load_comparison
        from core.figures.palette import LIGHT
        from core.figures.scatter_and_heatmap import scatter, to_svg
        from core.stats.types import Level

        figure = sample.scatter("rouge-2.f", "pyramid.modified")
        with open_study(scored_file) as study:
            points = load_comparison(study, ["pyramid.modified"], measures=["rouge-2.f"]).points(
                "rouge-2.f", "pyramid.modified", Level.SYSTEM
            )
        drawn = scatter(points, LIGHT, human_title="Pyramid, modified")
        title = figure.title
        assert title.startswith("rouge-2.f against ")
        drawn = scatter(points, LIGHT, human_title=title.removeprefix("rouge-2.f against "))
        assert to_svg(figure.matplotlib, title) == to_svg(drawn, title)
        assert f"n = {points.correlation.n}" in figure.caption
        assert figure._repr_html_().startswith("<figure><svg ")

    def test_a_heatmap_has_a_number_for_each_correlation(self, sample):
        figure = sample.heatmap(["pyramid.modified"], ["rouge-1.f", "rouge-2.f"])
        numbers = sample.correlations("pyramid.modified", ["rouge-1.f", "rouge-2.f"])["value"]
        shown = figure.svg()
        for value in numbers:
            assert f"{value:.2f}".replace("0.", ".") in shown

    @pytest.mark.parametrize(
        ("suffix", "start"), [(".svg", b"<svg"), (".pdf", b"%PDF"), (".png", b"\x89PNG")]
    )
    def test_figures_are_saved(self, sample, tmp_path, suffix, start):
        path = sample.scatter("rouge-1.f", "pyramid.modified").save(tmp_path / f"f{suffix}")
        assert path.read_bytes().startswith(start)

    def test_another_suffix_is_refused(self, sample, tmp_path):
        with pytest.raises(InputError, match="Choose one of them"):
            sample.scatter("rouge-1.f", "pyramid.modified").save(tmp_path / "f.docx")


def test_partial_correlations_are_those_of_the_experiment(sample, scored_file):
    given = {"measures": "rouge-1.f", "judgements": "rating.coherence"}
    controls = ["length", "novelty:n=1", "js-1.divergence"]
    table = sample.partial_correlations(**given, controls=controls, coefficient="spearman")
    settings = {**given, "controls": ",".join(controls), "coefficient": "spearman"}
    experiment = parse_request("length", settings).experiment
    with open_study(scored_file) as study:
        (expected,) = run_to_completion(experiment.run(study, StudyResources(study))).tables
    row = dict(zip([column.key for column in expected.columns], expected.rows[-1], strict=True))
    assert table["control"].tolist() == [*controls, "all"]
    assert table["given"].tolist() == [row[f"given_{name}"] for name in (*controls, "all")]
    assert table["with_control"].tolist()[:3] == [row[f"with_{name}"] for name in controls]
    assert math.isnan(table["with_control"].tolist()[3])
    assert set(table["correlation"]) == {row["correlation"]}
    usual = sample.partial_correlations(**given)
    assert usual["control"].tolist() == ["length", "coverage", "density", "all"]
    with pytest.raises(InputError, match=r"Did you mean.*can be controls too: compression, coverage,"):
        sample.partial_correlations(**given, controls="js-1.divergenc")
