"""Rows of the files that a mapping reads: records of JSON and tables, and lines that belong together."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.errors import InputError, Problem
from core.files.paths import access_errors, printable_path
from core.progress import JobSteps, Progress
from storage.formats.format_types import Options
from storage.formats.mappings.mapping import ImportMapping, Lines, TextFiles
from storage.formats.readers.fields import Problems, Row, is_clean, json_rows, kind_of, lines
from storage.formats.readers.tables import arrow_records
from storage.formats.readers.tables.arrow_records import PARQUET, parquet_rows
from storage.formats.readers.tables.column_roles import Role, is_named
from storage.formats.readers.tables.csv_records import encoding_of, is_json
from storage.formats.readers.tables.table_cells import PART, records_of
from storage.formats.readers.text_files import files_in, is_inside, text_of
from storage.formats.readers.usage import Record, current, tracked

Take = Callable[..., None]
"""Called with a row, its number from 1, and the variables of its file."""

_ROWS_AT_ONCE = 100
_LINE = 10
"""Bytes of memory for each byte of a file that consists of short lines."""


def rows(
    path: Path, mapping: ImportMapping, problems: Problems, options: Options, take: Take
) -> JobSteps[None]:
    """Pass on each row of a file or folder. Raises BadImport, InputError."""
    if mapping.lines is not None:
        yield from _AlignedLines(path, mapping.lines, problems).read(take)
        return
    if mapping.is_table:
        yield from _numbered(path, mapping, problems, options, take)
        return
    if mapping.texts:
        yield from _text_rows(path, mapping.texts, problems, take)
        return
    number = 0
    for file, of_pattern in _files_of(path, mapping, problems):
        problems.file = file.name
        names = {"file": file.name, "stem": file.name.split(".")[0], "folder": file.parent.name} | of_pattern

        def deliver(row: Any, names: Mapping[str, str] = names) -> None:
            nonlocal number
            number += 1
            take(row, number, **names)

        if is_json(file):
            yield from json_rows(file, problems, deliver, encoding_of(file, options))
        elif kind_of(file) == PARQUET and not mapping.recognize.folds_headings:
            yield from _parquet_rows(file, problems, deliver)
        else:
            yield from _table_rows(file, mapping, problems, options, deliver)


def _files_of(path: Path, mapping: ImportMapping, problems: Problems) -> list[tuple[Path, dict[str, str]]]:
    """Return the files to read, with the values in their names: the file, or those of a folder."""
    with access_errors(path):
        if not path.is_dir():
            return [(path, {})]
    found: dict[Path, dict[str, str]] = {}
    for pattern in mapping.files:
        for place, file in files_in(path, problems):
            if (names := pattern.names(place)) is not None:
                found.setdefault(file, names)
    if not found:
        problems.stop_if_any()
        listed = ", ".join(one.written for one in mapping.files)
        raise InputError(f"{printable_path(path)} contains none of {listed}. Choose the folder with them.")
    return list(found.items())


def _text_rows(path: Path, layout: Sequence[TextFiles], problems: Problems, take: Take) -> JobSteps[None]:
    """Pass on the text of each file that fits a pattern, in the order of the patterns."""
    found = []
    for place, file in files_in(path, problems):
        for order, kind in enumerate(layout):
            if (names := kind.files.names(place)) is not None:
                found.append((order, place, file, names))
                break
    if not found and not problems.found:
        listed = ", ".join(one.files.written for one in layout if one.text)
        raise InputError(f"{printable_path(path)} contains none of {listed}. Choose the folder with them.")
    for number, (order, place, file, names) in enumerate(sorted(found, key=lambda one: one[:2]), 1):
        problems.place, kind = place, layout[order]
        if kind.wrong:
            problems.add("", kind.wrong, kind.remedy)
        elif (text := text_of(file, problems)) is not None:
            take({**names, kind.text: text}, number, file=file.name, stem=file.stem)
        if number % _ROWS_AT_ONCE == 0:
            yield Progress(number, len(found), f"reading {printable_path(file.name)}")


def table_rows(
    path: Path,
    problems: Problems,
    options: Options,
    take: Callable[[Sequence[str] | None, Record | None], None],
) -> JobSteps[None]:
    """Pass on the headings, if the file names them, and each row of a table, or of a data set in a folder.

    Fields of objects are columns named ``object.field``. Values of typed files keep their types. A file with
    one object of JSON that holds the rows, by key or in a list, has those; `KEY` is the column of the keys.
    A row with a list of systems is one for each.
    """
    usage, name = current(), printable_path(path.name)
    with access_errors(path):
        is_folder = path.is_dir()
    if is_folder:
        for number, row in arrow_records.data_set_rows(path, problems, options.get(PART, "")):
            take(None, usage.record(row, name))
            if number % _ROWS_AT_ONCE == 0:
                yield Progress(0, 0, f"reading {name}, row {number:,}")
    elif is_json(path):
        alone: list[tuple[str, Row]] = []  # the first row, until there is another one
        is_alone = True

        def deliver(row: Row) -> None:
            for each in of_systems(row):
                take(None, usage.record(arrow_records.flat(each), name))

        def take_row(row: Row) -> None:
            nonlocal is_alone
            if is_alone and not alone:
                alone.append((problems.place, row))
                return
            is_alone, place = False, problems.place
            for problems.place, first in alone:
                deliver(first)
            alone.clear()
            problems.place = place
            deliver(row)

        yield from json_rows(path, problems, take_row, encoding_of(path, options), notes_use=False)
        for found in alone:
            for problems.place, each in inner_rows(found[1]) or [found]:
                deliver(each)
    else:

        def check(headings: Sequence[str]) -> None:
            take([name or f"column {place}" for place, name in enumerate(headings, 1)], None)

        for number, header, cells in records_of(path, problems, options, check=check, is_typed=True):
            take(header, cells)
            if number % _ROWS_AT_ONCE == 0:
                yield Progress(0, 0, f"reading {name}, row {number:,}")


KEY = "key"
"""Column of the keys by which an object of JSON holds its rows."""
_SHORT = 100
"""Characters of a text that may be about a file instead of content."""


def inner_rows(document: Row) -> list[tuple[str, Row]]:
    """Return the rows that an object holds, each with its place; none = it is a row itself.

    They are its values, objects with common keys or lists of objects, or the objects of its only list, with
    what else is in it.
    """
    lists = {key: value for key, value in document.items() if _are_objects(value)}
    values = list(document.values())
    if len(document) > 1 and len(lists) == len(document):
        return [(f"key {key[:60]}", {KEY: key, **row}) for key, rows in lists.items() for row in rows]
    if len(values) > 1 and _are_objects(values) and set.intersection(*map(set, values)):
        return [(f"key {key[:60]}", {KEY: key, **row}) for key, row in document.items()]
    rest = {key: value for key, value in document.items() if key not in lists}
    is_about = all(len(json.dumps(value, default=str)) < _SHORT for value in rest.values())
    if len(lists) == 1 and is_about:
        key, rows = next(iter(lists.items()))
        if len(rows) > 1 and all(len(row) > 1 for row in rows):
            return [(f"{key[:60]}[{at}]", {**rest, **row}) for at, row in enumerate(rows)]
    return []


def of_systems(row: Row) -> list[Row]:
    """Return a row for each system of a list that a row has, or the row."""
    lists = [key for key, value in row.items() if _are_objects(value) and all(map(_names_system, value))]
    if len(lists) != 1:
        return [row]
    rest = {key: value for key, value in row.items() if key != lists[0]}
    return [
        {**rest, **{f"{lists[0]}.{key}" if key in rest else key: value for key, value in one.items()}}
        for one in row[lists[0]]
    ]


def _names_system(row: Row) -> bool:
    return any(is_named(key, Role.SYSTEM) for key in row)


def _are_objects(values: Any) -> bool:
    return isinstance(values, list) and bool(values) and all(isinstance(one, Mapping) for one in values)


def _numbered(
    path: Path, mapping: ImportMapping, problems: Problems, options: Options, take: Take
) -> JobSteps[None]:
    number = 0

    def deliver(header: Sequence[str] | None, row: Record | None) -> None:
        nonlocal number
        number += row is not None
        if row is None:
            _check_keys(header or (), mapping, problems)
        else:
            take(row, number, file=path.name, stem=path.name.split(".")[0], folder=path.parent.name)

    yield from table_rows(path, problems, options, deliver)


def _check_keys(headings: Sequence[str], mapping: ImportMapping, problems: Problems) -> None:
    for key in mapping.recognize.keys:
        if key not in headings:
            problems.add(key, "The column is missing.", f"Choose a file of {mapping.title}.")


def _parquet_rows(file: Path, problems: Problems, take: Callable[[Row], None]) -> JobSteps[None]:
    for number, row in enumerate(parquet_rows(file, problems), 1):
        problems.place = f"row {number}"
        if number not in problems.skipped:
            take(current().record(tracked(row), printable_path(problems.file)))
        if number % _ROWS_AT_ONCE == 0:
            yield Progress(0, 0, f"reading {printable_path(file.name)}, row {number}")


def _table_rows(
    file: Path, mapping: ImportMapping, problems: Problems, options: Options, take: Callable[[Row], None]
) -> JobSteps[None]:
    folds = mapping.recognize.folds_headings
    names: dict[str, str] = {}

    def check(headings: Sequence[str]) -> None:
        found = [folded(one) if folds else one for one in headings]
        _check_keys(found, mapping, problems)
        for key in sorted({one for one in found if one and folds and found.count(one) > 1}):
            problems.add(key, "Two columns have this content.", "Remove one of them.")

    for number, header, cells in records_of(file, problems, options, check=check, is_exact=folds):
        if folds:
            names = names or {folded(name): name for name in header}
        take(cells.selected(names) if folds else cells)
        if number % _ROWS_AT_ONCE == 0:
            yield Progress(0, 0, f"reading {printable_path(file.name)}, line {number}")


def folded(heading: str) -> str:
    """Return a heading without case, white space, ``_`` and ``-``."""
    return re.sub(r"[\s_-]", "", heading).lower()


class _AlignedLines:
    """Files of a folder whose lines belong together; one with another number of lines is a problem."""

    def __init__(self, path: Path, layout: Lines, problems: Problems) -> None:
        self._path, self._inside, self._layout, self._problems = path, path.resolve(), layout, problems
        self._files: dict[str, str] = {}

    def read(self, take: Take) -> JobSteps[None]:
        layout = self._layout
        first = layout.columns[layout.first].first(self._path)
        if first is None:
            name = layout.columns[layout.first].written
            raise InputError(f"{printable_path(self._path)} has no {name}. {self._other_folders(name)}")
        rows: list[dict[str, Any]] = [{layout.first: line} for line in self._lines(first, None)]
        self._files[layout.first] = self._problems.file
        for key, pattern in layout.columns.items():
            file = pattern.first(self._path)
            if key == layout.first:
                continue
            if file is not None:
                for row, line in zip(rows, self._lines(file, len(rows)), strict=True):
                    row[key] = line
                self._files[key] = self._problems.file
            elif key not in layout.optional:
                self._at(self._path / pattern.written)
                self._problems.add("", "The file is missing.", f"Add it: one {key} per line.")
        self._problems.stop_if_any()
        for done, (name, key, owner, file) in enumerate(groups := list(self._groups())):
            yield Progress(done, len(groups), f"reading {printable_path(owner)}")
            for row, line in zip(rows, self._lines(file, len(rows)), strict=True):
                row.setdefault(name, {}).setdefault(owner, {})[key] = line
            self._files[f"{name}.{owner}.{key}"] = self._problems.file
        self._problems.stop_if_any()
        self._problems.file = self._path.name
        width = len(str(len(rows)))
        for number, row in enumerate(rows, 1):
            self._problems.place = f"line {number}"
            before = len(self._problems.found)
            take(row, number, file=self._path.name, stem=self._path.name, padded=f"{number:0{width}}")
            self._problems.found[before:] = map(self._located, self._problems.found[before:])

    def _groups(self) -> Iterator[tuple[str, str, str, Path]]:
        """Yield the name of a group, the key and owner of each of its files, and the file."""
        owners: dict[str, set[str]] = {}
        found = []
        for key, pattern in self._layout.groups.items():
            for place, file in files_in(self._path, self._problems):
                is_column = any(one.names(place) is not None for one in self._layout.columns.values())
                for name, owner in ({} if is_column else pattern.names(place) or {}).items():
                    found.append((name, key, owner, file))
                    owners.setdefault(key, set()).add(owner)
        main = next(iter(self._layout.groups), "")
        for group, key, owner, file in found:
            if key not in (main, *self._layout.optional) and owner not in owners.get(main, set()):
                self._at(file)
                name = self._layout.groups[main].written.replace(f"{{{group}}}", owner)
                self._problems.add("", f"There is no {name}.", f"Add it, or remove {file.name}.")
        yield from sorted(found, key=lambda one: one[2])

    def _located(self, problem: Problem) -> Problem:
        """Return a problem at the file that has its field."""
        for key, file in self._files.items():
            if problem.field == key or problem.field.startswith((f"{key}.", f"{key}[")):
                return replace(problem, file=file, field=problem.field[len(key) :].strip("."))
        return problem

    def _at(self, file: Path) -> None:
        """Put following problems at a file."""
        self._problems.file = f"{self._path.name}/{file.relative_to(self._path).as_posix()}"
        self._problems.place = ""

    def _lines(self, file: Path, required: int | None) -> list[str]:
        """Return a file's lines; as many as required, else a problem is added and the rest is empty."""
        self._at(file)
        if not is_inside(file, self._inside, self._problems):
            return [""] * (required or 0)
        self._problems.memory.check(_LINE * file.stat().st_size)
        before = len(self._problems.found)
        found = [line.rstrip("\r\n") for _, line in lines(file, self._problems)]
        self._problems.place = ""
        if required is not None and len(found) != required and len(self._problems.found) == before:
            name = self._layout.columns[self._layout.first].written
            what = f"{len(found):,} lines, but {name} has {required:,}."
            self._problems.add("", what, "Each line is a topic; add or remove lines.")
        for number, line in enumerate(found, 1):
            self._problems.place = f"line {number}"
            is_clean(line, "", self._problems)
        self._problems.place = ""
        return (found + [""] * (required or 0))[: required if required is not None else len(found)]

    def _other_folders(self, name: str) -> str:
        """Return which folder to choose instead: those of several annotators are in one folder."""
        with access_errors(self._path):
            folders = sorted(
                printable_path(one.name) for one in self._path.iterdir() if (one / name).is_file()
            )
        if not folders:
            return "Choose the folder that contains it."
        return (
            f"Choose one of the folders in it: {', '.join(folders[:12])}{', …' if len(folders) > 12 else ''}."
        )
