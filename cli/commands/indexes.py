"""The commands below `pyramidion index`; `cli.handlers.indexes` runs them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cli.options.common import Json

index = typer.Typer(context_settings={"help_option_names": ["-h", "--help"]}, add_completion=False)

Name = Annotated[str, typer.Argument(help="What the index is called.", show_default=False)]


class StemmerName(StrEnum):
    """How words lose their endings."""

    PORTER = "porter"
    ENGLISH = "english"
    NONE = "none"


@index.callback(invoke_without_command=True)
def list_(context: typer.Context, as_json: Json = False) -> None:
    """Indexes of documents, in which SERA searches: list those on this computer, build, send, remove.

    Score with -m sera:index=NAME, or with index=elasticsearch:URL/NAME for one on a server.
    PYRAMIDION_INDEXES says where they are kept.
    """
    from cli.handlers.indexes import list_indexes

    if context.invoked_subcommand is None:
        list_indexes(as_json=as_json)


@index.command()
def build(
    name: Name,
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="SOURCE…",
            help="Folders of .txt files, tables (.csv, .tsv, .jsonl), studies (.pyramidion).",
            show_default=False,
        ),
    ],
    id_column: Annotated[
        str, typer.Option("--id", help="What tables call a document's id. Default: id, docno, pmid …")
    ] = "",
    title_column: Annotated[
        str, typer.Option("--title", help="What tables call its title. Default: title; it may be absent.")
    ] = "",
    text_column: Annotated[
        str, typer.Option("--text", help="What tables call its text. Default: text, abstract, body …")
    ] = "",
    stemmer: Annotated[
        StemmerName, typer.Option(help="Porter's stems, those of its successor for English, or none.")
    ] = StemmerName.PORTER,
    stop_words: Annotated[
        bool, typer.Option("--keep-stop-words", help="Index the English stop words too.")
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="An index that has this name already may go.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Build an index of documents; stopped with Ctrl+C, it leaves nothing."""
    from cli.handlers.indexes import build as run
    from core.retrieval.analysis import Analysis
    from core.retrieval.index_store import DocumentColumns, IndexRequest

    analysis = Analysis(stemmer.value, drop_stop_words=not stop_words)
    columns = DocumentColumns(id_column, title_column, text_column)
    run(IndexRequest(name, tuple(sources), analysis, columns, replace), as_json=as_json)


@index.command()
def upload(
    name: Name,
    url: Annotated[
        str,
        typer.Argument(
            metavar="URL",
            help="The server, as https://localhost:9200; with /OTHER behind it, that is its name there.",
            show_default=False,
        ),
    ],
    mu: Annotated[
        float, typer.Option(min=0.001, help="How strongly the server smooths its ranking; then fixed.")
    ] = 2000.0,
    as_json: Json = False,
) -> None:
    """Send an index to an Elasticsearch server (8 or 9); stopped, the next one goes on where it was.

    Credentials come from the environment alone: PYRAMIDION_ELASTICSEARCH_API_KEY, or
    PYRAMIDION_ELASTICSEARCH_USER and PYRAMIDION_ELASTICSEARCH_PASSWORD, and are sent only to the host in
    PYRAMIDION_ELASTICSEARCH_HOST, or to this computer without it. PYRAMIDION_ELASTICSEARCH_CA names the file
    of an authority that the system does not know. `pyramidion models offline on` forbids it.
    """
    from cli.handlers.indexes import upload as run

    run(name, url, mu, as_json=as_json)


@index.command()
def remove(
    name: Annotated[
        str, typer.Argument(help="Its name here, or elasticsearch:URL/NAME.", show_default=False)
    ],
) -> None:
    """Delete an index, here or on a server. What was scored with it stays."""
    from cli.handlers.indexes import remove as run

    run(name)
