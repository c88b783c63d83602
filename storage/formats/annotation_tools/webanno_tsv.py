"""WebAnno TSV 3, as INCEpTION exports it: a line per token, with columns for the features of layers.

A cell holds ``_`` for no annotation, ``*`` for one without a value; ``|`` separates stacked annotations, and
a number in brackets joins the tokens of one. Offsets count UTF-16 units. Blanks between sentences are not in
the file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from storage.formats.annotation_tools.cas_files import CasAnnotation, CasDocument
from storage.formats.memory import ROW
from storage.formats.readers.fields import Problems, decoded, is_clean

HEADER = b"#FORMAT=WebAnno TSV 3"
_SPANS, _RELATIONS, _CHAINS, _TEXT = "#T_SP=", "#T_RL=", "#T_CH=", "#Text="
_ROLE = "ROLE_"
_NOTHING, _NO_VALUE = "_", "*"
_TOKEN = re.compile(r"[0-9]{1,9}-[0-9]{1,9}(?:\.[0-9]{1,9})?\t(?P<begin>[0-9]{1,9})-(?P<end>[0-9]{1,9})\t")
_STACKED = re.compile(r"(?<!\\)\|")
_JOINED = re.compile(r"(?<!\\)(?:\[(?P<id>[0-9_]+)\]|->(?P<link>[0-9]+-[0-9]+))\Z")
_ESCAPED = re.compile(r"\\(->|.)", re.DOTALL)
_SIGNS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}
_AGAIN = "Export the document from INCEpTION as WebAnno TSV v3.3."


@dataclass(frozen=True, slots=True)
class _Layer:
    """A layer with the places of its columns, of those with a feature, and of those with targets of slots."""

    type: str
    kind: str
    columns: range
    features: dict[int, str]
    targets: frozenset[int]


@dataclass(slots=True)
class _Text:
    """The text so far; its length in UTF-16 units. sentence: the lines of the next one."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    sentence: list[str] = field(default_factory=list)

    def begin(self, at: int) -> bool:
        """Add the next sentence at an offset; returns False if that is impossible.

        Without a blank between two sentences, the line end of the first one is none.
        """
        if self.length == at + 1:
            self.parts[-1] = self.parts[-1][:-1]
            self.length = at
        if not 0 <= at - self.length <= sum(map(len, self.parts)) + len("".join(self.sentence)) + 1000:
            return False
        content = " " * (at - self.length) + "".join(f"{line}\n" for line in self.sentence)
        self.parts.append(content)
        self.length += len(content.encode("utf-16-le", "surrogatepass")) // 2
        self.sentence.clear()
        return True


def decode(content: bytes, problems: Problems) -> CasDocument | None:
    """Read a document; None and a problem if it is none."""
    text = decoded(content, problems)
    if text is None:
        return None
    found, layers, buffer = CasDocument(has_blanks=False), list[_Layer](), _Text()
    joined: dict[tuple[str, str], CasAnnotation] = {}
    file = problems.place
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        line = line.removesuffix("\r")
        problems.place = f"{file}, line {number}" if file else f"line {number}"
        if line.startswith((_SPANS, _RELATIONS, _CHAINS)):
            layers.append(_layer(line, layers))
        elif line.startswith(_TEXT):
            buffer.sentence.append(_unescaped(line.removeprefix(_TEXT)))
        elif line and not line.startswith("#"):
            token = _TOKEN.match(line)
            if token is None or (buffer.sentence and not buffer.begin(int(token["begin"]))):
                problems.add("", f"“{line[:40]}” is not a token of the text before it.", _AGAIN)
                return None
            problems.memory.take(ROW)
            span, cells = (int(token["begin"]), int(token["end"])), line.split("\t")[3:]
            for layer in layers:
                _add(found, joined, layer, span, cells, problems.place)
    problems.place = file
    found.text = "".join(buffer.parts)
    if not found.text:
        problems.add("", "The document has no text.", _AGAIN)
    return found if found.text and is_clean(found.text, "#Text", problems) else None


def _layer(line: str, earlier: Sequence[_Layer]) -> _Layer:
    kind, _, rest = line.partition("=")
    name, *names = [one for one in rest.split("|") if one] or [""]
    start = earlier[-1].columns.stop if earlier else 0
    columns = range(start, start + max(1, len(names)))
    roles = {at for at, one in zip(columns, names, strict=False) if one.startswith(_ROLE)}
    targets = frozenset(at + 1 for at in roles)
    named = {at: one for at, one in zip(columns, names, strict=False) if at not in roles | targets}
    return _Layer(name, f"{kind}=", columns, named, targets)


def _add(
    found: CasDocument,
    joined: dict[tuple[str, str], CasAnnotation],
    layer: _Layer,
    span: tuple[int, int],
    cells: Sequence[str],
    place: str,
) -> None:
    """Add the annotations of a token in a layer, or extend those that began earlier."""
    own = [cells[at] if at < len(cells) else _NOTHING for at in layer.columns]
    columns = [_values(cell, at in layer.targets) for at, cell in zip(layer.columns, own, strict=True)]
    for stacked in zip_longest(*columns, fillvalue=(_NO_VALUE, "")):
        key = layer.type, next((name for _, name in stacked if name), "")
        known = joined.get(key) if key[1] and layer.kind != _RELATIONS else None
        if known is not None:
            known.end = span[1]
            continue
        features: dict[str, Any] = {"Governor": True} if layer.kind == _RELATIONS else {}
        for at, (value, _) in zip(layer.columns, stacked, strict=True):
            if value != _NO_VALUE and at in layer.features:
                features[layer.features[at]] = _unescaped(value)
            elif value != _NO_VALUE and layer.kind != _RELATIONS:
                features["slots"] = [value]
        one = CasAnnotation(layer.type, *span, features, place)
        found.annotations.append(one)
        if key[1]:
            joined[key] = one


def _values(cell: str, are_targets: bool) -> list[tuple[str, str]]:
    """Return the value of each stacked annotation of a cell, and what joins it with other tokens.

    are_targets: the cell has targets of slots, whose numbers are those of other annotations.
    """
    found = []
    for one in _STACKED.split(cell) if cell != _NOTHING else ():
        ends = None if are_targets else _JOINED.search(one)
        found.append((one[: ends.start()], ends["id"] or ends["link"]) if ends else (one, ""))
    return found


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda found: _SIGNS.get(found[1], found[1]), text)
