"""Recognition of public data sets in imports: by published hashes, by names, or by the fields of a format."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from core.domain.data_origin import HASHES, LAYOUT, NAMES, DataOrigin
from core.domain.import_batch import ImportContent
from core.files.data_sets import DataSet
from core.files.downloads import matches_hash, sha256_of
from core.files.paths import access_errors, printable_path
from core.json_text import parse_json
from storage.datasets.catalogue import data_sets


@dataclass(frozen=True, slots=True)
class _Known:
    """A data set by its names. topics, systems: patterns of names; both empty = only its format tells."""

    name: str
    title: str
    citation: str
    page: str
    format: str
    topics: str = ""
    systems: str = ""

    def matches(self, content: ImportContent) -> bool:
        """Return whether every name in an import fits."""
        topics = [topic.name for topic in content.topics]
        return bool(topics or content.systems) and all(
            re.fullmatch(pattern, name)
            for pattern, names in ((self.topics, topics), (self.systems, content.systems))
            if pattern
            for name in names
        )


@cache
def _known() -> tuple[_Known, ...]:
    text = (resources.files("resources") / "datasets" / "recognition.json").read_text(encoding="utf-8")
    return tuple(_Known(**row) for row in parse_json(text))


def recognized_origin(path: Path, format_name: str, content: ImportContent) -> DataOrigin | None:
    """Return the public data set that a file or folder holds, None where it is unknown.

    content: what was read from it. Texts in a general format, such as a table, are recognized only by
    published hashes.
    """
    with access_errors(path):
        is_folder = path.is_dir()
        if same := next((one for one in data_sets() if _has_its_files(path, one, is_folder=is_folder)), None):
            hashes = {file.name: sha256_of(_file(path, file.name, is_folder)) for file in same.files}
            return _origin(same, path, HASHES, hashes)
    for one in data_sets():
        names = {Path(file.name).stem for file in one.files if file.name.startswith("summaries/")}
        if one.format == format_name and names and content.systems and content.systems.keys() <= names:
            return _origin(one, path, NAMES)
    for known in _known():
        if known.format == format_name and known.matches(content):
            evidence = NAMES if known.topics or known.systems else LAYOUT
            return _origin(known, path, evidence)
    return None


def _has_its_files(path: Path, one: DataSet, *, is_folder: bool) -> bool:
    """Return whether a path has every file of a data set, with the published hashes."""
    if one.is_folder != is_folder or not one.files or not all(file.has_hash for file in one.files):
        return False
    if not is_folder and Path(one.files[0].name).suffix != path.suffix.lower():
        return False
    files = [(_file(path, file.name, is_folder), file) for file in one.files]
    return all(each.is_file() for each, _ in files) and all(matches_hash(each, file) for each, file in files)


def _file(path: Path, name: str, is_folder: bool) -> Path:
    return path / name if is_folder else path


def _origin(
    one: DataSet | _Known, path: Path, evidence: str, hashes: Mapping[str, str] | None = None
) -> DataOrigin:
    return DataOrigin(
        name=one.name,
        title=one.title,
        citation=one.citation,
        page=one.page,
        licence=one.licence if isinstance(one, DataSet) else "",
        sha256=hashes or {},
        unverified=(),
        downloaded="",
        file=printable_path(path.name),
        evidence=evidence,
    )
