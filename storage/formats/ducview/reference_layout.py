"""Mapping between a pyramid file's single text and the study's references."""

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
