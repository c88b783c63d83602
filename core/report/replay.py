"""Replay of a report: compare its numbers with those that were recomputed."""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import json
import math
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar

from core.errors import InputError
from core.files.paths import access_errors, printable_path
from core.formatting.tables import LOWER, MARK, Cell, Table
from core.report.bibliography import PROGRAM
from core.report.document import (
    FigureName,
    ReportDocument,
    SectionDocument,
    citation_numbers,
    cited_text,
    drawing_digest,
    read_document,
)
from core.report.formats.pdf import DATA_FILE
from core.report.formats.word import DATA_PART
from core.report.formats.workbook import DATA_SHEET
from core.report.formats.write import MANIFEST
from core.report.model import CitedText

T = TypeVar("T", str, bytes)

RELATIVE, ABSOLUTE = 1e-9, 1e-12
"""Numbers that differ by less count as equal: sums are not added in the same order on every processor."""

LARGEST = 512 * 2**20
_DATA = re.compile(r'href="data:application/json;charset=utf-8;base64,([A-Za-z0-9+/=]*)"')
_ELEMENT = re.compile(rb"<report [^<>]*>([A-Za-z0-9+/=]*)</report>")
_DRAWING = '<div class="day">', "<svg ", "</svg>", "</div>"
_VERSIONS = "versions"
_WITHOUT_DATA = (".bib", ".tex", ".md")
_NO_TEXT = "no such text"
_MOST_CELLS = 5_000_000


@dataclass(frozen=True, slots=True)
class Difference:
    """A value of the report that differs. place: section, table, row and column."""

    place: str
    reported: str
    recomputed: str


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """Result of a comparison.

    numbers: of compared numbers. kept: of those that come from scores that were not computed again.
    largest: relative difference among those that count as equal.
    notes: what may explain differences, such as other software.
    """

    numbers: int
    largest: float
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]
    kept: int = 0


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A report that was read.

    changed: differences within it, found without the study.
    """

    document: ReportDocument
    changed: tuple[Difference, ...] = ()


def read_report(path: Path) -> ReportFile:
    """Read a report from HTML, PDF, DOCX, XLSX or JSON, or from the folder of a pack.

    Values on a web page that are not those of its data are found, and files that differ from the manifest.
    Raises InputError where there is no report.
    """
    with access_errors(path):
        if path.is_dir():
            changed = tuple(_changed_files(path))
            page = path / "report.html"
            displayed = _from_html(page).changed if page.is_file() else ()
            return ReportFile(_document_of(path / "report.json"), (*changed, *displayed))
        suffix = path.suffix.lower()
        if suffix in (".html", ".htm"):
            return _from_html(path)
        if suffix in _WITHOUT_DATA:
            raise InputError(
                f"A report as {suffix} has no data to compare. Replay the folder of its pack, or the same "
                "report in another format."
            )
        return ReportFile(_READERS.get(suffix, _document_of)(path))


def _document_of(path: Path) -> ReportDocument:
    return read_document(_text(path), printable_path(path.name))


def _content(path: Path) -> bytes:
    with access_errors(path):
        if path.stat().st_size > LARGEST:
            raise InputError(f"{printable_path(path)} is too large for a report.")
        return path.read_bytes()


def _text(path: Path) -> str:
    try:
        return _content(path).decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{printable_path(path)} is not a report of Pyramidion: it is not UTF-8.") from error


def _from_html(path: Path) -> ReportFile:
    page, name = _text(path), printable_path(path.name)
    found = _DATA.search(page)
    if found is None:
        raise InputError(f"{name} has no data of a report. Replay a report made by `pyramidion report`.")
    document = _decoded(found[1], name)
    return ReportFile(document, tuple(_changed_page(document, page, name)))


def _decoded(data: str | bytes, name: str) -> ReportDocument:
    """Return the document in Base64. name: of the file, for errors."""
    try:
        text = base64.b64decode(data, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError) as error:
        raise InputError(f"The data in {name} is damaged. Replay another copy.") from error
    return read_document(text, name)


def _from_pdf(path: Path) -> ReportDocument:
    """Read the data that is attached to a PDF."""
    import pypdf

    try:
        found = pypdf.PdfReader(io.BytesIO(_content(path))).attachments.get(DATA_FILE)
        text = found[0].decode() if found else ""
    except Exception as error:  # a reader of foreign files fails in many ways
        name = printable_path(path.name)
        raise InputError(f"{name} cannot be read as a PDF, or it is damaged.") from error
    return _attached(text, path, read_document)


def _from_docx(path: Path) -> ReportDocument:
    """Read the data in a Word document."""
    try:
        with _opened_zip(_content(path)) as file:
            found = _ELEMENT.search(file.read(DATA_PART) if DATA_PART in file.namelist() else b"")
    except Exception as error:  # a reader of foreign files fails in many ways
        name = printable_path(path.name)
        raise InputError(f"{name} cannot be read as a Word document, or it is damaged.") from error
    return _attached(found[1] if found else b"", path, _decoded)


def _from_xlsx(path: Path) -> ReportDocument:
    """Read the data in a workbook."""
    import openpyxl

    content = _content(path)
    try:
        _opened_zip(content).close()
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True)
        data = _texts_of(book[DATA_SHEET]) if DATA_SHEET in book.sheetnames else ""
    except Exception as error:  # a reader of foreign files fails in many ways
        name = printable_path(path.name)
        raise InputError(f"{name} cannot be read as a workbook, or it is damaged.") from error
    return _attached(data, path, _decoded)


def _attached(data: T, path: Path, read: Callable[[T, str], ReportDocument]) -> ReportDocument:
    name = printable_path(path.name)
    if not data:
        raise InputError(f"{name} has no data of a report. Replay a report made by `pyramidion report`.")
    return read(data, name)


def _texts_of(sheet: Any) -> str:
    """Return the texts of a sheet's first column. Raises ValueError for more cells than the data has."""
    sheet.reset_dimensions()  # rows are filled up to the size that the sheet claims
    texts, cells = [], 0
    for row in sheet.iter_rows(values_only=True):
        cells += len(row) + 1
        if cells > _MOST_CELLS:
            raise ValueError("too many cells")
        texts += [str(row[0])] if row else []
    return "".join(texts)


