"""Suggestions as they read in a list."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.annotation.word_coverage import words
from core.domain.study import Span
from core.suggestions.suggestion import Suggestion
from gui.annotation.suggestion_values import SuggestionGroup, SuggestionRow, WordsInContext

CONTEXT_WORDS = 4
_BLANKS = re.compile(r"\s+")
_LIKENESS = ((0.75, "very close"), (0.6, "close"), (0.45, "somewhat close"))
"""On the sample study nine of ten of the first are right, half of the second, one of eight of the third."""


@dataclass(frozen=True, slots=True)
class SuggestionSection:
    """Suggestions of one kind, best first, with what a page says of them.

    names_scu: the title says which SCU they are for, so that their lines need not.
    """

    title: str
    verb: str
    when_none: str
    suggestions: tuple[Suggestion, ...] = ()
    names_scu: bool = False

    def without(self, gone: Suggestion) -> SuggestionSection:
        """The others."""
        kept = tuple(one for one in self.suggestions if one != gone)
        return replace(self, suggestions=kept)

    def group(self, lines: Sequence[SuggestionRow]) -> SuggestionGroup:
        """As it is listed."""
        shown = [replace(line, title="", weight=0, step=0) for line in lines] if self.names_scu else lines
        return SuggestionGroup(self.title, self.verb, self.when_none, tuple(shown))


def suggestion_key(suggestion: Suggestion) -> str:
    """What tells a suggestion from others of its topic."""
    places = " ".join(f"{p.text_id}:{p.span[0]}-{p.span[1]}" for p in suggestion.places)
    return f"{suggestion.kind} {suggestion.scu_id} {places}"


def similarity_text(similarity: float) -> str:
    """A cosine in words and as a number, empty where nothing was compared."""
    if math.isnan(similarity):
        return ""
    word = next((word for least, word in _LIKENESS if similarity >= least), "loosely related")
    return f"{word} · {similarity:.2f}"


def words_in_context(content: str, span: Span, letter: str = "") -> WordsInContext:
    """Words of a text with up to four on either side, an ellipsis where the text goes on."""
    known = words(content)
    start, end = span
    earlier = [word for word in known if word[1] <= start][-CONTEXT_WORDS:]
    later = [word for word in known if word[0] >= end][:CONTEXT_WORDS]
    left, right = earlier[0][0] if earlier else start, later[-1][1] if later else end
    before, after = _even(content[left:start]), _even(content[end:right])
    return WordsInContext(
        letter,
        f"… {before}" if content[:left].strip() else before,
        _even(content[start:end]),
        f"{after} …" if len(content[right:].strip()) > 1 else after,  # a full stop alone is no text
    )


def _even(text: str) -> str:
    """The text with one blank for each run of blanks."""
    return _BLANKS.sub(" ", text)
