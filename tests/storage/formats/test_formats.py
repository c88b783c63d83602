"""Reading every format: what comes in, and what one bad row says."""

from __future__ import annotations

import json

import pytest

from core.domain.study import SystemKind
from core.errors import MAX_PROBLEMS, BadImport, InputError
from storage.formats import import_registry
from storage.formats.readers.fields import RepeatedKey, unique_keys

ANNOTATION = {"coherence": 1, "consistency": 5, "fluency": 4.5, "relevance": 2}
SUMMEVAL = {
    "id": "t1",
    "model_id": "M1",
    "decoded": "A cat sat.",
    "text": "A cat sat on a mat.",
    "references": ["The cat sat.", "A cat was sitting."],
    "expert_annotations": [ANNOTATION, ANNOTATION],
    "turker_annotations": [ANNOTATION],
}
SACREROUGE = {
    "instance_id": "t1",
    "summarizer_id": "1",
    "summarizer_type": "peer",
    "summary": {"text": ["A cat sat.", "It slept."]},
    "references": [{"summarizer_id": "A", "text": "The cat sat."}, "A cat slept."],
    "documents": ["Once a cat sat."],
    "metrics": {"rouge-1": {"recall": 40.5}, "length": 3},
}


@pytest.fixture
def write(tmp_path):
    def write_lines(name, *rows):
        path = tmp_path / name
        lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="")
        return path

    return write_lines


def problems_of(path, name, options=None):
    with pytest.raises(BadImport) as bad:
        import_registry.read(path, name, options)
    return [(p.place, p.field) for p in bad.value.problems], str(bad.value)


def test_summeval_imports_texts_eight_people_and_four_dimensions(write):
    incoming = import_registry.read(write("s.jsonl", SUMMEVAL, {**SUMMEVAL, "model_id": "M2"}), "summeval")
    (topic,) = incoming.topics
    assert list(topic.references) == ["ref-00", "ref-01"]
    assert topic.documents["article"].content == SUMMEVAL["text"]
    assert sorted(topic.summaries) == ["M1", "M2"]
    assert incoming.annotators == {"expert-1": "expert", "expert-2": "expert", "crowd-1": "crowd"}
    assert len(incoming.ratings) == 2 * 3 * 4
    assert incoming.dimensions["fluency"] == (1, 5)


def test_summevals_older_layout_has_one_reference(write):
    row = {k: v for k, v in SUMMEVAL.items() if k not in ("references", "text")} | {
        "reference": "The cat sat."
    }
    (topic,) = import_registry.read(write("s.jsonl", row), "summeval").topics
    assert list(topic.references) == ["ref-00"]
    assert not topic.documents


def test_sacrerouge_keeps_sentences_only_where_they_were_given(write):
    incoming = import_registry.read(write("s.jsonl", SACREROUGE), "sacrerouge")
    (topic,) = incoming.topics
    assert topic.summaries["1"].content == "A cat sat.\nIt slept."
    assert topic.summaries["1"].sentence_spans == ((0, 10), (11, 20))
    assert {k: v.sentence_spans for k, v in topic.references.items()} == {"A": None, "ref-01": None}
    assert [(s.measure, s.value) for s in incoming.scores] == [("rouge-1.recall", 40.5), ("length", 3.0)]


def test_a_list_of_one_sentence_keeps_that_boundary(write):
    row = SACREROUGE | {"summary": {"text": ["A cat sat. It slept."]}}
    (topic,) = import_registry.read(write("s.jsonl", row), "sacrerouge").topics
    assert topic.summaries["1"].sentence_spans == ((0, 20),)


def test_a_reference_as_summarizer_is_a_human_system(write):
    row = SACREROUGE | {"summarizer_id": "A", "summarizer_type": "reference"}
    assert import_registry.read(write("s.jsonl", row), "sacrerouge").systems == {"A": SystemKind.HUMAN}


def test_a_list_of_numbers_in_sacrerouge_is_a_rating_by_each_annotator(write):
    key = {"instance_id": "M0", "summarizer_id": "1", "summarizer_type": "peer"}
    lists = {"grade": [2, 3.5], "expert": {"coherence": [1, 0]}, "rouge-1_jk": {"precision": 0.2}}
    path = write("metrics.jsonl", key | {"metrics": lists})
    assert import_registry.detect(path).name == "sacrerouge"
    incoming = import_registry.read(path)
    assert [(r.dimension, r.annotator, r.value) for r in incoming.ratings] == [
        ("grade", "rater-1", 2), ("grade", "rater-2", 3.5),
        ("coherence", "expert-1", 1), ("coherence", "expert-2", 0),
    ]  # fmt: skip
    assert incoming.annotators == {"rater-1": "", "rater-2": "", "expert-1": "expert", "expert-2": "expert"}
    assert incoming.dimensions == {"grade": (1, 5), "coherence": (0, 1)}
    assert [(s.measure, s.value) for s in incoming.scores] == [("rouge-1_jk.precision", 0.2)]


