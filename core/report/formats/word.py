"""Export of a report as a Word document."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.files.zip_files import without_times
from core.formatting.tables import CellKind, Table
from core.report.document import citation_numbers, cited_text, numbered_figures, numbered_tables, to_json
from core.report.formats.pdf import figure_bytes
from core.report.formats.print_layout import column_widths, figure_share, is_wide, split_wide
from core.report.model import Report, Section

if TYPE_CHECKING:
    from docx.document import Document
    from docx.oxml.xmlchemy import BaseOxmlElement
    from docx.table import _Cell
    from docx.text.paragraph import Paragraph

DATA_PART = "customXml/report.xml"
"""File within a document that holds the report as JSON, in Base64 in one XML element."""

_NAMESPACE = "urn:pyramidion:report"

_LONGEST_TITLE = 255
"""Characters of a document's property."""

_PAGE = 17.0
"""Width of the text in centimetres."""

_CHARACTER = 0.152
"""Width of a character of a table in centimetres."""

_CELL_MARGIN = 55
"""Left and right margin of cells in twentieths of a point."""


def to_docx(report: Report) -> bytes:
    """Return a report as DOCX."""
    import docx
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.opc.packuri import PackURI
    from docx.opc.part import Part
    from docx.shared import Cm, Pt, RGBColor

    document = docx.Document()
    page = document.sections[0]
    page.page_width, page.page_height = Cm(21), Cm(29.7)
    page.left_margin = page.right_margin = page.top_margin = page.bottom_margin = Cm(2)
    document.styles["Normal"].font.size = Pt(10)
    for name in ("Caption", "Title", "Heading 1"):
        document.styles[name].font.color.rgb = RGBColor(0, 0, 0)
    document.styles["Caption"].font.bold = False
    document.styles["Caption"].paragraph_format.keep_with_next = True
    document.core_properties.title = report.title[:_LONGEST_TITLE]
    document.core_properties.author = ""
    document.add_heading(report.title, 0)
    document.add_paragraph(report.about)
    tables = {id(one.table): one.number for one in numbered_tables(report)}
    figures = {id(one.figure): one.number for one in numbered_figures(report)}
    numbers = citation_numbers(report)
    for section in report.main:
        _add_section(document, section, tables, figures, numbers)
    if report.references:
        document.add_heading("References", 1)
    for one in report.references:
        _add_reference(document, f"[{numbers[one.key]}] {one.text}")
    if report.appendix:
        document.add_page_break()  # type: ignore[no-untyped-call]
        document.add_heading("Appendix", 0)
    for section in report.appendix:
        _add_section(document, section, tables, figures, numbers)
    data = base64.b64encode(to_json(report).encode()).decode()
    element = f'<?xml version="1.0" encoding="UTF-8"?>\n<report xmlns="{_NAMESPACE}">{data}</report>\n'
    part = Part(PackURI(f"/{DATA_PART}"), "application/xml", element.encode(), document.part.package)
    document.part.relate_to(part, RELATIONSHIP_TYPE.CUSTOM_XML)
    made = io.BytesIO()
    document.save(made)
    return without_times(made.getvalue())


def _add_section(
    document: Document,
    section: Section,
    tables: dict[int, str],
    figures: dict[int, str],
    numbers: dict[str, int],
) -> None:
    from docx.shared import Cm, Pt

    document.add_heading(section.title, 1)
    style = "List Bullet" if len(section.paragraphs) > 2 else None
    for paragraph in section.paragraphs:
        document.add_paragraph(paragraph, style)
    if section.cited:
        document.add_paragraph(cited_text(section.cited, numbers))
    for figure in section.illustrations:
        width = Cm(_PAGE * figure_share(figure))
        document.add_picture(io.BytesIO(figure_bytes(figure, "png")), width=width)
        document.paragraphs[-1].paragraph_format.keep_with_next = True
        caption = f"Figure {figures[id(figure)]}. {figure.title}. {figure.caption}"
        document.add_paragraph(caption, "Caption").paragraph_format.keep_with_next = False
    for table in section.tables:
        for part in split_wide(table):
            document.add_paragraph(f"Table {tables[id(table)]}. {part.title}", "Caption")
            _add_table(document, part)
    for line in section.code:
        shown = document.add_paragraph()
        shown.paragraph_format.space_after = Pt(2)
        run = shown.add_run(line)
        run.font.name, run.font.size = "Consolas", Pt(8)


def _add_reference(document: Document, text: str) -> None:
    """Add an entry of the list of references with a hanging indent."""
    from docx.shared import Cm, Pt

    entry = document.add_paragraph()
    entry.paragraph_format.left_indent, entry.paragraph_format.first_line_indent = Cm(0.8), Cm(-0.8)
    entry.paragraph_format.space_after = Pt(2)
    entry.add_run(text).font.size = Pt(9)


