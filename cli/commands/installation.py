"""Commands on this installation: `allow`, `plugins` and `doctor`."""

from __future__ import annotations

import math
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.commands.restore import last_backup
from cli.console import Lines, print_json, print_message, print_table
from cli.options import Json, OptionalStudy
from core.errors import InputError
from core.extras import EXTRAS, command, is_installed
from core.files.allowed_names import NameKind, allowed_names
from core.files.paths import is_within
from core.files.study_address import ServerAddress, parse_study_address
from core.formatting.numbers import format_known_bytes, pluralize
from core.progress import run_to_completion

if TYPE_CHECKING:
    from core.files.study_address import StudyAddress
    from core.models.library.inventory import ModelStatus


PACKAGES = ("pyramidion", "PySide6-Essentials", "SQLAlchemy", "alembic", "numpy", "scipy", "numba")

_NO_KEY = "none"

_PLUGINS = {"kind": "Kind", "name": "Plug-in", "package": "Package", "adds": "Adds", "status": "Status"}


def allow(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...",
            help="Paths of files, folders and studies, and URLs of studies and servers; without one, list "
            "what is allowed.",
            show_default=False,
        ),
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the names from the list.")] = False,
    key: Annotated[
        str | None,
        typer.Option(
            metavar="VARIABLE",
            help="Of a server of a language model: the environment variable that holds its key, or keyring, "
            "where it is stored under pyramidion and the server's URL. none = it needs no key.",
            show_default=False,
        ),
    ] = None,
    price_in: Annotated[
        float | None,
        typer.Option(metavar="PRICE", help="Of such a server: price of a million tokens of prompts."),
    ] = None,
    price_out: Annotated[
        float | None, typer.Option(metavar="PRICE", help="Price of a million tokens of its answers.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Allow names that are found in studies.

    A study contains names of other things: folders of models, servers, further studies. Nothing that only a
    study names is opened or contacted. What you name in a command line or in the window is added to
    this list; programs are allowed for one run only (`score -m`, `replay --allow`).
    """
    known = allowed_names()
    titles = {NameKind.PLACE: "file or folder", NameKind.STUDY: "study", NameKind.SERVER: "server"}
    for name in names or ():
        if not remove:
            for kind, each in _kinds(name):
                known.allow(kind, each)
        elif not known.forget(name):
            raise InputError(f"{name} is not in the list. `pyramidion allow` shows it.")
    _change_accounts(names or (), remove, key, price_in, price_out)
    rows = [
        {"name": name, "kind": titles[kind], **_account_row(name)}
        for kind, listed in known.listed().items()
        if kind in titles
        for name in listed
    ]
    if as_json:
        print_json({"allowed": rows})
    elif rows:
        heads = {"name": "Name", "kind": "As"}
        more = {"key": "Key in", "price_in": "Price in", "price_out": "Price out"}
        heads |= {name: title for name, title in more.items() if any(name in row for row in rows)}
        print_table([{name: str(row.get(name, "")) for name in heads} for row in rows], heads)
    else:
        print_message("No names are allowed.")


def _change_accounts(
    names: Sequence[str], remove: bool, key: str | None, price_in: float | None, price_out: float | None
) -> None:
    """Change where the keys of servers are, and their prices; removed servers lose both."""
    from core.models.chat import check_address
    from core.models.chat_accounts import chat_accounts

    given = {"key": key, "price_in": price_in, "price_out": price_out}
    changes = {name: value for name, value in given.items() if value is not None}
    if changes.get("key") == _NO_KEY:
        changes["key"] = ""
    if changes and not names:
        raise InputError("Name the server of the key or price: `pyramidion allow URL --key VARIABLE`.")
    for name in names:
        if remove:
            chat_accounts().forget(name)
        elif changes:
            check_address(name)
            chat_accounts().change(name, **changes)


def _account_row(name: str) -> dict[str, str | float]:
    """Return where the key of a server is, and its prices; nothing if it has none."""
    from core.models.chat_accounts import chat_accounts

    account = chat_accounts().of(name)
    prices = {"price_in": account.price_in, "price_out": account.price_out}
    row: dict[str, str | float] = {what: price for what, price in prices.items() if not math.isnan(price)}
    return {"key": account.key, **row} if account.key else row


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


def integrate(
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove the entries, as before Pyramidion is uninstalled.")
    ] = False,
) -> None:
    """Enter Pyramidion into the menu of applications of this Linux desktop.

    Studies then have its icon, and open with a double click or *Open with*; `man pyramidion` shows its page.
    """
    from cli.command_pages import man_page
    from storage.desktop_entries import add_entries, data_folder, remove_entries

    if sys.platform in ("win32", "darwin"):
        raise InputError("Entries are made for desktops of Linux only. Open studies in the window.")
    folder = data_folder()
    try:
        if remove:
            found = remove_entries(folder)
            print_message("The entries are removed." if found else "There are no entries.")
            return
        written = add_entries(folder, _program(), man_page())
    except OSError as error:
        raise InputError(
            f"The entries in {folder} cannot be changed: {error.strerror}. Make the folder writable."
        ) from error
    for path in written:
        print_message(str(path))
    print_message("Pyramidion is in the menu of applications. `pyramidion integrate --remove` undoes it.")


def _program() -> Sequence[str]:
    """Return the words that start this program from any folder, without importing anything from there."""
    one_file, mounted = os.environ.get("APPIMAGE", ""), os.environ.get("APPDIR", "")
    # an AppImage is mounted elsewhere each time; programs that another one starts inherit its variables
    if one_file and mounted and is_within(Path(sys.executable), Path(mounted).resolve()):
        return (one_file,)
    return sys.executable, "-P", "-m", "pyramidion"


def doctor(study: OptionalStudy = None, as_json: Json = False) -> None:
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
    findings += [_package(name) for name in PACKAGES]
    findings += [_extra(name) for name in EXTRAS]
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


def _extra(name: str) -> dict[str, Any]:
    """Return whether an extra is installed, or the command; none is required."""
    what = EXTRAS[name][0]
    found = what if is_installed(name) else f"not installed, for {what}: {command(name)}"
    return _finding(f"Extra {name}", found)


def _model(status: ModelStatus) -> dict[str, Any]:
    """Return the state of a model; a missing model is a problem only if it is required."""
    from core.models.library.inventory import Availability

    is_required = status.name == "minilm" and is_installed("neural")
    found = f"{status.state}, {status.place}" if status.state.is_here else status.problem
    if status.state is Availability.ABSENT and not is_required:
        found = "not installed; see `pyramidion models`"
    is_fine = status.state.is_here or (status.state is Availability.ABSENT and not is_required)
    return _finding(f"Model {status.name}", found, is_fine)


def _finding(what: str, result: str, fine: bool = True) -> dict[str, Any]:
    return {"what": what, "found": result, "fine": fine}