def test_sacrerouges_documents_may_be_lines_of_their_own(write):
    path = write("documents.jsonl", {"instance_id": "M0", "documents": [{"filename": "a", "text": ["One."]}]})
    assert import_registry.detect(path).name == "sacrerouge"
    (topic,) = import_registry.read(path).topics
    assert topic.documents["a"].content == "One."
    row = SACREROUGE | {"document": {"text": "The only one."}, "documents": []}
    (topic,) = import_registry.read(write("s.jsonl", row), "sacrerouge").topics
    assert topic.documents["document-01"].content == "The only one."


@pytest.mark.parametrize(
    ("metrics", "more", "field", "sentence"),
    [
        ({"grade": [2, "x"]}, {}, "grade[1]", "'x' is not a number"),
        ({"grade": [2, [3]]}, {}, "grade[1]", "is not a number"),
        ({"grade": [2, 3]}, {"annotators": {"grade": {"names": []}}}, "annotators", "list of 2 names"),
        ({"grade": [2, 3]}, {"annotators": {"grade": {"names": ["K", "K"]}}}, "", "Two values of the rating"),
    ],
)  # fmt: skip
def test_a_list_that_is_no_rating_is_refused(write, metrics, more, field, sentence):
    key = {"instance_id": "M0", "summarizer_id": "1", "summarizer_type": "peer"}
    found, text = problems_of(write("m.jsonl", key | {"metrics": metrics} | more), "sacrerouge")
    assert ("line 1", field) in found
    assert sentence in text


def test_one_table_may_hold_texts_ratings_and_scores(write):
    path = write(
        "t.csv",
        "topic,document,author,system,text,dimension,annotator,measure,value",
        't1,d1,,,"Line one,\r\n\r\nline ""two"".",,,,',
        "t1,,A,,A reference.,,,,",
        "t1,,,S,'\u2060=a formula?,,,,",
        "t1,,,S,,quality,KO,,4",
        "t1,,,S,,,,length,12.5",
    )
    incoming = import_registry.read(path, "csv")
    (topic,) = incoming.topics
    assert topic.documents["d1"].content == 'Line one,\r\n\r\nline "two".'
    assert topic.summaries["S"].content == "=a formula?"
    assert [(r.dimension, r.annotator, r.value) for r in incoming.ratings] == [("quality", "KO", 4.0)]
    assert [(s.measure, s.value) for s in incoming.scores] == [("length", 12.5)]


def test_a_tables_own_column_names_can_be_mapped(write):
    path = write("t.tsv", "doc\tmodel\toutput", "t1\tS\tA cat.")
    options = {"map.topic": "doc", "map.system": "model", "map.text": "output"}
    (topic,) = import_registry.read(path, "table", options).topics
    assert topic.summaries["S"].content == "A cat."
    with pytest.raises(InputError, match="Unknown column 'modle'"):
        import_registry.read(path, "table", {"map.modle": "model"})


def test_folders_name_topic_author_and_system(tmp_path):
    for name in ("documents/D1/a.txt", "references/D1.M.A", "summaries/D1.M.7.txt"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"Text of {name}.", encoding="utf-8")
    topics = {t.name: t for t in import_registry.read(tmp_path, "folders").topics}
    assert topics["D1"].documents["a.txt"].content == "Text of documents/D1/a.txt."
    assert list(topics["D1.M"].references) == ["A"]
    assert list(topics["D1.M"].summaries) == ["7"]


