"""Streaming reader of PubMed citations and PMC articles in XML, within limits of size and depth.

Read are MEDLINE files (``PubmedArticleSet``, with ``DeleteCitation``) and JATS articles (``.nxml``), also
several in one file. External DTDs are never loaded, and files that declare entities are refused.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import IO
from xml.etree.ElementTree import Element, ParseError, XMLPullParser
from xml.parsers import expat

from core.retrieval.index_store import ArticlePart
from core.retrieval.protocols import DeletedDocument, SourceDocument
from storage.formats.memory import xml_size

CHUNK = 2**16
"""Bytes parsed at once."""

LONGEST_RECORD = 2**25
"""Maximum bytes of one citation or article."""

_LARGEST_RECORD = 2**30
"""Maximum estimated memory of one parsed citation or article, in bytes."""

DEEPEST = 200
"""Maximum nesting of elements."""

_CITATIONS = ("PubmedArticle", "PubmedBookArticle")
_DELETED = "DeleteCitation"
_ARTICLE = "article"
_RECORDS = frozenset({*_CITATIONS, _DELETED, _ARTICLE})
_SKIPPED = frozenset({"table", "tex-math", "annotation", "ref-list", "fn-group", "object-id"})
"""Elements whose text is not part of a body: cells, formulas in TeX, references, footnotes."""

_BLOCKS = frozenset({"p", "title", "sec", "list-item", "caption", "label", "disp-quote", "abstract", "body"})
_OTHER_ABSTRACTS = frozenset({"graphical", "teaser", "toc", "web-summary", "executive-summary", "key-points"})


class DamagedXml(Exception):
    """A file is not well-formed, not safe to read, or too large; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Article:
    """A citation or article. id: PMID, or PMCID of an article in PMC; empty = none. version: at least 1."""

    id: str
    version: int
    title: str
    abstract: str
    body: str

    def document(self, parts: Collection[ArticlePart]) -> SourceDocument:
        """Return the document to index, of the chosen parts, one paragraph each."""
        texts = {"title": self.title, "abstract": self.abstract, "body": self.body}
        content = "\n".join(text for part, text in texts.items() if part in parts and text)
        return SourceDocument(self.id, self.title, content, self.version)


def articles(stream: IO[bytes]) -> Iterator[Article | DeletedDocument]:
    """Yield the citations, articles and deletions of an XML file as they are read.

    Raises DamagedXml after those that precede the damage; OSError, EOFError as the stream does.
    """
    guard = _Guard()
    parser: XMLPullParser[Element] = XMLPullParser(("start", "end"))
    root: Element | None = None
    depth = size = length = found = 0
    try:
        while chunk := stream.read(CHUNK):
            guard.check(chunk)
            parser.feed(chunk)
            length, size = length + len(chunk), size + xml_size(chunk)
            for event, element in _events(parser):
                if event == "start":
                    depth += 1
                    root = element if root is None else root
                    if depth > DEEPEST:
                        raise DamagedXml(f"elements are nested more than {DEEPEST} deep")
                    continue
                depth -= 1
                is_record = _name(element) in _RECORDS
                if is_record:
                    found += 1
                    yield from _record(element)
                if is_record or (depth == 1 and root is not None and _name(root) not in _RECORDS):
                    length = size = 0
                    element.clear()
                    if depth == 1 and root is not None:
                        root.clear()
            if length > LONGEST_RECORD or size > _LARGEST_RECORD:
                raise DamagedXml(f"a record is larger than {LONGEST_RECORD >> 20} MB")
        parser.close()
    except ParseError as error:
        raise DamagedXml(f"line {error.position[0]}: not well-formed ({_reason(error)})") from error
    except (LookupError, ValueError) as error:
        raise DamagedXml(f"its encoding cannot be read ({error})") from error
    if not found:
        raise DamagedXml("it contains no PubMed citation and no PMC article")


class _Guard:
    """Check of what precedes the first element: entities can be declared only there."""

    def __init__(self) -> None:
        self._parser = expat.ParserCreate()
        self._parser.EntityDeclHandler = self._refuse
        self._parser.StartElementHandler = self._end
        self._is_over = False

    def check(self, chunk: bytes) -> None:
        """Raise DamagedXml if an entity is declared."""
        if self._is_over:
            return
        try:
            self._parser.Parse(chunk)
        except expat.ExpatError as error:
            if not self._is_over:
                message = expat.ErrorString(error.code)
                raise DamagedXml(f"line {error.lineno}: not well-formed ({message})") from error

    def _refuse(self, *_: object) -> None:
        raise DamagedXml("it declares entities, which are not read for security")

    def _end(self, *_: object) -> None:
        self._is_over = True
        self._parser.EntityDeclHandler = self._parser.StartElementHandler = None