def _opened_zip(content: bytes) -> zipfile.ZipFile:
    """Return a file of an Office program. Raises ValueError if it is too large."""
    file = zipfile.ZipFile(io.BytesIO(content))
    if sum(member.file_size for member in file.infolist()) > LARGEST:
        raise ValueError("too large")
    return file


_READERS: Mapping[str, Callable[[Path], ReportDocument]] = {
    ".pdf": _from_pdf,
    ".docx": _from_docx,
    ".xlsx": _from_xlsx,
}


def _drawings(page: str) -> Iterator[str]:
    """Yield the drawings of a page, in time that grows with its length alone."""
    above, begin, end, below = _DRAWING
    at = page.find(above + begin)
    while at >= 0 and (last := page.find(end + below, at)) >= 0:
        yield page[at + len(above) : last + len(end)]
        at = page.find(above + begin, last)


def _changed_page(document: ReportDocument, page: str, name: str) -> Iterator[Difference]:
    """Yield what a page displays that is not in its data."""
    reader = _PageReader()
    reader.feed(page)
    for what, texts in (("Texts", _texts(document)), ("Headings of columns", _headings(document))):
        expected = Counter(filter(None, map(_spaced, texts)))
        yield from _changed_texts(f"{name}, {what.lower()}", expected, reader.texts[what])
    drawn = [drawing_digest(svg) for svg in _drawings(page)]
    figures = [figure for section in document.sections for figure in section.figures]
    if len(drawn) != len(figures):
        yield Difference(name, f"{len(drawn)} figures", f"{len(figures)} figures")
    else:
        for figure, digest in zip(figures, drawn, strict=True):
            if figure.sha256 != digest:
                yield Difference(f"{name}, {figure.title}", "another drawing", "the drawing of the data")
    tables = list(_tables(document))
    if len(tables) != len(reader.tables):
        yield Difference(name, f"{len(reader.tables)} tables", f"{len(tables)} tables")
        return
    for (section, table), shown in zip(tables, reader.tables, strict=True):
        yield from _changed_display(section, table, shown)


