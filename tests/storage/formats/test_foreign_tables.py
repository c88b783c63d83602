"""Tables of other projects: what columns are taken as, and how their rows are read."""

from __future__ import annotations

import csv
import gzip
import io
import json
from unittest import mock

import openpyxl
import pyarrow
import pyarrow.parquet
import pytest

from core.errors import BadImport, InputError
from storage.formats import import_registry
from storage.formats.mappings.foreign_tables import sample
from storage.formats.readers import fields
from storage.formats.readers.tables.column_roles import parse_use, reading_of

TEXT = "The court met on Monday and ruled."


def guessed(*columns, rows=None, assigned=None, is_data_set=False):
    """Return the keys of columns that are used, and the questions. rows: default = a row of texts."""
    made = rows or [{name: "4" if name == "score" else TEXT for name in columns}]
    reading = reading_of(columns, made, assigned or {}, is_data_set=is_data_set)
    used = {use.column: use.key for use in reading.uses if not use.key.startswith("ignore")}
    return used, [question.what for question in reading.questions]


@pytest.fixture
def write(tmp_path):
    def write_file(name, content):
        path = tmp_path / name
        content = content if isinstance(content, (str, bytes)) else json.dumps(content)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_file


def ratings(incoming):
    return {(r.topic, r.system, r.dimension, r.annotator): r.value for r in incoming.ratings}


@pytest.mark.parametrize(
    ("columns", "used"),
    [
        (("doc_id", "model", "hyp"), {"doc_id": "topic", "model": "system", "hyp": "summary"}),
        (
            ("ArticleID", "System Name", "SystemSummary"),
            {"ArticleID": "topic", "System Name": "system", "SystemSummary": "summary"},
        ),
        (("id", "article", "highlights"), {"id": "topic", "article": "document", "highlights": "reference"}),
        (
            ("gem_id", "input", "target", "worker_id"),
            {"gem_id": "topic", "input": "document", "target": "reference", "worker_id": "annotator"},
        ),
        (("topic_id", "peer", "text"), {"topic_id": "topic", "peer": "system", "text": "summary"}),
        (
            ("id", "article", "system_a", "system_b"),
            {"id": "topic", "article": "document", "system_a": "summary:a", "system_b": "summary:b"},
        ),
        (
            ("doc_id", "model", "summary", "reference_1", "reference_2"),
            {
                "doc_id": "topic",
                "model": "system",
                "summary": "summary",
                "reference_1": "reference:1",
                "reference_2": "reference:2",
            },
        ),
    ],
)
def test_columns_are_taken_by_their_names(columns, used):
    assert guessed(*columns) == (used, [])


@pytest.mark.parametrize(
    ("column", "value", "key"),
    [
        ("Coherence", "4", "rating:coherence"),
        ("FluencyRating", 3.5, "rating:fluency"),
        ("factual_consistency", "1", "rating:factual consistency"),
        ("coherence_1", "2", "rating:coherence@1"),
        ("annotator2_relevance", "2", "rating:relevance@annotator2"),
        ("Expert 3: fluency score", "2", "rating:fluency@expert-3"),
        ("quality", [1, 2, 3], "rating:quality"),
        ("rouge1_f", 0.4, "score:rouge1_f"),
        ("fluency (1-5)", "4", "rating:fluency (1-5)"),
        ("Fluency [1 = bad, 7 = good]", "4", "rating:fluency (1-7)"),
        ("Relevance 0–100", "40", "rating:relevance (0-100)"),
        ("Tonfall (1 bis 7)", "4", "rating:Tonfall (1-7)"),
        ("Tonfall 1 bis 7", "4", "rating:Tonfall (1-7)"),
        ("Kohärenz", "4", "rating:Kohärenz"),
        ("Flüssigkeit_2", "4", "rating:Flüssigkeit@2"),
        ("Qualité globale (1-5)", "4", "rating:Qualité globale (1-5)"),
        ("Fidélité", "4", "rating:Fidélité"),
        ("pages (1-5)", "4", None),
        ("year 2019-2021", "4", None),
        ("tone (5-1)", "4", None),
        ("(1-5)", "4", None),
        (f"tone{' ' * 30_000}(1-5", "4", None),
        (f"tone{' ' * 300}(1-5)", "4", None),
        ("coherence", "very good", None),
        ("word_count", "12", None),
    ],
)
def test_columns_of_numbers_are_ratings_or_scores_by_their_names(column, value, key):
    row = {"doc_id": "d1", "model": "M", column: value}
    used, _ = guessed(*row, rows=[row])
    assert used.get(column) == key


@pytest.mark.parametrize(
    ("column", "values", "key"),
    [
        ("Tonfall", "13542", "rating:Tonfall (1-5)"),
        ("note", "13542", "rating:note (1-5)"),
        ("Tonfall", "13642", None),
        ("batch", "11223", None),
        ("Bearbeitungszeit", ["1.5", "2"], None),
        ("Dauer", "12345", None),
    ],
)
def test_whole_numbers_of_the_usual_scale_beside_a_rater_are_ratings(column, values, key):
    rows = [
        {"doc_id": f"d{n}", "model": "M", "rater": "Ann", column: value} for n, value in enumerate(values)
    ]
    assert guessed(*rows[0], rows=rows)[0].get(column) == key
    for row in rows:
        del row["rater"]
    assert column not in guessed(*rows[0], rows=rows)[0]


