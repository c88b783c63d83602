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
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from html.parser import HTMLParser
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import InputError, MissingResource
from core.files.paths import access_errors, printable_path
from core.formatting.tables import LOWER, MARK, Cell, Table
from core.report.bibliography import PROGRAM
from core.report.document import cited_parts, cited_text, drawing_digest, read_document, report_of
from core.report.formats.pdf import DATA_FILE, DRAWINGS_FILE, to_pdf
from core.report.formats.print_layout import split_wide
from core.report.formats.word import DATA_PART
from core.report.formats.workbook import DATA_SHEET, sheet_rows, stored_cell
from core.report.formats.write import MANIFEST
from core.results.result_json import table_of

if TYPE_CHECKING:
    from pypdf import PdfReader

RELATIVE, ABSOLUTE = 1e-9, 1e-12
"""Numbers that differ by less count as equal: sums are not added in the same order on every processor."""

LARGEST = 512 * 2**20
_DATA = re.compile(r'href="data:application/json;charset=utf-8;base64,([A-Za-z0-9+/=]*)"')
_ELEMENT = re.compile(rb"<report [^<>]*>([A-Za-z0-9+/=]*)</report>")
_DRAWING = '<div class="day">', "<svg ", "</svg>", "</div>"
_VERSIONS = "versions"
_WITHOUT_DATA = (".bib", ".tex", ".md")
_GZIP = 31
"""Format for zlib."""
_NO_TEXT = "no such text"
_DEEPEST = 5
"""Levels of figures within figures that are looked into for fonts."""
_NOT_COMPARED = "The pages of {} were not compared with its data"
_MOST_SPANNED = 63
"""Columns of a table in Word."""
_MOST_CELLS = 5_000_000
_Texts = Sequence[Sequence[str]]
"""Texts of a table's cells, row by row."""


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

    changed: differences within it, found without the study. notes: what could not be compared.
    """

    document: Mapping[str, Any]
    changed: tuple[Difference, ...] = ()
    notes: tuple[str, ...] = ()


def read_report(path: Path) -> ReportFile:
    """Read a report from HTML, PDF, DOCX, XLSX or JSON, or from the folder of a pack.

    Values on display that are not those of the document are found, and files that differ from the manifest.
    Raises InputError where there is no report.
    """
    with access_errors(path):
        if path.is_dir():
            changed = tuple(_changed_files(path))
            files = [path / name for name in ("report.html", "report.pdf", "report.docx", "tables.xlsx")]
            read = [read_report(file) for file in files if file.is_file()]
            displayed = (one for each in read for one in each.changed)
            notes = (note for each in read for note in each.notes)
            return ReportFile(_document_of(path / "report.json"), (*changed, *displayed), tuple(notes))
        suffix = path.suffix.lower()
        if suffix in (".html", ".htm"):
            return _from_html(path)
        if suffix in _WITHOUT_DATA:
            raise InputError(
                f"A report as {suffix} has no data to compare. Replay the folder of its pack, or the same "
                "report in another format."
            )
        if suffix in _READERS:
            return _READERS[suffix](path)
        return ReportFile(_document_of(path))


def _document_of(path: Path) -> Mapping[str, Any]:
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


def _decoded(data: str | bytes, name: str) -> Mapping[str, Any]:
    """Return the document in Base64. name: of the file, for errors."""
    try:
        text = base64.b64decode(data, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError) as error:
        raise InputError(f"The data in {name} is damaged. Replay another copy.") from error
    return read_document(text, name)


def _from_pdf(path: Path) -> ReportFile:
    """Read the data that is attached to a PDF, and compare its pages with those made of the data again."""
    try:
        import pypdf
    except ImportError as error:
        raise MissingResource(
            "Replaying a PDF needs the package pypdf. Install it: python -m pip install pypdf"
        ) from error
    name = printable_path(path.name)
    try:
        reader = pypdf.PdfReader(io.BytesIO(_content(path)))
        text = _attached(reader, DATA_FILE).decode()
        drawings = zlib.decompressobj(_GZIP).decompress(_attached(reader, DRAWINGS_FILE), LARGEST).decode()
    except Exception as error:  # a reader of foreign files fails in many ways
        raise InputError(f"{name} cannot be read as a PDF, or it is damaged.") from error
    if not text:
        raise InputError(f"{name} has no data of a report. Replay a report made by `pyramidion report`.")
    document = read_document(text, name)
    figures = [figure for section in document["sections"] for figure in section["figures"]]
    try:
        svgs = [str(svg) for svg in json.loads(drawings or "[]")]
    except (ValueError, TypeError, RecursionError) as error:
        raise InputError(f"The drawings in {name} are damaged. Replay another copy.") from error
    if len(svgs) != len(figures):
        return ReportFile(document, (Difference(name, f"{len(svgs)} drawings", f"{len(figures)} drawings"),))
    changed = [
        Difference(f"{name}, {figure['title']}", "another drawing", "the drawing of the data")
        for figure, svg in zip(figures, svgs, strict=True)
        if drawing_digest(svg) != figure["sha256"]
    ]
    try:
        made = pypdf.PdfReader(io.BytesIO(to_pdf(report_of(document, svgs), text)))
    except MissingResource as error:
        return ReportFile(document, tuple(changed), (f"{_NOT_COMPARED.format(name)}: {error}",))
    except Exception as error:  # drawings that cannot be set
        raise InputError(f"The pages of {name} cannot be made of its data, which is damaged.") from error
    try:
        if why := _other_typesetting(reader, made):
            return ReportFile(document, tuple(changed), (f"{_NOT_COMPARED.format(name)}: {why}",))
        return ReportFile(document, (*changed, *_changed_sheets(reader, made, name)))
    except Exception as error:  # a reader of foreign files fails in many ways
        raise InputError(f"The pages of {name} cannot be read, or they are damaged.") from error


def _attached(reader: PdfReader, name: str) -> bytes:
    """Return an attached file, empty if there is none."""
    found = reader.attachments.get(name)
    return found[0] if found else b""


def _other_typesetting(*readers: PdfReader) -> str:
    """Return why the pages of two PDFs differ without a change of a report, empty if they do not."""
    programs = [(reader.metadata and reader.metadata.creator) or "an unknown program" for reader in readers]
    if programs[0] != programs[1]:
        return f"they were set by {programs[0]}, and here is {programs[1]}."
    fonts = [{name for page in reader.pages for name in _fonts(page, _DEEPEST)} for reader in readers]
    if missing := fonts[0] ^ fonts[1]:
        return f"they were set with other fonts ({', '.join(sorted(missing))})."
    return ""


def _fonts(drawn: Any, depth: int) -> Iterator[str]:
    """Yield the names of the fonts of a page and its figures without the marks of their subsets."""
    resources = _entry(drawn, "/Resources")
    for font in _entry(resources, "/Font").values():
        yield str(font.get_object().get("/BaseFont", "")).lstrip("/").rpartition("+")[2]
    for inner in _entry(resources, "/XObject").values() if depth else ():
        yield from _fonts(inner.get_object(), depth - 1)


def _entry(value: Any, key: str) -> Any:
    """Return an entry of an object of a PDF, resolved; empty if there is none."""
    return value.get(key, {}).get_object() if key in value else {}


def _changed_sheets(reported: PdfReader, made: PdfReader, name: str) -> Iterator[Difference]:
    """Yield the words that differ on pages that are not as made of the data."""
    if len(reported.pages) != len(made.pages):
        yield Difference(name, f"{len(reported.pages)} pages", f"{len(made.pages)} pages")
        return
    digests = _PageDigests(), _PageDigests()
    for number, pages in enumerate(zip(reported.pages, made.pages, strict=True), 1):
        if len({digest.of(page) for digest, page in zip(digests, pages, strict=True)}) == 1:
            continue
        old, new = (page.extract_text().split() for page in pages)
        words = [
            (" ".join(old[a:b]) or _NO_TEXT, " ".join(new[c:d]) or _NO_TEXT)
            for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
            if kind != "equal"
        ]
        for one, other in words or [("another drawing", "the drawing of the data")]:
            yield Difference(f"{name}, page {number}", one, other)


class _PageDigests:
    """SHA-256 of everything that pages of one PDF draw: contents, fonts, figures, annotations."""

    _ELSEWHERE = frozenset({"/Parent", "/P", "/Dest", "/A", "/StructParents", "/StructParent", "/Tabs"})
    _PACKING = frozenset({"/Length", "/Filter", "/DecodeParms"})

    def __init__(self) -> None:
        self._known: dict[int, bytes] = {}

    def of(self, page: Any) -> bytes:
        """Return the digest of a page."""
        return self._digest(page)

    def _digest(self, value: Any) -> bytes:
        from pypdf.generic import IndirectObject, StreamObject

        if isinstance(value, IndirectObject):
            if value.idnum not in self._known:
                self._known[value.idnum] = b"in itself"
                self._known[value.idnum] = self._digest(value.get_object())
            return self._known[value.idnum]
        found = hashlib.sha256()
        if isinstance(value, StreamObject):
            found.update(value.get_data())
        if isinstance(value, dict):
            skipped = self._ELSEWHERE | (self._PACKING if isinstance(value, StreamObject) else set())
            for key in sorted(value.keys() - skipped):
                found.update(str(key).encode("utf-8", "surrogatepass"))
                found.update(self._digest(value.raw_get(key) if hasattr(value, "raw_get") else value[key]))
        elif isinstance(value, list):
            for one in list.__iter__(value):
                found.update(self._digest(one))
        else:
            found.update(repr(value).encode("utf-8", "surrogatepass"))
        return found.digest()


def _from_docx(path: Path) -> ReportFile:
    """Read a Word document: its data, and what it displays."""
    import docx

    name, content = printable_path(path.name), _content(path)
    try:
        _check_unpacked_size(content)
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            element = file.read(DATA_PART) if DATA_PART in file.namelist() else b""
        word = docx.Document(io.BytesIO(content))
        _check_spans(word.element)
        texts = Counter(filter(None, (_spaced(paragraph.text) for paragraph in word.paragraphs)))
        tables = [[[_spaced(cell.text) for cell in row.cells] for row in table.rows] for table in word.tables]
    except Exception as error:  # a reader of foreign files fails in many ways
        raise InputError(f"{name} cannot be read as a Word document, or it is damaged.") from error
    if (found := _ELEMENT.search(element)) is None:
        raise InputError(f"{name} has no data of a report. Replay a report made by `pyramidion report`.")
    document = _decoded(found[1], name)
    return ReportFile(document, tuple(_changed_word(document, texts, tables, name)))


def _check_spans(element: Any) -> None:
    """Raise ValueError where a cell claims more columns than Word has: each becomes a cell in memory."""
    from docx.oxml.ns import qn

    for kind in ("gridSpan", "gridBefore", "gridAfter"):
        for span in element.iter(qn(f"w:{kind}")):
            if not 0 <= int(span.get(qn("w:val"))) <= _MOST_SPANNED:
                raise ValueError("too many columns")


def _changed_word(
    document: Mapping[str, Any], displayed: Counter[str], tables: Sequence[_Texts], name: str
) -> Iterator[Difference]:
    """Yield what a Word document displays that is not in its data."""
    expected = Counter(filter(None, map(_spaced, _texts_of_word(document))))
    yield from _changed_texts(f"{name}, texts", expected, displayed)
    parts = [(section, part) for section, table in _tables(document) for part in split_wide(table)]
    if len(parts) != len(tables):
        yield Difference(name, f"{len(tables)} tables", f"{len(parts)} tables")
        return
    for (section, part), rows in zip(parts, tables, strict=True):
        heads = 2 if part.heading_groups() else 1
        yield from _changed_display(section, part, rows[heads:])
        titles = [_spaced(column.title) for column in part.columns]
        groups = [_spaced(title) for title, count in part.heading_groups() for _ in range(count)]
        if rows[:heads] != ([groups, titles] if groups else [titles]):
            yield Difference(f"{section}, {part.title}", "other headings of columns", ", ".join(titles))


def _texts_of_word(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield the paragraphs of a Word document, as `core.report.formats.word` writes them."""
    yield from (document["title"], document["about"])
    if any(section["is_appendix"] for section in document["sections"]):
        yield "Appendix"
    yield from _reference_texts(document)
    counts: Counter[tuple[str, str]] = Counter()
    for section in document["sections"]:
        prefix = "A" if section["is_appendix"] else ""
        yield from (section["title"], *section["paragraphs"], _cited(document, section), *section["code"])
        for figure in section["figures"]:
            counts["Figure", prefix] += 1
            number = f"{prefix}{counts['Figure', prefix]}"
            yield f"Figure {number}. {figure['title']}. {figure['caption']}"
        for table in section["tables"]:
            counts["Table", prefix] += 1
            for part in split_wide(table_of(table)):
                yield f"Table {prefix}{counts['Table', prefix]}. {part.title}"
                yield part.note


