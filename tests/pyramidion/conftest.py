"""The packaged sample with scores, as users of the Python interface have it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from storage.study_file import open_study
from tests.scoring import score_all


@pytest.fixture(scope="session")
def scored_file(sample_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample study with two lexical metrics, closed; no test changes it."""
    path = tmp_path_factory.mktemp("api") / "scored.pyramidion"
    shutil.copy(sample_file, path)
    with open_study(path) as study:
        score_all(study, "rouge-n:n=1", "rouge-n:n=2", "js")
    return path
