"""Potato: ratings and comparisons both ways, both generations of its files, problems with remedy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.domain.ratings import ScaleKind
from core.errors import BadImport
from tests.storage.formats.annotation_tools.conftest import answers, bring, export, ratings

GOOD = "The court lifted the ban on the bridge 🌉 and cafés reopened."


CAFES = {"start": 45, "end": 50, "span": "cafés", "annotation": "x"}


def lines(path: Path, *rows: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def instance(labels: dict | None = None, spans: object = (), **more: object) -> dict:
    head = {"id": "D1.summary.good", "displayed_text": GOOD, "label_annotations": labels or {}}
    return {**head, "span_annotations": list(spans) if isinstance(spans, tuple) else spans, **more}


def test_ratings_spans_and_notes_come_back_equal(annotated, other, tmp_path) -> None:
    folder = export(annotated, "ratings", "potato", tmp_path / "out")
    counts = bring(other, folder)
    assert ratings(other, *ScaleKind) == ratings(annotated, *ScaleKind)
    assert counts.notices == ()
    assert not any(bring(other, folder).added.values())


def test_comparisons_come_back_equal(annotated, other, tmp_path) -> None:
    bring(other, export(annotated, "preferences", "potato", tmp_path / "out"))
    assert answers(other) == answers(annotated)


def test_data_and_schemes_are_those_that_potato_reads(annotated, tmp_path) -> None:
    folder = export(annotated, "ratings", "potato", tmp_path / "out")
    config = json.loads((folder / "config.yaml").read_text("utf-8"))
    kinds = {one["name"]: one["annotation_type"] for one in config["annotation_schemes"]}
    assert kinds == {
        "errors": "span",
        "fluency": "slider",
        "stars": "likert",
        "tone of voice": "slider",
        "verdict": "radio",
        "remarks": "text",
    }
    (data,) = config["data_files"]
    rows = [json.loads(line) for line in (folder / data).read_text("utf-8").splitlines()]
    assert len({row["id"] for row in rows}) == len(rows) == 6
    assert all(row[config["item_properties"]["text_key"]] for row in rows)


def test_files_of_one_annotator_are_read_by_id_and_content(study, tmp_path) -> None:
    rows = (
        instance(
            {"fluency": {"scale_4": "4"}}, ({"start": 45, "end": 50, "span": "cafés", "annotation": "x"},)
        ),
        instance({"fluency": {"scale_2": "2"}}, {}, id="7", displayed_text="Bridges are old."),
        instance({"consent": {"Yes": "true"}}, {}, id="consent.html", displayed_text="Do you agree?"),
    )
    counts = bring(
        study, lines(tmp_path / "out/kim@example.org/annotated_instances.jsonl", *rows).parent.parent
    )
    assert [row[:5] for row in ratings(study, ScaleKind.NUMBER)] == [
        ("D1", "bad", "fluency", "kim@example.org", 2.0),
        ("D1", "good", "fluency", "kim@example.org", 4.0),
    ]
    (note,) = study.ratings.notes()
    assert (note.dimension, note.spans) == ("potato", ((45, 50, 1),))
    assert any("1 not read (consent.html)" in notice.what for notice in counts.notices)


def test_exports_with_labels_and_spans_by_user_are_read(study, tmp_path) -> None:
    spans = {
        "errors": [
            {"start": 0, "end": 3, "label": "x", "text": "The", "additional_parts": [{"start": 4, "end": 9}]}
        ]
    }
    row = {
        "instance_id": "D1.summary.good",
        "user_id": "kim",
        "labels": {"fluency": {"slider": "3"}},
        "spans": spans,
    }
    bring(study, lines(tmp_path / "annotations.jsonl", row))
    assert ratings(study, ScaleKind.SPANS)[0][-1] == ((0, 3, 1), (4, 9, 1))
    assert ratings(study, ScaleKind.NUMBER)[0][3:5] == ("kim", 3.0)


@pytest.mark.parametrize(
    ("head", "label"),
    [
        ("user,instance_id,verdict:::keep,verdict:::drop", ""),
        ("user_id,instance_id,verdict.keep,verdict.drop", ""),
    ],
)
def test_tables_are_read(study, tmp_path, head, label) -> None:
    path = tmp_path / "annotated_instances.csv"
    path.write_text(f"{head}\nkim,D1.summary.good,true,\nkim,D1.summary.bad,,true\n", "utf-8")
    bring(study, path)
    assert [row[4] for row in ratings(study, ScaleKind.CATEGORIES)] == [2.0, 1.0]


def test_offsets_of_the_browser_are_recognised_by_their_words(study, tmp_path) -> None:
    span = {"start": 46, "end": 51, "span": "cafés", "annotation": "x"}
    counts = bring(study, lines(tmp_path / "annotated_instances.jsonl", instance({}, (span,))))
    assert study.ratings.notes()[0].spans == ((45, 50, 1),)
    assert any("characters in other units: 1" in notice.what for notice in counts.notices)


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (instance({}, ({"start": 0, "end": 999, "annotation": "x"},)), "outside the text"),
        (instance({}, ({"start": 3, "end": 1, "annotation": "x"},)), "empty or reversed"),
        (
            instance({}, ({"start": 0, "end": 3, "span": "court", "annotation": "x"},)),
            "is “The”, not “court”",
        ),
        (instance({}, (3,)), "A span is not an object"),
        (instance({}, {"errors": 3}), "The spans are not a list"),
        (instance({"a": 3}, 3), "not an object and a list"),
        (
            instance({"better": {"selection": "C"}}, (), topic="D1", systems=["good", "bad"]),
            "none of the compared",
        ),
        (
            instance({"better": {"selection": "A"}}, (), topic="D1", systems=["good", "good"]),
            "two or more different",
        ),
        (instance({}, (), id="elsewhere", displayed_text="Other."), "There is nothing to import"),
    ],
)
def test_problems_name_line_and_remedy(study, tmp_path, row, sentence) -> None:
    with pytest.raises(BadImport) as refused:
        bring(study, lines(tmp_path / "annotated_instances.jsonl", row), "potato")
    assert sentence in refused.value.problems[0].what
    assert all(problem.remedy for problem in refused.value.problems)
    assert study.ratings.dimensions() == []
