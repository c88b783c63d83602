"""References within a pyramid file's single text: where they are, and their spans in the study's texts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from string import ascii_uppercase
from typing import Any

from core.domain.study import Span
from core.errors import InputError
from storage.formats.ducview import expressions
from storage.formats.ducview.text_alignment import Alignment, StrippedText, align_texts, strip_whitespace

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


_RULE = "-" * 17 + "\n"
_EXPRESSION = rf"-{{17}}\n {HEADING}[^\n]*\n-{{17}}\n"


@dataclass(frozen=True)
class ReferenceLayout:
    """The whole text, each author's section in it, and that author's reference in the study.

    A section and its reference may differ only in white space.
    """

    text: str
    places: Mapping[str, Span]
    contents: Mapping[str, str]

    @cached_property
    def _alignments(self) -> Mapping[str, Alignment]:
        alignments = {
            a: align_texts(self.contents[a], self.text[slice(*span)]) for a, span in self.places.items()
        }
        return {author: alignment for author, alignment in alignments.items() if alignment is not None}

    @property
    def is_sound(self) -> bool:
        """Return whether every section matches its reference."""
        return len(self._alignments) == len(self.places)

    def authors_of(self, span: Span) -> tuple[str, ...]:
        """Return the authors whose sections a span touches, ignoring white space."""
        words = trimmed(self.text, span)
        if words is None:
            return ()
        return tuple(a for a, (start, end) in self.places.items() if words[0] < end and words[1] > start)

    def to_study(self, author: str, span: Span) -> Span | None:
        """Map a span of the whole text to an author's reference; None = not within it."""
        start, end = self.places[author]
        words = trimmed(self.text, span)
        if words is None or not start <= words[0] <= words[1] <= end:
            return None
        inner = span if start <= span[0] and span[1] <= end else words
        return self._alignments[author].to_ours((inner[0] - start, inner[1] - start))

    def to_file(self, author: str, span: Span) -> Span:
        """Map a span of an author's reference to the whole text."""
        start = self.places[author][0]
        moved = self._alignments[author].to_theirs(span) or span
        return moved[0] + start, moved[1] + start

    def as_record(self) -> dict[str, Any]:
        """Return the data a writer needs to restore the layout."""
        return {"text": self.text, "references": {a: list(span) for a, span in self.places.items()}}


def from_record(record: Mapping[str, Any], contents: Mapping[str, str]) -> ReferenceLayout | None:
    """Restore a layout from `as_record`, or None if a reference has changed.

    contents: the study's references by author; those missing in the layout are ignored.
    """
    places = {a: (int(start), int(end)) for a, (start, end) in record.get("references", {}).items()}
    if not places or not set(places) <= set(contents):
        return None
    layout = ReferenceLayout(str(record["text"]), places, {author: contents[author] for author in places})
    return layout if layout.is_sound else None


def fresh(contents: Mapping[str, str]) -> tuple[ReferenceLayout, str | None]:
    """Join references under headings; also return the expression that finds the headings.

    The expression is None if there are too many references or a text contains a similar heading; the reader
    then has to ask the user.
    """
    text, places = "", {}
    for author, content in contents.items():
        text += f"{_RULE} {HEADING}{author}\n{_RULE}\n"
        places[author] = (len(text), len(text) + len(content))
        text += f"{content}\n\n"
    try:
        sections = by_regex(text, _EXPRESSION) if places else ()
    except InputError:  # more references than an expression may match
        sections = ()
    expected = [trimmed(text, span) for span in places.values()]
    is_clear = [section.span for section in sections] == expected
    return ReferenceLayout(text, places, contents), _EXPRESSION if is_clear else None
