"""Round trips of exports and imports in every format."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.domain.import_batch import ImportContent, NewRating, NewScore, NewText, NewTopic
from core.domain.study import SystemKind, join_sentences
from core.errors import BadImport, InputError
from core.ports import MetricConfig, ScoreBlock
from core.progress import run_to_completion
from storage.formats import import_registry
from storage.formats.export_registry import export_steps, find
from storage.study_file import new_study
from tests.conftest import examples

NASTY = [
    "=SUM(A1)", "'=x", "''=x", "'quoted'", "+1", "-1", "@a", "\t=x", "  =x", "", "   ", "\r\n", "null",
    "none", "\r", "a\r\nb\rc\nd", "👩\u200d🚀🌉", "e\u0301", '"q""', "a,b;c\td|e",
    "\u2028x\u2029", "\ufeffbom", "\x85next", "\x0b\x0c\x1b[31mred", '{"text": 1}', "x" * 10_000,
]  # fmt: skip
LISTS = [
    ["one."], ["a", "b"], ["a", ""], ["", ""], [""], [], ["a\nb", "c"], ["=x", "b"], [" a ", " b "],
    ["a\r", "b"],
]  # fmt: skip


@pytest.fixture
def made(tmp_path):
    """Make a study of what is incoming."""
    opened = []

    def make(incoming, name="a"):
        study = new_study(tmp_path / f"{name}.pyramidion")
        opened.append(study)
        study.import_data(incoming)
        return study

    yield make
    for study in opened:
        study.close()


TABLES = {"csv": "t.csv", "xlsx": "t.xlsx", "parquet": "t.parquet"}
"""File names of tables by format."""


def nasty_study():
    texts = [NewText(content) for content in NASTY] + [NewText(*join_sentences(each)) for each in LISTS]
    summaries = {f"S{i:02}": text for i, text in enumerate(texts)}
    topic = NewTopic(
        "=t",
        "A title",
        "-query",
        "initial",
        {"=d": NewText("=1")},
        {"@A": texts[0], "B": texts[-1]},
        summaries,
    )
    plain = NewTopic("t", summaries={"S00": NewText("A.")}, references={"A": NewText("B.")})
    kinds = {"S00": SystemKind.HUMAN, "S01": SystemKind.BASELINE}
    return ImportContent("nasty", topics=[topic, plain], systems=kinds)


def through(study, what, name, path):
    """Write a part of a study and read it again."""
    run_to_completion(export_steps(study, find(what, name), path))
    return import_registry.read(path, "table" if name in TABLES else name)


@pytest.mark.parametrize(("name", "file"), [("sacrerouge", "t.jsonl"), *TABLES.items()])
def test_nasty_texts_and_their_sentences_come_back(made, tmp_path, name, file):
    study = made(nasty_study())
    back = through(study, "texts", name, tmp_path / file)
    counts = study.import_data(back, dry_run=True)
    assert dict(counts.added) == {}
    assert counts.different == ()
    assert counts.equal["summaries"] == len(NASTY) + len(LISTS) + 1


def test_a_table_imports_kinds_titles_and_sets_too(made, tmp_path):
    back = through(made(nasty_study()), "texts", "csv", tmp_path / "t.csv")
    assert back.systems["S00"] is SystemKind.HUMAN
    assert back.systems["S01"] is SystemKind.BASELINE
    first = next(topic for topic in back.topics if topic.name == "=t")
    assert (first.title, first.query, first.set) == ("A title", "-query", "initial")


@pytest.mark.parametrize(("name", "file"), TABLES.items())
def test_ratings_come_back_with_their_scales(made, tmp_path, name, file):
    rated = ImportContent(
        "rated",
        topics=[NewTopic("t", summaries={"S": NewText("A.")})],
        annotators={"KO": "expert"},
        dimensions={"tone": (-2, 2), "fluency": (0, 100)},
        ratings=[NewRating("t", "S", "tone", "KO", -1.5), NewRating("t", "S", "fluency", "KO", 73)],
    )
    study = made(rated)
    back = through(study, "ratings", name, tmp_path / file)
    assert (back.dimensions, back.annotators) == (rated.dimensions, rated.annotators)
    assert sorted(back.ratings, key=str) == sorted(rated.ratings, key=str)


@pytest.mark.parametrize(("name", "file"), [("sacrerouge", "s.jsonl"), *TABLES.items()])
def test_scores_of_any_name_come_back_in_full(made, tmp_path, name, file):
    study = made(nasty_study())
    topic = next(head for head in study.texts.topics() if head.name == "t")
    values = {"length": 0.1 + 0.2, "length.f": 1e-300, "rouge-w-1.2.f": -0.0, "=x": 5.0, "a|b.c": 1e22}
    for measure, value in values.items():
        config = MetricConfig(f"imported|measure:{measure}", "imported", "Imported", "", (measure,))
        block = ScoreBlock(topic.id, ("S00",), (), np.array([[value]]), None, "", 0.0)
        study.scores.save(config, block).result()
    back = through(study, "scores", name, tmp_path / file)
    assert {score.measure: score.value for score in back.scores} == values
    assert {(score.topic, score.system) for score in back.scores} == {("t", "S00")}


def test_a_measure_named_like_anothers_outer_part_is_not_nested(made, tmp_path):
    study = made(nasty_study())
    topic = next(head for head in study.texts.topics() if head.name == "t")
    for measure in ("length.f", "length"):
        config = MetricConfig(f"imported|measure:{measure}", "imported", "Imported", "", (measure,))
        block = ScoreBlock(topic.id, ("S00",), (), np.array([[1.0]]), None, "", 0.0)
        study.scores.save(config, block).result()
    run_to_completion(export_steps(study, find("scores", "sacrerouge"), tmp_path / "s.jsonl"))
    rows = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text(encoding="utf-8").splitlines()]
    assert next(row["metrics"] for row in rows if row["metrics"]) == {"length.f": 1.0, "length": 1.0}


signs = st.characters(codec="utf-8", exclude_characters="\0")


@pytest.mark.slow
@settings(
    max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    contents=st.lists(
        st.one_of(st.text(signs), st.lists(st.text(signs), max_size=3)), min_size=1, max_size=5
    ),
    name=st.sampled_from(["sacrerouge", *TABLES]),
)
def test_whatever_a_text_holds_it_comes_back(tmp_path_factory, contents, name):
    folder = tmp_path_factory.mktemp("any")
    texts = [NewText(each) if isinstance(each, str) else NewText(*join_sentences(each)) for each in contents]
    topic = NewTopic("t", summaries={f"S{i}": text for i, text in enumerate(texts)})
    with new_study(folder / "a.pyramidion") as study:
        study.import_data(ImportContent("any", topics=[topic]))
        (back,) = through(study, "texts", name, folder / TABLES.get(name, "t.jsonl")).topics
    assert dict(back.summaries) == dict(topic.summaries)


@pytest.mark.parametrize("places", ["0-1,2-3", "0", "a-b", "0-1-2", "-1-2", "0-" + "9" * 50])
def test_places_of_sentences_that_are_none_give_a_sentence(tmp_path, places):
    path = tmp_path / "t.csv"
    path.write_text(f'topic,system,text,sentences\nt,S,A b.,"{places}"\n', encoding="utf-8")
    with pytest.raises(BadImport, match="These are not spans"):
        import_registry.read(path, "table")


def test_sentences_outside_their_text_are_refused(study, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("topic,system,text,sentences\nD1,new,A b.,0-99\n", encoding="utf-8")
    with pytest.raises(BadImport, match="lies outside the text"):
        run_to_completion(import_registry.import_steps(study, import_registry.import_request(path, "table")))


def test_ratings_come_back_from_sacrerouges_lists_with_people_groups_and_gaps(made, tmp_path):
    ratings = [
        NewRating("t", "S", "tone", "KO", 2.0), NewRating("t", "S", "tone", "LI", 4.0),
        NewRating("t", "R", "tone", "LI", 5.0), NewRating("t", "R", "a.b", "MO", 55.0),
    ]  # fmt: skip
    rated = ImportContent(
        "rated",
        topics=[NewTopic("t", summaries={name: NewText("A.") for name in "SR"})],
        annotators={"KO": "expert", "LI": "expert", "MO": ""},
        dimensions={"tone": (1, 5), "a.b": (0, 100)},
        ratings=ratings,
    )
    study = made(rated)
    path = tmp_path / "r.jsonl"
    back = through(study, "ratings", "sacrerouge", path)
    assert sorted(back.ratings, key=str) == sorted(ratings, key=str)
    assert (back.annotators, back.dimensions) == (rated.annotators, rated.dimensions)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [row["metrics"] for row in rows] == [
        {"expert.tone": [5.0], "a.b": [55.0]}, {"expert.tone": [2.0, 4.0]}
    ]  # fmt: skip


def test_scores_and_judgements_are_one_file_of_sacrerouge(made, tmp_path):
    study = made(
        ImportContent(
            "both",
            topics=[NewTopic("t", summaries={"S": NewText("A.")})],
            annotators={"KO": ""},
            dimensions={"tone": (1, 5)},
            ratings=[NewRating("t", "S", "tone", "KO", 2)],
            scores=[NewScore("t", "S", "rouge-1.f", 40.5), NewScore("t", "S", "rouge-1_jk.f", 0.25)],
        )
    )
    back = through(study, "metrics", "sacrerouge", tmp_path / "m.jsonl")
    found = {score.measure: score.value for score in back.scores}
    assert found == {"rating.tone": 2.0, "rouge-1.f": 40.5, "rouge-1_jk.f": 0.25}
    study.import_data(back)
    with pytest.raises(InputError, match=r"both named rating\.tone"):
        run_to_completion(export_steps(study, find("metrics", "sacrerouge"), tmp_path / "m.jsonl"))