def _events(parser: XMLPullParser[Element]) -> Iterator[tuple[str, Element]]:
    return parser.read_events()  # type: ignore[return-value]  # only these events were asked for


def _reason(error: ParseError) -> str:
    return str(error).partition(":")[0]


def _record(element: Element) -> Iterator[Article | DeletedDocument]:
    match _name(element):
        case name if name == _DELETED:
            yield from (DeletedDocument(_text(pmid)) for pmid in element.iter("PMID"))
        case name if name == _ARTICLE:
            yield _jats(element)
        case _:
            yield _citation(element)


def _citation(element: Element) -> Article:
    """Return a PubMed citation, or a book or chapter."""
    record = element.find("MedlineCitation")
    record = element.find("BookDocument") if record is None else record
    record = element if record is None else record
    pmid, article = record.find("PMID"), record.find("Article")
    article = record if article is None else article
    title = article.find("ArticleTitle")
    title = article.find("Book/BookTitle") if title is None else title
    paragraphs = [_labelled(each) for each in article.findall("Abstract/AbstractText")]
    version = (pmid.get("Version") or "1") if pmid is not None else "1"
    return Article(_text(pmid), _version(version), _text(title), "\n".join(filter(None, paragraphs)), "")


def _version(text: str) -> int:
    return max(int(text), 1) if text.isdecimal() and len(text) < 9 else 1


def _labelled(element: Element) -> str:
    """Return a section of a structured abstract after its label: ``METHODS: …``."""
    label, text = (element.get("Label") or "").strip().rstrip(":"), _text(element)
    return f"{label}: {text}" if label and label != "UNLABELLED" and text else text


def _jats(element: Element) -> Article:
    """Return an article of PMC; sub-articles, such as reviewers' letters, are left out."""
    meta, body = _child(_child(element, "front"), "article-meta"), _child(element, "body")
    ids = {each.get("pub-id-type", ""): _text(each) for each in _children(meta, "article-id")}
    abstracts = [
        _paragraphs(each)
        for each in _children(meta, "abstract")
        if each.get("abstract-type", "") not in _OTHER_ABSTRACTS
    ]
    title = _child(_child(meta, "title-group"), "article-title")
    return Article(
        _pmcid(ids),
        1,
        _text(title),
        "\n".join(filter(None, abstracts)),
        _paragraphs(body) if body is not None else "",
    )


def _pmcid(ids: dict[str, str]) -> str:
    """Return ``PMC`` and the number of an article; its PMID if it has none."""
    for kind in ("pmcid", "pmc", "pmcaid"):
        if digits := ids.get(kind, "").upper().removeprefix("PMC"):
            return f"PMC{digits}"
    return ids.get("pmid", "")


def _paragraphs(element: Element) -> str:
    """Return the paragraphs and titles of an abstract or body, one per line; labels precede their text.

    A section's title is the label of its first paragraph: ``Methods: We …``.
    """
    parts: list[str] = []
    _collect(element, parts)
    lines = [" ".join(line.split()) for line in "".join(parts).split("\n")]
    joined: list[str] = []
    for line in filter(None, lines):
        if joined and joined[-1].endswith(_LABEL):
            joined[-1] = f"{joined[-1].removesuffix(_LABEL).rstrip(':. ')}: {line}"
        else:
            joined.append(line)
    return "\n".join(joined).replace(_LABEL, "")


_LABEL = "\x00"
"""End of a section's title while its text is collected; XML cannot contain it."""


def _collect(element: Element, parts: list[str]) -> None:
    """Append the text within an element; the depth was checked when it was parsed."""
    name = _name(element)
    is_block = name in _BLOCKS
    if is_block:
        parts.append("\n")
    if element.text:
        parts.append(_SPACES.sub(" ", element.text))
    for child in element:
        is_heading = name == "abstract" and _name(child) == "title"  # "Abstract"
        if isinstance(child.tag, str) and _name(child) not in _SKIPPED and not is_heading:
            _collect(child, parts)
        if child.tail:
            parts.append(_SPACES.sub(" ", child.tail))
    if is_block:
        parts.append(f"{_LABEL}\n" if name == "title" else "\n")


_SPACES = re.compile(r"\s+")


def _text(element: Element | None) -> str:
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _children(element: Element | None, name: str) -> list[Element]:
    return [each for each in element if _name(each) == name] if element is not None else []


def _child(element: Element | None, name: str) -> Element | None:
    return next(iter(_children(element, name)), None)