@pytest.mark.parametrize(
    ("row", "field", "sentence"),
    [
        ("{", "", "Not JSON"),
        ("[1]", "", "is not an object"),
        ("[" * 100_000, "", "Not JSON|nested"),
        (SUMMEVAL | {"decoded": 7}, "decoded", "A number instead of a text"),
        (SUMMEVAL | {"decoded": "a\x00b"}, "decoded", "Character 2 is a NUL"),
        (SUMMEVAL | {"text": "\ud800"}, "text", "an unpaired surrogate"),
        (SUMMEVAL | {"text": "Another article."}, "document article", "occurs twice with different texts"),
        (SUMMEVAL | {"references": []}, "references", "missing or empty"),
        (
            SUMMEVAL | {"expert_annotations": [{"coherence": 6}]},
            "expert_annotations[0].coherence",
            "outside the range 1 to 5",
        ),
        ({k: v for k, v in SUMMEVAL.items() if k != "id"}, "id", "missing or empty"),
        (
            SUMMEVAL | {"expert_annotations": [ANNOTATION | {"fluency": 2}]},
            "",
            "Two values of the rating for .*, fluency, expert-1: .* in line 1 and 2 in line 2",
        ),
        ('{"id": "a", "id": "b"}', "id", "twice in one object"),
        (SUMMEVAL | {"model_id": "M1 "}, "model_id", "begins or ends with white space"),
        (SUMMEVAL | {"model_id": "M\n1"}, "model_id", "line break"),
    ],
)
def test_one_bad_summeval_row_gives_its_sentence_and_place(write, row, field, sentence):
    path = write("s.jsonl", SUMMEVAL, row)
    with pytest.raises(BadImport, match=sentence) as bad:
        import_registry.read(path, "summeval")
    assert bad.value.problems[0].place == "line 2"
    assert bad.value.problems[0].field == field
    assert all(p.remedy for p in bad.value.problems)


@pytest.mark.parametrize(
    ("row", "field"),
    [
        (SACREROUGE | {"summarizer_type": "model"}, "summarizer_type"),
        (SACREROUGE | {"summarizer_id": "2", "references": "A cat."}, "references"),
        (SACREROUGE | {"summarizer_id": "2", "metrics": {"rouge-1": {"recall": "high"}}}, "rouge-1.recall"),
        (SACREROUGE | {"summarizer_id": "2", "metrics": 3}, "metrics"),
        ({"instance_id": "t1", "summarizer_id": "2", "summarizer_type": "peer"}, "summary"),
    ],
)
def test_one_bad_sacrerouge_row_gives_its_place_and_field(write, row, field):
    found, _ = problems_of(write("s.jsonl", SACREROUGE, row), "sacrerouge")
    assert found == [("line 2", field)]


@pytest.mark.parametrize(
    ("row", "field"), [("t1,A,S,,", ""), ("t1,,,Whose?,", ""), (",,S,A text.,", "topic"), ("t1,,S", "")]
)
def test_one_bad_table_row_gives_its_place_and_field(write, row, field):
    found, _ = problems_of(write("t.csv", "topic,author,system,text,value", row), "table")
    assert found == [("line 2", field)]


def test_a_file_of_another_encoding_and_a_nameless_file_give_their_places(tmp_path):
    for name, content in (("references/D1.A", b"caf\xe9"), ("summaries/lost", b"x"), ("documents/x", b"x")):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    found, _ = problems_of(tmp_path, "folders")
    assert sorted(place for place, _ in found) == ["documents/x", "references/D1.A", "summaries/lost"]


def test_file_names_with_stray_blanks_are_reported(tmp_path):
    (tmp_path / "references").mkdir()
    for name in ("D1. A", "D1 .A", "D1.A .txt", "D1.B"):
        (tmp_path / "references" / name).write_text("A text.", encoding="utf-8")
    found, _ = problems_of(tmp_path, "folders")
    assert sorted(place for place, _ in found) == [
        "references/D1 .A",
        "references/D1. A",
        "references/D1.A .txt",
    ]


def test_all_problems_are_reported_and_not_just_the_first(write):
    found, sentence = problems_of(write("s.jsonl", "{", SUMMEVAL | {"decoded": None}, "nonsense"), "summeval")
    assert [place for place, _ in found] == ["line 1", "line 2", "line 3"]
    assert "and 2 more" in sentence


def test_an_endless_line_is_refused_without_reading_it(tmp_path, monkeypatch):
    monkeypatch.setattr("storage.formats.readers.fields.LONGEST_LINE", 1000)
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"x" * 5000)
    with pytest.raises(BadImport, match="longer than"):
        import_registry.read(path, "summeval")


def test_formats_are_recognised_by_what_they_hold(write, tmp_path):
    (tmp_path / "references").mkdir()
    assert import_registry.detect(write("a.jsonl", SUMMEVAL)).name == "summeval"
    assert import_registry.detect(write("b.jsonl", SACREROUGE)).name == "sacrerouge"
    assert import_registry.detect(write("c.csv", "topic,title")).name == "table"
    assert import_registry.detect(tmp_path).name == "folders"
    assert import_registry.detect(write("d.jsonl", {"x": 1})) is None
    with pytest.raises(InputError, match="Did you mean ducview"):
        import_registry.find("duc")


