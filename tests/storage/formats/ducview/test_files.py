"""DUCView's files and the values they hold: what is read is written again, white space aside."""

from __future__ import annotations

from xml.etree.ElementTree import canonicalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import BadImport, InputError
from storage.formats.ducview.decode import decode
from storage.formats.ducview.encode import encode
from storage.formats.ducview.model import (
    NO_MATCH,
    NO_MATCH_LABEL,
    Extra,
    File,
    FileAnnotation,
    FileContributor,
    FilePart,
    FilePyramid,
    FileScu,
    FileText,
    joined,
    span_text,
)
from storage.formats.ducview.xml import Node
from storage.formats.readers.fields import Problems
from tests.conftest import examples
from tests.storage.formats.ducview.conftest import ANNOTATION, PYRAMID, pan, pyr, without_regex


def read(content: bytes) -> File:
    return decode(content, Problems("a.pyr"))


def problems_of(content: bytes) -> list[str]:
    with pytest.raises(BadImport) as caught:
        read(content)
    return [str(problem) for problem in caught.value.problems]


def canonical(content: bytes) -> str:
    """A document with attributes in order and without white space between elements."""
    return canonicalize(content.decode(), with_comments=True, strip_text=False, rewrite_prefixes=False)


def squeezed(content: bytes) -> list[str]:
    """What a file says, white space between elements aside."""
    return [line.strip() for line in canonical(content).replace("><", ">\n<").splitlines() if line.strip()]


UNKNOWN = (
    PYRAMID.replace('<scu uid="3"', '<!-- doubtful -->\n <scu uid="3" colour="red" x:y="&lt;1&gt;"')
    .replace("<pyramid>", '<pyramid numModels="2" xmlns:x="urn:x">')
    .replace('end="47"/>', 'end="47" sure="no"/>\n   <seen by="KO"><again/></seen>')
    .replace("  <line>On Monday", '  <line n="8">On Monday')
    .replace("</pyramid>", " <notes>kept <b>as</b> they are</notes>\n</pyramid>")
)
IN_SECTIONS = PYRAMID.replace("The ban &amp; the &quot;bridge&quot;", '<![CDATA[The ban & the "bridge"]]>')


@pytest.mark.parametrize(
    "content",
    [
        pyr(),
        pyr(without_regex()),
        pyr(IN_SECTIONS),
        pyr(UNKNOWN, before="<!-- by hand -->\n<?show all?>\n", after="<!-- end -->\n"),
        pan(),
        pan(score=""),
        pan(without_regex(UNKNOWN), ANNOTATION.replace("<annotation>", '<annotation x="1">')),
    ],
)
def test_what_is_read_is_written_again(content: bytes) -> None:
    written = encode(read(content))
    assert squeezed(written) == squeezed(content)
    assert read(written) == read(content)


def test_the_document_type_is_repeated() -> None:
    written = encode(read(pan(score="")))
    assert b"(pyramid,annotation)>" in written, "a file of version 1.4 stays one"


def test_what_a_file_holds_is_known() -> None:
    file = read(pan())
    assert isinstance(file.body, FileAnnotation)
    text = file.pyramid.text.content
    assert [span_text(text, p.span) for s in file.pyramid.scus for c in s.contributors for p in c.parts] == [
        "The ban",
        "fell",
        "the banfell",
        "Cafe\u0301s reopened",
        "Monday",
    ]
    first, second, others = file.body.scus
    assert (first.uid, first.weight, first.label, first.comment) == ("12", 2, "The ban fell", "twice")
    assert [c.comment for c in first.contributors] == ["", "again"]
    assert (second.weight, second.contributors) == (1, ())
    assert (others.uid, others.weight, others.label) == (NO_MATCH, None, NO_MATCH_LABEL)
    assert file.body.score is not None
    assert file.body.score["qualityScore"] == "0.6667"


def test_a_file_that_is_written_again_is_valid_by_its_own_document_type() -> None:
    """Every element and attribute that stands in it is declared in it."""
    file = read(pan())
    written = encode(File(file.body)).decode()
    for tag in ("peerAnnotation", "annotation", "peerscu", "pyramid", "scu", "part", "score", "averagescu"):
        assert f"<!ELEMENT {tag} " in written
    assert "score?)>" in written
    assert "(contributor)+>" in written