@pytest.mark.parametrize(
    ("columns", "roles"),
    [
        (
            ("Dokument-ID", "Artikel", "Modell", "Zusammenfassung", "Referenz", "Bewerterin"),
            ("topic", "document", "system", "summary", "reference", "annotator"),
        ),
        (
            ("ID_document", "Texte source", "Modèle", "Résumé", "Résumé de référence", "Évaluateur"),
            ("topic", "document", "system", "summary", "reference", "annotator"),
        ),
        (
            ("doc_id", "model", "system_output", "reference_1", "reference_2", "worker_id"),
            ("topic", "system", "summary", "reference:1", "reference:2", "annotator"),
        ),
    ],
)
def test_headings_are_taken_in_german_french_and_english(columns, roles):
    assert guessed(*columns) == (dict(zip(columns, roles, strict=True)), [])


def test_columns_have_the_scales_of_their_names_and_the_user_chooses_others(write):
    table = "doc_id,model,rater,fluency (1-5),Tonfall (0-100),Kohärenz\nd1,M,Ann,5,80,2\n"
    path = write("t.csv", table)
    own = {"fluency": (1, 5), "Tonfall": (0, 100), "Kohärenz": (1, 5)}
    assert import_registry.read(path).dimensions == own
    chosen = {"low": "0", "high": "90"}
    assert set(import_registry.read(path, "", chosen).dimensions.values()) == {(0, 90)}
    assigned = {"map.rating:quality (0-7)@Ben": "Kohärenz"}
    incoming = import_registry.read(path, "", {**chosen, **assigned})
    assert incoming.dimensions == {"fluency": (0, 90), "Tonfall": (0, 90), "quality": (0, 7)}
    assert ratings(incoming)["d1", "M", "quality", "Ben"] == 2


def foreign_file(tmp_path, kind, rows):
    """Write rows as a table of a kind, header first."""
    path = tmp_path / f"t.{kind}"
    if kind == "xlsx":
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        book.save(path)
    elif kind == "parquet":
        columns = {name: [row[at] for row in rows[1:]] for at, name in enumerate(rows[0])}
        pyarrow.parquet.write_table(pyarrow.table(columns), path)
    elif kind == "jsonl":
        lines = (json.dumps(dict(zip(rows[0], row, strict=True))) for row in rows[1:])
        path.write_text("\n".join(lines), "utf-8")
    else:
        sign = "\t" if kind == "tsv" else ";"
        path.write_text("\n".join(sign.join(map(str, row)) for row in rows), "utf-8")
    return path


@pytest.mark.parametrize("kind", ["csv", "tsv", "xlsx", "parquet", "jsonl"])
def test_a_table_is_read_the_same_in_every_kind_of_file(tmp_path, kind):
    rows = [
        ("Dokument-ID", "Modell", "Zusammenfassung", "reference_1", "rater", "Kohärenz", "fluency (1-7)"),
        ("d1", "M", TEXT, TEXT, "Ann", 4, 7),
        ("d2", "M", TEXT, TEXT, "Ben", 5, 1),
    ]
    path = foreign_file(tmp_path, kind, rows)
    assert import_registry.detect(path).name == "columns"
    incoming = import_registry.read(path)
    assert ratings(incoming)["d1", "M", "fluency", "Ann"] == 7
    assert incoming.dimensions == {"Kohärenz": (1, 5), "fluency": (1, 7)}
    assert [sorted((*t.references, *t.summaries)) for t in incoming.topics] == [["1", "M"], ["1", "M"]]
    assert len(sample(path, {}).columns) == 7


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        (",doc_id,model,summary,", ("column 1", "doc_id", "model", "summary", "column 5")),
        ("doc_id,model,summary,model", ("doc_id", "model", "summary")),
        (",,,", ()),
    ],
)
def test_headings_that_are_empty_are_numbered_and_repeated_ones_refused(write, header, columns):
    path = write("t.csv", f"{header}\n0,d1,M,{TEXT},\n")
    assert sample(path, {}).columns[: len(columns)] == columns
    if len(columns) < 5:
        with pytest.raises(BadImport, match=r"Two columns have this name|There are no columns"):
            import_registry.read(path, "columns")


@pytest.mark.parametrize(
    ("header", "row"),
    [("doc_id,model,Zusammenfassung für alle", "d1,M,A b c d"), ("doc_id,model,hyp", "d1,M,Le café est là")],
)
def test_a_preview_has_no_columns_until_an_encoding_is_chosen(write, header, row):
    path = write("t.csv", f"{header}\n{row}\nd2,M,A b c d\n".encode("cp1252"))
    shown = sample(path, {})
    assert (shown.needs_encoding, shown.columns, shown.rows) == (True, (), ())
    with pytest.raises(BadImport) as bad:
        import_registry.read(path)
    (problem,) = bad.value.problems  # not also one about columns of a row taken as headings
    assert "--" not in problem.sentence
    assert "--encoding windows-1252" in str(problem)
    shown = sample(path, {"encoding": "windows-1252"})
    assert (shown.needs_encoding, shown.columns) == (False, tuple(header.split(",")))
    for other in ("utf-32", "utf-16"):
        assert sample(path, {"encoding": other}).needs_encoding
        with pytest.raises(BadImport, match="Choose another encoding"):
            import_registry.read(path, "", {"encoding": other})


