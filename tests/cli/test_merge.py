"""`pyramidion export --what annotations` and `pyramidion merge`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from cli.errors import BAD_INPUT, DONE
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.pyramid import add_scu
from core.domain.pyramid.scu_edits import remove_scu
from storage.study_file import new_study, open_study
from tests.storage.conftest import open_editor


def annotate(path: Path, name: str, *labels: str) -> None:
    """Make SCUs of topic D1."""
    with open_study(path) as study:
        editor = open_editor(study, name, name)
        reference = editor.topic.references[0].id
        for label in labels:
            editor.apply(lambda a, n=label: add_scu(a, n, reference, [(0, 9)]))


def labels(path: Path) -> dict[str, list[str]]:
    """Return the labels of each annotator's SCUs."""
    with open_study(path) as study:
        names = {person.id: person.name for person in study.annotators.all()}
        return {
            names[one.pyramid.annotator_id]: [scu.label for scu in one.pyramid.scus]
            for one in study.pyramids.annotations()
        }


@pytest.fixture
def copies(small_file, tmp_path) -> tuple[Path, Path]:
    """A study, and a copy of it for another annotator."""
    main, copy = tmp_path / "main.pyramidion", tmp_path / "ko.pyramidion"
    for path in (main, copy):
        shutil.copyfile(small_file, path)
    return main, copy


def test_an_annotators_work_is_merged_from_a_pack(copies, run, tmp_path) -> None:
    main, copy = copies
    annotate(main, "Ann", "own")
    annotate(copy, "Ko", "verdict", "appeal")
    annotate(copy, "Li", "not exported")
    pack = tmp_path / "ko.pack"
    code, _, err = run("export", copy, "--what", "annotations", "--annotator", "Ko", "-o", pack)
    assert (code, "Wrote the annotations" in err) == (DONE, True)
    code, out, err = run("merge", main, pack)
    assert code == DONE, err
    assert "Ko" in out
    assert labels(main) == {"Ann": ["own"], "Ko": ["verdict", "appeal"]}
    assert len(list((tmp_path / "backups").glob("main*"))) == 1
    assert "Equal" in run("merge", main, pack)[1]


def test_an_update_that_removes_work_is_merged_on_request_alone(copies, run, tmp_path) -> None:
    main, copy = copies
    annotate(copy, "Ko", "verdict", "appeal")
    assert run("merge", main, copy)[0] == DONE
    with open_study(copy) as study:
        editor = open_editor(study, "Ko", "Ko")
        for scu in editor.annotation.pyramid.scus:
            editor.apply(lambda a, key=scu.id: remove_scu(a, key))
    says = "ko.pyramidion removes or changes 2 content units of Ko on topic D1, and adds nothing."
    code, _, err = run("merge", main, copy)
    assert code == BAD_INPUT
    assert says in err
    assert "use --remove" in err
    assert labels(main) == {"Ko": ["verdict", "appeal"]}
    code, _, err = run("merge", main, copy, "--dry-run")
    assert (code, says in " ".join(err.split())) == (DONE, True)
    assert run("merge", main, copy, "--remove")[0] == DONE
    assert not labels(main).get("Ko")


def test_whole_studies_are_merged_in_one_command(copies, run, tmp_path) -> None:
    main, copy = copies
    third = tmp_path / "li.pyramidion"
    shutil.copyfile(copy, third)
    annotate(copy, "Ko", "verdict")
    annotate(third, "Li", "storm")
    _, out, _ = run("merge", main, copy, third, "--json")
    document = json.loads(out)
    assert [(work["annotator"], work["outcome"]) for work in document["works"]] == [
        ("Ko", "added"),
        ("Li", "added"),
    ]
    assert labels(main) == {"Ko": ["verdict"], "Li": ["storm"]}


def test_a_dry_run_changes_nothing(copies, run) -> None:
    main, copy = copies
    annotate(copy, "Ko", "verdict")
    before = main.read_bytes()
    code, out, err = run("merge", main, copy, "--dry-run")
    assert code == DONE
    assert "would be merged" in out
    assert "Nothing was written." in err
    assert labels(main) == {}
    assert main.read_bytes() == before


def test_conflicts_are_named_and_kept(copies, run, tmp_path) -> None:
    main, copy = copies
    annotate(main, "Ko", "here")
    annotate(copy, "Ko", "there")
    code, out, err = run("merge", main, copy)
    assert code == DONE
    assert "Conflict" in out
    assert "Ko worked on topic D1 in two copies at once" in " ".join(err.split())
    found = labels(main)
    assert found.pop("Ko") == ["there"]
    ((name, kept),) = found.items()
    assert (name.startswith("Ko (conflict "), kept) == (True, ["here"])


def test_other_texts_are_refused_with_every_difference(copies, run, tmp_path) -> None:
    _, copy = copies
    annotate(copy, "Ko", "verdict")
    other = tmp_path / "other.pyramidion"
    with new_study(other) as study:
        topic = NewTopic("D1", references={"A": NewText("Another text.")}, summaries={})
        study.import_data(ImportContent("other", topics=[topic]))
    code, _, err = run("merge", other, copy)
    assert code == BAD_INPUT
    text = " ".join(err.split())
    for field in ("reference A", "reference B", "summary bad", "summary good", "summary lead"):
        assert f"topic D1, {field}" in text
    assert labels(other) == {}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"topic,system\n", "is not an annotation pack"),
        (b"\xff\xfe", "not UTF-8"),
        (b"{}", "is not an annotation pack"),
        (b"SQLite format 3\0" + b"x" * 100, "x.pack"),
    ],
)
def test_other_files_are_refused(copies, run, tmp_path, content, message) -> None:
    main, _ = copies
    path = tmp_path / "x.pack"
    path.write_bytes(content)
    code, _, err = run("merge", main, path)
    assert code == BAD_INPUT
    assert message in " ".join(err.split())


def test_a_study_is_not_merged_with_itself_or_a_missing_file(copies, run, tmp_path) -> None:
    main, _ = copies
    assert "is the study itself" in run("merge", main, main)[2]
    assert "is not a file" in run("merge", main, tmp_path / "none.pack")[2]


def test_annotators_are_chosen_for_annotations_only(copies, run, tmp_path) -> None:
    main, copy = copies
    annotate(copy, "Ko", "verdict")
    code, _, err = run("export", copy, "--what", "history", "--annotator", "Ko", "-o", tmp_path / "h.csv")
    assert code == BAD_INPUT
    assert "--annotator has no effect on history" in err
    options = "--what", "annotations", "--annotator", "Ko", "--format", "brat"
    code, _, err = run("export", main, *options, "-o", tmp_path / "brat")
    assert "--annotator has no effect on annotations as brat" in err
    code, _, err = run("export", main, "--what", "annotations", "-o", tmp_path / "a.pack")
    assert code == BAD_INPUT
    assert "This study has no annotations" in err
    assert not (tmp_path / "a.pack").exists()
