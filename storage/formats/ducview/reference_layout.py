"""How a pyramid's one text goes together with the study's references."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from core.domain.study import Span
from core.errors import InputError
from storage.formats.ducview.reference_split import HEADING, by_regex, trimmed
from storage.formats.ducview.text_alignment import Alignment, align_texts

_RULE = "-" * 17 + "\n"
_EXPRESSION = rf"-{{17}}\n {HEADING}[^\n]*\n-{{17}}\n"


@dataclass(frozen=True)
class Layout:
    """The whole text, where each author's reference stands in it, and what the study has of that author.

    A stretch and the study's text differ in white space at most.
    """

    text: str
    places: Mapping[str, Span]
    contents: Mapping[str, str]

    @cached_property
    def _alignments(self) -> Mapping[str, Alignment]:
        found = {a: align_texts(self.contents[a], self.text[slice(*span)]) for a, span in self.places.items()}
        return {author: alignment for author, alignment in found.items() if alignment is not None}

    @property
    def is_sound(self) -> bool:
        """Whether every stretch is the text that the study has."""
        return len(self._alignments) == len(self.places)

    def authors_of(self, span: Span) -> tuple[str, ...]:
        """Authors whose reference a span touches, white space aside."""
        words = trimmed(self.text, span)
        if words is None:
            return ()
        return tuple(a for a, (start, end) in self.places.items() if words[0] < end and words[1] > start)

    def to_study(self, author: str, span: Span) -> Span | None:
        """A span of the whole text in an author's reference, None = it is not within that."""
        start, end = self.places[author]
        words = trimmed(self.text, span)
        if words is None or not start <= words[0] <= words[1] <= end:
            return None
        inner = span if start <= span[0] and span[1] <= end else words
        return self._alignments[author].to_ours((inner[0] - start, inner[1] - start))

    def to_file(self, author: str, span: Span) -> Span:
        """A span of an author's reference in the whole text."""
        start = self.places[author][0]
        moved = self._alignments[author].to_theirs(span) or span
        return moved[0] + start, moved[1] + start

    def as_record(self) -> dict[str, Any]:
        """What a writer needs to lay the text out again."""
        return {"text": self.text, "references": {a: list(span) for a, span in self.places.items()}}


def from_record(record: Mapping[str, Any], contents: Mapping[str, str]) -> Layout | None:
    """The layout that `as_record` told of, None where a reference is another one by now.

    contents: the study's references by author; those that the layout has not stay outside.
    """
    places = {a: (int(start), int(end)) for a, (start, end) in record.get("references", {}).items()}
    if not places or not set(places) <= set(contents):
        return None
    layout = Layout(str(record["text"]), places, {author: contents[author] for author in places})
    return layout if layout.is_sound else None


def fresh(contents: Mapping[str, str]) -> tuple[Layout, str | None]:
    """References one below the other, each with a heading, and the expression that finds the headings.

    None where there are too many of them, or a text itself holds what looks like a heading: then it is left
    to the reader to ask.
    """
    text, places = "", {}
    for author, content in contents.items():
        text += f"{_RULE} {HEADING}{author}\n{_RULE}\n"
        places[author] = (len(text), len(text) + len(content))
        text += f"{content}\n\n"
    try:
        sections = by_regex(text, _EXPRESSION) if places else ()
    except InputError:  # there are more references than an expression may find
        sections = ()
    wanted = [trimmed(text, span) for span in places.values()]
    is_clear = [section.span for section in sections] == wanted
    return Layout(text, places, contents), _EXPRESSION if is_clear else None
