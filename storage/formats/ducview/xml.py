"""XML as plain values: read within bounds, written so that it reads back equal."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler, property_lexical_handler
from xml.sax.saxutils import escape, quoteattr
from xml.sax.xmlreader import AttributesImpl, InputSource, Locator

from defusedxml import sax
from defusedxml.common import DefusedXmlException

from core.errors import InputError
from storage.formats.readers.fields import Problems

DEEPEST = 32
"""Elements within elements; DUCView's files have six."""

COMMENT, INSTRUCTION = "!--", "?"
"""Tags of what is no element: a comment; an instruction, with its target behind the sign."""

_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_IN_TEXT = {'"': "&quot;", "\r": "&#13;"}
_IN_ATTRIBUTES = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;", ">": "&gt;", '"': "&quot;"}


@dataclass(frozen=True, slots=True)
class Node:
    """An element, a comment or an instruction.

    line: where it begins in its file, 0 = it has none. is_verbatim: its text is written as CDATA.
    """

    tag: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: tuple[Node | str, ...] = ()
    line: int = field(default=0, compare=False)
    is_verbatim: bool = field(default=False, compare=False)

    @property
    def is_element(self) -> bool:
        return not self.tag.startswith((COMMENT, INSTRUCTION))

    @property
    def elements(self) -> tuple[Node, ...]:
        """The elements in it, in order."""
        return tuple(c for c in self.children if isinstance(c, Node) and c.is_element)

    @property
    def text(self) -> str:
        """What stands in it directly, entities decoded."""
        return "".join(child for child in self.children if isinstance(child, str))


@dataclass(frozen=True, slots=True)
class Document:
    """A root with the comments and instructions around it."""

    root: Node
    before: tuple[Node, ...] = ()
    after: tuple[Node, ...] = ()


def parse(content: bytes, problems: Problems) -> Document:
    """Read a document. Raises BadImport with one problem where it is not well-formed or not harmless."""
    builder = _Builder()
    reader = sax.make_parser()
    reader.setContentHandler(builder)
    reader.setProperty(property_lexical_handler, builder)
    source = InputSource()
    source.setByteStream(io.BytesIO(content))
    try:
        reader.parse(source)
    except SAXParseException as error:
        _refuse(problems, error.getLineNumber() or 0, f"Not readable as XML: {error.getMessage()}.", _MEND)
    except DefusedXmlException:
        what = "It declares entities or refers to other files, which a program must not follow."
        _refuse(
            problems, builder.line, what, "Replace each entity by its text, and leave the declaration out."
        )
    except _TooDeep:
        what = f"Its elements are nested deeper than {DEEPEST}."
        _refuse(problems, builder.line, what, "Give a file that DUCView has written.")
    except (LookupError, ValueError, SAXException) as error:
        _refuse(problems, 1, f"Its encoding cannot be read: {error}.", "Save the file as UTF-8.")
    return builder.document()


_MEND = "Mend it there, or save it anew with DUCView; a file in another encoding than UTF-8 must name it."


def _refuse(problems: Problems, line: int, what: str, remedy: str) -> None:
    problems.place = f"line {line}"
    problems.add("", what, remedy)
    problems.stop_if_any()


class _TooDeep(Exception):
    """Elements stand in one another without end."""


