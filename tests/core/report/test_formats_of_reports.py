"""Every format of a report has the same numbers, and texts of a study are texts in each."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import zipfile
from dataclasses import replace
from html import unescape
from pathlib import Path

import docx
import openpyxl
import pyarrow.parquet
import pypdf
import pytest

from core.domain.data_origin import DataOrigin
from core.errors import InputError
from core.formatting.tables import STAND_IN, CellKind, Column, Table
from core.metrics import registry as metrics
from core.progress import run_to_completion
from core.report import bibliography
from core.report.bibliography import sources, to_bibtex
from core.report.build import build_report
from core.report.document import (
    citation_numbers,
    cited_text,
    numbered_figures,
    numbered_tables,
    read_document,
    to_json,
)
from core.report.formats.html import to_html
from core.report.formats.latex import table_latex, to_latex
from core.report.formats.markdown import to_report_markdown
from core.report.formats.parquet import table_to_parquet
from core.report.formats.pdf import to_pdf
from core.report.formats.print_layout import figure_rows, figure_share, split_wide
from core.report.formats.word import to_docx
from core.report.formats.workbook import table_to_xlsx, to_xlsx
from core.report.formats.write import MANIFEST, write_report
from core.report.legible import legible
from core.report.model import CitedText, FigureSvg, Report, Section
from core.stats.correlation import Coefficient, Level
from core.systems import registry as summarizers
from tests.scoring import QUICK

pytestmark = pytest.mark.slow

HOSTILE = (
    "<script>alert(1)</script>",
    "=HYPERLINK(1)",
    r"\input{/etc/passwd} \end{document} 50% & $x_1^2$ #~{}",
    "`code` *bold* [link](javascript:alert(1)) | cell <img src=x>",
    '#import "x" $ ] @label // comment',
    "null \x00 bell \x07 escape \x1b[31m",
    "{{7*7}} {% raw %} Zoë 摘要 \u202e right to left",
)

SVG = '<svg width="40" height="20" viewBox="0 0 40 20"><path d="M0 0H9V9Z" fill="#123456"/></svg>'


def hostile_report() -> Report:
    """A report whose every text is hostile."""
    one = " ".join(HOSTILE)
    columns = (
        Column("Measure " + HOSTILE[2], "measure"),
        Column("r " + HOSTILE[0], "r", CellKind.CORRELATION),
        Column("Signature", "signature", CellKind.CODE),
    )
    rows = tuple((text, 0.123456789 + at, text) for at, text in enumerate(HOSTILE))
    table = Table("Table " + one, columns, rows, "Note " + one, bold=frozenset({(1, 0), (1, 1)}))
    figure = FigureSvg("Figure " + one, SVG, lambda: SVG, "Caption " + one)
    main = Section("Section " + one, "main", (one, *HOSTILE), (table,), (figure,), HOSTILE)
    found = sources(f"bertscore|model:{text}" for text in HOSTILE)
    cited = tuple(CitedText(part.text, part.keys[-1:]) for part in found.models)
    main = replace(main, cited=cited)
    rest = Section("Appendix " + one, "rest", (one,), (table,), is_appendix=True)
    return legible(
        Report(
            "Title " + one,
            "About " + one,
            (main, rest),
            "Study " + one,
            "x.pyramidion",
            "0" * 64,
            references=tuple(found.entries[key] for part in cited for key in part.keys),
        )
    )


def text_of_pdf(content: bytes) -> str:
    """Return the text of all pages without spaces, line breaks and hyphens at their ends."""
    pages = pypdf.PdfReader(io.BytesIO(content)).pages
    return re.sub(r"\s|\u200b|\xad\s*", "", "\n".join(page.extract_text() for page in pages))


@pytest.fixture(scope="module")
def hostile() -> Report:
    return hostile_report()


@pytest.fixture(scope="module")
def report(judged_study) -> Report:
    options = replace(QUICK, levels=(Level.SYSTEM,), coefficient=Coefficient.KENDALL)
    return run_to_completion(build_report(judged_study, options))


@pytest.fixture(scope="module")
def pack(report, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("packs") / "paper"
    run_to_completion(write_report(report, folder))
    return folder


SHOWN = (*HOSTILE[:5], r"null \x00 bell \x07 escape \x1b[31m", HOSTILE[6].replace("\u202e", r"\u202e"))
"""The hostile texts as every format shows them."""


class TestHostileTexts:
    def test_html_shows_them(self, hostile):
        page = to_html(hostile)
        assert "<script" not in page
        assert "<img" not in page
        for text in SHOWN:
            assert text in unescape(page)

    def test_markdown_escapes_them(self, hostile):
        shown = to_report_markdown(hostile)
        outside = shown.split("```")[0]
        assert not re.search(r"(?<!\\)<\w", outside)
        assert not re.search(r"(?<!\\)\[link", outside)
        assert r"\*bold\*" in outside

    def test_latex_has_no_command_of_theirs(self, hostile):
        source = to_latex(hostile)
        outside = re.sub(r"\\begin\{Verbatim\}.*?\\end\{Verbatim\}", "", source, flags=re.DOTALL)
        assert outside.count(r"\end{document}") == 1
        assert r"\input{/etc" not in outside
        table = table_latex(next(numbered_tables(hostile)))
        assert r"50\%" in table
        assert r"\input" not in table
        assert "\x00" not in source + table

    def test_verbatim_is_not_ended_by_them(self):
        section = Section("Code", "code", code=(r"a \end{Verbatim} \input{x}", "b"))
        source = to_latex(Report("T", "", (section,)))
        assert source.count(r"\end{Verbatim}") == 1
        assert source.index("b\n\\end{Verbatim}") > 0

    def test_letters_that_pdflatex_lacks_do_not_stop_it(self):
        made = to_latex(Report("Zoë – 摘", "", ()))
        known = r"\iffontchar\font 25688 摘\else U+6458\fi"
        assert rf"\title{{Zoë -- \ifdefined\Umathchar{known}\else U+6458\fi{{}}}}" in made

    def test_letters_of_commands_are_set_or_numbered_by_every_engine(self):
        made = to_latex(Report("T", "", (Section("S", "s", code=("open 摘.pyramidion Zoë",)),)))
        assert r"\newcommand{\rareletters}{\ifdefined\Umathchar \catcode25688=13 \fi}" in made
        assert r"\else\DeclareUnicodeCharacter{6458}{U+6458}\fi" in made
        assert "codes=\\rareletters]\nopen 摘.pyramidion Zoë\n" in made
        assert "00EB" not in made

    def test_words_that_no_page_can_hold_are_shortened(self):
        name, digest = "w" * 10_000, "0" * 64
        table = Table("T", (Column("System", "s"), Column("x", name)), ((name, digest),), f"n {name}")
        section = Section("S", "s", (name,), (table,), code=(name,))
        report = legible(Report("T", "", (section,)))
        shown = report.sections[0]
        assert shown.tables[0].rows == ((f"{'w' * 100}… (10,000 characters)", digest),)
        assert (len(shown.paragraphs[0]), len(shown.tables[0].note)) == (121, 123)
        assert shown.code == (name,)  # a command must stay as it is

    def test_nothing_that_is_longer_than_a_page_is_cut(self):
        words = " ".join(f"word{number}" for number in range(4000))
        table = Table("T", (Column("System", "s"), Column("Text", "t")), (("a", words),))
        for section in (Section("S", "s", tables=(table,)), Section("S", "s", code=(words,))):
            pages = pypdf.PdfReader(io.BytesIO(to_pdf(Report("T", "", (section,))))).pages
            assert ["word3999" in page.extract_text() for page in pages][-1]
            assert "word0" in pages[0].extract_text()
            assert all(page.extract_text().count("word") > 100 for page in pages[:-1])
            assert len(pages) > 2
        assert r"\begin{longtable}" in table_latex(
            next(numbered_tables(Report("T", "", (Section("S", "s", tables=(table,)),))))
        )

    def test_a_pdf_is_made(self, hostile):
        assert to_pdf(hostile).startswith(b"%PDF-")

    def test_word_shows_them(self, hostile):
        document = docx.Document(io.BytesIO(to_docx(hostile)))
        shown = {paragraph.text for paragraph in document.paragraphs}
        cells = {cell.text for table in document.tables for row in table.rows for cell in row.cells}
        assert shown >= set(SHOWN)
        assert cells >= set(SHOWN)

    def test_a_workbook_has_no_formulas(self, hostile):
        book = openpyxl.load_workbook(io.BytesIO(to_xlsx(hostile)))
        cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
        assert {cell.data_type for cell in cells} <= {"s", "n"}
        assert "=HYPERLINK(1)" in [cell.value for cell in cells]

    def test_a_table_of_its_own_is_a_workbook_or_a_parquet_file(self):
        columns = (Column("Measure", "measure"), Column("r", "r", CellKind.CORRELATION), Column("n", "n"))
        rows = (*((text, 0.1 + at, None) for at, text in enumerate(HOSTILE)), ("none†", float("nan"), 3))
        table = Table("A: table/[of] its own", columns, rows, "Seven.\n† Model X is a stand-in.")
        book = openpyxl.load_workbook(io.BytesIO(table_to_xlsx(table)))
        assert book.sheetnames == ["A  table  of  its own", "Note"]
        cells = [[cell.value for cell in row] for row in book.worksheets[0].iter_rows()]
        assert cells[0] == ["measure", "r", "n", STAND_IN]
        assert [row[0] for row in cells[1:]] == [*SHOWN, "none"]
        assert [row[1] for row in cells[1:]] == [*(0.1 + at for at in range(len(HOSTILE))), None]
        assert cells[-1][3] == "Model X is a stand-in."
        filled = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value]
        assert {cell.data_type for cell in filled} <= {"s", "n"}
        stored = pyarrow.parquet.read_table(io.BytesIO(table_to_parquet(table)))
        assert stored.column("measure").to_pylist() == [*HOSTILE, "none"]
        assert stored.column("r").to_pylist() == [*(0.1 + at for at in range(len(HOSTILE))), None]
        assert stored.column("n").to_pylist() == [*[None] * len(HOSTILE), "3"]
        assert stored.column(STAND_IN).to_pylist()[-1] == "Model X is a stand-in."
        assert stored.schema.metadata[b"note"].startswith(b"Seven.")

    def test_bibtex_is_balanced(self, hostile):
        entries = to_bibtex(hostile)
        unescaped = re.sub(r"\\[{}]", "", entries)
        assert unescaped.count("{") == unescaped.count("}")
        assert r"\input{" not in entries
        assert not re.search(r"\\x[0-9a-f]{2}|\\u[0-9a-f]{4}", entries), "commands of their own"


_CELL = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>", re.DOTALL)


def cells_of_page(page: str) -> list[list[list[str]]]:
    """Return the cells of the body of every table of a web page."""

    def text(cell: str) -> str:
        return " ".join(unescape(re.sub("<[^>]+>", "", cell)).split())

    bodies = re.findall("<tbody>(.*?)</tbody>", page, re.DOTALL)
    rows = [re.findall("<tr>(.*?)</tr>", body, re.DOTALL) for body in bodies]
    return [[list(map(text, _CELL.findall(row))) for row in body] for body in rows]


def cells_of_markdown(markdown: str) -> list[list[list[str]]]:
    """Return the cells of the body of every table of a Markdown text."""

    def text(cell: str) -> str:
        return " ".join(re.sub(r"\\(.)|\*\*", r"\1", cell).split())

    blocks = [block.splitlines() for block in re.findall(r"(?:^\|.*\n)+", markdown, re.MULTILINE)]
    return [[list(map(text, re.split(r"(?<!\\)\|", line)[1:-1])) for line in lines[2:]] for lines in blocks]


class TestSameNumbers:
    """Every number of every table in every format, in one pass over one report.

    The expected texts come from the document, as `report.json` holds it, not from the writers.
    """

    def test_pages_and_documents_show_every_cell(self, report, pack):
        document = read_document((pack / "report.json").read_text("utf-8"), "report.json")
        tables = [table for section in document.sections for table in section.tables]
        page = cells_of_page((pack / "report.html").read_text("utf-8"))
        markdown = cells_of_markdown((pack / "report.md").read_text("utf-8"))
        assert len(page) == len(markdown) == len(tables) > 10
        numbers = 0
        for table, of_page, of_markdown in zip(tables, page, markdown, strict=True):
            texts = [[" ".join(cell.split()) for cell in row] for row in table.texts()]
            numbers += sum(isinstance(cell, (int, float)) for row in table.rows for cell in row)
            assert of_page == texts
            assert of_markdown == texts
        assert numbers > 200
        parts = [part for table in tables for part in split_wide(table)]
        word = docx.Document(str(pack / "report.docx")).tables
        assert len(word) == len(parts)
        printed, at = text_of_pdf((pack / "report.pdf").read_bytes()), 0
        for part, of_word in zip(parts, word, strict=True):
            heads = 2 if part.heading_groups() else 1
            shown = [[cell.text for cell in row.cells] for row in of_word.rows[heads:]]
            assert shown == [[" ".join(cell.split()) for cell in row] for row in part.texts()]
            for row in part.texts():  # rows follow each other on the pages, too
                text = re.sub(r"\s", "", "".join(row))
                found = printed.find(text, at)
                assert found >= 0, (part.title, row)
                at = found + len(text)

    def test_latex_has_the_displayed_digits_of_every_number(self, report):
        for one in numbered_tables(report):
            parts = split_wide(one.table, is_heading_wrapped=False)
            source = table_latex(one)
            lines = [
                line for line in source.splitlines() if line.endswith(r" \\") and "multicolumn" not in line
            ]
            body = [line.removesuffix(r" \\") for line in lines if not line.startswith("{")]
            rows = [(part.columns, row) for part in parts for row in part.texts()]
            assert len(body) == len(rows)
            for line, (columns, texts) in zip(body, rows, strict=True):
                for cell, text, column in zip(line.split(" & "), texts, columns, strict=True):
                    if column.is_number:
                        digits = cell.removeprefix(r"\bfseries ").strip("{}")
                        shown = digits.replace("$-$", "-").replace("--", "–")
                        assert shown == text.replace("−", "-").replace(",", ""), (one.table.title, text)
            assert rf"\label{{tab:{one.number}" in source
            assert r"\toprule" in source

    def test_files_of_tables_have_full_precision(self, report, pack):
        document = json.loads((pack / "report.json").read_text("utf-8"))
        tables = [table for section in document["sections"] for table in section["tables"]]
        book = openpyxl.load_workbook(pack / "tables.xlsx")
        for one, table, sheet in zip(numbered_tables(report), tables, book.worksheets[1:-1], strict=True):
            written = (pack / "tables" / f"table-{one.number}.csv").read_text("utf-8")
            read = list(csv.reader(io.StringIO(written)))
            cells = list(sheet.iter_rows(values_only=True))
            assert len(read) == len(cells) == len(table["rows"]) + 1
            for place, row in enumerate(table["rows"], 1):
                for at, value in enumerate(row):
                    if isinstance(value, (int, float)):
                        assert float(read[place][at]) == value
                        assert cells[place][at] == value
                    elif value is None:
                        assert read[place][at] == ""

    def test_best_values_are_bold_in_each(self, report):
        one = next(one for one in numbered_tables(report) if one.section.anchor == "results")
        one = replace(one, table=replace(one.table, bold=frozenset({(0, 1)})))
        only = Report("T", "", (Section("S", "s", tables=(one.table,)),))
        row, column = min(one.table.bold)
        text = one.table.texts()[row][column]
        assert f'best">{text}<' in to_html(only)
        assert rf"\bfseries {text.replace('−', '-')}" in to_latex(only) + table_latex(one)
        assert f"**{text}**" in to_report_markdown(only)
        cell = docx.Document(io.BytesIO(to_docx(only))).tables[0].cell(row + 1, column)
        assert cell.paragraphs[0].runs[0].bold


class TestDocument:
    def test_options_survive(self, report):
        read = read_document(to_json(report), "report.json")
        assert read.options.request() == report.request
        assert read.options.coefficient is Coefficient.KENDALL

    def test_options_of_an_earlier_version_keep_their_meaning(self, report):
        document = json.loads(to_json(report))
        document["options"]["coefficient"] = "tau"
        del document["options"]["output"]
        assert read_document(json.dumps(document), "x.json").options.coefficient is Coefficient.GAMMA

    @pytest.mark.parametrize(
        "text", ["", "[]", "{}", '{"program": 3}', '{"program": {"name": "pyramidion"}}', "[" * 100_000]
    )
    def test_other_files_are_refused(self, text):
        with pytest.raises(InputError, match=r"x\.json is not a report of Pyramidion"):
            read_document(text, "x.json")

    def test_another_version_is_named(self, report):
        other = json.loads(to_json(report)) | {"schema_version": 999}
        with pytest.raises(InputError, match="another version of Pyramidion"):
            read_document(json.dumps(other), "x.json")

    def test_unknown_options_are_named(self, report):
        other = json.loads(to_json(report))
        other["options"] |= {"coefficient": "goodness"}
        with pytest.raises(InputError, match=r"options\.coefficient: it is not 'pearson', .* or"):
            read_document(json.dumps(other), "x.json")


class TestPack:
    def test_the_manifest_has_every_file(self, pack):
        listed = json.loads((pack / MANIFEST).read_text("utf-8"))["files"]
        present = {str(path.relative_to(pack)) for path in pack.rglob("*") if path.is_file()}
        assert {Path(name).as_posix() for name in present} == {*listed, MANIFEST}
        for name, digest in listed.items():
            assert hashlib.sha256((pack / name).read_bytes()).hexdigest() == digest

    def test_latex_refers_to_every_table_and_figure_of_the_main_part(self, report, pack):
        source = (pack / "report.tex").read_text("utf-8")
        labels = set()
        for one in (*numbered_tables(report), *numbered_figures(report)):
            if not one.number.startswith("A"):
                labels |= set(re.findall(r"\\ref\{([a-z]+:" + one.number + r")[a-z]?\}", source))
        assert len(labels) == sum(len(s.tables) + len(s.illustrations) for s in report.main)

    def test_latex_reads_only_files_of_the_pack(self, pack):
        source = (pack / "report.tex").read_text("utf-8")
        read = re.findall(r"\\(?:input|includegraphics(?:\[[^]]*\])?)\{([^}]+)\}", source)
        assert len(read) > 3
        assert all((pack / name).is_file() for name in read)
        assert (pack / "references.bib").is_file()

    def test_the_same_report_gives_the_same_bytes(self, report, pack, tmp_path):
        run_to_completion(write_report(report, tmp_path / "again"))
        assert (tmp_path / "again" / MANIFEST).read_bytes() == (pack / MANIFEST).read_bytes()

    @pytest.mark.parametrize("name", ["report.html", "paper"])
    def test_each_dark_figure_is_a_step_of_writing(self, report, tmp_path, name):
        drawn: list[str] = []

        def counting(figure: FigureSvg) -> FigureSvg:
            return replace(figure, draw_dark=lambda: drawn.append(figure.title) or figure.draw_dark())

        sections = (
            replace(each, illustrations=tuple(map(counting, each.illustrations))) for each in report.sections
        )
        steps = write_report(replace(report, sections=tuple(sections)), tmp_path / name)
        figures = len(list(numbered_figures(report)))
        for before in range(figures):
            assert next(steps).done == before == len(drawn)
        steps.close()
        assert figures > 2
        assert list(tmp_path.iterdir()) == []

    def test_it_replaces_nothing_else(self, report, tmp_path):
        (tmp_path / "mine.txt").write_text("mine")
        with pytest.raises(InputError):
            run_to_completion(write_report(report, tmp_path / "mine.txt"))
        assert (tmp_path / "mine.txt").read_text() == "mine"

    def test_zip_files_have_no_time(self, pack):
        for name in ("report.docx", "tables.xlsx"):
            with zipfile.ZipFile(pack / name) as file:
                assert file.testzip() is None
                assert {member.date_time[0] for member in file.infolist()} == {1980}


class TestWideTables:
    TABLE = Table(
        "Wide",
        (Column("Measure", "m"), *(Column(f"Judgement {n}", f"j{n}", group=f"g{n // 3}") for n in range(18))),
        (("rouge-1", *(f"value {n} of many" for n in range(18))),),
        "A note.",
        bold=frozenset({(0, 4)}),
    )

    def test_parts_have_every_column_once(self):
        parts = split_wide(self.TABLE)
        assert len(parts) > 1
        assert [column.key for part in parts for column in part.columns[1:]] == [f"j{n}" for n in range(18)]
        assert all(part.columns[0].key == "m" for part in parts)
        assert parts[0].title == f"Wide (part 1 of {len(parts)})"
        assert [part.note for part in parts] == [""] * (len(parts) - 1) + ["A note."]

    def test_parts_are_about_equally_wide(self):
        columns = (Column("System", "s"), *(Column(f"measure-{n:02d}", f"m{n}") for n in range(19)))
        table = Table("Means", columns, (("lead", *("0.123" for _ in range(19))),))
        assert [len(part.columns) for part in split_wide(table)] == [8, 8, 6]

    def test_parts_beyond_the_alphabet_have_labels_of_letters(self):
        columns = (Column("System", "s"), *(Column(f"measure-{n:03d}", f"m{n}") for n in range(400)))
        table = Table("Means", columns, (("lead", *("0.123" for _ in range(400))),))
        report = Report("T", "", (Section("S", "s", tables=(table,)),))
        source = table_latex(next(numbered_tables(report)))
        labels = re.findall(r"\\label\{tab:1([a-z]\d*)\}", source)
        assert (
            len(set(labels))
            == source.count(r"\caption")
            == len(split_wide(table, is_heading_wrapped=False))
            > 26
        )
        assert source.count("{") == source.count("}")

    def test_groups_stay_together(self):
        for part in split_wide(self.TABLE):
            groups = [column.group for column in part.columns[1:]]
            assert all(groups.count(group) == 3 for group in groups)

    def test_bold_moves_with_its_column(self):
        marked = [part.columns[column].key for part in split_wide(self.TABLE) for _, column in part.bold]
        assert marked == ["j3"]

    def test_headings_above_columns_are_in_every_format(self):
        columns = (Column("Measure", "m"), *(Column(t, t, group="Over <both>") for t in ("r", "95 %")))
        table = Table("T", (*columns, Column("n", "n")), (("rouge", "1", "2", "3"),))
        report = Report("T", "", (Section("S", "s", tables=(table,)),))
        assert table.heading_groups() == [("", 1), ("Over <both>", 2), ("", 1)]
        assert 'colspan="2" class="group">Over &lt;both&gt;</th>' in to_html(report)
        source = table_latex(next(numbered_tables(report)))
        assert r" & \multicolumn{2}{c}{Over \textless{}both\textgreater{}} &  \\ \cmidrule(lr){2-3}" in source
        assert r"Over \<both> r" in to_report_markdown(report)
        word = docx.Document(io.BytesIO(to_docx(report))).tables[0]
        assert [cell.text for cell in word.rows[0].cells] == ["", "Over <both>", "Over <both>", ""]
        assert [cell.text for cell in word.rows[1].cells] == ["Measure", "r", "95 %", "n"]
        assert to_pdf(report)

    def test_columns_that_the_note_repeats_are_left_out_on_paper(self):
        stand_in = Column("Stand-in", STAND_IN, is_in_note=True)
        columns = Column("Measure", "m"), stand_in, Column("n", "n", CellKind.COUNT)
        table = Table("T", columns, (("x†", "a for b", 3),), "† x ran on a.", bold=frozenset({(0, 2)}))
        (shown,) = split_wide(table)
        assert [column.key for column in shown.columns] == ["m", "n"]
        assert shown.rows == (("x†", 3),)
        assert shown.bold == {(0, 1)}
        report = Report("T", "", (Section("S", "s", tables=(table,)),))
        assert "a for b" in to_html(report)
        assert "a for b" in to_report_markdown(report)
        assert "a for b" not in table_latex(next(numbered_tables(report)))

    def test_two_narrow_figures_stand_side_by_side(self):
        wide = FigureSvg("wide", SVG, str, "", is_wide=True)
        narrow = FigureSvg("narrow", SVG, str, "")
        rows = figure_rows([wide, narrow, narrow, narrow, wide, narrow])
        assert [len(row) for row in rows] == [1, 2, 1, 1, 1]
        source = to_latex(Report("T", "", (Section("S", "s", illustrations=(narrow, narrow)),)))
        assert source.count(r"\begin{minipage}[t]{0.48\linewidth}") == 2
        assert source.count(r"\begin{figure}") == 1

    def test_figures_are_not_enlarged(self):
        wide, small = (
            FigureSvg("f", SVG.replace('width="40"', f'width="{points}pt"'), str, "", is_wide=True)
            for points in (900, 241)
        )
        assert figure_share(wide) == 1
        assert figure_share(small) == pytest.approx(0.45)
        assert r"width=0.45\linewidth" in to_latex(
            Report("T", "", (Section("S", "s", illustrations=(small,)),))
        )

    def test_a_narrow_table_stays_whole(self):
        assert split_wide(self.TABLE, limit=10_000) == [self.TABLE]


class TestBibliography:
    def test_every_entry_that_is_named_exists(self):
        known = bibliography.entries()
        classes = (*metrics.REGISTRY.own().values(), *summarizers.REGISTRY.own().values())
        of_classes = {cls.name: cls.bibliography for cls in classes}
        tables = (of_classes, bibliography._OF_DATA_SETS, bibliography._OF_MODELS)
        named = {key for table in tables for keys in table.values() for key in keys}
        assert named | {bibliography._BOOTSTRAP, bibliography._HOLM, bibliography._WILLIAMS} <= set(known)

    def test_every_metric_has_a_source(self):
        from core.metrics import registry

        names = [metric.name for metric in registry.metrics() if metric.name != "external"]
        found = sources(f"{name}|x:1" for name in names)
        assert [one.text for one in found.metrics] == names
        assert all(one.keys for one in found.metrics)

    def test_a_report_lists_its_metrics_methods_and_models(self):
        found = sources(("bertscore|model:roberta_large-x|v:1", "external|command:x"))
        assert [(one.text, one.keys) for one in found.metrics] == [
            ("bertscore", ("zhang-2020-bertscore",)),
            ("external", ()),
        ]
        (model,) = found.models
        assert model.keys == ("liu-2019-roberta", "model-roberta-large-x")
        assert r"roberta\_large-x" in found.entries["model-roberta-large-x"].bibtex
        assert "roberta_large-x." in found.entries["model-roberta-large-x"].text

    def test_names_that_differ_only_in_signs_have_entries_of_their_own(self):
        found = sources(("bertscore|model:a-b", "bertscore|model:a_b"))
        assert [one.keys for one in found.models] == [("model-a-b",), ("model-a-b-2",)]

    def test_a_setting_that_names_no_model_makes_no_entry(self):
        signature = "cosine|encoder:minilm|model:all-MiniLM-L6-v2|vectors:mean|version:1"
        found = sources((signature, "be|elements:rules|parser:none"))
        (model,) = found.models
        assert model.keys == (
            "reimers-gurevych-2019-sentence-bert", "wang-2020-minilm", "model-all-minilm-l6-v2",
        )  # fmt: skip

    def test_entries_are_printed_without_signs_of_bibtex(self):
        entries = sources(()).entries
        assert entries["popovic-2015-chrf"].text == (
            "Maja Popović. 2015. chrF: character n-gram F-score for automatic MT evaluation. In Proceedings "
            "of the Tenth Workshop on Statistical Machine Translation. doi:10.18653/v1/W15-3049."
        )
        assert not [one.key for one in entries.values() if re.search(r"[{}\\]", one.text)]

    def test_data_sets_are_cited_by_their_papers(self):
        rose = DataOrigin("rose-xsum", "RoSE (XSum)", "Liu et al.", "https://x", "", {}, (), "2024-05-01")
        other = DataOrigin("mine", "Mine", "Me 2020", "https://y.example", "", {}, (), "2024-05-01")
        found = sources((), (rose, other))
        assert [one.keys for one in found.data_sets] == [("liu-2023-rose",), ("data-mine",)]
        assert found.entries["data-mine"].text == "Mine. Me 2020. https://y.example."

    def test_every_format_has_the_same_list_with_the_same_numbers(self, report, pack):
        numbered = [f"[{number}] {one.text}" for number, one in enumerate(report.references, 1)]
        assert len(numbered) > 4
        keys = re.findall(r"^@\w+\{([^,]+),", (pack / "references.bib").read_text("utf-8"), re.MULTILINE)
        assert keys == [one.key for one in report.references]
        assert "study" not in keys
        source = (pack / "report.tex").read_text("utf-8")
        cited = [key for keys in re.findall(r"\\cite\{([^}]+)\}", source) for key in keys.split(",")]
        assert list(dict.fromkeys(cited)) == keys, "unsrt numbers by first citation"
        assert r"\bibliographystyle{unsrt}" in source
        methods = next(section for section in report.main if section.anchor == "methods")
        paragraph = cited_text(methods.cited, citation_numbers(report)).replace("\u00a0", " ")
        page = " ".join(unescape(re.sub("<[^>]+>", "", (pack / "report.html").read_text("utf-8"))).split())
        document = docx.Document(str(pack / "report.docx"))
        word = " ".join(" ".join(paragraph.text.split()) for paragraph in document.paragraphs)
        markdown = " ".join((pack / "report.md").read_text("utf-8").replace("\\", "").split())
        for shown in (page, word, markdown):
            for text in (paragraph, *numbered):
                assert text in shown
        printed = text_of_pdf((pack / "report.pdf").read_bytes())
        for text in (paragraph, *numbered):
            assert re.sub(r"\s", "", text) in printed

    def test_every_entry_can_be_sorted(self, report):
        for entry in re.split(r"\n(?=@)", to_bibtex(report)):
            assert re.search(r"^  (author|key) = \{", entry, re.MULTILINE), entry