def test_a_folder_where_a_file_belongs_is_reported(tmp_path):
    with pytest.raises(InputError, match="is a folder, but the format summeval requires a file"):
        import_registry.read(tmp_path, "summeval")
    with pytest.raises(InputError, match="does not exist"):
        import_registry.read(tmp_path / "none.jsonl", "summeval")


def _with_formats():
    suffixes = {suffix: name.name for name in import_registry.formats() for suffix in name.suffixes}
    return [(suffix, name) for suffix, named in sorted(suffixes.items()) for name in ("", named)]


@pytest.mark.parametrize(("suffix", "name"), _with_formats())
def test_an_empty_file_is_said_to_be_empty(tmp_path, suffix, name):
    path = tmp_path / f"texts{suffix}"
    path.touch()
    with pytest.raises(InputError, match=rf"{path.name} is empty\. Choose another file"):
        import_registry.read(path, name)


@pytest.mark.parametrize(
    ("name", "content", "fields", "sentence"),
    [
        ("t.csv", "\n", [""], "There are no columns"),
        ("t.csv", ",,\n1,2,3", [""], "There are no columns"),
        ("t.csv", "topic,system,text,text\nt,S,A.,B.", ["text"], "Two columns have this name"),
        ("t.csv", "Topic,system,text\nt,S,A.", ["topic"], "map it: topic=Topic"),
        (
            "t.csv",
            "topic,summarizer,summary\nt,S,A.",
            ["text"],
            "text or dimension or measure is missing. Columns: topic",
        ),
        ("t.csv", "topic,text\nt,A.", ["system"], "system or author or document"),
    ],
)
def test_an_invalid_header_is_reported_once(tmp_path, name, content, fields, sentence):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    found, message = problems_of(path, "table")
    assert found == [("line 1", field) for field in fields]
    assert sentence in message


def test_a_table_may_tell_of_topics_alone_and_have_nameless_columns(write):
    (topic,) = import_registry.read(write("t.csv", "topic,title,,", "t,A title,,"), "table").topics
    assert topic.title == "A title"


def test_a_mapping_to_what_the_file_does_not_have_is_reported(write):
    options = {"map.text": "output"}
    found, message = problems_of(write("t.csv", "topic,system,out", "t,S,A."), "table", options)
    assert found == [("line 1", "text")]
    assert "topic, system, out" in message
    row = {"topic": "t", "system": "S", "text": "A."}
    found, message = problems_of(write("t.jsonl", row), "table", {"map.group": "team"})
    assert "no line has it" in message


@pytest.mark.parametrize(
    ("rows", "place", "sentence"),
    [
        (['t,S,"A', "B.", "t,T,C."], "line 2", "is never closed"),
        (["t,S,A.", 't,T,"A" B'], "line 3", "after closing quotes"),
        (['t,S,"A', 'B."', "t,,C."], "line 4", "whose text"),
        (["t,S,A\rt,T,B"], "line 2", "carriage return"),
    ],
)
def test_a_records_place_is_its_first_line(write, rows, place, sentence):
    path = write("t.csv", "topic,system,text", *rows)
    found, message = problems_of(path, "table")
    assert [where for where, _ in found] == [place]
    assert sentence in message


@pytest.mark.parametrize(
    ("name", "content", "notice"),
    [
        ("t.csv", "topic;system;text\nt;S;A, b.", "separated by semicolons"),
        ("t.csv", "topic\tsystem\ttext\nt\tS\tA, b.", "separated by tabs"),
        ("t.tsv", 'topic,system,text\nt,S,"A, b."', "separated by commas"),
    ],
)
def test_another_separator_is_read_and_noted(tmp_path, name, content, notice):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    incoming = import_registry.read(path, "table")
    assert incoming.topics[0].summaries["S"].content == "A, b."
    assert notice in incoming.notices[0].what
    with pytest.raises(BadImport, match="is missing"):
        import_registry.read(path, "table", {"separator": "bar"})


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_read_by_its_first_bytes(tmp_path, encoding):
    path = tmp_path / "t.csv"
    path.write_bytes("topic,system,text\nt,S,Café.\n".encode(encoding))
    incoming = import_registry.read(path, "table")
    assert incoming.topics[0].summaries["S"].content == "Café."
    assert "UTF-16" in incoming.notices[0].what


def test_a_file_in_another_encoding_than_the_chosen_one_is_reported(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"topic,system,text\nt,S,caf\xe9.\n")
    with pytest.raises(BadImport, match="not in SHIFT_JIS"):
        import_registry.read(path, "table", {"encoding": "shift_jis"})