class _Builder(ContentHandler):
    """Hears the parser and puts nodes together; white space between elements is of no account."""

    def __init__(self) -> None:
        super().__init__()
        self._open: list[tuple[str, dict[str, str], list[Node | str], int]] = []
        self._outside: tuple[list[Node], list[Node]] = ([], [])
        self._root: Node | None = None
        self._is_in_declaration = False
        self._locator: Locator | None = None

    @property
    def line(self) -> int:
        return (self._locator.getLineNumber() or 0) if self._locator is not None else 0

    def document(self) -> Document:
        if self._root is None:
            raise InputError("The file holds no element.")
        before, after = self._outside
        return Document(self._root, tuple(before), tuple(after))

    def setDocumentLocator(self, locator: Locator) -> None:
        self._locator = locator

    def startElement(self, name: str, attrs: AttributesImpl[str]) -> None:
        if len(self._open) >= DEEPEST:
            raise _TooDeep
        self._open.append((name, dict(attrs.items()), [], self.line))

    def endElement(self, name: str) -> None:
        tag, attributes, children, line = self._open.pop()
        self._put(Node(tag, attributes, _joined(children), line))

    def characters(self, content: str) -> None:
        if self._open:
            self._open[-1][2].append(content)

    def processingInstruction(self, target: str, data: str) -> None:
        if not self._is_in_declaration:
            self._put(Node(INSTRUCTION + target, {}, (data,), self.line))

    def comment(self, content: str) -> None:
        if not self._is_in_declaration:
            self._put(Node(COMMENT, {}, (content,), self.line))

    def startDTD(self, name: str, public_id: str | None, system_id: str | None) -> None:
        self._is_in_declaration = True

    def endDTD(self) -> None:
        self._is_in_declaration = False

    def startCDATA(self) -> None:
        """A CDATA section is text like any other."""

    def endCDATA(self) -> None: ...

    def _put(self, node: Node) -> None:
        if self._open:
            self._open[-1][2].append(node)
        elif node.is_element:
            self._root = node
        else:
            self._outside[self._root is not None].append(node)


def _joined(children: list[Node | str]) -> tuple[Node | str, ...]:
    """Children with neighbouring pieces of text in one, blank ones among elements left out."""
    found: list[Node | str] = []
    for is_text, group in groupby(children, key=lambda child: isinstance(child, str)):
        pieces = list(group)
        found += ["".join(map(str, pieces))] if is_text else pieces
    if any(isinstance(child, Node) and child.is_element for child in found):
        found = [child for child in found if isinstance(child, Node) or child.strip()]
    return tuple(found)


def markup(node: Node, indent: str = "") -> str:
    """A node as XML on lines of its own. Raises InputError on a sign that XML cannot hold."""
    if node.tag == COMMENT:
        return f"{indent}<!--{node.text}-->\n"
    if node.tag.startswith(INSTRUCTION):
        return f"{indent}<{node.tag} {node.text}?>\n"
    head = "".join(f" {name}={attribute(value)}" for name, value in node.attributes.items())
    if not node.children and head:
        return f"{indent}<{node.tag}{head}/>\n"
    if any(isinstance(child, Node) for child in node.children) and not node.text:
        inner = "".join(markup(child, f"{indent} ") for child in node.children if isinstance(child, Node))
        return f"{indent}<{node.tag}{head}>\n{inner}{indent}</{node.tag}>\n"
    put = cdata if node.is_verbatim else plain
    inner = "".join(put(c) if isinstance(c, str) else markup(c).rstrip("\n") for c in node.children)
    return f"{indent}<{node.tag}{head}>{inner}</{node.tag}>\n"


def plain(text: str) -> str:
    """Text between tags. Raises InputError on a sign that XML cannot hold."""
    return escape(_writable(text), _IN_TEXT)


def attribute(value: str) -> str:
    """An attribute's value in its quotes. Raises InputError on a sign that XML cannot hold."""
    return quoteattr(_writable(value), _IN_ATTRIBUTES)


def cdata(text: str) -> str:
    """Text as a CDATA section, where that can hold it. Raises InputError on a sign that XML cannot hold."""
    if "\r" in text:
        return plain(text)
    return "<![CDATA[" + _writable(text).replace("]]>", "]]]]><![CDATA[>") + "]]>"


def _writable(text: str) -> str:
    bad = _UNWRITABLE.search(text)
    if bad is None:
        return text
    shown = " ".join(text[max(bad.start() - 20, 0) : bad.start()].split())
    raise InputError(
        f"XML cannot hold the sign U+{ord(bad.group()):04X}, which stands behind “{shown}”. "
        "Write this topic in another format, or leave the sign out."
    )
