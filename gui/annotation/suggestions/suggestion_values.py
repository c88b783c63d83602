"""Values shown in the suggestion panels."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WordsInContext:
    """A suggested text with its context, including whitespace.

    letter: its reference; empty = the open summary.
    """

    letter: str
    before: str
    words: str
    after: str


@dataclass(frozen=True, slots=True)
class SuggestionRow:
    """A suggestion in the list.

    key: identifies it.
    fact: its similarity, in words and as a number.
    title: label of the SCU it would extend or create; empty = the selected SCU.
    weight, step: of that SCU; 0 = a new SCU.
    """

    key: str
    places: tuple[WordsInContext, ...]
    fact: str
    title: str = ""
    weight: int = 0
    step: int = 0


@dataclass(frozen=True, slots=True)
class SuggestionGroup:
    """Suggestions of one kind under a heading.

    verb: what accepting one does.
    when_none: message if there are no suggestions.
    """

    title: str
    verb: str
    when_none: str
    lines: tuple[SuggestionRow, ...] = ()


@dataclass(frozen=True, slots=True)
class SuggestionNote:
    """Message shown instead of suggestions.

    verb: text of its button; empty = no button.
    """

    icon: str
    title: str
    sentence: str
    verb: str = ""
