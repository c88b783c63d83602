"""Public data sets that can be downloaded, with the addresses and hashes of their files.

Hashes are those of the files in the authors' repositories at the commit in the address. Where the authors'
server publishes none, the file is compared with the first download on this computer.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from core.files.data_sets import DataSet, HubFolder
from core.files.downloads import RemoteFile
from core.json_text import parse_json
from core.names import resolve_name


@cache
def data_sets() -> tuple[DataSet, ...]:
    """Return all data sets, in the order of the catalogue."""
    text = (resources.files("resources") / "datasets" / "catalogue.json").read_text(encoding="utf-8")
    return tuple(_data_set(row) for row in parse_json(text))


def find_data_set(name: str) -> DataSet:
    """Return a data set by its name. Raises InputError that lists them."""
    known = {one.name: one for one in data_sets()}
    return known[resolve_name("data set", name, known, "`pyramidion get` lists them")]


def _data_set(row: Mapping[str, Any]) -> DataSet:
    files = tuple(
        RemoteFile(file["name"], file.get("size", 0), file.get("sha256", ""), file.get("git", ""))
        for file in row["files"]
    )
    hub = HubFolder(**row["hub"]) if "hub" in row else None
    return DataSet(**{**row, "files": files, "hub": hub})
