"""Citances: folders of CL-SciSumm and BiomedSumm with their slips, a round trip, problems with remedies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.domain.citations import CitedSpan
from core.errors import BadImport, InputError
from core.progress import run_to_completion
from storage.formats import export_registry, import_registry
from storage.integrity_check import check
from storage.study_file import StudyFile, new_study

CITED = (
    '<PAPER>\n<S sid="0">A parser</S>\n<ABSTRACT>\n<S sid ="1" ssid = "1">We parse &lt;trees&gt;.</S>\n'
    '<S sid ="2" ssid = "2">It is fast – 5 words.</S>\n</ABSTRACT>\n<SECTION title="Results">\n'
    "<S sid=3 ssid=>Accuracy rose.</S>\n</SECTION></PAPER>"
)
CITING = (
    '<PAPER><S sid="7" ssid="1">Kim (2001) parses\ntrees.</S><S sid="8" ssid="2">It is fast.</S>'
    '<S sid="9">We do not.</S></PAPER>'
)
RECORD = (
    "Citance Number: {number} | Reference Article:  P01.xml | Citing Article:  C02.txt | "
    "Citation Marker Offset:  ['7'] | Citation Marker:  2001 | Citation Offset:  ['7','8'] | "
    'Citation Text: <S sid ="7" ssid = "1">Kim (2001) parses trees.</S><S sid ="8" ssid = "2">It is '
    "fast.</S> | Reference Offset:  {offset} | Reference Text:  {text} | "
    "Discourse Facet:  {facet} | Annotator:  {annotator} |\n\n"
)


def record(
    number=1, offset="['1']", text='<S sid ="1">We parse <trees>.</S>', facet="Method_Citation", by="Ann"
):
    return RECORD.format(number=number, offset=offset, text=text, facet=facet, annotator=by)


def corpus(folder: Path, *records: str, topic: str = "P01") -> Path:
    """Return a corpus of one topic in the layout of CL-SciSumm."""
    root = folder / "corpus"
    for name, content in (
        ("annotation/P01.ann.txt", "".join(records)),
        ("Reference_XML/P01.xml", CITED),
        ("Citance_XML/C02.xml", CITING),
        ("summary/P01.human.txt", "The parser is fast."),
        ("Documents_PDF/P01.pdf", "%PDF"),
    ):
        file = root / topic / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, "utf-8")
    return root


def load(study: StudyFile, path: Path):
    request = import_registry.import_request(path)
    return run_to_completion(import_registry.import_steps(study, request))


def only(study: StudyFile):
    """Return the texts and the citances of the only topic."""
    topic = next(iter(study.texts.load()))
    return topic, study.citations.of_topic(topic.id)


@pytest.fixture
def empty(tmp_path):
    with new_study(tmp_path / "empty.pyramidion") as study:
        yield study


def test_a_topic_of_cl_scisumm_has_its_articles_summaries_and_citances(empty, tmp_path):
    counts = load(empty, corpus(tmp_path, record()))
    topic, found = only(empty)
    assert counts.notices == ()
    assert (topic.name, topic.title) == ("P01", "A parser")
    assert topic.documents[0].stored_sentences() == (
        "A parser",
        "We parse <trees>.",
        "It is fast – 5 words.",
        "Accuracy rose.",
    )
    assert [text.name for text in topic.references] == ["human"]
    (citance,) = found.citances
    paper, document = found.papers[0], topic.documents[0]
    assert (citance.number, citance.marker, citance.document_id) == ("1", "2001", document.id)
    assert citance.marker_span is not None
    assert paper.content[slice(*citance.marker_span)] == "2001"
    (annotation,) = citance.annotations
    assert annotation.text == citance.text == "Kim (2001) parses trees. It is fast."
    (span,) = annotation.spans
    assert paper.content[slice(*span)] == "Kim (2001) parses trees.\nIt is fast."
    assert [document.content[slice(*part.span)] for part in annotation.cited] == ["We parse <trees>."]
    assert annotation.facets == ("method",)


HEADINGS = (
    "Citance Number,Reference Article,Citing Article,Citation Marker Offset,Citation Marker,Citation Offset,"
    "Citation Text,Citation Text Clean,Reference Offset,Reference Text,Discourse Facet,Remark"
)


def test_gold_tables_of_2018_have_a_file_per_annotator_and_no_folder_per_topic(empty, tmp_path):
    root = corpus(tmp_path)
    (root / "P01/annotation/P01.ann.txt").unlink()
    rows = {
        "Task1/P01_ann.csv": (
            '1,P01,C02,0,2001,0,"It is fast, so.","It is fast, so.",1\',"<S sid=""1"">We parse <trees>.</S>\n'
            ' <S sid=""2"">It is fast – 5 words.</S>",Method_Citation,new'
        ),
        "Task1/P01_bo.csv": '1,,C02,0,2001,0,"It is fast, so.",,3,Accuracy rose.,Result_Citation,',
        "Task2/P01.abstract": "A parser.",
        "Task2/P01_ann.human.txt": "Fast.",
    }
    for name, content in rows.items():
        file = root / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"{HEADINGS}\n{content}\n" if name.endswith("csv") else content, "utf-8")
    counts = load(empty, root)
    topic, found = only(empty)
    assert sorted(text.name for text in topic.references) == ["abstract", "ann.human", "human"]
    (citance,) = found.citances
    people = {person.id: person.name for person in empty.annotators.all()}
    cited = {
        people[one.annotator_id]: [topic.documents[0].content[slice(*part.span)] for part in one.cited]
        for one in citance.annotations
    }
    assert cited == {"ann": ["We parse <trees>.", "It is fast – 5 words."], "bo": ["Accuracy rose."]}
    assert citance.annotations[0].spans == ()  # 0 is no offset
    notices = [f"{notice.what} {notice.remedy}" for notice in counts.notices]
    assert [note for note in notices if "Columns that are not used: Remark (2 times)." in note]
    assert [note for note in notices if "no or another cited article. That of the file" in note]


def test_a_table_of_citances_may_be_in_the_folder_of_its_topic(empty, tmp_path):
    root = corpus(tmp_path)
    table = root / "P01/annotation/P01.csv"
    table.write_text(f'{HEADINGS}\n1,P01,C02,0,2001,0,"It, is.",,,,,\n', "utf-8")
    (root / "P01/annotation/P01.ann.txt").unlink()
    load(empty, root)
    (citance,) = only(empty)[1].citances
    assert (citance.text, citance.annotations[0].cited) == ("It, is.", ())


@pytest.mark.parametrize(
    ("offset", "text", "cited", "notice"),
    [
        ("[2', '3']", "", ["It is fast – 5 words.", "Accuracy rose."], ""),
        ("['2']", '<S sid ="2">It is fast â€“ 5 words.</S>', ["It is fast – 5 words."], ""),
        ("['2']", '<S sid ="2">Accuracy rose.</S>', ["Accuracy rose."], "another number than its text"),
        (
            "['2']",
            '<S sid ="2">Something else.</S>',
            ["It is fast – 5 words."],
            "another text than its number",
        ),
        ("['44']", '<S sid ="44">Nowhere.</S>', [None], "no sentence of this number"),
        ("NA", "<S sid =  ssid = >Accuracy rose.</S>", ["Accuracy rose."], ""),
        ("NA", "NA", [None], ""),
    ],
)
def test_slips_in_places_are_read_around_and_noted(empty, tmp_path, offset, text, cited, notice):
    counts = load(empty, corpus(tmp_path, record(offset=offset, text=text)))
    topic, found = only(empty)
    content = topic.documents[0].content
    parts = found.citances[0].annotations[0].cited
    assert [part.span and content[slice(*part.span)] for part in parts] == cited
    assert [notice in one.what for one in counts.notices] == ([True] if notice else [])


def test_a_list_of_facets_a_missing_annotator_and_a_missing_paper_are_read(empty, tmp_path):
    line = record(facet="['Aim_Citation','Results_Citation']").split(" | Annotator")[0]
    root = corpus(tmp_path, line + "\n", record(number=2, facet="NA").replace("C02.txt", "C99.txt"))
    load(empty, root)
    _, found = only(empty)
    assert [paper.content == "" for paper in found.papers] == [False, True]
    first, second = found.citances
    assert first.annotations[0].facets == ("aim", "results")
    assert second.annotations[0].facets == ()
    assert (second.annotations[0].spans, second.marker_span) == ((), None)
    names = {person.id: person.name for person in empty.annotators.all()}
    assert names[first.annotations[0].annotator_id] == "unnamed"


def test_citances_with_the_same_number_are_numbered_and_equal_annotations_read_once(empty, tmp_path):
    other = record().replace("Kim (2001) parses trees.", "Kim (2001) is slow.")
    by_bob = record(by="Bob", facet="Aim_Citation")
    counts = load(empty, corpus(tmp_path, record(), other, by_bob, record(), other.replace("slow", "late")))
    _, found = only(empty)
    texts = {one.number: [each.text[:19] for each in one.annotations] for one in found.citances}
    assert texts == {
        "1": ["Kim (2001) parses t", "Kim (2001) parses t"],
        "1 (2)": ["Kim (2001) is slow."],
        "1 (3)": ["Kim (2001) is late."],
    }
    assert [one.what for one in counts.notices][-2:] == [
        "Several citances of a paper have the same number (2 times).",
        "An annotation occurs twice.",
    ]


def test_other_names_of_the_number_and_two_summaries_of_an_author_are_read(empty, tmp_path):
    root = corpus(tmp_path, record().replace("Citance Number", "Citation Number"))
    (root / "P01/summary/P01.summary.xml").write_text('<S sid="1">It is faster.</S>', "utf-8")
    counts = load(empty, root)
    topic, found = only(empty)
    assert [one.number for one in found.citances] == ["1"]
    assert {text.name: text.content for text in topic.references} == {
        "human": "The parser is fast.",
        "human 2": "It is faster.",
    }
    assert [one.what for one in counts.notices] == ["An author has several summaries."]


def test_sentences_without_an_end_are_read(empty, tmp_path):
    root = corpus(tmp_path, record())
    (root / "P01/Reference_XML/P01.xml").write_text(
        '<S sid="1">We parse.<S sid="2">It <B>is</B> fast.', "utf-8"
    )
    load(empty, root)
    topic, _ = only(empty)
    assert topic.documents[0].stored_sentences() == ("We parse.", "It is fast.")


@pytest.mark.parametrize(
    "text",
    ["<S sid=1>", "<S sid=1></S ", '<S sid="', "<S sid=" + " " * 500, "<a", " | ", "Citation Text ", "9"],
)
def test_repeated_pieces_of_markup_are_read_in_linear_time(empty, tmp_path, text):
    """Patterns that backtrack would take hours for these; the text is also an offset of 80,000 digits."""
    long = (text * 80_000)[:800_000]
    root = corpus(tmp_path, record(text=long, offset=f"['{long[:80_000]}-5']"))
    (root / "P01/Reference_XML/P01.xml").write_text(long, "utf-8")
    load(empty, root)
    assert empty.citations.counts()


def test_of_several_versions_of_annotations_the_newest_is_read(empty, tmp_path):
    root = corpus(tmp_path, record(number=1))
    (root / "P01" / "annotation" / "P01.annv3.txt").write_text(record(number=5), "utf-8")
    counts = load(empty, root)
    _, found = only(empty)
    assert [one.number for one in found.citances] == ["5"]
    assert "older version" in counts.notices[0].what


def test_a_file_in_windows_1252_is_read_and_noted(empty, tmp_path):
    root = corpus(tmp_path, record())
    (root / "P01" / "summary" / "P01.human.txt").write_bytes("Caf\u00e9.".encode("cp1252"))
    counts = load(empty, root)
    topic, _ = only(empty)
    assert topic.references[0].content == "Café."
    assert "not UTF-8" in counts.notices[0].what


DOCUMENT = "A drug was tested. It helped 9 of 10 mice. Nothing else changed."
PAPER = "As shown before [3], the drug helped mice."


def biomed(folder: Path, **changes: str) -> Path:
    """Return a corpus in the layout of BiomedSumm, with two annotators of one citance."""
    topic = folder / "data" / "D1401_TRAIN"
    fields = {
        "Topic ID": "D1401_TRAIN",
        "Citance Number": "1",
        "Reference Article": "Drug.txt",
        "Citing Article": "Later.txt",
        "Citation Marker Offset": "16-19",
        "Citation Marker": "[3]",
        "Citation Offset": "0-42",
        "Citation Text": PAPER,
        "Reference Offset": "['0-18', '43-64']",
        "Reference Text": "A drug was tested. ... Nothing else changed.",
        "Discourse Facet": "Results_Citation",
    } | changes
    for name in ("Annotation", "Documents_Text", "Summary"):
        (topic / name).mkdir(parents=True)
    for person in "AB":
        line = " | ".join(f"{name}: {value}" for name, value in (fields | {"Annotator": person}).items())
        (topic / "Annotation" / f"D1401_TRAIN.{person}.ann.txt").write_text(line + "\n", "utf-8")
        (topic / "Summary" / f"D1401_TRAIN.{person}.summary.txt").write_text(f"Mice, {person}.", "utf-8")
    (topic / "Documents_Text" / "Drug.txt").write_text(DOCUMENT, "utf-8")
    (topic / "Documents_Text" / "Later.txt").write_text(PAPER, "utf-8")
    return folder / "data"


def test_a_topic_of_biomedsumm_has_one_citance_of_two_annotators(empty, tmp_path):
    load(empty, biomed(tmp_path))
    topic, found = only(empty)
    assert topic.documents[0].content == DOCUMENT
    assert [(text.name, text.content) for text in topic.references] == [("A", "Mice, A."), ("B", "Mice, B.")]
    (citance,) = found.citances
    assert citance.marker_span == (16, 19)
    assert len(citance.annotations) == 2
    for annotation in citance.annotations:
        assert annotation.spans == ((0, 42),)
        assert annotation.cited == (
            CitedSpan((0, 18), "A drug was tested."),
            CitedSpan((43, 64), "Nothing else changed."),
        )
        assert annotation.facets == ("results",)


@pytest.mark.parametrize(
    ("offset", "text", "span"),
    [
        ("['21-40']", "It helped 9 of 10 mice.", (19, 42)),
        ("['900-920']", "It helped 9 of 10 mice.", (19, 42)),
        ("['19-42']", "It helped nine mice.", (19, 42)),
        ("['900-920']", "Not in the article.", None),
    ],
)
def test_places_of_biomedsumm_that_disagree_with_their_texts(empty, tmp_path, offset, text, span):
    changes = {"Reference Offset": offset, "Reference Text": text}
    counts = load(empty, biomed(tmp_path, **changes))
    _, found = only(empty)
    assert found.citances[0].annotations[0].cited == (CitedSpan(span, text),)
    assert len(counts.notices) == 1


def test_exported_citances_are_imported_again(empty, tmp_path):
    load(empty, biomed(tmp_path))
    load(empty, corpus(tmp_path, record(), record(number=2).replace("C02.txt", "C99.txt")))
    first = export(empty, "citations", "jsonl", tmp_path / "one.jsonl")
    texts = tmp_path / "texts.csv"
    export(empty, "texts", "csv", texts)
    with new_study(tmp_path / "other.pyramidion") as other:
        load(other, texts)
        counts = load(other, tmp_path / "one.jsonl")
        assert (counts.added["citing papers"], counts.added["citances"]) == (3, 3)
        assert export(other, "citations", "jsonl", tmp_path / "two.jsonl") == first
        again = load(other, tmp_path / "one.jsonl")
        assert (again.added, again.different) == ({}, ())
        assert again.equal["annotated citances"] == 4
    assert check(tmp_path / "other.pyramidion") == []


def export(study: StudyFile, what: str, name: str, path: Path) -> str:
    run_to_completion(export_registry.export_steps(study, export_registry.find(what, name), path))
    return path.read_text("utf-8")


def jsonl(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def citance(**changes: object) -> dict[str, object]:
    annotation = {"annotator": "Ann", "text": "They parse.", "cited": [{"span": [0, 8], "text": "A parser"}]}
    about = {"topic": "P01", "citing_paper": "C02", "number": "3", "document": "P01"}
    return about | {"annotations": [annotation]} | changes


def test_an_annotation_that_differs_is_reported_and_stays(empty, tmp_path):
    load(empty, corpus(tmp_path, record()))
    before = export(empty, "citations", "jsonl", tmp_path / "one.jsonl")
    counts = load(empty, jsonl(tmp_path / "other.jsonl", citance(number="1", marker="2001")))
    assert len(counts.different) == 2
    assert export(empty, "citations", "jsonl", tmp_path / "two.jsonl") == before


def test_the_text_of_a_paper_that_had_none_is_added(empty, tmp_path):
    load(empty, corpus(tmp_path, record().replace("C02.txt", "C99.txt")))
    load(empty, jsonl(tmp_path / "text.jsonl", {"topic": "P01", "citing_paper": "C99", "text": "Later."}))
    _, found = only(empty)
    assert [paper.content for paper in found.papers] == ["Later."]
    assert check(tmp_path / "empty.pyramidion") == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"document": "P77"}, "no document P77"),
        ({"document": ""}, "a cited document that it does not name"),
        ({"marker_span": [0, 9999]}, "outside the citing paper C02"),
        ({"annotations": [{"annotator": "Ann", "cited": [{"span": [4, 4]}]}]}, "outside the document P01"),
        ({"annotations": [{"annotator": "Ann", "spans": [["0", 2]]}]}, "not a pair of whole numbers"),
        ({"annotations": [{"text": "no name"}]}, "missing or empty"),
        ({"annotations": ["text"]}, "annotations[0]: Not an object"),
        (
            {"annotations": [{"annotator": "A"}, {"annotator": "A", "text": "x"}]},
            "Two values of the annotation",
        ),
    ],
)
def test_citances_that_do_not_fit_are_refused_with_their_place(empty, tmp_path, changes, message):
    load(empty, corpus(tmp_path, record()))
    with pytest.raises(BadImport) as refused:
        load(empty, jsonl(tmp_path / "bad.jsonl", citance(**changes)))
    assert message in str(refused.value.problems[0])


def test_a_record_without_its_articles_names_file_and_line(empty, tmp_path):
    root = corpus(
        tmp_path, record(), record(number=2).replace("Citing Article:  C02.txt", "Citing Article: ")
    )
    with pytest.raises(BadImport) as refused:
        load(empty, root)
    problem = refused.value.problems[0]
    assert (problem.place, problem.field) == ("P01/annotation/P01.ann.txt, line 3", "Citing Article")


def test_a_folder_without_annotations_is_refused(tmp_path):
    (tmp_path / "nothing").mkdir()
    with pytest.raises(InputError, match=r"annotation/\*\.ann\.txt"):
        run_to_completion(
            import_registry.read_steps(import_registry.import_request(tmp_path / "nothing", "scisumm"))
        )


def test_a_changed_text_or_place_is_found_by_validation(empty, tmp_path):
    load(empty, corpus(tmp_path, record()))
    empty.close()
    import sqlite3

    with sqlite3.connect(tmp_path / "empty.pyramidion") as connection:
        connection.execute("UPDATE citing_papers SET content = 'short'")
    connection.close()
    faults = " ".join(check(tmp_path / "empty.pyramidion"))
    assert "Citing paper" in faults
    assert "place outside its text" in faults
