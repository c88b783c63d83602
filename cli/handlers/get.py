"""`pyramidion get`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cli.console import Lines, print_json, print_message, print_table, run_with_progress
from cli.handlers.import_file import print_counts
from core.errors import FileChanged, InputError
from core.experiments.analyses.published import published_tables
from core.files.paths import access_errors
from core.formatting.byte_sizes import format_known_bytes
from core.formatting.numbers import pluralize
from storage import user_folders
from storage.data_set_download import Downloaded, download, study_steps
from storage.datasets.catalogue import DataSet, data_sets, find_data_set


def list_data_sets(*, as_json: bool) -> None:
    """List the data sets that can be downloaded."""
    rows = [_row(one) for one in data_sets()]
    if as_json:
        print_json(rows)
        return
    shown = [
        {
            **row,
            "about": Lines((row["title"], row["about"])),
            "more": Lines((row["citation"], row["page"], f"Licence: {row['licence']}")),
            "size": format_known_bytes(row["bytes"]),
        }
        for row in rows
    ]
    columns = {"name": "Name", "about": "Data set", "size": "Size", "check": "Checked by", "more": "Source"}
    print_table(shown, columns, right=("size",))


def get(name: str, study: Path, options: Mapping[str, str], *, accepts_changes: bool) -> None:
    """Download a data set and import it into a new study."""
    data_set = find_data_set(name)
    _check_new(study)
    try:
        downloaded = run_with_progress(
            download(data_set, user_folders.data_sets_folder(), accepts_changes=accepts_changes),
            data_set.name,
            "What was downloaded is kept; run the command again to resume.",
        )
    except FileChanged as error:
        raise InputError(f"{error} To accept it, add --accept-change.") from error
    _print_checks(downloaded)
    _import(downloaded, study, options)
    print_message(
        f"Created {study}. Cite {data_set.citation}; {data_set.page} describes the data set "
        f"(licence: {data_set.licence})."
    )
    if any(table.key == data_set.name for table in published_tables()):
        print_message(f"Published results: pyramidion resample {study} --experiment published")


def _check_new(study: Path) -> None:
    """Raise InputError if the study cannot be created, before anything is downloaded."""
    with access_errors(study):
        if study.exists():
            raise InputError(f"{study} exists already. Choose another name with -o.")
        if not study.parent.is_dir():
            raise InputError(f"The folder {study.parent} does not exist. Create it first.")


def _import(downloaded: Downloaded, study: Path, options: Mapping[str, str]) -> None:
    """Import into a new study and print what it contains."""
    steps = study_steps(study, downloaded, options)
    counts = run_with_progress(steps, "importing", "No study was created.")
    print_counts(counts, (), downloaded.data_set.format)


def _print_checks(downloaded: Downloaded) -> None:
    data_set = downloaded.data_set
    if data_set.hub is not None:
        print_message("The file has the hash that the Hugging Face Hub names for it.")
    elif not downloaded.unverified:
        print_message(f"Checked by known hashes: {pluralize(len(downloaded.hashes), 'file')}.")
    for name in downloaded.unverified:
        sha256 = downloaded.hashes[name]
        if name in downloaded.first:
            print_message(
                f"Not verified: no published hash of {name} is known. Its SHA-256, {sha256}, is stored, and "
                "later downloads are compared with it."
            )
        else:
            print_message(
                f"Not verified: no published hash of {name} is known. It equals the first download on this "
                f"computer (SHA-256 {sha256})."
            )


def _row(one: DataSet) -> dict[str, Any]:
    return {
        "name": one.name,
        "title": one.title,
        "about": one.about,
        "format": one.format,
        "citation": one.citation,
        "page": one.page,
        "licence": one.licence,
        "bytes": one.size or None,
        "check": one.check,
    }
