"""`pyramidion agree`: agreement of a study's annotators."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from sklearn.metrics import cohen_kappa_score

from cli.errors import BAD_INPUT, DONE
from core.domain.import_batch import ImportContent, NewRating
from core.domain.pyramid import add_contributor, add_match, add_scu, set_summary_state
from storage.study_file import StudyFile, new_study
from tests.conftest import small
from tests.storage.conftest import Editor, open_editor

KRIPPENDORFF_2011 = """
A: 1 2 3 3 2 1 4 1 2 * * *
B: 1 2 3 3 2 2 4 1 2 5 * 3
C: * 3 3 3 2 3 4 2 2 5 1 *
D: 1 2 3 3 2 4 4 1 2 5 1 *
"""
"""Four observers, twelve units, * = no value. Published alphas: .743, .815, .849, .797, as in the test."""


def rated(path: Path, values: dict[str, list[float | None]], topics: int = 1) -> Path:
    """Write a study in which annotators rated system S01, S02, … on each topic."""
    lines = ["topic,system,text"]
    ratings = ["topic,system,dimension,annotator,value"]
    count = max(map(len, values.values())) // topics
    for topic in range(topics):
        for system in range(count):
            key = f"T{topic},S{system + 1:02d}"
            lines.append(f"{key},The court met.")
            for who, given in values.items():
                value = given[topic * count + system]
                if value is not None:
                    ratings.append(f"{key},quality,{who},{value:g}")
    with new_study(path, name="Rated"):
        pass
    for name, rows in (("texts.csv", lines), ("ratings.csv", ratings)):
        path.with_name(name).write_text("\n".join(rows) + "\n", "utf-8")
    return path


@pytest.fixture
def study_of(tmp_path, run):
    """Build a study by importing tables of texts and ratings."""

    def build(values: dict[str, list[float | None]], topics: int = 1) -> Path:
        path = rated(tmp_path / "rated.pyramidion", values, topics)
        for name in ("texts.csv", "ratings.csv"):
            assert run("import", path, path.with_name(name))[0] == DONE
        return path

    return build


def values_of(out: str, what: str = "rating.quality", group: str = "") -> dict[str, float | None]:
    """Return values by coefficient."""
    rows = json.loads(out)["rows"]
    return {row["coefficient"]: row["value"] for row in rows if (row["what"], row["group"]) == (what, group)}


def test_krippendorffs_example_has_the_published_alphas(study_of, run) -> None:
    lines = (line.split(": ") for line in KRIPPENDORFF_2011.strip().splitlines())
    path = study_of({who: [None if v == "*" else float(v) for v in row.split()] for who, row in lines})
    levels = ("nominal", "ordinal", "interval", "ratio")
    options = [word for level in levels for word in ("--coefficient", f"alpha-{level}")]
    code, out, _ = run("agree", path, *options, "--json")
    assert code == DONE
    values = values_of(out)
    assert [round(values[f"alpha-{level}"], 3) for level in levels] == [0.743, 0.815, 0.849, 0.797]
    assert {row["items"] for row in json.loads(out)["rows"]} == {11}


def test_constant_ratings_have_a_reason_instead_of_perfect_agreement(study_of, run) -> None:
    path = study_of({"Ann": [3.0] * 8, "Ben": [3.0] * 8})
    _, out, _ = run("agree", path, "--json")
    values = values_of(out)
    assert values.pop("raw") == 1.0
    assert values
    assert set(values.values()) == {None}
    reasons = {row["reason"] for row in json.loads(out)["rows"] if row["coefficient"] == "alpha-ordinal"}
    assert reasons == {"both annotators always chose 3"}
    assert "both annotators always chose 3" in run("agree", path)[1]


def test_intervals_need_five_topics_and_say_so(study_of, run) -> None:
    path = study_of({"Ann": [1.0, 2, 3, 4, 5, 4], "Ben": [1.0, 3, 3, 4, 4, 4]}, topics=2)
    _, out, err = run("agree", path)
    assert "95% interval" not in out
    assert "No interval: 2 topics are too few to resample; at least 5 are needed." in err


def test_intervals_over_topics_are_repeated_by_their_seed(study_of, run) -> None:
    ann = [float(1 + (7 * i + i * i) % 5) for i in range(24)]
    path = study_of({"Ann": ann, "Ben": [min(5.0, v + i % 2) for i, v in enumerate(ann)]}, topics=8)
    first = run("agree", path, "--json", "--draws", 200, "--seed", 3)[1]
    again = run("agree", path, "--json", "--draws", 200, "--seed", 3)[1]
    assert first == again
    row = next(row for row in json.loads(first)["rows"] if row["coefficient"] == "alpha-interval")
    assert row["low"] < row["value"] < row["high"]
    assert json.loads(first)["bootstrap"] == {"draws": 200, "seed": 3, "confidence": 0.95}


def test_every_topic_pair_and_annotator_is_shown_on_request(study_of, run) -> None:
    who = {"Ann": [1.0, 2, 3, 4, 5, 1], "Ben": [1.0, 2, 3, 5, 5, 1], "Cat": [5.0, 1, 2, 1, 3, 4]}
    path = study_of(who, topics=2)
    _, out, _ = run("agree", path, "--json", "--by", "topic", "--by", "pair", "--by", "annotator")
    rows = json.loads(out)["rows"]
    assert {row["group"] for row in rows if row["grouping"] == "topic"} == {"T0", "T1"}
    pairs = {row["group"] for row in rows if row["grouping"] == "pair"}
    assert pairs == {"Ann – Ben", "Ann – Cat", "Ben – Cat"}
    reliable = [row for row in rows if row["coefficient"] == "dawid-skene-accuracy"]
    assert reliable[-1]["group"] == "Cat", "the annotator who deviates is the least reliable"


def test_a_file_holds_what_is_printed(study_of, run, tmp_path) -> None:
    path = study_of({"Ann": [1.0, 2, 3, 4], "Ben": [1.0, 2, 4, 4]})
    _, printed, _ = run("agree", path, "--csv")
    assert run("agree", path, "-o", tmp_path / "a.csv")[0] == DONE
    assert list(csv.reader(io.StringIO(printed))) == list(
        csv.reader((tmp_path / "a.csv").read_text("utf-8").splitlines())
    )
    assert run("agree", path, "-o", tmp_path / "a.json")[0] == DONE
    assert json.loads((tmp_path / "a.json").read_text("utf-8")) == json.loads(run("agree", path, "--json")[1])
    code, _, err = run("agree", path, "-o", tmp_path / "a.xlsx")
    assert code == BAD_INPUT
    assert ".csv" in err


def test_unknown_names_and_missing_annotators_are_reported(study_of, run) -> None:
    path = study_of({"Ann": [1.0, 2, 3, 4], "Ben": [1.0, 2, 4, 4]})
    assert "'nothing'" in run("agree", path, "--scale", "nothing")[2]
    assert run("agree", path, "--annotator", "Nobody")[0] == BAD_INPUT
    code, _, err = run("agree", path, "--annotator", "Ann")
    assert code == BAD_INPUT
    assert "No two annotators have made the same annotations" in err
    err = run("agree", path, "--what", "ratings", "--coefficient", "alpha-masi")[2]
    assert "alpha-masi does not apply" in " ".join(err.split())


def test_groups_of_annotators_are_named(run, tmp_path) -> None:
    with new_study(tmp_path / "groups.pyramidion") as study:
        study.import_data(small())
        study.ratings.add_dimension("quality")
        people = {"Ann": "expert", "Zoe": "crowd"}
        ratings = [
            NewRating("D1", system, "quality", who, value)
            for who, values in (("Ann", (1, 2, 3)), ("Zoe", (1, 3, 3)))
            for system, value in zip(("lead", "good", "bad"), values, strict=True)
        ]
        study.import_data(ImportContent("ratings", annotators=people, ratings=ratings))
    _, _, err = run("agree", tmp_path / "groups.pyramidion")
    assert "Annotators of 2 groups (crowd, expert) are compared with each other." in " ".join(err.split())


def build(editor: Editor, *labels: str) -> Editor:
    """Build SCUs of the first words of both references, one per label."""
    first, second = editor.topic.references[:2]
    for place, label in enumerate(labels):
        key = f"{place + 1}{editor.owner_id[:31]}"
        spans = [(4 + 10 * place, 9 + 10 * place)]
        editor.apply(lambda a, k=key, n=label, s=spans: add_scu(a, n, first.id, s, k))
        editor.apply(lambda a, k=key, s=spans: add_contributor(a, k, second.id, s))
    return editor


def match(editor: Editor, found: dict[str, list[int]]) -> None:
    """Match SCUs, by index, in systems' summaries, and mark these done."""
    for summary in editor.topic.summaries:
        for place in found.get(summary.name, []):
            scu = editor.annotation.pyramid.scus[place].id
            editor.apply(lambda a, s=summary.id, u=scu: add_match(a, s, editor.annotator_id, u, [(0, 3)]))
        editor.apply(
            lambda a, s=summary.id: set_summary_state(
                a, s, editor.annotator_id, is_done=True, is_flagged=False
            )
        )


