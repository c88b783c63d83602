"""XLSX and Parquet: exports with real numbers and inert texts, imports of what spreadsheets contain."""

from __future__ import annotations

import datetime
import io
import json
import re
import zipfile
from typing import Any

import openpyxl
import pytest

from core.domain.import_batch import ImportContent, NewRating, NewText, NewTopic
from core.errors import BadImport, InputError
from core.progress import run_to_completion
from storage.formats import import_registry
from storage.formats.export_registry import export_steps, exports, find
from storage.formats.mappings.foreign_tables import sample
from storage.formats.writers import binary_tables
from storage.formats.writers.binary_tables import NUMBERS
from storage.study_file import new_study

TEXT = "The court met on Monday and ruled."
FORMULAS = [
    "=1+1",
    "=HYPERLINK(1)",
    "@SUM(A1)",
    "+1",
    "#N/A",
    "_x0041_",
    "a_x000D_b",
    "a\rb\r\n",
    "\x0b\x1b",
    " x ",
    "1",
    "1e5",
]


@pytest.fixture
def rated(tmp_path):
    """A study with texts that look like formulas, and a rating."""
    summaries = {f"S{n}": NewText(text) for n, text in enumerate(FORMULAS)}
    content = ImportContent(
        "made",
        [NewTopic("007", summaries=summaries)],
        annotators={"KO": ""},
        dimensions={"=x": (1, 5)},
        ratings=[NewRating("007", "S0", "=x", "KO", 4.25)],
    )
    with new_study(tmp_path / "a.pyramidion") as study:
        study.import_data(content)
        yield study


def book(path, **sheets: list[list[Any]]):
    """Save a workbook with sheets of rows."""
    made = openpyxl.Workbook()
    made.remove(made.worksheets[0])
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    made.save(path)
    return made


HEAD = ["doc_id", "model", "summary", "coherence"]


def test_cells_of_an_exported_workbook_are_numbers_and_texts_but_never_formulas(rated, tmp_path):
    for what in ("texts", "ratings"):
        run_to_completion(export_steps(rated, find(what, "xlsx"), tmp_path / f"{what}.xlsx"))
    cells = [
        cell
        for what in ("texts", "ratings")
        for row in openpyxl.load_workbook(tmp_path / f"{what}.xlsx").worksheets[0].iter_rows()
        for cell in row
        if cell.value is not None
    ]
    assert {cell.data_type for cell in cells} == {"s", "n"}
    assert [cell.value for cell in cells if cell.data_type == "n"] == [4.25, 1, 5]
    assert {"=1+1", "=x", "007"} <= {cell.value for cell in cells}


def test_a_text_too_long_for_a_cell_is_refused_and_leaves_no_file(rated, tmp_path, monkeypatch):
    assert binary_tables.LONGEST_CELL == 32_767
    monkeypatch.setattr(binary_tables, "LONGEST_CELL", 9)
    with pytest.raises(InputError, match=r"Row \d, text: .* 13 characters; .* at most 9\. Export as CSV"):
        run_to_completion(export_steps(rated, find("texts", "xlsx"), tmp_path / "t.xlsx"))
    assert list(tmp_path.glob("*.xlsx")) == []


def test_every_csv_export_has_both_formats_with_the_same_columns_and_known_numbers(rated):
    kinds = {(export.what, export.format): export.columns for export in exports()}
    csvs = [export for export in exports() if export.format == "csv"]
    for export in csvs:
        assert kinds[export.what, "xlsx"] == kinds[export.what, "parquet"] == export.columns
        for row in export.records(rated):
            numeric = {name for name in export.columns if isinstance(row.get(name), (int, float))}
            assert numeric <= set(NUMBERS), export.what


@pytest.mark.slow
def test_metrics_are_a_table_with_a_column_of_numbers_for_each_name(rated, tmp_path):
    for name in ("csv", "xlsx", "parquet"):
        export = find("metrics", name)
        path = tmp_path / f"m{export.suffix}"
        count = run_to_completion(export_steps(rated, export, path))
        rows = list(export.records(rated))
        assert count == len(rows) > 0
        names = [*export.more(rated)]
        assert {name for row in rows for name in row} == {"topic", "system", *names}
    read = pytest.importorskip("pyarrow.parquet").read_table(tmp_path / "m.parquet")
    assert read.column_names == ["topic", "system", *names]
    assert [row["topic"] for row in rows] == read.column("topic").to_pylist()
    assert [row.get(names[0]) for row in rows] == read.column(names[0]).to_pylist()
    head = (tmp_path / "m.csv").read_text("utf-8").splitlines()[0]
    assert head == ",".join(read.column_names)


