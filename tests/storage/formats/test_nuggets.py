"""Nuggets as JSONL: a round trip, files of nuggetizer, problems with place and remedy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.comparison.judgements import judgement_matrix
from core.domain.pyramid import UnitKind, add_match, add_scu, mark_pyramid_done, set_summary_state
from core.domain.pyramid.nugget_edits import Occurrence, add_automatic, set_importance, set_partial
from core.errors import BadImport
from core.progress import run_to_completion
from storage.formats import export_registry, import_registry
from storage.study_file import StudyFile, new_study
from tests.conftest import small


def export(study: StudyFile, path: Path) -> list[dict]:
    run_to_completion(export_registry.export_steps(study, export_registry.find("nuggets", "jsonl"), path))
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def bring(study: StudyFile, path: Path, **options: str):
    request = import_registry.import_request(path, "", options)
    assert request.format.name == "nuggets", "it is recognized by its content"
    return run_to_completion(import_registry.import_steps(study, request))


def lines(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.fixture
def other(tmp_path):
    with new_study(tmp_path / "other.pyramidion") as study:
        study.import_data(small())
        yield study


def annotate(study: StudyFile) -> None:
    """Make two nuggets with everything that a file can hold."""
    ann, ben = (study.annotators.get_or_create(name).id for name in ("Ann", "Ben"))
    topic = study.texts.topic(study.texts.topics()[0].id)
    first, second = (reference.id for reference in topic.references[:2])
    lead, good = topic.summaries[0].id, topic.summaries[1].id
    before = study.nuggets.annotation(topic.id, ann)
    value = add_scu(before, "ban lifted", first, [(0, 3), (10, 15)], "1" * 32)
    value = add_scu(value, "cafés 🌉", second, [(0, 7)], "2" * 32)
    value = add_automatic(value, "1" * 32, [Occurrence(second, ((24, 28),))], [], ann)
    value = set_importance(value, "1" * 32, "vital")
    value = add_match(value, lead, ann, "1" * 32, [(0, 3)])
    value = set_partial(value, [value.matches[0].id], True)
    value = add_match(value, lead, ann, None, [(4, 9)])
    value = add_match(value, good, ben, "2" * 32, [])
    value = set_summary_state(value, lead, ann, is_done=True, is_flagged=False)
    value = mark_pyramid_done(value, True)
    study.nuggets.commit(before, value, "nuggets", ann).result()


def test_what_is_exported_comes_back_equal(study, other, tmp_path) -> None:
    annotate(study)
    written = export(study, tmp_path / "n.jsonl")
    counts = bring(other, tmp_path / "n.jsonl")
    assert {key: counts.added[key] for key in ("topics with nuggets", "nuggets", "nugget hits")} == {
        "topics with nuggets": 1,
        "nuggets": 2,
        "nugget hits": 3,
    }
    assert export(other, tmp_path / "again.jsonl") == written
    (annotation,) = other.nuggets.annotations()
    assert annotation.pyramid.kind is UnitKind.NUGGET
    assert [one.is_confirmed for one in annotation.pyramid.scus[0].contributors] == [True, False]
    assert list(other.pyramids.annotations()) == []


def test_importing_again_adds_nothing_and_changed_nuggets_stay(study, other, tmp_path) -> None:
    annotate(study)
    export(study, tmp_path / "n.jsonl")
    bring(other, tmp_path / "n.jsonl")
    again = bring(other, tmp_path / "n.jsonl")
    assert not again.added
    assert (again.equal["nuggets"], again.equal["nugget hits"]) == (2, 3)
    row = json.loads((tmp_path / "n.jsonl").read_text("utf-8"))
    row["nuggets"][1]["importance"] = "okay"
    changed = bring(other, lines(tmp_path / "changed.jsonl", row))
    assert "The list of nuggets of topic D1 by Ann differs" in changed.different[0]
    (annotation,) = other.nuggets.annotations()
    assert annotation.pyramid.scus[1].importance == ""


def test_files_of_nuggetizer_are_read_and_scored(study, tmp_path) -> None:
    nuggets = [("ban lifted", "vital"), ("court ruled", "vital"), ("cafés reopened", "okay")]
    assigned = {
        "lead": ("not_support", "partial_support", "not_support"),
        "good": ("support", "support", "support"),
        "bad": ("not_support", "not_support", "not_support"),
    }
    for run, assignments in assigned.items():
        rows = [
            {"text": text, "importance": importance, "assignment": assignment}
            for (text, importance), assignment in zip(nuggets, assignments, strict=True)
        ]
        head = {"query": "q", "qid": "D1", "answer_text": "x", "response_length": 1, "run_id": run}
        bring(study, lines(tmp_path / f"{run}.jsonl", {**head, "nuggets": rows}), annotator="llm")
    vital = judgement_matrix(study, "nugget.vital")
    scores = dict(zip(vital.systems, vital.values[:, vital.topics.index("D1")], strict=True))
    assert scores == {"lead": 0.25, "good": 1.0, "bad": 0.0}
    assert [person.name for person in study.annotators.all()] == ["Ann", "Ben", "llm"]


def occurring(occurrence: dict) -> dict:
    return {"topic": "D1", "nuggets": [{"text": "a", "occurrences": [occurrence]}]}


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ({"topic": "D9", "nuggets": []}, "The study has no topic D9."),
        ({"nuggets": []}, "topic: The field is missing"),
        ({"topic": "D1", "nuggets": [1]}, "An entry is not an object."),
        ({"topic": "D1", "nuggets": [{"text": ""}]}, "text: The field is missing"),
        ({"topic": "D1", "nuggets": [{"text": "a", "importance": "high"}]}, "'high' is unknown."),
        (
            {
                "topic": "D1",
                "nuggets": [{"text": "a", "occurrences": [{"reference": "Z", "spans": [[0, 1]]}]}],
            },
            "no reference by Z",
        ),
        (
            {
                "topic": "D1",
                "nuggets": [{"text": "a", "occurrences": [{"reference": "A", "spans": [[0, 999]]}]}],
            },
            "0 to 999 is outside the text",
        ),
        (occurring({"reference": "A", "spans": [[0]]}), "not a pair of whole numbers"),
        (
            {"topic": "D1", "nuggets": [], "summaries": [{"system": "lead", "hits": [{"nugget": "n9"}]}]},
            "There is no nugget 'n9'.",
        ),
        ({"topic": "D1", "nuggets": [], "summaries": [{"system": "nobody"}]}, "no summary by nobody"),
        (
            {"qid": "D1", "run_id": "lead", "nuggets": [{"text": "a", "assignment": "maybe"}]},
            "'maybe' is unknown.",
        ),
        (
            {"topic": "D1", "nuggets": [{"text": "a"}, {"text": "a", "importance": "vital"}]},
            "occurs twice with different content",
        ),
    ],
)
def test_problems_are_reported_with_place_and_remedy(study, tmp_path, row, sentence) -> None:
    path = lines(tmp_path / "bad.jsonl", {"topic": "D2", "nuggets": []}, row)
    with pytest.raises(BadImport) as refused:
        bring(study, path)
    assert any(sentence in str(problem) and problem.place == "line 2" for problem in refused.value.problems)
    assert all(problem.remedy for problem in refused.value.problems)
    assert list(study.nuggets.annotations()) == []


def export_table(study: StudyFile, path: Path) -> str:
    run_to_completion(export_registry.export_steps(study, export_registry.find("nuggets", "csv"), path))
    return path.read_text("utf-8")


def test_a_table_comes_back_equal(study, other, tmp_path) -> None:
    annotate(study)
    written = export_table(study, tmp_path / "n.csv")
    bring(other, tmp_path / "n.csv")
    assert export_table(other, tmp_path / "again.csv") == written
    assert export(other, tmp_path / "n.jsonl") == export(study, tmp_path / "own.jsonl")
    assert ",The … ed on," not in written
    assert "0-3;10-15" in written


def test_problems_of_a_table_name_line_and_remedy(study, tmp_path) -> None:
    path = tmp_path / "n.csv"
    rows = (
        "kind,topic,annotator,nugget,text,spans,label,by",
        "nugget,D1,Ann,n1,,,The ban,",
        "occurrence,D1,Ann,n2,A,0-3,,",
        "occurrence,D1,Ann,n1,A,0:3,,",
        "occurrence,D1,Ann,n1,A,0-99999,,",
        "hit,D1,Ann,n1,nobody,0-3,,",
        "thing,D1,Ann,n1,,,,",
        "nugget,D9,Ann,n1,,,x,",
    )
    path.write_text("\n".join(rows), "utf-8")
    with pytest.raises(BadImport) as caught:
        bring(study, path)
    problems = [str(problem) for problem in caught.value.problems]
    for place, what in (
        ("line 3", "There is no nugget 'n2'"),
        ("line 4", "'0:3' is not a list of spans"),
        ("line 5", "outside the text"),
        ("line 6", "no summary by nobody"),
        ("line 7", "'thing' is unknown"),
        ("line 8", "no topic D9"),
    ):
        assert any(place in problem and what in problem for problem in problems), problems
