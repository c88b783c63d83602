"""Ten thousand damaged files: each ends in what it holds, or in a sentence."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace

import pytest

from core.errors import BadImport
from storage.formats.ducview.decode import decode
from storage.formats.ducview.encode import encode
from storage.formats.ducview.model import File, FileAnnotation
from storage.formats.ducview.reference_split import PROPOSED
from storage.formats.ducview.to_annotations import ImportedPyramid, ImportOptions, to_matches, to_pyramid
from storage.formats.readers.fields import Problems
from tests.storage.formats.ducview.conftest import pan, pyr, without_regex

CASES, SEED = 4_000, 20_260
NASTY = [
    b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"&#xD800;", b"&#0;", b"&lol;", b"]]>", b"<![CDATA[", b"<!--",
    b"<!ENTITY e 'x'>", b"<a>" * 40, b"99999999999999999999", b"-1", b"1e9", b"(((a*)*)*)*b", b"[", b"\\",
    "🌉".encode(), "e\u0301".encode(), b'"', b"'", b"<", b">", b"/>", b' uid="0"', b"<?x?>", b"<part/>",
    b'<?xml version="1.0" encoding="utf-7"?>', b" ", b"\r", b"(?R)", b"\\p{Foo}", b"\xe2\x80\xa8",
]  # fmt: skip
TAG = re.compile(rb"<[^<>]*>")
NUMBER = re.compile(rb'(?<==")\d+(?=")')


def cut(content: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(content))
    return content[:start] + content[start + chance.randrange(1, 40) :]


def repeat(content: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(content))
    piece = content[start : start + chance.randrange(1, 200)]
    return content[:start] + piece + content[start:]


def insert(content: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(content))
    return content[:at] + chance.choice(NASTY) + content[at:]


def flip(content: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(content))
    return content[:at] + bytes([chance.randrange(256)]) + content[at + 1 :]


def renumber(content: bytes, chance: random.Random) -> bytes:
    spans = [m.span() for m in NUMBER.finditer(content)]
    start, end = chance.choice(spans) if spans else (0, 0)
    return content[:start] + str(chance.choice([0, 1, 7, 60, 107, 10**6])).encode() + content[end:]


def swap_tags(content: bytes, chance: random.Random) -> bytes:
    spans = [m.span() for m in TAG.finditer(content)]
    if len(spans) < 2:
        return content
    (a, b), (c, d) = sorted(chance.sample(spans, 2))
    return content[:a] + content[c:d] + content[b:c] + content[a:b] + content[d:]


def drop_element(content: bytes, chance: random.Random) -> bytes:
    spans = [
        m.span() for m in re.finditer(rb"<(line|part|contributor|scu|text|peerscu)\b.*?</\1>", content, re.S)
    ]
    start, end = chance.choice(spans) if spans else (0, 0)
    return content[:start] + content[end:]


DAMAGES = (cut, repeat, insert, flip, renumber, renumber, swap_tags, drop_element)


def outcome(content: bytes, choices: ImportOptions) -> str:
    """Which way a file goes; any other end than these is an error."""
    problems, notices = Problems("a.pan"), Problems("a.pan")
    try:
        file = decode(content, problems)
        pyramid = to_pyramid(file.pyramid, {}, choices, problems, notices)
        if isinstance(file.body, FileAnnotation) and pyramid is not None:
            to_matches(file.body, None, choices, problems, notices)
        problems.stop_if_any()
    except BadImport:
        messages = [str(problem) for problem in problems.found]
        return (
            "problem" if messages and all(sentence.endswith(".") for sentence in messages) else "no sentence"
        )
    assert pyramid is not None, "what brings nothing has a problem"
    assert all(str(notice) for notice in notices.found)
    check_spans(pyramid)
    return "notice" if notices.found else "clean" if same(file) else "changed"


def check_spans(brought: ImportedPyramid) -> None:
    for scu in brought.scus:
        for contributor in scu.contributors:
            length = len(brought.layout.contents[contributor.author])
            assert all(0 <= p.start < p.end <= length for p in contributor.parts)


def same(file: File) -> bool:
    """Whether what was read is written and read again as the same; a missing document type is made up."""
    again = decode(encode(file), Problems("b"))
    return replace(again, declaration=file.declaration) == file


@pytest.mark.slow
def test_damaged_files_end_in_an_import_or_a_sentence() -> None:
    chance = random.Random(SEED)
    whole = [pyr(), pyr(without_regex()), pan(), pan(without_regex(), score="")]
    found: Counter[str] = Counter()
    for _ in range(CASES):
        content = chance.choice(whole)
        for _ in range(chance.choice([1, 1, 2, 5])):
            content = chance.choice(DAMAGES)(content, chance) or b"<"
        found[outcome(content, ImportOptions(PROPOSED, repairs=chance.random() < 0.5))] += 1
    assert sum(found.values()) == CASES
    assert found["no sentence"] == 0
    assert found["changed"] == 0, "what can be read can be written"
    assert min(found["problem"], found["notice"], found["clean"]) > CASES / 50, "each end is reached"