@pytest.mark.parametrize(
    ("column", "value"), [("gold", "3"), ("output", 4), ("answer", "Y"), ("target", [1, 2])]
)
def test_a_name_is_not_enough_where_the_values_do_not_fit(column, value):
    row = {"doc_id": "d1", "model": "M", "hyp": TEXT, column: value}
    assert column not in guessed(*row, rows=[row])[0]


def test_a_mean_is_left_out_beside_its_single_ratings():
    row = {"doc_id": "d1", "model": "M", "fluency_a1": 1, "fluency_a2": 2, "fluency_mean": 1.5}
    used, _ = guessed(*row, rows=[row])
    assert "fluency_mean" not in used
    assert {"fluency_a1", "fluency_a2"} <= set(used)


@pytest.mark.parametrize(
    ("columns", "question"),
    [
        (("doc_id", "article_id", "model", "summary"), "doc_id and article_id may each be the topic"),
        (("model", "summary"), "No column names the topic"),
        (("doc_id", "article", "summary"), "No column names the system of the summaries"),
        (("doc_id", "article", "bart", "pegasus"), "It may contain the summaries of one system"),
        (("doc_id", "model", "score"), "No column names the dimension of the value"),
        (("doc_id", "model", "dimension"), "No column has the value of the dimension"),
        (("doc_id", "url"), "No column contains texts, ratings or scores"),
    ],
)
def test_what_is_ambiguous_is_asked(columns, question):
    assert any(question in one for one in guessed(*columns)[1])


def test_an_id_that_numbers_rows_is_asked_about():
    rows = [{"id": str(n), "model": f"M{n % 2}", "summary": TEXT} for n in range(4)]
    assert "may number the rows" in guessed("id", "model", "summary", rows=rows)[1][0]
    assert guessed("id", "model", "summary", rows=rows, assigned={"topic": "id"})[1] == []


def test_an_assignment_answers_a_question_and_replaces_a_guess():
    used, questions = guessed("doc_id", "article_id", "model", "summary", assigned={"topic": "article_id"})
    assert (used["article_id"], "doc_id" in used, questions) == ("topic", False, [])
    used, questions = guessed("doc_id", "article", "summary", assigned={"summary:bart": "summary"})
    assert (used["summary"], questions) == ("summary:bart", [])
    ignored = {"ignore:bart": "bart", "ignore:pegasus": "pegasus"}
    assert guessed("doc_id", "article", "bart", "pegasus", assigned=ignored)[1] == []


def test_a_summary_without_systems_is_the_reference_of_a_data_set():
    assert guessed("document", "summary", "id", is_data_set=True) == (
        {"document": "document", "summary": "reference", "id": "topic"},
        [],
    )


@pytest.mark.parametrize("key", ["topics", "rating", "topic:x", ""])
def test_an_assignment_of_an_unknown_role_or_without_its_name_is_refused(key):
    with pytest.raises(InputError):
        parse_use(key, "column")


@pytest.mark.parametrize(
    "key", ["rating:a@b@ann", "rating:überall", "summary:a:b", "reference", "document:x"]
)
def test_assignments_are_written_as_they_are_read(key):
    assert parse_use(key, "column").key == key


def test_a_wide_table_has_texts_and_a_rating_per_dimension_and_annotator(write):
    path = write(
        "r.csv",
        "doc_id,article,reference,model,output,worker_id,coherence,fluency,url\n"
        f"d1,{TEXT},A court met.,M,It met.,w1,4,5,x\n"
        f"d1,{TEXT},A court met.,M,It met.,w2,2,,x\n"
        "d1,,,N,,w1,3,1,x\n",
    )
    assert import_registry.detect(path).name == "columns"
    incoming = import_registry.read(path)
    (topic,) = incoming.topics
    assert topic.documents["article"].content == TEXT
    assert topic.references["reference"].content == "A court met."
    assert {name: text.content for name, text in topic.summaries.items()} == {"M": "It met.", "N": ""}
    assert ratings(incoming) == {
        ("d1", "M", "coherence", "w1"): 4,
        ("d1", "M", "fluency", "w1"): 5,
        ("d1", "M", "coherence", "w2"): 2,
        ("d1", "N", "coherence", "w1"): 3,
        ("d1", "N", "fluency", "w1"): 1,
    }
    columns, unused = incoming.notices
    assert "doc_id = topic" in columns.what
    assert unused.what == "Not used: url."


