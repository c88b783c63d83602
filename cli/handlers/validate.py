"""`pyramidion validate`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from cli.console import print_json, print_message
from cli.handlers.restore import last_backup
from core.formatting.numbers import pluralize
from core.text.empty_texts import EmptyText, empty_texts
from storage.study_file import check, open_study


def validate_study(path: Path, *, as_json: bool) -> int:
    """Say every fault of a study file, and which texts are empty; returns 1 where there is a fault."""
    faults = check(path)
    empty = [] if faults else _empty(path)
    if as_json:
        found = [asdict(text) for text in empty]
        print_json(
            {
                "study": str(path),
                "faults": list(faults),
                "empty_texts": found,
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
    print_message(f"{path} has {pluralize(len(faults), 'fault')}." if faults else f"{path} is sound.")
    print_message(last_backup(path))
    return 1 if faults else 0


def _empty(path: Path) -> list[EmptyText]:
    with open_study(path) as study:
        return list(empty_texts(study.texts()))


def clean_study(path: Path, target: Path) -> int:
    """Copy a study's data into a new one and report its faults; returns 1 where there is one."""
    from storage.database.cleaning import copy_data  # imports alembic, which takes long

    count = copy_data(path, target)
    print_message(f"{pluralize(count, 'row')} copied to {target}.")
    open_study(target).close()  # brings an older one to the present version
    faults = check(target)
    for fault in faults:
        print_message(fault)
    return 1 if faults else 0
