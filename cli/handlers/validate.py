"""`pyramidion validate`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from cli.console import print_json, print_message
from cli.handlers.restore import last_backup
from core.files.study_address import StudyAddress
from core.formatting.numbers import pluralize
from core.text.empty_texts import EmptyText, empty_texts
from storage.study_file import check, open_study


def validate_study(path: StudyAddress, *, as_json: bool) -> int:
    """Report the faults and empty texts of a study file. Returns 1 where there is a fault."""
    faults = check(path)
    empty = [] if faults else _empty(path)
    if as_json:
        print_json(
            {
                "study": str(path),
                "faults": list(faults),
                "empty_texts": [asdict(text) for text in empty],
                "backup": last_backup(path),
            }
        )
        return 1 if faults else 0
    for fault in faults:
        print_message(fault)
    for text in empty:
        print_message(str(text))
    if empty:
        print_message(f"{pluralize(len(empty), 'text is', 'texts are')} empty. Check that none is missing.")
    print_message(
        f"{path}: {pluralize(len(faults), 'problem')} found." if faults else f"{path}: no problems found."
    )
    print_message(last_backup(path))
    return 1 if faults else 0


def _empty(path: StudyAddress) -> list[EmptyText]:
    with open_study(path) as study:
        return list(empty_texts(study.texts.load()))


def clean_study(path: Path, target: Path) -> int:
    """Copy the data of a study into a new one and check that. Returns 1 where there is a fault."""
    from storage.database.cleaning import copy_data  # slow to import

    count = copy_data(path, target)
    print_message(f"Copied {pluralize(count, 'row')} to {target}.")
    open_study(target).close()  # upgrades an older version
    faults = check(target)
    for fault in faults:
        print_message(fault)
    return 1 if faults else 0