def test_a_long_table_has_dimensions_and_measures_as_values(write):
    path = write(
        "r.tsv", "doc_id\tsystem\taspect\tmetric\tscore\nd1\tM\tquality\t\t4\nd1\tM\t\trouge-2\t0.25\n"
    )
    incoming = import_registry.read(path)
    assert ratings(incoming) == {("d1", "M", "quality", "imported"): 4}
    assert [(s.measure, s.value) for s in incoming.scores] == [("rouge-2", 0.25)]
    assert any("ratings are by imported" in notice.what for notice in incoming.notices)


def test_columns_per_annotator_and_lists_of_ratings_become_annotators(write):
    rows = [{"doc_id": "d1", "model": "M", "summary": TEXT, "fluency": [1, 2], "coherence_a1": 3}]
    incoming = import_registry.read(write("r.json", rows))
    assert ratings(incoming) == {
        ("d1", "M", "fluency", "annotator-1"): 1,
        ("d1", "M", "fluency", "annotator-2"): 2,
        ("d1", "M", "coherence", "a1"): 3,
    }


def test_a_table_with_one_column_per_system_and_numbered_topics(write):
    path = write("w.csv", f"article,system_a,system_b\n{TEXT},One a.,One b.\n{TEXT},Two a.,Two b.\n")
    incoming = import_registry.read(
        path, "", {"map.topic": "#", "map.summary:b": "system_b", "map.summary:a": "system_a"}
    )
    assert [(t.name, sorted(t.summaries)) for t in incoming.topics] == [("1", ["a", "b"]), ("2", ["a", "b"])]
    assert incoming.topics[1].summaries["b"].content == "Two b."


def test_gems_references_replace_its_target_unless_they_are_missing(write):
    rows = [
        {"gem_id": "g1", "input": TEXT, "target": "One.", "references": ["One.", "Another."]},
        {"gem_id": "g2", "input": TEXT, "target": "Two.", "references": []},
    ]
    incoming = import_registry.read(write("g.jsonl", "\n".join(map(json.dumps, rows))))
    found = [{name: text.content for name, text in topic.references.items()} for topic in incoming.topics]
    assert found == [{"ref-00": "One.", "ref-01": "Another."}, {"reference": "Two."}]


ROW = {"doc_id": "d1", "model": "M", "summary": f"{TEXT}é"}
CELLS = [list(ROW), list(ROW.values())]


@pytest.mark.parametrize(
    ("name", "separator", "encoding", "notices"),
    [
        ("t.csv", ";", "utf-8", ["separated by semicolons"]),
        ("t.csv", "|", "utf-8", ["separated by bars"]),
        ("t.csv", "\t", "utf-16", ["separated by tabs", "UTF-16"]),
        ("t.csv", ",", "utf-32", ["UTF-32"]),
        ("t.tsv", "\t", "utf-8-sig", []),
        ("t.csv.gz", ",", "utf-8", []),
        ("t.json", "", "utf-8", []),
        ("t.json.gz", "", "utf-8", []),
        ("t.json", "", "utf-16", []),
    ],
)
def test_separators_encodings_arrays_and_compression_are_detected(write, name, separator, encoding, notices):
    text = "\n".join(map(separator.join, CELLS)) if separator else json.dumps([ROW])
    content = text.encode(encoding)
    incoming = import_registry.read(write(name, gzip.compress(content) if name.endswith(".gz") else content))
    assert incoming.topics[0].summaries["M"].content == f"{TEXT}é"
    *found, columns = [notice.what for notice in incoming.notices]
    assert all(words in what for words, what in zip(notices, found, strict=True))
    assert columns.startswith("Columns (guessed): doc_id = topic")


def test_another_encoding_is_asked_for_and_read_if_chosen(write):
    path = write("t.csv", f"doc_id,model,summary\nd1,M,{TEXT} café\n".encode("latin-1"))
    with pytest.raises(BadImport, match=r"is not UTF-8.*--encoding.*windows-1252"):
        import_registry.read(path)
    incoming = import_registry.read(path, "", {"encoding": "windows-1252"})
    assert incoming.topics[0].summaries["M"].content.endswith("café")
    for encoding in ("klingon", "base64", "rot13", "undefined"):
        with pytest.raises(InputError, match="Unknown encoding"):
            import_registry.read(path, "", {"encoding": encoding})
    with pytest.raises(InputError, match="supported only for tables"):
        import_registry.read(write("s.jsonl", "{}"), "summeval", {"encoding": "utf-8"})


@pytest.mark.parametrize(
    ("content", "field", "sentence"),
    [
        ("doc_id,model,coherence\nd1,M,7\n", "coherence", "7 is outside the scale 1 to 5. Choose the scale"),
        ("doc_id,model,coherence\nd1,M,4\n,M,4\n", "doc_id", "missing or empty"),
        ("doc_id,model,model\nd1,M,4\n", "model", "Two columns have this name"),
        ("doc_id,model,summary\nd1,M,a\x00b c d e\n", "summary", "Character 2 is a NUL"),
        ("doc_id,model,coherence\nd1,M,4\nd1,M,3\n", "", "coherence, imported: 4 in line 2 and 3 in line 3"),
        ("doc_id,model,coherence\nd1,M,4,5\n", "", "4 cells, but the table has 3 columns"),
        ("doc_id,model,coherence\nd1,M\x1b,4\n", "model", "control"),
    ],
)
def test_a_bad_row_is_reported(write, content, field, sentence):
    with pytest.raises(BadImport) as bad:
        import_registry.read(write("t.csv", content))
    assert bad.value.problems[0].field == field
    assert sentence in str(bad.value)