def _changed_texts(place: str, expected: Counter[str], displayed: Counter[str]) -> Iterator[Difference]:
    """Yield texts that are displayed but not expected, and the other way around."""
    missing, added = list((expected - displayed).elements()), list((displayed - expected).elements())
    for one, other in zip_longest(added, missing, fillvalue=_NO_TEXT):
        yield Difference(place, one, other)


def _texts(document: ReportDocument) -> Iterator[str]:
    """Yield all texts that a page displays outside tables and drawings."""
    yield from (document.title, document.about, *_reference_texts(document))
    counts: Counter[tuple[str, str]] = Counter()
    numbers = citation_numbers(document)
    for section in document.sections:
        prefix = "A" if section.is_appendix else ""
        yield from (section.title, *section.paragraphs, cited_text(section.cited, numbers))
        for figure in section.figures:
            counts["Figure", prefix] += 1
            yield f"Figure {prefix}{counts['Figure', prefix]}. {figure.title}"
            yield figure.caption
        for table in section.tables:
            counts["Table", prefix] += 1
            yield f"Table {prefix}{counts['Table', prefix]}. {table.title}"
            yield table.note
        yield "\n".join(section.code)


def _reference_texts(document: ReportDocument) -> Iterator[str]:
    """Yield the heading and the entries of the list of references."""
    if document.references:
        yield "References"
    for number, one in enumerate(document.references, 1):
        yield f"[{number}] {one.text}"


def _headings(document: ReportDocument) -> Iterator[str]:
    for _, table in _tables(document):
        yield from (title for title, _ in table.heading_groups())
        yield from (column.title for column in table.columns)


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _changed_display(section: str, table: Table, shown: Sequence[Sequence[str]]) -> Iterator[Difference]:
    """Yield displayed cells that are not those of the data."""
    texts = [[" ".join(cell.split()) for cell in row] for row in table.texts()]
    for row, (expected, displayed) in enumerate(zip(texts, shown, strict=False)):
        for column, (one, other) in enumerate(zip(expected, displayed, strict=False)):
            if one != other:
                yield Difference(_place(section, table, row, column), other, one)
    if [len(row) for row in texts] != [len(row) for row in shown]:
        yield Difference(f"{section}, {table.title}", f"{len(shown)} rows", f"{len(texts)} rows")


class _PageReader(HTMLParser):
    """Reads what a page displays: body cells of every table, headings of columns, all other texts."""

    _SKIPPED = frozenset({"svg", "style", "title", "nav", "footer", "a"})
    _BLOCKS = frozenset({"h1", "h2", "h3", "p", "li", "figcaption", "pre", "th", "td"})

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self.texts: dict[str, Counter[str]] = {"Texts": Counter(), "Headings of columns": Counter()}
        self._in_body = False
        self._skipped: list[str] = []
        self._text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "footer":
            self._end_text()
        is_citation = tag == "a" and ("class", "cite") in attrs
        is_appendix = tag == "h1" and ("class", "appendix") in attrs
        if is_appendix or (tag in self._SKIPPED and not is_citation):
            self._skipped.append(tag)
        elif tag == "table":
            self.tables.append([])
        elif tag == "tbody":
            self._in_body = True
        elif tag == "tr" and self._in_body and self.tables:
            self.tables[-1].append([])
        if tag in self._BLOCKS:
            self._end_text()

    def handle_endtag(self, tag: str) -> None:
        if self._skipped:
            if tag == self._skipped[-1]:
                self._skipped.pop()
        elif tag in ("td", "th") and self._in_body and self.tables and self.tables[-1]:
            self.tables[-1][-1].append(_spaced(self._text))
            self._text = ""
        elif tag in ("td", "th"):
            self._end_text("Headings of columns")
        elif tag in self._BLOCKS:
            self._end_text()
        elif tag == "tbody":
            self._in_body = False

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self._text += data

    def _end_text(self, what: str = "Texts") -> None:
        if text := _spaced(self._text):
            self.texts[what][text] += 1
        self._text = ""


