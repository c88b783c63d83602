"""XML as plain values: read within limits, written so that it reads back unchanged."""

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
"""Maximum nesting of elements; DUCView's files have six levels."""

COMMENT, INSTRUCTION = "!--", "?"
"""Tags of nodes that are not elements: comment; instruction, followed by its target."""

_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_IN_TEXT = {'"': "&quot;", "\r": "&#13;"}
_IN_ATTRIBUTES = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;", ">": "&gt;", '"': "&quot;"}


@dataclass(frozen=True, slots=True)
class Node:
    """An element, comment or instruction.

    line: in its file, 0 = none. is_verbatim: its text is written as CDATA.
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
        """Its child elements, in order."""
        return tuple(c for c in self.children if isinstance(c, Node) and c.is_element)

    @property
    def text(self) -> str:
        """Its direct text, entities decoded."""
        return "".join(child for child in self.children if isinstance(child, str))


@dataclass(frozen=True, slots=True)
class Document:
    """A root element with the comments and instructions around it."""

    root: Node
    before: tuple[Node, ...] = ()
    after: tuple[Node, ...] = ()


def parse(content: bytes, problems: Problems, program: str = "DUCView") -> Document:
    """Parse a document. Raises BadImport with one problem if it is not well-formed or not safe.

    program: which writes such files, for messages.
    """
    builder = _Builder()
    reader = sax.make_parser()
    reader.setContentHandler(builder)
    reader.setProperty(property_lexical_handler, builder)
    source = InputSource()
    source.setByteStream(io.BytesIO(content))
    try:
        reader.parse(source)
    except SAXParseException as error:
        _refuse(
            problems,
            error.getLineNumber() or 0,
            f"Not valid XML: {error.getMessage()}.",
            _MEND.format(program),
        )
    except DefusedXmlException:
        what = "The file declares entities or refers to other files, which are not read for security."
        _refuse(problems, builder.line, what, "Replace each entity by its text, and remove the declaration.")
    except _TooDeep:
        what = f"Its elements are nested more than {DEEPEST} levels deep."
        _refuse(problems, builder.line, what, f"Choose a file written by {program}.")
    except (LookupError, ValueError, SAXException) as error:
        _refuse(problems, 1, f"Its encoding is not supported: {error}.", "Save the file as UTF-8.")
    return builder.document()


_MEND = "Correct it there, or save it again with {}; an encoding other than UTF-8 must be declared."


def _refuse(problems: Problems, line: int, what: str, remedy: str) -> None:
    before = f"{problems.place}, " if problems.place and not problems.place.startswith("line ") else ""
    problems.place = f"{before}line {line}"
    problems.add("", what, remedy)
    problems.stop_if_any()


class _TooDeep(Exception):
    """Elements are nested too deeply."""


class _Builder(ContentHandler):
    """Builds nodes from parser events; ignores white space between elements."""

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
            raise InputError("The file contains no element.")
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
        """Treat a CDATA section as normal text."""

    def endCDATA(self) -> None: ...

    def _put(self, node: Node) -> None:
        if self._open:
            self._open[-1][2].append(node)
        elif node.is_element:
            self._root = node
        else:
            self._outside[self._root is not None].append(node)


def _joined(children: list[Node | str]) -> tuple[Node | str, ...]:
    """Merge neighbouring texts; drop blank ones between elements."""
    found: list[Node | str] = []
    for is_text, group in groupby(children, key=lambda child: isinstance(child, str)):
        pieces = list(group)
        found += ["".join(map(str, pieces))] if is_text else pieces
    if any(isinstance(child, Node) and child.is_element for child in found):
        found = [child for child in found if isinstance(child, Node) or child.strip()]
    return tuple(found)


def markup(node: Node, indent: str = "") -> str:
    """Return a node as XML on separate lines. Raises InputError for a character that XML cannot contain."""
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
    """Escape text between tags. Raises InputError for a character that XML cannot contain."""
    return escape(_writable(text), _IN_TEXT)


def attribute(value: str) -> str:
    """Quote an attribute's value. Raises InputError for a character that XML cannot contain."""
    return quoteattr(_writable(value), _IN_ATTRIBUTES)


def cdata(text: str) -> str:
    """Return text as CDATA if possible. Raises InputError for a character that XML cannot contain."""
    if "\r" in text:
        return plain(text)
    return "<![CDATA[" + _writable(text).replace("]]>", "]]]]><![CDATA[>") + "]]>"


def _writable(text: str) -> str:
    bad = _UNWRITABLE.search(text)
    if bad is None:
        return text
    context = " ".join(text[max(bad.start() - 20, 0) : bad.start()].split())
    raise InputError(
        f"XML cannot contain the character U+{ord(bad.group()):04X}, which follows “{context}”. "
        "Export this topic in another format, or remove the character."
    )
