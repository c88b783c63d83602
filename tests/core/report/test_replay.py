"""Replay finds planted changes: on a page, in its data, in files of a pack and in the study."""

from __future__ import annotations

import base64
import json
import re
import shutil
import zipfile
from copy import deepcopy
from dataclasses import replace

import docx
import openpyxl
import pypdf
import pytest

from core.errors import InputError
from core.progress import run_to_completion
from core.report import replay
from core.report.build import build_report
from core.report.document import ReportDocument, read_document, to_json
from core.report.formats.html import to_html
from core.report.formats.write import MANIFEST, write_report
from core.report.model import Report
from core.report.replay import compare_reports, read_report
from core.stats.correlation import Level
from tests.scoring import QUICK

pytestmark = pytest.mark.slow

OPTIONS = replace(QUICK, levels=(Level.SYSTEM,))


@pytest.fixture(scope="module")
def report(judged_study) -> Report:
    return run_to_completion(build_report(judged_study, OPTIONS))


@pytest.fixture(scope="module")
def page(report) -> str:
    return to_html(report)


@pytest.fixture(scope="module")
def made(report, tmp_path_factory):
    folder = tmp_path_factory.mktemp("packs") / "paper"
    run_to_completion(write_report(report, folder))
    return folder


def written(tmp_path, text):
    path = tmp_path / "report.html"
    path.write_text(text, "utf-8", newline="")
    return path


def test_a_page_of_unfinished_drawings_is_read_once(page, tmp_path):
    """Searched from each of its 30,000 beginnings, it would not be read within minutes."""
    spoiled = page.replace("</body>", '<div class="day"><svg ' * 30_000 + "</body>")
    assert not read_report(written(tmp_path, spoiled)).changed


