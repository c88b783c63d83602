"""Folders of Lite2Pyramid and REALSumm: what comes in, what is refused, and the way back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core.comparison.judgements import judgement_matrix
from core.domain.import_batch import (
    ImportContent,
    NewContributor,
    NewMatch,
    NewMatches,
    NewPart,
    NewPyramid,
    NewScu,
    NewText,
    NewTopic,
)
from core.domain.pyramid import mark_pyramid_done
from core.errors import BadImport, InputError
from core.progress import run_to_completion
from storage.formats import import_registry
from storage.formats.export_registry import export_steps, find
from storage.formats.memory import VARIABLE
from storage.study_file import new_study

FILES = {
    "SCUs.txt": "A bridge fell.\tThe bridge fell on Monday.\tNobody was hurt.\nThe court ruled.\n",
    "references.txt": "<t> The bridge fell on Monday . </t> <t> No one was hurt . </t>\nA court ruled.\n",
    "documents.txt": "Article one.\nArticle two.\n",
    "ids.txt": "D1\nD2\n",
    "summaries/bart.summary": "A bridge fell.\nThe court ruled.\n",
    "summaries/t5.summary": "Monday was sunny.\n\n",
    "labels/bart.label": "1\t0\t0\n1\n",
    "labels/t5.label": "0\t1\t1\n\n",
    "STUs.txt": "bridge fell\ncourt ruled\n",
}


@pytest.fixture
def folder(tmp_path):
    """Lay out a folder, with some files exchanged or removed (None)."""

    def lay_out(**changes):
        place = tmp_path / "set"
        shutil.rmtree(place, ignore_errors=True)
        for name, content in {**FILES, **changes}.items():
            if content is not None:
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                (place / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return place

    return lay_out


@pytest.fixture
def made(tmp_path):
    """Make a study of what is incoming."""
    opened = []

    def make(incoming):
        study = new_study(tmp_path / f"{len(opened)}.pyramidion")
        opened.append(study)
        study.import_data(incoming)
        return study

    yield make
    for study in opened:
        study.close()


def problems_of(path):
    with pytest.raises(BadImport) as bad:
        import_registry.read(path, "lite2pyramid")
    return [(p.file, p.place, p.field, p.what) for p in bad.value.problems]


def test_units_become_scus_and_labels_matches_whose_mean_is_the_score(folder, made):
    path = folder()
    assert import_registry.detect(path).name == "lite2pyramid"
    incoming = import_registry.read(path, "lite2pyramid")
    first, second = incoming.topics
    assert first.references["ref-00"].content == "The bridge fell on Monday .\nNo one was hurt ."
    assert first.references["ref-00"].sentence_spans == ((0, 27), (28, 45))
    assert second.documents["article"].content == "Article two."
    assert list(second.summaries) == ["bart"], "t5 has neither a summary nor labels there"
    study = made(incoming)
    scores = judgement_matrix(study, "pyramid.modified")
    by_name = dict(zip(scores.systems, scores.values.tolist(), strict=True))
    assert by_name["bart"] == pytest.approx([1 / 3, 1.0])
    assert by_name["t5"][0] == pytest.approx(2 / 3)
    weights = {scu.weight for one in study.pyramids.annotations() for scu in one.pyramid.scus}
    assert weights == {1}


def test_a_unit_is_placed_on_its_words_in_the_reference_and_the_preview_says_so(folder):
    incoming = import_registry.read(folder(), "lite2pyramid")
    text = incoming.topics[0].references["ref-00"].content
    parts = [scu.contributors[0].parts[0] for scu in incoming.pyramids[0].scus]
    placed = [text[part.start : part.end] for part in parts]
    assert placed == ["bridge fell", "The bridge fell on Monday", "hurt"]
    sentences = " ".join(map(str, incoming.notices))
    assert "places of 4 content units in the references are not in the data" in sentences
    assert "STUs.txt" in sentences


def test_a_unit_without_a_word_in_the_reference_is_shown_as_the_whole_and_named(folder):
    incoming = import_registry.read(
        folder(**{"SCUs.txt": "Elephants sing.\tb\tc\nThe court ruled.\n"}), "lite2pyramid"
    )
    (part,) = incoming.pyramids[0].scus[0].contributors[0].parts
    assert (part.start, part.end) == (0, 45)
    assert "“Elephants sing.”" in str(incoming.notices[1])


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"ids.txt": "D1\n"}, ("set/ids.txt", "", "", "1 lines, but SCUs.txt has 2.")),
        ({"ids.txt": "D1\nD1\n"}, ("set/ids.txt", "line 2", "", "D1 is in two rows.")),
        ({"references.txt": None}, ("set/references.txt", "", "", "The file is missing.")),
        ({"references.txt": "a\n\n"}, ("set/references.txt", "line 2", "", "The text is missing or empty.")),
        (
            {"SCUs.txt": "a\t\tb\nc\n"},
            ("set/SCUs.txt", "line 1", "", "A content unit is not a text, or empty."),
        ),
        (
            {"labels/bart.label": "1\t0\n1\n"},
            ("set/labels/bart.label", "line 1", "", "2 labels for 3 content units."),
        ),
        (
            {"labels/bart.label": "1\t0\t2\n1\n"},
            ("set/labels/bart.label", "line 1", "", "Label 3, '2', is neither 0 nor 1."),
        ),
        (
            {"labels/gone.label": "1\t0\t0\n1\n"},
            ("set/labels/gone.label", "", "", "There is no summaries/gone.summary."),
        ),
        (
            {"summaries/bart.summary": b"\xff\nb\n"},
            ("set/summaries/bart.summary", "line 1", "", "Byte 1 (0xff) is not UTF-8."),
        ),
        ({"documents.txt": "a\x00\nb\n"}, ("set/documents.txt", "line 1", "", "Character 2 is a NUL.")),
    ],
)
def test_a_folder_that_does_not_fit_is_refused_with_file_and_line(folder, changes, problem):
    assert problem in problems_of(folder(**changes))


def test_a_link_that_leaves_the_folder_is_not_read(folder, tmp_path):
    (tmp_path / "secret").write_text("a\nb\n")
    path = folder(**{"summaries/bart.summary": None})
    (path / "summaries" / "bart.summary").symlink_to(tmp_path / "secret")
    assert any("outside the folder" in what for *_, what in problems_of(path))


def test_a_file_of_endless_lines_is_refused_before_it_fills_the_memory(folder, monkeypatch):
    monkeypatch.setenv(VARIABLE, "0.001")
    with pytest.raises(InputError, match=VARIABLE):
        import_registry.read(folder(**{"ids.txt": "\n" * 200_000}), "lite2pyramid")


def test_another_folder_and_the_format_of_text_folders_name_the_remedy(folder, tmp_path):
    with pytest.raises(InputError, match=r"has no SCUs\.txt"):
        import_registry.read(tmp_path, "lite2pyramid")
    with pytest.raises(InputError, match="Choose the format lite2pyramid"):
        import_registry.read(folder(), "folders")


def test_what_is_exported_is_read_again_without_a_difference(folder, made, tmp_path):
    study = made(import_registry.read(folder(), "lite2pyramid"))
    out = tmp_path / "out"
    run_to_completion(export_steps(study, find("pyramids", "lite2pyramid"), out))
    assert (out / "labels/t5.label").read_text() == FILES["labels/t5.label"]
    assert (out / "references.txt").read_text() == FILES["references.txt"]
    counts = study.import_data(import_registry.read(out, "lite2pyramid"), dry_run=True)
    assert (dict(counts.added), counts.different) == ({}, ())
    assert counts.equal["matches"] == 4


def test_a_study_without_scus_is_refused_and_nothing_is_written(study, tmp_path):
    ann = study.annotators.get_or_create("Ann").id
    before = study.pyramids.annotation(study.texts.topics()[0].id, ann)
    study.pyramids.commit(before, mark_pyramid_done(before, True), "an empty pyramid", ann).result()
    with pytest.raises(InputError, match="no pyramid with an SCU yet"):
        run_to_completion(export_steps(study, find("pyramids", "lite2pyramid"), tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_several_annotators_have_own_folders_and_losses_are_written_down(made, tmp_path):
    def of(who, system_text):
        scu = NewScu("1", "fell\tdown", (NewContributor("A", (NewPart(0, 4),)),))
        both = (NewContributor("A", (NewPart(0, 4),)), NewContributor("B", (NewPart(0, 3),)))
        return NewPyramid("t", who, (scu, NewScu("2", system_text, both)))

    topic = NewTopic(
        "t",
        references={"A": NewText("Fell down.\nYes."), "B": NewText("Down.")},
        summaries={"a/b": NewText("It fell.")},
    )
    people = {"Ko": "", "Li": ""}
    incoming = ImportContent(
        "made",
        topics=[topic],
        annotators=people,
        pyramids=[of(who, "x") for who in people],
        matches=[NewMatches("t", "a/b", who, who, (NewMatch("2"),)) for who in people],
    )
    out = tmp_path / "out"
    run_to_completion(export_steps(made(incoming), find("pyramids", "lite2pyramid"), out))
    assert sorted(path.name for path in out.iterdir()) == ["Ko", "Li"]
    with pytest.raises(InputError, match="Choose one of the folders in it: Ko, Li"):
        import_registry.read(out, "lite2pyramid")
    own: Path = out / "Ko"
    assert (own / "SCUs.txt").read_text() == "fell down\tx\n"
    assert (own / "weights.txt").read_text() == "1\t2\n"
    assert (own / "labels/a_b.label").read_text() == "0\t1\n"
    notes = (own / "README.md").read_text()
    assert "Annotator: Ko." in notes
    assert "1 references were left out" in notes
    assert "1 texts had line breaks" in notes
    assert "1 systems have another name" in notes