def test_an_scu_without_contributors_is_allowed_by_the_document_type() -> None:
    body = FilePyramid(FileText(("a",)), (FileScu("1", "x"),))
    assert b"<!ELEMENT scu (contributor)*>" in encode(File(body))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "no element found"),
        (pyr().replace(b"The ban fell", b"The\x00ban"), "not well-formed"),
        (pyr().replace(b"The ban fell", b"\xed\xa0\x80"), "not well-formed"),
        (pyr().replace(b"The ban fell", b"&#xD800;"), "invalid character"),
        (pyr().replace(b"The ban fell", b"caf\xe9"), "not well-formed"),
        (b'<?xml version="1.0" encoding="klingon"?><pyramid/>', "encoding is not supported"),
        (b'<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>', "declares entities"),
        (b'<!DOCTYPE a SYSTEM "http://example.org/a.dtd"><a>&e;</a>', "refers to other files"),
        (b"<a>" * 100_000, "nested more"),
        (b"<html/>", "The root element is <html>"),
        (pyr("<pyramid/>"), "no <text>"),
        (pyr(PYRAMID.replace('uid="3"', 'uid="12"')), "Another SCU has this uid"),
        (pyr(PYRAMID.replace('uid="3"', 'uid="0"')), "0 is not a valid uid"),
        (pyr(PYRAMID.replace('uid="3" ', "")), "The uid is missing"),
        (pyr(PYRAMID.replace('start="93"', 'start="-1"')), "'-1' is not an offset"),
        (pyr(PYRAMID.replace('start="93"', "start='" + "9" * 5000 + "'")), "is not an offset"),
        (pyr(PYRAMID.replace('end="108"', "")), "The offset is missing"),
        (pyr(PYRAMID.replace("Cafe&#769;s", "<b>C</b>")), "texts must be plain"),
        (pan(annotation=ANNOTATION.replace('uid="12"', 'uid="77"')), "no SCU with this uid"),
        (pan(annotation=""), "no <annotation>"),
    ],
)
def test_each_fault_is_a_sentence_with_its_place(content: bytes, sentence: str) -> None:
    found = problems_of(content)
    assert any(sentence in problem for problem in found)
    assert all("line " in problem for problem in found)


def test_a_billion_laughs_stay_unread() -> None:
    bomb = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    content = f'<!DOCTYPE pyramid [<!ENTITY l0 "ha">{bomb}]><pyramid>&l9;</pyramid>'.encode()
    assert "declares entities" in problems_of(content)[0]


def test_all_faults_are_reported_not_the_first() -> None:
    content = pyr(PYRAMID.replace('start="93"', 'start="x"').replace('end="27"', 'end=""'))
    assert len(problems_of(content)) == 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
def test_encodings_that_a_file_names_are_read(encoding: str) -> None:
    text = pyr().decode().replace('version="1.0"', f'version="1.0" encoding="{encoding}"')
    assert read(text.encode(encoding)).body == read(pyr()).body


def test_signs_that_xml_cannot_hold_are_refused_with_their_place() -> None:
    with pytest.raises(InputError, match=r"U\+000B, which follows “a bell”"):
        encode(File(FilePyramid(FileText(("a bell\x0b",)))))


signs = st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"]) | st.sampled_from(
    ["👩\u200d🚀", "e\u0301", "&", "<", ">", '"', "'", "]]>", "&amp;", "\t", "\r", "\x85", "\u2028", " "]
)
words = st.lists(signs, max_size=12).map("".join)
extras = st.builds(
    Extra,
    st.dictionaries(st.sampled_from(["colour", "x.y", "sure"]), words, max_size=2),
    st.lists(st.tuples(st.just(0), st.builds(Node, st.just("seen"), st.just({}), st.just(())))).map(tuple),
)


@st.composite
def contributors(draw: st.DrawFn, text: str) -> FileContributor:
    """Parts in any order, anywhere in a text, overlapping or not."""
    ends = st.integers(0, len(text))
    spans = draw(st.lists(st.tuples(ends, ends).map(sorted).map(tuple), min_size=1, max_size=4))
    parts = tuple(FilePart(span_text(text, span), *span, draw(extras)) for span in spans)
    return FileContributor(joined(text, tuple(spans)), parts, draw(words), draw(extras))


@st.composite
def pyramids(draw: st.DrawFn) -> FilePyramid:
    text = FileText(tuple(draw(st.lists(words, min_size=1, max_size=5))), draw(extras))
    held = st.lists(contributors(text.content), max_size=3).map(tuple)
    scus = draw(st.lists(st.builds(FileScu, st.just(""), words, held, words), max_size=4))
    numbered = tuple(
        FileScu(str(uid), s.label, s.contributors, s.comment) for uid, s in enumerate(reversed(scus), 1)
    )
    return FilePyramid(text, numbered, draw(st.none() | words))


@pytest.mark.slow
@settings(max_examples=examples(25))
@given(pyramid=pyramids())
def test_any_pyramid_comes_back_equal(pyramid: FilePyramid) -> None:
    assert read(encode(File(pyramid))).body == pyramid


@pytest.mark.slow
@settings(max_examples=examples(25))
@given(pyramid=pyramids(), line=words, weight=st.none() | st.integers(0, 99))
def test_any_annotation_comes_back_equal(pyramid: FilePyramid, line: str, weight: int | None) -> None:
    text = FileText((line, "x"))
    unit = FileContributor("x", (FilePart("x", len(line) + 1, len(line) + 2),))
    peers = tuple(FileScu(s.uid, f"l {s.label}", (unit,), s.comment, weight) for s in pyramid.scus)
    body = FileAnnotation(pyramid, text, (*peers, FileScu(NO_MATCH, NO_MATCH_LABEL)), {"totalscu": "1"})
    assert read(encode(File(body))).body == body
