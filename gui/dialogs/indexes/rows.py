"""What the list of indexes says of each."""

from __future__ import annotations

from collections.abc import Sequence

from core.formatting.byte_sizes import format_known_bytes
from core.formatting.numbers import pluralize
from core.retrieval.index_provider import index_provider
from core.retrieval.index_store import StoredIndex
from core.retrieval.protocols import STUDY_INDEX
from gui.dialogs.indexes.values import IndexDetails, IndexRow

STEMMERS = (("porter", "Porter's stems"), ("english", "Newer English stems"), ("none", "Whole words"))
_OWN = "This study's documents"
_WITHOUT = ", without stop words"


def rows_of(found: Sequence[StoredIndex], own: int | None) -> list[IndexRow]:
    """A row for each index. own: documents of the open study, None = no study is open."""
    rows = (
        [] if own is None else [IndexRow(STUDY_INDEX, _OWN, own, 0, 0.0, "as SERA is set", "", "this study")]
    )
    return rows + [_row(one) for one in found]


def details_of(one: StoredIndex | None, own: int) -> IndexDetails:
    """An index in full. one: None = the open study's own."""
    if one is None:
        sentence = "SERA searches in them where nothing else is chosen. They are read when it runs."
        none = () if own else ("The study has no documents: import some, or build an index.",)
        return IndexDetails(_OWN, pluralize(own, "document"), (sentence, *none))
    if one.problem:
        return IndexDetails(one.name, "", (f"Folder: {one.place}",), one.problem, can_remove=True)
    lines = (
        f"Choose {one.name} as the index of SERA, under Score.",
        f"Words: {words_of(one.analysis)}. Built {one.made} from {_origin(one)}.",
        f"Folder: {one.place}",
    )
    command = f"pyramidion index upload {one.name} https://localhost:9200"
    return IndexDetails(one.name, pluralize(one.documents, "document"), lines, "", command, True)


def words_of(analysis: str) -> str:
    """How words are made, for people: ``Porter's stems, without stop words``."""
    stemmer, _, stops = analysis.partition("-")
    title = dict(STEMMERS).get(stemmer, stemmer)
    return f"{title}{_WITHOUT}" if stops.startswith("without") else f"{title}, all of them"


def told(one: StoredIndex) -> str:
    """That an index is built, in a sentence."""
    return (
        f"The index {one.name} is built: {pluralize(one.documents, 'document')}, "
        f"{pluralize(one.tokens, 'word')}, {format_known_bytes(one.bytes)}."
    )


def index_choices() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a setting that names an index may be, and what people call it: the study's own comes first."""
    names = tuple(index_provider().names())
    return (STUDY_INDEX, *names), (_OWN, *names)


def _row(one: StoredIndex) -> IndexRow:
    words = "" if one.problem else words_of(one.analysis).removesuffix(_WITHOUT)
    origin = "cannot be used" if one.problem else _origin(one)
    return IndexRow(
        one.name, one.name, one.documents, one.tokens, one.bytes, words, one.made, origin, one.problem
    )


def _origin(one: StoredIndex) -> str:
    return ", ".join(one.sources)
