"""Sentence segmentation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from core.domain.study import Span, Text

_ENGLISH = "en"
_BY_ENGLISH_RULES = frozenset(("fr",))
"""Languages that English rules split better: sentencex's French rules end a sentence after ``M.``."""

_BREAK = re.compile(r"\r\n|\r|\n")
_PARAGRAPH = re.compile(r"(?>\r\n|\r|\n)[ \t]*(?>\r\n|\r|\n)\s*")
_ENDS = tuple(".!?…:;\"'”’»)]|")
_WRAPPED_SHARE = 1 / 3


def sentence_spans(content: str, language: str = "") -> tuple[Span, ...]:
    """Return the spans of a text's sentences, without white space at their ends.

    A line break (LF, CRLF or CR) ends a sentence, as in the files of ROUGE-1.5.5, unless the lines are
    wrapped (`are_wrapped`); then only a blank line does. Within lines sentencex decides.
    language: ISO 639-1 code, empty = English. A language without rules of its own uses those of a related
    language or English.
    Returns nothing for a blank text.
    """
    from sentencex import get_sentence_boundaries  # takes 10 ms; not needed at start-up

    rules = _ENGLISH if language in _BY_ENGLISH_RULES else language or _ENGLISH
    spans = (
        _trimmed(content, start + found["start_index"], start + found["end_index"])
        for start, end in _blocks(content)
        for found in get_sentence_boundaries(rules, content[start:end])
    )
    return tuple(span for span in spans if span[0] < span[1])


@lru_cache(maxsize=64)  # several ask for one after another
def are_wrapped(content: str) -> bool:
    """Return whether line breaks are inside sentences, as in a text of fixed width.

    So it is if more than a third of the lines begin in lower case after a line without an end of a sentence.
    In a text without capitals or of a script without them, line breaks end sentences.
    """
    lines = [line for line in map(str.strip, _BREAK.split(content)) if line]
    if len(lines) < 2 or content == content.lower():
        return False
    continued = sum(line[0].islower() and not before.endswith(_ENDS) for before, line in pairwise(lines))
    return continued > _WRAPPED_SHARE * (len(lines) - 1)


def sentence_spans_of(text: Text) -> tuple[Span, ...]:
    """Return the sentences that a text came with, else those by the rules of its language."""
    if text.sentence_spans is not None:
        return text.sentence_spans
    return sentence_spans(text.content, text.language)


def _blocks(content: str) -> Iterator[Span]:
    """Yield the parts of a text that no sentence leaves: lines, or paragraphs of wrapped lines."""
    start = 0
    if _BREAK.search(content):
        for found in (_PARAGRAPH if are_wrapped(content) else _BREAK).finditer(content):
            yield start, found.start()
            start = found.end()
    yield start, len(content)


def _trimmed(content: str, start: int, end: int) -> Span:
    part = content[start:end]
    return start + len(part) - len(part.lstrip()), end - (len(part) - len(part.rstrip()))