def _from_xlsx(path: Path) -> ReportFile:
    """Read a workbook: its data, and the cells of its tables."""
    import openpyxl

    name, content = printable_path(path.name), _content(path)
    try:
        _check_unpacked_size(content)
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True)
        sheets = [(sheet.title, _rows_of(sheet)) for sheet in book.worksheets]
    except Exception as error:  # a reader of foreign files fails in many ways
        raise InputError(f"{name} cannot be read as a workbook, or it is damaged.") from error
    data = [str(row[0]) for title, rows in sheets if title == DATA_SHEET for row in rows if row]
    if not data:
        raise InputError(f"{name} has no data of a report. Replay a report made by `pyramidion report`.")
    document = _decoded("".join(data), name)
    shown = [rows for title, rows in sheets if title != DATA_SHEET][1:]
    return ReportFile(document, tuple(_changed_cells(document, shown, name)))


def _rows_of(sheet: Any) -> list[Sequence[Any]]:
    """Return the rows of a sheet. Raises ValueError for a sheet with far more cells than reports have."""
    sheet.reset_dimensions()  # rows are filled up to the size that the sheet claims
    rows, cells = [], 0
    for row in sheet.iter_rows(values_only=True):
        cells += len(row) + 1
        if cells > _MOST_CELLS:
            raise ValueError("too many cells")
        rows.append(row)
    return rows