def test_a_mapping_to_own_columns_still_reads_the_programs_table(write):
    path = write("t.csv", "doc,model,output\nd1,M,A cat.\n")
    options = {"map.topic": "doc", "map.system": "model", "map.text": "output"}
    assert import_registry.import_request(path, "", options).format.name == "table"
    assert import_registry.read(path, "", options).topics[0].summaries["M"].content == "A cat."


@pytest.mark.slow
def test_a_message_lists_only_the_first_of_many_columns_and_the_start_of_long_names(write):
    extra = ",".join(f"{n}{'x' * 500}" for n in range(300))
    path = write("t.csv", f"doc_id,model,summary,{extra}\nd1,M,{TEXT}{',0' * 300}\n")
    notice = import_registry.read(path).notices[-1]
    assert len(notice.what) < 2000
    assert notice.what.endswith("and 277 more.")


def test_an_unnamed_index_column_is_left_out(write):
    incoming = import_registry.read(write("t.csv", f",doc_id,model,summary\n0,d1,M,{TEXT}\n"))
    assert list(incoming.topics[0].summaries) == ["M"]


def test_the_preview_has_the_first_rows_as_text_and_the_uses(write):
    rows = "".join(f"d{n},M,{TEXT * 50}\n" for n in range(60))
    shown = sample(write("t.csv", f"doc_id,model,summary\n{rows}"), {"map.title": "model"})
    assert shown.columns == ("doc_id", "model", "summary")
    assert (len(shown.rows), shown.rows[0][0], len(shown.rows[0][2])) == (3, "d0", 201)
    assert [use.key for use in shown.uses] == ["topic", "title", "summary"]
    assert "No column names the system" in shown.questions[0].what


def test_a_preview_of_a_hostile_file_has_no_columns_or_an_error(write):
    assert sample(write("t.csv", b"\xff\xfe\x00\xd8"), {}).columns == ()
    with pytest.raises(InputError):
        sample(write("t.xlsx", b"PK\x03\x04nothing"), {})


class TestTablesWithOwnAndOtherColumns:
    """The program's own format is chosen only where no other reader can use a column."""

    @pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl"])
    @pytest.mark.parametrize("more", ["coherence", "rouge-1", "reference"])
    def test_columns_next_to_topic_system_and_text_are_read(self, write, suffix, more):
        value = "It ruled." if more == "reference" else 3
        rows = [
            {"topic": "a", "system": "m1", "text": "T one", more: value},
            {"topic": "a", "system": "m2", "text": "T two", more: value},
        ]
        sign = "\t" if suffix == "tsv" else ","
        lines = [sign.join(rows[0]), *(sign.join(map(str, row.values())) for row in rows)]
        path = write(f"t.{suffix}", "\n".join(map(json.dumps, rows) if suffix == "jsonl" else lines) + "\n")
        incoming = import_registry.read(path)
        (topic,) = incoming.topics
        assert {name: text.content for name, text in topic.summaries.items()} == {
            "m1": "T one",
            "m2": "T two",
        }
        assert len(incoming.ratings) == 2 * (more == "coherence")
        assert len(incoming.scores) == 2 * (more == "rouge-1")
        assert len(topic.references) == (more == "reference")
        assert "Not used" not in str(incoming.notices)

    @pytest.mark.parametrize(
        ("header", "row", "found"),
        [
            ("topic,title,document,reference", "a,T,The source.,The reference.", "document"),
            ("topic,query,system,summary,coherence", "a,Why?,m1,It met.,4", "summaries"),
            ("topic,annotator,system,text,coherence,fluency", "a,Kim,m1,It met.,4,5", "summaries"),
        ],
    )
    def test_tables_with_headings_of_both_are_read(self, write, header, row, found):
        incoming = import_registry.read(write("t.csv", f"{header}\n{row}\n"))
        assert "Not used" not in str(incoming.notices)
        assert found in ("document", "summaries")
        assert incoming.topics[0].documents or incoming.topics[0].summaries

    def test_assigning_the_topic_does_not_lose_the_other_columns(self, write):
        row = {"paper_id": "p1", "source": ["One. "], "target": ["A short text."], "title": "T"}
        incoming = import_registry.read(write("t.jsonl", json.dumps(row)), options={"map.topic": "paper_id"})
        (topic,) = incoming.topics
        assert topic.title == "T"
        assert topic.documents
        assert topic.references

    def test_our_own_tables_with_a_further_column_are_read_as_ours(self, write):
        rows = "a,d1,,,Source.,x\na,,A,,Reference.,\na,,,m1,Summary.,\n"
        incoming = import_registry.read(write("t.csv", f"topic,document,author,system,text,remark\n{rows}"))
        (topic,) = incoming.topics
        assert list(topic.documents) == ["d1"]
        assert list(topic.references) == ["A"]
        assert list(topic.summaries) == ["m1"]
        assert [notice.what for notice in incoming.notices] == ["Not used: remark."]

    def test_our_own_columns_without_a_use_in_their_rows_are_named(self, write):
        incoming = import_registry.read(write("t.csv", "topic,system,text,value\na,m1,Summary.,3\n"))
        assert [notice.what for notice in incoming.notices] == ["Not used: value."]