def _add_table(document: Document, table: Table) -> None:
    """Add a table with rules above, below and under its headings, and columns as wide as their texts."""
    from docx.enum.table import WD_TABLE_ALIGNMENT
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.oxml import OxmlElement
    from docx.shared import Cm, Pt

    texts, groups = table.texts(), table.heading_groups()
    heads = 2 if groups else 1
    shown = document.add_table(rows=heads + len(texts), cols=len(table.columns))
    shown.alignment = WD_TABLE_ALIGNMENT.LEFT
    shown.autofit = False
    widths = _widths(table)
    for column, width in zip(shown.columns, widths, strict=True):
        column.width = Cm(width)
    rows = [row.cells for row in shown.rows]  # reading cells of a row again takes long
    first = 0
    for title, count in groups:
        cell = rows[0][first].merge(rows[0][first + count - 1])
        _write(cell.paragraphs[0], title, is_bold=True)
        cell.paragraphs[0].alignment = WD_ALIGN_PARAGRAPH.CENTER
        first += count
    lines = [[column.title for column in table.columns], *texts]
    for place, line in enumerate(lines):
        for at, (column, text) in enumerate(zip(table.columns, line, strict=True)):
            cell = rows[heads - 1 + place][at]
            cell.width = Cm(widths[at])
            is_code = column.kind is CellKind.CODE and place > 0
            is_bold = place == 0 or (place - 1, at) in table.bold
            _write(cell.paragraphs[0], text, is_bold=is_bold, is_code=is_code)
            if column.is_number:
                cell.paragraphs[0].alignment = WD_ALIGN_PARAGRAPH.RIGHT
    for row in shown.rows[:heads]:
        row._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
    for row in shown.rows:
        row._tr.get_or_add_trPr().append(OxmlElement("w:cantSplit"))
    _draw_rules(rows, heads)
    properties = shown._tbl.tblPr
    margins = OxmlElement("w:tblCellMar")
    for side in ("left", "right"):
        margins.append(_element(f"w:{side}", w=str(_CELL_MARGIN), type="dxa"))
    properties.append(margins)
    if table.note:
        below = document.add_paragraph()
        below.paragraph_format.space_before = Pt(3)
        below.add_run(table.note).font.size = Pt(8)


def _write(paragraph: Paragraph, text: str, *, is_bold: bool = False, is_code: bool = False) -> None:
    """Write the text of a cell."""
    from docx.shared import Pt

    paragraph.paragraph_format.space_after = Pt(0)
    run = paragraph.add_run(text)
    run.font.size, run.bold = Pt(8), is_bold
    if is_code:
        run.font.name, run.font.size = "Consolas", Pt(7)


def _draw_rules(rows: Sequence[Sequence[_Cell]], heads: int) -> None:
    """Draw rules above and below a table, and under its headings."""
    for cell in rows[0]:
        _draw_rule(cell, "top", 8)
    for cell in rows[heads - 1]:
        _draw_rule(cell, "bottom", 4)
    for cell in rows[-1]:
        _draw_rule(cell, "bottom", 8)


def _draw_rule(cell: _Cell, side: str, eighths: int) -> None:
    """Draw a rule at a side of a cell. eighths: of a point, its width."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    properties = cell._tc.get_or_add_tcPr()
    borders = properties.find(qn("w:tcBorders"))
    if borders is None:
        borders = OxmlElement("w:tcBorders")
        properties.append(borders)
    if borders.find(qn(f"w:{side}")) is None:  # a merged cell occurs once for each of its columns
        borders.append(_element(f"w:{side}", val="single", sz=str(eighths), space="0", color="auto"))


def _element(name: str, **attributes: str) -> BaseOxmlElement:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    made = OxmlElement(name)
    for key, value in attributes.items():
        made.set(qn(f"w:{key}"), value)
    return made


def _widths(table: Table) -> list[float]:
    """Return the width of each column in centimetres; wrapped columns share what the others leave."""
    characters = column_widths(table)
    wide = [place for place in range(len(table.columns)) if is_wide(table, place)]
    natural = [_CHARACTER * count + 0.1 for count in characters]
    left = _PAGE - sum(width for place, width in enumerate(natural) if place not in wide)
    if not wide:
        scale = min(1.0, _PAGE / sum(natural))
        return [width * scale for width in natural]
    share = max(left / len(wide), _CHARACTER * 12)
    widths = [share if place in wide else width for place, width in enumerate(natural)]
    scale = min(1.0, _PAGE / sum(widths))
    return [width * scale for width in widths]
