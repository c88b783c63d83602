"""The sample study with three metrics scored: pyramids, ratings and four references a topic."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.progress import run_to_completion
from core.scoring import engine
from core.scoring.study_resources import StudyResources


@pytest.fixture(scope="session")
def sample(sample_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A study in which experiments can store results; texts, annotations and scores must not change."""
    from storage.study_file import open_study

    with open_study(Path(shutil.copy(sample_file, tmp_path_factory.mktemp("sample")))) as study:
        resources = StudyResources(study)
        specs = ("rouge-n:n=2,stem=yes", "rouge-n:n=1,pooling=best", "bleu")
        plan = engine.plan(study, [engine.parse_config(spec, resources) for spec in specs], resources)
        run_to_completion(engine.score(study, plan, resources))
        yield study
