r"""Export of a report as LaTeX: a document, and one file per table for ``\input``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.formatting.numbers import UNDEFINED
from core.formatting.tables import BEYOND_PDFLATEX, CellKind, Column, Table, latex_text
from core.report.document import NumberedFigure, NumberedTable, numbered_figures, numbered_tables
from core.report.formats.print_layout import (
    PAGE_CHARACTERS,
    column_widths,
    figure_rows,
    figure_share,
    is_wide,
    split_wide,
)
from core.report.model import CitedText, Report, Section
from core.stats.significance_groups import letter_at

PACKAGES = (
    r"\ifdefined\Umathchar\usepackage{fontspec}\else\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}"
    r"\usepackage{lmodern}\usepackage{textcomp}\fi",
    r"\usepackage{booktabs}",
    r"\usepackage{siunitx}",
    r"\usepackage{tabularx}",
    r"\usepackage{longtable}",
    r"\usepackage{graphicx}",
    r"\usepackage{caption}",
)
"""Lines of a preamble in which the tables can be read by ``\\input``."""

# in each table, so that it shows the same digits in any document
_SETUP = (
    r"\sisetup{detect-weight=true, mode=text, group-digits=integer, group-separator={,}, "
    r"group-minimum-digits=4, input-open-uncertainty=, input-close-uncertainty=, "
    r"print-zero-integer=false, retain-negative-zero=true}"
)
_SHRUNK = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}"
"""Begins a box that is made smaller where a document has a narrower page or column than the report."""

_LONG = 45
"""Tables with more rows break across pages."""

_MANY_LETTERS = 5000
"""Tables with more letters in their cells break, too: they can be higher than a page."""

_NARROWEST = 0.15
"""Least width of a column that is wrapped in a long table, as a share of the page's."""

_LONG_WORD = re.compile("[0-9A-Za-z]{40,}")
_NUMBER = re.compile(r"[-−]?(\d[\d,]*)?(\.(\d+))?")


def to_latex(report: Report) -> str:
    """Return the document; it reads ``tables/*.tex`` and ``figures/*.pdf``."""
    lines = [
        r"\documentclass[a4paper,10pt]{article}",
        r"\usepackage[margin=2cm]{geometry}",
        *PACKAGES,
        r"\usepackage{fvextra}",
        r"\usepackage[hidelinks]{hyperref}",
        r"\usepackage{float}\floatplacement{table}{!htbp}\floatplacement{figure}{!htbp}",
        *_rare_letters(report),
        rf"\title{{{latex_text(report.title)}}}",
        rf"\author{{{latex_text(report.about)}}}",
        r"\date{}",
        r"\begin{document}",
        r"\maketitle",
    ]
    tables = {id(one.table): one for one in numbered_tables(report)}
    figures = {id(one.figure): one for one in numbered_figures(report)}
    for section in report.main:
        lines += _section(section, tables, figures)
    if report.references:
        lines += [r"\bibliographystyle{unsrt}", r"\bibliography{references}"]
    if report.appendix:
        lines += [
            r"\clearpage",
            r"\appendix",
            r"\floatplacement{table}{H}\floatplacement{figure}{H}",
            r"\renewcommand{\thetable}{A\arabic{table}}\setcounter{table}{0}",
            r"\renewcommand{\thefigure}{A\arabic{figure}}\setcounter{figure}{0}",
        ]
        for section in report.appendix:
            lines += _section(section, tables, figures)
    return "\n".join([*lines, r"\end{document}"]) + "\n"


def _rare_letters(report: Report) -> list[str]:
    """Return the lines of a preamble that set characters of commands, which are verbatim, or their numbers.

    LuaLaTeX and XeLaTeX make them active in verbatim lines only.
    """
    code = "".join(line for section in report.sections for line in section.code)
    rare = sorted(set(BEYOND_PDFLATEX.findall(code)))
    active = "".join(rf"\catcode{ord(sign)}=13 " for sign in rare)
    lines = [rf"\newcommand{{\rareletters}}{{\ifdefined\Umathchar {active}\fi}}"]
    for sign in rare:
        number = f"{ord(sign):04X}"
        lines.append(
            rf"\ifdefined\Umathchar\begingroup\lccode`\~={ord(sign)} \lowercase{{\endgroup\protected\def~}}"
            rf"{{\iffontchar\font {ord(sign)} \char{ord(sign)} \else U+{number}\fi}}"
            rf"\else\DeclareUnicodeCharacter{{{number}}}{{U+{number}}}\fi"
        )
    return lines


def table_file(one: NumberedTable) -> str:
    """Return the name of a table's file."""
    return f"table-{one.number}.tex"


def figure_file(one: NumberedFigure, suffix: str) -> str:
    """Return the name of a figure's file. suffix: ``.pdf``, ``.svg`` or ``.png``."""
    return f"figure-{one.number}{suffix}"