def with_part(source, target, name, pattern, replacement):
    """Copy a file of an Office program with the first match of a pattern in one part replaced."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for member in old.namelist():
            text = old.read(member)
            if member == name:
                text, count = re.subn(pattern.encode(), replacement.encode(), text, count=1)
                assert count == 1
            new.writestr(member, text)


def document_of(report: Report) -> ReportDocument:
    return read_document(to_json(report), "report.json")


def plain_of(report):
    return json.loads(to_json(report))


def compared(*plain):
    """Compare two documents that are as JSON has them."""
    return compare_reports(*(read_document(json.dumps(one), "report.json") for one in plain))


def table_named(document, title):
    return next(t for s in document["sections"] for t in s["tables"] if t["title"].startswith(title))


def drop_last_column(table):
    table["columns"].pop()
    for row in table["rows"]:
        row.pop()


class TestPages:
    def test_an_unchanged_page_has_no_differences(self, report, page, tmp_path):
        read = read_report(written(tmp_path, page))
        assert read.changed == ()
        assert read.document == document_of(report)

    def test_a_changed_digit_is_found_with_its_place(self, page, tmp_path):
        table = page.index("System level:")
        found = re.compile(r'<td class="number[^>]*>(−?\.\d+)</td>').search(page, table)
        other = found[1][:-1] + str((int(found[1][-1]) + 1) % 10)
        changed = page[: found.start(1)] + other + page[found.end(1) :]
        (difference,) = read_report(written(tmp_path, changed)).changed
        assert (difference.reported, difference.recomputed) == (other, found[1])
        assert difference.place.startswith("Results, System level")

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("bootstrap intervals", "jackknife intervals"),
            ("<h2>Limits</h2>", "<h2>Strengths</h2>"),
            ("<h1>Judged</h1>", "<h1>Praised</h1>"),
            (">Signature</th>", ">Autograph</th>"),
            ("</main>", "<p>r = .99</p></main>"),
            ("</main>", "r = .99</main>"),
            ("<figcaption>", "<figcaption>No. "),
            ('<div class="day"><svg ', '<div class="day"><svg id="x" '),
        ],
    )
    def test_changed_texts_and_drawings_are_found(self, page, tmp_path, before, after):
        assert before in page
        assert read_report(written(tmp_path, page.replace(before, after, 1))).changed

    def test_a_removed_row_and_a_removed_table_are_found(self, page, tmp_path):
        row = re.search(r"<tr>\s*<th scope=\"row\">.*?</tr>", page, re.DOTALL)
        assert read_report(written(tmp_path, page[: row.start()] + page[row.end() :])).changed
        table = re.search(r"<table>.*?</table>", page, re.DOTALL)
        assert read_report(written(tmp_path, page[: table.start()] + page[table.end() :])).changed

    def test_changed_data_and_display_differ(self, report, page, tmp_path):
        document = plain_of(report)
        row = table_named(document, "System level")["rows"][0]
        row[1] += 0.01
        data = base64.b64encode((json.dumps(document) + "\n").encode()).decode()
        changed = re.sub(r"(json;charset=utf-8;base64,)[^\"]*", lambda m: m[1] + data, page, count=1)
        assert read_report(written(tmp_path, changed)).changed

    @pytest.mark.parametrize(
        ("name", "content", "message"),
        [
            ("report.html", b"<html></html>", "has no data of a report"),
            ("report.html", b"\xff\xfe", "is not UTF-8"),
            (
                "report.html",
                b'<a href="data:application/json;charset=utf-8;base64,e30=">x</a>',
                "is not a report of Pyramidion",
            ),
            ("report.html", b'<a href="data:application/json;charset=utf-8;base64,e3">x</a>', "is damaged"),
            ("report.json", b"{", "is not a report of Pyramidion"),
            ("report.tex", b"", "has no data to compare"),
            ("report.pdf", b"%PDF-", "cannot be read as a PDF"),
            ("report.docx", b"PK", "cannot be read as a Word document"),
            ("report.xlsx", b"PK", "cannot be read as a workbook"),
        ],
    )
    def test_other_files_are_refused(self, tmp_path, name, content, message):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match=message):
            read_report(tmp_path / name)

    def test_a_missing_file_is_named(self, tmp_path):
        with pytest.raises(InputError, match=r"nothing\.json"):
            read_report(tmp_path / "nothing.json")


class TestOtherFormats:
    @pytest.mark.parametrize("name", ["report.pdf", "report.docx", "tables.xlsx"])
    def test_the_data_of_each_is_read(self, report, made, name):
        read = read_report(made / name)
        assert read.document == document_of(report)
        assert read.changed == ()

    def test_a_pdf_that_another_program_saved_again_is_unchanged(self, made, tmp_path):
        pypdf.PdfWriter(clone_from=made / "report.pdf").write(tmp_path / "report.pdf")
        assert (tmp_path / "report.pdf").read_bytes() != (made / "report.pdf").read_bytes()
        assert read_report(tmp_path / "report.pdf").changed == ()

    @pytest.mark.parametrize("name", ["report.docx", "tables.xlsx"])
    def test_a_file_without_data_is_refused(self, tmp_path, name):
        path = tmp_path / name
        if name.endswith("docx"):
            docx.Document().save(str(path))
        else:
            openpyxl.Workbook().save(path)
        with pytest.raises(InputError, match="has no data of a report"):
            read_report(path)


class TestHostileFiles:
    def test_a_sheet_that_claims_a_huge_size_is_read_quickly(self, made, tmp_path):
        place, claim = tmp_path / "tables.xlsx", '<dimension ref="A1:XFD1048576"/>'
        last = len(openpyxl.load_workbook(made / "tables.xlsx").sheetnames)
        with_part(made / "tables.xlsx", place, f"xl/worksheets/sheet{last}.xml", "<dimension[^>]*>", claim)
        assert read_report(place).changed == ()

    def test_a_sheet_with_far_too_many_cells_is_refused(self, made, tmp_path, monkeypatch):
        monkeypatch.setattr(replay, "_MOST_CELLS", 1)
        with pytest.raises(InputError, match="cannot be read as a workbook"):
            read_report(made / "tables.xlsx")

    @pytest.mark.parametrize(
        ("key", "value"),
        [("study", None), ("signatures", "x"), ("title", 1), ("options", []), ("sections", [{}])],
    )
    def test_a_document_with_values_of_another_type_is_refused(self, report, tmp_path, key, value):
        self.refuse(plain_of(report) | {key: value}, tmp_path, key)

    @pytest.mark.parametrize("cell", [[], 10**400])
    def test_a_table_with_other_cells_is_refused(self, report, tmp_path, cell):
        document = plain_of(report)
        document["sections"][0]["tables"][0]["rows"][0][0] = cell
        self.refuse(document, tmp_path, r"sections\[0\]\.tables\[0\]\.rows\[0\]\[0\]")

    @pytest.mark.parametrize(
        ("key", "value"),
        [("measures", 5), ("humans", None), ("humans", [1]), ("made_at", 7), ("has_appendix", "no")],
    )
    def test_options_of_another_type_are_refused(self, report, tmp_path, key, value):
        assert document_of(report).options.request() == OPTIONS
        document = plain_of(report)
        document["options"][key] = value
        self.refuse(document, tmp_path, rf"options\.{key}")

    @pytest.mark.parametrize(
        ("key", "value"),
        [("draws", 10**12), ("draws", -1), ("draws", True), ("simulated", 10**12), ("confidence", 7)],
    )
    def test_numbers_of_draws_that_would_never_end_are_refused(self, report, tmp_path, key, value):
        document = plain_of(report)
        document["options"]["chance"][key] = value
        self.refuse(document, tmp_path, "options")

    def refuse(self, document, tmp_path, place):
        """Refuse a document with a message that names the place of its fault, and nothing of Python."""
        (tmp_path / "report.json").write_text(json.dumps(document), "utf-8")
        what = "report\\.json is not a report of Pyramidion, or it is damaged"
        with pytest.raises(InputError, match=rf"{what}: {place}[^:]*: i[^<\[']*\. Replay"):
            read_report(tmp_path / "report.json")


class TestPacks:
    @pytest.fixture
    def pack(self, made, tmp_path):
        return shutil.copytree(made, tmp_path / "paper")

    def test_an_unchanged_pack_has_no_differences(self, pack):
        assert read_report(pack).changed == ()

    def test_a_changed_and_a_missing_file_are_found(self, pack):
        table = pack / "tables" / "table-1.tex"
        table.write_bytes(table.read_bytes() + b"%")
        (pack / "figures" / "figure-1.svg").unlink()
        assert {one.place for one in read_report(pack).changed} == {
            "tables/table-1.tex",
            "figures/figure-1.svg",
        }

    def test_a_manifest_may_not_name_files_elsewhere(self, pack):
        manifest = json.loads((pack / MANIFEST).read_text("utf-8"))
        manifest["files"]["../../etc/passwd"] = "0"
        (pack / MANIFEST).write_text(json.dumps(manifest), "utf-8")
        with pytest.raises(InputError, match="outside the folder"):
            read_report(pack)

    @pytest.mark.parametrize("text", ["", "[]", '{"files": 3}'])
    def test_a_damaged_manifest_is_named(self, pack, text):
        (pack / MANIFEST).write_text(text, "utf-8")
        with pytest.raises(InputError, match=f"{MANIFEST}.*damaged"):
            read_report(pack)


class TestRecomputation:
    def test_the_same_study_gives_the_same_numbers(self, judged_study, report):
        again = run_to_completion(build_report(judged_study, OPTIONS))
        result = compare_reports(document_of(report), document_of(again))
        assert result.differences == ()
        assert result.notes == ()
        assert result.numbers > 50

    def test_every_number_of_a_report_is_compared(self, report):
        document = plain_of(report)
        for section in document["sections"]:
            if section["anchor"] == "versions":
                continue
            for table in section["tables"]:
                for row in table["rows"]:
                    for place, cell in enumerate(row):
                        if isinstance(cell, (int, float)):
                            row[place] = cell + 1
                            result = compared(plain_of(report), document)
                            assert len(result.differences) == 1, (table["title"], row)
                            assert repr(cell + 1)[:6] in result.differences[0].recomputed
                            row[place] = cell
                            break

    def test_a_last_digit_is_no_difference_but_is_counted(self, report):
        document = plain_of(report)
        row = table_named(document, "System level")["rows"][0]
        row[1] *= 1 + 1e-12
        result = compared(plain_of(report), document)
        assert result.differences == ()
        assert 0 < result.largest < 1e-11

    def test_a_changed_rating_is_found(self, changeable_study, report):
        topic = next(iter(changeable_study.texts.load()))
        dimension = changeable_study.ratings.dimensions()[0]
        rater = changeable_study.annotators.get_or_create("expert-1")
        changeable_study.ratings.rate(topic.summaries[0].id, dimension.id, rater.id, 5.0).result()
        again = run_to_completion(build_report(changeable_study, OPTIONS))
        result = compare_reports(document_of(report), document_of(again))
        assert result.differences[0].place.startswith("Study, SHA-256")
        assert any("Coherence" in one.place or "coherence" in one.place for one in result.differences[1:])

    def test_lost_sections_tables_rows_and_columns_are_differences(self, report):
        before = plain_of(report)
        for change in (
            lambda d: d["sections"].pop(),
            lambda d: d["sections"][0]["tables"].pop(),
            lambda d: table_named(d, "System level")["rows"].pop(),
            lambda d: drop_last_column(table_named(d, "System level")),
            lambda d: d["sections"][0]["paragraphs"].append("More."),
            lambda d: table_named(d, "System level").update(note="Other."),
        ):
            document = deepcopy(before)
            change(document)
            assert compared(before, document).differences
            assert compared(document, before).differences

    def test_other_versions_of_software_and_drawings_are_notes(self, report):
        document = plain_of(report)
        versions = next(section for section in document["sections"] if section["anchor"] == "versions")
        versions["tables"][0]["rows"][0][1] = "0.0"
        figure = next(figure for section in document["sections"] for figure in section["figures"])
        figure["sha256"] = "0"
        result = compared(plain_of(report), document)
        assert result.differences == ()
        assert len(result.notes) == 2
        assert figure["title"] in result.notes[1]