def test_numbers_dates_and_wholes_are_read_as_they_look(tmp_path):
    rows = [
        HEAD,
        [1, datetime.datetime(2024, 3, 1), TEXT, 4],
        [2.0, datetime.datetime(2024, 3, 1, 9, 30), 12, 4.5],
    ]
    book(tmp_path / "t.xlsx", data=rows)
    incoming = import_registry.read(tmp_path / "t.xlsx")
    assert [topic.name for topic in incoming.topics] == ["1", "2"]
    assert list(incoming.systems) == ["2024-03-01", "2024-03-01 09:30:00"]
    assert incoming.topics[1].summaries["2024-03-01 09:30:00"].content == "12"
    assert [rating.value for rating in incoming.ratings] == [4, 4.5]


def test_several_sheets_are_asked_about_and_hidden_ones_are_named(tmp_path):
    path = tmp_path / "t.xlsx"
    made = book(path, one=[HEAD, ["d1", "M", TEXT, 1]], two=[HEAD, ["d2", "M", TEXT, 2]], notes=[["x"]])
    made["notes"].sheet_state = "hidden"
    made.save(path)
    with pytest.raises(InputError, match=r"has 2 sheets: one, two \(hidden: notes\). Choose one with --part"):
        import_registry.read(path)
    assert [t.name for t in import_registry.read(path, "", {"part": "two"}).topics] == ["d2"]
    with pytest.raises(InputError, match=r"sheet of .* is named 'three'"):
        import_registry.read(path, "", {"part": "three"})
    shown = sample(path, {})
    assert (shown.parts, shown.part, shown.rows[0][0]) == (("one", "two", "notes"), "one", "d1")


def test_merged_cells_have_the_value_in_every_cell_and_are_noted(tmp_path):
    path = tmp_path / "t.xlsx"
    made = book(
        path,
        data=[HEAD, ["d1", "M", TEXT, 1], [None, "N", TEXT, 2], [None, "O", TEXT, 3], ["d2", "M", TEXT, 4]],
    )
    made["data"].merge_cells("A2:A4")
    made.save(path)
    incoming = import_registry.read(path)
    assert {topic.name: list(topic.summaries) for topic in incoming.topics} == {
        "d1": ["M", "N", "O"],
        "d2": ["M"],
    }
    assert "1 merged areas" in str(incoming.notices)


def test_formulas_are_their_last_values_and_are_refused_without_one(tmp_path):
    path = tmp_path / "t.xlsx"
    book(path, data=[HEAD, ["d1", "M", TEXT, "=2+2"]])
    with pytest.raises(BadImport, match="row 2: The formula in D2 has no stored value"):
        import_registry.read(path)
    value = re.compile(rb"(<f>2\+2</f>)<v\s*(?:/>|></v>)")
    path = changed(path, "xl/worksheets/sheet1.xml", lambda data: value.sub(rb"\1<v>4</v>", data))
    incoming = import_registry.read(path)
    assert [rating.value for rating in incoming.ratings] == [4]
    assert any("1 cells with formulas" in notice.what for notice in incoming.notices)


def test_an_error_value_is_a_problem(tmp_path):
    made = book(tmp_path / "t.xlsx", data=[HEAD, ["d1", "M", TEXT, 1]])
    made["data"]["D2"].value = "#DIV/0!"
    made.save(tmp_path / "t.xlsx")
    with pytest.raises(BadImport, match="D2 has the error #DIV/0!"):
        import_registry.read(tmp_path / "t.xlsx")


def bomb(path, name="xl/sharedStrings.xml", size=2**25):
    book(path, data=[HEAD])
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, b"\0" * size)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (bomb, "was not opened"),
        (lambda path: path.write_bytes(b"PK\x03\x04" + bytes(100)), "cannot be read as an XLSX"),
        (lambda path: path.write_bytes(b"doc_id,model"), "cannot be read as an XLSX"),
        (lambda path: path.write_bytes(b"\xd0\xcf\x11\xe0" + bytes(600)), "encrypted"),
        (lambda path: zipfile.ZipFile(path, "w").close(), "cannot be read as an XLSX"),
    ],
)
def test_a_hostile_or_damaged_workbook_is_refused(tmp_path, make, sentence):
    path = tmp_path / "t.xlsx"
    make(path)
    with pytest.raises(InputError, match=sentence):
        import_registry.read(path, "columns")
    assert import_registry.detect(path).name == "columns"


def changed(path, part, change):
    """Copy a workbook with one of its parts changed."""
    made = path.with_name("changed.xlsx")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            new.writestr(name, change(old.read(name)) if name == part else old.read(name))
    return made


def test_entities_in_a_workbook_are_refused(tmp_path):
    book(tmp_path / "t.xlsx", data=[HEAD, ["d1", "M", TEXT, 1]])
    laughs = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    path = changed(
        tmp_path / "t.xlsx",
        "xl/worksheets/sheet1.xml",
        lambda data: laughs + data.replace(b"<sheetData>", b"<sheetData><!-- &b; -->"),
    )
    with pytest.raises(InputError, match="cannot be read as an XLSX"):
        import_registry.read(path, "columns")


