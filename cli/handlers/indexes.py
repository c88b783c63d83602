"""`pyramidion index` and its subcommands."""

from __future__ import annotations

from typing import Any

from cli.console import print_json, print_message, print_table, run_with_progress
from core.errors import InputError
from core.formatting.byte_sizes import format_known_bytes
from core.formatting.numbers import format_count, pluralize
from core.retrieval.index_store import ARTICLE_PARTS, ArticlePart, IndexRequest, StoredIndex
from storage.indexes.index_folder import own_indexes

_HEADS = {
    "name": "Index",
    "documents": "Documents",
    "tokens": "Words",
    "size": "Size",
    "analysis": "Analysis",
    "made": "Built",
    "more": "Sources",
}


def list_indexes(*, as_json: bool) -> None:
    """List all indexes with documents, words, size and text analysis, or their problem."""
    store = own_indexes()
    indexes = store.list_indexes()
    if as_json:
        print_json([_row(one) for one in indexes])
        return
    if not indexes:
        print_message(f"No indexes in {store.folder}. Build one: pyramidion index build NAME SOURCE…")
        return
    print_table([_cells(one) for one in indexes], _HEADS, right=("documents", "tokens", "size"))


def build(request: IndexRequest, *, as_json: bool) -> None:
    """Build an index and show how to use it."""
    store = own_indexes()
    if sentence := store.interruption(request):
        print_message(sentence)
    made = run_with_progress(store.build(request), request.name, "Nothing was stored.")
    if as_json:
        print_json(_row(made))
        return
    for note in made.notes:
        print_message(note)
    print_message(
        f"Built {made.name}: {pluralize(made.documents, 'document')}, {pluralize(made.tokens, 'word')}, "
        f"{format_known_bytes(made.bytes)}. Score with -m sera:index={made.name}."
    )


def parts_of(text: str) -> tuple[ArticlePart, ...]:
    """Return parts separated by commas, in their usual order. Raises InputError for an unknown one."""
    names = {name.strip() for name in text.split(",")}
    if unknown := sorted(names.difference(ARTICLE_PARTS)):
        raise InputError(f"--parts: {unknown[0]!r} is not a part. Use {', '.join(ARTICLE_PARTS)}.")
    return tuple(part for part in ARTICLE_PARTS if part in names)


def upload(name: str, url: str, mu: float, *, replaces: bool, as_json: bool) -> None:
    """Upload an index to a server and show how to use it there."""
    address = run_with_progress(own_indexes().uploading(name, url, mu, replaces=replaces), name)
    if as_json:
        print_json({"address": address, "mu": mu})
        return
    more = "" if mu == 2000.0 else f",mu={mu:g}"
    print_message(f"Uploaded {name}. Score with -m sera:index={address}{more}.")


def remove(name: str) -> None:
    """Delete an index."""
    own_indexes().remove(name)
    print_message(f"Deleted index {name}.")


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
        "notes": list(one.notes),
    }


def _cells(one: StoredIndex) -> dict[str, str]:
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
