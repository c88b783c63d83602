"""Reader of Parquet files, and of Hugging Face data sets on disk: folders of Parquet, Arrow or JSON files.

Nothing is fetched, and no code of a data set is run.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.files.paths import access_errors, is_within, list_files, printable_path
from core.names import resolve_name
from storage.formats.readers.fields import Problems, json_rows, kind_of, opened

PARQUET = ".parquet"
ARROW = ".arrow"
_JSON = (".jsonl", ".json", ".ndjson")
_ROWS_AT_ONCE = 256
_SHARD = re.compile(r"(?P<split>.+?)(?:[-_.]\d+(?:-of-\d+)?(?:-[0-9a-f]{16})?)?$")
_SPLITS = ("train", "validation", "valid", "val", "dev", "test")
_METADATA = ("dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json")
_MOST_DEPTH = 8


def pyarrow() -> Any:
    """Return the module pyarrow, imported only where a file needs it."""
    import pyarrow as module
    import pyarrow.ipc
    import pyarrow.parquet

    return module


def is_data_set(path: Path) -> bool:
    """Return whether a folder looks like a data set: shards, or files named for splits."""
    with access_errors(path):
        return path.is_dir() and bool(parts_of(path))


def parts_of(folder: Path) -> dict[str, list[Path]]:
    """Return the files of each part of a data set by its name: a split, or a configuration and a split.

    Files of one kind are used: Arrow before Parquet before JSON. Links out of the folder are left out.
    """
    inside = folder.resolve()
    with access_errors(folder):
        files = [
            file
            for file in list_files(folder)
            if kind_of(file) in (ARROW, PARQUET, *_JSON)
            and len(file.relative_to(folder).parts) <= _MOST_DEPTH
            and not any(part.startswith(".") for part in file.relative_to(folder).parts)
            and file.name not in _METADATA
            and is_within(file, inside)
        ]
    by_kind = {
        ARROW: [file for file in files if kind_of(file) == ARROW],
        PARQUET: [file for file in files if kind_of(file) == PARQUET],
        ".json": [file for file in files if kind_of(file) in _JSON and _split_of(file) in _SPLITS],
    }
    chosen = next((found for found in by_kind.values() if found), [])
    parts: dict[str, list[Path]] = {}
    for file in sorted(chosen):
        parts.setdefault(_part_of(file, folder), []).append(file)
    return parts


def _split_of(file: Path) -> str:
    """Return the split in a file name such as ``train-00000-of-00002.parquet``, else its stem."""
    stem = file.name.split(".")[0]
    found = _SHARD.fullmatch(stem)
    name = found["split"] if found else stem
    last = re.split(r"[-_]", name)[-1]
    return last if last in _SPLITS else name


def _part_of(file: Path, folder: Path) -> str:
    split = _split_of(file)
    above = [part for part in file.relative_to(folder).parts[:-1] if part != "data"]
    if above and (split in ("data", "dataset", "cache") or split.isdecimal() or split == above[-1]):
        return "/".join(above)
    return "/".join([*above, split])


def chosen_part(folder: Path, name: str) -> tuple[str, list[Path]]:
    """Return the name and the files of the chosen part, else of the only one.

    Raises InputError, which lists the parts, if there is no such part or there are several.
    """
    parts = parts_of(folder)
    if not parts:
        raise InputError(
            f"{printable_path(folder)} contains no Parquet, Arrow or JSON files of a data set. Choose the "
            f"folder "
            "with files such as train-00000-of-00001.parquet or data-00000-of-00001.arrow."
        )
    listed = printable_path(", ".join(parts))
    if not name and len(parts) > 1:
        raise InputError(f"The data set has {len(parts)} splits: {listed}. Choose one with --part.")
    name = resolve_name("split", name, parts) if name else next(iter(parts))
    return name, parts[name]


def data_set_rows(folder: Path, problems: Problems, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number and the fields of each row of a part; fields of structs are named ``struct.field``."""
    _, files = chosen_part(folder, name)
    number = 0
    for file in files:
        problems.file = file.relative_to(folder).as_posix()
        rows = {ARROW: arrow_rows, PARQUET: parquet_rows}.get(kind_of(file), _json_objects)
        for row in rows(file, problems):
            number += 1
            problems.place = f"row {number}"
            if number not in problems.skipped:
                yield number, flat(row)


