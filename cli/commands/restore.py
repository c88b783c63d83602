"""Commands that check, repair and restore study files, and backups before large changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.console import print_json, print_message, print_table
from cli.opening import open_sound
from cli.options import Json, Study, StudyFile, output_option
from core.errors import InputError
from core.files.backups import Backup, BackupKind
from core.formatting.numbers import format_known_bytes, pluralize
from core.progress import run_with_progress

if TYPE_CHECKING:
    from core import ports
    from core.annotation.finding import Finding
    from core.domain.study import TopicTexts
    from core.files.preferences import Preferences
    from core.files.study_address import StudyAddress
    from core.text.empty_texts import EmptyText


LATEST = "latest"

SERVER_BACKUPS = "Back up a study on a server with `pg_dump`."

_COLUMNS = {
    "topic": "Topic",
    "annotator": "Annotator",
    "kind": "Kind",
    "finding": "Finding",
    "repair": "Repair",
}


def validate(
    path: Study,
    findings: Annotated[
        bool,
        typer.Option(
            "--findings",
            help="List possible mistakes in pyramids and nuggets instead, such as duplicate labels.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Check the integrity of a study."""
    from storage.study_file import check

    if findings:
        _list_findings(path, as_json=as_json)
        return
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
        raise typer.Exit(1 if faults else 0)
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
    raise typer.Exit(1 if faults else 0)


def _empty(path: StudyAddress) -> list[EmptyText]:
    from core.text.empty_texts import empty_texts
    from storage.study_file import open_study

    with open_study(path) as study:
        return list(empty_texts(study.texts.load()))


def _list_findings(path: StudyAddress, *, as_json: bool) -> None:
    """List possible mistakes in pyramids and nuggets, and differences between systems' texts."""
    with open_sound(path) as study:
        rows = list(_finding_rows(study))
    if as_json:
        print_json({"study": str(path), "findings": rows})
        return
    if rows:
        print_table(rows, _COLUMNS)
    print_message(f"{path} has {pluralize(len(rows), 'finding')}.")


def _finding_rows(study: ports.Study) -> Iterator[Mapping[str, Any]]:
    from core.annotation.checks import find_problems
    from core.comparison.text_differences import text_differences, texts_of_systems

    nowhere = {"topic": "", "annotator": "", "scu": "", "text": "", "start": None, "end": None}
    for one in text_differences(texts_of_systems(study)):
        yield {**nowhere, "kind": one.kind, "finding": f"{one.what}. {one.remedy}", "repair": ""}
    names = {person.id: person.name for person in study.annotators.all()}
    for annotation in chain(study.pyramids.annotations(), study.nuggets.annotations()):
        topic = study.texts.topic(annotation.pyramid.topic_id)
        for finding in find_problems(annotation, topic):
            yield _finding_row(finding, topic, names[annotation.pyramid.annotator_id])


def _finding_row(finding: Finding, topic: TopicTexts, annotator: str) -> Mapping[str, Any]:
    place = finding.place
    return {
        "topic": topic.name,
        "annotator": annotator,
        "kind": finding.kind.value,
        "finding": finding.sentence,
        "repair": finding.repair.label if finding.repair is not None else "",
        "scu": place.scu_id,
        "text": place.text_id,
        "start": place.span[0] if place.span is not None else None,
        "end": place.span[1] if place.span is not None else None,
    }


def clean(
    path: StudyFile, output: Annotated[Path, output_option("FILE", "New study file; must not exist yet.")]
) -> None:
    """Copy the data of an unsafe study into a new one.

    Studies that contain triggers, views or other foreign database objects are not opened.
    """
    from storage.database.cleaning import copy_data
    from storage.study_file import check, open_study

    count = copy_data(path, output)
    print_message(f"Copied {pluralize(count, 'row')} to {output}.")
    open_study(output).close()  # upgrades an older version
    faults = check(output)
    for fault in faults:
        print_message(fault)
    raise typer.Exit(1 if faults else 0)


def restore(
    study: StudyFile,
    backup: Annotated[
        str,
        typer.Argument(
            help="Number in the list, file name or path of a backup, or `latest` for the newest automatic "
            "backup that passes its checks.",
            show_default=False,
        ),
    ] = "",
    listing: Annotated[
        bool, typer.Option("--list", help="List and check the backups; the default without BACKUP.")
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Backup folder. Default: as in the settings.", show_default=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the backups of a study or restore one.

    The study may be damaged or missing. A replaced file is saved as a backup first.
    """
    from storage.database import backups

    folder = folder or _preferences().backups_in
    if not backup or listing:
        _list_backups(study, folder, as_json=as_json)
        return
    chosen = _chosen(study, backup, folder)
    steps = backups.restore(study, chosen, folder)
    done = run_with_progress(steps, "Restoring", "The study is unchanged.")
    if as_json:
        saved = str(done.saved) if done.saved else None
        print_json({"study": str(done.study), "restored": str(done.backup), "saved": saved})
        return
    print_message(f"Restored {study} from {chosen.name}.")
    if done.saved is not None:
        print_message(f"The replaced file was saved as {done.saved}.")


def _list_backups(study: Path, folder: Path | None, *, as_json: bool) -> None:
    """List the backups of a study, newest first, each with the result of its checks."""
    from storage.database import backups

    rows = [
        _backup_row(number, backup)
        for number, backup in enumerate(backups.list_backups(study, folder), start=1)
    ]
    places = [str(place) for place in backups.folders_of(study, folder)]
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
            "kind": BackupKind(row["kind"]).description,
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


def last_backup(study: StudyAddress) -> str:
    """Return when the newest backup of a study was made, as a sentence."""
    from storage.database import backups

    if not isinstance(study, Path):
        return SERVER_BACKUPS
    try:
        found = backups.list_backups(study, _preferences().backups_in)
    except InputError as error:
        return str(error)
    if not found:
        return "No backup yet."
    return (
        f"Last backup: {_local(found[0].made)} ({found[0].kind.description.lower()}), "
        f"{pluralize(len(found), 'backup')} in {found[0].path.parent}."
    )


def _preferences() -> Preferences:
    """Return the settings of the window, which also apply to commands."""
    from core.files.preferences import PreferencesFile
    from storage import user_folders

    return PreferencesFile(user_folders.settings_file()).now


def back_up_before(study: StudyAddress, what: str) -> None:
    """Back a study up before something changes much of it; a failure is reported, and the command goes on."""
    from storage.database import backups

    if not isinstance(study, Path):
        print_message(f"No backup was made before {what}. {SERVER_BACKUPS}")
        return
    settings = _preferences()
    try:
        run_with_progress(
            backups.back_up(study, settings.backups, settings.backups_in),
            "backing up",
            "Nothing was written.",
        )
    except InputError as error:
        print_message(f"No backup was made before {what}: {error}")


def _chosen(study: Path, name: str, folder: Path | None) -> Path:
    from storage.database import backups

    if Path(name).is_file() and Path(name).suffix:
        return Path(name)
    listed = backups.list_backups(study, folder)
    if name == LATEST:
        good = backups.newest_good(study, folder)
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


def _backup_row(number: int, backup: Backup) -> dict[str, Any]:
    from storage.database import backups

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