class TestDataSets:
    """Folders as the library `datasets` and the Hub write them."""

    arrow = pytest.importorskip("pyarrow")
    files = pytest.importorskip("pyarrow.parquet")
    rows = (
        {"article": TEXT, "highlights": "A court.", "id": "d1", "info": {"tags": ["a", "b"], "year": 2020}},
        {"article": TEXT, "highlights": "It ruled.", "id": "d2", "info": {"tags": [], "year": None}},
    )

    def parquet(self, path, rows=rows):

        path.parent.mkdir(parents=True, exist_ok=True)
        self.files.write_table(self.arrow.Table.from_pylist(list(rows)), path)

    def stream(self, path, rows=rows):
        path.parent.mkdir(parents=True, exist_ok=True)
        table = self.arrow.Table.from_pylist(list(rows))
        with (
            self.arrow.OSFile(str(path), "wb") as file,
            self.arrow.ipc.new_stream(file, table.schema) as writer,
        ):
            writer.write_table(table)

    def test_shards_are_joined_in_order(self, tmp_path):
        self.parquet(tmp_path / "data" / "train-00000-of-00002.parquet", self.rows[:1])
        self.parquet(tmp_path / "data" / "train-00001-of-00002.parquet", self.rows[1:])
        assert import_registry.detect(tmp_path).name == "data-set"
        incoming = import_registry.read(tmp_path)
        assert {t.name: t.references["reference"].content for t in incoming.topics} == {
            "d1": "A court.",
            "d2": "It ruled.",
        }
        assert "Not used: info.tags, info.year" in incoming.notices[-1].what

    def test_splits_are_asked_about(self, tmp_path):
        self.parquet(tmp_path / "3.0.0" / "train-00000-of-00001.parquet", self.rows[:1])
        self.parquet(tmp_path / "3.0.0" / "test-00000-of-00001.parquet", self.rows[1:])
        with pytest.raises(
            InputError, match=r"2 splits: 3\.0\.0/test, 3\.0\.0/train\. Choose one with " "--part"
        ):
            import_registry.read(tmp_path)
        assert [t.name for t in import_registry.read(tmp_path, "", {"part": "3.0.0/test"}).topics] == ["d2"]

    def test_a_saved_dictionary_of_arrow_folders_is_read(self, tmp_path):
        for split, rows in (("train", self.rows[:1]), ("validation", self.rows[1:])):
            self.stream(tmp_path / split / "data-00000-of-00001.arrow", rows)
            (tmp_path / split / "state.json").write_text('{"_data_files": [{"filename": "../../x.arrow"}]}')
            (tmp_path / split / "dataset_info.json").write_text("{}")
        (tmp_path / "dataset_dict.json").write_text('{"splits": ["train", "validation"]}')
        assert sample(tmp_path, {}).parts == ("train", "validation")
        assert [t.name for t in import_registry.read(tmp_path, "", {"part": "validation"}).topics] == ["d2"]
        (tmp_path / "train" / "state.json").write_text('{"_indices_data_files": [{"filename": "i.arrow"}]}')
        with pytest.raises(InputError, match="flatten_indices"):
            import_registry.read(tmp_path, "", {"part": "train"})

    def test_json_files_named_for_splits_are_a_data_set_and_a_summary_is_a_reference(self, tmp_path):
        row = {"document": TEXT, "summary": "A court.", "id": "d1"}
        (tmp_path / "validation.jsonl").write_text(json.dumps(row))
        incoming = import_registry.read(tmp_path)
        assert incoming.topics[0].references["reference"].content == "A court."

    def test_links_out_of_the_folder_are_left_out(self, tmp_path):
        self.parquet(tmp_path / "secret" / "train-00000-of-00001.parquet")
        (tmp_path / "set").mkdir()
        (tmp_path / "set" / "train-00000-of-00001.parquet").symlink_to(
            tmp_path / "secret" / "train-00000-of-00001.parquet"
        )
        assert import_registry.detect(tmp_path / "set") is None

    @pytest.mark.parametrize("name", ["t.parquet", "set/data-00000-of-00001.arrow"])
    def test_a_damaged_file_is_refused(self, tmp_path, name):
        good = io.BytesIO()
        with self.arrow.ipc.new_stream(good, self.arrow.Table.from_pylist(list(self.rows)).schema) as writer:
            writer.write_table(self.arrow.Table.from_pylist(list(self.rows)))
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        for content in (b"", b"PAR1", good.getvalue()[:-200], b"\xff\xff\xff\xff\xff\xff\xff\x7f" * 9):
            path.write_bytes(content)
            with pytest.raises(InputError):
                import_registry.read(path if name == "t.parquet" else path.parent, "")


def test_bytes_and_dates_of_a_parquet_file_are_texts(tmp_path):
    arrow, files = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    row = {"doc_id": datetime.date(2024, 3, 1), "model": b"M", "summary": TEXT, "coherence": 4}
    files.write_table(arrow.Table.from_pylist([row]), tmp_path / "t.parquet")
    incoming = import_registry.read(tmp_path / "t.parquet")
    assert incoming.topics[0].name == "2024-03-01"
    assert list(incoming.systems) == ["M"]