def _json_objects(path: Path, problems: Problems) -> Iterator[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for _ in json_rows(path, problems, lambda row: found.append(dict(row))):
        yield from found
        found.clear()
    yield from found


def parquet_rows(path: Path, problems: Problems) -> Iterator[dict[str, Any]]:
    """Yield each row of a Parquet file. Raises InputError if it is damaged."""
    arrow = pyarrow()
    with opened(path) as file:
        try:
            table = arrow.parquet.ParquetFile(file)
            sizes = [table.metadata.row_group(group).total_byte_size for group in range(table.num_row_groups)]
            problems.memory.check(2 * max(sizes, default=0))
            for batch in table.iter_batches(_ROWS_AT_ONCE, use_threads=False):
                yield from _plain_rows(batch)
        except (arrow.ArrowException, OSError, ValueError, UnicodeError) as error:
            raise _damaged(path, "Parquet", error) from error


def parquet_columns(path: Path) -> list[str]:
    """Return the columns of a Parquet file. Raises InputError if it is damaged."""
    arrow = pyarrow()
    with opened(path) as file:
        try:
            return [str(name) for name in arrow.parquet.ParquetFile(file).schema_arrow.names]
        except (arrow.ArrowException, OSError, ValueError, UnicodeError) as error:
            raise _damaged(path, "Parquet", error) from error


def arrow_rows(path: Path, problems: Problems) -> Iterator[dict[str, Any]]:
    """Yield each row of an Arrow file, as a stream or with a footer. Raises InputError if it is damaged."""
    _check_state(path.parent)
    arrow = pyarrow()
    problems.memory.check(2 * path.stat().st_size)
    with opened(path) as file:
        try:
            has_footer = file.read(6) == b"ARROW1"
            file.seek(0)
            if has_footer:
                reader = arrow.ipc.open_file(file)
                batches = (reader.get_batch(at) for at in range(reader.num_record_batches))
            else:
                batches = iter(arrow.ipc.open_stream(file))
            for batch in batches:
                batch.validate(full=True)
                for at in range(0, batch.num_rows, _ROWS_AT_ONCE):
                    yield from _plain_rows(batch.slice(at, _ROWS_AT_ONCE))
        except (arrow.ArrowException, OSError, ValueError, UnicodeError) as error:
            raise _damaged(path, "Arrow", error) from error


def _check_state(folder: Path) -> None:
    """Raise InputError if a saved data set selects its rows by a file of indices."""
    state = folder / "state.json"
    if not state.is_file():
        return
    with opened(state) as file:
        content = file.read(2**20)
    try:
        stored = json.loads(content)
    except (ValueError, RecursionError):
        return  # it is not needed
    if isinstance(stored, Mapping) and stored.get("_indices_data_files"):
        raise InputError(
            f"{printable_path(folder)} stores a selection of rows by indices. Save it with flatten_indices() "
            "first."
        )


def _damaged(path: Path, kind: str, error: Exception) -> InputError:
    message = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
    return InputError(
        f"{printable_path(path.name)} cannot be read as {kind}: {printable_path(message)}. It may be "
        f"damaged or "
        "incomplete. Copy or write it again."
    )


def _plain_rows(batch: Any) -> Iterator[dict[str, Any]]:
    for row in batch.to_pylist():
        yield {str(name): plain(value) for name, value in row.items()}


def plain(value: Any) -> Any:
    """Return a value of a column as JSON has it: texts, numbers, lists and objects."""
    if isinstance(value, (str, bool, int, float)) or value is None:
        return value
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return base64.b64encode(value).decode()
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, Decimal):
        return int(value) if value.is_finite() and value == value.to_integral_value() else float(value)
    if isinstance(value, Mapping):
        return {str(name): plain(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    return str(value)


def flat(row: Mapping[str, Any], depth: int = 3) -> dict[str, Any]:
    """Return a row with the fields of objects as ``object.field``; an object with a text stays."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Mapping) and value and "text" not in value and depth > 1:
            found |= {f"{name}.{inner}": one for inner, one in flat(value, depth - 1).items()}
        else:
            found[name] = value
    return found
