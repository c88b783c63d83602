"""`pyramidion index` and its verbs."""

from __future__ import annotations

from typing import Any

from cli.console import print_json, print_message, print_table, run_with_progress
from core.formatting.byte_sizes import format_known_bytes
from core.formatting.numbers import format_count, pluralize
from core.retrieval.index_store import IndexRequest, StoredIndex
from storage.indexes.index_folder import own_indexes

_HEADS = {
    "name": "Index",
    "documents": "Documents",
    "tokens": "Words",
    "size": "Size",
    "analysis": "Words made",
    "made": "Built",
    "more": "From",
}


def list_indexes(*, as_json: bool) -> None:
    """Show every index: documents, words and how they are made, size, or what is wrong with it."""
    store = own_indexes()
    found = store.listed()
    if as_json:
        print_json([_row(one) for one in found])
        return
    if not found:
        print_message(
            f"There are no indexes in {store.folder}. Build one: pyramidion index build NAME SOURCE…"
        )
        return
    print_table([_shown(one) for one in found], _HEADS, right=("documents", "tokens", "size"))


def build(wish: IndexRequest, *, as_json: bool) -> None:
    """Build an index and say how to use it."""
    made = run_with_progress(own_indexes().building(wish), wish.name, "Nothing of the index is left.")
    if as_json:
        print_json(_row(made))
        return
    print_message(
        f"{made.name} holds {pluralize(made.documents, 'document')} of {pluralize(made.tokens, 'word')} "
        f"({format_known_bytes(made.bytes)}). Search in it with -m sera:index={made.name}."
    )


def upload(name: str, url: str, mu: float, *, as_json: bool) -> None:
    """Send an index to a server and say how to use it there."""
    address = run_with_progress(own_indexes().uploading(name, url, mu), name)
    if as_json:
        print_json({"address": address, "mu": mu})
        return
    more = "" if mu == 2000.0 else f",mu={mu:g}"
    print_message(f"{name} is on the server. Search in it with -m sera:index={address}{more}.")


def remove(name: str) -> None:
    """Delete an index."""
    own_indexes().remove(name)
    print_message(f"{name} is removed.")


def _row(one: StoredIndex) -> dict[str, Any]:
    return {
        "name": one.name,
        "place": str(one.place),
        "documents": one.documents,
        "tokens": one.tokens,
        "bytes": one.bytes,
        "analysis": one.analysis,
        "made": one.made,
        "sources": list(one.sources),
        "fingerprint": one.fingerprint,
        "problem": one.problem,
    }


def _shown(one: StoredIndex) -> dict[str, str]:
    if one.problem:
        return {"name": one.name, "size": format_known_bytes(one.bytes), "more": one.problem}
    return {
        "name": one.name,
        "documents": format_count(one.documents),
        "tokens": format_count(one.tokens),
        "size": format_known_bytes(one.bytes),
        "analysis": one.analysis,
        "made": one.made,
        "more": ", ".join(one.sources),
    }