@pytest.fixture
def team(study: StudyFile) -> Path:
    """Ann and Ben built pyramids of D1, and both matched against Ann's."""
    ann = build(open_editor(study), "ban", "court", "cost")
    build(open_editor(study, "Ben", "Ben"), "the ban", "the court")
    match(ann, {"lead": [0], "good": [0, 1], "bad": []})
    match(open_editor(study, "Ben", "Ann"), {"lead": [0, 1], "good": [0, 1], "bad": [2]})
    study.close()
    return study.path


def test_matches_and_pyramids_of_two_annotators_are_compared(team, run) -> None:
    code, out, err = run("agree", team, "--json", "--by", "unit")
    assert code == DONE, err
    matches = values_of(out, "matches")
    ann, ben = [1, 0, 0, 1, 1, 0, 0, 0, 0], [1, 1, 0, 1, 1, 0, 0, 0, 1]
    assert matches["kappa"] == pytest.approx(cohen_kappa_score(ann, ben))
    assert matches["raw"] == pytest.approx(7 / 9)
    pyramids = values_of(out, "pyramids")
    assert pyramids["paired-scus"] == pytest.approx(2 * 2 / 5)
    assert pyramids["f1-exact"] == 1.0, "paired SCUs have the same contributors"
    rows = json.loads(out)["rows"]
    alone = [row for row in rows if row["reason"] == "only in the pyramid of Ann"]
    assert [row["group"] for row in alone] == ["D1: cost"]
    ranking = next(row for row in rows if (row["what"], row["coefficient"]) == ("matches", "ranking-kendall"))
    assert ranking["items"] == 3


def test_confirmed_nuggets_are_compared(study, run) -> None:
    for who in ("Ann", "Ben"):
        annotator = study.annotators.get_or_create(who)
        topic = study.texts.topic(study.texts.topics()[0].id)
        before = study.nuggets.annotation(topic.id, annotator.id)
        after = add_scu(before, f"ban of {who}", topic.references[0].id, [(4, 9)])
        study.nuggets.commit(before, after, "new nugget", annotator.id).result()
    study.close()
    nuggets = values_of(run("agree", study.path, "--what", "nuggets", "--json")[1], "nuggets")
    assert (nuggets["paired-scus"], nuggets["boundary-similarity"]) == (1.0, 1.0)
    assert nuggets["weight-alpha-ordinal"] is None, "weights that never vary have no agreement"
