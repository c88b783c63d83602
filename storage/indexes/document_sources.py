"""Streaming readers of documents for an index: text files, tables, studies, files of PubMed and PMC."""

from __future__ import annotations

import gzip
import tarfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any, cast

from core.domain.name_checks import name_problem
from core.errors import InputError
from core.files.paths import escape_control_characters, is_within, printable_path
from core.files.study_address import StudyAddress
from core.formatting.numbers import pluralize
from core.progress import Progress
from core.retrieval.index_store import (
    ARCHIVE_SUFFIXES,
    ARTICLE_SUFFIXES,
    DEFAULT_PARTS,
    TABLE_SUFFIXES,
    ArticlePart,
    DocumentColumns,
)
from core.retrieval.protocols import DeletedDocument, SourceDocument
from core.retrieval.study_index import study_documents
from storage.formats.readers.fields import (
    DAMAGED,
    Problems,
    Row,
    json_object,
    kind_of,
    lines,
    name_field,
    new_text,
    opened,
    text_field,
)
from storage.formats.readers.tables.csv_records import is_json
from storage.formats.readers.tables.table_cells import cells_of, header_of
from storage.formats.readers.text_files import text_of
from storage.indexes.article_xml import DamagedXml, articles

STUDY_SUFFIX = ".pyramidion"
_USUAL = {
    "id": ("id", "doc_id", "docid", "document_id", "docno", "_id", "pmid", "pmcid"),
    "title": ("title", "headline", "name"),
    "text": ("text", "abstract", "body", "content", "contents", "article", "document"),
}
"""Usual column names, most likely first."""

_LISTED = 20
"""Damaged files that are listed by name."""

_MOST_EMPTY = 8
"""Reads at the end of an archive; tarfile itself reads there once or twice."""

_LONGEST_HEADER = 2**20
"""Maximum bytes of a member's extended header in an archive."""


@dataclass
class ReadingReport:
    """What was left out of citations and articles.

    damaged: files and members that could not be read whole. listed: the first of them, with the reason.
    without_text, without_id: citations and articles with none of the chosen parts, or without an id.
    """

    damaged: int = 0
    without_text: int = 0
    without_id: int = 0
    listed: list[str] = field(default_factory=list)

    def add_damaged(self, name: str, why: str) -> None:
        """Count a damaged file or member."""
        self.damaged += 1
        if len(self.listed) < _LISTED:
            self.listed.append(f"{printable_path(name)}: {escape_control_characters(why)}")

    def notes(self) -> list[str]:
        """Return the counts as sentences, then the damaged files."""
        counts = (
            (self.damaged, "file", "could not be read whole:"),
            (self.without_text, "record", "without any of the indexed parts left out."),
            (self.without_id, "record", "without PMID and PMCID left out."),
        )
        sentences = [f"{pluralize(count, thing)} {what}" for count, thing, what in counts if count]
        more = self.damaged - len(self.listed)
        return [*sentences, *self.listed, *([f"and {more:,} more files"] if more else [])]

    def copy(self) -> ReadingReport:
        """Return a copy that does not change."""
        return replace(self, listed=list(self.listed))


@dataclass(frozen=True, slots=True)
class ReadingPosition:
    """A place in the sources.

    unit: number of the source, each file of a folder of articles counted by itself. taken: number of its
    documents and deletions before the place. report: what was left out of the units before.
    """

    unit: int = 0
    taken: int = 0
    report: ReadingReport = field(default_factory=ReadingReport)


