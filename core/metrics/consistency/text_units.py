"""Units of documents and summaries that are compared with each other: sentences, paragraphs, chunks."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.domain.study import Span, Text
from core.suggestions.candidate_spans import uncovered_clauses
from core.text.sentences import sentence_spans_of

SENTENCE, TWO_SENTENCES, PARAGRAPH, DOCUMENT, MIXED = (
    "sentence", "two-sentences", "paragraph", "document", "mixed"
)  # fmt: skip
CLAUSE = "clause"
_BLANK_LINE, _LINE = re.compile(r"(?:\r?\n){2}"), re.compile(r"\r?\n")


@dataclass(frozen=True, slots=True)
class TextUnit:
    """A part of a text. content: what a model reads; of several sentences, these joined by a blank."""

    text: Text
    span: Span
    content: str


def sentences_of(text: Text) -> list[TextUnit]:
    """Return the sentences of a text, without blank ones."""
    spans = ((a, b) for a, b in sentence_spans_of(text) if text.content[a:b].strip())
    return [TextUnit(text, (a, b), text.content[a:b]) for a, b in spans]


def clauses_of(text: Text) -> list[TextUnit]:
    """Return the clauses of a text by English rules; one of a single word is part of another clause."""
    spans = uncovered_clauses(text, (), min_words=2)
    return [TextUnit(text, (a, b), text.content[a:b]) for a, b in spans]


def whole(text: Text) -> list[TextUnit]:
    """Return a text as one unit; nothing for a blank one."""
    content = text.content.strip()
    start = len(text.content) - len(text.content.lstrip())
    return [TextUnit(text, (start, start + len(content)), text.content)] if content else []


def paragraphs_of(text: Text) -> list[TextUnit]:
    """Return the parts of a text between blank lines; without blank lines, its lines."""
    content = text.content
    breaks = list(_BLANK_LINE.finditer(content)) or list(_LINE.finditer(content))
    marks = [(0, 0), *(found.span() for found in breaks), (len(content),) * 2]
    units = []
    for (_, start), (end, _) in pairwise(marks):
        part = content[start:end]
        start += len(part) - len(part.lstrip())
        units.append(TextUnit(text, (start, start + len(part.strip())), part.strip()))
    return [unit for unit in units if unit.content]


def joined(sentences: Sequence[TextUnit]) -> TextUnit:
    """Return neighbouring sentences as one unit."""
    first, last = sentences[0], sentences[-1]
    return TextUnit(first.text, (first.span[0], last.span[1]), " ".join(one.content for one in sentences))


def units_of(text: Text, kind: str, shortest: int = 0) -> list[TextUnit]:
    """Return a text's units of a kind.

    shortest: characters of the shortest sentence or paragraph that counts.

    Pairs of sentences overlap, and the last sentence is also a unit alone, as in the program of SummaC.
    """
    match kind:
        case "document":
            return whole(text)
        case "paragraph":
            found = paragraphs_of(text)
        case "mixed":
            found = [*sentences_of(text), *paragraphs_of(text)]
        case _:
            found = sentences_of(text)
    found = [unit for unit in found if len(unit.content) >= shortest]
    return [joined(found[at : at + 2]) for at in range(len(found))] if kind == TWO_SENTENCES else found


def equal_chunks(text: Text, words: int) -> list[TextUnit]:
    """Return chunks of as many sentences each that a chunk of a long text has about `words` words.

    As in the program of AlignScore: the number of words and of sentences decides, not their lengths.
    """
    sentences = sentences_of(text)
    count = len(text.content.split()) // words + 1
    size = max(len(sentences) // count, 1)
    return [joined(sentences[at : at + size]) for at in range(0, len(sentences), size)]


def filled_chunks(text: Text, most: int, lengths: Callable[[Sequence[str]], Sequence[int]]) -> list[TextUnit]:
    """Return chunks of consecutive sentences of at most `most` pieces in all; a longer sentence is one.

    lengths: returns the pieces of each part. As in the program of MiniCheck, line breaks between sentences
    are kept, and count.
    """
    parts: list[tuple[str, TextUnit | None]] = []
    end = 0
    for sentence in sentences_of(text):
        parts += [("\n", None)] * text.content.count("\n", end, sentence.span[0])
        parts.append((sentence.content, sentence))
        end = sentence.span[1]
    chunks: list[list[tuple[str, TextUnit | None]]] = [[]]
    taken = 0
    for part, length in zip(parts, lengths([content for content, _ in parts]), strict=True):
        if taken + length > most:
            chunks.append([])
            taken = 0
        chunks[-1].append(part)
        taken += length
    found = (([one for _, one in chunk if one], [content for content, _ in chunk]) for chunk in chunks)
    return [_with_breaks(sentences, contents) for sentences, contents in found if sentences]


def _with_breaks(sentences: Sequence[TextUnit], contents: Sequence[str]) -> TextUnit:
    """Return consecutive sentences as one unit. contents: of these, and the line breaks around them."""
    content = " ".join(contents).replace(" \n ", "\n").strip()
    return TextUnit(sentences[0].text, (sentences[0].span[0], sentences[-1].span[1]), content)
