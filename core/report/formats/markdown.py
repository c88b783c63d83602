"""Export of a report as Markdown, with its figures as files next to it."""

from __future__ import annotations

import re

from core.formatting.tables import markdown_text, to_markdown
from core.report.document import (
    NumberedFigure,
    NumberedTable,
    citation_numbers,
    cited_text,
    numbered_figures,
    numbered_tables,
)
from core.report.model import Report, Section


def to_report_markdown(report: Report) -> str:
    """Return a report as Markdown; figures are read from ``figures/figure-N.svg``."""
    tables = {id(one.table): one for one in numbered_tables(report)}
    figures = {id(one.figure): one for one in numbered_figures(report)}
    lines = [f"# {markdown_text(report.title)}", "", markdown_text(report.about), ""]
    numbers = citation_numbers(report)
    for section in report.main:
        lines += _section(section, tables, figures, numbers)
    if report.references:
        lines += ["## References", ""]
        lines += [
            line
            for one in report.references
            for line in (f"\\[{numbers[one.key]}\\] {markdown_text(one.text)}", "")
        ]
    if report.appendix:
        lines += ["# Appendix", ""]
    for section in report.appendix:
        lines += _section(section, tables, figures, numbers)
    return "\n".join(lines).rstrip() + "\n"


def _section(
    section: Section,
    tables: dict[int, NumberedTable],
    figures: dict[int, NumberedFigure],
    numbers: dict[str, int],
) -> list[str]:
    mark = "- " if len(section.paragraphs) > 2 else ""
    lines = [f"## {markdown_text(section.title)}", ""]
    for paragraph in section.paragraphs:
        lines += [f"{mark}{markdown_text(paragraph)}", *([] if mark else [""])]
    if mark:
        lines.append("")
    if section.cited:
        lines += [markdown_text(cited_text(section.cited, numbers)), ""]
    for figure in section.illustrations:
        number = figures[id(figure)].number
        caption = markdown_text(f"{figure.title}. {figure.caption}")
        alt = markdown_text(figure.title)
        lines += [f"![{alt}](figures/figure-{number}.svg)", "", f"**Figure {number}.** {caption}", ""]
    for table in section.tables:
        number = tables[id(table)].number
        lines += [f"**Table {number}.** {markdown_text(table.title)}", "", to_markdown(table)]
    if section.code:
        fence = "`" * max(
            3, 1 + max((len(run) for run in re.findall("`+", "\n".join(section.code))), default=0)
        )
        lines += [fence, *section.code, fence, ""]
    return lines
