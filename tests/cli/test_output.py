"""Options -o and -: format by suffix, contradictions, standard streams."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from cli.errors import BAD_INPUT, DONE
from tests.cli.conftest import Run


def test_the_suffix_of_an_export_states_its_format(run: Run, scored: Path, tmp_path: Path) -> None:
    assert run("export", scored, "-o", tmp_path / "s.csv")[0] == DONE
    with (tmp_path / "s.csv").open(encoding="utf-8", newline="") as file:
        assert {"topic", "system", "measure", "value"} <= set(next(csv.DictReader(file)))
    assert run("export", scored, "-o", tmp_path / "s.jsonl")[0] == DONE
    first = (tmp_path / "s.jsonl").read_text(encoding="utf-8").splitlines()[0]
    assert json.loads(first)["metrics"]
    assert run("export", scored, "--what", "rouge", "-o", tmp_path / "r.txt")[0] == DONE
    assert "ROUGE-1 Average_R" in (tmp_path / "r.txt").read_text(encoding="utf-8")
    assert run("export", scored, "--what", "pyramids", "-o", tmp_path / "d")[0] == DONE
    assert list((tmp_path / "d").glob("*.pyr"))


@pytest.mark.parametrize(
    ("arguments", "name", "sentence"),
    [
        (("export", "--format", "sacrerouge"), "x.csv", "--format sacrerouge does not write .csv"),
        (("export",), "x.ods", "ending in .jsonl for sacrerouge; Name a file ending in .csv for csv"),
        (("export", "--what", "pyramids"), "x.csv", "Name a folder for ducview"),
        (("export", "--what", "nothing"), "x.csv", "Known: scores, judgements"),
        (("report",), "x.csv", "A report cannot be written as .csv. Use .html, .pdf, .docx"),
        (("report",), "x.tex", "A report as .tex consists of several files. Name a folder"),
        (("resample", "--experiment", "references"), "x.csv", "the result of references is a folder"),
        (("resample", "--experiment", "references"), "-", "the result of references is a folder"),
    ],
)
def test_a_suffix_that_contradicts_is_refused_and_nothing_is_written(
    run: Run, scored: Path, tmp_path: Path, arguments: tuple[str, ...], name: str, sentence: str
) -> None:
    verb, *options = arguments
    target = name if name == "-" else tmp_path / name
    code, out, err = run(verb, scored, *options, "-o", target)
    assert (code, out) == (BAD_INPUT, "")
    assert sentence in err
    assert list(tmp_path.iterdir()) == []


def test_a_dash_is_standard_output(
    run: Run, scored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("export", scored, "--format", "csv", "-o", "f.csv")[0] == DONE
    expected = Path("f.csv").read_text(encoding="utf-8")
    Path("f.csv").unlink()
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    run("export", scored, "--format", "csv", "-o", "-")
    assert written.getvalue().decode() == expected
    written.truncate(0)
    run("report", scored, "--draws", "99", "-o", "-")
    assert b"</html>" in written.getvalue()
    assert list(tmp_path.iterdir()) == []


def test_several_files_do_not_go_to_standard_output(run: Run, scored: Path) -> None:
    code, out, err = run("export", scored, "--what", "pyramids", "-o", "-")
    assert (code, out) == (BAD_INPUT, "")
    assert "Name a folder" in err


@pytest.mark.parametrize(
    "content",
    [
        "topic,system,text\nD1,one,Un café.\n",
        "topic\tsystem\ttext\nD1\tone\tUn café.\n",
        '{"topic": "D1", "system": "one", "text": "Un café."}\n',
    ],
)
def test_a_table_is_imported_from_standard_input(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    study = tmp_path / "s.pyramidion"
    run("new", study)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
    code, out, err = run("import", study, "-", "--json")
    assert code == DONE, err
    assert json.loads(out)["added"]["summaries"] == 1


def test_an_empty_standard_input_and_a_terminal_are_refused(
    run: Run, scored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert "Standard input is empty" in run("import", scored, "-")[2]
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    assert "which is a terminal" in run("import", scored, "-")[2]
