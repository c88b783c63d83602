"""Label Studio: tasks and results, the configuration, problems with place and remedy."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from core.domain.ratings import ScaleKind
from core.errors import BadImport
from storage.formats import import_registry
from storage.study_file import new_study
from tests.storage.formats.annotation_tools.conftest import CATEGORIES, answers, bring, export, ratings

GOOD = "The court lifted the ban on the bridge 🌉 and cafés reopened."


def tasks(path: Path, *results: dict, data: dict | None = None, **annotation: object) -> Path:
    """One task with one annotation by user 5."""
    about = {"completed_by": 5, "result": list(results), **annotation}
    path.write_text(json.dumps([{"data": data or {"text": GOOD}, "annotations": [about]}]), "utf-8")
    return path


def result(kind: str, value: object, name: str = "fluency") -> dict:
    return {"id": "a", "from_name": name, "to_name": "text", "type": kind, "value": value}


def test_ratings_spans_and_notes_come_back_equal(annotated, other, tmp_path) -> None:
    folder = export(annotated, "ratings", "label-studio", tmp_path / "out")
    annotated_scales = export(annotated, "scales", "csv", tmp_path / "scales.csv")
    bring(other, annotated_scales)
    counts = bring(other, folder / "tasks.json")
    assert ratings(other, *ScaleKind) == ratings(annotated, *ScaleKind)
    assert counts.notices == ()
    assert not any(bring(other, folder / "tasks.json").added.values())


def test_comparisons_come_back_equal_with_ties(annotated, other, tmp_path) -> None:
    folder = export(annotated, "preferences", "label-studio", tmp_path / "out")
    bring(other, folder / "tasks.json")
    assert answers(other) == answers(annotated)


def test_an_empty_study_gets_the_summaries_and_scales_too(annotated, tmp_path) -> None:
    folder = export(annotated, "ratings", "label-studio", tmp_path / "out")
    with new_study(tmp_path / "empty.pyramidion") as empty:
        counts = bring(empty, folder / "tasks.json")
        assert (counts.added["summaries"], counts.notices) == (3, ())
        assert ratings(empty, *ScaleKind) == ratings(annotated, *ScaleKind)


def test_limits_of_a_scale_that_nobody_describes_are_reported(study, tmp_path) -> None:
    counts = bring(study, tasks(tmp_path / "t.json", result("rating", {"rating": 3})))
    (notice,) = counts.notices
    assert "no scale fluency; it is added from 1 to 5" in notice.what


def test_the_configuration_has_a_control_per_scale(annotated, tmp_path) -> None:
    folder = export(annotated, "ratings", "label-studio", tmp_path / "out")
    root = ElementTree.parse(folder / "labeling-config.xml").getroot()
    controls = {one.get("name"): one for one in root if one.get("toName")}
    assert {name: one.tag for name, one in controls.items()} == {
        "errors": "Labels",
        "fluency": "Number",
        "stars": "Rating",
        "scale-4": "Number",
        "verdict": "Choices",
        "remarks": "TextArea",
    }
    assert tuple(one.get("value") for one in controls["errors"]) == CATEGORIES
    objects = {one.get("name") for one in root.iter("Text")}
    assert {one.get("toName") for one in controls.values()} <= objects
    known = set(controls)
    for task in json.loads((folder / "tasks.json").read_text("utf-8")):
        assert {"source", "text"} <= task["data"].keys()
        for annotation in task["annotations"]:
            assert {one["from_name"] for one in annotation["result"]} <= known


def test_offsets_count_code_points_and_old_files_are_recognised_by_their_words(study, tmp_path) -> None:
    def region(start: int, end: int, words: str) -> dict:
        return result("labels", {"start": start, "end": end, "text": words, "labels": ["Wrong"]}, "errors")

    path = tasks(
        tmp_path / "t.json", region(45, 50, "cafés"), region(39, 40, "🌉"), region(52, 60, "reopened")
    )
    counts = bring(study, path)
    (note,) = study.ratings.notes()
    assert [GOOD[start:end] for start, end, _ in note.spans] == ["🌉", "cafés", "reopened"]
    assert note.annotator == "user 5"
    assert any("characters in other units: 1" in n.what for n in counts.notices)


def test_what_is_not_read_is_counted(study, tmp_path) -> None:
    path = tasks(
        tmp_path / "t.json",
        result("rating", {"rating": 3}),
        result("choices", {"choices": ["a", "b"]}),
        result("taxonomy", {"taxonomy": [["a"]]}),
        result("textarea", {"text": ["x"], "start": 0, "end": 3}),
        result("labels", {"start": 0, "end": 3, "labels": []}),
    )
    rows = json.loads(path.read_text("utf-8"))
    rows[0]["predictions"] = [{"result": []}] * 3
    rows[0]["annotations"].append({"was_cancelled": True, "result": []})
    path.write_text(json.dumps(rows), "utf-8")
    notices = [notice.what for notice in bring(study, path).notices]
    assert "Predictions of models: 3 not read." in notices
    for what in (
        "Answers with several choices",
        "Results of the type taxonomy",
        "Answers about single regions",
        "Regions without a label",
        "Skipped annotations",
    ):
        assert f"{what}: 1 not read." in notices


@pytest.mark.parametrize(
    ("one", "sentence"),
    [
        (result("rating", {"rating": "high"}), "“high” is not a number"),
        (result("number", {"number": 1e999}), "is not a number"),
        (result("rating", 3), "no object `value`"),
        (result("labels", {"start": 0, "end": 999, "labels": ["x"]}), "outside the text of 60 characters"),
        (result("labels", {"start": 9, "end": 3, "labels": ["x"]}), "empty or reversed"),
        (result("labels", {"start": -1, "end": 3, "labels": ["x"]}), "outside the text"),
        (result("labels", {"start": 0, "end": 10**40, "labels": ["x"]}), "A huge number is outside"),
        (result("labels", {"start": 0.5, "end": 3, "labels": ["x"]}), "is not a span"),
        (result("labels", {"start": 0, "end": 3, "text": "court", "labels": ["x"]}), "is “The”, not “court”"),
        (result("pairwise", {"selected": "left"}), "does not say which summaries are compared"),
        (result("choices", {"choices": ["good"]}, "new"), "the only answer is “good”"),
    ],
)
def test_problems_name_task_result_and_remedy(study, tmp_path, one, sentence) -> None:
    with pytest.raises(BadImport) as refused:
        bring(study, tasks(tmp_path / "t.json", one), "label-studio")
    (problem,) = refused.value.problems
    assert sentence in problem.what
    assert problem.place in ("task 1, annotation 1, result 1", "")
    assert problem.remedy
    assert study.ratings.dimensions() == []


def test_two_values_of_a_rating_are_reported_with_both_places(study, tmp_path) -> None:
    path = tasks(tmp_path / "t.json", *(result("rating", {"rating": value}) for value in (3, 4)))
    with pytest.raises(BadImport, match="Two values of the rating for D1, good, fluency, user 5") as refused:
        bring(study, path)
    (problem,) = refused.value.problems
    assert (problem.other_place, problem.place) == tuple(f"task 1, annotation 1, result {n}" for n in (1, 2))


def test_a_task_must_equal_one_summary(study, tmp_path) -> None:
    one = result("rating", {"rating": 3})
    for data, sentence in (
        ({"text": "Another text."}, "equal no summary of the study"),
        ({"text": GOOD, "more": "Bridges are old."}, "equal more than one summary"),
        ({"topic": "D1", "system": "good", "text": "Other."}, "differs from the summary of good"),
    ):
        with pytest.raises(BadImport, match=sentence):
            bring(study, tasks(tmp_path / "t.json", one, data=data))


def test_pairs_are_found_by_their_texts(study, tmp_path) -> None:
    data = {"text1": GOOD, "text2": "Bridges are old."}
    bring(study, tasks(tmp_path / "t.json", result("pairwise", {"selected": "right"}), data=data))
    assert answers(study) == [("Label Studio", "good", "bad", "user 5", "bad", "good")]


@pytest.mark.parametrize(
    "content", ["[", "3", "[3]", '[{"data": 3}]', '[{"a": 1, "a": 2}]', "[" * 9999, "\xff"]
)
def test_other_json_is_refused_with_a_remedy(tmp_path, content) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(BadImport) as refused:
        import_registry.read(path, "label-studio")
    assert all(problem.remedy for problem in refused.value.problems)
