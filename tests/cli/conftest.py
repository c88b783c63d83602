"""The command line as its user meets it: arguments in, exit code and streams out."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.errors import DONE
from cli.main import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a verb; its exit code, standard output and standard error."""

    def run_verb(*arguments: object) -> tuple[int, str, str]:
        code = main([str(argument) for argument in arguments])
        streams = capsys.readouterr()
        return code, streams.out, streams.err

    return run_verb


@pytest.fixture(scope="session")
def scored_sample(sample_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample study with two lexical metrics; copy it to change it."""
    path = tmp_path_factory.mktemp("scored") / "sample.pyramidion"
    shutil.copy(sample_file, path)
    assert main(["score", str(path), "-m", "rouge-n:n=1", "-m", "rouge-n:n=2,stem=yes"]) == DONE
    return path


@pytest.fixture(scope="module")
def scored(scored_sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of it for the tests of one file."""
    path = tmp_path_factory.mktemp("scored") / "sample.pyramidion"
    shutil.copy(scored_sample, path)
    return path