@dataclass
class DocumentReader:
    """The documents of several sources, in order; iterating reads them, once.

    parts: of citations and articles that are read.
    start: where reading begins; what precedes it is skipped.
    done, total: bytes, estimated. is_reading: until the last document is read. report: what was left out.
    position: after the last document that was yielded.
    Iterating raises InputError if a source is missing or of an unknown kind, BadImport with all problems of a
    table.
    """

    sources: Sequence[StudyAddress]
    columns: DocumentColumns = field(default_factory=DocumentColumns)
    parts: Collection[ArticlePart] = DEFAULT_PARTS
    start: ReadingPosition = field(default_factory=ReadingPosition)
    done: float = 0.0
    total: float = 0.0
    note: str = ""
    is_reading: bool = True
    report: ReadingReport = field(default_factory=ReadingReport)
    position: ReadingPosition = field(default_factory=ReadingPosition)
    _seen: set[str] = field(default_factory=set)

    @property
    def progress(self) -> Progress:
        """The current progress."""
        return Progress(min(self.done, self.total), max(self.total, 1.0), self.note)

    def __iter__(self) -> Iterator[SourceDocument | DeletedDocument]:
        readers = [(source, _reader(source)) for source in reading_units(self.sources)]
        sizes = {source: _size(source) for source, _ in readers}
        self.total = float(sum(sizes[source] for source, _ in readers))
        self.report = self.start.report.copy()
        before = 0.0
        for unit, (source, read) in enumerate(readers):
            if unit >= self.start.unit:
                yield from self._unit(unit, source, read)
            before += sizes[source]
            self.done = before
        self.is_reading = False

    def skip_ids(self, ids: Iterable[str]) -> None:
        """Treat documents of these ids as already read."""
        self._seen.update(ids)

    def _unit(self, unit: int, source: StudyAddress, read: _Read) -> _Found:
        """Read a source, without what precedes the start."""
        problems = Problems(source.name)
        self.note = source.name
        before = self.report.copy()
        skipped = self.start.taken if unit == self.start.unit else 0
        for number, found in enumerate(read(self, problems), start=1):
            if number > skipped:
                self.position = ReadingPosition(unit, number, before)
                if isinstance(found, DeletedDocument) or found.version or self._is_new(found, problems):
                    yield found
        problems.stop_if_any()

    def _is_new(self, document: SourceDocument, problems: Problems) -> bool:
        if document.id in self._seen:
            problems.add(
                "id", f"Two documents have the id {document.id!r}.", "Give each document a unique id."
            )
            return False
        self._seen.add(document.id)
        return True


_Found = Iterator[SourceDocument | DeletedDocument]
_Read = Callable[[DocumentReader, Problems], _Found]
_ReadFile = Callable[[DocumentReader, Path, Problems], _Found]


def reading_units(sources: Sequence[StudyAddress]) -> list[StudyAddress]:
    """Return the sources, each folder of citations and articles replaced by its files, sorted by path."""
    found: list[StudyAddress] = []
    for source in sources:
        files: list[Path] = []
        if isinstance(source, Path) and source.is_dir() and not _text_files(source):
            files = _article_files(source)
        found += files or [source]
    return found


def check_sources(sources: Sequence[StudyAddress]) -> None:
    """Raise InputError if a source is missing or of an unknown kind."""
    for source in sources:
        _reader(source)


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
    if path.name.lower().endswith(ARCHIVE_SUFFIXES):
        return _archive
    if kind_of(path) in ARTICLE_SUFFIXES:
        return _article_file
    if kind_of(path) not in TABLE_SUFFIXES:
        raise InputError(
            f"An index cannot be built from {path.name}. Choose a folder of .txt files, a "
            f"table ({', '.join(TABLE_SUFFIXES)}), files of PubMed or PMC "
            f"({', '.join((*ARTICLE_SUFFIXES, *ARCHIVE_SUFFIXES))}) or a study ({STUDY_SUFFIX}). Tables and "
            "XML files may be compressed (.gz)."
        )
    return _json_table if is_json(path) else _table


def _article_file(pile: DocumentReader, path: Path, problems: Problems) -> _Found:
    """Read the citations or articles of an XML file."""
    with opened(path) as file:
        stream = gzip.GzipFile(fileobj=file) if path.suffix.lower() == ".gz" else file
        yield from _articles(pile, cast(IO[bytes], stream), file, path.name)


def _archive(pile: DocumentReader, path: Path, problems: Problems) -> _Found:
    """Read each XML file of an archive, in its order."""
    with opened(path) as file:
        stream = file if path.suffix.lower() == ".tar" else gzip.GzipFile(fileobj=file)
        bounded = cast(IO[bytes], _Archived(stream))
        try:
            with tarfile.open(fileobj=bounded, mode="r|", tarinfo=_Member) as archive:
                while (member := archive.next()) is not None:
                    archive.members.clear()  # type: ignore[attr-defined]  # grows with every member
                    if not member.isreg() or Path(member.name).suffix.lower() not in ARTICLE_SUFFIXES:
                        continue
                    if (content := archive.extractfile(member)) is not None:
                        yield from _articles(pile, content, file, f"{path.name}: {member.name}")
        except (tarfile.TarError, OSError, *DAMAGED) as error:
            pile.report.add_damaged(path.name, _reason(error))


