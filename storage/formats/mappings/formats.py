"""Import formats that are mappings: those of the program, and those in files of the user."""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache, partial
from importlib import resources
from pathlib import Path
from typing import Any

from core.domain.import_batch import ImportContent
from core.domain.name_checks import name_problem
from core.errors import BadImport, InputError, Problem
from core.files.paths import access_errors, printable_path
from core.ports import Study
from core.progress import JobSteps
from storage.formats.format_types import Format, Options
from storage.formats.mappings.document_files import DocumentFiles
from storage.formats.mappings.engine import MappedReader
from storage.formats.mappings.mapping import FilePattern, Recognition, file_pattern, read_mapping
from storage.formats.mappings.sources import folded, rows
from storage.formats.readers.draft import ImportDraft
from storage.formats.readers.fields import Problems, decoded, lines_to_skip, opened
from storage.formats.readers.recognition import keys_of
from storage.formats.readers.tables.csv_records import has_suffix
from storage.formats.readers.tables.table_cells import SUFFIXES as TABLES
from storage.formats.readers.usage import current
from storage.user_folders import mappings_folder

log = logging.getLogger(__name__)

MAPPING_SUFFIX = ".toml"


@cache
def packaged_text(name: str) -> str:
    """Return the document of a mapping of the program."""
    return (resources.files("resources") / "imports" / f"{name}{MAPPING_SUFFIX}").read_text(encoding="utf-8")


def mapped_format(name: str, text: str = "") -> Format:
    """Return the format of a mapping. text: its document, empty = one of the program.

    Only what lists and recognizes one of the program is read; the rest, which takes long, when it is used.
    Raises InputError if the document cannot be read.
    """
    if text:
        read_mapping(text, name)
    written = tomllib.loads(text or packaged_text(name))
    wanted = {key: _tuples(value) for key, value in written.get("recognize", {}).items()}
    lines, files = written.get("lines"), written.get("files", ())
    required = lines["columns"][lines["first"]] if lines else ""
    patterns = tuple(map(file_pattern, files))
    known, takes_documents = Recognition(**wanted), _has_document_files(written["rows"])
    return Format(
        name,
        written["title"],
        written["about"],
        partial(_read, text or packaged_text(name), name, not text, takes_documents),
        partial(_recognises, known, required, patterns),
        known.suffixes,
        takes_folders=bool(files and known.suffixes),
        takes_documents=takes_documents,
        has_rows=not (lines or files or written.get("texts")),
        is_table=bool(set(known.suffixes) & set(TABLES)),
        is_mapping=True,
    )


def _tuples(written: Any) -> Any:
    return tuple(map(_tuples, written)) if isinstance(written, list) else written


def _has_document_files(level: Mapping[str, Any]) -> bool:
    return "document_files" in level or any(map(_has_document_files, level.get("levels", ())))


def mapping_file(path: Path) -> Format:
    """Return the format of a user's mapping. Raises InputError if the file cannot be read."""
    problems = Problems(path.name)
    with opened(path) as file:
        content = file.read(2**20 + 1)
    text = decoded(content, problems)
    problems.stop_if_any()
    return mapped_format(path.stem, text or " ")


def user_mappings() -> tuple[Format, ...]:
    """Return the formats of the mappings in the user's folder; those that cannot be read are left out."""
    folder = mappings_folder()
    found = []
    for file in sorted(folder.glob(f"*{MAPPING_SUFFIX}")) if folder.is_dir() else ():
        try:
            found.append(mapping_file(file))
        except (InputError, BadImport) as error:
            log.warning("%s", error)
    return tuple(found)


def mapping_text(known: Format) -> str:
    """Return the document of a format that is a mapping, empty = it is none."""
    return str(known.read.args[0]) if isinstance(known.read, partial) and known.read.func is _read else ""


def _recognises(wanted: Recognition, required: str, files: Sequence[FilePattern], path: Path) -> bool:
    """Return whether a file or folder looks like that of a mapping.

    required: a file that a folder has. files: patterns of those that are read.
    """
    with access_errors(path):
        if path.is_dir():
            if required:
                return FilePattern(required).first(path) is not None
            has = [next(path.glob(name), None) is not None for name in (*wanted.without, *wanted.names)]
            return any(has[len(wanted.without) :]) and not any(has[: len(wanted.without)])
    if not has_suffix(path, wanted.suffixes):
        return False
    is_named = any(fnmatchcase(path.name, name) for name in wanted.names)
    if wanted.names and not (is_named or any(one.names(path.name) is not None for one in files)):
        return False
    if not wanted.keys and not wanted.any_of:
        return bool(wanted.names)
    keys = keys_of(path)
    if wanted.folds_headings:
        keys = set(map(folded, keys))
    has_one = not wanted.any_of or any(set(one) <= keys for one in wanted.any_of)
    return has_one and set(wanted.keys) <= keys and not keys & set(wanted.without)


def _read(
    text: str,
    name: str,
    is_packaged: bool,
    takes_documents: bool,
    path: Path,
    options: Options,
    study: Study | None,
) -> JobSteps[ImportContent]:
    """Read a file or folder as a mapping says. Raises BadImport with every problem, InputError."""
    mapping = read_mapping(text, name)  # again, because some of its values count what they have seen
    if fault := name_problem(options.get("annotator", "").strip() or mapping.annotator or "x"):
        raise InputError(f"The annotator's name is not valid. {fault} Choose another name.")
    problems = Problems(path.name, skipped=lines_to_skip(options))
    draft = ImportDraft(printable_path(path.name), problems)
    documents = DocumentFiles.in_folder(options.get("documents", ""))
    current().expected.extend(mapping.ignored)
    reader = MappedReader(mapping, draft, options, documents)
    yield from rows(path, mapping, problems, options, reader.row)
    incoming = reader.content()
    if takes_documents and (notice := documents.notice(incoming)):
        file = printable_path(path.name)
        incoming = replace(incoming, notices=(*incoming.notices, Problem(file, "", "", *notice)))
    return incoming if is_packaged else replace(incoming, mapping=text)
