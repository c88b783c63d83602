"""Streaming readers of documents for an index: folders of text files, tables, studies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.errors import InputError
from core.files.study_address import StudyAddress
from core.formatting.tables import unescape_formula
from core.progress import Progress
from core.retrieval.index_store import TABLE_SUFFIXES, DocumentColumns
from core.retrieval.protocols import SourceDocument
from core.retrieval.study_index import study_documents
from storage.formats.readers.csv_records import cells_of, header_of, is_json
from storage.formats.readers.fields import Problems, Row, json_object, lines, name_field, new_text, text_field
from storage.formats.readers.text_folders import text_of

STUDY_SUFFIX = ".pyramidion"
_USUAL = {
    "id": ("id", "doc_id", "docid", "document_id", "docno", "_id", "pmid", "pmcid"),
    "title": ("title", "headline", "name"),
    "text": ("text", "abstract", "body", "content", "contents", "article", "document"),
}
"""Usual column names, most likely first."""


@dataclass
class DocumentReader:
    """The documents of several sources, in order; iterating reads them, once.

    done, total: bytes, estimated. is_reading: until the last document is read.
    Iterating raises InputError if a source is missing or of an unknown kind, BadImport with all problems of a
    table.
    """

    sources: Sequence[StudyAddress]
    columns: DocumentColumns = field(default_factory=DocumentColumns)
    done: float = 0.0
    total: float = 0.0
    note: str = ""
    is_reading: bool = True
    _seen: set[str] = field(default_factory=set)

    @property
    def progress(self) -> Progress:
        """The current progress."""
        return Progress(self.done, max(self.total, 1.0), self.note)

    def __iter__(self) -> Iterator[SourceDocument]:
        readers = [(source, _reader(source)) for source in self.sources]
        sizes = {source: _size(source) for source in self.sources}
        self.total = float(sum(sizes.values()))
        before = 0.0
        for source, read in readers:
            problems = Problems(source.name)
            self.note = source.name
            for found in read(self, problems):
                if self._is_new(found, problems):
                    yield found
            problems.stop_if_any()
            before += sizes[source]
            self.done = before
        self.is_reading = False

    def _is_new(self, document: SourceDocument, problems: Problems) -> bool:
        if document.id in self._seen:
            problems.add(
                "id", f"Two documents have the id {document.id!r}.", "Give each document a unique id."
            )
            return False
        self._seen.add(document.id)
        return True


_Read = Callable[[DocumentReader, Problems], Iterator[SourceDocument]]
_ReadFile = Callable[[DocumentReader, Path, Problems], Iterator[SourceDocument]]


def _reader(source: StudyAddress) -> _Read:
    """Return the reader of a source.

    Raises InputError if there is none.
    """
    if isinstance(source, Path) and (read := _file_reader(source)) is not None:
        return lambda pile, problems: read(pile, source, problems)
    return lambda pile, problems: _study(pile, source)


def _file_reader(path: Path) -> _ReadFile | None:
    """Return the reader of a file or folder, None = it is a study. Raises InputError as `_reader`."""
    if path.is_dir():
        return _folder
    if not path.exists():
        raise InputError(f"{path} does not exist. Check the name.")
    if path.suffix.lower() == STUDY_SUFFIX:
        return None
    if path.suffix.lower() == ".txt":
        return _text_file
    if path.suffix.lower() not in TABLE_SUFFIXES:
        raise InputError(
            f"An index cannot be built from {path.name}. Choose a folder of .txt files, a "
            f"table ({', '.join(TABLE_SUFFIXES)}) or a study ({STUDY_SUFFIX})."
        )
    return _json_table if is_json(path) else _table


def _folder(pile: DocumentReader, path: Path, problems: Problems) -> Iterator[SourceDocument]:
    """Read each .txt file at any depth, named by its path in the folder."""
    files = _text_files(path)
    if not files:
        raise InputError(f"{path} contains no .txt files. Choose another folder.")
    for file in files:
        name = file.relative_to(path).with_suffix("").as_posix()
        yield from _one_text(pile, file, name, problems)


def _text_file(pile: DocumentReader, path: Path, problems: Problems) -> Iterator[SourceDocument]:
    yield from _one_text(pile, path, path.stem, problems)


def _one_text(pile: DocumentReader, file: Path, name: str, problems: Problems) -> Iterator[SourceDocument]:
    problems.place = file.name
    content = text_of(file, problems)
    pile.done += file.stat().st_size
    if content is not None:
        yield SourceDocument(name, "", content)


def _table(pile: DocumentReader, path: Path, problems: Problems) -> Iterator[SourceDocument]:
    """Yield each record of a CSV or TSV file."""
    cells = cells_of(path, problems)
    header = header_of(cells)
    problems.stop_if_any()
    names = _names(header, pile.columns, problems)
    before, records = pile.done, 0
    for number, values in cells:
        if len(values) != len(header):
            what = f"{len(values)} cells under {len(header)} columns."
            problems.add("", what, "Put cells that contain the separator in quotes.")
            continue
        records, pile.note = records + 1, f"{path.name}, line {number}"
        pile.done += sum(map(len, values))
        yield from _document(dict(zip(header, map(unescape_formula, values), strict=True)), names, problems)
    pile.done = before
    problems.stop_if_any()


def _json_table(pile: DocumentReader, path: Path, problems: Problems) -> Iterator[SourceDocument]:
    """Read each object of a JSONL file."""
    names: dict[str, str] | None = None
    for number, line in lines(path, problems):
        pile.done += len(line)
        row = json_object(line, problems) if line.strip() else None
        if row is None:
            continue
        if names is None:
            names = _names(list(row), pile.columns, problems)
        pile.note = f"{path.name}, line {number}"
        yield from _document(row, names, problems)


def _document(row: Row, names: dict[str, str], problems: Problems) -> Iterator[SourceDocument]:
    """Read a row's document.

    Adds a problem if it has no id or no text.
    """
    name = name_field(row, names["id"], problems)
    title = text_field(row, names["title"], problems, required=False) if names.get("title") else ""
    text = new_text(row.get(names["text"]), names["text"], problems)
    if name and text is not None:
        yield SourceDocument(name, " ".join(title.split()), text.content)


def _names(header: Sequence[str], columns: DocumentColumns, problems: Problems) -> dict[str, str]:
    """Map our columns to the table's; raises BadImport if a required one is missing."""
    problems.place = "line 1"
    columns_by_field = {}
    for ours in _USUAL:
        column: str = getattr(columns, ours)
        candidates = (column,) if column else _USUAL[ours]
        theirs = next((name for want in candidates for name in header if name.lower() == want.lower()), "")
        if theirs:
            columns_by_field[ours] = theirs
        elif column or ours != "title":
            what = f"The column {' or '.join(candidates[:2])} is missing. Columns: {', '.join(header)}."
            problems.add(ours, what, f"Rename a column, or name it with --{ours}.")
    problems.stop_if_any()
    return columns_by_field


def _study(pile: DocumentReader, address: StudyAddress) -> Iterator[SourceDocument]:
    """Read each document of a study's topics."""
    from storage.study_file import open_study

    before, size = pile.done, _size(address)
    with open_study(address) as study:
        documents = sum(head.documents for head in study.texts.topics())
        for number, document in enumerate(study_documents(study)):
            pile.done = before + size * number / documents
            yield document


def _text_files(folder: Path) -> list[Path]:
    """Return every .txt file below a folder in natural order, without hidden ones."""
    return sorted(p for p in folder.rglob("*.txt") if p.is_file() and not p.name.startswith("."))


def _size(path: StudyAddress) -> int:
    if not isinstance(path, Path):
        return 1
    files = _text_files(path) if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files)
