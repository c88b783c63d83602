"""`pyramidion restore`, and what other commands report about backups."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from cli.console import print_json, print_message, print_table, run_with_progress
from core.errors import InputError
from core.files.preferences import Preferences, PreferencesFile
from core.files.study_address import StudyAddress
from core.formatting.byte_sizes import format_known_bytes
from core.formatting.numbers import pluralize
from storage import user_folders
from storage.database import backups
from storage.database.backups import Backup

LATEST = "latest"
SERVER_BACKUPS = "Back up a study on a server with `pg_dump`."


def list_backups(study: Path, folder: Path | None, *, as_json: bool) -> None:
    """List the backups of a study, newest first, each with the result of its checks."""
    rows = [_row(number, backup) for number, backup in enumerate(_listed(study, folder), start=1)]
    places = [str(place) for place in backups.folders_of(study, folder or configured_folder())]
    if as_json:
        print_json({"study": str(study), "folders": places, "backups": rows})
        return
    if not rows:
        print_message(f"No backups of {study.name} in {' or in '.join(places)}.")
        return
    cells = [
        {
            **row,
            "made": _local(datetime.fromisoformat(row["made"])),
            "bytes": format_known_bytes(row["bytes"]),
            "kind": backups.BackupKind(row["kind"]).description,
            "state": row["problem"] or "verified",
            "file": Path(row["path"]).name,
        }
        for row in rows
    ]
    columns = {"number": "", "made": "Created", "kind": "Kind", "bytes": "Size", "topics": "Topics"}
    columns |= {"edits": "Edits", "annotations": "Annotations", "state": "State", "file": "File"}
    print_table(cells, columns, right=("number", "bytes", "topics", "edits", "annotations"))
    print_message(
        f"To restore the first one, run `pyramidion restore {study} 1`; the current file is saved first."
    )


def restore_study(study: Path, name: str, folder: Path | None, *, as_json: bool) -> None:
    """Replace a study by a backup. name: a number of the list, a file name, a path, or `latest`."""
    backup = _chosen(study, name, folder)
    steps = backups.restore(study, backup, folder or configured_folder())
    done = run_with_progress(steps, "Restoring", "The study is unchanged.")
    if as_json:
        saved = str(done.saved) if done.saved else None
        print_json({"study": str(done.study), "restored": str(done.backup), "saved": saved})
        return
    print_message(f"Restored {study} from {backup.name}.")
    if done.saved is not None:
        print_message(f"The replaced file was saved as {done.saved}.")


def last_backup(study: StudyAddress) -> str:
    """Return when the newest backup of a study was made, as a sentence."""
    if not isinstance(study, Path):
        return SERVER_BACKUPS
    try:
        found = _listed(study, None)
    except InputError as error:
        return str(error)
    if not found:
        return "No backup yet."
    return (
        f"Last backup: {_local(found[0].made)} ({found[0].kind.description.lower()}), "
        f"{pluralize(len(found), 'backup')} in {found[0].path.parent}."
    )


def preferences() -> Preferences:
    """Return the settings of the window, which also apply to commands."""
    return PreferencesFile(user_folders.config_folder() / "settings.json").now


def configured_folder() -> Path | None:
    """Return the backup folder from the window's settings, None = next to each study."""
    return preferences().backups_in


def back_up_before(study: StudyAddress, what: str) -> None:
    """Back a study up before something changes much of it; a failure is reported, and the command goes on."""
    if not isinstance(study, Path):
        print_message(f"No backup was made before {what}. {SERVER_BACKUPS}")
        return
    settings = preferences()
    try:
        run_with_progress(
            backups.back_up(study, settings.backups, settings.backups_in),
            "backing up",
            "Nothing was written.",
        )
    except InputError as error:
        print_message(f"No backup was made before {what}: {error}")


def _listed(study: Path, folder: Path | None) -> list[Backup]:
    return backups.list_backups(study, folder or configured_folder())


def _chosen(study: Path, name: str, folder: Path | None) -> Path:
    if Path(name).is_file() and Path(name).suffix:
        return Path(name)
    listed = _listed(study, folder)
    if name == LATEST:
        good = backups.newest_good(study, folder or configured_folder())
        if good is None:
            raise InputError(
                f"There is no automatic backup of {study.name} that passes its checks. "
                f"`pyramidion restore {study}` lists all backups."
            )
        return good.path
    if name.isdecimal() and 1 <= int(name) <= len(listed):
        return listed[int(name) - 1].path
    for backup in listed:
        if backup.path.name == name:
            return backup.path
    numbers = f"a number from 1 to {len(listed)}" if listed else "the path of a file: no backups are listed"
    raise InputError(
        f"{name!r} is no backup of {study.name}. Give {numbers}; `pyramidion restore {study}` lists them."
    )


def _row(number: int, backup: Backup) -> dict[str, Any]:
    content = backups.content_of(backup.path)
    return {
        "number": number,
        "path": str(backup.path),
        "made": backup.made.isoformat(),
        "kind": backup.kind.value,
        "bytes": backup.bytes,
        "topics": content.topics,
        "edits": content.edits,
        "annotations": content.annotations,
        "problem": content.problem,
    }


def _local(moment: datetime) -> str:
    return moment.astimezone().strftime("%Y-%m-%d %H:%M:%S")
