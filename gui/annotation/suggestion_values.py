"""What the panels of suggestions show."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WordsInContext:
    """Suggested words with a few around them, blanks between included.

    letter: of their reference, empty = the summary in front.
    """

    letter: str
    before: str
    words: str
    after: str


@dataclass(frozen=True, slots=True)
class SuggestionRow:
    """A suggestion in the list.

    key: tells it from others. title: the SCU that it would belong to or make, empty = the selected one.
    weight, step: of that SCU, 0 = none yet. fact: how similar it is, in words and as a number.
    """

    key: str
    places: tuple[WordsInContext, ...]
    fact: str
    title: str = ""
    weight: int = 0
    step: int = 0


@dataclass(frozen=True, slots=True)
class SuggestionGroup:
    """Suggestions of one kind. verb: what taking one does. when_none: a sentence where there are none."""

    title: str
    verb: str
    when_none: str
    lines: tuple[SuggestionRow, ...] = ()


@dataclass(frozen=True, slots=True)
class SuggestionNote:
    """What stands in the place of suggestions: why there are none now. verb: on its button, empty = none."""

    icon: str
    title: str
    sentence: str
    verb: str = ""
