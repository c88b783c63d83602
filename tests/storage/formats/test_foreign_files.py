"""Files from others: names that cannot be used, files that are none, files elsewhere, and too much of all."""

from __future__ import annotations

import json
import os
import sys

import pytest

from core.domain.name_checks import MAX_NAME_LENGTH, name_problem
from core.errors import BadImport, InputError
from core.files.paths import printable_path
from storage.formats import import_registry
from storage.formats.memory import VARIABLE, MemoryBudget, usual_limit

BAD_NAMES = {
    "\ud800": "half of a surrogate pair",
    "a\x00b": "control character",
    "a\x1b[31mb": "control character",
    "a\x9bb": "control character",
    "a\uffffb": "control character",
    "a\nb": "line break",
    "a\u2028b": "line break",
    " a": "begins or ends with white space",
    "a" * (MAX_NAME_LENGTH + 1): "1,001 characters",
}
TEXT = {"text": "A cat sat."}
ROW = {"instance_id": "t1", "summarizer_id": "1", "summarizer_type": "peer", "summary": TEXT}
SUMMEVAL = {"id": "t1", "model_id": "M1", "decoded": "A cat.", "references": ["A cat."]}


def score(name):
    return {"topic": "t1", "system": "s", "measure": name, "value": 1}


def rating(**names):
    return {"topic": "t1", "system": "s", "dimension": "d", "annotator": "p", "value": 1, **names}


PLACES = {
    "a topic of sacrerouge": ("sacrerouge", lambda name: {**ROW, "instance_id": name}),
    "a system of sacrerouge": ("sacrerouge", lambda name: {**ROW, "summarizer_id": name}),
    "an author of sacrerouge": (
        "sacrerouge",
        lambda name: {**ROW, "references": [{"summarizer_id": name, **TEXT}]},
    ),
    "a document of sacrerouge": (
        "sacrerouge",
        lambda name: {**ROW, "documents": [{"filename": name, **TEXT}]},
    ),
    "a measure of sacrerouge": ("sacrerouge", lambda name: {**ROW, "metrics": {name: 1.0}}),
    "a topic of SummEval": ("summeval", lambda name: {**SUMMEVAL, "id": name}),
    "a system of SummEval": ("summeval", lambda name: {**SUMMEVAL, "model_id": name}),
    "a measure of a table": ("table", score),
    "a dimension of a table": ("table", lambda name: rating(dimension=name)),
    "an annotator of a table": ("table", lambda name: rating(annotator=name)),
    "a group of a table": ("table", lambda name: rating(group=name)),
    "a set of a table": ("table", lambda name: {"topic": "t1", "set": name}),
    "an author of a table": ("table", lambda name: {"topic": "t1", "author": name, **TEXT}),
    "a document of a table": ("table", lambda name: {"topic": "t1", "document": name, **TEXT}),
}


def problems_of(path, name, options=None):
    with pytest.raises(BadImport) as caught:
        import_registry.read(path, name, options)
    assert all(str(problem).isprintable() for problem in caught.value.problems)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(("name", "fault"), BAD_NAMES.items(), ids=BAD_NAMES.values())
def test_bad_names_are_refused_in_every_place(tmp_path, name, fault):
    for place, (kind, row) in PLACES.items():
        path = tmp_path / "rows.jsonl"
        path.write_text(json.dumps(row(name)), encoding="utf-8")
        found = problems_of(path, kind)
        faults = (fault, "is an unpaired surrogate", "is a NUL")  # the last two of any text
        assert any(each in sentence for each in faults for sentence in found), place


def test_names_of_every_script_are_accepted():
    for name in ("D0801-A", "モデル１", "тема 3", "=cmd", "a‏b", "rouge-2.recall", "🌉"):
        assert name_problem(name) == ""


def test_two_metrics_of_one_dotted_name_are_a_problem(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({**ROW, "metrics": {"a": {"b": 1.0}, "a.b": 2.0}}), encoding="utf-8")
    (problem,) = problems_of(path, "sacrerouge")
    assert "Two metrics have the dotted name a.b" in problem


