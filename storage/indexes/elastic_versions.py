"""Versions of an index on a server: each upload makes its own, and an alias names the one that is searched.

The alias of NAME is moved in one step and only to a complete version. Earlier versions of Pyramidion uploaded
to an index NAME itself, which is read as before.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from core.errors import InputError, MissingResource
from storage.indexes.elastic_connection import Address, check_name, patiently, reading
from storage.indexes.elastic_format import IndexMetadata, read_metadata

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch


_VERSION = re.compile(r"(.+)-\d{20}-[0-9a-f]{8}")
"""Own name of a version: that of the index, when it was begun, and a random number."""


@dataclass(frozen=True, slots=True)
class Version:
    """An index on a server. index: its own name there."""

    index: str
    metadata: IndexMetadata


@dataclass(frozen=True, slots=True)
class UploadedIndex:
    """An index that Pyramidion uploaded to a server, or began to.

    name: under which it is searched. documents, total: there, and in all.
    """

    name: str
    documents: int
    total: int
    mu: float
    is_complete: bool


def uploaded_indexes(client: Elasticsearch, server: str) -> list[UploadedIndex]:
    """Return what Pyramidion uploaded to a server, by name, the oldest version first."""
    found = []
    for address, version in _versions_on(client, server):
        own = Address(server, version.index)
        label = version.metadata
        there = label.documents if label.is_complete else count_documents(client, own)
        found.append(UploadedIndex(address.name, there, label.documents, label.mu, label.is_complete))
    return found


def count_documents(client: Elasticsearch, own: Address) -> int:
    """Return how many documents an index has, with those that are not searchable yet."""
    ask = partial(patiently, own.server, own.name)
    ask(lambda: client.indices.refresh(index=own.name))
    return int(ask(lambda: client.count(index=own.name))["count"])


def new_version(address: Address) -> str:
    """Return a name for a new version of an index. Raises InputError if the name is too long."""
    index = f"{address.name}-{datetime.now(UTC):%Y%m%d%H%M%S%f}-{secrets.token_hex(4)}"
    check_name(index)
    return index


def current_version(client: Elasticsearch, address: Address) -> Version:
    """Return the version that is searched. Raises MissingResource if there is none, InputError."""
    name = address.name
    try:
        response = patiently(address.server, name, lambda: client.indices.get_mapping(index=name))
    except MissingResource as missing:
        raise _unfinished(client, address) or missing from None
    with reading(address.server):
        found = list(response.body.items())
    if len(found) != 1:
        raise InputError(
            f"{name} on {address.server} is an alias of several indexes. Upload the index under another "
            "name: pyramidion index upload"
        )
    ((index, one),) = found
    return Version(index, read_metadata(_mapping_of(one), address))


def _mapping_of(answer: Any) -> Mapping[str, Any]:
    """Return the mapping in a server's answer, empty if there is none: any program may answer."""
    mapping = answer.get("mappings") if isinstance(answer, Mapping) else None
    return mapping if isinstance(mapping, Mapping) else {}


def all_versions(client: Elasticsearch, address: Address) -> list[Version]:
    """Return the versions of a name that Pyramidion uploaded, the oldest first."""
    found = _versions_on(client, address.server, f"{address.name}-*")
    return [version for own, version in found if own.name == address.name]


def _versions_on(client: Elasticsearch, server: str, pattern: str = "*") -> list[tuple[Address, Version]]:
    """Return the indexes on a server that Pyramidion uploaded, each with the address of its name."""
    response = patiently(server, "", lambda: client.indices.get_mapping(index=pattern))
    versions = []
    for index in sorted(response.body):
        address = Address(server, own[1] if (own := _VERSION.fullmatch(index)) else index)
        try:
            metadata = read_metadata(_mapping_of(response[index]), address)
        except InputError:  # somebody else's
            continue
        if own is not None or pattern == "*":
            versions.append((address, Version(index, metadata)))
    return versions


def switch(client: Elasticsearch, address: Address, index: str, before: str) -> None:
    """Let the alias name a version instead of the one before (empty = none); remove that and older ones."""
    name = address.name
    actions: list[dict[str, Any]] = [{"add": {"index": index, "alias": name}}]
    if before == name:  # an index cannot have the name of an alias
        actions.insert(0, {"remove_index": {"index": before}})
    elif before:
        actions.insert(0, {"remove": {"index": before, "alias": name}})
    patiently(address.server, name, lambda: client.indices.update_aliases(actions=actions))
    older = [version.index for version in all_versions(client, address) if version.index < index]
    remove_indexes(client, address, {*older, before} - {name, index, ""})


def remove_indexes(client: Elasticsearch, address: Address, indexes: Collection[str]) -> None:
    """Delete indexes by their own names; one that is no longer there is no error."""
    ask = partial(patiently, address.server, address.name)
    for index in sorted(indexes):
        ask(partial(client.indices.delete, index=index, ignore_unavailable=True))


def _unfinished(client: Elasticsearch, address: Address) -> MissingResource | None:
    """Return the error for an index of which only incomplete versions are on the server."""
    if not (versions := all_versions(client, address)):
        return None
    total = versions[-1].metadata.documents
    return MissingResource(
        f"The upload of {address.name} ({total:,} documents) to {address.server} is not finished. Resume it: "
        f"pyramidion index upload INDEX {address.server}/{address.name}"
    )
