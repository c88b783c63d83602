"""The command `index` and its subcommands."""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.completion import one_of
from cli.console import print_json, print_message, print_table
from cli.options import Json, Sources
from core.errors import InputError
from core.formatting.numbers import format_count, format_known_bytes, pluralize
from core.progress import run_with_progress

if TYPE_CHECKING:
    from core.retrieval.index_store import ArticlePart, StoredIndex


index = typer.Typer(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}, add_completion=False
)

Name = Annotated[str, typer.Argument(help="Name of the index.", show_default=False)]

_HEADS = {
    "name": "Index",
    "documents": "Documents",
    "tokens": "Words",
    "size": "Size",
    "analysis": "Analysis",
    "made": "Built",
    "more": "Sources",
}


_UPLOADED_HEADS = {"name": "Index", "documents": "Documents", "total": "of", "mu": "mu", "status": "Status"}


class StemmerName(StrEnum):
    """Stemmers."""

    PORTER = "porter"
    ENGLISH = "english"
    NONE = "none"


@index.callback(invoke_without_command=True)
def list_(
    context: typer.Context,
    server: Annotated[
        str,
        typer.Option(
            metavar="URL", help="List what is uploaded to an Elasticsearch server, also unfinished uploads."
        ),
    ] = "",
    as_json: Json = False,
) -> None:
    """Manage document indexes for the metric SERA.

    Without a command, list the indexes on this computer, or on a server. Score with -m sera:index=NAME, or
    with index=elasticsearch:URL/NAME for an index on a server. Indexes are stored in $PYRAMIDION_INDEXES.
    """
    if context.invoked_subcommand is not None:
        return
    if server:
        _list_uploaded(server.rstrip("/"), as_json=as_json)
        return
    from storage.indexes.index_folder import own_indexes

    store = own_indexes()
    indexes = store.list_indexes()
    if as_json:
        print_json([_row(one) for one in indexes])
        return
    if not indexes:
        print_message(f"No indexes in {store.folder}. Build one: pyramidion index build NAME SOURCE…")
        return
    print_table([_cells(one) for one in indexes], _HEADS, right=("documents", "tokens", "size"))


def _list_uploaded(server: str, *, as_json: bool) -> None:
    from core.retrieval.protocols import SERVER_SCHEME
    from storage.indexes.elastic_upload import list_uploaded

    uploaded = list_uploaded(server)
    if as_json:
        print_json([asdict(one) for one in uploaded])
        return
    if not uploaded:
        print_message(f"{server} has no index that Pyramidion uploaded.")
        return
    unfinished = f"unfinished: upload the index again, or pyramidion index remove {SERVER_SCHEME}{server}/"
    cells = [
        {
            "name": one.name,
            "documents": format_count(one.documents),
            "total": format_count(one.total),
            "mu": f"{one.mu:g}",
            "status": "complete" if one.is_complete else f"{unfinished}{one.name}",
        }
        for one in uploaded
    ]
    print_table(cells, _UPLOADED_HEADS, right=("documents", "total", "mu"))


@index.command()
def build(
    name: Name,
    sources: Sources,
    id_column: Annotated[
        str, typer.Option("--id", metavar="COLUMN", help="Column of document ids. Default: id, docno, pmid …")
    ] = "",
    title_column: Annotated[
        str, typer.Option("--title", metavar="COLUMN", help="Column of titles. Default: title, if present.")
    ] = "",
    text_column: Annotated[
        str, typer.Option("--text", metavar="COLUMN", help="Column of texts. Default: text, abstract, body …")
    ] = "",
    stemmer: Annotated[
        StemmerName,
        typer.Option(
            metavar="<porter|english|none>",
            help="Stemmer: Porter, its English successor (Porter2), or none.",
            **one_of(StemmerName),
        ),
    ] = StemmerName.PORTER,
    stop_words: Annotated[
        bool, typer.Option("--keep-stop-words", help="Also index English stop words.")
    ] = False,
    parts: Annotated[
        str,
        typer.Option(
            metavar="PARTS",
            help="Indexed parts of PubMed citations and PMC articles: title, abstract, body, "
            "separated by commas.",
        ),
    ] = "abstract",
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite an existing index.")] = False,
    as_json: Json = False,
) -> None:
    """Build an index of documents.

    Sources are folders of .txt files, tables (.csv, .tsv, .jsonl), studies, and files of PubMed and PMC:
    MEDLINE baseline and update files (.xml), articles (.nxml), archives of articles (.tar, .tar.gz), or
    folders of these. Tables and XML files may be compressed (.gz).

    If interrupted with Ctrl+C, nothing is stored. If killed, the same command continues the build.
    """
    from core.retrieval.analysis import Analysis
    from core.retrieval.index_store import DocumentColumns, IndexRequest
    from storage.indexes.index_folder import own_indexes

    analysis = Analysis(stemmer.value, drop_stop_words=not stop_words)
    columns = DocumentColumns(id_column, title_column, text_column)
    request = IndexRequest(name, tuple(sources), analysis, columns, replace, _parts(parts))
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


def _parts(text: str) -> tuple[ArticlePart, ...]:
    """Return parts separated by commas, in their usual order. Raises InputError for an unknown one."""
    from core.retrieval.index_store import ARTICLE_PARTS

    names = {name.strip() for name in text.split(",")}
    if unknown := sorted(names.difference(ARTICLE_PARTS)):
        raise InputError(f"--parts: {unknown[0]!r} is not a part. Use {', '.join(ARTICLE_PARTS)}.")
    return tuple(part for part in ARTICLE_PARTS if part in names)


@index.command()
def upload(
    name: Name,
    url: Annotated[
        str,
        typer.Argument(
            metavar="URL",
            help="Server, such as https://localhost:9200; append /NAME to use another name there.",
            show_default=False,
        ),
    ],
    mu: Annotated[
        float,
        typer.Option(
            metavar="MU", min=0.001, help="Smoothing of the ranking on the server; cannot be changed later."
        ),
    ] = 2000.0,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Remove another index of this name once the new one is complete."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Upload an index to an Elasticsearch server (8 or 9).

    An interrupted upload continues where it stopped; until it is complete, an index of the same name
    remains in use. Credentials are read from the environment:
    PYRAMIDION_ELASTICSEARCH_API_KEY, or PYRAMIDION_ELASTICSEARCH_USER and
    PYRAMIDION_ELASTICSEARCH_PASSWORD. They are sent only to the host in PYRAMIDION_ELASTICSEARCH_HOST
    (default: this computer). PYRAMIDION_ELASTICSEARCH_CA is the file of a private certificate authority,
    PYRAMIDION_ELASTICSEARCH_FINGERPRINT the SHA-256 fingerprint of the server's certificate.
    Forbidden by `pyramidion models offline on`.
    """
    from storage.indexes.index_folder import own_indexes

    address = run_with_progress(own_indexes().uploading(name, url, mu, replaces=replace), name)
    if as_json:
        print_json({"address": address, "mu": mu})
        return
    more = "" if mu == 2000.0 else f",mu={mu:g}"
    print_message(f"Uploaded {name}. Score with -m sera:index={address}{more}.")


@index.command()
def remove(
    name: Annotated[
        str, typer.Argument(help="Name of the index, or elasticsearch:URL/NAME.", show_default=False)
    ],
) -> None:
    """Delete an index on this computer or a server.

    Scores computed with it are kept.
    """
    from storage.indexes.index_folder import own_indexes

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
