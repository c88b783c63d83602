"""Folders of TAC and DUC: names, documents, topic statements, tables."""

from __future__ import annotations

import pytest

from core.domain.study import SystemKind
from core.errors import BadImport
from storage.formats import import_registry
from storage.formats.readers.tac import SummaryName, summary_name

SEE = (
    '<html>\n<body bgcolor="white">\n<a name="1">[1]</a> <a href="#1" id=1>AT&amp;T met.</a>\n'
    '<a name="2">[2]</a> <a href="#2" id=2>It left.</a>\n</body>\n</html>\n'
)
DOC = (
    '<DOC id="AFP_1" type="story">\n<DOCNO> AFP_ENG_1.0001 </DOCNO>\n<HEADLINE>\nA head\n</HEADLINE>\n'
    "<TEXT>\n<P>\n"
    "One &amp; two\nlines.\n</P>\n<P>Three.</P>\n</TEXT>\n</DOC>\n"
)
TOPICS = (
    '<topic id="D0801A">\n<title> Court </title>\n<narrative>\nWhat did it\nrule?\n</narrative>\n'
    '<docsetA id="D0801A-A">\n'
    "</docsetA>\n</topic>\n"
)
TAC = {
    "ROUGE/models/D0801-A.M.100.A.A": "The court met.\nIt ruled.\n",
    "ROUGE/models/D0801-B.M.100.A.A": "It met again.\n",
    "ROUGE/peers/D0801-A.M.100.A.1": "A court met.\n\nIt ruled so.\n",
    "ROUGE/peers/D0801-B.M.100.A.1": "caf\xe9",
    "ROUGE/rouge.m.out": "1 ROUGE-2 Average_R: 0.1 (95%-conf.int. 0 - 1)\n"
    "1 ROUGE-2 Eval D0801-A.M.100.A.1 R:0.25000 P:0.5 F:0.33\n",
    "ROUGE/rougejk.m.out": "".join(
        f"A ROUGE-2 Eval D0801-A.M.100.A.A R:{r} P:0 F:0\n" for r in ("0.2", "0.4")
    ),
    "manual/manual.peer": "D0801-A 1 0.5 7 1 4 0.45 3 4\nD0801-A 99 0.5 7 1 4 0.45 3 4\n",
    "manual/manual.model": "D0801-A A 9 4 0.8 5 5\n",
    "docs/D0801A/D0801A-A/AFP_ENG_1": DOC,
    "topics/UpdateSumm08_test_topics.xml": TOPICS,
    "manual/notes.gz": "x",
}


@pytest.fixture
def make(tmp_path):
    def write(files):
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode("latin-1"))
        return tmp_path

    return write


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("D0801-A.M.100.A.12", SummaryName("D0801-A", "initial", 100, "12")),
        ("d0703-c.m.100.b.a", SummaryName("D0703-C", "second update", 100, "A")),
        ("D301.M.250.I.07", SummaryName("D301", "", 250, "7")),
        ("D061.M.050.J.B.html", SummaryName("D061", "", 50, "B")),
        ("D30001.P.10.T.B.APW19981016.0240", SummaryName("D30001", "", 10, "B", "APW19981016.0240")),
        ("D0801-A.M.100.A", None),
        ("readme.txt", None),
        ("D0801-A.M.100.A.1.2.3.txt", None),
        ("../D0801-A.M.100.A.1", None),
    ],
)
def test_names_say_topic_set_length_and_summarizer(name, read):
    assert summary_name(name) == read


def test_a_folder_of_tac_has_texts_sets_statements_ratings_and_scores(make):
    folder = make(TAC)
    assert import_registry.detect(folder).name == "tac"
    incoming = import_registry.read(folder)
    first, second = sorted(incoming.topics, key=lambda topic: topic.name)
    assert (first.name, first.set, second.set) == ("D0801-A", "initial", "update")
    assert (first.title, first.query, second.title) == ("Court", "What did it rule?", "Court")
    assert first.documents["AFP_ENG_1.0001"].content == "One & two lines.\nThree."
    assert first.references["A"].sentence_spans == ((0, 14), (15, 24))
    assert first.summaries["1"].content == "A court met.\nIt ruled so."
    assert second.summaries["1"].content == "café"
    assert incoming.systems == {"1": SystemKind.AUTOMATIC, "A": SystemKind.HUMAN}
    assert {(r.system, r.dimension): r.value for r in incoming.ratings} == {
        ("1", "readability"): 3,
        ("1", "responsiveness"): 4,
        ("A", "readability"): 5,
        ("A", "responsiveness"): 5,
    }
    scores = {(s.system, s.measure): s.value for s in incoming.scores}
    assert scores["1", "nist.modified_pyramid"] == 0.5
    assert scores["1", "nist.modified_pyramid_jk"] == 0.45
    assert scores["A", "nist.modified_pyramid_jk"] == 0.8
    assert scores["1", "nist.rouge-2.recall"] == 0.25
    assert scores["A", "nist.rouge-2_jk.recall"] == pytest.approx(0.3)
    notices = " ".join(notice.what for notice in incoming.notices)
    assert "Files that were not used: manual/notes.gz." in notices
    assert "Windows-1252 (D0801-B.M.100.A.1)" in notices
    assert "6 ratings and scores were left out" in notices


