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


STATE = {
    "user_id": "kim",
    "instance_id_ordering": ["7"],
    "instance_id_to_label_to_value": {
        "7": [
            [{"schema": "tone", "name": "calm"}, "2"],
            [{"schema": "fluency", "name": "3"}, "3"],
            [{"schema": "errors", "name": "many"}, "true"],
            [{"schema": "errors", "name": "odd"}, "true"],
        ],
        "8": [[{"schema": "tone", "name": "calm"}, "true"]],
    },
    "instance_id_to_span_to_value": {
        "7": [[{"schema": "spans", "name": "x", "title": "X", "start": 46, "end": 51, "id": "s1"}, "x"]]
    },
    "phase_to_page_to_label_to_value": {"consent": {"page": [[{"schema": "ok", "name": "yes"}, "true"]]}},
    "instance_id_to_link_to_value": {"7": {"l1": {"schema": "links"}}},
}
CONFIG = """
data_files: [data/texts.json, ../outside.json]
item_properties: {id_key: nr, text_key: body}
annotation_schemes:
  - {annotation_type: radio, name: tone, labels: [{name: loud}, {name: calm}]}
  - {annotation_type: likert, name: fluency, size: 7}
"""


def test_states_of_version_2_are_read_with_the_texts_and_scales_of_the_configuration(study, tmp_path) -> None:
    """Offsets are those of the browser, in which an emoji counts twice."""
    lines(tmp_path / "outside.json", {"nr": "8", "body": "Bridges are old."})
    folder = tmp_path / "task"
    lines(folder / "out/kim/user_state.json", STATE)
    lines(folder / "out/kim/annotated_instances.jsonl", instance({"fluency": {"scale_1": "1"}}))
    (folder / "data").mkdir()
    (folder / "data/texts.json").write_text(json.dumps([{"nr": 7, "body": GOOD}]), "utf-8")
    (folder / "config.yaml").write_text(CONFIG, "utf-8")
    counts = bring(study, folder)
    (tone,) = (scale for scale in study.ratings.dimensions() if scale.name == "tone")
    assert [text for _, text in tone.anchors] == ["loud", "calm"]
    found = ratings(study, *ScaleKind)
    assert [row[:5] for row in found] == [
        ("D1", "good", "fluency", "kim", 3.0),
        ("D1", "good", "spans", "kim", 0.0),
        ("D1", "good", "tone", "kim", 2.0),
    ]
    assert [GOOD[start:end] for row in found for start, end, _ in row[-1]] == ["cafés"]
    said = " ".join(notice.what for notice in counts.notices)
    for part in (
        "Answers with several labels: 1 not read",
        "Pages of a survey: 1 not read",
        "Links between spans: 1 not read",
        "1 not read (8)",
        "out/kim/annotated_instances.jsonl",
    ):
        assert part in said


def test_a_state_without_its_texts_says_what_is_missing(study, tmp_path) -> None:
    path = lines(tmp_path / "user_state.json", STATE)
    with pytest.raises(BadImport, match=r"no text of the study.*: 2 not read \(7, 8\)"):
        bring(study, path)


@pytest.mark.parametrize(
    "change", [{"instance_id_to_label_to_value": {"7": [3]}}, {"instance_id_to_span_to_value": 3}]
)
def test_damaged_states_are_refused(study, tmp_path, change) -> None:
    with pytest.raises(BadImport, match="not as Potato stores it"):
        bring(study, lines(tmp_path / "user_state.json", {**STATE, **change}), "potato")


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