def _changed_cells(
    document: Mapping[str, Any], shown: Sequence[Sequence[Sequence[Any]]], name: str
) -> Iterator[Difference]:
    """Yield cells of a workbook's tables that are not those of its data."""
    tables = list(_tables(document))
    if len(tables) != len(shown):
        yield Difference(name, f"{len(shown)} tables", f"{len(tables)} tables")
        return
    for (section, table), rows in zip(tables, shown, strict=True):
        expected = [[stored_cell(cell) for cell in row] for row in sheet_rows(table)]
        for number, (one, other) in enumerate(zip_longest(expected, rows, fillvalue=()), 1):
            for column, (value, displayed) in enumerate(zip_longest(one, other), 1):
                if not _is_same_cell(value, displayed):
                    place = f"{section}, {table.title}, row {number}, column {column}"
                    yield Difference(place, _shown(displayed), _shown(value))


def _is_same_cell(stored: Cell, displayed: object) -> bool:
    """Compare cells; programs round numbers to 15 or 16 digits when they save a workbook."""
    if isinstance(stored, (int, float)) and isinstance(displayed, (int, float)):
        return math.isclose(stored, displayed, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    return stored == displayed or (stored == "" and displayed is None)


_READERS: Mapping[str, Callable[[Path], ReportFile]] = {
    ".pdf": _from_pdf,
    ".docx": _from_docx,
    ".xlsx": _from_xlsx,
}


def _check_unpacked_size(content: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        if sum(member.file_size for member in file.infolist()) > LARGEST:
            raise ValueError("too large")


def _drawings(page: str) -> Iterator[str]:
    """Yield the drawings of a page, in time that grows with its length alone."""
    above, begin, end, below = _DRAWING
    at = page.find(above + begin)
    while at >= 0 and (last := page.find(end + below, at)) >= 0:
        yield page[at + len(above) : last + len(end)]
        at = page.find(above + begin, last)


def _changed_page(document: Mapping[str, Any], page: str, name: str) -> Iterator[Difference]:
    """Yield what a page displays that is not in its data."""
    reader = _PageReader()
    reader.feed(page)
    for what, texts in (("Texts", _texts(document)), ("Headings of columns", _headings(document))):
        expected = Counter(filter(None, map(_spaced, texts)))
        yield from _changed_texts(f"{name}, {what.lower()}", expected, reader.texts[what])
    drawn = [drawing_digest(svg) for svg in _drawings(page)]
    figures = [figure for section in document["sections"] for figure in section["figures"]]
    if len(drawn) != len(figures):
        yield Difference(name, f"{len(drawn)} figures", f"{len(figures)} figures")
    else:
        for figure, digest in zip(figures, drawn, strict=True):
            if figure["sha256"] != digest:
                yield Difference(f"{name}, {figure['title']}", "another drawing", "the drawing of the data")
    tables = [(section, table) for section, table in _tables(document)]
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


def _texts(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield all texts that a page displays outside tables and drawings."""
    yield from (document["title"], document["about"], *_reference_texts(document))
    counts: Counter[tuple[str, str]] = Counter()
    for section in document["sections"]:
        prefix = "A" if section["is_appendix"] else ""
        yield from (section["title"], *section["paragraphs"], _cited(document, section))
        for figure in section["figures"]:
            counts["Figure", prefix] += 1
            yield f"Figure {prefix}{counts['Figure', prefix]}. {figure['title']}"
            yield figure["caption"]
        for table in section["tables"]:
            counts["Table", prefix] += 1
            yield f"Table {prefix}{counts['Table', prefix]}. {table['title']}"
            yield table["note"]
        yield "\n".join(section["code"])


def _cited(document: Mapping[str, Any], section: Mapping[str, Any]) -> str:
    """Return the paragraph of a section that cites references."""
    numbers = {one["key"]: number for number, one in enumerate(document["references"], 1)}
    return cited_text(cited_parts(section), numbers)


def _reference_texts(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield the heading and the entries of the list of references."""
    if document["references"]:
        yield "References"
    for number, one in enumerate(document["references"], 1):
        yield f"[{number}] {one['text']}"


def _headings(document: Mapping[str, Any]) -> Iterator[str]:
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
    reported: Mapping[str, Any], recomputed: Mapping[str, Any], kept: Collection[str] = ()
) -> ReplayResult:
    """Compare every table and text of two documents. Commands and versions of software are not compared.

    kept: measures whose scores were not computed again; their numbers are counted apart.
    """
    comparison = _Comparison(frozenset(kept))
    notes = []
    digests = [str(each["study"]["sha256"]) for each in (reported, recomputed)]
    if digests[0] != digests[1]:
        comparison.differ("Study, SHA-256 over texts, annotations and ratings", *digests)
    before, after = ({one["anchor"]: one for one in each["sections"]} for each in (reported, recomputed))
    for anchor in dict.fromkeys((*before, *after)):
        if anchor not in before or anchor not in after:
            title = (before.get(anchor) or after[anchor])["title"]
            comparison.differ(title, *(_presence(anchor in one) for one in (before, after)))
        elif anchor == _VERSIONS:
            notes += _other_versions(before[anchor], after[anchor])
        else:
            comparison.compare_sections(before[anchor], after[anchor])
    comparison.compare_references(reported, recomputed)
    notes += [f"The figure {title} is drawn otherwise than in the report." for title in comparison.redrawn]
    differences = tuple(comparison.differences)
    return ReplayResult(comparison.numbers, comparison.largest, differences, tuple(notes), comparison.kept)


def _with_keys(part: Mapping[str, Any]) -> str:
    return f"{part['text']} [{', '.join(part['keys'])}]{part['end']}"


def _presence(is_there: bool) -> str:
    return "section" if is_there else "no such section"


def _other_versions(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    old, new = (
        {str(row[0]): str(row[1]) for table in each["tables"] for row in table["rows"]}
        for each in (before, after)
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

    def compare_sections(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        title = str(before["title"])
        for what in ("paragraphs", "figures"):
            old, new = before[what], after[what]
            if len(old) != len(new):
                self.differ(f"{title}, {what}", str(len(old)), str(len(new)))
            for one, other in zip(old, new, strict=False):
                if _shown(one) != _shown(other):
                    self.differ(title, _shown(one), _shown(other))
                elif one != other:
                    self.redrawn.append(str(one["title"]))
        cited = ["".join(map(_with_keys, each["cited"])) for each in (before, after)]
        if cited[0] != cited[1]:
            self.differ(title, *cited)
        tables = [[table_of(table) for table in each["tables"]] for each in (before, after)]
        if len(tables[0]) != len(tables[1]):
            self.differ(f"{title}, tables", str(len(tables[0])), str(len(tables[1])))
        for old_table, new_table in zip(*tables, strict=False):
            self._compare_tables(title, old_table, new_table)

    def compare_references(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        """Compare lists of references, without the program, whose version is compared elsewhere."""
        old, new = (
            [one["text"] for one in each["references"] if one["key"] != PROGRAM] for each in (before, after)
        )
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


def _tables(document: Mapping[str, Any]) -> Iterator[tuple[str, Table]]:
    for section in document["sections"]:
        for table in section["tables"]:
            yield str(section["title"]), table_of(table)


def _place(section: str, table: Table, row: int, column: int) -> str:
    return f"{section}, {table.title}, {table.rows[row][0]}, {table.columns[column].title}"


def _titles(table: Table) -> str:
    return ", ".join(column.title for column in table.columns)


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        return f"{value['title']}. {value['caption']}"
    return "nothing" if value is None else repr(value) if isinstance(value, float) else str(value)
