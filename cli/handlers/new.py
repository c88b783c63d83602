"""`pyramidion new`."""

from __future__ import annotations

from pathlib import Path

from cli.console import follow, say
from core.annotation.blind_mode import make_blind
from core.formatting.numbers import counted
from storage.sample_study import make_sample
from storage.study_file import new_study as make_study


def new_study(path: Path, *, sample: bool, name: str, blind: bool) -> None:
    """Make an empty study, or the sample."""
    study = (
        follow(make_sample(path), "making the sample", "No study was made.")
        if sample
        else make_study(path, name=name)
    )
    with study:
        if blind:
            make_blind(study, is_wanted=True).result()
        topics = len(study.topics())
    say(f"{path} holds {counted(topics, 'topic')}." if sample else f"{path} is made; it is empty.")