class TestLists:
    """Lists of sentences are one text, with its boundaries; several documents stay several."""

    def read(self, write, **columns):
        return import_registry.read(
            write("t.jsonl", json.dumps({"paper_id": "p1", "title": "T", **columns})),
            "columns",
            {"map.topic": "paper_id"},
        )

    def test_a_list_of_sentences_is_one_document_with_its_boundaries(self, write):
        incoming = self.read(write, source=["We ask.", "We answer."], target=["Short.", "Brief."])
        (topic,) = incoming.topics
        assert {name: text.content for name, text in topic.documents.items()} == {
            "source": "We ask.\nWe answer."
        }
        assert topic.documents["source"].sentence_spans == ((0, 7), (8, 18))
        assert len(topic.references) == 2
        notes = " ".join(notice.what for notice in incoming.notices)
        assert "Each text in the lists of source is a sentence of one document." in notes
        assert "Each text in the lists of target is a reference of its own." in notes

    @pytest.mark.parametrize(
        "columns",
        [
            {"documents": ["One text.", "Another one."]},
            {"document": ["It rained. It stopped.", "It snowed. It froze."]},
            {"document": [["It rained.", "It stopped."], ["It snowed."]]},
        ],
    )
    def test_several_documents_stay_several(self, write, columns):
        assert len(self.read(write, **columns).topics[0].documents) == 2

    def test_an_abstract_in_sentences_is_one_reference(self, write):
        incoming = self.read(write, article=["We ask."], abstract=["We ask.", "We answer."])
        (text,) = incoming.topics[0].references.values()
        assert text.sentence_spans == ((0, 7), (8, 18))


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
@pytest.mark.parametrize("is_list", [True, False])
@pytest.mark.parametrize("indent", [None, 1])
def test_objects_over_several_lines_and_lists_are_read(write, suffix, is_list, indent):
    rows = [{"topic": "a", "system": name, "text": f"By {name}."} for name in ("m1", "m2")]
    lines = [json.dumps(row, indent=indent) for row in rows]
    content = json.dumps(rows, indent=indent) if is_list else "\n".join(lines)
    assert list(import_registry.read(write(f"t.{suffix}", content)).topics[0].summaries) == ["m1", "m2"]


BATCH = """HITId,Title,MaxAssignments,WorkerId,AssignmentStatus,Input.doc_id,Input.model,Input.summary,\
Answer.coherence,Answer.tone,Answer.factual
h1,Rate,5,w1,Approved,d1,M,It met on Monday.,4,2,yes
h1,Rate,5,w2,Rejected,d1,M,It met on Monday.,1,5,no
h2,Rate,5,w1,Approved,d2,M,It met on Tuesday.,3,4,no
"""


def test_a_batch_has_the_ratings_of_its_answers_without_rejected_rows_and_bookkeeping(write):
    incoming = import_registry.read(write("Batch_1.csv", BATCH))
    assert ratings(incoming) == {
        ("d1", "M", "coherence", "w1"): 4,
        ("d1", "M", "tone", "w1"): 2,
        ("d1", "M", "factual", "w1"): 1,
        ("d2", "M", "coherence", "w1"): 3,
        ("d2", "M", "tone", "w1"): 4,
        ("d2", "M", "factual", "w1"): 0,
    }
    assert incoming.dimensions == {"coherence": (1, 5), "tone": (1, 5), "factual": (0, 1)}
    notes = [notice.what for notice in incoming.notices]
    assert "Left out by AssignmentStatus: 1 rejected row." in notes
    assert "Not used: HITId, Title, MaxAssignments." in notes


@pytest.mark.parametrize("words", [("yes", "no"), ("True", "False"), ("ja", "nein"), (" Y ", "n")])
def test_answers_are_ratings_from_0_to_1_also_where_they_are_assigned(write, words):
    rows = "".join(f"d{n},M,{word},{word}\n" for n, word in enumerate(words))
    path = write("t.csv", f"doc_id,model,is_factual,Q7\n{rows}")
    incoming = import_registry.read(path, "", {"map.rating:ok": "Q7"})
    assert [r.value for r in incoming.ratings if r.dimension == "factual"] == [1, 0]
    assert [r.value for r in incoming.ratings if r.dimension == "ok"] == [1, 0]
    assert incoming.dimensions == {"factual": (0, 1), "ok": (0, 1)}


def test_each_column_has_the_reason_of_its_use(write):
    path = write("Batch_1.csv", BATCH)
    why = {use.column: use.why for use in sample(path, {"map.title": "HITId"}).uses}
    assert why == {
        "HITId": "chosen",
        "Title": "the same in every row",
        "MaxAssignments": "the same in every row",
        "WorkerId": "heading, 2 values",
        "AssignmentStatus": "heading, 2 values",
        "Input.doc_id": "heading, 2 values",
        "Input.model": "heading, 1 value",
        "Input.summary": "heading, 2 values",
        "Answer.coherence": "numbers 1 to 4",
        "Answer.tone": "numbers 2 to 5",
        "Answer.factual": "answers yes and no",
    }


