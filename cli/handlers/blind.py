"""`pyramidion blind`."""

from __future__ import annotations

from cli.console import print_message
from core.annotation.blind_mode import is_blind, make_blind
from core.files.study_address import StudyAddress
from storage.study_file import open_study


def set_blind(path: StudyAddress, state: bool | None) -> None:
    """Turn blind annotation on or off; None = only show the state."""
    with open_study(path) as study:
        if state is not None:
            make_blind(study, enabled=state).result()
        now = is_blind(study)
    print_message(f"{path}: blind annotation is {'on' if now else 'off'}.")
