"""Subcommands of `pyramidion index`; handlers are imported on use."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from cli.options.common import Json, Sources

index = typer.Typer(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}, add_completion=False
)

Name = Annotated[str, typer.Argument(help="Name of the index.", show_default=False)]


class StemmerName(StrEnum):
    """Stemmers."""

    PORTER = "porter"
    ENGLISH = "english"
    NONE = "none"


@index.callback(invoke_without_command=True)
def list_(context: typer.Context, as_json: Json = False) -> None:
    """Manage document indexes for the metric SERA.

    Without a command, list the indexes on this computer. Score with -m sera:index=NAME, or with
    index=elasticsearch:URL/NAME for an index on a server. Indexes are stored in $PYRAMIDION_INDEXES.
    """
    from cli.handlers.indexes import list_indexes

    if context.invoked_subcommand is None:
        list_indexes(as_json=as_json)


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
        StemmerName, typer.Option(help="Stemmer: Porter, its English successor (Porter2), or none.")
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
    from cli.handlers.indexes import build as run
    from cli.handlers.indexes import parts_of
    from core.retrieval.analysis import Analysis
    from core.retrieval.index_store import DocumentColumns, IndexRequest

    analysis = Analysis(stemmer.value, drop_stop_words=not stop_words)
    columns = DocumentColumns(id_column, title_column, text_column)
    request = IndexRequest(name, tuple(sources), analysis, columns, replace, parts_of(parts))
    run(request, as_json=as_json)


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
    from cli.handlers.indexes import upload as run

    run(name, url, mu, replaces=replace, as_json=as_json)


@index.command()
def remove(
    name: Annotated[
        str, typer.Argument(help="Name of the index, or elasticsearch:URL/NAME.", show_default=False)
    ],
) -> None:
    """Delete an index on this computer or a server.

    Scores computed with it are kept.
    """
    from cli.handlers.indexes import remove as run

    run(name)
