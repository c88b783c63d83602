"""Detection of the references within a pyramid file's single text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from string import ascii_uppercase

from core.domain.study import Span
from core.errors import InputError
from storage.formats.ducview import expressions
from storage.formats.ducview.text_alignment import StrippedText, align_texts, strip_whitespace

MOST_SECTIONS = 200
"""Maximum references of a topic; an expression with more matches finds something else."""

HEADING = "Reference by "
"""Heading of an author's reference in exported files."""

PROPOSED = "proposed"
"""User's choice that accepts the proposed split."""

_RULED = r"(?m)^[-=_*#]{3,}[ \t]*\n[^\n]+\n[-=_*#]{3,}[ \t]*$"
_BLOCK = re.compile(r"(?:\A|\n[ \t]*\n)\s*(?=\S)")
_LINES = re.compile(r"\s*\d{1,6}(?:[\s,]+\d{1,6})*\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Section:
    """A reference's section of the whole text, without surrounding white space. heading: its heading."""

    heading: str
    span: Span


def by_regex(text: str, expression: str) -> tuple[Section, ...]:
    """Return the sections between matches. Raises InputError if there are none or it is invalid."""
    sections = expressions.find(expression, text, MOST_SECTIONS + 1)
    if not sections:
        raise InputError("The expression matches nothing in the text.")
    if len(sections) > MOST_SECTIONS:
        raise InputError(f"The expression matches more than {MOST_SECTIONS} references.")
    ends = [*(start for start, _ in sections[1:]), len(text)]
    spans = [trimmed(text, (end, limit)) for (_, end), limit in zip(sections, ends, strict=True)]
    return tuple(
        Section(text[start:end], span) for (start, end), span in zip(sections, spans, strict=True) if span
    )


def by_texts(text: str, references: Mapping[str, str]) -> tuple[Section, ...]:
    """Return sections equal to known references up to white space, by author; empty if two overlap."""
    whole = StrippedText(text)
    found = [(author, whole.find(content)) for author, content in references.items()]
    sections = [Section(author, span) for author, span in found if span is not None]
    sections.sort(key=lambda section: section.span)
    is_apart = all(one.span[1] <= other.span[0] for one, other in pairwise(sections))
    return tuple(sections) if is_apart else ()


def by_lines(text: str, starts: Sequence[int]) -> tuple[Section, ...]:
    """Return sections that begin at these lines, from 1. Raises InputError for missing lines."""
    offsets = [0, *(m.end() for m in re.finditer("\n", text))]
    if not starts or any(not 1 <= line <= len(offsets) for line in starts):
        raise InputError(f"The text has only the lines 1 to {len(offsets)}.")
    begins = [offsets[line - 1] for line in sorted(set(starts))]
    spans = [trimmed(text, pair) for pair in pairwise([*begins, len(text)])]
    return tuple(Section("", span) for span in spans if span)


def proposed(text: str) -> tuple[Section, ...]:
    """Return the most likely sections: after ruled headings as in DUC, else between blank lines."""
    if re.search(_RULED, text):
        return by_regex(text, _RULED)
    starts = [text.count("\n", 0, m.end()) + 1 for m in _BLOCK.finditer(text)]
    return by_lines(text, starts[:MOST_SECTIONS]) if starts else ()


def chosen(text: str, choice: str) -> tuple[Section, ...]:
    """Return the sections of a user's choice: `proposed`, lines such as ``1, 9, 20``, or an expression.

    Raises InputError if there are none.
    """
    if choice.strip() == PROPOSED:
        return proposed(text)
    if _LINES.fullmatch(choice):
        return by_lines(text, [int(line) for line in re.findall(r"[0-9]+", choice)])
    return by_regex(text, choice)


def line_numbers(text: str, sections: Sequence[Section]) -> str:
    """Return the lines at which sections begin, as a user would enter them."""
    return ", ".join(str(text.count("\n", 0, section.span[0]) + 1) for section in sections)


def trimmed(text: str, span: Span) -> Span | None:
    """Return a span without surrounding white space, None = blank."""
    words = text[span[0] : span[1]]
    inner = words.strip()
    if not inner:
        return None
    start = span[0] + len(words) - len(words.lstrip())
    return start, start + len(inner)


def authors(text: str, sections: Sequence[Section], known: Mapping[str, str]) -> list[str]:
    """Return an author for each section: of the equal known reference, else from its heading."""
    names = _from_headings([section.heading for section in sections])
    equal = {strip_whitespace(content): author for author, content in known.items()}
    found = [equal.pop(strip_whitespace(text[slice(*section.span)]), None) for section in sections]
    taken = {author for author in found if author is not None}
    if not any(name in taken for name, author in zip(names, found, strict=True) if author is None):
        return [author or name for author, name in zip(found, names, strict=True)]
    free = dict.fromkeys((*names, *_letters(len(sections) + len(known))))
    fresh = (name for name in free if name not in taken)
    return [author or next(fresh) for author in found]


def _from_headings(headings: Sequence[str]) -> list[str]:
    """Return the distinguishing part of headings: after the last point, else all of it, else letters."""
    whole = [" ".join(heading.strip("-=_*# \t\n").split()) for heading in headings]
    if all(name.startswith(HEADING) for name in whole):
        return [name.removeprefix(HEADING) for name in whole]
    for names in ([name.rpartition(".")[2].strip() for name in whole], whole):
        if all(names) and len(set(names)) == len(names):
            return names
    return _letters(len(headings))


def _letters(count: int) -> list[str]:
    """A, B, … Z, A2, B2, …"""
    rounds = range(1, count // len(ascii_uppercase) + 2)
    return [letter + (str(n) if n > 1 else "") for n in rounds for letter in ascii_uppercase][:count]


def same(ours: str, theirs: str) -> bool:
    """Return whether two texts are equal up to white space."""
    return align_texts(ours, theirs) is not None
