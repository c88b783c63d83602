"""Upload of an index to an Elasticsearch server, document by document as analysed words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import InputError, MissingResource
from core.progress import JobSteps, Progress
from core.retrieval.array_index import ArrayIndex
from core.retrieval.index_arrays import IndexArrays
from storage.indexes.elastic_connection import (
    Address,
    RequestTooLarge,
    ServerBusy,
    answers_to,
    check_server,
    connect,
    disk_full,
    is_disk_full,
    patiently,
    reason_of,
)
from storage.indexes.elastic_format import (
    GAP,
    ID,
    PLACE,
    TITLE,
    WORDS,
    IndexMetadata,
    mappings,
    settings,
    term_of,
)
from storage.indexes.elastic_versions import (
    UploadedIndex,
    Version,
    all_versions,
    current_version,
    new_version,
    remove_indexes,
    switch,
    uploaded_indexes,
)

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

MOST_DOCUMENTS, MOST_LETTERS = 500, 4_000_000
"""Maximum size of one request."""

_BLOCK = 1000
"""Number of documents assembled from the arrays at once."""

_MERGING_S = 3600.0

_STARTING = "20s"
"""Time that the server has to start a new index, shorter than that of a request."""


@dataclass(frozen=True, slots=True)
class UploadDocument:
    """A document to be uploaded. place: its number in the index."""

    place: int
    id: str
    title: str
    words: str


def upload(index: ArrayIndex, address: Address, mu: float, *, replaces: bool = False) -> JobSteps[int]:
    """Upload an index, resuming an earlier upload of the same one.

    Its documents arrive in an index of their own, which gets the name when it is complete, so that no part of
    an index is ever searched. replaces: another index of that name is then removed.
    Returns the number of documents on the server. Raises InputError if the name belongs to another index
    there that is not to be replaced.
    """
    client, label = connect(address.server), IndexMetadata.of(index, mu)
    try:
        before = _current(client, address, label, replaces=replaces)
        if before and _is_whole(client, address, before, label):
            yield Progress(
                label.documents, label.documents, f"{label.documents:,} documents already uploaded"
            )
            return label.documents
        own, there = _begun(client, address, label, before)
        yield Progress(there, label.documents, f"{there:,} documents already uploaded")
        for some in _requests(index.arrays, there):
            _send(client, own, some)
            done = some[-1].place + 1
            yield Progress(done, label.documents, f"{done:,} of {label.documents:,} documents")
        yield Progress(label.documents, label.documents, "optimizing on the server")
        _finish(client, own, label)
        if own != address:
            before = _current(client, address, label, replaces=replaces)
            switch(client, address, own.name, before.index if before else "")
    finally:
        client.close()
    return label.documents


def list_uploaded(server: str) -> list[UploadedIndex]:
    """Return the indexes on a server that Pyramidion uploaded or began to upload."""
    check_server(server)
    client = connect(server)
    try:
        return uploaded_indexes(client, server)
    finally:
        client.close()


def delete(address: Address) -> None:
    """Delete an index uploaded by Pyramidion, with its unfinished uploads.

    Raises InputError for any other index, MissingResource if there is none.
    """
    client = connect(address.server)
    try:
        indexes = {version.index for version in all_versions(client, address)}
        try:
            indexes.add(current_version(client, address).index)
        except MissingResource:
            if not indexes:
                raise
        remove_indexes(client, address, indexes)
    finally:
        client.close()


def _current(
    client: Elasticsearch, address: Address, label: IndexMetadata, *, replaces: bool
) -> Version | None:
    """Return the version with the name, None = the name is free.

    Raises InputError if it is another index that is not to be replaced.
    """
    try:
        known = current_version(client, address)
    except MissingResource:
        return None
    if replace(known.metadata, is_complete=False) != label and not replaces:
        raise InputError(
            f"{address.server} already has another index named {address.name} "
            f"({known.metadata.documents:,} documents, "
            f"mu={known.metadata.mu:g}). Choose another name, replace it with --replace, or remove it: "
            f"pyramidion index remove {address}"
        )
    return known


def _begun(
    client: Elasticsearch, address: Address, label: IndexMetadata, before: Version | None
) -> tuple[Address, int]:
    """Return where an upload of the index was begun, and how many documents are already there, in order.

    before: the version with the name; incomplete if it was made when uploads had no versions.
    """
    begun = [before] if before else []
    begun += [one for one in all_versions(client, address) if not before or one.index != before.index]
    for version in reversed(begun):
        own = Address(address.server, version.index)
        if _is_whole(client, address, version, label):
            return own, label.documents
        if version.metadata == label:
            return own, _documents_there(client, own)
    own = Address(address.server, new_version(address))
    options, of = settings(label), mappings(label)
    made = patiently(
        address.server,
        "",
        lambda: client.indices.create(index=own.name, settings=options, mappings=of, timeout=_STARTING),
    )
    if not made["shards_acknowledged"]:
        remove_indexes(client, address, [own.name])
        raise InputError(
            f"{address.server} accepts the index but does not start it within {_STARTING[:-1]} seconds, as "
            "where its disk is nearly full. Ask its administrator, and upload again. Nothing is left there."
        )
    return own, 0


def _is_whole(client: Elasticsearch, address: Address, version: Version, label: IndexMetadata) -> bool:
    """Return whether a version is complete and still has all documents; its own are never added again."""
    if version.metadata != replace(label, is_complete=True):
        return False
    counted = patiently(address.server, address.name, lambda: client.count(index=version.index))
    return int(counted["count"]) == label.documents


def _documents_there(client: Elasticsearch, own: Address) -> int:
    """Return the number of uploaded documents, 0 if some are missing between them."""
    name, ask = own.name, partial(patiently, own.server, own.name)
    ask(lambda: client.indices.refresh(index=name))
    response = ask(
        lambda: client.search(index=name, size=0, track_total_hits=True, aggregations={"last": _LAST})
    )
    count, last = int(response["hits"]["total"]["value"]), response["aggregations"]["last"]["value"]
    return count if last is not None and int(last) + 1 == count else 0


_LAST = {"max": {"field": PLACE}}


def _send(client: Elasticsearch, address: Address, some: Sequence[UploadDocument]) -> None:
    """Upload some documents; existing ones stay unchanged."""

    def create(documents: Sequence[UploadDocument]) -> list[Mapping[str, Any]]:
        lines: list[Mapping[str, Any]] = []
        for one in documents:
            lines.append({"create": {"_id": str(one.place)}})
            lines.append({PLACE: one.place, ID: one.id, TITLE: one.title, WORDS: one.words})
        items = client.bulk(index=address.name, operations=lines)["items"]
        return [item["create"] for item in items]

    try:
        answers = answers_to(address.server, address.name, some, create)
    except ServerBusy as busy:
        raise InputError(f"{busy} Upload the index again to resume.") from None
    except RequestTooLarge as error:
        longest = max(some, key=lambda one: len(one.words)).id
        raise InputError(f"The document {longest!r} does not fit into one request: {error}") from None
    for one, answer in zip(some, answers, strict=True):
        if is_disk_full(str(answer.get("error"))):
            raise disk_full(address.server)
        if answer["status"] not in (200, 201, 409):
            raise InputError(
                f"{address.server} rejected the document {one.id!r} ({reason_of(answer, address.server)}). "
                "Correct it, and upload the index again to resume."
            )


def _finish(client: Elasticsearch, address: Address, label: IndexMetadata) -> None:
    """Make a complete index read-only, so that its ranking never changes."""
    name = address.name
    ask = partial(patiently, address.server, name)
    ask(lambda: client.indices.refresh(index=name))
    there = int(ask(lambda: client.count(index=name))["count"])
    if there != label.documents:
        raise InputError(
            f"{address.server} has {there:,} documents in {name} instead of {label.documents:,}. Remove "
            f"the index and upload it again: pyramidion index remove {address}"
        )
    # one segment, so that deleted documents are not counted
    slow = client.options(request_timeout=_MERGING_S)
    ask(lambda: slow.indices.forcemerge(index=name, max_num_segments=1))
    meta, blocked = replace(label, is_complete=True).as_meta(), {"index": {"blocks.write": True}}
    ask(lambda: client.indices.put_mapping(index=name, meta=meta))
    ask(lambda: client.indices.put_settings(index=name, settings=blocked))
    ask(lambda: client.indices.refresh(index=name))


def _requests(arrays: IndexArrays, start: int) -> Iterator[list[UploadDocument]]:
    """Yield documents from a number on, in batches for one request."""
    some: list[UploadDocument] = []
    letters = 0
    for one in documents(arrays, start):
        if some and (len(some) >= MOST_DOCUMENTS or letters + len(one.words) > MOST_LETTERS):
            yield some
            some, letters = [], 0
        some.append(one)
        letters += len(one.words)
    if some:
        yield some


def documents(arrays: IndexArrays, start: int = 0) -> Iterator[UploadDocument]:
    """Yield documents from a number on, with words in order and a gap for each removed one."""
    for first in range(start, arrays.documents, _BLOCK):
        last = min(first + _BLOCK, arrays.documents)
        low, high = (int(arrays.document_starts[at]) for at in (first, last))
        numbers = _numbers_between(arrays, low, high)
        terms = {int(number): term_of(arrays.terms[int(number)]) for number in np.unique(numbers)}
        terms[-1] = GAP
        for place in range(first, last):
            begin, end = (int(arrays.document_starts[at]) - low for at in (place, place + 1))
            words = " ".join(terms[number] for number in numbers[begin : end - 1].tolist())
            yield UploadDocument(place, arrays.ids[place], arrays.titles[place], words)


def _numbers_between(arrays: IndexArrays, low: int, high: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the number of the word at each position from low to high, -1 = no word."""
    numbers = np.full(high - low, -1, dtype=np.int64)
    inside = np.flatnonzero((arrays.places >= low) & (arrays.places < high))
    places = arrays.places[inside].astype(np.int64) - low
    numbers[places] = np.searchsorted(arrays.place_starts, inside, side="right") - 1
    return numbers