def _changed_files(folder: Path) -> Iterator[Difference]:
    """Yield files of a pack that differ from its manifest."""
    try:
        files = json.loads(_text(folder / MANIFEST))["files"]
        listed = [(str(name), str(digest)) for name, digest in files.items()]
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise InputError(f"{MANIFEST} in {printable_path(folder)} is damaged.") from error
    for name, digest in listed:
        file = folder / name
        if not file.resolve().is_relative_to(folder.resolve()):
            raise InputError(f"{MANIFEST} names {printable_path(name)}, which is outside the folder.")
        if not file.is_file():
            yield Difference(name, digest, "the file is missing")
        elif (actual := hashlib.sha256(file.read_bytes()).hexdigest()) != digest:
            yield Difference(name, digest, actual)


def compare_reports(
    reported: ReportDocument, recomputed: ReportDocument, kept: Collection[str] = ()
) -> ReplayResult:
    """Compare every table and text of two documents. Commands and versions of software are not compared.

    kept: measures whose scores were not computed again; their numbers are counted apart.
    """
    comparison = _Comparison(frozenset(kept))
    notes = []
    digests = [each.study.sha256 for each in (reported, recomputed)]
    if digests[0] != digests[1]:
        comparison.differ("Study, SHA-256 over texts, annotations and ratings", *digests)
    before, after = ({one.anchor: one for one in each.sections} for each in (reported, recomputed))
    for anchor in dict.fromkeys((*before, *after)):
        if anchor not in before or anchor not in after:
            title = (before.get(anchor) or after[anchor]).title
            comparison.differ(title, *(_presence(anchor in one) for one in (before, after)))
        elif anchor == _VERSIONS:
            notes += _other_versions(before[anchor], after[anchor])
        else:
            comparison.compare_sections(before[anchor], after[anchor])
    comparison.compare_references(reported, recomputed)
    notes += [f"The figure {title} is drawn otherwise than in the report." for title in comparison.redrawn]
    differences = tuple(comparison.differences)
    return ReplayResult(comparison.numbers, comparison.largest, differences, tuple(notes), comparison.kept)


def _with_keys(part: CitedText) -> str:
    return f"{part.text} [{', '.join(part.keys)}]{part.end}"


def _presence(is_there: bool) -> str:
    return "section" if is_there else "no such section"


def _other_versions(before: SectionDocument, after: SectionDocument) -> list[str]:
    old, new = (
        {str(row[0]): str(row[1]) for table in each.tables for row in table.rows} for each in (before, after)
    )
    return [
        f"{name}: {old[name]} in the report, {new[name]} here."
        for name in old
        if new.get(name, old[name]) != old[name]
    ]