def test_the_scale_of_2009_ends_at_ten(make):
    later = "D0901-A 1 0.5 7 1 2 4 0.45 8 4\n"
    files = {"peers/D0901-A.M.100.A.1": "A.", "manual/manual.peer.A": later}
    incoming = import_registry.read(make(files))
    assert incoming.dimensions == {"readability": (1, 10), "responsiveness": (1, 10)}


def test_duc_tables_have_named_dimensions_and_several_assessors(make):
    head = "# heading\n\nDocset Len Sel Peer Score\n"
    files = {
        "ROUGE/peers/D301.M.250.I.1": "A.",
        "manual/content.table": f"{head}d301i M I 1 4\nD301 M I 1 2\n",
        "manual/linguistic_quality.table": f"{head}D301 M I 1 1 5\nD301 M I 1 5 3\n",
        "scoring/2006_modified_scores.txt": "D301 01 0.25 5 1\n",
    }
    incoming = import_registry.read(make(files))
    assert {(r.dimension, r.annotator): r.value for r in incoming.ratings} == {
        ("content responsiveness", "nist"): 4,
        ("content responsiveness", "nist-2"): 2,
        ("grammaticality", "nist"): 5,
        ("structure and coherence", "nist"): 3,
    }
    assert {s.measure: s.value for s in incoming.scores}["nist.modified_pyramid"] == 0.25


def test_see_files_several_lengths_and_single_documents_are_topics_of_their_own(make):
    files = {
        "models/D061.M.050.J.B.html": SEE,
        "models/D061.M.100.J.B.html": SEE,
        "models/D061.P.100.J.B.AP88-1.html": SEE,
        "docs/d061j/AP88-1": "<DOC>\n<DOCNO>AP88-1</DOCNO><TEXT>One.</TEXT></DOC>",
        "docs/d061j/AP88-2": "<DOC>\n<DOCNO>AP88-2</DOCNO><TEXT>Two.</TEXT></DOC>",
    }
    topics = {topic.name: topic for topic in import_registry.read(make(files)).topics}
    assert sorted(topics) == ["AP88-1", "D061.100", "D061.50"]
    assert topics["D061.50"].references["B"].content == "AT&T met.\nIt left."
    assert list(topics["AP88-1"].documents) == ["AP88-1"]
    assert sorted(topics["D061.100"].documents) == ["AP88-1", "AP88-2"]


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"manual/manual.peer": "D0801-A 1 0.5 7\n"}, "has not the columns of manual.peer"),
        ({"manual/manual.peer": "D0801-A 1 x 7 1 4 0.45 3 4\n"}, "has not the columns"),
        ({"manual/content.table": "D0801-A M I 1 40\n"}, "outside the scale"),
        ({"ROUGE/models/D0801-A.M.100.A.B": "a\x00b"}, "is a NUL"),
    ],
)
def test_a_damaged_file_is_reported(make, files, sentence):
    with pytest.raises(BadImport, match=sentence):
        import_registry.read(make({"peers/D0801-A.M.100.A.1": "A.", **files}), "tac")


def test_a_link_out_of_the_folder_is_refused(make, tmp_path):
    folder = make({"set/peers/D0801-A.M.100.A.1": "A."}) / "set"
    (tmp_path / "secret").write_text("x")
    (folder / "peers" / "D0801-B.M.100.A.1").symlink_to(tmp_path / "secret")
    with pytest.raises(BadImport, match="outside the folder"):
        import_registry.read(folder)


def test_unclosed_sgml_is_read_in_linear_time(make):
    files = {"peers/D0801-A.M.100.A.1": "A.", "docs/D0801A/x": "<DOC>" * 100_000 + "<P" * 100_000}
    assert [t.name for t in import_registry.read(make(files)).topics] == ["D0801-A"]
