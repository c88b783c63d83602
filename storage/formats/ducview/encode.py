"""Encoding of .pyr and .pan files in the layout of DUCView 1.5."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from storage.formats.ducview.model import (
    Extra,
    File,
    FileAnnotation,
    FileContributor,
    FilePart,
    FilePyramid,
    FileScu,
    FileText,
)
from storage.formats.ducview.xml import Node, markup

_PYRAMID = """
 <!ELEMENT pyramid (startDocumentRegEx?,text,scu*)>
 <!ELEMENT startDocumentRegEx (#PCDATA)>
 <!ELEMENT text (line*)>
 <!ELEMENT line (#PCDATA)>
 <!ELEMENT scu (contributor)+>
 <!ATTLIST scu uid CDATA #REQUIRED
               label CDATA #REQUIRED
               comment CDATA #IMPLIED>
 <!ELEMENT contributor (part)+>
 <!ATTLIST contributor label CDATA #REQUIRED
                       comment CDATA #IMPLIED>
 <!ELEMENT part EMPTY>
 <!ATTLIST part label CDATA #REQUIRED
                start CDATA #REQUIRED
                end   CDATA #REQUIRED>

"""
ALWAYS = ("totalscu", "uniquescu", "scusNotInPyr", "totalWeight", "maxScoreTotalscu", "qualityScore")
WITH_REGEX = ("averagescu", "maxScoreAveragescu", "coverageScore", "comprehensiveScore")
"""Names of DUCView 1.5's scores; the latter only if a regular expression separates the references."""

_PEER = """
 <!ELEMENT peerAnnotation (pyramid,annotation,score?)>
 <!ELEMENT annotation (text,peerscu+)>
 <!ELEMENT peerscu (contributor)*>
 <!ATTLIST peerscu uid CDATA #REQUIRED
                   label CDATA #REQUIRED
                   comment CDATA #IMPLIED>"""


def encode(file: File) -> bytes:
    """Return a file in UTF-8. Raises InputError for a character that XML cannot contain."""
    is_pyramid = isinstance(file.body, FilePyramid)
    name = "pyramid" if is_pyramid else "peerAnnotation"
    declaration = file.declaration or _declaration(file)
    lines = [
        '<?xml version="1.0"?>\n',
        f"<!DOCTYPE {name} [{declaration}]>\n\n",
        *map(markup, file.before),
        markup(_pyramid(file.body) if isinstance(file.body, FilePyramid) else _annotation(file.body)),
        *map(markup, file.after),
    ]
    return "".join(lines).encode()


def _declaration(file: File) -> str:
    """Return DUCView 1.5's document type; allows SCUs without contributors if there are any."""
    lines = _PYRAMID if isinstance(file.body, FilePyramid) else _PEER + _PYRAMID.rstrip("\n") + _scores()
    if all(scu.contributors for scu in file.pyramid.scus):
        return lines
    return lines.replace("scu (contributor)+", "scu (contributor)*")


def _scores() -> str:
    names = ", ".join((*ALWAYS, *(f"{name}?" for name in WITH_REGEX)))
    single = "".join(f" <!ELEMENT {name} (#PCDATA)>\n" for name in (*ALWAYS, *WITH_REGEX))
    return f"\n <!ELEMENT score ({names})>\n{single}\n"


def _annotation(file: FileAnnotation) -> Node:
    inner = [_text(file.text), *(_scu("peerscu", scu) for scu in file.scus)]
    parts = [_pyramid(file.pyramid), _element("annotation", {}, inner, file.inner)]
    if file.score is not None:
        numbers = [Node(name, {}, (value,) if value else ()) for name, value in file.score.items()]
        parts.append(_element("score", {}, numbers, file.score_extra))
    return _element("peerAnnotation", {}, parts, file.extra)


def _pyramid(file: FilePyramid) -> Node:
    parts = [_text(file.text), *(_scu("scu", scu) for scu in file.scus)]
    if file.regex is not None:
        extra = file.regex_extra
        own = (file.regex,) if file.regex else ()
        children = (*own, *(node for _, node in extra.nodes))
        parts.insert(0, Node("startDocumentRegEx", extra.attributes, children, is_verbatim=True))
    return _element("pyramid", {}, parts, file.extra)


def _text(text: FileText) -> Node:
    extras = dict(text.line_extras)
    lines = [_line(line, extras.get(number)) for number, line in enumerate(text.lines)]
    return _element("text", {}, lines, text.extra)


def _line(line: str, extra: Extra | None) -> Node:
    own = (line,) if line else ()
    if extra is None:
        return Node("line", {}, own)
    return Node("line", extra.attributes, (*own, *(node for _, node in extra.nodes)))


def _scu(tag: str, scu: FileScu) -> Node:
    label = scu.label if scu.weight is None else f"({scu.weight}) {scu.label}"
    attributes = {"uid": scu.uid, "label": label, **_comment(scu.comment)}
    return _element(tag, attributes, [_contributor(c) for c in scu.contributors], scu.extra)


def _contributor(contributor: FileContributor) -> Node:
    attributes = {"label": contributor.label, **_comment(contributor.comment)}
    return _element("contributor", attributes, [_part(p) for p in contributor.parts], contributor.extra)


def _part(part: FilePart) -> Node:
    attributes = {"label": part.label, "start": str(part.start), "end": str(part.end)}
    return _element("part", attributes, [], part.extra)


def _comment(comment: str) -> dict[str, str]:
    return {"comment": comment} if comment else {}


def _element(tag: str, attributes: Mapping[str, str], children: Sequence[Node], extra: Extra) -> Node:
    """Return an element with its preserved unknown contents in place."""
    others = {name: value for name, value in extra.attributes.items() if name not in attributes}
    return Node(tag, {**attributes, **others}, tuple(_placed(children, extra)))


def _placed(children: Sequence[Node], extra: Extra) -> Iterator[Node]:
    waiting = list(extra.nodes)
    for number, child in enumerate(children):
        while waiting and waiting[0][0] <= number:
            yield waiting.pop(0)[1]
        yield child
    yield from (node for _, node in waiting)
