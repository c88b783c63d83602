"""Making a study blind from the command line."""

from __future__ import annotations

import pytest

from cli.errors import BAD_INPUT, DONE, USAGE
from cli.main import main


@pytest.fixture
def run(capsys):
    def run_verb(*arguments):
        code = main([str(argument) for argument in arguments])
        streams = capsys.readouterr()
        return code, streams.out + streams.err

    return run_verb


def test_a_study_is_made_blind_and_opened_again(run, tmp_path):
    path = tmp_path / "a.pyramidion"
    assert run("new", path, "--blind")[0] == DONE
    assert run("blind", path) == (DONE, f"{path}: blind annotation is on.\n")
    assert run("blind", path, "off") == (DONE, f"{path}: blind annotation is off.\n")
    assert run("blind", path, "on") == (DONE, f"{path}: blind annotation is on.\n")
    assert run("blind", path) == (DONE, f"{path}: blind annotation is on.\n")


def test_a_study_is_not_blind_unless_requested(run, tmp_path):
    path = tmp_path / "a.pyramidion"
    run("new", path)
    assert run("blind", path) == (DONE, f"{path}: blind annotation is off.\n")


def test_what_is_neither_on_nor_off_changes_nothing(run, tmp_path):
    path = tmp_path / "a.pyramidion"
    run("new", path)
    assert run("blind", path, "maybe")[0] == USAGE
    assert run("blind", tmp_path / "none.pyramidion", "on")[0] == BAD_INPUT
    assert run("blind", path) == (DONE, f"{path}: blind annotation is off.\n")