def table_latex(one: NumberedTable) -> str:
    """Return a table with caption and label; one that is too wide for a page in parts."""
    parts = split_wide(one.table, is_heading_wrapped=False)
    return "\n".join(
        _table(part, f"{one.number}{_letter(place, len(parts))}", is_continued=place > 0)
        for place, part in enumerate(parts)
    )


def _letter(place: int, count: int) -> str:
    return "" if count == 1 else letter_at(place)


def _section(
    section: Section, tables: dict[int, NumberedTable], figures: dict[int, NumberedFigure]
) -> list[str]:
    lines = ["", rf"\section{{{latex_text(section.title)}}}"]
    paragraphs = [latex_text(paragraph) for paragraph in section.paragraphs]
    if len(paragraphs) > 2:
        lines += [
            r"\begin{itemize}\setlength{\itemsep}{0pt}",
            *(rf"\item {{}}{text}" for text in paragraphs),
            r"\end{itemize}",
        ]
    else:
        lines += [line for text in paragraphs for line in (text, "")]
    if section.cited:
        lines += ["".join(map(_cited, section.cited)), ""]
    if not section.is_appendix and (found := _references(section, tables, figures)):
        lines.append(found)
    for row in figure_rows(section.illustrations):
        shown = [_figure(figures[id(figure)], is_alone=len(row) == 1) for figure in row]
        lines += [r"\begin{figure}\centering", r"\hfill".join(shown), r"\end{figure}"]
    lines += [rf"\input{{tables/{table_file(tables[id(table)])}}}" for table in section.tables]
    if section.code:
        code = [" ".join(line.split("\n")) for line in section.code]
        lines += [
            r"\begin{Verbatim}[breaklines=true,breakanywhere=true,fontsize=\footnotesize,codes=\rareletters]",
            *(line.replace(r"\end{Verbatim}", r"\end {Verbatim}") for line in code),
            r"\end{Verbatim}",
        ]
    return lines


def _cited(part: CitedText) -> str:
    space = " " if part.text.startswith(" ") else ""
    cited = rf"~\cite{{{','.join(part.keys)}}}" if part.keys else ""
    return f"{space}{latex_text(part.text)}{cited}{part.end}"


def _references(
    section: Section, tables: dict[int, NumberedTable], figures: dict[int, NumberedFigure]
) -> str:
    """Return a sentence that refers to a section's tables and figures, which LaTeX may place elsewhere."""
    kinds = []
    if section.tables:
        numbers = [tables[id(table)].number for table in section.tables]
        parts = [len(split_wide(table, is_heading_wrapped=False)) for table in section.tables]
        labels = [f"tab:{number}{_letter(0, count)}" for number, count in zip(numbers, parts, strict=True)]
        kinds.append(_listed("Table", labels))
    if section.illustrations:
        kinds.append(_listed("Figure", [f"fig:{figures[id(one)].number}" for one in section.illustrations]))
    return f"See {' and '.join(kinds)}." if kinds else ""


def _listed(what: str, labels: Sequence[str]) -> str:
    references = [rf"\ref{{{label}}}" for label in labels]
    if len(references) == 1:
        return f"{what}~{references[0]}"
    return f"{what}s~{', '.join(references[:-1])} and~{references[-1]}"


def _figure(one: NumberedFigure, *, is_alone: bool) -> str:
    """Return a figure with caption and label, in a column where it stands next to another."""
    figure = one.figure
    width = f"{figure_share(figure, is_alone=is_alone):.3g}"
    lines = [
        rf"\includegraphics[width={width}\linewidth,height=0.8\textheight,keepaspectratio]"
        rf"{{figures/{figure_file(one, '.pdf')}}}",
        rf"\caption{{{latex_text(f'{figure.title}. {figure.caption}')}}}",
        rf"\label{{fig:{one.number}}}",
    ]
    if not is_alone:
        lines = [r"\begin{minipage}[t]{0.48\linewidth}\centering", *lines, r"\end{minipage}"]
    return "\n".join(lines)


