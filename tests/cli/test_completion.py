"""Names that the shell completes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cli.completion import EXPORTS
from cli.main import main
from storage.formats.export_formats import EXPORTS as WRITERS


@pytest.fixture
def completed(monkeypatch, capsys):
    """Return what the shell offers for the last word of a command line."""

    def complete(line: str) -> list[str]:
        monkeypatch.setenv("_PYRAMIDION_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", f"pyramidion {line}")
        monkeypatch.setenv("COMP_CWORD", str(len(line.split(" "))))
        assert main([]) == 0
        return capsys.readouterr().out.split()

    return complete


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("export s --what p", ["preferences", "pyramids"]),
        ("export s --what annotations --format in", ["inception-xmi", "inception-json"]),
        ("export s --format inception-x", ["inception-xmi"]),
        ("import s f --format la", ["label-studio"]),
        ("score s -m blanc", ["blanc-help", "blanc-tune"]),
        ("correlate s --coefficient kend", ["kendall", "kendall-c"]),
        ("correlate s --level ", ["system", "topic", "global"]),
        ("agree s --what ", ["ratings", "matches", "pyramids", "nuggets"]),
        ("agree s --coefficient alpha-m", ["alpha-masi"]),
        ("assign s --what n", ["nuggets"]),
        ("resample s --experiment paret", ["pareto"]),
        ("resample s --recipe conditions-table-11", ["conditions-table-11"]),
        ("scales s --template summ", ["summeval"]),
        ("summarize s --with lexr", ["lexrank"]),
        ("get summ", ["summeval"]),
    ],
)
def test_names_are_completed(completed, line, offered):
    assert completed(line) == offered


def test_the_contents_and_formats_that_are_completed_are_those_of_the_registry():
    written: dict[str, list[str]] = {}
    for export in WRITERS:
        written.setdefault(export.what, []).append(export.format)
    assert {what: list(formats) for what, formats in EXPORTS.items()} == written


def test_completion_loads_no_model_and_no_report():
    code = (
        "import os, sys; os.environ |= {'_PYRAMIDION_COMPLETE': 'complete_bash', 'COMP_CWORD': '4',"
        " 'COMP_WORDS': 'pyramidion export s --what p'};"
        "from cli.main import main; main([]);"
        "assert not {'torch', 'scipy', 'numpy', 'sqlalchemy'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()) == (0, ["preferences", "pyramids"]), done.stderr