def test_reading_stops_where_nearly_every_line_is_wrong(write):
    path = write("t.csv", "topic,system,text", *["t,,A."] * 5000)
    with pytest.raises(BadImport) as bad:
        import_registry.read(path, "table")
    assert len(bad.value.problems) == MAX_PROBLEMS


def test_a_bad_first_line_hides_no_format(write):
    assert import_registry.detect(write("a.jsonl", "{", "", SUMMEVAL)).name == "summeval"
    assert import_registry.detect(write("b.jsonl", "\ufeff" + json.dumps(SACREROUGE))).name == "sacrerouge"
    assert import_registry.detect(write("c.jsonl", "nothing")) is None


def test_repeated_keys_are_noticed_in_linear_time():
    class Key(str):
        comparisons = 0
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other):
            Key.comparisons += 1
            return str.__eq__(self, other)

    keys = [Key(f"key {number}") for number in range(2000)]
    with pytest.raises(RepeatedKey, match="key 1999"):
        unique_keys([(key, 1) for key in (*keys, Key("key 1999"))])
    assert Key.comparisons < 2 * len(keys)


def lay(folder, *names):
    for name in names:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"Text of {name}.", encoding="utf-8")


def test_files_of_one_summary_per_line_are_refused(tmp_path):
    lay(tmp_path, "references/D1.A", "summaries/BertSumAbs.summary", "summaries/ptgen.summary")
    with pytest.raises(
        BadImport, match=r"summaries/BertSumAbs\.summary: .* one per line.* one text per file"
    ):
        import_registry.read(tmp_path, "folders")


def test_everything_beside_the_layout_of_text_folders_is_reported(tmp_path):
    lay(
        tmp_path, "references/D1.A", "summaries/D1.7", "ids.txt", "labels/x", "summaries/part/D1.8", ".hidden"
    )
    found, _ = problems_of(tmp_path, "folders")
    assert sorted(place for place, _ in found) == ["ids.txt", "labels/x", "summaries/part/D1.8"]


STORY = "By Ann.\n\nA cat sat\non a mat.\n\n@highlight\n\nCat sat\n"


@pytest.fixture
def without_text(write):
    rows = [{k: v for k, v in SUMMEVAL.items() if k != "text"} | {"id": f"cnn-test-{i}"} for i in range(3)]
    rows[0]["filepath"] = "cnndm/cnn/stories/first.story"
    return write("s.jsonl", *rows)


def test_summeval_without_articles_names_the_metrics_that_will_be_missing(without_text):
    (notice,) = import_registry.read(without_text, "summeval").notices
    assert "3 of 3 topics have no source document (cnn-test-0, cnn-test-1, cnn-test-2)" in notice.what
    assert {"supert", "summaqa", "blanc-help", "ancr"} <= set(
        notice.what.replace(":", "").replace(",", "").split()
    )
    assert "--documents" in notice.remedy


def test_summeval_takes_articles_from_a_folder_by_file_path_and_id(without_text, tmp_path):
    folder = tmp_path / "stories"
    lay(folder, "2.txt")
    (folder / "deep").mkdir()
    (folder / "deep" / "first.story").write_text(STORY, encoding="utf-8")
    incoming = import_registry.read(without_text, "summeval", {"documents": str(folder)})
    documents = {topic.name: topic.documents for topic in incoming.topics}
    assert documents["cnn-test-0"]["article"].content == "By Ann. A cat sat on a mat."
    assert documents["cnn-test-2"]["article"].content == "Text of 2.txt."
    (notice,) = incoming.notices
    assert "1 of 3 topics have no source document (cnn-test-1)" in notice.what
    with pytest.raises(InputError, match="is not a folder"):
        import_registry.read(without_text, "summeval", {"documents": str(tmp_path / "none")})


def test_only_summeval_takes_documents_from_a_folder(write, tmp_path):
    with pytest.raises(InputError, match="--documents is supported only for summeval"):
        import_registry.read(
            write("c.csv", "topic,system,text", "t,S,x"), "table", {"documents": str(tmp_path)}
        )


def test_summeval_with_articles_has_no_notice_and_the_published_file_names_the_papers_systems(write):
    assert import_registry.read(write("s.jsonl", SUMMEVAL), "summeval").notices == ()
    rows = [SUMMEVAL | {"id": f"t{t}", "model_id": f"M{m}"} for t in range(100) for m in range(16)]
    (notice,) = import_registry.read(write("all.jsonl", *rows), "summeval").notices
    assert "17 systems" in notice.what
    assert "16" in notice.what
