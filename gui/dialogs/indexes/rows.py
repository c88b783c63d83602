"""What the list of indexes says of each."""

from __future__ import annotations

from collections.abc import Sequence

from core.formatting.numbers import counted, size_text
from core.ports import IndexAbout
from core.retrieval.index_provider import indexes_at_hand
from core.retrieval.protocols import STUDY
from gui.dialogs.indexes.values import IndexRow, IndexSheet

STEMMERS = (("porter", "Porter's stems"), ("english", "Newer English stems"), ("none", "Whole words"))
_OWN = "This study's documents"
_WITHOUT = ", without stop words"


def rows_of(found: Sequence[IndexAbout], own: int | None) -> list[IndexRow]:
    """A row for each index. own: documents of the open study, None = no study is open."""
    rows = [] if own is None else [IndexRow(STUDY, _OWN, own, 0, 0.0, "as SERA is set", "", "this study")]
    return rows + [_row(one) for one in found]


def sheet_of(one: IndexAbout | None, own: int) -> IndexSheet:
    """An index in full. one: None = the open study's own."""
    if one is None:
        sentence = "SERA searches in them where nothing else is chosen. They are read when it runs."
        none = () if own else ("The study has no documents: import some, or build an index.",)
        return IndexSheet(_OWN, counted(own, "document"), (sentence, *none))
    if one.problem:
        return IndexSheet(one.name, "", (f"It lies in {one.place}",), one.problem, can_remove=True)
    lines = (
        f"Choose {one.name} as the index of SERA, under Score.",
        f"Words: {words_of(one.analysis)}. Built {one.made} from {_origin(one)}.",
        f"It lies in {one.place}",
    )
    command = f"pyramidion index upload {one.name} https://localhost:9200"
    return IndexSheet(one.name, counted(one.documents, "document"), lines, "", command, True)


def words_of(analysis: str) -> str:
    """How words are made, for people: ``Porter's stems, without stop words``."""
    stemmer, _, stops = analysis.partition("-")
    title = dict(STEMMERS).get(stemmer, stemmer)
    return f"{title}{_WITHOUT}" if stops.startswith("without") else f"{title}, all of them"


def told(one: IndexAbout) -> str:
    """That an index is built, in a sentence."""
    return (
        f"The index {one.name} is built: {counted(one.documents, 'document')}, "
        f"{counted(one.tokens, 'word')}, {size_text(one.bytes)}."
    )


def index_choices() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a setting that names an index may be, and what people call it: the study's own comes first."""
    names = tuple(indexes_at_hand().names())
    return (STUDY, *names), (_OWN, *names)


def _row(one: IndexAbout) -> IndexRow:
    words = "" if one.problem else words_of(one.analysis).removesuffix(_WITHOUT)
    origin = "cannot be used" if one.problem else _origin(one)
    return IndexRow(
        one.name, one.name, one.documents, one.tokens, one.bytes, words, one.made, origin, one.problem
    )


def _origin(one: IndexAbout) -> str:
    return ", ".join(one.sources)
