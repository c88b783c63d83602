"""doccano: sequences and classes both ways, files of others, problems with place and remedy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from core.domain.import_batch import (
    ImportContent,
    NewMatch,
    NewMatches,
    NewPart,
    NewPyramid,
    NewRating,
    NewScu,
    NewText,
    NewTopic,
    ScaleTexts,
)
from core.domain.ratings import ScaleKind
from core.errors import BadImport
from core.progress import run_to_completion
from storage.formats import export_registry, import_registry
from storage.formats.offsets import FileOffsets, OffsetUnit, Utf16Offsets
from storage.study_file import new_study
from tests.storage.formats.annotation_tools.conftest import bring, content, export, ratings

GOOD = "The court lifted the ban on the bridge 🌉 and cafés reopened."


def lines(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_units_and_marked_spans_come_back_equal(annotated, other, tmp_path) -> None:
    path = export(annotated, "annotations", "doccano", tmp_path / "all.jsonl")
    bring(other, export(annotated, "scales", "csv", tmp_path / "scales.csv"))
    counts = bring(other, path)
    assert content(other) == content(annotated)
    assert counts.notices == ()
    again = bring(other, path)
    assert not any(again.added.values())
    assert again.different == ()


def test_ratings_come_back_equal(annotated, other, tmp_path) -> None:
    bring(other, export(annotated, "scales", "csv", tmp_path / "scales.csv"))
    bring(other, export(annotated, "ratings", "doccano", tmp_path / "all.jsonl"))
    kinds = ScaleKind.NUMBER, ScaleKind.CATEGORIES, ScaleKind.TEXT
    assert ratings(other, *kinds) == ratings(annotated, *kinds)


def test_offsets_are_those_of_doccanos_editor(annotated, tmp_path) -> None:
    """In JavaScript an emoji has the length 2."""
    path = export(annotated, "annotations", "doccano", tmp_path / "all.jsonl")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    (row,) = (row for row in rows if row.get("scale") == "errors" and row["system"] == "good")
    units = GOOD.encode("utf-16-le")
    assert [units[2 * s : 2 * e].decode("utf-16-le") for s, e, _ in row["label"]] == [
        "The court",
        "court",
        "🌉 a",
    ]


def test_files_of_others_are_matched_by_their_texts(study, tmp_path) -> None:
    comment = "not in the source"
    rows = (
        {"id": 1, "text": GOOD, "label": [[39, 41, "Entity"], [46, 51, "Wrong"]], "Comments": [comment]},
        {"id": 2, "text": "Bridges are old.", "entities": [
            {"id": 1, "label": "Wrong", "start_offset": 0, "end_offset": 7},
            {"id": 2, "label": "SCU:4", "start_offset": 12, "end_offset": 15},
        ], "relations": [{"id": 1, "from_id": 1, "to_id": 2, "type": "same"}]},
        {"id": 3, "text": "A storm closed the harbour.", "label": []},
    )  # fmt: skip
    counts = bring(study, lines(tmp_path / "kim.jsonl", *rows))
    notes = {note.system: note for note in study.ratings.notes()}
    assert [GOOD[start:end] for start, end, _ in notes["good"].spans] == ["🌉", "cafés"]
    assert (notes["good"].annotator, notes["good"].note, notes["good"].dimension) == (
        "kim",
        comment,
        "doccano",
    )
    assert len(notes["bad"].spans) == 1
    (annotation,) = study.pyramids.annotations()
    assert [scu.label for scu in annotation.pyramid.scus] == ["4"]
    notices = " ".join(notice.what for notice in counts.notices)
    for part in (
        "Relations: 1 not read",
        "Texts without a label: 1 not read",
        "name no annotator: 3. They are by kim.",
        "emoji or combining marks before a span: 1",
    ):
        assert part in notices


def test_classes_are_ratings_of_a_scale(study, tmp_path) -> None:
    rows = (
        {"text": GOOD, "label": ["fluent"]},
        {"text": "Bridges are old.", "label": ["odd"]},
        {"text": "It was windy.", "label": ["odd", "fluent"]},
    )
    counts = bring(study, lines(tmp_path / "all.jsonl", *rows), annotator="Kim")
    (scale,) = study.ratings.dimensions()
    assert [text for _, text in scale.anchors] == ["fluent", "odd"]
    assert [row[4] for row in ratings(study, ScaleKind.CATEGORIES)] == [2.0, 1.0]
    assert any("Texts with several labels: 1 not read" in notice.what for notice in counts.notices)


def test_classes_in_csv_are_ratings_too(study, tmp_path) -> None:
    path = tmp_path / "kim.csv"
    rows = f'1,{GOOD},fluent,"no, "\n2,Bridges are old.,odd,\n3,It was windy.,odd#fluent,\n'
    path.write_text(f"id,text,label,Comments\n{rows}", "utf-8")
    counts = bring(study, path)
    (scale,) = study.ratings.dimensions()
    assert [text for _, text in scale.anchors] == ["fluent", "odd"]
    assert [(row[3], row[4], row[5]) for row in ratings(study, ScaleKind.CATEGORIES)] == [
        ("kim", 2.0, ""),
        ("kim", 1.0, "no, "),
    ]
    assert any("Texts with several labels: 1 not read" in notice.what for notice in counts.notices)
    path.write_text("text,label,topic\nx,y,z\n", "utf-8")
    assert import_registry.detect(path).name != "doccano"


def test_relation_projects_over_several_lines_are_recognised(study, tmp_path) -> None:
    entity = {"id": 1, "label": "Wrong", "start_offset": 0, "end_offset": 7}
    row = {"id": 2, "text": "Bridges are old.", "relations": [{"id": 1}], "entities": [entity]}
    path = tmp_path / "kim.jsonl"
    path.write_text("\n".join(json.dumps(row, indent=2) for _ in range(2)), "utf-8")
    bring(study, path)
    assert study.ratings.notes()[0].spans == ((0, 7, 1),)


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ({"text": GOOD, "label": [[0, 999, "x"]]}, "outside the text"),
        ({"text": GOOD, "label": [[5, 2, "x"]]}, "empty or reversed"),
        ({"text": GOOD, "label": [[-1, 2, "x"]]}, "outside the text"),
        ({"text": GOOD, "label": [[40, 41, "x"]]}, "outside the text"),
        ({"text": GOOD, "label": [["0", 2, "x"]]}, "is not a span"),
        ({"text": GOOD, "label": [[0, 2]]}, "not a start, an end and a text"),
        ({"text": GOOD, "label": 3}, "A number instead of a list"),
        ({"text": "Other.", "label": ["x"]}, "No text of the study equals"),
        ({"text": 3, "label": ["x"]}, "No text of the study equals"),
        (
            {"topic": "D1", "system": "good", "text": "Other.", "label": ["x"]},
            "differs from the summary of good",
        ),
    ],
)
def test_problems_name_line_and_remedy(study, tmp_path, row, sentence) -> None:
    with pytest.raises(BadImport) as refused:
        bring(study, lines(tmp_path / "all.jsonl", row), "doccano")
    assert sentence in refused.value.problems[0].what
    assert refused.value.problems[0].place == "line 1"
    assert all(problem.remedy for problem in refused.value.problems)
    assert study.ratings.dimensions() == []


signs = st.text(st.sampled_from("ab \n\r👩\u200d🚀🌉e\u0301שלום\u202e\u2028𝒳"), min_size=1, max_size=12)


@given(st.data())
def test_utf16_offsets_are_those_of_encoded_text(data: st.DataObject) -> None:
    text = data.draw(signs)
    offsets = Utf16Offsets(text)
    units = [offsets.units(at) for at in range(len(text) + 1)]
    assert units == [len(text[:at].encode("utf-16-le")) // 2 for at in range(len(text) + 1)]
    assert [offsets.code_point(at) for at in units] == list(range(len(text) + 1))
    outside = set(range(-2, units[-1] + 3)) - set(units)
    assert {offsets.code_point(at) for at in outside} == {None}


@given(signs)
def test_offsets_in_bytes_are_those_of_encoded_text(text: str) -> None:
    offsets, places = FileOffsets(text, text), [len(text[:at].encode()) for at in range(len(text) + 1)]
    found = [offsets.to_stored(at, OffsetUnit.BYTES) for at in range(-1, places[-1] + 2)]
    assert [place for place in found if place is not None] == list(range(len(text) + 1))
    assert [offsets.to_stored(at, OffsetUnit.BYTES) for at in places] == list(range(len(text) + 1))


marked = signs.filter(str.strip).flatmap(
    lambda text: st.tuples(
        st.just(text),
        st.lists(
            st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))
            .map(lambda ends: (min(ends), max(ends)))
            .filter(lambda span: span[0] < span[1]),
            min_size=1,
            max_size=3,
        ),
    )
)


@pytest.mark.slow
@settings(max_examples=2, deadline=None, phases=[Phase.generate])
@given(texts=st.lists(marked, min_size=12, max_size=12))
@pytest.mark.parametrize("name", ["brat", "doccano", "inception-xmi", "inception-json"])
def test_parts_survive_every_format(tmp_path_factory, name: str, texts: list) -> None:
    """The parts of matches are the same after export and import, whatever the texts hold."""
    if name.startswith("inception"):
        pytest.importorskip("cassis", reason="pip install 'pyramidion[inception]'")
    folder = tmp_path_factory.mktemp("any")
    summaries = {f"S{number:02}": NewText(text) for number, (text, _) in enumerate(texts)}
    topic = NewTopic("t", summaries=summaries)
    matches = [
        NewMatches("t", f"S{number:02}", "Ann", "Ann", (NewMatch(None, tuple(NewPart(*s) for s in spans)),))
        for number, (_, spans) in enumerate(texts)
    ]
    with new_study(folder / "any.pyramidion") as study:
        pyramids = [NewPyramid("t", "Ann", (NewScu("1", "unit"),))]
        content = ImportContent(
            "any", topics=[topic], annotators={"Ann": ""}, pyramids=pyramids, matches=matches
        )
        study.import_data(content)
        what = export_registry.find("annotations", name)
        path = folder / f"out{what.suffix}"
        run_to_completion(export_registry.export_steps(study, what, path))
    back = import_registry.read(path, name.partition("-")[0])
    found = {one.system: [[p.span for p in match.parts] for match in one.matches] for one in back.matches}
    assert found == {f"S{number:02}": [spans] for number, (_, spans) in enumerate(texts)}


@settings(max_examples=2, deadline=None, phases=[Phase.generate])
@given(texts=st.lists(marked, min_size=12, max_size=12))
@pytest.mark.parametrize(("name", "file"), [("label-studio", "tasks.json"), ("potato", "")])
def test_marked_spans_survive_formats_of_ratings(tmp_path_factory, name: str, file: str, texts: list) -> None:
    folder = tmp_path_factory.mktemp("any")
    summaries = {f"S{number:02}": NewText(text) for number, (text, _) in enumerate(texts)}
    given_spans = {f"S{number:02}": sorted(set(spans)) for number, (_, spans) in enumerate(texts)}
    rated = [
        NewRating("t", system, "errors", "Ann", 0.0, spans=tuple((*span, 1) for span in spans))
        for system, spans in given_spans.items()
    ]
    about = {"errors": ScaleTexts(anchors=((1.0, "wrong"),), kind=ScaleKind.SPANS)}
    with new_study(folder / "any.pyramidion") as study:
        study.import_data(
            ImportContent(
                "any",
                topics=[NewTopic("t", summaries=summaries)],
                annotators={"Ann": ""},
                dimensions={"errors": (0, 1)},
                scale_texts=about,
                ratings=rated,
            )
        )
        run_to_completion(
            export_registry.export_steps(study, export_registry.find("ratings", name), folder / "out")
        )
    back = import_registry.read(folder / "out" / file, name)
    assert {r.system: sorted((s, e) for s, e, _ in r.spans) for r in back.ratings} == given_spans
