"""`pyramidion manual`, and the commands of the tutorial as its reader types them."""

from __future__ import annotations

import re
import shlex

import pytest

from cli.errors import BAD_INPUT, DONE
from tests.conftest import ROOT

TUTORIAL = (ROOT / "resources" / "help" / "tutorial.md").read_text("utf-8")


def commands() -> list[list[str]]:
    """The commands in the code blocks of the tutorial, in order."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", TUTORIAL, re.DOTALL | re.MULTILINE)
    lines = [line for _, body in blocks for line in body.splitlines() if line.startswith("pyramidion ")]
    return [shlex.split(line)[1:] for line in lines]


@pytest.mark.slow
def test_the_tutorial_leads_to_a_report_that_is_reproduced(run, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    printed = {}
    for arguments in commands():
        code, out, err = run(*arguments)
        assert code == DONE, (arguments, err)
        printed[arguments[0]] = out + err
    assert [name for name in printed if name != "new"] == [
        "manual", "evaluate", "import", "validate", "score", "correlate", "explain", "report", "replay",
    ]  # fmt: skip
    # What the text says about the numbers.
    first = re.search(r"rating\.quality +(\S+) +(\S+) +(\S+) to ", printed["evaluate"])
    assert first is not None
    assert first.groups() == ("rouge-l.f", ".938", ".574")
    assert "No difference can be significant" in printed["evaluate"]
    lines = [line for line in printed["correlate"].splitlines() if re.match(r" +rating\.\S+ ", line)]
    rows = {cells[1]: cells for cells in (re.split(r"\s{2,}", line.strip()) for line in lines)}
    assert next(iter(rows)) == "rouge-l[stem:yes].f"
    assert rows["rouge-l[stem:yes].f"][3].startswith(".6")
    assert rows["rouge-l[stem:yes].f"][4] == "(baseline)"
    assert all(float(rows[f"rouge-{n}[stem:yes].f"][4]) > 0.05 for n in (1, 2))
    assert float(rows["chrf.score"][4]) < 0.05
    assert {cells[-2] for cells in rows.values()} == {"8"}
    assert "non-ASCII letters" in printed["score"]
    assert "all are reproduced" in printed["replay"]
    for name in re.findall(r"paper/([\w/-]+)\}", TUTORIAL):
        assert list((tmp_path / "paper").glob(f"{name}.*"))
    assert (tmp_path / "manual" / "metrics" / "rouge-n.md").is_file()
    assert (tmp_path / "manual" / "images" / "pyramid-light.png").is_file()
    assert "| Ctrl+Z | Undo |" in (tmp_path / "manual" / "keys.md").read_text("utf-8")


def test_pages_are_listed_and_printed_by_name(run) -> None:
    code, out, _ = run("manual")
    assert code == DONE
    assert re.search(r"^  metrics/rouge-n +rouge-n$", out, re.MULTILINE)
    code, out, _ = run("manual", "rouge-n")
    assert out.startswith("# rouge-n\n")
    code, _, err = run("manual", "rouge-m")
    assert code == BAD_INPUT
    assert "Did you mean" in err


def test_the_manual_is_not_mixed_with_other_files(run, tmp_path) -> None:
    (tmp_path / "note.txt").write_text("mine")
    code, _, err = run("manual", "-o", tmp_path)
    assert code == BAD_INPUT
    assert "not an empty folder" in err
    assert [path.name for path in tmp_path.iterdir()] == ["note.txt"]
