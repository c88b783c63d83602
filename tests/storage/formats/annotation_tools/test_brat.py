"""brat standoff: a round trip, corpora of others, problems with place and remedy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.import_batch import (
    ImportContent,
    NewMatch,
    NewMatches,
    NewPart,
    NewPyramid,
    NewScu,
    NewText,
    NewTopic,
)
from core.errors import BadImport
from core.progress import run_to_completion
from storage.formats import import_registry
from storage.formats.annotation_tools import brat
from storage.formats.annotation_tools.brat import (
    LineFeeds,
    escaped,
    fragments_of,
    joined,
    unescaped,
    words_of,
)
from storage.study_file import new_study
from tests.storage.formats.annotation_tools.conftest import bring, content, export

TEXT = "The court met on Monday."


def corpus(folder: Path, **files: str) -> Path:
    """A folder of one text of the study, annotated by Kim."""
    (folder / "Kim").mkdir(parents=True)
    for name, lines in {"one.txt": TEXT, **{k.replace("_", "."): v for k, v in files.items()}}.items():
        (folder / "Kim" / name).write_text(lines, "utf-8")
    return folder


def test_everything_comes_back_equal(annotated, other, tmp_path) -> None:
    folder = export(annotated, "annotations", "brat", tmp_path / "out")
    assert brat.recognises(folder)
    counts = bring(other, folder)
    assert content(other) == content(annotated)
    assert counts.notices == ()
    again = bring(other, folder)
    assert not any(again.added.values()), again.added
    assert again.different == ()


def test_an_empty_study_gets_the_texts_too(annotated, tmp_path) -> None:
    folder = export(annotated, "annotations", "brat", tmp_path / "out")
    with new_study(tmp_path / "empty.pyramidion") as empty:
        bring(empty, folder)
        assert content(empty) == content(annotated)


def test_files_are_as_brat_reads_them(annotated, tmp_path) -> None:
    """The rules of brat's own reader: sorted fragments on one line, words equal to the text, unique ids."""
    folder = export(annotated, "annotations", "brat", tmp_path / "out")
    types = (folder / "annotation.conf").read_text("utf-8").splitlines()
    for ann in sorted(folder.rglob("*.ann")):
        text, ids = ann.with_suffix(".txt").read_text("utf-8"), set()
        for line in ann.read_text("utf-8").splitlines():
            name, data, tail = (*line.split("\t"), "")[:3]
            assert name not in ids
            ids.add(name)
            if name[0] == "T":
                kind, _, places = data.partition(" ")
                spans = [tuple(map(int, place.split(" "))) for place in places.split(";")]
                assert spans == sorted(spans)
                assert tail == " ".join(text[start:end] for start, end in spans)
                assert kind in types
            else:
                assert data.split()[1] in ids
    assert "T1\tSCU 0 9;36 43\tThe court an on t" in (folder / "Ann/D1.reference.A.ann").read_text("utf-8")


def test_text_is_found_without_the_manifest(annotated, other, tmp_path) -> None:
    folder = export(annotated, "annotations", "brat", tmp_path / "out")
    (folder / "pyramidion.json").unlink()
    counts = bring(other, folder)
    (pyramid,) = (one for one in other.pyramids.annotations() if len(one.pyramid.scus) > 1)
    assert [len(scu.contributors) for scu in pyramid.pyramid.scus] == [2, 1]
    assert other.ratings.dimensions()[0].name == "brat"
    assert any("The study has no scale brat" in notice.what for notice in counts.notices)


def test_types_notes_and_equivalences_name_scus(study, tmp_path) -> None:
    lines = (
        "T1\tSCU:7 0 9\tThe court\n"
        "T2\tSCU 10 13\tmet\n#1\tAnnotatorNotes T2\tsession held\n"
        "T3\tSCU 14 16\ton\nT4\tSCU 17 23\tMonday\n*\tEquiv T3 T4\n"
        "T5\tError 4 9\tcourt\n#2\tAnnotatorNotes T5\twhich one?\nR1\tCause Arg1:T5 Arg2:T1\n"
    )
    counts = bring(study, corpus(tmp_path / "in", one_ann=lines))
    (annotation,) = study.pyramids.annotations()
    assert [scu.label for scu in annotation.pyramid.scus] == ["7", "session held", "on"]
    assert [len(match.parts) for match in annotation.matches] == [1, 1, 1, 1]
    (note,) = study.ratings.notes()
    assert (note.dimension, note.annotator, note.note, note.spans) == (
        "brat",
        "Kim",
        "which one?",
        ((4, 9, 1),),
    )
    assert any("Relations: 1 not read" in n.what for n in counts.notices)


def test_words_show_that_another_program_counted_utf_16_units(study, tmp_path) -> None:
    good = "The court lifted the ban on the bridge 🌉 and cafés reopened."
    counts = bring(study, corpus(tmp_path / "in", one_txt=good, one_ann="T1\tError 46 51\tcafés\n"))
    assert study.ratings.notes()[0].spans == ((45, 50, 1),)
    assert any("characters in other units: 1" in notice.what for notice in counts.notices)


@pytest.mark.parametrize("words", ["court", ""])
def test_units_are_called_like_their_words_in_the_files_own_line_ends(tmp_path, words) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "one.txt").write_bytes(b"A\r\nban.\r\nThe court met.")
    lines = f"T1\tSCU 13 18\t{words}\nT2\tSCU 3 6\t\n*\tEquiv T1 T2\n"
    (folder / "one.ann").write_text(lines, "utf-8")
    with new_study(tmp_path / "s.pyramidion") as study:
        text = NewText("A\nban.\nThe court met.")
        study.import_data(ImportContent("x", topics=[NewTopic("t", summaries={"S": text})]))
        bring(study, folder, "brat")
        (annotation,) = study.pyramids.annotations()
        assert [scu.label for scu in annotation.pyramid.scus] == ["court"]


