"""Export of a report as a Word document."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from core.errors import MissingResource
from core.files.zip_files import without_times
from core.formatting.tables import CellKind, Table
from core.report.document import numbered_figures, numbered_tables
from core.report.model import Report, Section
from core.report.pdf import figure_bytes
from core.report.print_layout import split_wide

if TYPE_CHECKING:
    from docx.document import Document

_LONGEST_TITLE = 255
"""Characters of a document's property."""

_WIDE, _NARROW = 16.5, 10.5
"""Width of figures in centimetres."""


def to_docx(report: Report) -> bytes:
    """Return a report as DOCX. Raises MissingResource without the package ``python-docx``."""
    try:
        import docx
    except ImportError as error:
        raise MissingResource(
            "DOCX needs the package python-docx. Install it: python -m pip install python-docx"
        ) from error
    from docx.shared import Cm, Pt

    document = docx.Document()
    page = document.sections[0]
    page.page_width, page.page_height = Cm(21), Cm(29.7)
    page.left_margin = page.right_margin = page.top_margin = page.bottom_margin = Cm(2)
    document.styles["Normal"].font.size = Pt(10)
    document.core_properties.title = report.title[:_LONGEST_TITLE]
    document.core_properties.author = ""
    document.add_heading(report.title, 0)
    document.add_paragraph(report.about)
    tables = {id(one.table): one.number for one in numbered_tables(report)}
    figures = {id(one.figure): one.number for one in numbered_figures(report)}
    for section in report.main:
        _add_section(document, section, tables, figures)
    if report.appendix:
        document.add_page_break()  # type: ignore[no-untyped-call]
        document.add_heading("Appendix", 0)
    for section in report.appendix:
        _add_section(document, section, tables, figures)
    made = io.BytesIO()
    document.save(made)
    return without_times(made.getvalue())


def _add_section(
    document: Document, section: Section, tables: dict[int, str], figures: dict[int, str]
) -> None:
    from docx.shared import Cm, Pt

    document.add_heading(section.title, 1)
    style = "List Bullet" if len(section.paragraphs) > 2 else None
    for paragraph in section.paragraphs:
        document.add_paragraph(paragraph, style)
    for figure in section.illustrations:
        width = Cm(_WIDE if figure.is_wide else _NARROW)
        document.add_picture(io.BytesIO(figure_bytes(figure, "png")), width=width)
        caption = f"Figure {figures[id(figure)]}. {figure.title}. {figure.caption}"
        document.add_paragraph(caption, "Caption")
    for table in section.tables:
        for part in split_wide(table):
            document.add_paragraph(f"Table {tables[id(table)]}. {part.title}", "Caption")
            _add_table(document, part)
    for line in section.code:
        run = document.add_paragraph().add_run(line)
        run.font.name, run.font.size = "Consolas", Pt(8)


def _add_table(document: Document, table: Table) -> None:
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.oxml import OxmlElement
    from docx.shared import Pt

    shown = document.add_table(rows=1, cols=len(table.columns), style="Light List")
    groups = table.heading_groups()
    if groups:
        top = shown.rows[0].cells
        first = 0
        for title, count in groups:
            cell = top[first].merge(top[first + count - 1])
            run = cell.paragraphs[0].add_run(title)
            run.font.size, run.bold = Pt(8), True
            cell.paragraphs[0].alignment = WD_ALIGN_PARAGRAPH.CENTER
            first += count
        shown.add_row()
    for row in shown.rows:
        row._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
    texts = [[column.title for column in table.columns], *table.texts()]
    for place, line in enumerate(texts):
        cells = shown.rows[-1].cells if place == 0 else shown.add_row().cells
        for at, (column, text) in enumerate(zip(table.columns, line, strict=True)):
            paragraph = cells[at].paragraphs[0]
            run = paragraph.add_run(text)
            run.font.size = Pt(8)
            run.bold = place == 0 or (place - 1, at) in table.bold
            if column.kind is CellKind.CODE and place:
                run.font.name, run.font.size = "Consolas", Pt(7)
            if column.is_number:
                paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
    if table.note:
        note = document.add_paragraph().add_run(table.note)
        note.font.size = Pt(8)
