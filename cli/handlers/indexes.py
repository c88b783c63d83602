"""`pyramidion index` and its verbs."""

from __future__ import annotations

from typing import Any

from cli.console import follow, put_json, put_table, say
from core.formatting.numbers import count_text, counted, size_text
from core.ports import IndexAbout, IndexWish
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
        put_json([_row(one) for one in found])
        return
    if not found:
        say(f"There are no indexes in {store.folder}. Build one: pyramidion index build NAME SOURCE…")
        return
    put_table([_shown(one) for one in found], _HEADS, right=("documents", "tokens", "size"))


def build(wish: IndexWish, *, as_json: bool) -> None:
    """Build an index and say how to use it."""
    made = follow(own_indexes().building(wish), wish.name, "Nothing of the index is left.")
    if as_json:
        put_json(_row(made))
        return
    say(
        f"{made.name} holds {counted(made.documents, 'document')} of {counted(made.tokens, 'word')} "
        f"({size_text(made.bytes)}). Search in it with -m sera:index={made.name}."
    )


def upload(name: str, url: str, mu: float, *, as_json: bool) -> None:
    """Send an index to a server and say how to use it there."""
    address = follow(own_indexes().uploading(name, url, mu), name)
    if as_json:
        put_json({"address": address, "mu": mu})
        return
    more = "" if mu == 2000.0 else f",mu={mu:g}"
    say(f"{name} is on the server. Search in it with -m sera:index={address}{more}.")


def remove(name: str) -> None:
    """Delete an index."""
    own_indexes().remove(name)
    say(f"{name} is removed.")


def _row(one: IndexAbout) -> dict[str, Any]:
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


def _shown(one: IndexAbout) -> dict[str, str]:
    if one.problem:
        return {"name": one.name, "size": size_text(one.bytes), "more": one.problem}
    return {
        "name": one.name,
        "documents": count_text(one.documents),
        "tokens": count_text(one.tokens),
        "size": size_text(one.bytes),
        "analysis": one.analysis,
        "made": one.made,
        "more": ", ".join(one.sources),
    }