class _Comparison:
    """Collects differences."""

    def __init__(self, measures: frozenset[str]) -> None:
        self._measures = measures
        self.differences: list[Difference] = []
        self.numbers = 0
        self.kept = 0
        self.largest = 0.0
        self.redrawn: list[str] = []
        """Figures of another drawing, which can come from rounding or other versions of software."""

    def differ(self, place: str, reported: str, recomputed: str) -> None:
        self.differences.append(Difference(place, reported, recomputed))

    def compare_sections(self, before: SectionDocument, after: SectionDocument) -> None:
        title = before.title
        for what, old, new in (
            ("paragraphs", before.paragraphs, after.paragraphs),
            ("figures", before.figures, after.figures),
        ):
            if len(old) != len(new):
                self.differ(f"{title}, {what}", str(len(old)), str(len(new)))
            for one, other in zip(old, new, strict=False):
                if _shown(one) != _shown(other):
                    self.differ(title, _shown(one), _shown(other))
                elif isinstance(one, FigureName) and one != other:
                    self.redrawn.append(one.title)
        cited = ["".join(map(_with_keys, each.cited)) for each in (before, after)]
        if cited[0] != cited[1]:
            self.differ(title, *cited)
        tables = before.tables, after.tables
        if len(tables[0]) != len(tables[1]):
            self.differ(f"{title}, tables", str(len(tables[0])), str(len(tables[1])))
        for old_table, new_table in zip(*tables, strict=False):
            self._compare_tables(title, old_table, new_table)

    def compare_references(self, before: ReportDocument, after: ReportDocument) -> None:
        """Compare lists of references, without the program, whose version is compared elsewhere."""
        old, new = ([one.text for one in each.references if one.key != PROGRAM] for each in (before, after))
        for one, other in zip_longest(old, new, fillvalue=_NO_TEXT):
            if one != other:
                self.differ("References", one, other)

    def _compare_tables(self, section: str, before: Table, after: Table) -> None:
        place = f"{section}, {before.title}"
        if before.title != after.title:
            self.differ(section, before.title, after.title)
        if before.note != after.note:
            self.differ(f"{place}, note", before.note, after.note)
        columns = {column.key: at for at, column in enumerate(after.columns)}
        rows = _by_name(after)
        for name, at in _by_name(before).items():
            if name not in rows:
                self.differ(place, name, "no such row")
                continue
            old, new = before.rows[at], after.rows[rows[name]]
            for number, column in enumerate(before.columns):
                if column.key not in columns:
                    continue
                counted = self.numbers
                self._compare_cells(
                    _place(section, before, at, number), old[number], new[columns[column.key]]
                )
                if {_name(str(old[0])), _name(column.title)} & self._measures:
                    self.kept += self.numbers - counted
        for name in rows.keys() - _by_name(before).keys():
            self.differ(place, "no such row", name)
        lost = [column.title for column in before.columns if column.key not in columns]
        if lost or len(before.columns) != len(after.columns):
            self.differ(f"{place}, columns", _titles(before), _titles(after))

    def _compare_cells(self, place: str, old: Cell, new: Cell) -> None:
        is_number = [isinstance(cell, (int, float)) and not isinstance(cell, bool) for cell in (old, new)]
        if not all(is_number):
            self.numbers += any(is_number)
            if old != new:
                self.differ(place, _shown(old), _shown(new))
            return
        self.numbers += 1
        one, other = float(old or 0.0), float(new or 0.0)
        if not math.isclose(one, other, rel_tol=RELATIVE, abs_tol=ABSOLUTE):
            self.differ(place, _shown(old), _shown(new))
        elif one != other:
            self.largest = max(self.largest, abs(one - other) / max(abs(one), abs(other)))


def _name(shown: str) -> str:
    """Return a measure's label without marks."""
    return shown.removesuffix(MARK).removesuffix(LOWER)


def _by_name(table: Table) -> dict[str, int]:
    """Return the index of each row by its texts; equal ones are numbered."""
    found: dict[str, int] = {}
    texts = [place for place, column in enumerate(table.columns) if not column.is_number]
    for at, row in enumerate(table.rows):
        first = str(row[texts[0]]) if texts else str(at)
        name, count = first, 1
        while name in found:
            count += 1
            name = f"{first} ({count})"
        found[name] = at
    return found


def _tables(document: ReportDocument) -> Iterator[tuple[str, Table]]:
    for section in document.sections:
        for table in section.tables:
            yield section.title, table


def _place(section: str, table: Table, row: int, column: int) -> str:
    return f"{section}, {table.title}, {table.rows[row][0]}, {table.columns[column].title}"


def _titles(table: Table) -> str:
    return ", ".join(column.title for column in table.columns)


def _shown(value: object) -> str:
    if isinstance(value, FigureName):
        return f"{value.title}. {value.caption}"
    return "nothing" if value is None else repr(value) if isinstance(value, float) else str(value)