@pytest.mark.parametrize("above", ["Average Likert scores\n", "\n\nRound 2,,\n", ",,\n"])
def test_rows_above_the_names_of_the_columns_are_left_out_and_named(write, above):
    incoming = import_registry.read(write("t.csv", f"{above}doc_id,model,coherence\nd1,M,4\n"))
    assert ratings(incoming) == {("d1", "M", "coherence", "imported"): 4}
    notes = " ".join(notice.what for notice in incoming.notices)
    assert all(word in notes for word in above.replace(",", " ").split())


def test_without_a_name_the_different_documents_are_the_topics(write):
    rows = "".join(
        f"{article},{system},It met.,4\n" for article in (TEXT, f"{TEXT} Then.") for system in "MN"
    )
    incoming = import_registry.read(write("t.csv", f"article,model,summary,coherence\n{rows}"))
    assert [(topic.name, sorted(topic.summaries)) for topic in incoming.topics] == [
        ("1", ["M", "N"]),
        ("2", ["M", "N"]),
    ]
    assert incoming.notices[0].what.startswith("Columns (guessed): each text of article = topic, ")


ITEMS = {
    "d1": {"article": TEXT, "summaries": {"bart-large": f"B: {TEXT}", "T5": f"T: {TEXT}"}},
    "d2": {"article": f"{TEXT} Then.", "summaries": {"bart-large": TEXT, "T5": TEXT}},
}
RATED = [
    {"model": system, "summary": f"By {system}.", "rater": rater, "coherence": 3}
    for system in "MN"
    for rater in ("Ann", "Ben")
]


class TestRowsInOneObject:
    """A file with one object of JSON holds its rows by key or in a list."""

    @pytest.mark.parametrize("indent", [None, 1])
    def test_objects_by_topic(self, write, indent):
        incoming = import_registry.read(write("t.json", json.dumps(ITEMS, indent=indent)))
        assert [topic.name for topic in incoming.topics] == ["d1", "d2"]
        assert {name: text.content for name, text in incoming.topics[0].summaries.items()} == {
            "bart-large": f"B: {TEXT}",
            "T5": f"T: {TEXT}",
        }
        assert incoming.topics[1].documents["article"].content == f"{TEXT} Then."

    def test_lists_by_topic(self, write):
        incoming = import_registry.read(write("t.json", {"d1": RATED, "d2": RATED}))
        assert [topic.name for topic in incoming.topics] == ["d1", "d2"]
        assert len(incoming.ratings) == 8

    def test_a_list_beside_what_the_file_is_about(self, write):
        rows = [{"doc_id": "d1", **row} for row in RATED]
        incoming = import_registry.read(write("t.json", {"name": "Ours", "version": 2, "data": rows}))
        assert len(incoming.ratings) == 4
        assert "Not used: name, version." in [notice.what for notice in incoming.notices]

    def test_a_list_in_a_row_that_names_its_topic(self, write):
        incoming = import_registry.read(write("t.json", {"doc_id": "d7", "outputs": RATED}))
        assert [topic.name for topic in incoming.topics] == ["d7"]
        assert len(incoming.ratings) == 4

    def test_the_first_of_several_rows_is_no_holder(self, write):
        rows = [{"doc_id": f"d{n}", "model": "M", "summary": TEXT, "more": RATED} for n in range(2)]
        assert len(import_registry.read(write("t.json", rows)).topics) == 2

    def test_the_mapping_that_was_guessed_reads_such_a_file(self, write, tmp_path):
        path = write("t.json", ITEMS)
        mapping = write("m.toml", import_registry.read(path).mapping)
        assert import_registry.read(path, str(mapping)).topics == import_registry.read(path).topics

    def test_a_fault_has_the_place_of_its_row(self, write):
        bad = {"d1": RATED, "d2": [RATED[0] | {"coherence": 9}]}
        with pytest.raises(BadImport) as error:
            import_registry.read(write("t.json", bad))
        assert (error.value.problems[0].place, error.value.problems[0].field) == ("key d2", "coherence")

    def test_a_list_of_systems_in_each_row(self, write):
        systems = [{"model": name, "output": f"{name}: {TEXT}", "fluency": 4, "id": name} for name in "MN"]
        rows = [{"id": f"d{n}", "article": f"{n} {TEXT}", "outputs": systems} for n in range(2)]
        incoming = import_registry.read(write("t.jsonl", "\n".join(map(json.dumps, rows))))
        assert [(topic.name, sorted(topic.summaries)) for topic in incoming.topics] == [
            ("d0", ["M", "N"]),
            ("d1", ["M", "N"]),
        ]
        assert len(incoming.ratings) == 4
        assert "Not used: outputs.id." in [notice.what for notice in incoming.notices]

    def test_a_list_of_references_stays_a_list(self, write):
        row = {"id": "d0", "model": "M", "output": TEXT, "references": [{"text": TEXT}, {"text": "It met."}]}
        (topic,) = import_registry.read(write("t.jsonl", json.dumps(row))).topics
        assert [text.content for text in topic.references.values()] == [TEXT, "It met."]