@pytest.mark.parametrize(
    ("lines", "place", "sentence"),
    [
        ("T1\tError 0 999\tx", "line 1", "outside the text"),
        ("T1\tError 9 4\tx", "line 1", "reversed"),
        ("T1\tError 4 4\t", "line 1", "empty"),
        ("T1\tError -1 4\tx", "line 1", "is not a type with start and end"),
        ("T1\tError 0 99999999999999999999\tx", "line 1", "is not a type with start and end"),
        ("T1\tError 0 3\tcourt", "line 1", "is “The”, not “court”"),
        ("T1\tError 0 3\tThe\nT1\tError 4 9\tcourt", "line 2", "occurs twice"),
        ("Error 0 3", "line 1", "does not begin with an id"),
    ],
)
def test_problems_name_file_line_and_remedy(study, tmp_path, lines, place, sentence) -> None:
    with pytest.raises(BadImport) as refused:
        bring(study, corpus(tmp_path / "in", one_ann=lines))
    (problem,) = refused.value.problems
    assert sentence in problem.what
    assert problem.place == f"Kim/one.ann, {place}"
    assert problem.remedy
    assert study.ratings.notes() == []


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"one_txt": "Another text.", "one_ann": ""}, "No text of the study equals “Another text.…”"),
        ({"two_ann": ""}, "There is no Kim/two.txt"),
    ],
)
def test_texts_that_are_not_the_studys_are_refused(study, tmp_path, files, sentence) -> None:
    with pytest.raises(BadImport) as refused:
        bring(study, corpus(tmp_path / "in", **files), "brat")
    assert any(sentence in problem.what for problem in refused.value.problems)


def test_a_changed_text_is_reported_with_the_place(annotated, other, tmp_path) -> None:
    folder = export(annotated, "annotations", "brat", tmp_path / "out")
    (folder / "Ann/D1.summary.good.txt").write_text("The court kept the ban.", "utf-8")
    with pytest.raises(BadImport, match=r"from character 11 on \(“kept the ban\.”\)"):
        bring(other, folder)


@pytest.mark.parametrize("change", [{"version": 2}, {"lists": 3}, {"texts": {"a": {}}}, {"types": {"a": 1}}])
def test_a_damaged_manifest_is_refused(annotated, other, tmp_path, change) -> None:
    folder = export(annotated, "annotations", "brat", tmp_path / "out")
    path = folder / "pyramidion.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | change), "utf-8")
    with pytest.raises(BadImport, match="list of exported texts cannot be read"):
        bring(other, folder)


def test_line_ends_of_windows_survive(tmp_path) -> None:
    """brat reads them as line feeds; a part may even begin between the two signs."""
    text, spans = "\r\nThe ban\r\nfell.\r", [(1, 5), (6, 15)]
    match = NewMatch(None, tuple(NewPart(*span) for span in spans))
    with new_study(tmp_path / "windows.pyramidion") as study:
        study.import_data(
            ImportContent(
                "windows",
                topics=[NewTopic("t", summaries={"S": NewText(text)})],
                annotators={"Ann": ""},
                pyramids=[NewPyramid("t", "Ann", (NewScu("1", "unit"),))],
                matches=[NewMatches("t", "S", "Ann", "Ann", (match,))],
            )
        )
        folder = export(study, "annotations", "brat", tmp_path / "out")
    assert (folder / "Ann/t.summary.S.txt").read_bytes() == b"\nThe ban\nfell.\n"
    back = import_registry.read(folder)
    assert back.topics[0].summaries["S"].content == text
    assert [part.span for part in back.matches[0].matches[0].parts] == spans


signs = st.text(st.sampled_from("ab \n\r\t👩\u200d🚀🌉e\u0301שלום\u202e\u2028\x85"), max_size=12)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_parts_survive_brats_fragments(data: st.DataObject) -> None:
    text = data.draw(signs.map(lambda t: f"x{t}y"))
    file = LineFeeds(text)
    ends = st.integers(0, len(text))
    start, end = sorted((data.draw(ends), data.draw(ends)))
    inside = file.to_file(start), file.to_file(end)
    fragments = fragments_of(file.text, [inside])
    assert all("\n" not in words_of(file.text, [one]) for one in fragments)
    if joined(file.text, fragments) == (inside,):
        (back,) = file.spans_in_study([inside])
        assert file.text[slice(*inside)] == LineFeeds(text[slice(*back)]).text


@given(signs)
def test_notes_keep_every_sign(text: str) -> None:
    note = escaped(text)
    assert len(note.splitlines()) <= 1
    assert "\t" not in note
    assert unescaped(note) == text


def test_repeated_spans_and_equivalences_of_marked_spans_are_counted(study, tmp_path) -> None:
    folder = tmp_path / "Kim"
    folder.mkdir()
    content = study.texts.topic(study.texts.topics()[0].id).summaries[0].content
    (folder / "s.txt").write_text(content, encoding="utf-8")
    spans = "".join(f"T{n}\tWrong 0 2\t{content[:2]}\n" for n in (1, 2, 3))
    (folder / "s.ann").write_text(f"{spans}*\tEquiv T1 T2\n", encoding="utf-8")
    request = import_registry.import_request(tmp_path, "brat")
    notices = run_to_completion(import_registry.read_steps(request, study)).notices
    said = " ".join(notice.what for notice in notices)
    assert "Spans that repeat another one of the same category: 2." in said
    assert "Equivalences of marked spans: 1 not read." in said