def _table(table: Table, number: str, *, is_continued: bool) -> str:
    """Return a table. is_continued: it has the number of the table before."""
    caption = rf"\caption{{{latex_text(table.title)}}}\label{{tab:{number}}}"
    wide = [place for place in range(len(table.columns)) if is_wide(table, place)]
    texts = table.texts()
    letters = sum(len(cell) for row in texts for cell in row)
    is_long = len(table.rows) > _LONG or letters > _MANY_LETTERS
    sides = "".join(_side(table, place, texts, wide, is_long=is_long) for place in range(len(table.columns)))
    head = _group_headings(table) + " & ".join(_heading(column) for column in table.columns) + r" \\"
    body = [_row(table, place, cells) for place, cells in enumerate(texts)]
    note = rf"{{\footnotesize\raggedright {latex_text(table.note)}\par}}" if table.note else ""
    if is_long:
        lines = [
            r"\addtocounter{table}{-1}" if is_continued else "",
            r"\begingroup\footnotesize\setlength{\tabcolsep}{3pt}" + _SETUP,
            rf"\begin{{longtable}}{{{sides}}}",
            caption + r"\\",
            rf"\toprule {head} \midrule \endfirsthead",
            rf"\toprule {head} \midrule \endhead",
            r"\bottomrule \endfoot",
            *body,
            r"\end{longtable}",
            note,
            r"\endgroup",
        ]
        return "\n".join(line for line in lines if line) + "\n"
    kind = "tabularx" if wide else "tabular"
    width = r"{\linewidth}" if wide else ""
    shrink, end = ("", "") if wide else (rf"{_SHRUNK}{{%", "}")
    has_page = wide or sum(column_widths(table, is_heading_wrapped=False)) > PAGE_CHARACTERS / 2
    float_kind = "table*" if has_page else "table"
    lines = [
        rf"\begin{{{float_kind}}}" + r"\centering\footnotesize\setlength{\tabcolsep}{3pt}" + _SETUP,
        r"\ContinuedFloat" if is_continued else "",
        caption,
        shrink,
        rf"\begin{{{kind}}}{width}{{{sides}}}",
        r"\toprule",
        head,
        r"\midrule",
        *body,
        r"\bottomrule",
        rf"\end{{{kind}}}" + end,
        note and rf"\par\smallskip {note}",
        rf"\end{{{float_kind}}}",
    ]
    return "\n".join(line for line in lines if line) + "\n"


def _side(
    table: Table, place: int, texts: Sequence[Sequence[str]], wide: Sequence[int], *, is_long: bool
) -> str:
    """Return the specification of a column: siunitx for numbers, wrapped for long texts."""
    if place in wide:
        widths = column_widths(table, is_heading_wrapped=False)
        narrow = sum(width for at, width in enumerate(widths) if at not in wide)
        share = max(_NARROWEST, (1 - narrow / PAGE_CHARACTERS) / len(wide))
        return rf"p{{{share:.2f}\linewidth}}" if is_long else r">{\raggedright\arraybackslash}X"
    if not table.columns[place].is_number:
        return "l"
    numbers = [found for row in texts if (found := _NUMBER.fullmatch(row[place]))]
    if len(numbers) < sum(row[place] != UNDEFINED for row in texts):
        return "r"
    before = max((len((one[1] or "").replace(",", "")) for one in numbers), default=1)
    after = max((len(one[3] or "") for one in numbers), default=0)
    return f"S[table-format=-{max(before, 1)}.{after}]"


def _group_headings(table: Table) -> str:
    """Return a line of headings above columns with rules, empty where there is none."""
    groups = table.heading_groups()
    if not groups:
        return ""
    cells, rules, first = [], [], 1
    for title, count in groups:
        cells.append(rf"\multicolumn{{{count}}}{{c}}{{{latex_text(title)}}}" if title else "")
        rules += [rf"\cmidrule(lr){{{first}-{first + count - 1}}}"] if title else []
        first += count
    return " & ".join(cells) + r" \\ " + " ".join(rules) + " "


def _heading(column: Column) -> str:
    return f"{{{latex_text(column.title)}}}"


def _row(table: Table, place: int, cells: Sequence[str]) -> str:
    shown = []
    for at, (column, text) in enumerate(zip(table.columns, cells, strict=True)):
        is_bold = (place, at) in table.bold
        if column.is_number and text and _NUMBER.fullmatch(text) and text not in ("-", "−"):
            number = text.replace("−", "-").replace(",", "")
            shown.append(rf"\bfseries {number}" if is_bold else number)
        elif column.is_number:
            shown.append(f"{{{latex_text(text)}}}")
        elif column.kind is CellKind.CODE:
            shown.append(rf"{{\ttfamily\footnotesize {_breakable(latex_text(text))}}}")
        else:
            breakable = _LONG_WORD.sub(_with_breaks, latex_text(text))
            shown.append(rf"\textbf{{{breakable}}}" if is_bold else breakable)
    return " & ".join(shown) + r" \\"


def _with_breaks(word: re.Match[str]) -> str:
    """Allow line breaks in a digest."""
    return r"\allowbreak{}".join(word[0][at : at + 8] for at in range(0, len(word[0]), 8))


def _breakable(code: str) -> str:
    """Allow line breaks in a signature."""
    broken = code.replace(r"\textbar{}", r"\textbar{}\allowbreak{}").replace(";", r";\allowbreak{}")
    return _LONG_WORD.sub(_with_breaks, broken)