@pytest.mark.parametrize("written", [str, json.dumps])
def test_lists_that_are_written_as_texts_are_lists(write, written):
    references = written([TEXT, 'It said "no".'])
    rows = [
        ["doc_id", "model", "summary", "references"],
        ["d1", "M", written(["It met.", "It sat."]), references],
    ]
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    path = write("t.csv", out.getvalue())
    incoming = import_registry.read(path)
    (topic,) = incoming.topics
    assert {name: text.content for name, text in topic.references.items()} == {
        "ref-00": TEXT,
        "ref-01": 'It said "no".',
    }
    assert topic.summaries["M"].sentence_spans == ((0, 7), (8, 15))
    assert import_registry.read(path, str(write("m.toml", incoming.mapping))).topics == incoming.topics


def test_beside_a_dimension_columns_of_numbers_are_annotators_and_judges(write):
    rows = "d1,M,coherence,2,4\nd1,M,fluency,3,5\nd2,M,coherence,1,\n"
    path = write("t.csv", f"topic,system,dimension,Ann,llama 3\n{rows}")
    incoming = import_registry.read(path)
    assert ratings(incoming) == {
        ("d1", "M", "coherence", "Ann"): 2,
        ("d1", "M", "fluency", "Ann"): 3,
        ("d2", "M", "coherence", "Ann"): 1,
    }
    assert {(s.topic, s.measure, s.value) for s in incoming.scores} == {
        ("d1", "llama 3.coherence", 4),
        ("d1", "llama 3.fluency", 5),
    }
    assert not incoming.assumed_annotator
    assigned = {"map.value:@judge": "llama 3", "map.ignore:Ann": "Ann"}
    assert {r.annotator for r in import_registry.read(path, "columns", assigned).ratings} == {"judge"}
    assert parse_use("value:@judge", "gpt-4o").key == "value:@judge"
    assert parse_use("judge:gpt-4o", "gpt-4o").key == "judge:gpt-4o"
    assert import_registry.read(path, str(write("m.toml", incoming.mapping))).scores == incoming.scores
    without = write("u.csv", "topic,system,summary,Llama\nd1,M,It met.,4\n")
    with pytest.raises(BadImport, match="--map dimension=NAME"):
        import_registry.read(without, "columns", {"map.judge:Llama": "Llama"})


def test_answers_without_the_columns_of_a_batch_are_a_table_like_others(write):
    path = write(
        "r.csv", "item_id,model,summary,worker,Answer.coherence\na,bart,It met.,w1,4\nb,bart,It ruled.,w1,2\n"
    )
    roles = {use.column: use.key for use in sample(path, {}).uses}
    assert (roles["item_id"], roles["model"], roles["summary"]) == ("topic", "system", "summary")


def test_a_document_is_parsed_once_for_its_sample_and_once_to_be_read(tmp_path):
    path = tmp_path / "ratings.json"
    rows = [{"id": f"t{n}", "model": "S", "summary": "A cat.", "coherence": 3} for n in range(3)]
    path.write_text(json.dumps(rows, indent=1))
    with mock.patch.object(fields, "_values", wraps=fields._values) as parsed:
        known = import_registry.detect(path)
        names = sample(path, {}).columns
        assert len(import_registry.read(path, known.name).ratings) == 3
        assert parsed.call_count == 2
    path.write_text(json.dumps([{"other": 1, **row} for row in rows], indent=1))
    assert sample(path, {}).columns == ("other", *names)


JUDGED = "topic,system,judge,coherence,annotator\nt1,bart,gpt-4o,3,\nt1,bart,,4,ann\n"


def test_ratings_by_a_judge_are_scores_and_those_of_people_beside_them_ratings(write):
    incoming = import_registry.read(write("j.csv", JUDGED))
    assert [(s.topic, s.system, s.measure, s.value) for s in incoming.scores] == [
        ("t1", "bart", "gpt-4o.coherence", 3.0)
    ]
    assert ratings(incoming) == {("t1", "bart", "coherence", "ann"): 4.0}


@pytest.mark.parametrize("name", ["judge-1", "A", "3"])
def test_judges_with_names_of_people_are_annotators(name):
    row = {"topic": "t", "system": "s", "judge": name, "coherence": "4"}
    assert guessed(*row, rows=[row])[0]["judge"] == "annotator"
    assert guessed(*row, rows=[row | {"judge": "gpt-4o"}])[0]["judge"] == "judge"


def test_long_and_wide_tables_of_judges():
    long = {"topic": "t", "system": "s", "judge_model": "llama-3", "dimension": "fluency", "value": "4"}
    assert guessed(*long, rows=[long])[0]["judge_model"] == "judge"
    wide = {"topic": "t", "system": "s", "gpt-4o.coherence": "4", "human.coherence": "3"}
    used, _ = guessed(*wide, rows=[wide])
    assert (used["gpt-4o.coherence"], used["human.coherence"]) == (
        "score:gpt-4o.coherence",
        "rating:coherence",
    )
