"""`pyramidion validate`."""

from __future__ import annotations

from pathlib import Path

from cli.console import put_json, say
from cli.restore import last_backup
from core.report.numbers import counted
from storage.study_file import check


def validate_study(path: Path, *, as_json: bool) -> int:
    """Say every fault of a study file; returns 1 where there is one."""
    faults = check(path)
    if as_json:
        put_json({"study": str(path), "faults": list(faults), "backup": last_backup(path)})
    else:
        for fault in faults:
            say(fault)
        say(f"{path} has {counted(len(faults), 'fault')}." if faults else f"{path} is sound.")
        say(last_backup(path))
    return 1 if faults else 0
