"""`pyramidion new`."""

from __future__ import annotations

from cli.console import print_message, run_with_progress
from core.annotation.blind_mode import make_blind
from core.files.study_address import StudyAddress
from core.formatting.numbers import pluralize
from storage.sample_study import create_sample
from storage.study_file import new_study as make_study


def new_study(path: StudyAddress, *, sample: bool, name: str, blind: bool) -> None:
    """Create an empty study or the sample study."""
    study = (
        run_with_progress(create_sample(path), "Creating the sample", "No study was created.")
        if sample
        else make_study(path, name=name)
    )
    with study:
        if blind:
            make_blind(study, enabled=True).result()
        topics = len(study.texts.topics())
    print_message(
        f"Created {path} with {pluralize(topics, 'topic')}." if sample else f"Created {path} (empty)."
    )
