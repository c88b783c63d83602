"""`pyramidion allow`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cli.console import print_json, print_message, print_table
from core.errors import InputError
from core.files.allowed_names import NameKind, allowed_names
from core.files.study_address import ServerAddress, parse_study_address
from storage.indexes.elastic_connection import address_of, check_server, is_address

_TITLES = {NameKind.PLACE: "file or folder", NameKind.STUDY: "study", NameKind.SERVER: "search server"}


def allow(names: Sequence[str], *, remove: bool, as_json: bool) -> None:
    """Allow names that studies contain, or remove them from the list; list what is allowed.

    Raises InputError for a name that is not in the list, and where the list cannot be written.
    """
    known = allowed_names()
    for name in names:
        if not remove:
            for kind, each in _kinds(name):
                known.allow(kind, each)
        elif not known.forget(name):
            raise InputError(f"{name} is not in the list. `pyramidion allow` shows it.")
    rows = [(kind, name) for kind, listed in known.listed().items() if kind in _TITLES for name in listed]
    if as_json:
        print_json({"allowed": [{"kind": _TITLES[kind], "name": name} for kind, name in rows]})
    elif rows:
        print_table(
            [{"name": name, "kind": _TITLES[kind]} for kind, name in rows], {"name": "Name", "kind": "As"}
        )
    else:
        print_message("No names are allowed.")


def _kinds(name: str) -> list[tuple[NameKind, str]]:
    """Return what a name can be allowed as. Raises InputError for a URL of neither a study nor a server."""
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