def test_metrics_nested_without_end_are_a_problem(tmp_path):
    path = tmp_path / "rows.jsonl"
    row = json.dumps({**ROW, "metrics": {"a": "X"}}).replace('"X"', '{"a":' * 900 + "1" + "}" * 900)
    path.write_text(row, encoding="utf-8")
    assert problems_of(path, "sacrerouge")


needs_bytes = pytest.mark.skipif(
    sys.platform in ("win32", "darwin"), reason="names of files are UTF-8 or UTF-16 here"
)


@needs_bytes
@pytest.mark.parametrize("place", ["references", "documents/D1"])
def test_latin_1_names_of_files_are_named_with_a_remedy(tmp_path, place):
    folder = tmp_path / "data" / place
    folder.mkdir(parents=True)
    (tmp_path / "data" / "references").mkdir(exist_ok=True)
    (tmp_path / "data" / "references" / "D1.A").write_text("A cat sat.")
    with open(os.fsencode(folder / "D1.") + b"\xee", "wb") as file:  # noqa: PTH123 - a name that is no text
        file.write(b"A cat sat.")
    (problem,) = problems_of(tmp_path / "data", "folders")
    assert r"D1.\xee: The file name is not valid UTF-8" in problem
    assert "in Latin-1 its name is 'D1.î'" in problem


@needs_bytes
def test_a_file_with_a_latin_1_name_is_imported_under_an_escaped_one(tmp_path):
    path = tmp_path / os.fsdecode(b"r\xe9sum\xe9s.jsonl")
    path.write_text(json.dumps(ROW), encoding="utf-8")
    assert import_registry.read(path, "sacrerouge").source == r"r\xe9sum\xe9s.jsonl"
    assert printable_path(path.name) == r"r\xe9sum\xe9s.jsonl"


needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders here")


@needs_pipes
@pytest.mark.parametrize("name", ["rows.jsonl", "rows.csv", "D1.pyr", "settings.xml"])
def test_pipes_and_devices_are_refused_at_once(tmp_path, name):
    path = tmp_path / name
    os.mkfifo(path)
    found = import_registry.detect(path)
    with pytest.raises((BadImport, InputError), match="not a regular file"):
        import_registry.read(path, found.name if found else "summeval")
    path.unlink()
    path.symlink_to("/dev/zero")
    with pytest.raises((BadImport, InputError), match="not a regular file"):
        import_registry.read(path, found.name if found else "summeval")


@needs_pipes
def test_links_out_of_a_folder_are_refused(tmp_path):
    (tmp_path / "secret").write_text("The key.")
    folder = tmp_path / "data" / "references"
    folder.mkdir(parents=True)
    (folder / "D1.A").symlink_to(tmp_path / "secret")
    (folder / "D1.B").write_text("A cat sat.")
    (problem,) = problems_of(tmp_path / "data", "folders")
    assert "references/D1.A: It is a link to" in problem
    assert "outside the folder" in problem
    (folder / "D1.A").unlink()
    (folder / "D1.A").symlink_to(folder / "D1.B")  # within the folder
    assert import_registry.read(tmp_path / "data", "folders").topics
    pyramids = tmp_path / "pyramids"
    pyramids.mkdir()
    (pyramids / "D1.pyr").symlink_to(tmp_path / "secret")
    assert "outside the folder" in problems_of(pyramids, "ducview")[0]


SETTINGS = """<ROUGE-EVAL version="1.5.5"><EVAL ID="D1">
<PEER-ROOT>systems</PEER-ROOT><MODEL-ROOT>{root}</MODEL-ROOT><INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>
<PEERS><P ID="1">one.txt</P></PEERS><MODELS><M ID="A">{file}</M></MODELS></EVAL></ROUGE-EVAL>"""


