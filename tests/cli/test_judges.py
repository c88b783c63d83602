"""`pyramidion judges`: verdicts, topics for development, exports, refusals."""

from __future__ import annotations

import json
import shutil

import pytest

from cli.errors import BAD_INPUT, DONE, USAGE


@pytest.fixture
def judged(scored, tmp_path):
    """The sample with ratings by a model in a table with a column of judges."""
    return shutil.copy(scored, tmp_path / "s.pyramidion")


@pytest.fixture
def with_judges(run, judged, tmp_path):
    code, out, _ = run("export", judged, "--what", "ratings", "--format", "csv", "-o", "-")
    assert code == DONE
    head, *rows = out.strip().split("\n")
    columns = head.strip().split(",")
    first, *_ = {row.split(",")[columns.index("annotator")] for row in rows}
    table = ["topic,system,judge,dimension,value"]
    for row in rows:
        cells = dict(zip(columns, row.strip().split(","), strict=False))
        if cells["annotator"] == first:
            table.append(f"{cells['topic']},{cells['system']},gpt-x,{cells['dimension']},{cells['value']}")
    path = tmp_path / "judges.csv"
    path.write_text("\n".join(table))
    assert run("import", judged, path)[0] == DONE
    return judged


def test_a_table_of_judges_is_imported_and_compared_at_once(run, with_judges):
    code, out, err = run("judges", with_judges, "--draws", "0", "--set", "least_items=2", "--json")
    assert code == DONE, err
    table = json.loads(out)["tables"][0]
    keys = [column["key"] for column in table["columns"]]
    rows = [dict(zip(keys, row, strict=True)) for row in table["rows"]]
    assert {row["judge"] for row in rows} == {"gpt-x"}
    assert "rating.coherence" in {row["rating"] for row in rows}
    assert {row["topics"] for row in rows} == {"all"}
    csv = run("judges", with_judges, "--draws", "0", "--set", "least_items=2", "--csv")[1]
    assert csv.count("judge,rating") == len(json.loads(out)["tables"])


def test_topics_for_development_are_listed_drawn_and_left_out(run, with_judges):
    name = json.loads(run("topics", with_judges, "--json")[1])["topics"][0]["topic"]
    code, out, err = run("topics", with_judges, name, "--development")
    assert (code, "1 topic for development" in err + out) == (DONE, True)
    listed = json.loads(run("topics", with_judges, "--json")[1])["topics"]
    assert [row["topic"] for row in listed if row["for"] == "development"] == [name]
    code, out, err = run("judges", with_judges, "--draws", "0", "--topics", "development", "--json")
    assert code == DONE
    assert "may be tuned on them" in json.loads(out)["warnings"][0]
    assert run("topics", with_judges, "--draw-development", "2")[0] == DONE
    listed = json.loads(run("topics", with_judges, "--json")[1])["topics"]
    assert [row["for"] for row in listed].count("development") == 2
    assert run("topics", with_judges, "--no-development")[0] == DONE
    assert "for" not in json.loads(run("topics", with_judges, "--json")[1])["topics"][0]


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("topics", "--development"), USAGE, "Name the topics"),
        (("topics", "--draw-development", "999"), BAD_INPUT, "leave none for tests"),
        (("topics", "--development", "--no-development"), USAGE, "exclude each other"),
        (("judges", "--judge", "nobody"), BAD_INPUT, "No measure is named"),
        (("judges", "--topics", "test"), BAD_INPUT, "No topics are kept for development"),
        (("judges", "--human", "pyramid.modified"), BAD_INPUT, "is not a rating"),
    ],
)
def test_what_cannot_be_done_is_said(run, judged, options, code, words):
    verb, *rest = options
    found, _, err = run(verb, judged, *rest)
    assert found == code
    assert words in " ".join(err.split())


def test_a_new_version_is_scored_on_the_topics_for_development_alone(run, judged):
    code, _, err = run("score", judged, "-m", "rouge-n:n=3", "--development")
    assert (code, "No topics are kept for development" in err) == (BAD_INPUT, True)
    assert run("topics", judged, "--draw-development", "2")[0] == DONE
    code, out, _ = run("score", judged, "-m", "rouge-n:n=3", "--development", "--plan", "--json")
    assert [row["topics"] for row in json.loads(out)] == [2]
    assert run("score", judged, "-m", "rouge-n:n=3", "--development")[0] == DONE
    (row,) = json.loads(run("score", judged, "-m", "rouge-n:n=3", "--plan", "--json")[1])
    assert row["fresh"] == 2
    assert row["topics"] > 2
