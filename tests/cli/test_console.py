"""Commands whose standard output is closed or full."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli import console
from cli.errors import BAD_INPUT, DONE, INTERRUPTED
from tests.conftest import ROOT

FULL = Path("/dev/full")
"""Linux's disk that is always full."""

TABLE = """
from cli import console
from cli.main import _report_error
from core.errors import PyramidionError
rows, columns = [{"a": 1}], {"a": "A"}
try:
    {put}
except PyramidionError as error:
    raise SystemExit(_report_error(error))
"""
PUTS = {
    "json": "console.print_json(rows)",
    "csv": "console.print_csv(rows, ['a'])",
    "table": "console.print_table(rows, columns)",
}


@pytest.mark.skipif(not FULL.exists(), reason="/dev/full is a device of Linux; run on Linux")
@pytest.mark.parametrize("put", PUTS)
def test_a_result_that_a_full_disk_does_not_take_is_reported(put):
    with FULL.open("w") as full:
        ended = _run([sys.executable, "-c", TABLE.replace("{put}", PUTS[put])], stdout=full)
    assert ended.returncode == BAD_INPUT
    assert ended.stderr == (
        "The result could not be written to standard output: No space left on device. Redirect it to "
        "another place.\n"
    )


@pytest.mark.parametrize(("closed", "heard"), [("1", "Downloads are allowed"), ("2", "")])
def test_a_stream_that_the_shell_closed_is_no_fault_and_mixes_with_no_other(closed, heard, tmp_path):
    verb = f"{sys.executable} -c 'from cli.main import run; run()' models offline {closed}>&-"
    ended = _run(["sh", "-c", verb], stdout=subprocess.PIPE, env={"PYRAMIDION_CONFIG": str(tmp_path)})
    assert ended.returncode == DONE
    assert heard in ended.stderr
    assert ended.stdout == ""


def _run(command, stdout=None, env=None):
    return subprocess.run(
        command,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        check=False,
        timeout=600,
        env={**os.environ, **(env or {})},
    )


def test_names_cannot_command_the_terminal(capsys):
    rows = [{"a": "red\x1b[31m :cat: [bold]x[/bold]\n\u202eabc\x9b2J"}]
    console.print_table(rows, {"a": "A\x07"})
    console.print_message(rows[0]["a"])
    console.print_json({"a": "\x9b2J\ud800"})
    streams = capsys.readouterr()
    shown = streams.out + streams.err
    assert not set(shown) & {"\x1b", "\x07", "\x9b", "\u202e", "\ud800"}
    assert r"red\x1b[31m :cat: [bold]x[/bold]\n\u202eabc\x9b2J" in streams.out
    assert json.loads(streams.out[streams.out.index("{") :]) == {"a": "\x9b2J\ud800"}


@pytest.mark.skipif(not FULL.exists(), reason="/dev/full is a device of Linux; run on Linux")
def test_help_that_a_full_disk_does_not_take_is_no_fault_of_the_program():
    with FULL.open("w") as full:
        ended = _run([sys.executable, "-c", "from cli.main import run; run()", "--help"], stdout=full)
    assert ended.returncode == BAD_INPUT
    assert (
        ended.stderr
        == "The output could not be written: No space left on device. Redirect it to another place.\n"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_a_reader_that_goes_away_stops_no_file_from_being_written(tmp_path):
    code = (
        "from cli import main\n"
        "def work(arguments):\n"
        "    from cli.console import print_json, print_message\n"
        "    print_json(list(range(100_000)))\n"
        "    print_message('on')\n"
        f"    open({str(tmp_path / 'written')!r}, 'w').close()\n"
        "    return 0\n"
        "main.main = work\n"
        "main.run()\n"
    )
    (tmp_path / "code.py").write_text(code)
    shell = f"{{ {sys.executable} {tmp_path / 'code.py'}; echo ended $? >&2; }} | head -n 1"
    ended = _run(["sh", "-c", shell], stdout=subprocess.PIPE, env={"PYTHONPATH": str(ROOT)})
    assert ended.stdout == "[\n"
    assert ended.stderr == "on\nended 0\n"
    assert (tmp_path / "written").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("moment", ["cli.app", "core.models.catalogue.user_models", "cli.streams"])
def test_ctrl_c_ends_without_a_traceback_even_during_imports(moment, tmp_path):
    code = (
        "import builtins, os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell's background jobs ignore it
        "real = builtins.__import__\n"
        "def load(name, *rest):\n"
        f"    if name == {moment!r}:\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "    return real(name, *rest)\n"
        "from cli.main import run\n"
        "builtins.__import__ = load\n"
        "sys.argv = ['pyramidion', 'models', 'offline']\n"
        "run()\n"
    )
    ended = _run([sys.executable, "-c", code], env={"PYRAMIDION_CONFIG": str(tmp_path)})
    assert ended.returncode == INTERRUPTED
    assert "Traceback" not in ended.stderr


def test_only_texts_meant_for_several_lines_take_several_lines(capsys):
    rows = [{"a": console.Lines(["first", "second\x1b"]), "b": "one\ntwo"}]
    console.print_table(rows, {"a": console.Lines(["Many", "lines"]), "b": "B"})
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["Many"] in lines
    assert ["lines", "B"] in lines or ["lines"] in lines
    assert ["first", "one\\ntwo"] in lines
    assert ["second\\x1b"] in lines
