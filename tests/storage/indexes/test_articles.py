"""Citations of PubMed and articles of PMC as sources of an index."""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path

import numpy as np
import pytest

from core.errors import InputError
from core.progress import run_to_completion
from core.retrieval.analysis import Analysis
from core.retrieval.builder import build_index
from core.retrieval.index_store import IndexRequest
from core.retrieval.protocols import DeletedDocument, SourceDocument
from storage.indexes import article_xml
from storage.indexes.document_sources import DocumentReader
from storage.indexes.index_folder import IndexFolder

HEAD = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN"
 "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">
"""

ARTICLE = """<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS Archiving DTD v1.2//EN" "JATS-archivearticle1.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article"><front><article-meta>
<article-id pub-id-type="pmid">11</article-id><article-id pub-id-type="pmc">{id}</article-id>
<title-group><article-title>Bridges &amp; <italic>tides</italic></article-title></title-group>
<abstract><title>Abstract</title><sec><title>Methods:</title><p>We
 looked.</p></sec><sec><title>Results</title><p>It fell.</p><p>Twice.</p></sec></abstract>
<abstract abstract-type="graphical"><p>A picture.</p></abstract></article-meta></front>
<body><sec><title>Setting</title><p>A harbour<xref>[1]</xref>.</p>
<table-wrap><caption><p>Heights</p></caption><table><tr><td>17</td></tr></table></table-wrap></sec></body>
<back><ref-list><ref>Other, A.</ref></ref-list></back>
<sub-article><front-stub><article-id pub-id-type="pmc">99</article-id></front-stub><body><p>Letter.</p></body>
</sub-article></article>"""


def citation(pmid: str, text: str, version: int = 1) -> str:
    abstract = f"<Abstract>{text}</Abstract>" if text.startswith("<") else ""
    abstract = abstract or (f"<Abstract><AbstractText>{text}</AbstractText></Abstract>" if text else "")
    return (
        f'<PubmedArticle><MedlineCitation><PMID Version="{version}">{pmid}</PMID><Article>'
        f"<ArticleTitle>Title <i>{pmid}</i>.</ArticleTitle>{abstract}</Article>"
        '<CommentsCorrectionsList><CommentsCorrections><PMID Version="1">777</PMID></CommentsCorrections>'
        "</CommentsCorrectionsList></MedlineCitation><PubmedData><ReferenceList><Reference><ArticleIdList>"
        '<ArticleId IdType="pubmed">888</ArticleId></ArticleIdList></Reference></ReferenceList></PubmedData>'
        "</PubmedArticle>\n"
    )


def medline(path: Path, *records: str, deleted: tuple[str, ...] = ()) -> Path:
    """Write a MEDLINE file, compressed if its name ends in .gz."""
    gone = "".join(f'<PMID Version="1">{pmid}</PMID>' for pmid in deleted)
    ending = f"<DeleteCitation>{gone}</DeleteCitation>" if gone else ""
    content = f"{HEAD}<PubmedArticleSet>\n{''.join(records)}{ending}</PubmedArticleSet>".encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def archive(path: Path, members: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz" if path.suffix in (".gz", ".tgz") else "w") as made:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            made.addfile(member, io.BytesIO(content))
    return path


@pytest.mark.parametrize("name", ["pubmed25n0001.xml", "pubmed25n0001.xml.gz"])
def test_a_medline_file_gives_pmids_titles_and_abstracts_with_their_labels(tmp_path, name):
    structured = (
        '<AbstractText Label="METHODS" NlmCategory="METHODS">We <sub>2</sub> looked.</AbstractText>'
        '<AbstractText Label="UNLABELLED">It fell.</AbstractText>'
        "<CopyrightInformation>(c)</CopyrightInformation>"
    )
    path = medline(tmp_path / name, citation("1", "Plain &lt; text."), citation("2", structured))
    assert list(DocumentReader([path])) == [
        SourceDocument("1", "Title 1.", "Plain < text.", 1),
        SourceDocument("2", "Title 2.", "METHODS: We 2 looked.\nIt fell.", 1),
    ]


def test_an_article_gives_its_abstract_and_body_with_section_titles(tmp_path):
    path = tmp_path / "a.nxml"
    path.write_text(ARTICLE.format(id="13900"))
    (document,) = DocumentReader([path], parts=("title", "abstract", "body"))
    assert (document.id, document.title) == ("PMC13900", "Bridges & tides")
    assert document.content.split("\n") == [
        "Bridges & tides", "Methods: We looked.", "Results: It fell.", "Twice.", "Setting: A harbour[1].",
        "Heights",
    ]  # fmt: skip


def test_parts_are_chosen_and_records_without_them_are_counted(tmp_path):
    path = medline(tmp_path / "m.xml", citation("1", "Text."), citation("2", ""))
    reader = DocumentReader([path])
    assert [document.id for document in reader] == ["1"]
    assert reader.report.notes() == ["1 record without any of the indexed parts left out."]
    titles = list(DocumentReader([path], parts=("title",)))
    assert [(document.id, document.content) for document in titles] == [("1", "Title 1."), ("2", "Title 2.")]


@pytest.mark.parametrize("name", ["pmc.tar", "pmc.tar.gz", "pmc.tgz"])
def test_damaged_members_of_an_archive_do_not_stop_the_others(tmp_path, name):
    members = {f"PMC{at}.nxml": ARTICLE.format(id=at).encode() for at in (1, 2, 3)}
    members["PMC2.nxml"] = members["PMC2.nxml"][:-20]
    members["notes.txt"] = b"<article>"
    reader = DocumentReader([archive(tmp_path / name, members)])
    assert [document.id for document in reader] == ["PMC1", "PMC3"]
    first, second = reader.report.notes()
    assert first == "1 file could not be read whole:"
    assert second.startswith(f"{name}: PMC2.nxml: line")


def test_a_member_that_is_shorter_than_its_header_says_ends_the_archive(tmp_path):
    path = archive(tmp_path / "a.tar", {"PMC1.nxml": ARTICLE.format(id=1).encode()})
    with tarfile.open(path) as made:
        (first,) = made.getmembers()
    end = first.offset_data + (first.size + 511) // 512 * 512
    whole = path.read_bytes()
    with path.open("wb") as file:
        file.write(whole[:end])
        for name in ("notes.txt", "PMC2.nxml"):
            member = tarfile.TarInfo(name)
            member.size = 10**15
            file.write(member.tobuf(tarfile.GNU_FORMAT))
    reader = DocumentReader([path])
    assert [document.id for document in reader] == ["PMC1"]
    assert reader.report.notes() == ["1 file could not be read whole:", "a.tar: it is incomplete"]


def test_a_cut_file_gives_what_precedes_the_damage(tmp_path):
    path = medline(tmp_path / "m.xml.gz", *(citation(str(at), f"Text {at * 7919}.") for at in range(2000)))
    path.write_bytes(path.read_bytes()[:-200])
    reader = DocumentReader([path, medline(tmp_path / "n.xml", citation("x1", "More."))])
    found = [document.id for document in reader]
    assert 1000 < len(found) < 2001
    assert found[-1] == "x1"
    assert reader.report.notes() == ["1 file could not be read whole:", "m.xml.gz: it is incomplete"]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ('<!DOCTYPE a [<!ENTITY x "y">]><PubmedArticleSet/>', "declares entities"),
        ('<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1/x">%x;]><a/>', "declares entities"),
        ("<PubmedArticleSet><a>", "not well-formed"),
        ("<html/>", "no PubMed citation"),
        ("<a>" * 300 + "</a>" * 300, "nested more than"),
        ('<?xml version="1.0" encoding="none"?><a/>', "unknown encoding"),
        ("", "not well-formed"),
    ],
)  # fmt: skip
def test_unsafe_and_foreign_files_are_named_with_the_reason(tmp_path, content, why):
    (tmp_path / "bad.xml").write_text(content)
    reader = DocumentReader([tmp_path / "bad.xml"])
    assert list(reader) == []
    assert why in reader.report.notes()[1]


def test_a_record_that_never_ends_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(article_xml, "LONGEST_RECORD", 2**17)
    path = medline(tmp_path / "m.xml", citation("1", "Text."), citation("2", "word " * 100_000))
    reader = DocumentReader([path])
    assert [document.id for document in reader] == ["1"]
    assert "a record is larger" in reader.report.notes()[1]


def test_a_huge_header_in_an_archive_is_not_read(tmp_path):
    with tarfile.open(tmp_path / "a.tar", "w", format=tarfile.PAX_FORMAT) as made:
        member = tarfile.TarInfo("a.nxml")
        member.pax_headers = {"comment": "x" * 2_000_000}
        made.addfile(member)
    reader = DocumentReader([tmp_path / "a.tar"])
    assert list(reader) == []
    assert "header is too large" in reader.report.notes()[1]


def test_a_folder_of_articles_is_read_in_the_order_of_its_names(tmp_path):
    medline(tmp_path / "n0002.xml.gz", citation("2", "Second."), deleted=("1",))
    medline(tmp_path / "n0001.xml", citation("1", "First."))
    found = list(DocumentReader([tmp_path]))
    assert found == [
        SourceDocument("1", "Title 1.", "First.", 1),
        SourceDocument("2", "Title 2.", "Second.", 1),
        DeletedDocument("1"),
    ]


@pytest.mark.parametrize("suffix", [".jsonl.gz", ".csv.gz"])
def test_compressed_tables_are_read(tmp_path, suffix):
    path = tmp_path / f"t{suffix}"
    rows = '{"id": "a", "text": "One."}\n' if "jsonl" in suffix else "id,text\na,One.\n"
    path.write_bytes(gzip.compress(rows.encode()))
    assert list(DocumentReader([path])) == [SourceDocument("a", "", "One.")]
    path.write_bytes(gzip.compress(rows.encode())[:-6])
    with pytest.raises(InputError, match="damaged or incomplete"):
        list(DocumentReader([path]))


# Which of several versions is indexed


def _ids(built):
    return [built.arrays.ids[at] for at in range(built.arrays.documents)]


def _built(*documents):
    return run_to_completion(build_index(documents, Analysis()))


def test_the_latest_version_of_a_citation_is_indexed_and_deleted_ones_are_not():
    built = _built(
        SourceDocument("1", "a", "alpha beta", 1),
        SourceDocument("2", "b", "beta storm beta", 1),
        SourceDocument("3", "c", "gamma", 2),
        SourceDocument("1", "a2", "delta beta", 1),
        SourceDocument("3", "c1", "older", 1),
        DeletedDocument("2"),
        DeletedDocument("unknown"),
        SourceDocument("4", "", "storm", 1),
    )
    assert _ids(built) == ["3", "1", "4"]
    assert (built.superseded, built.deleted) == (2, 1)


def test_a_deleted_citation_that_comes_again_is_indexed():
    built = _built(
        SourceDocument("1", "", "old", 1), DeletedDocument("1"), SourceDocument("1", "", "fresh", 1)
    )
    assert _ids(built) == ["1"]
    assert built.arrays.terms[0] == "fresh"


def test_an_index_without_dropped_documents_equals_one_that_never_saw_them():
    texts = ["the old bridge", "", "a storm on the old bridge bridge", "sheep", "storm and sheep", "hills"]
    documents = [SourceDocument(str(at), f"T{at}", text, 1) for at, text in enumerate(texts)]
    for gone in ({0}, {1, 2}, {0, 5}, {2, 3, 4}, set(range(6))):
        whole = _built(*documents, *(DeletedDocument(str(at)) for at in gone))
        without = _built(*(each for at, each in enumerate(documents) if at not in gone))
        assert whole.fingerprint == without.fingerprint
        for name, array in without.arrays.named().items():
            actual = whole.arrays.named()[name]
            assert actual.dtype == array.dtype, name
            np.testing.assert_array_equal(actual, array, err_msg=name)


def test_what_was_left_out_is_stored_with_the_index(tmp_path):
    medline(tmp_path / "n0001.xml", citation("1", "First."), citation("2", "Second."), citation("3", ""))
    medline(tmp_path / "n0002.xml", citation("1", "New first."), deleted=("2",))
    (tmp_path / "n0003.xml").write_text("<PubmedArticleSet>")
    folder = IndexFolder(tmp_path / "indexes")
    request = IndexRequest("pubmed", tuple(sorted(tmp_path.glob("*.xml"))))
    made = run_to_completion(folder.build(request))
    assert made.documents == 1
    assert made.notes[:4] == (
        "1 record deleted by PubMed left out.",
        "1 duplicate left out; the latest version is indexed.",
        "1 file could not be read whole:",
        "1 record without any of the indexed parts left out.",
    )
    assert made.notes[4].startswith("n0003.xml: line 1")
    assert folder.list_indexes()[0].notes == made.notes
