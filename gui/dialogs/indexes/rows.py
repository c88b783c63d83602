"""Rows and details of indexes, as text for the index dialog."""

from __future__ import annotations

from collections.abc import Sequence

from core.formatting.byte_sizes import format_known_bytes
from core.retrieval.index_provider import index_provider
from core.retrieval.index_store import StoredIndex
from core.retrieval.protocols import STUDY_INDEX
from gui.dialogs.indexes.values import IndexDetails, IndexRow
from gui.style.language import tr

STEMMERS = (
    ("porter", tr("Porter stemmer")),
    ("english", tr("English stemmer (Porter 2)")),
    ("none", tr("No stemming")),
)
_OWN = tr("This study's documents")
_WITHOUT = tr(", stop words removed")


def rows_of(indexes: Sequence[StoredIndex], own: int | None) -> list[IndexRow]:
    """Return a row for each index. own: number of documents of the open study, None = no study is open."""
    rows = (
        []
        if own is None
        else [IndexRow(STUDY_INDEX, _OWN, own, 0, 0.0, tr("set in SERA"), "", tr("this study"))]
    )
    return rows + [_row(one) for one in indexes]


def details_of(one: StoredIndex | None, own: int) -> IndexDetails:
    """Return the details of an index. one: None = the documents of the open study."""
    if one is None:
        sentence = tr(
            "SERA searches these documents unless another index is chosen. They are indexed when it runs."
        )
        none = () if own else (tr("The study has no documents. Import documents or build an index."),)
        return IndexDetails(_OWN, tr("%n documents", "", own), (sentence, *none))
    if one.problem:
        return IndexDetails(
            one.name, "", (tr("Folder: {place}", place=one.place),), one.problem, can_remove=True
        )
    lines = (
        tr("To use it, choose {name} as the index of SERA on the Score page.", name=one.name),
        tr(
            "Text analysis: {analysis_text}. Built {made} from {origin}.",
            analysis_text=analysis_text(one.analysis),
            made=one.made,
            origin=_origin(one),
        ),
        *one.notes,
        tr("Folder: {place}", place=one.place),
    )
    command = f"pyramidion index upload {one.name} https://localhost:9200"
    return IndexDetails(one.name, tr("%n documents", "", one.documents), lines, "", command, True)


def analysis_text(analysis: str) -> str:
    """Return a text analysis in words: ``Porter stemmer, stop words removed``."""
    stemmer, _, stops = analysis.partition("-")
    title = dict(STEMMERS).get(stemmer, stemmer)
    return f"{title}{_WITHOUT}" if stops.startswith("without") else tr("{title}, all words", title=title)


def built_message(one: StoredIndex) -> str:
    """Return a sentence that reports a built index."""
    return tr(
        "The index {name} is built: {documents}, {tokens}, {format_known_bytes}.",
        name=one.name,
        documents=tr("%n documents", "", one.documents),
        tokens=tr("%n words", "", one.tokens),
        format_known_bytes=format_known_bytes(one.bytes),
    )


def index_choices() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the values of a setting that names an index, and their titles; the study's own comes first."""
    names = tuple(index_provider().names())
    return (STUDY_INDEX, *names), (_OWN, *names)


def _row(one: StoredIndex) -> IndexRow:
    analysis = "" if one.problem else analysis_text(one.analysis).removesuffix(_WITHOUT)
    origin = tr("not usable") if one.problem else _origin(one)
    return IndexRow(
        one.name, one.name, one.documents, one.tokens, one.bytes, analysis, one.made, origin, one.problem
    )


def _origin(one: StoredIndex) -> str:
    return ", ".join(one.sources)
