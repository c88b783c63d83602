"""`pyramidion import`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from cli.console import print_json, print_message, print_table, run_with_progress
from cli.errors import CommandInterrupted, require_writable
from cli.handlers.restore import back_up_before
from core.domain.import_batch import ImportCounts, ImportedFile
from core.errors import BadImport, InputError, grouped, grouped_differences
from core.files.study_address import StudyAddress
from core.ports import ChangeSet, Study
from core.progress import JobSteps
from storage.formats import import_registry
from storage.study_file import open_study


def import_file(
    study_path: StudyAddress,
    path: Path,
    name: str,
    options: Mapping[str, str],
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Import a file into a study, or preview the import.

    name: the format, empty = detected. options: of the format's reader.
    Raises BadImport with every problem.
    """
    with _named_file(path) as file:
        _import(study_path, file, name, options, dry_run=dry_run, as_json=as_json)


def _import(
    study_path: StudyAddress,
    path: Path,
    name: str,
    options: Mapping[str, str],
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    request = import_registry.import_request(path, name, options)
    files: Sequence[ImportedFile] = ()
    with open_study(study_path) as study:
        if dry_run:
            preview = run_with_progress(
                import_registry.preview_steps(study, request), "reading", "Nothing was written."
            )
            if preview.counts is None or preview.incoming is None:
                raise BadImport(preview.problems)
            counts, files = preview.counts, preview.incoming.files
        else:
            require_writable(study)
            if study.texts.topics():
                back_up_before(study_path, "the import")
            counts = _imported(study, import_registry.import_steps(study, request))
    print_counts(counts, files, name or request.format.name, dry_run=dry_run, as_json=as_json)


@contextmanager
def _named_file(path: Path) -> Iterator[Path]:
    """Provide the file or folder to read; for -, standard input as a temporary file (JSONL, CSV or TSV).

    Raises InputError where standard input is a terminal or empty.
    """
    if path != Path("-"):
        yield path
        return
    if sys.stdin.isatty():
        raise InputError("- reads standard input, which is a terminal. Pipe a file into it, or name a file.")
    with TemporaryDirectory() as folder:
        file = Path(folder, "standard-input")
        with file.open("wb") as whole:
            shutil.copyfileobj(sys.stdin.buffer, whole)
        with file.open("rb") as read:
            first = read.readline(1 << 16).lstrip(b"\xef\xbb\xbf").lstrip()
        if not first:
            raise InputError("Standard input is empty. Pipe a JSONL file or a table into it, or name a file.")
        suffix = ".jsonl" if first.startswith((b"{", b"[")) else ".tsv" if b"\t" in first else ".csv"
        yield file.rename(file.with_suffix(suffix))


def _imported(study: Study, steps: JobSteps[ImportCounts]) -> ImportCounts:
    """Run an import; one that is interrupted is imported completely or not at all, and reports which."""
    written: list[ChangeSet] = []
    study.subscribe(written.append)
    try:
        return run_with_progress(steps, "importing", "Nothing was written.")
    except CommandInterrupted:
        study.flush()  # a write that was queued before Ctrl+C still happens
        if written:
            raise CommandInterrupted("Too late to interrupt: everything was imported.") from None
        raise


def print_counts(
    counts: ImportCounts,
    files: Sequence[ImportedFile],
    name: str,
    *,
    dry_run: bool = False,
    as_json: bool = False,
) -> None:
    """Print what an import added. name: of the format."""
    if as_json:
        document = {"format": name, "dry_run": dry_run, "added": dict(counts.added)}
        document |= {"equal": dict(counts.equal), "different": grouped_differences(counts.different)}
        notices = [asdict(notice) for notice in grouped(counts.notices)]
        skipped = [asdict(problem) for problem in counts.skipped]
        document |= {"skipped": skipped, "notices": notices}
        print_json({**document, "files": [asdict(file) for file in files]})
        return
    if files:
        _print_files(files)
    kinds = [k for k in {**counts.added, **counts.equal} if counts.added.get(k) or counts.equal.get(k)]
    rows = [{"kind": k, "new": counts.added.get(k, 0), "equal": counts.equal.get(k, 0)} for k in kinds]
    heading = "Would be added" if dry_run else "Added"
    print_table(rows, {"kind": name, "new": heading, "equal": "Already present"}, right=("new", "equal"))
    for sentence in (*map(str, grouped(counts.notices)), *grouped_differences(counts.different)):
        print_message(sentence)
    if counts.skipped:
        many = f"{len(counts.skipped):,} bad {'row' if len(counts.skipped) == 1 else 'rows'}"
        print_message(f"{many} {'would be' if dry_run else 'were'} skipped:")
    for problem in grouped(counts.skipped):
        print_message(str(problem))


def _print_files(files: Sequence[ImportedFile]) -> None:
    """Print the detected role of each file."""
    rows = [{**asdict(file), "authors": ", ".join(file.authors)} for file in files]
    columns = {
        "file": "File",
        "holds": "Content",
        "topic": "Topic",
        "authors": "Reference authors",
        "system": "System",
        "annotator": "Annotator",
        "units": "SCUs or matches",
    }
    print_table(rows, columns, right=("units",))