@pytest.fixture
def settings(tmp_path):
    """Writes a settings file whose reference is elsewhere."""
    folder = tmp_path / "run"
    (folder / "systems").mkdir(parents=True)
    (folder / "systems" / "one.txt").write_text("A cat sat.\n")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "a.txt").write_text("The cat sat.\n")

    def write(root, file="a.txt"):
        path = folder / "settings.xml"
        path.write_text(SETTINGS.format(root=root, file=file), encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("is_full", [True, False])
def test_texts_outside_of_the_settings_folder_are_read_only_if_allowed(settings, tmp_path, is_full):
    models = tmp_path / "models"
    path = settings(models if is_full else "../models")
    (problem,) = problems_of(path, "rouge-settings")
    assert f"Texts are in {models}, outside the file's folder: a.txt." in problem
    assert problems_of(path, "rouge-settings", {"outside": str(tmp_path / "other")})
    for allowed in (str(models), f"{tmp_path / 'other'};{models}", "anywhere"):
        incoming = import_registry.read(path, "rouge-settings", {"outside": allowed})
        assert incoming.topics[0].references["A"].content == "The cat sat."
        (file,) = incoming.files
        assert file.file == str(models / "a.txt")
        assert (file.topic, tuple(file.authors), file.system) == ("D1", ("A",), "")


@needs_pipes
def test_a_link_does_not_lead_out_of_the_settings_folder(settings, tmp_path):
    path = settings("systems", "a.txt")
    (tmp_path / "run" / "systems" / "a.txt").symlink_to(tmp_path / "models" / "a.txt")
    (problem,) = problems_of(path, "rouge-settings")
    assert "outside the file's folder" in problem


def test_a_name_too_long_for_the_file_system_is_a_problem(settings):
    (problem,) = problems_of(settings("systems", "x" * 300), "rouge-settings")
    assert "does not exist or is not a file" in problem


HEAVY = {
    "sacrerouge": (
        "rows.jsonl",
        json.dumps(ROW | {"documents": [[]]}).replace("[[]]", f"[{'[],' * 40000}[]]"),
    ),
    "table": ("rows.csv", "topic,system,text\n" + "," * 60000 + "\n"),
    "ducview": ("D1.pyr", f"<pyramid>{'<a/>' * 20000}</pyramid>"),
    "rouge-settings": ("settings.xml", f"<ROUGE-EVAL>{'<a/>' * 20000}</ROUGE-EVAL>"),
    "summeval": (
        "rows.jsonl",
        "\n".join(json.dumps(SUMMEVAL | {"id": f"t{n}", "decoded": f"{n} " * 100}) for n in range(800)),
    ),
}


@pytest.mark.parametrize("kind", HEAVY)
def test_an_import_stops_before_it_takes_more_memory_than_allowed(tmp_path, monkeypatch, kind):
    name, content = HEAVY[kind]
    (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.setenv(VARIABLE, "0.004")
    with pytest.raises(InputError, match=f"0.004 GB of memory.*{VARIABLE}"):
        import_registry.read(tmp_path / name, kind)


def test_the_memory_limit_is_the_users_or_fits_the_machine(monkeypatch):
    monkeypatch.setenv(VARIABLE, "2.5")
    assert usual_limit() == int(2.5 * 2**30)
    monkeypatch.setenv(VARIABLE, "much")
    with pytest.raises(InputError, match="number of gigabytes"):
        usual_limit()
    monkeypatch.delenv(VARIABLE)
    assert usual_limit() >= 2**30


def test_the_memory_of_a_budget_adds_up():
    budget = MemoryBudget(limit=100)
    budget.take(60)
    budget.check(40)
    with pytest.raises(InputError):
        budget.check(41)


@pytest.mark.parametrize("name", ["a\nb", "a\x1bb", "a\ud800", "a" * (MAX_NAME_LENGTH + 1)])
def test_names_that_are_typed_are_checked_as_those_in_files(study, name):
    before = study.annotators.all(), study.ratings.dimensions()
    for make in (study.annotators.get_or_create, study.ratings.add_dimension):
        with pytest.raises(InputError, match="is not a valid name"):
            make(name)
    with pytest.raises(InputError, match="is not a valid name"):
        study.annotators.get_or_create("Kim", group=name)
    assert (study.annotators.all(), study.ratings.dimensions()) == before


def test_problems_show_control_characters_escaped(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("\x1b]0;x\x07topic,system,text\nD1,S1,A cat sat.\n")
    (problem,) = problems_of(path, "table")
    assert r"\x1b]0;x\x07topic, system, text" in problem