class _Archived:
    """A stream that ends with EOFError where much more is read than there is.

    A member's header may give any size, which tarfile would skip block by block.
    """

    def __init__(self, stream: Any) -> None:
        self._stream, self._empty = stream, 0

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes, none at the end."""
        content: bytes = self._stream.read(size)
        self._empty = 0 if content else self._empty + 1
        if self._empty > _MOST_EMPTY:
            raise EOFError
        return content


class _Member(tarfile.TarInfo):
    """A member of an archive whose extended header, which is read at once, is small."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Member:
        member = super().frombuf(buf, encoding, errors)
        if not member.isreg() and member.size > _LONGEST_HEADER:
            raise tarfile.ReadError("a member's header is too large")
        return member


def _articles(pile: DocumentReader, stream: IO[bytes], file: Any, name: str) -> _Found:
    """Read citations or articles; damage is reported and ends this file. file: measures the progress."""
    before = pile.done - file.tell()
    pile.note = name
    try:
        for found in articles(stream):
            pile.done = before + file.tell()
            if isinstance(found, DeletedDocument):
                yield found
            elif not found.id or name_problem(found.id):
                pile.report.without_id += 1
            elif not (document := found.document(pile.parts)).content:
                pile.report.without_text += 1
            else:
                yield document
    except (DamagedXml, tarfile.TarError, OSError, *DAMAGED) as error:
        pile.report.add_damaged(name, _reason(error))
    pile.done = before + file.tell()


def _reason(error: Exception) -> str:
    if isinstance(error, EOFError):
        return "it is incomplete"
    return str(error) if isinstance(error, DamagedXml) else f"it is damaged ({error})"


def _folder(pile: DocumentReader, path: Path, problems: Problems) -> _Found:
    """Read each .txt file at any depth, named by its path in the folder."""
    files = _text_files(path)
    if not files:
        raise InputError(
            f"{path} contains no .txt files and no files of PubMed or PMC. Choose another folder."
        )
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
        yield from _document(dict(zip(header, values, strict=True)), names, problems)
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
    """Return every .txt file below a folder in natural order, without hidden ones. Raises as `_within`."""
    return _within(folder, (path for path in folder.rglob("*.txt") if path.is_file()))


def _article_files(folder: Path) -> list[Path]:
    """Return every XML file and archive below a folder, sorted, without hidden ones. Raises as `_within`."""
    return _within(
        folder,
        (
            path
            for path in folder.rglob("*")
            if path.is_file()
            and (kind_of(path) in ARTICLE_SUFFIXES or path.name.lower().endswith(ARCHIVE_SUFFIXES))
        ),
    )


def _within(folder: Path, found: Iterable[Path]) -> list[Path]:
    """Return files sorted, without hidden ones. Raises InputError for a link to a file outside the folder."""
    files, inside = sorted(path for path in found if not path.name.startswith(".")), folder.resolve()
    for file in files:
        if file.is_symlink() and not is_within(file, inside):
            raise InputError(
                f"{printable_path(file)} is a link to {printable_path(file.resolve())}, outside the folder. "
                "Replace the link by the file, or remove it and name that file as a source too."
            )
    return files


def identity_of(source: StudyAddress) -> tuple[str, int, int, int] | None:
    """Return what identifies the content of a source, None = it cannot be told.

    Its path, number of files, bytes, and the time of the latest change in nanoseconds.
    """
    if not isinstance(source, Path) or not source.exists():
        return None
    path = source.resolve()
    files = _text_files(path) if path.is_dir() else [path, path.with_name(f"{path.name}-wal")]
    states = [file.stat() for file in files if file.exists()]
    latest = max((state.st_mtime_ns for state in states), default=0)
    return str(path), len(states), sum(state.st_size for state in states), latest


def _size(path: StudyAddress) -> int:
    if not isinstance(path, Path):
        return 1
    if path.suffix.lower() == ".gz" and kind_of(path) in TABLE_SUFFIXES:
        with opened(path) as file:  # its last four bytes are its size when decompressed
            file.seek(max(path.stat().st_size - 4, 0))
            return int.from_bytes(file.read(4), "little")
    files = _text_files(path) if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files)
