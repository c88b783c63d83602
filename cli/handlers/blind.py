"""`pyramidion blind`."""

from __future__ import annotations

from pathlib import Path

from cli.console import print_message
from core.annotation.blind_mode import is_blind, make_blind
from storage.study_file import open_study


def set_blind(path: Path, wanted: bool | None) -> None:
    """Make a study blind or open it again; None only says which it is."""
    with open_study(path) as study:
        if wanted is not None:
            make_blind(study, enabled=wanted).result()
        now = is_blind(study)
    print_message(f"{path} is blind." if now else f"{path} is not blind.")
